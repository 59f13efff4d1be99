"""Evidence cut into what can be quoted: sentences, list items and table rows, word for word."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from docqa.answer.evidence import cite
from docqa.answer.findings.candidates import is_scrap, paragraphs, with_titles
from docqa.answer.findings.line_items import other_names
from docqa.answer.findings.rows import Row, quoted
from docqa.language.page_breaks import run_on
from docqa.language.periods import says_only_when
from docqa.language.sentences import sentences
from docqa.language.words import content_stems, content_words, name_in_words, words
from docqa.types.answer import Evidence
from docqa.types.document import Block
from docqa.types.phrases import sign_at
from docqa.types.table import STATEMENTS, Table

_LONGEST_TITLE = 60  # characters
_LONGEST_LEAD = 160  # characters of a sentence that says what a table is of
_LONGEST_ITEM = 300  # characters of an item of a list that is quoted whole


# Beginnings that say nothing without what was said before; "this lease" is the document itself.
_LEANING = re.compile(
    r"(?:No other|Such|They|It|He|She|These|Those|Neither|Both|The (?:same|latter|former|foregoing)"
    r"|(?:In|On) (?:that|such|either) \w+|If so|Otherwise|However)\b"
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of evidence that can be quoted: blocks ``first`` to ``last`` (from 1) of it."""

    piece: Evidence
    first: int
    last: int
    text: str
    words: tuple[str, ...]  # folded
    stems: tuple[str, ...]
    context: frozenset[str]  # words of the headings, captions and column headers around it
    title: frozenset[str]  # words of the nearest heading alone, which says what it is about
    identity: frozenset[str]  # words that name the document
    place: int = 0  # among the passage's quotes, from 0
    until: int = 0  # the place of its last sentence, where several were joined
    paragraph: int = 0  # the block, from 1, its paragraph begins with
    row: Row | None = None
    over: str = ""  # what says what a row's table is of
    chance: float = 0.0  # that it answers, by the judge; 0.0 where it was not judged

    @property
    def marker(self) -> str:
        return f"[{cite(self.piece, self.first, self.last).label}]"


class _Around(NamedTuple):
    """The words around a quote; see `Quote`."""

    context: frozenset[str]
    title: frozenset[str]
    identity: frozenset[str]


def quotes_of(piece: Evidence) -> list[Quote]:
    """Every sentence, list item and table row of a passage, in its order.

    A last sentence that leads in what is not in the passage says nothing and is left out.
    """
    blocks = piece.hit.chunk.blocks
    identity = _identity(piece)
    base = frozenset(content_words(" ".join(piece.hit.chunk.headings)))
    quotes: list[Quote] = []
    over = " ".join(piece.hit.chunk.headings[-1:])
    title = frozenset(content_words(over))
    for first, last in paragraphs(blocks):
        block = blocks[first - 1]
        if block.kind == "heading" or (len(block.cells) < 2 and _is_title(block.text)):
            over, title = block.text, frozenset(content_words(block.text))
        elif table := piece.hit.table_of(block):
            own = _statement(table) or _of_table(piece, first) or over
            of = title | frozenset(content_words(own))
            rows = _row_quote(piece, first, table, _Around(base | of, of, identity))
            quotes += [replace(quote, over=own) for quote in rows]
        elif block.kind not in ("header", "footer", "picture"):
            around = _Around(base | title, title, identity)
            quotes += _sentence_quotes(piece, first, last, around)
    if quotes and quotes[-1].text.endswith(":") and quotes[-1].row is None:
        quotes.pop()
    return [replace(quote, place=place, until=place) for place, quote in enumerate(quotes)]


def _is_title(text: str) -> bool:
    """Whether a line is a clause's title that was not read as a heading ("4.2 Assignment.")."""
    numbered = re.match(
        r"(?:section\s+|article\s+)?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+\D*$", text, re.I
    )
    return len(text) <= _LONGEST_TITLE and (bool(numbered) or text.isupper()) and text[-1] != ":"


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


def _statement(table: Table) -> str:
    """What a table is called that is a primary statement, whatever stands over it."""
    return table.role.capitalize() if table.role in STATEMENTS else ""


def _of_table(piece: Evidence, number: int) -> str:
    """The caption over a row's table, or the sentence that leads in the table, "" for neither."""
    blocks = piece.hit.chunk.blocks
    start = next(i for i, b in enumerate(blocks) if b.table == blocks[number - 1].table)
    for block in reversed(blocks[max(0, start - 2) : start]):
        if leads_in(block) or (block.kind == "caption" and not block.text.startswith("(")):
            return block.text if len(block.text) <= _LONGEST_LEAD else ""
    return ""


def _row_quote(piece: Evidence, number: int, table: Table, around: _Around) -> list[Quote]:
    block = piece.hit.chunk.blocks[number - 1]
    read = table.row(block.index)
    if read is None or read.block != block.index:
        return []
    row = quoted(table, read)
    if _is_contents(row):
        return []
    headers = " ".join([row.corner, *(entry.header for entry in row.entries)])
    context = around.context | frozenset(content_words(f"{headers} {table.caption}"))
    spoken = tuple(words(block.text))
    also = [stem for name in other_names(row.label) for stem in name]
    stems = (*content_stems(spoken), *also)
    whole = around._replace(context=context)
    quote = Quote(piece, number, number, block.text, spoken, stems, *whole)
    return [replace(quote, row=row, paragraph=number)]


def _sentence_quotes(piece: Evidence, first: int, last: int, around: _Around) -> Iterable[Quote]:
    blocks = piece.hit.chunk.blocks
    text, starts = run_on(blocks[first - 1 : last])
    whole = blocks[first - 1].kind == "list" and len(text) <= _LONGEST_ITEM
    for start, end in [(0, len(text))] if whole else with_titles(text, sentences(text)):
        start += sign_at(text[start:end])
        inside = [i for i, at in enumerate(starts) if at < end]
        opening = max(i for i in inside if starts[i] <= start)
        sentence = text[start:end]
        if says_only_when(sentence) or is_scrap(sentence):
            continue
        spoken = tuple(words(sentence))
        stems = tuple(content_stems(spoken))
        place = (first + opening, first + inside[-1])
        quote = Quote(piece, *place, sentence, spoken, stems, *around)
        yield replace(quote, paragraph=first)


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


def leads_in(block: Block) -> bool:
    """Whether a sentence only says what the table or list after it is of."""
    return not block.table and block.text.rstrip().endswith(":")
