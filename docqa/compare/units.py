"""A document cut into what a redline compares: paragraphs, headings, numbered clauses, rows."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from docqa.types.document import Block

_NUMBER = re.compile(
    r"^[\s•·–-]{0,3}(?P<number>\d{1,3}(?:\.\d{1,3})+|[A-Z]\d{0,2}(?:\.\d{1,3})+|\d{1,3}(?=[.)]\s)"
    r"|\([a-z]{1,4}\)|(?:section|article|clause|schedule|exhibit)\s+[\dA-Z][\d.]*)\.?\)?(?=\s|$|:)",
    re.IGNORECASE,
)
_CLOSED = (".", ";", ":", "!", "?")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")  # within a word
_MARKS = 10**6  # the column of marks beside no row

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that may change: its words, the marks and numbers beside them, and its blocks.

    ``number`` is the clause's printed number ("4.2", "(b)"), "" where it has none.
    """

    number: str
    words: str
    marks: str
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        return " | ".join(filter(None, (self.words, self.marks)))

    def followed_by(self, unit: "Unit") -> "Unit":
        """Both as one."""
        words = " ".join(filter(None, (self.words, unit.words)))
        marks = " ".join(filter(None, (self.marks, unit.marks)))
        return Unit(self.number, words, marks, (*self.blocks, *unit.blocks))


def units_of(blocks: Sequence[Block]) -> list[Unit]:
    """The units of a document in reading order; running headers, footers and pictures are skipped.

    A clause that runs on into further blocks, table lines or the next page is one unit. Rows that
    only name the columns are left out, as they are repeated on each page.
    """
    groups: list[list[Block]] = []
    for block in blocks:
        if block.is_furniture or not block.text.strip():
            continue
        if groups and _carries_on(groups[-1], block):
            groups[-1].append(block)
        elif not block.column_header or number_of(block.text):
            groups.append([block])
    return [_unit(group) for group in groups]


def runs(items: Iterable[Item], joins: Callable[[list[Item], Item], bool]) -> list[list[Item]]:
    """The items in runs, as far as each joins the run before it."""
    found: list[list[Item]] = []
    for item in items:
        if found and joins(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def number_of(text: str) -> str:
    """The number that a clause begins with, as it is printed.

    >>> [number_of(t) for t in ("4.2 Rent", "(b) the Tenant", "Section 3. Term", "12 months")]
    ['4.2', '(b)', 'Section 3', '']
    """
    match = _NUMBER.match(text)
    return match["number"].rstrip(".") if match else ""


def unnumbered(text: str) -> str:
    """The text without the number that a clause begins with."""
    return _NUMBER.sub("", text)


def _carries_on(group: Sequence[Block], block: Block) -> bool:
    """Whether a block belongs to the unit before it."""
    first, before = group[0], group[-1]
    if "heading" in (first.kind, block.kind) or number_of(block.text):
        return False
    if block.continues:
        return True
    numbered = bool(number_of(first.text))
    if block.table:
        return numbered and _hangs_under(first, before, block)
    if not _WORDS.search(block.text):
        return numbered and len(block.text) < 40
    row = bool(before.table and numbered)  # what follows it, unfinished, is its rest
    small = block.text.lstrip()[:1].islower() and not before.table
    return (small or row) and not _closed(before)


def _hangs_under(first: Block, before: Block, block: Block) -> bool:
    """Whether a row is the rest of a numbered one: it has nothing in that one's first column.

    At the top of another table it is so where the unit so far is unfinished. Such a row may be
    taken for one that names columns.
    """
    inside = bool(first.cells) and _column(block) > _column(first)
    return inside and (block.table == before.table or not _closed(before))


def _column(block: Block) -> int:
    """The first column that a row has anything in, -1 for none."""
    return next((cell.column for cell in block.cells if cell.text.strip()), -1)


def _closed(block: Block) -> bool:
    worded = " ".join(_words_and_marks([block])[0]) if block.cells else block.text
    return worded.rstrip("\"'”’)]").endswith(_CLOSED)


def _unit(group: Sequence[Block]) -> Unit:
    words, marks = _words_and_marks(group)
    if not words:
        words, marks = marks[:1], marks[1:]
    return Unit(number_of(group[0].text), " ".join(words), " ".join(marks), tuple(group))


def _words_and_marks(group: Sequence[Block]) -> tuple[list[str], list[str]]:
    """The texts of a unit with words, and those of marks and numbers, each column of rows as one.

    What stands between the rows outside of any is the rest of the column with most of the words.
    """
    columns: dict[int, list[str]] = {}
    for block in group:
        for cell in block.cells:
            if cell.text.strip():
                columns.setdefault(cell.column, []).append(cell.text.strip())
        if not block.cells:
            columns.setdefault(_place(block.text, columns), []).append(block.text)
    texts = [" ".join(columns[column]) for column in sorted(columns)]
    worded = [_is_worded(text, place) for place, text in enumerate(texts)]
    return (
        [text for text, is_worded in zip(texts, worded, strict=True) if is_worded],
        [text for text, is_worded in zip(texts, worded, strict=True) if not is_worded],
    )


def _place(text: str, columns: Mapping[int, Sequence[str]]) -> int:
    """The column that a text outside of cells is put in: marks apart, after all others."""
    if not _WORDS.search(text):
        return _MARKS
    return max(columns, key=lambda column: sum(map(len, columns[column])), default=0)


def _is_worded(cell: str, place: int) -> bool:
    return _WORDS.search(cell) is not None or (place == 0 and bool(number_of(cell)))


def comparable(text: str) -> list[str]:
    """The words, numbers and signs of a text, with the differences of printing taken out.

    >>> comparable("1.2. The  “fee” for sub-tenants is $5,000 — payable")
    ['1.2', 'The', '"fee"', 'for', 'subtenants', 'is', '$5,000', '-', 'payable']
    """
    number = _NUMBER.match(text)
    at = number.end("number") if number else 0
    plain = text[:at] + (text[at:].lstrip(".):") if at else text)
    return _HYPHEN.sub("", plain.translate(_PLAIN)).split()


def letters_of(text: str) -> str:
    """Letters and digits alone, small: a text without its printing.

    >>> letters_of("1. Law & Courts")
    '1lawcourts'
    """
    return re.sub(r"[\W_]", "", text).casefold()


_PLAIN = str.maketrans("“”„‘’–—−‐‑", '"""\'\'-----')


def shingles(units: Sequence[Unit]) -> frozenset[tuple[str, ...]]:
    """Every run of 5 words within a unit, in small letters (Broder 1997)."""
    said = (comparable(unit.words.lower()) for unit in units)
    return frozenset(tuple(run[at : at + 5]) for run in said for at in range(len(run) - 4))


def likeness(first: Sequence[Unit], second: Sequence[Unit]) -> tuple[float, float]:
    """Shared shingles over those of the smaller and the larger document, 0–1; 0 without any."""
    one, other = shingles(first), shingles(second)
    smaller, larger = sorted((len(one), len(other)))
    shared = len(one & other)
    return (shared / smaller, shared / larger) if smaller else (0.0, 0.0)
