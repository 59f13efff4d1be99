"""Boxes drawn tight around glyphs, made as tall as the line: "as" is no smaller than "described".

Some fonts give a word the box of its ink instead of that of its type. Sizes and rows cannot be
told from those, so the type's size is worked out from which letters the word has.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from docqa.ingest.words import Word
from docqa.types import Box

# Of the type's size, as Latin text faces draw them.
ASCENT, X_HEIGHT, DESCENT = 0.68, 0.46, 0.21
LINE_TOP, LINE_BOTTOM = 0.70, 0.21  # the box that every word is given
SAME_SIZE = 0.12  # words of a font this near its usual size are of that size
TIGHT = 0.85  # height of "as" to that of "bed": less is ink, not type
FEWEST = 4  # words of each kind, to tell

_LOW = frozenset("acemnorsuvwxz")
_DEEP = frozenset("gjpqy,;()Q$[]{}|/@")
_HIGH = frozenset("bdfhklijt0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ()$%&[]{}|/’'\"“”!?#@")


def levelled(words: Sequence[Word]) -> list[Word]:
    """The words with boxes of the type's height, where the page's boxes are those of ink."""
    if not _is_tight(words):
        return list(words)
    sizes = _usual_sizes(words)
    return [_levelled(word, sizes.get(word.font, 0.0)) for word in words]


def _is_tight(words: Sequence[Word]) -> bool:
    """Whether words of low letters alone are lower than those with tall ones, in one font."""
    low: dict[str, list[float]] = defaultdict(list)
    high: dict[str, list[float]] = defaultdict(list)
    for word in words:
        if _LOW.issuperset(word.text):
            low[word.font].append(word.height)
        elif not _DEEP & set(word.text) and _HIGH & set(word.text):
            high[word.font].append(word.height)
    shared = [font for font in low if min(len(low[font]), len(high[font])) >= FEWEST]
    if not shared:
        return False
    font = max(shared, key=lambda font: len(low[font]))
    return median(low[font]) < TIGHT * median(high[font])


def _usual_sizes(words: Sequence[Word]) -> dict[str, float]:
    """The median size of each font's words, in points."""
    sizes: dict[str, list[float]] = defaultdict(list)
    for word in words:
        size = _size(word)
        if size:
            sizes[word.font].append(size)
    return {font: median(found) for font, found in sizes.items()}


def _size(word: Word) -> float:
    """The size of a word's type by its ink; 0 where it has no letters to go by."""
    letters = set(word.text)
    rises = ASCENT if letters & _HIGH else X_HEIGHT if letters & _LOW else 0.0
    if not rises and letters & _DEEP:
        rises = X_HEIGHT
    return word.height / (rises + (DESCENT if letters & _DEEP else 0.0)) if rises else 0.0


def _levelled(word: Word, usual: float) -> Word:
    own = _size(word)
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
    letters = set(word.text)
    if not letters & (_HIGH | _LOW | _DEEP):
        # A dash, a bullet: its middle is a quarter of the size above the line.
        return (
            (word.box.top + word.box.bottom) / 2 + size / 4
            if word.height < size / 2
            else (word.box.bottom)
        )
    return word.box.bottom - (DESCENT * size if letters & _DEEP else 0.0)
