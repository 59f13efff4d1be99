"""A review as a client reads it: few documents side by side, many below each other.

All that is known of each cell is in the workbook (`review.tables`).
"""

from collections.abc import Iterator
from datetime import date

from docqa.present.citations import writers
from docqa.present.document import (
    Cell,
    Heading,
    Listing,
    Note,
    Part,
    Source,
    Table,
    Text,
    Words,
    cell_text,
    in_line,
    moment,
    runs,
)
from docqa.present.review import (
    FIGURES,
    SOURCES,
    TABLE,
    UNCERTAIN,
    ReviewRecord,
    figures,
    headed,
    page_of,
    settled_by,
    shown_columns,
    sources_of,
    summary,
    why_empty,
)
from docqa.types.document import Document, spoken_name
from docqa.types.phrases import quoted, shortened
from docqa.types.review import Cell as Answered
from docqa.types.review import Column, Found

BESIDE = 4  # documents, each with a column of its own; where there are more, each has a row
ACROSS = 5  # questions, where each has a column
LISTED = 160  # characters of a quote in the list of sources


def report(record: ReviewRecord) -> list[Part]:
    """The review in order: title, how far it is, its table, sums, sources, how it was made."""
    parts = contents(record)
    sources = tuple(_sources(record))
    if sources:
        parts += [Heading(SOURCES, 2), Listing(sources, first=1)]
    return [*parts, Heading("How it was made", 2), Table(("What", "Value"), tuple(_made(record)))]


def contents(record: ReviewRecord) -> list[Part]:
    """The review without what it rests on."""
    parts: list[Part] = [Heading(record.table.review.name, 1), Note(summary(record.table))]
    grids = [each for each in _grids(record) if each.rows]
    if grids:
        parts += [Heading(TABLE, 2), *grids]
    sums = figures(record)
    return [*parts, Heading(FIGURES, 2), sums] if sums.rows else parts


def _grids(record: ReviewRecord) -> Iterator[Table]:
    """A row for each question where few documents are reviewed, else one for each document."""
    table = record.table
    columns = shown_columns(table)
    names = [spoken_name(each.name) for each in table.documents]
    if len(names) <= BESIDE:
        rows = (
            (headed(column, table), *(_cell(record, each, column) for each in table.documents))
            for column in columns
        )
        yield Table(("Question", *names), tuple(rows))
        return
    for n in range(0, len(columns), ACROSS):
        some = columns[n : n + ACROSS]
        header = ("Document", *(headed(each, table) for each in some))
        rows = (
            (name, *(_cell(record, document, each) for each in some))
            for name, document in zip(names, table.documents, strict=True)
        )
        yield Table(header, tuple(rows))


def _cell(record: ReviewRecord, document: Document, column: Column) -> Cell:
    """The value with the page that it is from, and whether that says so."""
    cell = record.table.cell(document.id, column.id)
    if cell.found is None:
        return why_empty(cell)
    shown = _value(cell.found) + (f" ({UNCERTAIN})" if cell.state == "likely" else "")
    cited = next(iter(cell.found.citations), None)
    if cited is None:
        return shown
    check = "" if cell.state == "likely" else cited.verified  # no tick on what may be wrong
    return Source(page=page_of(record, document, cited), check=check, shown=shown)


def _value(found: Found) -> str:
    if not found.day:
        return found.value
    day = date.fromisoformat(found.day)
    return f"{day.day} {day:%B %Y}"


def _sources(record: ReviewRecord) -> Iterator[Text]:
    """Each place that a cell rests on, with the quote and who settled the cell."""
    for document in record.table.documents:
        for column in shown_columns(record.table):
            cell = record.table.cell(document.id, column.id)
            for cited in sources_of(cell) if cell.found else ():
                page = page_of(record, document, cited)
                there = runs(cell_text(page))
                quote = quoted(shortened(in_line(cited.shown, cited.blocks), LISTED))
                after = Words(f" ({cited.verified}; {_settled(cell)}). {quote}")
                yield (Words(f"{column.title}: {document.name}, "), *there, after)


def _settled(cell: Answered) -> str:
    """Who settled a cell, and what docqa had found where that is not what stands in it."""
    made = cell.proposal.found[0].value if cell.proposal and cell.proposal.found else ""
    changed = cell.is_settled and cell.found and made != cell.found.value
    return settled_by(cell) + (f"; docqa found {made or 'nothing'}" if changed else "")


def _made(record: ReviewRecord) -> Iterator[tuple[str, str]]:
    yield ("Date", moment(record.made))
    for each in record.table.documents:
        yield ("Document", f"{each.name}, {each.extent}, SHA-256 {each.id}")
    proposals = [cell.proposal for cell in record.table.cells.values() if cell.proposal]
    yield ("Written by", writers(each.answerer for each in proposals))
