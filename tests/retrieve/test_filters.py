from dataclasses import replace

import pytest

from docqa.retrieve.filters import admits, depth
from docqa.types.document import Block, Chunk
from docqa.types.question import Filters
from tests.retrieve.passages import HERE, chunk

ON_3_AND_4 = Chunk(
    "a:0",
    "a",
    0,
    (Block("One.", 3, HERE), Block("Two.", 4, HERE)),
    headings=("7. Termination", "7.2 Notice"),
)


@pytest.mark.parametrize(
    ("pages", "admitted"), [((1, 2), False), ((1, 3), True), ((4, 9), True), ((5, 9), False)]
)
def test_a_passage_passes_if_it_touches_the_pages(pages: tuple[int, int], admitted: bool) -> None:
    assert admits(Filters(pages=pages), ON_3_AND_4) is admitted


def test_a_section_is_found_by_words_of_its_heading_path() -> None:
    assert admits(Filters(section="termination"), ON_3_AND_4)
    assert admits(Filters(section="7.2"), ON_3_AND_4)
    assert not admits(Filters(section="rent"), ON_3_AND_4)


def test_tables_only() -> None:
    assert not admits(Filters(tables_only=True), ON_3_AND_4)
    assert admits(Filters(tables_only=True), replace(ON_3_AND_4, kind="table"))


def test_without_filters_everything_passes_and_lists_stay_short() -> None:
    assert admits(Filters(), chunk("Anything."))
    assert depth(Filters(), limit=20) == 20
    assert depth(Filters(tables_only=True), limit=20) > 20
