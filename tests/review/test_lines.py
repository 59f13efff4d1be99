"""Figure columns that are lines of statements, and ratios, which are not."""

from decimal import Decimal

import pytest

from docqa.review.lines import is_ratio, line_of, printed_lines
from docqa.review.proposals import proposed
from docqa.types.answer import Answer
from docqa.types.comparison import Figure, FigureComparison
from docqa.types.document import Block, Box
from docqa.types.review import Column, Kind

ROW = Block("Total revenues 49,954", 67, Box(1, 2, 3, 4), kind="table", table=9, index=5)


def column(title: str, kind: Kind = "figure") -> Column:
    return Column(title, f"What is the {title}?", kind)


def revenue(text: str = "49,954", value: str = "49954000000") -> FigureComparison:
    period = "year ended May 31, 2023"
    figure = Figure("Revenue", period, Decimal(value), "USD", text, "id", "A.pdf", ROW)
    return FigureComparison("Revenue", period, "USD", (figure,))


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Revenue", "Revenue"),
        ("Diluted EPS", "Diluted earnings per share"),
        ("Operating cash flow", "Cash from operations"),
        ("Gross margin", ""),
        ("Return on equity", ""),
        ("Rent", ""),
    ],
)
def test_a_column_is_a_line_by_its_title(title: str, line: str) -> None:
    found = line_of(column(title))
    assert (found.name if found else "") == line
    assert line_of(column(title, "text")) is None


def test_a_line_stands_as_its_statement_prints_it() -> None:
    [found] = printed_lines(column("Revenue"), [revenue()])
    assert (found.value, found.number, found.unit) == (
        "49,954 million",
        Decimal(49_954_000_000),
        "USD",
    )
    assert found.citations[0].blocks == (ROW,)
    assert found.citations[0].page == 67
    [whole] = printed_lines(column("Revenue"), [revenue("$2,510", "2510")])
    assert whole.value == "$2,510"
    assert printed_lines(column("Total assets"), [revenue()]) == []


def test_the_statement_comes_before_what_the_answer_found() -> None:
    answer = Answer("Revenue of a segment: $5 million", "extractive")
    made = proposed(answer, column("Revenue"), rows=printed_lines(column("Revenue"), [revenue()]))
    assert [each.value for each in made.found] == ["49,954 million", "$5 million"]
    assert not made.likely
    alone = proposed(answer, column("Revenue"))
    assert (alone.found[0].value, alone.likely) == ("$5 million", True)


def test_a_ratio_is_certain_only_where_it_was_worked_out() -> None:
    assert is_ratio(column("Gross margin"))
    printed = Answer("Total margin: 26%", "extractive")
    assert proposed(printed, column("Gross margin")).likely
    worked = Answer("Gross margin: 2,350 ÷ 10,094 × 100 = 23.28 %", "extractive")
    made = proposed(worked, column("Gross margin"))
    assert (made.found[0].value, made.likely) == ("23.28 %", False)
