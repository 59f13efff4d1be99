"""Abbreviations of a question, spelt out by what tables are called."""

import pytest

from docqa.question.initials import abbreviations, spelt_by_tables
from docqa.types.search import Hit
from docqa.types.table import Table
from tests.answer.passages import block, hit, row, with_tables


def tables_of(*hits: Hit) -> list[Table]:
    return [table for each in with_tables(hits) for table in each.tables]


TABLES = tables_of(
    hit(
        block("Nonperforming loans", 4, "caption"),
        row("($ million)", "September 30, 2025", "June 30, 2025", page=4, header=True),
        row("Commercial and industrial", "14.9", "13.2", page=4),
        row("Owner-occupied real estate", "3.1", "2.7", page=4),
    ),
    hit(
        block("Employees earning over $120,000", 3, "caption"),
        row("Name", "Base salary", "Change-of-control payment", page=3, header=True),
        row("Shauna Bilodeau", "$163,000", "$40,750", page=3),
        row("Lyle Fensterwald", "$198,000", "$49,500", page=3),
        index=1,
    ),
)
CARDS = tables_of(
    hit(row("", "2025", "2024", header=True), row("Card and interchange", "9.1", "8.8"), index=2)
)


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("C&I", "Commercial and industrial"),
        ("CoC", "Change-of-control"),
        ("BS", "Base salary"),
        ("OR", ""),  # part of a longer name, of two letters
        ("SB", ""),  # a person's own
        ("XYZ", ""),
    ],
)
def test_initials_are_those_of_the_one_name_that_begins_with_them(short: str, name: str) -> None:
    assert spelt_by_tables(short, TABLES) == name


def test_words_that_any_text_has_are_no_name() -> None:
    costs = hit(
        row("£000", "Budget", header=True),
        row("Operations and maintenance", "497"),
        row("98.5% or more", "12"),
        row("On time in full", "97.4%"),
        index=3,
    )
    assert spelt_by_tables("O&M", tables_of(costs)) == "Operations and maintenance"
    assert spelt_by_tables("OTIF", tables_of(costs)) == "On time in full"


def test_initials_that_may_be_of_several_names_are_left_alone() -> None:
    assert spelt_by_tables("C&I", [*TABLES, *CARDS]) == ""


def test_abbreviations_that_the_vocabulary_has_are_not_looked_up() -> None:
    assert abbreviations("C&I and EBITDA of the NIM in Q3?") == ["C&I", "NIM"]
