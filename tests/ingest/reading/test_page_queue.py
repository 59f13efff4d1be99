"""Pages given out to those who work on them side by side."""

from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.reading.page_queue import FEWEST, PageQueue


def portions_of(pages: PageQueue) -> list[tuple[int, int]]:
    portions = []
    while portion := pages.take():
        portions.append(portion)
    return portions


def test_portions_get_smaller_towards_the_end() -> None:
    assert portions_of(PageQueue(1, 24, sides=2)) == [(1, 6), (7, 11), (12, 15), (16, 19), (20, 24)]


def test_one_alone_takes_all_at_once() -> None:
    assert portions_of(PageQueue(151, 300, sides=1)) == [(151, 300)]


@given(st.integers(1, 2000), st.integers(1, 300), st.integers(1, 3))
def test_every_page_is_given_once_and_in_order(first: int, count: int, sides: int) -> None:
    portions = portions_of(PageQueue(first, first + count - 1, sides=sides))
    given_out = [page for a, b in portions for page in range(a, b + 1)]
    assert given_out == list(range(first, first + count))
    assert all(b - a + 1 >= FEWEST // 2 for a, b in portions) or count < FEWEST // 2


def test_what_is_dropped_is_not_given() -> None:
    pages = PageQueue(1, 40, sides=2)
    pages.take()
    pages.drop()
    assert (pages.take(), pages.left) == (None, 0)


def test_done_are_the_pages_of_all_portions() -> None:
    pages = PageQueue(1, 40, sides=2)
    assert [pages.tell(1, 2), pages.tell(11, 5), pages.tell(1, 3)] == [2, 7, 8]
