"""Which rows of a table a question asks for, and how they are shown."""

from dataclasses import replace

import numpy as np
import pytest

from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.extractive import answer_from
from docqa.answer.findings.grids import Grid, grids
from docqa.answer.findings.judge import judge
from docqa.answer.findings.operations import OPERATIONS
from docqa.answer.findings.selections import NAMES, measured, sets_of
from docqa.answer.findings.table_lines import row_text
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer
from docqa.types.search import Hit
from tests.answer.findings.judged import means, networks
from tests.answer.passages import asked, block, evidence_of, found, hit, row, with_tables

PROJECTS = hit(
    block("Works in progress (£000)", 2, "caption"),
    row("Site", "Manager", "Stage", "Budget", "Insured until", header=True),
    row("Quarry Mill", "Hale", "On site", "1,250", "30 June 2027"),
    row("Sand Pier", "Osei", "Snagging", "310", ""),
    row("Long Acre", "Hale", "Tender", "2,480", "31 March 2028"),
    row("Old Granary", "Brandt", "On site", "640", ""),
    row("Total", "", "", "4,680", ""),
)


def looked_at(question: str) -> Grid:
    evidence = evidence_of(PROJECTS)
    judged = judge(asked(question), candidates(evidence), networks())
    own = evidence[0].hit
    (grid,) = grids(asked(question), judged, own.document, own.tables, networks())
    return grid


def ask(question: str, *hits: Hit) -> Answer:
    result = found(question, hits)
    tables = {each.document.id: each.tables for each in with_tables(hits)}
    known = replace(means(), tables=lambda key: tables[key])
    return answer_from(result, settings=DEFAULTS, means=known)


def labels(grid: Grid, rows: tuple[int, ...]) -> set[str]:
    return {grid.table.rows[at].label for at in rows}


def test_rows_are_taken_by_kind_by_what_is_lacking_and_by_likelihood() -> None:
    grid = looked_at("Which schemes is nobody covering?")
    found = {way: [labels(grid, e.rows) for e in sets_of(grid) if way in e.ways] for way in
             ("kind", "other kinds", "blank", "filled", "likeliest", "every")}  # fmt: skip
    assert {"Quarry Mill", "Long Acre"} in found["kind"]  # Hale's
    assert {"Sand Pier", "Old Granary"} in found["other kinds"]
    assert {"Sand Pier", "Old Granary"} in found["blank"]
    assert {"Quarry Mill", "Long Acre"} in found["filled"]
    assert [len(each) for each in sorted(found["likeliest"], key=len)] == [1, 2, 3, 4]
    assert found["every"] == [{"Quarry Mill", "Sand Pier", "Long Acre", "Old Granary"}]


def test_every_set_has_all_features_and_no_total() -> None:
    grid = looked_at("What does Hale look after?")
    odds = np.zeros(len(OPERATIONS), np.float32)
    sets = [*measured(grid, odds, 1.0)]
    assert all(len(features) == len(NAMES) for _, features in sets)
    assert all("Total" not in labels(grid, each.rows) for each, _ in sets)


def test_a_row_is_read_with_each_cell_after_its_heading() -> None:
    read = row_text("Works " * 12, (), "Quarry Mill", ("Manager in charge of it all",), ("Hale",))
    assert read == f"{'Works ' * 10}".strip() + ". Quarry Mill: in charge of it all Hale"


@pytest.mark.parametrize(
    ("question", "shown", "others"),
    [
        ("which jobs are Hale's", ("Quarry Mill", "Long Acre"), ("Sand Pier", "Old Granary")),
        ("what is out to tender", ("Long Acre",), ("Sand Pier", "Quarry Mill")),
    ],
)
def test_rows_asked_for_are_listed(
    question: str, shown: tuple[str, ...], others: tuple[str, ...]
) -> None:
    answer = ask(question, PROJECTS)
    assert answer.found
    assert not answer.likely
    assert all(name in answer.text for name in shown)
    assert not any(name in answer.text for name in others)
