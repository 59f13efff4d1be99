from dataclasses import replace

import pytest

from docqa.retrieve.boost import boosted, prefer_consolidated, prefer_period
from docqa.types.document import Block, Chunk, ChunkKind, Document
from docqa.types.question import Preference
from docqa.types.search import Hit
from tests.retrieve.passages import HERE


@pytest.mark.parametrize(
    ("score", "kind", "prefers", "expected"),
    [
        (0.5, "table", "table", 0.6),
        (0.5, "text", "table", 0.5),
        (0.5, "text", "narrative", 0.55),
        (0.5, "table", "narrative", 0.5),
        (0.5, "table", "none", 0.5),
        (0.9, "table", "table", 1.0),
    ],
)
def test_the_preferred_kind_is_raised(
    score: float, kind: ChunkKind, prefers: Preference, expected: float
) -> None:
    raised = boosted(score, kind=kind, prefers=prefers, table=1.2, prose=1.1)
    assert raised == pytest.approx(expected)


def table(heads: str, *, document: str = "a") -> Hit:
    blocks = (Block(heads, 1, HERE, "table", column_header=True, table=1),)
    chunk = Chunk(f"{document}:{heads}", document, 0, blocks, kind="table")
    return Hit(chunk, Document(document, f"{document}.pdf", 9))


QUARTER, YEAR = (
    table("Three Months Ended June 30, 2023"),
    table("Twelve Months Ended June 30, 2023"),
)


def test_tables_of_a_quarter_stand_behind_when_a_year_is_asked_for() -> None:
    sheet = table("June 30, 2023")
    assert prefer_period([QUARTER, sheet, YEAR], months=12) == [sheet, YEAR, QUARTER]
    assert prefer_period([QUARTER, YEAR], months=0) == [QUARTER, YEAR]


def test_tables_of_a_longer_time_stay_where_they_are() -> None:
    assert prefer_period([YEAR, QUARTER], months=3) == [YEAR, QUARTER]


def test_tables_of_a_quarter_stay_where_their_document_has_no_others() -> None:
    other = table("Three Months Ended July 1, 2023", document="b")
    assert prefer_period([other, QUARTER, YEAR], months=12) == [other, YEAR, QUARTER]


def test_tables_of_the_parent_alone_stand_behind_those_of_the_group() -> None:
    group, parent = table("December 31, 2022"), table("As of December 31, 2022")
    chunk = replace(parent.chunk, headings=("Note 25", "PARENT COMPANY"))
    parent = replace(parent, chunk=chunk)
    question = "What was the largest liability on the balance sheet?"
    assert prefer_consolidated([parent, group], question=question) == [group, parent]
    assert prefer_consolidated([parent], question=question) == [parent]
    asked = "What does the parent company owe?"
    assert prefer_consolidated([parent, group], question=asked) == [parent, group]
