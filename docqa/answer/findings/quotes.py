"""What answers can quote: sentences, list items and table rows, word for word."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from docqa.answer.findings.candidates import Candidate, candidates, marker
from docqa.answer.findings.line_items import other_names
from docqa.answer.findings.rows import Row, quoted
from docqa.language.words import content_stems, content_words, name_in_words, words
from docqa.types.answer import Evidence
from docqa.types.document import Block
from docqa.types.table import STATEMENTS

_LONGEST_LEAD = 160  # characters of a sentence that says what a table is of
_LABEL_WORDS = 3
_LONGEST_ITEM = 300  # characters of an item of a list that is quoted whole


# Beginnings that say nothing without what was said before; "this lease" is the document itself.
_LEANING = re.compile(
    r"(?:No other|Such|They|It|He|She|These|Those|Neither|Both|The (?:same|latter|former|foregoing)"
    r"|(?:In|On) (?:that|such|either) \w+|If so|Otherwise|However)\b"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of evidence that can be quoted: blocks ``first`` to ``last`` (from 1) of it.

    ``parts`` are the candidates that it is: of a list's item quoted whole every sentence.
    """

    parts: tuple[Candidate, ...]
    piece: Evidence
    first: int
    last: int
    text: str
    stems: tuple[str, ...]
    context: frozenset[str]  # words of the headings, captions and column headers around it
    title: frozenset[str]  # words of the nearest heading alone, which says what it is about
    identity: frozenset[str]  # words that name the document
    place: int = 0  # among the passage's quotes, from 0
    until: int = 0  # the place of its last sentence, where several were joined
    paragraph: int = 0  # the block, from 1, its paragraph begins with
    row: Row | None = None
    over: str = ""  # what says what a row's table is of
    of: int = 0  # the items of the list that it leads in, where not all of them are shown
    chance: float = 0.0  # that it answers, by the judge; 0.0 where it was not judged

    @property
    def marker(self) -> str:
        return marker(self.piece, self.first, self.last)

    @property
    def block(self) -> Block:
        return self.piece.hit.chunk.blocks[self.first - 1]


def quotes_of(piece: Evidence) -> list[Quote]:
    """Every sentence, list item and table row of a passage, in its order.

    A last sentence that leads in what is not in the passage says nothing and is left out.
    """
    identity = _identity(piece)
    above = frozenset(content_words(" ".join(piece.hit.chunk.headings)))
    quotes = [each for parts in _units(piece) for each in _quote(parts, identity, above)]
    if quotes and quotes[-1].text.endswith(":") and quotes[-1].row is None:
        quotes.pop()
    return [replace(quote, place=place, until=place) for place, quote in enumerate(quotes)]


def _units(piece: Evidence) -> Iterator[tuple[Candidate, ...]]:
    """The candidates that are quoted together: those of a short item of a list, and what a line of
    its own says first of a paragraph ("Tenant:") with that; others alone."""
    label: tuple[Candidate, ...] = ()
    for _, own in groupby(candidates([piece]), key=lambda each: each.paragraph):
        parts = tuple(own)
        if _is_label(parts):
            label = parts
        if _is_label(parts) or _says_nothing(parts[0]):
            continue
        is_item = parts[0].block.kind == "list"
        if label and (is_item or parts[0].row):
            yield label
            label = ()
        if is_item and sum(len(each.text) + 1 for each in parts) <= _LONGEST_ITEM:
            yield parts
        else:
            yield (*label, parts[0])
            yield from ((each,) for each in parts[1:])
        label = ()


def _says_nothing(part: Candidate) -> bool:
    """Whether a line is none of words, or a scrap of a sentence, as beside a signature."""
    scrap = part.text[:1].islower() and len(part.text.split()) <= _LABEL_WORDS
    alone = scrap and not part.row and part.block.kind != "list" and part.text[-1] not in ".;"
    return alone or not any(map(str.isalnum, part.text))


def _is_label(parts: tuple[Candidate, ...]) -> bool:
    text = parts[0].text
    is_short = len(text.split()) <= _LABEL_WORDS and text.endswith(":")
    return len(parts) == 1 and is_short and parts[0].row is None


def _quote(
    parts: tuple[Candidate, ...], identity: frozenset[str], above: frozenset[str]
) -> Iterator[Quote]:
    first, last = parts[0], parts[-1]
    text = " ".join(each.text for each in parts)
    over = " ".join(first.over[-1:])
    row, heads, also = None, [], []
    if first.row and first.table:
        row = quoted(first.table, first.row)
        if _is_contents(row):
            return
        statement = first.table.role.capitalize() if first.table.role in STATEMENTS else ""
        over = statement or _of_table(first) or over  # whatever stands over a statement
        heads = [row.corner, first.table.caption, *(entry.header for entry in row.entries)]
        also = [stem for name in other_names(row.label) for stem in name]
    title = frozenset(content_words(" ".join((*first.over[-1:], over))))
    around = above | title | frozenset(content_words(" ".join(heads)))
    yield Quote(
        parts, first.piece, first.first, last.last, text, (*content_stems(words(text)), *also),
        around, title, identity, paragraph=first.paragraph, row=row, over=over,
    )  # fmt: skip


def _is_contents(row: Row) -> bool:
    """Whether a row only says on which page something is."""
    *before, last = [entry.text for entry in row.entries] or [""]
    if not re.fullmatch(r"(?:[A-Z]-)?\d{1,3}", last) or re.search(r"\d", " ".join(before)):
        return False
    named = re.match(
        r"(?:item|part|note|chapter|section|article|exhibit|\d+[.)])\b", row.label, re.I
    )
    return bool(named) or (not before and "page" in row.entries[0].header.lower())


def _identity(piece: Evidence) -> frozenset[str]:
    document, chunk = piece.hit.document, piece.hit.chunk
    name = name_in_words(document.name)
    named = set(content_words(f"{name} {document.title} {chunk.context}"))
    return frozenset(named - set(content_words(" ".join(chunk.headings[1:]))))


def _of_table(row: Candidate) -> str:
    """The caption over a row's table, or the sentence that leads in the table, "" for neither."""
    blocks = row.piece.hit.chunk.blocks
    start = next(i for i, b in enumerate(blocks) if b.table == row.block.table)
    for block in reversed(blocks[max(0, start - 2) : start]):
        leads_in = not block.table and block.text.rstrip().endswith(":")
        if leads_in or (block.kind == "caption" and not block.text.startswith("(")):
            return block.text if len(block.text) <= _LONGEST_LEAD else ""
    return ""


def follows_on(quote: Quote, before: Quote) -> bool:
    """Whether the quote begins with the next sentence of the same paragraph."""
    same = quote.piece.label == before.piece.label and quote.paragraph == before.paragraph
    return same and quote.place == before.until + 1 and quote.row is None


def refers_back(quote: Quote) -> bool:
    """Whether a sentence leans on the one before it: "No other tenant has such a right."

    >>> [bool(_LEANING.match(each)) for each in ("Such notice is", "This lease is", "It may be")]
    [True, False, True]
    """
    return quote.row is None and _LEANING.match(quote.text) is not None


def joined(one: Quote, following: Quote) -> Quote:
    """Two sentences that follow one another as one quote, with the chance of the first."""
    text = f"{one.text} {following.text}"
    return replace(one, last=following.last, text=text, until=following.until)
