"""Where the figures of the evidence stand: row, column, period, unit, scale and document."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docqa.answer.check.links import link_periods
from docqa.language.amounts import Amount, stated_amounts
from docqa.language.numbers import stated_scale
from docqa.language.periods import TimeScope, time_scope, years_in
from docqa.language.scales import is_of_sentences
from docqa.language.sentences import sentences
from docqa.types.answer import Evidence
from docqa.types.document import Block
from docqa.types.search import Hit
from docqa.types.table import Row, Table

_NO_MONEY = re.compile(
    r"\bper\b|ratio|percent|%|\bnumber of\b|\bcount\b|employees|headcount|\bstores\b|\brates?\b"
    r"|\bdays\b|\byears?\b(?! end)|multiple|\bshares\b|\bunits\b|\bper-share\b",
    re.IGNORECASE,
)
_PER_ONE = re.compile(r"\bper[ -](?:\w+ ){0,2}(?:share|unit)\b|\bEPS\b", re.IGNORECASE)
_EXCEPTED = re.compile(r"\bexcept\b[^)|]*", re.IGNORECASE)  # "in millions, except per share data"
_VALUE = re.compile(
    r"[$€£¥(\s−–-]*(?:[A-Z]{1,3}\$\s?)?\(?\d[\d,]*(?:\.\d+)?\s*\)?\s*(?:%|x|bps)?\s*\)?(?:\s?\(\w{1,2}\))*"
)
_EMPTY = frozenset(("-", "–", "—", "N/A", "n/a", "NM", "nm", "n.m.", "nil", "*", "$-", "$—", "$ -"))
_YEAR = re.compile(r"(?:FY|CY)?\s?'?(?:19|20)\d\d(?:\s?[A-Z]|\s?\(\w\))?")
_LONG = 110  # characters from which a line is prose and no label of the rows below it
_SAME_SIGN = "USD EUR GBP JPY"
MONEY = frozenset(_SAME_SIGN.split())


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


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table as it is read; ``cells`` with their heads, "" for one that is not known.

    ``units`` and ``scales`` are those of the cells where the document's own table gives them.
    """

    label: str
    cells: tuple[tuple[str, str], ...]
    table: int
    over: str = ""  # the caption and the labels of groups over it
    units: tuple[str, ...] = ()
    scales: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as it is read: its rows by the index of their block, and what stands around."""

    piece: Evidence
    lines: dict[int, Line]
    around: str
    scale: int  # stated outside its rows, 0 for none
    of_sentences: bool = False  # whether that says it is of sentences as well


def read_passage(piece: Evidence) -> Passage:
    """The passage with its tables read: from its cells, or its text where it has none."""
    chunk, document = piece.hit.chunk, piece.hit.document
    blocks = chunk.blocks
    over = " ".join((document.title, document.name, chunk.context, *chunk.headings))
    lines = _lines(blocks) | _lines_of_tables(piece.hit)
    loose = [block.text for place, block in enumerate(blocks) if place not in lines]
    named = [text for text in (*chunk.headings, *loose) if len(text) < 2 * _LONG]
    rows = [block.text for block in blocks if is_row(block)]
    stating = next((text for text in (*named, *rows) if stated_scale(text)[0] > 1), "")
    return Passage(
        piece, lines, over, stated_scale(stating)[0] if stating else 0, is_of_sentences(stating)
    )


def is_row(block: Block) -> bool:
    return bool(block.cells) or block.kind == "table" or " | " in block.text


def _lines(blocks: Sequence[Block]) -> dict[int, Line]:
    """The rows of the passage under their heads; a head after a row begins another table."""
    lines: dict[int, Line] = {}
    heads: list[_Cells] = []
    caption = group = ""
    table = number = 0
    ended = True
    for place, block in enumerate(blocks):
        row = _cells(block) if is_row(block) else ()
        if len(row) < 2:
            text = block.text.strip()
            if is_row(block) or (len(text) < _LONG and not text.endswith(".")):
                group = "" if is_row(block) and _says_scale(text) else text.strip(" :")
                heads = [*heads, row] if ended and row else heads
            else:
                caption, group, heads = text, "", [] if not ended else heads
            continue
        if block.column_header or _is_head(row):
            heads = [*heads, row] if ended or (block.column_header and not lines) else [row]
            group = "" if not ended else group
            ended = True
            continue
        if ended or number != block.table:
            table, ended, number = table + 1, False, block.table
        label, cells = _split(row)
        found = tuple(
            (cell.text, head)
            for cell, head in zip(cells, _heads_of(cells, row, heads), strict=True)
        )
        lines[place] = Line(
            label, found, table, " ".join(filter(None, (caption, group, _corner(heads, row))))
        )
    return lines


def _lines_of_tables(hit: Hit) -> dict[int, Line]:
    """The rows of the tables that come with a hit, as the document was read."""
    lines: dict[int, Line] = {}
    for place, block in enumerate(hit.chunk.blocks):
        table = hit.table_of(block)
        row = table.row(block.index) if table else None
        if table is None or row is None:
            continue
        columns = range(len(row.cells))
        lines[place] = Line(
            row.name,
            tuple((row.cells[n], _heading(table, row, n)) for n in columns),
            -table.number,  # apart from those that are read from text
            table.title,
            tuple(table.unit_of(row, n) for n in columns),
            tuple(table.scale_of(row, n) for n in columns),
        )
    return lines


def _heading(table: Table, row: Row, column: int) -> str:
    """A column's heading, with its period where it is not named in it."""
    heading, period = table.columns[column].heading, table.period_of(row, column)
    named = not period.year or str(period.year) in heading
    return heading if named else f"{heading} {period.text or period.year}"


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    first: int  # column, from 0; the place among the cells where columns are not known
    last: int


