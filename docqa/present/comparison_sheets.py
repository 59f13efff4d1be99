"""A comparison as tables for a file: figures, terms, changes, passages, citations, and its making.

Every row names its document, physical and printed page, so that it can be checked on paper. Of a
file without pages these are the number and the name of the slide, sheet or section.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.settings import DEFAULTS, Settings
from docqa.types.answer import Verdict
from docqa.types.comparison import Comparison, Figure, FigureComparison, TermSide
from docqa.types.document import Block, Document, PageHealth, join_blocks, place_name
from docqa.types.search import Hit
from docqa.ui.answer_view import PARTIAL
from docqa.ui.pills import SIGNS

Cell = str | Decimal | int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a title; the first row is its header."""

    title: str
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Dossier:
    """A comparison with what a file of it tells beside: printed page numbers and its making.

    ``printed`` maps a document's id and a page to the number printed on it, where there is one.
    """

    comparison: Comparison
    printed: Mapping[tuple[str, int], str]
    made: str = ""  # ISO 8601, local time
    settings: Settings = DEFAULTS


def printed_pages(
    documents: Sequence[Document], health: Mapping[str, Sequence[PageHealth]]
) -> dict[tuple[str, int], str]:
    """The number printed on each page that has one, or its name, by document id and page."""
    return {
        (document.id, page.page): page.label
        for document in documents
        for page in health[document.id]
        if page.label
    }


def sheets_of(dossier: Dossier) -> list[Sheet]:
    """The tables that have any rows, what was made of what last."""
    found = [
        Sheet("Figures", tuple(_figures(dossier))),
        Sheet("Terms", tuple(_terms(dossier))),
        Sheet("Changes", tuple(_changes(dossier))),
        Sheet("Side by side", tuple(_pairs(dossier))),
        Sheet("Only in one", tuple(_alone(dossier))),
        Sheet("Citations", tuple(_citations(dossier))),
        Sheet("How it was made", tuple(_making(dossier))),
    ]
    return [sheet for sheet in found if len(sheet.rows) > 1]


def narrow_sheets_of(dossier: Dossier) -> list[Sheet]:
    """The same for a page of paper: a column for each document, places within the cells."""
    found = [
        Sheet("Figures", tuple(_narrow_figures(dossier))),
        Sheet("Terms", tuple(_narrow_terms(dossier))),
        Sheet("Changes", tuple(_narrow_changes(dossier))),
        Sheet("Side by side", tuple(_narrow_pairs(dossier))),
        Sheet("Only in one", tuple(_narrow_alone(dossier))),
        Sheet("Citations", tuple(_citations(dossier))),
        Sheet("How it was made", tuple(_making(dossier))),
    ]
    return [sheet for sheet in found if len(sheet.rows) > 1]


def value_of(row: FigureComparison, document_id: str) -> Figure | None:
    """The figure a row has for a document, the first where there are several."""
    return next((each for each in row.values if each.document_id == document_id), None)


