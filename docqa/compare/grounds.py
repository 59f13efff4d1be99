"""What holds for all figures of a table: its heads, its title, their currency and scale."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docqa.language.amounts import measured_amounts
from docqa.language.numbers import CURRENCY_WORDS, SCALES, stated_scale
from docqa.language.periods import read_period
from docqa.types.document import Block, Cell

NEARBY = 4  # blocks before a table in which its caption may stand
HEADED = 3  # blocks before what says how a section's figures are scaled that are its head too
LEADING = 3  # first rows that may be heads although they were not read as such
BRIEF = 160  # characters of a line that only says how a section's tables are scaled
_PAREN = re.compile(r"\(([^()]*)\)")
_SHARES = re.compile(r"shares,?\s[^()]{0,60}?in\s(thousand|million)s", re.IGNORECASE)
_OF_MONEY = re.compile(r"[$€£]|\b(?:dollar|euro|pound|yen)s?\b", re.IGNORECASE)
_STATEMENT = re.compile(
    r"\bbalance sheets?\b|\bincome statements?\b|\bprofit and loss\b|\bstatements? of (?:\w+ ){0,3}"
    r"(?:income|operations|earnings|financial (?:position|condition)|cash flows?|profit)",
    re.IGNORECASE,
)
# Statements and tables of a part of the group only, which are not the document's own.
_OF_A_PART = re.compile(
    r"\bparent(?: company)?(?: only)?\b|\bguarant(?:ee|or)s?\b|\bobligors?\b|\bconsolidating\b"
    r"|\bcombining\b|\bpro[ -]?forma\b|\bheld for sale\b|\bdiscontinued\b",
    re.IGNORECASE,
)
# A heading with which a section, and what was said at its head of its tables, is over.
_NEXT_PART = re.compile(
    r"\s*(?:item|part)\s+[\dIVX]|\s*(?:exhibits?|signatures?|report of)\b", re.I
)
# What a section's head says where the scale is of its sentences as well.
_OF_SENTENCES = re.compile(
    r"\bnotes to\b.{0,60}\bfinancial statements\b|\b(?:except|unless)\b.{0,20}\botherwise\b", re.I
)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a table says of all its figures: a currency ("" unknown) and the scale of money.

    Where only signs beside some of its numbers tell the currency, it holds for their ``columns``.
    """

    currency: str = ""
    scale: int = 1
    share_scale: int = 1
    columns: frozenset[int] = frozenset()  # where bare numbers are money; none means all


@dataclass(frozen=True, slots=True)
class Section:
    """What the head of a section says of the scale of its figures: 1 and "" for nothing.

    It is of the sentences too where it is ``for_all``: in notes to financial statements, and where
    it says that nothing else is meant unless told. Elsewhere it may be of tables alone.
    """

    scale: int = 1
    said: str = ""
    for_all: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table's ``heads`` and the rows under them, with what stands over it.

    ``title`` is the nearest heading; ``section`` what is said of the scale at its section's head.
    A table that goes on after lines without cells has the heads and the title of its beginning.
    """

    heads: tuple[Block, ...]
    body: tuple[Block, ...]
    before: tuple[Block, ...]
    title: str = ""
    section: Section = Section()

    @property
    def is_statement(self) -> bool:
        """Whether it is one of the document's own main statements, not of a part of its group."""
        titles = " ".join((self.title, *(row.text for row in self.heads)))
        return bool(_STATEMENT.search(titles)) and not _OF_A_PART.search(titles)

    @property
    def part(self) -> str:
        """The title of a table that is of a part of the group only, else ""."""
        return self.title if _OF_A_PART.search(self.title) else ""


def tables_of(blocks: Sequence[Block]) -> Iterator[Table]:
    """Every table with cells among a document's ``blocks``, in order."""
    last: Table | None = None
    title = ""
    sections = sections_over(blocks)
    place = 0
    while place < len(blocks):
        block = blocks[place]
        if not (block.table and block.cells):
            if block.kind == "heading":
                title, last = block.text, None
            place += 1
            continue
        rows = _rows_from(blocks, place)
        before = tuple(b for b in blocks[max(0, place - NEARBY) : place] if not b.table)
        table = _continued(Table(*_parted(rows), before, title, sections[place]), last)
        yield table
        last, place = table, place + len(rows)


def _rows_from(blocks: Sequence[Block], place: int) -> list[Block]:
    number = blocks[place].table
    rows: list[Block] = []
    for block in blocks[place:]:
        if block.table != number or not block.cells:
            break
        rows.append(block)
    return rows


def sections_over(blocks: Sequence[Block]) -> list[Section]:
    """What is said at the head of the section that each of a document's ``blocks`` stands in."""
    section = Section()
    over = []
    for place, block in enumerate(blocks):
        if block.kind == "heading" and _NEXT_PART.match(block.text):
            section = Section()
        if _says_for_all(blocks, place):
            head = " ".join(each.text for each in blocks[max(0, place - HEADED) : place + 1])
            scale, said = stated_scale(block.text)
            section = Section(scale, said, bool(_OF_SENTENCES.search(head)))
        over.append(section)
    return over


