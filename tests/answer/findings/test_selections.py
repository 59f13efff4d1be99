"""Rows of a list that a question tells by what they have in one column, in words of its own."""

import pytest

from docqa.answer.findings.selections import (
    HEADING,
    LABEL,
    NOTHING,
    OTHERS,
    SOMETHING,
    Way,
    asks_for_rows,
    likeliest,
    selections,
    ways_of,
)
from docqa.types.search import Hit
from docqa.types.table import Table
from tests.answer.findings.judged import networks
from tests.answer.passages import block, hit, row, with_tables

BOARD = hit(
    block("The Board", 2, "caption"),
    row("Director", "Joined", "Independent", "Audit", "Remuneration", page=2, header=True),
    row("Dr Imogen Pell", "Jan 2020", "Yes", "Member", "Member", page=2),
    row("Adaeze Thornbury", "Mar 2018", "No", "–", "–", page=2),
    row("Cressida Falk", "Apr 2017", "Yes", "Member", "Chair", page=2),
    row("Babatunde Soyinka", "Jun 2021", "Yes", "Chair", "–", page=2),
    row("Ruairi Castellan", "Sep 2019", "No", "–", "–", page=2),
)
CONTRACTS = hit(
    block("Material contracts", 3, "caption"),
    row("Counterparty", "Annual value ($)", "Consent needed?", page=3, header=True),
    row("Lakeshore Water", "810,000", "Yes - written", page=3),
    row("Pomfret Energy", "255,000", "No - notice within 10 days", page=3),
    row("Ashcombe Foundry", "1,240,000", "Yes - may be withheld", page=3),
    row("Delphos Controls", "95,000", "No", page=3),
    index=1,
)


def table_of(passage: Hit) -> Table:
    (table,) = with_tables([passage])[0].tables
    return table


def ways(passage: Hit) -> dict[tuple[int, str], Way]:
    """The ways to part the rows, by their column and their first value."""
    return {(way.column, way.values[0][0]): way for way in ways_of(table_of(passage))}


def test_rows_are_parted_by_what_is_there_by_words_and_by_what_they_are_called() -> None:
    parted = ways(BOARD)
    by_value = parted[2, NOTHING]
    names = {value: [each.label for each in rows] for value, rows in by_value.values}
    assert names["Member"] == ["Dr Imogen Pell", "Cressida Falk"]
    assert {len(way.values) for way in ways_of(table_of(BOARD)) if way.column == 2} == {2, 3}
    assert len(parted[LABEL, "Adaeze Thornbury"].values) == 5
    assert not any(column == HEADING for column, _ in parted)  # no row stands under one


def test_figures_and_dates_part_no_rows_by_themselves() -> None:
    assert not any(way.column == 0 for way in ways_of(table_of(BOARD)))  # all have joined
    assert not any(way.column == 0 for way in ways_of(table_of(CONTRACTS)))


def test_values_with_a_word_in_common_are_told_together() -> None:
    words = {
        way.values[-1][0]: len(way.values[-1][1])
        for way in ways_of(table_of(CONTRACTS))
        if way.column == 1 and OTHERS in dict(way.values)
    }
    assert words == {"yes": 2, "no": 2}


def test_a_value_is_read_under_its_head() -> None:
    way = ways(BOARD)[2, NOTHING]
    assert [way.read(each) for each in ("Chair", NOTHING, SOMETHING)] == [
        "Audit: Chair", "Audit: none", "Audit",
    ]  # fmt: skip


def test_each_question_has_selections_of_some_rows_and_not_all() -> None:
    for question in ("who isn't independent", "who is independent"):
        found, features = selections(question, [table_of(BOARD)], networks(), asks=1.0)
        assert len(found) == len(features)
        assert all(0 < len(each.rows) < 5 for each in found)


def test_without_a_list_there_are_none() -> None:
    found, features = selections("who sits on the board", [], networks(), asks=1.0)
    assert (found, features.shape[0]) == ([], 0)


def meant(question: str, passage: Hit) -> list[str]:
    """The labels of the rows that a question most likely means."""
    asks = asks_for_rows(question, networks().vector(question))
    found = likeliest(question, [table_of(passage)], networks(), asks=asks)
    return [each.label for each in found.rows] if found else []


@pytest.mark.parametrize(
    ("question", "passage", "labels"),
    [
        ("which directors aren't independent", BOARD, ["Adaeze Thornbury", "Ruairi Castellan"]),
        ("which contracts don't need consent", CONTRACTS, ["Pomfret Energy", "Delphos Controls"]),
    ],
)
def test_the_rows_are_those_whose_values_the_question_means(
    question: str, passage: Hit, labels: list[str]
) -> None:
    assert meant(question, passage) == labels


@pytest.mark.parametrize("question", ["which directors are independent", "who needs consent"])
def test_no_rows_that_say_no_are_meant_where_the_question_denies_nothing(question: str) -> None:
    asks = 1.0
    for passage, no in ((BOARD, "Adaeze Thornbury"), (CONTRACTS, "Delphos Controls")):
        found, _ = selections(question, [table_of(passage)], networks(), asks=asks)
        for each in found:
            if each.way.head in ("Independent", "Consent needed?"):
                assert {row.label for row in each.rows} != {no}
                assert not all(map(each.way.says_no, each.chosen))


@pytest.mark.parametrize(
    "question",
    ["What is the annual value of the Pomfret contract?", "When did Cressida Falk join?"],
)
def test_a_question_for_one_fact_asks_for_no_rows(question: str) -> None:
    assert asks_for_rows(question, networks().vector(question)) < 0
