"""Words as the page shows them: printed once, and as tall as their type.

Some fonts give a word the box of its ink instead of that of its type, so that "as" is smaller
than "described". Sizes and rows cannot be told from those, so the type's size is worked out from
which letters the word has. And some pages print a word twice, a hair apart, to make it bold.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import median

from docqa.ingest.geometry.words import Word
from docqa.types.document import Box

# Of the type's size, as Latin text faces draw them.
ASCENT, X_HEIGHT, DESCENT = 0.68, 0.46, 0.21
LINE_TOP, LINE_BOTTOM = 0.70, 0.21  # the box that every word is given
SHADOW = 2.0  # points between two prints of one word
SAME_SIZE = 0.12  # words of a font this near its usual size are of that size
TIGHT = 0.87  # height of "as" to that of "bed", of that to "by": less is ink, not type
FEWEST = 3  # words of each kind, to tell

_LOW = frozenset("acemnorsuvwxz")
_DEEP = frozenset("gjpqy,;()Q$[]{}|/@")
_HIGH = frozenset("bdfhklijt0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ()$%&[]{}|/’'\"“”!?#@")


def unshadowed(words: Sequence[Word]) -> list[Word]:
    """The words, each once: a second print of one in almost its place is left out."""
    kept: list[Word] = []
    places: dict[str, dict[int, list[Word]]] = {}
    for word in words:
        row, rows = round(word.box.top / SHADOW), places.get(word.text)
        if rows is None:
            places[word.text] = {row: [word]}
        elif (near := _near(rows, row)) and any(_is_shadow(word, other) for other in near):
            continue
        else:
            rows.setdefault(row, []).append(word)
        kept.append(word)
    return kept


def _near(rows: Mapping[int, list[Word]], row: int) -> list[Word]:
    """The words of a row and of those beside it."""
    return [word for at in (row - 1, row, row + 1) if at in rows for word in rows[at]]


def _is_shadow(word: Word, other: Word) -> bool:
    apart = abs(word.box.left - other.box.left), abs(word.box.top - other.box.top)
    return max(apart) < min(SHADOW, 0.3 * max(word.height, 1))


def levelled(words: Sequence[Word]) -> list[Word]:
    """The words with boxes of the type's height, where the page's boxes are those of ink."""
    if not _is_tight(words):
        return list(words)
    sizes = [_size(word) for word in words]
    usual = _usual_sizes(words, sizes)
    return [
        _levelled(word, size, usual.get(word.font, 0.0))
        for word, size in zip(words, sizes, strict=True)
    ]


def _is_tight(words: Sequence[Word]) -> bool:
    """Whether words of one font differ in height by the letters they have."""
    heights: dict[tuple[str, str], list[float]] = defaultdict(list)
    for word in words:
        heights[word.font, _shape(word.text)].append(word.height)
    usual = {key: median(found) for key, found in heights.items() if len(found) >= FEWEST}
    fonts = {font for font, _ in usual}
    return any(
        usual[font, lower] < TIGHT * usual[font, taller]
        for font in fonts
        for lower, taller in (("low", "tall"), ("tall", "deep"))
        if (font, lower) in usual and (font, taller) in usual
    )


@lru_cache(maxsize=4096)
def _shape(text: str) -> str:
    """Which letters set a word's height: "low" (as), "tall" (the), "deep" (they), "" (signs)."""
    letters = set(text)
    if letters & _HIGH:
        return "deep" if letters & _DEEP else "tall"
    return "low" if letters <= _LOW else ""


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
    return Word(word.text, box, word.font, word.bold, word.italic, word.mono, word.ocr, word.turn)


def _baseline(word: Word, size: float) -> float:
    """Where the line runs that a word stands on."""
    rises, sinks = _reach(word.text)
    if not rises and word.height < size / 2:
        # A dash, a bullet: its middle is a quarter of the size above the line.
        return (word.box.top + word.box.bottom) / 2 + size / 4
    return word.box.bottom - sinks * size
