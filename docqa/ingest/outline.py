"""A document's contents by rules: its headings as a tree, its tables and statements among them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.ingest.geometry.sections import DEEPEST, is_title
from docqa.types.document import Block
from docqa.types.outline import Entry
from docqa.types.table import Table

_RUNNING = 4  # pages that a line heads before it is taken for their running head
_NOT_LISTED = ("contents",)


def outline(blocks: Sequence[Block], tables: Sequence[Table] = ()) -> tuple[Entry, ...]:
    """The headings and the named tables of a document, in order, each with its level.

    ``blocks`` are the document's, or its headings alone.
    A heading's level is how many headings it stands under, and one; a table stands under the
    heading before it. Headings that pages repeat at their top are left out.

    >>> from docqa.types.document import Box
    >>> texts = [("Part I", 1), ("Item 1. Business", 2), ("Part II", 1)]
    >>> made = [Block(text, 1, Box(0, 0, 1, 1), "heading", n, level)
    ...         for n, (text, level) in enumerate(texts)]
    >>> [(entry.title, entry.level) for entry in outline(made)]
    [('Part I', 1), ('Item 1. Business', 2), ('Part II', 1)]
    """
    headings = _without_running(list(_headings(blocks)))
    named = (_of_table(each) for each in tables if each.role not in _NOT_LISTED)
    listed = (*headings, *(each for each in named if each.title))
    return tuple(_nested(sorted(listed, key=lambda entry: (entry.block, bool(entry.table)))))


def _headings(blocks: Sequence[Block]) -> Iterator[Entry]:
    """The headings with the level that their print has; one set in several blocks is one."""
    entry: Entry | None = None
    last = 0
    for block in (each for each in blocks if each.kind == "heading"):
        if entry and block.continues and block.index == last + 1:
            entry = replace(entry, title=f"{entry.title} {block.text}")
        else:
            if entry:
                yield entry
            title = " ".join(block.text.split())
            level = block.level or DEEPEST
            entry = Entry(title, block.page, level, block.index) if is_title(title) else None
        last = block.index
    if entry:
        yield entry


def _without_running(headings: Sequence[Entry]) -> list[Entry]:
    """The headings without those that stand on one page after the other."""
    pages: dict[str, set[int]] = defaultdict(set)
    for each in headings:
        pages[each.title.lower()].add(each.page)
    running = {
        title
        for title, found in pages.items()
        if len(found) >= _RUNNING and sum(page + 1 in found for page in found) * 2 > len(found)
    }
    return [each for each in headings if each.title.lower() not in running]


def _of_table(table: Table) -> Entry:
    first = min((*table.lead, *table.blocks))
    title = table.caption or table.role.capitalize() or table.title
    return Entry(title, table.pages[0], 0, first, table.number, table.role)


def _nested(entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries with how deep they stand in place of the level of their print.

    A table that only has the name of the heading over it is not listed beside it.
    """
    over: list[int] = []
    heading = ""
    for entry in entries:
        if not entry.table:
            over = [*(level for level in over if level < entry.level), entry.level]
            heading = entry.title
            yield replace(entry, level=len(over))
        elif entry.title != heading:
            yield replace(entry, level=len(over) + 1)
