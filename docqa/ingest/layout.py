"""A page's words as regions in reading order: paragraphs, lists, headings, tables, furniture.

Pure geometry over :mod:`docqa.ingest.words`. :func:`arrange` sees one page; what only the whole
document can tell (running headers, headings against the body's size) is :func:`classify`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from docqa.ingest.tables import Found, Grid, find_tables, grid_of
from docqa.ingest.words import (
    BULLET,
    MARKER,
    Line,
    Word,
    around,
    joined,
    line_of,
    rows_of,
    segments,
)
from docqa.types import BlockKind, Box

_CAPTION = re.compile(r"^(figure|fig\.?|table|tab\.|exhibit|chart)\s*\d+", re.IGNORECASE)
_NUMBERING = re.compile(r"^(\d+(\.\d+)*\.?|[A-Z]\.|[IVX]+\.)$")
_PAGE_NUMBER = re.compile(
    r"(page\s*)?[-–|\s]*([ivxlc]+|[A-Z]?-?\d{1,4})[-–|\s]*((of|/)\s*\d+)?", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"^(\d{1,2}|[*†‡§]|\(\d\))\s?[A-Z]")
_ITEM = re.compile(r"^(item|part|article|section)\s+[0-9ivx]+[a-z]?\b", re.IGNORECASE)
_EDGE = 0.115  # share of the page's height where running headers and footers stand


@dataclass(frozen=True, slots=True)
class Page:
    """What is drawn on a page, in points from its top left."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    turned: tuple[Word, ...] = ()  # words that stand on their side
    rules: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of a page that is one thing. ``grid`` is set for tables alone."""

    kind: BlockKind
    box: Box
    lines: tuple[Line, ...] = ()
    level: int = 0
    grid: Grid | None = None

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def arrange(page: Page) -> list[Region]:
    """The regions of one page; every word is in exactly one of them."""
    regions = [Region("picture", box) for box in _pictures(page)]
    if page.turned:
        regions.append(_turned(page.turned))
    upright = [rule for rule in page.rules if rule.bottom - rule.top > rule.right - rule.left]
    parts = segments(page.words, walls=upright)
    for frame in _frames(parts, page.width):
        regions += _framed(frame, page)
    return regions


def _pictures(page: Page) -> list[Box]:
    """Pictures worth a region: neither specks nor the page's background."""
    area = page.width * page.height or 1
    kept = []
    for box in page.pictures:
        inside = Box(
            max(box.left, 0),
            max(box.top, 0),
            min(box.right, page.width),
            min(box.bottom, page.height),
        )
        width, height = inside.right - inside.left, inside.bottom - inside.top
        if width > 40 and height > 30 and 0.01 < width * height / area < 0.9:
            kept.append(inside)
    return kept


def _turned(words: Sequence[Word]) -> Region:
    line = line_of(sorted(words, key=lambda word: -word.box.top))
    return Region("header" if len(words) < 15 else "text", line.box, (line,))


def _frames(parts: Sequence[Line], width: float) -> list[list[Line]]:
    """Lines by the columns of the page they stand in; full-width lines are a frame of their own."""
    gutters = _gutters(parts, width)
    if not gutters:
        return [list(parts)] if parts else []
    edges = [float("-inf"), *gutters, float("inf")]
    frames: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for line in parts:
        first = max(at for at, edge in enumerate(edges) if line.box.left >= edge - 3)
        last = max(at for at, edge in enumerate(edges) if line.box.right > edge + 3)
        frames[first, max(first, last)].append(line)
    return list(frames.values())


def _gutters(parts: Sequence[Line], width: float) -> list[float]:
    """Where the gaps between columns of prose are (at most two), from the left."""
    prose = [line for line in parts if line.word_count >= 4 and not line.is_number]
    if len(prose) < 8:
        return []
    scores = {
        x: _gutter_score(prose, x, width) for x in range(int(0.22 * width), int(0.78 * width), 4)
    }
    best = max(scores.values(), default=0)
    good = [x for x, score in scores.items() if score > 0 and score >= best - 1]
    groups: list[list[int]] = []
    for x in good:
        if groups and x - groups[-1][-1] <= 6:
            groups[-1].append(x)
        else:
            groups.append([x])
    return [sum(group) / len(group) for group in groups][:2]


