"""A line of a primary statement goes before the same line of a note."""

from dataclasses import replace

import pytest

from docqa.answer.findings.extractive import answer_from
from docqa.settings import DEFAULTS
from docqa.types.search import Hit
from tests.answer.findings.judged import means
from tests.answer.findings.test_worked import with_statements
from tests.answer.passages import block, found, hit, row, with_tables

NOTE = hit(
    block("Note 12. Stock-based compensation", 9, "heading"),
    block("Stock-based compensation by expense line (in millions)", 9, "caption"),
    row("", "Year Ended May 31, 2023", "Year Ended May 31, 2022", page=9, header=True),
    row("Research and development", "1,983", "1,200", page=9),
    row("Sales and marketing", "700", "650", page=9),
    index=1,
)
STATEMENT = hit(
    block("CONSOLIDATED STATEMENTS OF OPERATIONS", 5, "heading"),
    block("(in millions)", 5),
    row("", "Year Ended May 31, 2023", "Year Ended May 31, 2022", page=5, header=True),
    row("Total revenues", "$49,954", "$42,440", page=5),
    row("Sales and marketing", "8,833", "8,047", page=5),
    row("Research and development", "8,623", "7,219", page=5),
    row("Total operating expenses", "36,861", "31,514", page=5),
    row("Operating income", "13,093", "10,926", page=5),
    row("Income before income taxes", "9,126", "7,649", page=5),
    row("Provision for income taxes", "623", "932", page=5),
    row("Net income", "$8,503", "$6,717", page=5),
)

HOLDINGS = hit(
    block("Holdings at March 31, 2025", 3, "caption"),
    row("Company", "Sector", "Invested", "Fair value", "Gross IRR", page=3, header=True),
    row("Thornbury Glass Works", "Industrials", "18.2", "24.9", "14.1%", page=3),
    row("Castle Mill Dairies", "Food", "22.0", "20.4", "(3.0)%", page=3),
    row("Castle Bay Ferries", "Transport", "9.7", "15.5", "21.6%", page=3),
)


PARTS = hit(
    block("Cloud revenues by offering (in millions)", 9, "caption"),
    row("", "Year Ended May 31, 2023", "Year Ended May 31, 2022", page=9, header=True),
    row("Cloud services", "15,881", "10,809", page=9),
    row("License support", "19,426", "19,365", page=9),
    row("Total revenues", "35,307", "30,174", page=9),
    index=1,
)


def first_line(question: str, *hits: Hit) -> str:
    read = with_tables(hits)
    tables = tuple(table for each in read for table in each.tables)
    blocks = tuple(block for each in read for block in each.chunk.blocks)
    own = replace(means(), tables=lambda _: tables, blocks=lambda _: blocks)
    result = replace(found(question, hits), hits=tuple(read))
    given = answer_from(result, settings=DEFAULTS, means=own)
    return given.text.splitlines()[0]


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What did the company spend on research and development in fiscal 2023?", "8,623"),
        ("What was sales and marketing expense in fiscal 2022?", "8,047"),
        ("How much stock-based compensation was in research and development in 2023?", "1,983"),
    ],
)
def test_the_statement_goes_before_a_note_of_which_nothing_more_is_asked(
    question: str, figure: str
) -> None:
    assert figure in first_line(question, NOTE, STATEMENT)


def test_a_year_that_the_statement_does_not_have_is_left_to_the_note() -> None:
    blocks = list(STATEMENT.chunk.blocks)
    blocks[2] = row("", "Year Ended May 31, 2021", "Year Ended May 31, 2020", page=5, header=True)
    older = replace(STATEMENT, chunk=replace(STATEMENT.chunk, blocks=tuple(blocks)))
    asked = "What did the company spend on research and development in fiscal 2023?"
    assert "1,983" in first_line(asked, NOTE, older)


