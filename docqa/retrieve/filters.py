"""Passages that may be searched at all: by page, section and kind."""

from collections.abc import Sequence

from docqa.library.catalog import Catalog
from docqa.types.document import Chunk
from docqa.types.question import Filters

DEEP = 2000  # chunks looked through where a filter lets few of them pass


def admits(filters: Filters, chunk: Chunk) -> bool:
    """Whether a chunk passes: it touches the pages, stands in the section, is a table."""
    if filters.tables_only and chunk.kind != "table":
        return False
    if filters.section.lower() not in chunk.section.lower():
        return False
    first, last = filters.pages or (chunk.page_start, chunk.page_end)
    return chunk.page_start <= last and chunk.page_end >= first


def depth(filters: Filters, *, limit: int) -> int:
    """How many chunks a list must hold so that ``limit`` of them can be expected to pass."""
    return limit if filters == Filters() else max(limit, DEEP)


def passing(
    ranked: Sequence[tuple[str, float]], filters: Filters, *, catalog: Catalog, limit: int
) -> list[tuple[str, float]]:
    """The first ``limit`` entries whose chunks pass, in their order."""
    if filters == Filters():
        return list(ranked[:limit])
    chunks = catalog.chunks([chunk_id for chunk_id, _ in ranked])
    admitted = {chunk.id for chunk in chunks if admits(filters, chunk)}
    return [entry for entry in ranked if entry[0] in admitted][:limit]


def told(filters: Filters) -> str:
    """The filters in words.

    >>> told(Filters(pages=(3, 5), section="Rent", tables_only=True))
    'a table on pages 3 to 5 in a section named “Rent”'
    """
    pages = f"on pages {filters.pages[0]} to {filters.pages[1]}" if filters.pages else ""
    section = f"in a section named “{filters.section}”" if filters.section else ""
    return " ".join(part for part in ("a table" * filters.tables_only, pages, section) if part)