def _gutter_score(prose: Sequence[Line], x: float, width: float) -> float:
    """How well prose keeps off ``x`` on both sides; 0 or less where it is no gutter."""
    left = [line for line in prose if line.box.right <= x + 1]
    right = [line for line in prose if line.box.left >= x - 1]
    crossing = len(prose) - len(left) - len(right)
    near_left = [line for line in left if line.box.right > x - 0.30 * width]
    near_right = [line for line in right if line.box.left < x + 0.12 * width]
    fewest = min(len(near_left), len(near_right))
    if fewest < 6 or crossing > 0.55 * (len(left) + len(right)):
        return 0
    narrow = min(median(line.width for line in side) for side in (near_left, near_right))
    if narrow < 0.14 * width or not _side_by_side(near_left, near_right):
        return 0
    return fewest - 1.5 * crossing


def _side_by_side(left: Sequence[Line], right: Sequence[Line]) -> bool:
    one, other = around(line.box for line in left), around(line.box for line in right)
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap >= 0.3 * min(one.bottom - one.top, other.bottom - other.top)


def _framed(frame: Sequence[Line], page: Page) -> list[Region]:
    """The tables and paragraphs of one column."""
    tables = find_tables(frame, page.rules)
    taken = {
        id(word) for table in tables for row in table.rows for line in row for word in line.words
    }
    rest = [line for line in frame if id(line.words[0]) not in taken]
    regions = [_table_region(table) for table in tables]
    return regions + [_prose_region(lines) for lines in _paragraphs(rest, page.width)]


def _table_region(found: Found) -> Region:
    lines = tuple(line for row in found.rows for line in row)
    return Region("table", found.box, lines, grid=grid_of(found))


def _prose_region(lines: Sequence[Line]) -> Region:
    return Region(_kind(lines), around(line.box for line in lines), tuple(lines))


def _kind(lines: Sequence[Line]) -> BlockKind:
    first = lines[0].text
    if MARKER.match(first) and sum(len(line.text) for line in lines) > 3:
        return "list"
    if _CAPTION.match(first) and len(lines) <= 8:
        return "caption"
    if all(line.mono for line in lines) and sum(len(line.words) for line in lines) > 3:
        return "code"
    return "text"


def _paragraphs(parts: Sequence[Line], width: float) -> list[list[Line]]:
    """Lines chained downwards into paragraphs."""
    paragraphs: list[list[Line]] = []
    for line in _whole_lines(parts):
        home = next((p for p in paragraphs[:-9:-1] if _follows(line, p, width)), None)
        if home is None:
            paragraphs.append([line])
        else:
            home.append(line)
    return paragraphs


def _whole_lines(parts: Sequence[Line]) -> list[Line]:
    """Segments on one baseline joined again where the gap is small or follows a list marker."""
    lines: list[Line] = []
    for row in rows_of(parts):
        current = [row[0]]
        for part in row[1:]:
            if _same_line(current[-1], part):
                current.append(part)
            else:
                lines.append(_joined_line(current))
                current = [part]
        lines.append(_joined_line(current))
    return sorted(lines, key=lambda line: (line.box.top, line.box.left))


def _same_line(before: Line, part: Line) -> bool:
    gap = part.box.left - before.box.right
    size = max(before.size, part.size)
    marker = before.word_count == 1 and (MARKER.match(before.text) or _NUMBERING.match(before.text))
    return gap < (6 if marker else 2.2) * size


def _joined_line(parts: Sequence[Line]) -> Line:
    return parts[0] if len(parts) == 1 else line_of([w for part in parts for w in part.words])


def _follows(line: Line, paragraph: Sequence[Line], width: float) -> bool:
    """Whether a line carries on the paragraph above it."""
    above, box = paragraph[-1], around(other.box for other in paragraph)
    gap = line.box.top - above.box.bottom
    size = max(line.size, above.size)
    if not -0.6 * line.size <= gap <= 0.75 * size or not _under(line, box):
        return False
    if MARKER.match(line.text) or not _same_type(line, above):
        return False
    if len(paragraph) > 1 and gap > _leading(paragraph) + 0.35 * size:
        return False
    return not _ends_before(line, paragraph, box, gap)


def _under(line: Line, box: Box) -> bool:
    overlap = min(box.right, line.box.right) - max(box.left, line.box.left)
    return overlap >= 0.3 * min(box.right - box.left, line.width)


def _same_type(line: Line, above: Line) -> bool:
    """Whether size and weight agree; very short lines may differ (a stray superscript)."""
    if line.mono != above.mono:
        return False
    ratio = max(line.size, above.size) / max(min(line.size, above.size), 1)
    return len(line.text) <= 3 or (ratio <= 1.17 and line.bold == above.bold)


def _leading(paragraph: Sequence[Line]) -> float:
    return max(paragraph[1].box.top - paragraph[0].box.bottom, 0)


