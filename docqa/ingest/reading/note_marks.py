"""Numbers of notes behind the figures of pdfium's text layer, which runs them together.

"1,234" with note 3 behind it would be found as 12,343. A mark is set in smaller type on a higher
line; old-style figures differ in height too, but stand on one line.
"""

import re

from docqa.ingest.geometry.text import RAISED
from docqa.ingest.geometry.words import HIGHER, NOTE_MARK, SMALLER
from docqa.ingest.reading.pdfium_page import Edges, Sheet

_FIGURE = re.compile(r"[0-9][0-9,.]*[0-9]")


def with_marks(sheet: Sheet, start: int, line: str) -> str:
    """A line that begins at a letter of the page, its marks written as such ("1,234³")."""
    spans = [figure.span() for figure in _FIGURE.finditer(line)]
    boxes = sheet.letters([start + at for first, end in spans for at in (first, end - 1)])
    for (first, end), base, last in zip(spans, boxes[::2], boxes[1::2], strict=True):
        if _is_behind_and_smaller(last, base):
            at = _mark(sheet, start, line, first, end, HIGHER * _height(base))
            if NOTE_MARK.fullmatch(line, at, end):
                line = line[:at] + line[at:end].translate(RAISED) + line[end:]
    return line


def _is_behind_and_smaller(last: Edges, base: Edges) -> bool:
    """Whether the last digit of a figure may be a mark, by its box and that of the first."""
    return last[0] >= base[2] and 0 < _height(last) <= SMALLER * _height(base)


def _height(box: Edges) -> float:
    return box[3] - box[1]


def _mark(sheet: Sheet, start: int, line: str, first: int, end: int, higher: float) -> int:
    """Where the letters of a figure begin that stand ``higher`` than its first one."""
    ground, at = sheet.baseline(start + first, line[first]), end
    while at > first + 1:
        own = sheet.baseline(start + at - 1, line[at - 1])
        if ground is None or own is None or own - ground <= higher:
            break
        at -= 1
    return at
