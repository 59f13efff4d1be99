"""What a model's table says, held against what was computed."""

from decimal import Decimal

import pytest

from docqa.answer.model.correction import corrected
from docqa.types.comparison import Comparison, Figure, FigureComparison
from docqa.types.document import Block, Box, Document

A = Document("a" * 64, "A.pdf", 3)
B = Document("b" * 64, "B.pdf", 3)


def figure(document: Document, text: str, value: str, unit: str = "USD") -> Figure:
    block = Block(text, 2, Box(0, 0, 1, 1))
    return Figure("NOI", "2024", Decimal(value), unit, text, document.id, document.name, block)


def row(label: str, *, difference: str = "", note: str = "", percent: str = "") -> FigureComparison:
    values = (figure(A, "$1.2M", "1200000"), figure(B, "$1,100,000", "1100000"))
    return FigureComparison(label, "2024", "USD", values, difference, note, percent)


RATE = FigureComparison(
    "Cap rate", "", "%", (figure(A, "6.2%", "6.2", "%"), figure(B, "5.8%", "5.8", "%")), "+0.4 pts"
)
NOI = row("NOI", difference="+$100K", percent="+9.1%")
COMPARISON = Comparison((A, B), "", (NOI, RATE), (), {}, "")
HEAD = "| | A | B | Difference |\n| --- | --- | --- | --- |\n"


def mended(line: str, comparison: Comparison = COMPARISON) -> tuple[str, tuple[str, ...]]:
    found = corrected(f"{HEAD}{line}\nText after.", comparison)
    return found.text.split("\n")[2], found.warnings


@pytest.mark.parametrize(
    "line",
    [
        "| NOI (2024) | $1.2M [DocA:p2] | $1,100,000 [DocB:p2] | +$100K (+9.1%) |",
        "| NOI | $1,200,000 | $1.1 million | A is $100,000 higher |",
        "| Net income | $1.2M | $1.1M | −8.3% from A to B |",
        "| Cap rate | 6.2% | 5.8% | 0.4 percentage points |",
        "| Cap rate | 6.2% | 5.8% | 40 bps |",
        "| Law | New York | England | differs |",
        "| Rent | $10 | not stated | |",
        "| Rent | $10 | $12 | B pays $2 more, 20% |",
        "| NOI | $1.2M | $1.1M | +$100K | 5 |",
    ],
)
def test_what_is_right_stays_as_it_is(line: str) -> None:
    assert mended(line) == (line, ())


def test_a_wrong_difference_is_struck_and_the_computed_one_follows() -> None:
    line, warnings = mended("| NOI | $1.2M [DocA:p2] | $1,100,000 [DocB:p2] | +$110K |")
    assert line == ("| NOI | $1.2M [DocA:p2] | $1,100,000 [DocB:p2] | ~~+$110K~~ +$100K (+9.1%) |")
    assert warnings == ("Corrected: the difference in NOI is +$100K (+9.1%), not +$110K.",)


def test_a_right_difference_with_a_wrong_percentage_is_corrected() -> None:
    line, warnings = mended("| NOI | $1.2M | $1.1M | +$100K (+12%) |")
    assert "~~+$100K (+12%)~~ +$100K (+9.1%)" in line
    assert len(warnings) == 1


def test_a_row_is_known_by_its_values_where_its_label_is_another() -> None:
    line, _ = mended("| Operating income | $1.2M | $1.1M | +$1M |")
    assert line.endswith("| ~~+$1M~~ +$100K (+9.1%) |")


def test_a_wrong_value_is_corrected_with_its_page() -> None:
    line, warnings = mended("| NOI | $1.3M [DocA:p2] | $1.1M [DocB:p2] | +$100K |")
    assert line.startswith("| NOI | ~~$1.3M~~ $1.2M [DocA:p2] | $1.1M [DocB:p2] |")
    assert warnings == ("Corrected: NOI of A.pdf is $1.2M (p. 2), not $1.3M.",)


def test_a_value_printed_in_the_tables_scale_is_no_error() -> None:
    assert mended("| NOI | 1,200 | 1,100 | +$100K |") == (
        "| NOI | 1,200 | 1,100 | +$100K |",
        (),
    )


def test_a_difference_that_was_refused_is_struck() -> None:
    refused = row("NOI", note="Not compared: the periods differ in length.")
    line, warnings = mended(
        "| NOI | $1.2M | $1.1M | +$100K |", Comparison((A, B), "", (refused,), (), {}, "")
    )
    assert line.endswith("| ~~+$100K~~ not comparable |")
    assert warnings


def test_rows_that_were_not_computed_are_recomputed_from_their_own_amounts() -> None:
    line, _ = mended("| Fee | $10.50 [DocA:p1] | $12 [DocB:p1] | −$2.50 |")
    assert line.endswith("| ~~−$2.50~~ −$1.50 |")
    line, _ = mended("| Vacancy | 4.1% | 5.3% | 1.5 points |")
    assert line.endswith("| ~~1.5 points~~ −1.2 pts |")
