"""Words as the page shows them: printed once, as tall as their type, with bullets for signs.

Some fonts give a word the box of its ink instead of that of its type, so that "as" is smaller
than "described". Sizes and rows cannot be told from those, so the type's size is worked out from
which letters the word has. Some pages print a word twice, a hair apart, to make it bold. And a
font of symbols without a map to letters has "∞" or "§" where the page shows a bullet.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from statistics import median

from docqa.ingest.geometry.words import MARKER, Word, rows_of
from docqa.types.document import Box

# Of the type's size, as Latin text faces draw them.
ASCENT, X_HEIGHT, DESCENT = 0.68, 0.46, 0.21
LINE_TOP, LINE_BOTTOM = 0.70, 0.21  # the box that every word is given
SHADOW = 2.0  # points between two prints of one word
SAME_SIZE = 0.12  # words of a font this near its usual size are of that size
TIGHT = 0.87  # height of "as" to that of "bed", of that to "by": less is ink, not type
LEVEL = 0.97  # and more is type
DOUBT = 0.1  # of the pairs of a font, where most of the page are ink
FEWEST = 3  # pairs of neighbouring words, to tell
FEWEST_ITEMS = 3  # that one sign begins on a page: fewer may be something else
APART = 2.0  # of a word's height before a sign, where a column of text stands beside it
_MEANT = frozenset("“”‘’«\"'()[]{}.,;:!?…%‰&@#†‡☐☑☒=/|\\$€£¥")  # before a word
_WORD = re.compile(r"[^\W\d_]{2}")

_LOW = frozenset("acemnorsuvwxz")
_DEEP = frozenset("gjpqy,;()Q$[]{}|/@")
_HIGH = frozenset("bdfhklijt0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ()$%&[]{}|/’'\"“”!?#@")


def as_shown(words: Sequence[Word]) -> list[Word]:
    """The words, each once, in boxes of their type's height, the signs of lists as bullets."""
    return with_bullets(levelled(unshadowed(words)))


def with_bullets(words: Sequence[Word]) -> list[Word]:
    """The words, a bullet for what begins several lines of one margin, alone before a word.

    Whatever it is: no letter, no figure, and nothing that means something there, as "%" does. Of
    a font's own signs, which mean no letter, one is enough.
    """
    if not any(_may_be_sign(word.text) for word in words):
        return list(words)
    begun: dict[tuple[str, int], dict[int, bool]] = defaultdict(dict)
    for row in rows_of(words):
        for before, sign, after in zip((None, *row), row, row[1:], strict=False):
            begins = before is None or sign.box.left - before.box.right > APART * sign.height
            if begins and _may_be_sign(sign.text):
                named = _WORD.match(after.text) is not None
                begun[sign.text, round(sign.box.left)][id(sign)] = named
    signs = {
        each
        for (text, _), named in begun.items()
        if sum(named.values()) >= (1 if unicodedata.category(text) == "Co" else FEWEST_ITEMS)
        for each in named
    }
    return [replace(word, text="•") if id(word) in signs else word for word in words]


def _may_be_sign(text: str) -> bool:
    return len(text) == 1 and not (text.isalnum() or text in _MEANT or MARKER.match(text))


def unshadowed(words: Sequence[Word]) -> list[Word]:
    """The words, each once: a second print of one in almost its place is left out."""
    kept: list[Word] = []
    places: dict[tuple[str, int], list[Word]] = {}
    for word in words:
        row = round(word.box.top / SHADOW)
        near = [each for at in (row - 1, row, row + 1) for each in places.get((word.text, at), ())]
        if not any(_is_shadow(word, other) for other in near):
            places.setdefault((word.text, row), []).append(word)
            kept.append(word)
    return kept


def _is_shadow(word: Word, other: Word) -> bool:
    apart = abs(word.box.left - other.box.left), abs(word.box.top - other.box.top)
    return max(apart) < min(SHADOW, 0.3 * max(word.height, 1))


def levelled(words: Sequence[Word]) -> list[Word]:
    """The words with boxes of the type's height, where those of their font are of ink."""
    tight = _fonts_of_ink(words)
    if not tight:
        return list(words)
    sizes = [_size(word) for word in words]
    usual = _usual_sizes(words, sizes)
    return [
        _levelled(word, size, usual.get(word.font, 0.0)) if word.font in tight else word
        for word, size in zip(words, sizes, strict=True)
    ]


def _fonts_of_ink(words: Sequence[Word]) -> set[str]:
    """The fonts in which neighbouring words differ in height by the letters they have.

    A font in doubt (its "f" may sink, as in italics) or of too few words is as most on the page.
    """
    votes: dict[str, list[bool]] = {word.font: [] for word in words}
    for pair in pairwise(words):
        lower, taller = sorted(pair, key=lambda word: _tallness(word.text))
        if lower.font == taller.font and 0 < _tallness(lower.text) < _tallness(taller.text):
            ratio = lower.height / max(taller.height, 1)
            if not TIGHT <= ratio <= LEVEL:
                votes[lower.font].append(ratio < TIGHT)
    most = _are_ink([vote for each in votes.values() for vote in each], 0.5)
    return {
        font
        for font, each in votes.items()
        if _are_ink(each, 0.5) or (most and (len(each) < FEWEST or _are_ink(each, DOUBT)))
    }


def _are_ink(votes: Sequence[bool], share: float) -> bool:
    return len(votes) >= FEWEST and sum(votes) > share * len(votes)


@lru_cache(maxsize=4096)
def _tallness(text: str) -> float:
    """How tall its letters make a word, in tenths of its size: .5 (as), .7 (the), .9 (they)."""
    return round(sum(_reach(text)), 1)


def _usual_sizes(words: Sequence[Word], sizes: Sequence[float]) -> dict[str, float]:
    """The median size of each font's words, in points."""
    by_font: dict[str, list[float]] = defaultdict(list)
    for word, size in zip(words, sizes, strict=True):
        if size:
            by_font[word.font].append(size)
    return {font: median(found) for font, found in by_font.items()}


def _size(word: Word) -> float:
    """The size of a word's type by its ink; 0 where it has no letters to go by."""
    rises, sinks = _reach(word.text)
    return word.height / (rises + sinks) if rises else 0.0


@lru_cache(maxsize=4096)
def _reach(text: str) -> tuple[float, float]:
    """How far letters rise above their line and sink below it, of the type's size.

    Both are 0 where there are none to go by.
    """
    letters = set(text)
    sinks = DESCENT if letters & _DEEP else 0.0
    low = X_HEIGHT if letters & _LOW or sinks else 0.0
    return ASCENT if letters & _HIGH else low, sinks


def _levelled(word: Word, own: float, usual: float) -> Word:
    size = usual if usual and (not own or abs(own - usual) < SAME_SIZE * usual) else own
    if not size:
        return word
    baseline = _baseline(word, size)
    box = Box(
        word.box.left, baseline - LINE_TOP * size, word.box.right, baseline + LINE_BOTTOM * size
    )
    return replace(word, box=box)


def _baseline(word: Word, size: float) -> float:
    """Where the line runs that a word stands on."""
    rises, sinks = _reach(word.text)
    if not rises and word.height < size / 2:
        # A dash, a bullet: its middle is a quarter of the size above the line.
        return (word.box.top + word.box.bottom) / 2 + size / 4
    return word.box.bottom - sinks * size
