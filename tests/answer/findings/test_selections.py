"""Which rows of a table a question asks for, and how they are shown."""

from dataclasses import replace

import pytest

from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.extractive import answer_from
from docqa.answer.findings.grids import Grid, grids
from docqa.answer.findings.judge import judge
from docqa.answer.findings.row_sets import sets_of
from docqa.answer.findings.selections import NAMES, asks_of, best_selection, measured
from docqa.answer.findings.table_lines import likeliest_columns, row_text
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


CREWS = hit(
    block("Crews (£000)", 2, "caption"),
    row("Crew", "Budget", "Spent", "Result", "Due", "Done", header=True),
    row("North", "", "", "", "", ""),
    row("Alder", "120", "131", "(4)", "1 May 2026", "28 April 2026"),
    row("Birch", "95", "90", "6", "1 May 2026", "9 May 2026"),
    row("Hazel", "60", "60", "2", "1 June 2026", "1 June 2026"),
    row("Rowan", "80", "88", "1", "1 July 2026", "20 June 2026"),
    row("South", "", "", "", "", ""),
    row("Elm", "75", "99", "(12)", "1 May 2026", "3 June 2026"),
)


def looked_at(question: str, where: Hit = PROJECTS) -> Grid:
    evidence = evidence_of(where)
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


def test_rows_are_taken_by_how_their_figures_and_dates_stand_to_each_other() -> None:
    grid = looked_at("Which crews have spent more than they were given?", CREWS)
    found = {way: [labels(grid, e.rows) for e in sets_of(grid) if way in e.ways] for way in
             ("apart", "alike", "signed", "apart of a group")}  # fmt: skip
    assert {"Alder", "Rowan", "Elm"} in found["apart"]  # spent more than the budget
    assert {"Birch"} in found["apart"]  # less
    assert {"Birch", "Elm"} in found["apart"]  # due before they are done
    assert {"Hazel"} in found["alike"]
    assert {"Alder", "Elm"} in found["signed"]
    assert {"Elm"} in found["apart of a group"]


@pytest.mark.parametrize(
    ("question", "way", "rows"),
    [
        ("Which crews have a budget over £90k?", "limit", {"Alder", "Birch"}),
        ("crews with 80 or less to spend", "limit", {"Rowan", "Hazel", "Elm"}),
        ("who spent between £85k and £95k", "limit", {"Birch", "Rowan"}),
        ("what is due after May 2026", "time", {"Hazel", "Rowan"}),
        ("done before June 2026", "time", {"Alder", "Birch"}),
        ("which crew has the most", "most", {"Alder"}),
        ("the four biggest budgets", "most", {"Alder", "Birch", "Rowan", "Elm"}),
        ("last to finish", "most", {"Rowan"}),
    ],
)
def test_rows_are_taken_by_a_limit_that_is_given_and_by_the_most(
    question: str, way: str, rows: set[str]
) -> None:
    grid = looked_at(question, CREWS)
    assert rows in [labels(grid, each.rows) for each in sets_of(grid) if way in each.ways]


def test_every_set_has_all_features_and_no_total() -> None:
    grid = looked_at("What does Hale look after?")
    sets = [*measured(grid, asks_of(asked("What does Hale look after?"), networks()))]
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


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("crews with a negative result", {"Alder", "Elm"}),
        ("Who finished after their due date?", {"Birch", "Elm"}),
        ("Which crew has spent least?", {"Hazel"}),
    ],
)
def test_rows_are_likeliest_meant_by_how_their_figures_stand(
    question: str, shown: set[str]
) -> None:
    grid = looked_at(question, CREWS)
    best = best_selection([grid], asks_of(asked(question), networks()))
    assert best
    assert labels(grid, best.rows) == shown


def test_rows_that_a_question_denies_are_not_told() -> None:
    grid = looked_at("Which jobs are not Hale's?")
    best = best_selection([grid], asks_of(asked("Which jobs are not Hale's?"), networks()))
    assert best is None or labels(grid, best.rows) != {"Quarry Mill", "Long Acre"}


@pytest.mark.parametrize(
    ("asked_for", "column"),
    [
        ("Which sites are insured beyond 2027?", "Insured until"),
        ("Which sites does Hale manage?", "Manager"),
        ("Which site has the largest budget?", "Budget"),
    ],
)
def test_of_many_columns_those_that_most_likely_answer_are_shown(
    asked_for: str, column: str
) -> None:
    (table,) = with_tables([PROJECTS])[0].tables
    shown = likeliest_columns(asked_for, table, networks().lines, 2)
    assert column in [table.columns[at].heading for at in shown]
    assert len(likeliest_columns(asked_for, table, networks().lines, 9)) == len(table.columns)
