"""When a first quote is stated and when it is shown as a likely place."""

from dataclasses import replace

import pytest

from docqa.answer.evidence import add_evidence
from docqa.answer.findings.confidence import confidence
from docqa.answer.findings.quotes import Quote, quotes_of
from tests.answer.findings.judged import networks
from tests.answer.passages import asked as question
from tests.answer.passages import hit, row, with_tables


def quotes(*chances: float, cell: str = "1,200") -> list[Quote]:
    """Rows of a passage, with the chances that they answer."""
    names = ("Alder", "Birch", "Cedar")
    rows = [row("Tenant", "Rent", header=True), *(row(name, cell) for name in names)]
    (piece,) = add_evidence((), with_tables([hit(*rows)]))
    return [replace(q, chance=c) for q, c in zip(quotes_of(piece), chances, strict=False)]


def sure(asked: str, *chances: float, cell: str = "1,200") -> float:
    return confidence(quotes(*chances, cell=cell), question(asked), networks())


def test_a_likelier_quote_is_surer_and_one_beside_which_another_fits_as_well_less_so() -> None:
    asked = "What rent does Alder pay?"
    assert sure(asked, 0.9) > sure(asked, 0.5) > sure(asked, 0.5, 0.4)


@pytest.mark.parametrize(
    "asked", ["Which tenants are behind on rent?", "What is the average rent of the tenants?"]
)
def test_one_quote_is_no_sure_answer_to_what_it_can_hardly_hold(asked: str) -> None:
    assert sure("What rent does Alder pay?", 0.6, 0.1) > 0 > sure(asked, 0.6, 0.1)


def test_a_row_in_per_cent_may_print_the_change_that_is_asked_for() -> None:
    asked = "By what percentage did Alder's rent change from 2023 to 2024?"
    assert sure(asked, 0.6, cell="4.2%") > sure(asked, 0.6)
