"""A review as a presentation: its table, what its cells rest on, and sums over its columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from docqa.present.as_json import citation
from docqa.present.document import Cell as Shown
from docqa.present.document import Heading, Note, Number, Page, Part, Table, Uncertain, with_rows
from docqa.present.links import deep_link
from docqa.types.answer import Citation
from docqa.types.document import Document, where_of
from docqa.types.phrases import count
from docqa.types.review import Cell, CellState, Column, ColumnFigures, Found, ReviewTable
from docqa.types.units import is_currency

EMPTY = {"waiting": "", "not found": "not found", "not in the document": "not in the document"}
UNCERTAIN = "uncertain"
NAMES: dict[CellState, str] = {"likely": UNCERTAIN}  # what people read of states that differ
TABLE, SOURCES, FIGURES = "Review", "Sources", "Figures"


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """A review with the page numbers printed in its documents, as of a `Record`."""

    table: ReviewTable
    printed: Mapping[tuple[str, int], str] = field(default_factory=dict)
    made: str = ""  # ISO 8601, local time
    address: str = ""


def as_json(table: ReviewTable) -> dict[str, Any]:
    """The review as the command line promises it."""
    names = {each.id: each.name for each in table.documents}
    titles = {each.id: each.title for each in table.review.columns}
    return {
        "review": table.review.name,
        "columns": [
            {"title": each.title, "question": each.question, "kind": each.kind}
            for each in table.review.columns
        ],
        "documents": list(names.values()),
        "cells": [
            {"document": names[document_id], "column": titles[column_id], **_json_of(cell)}
            for (document_id, column_id), cell in table.cells.items()
        ],
    }


def _json_of(cell: Cell) -> dict[str, Any]:
    found = cell.found
    return {
        "state": cell.state,
        "value": found.value if found else "",
        "text": found.text if found else why_empty(cell),
        "check": cell.proposal.check if cell.proposal and found else "",
        "citations": [citation(each) for each in sources_of(cell)],
    }


def sources_of(cell: Cell) -> tuple[Citation, ...]:
    """What a cell rests on; of one in which nothing was found, the nearest passages."""
    if cell.found is not None:
        return cell.found.citations
    nearest = cell.proposal.nearest if cell.proposal else ()
    return () if cell.is_settled else nearest


def why_empty(cell: Cell) -> str:
    """Why nothing stands in a cell, "" where it waits to be filled."""
    if cell.state == "failed" and cell.proposal:
        return cell.proposal.error
    return EMPTY.get(cell.state, "")


def parts(record: ReviewRecord) -> list[Part]:
    """The whole review for a page: how far it is, its table, sums, and its sources."""
    table = record.table
    made: list[Part] = [Heading(table.review.name, 1), Note(summary(table))]
    for each in tables(record):
        made += [Heading(each.title, 2), each]
    return made


def summary(table: ReviewTable) -> str:
    """How many cells there are and how they stand: "2 documents, 15 questions; 3 accepted"."""
    states = [state_of(each) for each in table.cells.values()]
    counts = {state: states.count(state) for state in dict.fromkeys(states)}
    size = f"{count(len(table.documents), 'document')}, "
    size += count(len(table.review.columns), "question")
    counted = ", ".join(f"{number:,} {state}" for state, number in counts.items())
    return f"{size}: {counted}." if counted else f"{size}."


def state_of(cell: Cell) -> str:
    """How a cell stands, as people read it."""
    return NAMES.get(cell.state, cell.state)


def tables(record: ReviewRecord) -> list[Table]:
    """The table of the review, its sums where it has figures, and a row for each source."""
    made = (main_table(record), figures(record), _sources(record))
    return [each for each in made if each.rows]


def main_table(record: ReviewRecord, *, units: bool = False) -> Table:
    """A row for each document, a typed cell for each question that is not hidden.

    Where any cell is uncertain, a last column has the questions of a row's uncertain ones: what is
    a number stays one. With ``units`` those of figures have columns of their own beside them.
    """
    table = record.table
    columns = shown_columns(table)
    made: list[tuple[str, Sequence[Shown]]] = [("Document", [d.name for d in table.documents])]
    for column in columns:
        cells = table.of_column(column.id)
        shown = [Uncertain(typed(c)) if c.state == "likely" else typed(c) for c in cells]
        made.append((headed(column, table), shown))
        beside = [c.found.unit if c.found and c.found.number is not None else "" for c in cells]
        if units and any(beside):
            made.append((f"{column.title} unit", beside))
    doubts = [_uncertain(each, columns, table) for each in table.documents]
    if any(doubts):
        made.append((UNCERTAIN.capitalize(), doubts))
    header, cells_of = zip(*made, strict=True)
    return Table(header, tuple(zip(*cells_of, strict=True)), TABLE)


def _uncertain(document: Document, columns: Sequence[Column], table: ReviewTable) -> str:
    """The titles of the columns whose cell of this document is uncertain: "Rent; Renewal"."""
    doubtful = (c.title for c in columns if table.cell(document.id, c.id).state == "likely")
    return "; ".join(doubtful)


def shown_columns(table: ReviewTable) -> list[Column]:
    """The columns in sight: the frozen ones first, none that is hidden."""
    review = table.review
    seen = [each for each in review.columns if each.id not in review.hidden]
    return sorted(seen, key=lambda each: each.id not in review.frozen)


def headed(column: Column, table: ReviewTable) -> str:
    """A column's title, with the unit where all its figures have the same that is not money."""
    found = [each.found for each in table.of_column(column.id) if each.found]
    units = {each.unit for each in found if each.number is not None}
    unit = units.pop() if len(units) == 1 else ""
    plain = unit and unit != "%" and not is_currency(unit.partition("/")[0])
    return f"{column.title} ({unit})" if plain else column.title


