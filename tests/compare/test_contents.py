"""Tables of contents are told from tables of figures."""

from docqa.compare.gather import without_contents
from docqa.ingest.tables.make import tables_of
from docqa.types.document import Block
from tests.compare.pages import block, numbered, table

LISTED = table("Part I | Page", "1. | Premises | 1", "2. | Rent | 3", "3. | Law | 7", page=2)
FURTHER = table("4. | Deposit | 8", "5. | Notices | 9", page=3, number=2)
HEADING = block("1. Premises", page=4, kind="heading")


def kept(blocks: list[Block]) -> list[str]:
    own = numbered(blocks)
    return [each.text for each in without_contents(own, tables_of("a", own))]


def test_the_tables_under_the_title_of_contents_are_left_out() -> None:
    title = block("Table of Contents", page=2, kind="heading")
    assert kept([title, *LISTED, *FURTHER, HEADING]) == ["Table of Contents", "1. Premises"]


def test_rising_numbers_are_no_contents() -> None:
    rents = table("Year | Rent", "Year 1 | 18", "Year 2 | 19", "Year 3 | 20")
    assert len(kept([*rents, HEADING])) == 5


def test_lines_led_by_dots_to_a_page_are_left_out() -> None:
    lines = ("Rent ........ 3", "Law . . . . . . F-12", "Rent is 3.", "and so on ..... it goes")
    assert kept([block(text) for text in lines]) == ["Rent is 3.", "and so on ..... it goes"]
