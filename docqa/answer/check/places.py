"""Where the figures of the evidence stand: row, column, period, unit, scale and document."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from docqa.answer.check.links import link_periods
from docqa.language.amounts import Amount, stated_amounts
from docqa.language.numbers import stated_scale
from docqa.language.periods import TimeScope, time_scope
from docqa.language.scales import is_of_sentences
from docqa.language.sentences import sentences
from docqa.types.answer import Evidence
from docqa.types.document import Block
from docqa.types.search import Hit
from docqa.types.table import SUBTOTAL, Row, Table

_LONG = 110  # characters from which a line is prose and no label of the rows below it
MONEY = frozenset(("USD", "EUR", "GBP", "JPY"))


@dataclass(frozen=True, slots=True)
class Place:
    """A figure where it stands.

    ``amount`` is as printed, its own scale word applied; ``factors`` what it may be multiplied by
    to be its value, the stated scale first, none where no scale is stated anywhere. ``row`` and
    ``head`` name its row and column, "" in prose and where they are not known; ``rows`` and
    ``heads`` are those beside it in its table. ``text`` is its row or sentence. ``certain`` says
    that ``period`` is its own rather than all that are named around it.
    """

    amount: Amount
    label: str
    document: str
    text: str
    period: TimeScope
    certain: bool
    factors: tuple[int, ...] = (1,)
    row: str = ""
    head: str = ""
    table: str = ""
    rows: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    column: int = -1

    @property
    def in_table(self) -> bool:
        return bool(self.table)


class ReadCell(NamedTuple):
    """A cell with the head of its column, its unit, and the scale of what is printed; "" and 0
    where they are not known."""

    text: str
    head: str = ""
    unit: str = ""
    scale: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table as it is read; ``over`` are the caption and the labels of groups over it."""

    label: str
    cells: tuple[ReadCell, ...]
    table: int
    over: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as it is read: its rows by the index of their block, and what stands around."""

    piece: Evidence
    lines: dict[int, Line]
    around: str
    scale: int  # stated outside its rows, 0 for none
    of_sentences: bool = False  # whether that says it is of sentences as well


def read_passage(piece: Evidence) -> Passage:
    """The passage with its rows as they stand in the document's tables."""
    chunk, document = piece.hit.chunk, piece.hit.document
    blocks = chunk.blocks
    over = " ".join((document.title, document.name, chunk.context, *chunk.headings))
    lines = _lines(piece.hit)
    loose = [block.text for place, block in enumerate(blocks) if place not in lines]
    named = [text for text in (*chunk.headings, *loose) if len(text) < 2 * _LONG]
    rows = [block.text for block in blocks if is_row(block)]
    stating = next((text for text in (*named, *rows) if stated_scale(text)[0] > 1), "")
    return Passage(
        piece, lines, over, stated_scale(stating)[0] if stating else 0, is_of_sentences(stating)
    )


def is_row(block: Block) -> bool:
    return bool(block.cells) or block.kind == "table" or " | " in block.text


def _lines(hit: Hit) -> dict[int, Line]:
    """The rows of a hit: of its tables as the document was read, and those that are of none."""
    lines: dict[int, Line] = {}
    for place, block in enumerate(hit.chunk.blocks):
        table = hit.table_of(block)
        row = table.row(block.index) if table else None
        if table and row and not row.is_group:
            lines[place] = _line(table, row)
        elif table is None and is_row(block):
            label, *cells = block.text.split(" | ")
            lines[place] = Line(label, tuple(map(ReadCell, cells)), 0)
    return lines


def _line(table: Table, row: Row) -> Line:
    scaled = any(column.scale > 1 for column in table.columns) or row.scale
    cells = tuple(
        ReadCell(
            text, _heading(table, row, at), table.unit_of(row, at),
            table.scale_of(row, at) if scaled else 0,
        )
        for at, text in enumerate(row.cells)
    )  # fmt: skip
    label = "" if row.label == SUBTOTAL else row.label
    over = " ".join((table.title, *row.path, *(c.period.text for c in table.columns[:1])))
    return Line(label, cells, table.number, over)


def _heading(table: Table, row: Row, column: int) -> str:
    """A column's heading, with its period where it is not named in it.

    The day that a list is of says nothing of its columns: a rent roll has other dates in it.
    """
    heading, period = table.columns[column].heading, table.period_of(row, column)
    of_list = period.months == 0 and len({each.period for each in table.columns}) == 1
    named = not period.year or str(period.year) in heading or (of_list and len(row.cells) > 1)
    return heading if named else f"{heading} {period.text or period.year}"


def places_of(
    passage: Passage, number: int, *, scale: int = 0, scale_of_sentences: int = 0
) -> tuple[Place, ...]:
    """The figures of one block of a passage (from 0); ``scale`` holds where it states none, that
    of sentences for what is money there."""
    line = passage.lines.get(number)
    if line is None:
        return tuple(_of_prose(passage, number, scale_of_sentences))
    return tuple(_of_row(passage, number, line, scale))


def _label(passage: Passage, number: int) -> str:
    return f"{passage.piece.label}.{number + 1}"


def _of_prose(passage: Passage, number: int, scale: int) -> Iterator[Place]:
    block = passage.piece.hit.chunk.blocks[number]
    document = passage.piece.hit.document.id
    for start, end in sentences(block.text):
        sentence = block.text[start:end]
        amounts = stated_amounts(sentence)
        for amount, (period, certain) in zip(amounts, link_periods(sentence, amounts), strict=True):
            bare = scale and amount.unit in MONEY and not amount.scaled and amount.step >= 1
            factors = (scale, 1) if bare else (1,)
            yield Place(
                amount, _label(passage, number), document, sentence, period, certain, factors
            )


def _of_row(passage: Passage, number: int, line: Line, around: int) -> Iterator[Place]:
    block, document = passage.piece.hit.chunk.blocks[number], passage.piece.hit.document.id
    same = [each for each in passage.lines.values() if each.table == line.table]
    rows = tuple(each.label for each in same if each is not line)
    heads = tuple(cell.head for cell in line.cells)
    for place, cell in enumerate(line.cells):
        period, certain = _period(line, cell.head)
        for amount in stated_amounts(cell.text, table=True):
            amount = amount if amount.unit else replace(amount, unit=cell.unit)
            yield Place(
                amount, _label(passage, number), document, block.text, period, certain,
                _factors(amount, cell.scale, passage.scale or around),
                line.label, cell.head, f"{passage.piece.label}:{line.table}", rows, heads, place,
            )  # fmt: skip
    for amount in stated_amounts(line.label):
        period = time_scope(block.text)
        yield Place(amount, _label(passage, number), document, block.text, period, False)


def _period(line: Line, head: str) -> tuple[TimeScope, bool]:
    """The column's period, else the row's, else its group's or caption's."""
    for named in (head, line.label, line.over):
        scope = time_scope(named)
        if scope.years or (named == head and (scope.quarters or scope.lengths)):
            rest = time_scope(line.over) if named != line.over else scope
            lengths = scope.lengths or (rest.lengths if len(rest.lengths) == 1 else scope.lengths)
            return replace(scope, lengths=lengths), named is not line.over
    return TimeScope(), False


def _factors(amount: Amount, scale: int, around: int) -> tuple[int, ...]:
    if amount.scaled or amount.unit not in ("", *MONEY):
        return (1,)
    return (scale,) if scale else (around, 1) if around else ()


def texts_of(passage: Passage) -> Iterable[str]:
    """Everything that stands in a passage or over it."""
    return (passage.around, *(block.text for block in passage.piece.hit.chunk.blocks))
