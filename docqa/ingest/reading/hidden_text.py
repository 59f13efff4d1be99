"""Text that is drawn on a page without being seen: pale, without ink, or covered.

It is told to the person at the desk, because a search finds it and a reader of the page does not.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from docqa.ingest.reading.pdfium_page import (
    Edges,
    Sheet,
    annotations,
    bounds,
    inkless,
    is_filled,
    raw,
)
from docqa.types.document import Box

if TYPE_CHECKING:
    from PIL.Image import Image

SAMPLED = 12  # every so many letters one is looked at for its colour
UNSEEN_CONTRAST = 16  # of 255, between the lightest and the darkest point of a letter's place
BAR_WIDTH, BAR_HEIGHT = 8.0, 4.0  # points; smaller shapes hide no word
FEW_UNSEEN = 12  # letters on a page; fewer are strays of the program that wrote it
UNSEEN_SHOWN = 300  # characters of what is not seen that are kept

Drawing = Callable[[], tuple["Image", float]]  # the page's picture in grey, pixels for a point


def unseen(sheet: Sheet, outside: str, draw: Drawing) -> str:
    """The beginning of a page's text that cannot be seen, of which ``outside`` is beside it."""
    found = " ".join(f"{outside} {_faint(sheet, draw)} {_covered(sheet, draw)}".split())
    return found[:UNSEEN_SHOWN] if _says(found) else ""


def _says(text: str) -> bool:
    """Whether a text is more than strays: some letters or digits, one word among them."""
    enough = sum(map(str.isalnum, text)) >= FEW_UNSEEN
    return enough and any(len(word) >= 3 and word.isalpha() for word in text.split())


def _faint(sheet: Sheet, draw: Drawing) -> str:
    """What stands on the page in letters that cannot be told from what is behind them.

    A letter in a dozen is asked for its colour; only where one is pale or has no ink is the page
    drawn, and every such letter looked at.
    """
    sampled = range(0, sheet.count, SAMPLED)
    hits = {at: kind for at, kind in _inks(sheet, sampled).items() if kind}
    if not hits or (set(hits.values()) == {"no ink"} and _is_scan(sheet)):
        return ""
    around_hits = {near for at in hits for near in range(at - SAMPLED + 1, at + SAMPLED)}
    inks = _inks(sheet, sorted(around_hits & set(range(sheet.count))))
    letters = {index: sheet.text.get_text_range(index, 1) for index in inks}
    pale = [at for at, ink in inks.items() if ink and letters[at].strip()]
    plain = _plain(sheet, pale, draw())
    return "".join(
        " " if not letter.strip() else letter if index in plain else ""
        for index, letter in letters.items()
    )


def _inks(sheet: Sheet, letters: Sequence[int]) -> dict[int, str]:
    """What each letter lacks, as `inkless`; asked for once for all that were drawn together."""
    drawn = sheet.objects_of(letters)
    lacks = {each: inkless(each) for each in set(drawn)}
    return {at: lacks[each] for at, each in zip(letters, drawn, strict=True)}


def _covered(sheet: Sheet, draw: Drawing) -> str:
    """What stands on the page under something that was drawn over it, as under a black bar.

    Only where a filled shape lies over text drawn before it is the page itself drawn, and every
    letter under such a shape looked at: what shows through is not covered.
    """
    bars = [*annotations(sheet.page), *_bars(sheet)]
    if not bars:
        return ""
    boxes = enumerate(sheet.letters(range(sheet.count)))
    held = [at for at, box in boxes if any(_holds(bar, box) for bar in bars)]
    plain = _plain(sheet, held, draw())
    return "".join(
        sheet.text.get_text_range(index, 1) if index in plain and not ink else " "
        for index, ink in _inks(sheet, held).items()
    )


def _bars(sheet: Sheet) -> Iterator[Edges]:
    """The filled shapes of a page that lie over text drawn before them."""
    objects, kinds = sheet.objects
    text, shape = raw().FPDF_PAGEOBJ_TEXT, raw().FPDF_PAGEOBJ_PATH
    first = kinds.index(text) if text in kinds else len(kinds)
    later = [at for at in range(first, len(kinds)) if kinds[at] == shape]
    large = {at: bar for at, bar in _placed(objects, later) if _is_bar(bar)}
    bars = {at: bar for at, bar in large.items() if is_filled(objects[at])}
    before = [at for at in range(first, max(bars, default=first)) if kinds[at] == text]
    lefts, bottoms, rights, tops = _edges(objects, before)
    middles = [(bottom + top) / 2 for bottom, top in zip(bottoms, tops, strict=True)]
    lines = sorted(zip(middles, before, lefts, rights, strict=True))
    return (bar for at, bar in bars.items() if _meets(bar, at, lines))


def _placed(objects: Sequence[int], chosen: Sequence[int]) -> Iterator[tuple[int, Edges]]:
    """Some of the objects, each with where it is drawn."""
    return zip(chosen, zip(*_edges(objects, chosen), strict=True), strict=True)


def _edges(objects: Sequence[int], chosen: Sequence[int]) -> list[Sequence[float]]:
    """The lefts, the bottoms, the rights and the tops of some of the objects."""
    written = bounds([objects[at] for at in chosen])
    return [written[at::4] for at in range(4)]


def _is_bar(edges: Edges) -> bool:
    """Whether a shape is large enough to hide a word; rules and dots are not."""
    left, bottom, right, top = edges
    return right - left >= BAR_WIDTH and top - bottom >= BAR_HEIGHT


def _meets(bar: Edges, drawn: int, lines: Sequence[tuple[float, int, float, float]]) -> bool:
    """Whether a shape lies over the middle of a line drawn before it, for a letter's width.

    ``lines`` are the middles of lines in order, when each was drawn, and its left and right.
    """
    inside = slice(
        bisect_right(lines, bar[1], key=_middle), bisect_left(lines, bar[3], key=_middle)
    )
    return any(
        at < drawn and min(bar[2], right) - max(bar[0], left) > BAR_HEIGHT
        for _, at, left, right in lines[inside]
    )


_middle = itemgetter(0)


def _holds(bar: Edges, letter: Edges) -> bool:
    across, up = (letter[0] + letter[2]) / 2, (letter[1] + letter[3]) / 2
    return bar[0] < across < bar[2] and bar[1] < up < bar[3]


def _is_scan(sheet: Sheet) -> bool:
    """Whether a picture covers half of the page or more."""
    (width, height), (objects, kinds) = sheet.size, sheet.objects
    pictures = [at for at, kind in enumerate(kinds) if kind == raw().FPDF_PAGEOBJ_IMAGE]
    return any(
        (right - left) * (top - bottom) >= width * height / 2
        for _, (left, bottom, right, top) in _placed(objects, pictures)
    )


def _plain(sheet: Sheet, letters: Sequence[int], drawn: tuple["Image", float]) -> set[int]:
    """Those of some letters in whose places on the page nothing can be made out."""
    boxes = map(sheet.displayed, sheet.letters(letters))
    return {
        at
        for at, box in zip(letters, boxes, strict=True)
        if sheet.shows(box) and _is_plain(box, *drawn)
    }


def _is_plain(box: Box, picture: "Image", scale: float) -> bool:
    """Whether nothing can be made out in a place of the page's picture (grey)."""
    left, top = round(box.left * scale), round(box.top * scale)
    right, bottom = round(box.right * scale) + 1, round(box.bottom * scale) + 1
    shades = picture.crop((left, top, right, bottom)).tobytes()
    return max(shades) - min(shades) < UNSEEN_CONTRAST
