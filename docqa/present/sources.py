"""What a comparison found in its documents, as sources: figures, terms, versions, passages."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from docqa.present.document import LIKELY, NEAREST, Inline, Number, Page, Source, Words, with_rows
from docqa.present.links import deep_link
from docqa.settings import DEFAULTS, Settings
from docqa.types.answer import Verdict
from docqa.types.comparison import (
    Change,
    Comparison,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
)
from docqa.types.document import Block, Document, PageHealth, join_blocks, spoken_name
from docqa.types.search import Hit


@dataclass(frozen=True, slots=True)
class Record:
    """A comparison, the page numbers printed in its documents, and how it was made.

    ``printed`` maps a document's id and a page to the number printed on it, where there is one.
    ``address`` is where the app is, for links into it; "" for none.
    """

    comparison: Comparison
    printed: Mapping[tuple[str, int], str]
    made: str = ""  # ISO 8601, local time
    settings: Settings = DEFAULTS
    address: str = ""

    @property
    def names(self) -> list[str]:
        return [spoken_name(document.name) for document in self.comparison.documents]


def printed_pages(
    documents: Sequence[Document], health: Callable[[str], Sequence[PageHealth]]
) -> dict[tuple[str, int], str]:
    """The number printed on each page that has one, or its name, by document id and page."""
    return {
        (document.id, page.page): page.label
        for document in documents
        for page in health(document.id)
        if page.label
    }


def page_of(
    document: Document, page: int, record: Record, blocks: Sequence[Block] = ()
) -> Page | None:
    """The page with what is printed on it, and the link to these blocks; None for page 0."""
    if not page:
        return None
    return Page(
        page,
        record.printed.get((document.id, page), ""),
        named=document.kind != "pdf",
        link=deep_link(record.address, document.id, page, blocks) if record.address else "",
    )


def figures_in(row: FigureComparison, record: Record) -> list[Source]:
    """What each document gives for a figure, in order."""
    documents = record.comparison.documents
    return [_figure(value_of(row, document.id), document, record) for document in documents]


def value_of(row: FigureComparison, document_id: str) -> Figure | None:
    """The figure a row has for a document, the first where there are several."""
    return next((each for each in row.values if each.document_id == document_id), None)


def _figure(figure: Figure | None, document: Document, record: Record) -> Source:
    if figure is None:
        return Source(check="not found")
    stands = all(
        _verdict(each.text, each.block.text) == "verified" for each in figure.addends or (figure,)
    )
    return Source(
        quote=join_blocks(figure.blocks),
        page=page_of(document, figure.block.page, record, figure.blocks),
        check="verified" if stands else "not found",
        printed=figure.text,
        value=_value(figure),
        shown=figure.shown,
        blocks=figure.blocks,
    )


def _value(figure: Figure) -> Number | date | str:
    if figure.unit != "date":
        return Number(figure.value, figure.unit)
    months, day = divmod(int(figure.value), 100)  # it is 20240131
    try:
        return date(months // 100, months % 100, day)
    except ValueError:  # February 30 and the like
        return f"{months // 100:04}-{months % 100:02}-{day:02}"


def _verdict(words: str, page: str) -> Verdict:
    """Whether the words stand on a page, whatever is between them."""
    return "verified" if _letters(words) in _letters(page) else "not found"


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text)


def term_sides(row: TermComparison, record: Record) -> list[Source]:
    """What each document says on a topic, in order."""
    documents = record.comparison.documents
    return [_side(*each, record) for each in zip(row.sides, documents, strict=True)]


def _side(side: TermSide, document: Document, record: Record) -> Source:
    if side.quote:
        check = _verdict(side.quote, join_blocks(side.blocks))
        page = page_of(document, side.page, record, side.blocks)
        return Source(side.quote, page, check, blocks=side.blocks)
    near = page_of(document, side.nearest_page, record)
    nearest = LIKELY if side.likely else NEAREST
    return Source(side.nearest_quote, near, nearest if near else "not found")


def spoken(note: str, record: Record) -> str:
    """A note with its documents under the names that a table's header has for them."""
    for each in record.comparison.documents:
        note = note.replace(each.name, spoken_name(each.name))
    return note


def label_of(change: Change) -> str:
    """What happened, and to which clause: "changed 4.2"."""
    return f"{change.kind} {change.number}".strip()


def weight(change: Change) -> str:
    """How much a change matters, in words."""
    if change.minor:
        return "only number, capitals or punctuation"
    return "numbers changed" if change.figures_changed else ""


def versions(change: Change, record: Record) -> list[Source]:
    """Both wordings, words that went struck in the first, new ones strong in the second."""
    sides = (
        (change.first, change.first_blocks, _edited(change, "gone", change.first_blocks)),
        (change.second, change.second_blocks, _edited(change, "new", change.second_blocks)),
    )
    documents = record.comparison.documents[:2]
    return [
        replace(quoted(document, blocks, words, record), shown=edited) if blocks else Source()
        for document, (words, blocks, edited) in zip(documents, sides, strict=True)
    ]


def _edited(change: Change, kind: str, blocks: Sequence[Block]) -> tuple[Inline, ...]:
    """One version's words, those that only it has marked; () where nothing was edited within."""
    if not any(edit.kind == "same" for edit in change.edits):
        return ()
    edits = [edit for edit in change.edits if edit.kind in ("same", kind)]
    spaced = [f"{edit.text} " for edit in edits[:-1]] + [edit.text for edit in edits[-1:]]
    return tuple(
        Words(with_rows(text, blocks), strong=edit.kind == "new", struck=edit.kind == "gone")
        for text, edit in zip(spaced, edits, strict=True)
    )


def quoted(document: Document, blocks: Sequence[Block], words: str, record: Record) -> Source:
    """Words that stand in these blocks; marks printed beside them may come in between."""
    known = set(join_blocks(tuple(blocks)).split())
    check = "verified" if set(words.split()) - {"|"} <= known else "not found"
    page = page_of(document, blocks[0].page, record, blocks)
    return Source(words, page, check, blocks=tuple(blocks))


def passage(hit: Hit, record: Record) -> Source:
    """A whole passage."""
    chunk = hit.chunk
    found = quoted(hit.document, chunk.blocks, chunk.text, record)
    return replace(found, section=chunk.section)


def settings_of(settings: Settings) -> str:
    """The settings that a comparison depends on, in a line."""
    return (
        f"{settings.comparing.compare_chunks} passages from each document, paired from a match of "
        f"{settings.comparing.pair_threshold}, at most {settings.comparing.max_pairs} pairs, "
        f"{'' if settings.search.use_reranker else 'not '}reranked"
    )