def test_a_line_of_a_part_is_not_told_for_the_whole_nor_the_rest_for_the_line() -> None:
    blocks = list(STATEMENT.chunk.blocks)
    blocks[4:4] = [
        row("Services", "5,594", "3,205", page=5),
        row("Other income, net", "394", "100", page=5),
    ]
    whole = replace(STATEMENT, chunk=replace(STATEMENT.chunk, blocks=tuple(blocks)))
    assert "15,881" in first_line("What were cloud services revenues in 2023?", PARTS, whole)
    assert "8,503" in first_line("What was net income in 2023?", PARTS, whole)


ITEMS = hit(
    block("Interest rate contracts at year end (in millions)", 9, "caption"),
    row("", "Assets", "Liabilities", "Total assets", page=9, header=True),
    row("Foreign exchange contracts", "4,317", "2,205", "7,100", page=9),
    row("Interest rate contracts", "10", "1,100", "15", page=9),
    index=1,
)
SHEET = hit(
    block("CONSOLIDATED BALANCE SHEETS", 6, "heading"),
    block("(in millions)", 6),
    row("", "May 31, 2023", "May 31, 2022", page=6, header=True),
    row("Inventories", "298", "314", page=6),
    row("Other current assets", "3,902", "3,778", page=6),
    row("Total current assets", "21,004", "31,633", page=6),
    row("Total assets", "134,384", "109,297", page=6),
    row("Total current liabilities", "23,090", "19,511", page=6),
    row("Total liabilities", "132,828", "115,065", page=6),
    row("Total stockholders’ equity", "1,556", "(5,768)", page=6),
    index=2,
)


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What were total assets?", "134,384"),
        ("total current assets", "21,004"),
        ("current liabilities?", "23,090"),
        ("What was inventory at the end of the quarter?", "298"),
        ("What was the provision for income taxes?", "623"),
        ("income before taxes", "9,126"),
    ],
)
def test_a_line_that_is_all_a_question_names_is_told_and_no_list(
    question: str, figure: str
) -> None:
    assert figure in first_line(question, ITEMS, STATEMENT, SHEET)


def test_a_sum_is_of_the_lines_of_the_statement() -> None:
    asked = "What was the change in total revenues from 2022 to 2023?"
    assert "49,954 − 42,440 = 7,514" in first_line(asked, PARTS, STATEMENT)


def test_the_line_of_another_document_found_is_told_where_the_first_has_none() -> None:
    other = hit(block("Revenue works are planned for the roof of Unit 2 in 2022.", 1), index=2)
    asked = "Total revenues in 2022?"
    assert "42,440" in first_line(asked, other, STATEMENT)


def test_a_row_of_the_statement_of_equity_gives_way_to_the_same_line_over_time() -> None:
    equity = hit(
        block("Consolidated Statements of Stockholders' Equity", 5, "heading"),
        block("(In millions)", 5, "caption"),
        row("", "Common Stock", "Additional Paid-in Capital", "Total", page=5, header=True),
        row("Balance at January 31, 2021", "1", "35,600", "41,493", page=5),
        row("Stock-based compensation", "0", "2,190", "2,190", page=5),
        row("Net income", "0", "0", "1,444", page=5),
        row("Balance at January 31, 2022", "1", "50,919", "58,131", page=5),
    )
    flows = hit(
        block("Consolidated Statements of Cash Flows", 6, "heading"),
        block("(In millions)", 6, "caption"),
        row("", "January 31, 2023", "January 31, 2022", page=6, header=True, table=2),
        row("Net income", "208", "1,444", page=6, table=2),
        row("Stock-based compensation", "3,279", "2,779", page=6, table=2),
        row("Net cash provided by operating activities", "7,111", "6,000", page=6, table=2),
        row("Net cash used in investing activities", "(1,989)", "(900)", page=6, table=2),
        row("Net cash used in financing activities", "(3,562)", "(1,000)", page=6, table=2),
        row("Cash and cash equivalents, end of period", "7,016", "5,464", page=6, table=2),
        index=1,
    )
    given = with_statements("How much stock-based compensation was recorded?", equity, flows)
    assert "3,279" in given.text.splitlines()[0]


def test_of_a_row_named_the_cell_is_told_that_is_asked_for() -> None:
    told = first_line("IRR on Thornbury?", HOLDINGS)
    assert told.startswith("Thornbury Glass Works, Gross IRR: 14.1% [")