def _figures(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    documents = dossier.comparison.documents
    columns = ("value", "as printed", "page", "printed page", "check", "quote")
    named = (f"{document.name}: {column}" for document in documents for column in columns)
    yield (
        "Figure",
        "Period",
        "Unit",
        *named,
        "Difference",
        "Difference as text",
        "Percent",
        "Note",
    )
    for row in dossier.comparison.figures:
        sides: list[Cell] = []
        for document in documents:
            sides += _figure(value_of(row, document.id), dossier)
        yield (row.label, row.period, row.unit, *sides, *_result(row))


def _figure(figure: Figure | None, dossier: Dossier) -> list[Cell]:
    if figure is None:
        return ["", "not stated", "", "", "", ""]
    value: Cell = _iso(figure.value) if figure.unit == "date" else figure.value
    where = _where(figure.document_id, figure.block.page, dossier)
    return [value, figure.text, *where, check_of(figure), figure.block.text]


def check_of(figure: Figure) -> Verdict:
    """Whether the figure as printed stands in the words quoted for it."""
    return "verified" if squeezed(figure.text) in squeezed(figure.block.text) else "not found"


def check_of_side(side: TermSide) -> Verdict:
    """Whether the words quoted for a term stand in the blocks they are of."""
    said = squeezed(join_blocks(side.blocks))
    return "verified" if squeezed(side.quote) in said else "not found"


def squeezed(text: str) -> str:
    return re.sub(r"\W+", "", text)


def _iso(value: Decimal) -> str:
    digits = f"{int(value):08d}"
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"


def _result(row: FigureComparison) -> tuple[Cell, ...]:
    """The difference also as a number; of dates it is told in days, as text."""
    number: Cell = "" if row.apart is None or row.unit == "date" else row.apart
    return number, row.difference, row.percent, row.note


def _where(document_id: str, page: int, dossier: Dossier) -> tuple[Cell, Cell]:
    return page, dossier.printed.get((document_id, page), "")


def _terms(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Term", "Result", "Document", "Page", "Printed page", "Check", "Quote")
    for row in dossier.comparison.terms:
        for side in row.sides:
            yield (row.topic, row.note, side.document, *_term(side, dossier))


def _term(side: TermSide, dossier: Dossier) -> tuple[Cell, ...]:
    if side.quote:
        place = _where(side.document_id, side.page, dossier)
        return (*place, check_of_side(side), side.quote)
    near = f"not found; nearest {side.where}" if side.where else "not found"
    return ("", "", near, "")


def _changes(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield (
        *("Kind", "Number", "Numbers changed", "Only printing"),
        *("First: page", "First: printed page", "First: wording"),
        *("Second: page", "Second: printed page", "Second: wording"),
    )
    for change in dossier.comparison.changes:
        if change.kind == "unchanged":
            continue
        sides = zip(
            dossier.comparison.documents,
            ((change.first_blocks, change.first), (change.second_blocks, change.second)),
            strict=False,
        )
        cells = (cell for document, side in sides for cell in _version(document, *side, dossier))
        flags = ("yes" if flag else "" for flag in (change.figures_changed, change.minor))
        yield (change.kind, change.number, *flags, *cells)


def _version(
    document: Document, blocks: Sequence[Block], text: str, dossier: Dossier
) -> tuple[Cell, ...]:
    where = _where(document.id, blocks[0].page, dossier) if blocks else ("", "")
    return (*where, text)


def _pairs(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Pair", "Match", "Document", "Page", "Printed page", "Section", "Passage")
    for number, pair in enumerate(dossier.comparison.pairs, 1):
        match = Decimal(f"{pair.similarity:.3f}")
        yield from ((number, match, *_passage(hit, dossier)) for hit in pair.passages)


def _passage(hit: Hit, dossier: Dossier) -> tuple[Cell, ...]:
    where = _where(hit.document.id, hit.chunk.page_start, dossier)
    return (hit.document.name, *where, hit.chunk.section, hit.chunk.text)


def _alone(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    columns = ("Document", "Page", "Printed page", "Section", "Passage")
    yield (*columns, "Match", *(f"Nearest: {column.lower()}" for column in columns))
    for hits in dossier.comparison.only_in.values():
        for hit in hits:
            near = dossier.comparison.nearest.get(hit.chunk.id)
            match = Decimal(f"{near.similarity:.3f}") if near else ""
            rest = _passage(near.passage, dossier) if near else ("",) * len(columns)
            yield (*_passage(hit, dossier), match, *rest)


def _citations(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Citation", "Document", "Page", "Printed page", "Check", "Quote")
    for each in dossier.comparison.citations:
        where = _where(each.document_id, each.page, dossier)
        yield (each.label.replace(":", " "), each.document, *where, each.verified, each.quote)


def settings_of(settings: Settings) -> str:
    """The settings that a comparison hangs on, in a line."""
    return (
        f"{settings.compare_chunks} passages from each document, paired from a match of "
        f"{settings.pair_threshold}, at most {settings.max_pairs} pairs, "
        f"{'' if settings.use_reranker else 'not '}reranked"
    )


def _making(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    comparison, settings = dossier.comparison, dossier.settings
    quoted = comparison.answerer == "extractive"
    yield ("What", "Value")
    yield ("Compared on", comparison.question)
    yield ("Date", dossier.made)
    for letter, document in zip("ABCDEFGH", comparison.documents, strict=False):
        yield (f"Doc{letter}", f"{document.name}, {document.extent}")
        yield (f"Doc{letter}: SHA-256", document.id)
    yield ("Written by", "docqa, without a language model" if quoted else comparison.answerer)
    yield ("Settings", settings_of(settings))
    if comparison.partial:
        yield ("Note", PARTIAL)
    yield from (("Note", warning) for warning in comparison.warnings)


# For a page of paper


def _names(dossier: Dossier) -> list[str]:
    return [document.name for document in dossier.comparison.documents]


def _at(document_id: str, page: int, dossier: Dossier) -> str:
    """ "p. 12, printed F-3", or the name of a slide, sheet or section."""
    label = dossier.printed.get((document_id, page), "")
    kinds = {document.id: document.kind for document in dossier.comparison.documents}
    if kinds[document_id] != "pdf":
        return place_name(page, label)
    return f"p. {page}" + (f", printed {label}" if label and label != str(page) else "")


def _narrow_figures(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Figure", "Period", *_names(dossier), "Difference", "Note")
    for row in dossier.comparison.figures:
        values = [value_of(row, document.id) for document in dossier.comparison.documents]
        cells = (
            f"{f.shown} ({_at(f.document_id, f.block.page, dossier)}) {SIGNS[check_of(f)]}"
            if f
            else "not stated"
            for f in values
        )
        change = f" ({row.percent})" if row.percent else ""
        yield (row.label, row.period, *cells, f"{row.difference}{change}", row.note)


def _narrow_terms(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Term", *_names(dossier), "Result")
    for row in dossier.comparison.terms:
        yield (row.topic, *(_said(side, dossier) for side in row.sides), row.note)


def _said(side: TermSide, dossier: Dossier) -> str:
    if side.quote:
        sign = SIGNS[check_of_side(side)]
        return f"“{side.quote}” ({_at(side.document_id, side.page, dossier)}) {sign}"
    near = _at(side.document_id, side.nearest_page, dossier) if side.nearest_page else ""
    return f"not found; nearest {near}" if near else "not found"


def _narrow_changes(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    first, second = dossier.comparison.documents[:2]
    yield ("Change", first.name, second.name)
    for change in dossier.comparison.changes:
        if change.kind == "unchanged" or change.minor:
            continue
        sides = (
            f"{text} ({_at(document.id, blocks[0].page, dossier)})" if blocks else ""
            for document, blocks, text in (
                (first, change.first_blocks, change.first),
                (second, change.second_blocks, change.second),
            )
        )
        yield (f"{change.kind} {change.number}".strip(), *sides)


def _narrow_pairs(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Match", *_names(dossier))
    for pair in dossier.comparison.pairs:
        own = {hit.document.id: _quoted(hit, dossier) for hit in pair.passages}
        cells = (own.get(document.id, "") for document in dossier.comparison.documents)
        yield (f"{pair.similarity:.0%}", *cells)


def _narrow_alone(dossier: Dossier) -> Iterator[tuple[Cell, ...]]:
    yield ("Document", "Passage", "Nearest elsewhere")
    for hits in dossier.comparison.only_in.values():
        for hit in hits:
            near = dossier.comparison.nearest.get(hit.chunk.id)
            rest = f"{near.passage.document.name}: {_quoted(near.passage, dossier)}" if near else ""
            yield (hit.document.name, _quoted(hit, dossier), rest)


def _quoted(hit: Hit, dossier: Dossier) -> str:
    return f"{hit.chunk.text} ({_at(hit.document.id, hit.chunk.page_start, dossier)})"