_Cells = tuple[_Cell, ...]


def _cells(block: Block) -> _Cells:
    if block.cells:
        return tuple(
            _Cell(cell.text.strip(), cell.column, cell.column + cell.span - 1)
            for cell in _joined(block)
        )
    return tuple(
        _Cell(text.strip(), -place - 1, -place - 1)
        for place, text in enumerate(block.text.split(" | "))
    )


def _joined(block: Block) -> Iterator["_Printed"]:
    """The cells that hold something, a lone currency sign before its number, a lone ")" after."""
    waiting = ""
    kept: list[_Printed] = []
    for cell in block.cells:
        text = cell.text.strip()
        if re.fullmatch(r"[$€£¥]\s*\(?", text):
            waiting = text
        elif text and kept and re.fullmatch(r"\)?\s*%?\s*\)?", text):
            kept[-1] = replace(kept[-1], text=kept[-1].text + text)
        elif text:
            kept.append(_Printed(waiting + text, cell.column, cell.span))
            waiting = ""
    return iter(kept)


@dataclass(frozen=True, slots=True)
class _Printed:
    text: str
    column: int
    span: int


def _is_head(row: _Cells) -> bool:
    """Whether a row has no figure beside its label, only names of columns and periods."""
    beside = row[1:] if len(row) > 1 else row
    return not any(_is_value(cell.text) for cell in beside)


def _is_value(text: str) -> bool:
    return text in _EMPTY or (_VALUE.fullmatch(text) is not None and not _YEAR.fullmatch(text))


def _says_scale(text: str) -> bool:
    return stated_scale(text)[0] > 1


def _split(row: _Cells) -> tuple[str, _Cells]:
    """A row's label and its other cells; the first cell is the label, a year's too."""
    return ("", row) if _is_value(row[0].text) else (row[0].text, row[1:])


def _heads_of(cells: _Cells, row: _Cells, heads: Sequence[_Cells]) -> list[str]:
    """The head over each cell, all heads in one line; "" where it cannot be told."""
    over: list[list[str]] = [[] for _ in cells]
    for head in heads:
        for place, text in enumerate(_over(cells, row, head)):
            if text and text not in over[place]:
                over[place].append(text)
    return [" ".join(texts) for texts in over]


