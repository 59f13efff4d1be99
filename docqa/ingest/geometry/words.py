"""Words on a page and the lines they make: the small nouns the geometry is built from."""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median
from typing import TypeVar

from docqa.ingest.geometry.text import RAISED, is_right_to_left
from docqa.types.document import Box

NUMBER = re.compile(
    r"^[($€£¥]*\s*[-–—−+]?\s*[$€£¥]?\s*\(?\s*\d[\d,.\s]*\)?\s*%?\)?[xX]?"
    # As banks print what is overdrawn, a credit or a debit, and ledgers what is below zero.
    r"(\s*(bps|pts?|million|billion|(?-i:OD|[CD][Rr]))|((?<=\.\d\d)|(?<=,\d\d\d))[-−])?"
    r"(\s*\(\w\)|[*†‡]|[,⁰¹²³⁴-⁹])*$"
    r"|^\$?\s*\(?[-–—−]+\)?\s*%?$|^n/?[am]$|^nm$",
    re.IGNORECASE,
)
MARKER = re.compile(
    r"^(?:[•·▪‣◦●○■□❑➢➤✓✔*]|[–—-](?=\s|$)|\(?\d{1,2}[.)](?=\s|$)|\(?[a-zA-Z][.)](?=\s|$)"
    r"|\((?:[ivx]{1,5}|\d{1,2}|[a-zA-Z]{1,2})\)(?=\s|$))"
)
NOTE_MARK = re.compile(r"\d{1,2}(?:,\d{1,2})*")
SMALLER, HIGHER = 0.85, 0.2  # of the letter before it: type that is a mark set above the line
_DOT = re.compile(r"[.…·]")
_DOTS = re.compile(r"[.…·]+")
_LEADER = re.compile(r"(\.{4,}|…{2,})")
BLANK = 0.12  # of the height: set capitals stand .13 apart, letters of a word under .06
PARTED = 0.9  # of the height: words further apart are of two lines
LOWEST = 4.0  # points: lower type parts like type of this height
FEWEST_DOTS = 5  # on a line: fewer are an ellipsis, or full stops
_OPENER = re.compile(r"(?<=[$€£¥(])\s+(?=[$€£¥(\d.–—-])")
_CLOSER = re.compile(r"(?<=[\d–—)-])\s+(?=[)%])")
LESSER = 0.92  # of an initial's height: small capitals
WIDE = 0.4  # of the height: the letters of a title set apart are nearer
FEWEST_PIECES = 3
_TYPED_APART = re.compile(r"(?:[A-Z] ){4,}[A-Z]? ?[:.]?")
_FRACTIONS = {
    unicodedata.normalize("NFKC", sign).replace("\u2044", "/"): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
}
BULLET = re.compile(r"^(?:[•·▪‣◦●○■□❑➢➤✓✔*o]|[–—-])(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as drawn: its box is in points from the top left of the page.

    ``turn`` is how it reads: 0 to the right, 1 upwards, 2 upside down, 3 downwards. ``ground`` is
    the colour that it stands on, "" for white.
    """

    text: str
    box: Box
    font: str = ""
    bold: bool = False
    italic: bool = False
    mono: bool = False
    ocr: bool = False
    turn: int = 0
    ground: str = ""

    @property
    def height(self) -> float:
        return self.box.bottom - self.box.top


@dataclass(frozen=True, slots=True)
class Line:
    """Words side by side on one baseline. ``size`` is the height of most of its letters."""

    words: tuple[Word, ...]
    text: str
    box: Box
    size: float
    font: str = ""
    bold: bool = False
    mono: bool = False

    @property
    def width(self) -> float:
        return self.box.right - self.box.left

    @property
    def word_count(self) -> int:
        return len(self.text.split())

    @property
    def is_number(self) -> bool:
        return NUMBER.match(self.text) is not None

    def without_words(self) -> "Line":
        return replace(self, words=())


Placed = TypeVar("Placed", Word, Line)
Item = TypeVar("Item")


def in_runs(
    items: Iterable[Item], begins: Callable[[list[Item], Item], bool], *, open_runs: int = 1
) -> list[list[Item]]:
    """Items in runs; another one where, by the run so far, an item ``begins`` it.

    Of several ``open_runs`` an item goes on the latest that it can.

    >>> in_runs([1, 2, 5, 6, 9], lambda run, item: item - run[-1] > 2)
    [[1, 2], [5, 6], [9]]
    """
    runs: list[list[Item]] = []
    for item in items:
        for run in runs[: -open_runs - 1 : -1]:
            if not begins(run, item):
                run.append(item)
                break
        else:
            runs.append([item])
    return runs


def without(items: Iterable[Placed], others: Iterable[Placed]) -> list[Placed]:
    """The words or lines that are not among others."""
    left_out = set(map(id, others))
    return [item for item in items if id(item) not in left_out]


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box around some (at least one)."""
    given = list(boxes)
    if len(given) == 1:
        return given[0]
    return Box(
        min([box.left for box in given]),
        min([box.top for box in given]),
        max([box.right for box in given]),
        max([box.bottom for box in given]),
    )


def middle(box: Box) -> float:
    """Half-way between its sides, in points from the left of the page."""
    return (box.left + box.right) / 2


def area(box: Box) -> float:
    """In square points; nothing where a side is missing."""
    return max(box.right - box.left, 0.0) * max(box.bottom - box.top, 0.0)


def across(one: Box, other: Box) -> float:
    """How far two boxes lie over one another, in points; negative where they are apart."""
    return min(one.right, other.right) - max(one.left, other.left)


def shared_box(one: Box, other: Box) -> Box:
    """What two boxes have in common; its sides are the wrong way round where they are apart."""
    return Box(
        max(one.left, other.left),
        max(one.top, other.top),
        min(one.right, other.right),
        min(one.bottom, other.bottom),
    )


def share_of(box: Box, other: Box) -> float:
    """How much of a box lies in another; of one without area, whether its middle does."""
    if area(box) <= 0:
        return float(is_amid(box, other))
    return area(shared_box(box, other)) / area(box)


def is_amid(box: Box, outer: Box) -> bool:
    """Whether a box has its middle in another; of two that meet, in the one after their border."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return outer.left <= x < outer.right and outer.top <= y < outer.bottom


def meet(one: Box, other: Box, *, margin: float = 0.0) -> bool:
    """Whether boxes have points in common, or are less than a ``margin`` apart."""
    return (
        one.left < other.right + margin
        and one.right > other.left - margin
        and one.top < other.bottom + margin
        and one.bottom > other.top - margin
    )


def turned(box: Box, turn: int, width: float, height: float) -> Box:
    """A box of a page as it lies when the page is turned so that words of ``turn`` read upright.

    ``width`` and ``height`` are the page's before it is turned.
    """
    if turn == 1:
        return Box(height - box.bottom, box.left, height - box.top, box.right)
    if turn == 2:
        return Box(width - box.right, height - box.bottom, width - box.left, height - box.top)
    if turn == 3:
        return Box(box.top, width - box.right, box.bottom, width - box.left)
    return box


def line_of(words: Sequence[Word]) -> Line:
    """Words (one or more, left to right) as a line; bold when four letters in five are."""
    lengths = [len(word.text) for word in words]
    longest, most = words[lengths.index(max(lengths))], 0.8 * sum(lengths)
    bolds = sum([len(word.text) for word in words if word.bold])
    bold = bolds > most
    return Line(
        words=tuple(words),
        text=joined(words),
        box=around([word.box for word in words]),
        size=longest.height if bold or not bolds else min(longest.height, _height_of_most(words)),
        font=typeface(of_most_letters(words, lambda word: word.font)),
        bold=bold,
        mono=sum([len(word.text) for word in words if word.mono]) > most,
    )


@lru_cache(maxsize=4096)
def typeface(font: str) -> str:
    """What a font is called in whatever way a file writes its name.

    >>> [typeface(each) for each in ("Times New Roman,Bold", "TimesNewRomanPS-BoldMT", "Arial MT")]
    ['timesnewromanbold', 'timesnewromanbold', 'arial']
    """
    return re.sub(r"[\W_]|PS|MT\b", "", font).casefold()


def of_most_letters(words: Iterable[Word], trait: Callable[[Word], Item]) -> Item:
    """What most letters of words (one or more) have; of equals the first."""
    letters = Counter[Item]()
    for word in words:
        letters[trait(word)] += len(word.text)
    return letters.most_common(1)[0][0]


def _height_of_most(words: Sequence[Word]) -> float:
    """The median height of the letters; the boxes of bold ones may be higher at the same size."""
    heights = sorted((word.height, len(word.text)) for word in words)
    reached = list(itertools.accumulate(count for _, count in heights))
    return next(h for (h, _), n in zip(heights, reached, strict=True) if 2 * n >= reached[-1])


def joined(words: Sequence[Word]) -> str:
    """The text of words on one baseline: a space only where there is a visible gap.

    Small figures set above the line are written as such ("1,234³", "Income²").
    """
    text = words[0].text
    if len(words) == 1:
        return text.strip()
    if is_right_to_left("".join([word.text for word in words])):
        return " ".join(word.text for word in sorted(words, key=lambda word: -word.box.right))
    base, together = words[0], _set_apart(words)
    for at, (before, word) in enumerate(itertools.pairwise(words), start=1):
        gap = word.box.left - before.box.right
        small = word.text[:1].isdecimal() and gap < BLANK * base.height and _is_raised(word, base)
        if small:
            text += _FRACTIONS.get(word.text) or word.text.translate(RAISED)
            continue
        base = word
        wide = gap > BLANK * word.height or gap > BLANK * before.height
        apart = word.ocr or (wide and gap > BLANK and at not in together)
        text += f" {word.text}" if apart else word.text
    return text.strip()


def _set_apart(words: Sequence[Word]) -> set[int]:
    """The places of words that are letters of the word before, set apart as in titles.

    They are four pieces or more of one or two letters ("R ec i t a l s"), or a piece of capitals
    much nearer than words are ("LIQUIDI TY"), or small capitals ("R ESORTS"), or all capitals of
    a line that is typed so ("R E C I T A L S").
    """
    if not any(len(word.text) == 1 or word.text.isupper() for word in words):
        return set()
    gaps = [two.box.left - one.box.right for one, two in itertools.pairwise(words)]
    usual = median(gaps) if len(gaps) > 1 else 0.0
    if _TYPED_APART.fullmatch(" ".join(word.text for word in words)):
        return {at for at, gap in enumerate(gaps, start=1) if gap < 1.5 * usual}
    return {
        at
        for at, (gap, one, two) in enumerate(zip(gaps, words, words[1:], strict=False), start=1)
        if one.text.isupper() and two.text.isupper() and _goes_on(one, two, gap, usual)
    } | set(_spelt_out(words))


def _goes_on(one: Word, two: Word, gap: float, usual: float) -> bool:
    """Whether capitals go on those before, by their size or by how near they are."""
    if not one.text.isalpha() or not two.text[0].isalpha():
        return False
    small = len(one.text) == 1 and two.height < LESSER * one.height and len(two.text) > 1
    return (small and gap < WIDE * one.height) or gap < min(usual / 2, WIDE / 2 * one.height)


def _spelt_out(words: Sequence[Word]) -> Iterator[int]:
    """The places of words that go on a run of single letters and pairs, with like gaps between."""
    for run in in_runs(enumerate(words), lambda run, at: not _are_pieces(run[-1][1], at[1])):
        single = [w for _, w in run if len(w.text) == 1 and w.text not in "aAI"]
        if len(run) > FEWEST_PIECES and len(single) >= FEWEST_PIECES:
            yield from (at for at, _ in run[1:])


def _are_pieces(before: Word, word: Word) -> bool:
    gap = word.box.left - before.box.right
    alike = BLANK / 2 * word.height < gap < WIDE * word.height
    return alike and all(len(each.text) <= 2 and each.text.isalpha() for each in (before, word))


def _is_raised(word: Word, base: Word) -> bool:
    """Whether a word of figures is the mark of a note, or an exponent, at the word before it.

    Written like the rest it would make another number of a figure: 1,234³ is not 1,2343.
    """
    if word.ocr or word.height > SMALLER * base.height:
        return False
    if not NOTE_MARK.fullmatch(word.text) and word.text not in _FRACTIONS:
        return False
    return base.box.bottom - word.box.bottom > HIGHER * base.height


def cell_text(text: str) -> str:
    """A cell's text with currency signs and brackets standing at their number.

    >>> cell_text("$ ( 1,250 ) %")
    '$(1,250)%'
    """
    return _CLOSER.sub("", _OPENER.sub("", text))


def rows_of(items: Iterable[Placed]) -> list[list[Placed]]:
    """Words or lines grouped into visual rows, top to bottom, each left to right.

    One joins a row when half of the lesser height overlaps.
    """
    ordered = sorted(items, key=lambda item: (item.box.top + item.box.bottom, item.box.left))
    rows = in_runs(ordered, lambda row, item: not _same_row(row[0].box, item.box), open_runs=5)
    for row in rows:
        row.sort(key=lambda item: item.box.left)
    return sorted(rows, key=lambda row: min([item.box.top for item in row]))


def _same_row(one: Box, other: Box) -> bool:
    top, bottom, upper, lower = one.top, one.bottom, other.top, other.bottom
    overlap = (bottom if bottom < lower else lower) - (top if top > upper else upper)
    return overlap > 0.5 and overlap > 0.5 * min(bottom - top, lower - upper)


def segments(words: Iterable[Word], *, walls: Sequence[Box] = ()) -> list[Line]:
    """Words as lines, parted where a gap exceeds `PARTED` times their height or a wall stands.

    ``walls`` are upright rules. Dot leaders part lines too and are left out: they are drawing.
    """
    written, leaders = without_leaders(words)
    walls = [*walls, *leaders]
    return [part for row in rows_of(written) for part in _row_in_segments(row, walls)]


def _row_in_segments(row: Sequence[Word], walls: Sequence[Box]) -> list[Line]:
    top, bottom = min([word.box.top for word in row]), max([word.box.bottom for word in row])
    beside = [wall for wall in walls if wall.top <= bottom and wall.bottom >= top]
    runs = in_runs(row, lambda run, word: _parted(run[-1], word, beside))
    return [line_of(run) for run in runs]


def parts_of(line: Line, ends: Callable[[Word, Word], bool]) -> list[Line]:
    """A line parted wherever, of two neighbours among its words, a part ``ends`` with the first."""
    runs = in_runs(line.words, lambda run, word: ends(run[-1], word))
    return [line_of(run) for run in runs] if len(runs) > 1 else [line]


def one_line(parts: Sequence[Line]) -> Line:
    """Lines side by side (one or more, left to right) as one."""
    return parts[0] if len(parts) == 1 else line_of([w for part in parts for w in part.words])


def without_leaders(words: Iterable[Word]) -> tuple[list[Word], list[Box]]:
    """Words without the dots that lead from a title to its page, and where those dots were."""
    written: list[Word] = []
    dotted: list[Word] = []
    for word in words:
        if not _DOT.search(word.text):
            written.append(word)
            continue
        for part in _around_leader(word):
            (dotted if _DOTS.fullmatch(part.text) else written).append(part)
    leaders: list[Box] = []
    for row in rows_of(dotted):
        if sum(len(dots.text) for dots in row) < FEWEST_DOTS:
            written += row
        else:
            leaders += [replace(d.box, left=middle(d.box), right=middle(d.box)) for d in row]
    return written, leaders


def _around_leader(word: Word) -> list[Word]:
    """A word such as "Notices......vii" in its parts, each with its share of the box."""
    if "...." not in word.text and "…" not in word.text:
        return [word]
    parts = [part for part in _LEADER.split(word.text) if part]
    width = (word.box.right - word.box.left) / len(word.text)
    split: list[Word] = []
    left = word.box.left
    for part in parts:
        box = replace(word.box, left=left, right=left + width * len(part))
        split.append(replace(word, text=part, box=box))
        left = box.right
    return split


def _parted(before: Word, word: Word, walls: Sequence[Box]) -> bool:
    apart = word.box.left - before.box.right
    if apart > PARTED * LOWEST and (apart > PARTED * word.height or apart > PARTED * before.height):
        return True
    if not walls:
        return False
    amid = (word.box.top + word.box.bottom) / 2
    return any(
        before.box.right - 1 <= wall.left <= word.box.left + 1 and wall.top <= amid <= wall.bottom
        for wall in walls
    )
