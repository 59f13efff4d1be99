"""A comparison as a client reads it: what it comes to, its tables in brief, its sources as a list.

Everything that was found, whole passages included, is in the workbook (`comparison.tables_of`).
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from docqa.present.citations import PARTIAL, VERDICTS, warnings_of, words_of
from docqa.present.comparison import changes, making, terms, title_of
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
    runs,
)
from docqa.present.sources import (
    Record,
    figures_in,
    page_of,
    passage,
    spoken,
    value_of,
)
from docqa.types.comparison import FigureComparison, short_names
from docqa.types.document import spoken_name
from docqa.types.phrases import quoted, shortened

QUOTED = 220  # characters of a quote in a table
LISTED = 120  # characters of a quote in a list
ALONE = 4  # passages that stand in one document only, for each


def report(record: Record) -> list[Part]:
    """The comparison in order: title, summary, tables, what one document alone has, sources."""
    value = record.comparison
    parts: list[Part] = [Heading(title_of(value), 1), *summary(record)]
    parts += [Note(warning) for warning in warnings_of(value, names=short_names(value.documents))]
    parts += tables(record)
    alone = tuple(_alone(record))
    if alone:
        parts += [Heading("Only in one document", 2), Listing(alone)]
    sources = tuple(_sources(record))
    if sources:
        parts += [Heading("Sources", 2), Listing(sources, first=1)]
    return [*parts, Heading("How it was made", 2), making(record)]


def tables(record: Record) -> list[Part]:
    """Figures, terms and changes in brief, each under its heading, and what is noted of figures."""
    parts: list[Part] = []
    for table in (_figures(record), _in_brief(terms(record)), _in_brief(changes(record))):
        if table.rows:
            parts += [Heading(table.title, 2), table]
    notes = tuple(_figure_notes(record))
    return [*parts, Heading("Notes on the figures", 3), Listing(notes)] if notes else parts


def summary(record: Record) -> list[Part]:
    """A model's words; without one those that the tables do not repeat."""
    value = record.comparison
    names = short_names(value.documents)
    if value.answerer == "extractive" and value.summary:
        return words_of(replace(value, text=value.summary), names=names, signed=True)
    partial = [Note(PARTIAL)] if value.partial else []
    return [*words_of(value, names=names, signed=True), *partial]


def _figures(record: Record) -> Table:
    rows = tuple(_figure_row(row, record) for row in record.comparison.figures)
    difference = "Difference" if len(record.names) == 2 else "Difference of the first two"
    return Table(("Figure", *record.names, difference), rows, "Figures")


def _figure_row(row: FigureComparison, record: Record) -> tuple[Cell, ...]:
    several = " / " in row.period
    label = f"{row.label}, {row.period}" if row.period and not several else row.label
    cells = list(figures_in(row, record))
    if several:
        own = [value_of(row, document.id) for document in record.comparison.documents]
        cells = [
            replace(cell, shown=f"{figure.shown}, {figure.period}") if figure else cell
            for cell, figure in zip(cells, own, strict=True)
        ]
    apart = f"{row.difference} ({row.percent})" if row.percent else row.difference
    return (label, *cells, apart or "–")


def _figure_notes(record: Record) -> Iterator[str]:
    """What has to be known of figures; a note that several have is said once."""
    labels: dict[str, list[str]] = {}
    for row in record.comparison.figures:
        if row.note:
            labels.setdefault(row.note, []).append(row.label)
    for note, named in labels.items():
        yield f"{', '.join(named)}: {spoken(note, record)}"


def _in_brief(table: Table) -> Table:
    """The table with no more of its sources' quotes than there is room for."""
    return replace(table, rows=tuple(tuple(map(_brief, row)) for row in table.rows))


def _brief(cell: Cell) -> Cell:
    if not isinstance(cell, Source) or cell.shown or not cell.quote:
        return cell
    return replace(cell, shown=quoted(shortened(in_line(cell.quote, cell.blocks), QUOTED)))


def _alone(record: Record) -> Iterator[Text]:
    value = record.comparison
    for hit in chain.from_iterable(hits[:ALONE] for hits in value.only_in.values()):
        source = passage(hit, record)
        prose = [each.text for each in hit.chunk.blocks if each.kind != "heading"]
        said = shortened(in_line("\n".join(prose or [hit.chunk.text]), hit.chunk.blocks), LISTED)
        there = runs(cell_text(source.page)) if source.page else ()
        name = spoken_name(hit.document.name)
        yield (Words(f"{name}: {quoted(said)} ("), *there, Words(")"))


def _sources(record: Record) -> Iterator[Text]:
    """Each page cited, with the quote, and whether it stands there."""
    documents = {document.id: document for document in record.comparison.documents}
    for each in record.comparison.citations:
        page = page_of(documents[each.document_id], each.page, record, each.blocks)
        there = runs(cell_text(page)) if page else ()
        quote = shortened(in_line(each.shown, each.blocks), LISTED)
        check = f"{each.verified}: {VERDICTS[each.verified]}"
        yield (Words(f"{each.document}, "), *there, Words(f" ({check}). {quoted(quote)}"))