def _ends_before(line: Line, paragraph: Sequence[Line], box: Box, gap: float) -> bool:
    """Whether the paragraph ended on the line above: short, full stop, and then an indent."""
    above = paragraph[-1]
    stopped = above.text.rstrip()[-1:] in tuple(".:;?!")
    indent = line.box.left - above.box.left
    if MARKER.match(paragraph[0].text):
        return line.box.left < paragraph[0].box.left - 2
    short = above.box.right < box.right - 0.12 * (box.right - box.left)
    if short and stopped and (indent > 0.8 * line.size or gap > 0.3 * line.size):
        return True
    return stopped and len(paragraph) > 1 and indent > line.size


def classify(pages: Sequence[tuple[Page, Sequence[Region]]]) -> list[list[Region]]:
    """Regions with their final kinds and heading levels, page by page, in the order given."""
    kinds = _Kinds.of(pages)
    furniture = _furniture(pages)
    return [
        [
            _classified(region, page, kinds, furniture.get((page.number, at)))
            for at, region in enumerate(regions)
        ]
        for page, regions in pages
    ]


@dataclass(frozen=True, slots=True)
class _Kinds:
    """What is usual in the document: the body's size and whether bold is the body's weight."""

    size: float
    mostly_bold: bool

    @classmethod
    def of(cls, pages: Iterable[tuple[Page, Sequence[Region]]]) -> "_Kinds":
        sizes: Counter[float] = Counter()
        bold = 0
        for _, regions in pages:
            for line in _prose_lines(regions):
                sizes[round(line.size * 2) / 2] += len(line.text)
                bold += len(line.text) * line.bold
        size = sizes.most_common(1)[0][0] if sizes else 10.0
        return cls(size, bold > 0.5 * max(sizes.total(), 1))


def _prose_lines(regions: Iterable[Region]) -> list[Line]:
    return [line for region in regions if region.kind in {"text", "list"} for line in region.lines]


def _furniture(
    pages: Sequence[tuple[Page, Sequence[Region]]],
) -> dict[tuple[int, int], BlockKind]:
    """Which regions run through the document at the top or bottom of pages, or are page numbers."""
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    for page, regions in pages:
        for region in regions:
            zone = _zone(region, page)
            if zone:
                seen[zone, _without_numbers(region.text)].add(page.number)
    needed = max(2.0, min(4.0, 0.25 * len(pages)))
    return {
        (page.number, at): zone
        for page, regions in pages
        for at, region in enumerate(regions)
        if (zone := _zone(region, page))
        and (
            len(seen[zone, _without_numbers(region.text)]) >= needed
            or _PAGE_NUMBER.fullmatch(region.text.strip())
        )
    }


def _zone(region: Region, page: Page) -> BlockKind | None:
    if not region.lines or len(region.lines) > 4 or region.kind in {"table", "picture"}:
        return None
    if region.box.bottom < _EDGE * page.height:
        return "header"
    return "footer" if region.box.top > (1 - _EDGE) * page.height else None


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "#", " ".join(text.lower().split()))


def _classified(region: Region, page: Page, kinds: _Kinds, furniture: BlockKind | None) -> Region:
    if furniture:
        return replace(region, kind=furniture)
    if region.kind not in {"text", "list"} or not region.lines:
        return region
    if _is_heading(region, kinds):
        return replace(region, kind="heading", level=_level(region, kinds))
    small = region.lines[0].size < 0.88 * kinds.size
    low = region.box.top > 0.6 * page.height
    if region.kind == "text" and small and low and _FOOTNOTE.match(region.text):
        return replace(region, kind="footnote")
    return region


def _is_heading(region: Region, kinds: _Kinds) -> bool:
    text = region.text.strip()
    letters = [character for character in text if character.isalpha()]
    if len(letters) < 3 or len(text) > 180 or len(region.lines) > 3 or BULLET.match(text):
        return False
    size = median(line.size for line in region.lines)
    bold = all(line.bold for line in region.lines)
    capitals = len(letters) >= 4 and all(character.isupper() for character in letters)
    ends = text[-1] in ".;,:" and not _ITEM.match(text)
    few = len(region.lines) <= 2
    if size >= 1.13 * kinds.size:
        return not (ends and len(region.lines) > 1)
    if bold and not ends and few and not kinds.mostly_bold:
        return True
    return few and capitals and not ends and len(text) > 5 and size >= 0.98 * kinds.size


def _level(region: Region, kinds: _Kinds) -> int:
    """1 for much larger type, 2 for larger, 3 for the rest."""
    ratio = median(line.size for line in region.lines) / kinds.size
    return 1 if ratio >= 1.4 else 2 if ratio >= 1.13 else 3


def text_of(words: Sequence[Word]) -> str:
    """Words on one baseline as text."""
    return joined(words)
