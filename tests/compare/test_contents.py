"""Tables of contents are told from tables of figures."""

from docqa.compare.contents import without_contents
from docqa.types.document import Block
from tests.compare.pages import block, numbered, table

LISTED = table("Part I | Page", "1. | Premises | 1", "2. | Rent | 3", "3. | Law | 7", page=2)
HEADINGS = [
    block("1. Premises", page=3, kind="heading"),
    block("2. Rent", page=5, kind="heading"),
    block("3. Law", page=9, kind="heading"),
]


def kept(blocks: list[Block]) -> list[str]:
    return [each.text for each in without_contents(numbered(blocks))]


def test_a_table_whose_titles_stand_where_it_says_is_left_out() -> None:
    assert kept([*LISTED, *HEADINGS]) == ["1. Premises", "2. Rent", "3. Law"]


def test_rising_numbers_are_no_contents() -> None:
    rents = table("Year | Rent", "Year 1 | 18", "Year 2 | 19", "Year 3 | 20")
    assert len(kept([*rents, *HEADINGS])) == 7
    # not even where titles stand alone, but on pages that the numbers do not tell
    places = [block(f"Year {n}", page=p, kind="heading") for n, p in ((1, 3), (2, 9), (3, 4))]
    assert len(kept([*rents, *places])) == 7


def test_lines_led_by_dots_to_a_page_are_left_out() -> None:
    lines = ("Rent ........ 3", "Law . . . . . . F-12", "Rent is 3.", "and so on ..... it goes")
    assert kept([block(text) for text in lines]) == ["Rent is 3.", "and so on ..... it goes"]
