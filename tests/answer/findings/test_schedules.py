"""Schedules of notes, told year by year."""

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.types.search import Hit
from tests.answer.findings.test_lists import lines
from tests.answer.findings.test_worked import with_statements
from tests.answer.passages import block, hit, row

YEARS = ("2024", "2025", "2026", "Thereafter")


def schedule(heading: str, caption: str, total: str, amounts: tuple[str, ...], index: int) -> Hit:
    rows = [row(year, amount) for year, amount in zip(YEARS, amounts, strict=True)]
    return hit(
        block(heading, 9, "heading"),
        block(caption, 9, "caption"),
        row("(in millions)", "Amount", header=True),
        *rows,
        row(total, "99"),
        headings=(heading,),
        index=index,
    )


DEBT = schedule("9. Debt", "Fiscal period:", "Total principal", ("52", "10", "13", "24"), 0)
MATURITIES = "Maturities of lease liabilities"
LEASES = schedule("7. Leases", f"{MATURITIES}:", "Total payments", ("6", "5", "4", "9"), 1)
ASSETS = schedule(
    "8. Intangible Assets Acquired", "Fiscal period:", "Total amortization", ("7", "3", "2", "1"), 2
)


@pytest.mark.parametrize(
    ("question", "title", "first"),
    [
        ("What is the debt maturity schedule?", "9. Debt", "2024: 52"),
        ("When do the borrowings mature?", "9. Debt", "2024: 52"),
        ("What are the lease obligations by year?", MATURITIES, "2024: 6"),
        (
            "What are the future minimum lease payments?",
            "Maturities of lease liabilities",
            "2024: 6",
        ),
        ("What is the future amortization by year?", "8. Intangible Assets Acquired", "2024: 7"),
    ],
)
def test_the_schedule_that_is_asked_for_is_told_whole(
    question: str, title: str, first: str
) -> None:
    given = with_statements(question, DEBT, LEASES, ASSETS)
    assert given.text.startswith(f"{title}:\n- {first}")
    assert [line.split(":")[0].removeprefix("- ") for line in lines(given)] == [*YEARS]
    assert verify_answer(given).problems == []


def test_of_a_year_its_row_is_told() -> None:
    given = with_statements("How much debt matures in 2025?", DEBT, LEASES, ASSETS)
    assert given.text.splitlines()[0] == "9. Debt – 1 of 4:"
    assert given.text.splitlines()[1].startswith("- 2025: 10 (in millions) [S")


@pytest.mark.parametrize(
    "question",
    [
        "What purchase commitments are due each year?",
        "What are the contractual obligations?",
        "What are the lease payments?",
    ],
)
def test_no_schedule_is_told_that_was_not_asked_for(question: str) -> None:
    assert "\n- Thereafter:" not in with_statements(question, DEBT, LEASES, ASSETS).text
