"""A comparison as one table for a program to read: a row for each side of each finding."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from docqa.present.document import Cell, Source, Table
from docqa.present.sources import (
    Record,
    figures_in,
    passage,
    settings_of,
    term_sides,
    versions,
    weight,
)
from docqa.types.document import spoken_name
from docqa.types.search import Hit

_SIDE = ("Kind", "Label", "Period", "Unit", "", "Difference", "Percent", "Note")
_MADE = ("Compared on", "Date", "Written by", "Settings")


def each_side(record: Record) -> Table:
    """A row for each side of each figure, term, change and pair, and for what only one side has.

    The nameless column is the side's `Source`, with its document.
    """
    value = record.comparison
    made = (value.question, record.made, value.answerer, settings_of(record.settings))
    kinds = (_figure_sides, _term_sides, _change_sides, _pair_sides, _lone_sides)
    rows = chain.from_iterable(each(record) for each in kinds)
    return Table((*_SIDE, *_MADE), tuple((*row, *made) for row in rows))


def _by_document(sources: Iterable[Source], record: Record) -> Iterator[Source]:
    """Sources in the order of the documents, with theirs."""
    for document, source in zip(record.comparison.documents, sources, strict=False):
        if source != Source():
            yield replace(source, document=document.name, sha256=document.id)


def _figure_sides(record: Record) -> Iterator[tuple[Cell, ...]]:
    for row in record.comparison.figures:
        for side in _by_document(figures_in(row, record), record):
            head = ("figure", row.label, row.period, row.unit)
            yield (*head, side, row.difference, row.percent, row.note)


def _term_sides(record: Record) -> Iterator[tuple[Cell, ...]]:
    for row in record.comparison.terms:
        for side in _by_document(term_sides(row, record), record):
            yield ("term", row.topic, "", "", side, "", "", row.note)


def _change_sides(record: Record) -> Iterator[tuple[Cell, ...]]:
    for change in record.comparison.changes:
        if change.kind != "unchanged":
            label = f"{change.kind} {change.number}".strip()
            for side in _by_document(versions(change, record), record):
                yield ("change", label, "", "", side, "", "", weight(change))


def _pair_sides(record: Record) -> Iterator[tuple[Cell, ...]]:
    for number, pair in enumerate(record.comparison.pairs, 1):
        for hit in pair.passages:
            note = f"match {pair.similarity:.3f}"
            yield ("pair", str(number), "", "", _own(hit, record), "", "", note)


def _lone_sides(record: Record) -> Iterator[tuple[Cell, ...]]:
    for hit in chain.from_iterable(record.comparison.only_in.values()):
        near = record.comparison.nearest.get(hit.chunk.id)
        note = ""
        if near is not None:
            where = f"{spoken_name(near.passage.document.name)}, {near.passage.chunk.where}"
            note = f"nearest: {where}, match {near.similarity:.3f}"
        yield ("only in one", "", "", "", _own(hit, record), "", "", note)


def _own(hit: Hit, record: Record) -> Source:
    source = passage(hit, record)
    return replace(source, document=hit.document.name, sha256=hit.document.id)
