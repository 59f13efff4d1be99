"""A table of contents says where things stand, not what they are: comparisons leave it out."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from docqa.compare.units import letters_of
from docqa.types.document import Block

ROWS = 3  # of a table whose titles stand where it says, at least; and half of its rows
_PAGE = re.compile(r"(?:[A-Z]{1,2}-)?(?P<page>\d{1,4})")
_LEADERS = re.compile(r"(?:\.\s?){5,}\s*(?:[A-Z]{1,2}-)?\d{1,4}$")
Places = Mapping[str, Sequence[int]]


def without_contents(blocks: Sequence[Block]) -> list[Block]:
    """The blocks but for tables of contents, and lines led by dots to a page's number.

    A table is one of contents where the titles in its rows stand alone further on, all as many
    pages after the number beside them. A table of rising numbers ("Year 1 | 18") is none.
    """
    places = _places(blocks)
    tables: dict[int, list[Block]] = defaultdict(list)
    for block in blocks:
        if block.table:
            tables[block.table].append(block)
    listed = {number for number, rows in tables.items() if _is_contents(rows, places)}
    return [b for b in blocks if b.table not in listed and not _LEADERS.search(b.text)]


def _places(blocks: Iterable[Block]) -> Places:
    """The pages on which each title or line stands outside of tables."""
    found: dict[str, list[int]] = defaultdict(list)
    for block in blocks:
        if not block.table and len(block.text) < 200:
            found[letters_of(block.text)].append(block.page)
    return found


def _is_contents(rows: Sequence[Block], places: Places) -> bool:
    listed = [(row, _PAGE.fullmatch(row.cells[-1].text.strip())) for row in rows if row.cells]
    named = [(row, int(match["page"])) for row, match in listed if match and len(row.cells) > 1]
    offsets: Counter[int] = Counter()
    for row, page in named:
        offsets.update({at - page for title in _titles(row) for at in places.get(title, ())})
    most = max(offsets.values(), default=0)
    return most >= max(ROWS, len(named) / 2)


def _titles(row: Block) -> set[str]:
    """What a row names: all its cells before the number, and the longest of them."""
    cells = [cell.text for cell in row.cells[:-1]]
    return {letters_of(" ".join(cells)), letters_of(max(cells, key=len))} - {""}