def _over(cells: _Cells, row: _Cells, head: _Cells) -> list[str]:
    """One head row's names over the cells: by columns, else where the numbers of cells agree."""
    if row[0].first >= 0 and head[0].first >= 0:
        return [
            " ".join(h.text for h in head if h.first <= cell.last and cell.first <= h.last)
            for cell in cells
        ]
    names = [cell.text for cell in head]
    if len(names) == len(row) and not _dated(names[0]):
        names = names[1:]
    if len(names) == len(cells):
        return names
    for own in (names, names[1:]):
        if own and len(cells) > len(own) > 1 and len(cells) % len(own) == 0 and _only_when(own):
            width = len(cells) // len(own)
            return [own[place // width] for place in range(len(cells))]
    return [names[0]] * len(cells) if len(names) == 1 else [""] * len(cells)


def _dated(text: str) -> bool:
    return bool(years_in(text))


def _only_when(names: Sequence[str]) -> bool:
    """Whether the names are periods, which span the columns under them evenly."""
    return all(scope.years or scope.lengths for scope in map(time_scope, names))


def _corner(heads: Sequence[_Cells], row: _Cells) -> str:
    """What the heads say over the labels, where they do."""
    return " ".join(h[0].text for h in heads if len(h) == len(row) and not _dated(h[0].text))


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


def _of_row(passage: Passage, number: int, line: Line, scale: int) -> Iterator[Place]:
    block = passage.piece.hit.chunk.blocks[number]
    own = f"{line.label} {line.over}"
    same = [each for each in passage.lines.values() if each.table == line.table]
    rows = tuple(each.label for each in same if each is not line)
    heads = tuple(head for _, head in line.cells)
    for place, (text, head) in enumerate(line.cells):
        period, certain = _period(line, head)
        for amount in stated_amounts(text, table=True):
            known = line.scales[place : place + 1] if not amount.scaled else (1,)
            factors = _factors(amount, line.label, head, own, passage.scale or scale)
            yield Place(
                _with_unit(amount, block.text, f"{line.label} {head}", *line.units[place:][:1]),
                _label(passage, number),
                passage.piece.hit.document.id, block.text, period, certain,
                known if known and known[0] > 1 else factors,
                f"{line.label}", head, f"{passage.piece.label}:{line.table}", rows, heads, place,
            )  # fmt: skip
    for amount in stated_amounts(line.label):
        yield Place(
            amount, _label(passage, number), passage.piece.hit.document.id, block.text,
            time_scope(block.text), False, row=line.label,
            table=f"{passage.piece.label}:{line.table}",
        )  # fmt: skip


def _period(line: Line, head: str) -> tuple[TimeScope, bool]:
    """The column's period, else the row's, else its group's or caption's."""
    for named in (head, line.label, line.over):
        scope = time_scope(named)
        if scope.years or (named == head and (scope.quarters or scope.lengths)):
            rest = time_scope(line.over) if named != line.over else scope
            lengths = scope.lengths or (rest.lengths if len(rest.lengths) == 1 else scope.lengths)
            return replace(scope, lengths=lengths), named is not line.over
    return TimeScope(), False


def _factors(amount: Amount, label: str, head: str, own: str, around: int) -> tuple[int, ...]:
    if amount.scaled or amount.unit not in ("", *MONEY):
        return (1,)
    stated = next((f for text in (label, head, own) if (f := stated_scale(text)[0]) > 1), around)
    if not stated:
        return ()
    if _PER_ONE.search(f"{label} {head}"):
        return (1,)
    if amount.step < 1 and _PER_ONE.search(_EXCEPTED.sub("", f"{own} {head}")):
        return (1, stated)
    return (stated, 1) if _NO_MONEY.search(f"{label} {head}") else (stated,)


def _with_unit(amount: Amount, row: str, named: str, unit: str = "") -> Amount:
    """The amount in its column's unit, where it bears none: a percentage where that says so."""
    if unit and not amount.unit:
        return replace(amount, unit=unit)
    among = "%" in row and "$" not in row and abs(amount.value) <= 100
    says_so = among or re.search(r"%|\bpercent", named, re.IGNORECASE)
    return replace(amount, unit="%") if says_so and not amount.unit else amount


def texts_of(passage: Passage) -> Iterable[str]:
    """Everything that stands in a passage or over it."""
    yield passage.around
    for block in passage.piece.hit.chunk.blocks:
        yield block.text
