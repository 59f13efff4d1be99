"""A page as pdfium has it open: the calls that are made for every letter and every shape of it.

pypdfium2's own functions look at each argument's type, which took two to three times as long as
what pdfium does. These take what was made ready for them: handles, and places to write to. As all
of pdfium, they are called under the lock of :mod:`docqa.ingest.reading.pdfium`.
"""

import ctypes
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import repeat
from typing import Any

from docqa.types.document import Box

PALE = 225  # of 255, each of red, green and blue: paler letters may not be seen on paper

Edges = tuple[float, float, float, float]  # left, bottom, right, top, as PDF has them


@cache
def raw() -> Any:
    """pdfium's own functions and constants, imported at first use."""
    from pypdfium2 import raw as functions  # type: ignore[import-untyped]

    return functions


class _Calls:
    """The functions of pdfium that are called most, with as little in between as there can be.

    Those that take a handle of the page or of its text, or write somewhere, have no declared
    types: what is passed to them is a ctypes object, or an int where C has one.
    """

    def __init__(self) -> None:
        address, number, functions = ctypes.c_void_p, ctypes.c_int, raw()
        self.count_rectangles = _call(functions.FPDFText_CountRects, number)
        self.rectangle = _call(functions.FPDFText_GetRect, number)
        self.letter_box = _call(functions.FPDFText_GetCharBox, number)
        self.letter_object = _call(functions.FPDFText_GetTextObject, address)
        self.object = _call(functions.FPDFPage_GetObject, address)
        self.kind = _call(functions.FPDFPageObj_GetType, number, address)
        self.bounds = _call(functions.FPDFPageObj_GetBounds, number)
        self.fill = _call(functions.FPDFPageObj_GetFillColor, number)
        self.draw_mode = _call(functions.FPDFPath_GetDrawMode, number)
        self.text_mode = _call(functions.FPDFTextObj_GetTextRenderMode, number, address)