def typed(cell: Cell) -> Number | date | str:
    """What stands in a cell: a number, a day, or words."""
    found = cell.found
    if found is None:
        return why_empty(cell)
    if found.number is not None:
        return Number(_whole(found.number), found.unit, found.value)
    return date.fromisoformat(found.day) if found.day else found.value


def _whole(number: Decimal) -> Decimal:
    """The number without decimals where they are none: 23,182.6 million has no tenths."""
    whole = number.to_integral_value()
    return whole if whole == number else number


def figures(record: ReviewRecord) -> Table:
    """A row of sums for each column that has figures, and for each unit of theirs."""
    rows = [
        _sums(column, one)
        for column in record.table.review.columns
        if (each := record.table.figures.get(column.id))
        for one in (each, *each.others)
    ]
    header = ("Column", "Cells", "Uncertain, left out", "Unit", "Sum", "Mean", "Highest", "Lowest")
    return Table(header, tuple(rows), FIGURES)


def _sums(column: Column, figures: ColumnFigures) -> tuple[Shown, ...]:
    left_out: Shown = Number(Decimal(figures.uncertain)) if figures.uncertain else ""
    sums = (figures.sum, _mean(figures), figures.highest, figures.lowest)
    shown = (Number(_whole(each), figures.unit.partition("/")[0]) for each in sums)
    return (column.title, Number(Decimal(figures.n)), left_out, figures.unit, *shown)


def _mean(figures: ColumnFigures) -> Decimal:
    """The mean, with no more than two decimals over those of the sum."""
    rounded = round(figures.mean, 2 + len(f"{figures.sum:f}".partition(".")[2]))
    return figures.mean if figures.mean == rounded else rounded


def _sources(record: ReviewRecord) -> Table:
    """A row for each place that a cell rests on; one that rests on none has a row without."""
    header = (
        *("Document", "Column", "Value", "State", "Settled by", "Page", "Check", "Quote"),
        *("docqa’s value", "SHA-256"),
    )
    rows = (
        row
        for document in record.table.documents
        for column in record.table.review.columns
        for row in _source_rows(record, document, column)
    )
    return Table(header, tuple(rows), SOURCES)


def _source_rows(
    record: ReviewRecord, document: Document, column: Column
) -> Iterator[tuple[Shown, ...]]:
    cell = record.table.cell(document.id, column.id)
    if cell.state == "waiting":
        return
    check = (cell.proposal.check if cell.proposal else "") or ""
    own = cell.proposal.found[0].value if cell.proposal and cell.proposal.found else ""
    before = (document.name, column.title, typed(cell), state_of(cell), settled_by(cell))
    after = (own if cell.is_settled else "", document.id)
    for each in sources_of(cell) or (None,):
        place = page_of(record, document, each) if each else ""
        quote = with_rows(each.shown, each.blocks) if each else ""
        yield (*before, place, check if cell.found else "", quote, *after)


def page_of(record: ReviewRecord, document: Document, cited: Citation) -> Page:
    """The page cited, with what is printed on it and the link to its blocks."""
    link = record.address and deep_link(record.address, document.id, cited.page, cited.blocks)
    printed = record.printed.get((document.id, cited.page), "")
    return Page(cited.page, printed, named=document.kind != "pdf", link=link)


def settled_by(cell: Cell) -> str:
    """Who settled a cell: "a person, 2026-01-02", or who proposed what stands in it."""
    if cell.ruling is not None:
        return f"a person, {cell.ruling.at[:10]}"
    answerer = cell.proposal.answerer if cell.proposal else ""
    return "docqa, not settled" if answerer in ("extractive", "") else f"{answerer}, not settled"


def place_of(found: Found) -> str:
    """Where a finding stands, in a few words: "p. 3"; "" where it has no source."""
    return next((where_of(each.blocks, each.page) for each in found.citations), "")
