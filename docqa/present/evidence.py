"""What an answer, a comparison or a review rests on, for whoever checks it later and without docqa.

Its words, then every citation: the page cut out around its marks, the quote, the document with its
SHA-256, and how the quote was checked; at the end when and by whom it was written, and its cost.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docqa.present import review_report
from docqa.present.citations import VERDICTS, writers
from docqa.present.comparison import title_of
from docqa.present.conversation import Transcript, answer_of, answer_words
from docqa.present.document import (
    Cell,
    Heading,
    Note,
    Paragraph,
    Part,
    Picture,
    Table,
    Words,
    linked,
    moment,
    with_rows,
)
from docqa.present.links import deep_link
from docqa.present.report import summary, tables
from docqa.present.review import ReviewRecord
from docqa.present.sources import Record
from docqa.types.answer import Citation, Usage
from docqa.types.document import Block
from docqa.types.phrases import dollars, quoted

Cut = Callable[[str, int, Sequence[Block]], Picture | None]
"""The part of a page around blocks: of a document's id, a page, and blocks on that page; None for a
file without pages, or one that cannot be opened any more."""


@dataclass(frozen=True, slots=True)
class Pack:
    """What an evidence pack is made of: parts to begin with, the citations, and who wrote it."""

    parts: Sequence[Part]
    citations: Sequence[Citation]
    answerers: Sequence[str]
    usage: Sequence[Usage]
    made: str  # ISO 8601
    address: str = ""


def of_transcript(transcript: Transcript, made: str) -> Pack:
    """The pack of a conversation, or of a single answer."""
    answers = [each.answer for _, each in transcript.exchanges if each.answer]
    parts: list[Part] = [Heading(transcript.title or transcript.exchanges[0][0], 1)]
    for question, message in transcript.exchanges:
        parts += [Heading(question, 2)] if transcript.title else []
        parts += answer_words(answer_of(message))
    return Pack(
        parts,
        [citation for each in answers for citation in each.citations],
        [each.answerer for each in answers],
        [each.usage for each in answers],
        made,
        transcript.address,
    )


def of_comparison(record: Record) -> Pack:
    """The pack of a comparison, with its summary and the tables that a client reads."""
    value = record.comparison
    parts = [Heading(title_of(value), 1), *summary(record), *tables(record)]
    return Pack(
        parts, value.citations, [value.answerer], [value.usage], record.made, record.address
    )


def of_review(record: ReviewRecord) -> Pack:
    """The pack of a review: its table and sums, and every place that a cell's value rests on."""
    made = [cell.proposal for cell in record.table.cells.values() if cell.proposal]
    found = [cell.found for cell in record.table.cells.values() if cell.found]
    return Pack(
        review_report.contents(record),
        [citation for each in found for citation in each.citations],
        [each.answerer for each in made],
        [each.usage for each in made],
        record.made,
        record.address,
    )


def evidence(pack: Pack, cut: Cut) -> list[Part]:
    """The pack as a presentation; each place cited stands once, however often it is cited."""
    parts = [*pack.parts, Heading("Evidence", 2)]
    places = {(c.document_id, c.page, c.quote): c for c in pack.citations}
    if not places:
        parts.append(Note("Nothing is cited."))
    for number, citation in enumerate(places.values(), 1):
        parts += _place(number, citation, pack, cut)
    return [*parts, Heading("How it was made", 2), _making(pack)]


def _place(number: int, citation: Citation, pack: Pack, cut: Cut) -> Iterator[Part]:
    name = f"{citation.document}, {citation.where}"
    yield Heading(f"{number}. {name}", 3)
    pages: dict[int, list[Block]] = {}
    for block in citation.blocks:
        pages.setdefault(block.page, []).append(block)
    pictures = [cut(citation.document_id, page, blocks) for page, blocks in pages.items()]
    yield from filter(None, pictures)
    if not any(pictures):
        yield Note("There is no picture of this place: the file has no pages, or cannot be opened.")
    yield Paragraph(
        (Words("Quote: ", strong=True), Words(quoted(with_rows(citation.quote, citation.blocks))))
    )
    if citation.figures:
        yield Paragraph((Words("Read as: ", strong=True), Words(citation.figures)))
    yield Table(("What", "Value"), tuple(_facts(citation, pack)))


def _facts(citation: Citation, pack: Pack) -> Iterator[tuple[Cell, Cell]]:
    yield ("Document", citation.document)
    yield ("Place", citation.where)
    yield ("SHA-256 of the file", citation.document_id)
    yield ("Check", f"{citation.verified}: {VERDICTS[citation.verified]}")
    if pack.address:
        link = deep_link(pack.address, citation.document_id, citation.page, citation.blocks)
        yield ("Open in docqa", linked("Open the page", link))


def _making(pack: Pack) -> Table:
    rows = (
        ("Date", moment(pack.made)),
        ("Written by", writers(pack.answerers)),
        ("Cost", _cost(pack.usage)),
    )
    return Table(("What", "Value"), rows)


def _cost(usage: Sequence[Usage]) -> str:
    paid = [each for each in usage if each.tokens]
    if not paid:
        return "None: nothing was sent to a language model."
    tokens = f"{sum(each.tokens for each in paid):,} tokens"
    known = [each.cost_usd for each in paid if each.cost_usd is not None]
    if len(known) < len(paid):
        return f"{tokens}; the price of the model is not known"
    return f"{dollars(sum(known, Decimal(0)))}, {tokens}"