def _call(function: Any, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


_calls = cache(_Calls)


class _Written:
    """Boxes that pdfium writes, four numbers each, and the places it is told to write them to."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._numbers = kind, (kind * 0)()
        self._places: list[list[Any]] = []

    def by(self, call: Any, count: int, *arguments: Iterable[Any]) -> Sequence[float]:
        """What so many calls write, each with its own of the ``arguments``, which end them."""
        if 4 * count > len(self._numbers):
            self._numbers = (self._kind * (8 * count))()
            places = map(
                ctypes.byref,
                repeat(self._numbers),
                range(0, ctypes.sizeof(self._numbers), ctypes.sizeof(self._kind)),
            )
            every = list(places)
            self._places = [every[edge::4] for edge in range(4)]
        deque(map(call, *arguments, *self._places), maxlen=0)
        written: Sequence[float] = self._numbers[: 4 * count]
        return written


# Filled under the lock.
_RECTANGLES, _BOUNDS = _Written(ctypes.c_double), _Written(ctypes.c_float)
_SHADES = tuple(ctypes.c_uint() for _ in range(4))
_SHADES_AT = tuple(map(ctypes.byref, _SHADES))
_MODES = ctypes.c_int(), ctypes.c_int()


class Sheet:
    """One open page of pypdfium2 with its text; boxes are as PDF has them, before it is turned."""

    def __init__(self, page: Any, text: Any) -> None:
        self.page, self.text = page, text
        self.size: tuple[float, float] = page.get_size()
        self.frame: Edges = page.get_bbox()  # the visible part of the stored page
        self.turn: int = page.get_rotation()  # degrees clockwise
        self.count: int = text.count_chars()
        self.written: str = text.get_text_range()
        self._page = ctypes.cast(page.raw, ctypes.c_void_p)
        self._text = ctypes.cast(text.raw, ctypes.c_void_p)
        self._objects: tuple[list[int], list[int]] | None = None

    def displayed(self, box: Edges) -> Box:
        """A stored box as it lies on the page displayed."""
        return displayed(box, self.frame, self.turn)

    def shows(self, box: Box) -> bool:
        """Whether some of a box, as displayed, is on the page."""
        width, height = self.size
        return box.right > 0 and box.bottom > 0 and box.left < width and box.top < height

    def rectangles(self, start: int, count: int) -> Sequence[float]:
        """The boxes of some letters, of each its left, top, right and bottom in turn."""
        calls, handle = _calls(), self._text
        found = calls.count_rectangles(handle, start, count)
        return _RECTANGLES.by(calls.rectangle, found, repeat(handle), range(found))

    def letters(self, indices: Sequence[int]) -> list[Edges]:
        """The boxes of some letters."""
        if not indices:
            return []
        written = _RECTANGLES.by(_calls().letter_box, len(indices), repeat(self._text), indices)
        lefts, rights, bottoms, tops = (written[at::4] for at in range(4))
        return list(zip(lefts, bottoms, rights, tops, strict=True))

    def baseline(self, index: int, letter: str) -> float | None:
        """How high a letter stands; None where another letter has this place."""
        across, up = ctypes.c_double(), ctypes.c_double()
        if raw().FPDFText_GetUnicode(self.text, index) != ord(letter):
            return None
        found = raw().FPDFText_GetCharOrigin(self.text, index, across, up)
        return up.value if found else None

    def objects_of(self, letters: Iterable[int]) -> list[int | None]:
        """What each of some letters was drawn with; None for those that pdfium put in itself."""
        return list(map(_calls().letter_object, repeat(self._text), letters))

    @property
    def objects(self) -> tuple[list[int], list[int]]:
        """What was drawn on the page, in that order, and what kind each is."""
        if self._objects is None:
            calls, count = _calls(), raw().FPDFPage_CountObjects(self.page)
            found = list(map(calls.object, repeat(self._page), range(count)))
            self._objects = found, list(map(calls.kind, found))
        return self._objects


def bounds(objects: Sequence[int]) -> Sequence[float]:
    """The boxes of what was drawn, of each its left, bottom, right and top in turn."""
    return _BOUNDS.by(_calls().bounds, len(objects), map(ctypes.c_void_p, objects))


def is_filled(drawn: int) -> bool:
    """Whether a path is painted inside."""
    fill, stroke = _MODES
    _calls().draw_mode(ctypes.c_void_p(drawn), ctypes.byref(fill), ctypes.byref(stroke))
    return bool(fill.value)


def inkless(letters: int | None) -> str:
    """ "pale" or "no ink" for letters, by what they were drawn with, that may not be seen."""
    if letters is None:
        return ""
    if _calls().text_mode(letters) == raw().FPDF_TEXTRENDERMODE_INVISIBLE:
        return "no ink"
    if not _calls().fill(ctypes.c_void_p(letters), *_SHADES_AT):
        return ""
    red, green, blue, cover = (shade.value for shade in _SHADES)
    return "pale" if min(red, green, blue) >= PALE or cover < 256 - PALE else ""


def annotations(page: Any) -> Iterator[Edges]:
    """Where rectangles and redactions that are not carried out were laid over the page."""
    functions = raw()
    for index in range(functions.FPDFPage_GetAnnotCount(page)):
        note, edges = functions.FPDFPage_GetAnnot(page, index), functions.FS_RECTF()
        try:
            over = functions.FPDFAnnot_GetSubtype(note) in (
                functions.FPDF_ANNOT_SQUARE,
                functions.FPDF_ANNOT_REDACT,
            )
            if over and functions.FPDFAnnot_GetRect(note, edges):
                yield edges.left, edges.bottom, edges.right, edges.top
        finally:
            functions.FPDFPage_CloseAnnot(note)


def displayed(box: Edges, frame: Edges, turn: int) -> Box:
    """A box in the stored page's coordinates as it lies on the page displayed.

    ``frame`` is the visible part of the stored page, ``turn`` how far it is turned clockwise.
    """
    (left, bottom, right, top), (first_x, first_y, last_x, last_y) = box, frame
    if turn == 90:
        return Box(bottom - first_y, left - first_x, top - first_y, right - first_x)
    if turn == 180:
        return Box(last_x - right, bottom - first_y, last_x - left, top - first_y)
    if turn == 270:
        return Box(last_y - top, last_x - right, last_y - bottom, last_x - left)
    return Box(left - first_x, last_y - top, right - first_x, last_y - bottom)
