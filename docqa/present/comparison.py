"""A comparison as a presentation: its words, and tables of what they rest on.

Every row names its document, physical and printed page, so that it can be checked on paper. Of a
file without pages these are the number and the name of the slide, sheet or section.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from itertools import chain

from docqa.present.citations import PARTIAL, warnings_of, words_of, writers
from docqa.present.document import (
    POINTS,
    Cell,
    Heading,
    Number,
    Part,
    Percent,
    Source,
    Table,
    Text,
    moment,
    with_rows,
)
from docqa.present.sources import (
    Record,
    figures_in,
    label_of,
    page_of,
    passage,
    settings_of,
    spoken,
    term_sides,
    versions,
    weight,
)
from docqa.types.comparison import Comparison, FigureComparison, short_names
from docqa.types.document import spoken_name
from docqa.types.phrases import series
from docqa.types.search import Hit


def comparison(record: Record) -> list[Part]:
    """The whole comparison in order: its title, its words, then every table."""
    value = record.comparison
    words = words_of(value, names=short_names(value.documents), signed=True)
    parts: list[Part] = [Heading(title_of(value), 1), *words]
    for table in tables_of(record):
        parts += [Heading(table.title, 2), table]
    return parts


def title_of(value: Comparison) -> str:
    """What was compared, and which documents by which short names."""
    short, subject = short_names(value.documents), value.question
    names = series([f"{spoken_name(each.name)} ({short[each.id]})" for each in value.documents])
    return f"{subject[:1].upper()}{subject[1:]}: {names}" if subject else names


def tables_of(record: Record) -> list[Table]:
    """The tables that have any rows, the sources and how it was made last."""
    minor = changes(record, minor=True)
    tables = (*findings(record), minor, _citations(record), making(record))
    return [table for table in tables if table.rows]


def findings(record: Record) -> list[Table]:
    """What was found: figures, terms, changes of weight, pairs, and what only one document has."""
    tables = (_figures(record), terms(record), changes(record), _pairs(record), _alone(record))
    return [table for table in tables if table.rows]


def _table(title: str, header: Iterable[Text], rows: Iterable[tuple[Cell, ...]]) -> Table:
    return Table(tuple(header), tuple(rows), title)


def _figures(record: Record) -> Table:
    header = ("Figure", "Period", "Unit", *record.names, "Difference", "Percent", "Note")
    rows = (
        (row.label, row.period, row.unit, *figures_in(row, record), *_result(row, record))
        for row in record.comparison.figures
    )
    return _table("Figures", header, rows)


def _result(row: FigureComparison, record: Record) -> tuple[Cell, ...]:
    """Difference, percent, note. The difference of two dates is in days and stays in words."""
    apart: Cell = row.difference
    if row.apart is not None and row.unit != "date":
        apart = Number(row.apart, POINTS if row.unit == "%" else row.unit, row.difference)
    return apart, _percent(row.percent), spoken(row.note, record)


def _percent(text: str) -> Cell:
    try:
        return Percent(Decimal(text.rstrip("%").replace("−", "-").replace(",", "")) / 100, text)
    except InvalidOperation:
        return text


def terms(record: Record) -> Table:
    """What each document says on each topic, and what came of comparing it."""
    rows: Iterator[tuple[Cell, ...]] = (
        (row.topic, *term_sides(row, record), spoken(row.note, record))
        for row in record.comparison.terms
    )
    return _table("Terms", ("Term", *record.names, "Result"), rows)


def changes(record: Record, *, minor: bool = False) -> Table:
    """Both wordings of each part that changed: those of weight, or the ``minor`` ones."""
    rows: Iterator[tuple[Cell, ...]] = (
        (label_of(each), *versions(each, record), weight(each))
        for each in record.comparison.changes
        if each.kind != "unchanged" and each.minor == minor
    )
    title = "Minor changes" if minor else "Changes"
    return _table(title, ("Change", *record.names[:2], "Note"), rows)


def _match(similarity: float) -> Percent:
    return Percent(Decimal(f"{similarity:.3f}"), f"{similarity:.0%}")


def _pairs(record: Record) -> Table:
    documents = record.comparison.documents
    rows: list[tuple[Cell, ...]] = []
    for pair in record.comparison.pairs:
        own = {hit.document.id: passage(hit, record) for hit in pair.passages}
        rows.append((_match(pair.similarity), *(own.get(each.id, Source()) for each in documents)))
    return _table("Side by side", ("Match", *record.names), rows)


def _alone(record: Record) -> Table:
    value = record.comparison
    rows: list[tuple[Cell, ...]] = []
    for hit in chain.from_iterable(value.only_in.values()):
        near = value.nearest.get(hit.chunk.id)
        other = _named(near.passage, record) if near else Source()
        match = _match(near.similarity) if near else ""
        rows.append((spoken_name(hit.document.name), passage(hit, record), other, match))
    header = ("Document", "Passage", "Nearest elsewhere", "Match")
    return _table("Only in one document", header, rows)


def _named(hit: Hit, record: Record) -> Source:
    return replace(passage(hit, record), document=spoken_name(hit.document.name))


def _citations(record: Record) -> Table:
    documents = {document.id: document for document in record.comparison.documents}
    rows = (
        (
            each.label.replace(":", " "),
            each.document,
            page_of(documents[each.document_id], each.page, record, each.blocks) or "",
            each.verified,
            with_rows(each.shown, each.blocks),
        )
        for each in record.comparison.citations
    )
    return _table("Citations", ("Citation", "Document", "Page", "Check", "Quote"), rows)


def making(record: Record) -> Table:
    """When, of which documents, by whom and with which settings."""
    return _table("How it was made", ("What", "Value"), _made(record))


def _made(record: Record) -> Iterator[tuple[str, str]]:
    value = record.comparison
    names = short_names(value.documents)
    yield ("Compared on", value.question)
    if value.period:
        yield ("Period", value.period)
    if value.whole:
        yield ("Left out", ", ".join(x for x in value.whole.lines if x not in value.lines))
    yield ("Date", moment(record.made))
    for document in value.documents:
        yield (names[document.id], f"{document.name}, {document.extent}")
        yield (f"{names[document.id]}: SHA-256", document.id)
    yield ("Written by", writers([value.answerer]))
    yield ("Settings", settings_of(record.settings))
    if value.partial:
        yield ("Note", PARTIAL)
    yield from (("Note", warning) for warning in warnings_of(value, names=names))
