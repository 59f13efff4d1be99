"""Which sum of a table's figures a question asks for, told by trees, and how it is shown."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.extractive import answer_from
from docqa.answer.findings.fits import NAMES, measured, months_before
from docqa.answer.findings.grids import Grid, grids
from docqa.answer.findings.judge import judge
from docqa.answer.findings.programs import Cells, Program, cells_of, program_of
from docqa.answer.findings.tell import told
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer
from docqa.types.search import Hit
from tests.answer.findings.judged import means
from tests.answer.passages import asked, block, evidence_of, found, hit, row, with_tables

LOTS = hit(
    block("Lots and estimated annual value (£)", 2, "caption"),
    row("Lot", "District", "Core service", "Provisional sums", "Annual value", header=True),
    row("Parks", "North", "412,000", "38,000", "450,000"),
    row("Cemeteries", "South", "203,000", "18,000", "221,000"),
    row("Verges", "North", "305,000", "24,000", "329,000"),
    row("Total", "", "920,000", "80,000", "1,000,000"),
)
STOCK = hit(
    block("Stock at each store (in thousands)", 3, "caption"),
    row("", "30 June 2025", "31 March 2025", "30 June 2024", header=True),
    row("Leeds", "1,240", "1,180", "1,010"),
    row("Hull", "860", "905", "790"),
    row("Total", "2,100", "2,085", "1,800"),
)


def ask(question: str, *hits: Hit) -> Answer:
    result = found(question, hits)
    tables = {each.document.id: each.tables for each in with_tables(hits)}
    known = replace(means(), tables=lambda key: tables[key])
    return answer_from(result, settings=DEFAULTS, means=known)


def looked_at(question: str, passage: Hit) -> Grid:
    evidence = evidence_of(passage)
    networks = means().networks
    judged = judge(asked(question), candidates(evidence), networks)
    own = evidence[0].hit
    (grid,) = grids(asked(question), judged, own.document, own.tables, networks)
    return grid


def test_cells_are_taken_in_rows_and_columns_and_as_parts_of_their_total() -> None:
    grid = looked_at("What do the northern lots come to?", LOTS)
    programs = [
        program_of(grid, "share" if cells.way == "part" else "sum", cells)
        for cells in cells_of(grid)
        if cells.way in ("column set", "part")
    ]
    north = [each for each in programs if {v.row.label for v in each.values} == {"Parks", "Verges"}]
    assert Decimal(779_000) in {each.result for each in north}  # of the district, by its cell
    whole = {tuple(value.row.label for value in each.whole) for each in programs if each.whole}
    assert whole == {("Total",)}


def test_a_total_is_no_part_of_what_is_added() -> None:
    grid = looked_at("What is the stock of all stores?", STOCK)
    sets = [cells for cells in cells_of(grid) if cells.way == "column set"]
    assert sets
    assert all(not grid.rows[at].is_total for cells in sets for at, _ in cells.at)


@pytest.mark.parametrize(
    ("operation", "result"),
    [
        ("difference", Decimal(60)),
        ("sum", Decimal(2420)),
        ("average", Decimal(1210)),
    ],
)
def test_what_a_program_comes_to(operation: str, result: Decimal) -> None:
    grid = looked_at("How much stock is in Leeds?", STOCK)
    cells = Cells("row pair", ((0, 0), (0, 1)))
    assert program_of(grid, operation, cells).result == result  # type: ignore[arg-type]


def test_by_nothing_nothing_is_divided() -> None:
    grid = looked_at("How much stock is in Leeds?", STOCK)
    value = replace(grid.numbers[0][0], number=Decimal(0), text="0")
    for operation in ("change", "share"):
        program = Program(operation, (grid.numbers[0][1], value))
        assert program.result is None
        assert told(program, asked("by how much?")) == ""


@pytest.mark.parametrize(
    ("cells", "operation", "shown"),
    [
        (
            Cells("row pair", ((0, 0), (0, 2))),
            "change",
            "Change, Leeds, 30 June 2024 to 30 June 2025: (1,240 − 1,010) ÷ 1,010 = 22.77%",
        ),
        (
            Cells("column pair", ((0, 0), (1, 0))),
            "difference",
            "Difference, Leeds and Hull, 30 June 2025: 1,240 − 860 = 380 (in thousands)",
        ),
        (
            Cells("part", ((1, 1),), ((2, 1),)),
            "share",
            "Share, Hull, 31 March 2025: 905 ÷ 2,085 = 43.41%",
        ),
    ],
)
def test_a_sum_says_what_it_is_of(cells: Cells, operation: str, shown: str) -> None:
    grid = looked_at("How much stock is in Leeds?", STOCK)
    program = program_of(grid, operation, cells)  # type: ignore[arg-type]
    assert told(program, asked("How far apart are they?")) == shown


def test_a_ratio_is_told_as_one() -> None:
    grid = looked_at("How much stock is in Leeds?", STOCK)
    program = program_of(grid, "share", Cells("column pair", ((0, 0), (1, 0))))
    assert told(program, asked("What is the ratio of Leeds to Hull?")).endswith(" = 1.4419")


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("share of the annual value that is cemeteries, %", "221,000 ÷ 1,000,000 = 22.10%"),
        ("By what percentage is Leeds stock up on the quarter before?", "= 5.08%"),
        ("How much less stock does Hull have than three months before?", "860 − 905 = −45"),
    ],
)
def test_a_sum_in_other_words_is_worked_out(question: str, shown: str) -> None:
    passage = LOTS if "cemeteries" in question else STOCK
    given = ask(question, passage)
    assert shown in given.text.splitlines()[0]
    assert given.citations


def test_where_no_sum_is_asked_for_none_is_told() -> None:
    assert " = " not in ask("What is the annual value of the verges?", LOTS).text


@pytest.mark.parametrize(
    ("text", "months"),
    [("on the year before", 12), ("two quarters ago", 6), ("year on year", 12), ("in 2024", 0)],
)
def test_how_far_before_is_told_from_the_words(text: str, months: int) -> None:
    assert months_before(text) == months


def test_features_are_as_many_as_their_names() -> None:
    grid = looked_at("How much did stock in Hull rise?", STOCK)
    odds = np.zeros(9, np.float32)
    rows = [own for _, own in measured(grid, odds)]
    assert rows
    assert {len(own) for own in rows} == {len(NAMES)}


def test_a_row_that_adds_up_the_others_is_none_of_them_whatever_it_is_called() -> None:
    staff = hit(
        block("Staff in scope", 2, "caption"),
        row("Lot", "Staff", "Value (£000)", header=True),
        row("Parks", "42", "410"),
        row("Streets", "37", "905"),
        row("Cemeteries", "6", "203"),
        row("All lots", "85", "1,518"),
    )
    grid = looked_at("How many staff are in scope altogether?", staff)
    sets = [cells for cells in cells_of(grid) if cells.way == "column set"]
    assert {(0, 0), (1, 0), (2, 0), (3, 0)} not in [{*cells.at} for cells in sets]


def test_rows_beside_one_another_are_no_answer_where_their_difference_is_asked_for() -> None:
    given = ask("What did insurance cost in June 2025 compared with March 2025?", STOCK)
    assert given.likely or not given.found
