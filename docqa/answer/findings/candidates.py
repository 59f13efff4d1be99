"""Evidence cut into what may answer: rows of tables, sentences and list items, word for word."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from docqa.answer.evidence import cite
from docqa.answer.findings.footnotes import mark_of, noted
from docqa.answer.findings.line_items import also_called
from docqa.language.page_breaks import run_on
from docqa.language.periods import YEAR, says_only_when
from docqa.language.sentences import sentences
from docqa.types.answer import Evidence
from docqa.types.document import Block
from docqa.types.phrases import sign_at
from docqa.types.table import Column, Row, Table

_LONGEST_TITLE = 60  # characters
_LONGEST_LINE = 120
_EXPLAINED = 2  # lines that one in brackets is of
_TITLE_WORDS = 6
_TITLE_LONG = 4  # words of a title that nothing stands under, its number among them
_CELLS_SPOKEN = 5  # columns named in what is read of a row
_WORDS = re.compile(r"[^\W\d_]{3}")  # letters that are a word's
_YEARS = re.compile(rf"(?:\W*\b{YEAR}\b)+\W*")
_NUMBER = re.compile(r"(?:section\s+|article\s+)?(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s", re.IGNORECASE)
_ITEM = re.compile(
    r"(?:(?:Item|Line|Clause|Section|Part|No\.)\s+[\d.]{1,6}\s*[–—:.)-]?"
    r"|\((?:\d{1,2}|[a-z]{1,4})\)|\d{1,2}(?:\.\d{1,2}){0,3}[.)])\s+(?=[A-Z])"
)
_SAYS = re.compile(r"\b(?:shall|may|must|will|is|are|was|were|has|have|means|agrees?)\b", re.I)
_MOST_FIGURES = 15  # of a sentence
# What a sentence says first of what it is about: the term it defines, or a clause's own title.
_CALLED = re.compile(
    r"(?:\(?[\w.]{1,8}[).]?\s+)?"
    r"(?:[“\"‘]([^”\"’]{2,60})[”\"’]|([A-Z][^.:;]{2,60})(?:\.\s+[A-Z]|:\s+\S))"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of evidence that can be quoted: blocks ``first`` to ``last`` (from 1) of it.

    ``over`` are the headings and captions it stands under, outermost first. A row of a table has
    its ``table`` and ``row``.
    """

    piece: Evidence
    first: int
    last: int
    text: str
    over: tuple[str, ...] = ()
    table: Table | None = None
    row: Row | None = None
    paragraph: int = 0  # the number of its paragraph's first block, from 1
    place: int = 0  # of a sentence in its paragraph, from 0

    @property
    def spoken(self) -> str:
        """The candidate as it is read by itself: below its headings, a row with its columns."""
        return ". ".join((*self.over[-1:], self.text)) if self.row is None else self._row("")

    @property
    def called(self) -> str:
        """A row's label, or the title or defined term that a sentence begins with; "" else."""
        if self.row is not None:
            return unnumbered(self.row.label)
        found = _CALLED.match(self.text)
        return found[1] or found[2] if found else ""

    @property
    def words(self) -> tuple[str, ...]:
        """What a row's first cells say, "" of one that is a figure or blank; () of a sentence."""
        cells = self.row.cells[:_CELLS_SPOKEN] if self.row else ()
        return tuple(cell if _WORDS.search(cell) else "" for cell in cells)

    @property
    def renamed(self) -> tuple[str, ...]:
        """The same of a row by each other name of its line ("capital expenditures")."""
        return tuple(map(self._row, also_called(self.row.label))) if self.row else ()

    def crossed(self, columns: Sequence[int]) -> tuple[str, ...]:
        """The row as it is read with each of some columns alone, under each of their names."""
        heads = [self.table.columns[at].heading for at in columns] if self.table else []
        return tuple(self._row("", name) for head in heads for name in (head, *also_called(head)))

    def _row(self, name: str, head: str = "") -> str:
        assert self.table is not None
        assert self.row is not None
        title = unnumbered(self.table.title or next(iter(self.over[-1:]), ""))
        path = (title, *self.row.path)
        label = name or unnumbered(self.row.label)
        cells = head or self._cells(self.table.columns)
        return ". ".join(filter(None, (*path, f"{label}: {cells}" if cells else label)))

    def _cells(self, columns: Sequence[Column]) -> str:
        """An only cell as it is, whose heading ("Detail") says nothing but a time; else the
        columns with what is said in them, figures left out. A bare year is like any question
        that names it, and is left out too."""
        if self.row and len(columns) == 1 and not columns[0].period.year:
            only = self.row.cells[0]
            return "" if _YEARS.fullmatch(only) else only
        told = zip(columns, self.words, strict=False)
        return "; ".join(filter(None, (f"{each.heading} {words}".strip() for each, words in told)))

    @property
    def marker(self) -> str:
        return marker(self.piece, self.first, self.last)

    @property
    def key(self) -> tuple[str, int, int]:
        """What tells it from all others of an answer."""
        return self.piece.label, self.paragraph, self.place

    @property
    def block(self) -> Block:
        return self.piece.hit.chunk.blocks[self.first - 1]


