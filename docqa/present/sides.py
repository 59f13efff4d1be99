"""A comparison as one table for a program to read: a row for each side of each finding."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from docqa.present.document import Cell, Source, Table
from docqa.present.sources import (
    Record,
    figures_in,
    label_of,
    passage,
    settings_of,
    term_sides,
    versions,
    weight,
)
from docqa.types.document import Document, spoken_name

_SIDE = ("Kind", "Label", "Period", "Unit", "", "Difference", "Percent", "Note")
_MADE = ("Compared on", "Date", "Written by", "Settings")


def each_side(record: Record) -> Table:
    """A row for each side of each figure, term, change and pair, and for what only one side has.

    The nameless column is the side's `Source`, with its document.
    """
    value = record.comparison
    made = (value.question, record.made, value.answerer, settings_of(record.settings))
    rows = (
        (*before, replace(side, document=document.name, sha256=document.id), *after, *made)
        for before, sides, after in _findings(record)
        for document, side in sides
        if side != Source()
    )
    return Table((*_SIDE, *_MADE), tuple(rows))


_Finding = tuple[tuple[Cell, ...], Iterable[tuple[Document, Source]], tuple[Cell, ...]]


def _findings(record: Record) -> Iterator[_Finding]:
    """Each finding: what stands in the columns before its sides, the sides, and what after."""
    value = record.comparison
    documents = value.documents
    for figure in value.figures:
        before = ("figure", figure.label, figure.period, figure.unit)
        after = (figure.difference, figure.percent, figure.note)
        yield before, zip(documents, figures_in(figure, record), strict=True), after
    for term in value.terms:
        sides = zip(documents, term_sides(term, record), strict=True)
        yield ("term", term.topic, "", ""), sides, ("", "", term.note)
    for change in value.changes:
        if change.kind != "unchanged":
            both = zip(documents, versions(change, record), strict=False)
            yield ("change", label_of(change), "", ""), both, ("", "", weight(change))
    for number, pair in enumerate(value.pairs, 1):
        alike = [(hit.document, passage(hit, record)) for hit in pair.passages]
        yield ("pair", str(number), "", ""), alike, ("", "", f"match {pair.similarity:.3f}")
    for hit in chain.from_iterable(value.only_in.values()):
        note = ""
        if near := value.nearest.get(hit.chunk.id):
            where = f"{spoken_name(near.passage.document.name)}, {near.passage.chunk.where}"
            note = f"nearest: {where}, match {near.similarity:.3f}"
        yield ("only in one", "", "", ""), [(hit.document, passage(hit, record))], ("", "", note)
