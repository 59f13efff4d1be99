"""A document cut into what a redline compares: paragraphs, headings, numbered clauses, rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docqa.types import Block

_NUMBER = re.compile(
    r"^[\s•·–-]{0,3}(?P<number>\d{1,3}(?:\.\d{1,3})+|[A-Z]\d{0,2}(?:\.\d{1,3})+|\d{1,3}(?=[.)]\s)"
    r"|\([a-z]{1,4}\)|(?:section|article|clause|schedule|exhibit)\s+[\dA-Z][\d.]*)\.?\)?(?=\s|$|:)",
    re.IGNORECASE,
)
_CLOSED = (".", ";", ":", "!", "?")
_WORDS = re.compile(r"[^\W\d_]{2,}")


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
        return (
            f"{self.words} | {self.marks}"
            if self.marks and self.words
            else self.words or self.marks
        )

    def followed_by(self, unit: "Unit") -> "Unit":
        """Both as one."""
        words = " ".join(filter(None, (self.words, unit.words)))
        marks = " ".join(filter(None, (self.marks, unit.marks)))
        return Unit(self.number, words, marks, (*self.blocks, *unit.blocks))


def units_of(blocks: Sequence[Block]) -> list[Unit]:
    """The units of a document in reading order; running headers, footers and pictures are none.

    A clause that runs on into further blocks, table lines or the next page is one unit. Rows that
    only name the columns are left out, as they are repeated on each page.
    """
    groups: list[list[Block]] = []
    for block in blocks:
        if _left_out(block):
            continue
        if groups and _carries_on(groups[-1], block):
            groups[-1].append(block)
        else:
            groups.append([block])
    return [_unit(group) for group in groups]


def _left_out(block: Block) -> bool:
    names_columns = block.column_header and not number_of(block.text)
    return block.kind in ("header", "footer", "picture") or names_columns or not block.text.strip()


def number_of(text: str) -> str:
    """The number that a clause begins with.

    >>> [number_of(t) for t in ("4.2 Rent", "(b) the Tenant", "Section 3. Term", "12 months")]
    ['4.2', '(b)', 'section 3', '']
    """
    match = _NUMBER.match(text)
    return match["number"].lower().rstrip(".") if match else ""


def _carries_on(group: Sequence[Block], block: Block) -> bool:
    """Whether a block belongs to the unit before it."""
    first, before = group[0], group[-1]
    if "heading" in (first.kind, block.kind) or number_of(block.text):
        return False
    if block.continues:
        return True
    numbered = bool(number_of(first.text))
    if not _WORDS.search(block.text):
        return numbered and not block.table and len(block.text) < 40
    if block.table and block.table == before.table:
        return numbered and bool(block.cells) and block.cells[0].column > first.cells[0].column
    closed = _words_and_marks(before)[0].rstrip("\"'”’)]").endswith(_CLOSED)
    small = block.text.lstrip()[:1].islower()
    same_kind = bool(block.table) == bool(before.table) or numbered
    return not closed and same_kind and not block.table and (small or _is_row(before, first))


def _is_row(before: Block, first: Block) -> bool:
    """Whether the unit so far is a numbered row: what follows it, unfinished, is its rest."""
    return bool(before.table and number_of(first.text))


def _unit(group: Sequence[Block]) -> Unit:
    parts = [_words_and_marks(block) for block in group]
    if not parts[0][0]:
        parts[0] = parts[0][1], ""
    words = " ".join(text for text, _ in parts if text)
    marks = " ".join(text for _, text in parts if text)
    return Unit(number_of(group[0].text), words, marks, tuple(group))


def _words_and_marks(block: Block) -> tuple[str, str]:
    """A block's text; of a row the cells with words apart from those of marks and numbers."""
    if not block.cells:
        return (block.text, "") if _WORDS.search(block.text) else ("", block.text)
    cells = [cell.text.strip() for cell in block.cells if cell.text.strip()]
    worded = [text for place, text in enumerate(cells) if _is_worded(text, place)]
    marks = [text for place, text in enumerate(cells) if not _is_worded(text, place)]
    return " ".join(worded), " ".join(marks)


def _is_worded(cell: str, place: int) -> bool:
    return _WORDS.search(cell) is not None or (place == 0 and bool(number_of(cell)))


def comparable(text: str) -> list[str]:
    """The words, numbers and signs of a text, with the differences of printing taken out.

    >>> comparable("The  “fee” is $5,000 — payable")
    ['The', '"fee"', 'is', '$5,000', '-', 'payable']
    """
    return [_plain(word) for word in text.split()]


_PLAIN = str.maketrans({**dict.fromkeys("“”„", '"'), **dict.fromkeys("‘’", "'")}) | str.maketrans(
    dict.fromkeys("–—−‐‑", "-")
)


def _plain(word: str) -> str:
    return word.translate(_PLAIN)


def shingles(units: Sequence[Unit], *, size: int = 5) -> frozenset[tuple[str, ...]]:
    """Every run of ``size`` words within a unit, in small letters (Broder 1997)."""
    return frozenset(run for unit in units for run in _runs(unit.words.lower(), size))


def _runs(text: str, size: int) -> Iterator[tuple[str, ...]]:
    words = comparable(text)
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def likeness(first: Sequence[Unit], second: Sequence[Unit]) -> float:
    """Shared shingles over those of the smaller document, 0–1; 0 where either has none."""
    one, other = shingles(first), shingles(second)
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