def marker(piece: Evidence, first: int, last: int) -> str:
    """What cites blocks ``first`` to ``last`` (from 1) of a piece of evidence in an answer."""
    return f"[{cite(piece, first, last).label}]"


def unnumbered(label: str) -> str:
    """A row's label without the number of its item.

    >>> [unnumbered(label) for label in ("Item 5 – Term", "(b) Rent", "12 High Street")]
    ['Term', 'Rent', '12 High Street']
    """
    return _ITEM.sub("", label)


def candidates(evidence: Iterable[Evidence]) -> list[Candidate]:
    """Everything that may be quoted, in the order of the evidence."""
    return [each for piece in evidence for each in _of_piece(piece)]


def _of_piece(piece: Evidence) -> Iterator[Candidate]:
    blocks = piece.hit.chunk.blocks
    rows = {row.block: (table, row) for table in piece.hit.tables for row in table.rows}
    lead = {at for table in piece.hit.tables for at in table.lead}
    above = {at for table in piece.hit.tables for at in table.heads}
    # what leads to a table and is a sentence says something of its own
    above |= {b.index for b in blocks if b.index in lead and not b.text.rstrip().endswith(".")}
    over, notes = piece.hit.chunk.headings, noted(blocks)
    for first, last in _paragraphs(blocks):
        block, after = blocks[first - 1], next(iter(blocks[last:]), None)
        if block.index in rows and block.cells:
            table, row = rows[block.index]
            if not row.is_group and table.role != "contents":
                yield Candidate(piece, first, first, block.text, over, table, row, first)
        elif block.kind == "heading" or _is_title(block, after):
            over = (*piece.hit.chunk.headings[:-1], block.text)
        elif block.kind not in ("header", "footer", "picture") and block.index not in above:
            whose = notes.get(mark_of(block.text))
            under = (*over, whose) if whose else over
            yield from _of_paragraph(piece, _explained(blocks, first), last, under)


def _paragraphs(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Runs of blocks (from 1, both ends included) that are one paragraph."""
    runs: list[tuple[int, int]] = []
    for number, block in enumerate(blocks, start=1):
        if runs and (block.continues or _breaks_off(blocks[number - 2], block)):
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _breaks_off(before: Block, block: Block) -> bool:
    """Whether a sentence goes on from one block to the next though nothing marks it."""
    prose = before.kind in ("text", "list") and block.kind == "text"
    ends = before.text.rstrip().endswith((".", "!", "?", ":", ";", "”", '"', ")"))
    return prose and not ends and block.text[:1].islower()


def _explained(blocks: Sequence[Block], number: int) -> int:
    """Where the lines begin that a line in brackets explains, as on the cover of a form:
    "(Address of principal executive offices)"; or the line unchanged."""
    block, first = blocks[number - 1], number
    if not (block.text.startswith("(") and block.text.endswith(")")):
        return number
    for before in reversed(blocks[max(0, number - 1 - _EXPLAINED) : number - 1]):
        alike = before.kind == "text" and before.page == block.page and not before.cells
        if not alike or len(before.text) > _LONGEST_LINE or before.text.endswith(")"):
            break
        first -= 1
    return first


def _is_title(block: Block, after: Block | None) -> bool:
    """Whether a line is a clause's title that was not read as a heading ("4.2 Assignment."), and
    not an item of a list, which the next item follows at once."""
    text = block.text
    if len(block.cells) > 1 or len(text) > _LONGEST_TITLE or text.endswith(":"):
        return False
    last = after is None or after.kind == "heading"
    if _SAYS.search(text) or (last and len(text.split()) > _TITLE_LONG):
        return False  # "5.1 English law governs this Contract."
    if text.isupper():
        return True
    number, following = _NUMBER.match(text), _NUMBER.match(after.text if after else "")
    if not number or re.search(r"\d", text[number.end() :]):
        return False
    return not following or number[1].count(".") != following[1].count(".")


def _of_paragraph(
    piece: Evidence, first: int, last: int, over: tuple[str, ...]
) -> Iterator[Candidate]:
    text, starts = run_on(piece.hit.chunk.blocks[first - 1 : last])
    for place, (start, end) in enumerate(_with_titles(text, sentences(text))):
        start += sign_at(text[start:end])
        if _is_scrap(text[start:end]) or says_only_when(text[start:end]):
            continue
        inside = [at for at, begin in enumerate(starts) if begin < end]
        opening = max(at for at in inside if starts[at] <= start)
        numbers = first + opening, first + inside[-1]
        yield Candidate(piece, *numbers, text[start:end], over, paragraph=first, place=place)


def _is_scrap(text: str) -> bool:
    """Whether a text is a table's, without its rows, as of a file that is not yet read in full."""
    return len(re.findall(r"(?<![\w.,])[$€£(]*\d[\d,.]*", text)) > _MOST_FIGURES


def _with_titles(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences, one that only names the clause ("Insurance.") together with the next."""
    whole: list[tuple[int, int]] = []
    opening: int | None = None
    for number, (start, end) in enumerate(spans):
        begins = start if opening is None else opening
        named = len(text[start:end].split()) <= _TITLE_WORDS and end - start <= _LONGEST_TITLE
        if named and number + 1 < len(spans) and opening is None:
            opening = start
            continue
        whole.append((begins, end))
        opening = None
    return whole
