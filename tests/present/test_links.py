"""Links lead back to the place they were made for, whatever a document is called or says."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.present.links import ADDRESS, MOST_BOXES, Target, deep_link, target
from docqa.types.document import Block, Box

NOWHERE = Box(0.0, 0.0, 0.0, 0.0)
RENT = Block("The rent is $25,000 & more.", 3, Box(72.4, 90.0, 540.0, 102.6), index=4)
LAW = Block("New York law governs.", 4, Box(72.0, 90.0, 540.0, 102.0), index=5)


def led_to(address: str) -> Target | None:
    return target(dict(parse_qsl(urlsplit(address).query)))


def test_a_link_names_the_document_the_page_and_the_boxes_on_it() -> None:
    made = deep_link(ADDRESS, "a" * 64, 3, (RENT, LAW))
    assert made == f"http://127.0.0.1:8501/?document={'a' * 64}&page=3&boxes=72,90,540,103"
    assert led_to(made) == Target("a" * 64, 3, "", ((72, 90, 540, 103),))


@given(st.text(min_size=1), st.integers(1, 10_000))
def test_what_has_no_box_is_named_by_its_words(text: str, page: int) -> None:
    found = led_to(deep_link(ADDRESS, "b" * 64, page, (Block(text, page, NOWHERE),)))
    assert found is not None
    assert (found.page, found.boxes) == (page, ())
    assert text.startswith(found.quote)


def test_a_link_is_no_longer_than_excel_opens() -> None:
    blocks = [Block("x", 1, Box(1100.0, 1200.0, 1300.0, 1400.0))] * 200
    made = deep_link(ADDRESS, "c" * 64, 1, blocks)
    found = led_to(made)
    assert found is not None
    assert len(found.boxes) == MOST_BOXES
    assert len(made) < 2079


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ({}, None),
        ({"document": "  "}, None),
        ({"document": "Lease A", "page": "two"}, Target("Lease A")),
        ({"document": "x", "page": "-1", "boxes": "1,2,3"}, Target("x")),
        ({"document": "x", "boxes": "1,2,3,four"}, Target("x")),
        (
            {"document": "x", "boxes": "1,2,3,4;;5,6,7,8"},
            Target("x", boxes=((1, 2, 3, 4), (5, 6, 7, 8))),
        ),
    ],
)
def test_what_cannot_be_read_counts_as_none(
    parameters: dict[str, str], found: Target | None
) -> None:
    assert target(parameters) == found
