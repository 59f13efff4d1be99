"""Lines chained downwards into paragraphs and items of lists; pure."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docqa.ingest.geometry.captions import is_units
from docqa.ingest.geometry.words import (
    MARKER,
    Line,
    across,
    around,
    in_runs,
    one_line,
    rows_of,
    typeface,
)
from docqa.language.numbers import references_in, worded_numbers
from docqa.types.document import Box

FEWEST_GAPS = 3  # below lines that run on, to tell how far apart a page's lines are
WIDEST_GAP = 2.2  # sizes of type: double spacing is about 1.4, triple 2.2

_NUMBERING = re.compile(r"^(\d+(\.\d+)*\.?|[A-Z]\.|[IVX]+\.)$")
_DIVISION = re.compile(
    r"(item|part|article|section|note)\s+([0-9]+[a-z]?|[ivx]+)[.:]?", re.IGNORECASE
)


def paragraphs_of(parts: Sequence[Line], *, pitch: float = 0.0) -> list[list[Line]]:
    """Lines chained downwards into paragraphs; ``pitch`` is how many points it is from one to the
    next, 0 where that is to be told from those that run on."""
    lines = _whole_lines(parts)
    size = median(line.size for line in lines) if lines and pitch else 0.0
    apart = pitch / size - 1 if size else _usual_gap(lines)
    return in_runs(lines, lambda above, line: not _follows(line, above, apart), open_runs=8)


def _whole_lines(parts: Sequence[Line]) -> list[Line]:
    """Segments on one baseline joined again where the gap is small or follows a list marker."""
    lines = [
        one_line(run)
        for row in rows_of(parts)
        for run in in_runs(row, lambda run, part: not _same_line(run[-1], part))
    ]
    return sorted(lines, key=lambda line: (line.box.top, line.box.left))


def _same_line(before: Line, part: Line) -> bool:
    gap = part.box.left - before.box.right
    size = max(before.size, part.size)
    if _DIVISION.fullmatch(before.text):
        return gap < 12 * size
    marker = before.word_count == 1 and (MARKER.match(before.text) or _NUMBERING.match(before.text))
    return gap < (6 if marker else 2.2) * size


def _usual_gap(lines: Sequence[Line]) -> float:
    """The gap, in sizes of type, below lines that plainly run on: full, unfinished, one margin.

    Where text is set double-spaced, or its boxes are lower than its type, it is more than the .75
    that tells paragraphs apart elsewhere. 0 where too few lines run on.
    """
    reach = max((line.box.right for line in lines), default=0.0)
    gaps = [
        (line.box.top - above.box.bottom) / above.size
        for above, line in pairwise(lines)
        if above.size
        and above.box.right > reach - 3 * above.size
        and abs(line.box.left - above.box.left) < 2
        and above.text[-1:] not in ".:;?!"
        and line.text[:1].islower()
        and _same_type(line, above)
    ]
    return min(median(gaps), WIDEST_GAP) if len(gaps) >= FEWEST_GAPS else 0.0


def _follows(line: Line, paragraph: Sequence[Line], apart: float) -> bool:
    """Whether a line carries on the paragraph above it; ``apart`` is `_usual_gap` of them all."""
    above = paragraph[-1]
    gap = line.box.top - above.box.bottom
    size = max(line.size, above.size)
    widest = max(0.75, apart + 0.15) * size
    if not -0.6 * line.size <= gap <= widest:
        return False
    box = around([other.box for other in paragraph])
    alike = _under(line, box) and _same_type(line, above)
    if not alike or _begins_item(line, above) or is_units(line.text) or is_units(above.text):
        return False
    if len(paragraph) > 1:
        leading = max(paragraph[1].box.top - paragraph[0].box.bottom, 0)
        if gap > leading + 0.35 * size:
            return False
    return not _ends_before(line, paragraph, box, gap)


def _begins_item(line: Line, above: Line) -> bool:
    """Whether a line begins with an item's mark, and not with what its sentence goes on with: a
    number said again ("one" and then "(1)"), the part of a clause ("Section 2.2" and then "(b)").
    """
    mark = MARKER.match(line.text)
    if mark is None or not mark[0].startswith("("):
        return mark is not None
    if mark[0][1:-1].isdigit():
        said = [value for value, _, end in worded_numbers(above.text) if end == len(above.text)]
        return int(mark[0][1:-1]) not in said
    return not any(end == len(above.text) for _, _, end in references_in(above.text))


def _under(line: Line, box: Box) -> bool:
    return across(line.box, box) >= 0.3 * min(box.right - box.left, line.width)


def _same_type(line: Line, above: Line) -> bool:
    """Whether size and weight agree; very short lines may differ (a stray superscript)."""
    if line.mono != above.mono:
        return False
    ratio = max(line.size, above.size) / max(min(line.size, above.size), 1)
    if len(line.text) <= 3:
        return True
    return ratio <= 1.17 and _same_weight(line, above) and not _is_title_over(above, line)


def _same_weight(line: Line, above: Line) -> bool:
    """Whether both are bold or neither; after a title run into its text, where they meet."""
    run_in = len({word.bold for word in above.words}) > 1
    meeting = run_in and above.words[-1].bold == line.words[0].bold
    return meeting or line.bold == above.bold


def _is_title_over(above: Line, line: Line) -> bool:
    """Whether a line in a font of its own stands over one that starts a sentence."""
    run_in = len({word.font for word in above.words}) > 1
    one, other = (above.words[-1], line.words[0]) if run_in else (above, line)
    if typeface(one.font) == typeface(other.font) or not above.font or above.text[-1:] in ".,;:":
        return False
    first = line.text[:1]
    caseless = first.isalpha() and not first.isascii() and first.lower() == first.upper()
    longer = line.box.right - above.box.right > 3 * line.size
    return (first.isupper() and longer) or (caseless and MARKER.match(above.text) is not None)


def _ends_before(line: Line, paragraph: Sequence[Line], box: Box, gap: float) -> bool:
    """Whether the paragraph ended on the line above: short, full stop, and then an indent."""
    above = paragraph[-1]
    stopped = above.text.rstrip()[-1:] in tuple(".:;?!")
    indent = line.box.left - above.box.left
    if MARKER.match(paragraph[0].text) and line.box.left < paragraph[0].box.left - 2:
        # A first line set in goes on further left, but only from a line that is full.
        reach = max(box.right, line.box.right)
        return stopped or above.box.right < reach - 0.12 * (reach - line.box.left)
    short = above.box.right < box.right - 0.12 * (box.right - box.left)
    if short and stopped and (indent > 0.8 * line.size or gap > 0.3 * line.size):
        return True
    return stopped and len(paragraph) > 1 and indent > line.size