def _says_for_all(blocks: Sequence[Block], place: int) -> bool:
    """Whether a line that no table follows says how figures are scaled, as at a section's head."""
    block = blocks[place]
    if block.table or len(block.text) > BRIEF or stated_scale(block.text)[0] == 1:
        return False
    alone = block.kind in ("caption", "heading") or re.fullmatch(r"\(.*\)", block.text.strip())
    return bool(alone) and not any(each.table for each in blocks[place : place + 1 + NEARBY])


def _parted(rows: Sequence[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """The heads, read as such or first rows that are plainly so, and the rows under them."""
    heads = [row for row in rows if row.column_header]
    for row in rows[:LEADING] if not heads else ():
        if not _is_head(row):
            heads = [] if not any(read_period(head.text).year for head in heads) else heads
            break
        heads.append(row)
    return tuple(heads), tuple(row for row in rows if row not in heads)


def _is_head(row: Block) -> bool:
    """Whether a row only names columns: periods or note marks, under nothing or a scale."""
    first, *others = row.cells
    if first.column == 0 and not stated_scale(first.text)[0] > 1 and not _names_column(first.text):
        return False
    return all(_names_column(cell.text) for cell in others)


def _names_column(text: str) -> bool:
    plain = text.strip()
    return bool(re.fullmatch(r"\(\w{1,2}\)|(?:19|20)\d\d(?:\s*\(\w{1,2}\))?", plain)) or (
        bool(read_period(plain).month)
    )


def _continued(table: Table, last: Table | None) -> Table:
    """The table under the heads of the one before it, where it only goes on with it.

    It does on the same page, after lines and no heading, where it has no heads that name a period
    and says nothing of its scale, in the same columns.
    """
    if last is None or table.body[:1] == () or last.body[-1:] == ():
        return table
    named = any(read_period(head.text).year for head in table.heads)
    own = any(stated_scale(each.text)[0] > 1 for each in (*table.heads, *table.before))
    same_page = table.body[0].page == last.body[-1].page
    columns = {cell.column for row in last.body for cell in row.cells}
    if named or own or not same_page or not _columns(table) <= columns:
        return table
    return replace(table, heads=last.heads, before=last.before, title=last.title)


def _columns(table: Table) -> set[int]:
    return {cell.column for row in table.body for cell in row.cells}


def ground_of(table: Table) -> Ground:
    """The currency and scale that a table's heads, what stands before it or its section name."""
    around = [
        *(row.text for row in table.heads),
        *(block.text for block in reversed(table.before) if not block.table),
    ]
    currency = next((found for text in around if (found := currency_named(text))), "")
    signs = {} if currency else _signed_columns(table.body)
    scale, said = next((told for t in around if (told := stated_scale(t))[0] > 1), (1, ""))
    if scale == 1 and signs:
        scale, said = table.section.scale, table.section.said
    shares = next((match for text in around if (match := _SHARES.search(text))), None)
    of_shares = 1 if _OF_MONEY.search(said) else scale
    share_scale = SCALES[shares[1].lower()] if shares else of_shares
    currency = currency or next(iter(signs.values()), "")
    return Ground(currency, scale, share_scale, frozenset(signs))


def _signed_columns(rows: Sequence[Block]) -> dict[int, str]:
    """The columns in which some number carries a currency's sign, and that currency."""
    cells = (cell for row in rows for cell in joined(row.cells))
    found = ((cell.column, measured_amounts(cell.text)) for cell in cells)
    return {at: a[0].unit for at, a in found if a and len(a[0].unit) == 3 and a[0].start == 0}


def currency_named(text: str) -> str:
    """The currency that a caption, header or bracket names, or ""."""
    words = (name for word, name in CURRENCY_WORDS.items() if re.search(rf"\b{word}", text, re.I))
    signs = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
    bracketed = " ".join(_PAREN.findall(text))
    return next(words, next((name for sign, name in signs.items() if sign in bracketed), ""))


def joined(cells: Sequence[Cell]) -> list[Cell]:
    """The cells with something in them; a lone sign or bracket goes with its number."""
    whole: list[Cell] = []
    sign = ""
    for cell in cells:
        text = cell.text.strip()
        if re.fullmatch(r"(?:US)?[$€£¥]\s*\(?", text):
            sign = text
        elif whole and re.fullmatch(r"\)?\s*%?\s*\)?", text) and text:
            last = whole[-1]
            whole[-1] = Cell(last.text + text, last.column, last.span)
        elif text:
            whole.append(Cell(sign + text, cell.column, cell.span))
            sign = ""
    return whole
