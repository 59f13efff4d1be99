"""A page's words as regions in reading order: paragraphs, lists, headings, tables, furniture.

Pure geometry over `words`. :func:`arrange` sees one page; what only the whole document can tell
(running headers, headings against the body's size) is in `roles`.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median

from docqa.ingest.geometry.abreast import across_gutters, side_by_side
from docqa.ingest.geometry.captions import CAPTION, is_units
from docqa.ingest.geometry.cells import YEAR, Grid, gap_between, is_figure, row_box
from docqa.ingest.geometry.forms import fields_below, tiles_of
from docqa.ingest.geometry.glyphs import as_shown
from docqa.ingest.geometry.line_numbers import line_numbers, pitch_of
from docqa.ingest.geometry.paragraphs import paragraphs_of
from docqa.ingest.geometry.ruled_tables import Lattice, find_lattices
from docqa.ingest.geometry.rules import walls_of
from docqa.ingest.geometry.sidebars import sidebars
from docqa.ingest.geometry.table_rows import HEAD
from docqa.ingest.geometry.tables import Found, find_aligned, find_ruled, without_words
from docqa.ingest.geometry.upward_heads import laid_down
from docqa.ingest.geometry.words import (
    MARKER,
    Line,
    Word,
    area,
    around,
    in_runs,
    is_amid,
    rows_of,
    segments,
    shared_box,
    turned,
    without,
)
from docqa.types.document import BlockKind, Box

EDGE = 0.115  # share of the page's height where running headers and footers stand
APART = 1.5  # sizes of type, and gaps between the lines below, from a page's head to a table
FEWEST_LINES, FEWEST_AMID = 4, 6  # of prose on either side of a gap; where others cross it
FEW_WORDS = 15  # on their side: a stamp in the margin, not the page's text


@dataclass(frozen=True, slots=True)
class Sight:
    """A part of a page as a layout model saw it."""

    kind: BlockKind
    box: Box


@dataclass(frozen=True, slots=True)
class Page:
    """What is drawn on a page, in points from its top left.

    ``panels`` are large enough to hold text; ``sights`` are what a layout model saw there.
    ``pitch`` is how far apart its lines are where they are numbered, else 0.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[Box, ...] = ()
    panels: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()
    sights: tuple[Sight, ...] = ()
    pitch: float = 0.0


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of a page that is one thing. ``grid`` is set for tables alone, unless empty.

    ``seen`` says that a layout model told its kind, so that its type need not.
    """

    kind: BlockKind
    box: Box
    lines: tuple[Line, ...] = ()
    level: int = 0
    grid: Grid | None = None
    seen: bool = False

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Arranged:
    """A page laid out: its size, its regions in reading order, and whether OCR read most of it.

    ``turn`` is how most of its words read, as in `Word`.
    """

    number: int
    width: float
    height: float
    regions: tuple[Region, ...]
    by_ocr: bool = False
    turn: int = 0

    @property
    def empty_tables(self) -> int:
        """Tables that are drawn and have no cell with text."""
        return sum(region.kind == "table" and region.grid is None for region in self.regions)

    @classmethod
    def of(cls, page: Page, regions: Sequence[Region]) -> "Arranged":
        """Regions as kept for the document: their words, no longer needed, are let go."""
        letters = sum([len(word.text) for word in page.words])
        read = sum([len(word.text) for word in page.words if word.ocr])
        kept = tuple(
            replace(region, lines=tuple([line.without_words() for line in region.lines]))
            for region in regions
        )
        turns = Counter([word.turn for word in page.words]).most_common(1)
        turn = turns[0][0] if turns else 0
        return cls(page.number, page.width, page.height, kept, read > letters / 2, turn)


def arrange(
    page: Page, upright_regions: Callable[[Page], list[Region]] | None = None
) -> list[Region]:
    """The regions of one page in reading order; every word is in exactly one of them.

    ``upright_regions`` makes those of a page whose words all stand upright, by geometry alone for
    None.

    Words that stand on their side are laid out apart, on the page turned so that they read
    upright: a table printed sideways is a table. Those that most of the page reads with come
    first. The numbers of a page's lines are of its margin.
    """
    numbers = line_numbers(page.words)
    page = replace(page, pitch=pitch_of(numbers))
    by_turn: dict[int, list[Word]] = defaultdict(list)
    for word in laid_down(without(page.words, numbers)):
        by_turn[word.turn].append(word)
    turns = sorted(by_turn, key=lambda turn: -len(by_turn[turn])) or [0]
    make = upright_regions or _upright_regions
    regions = _arranged(page, turns[0], by_turn[turns[0]], make)
    rest = replace(page, pictures=(), sights=tuple(s for s in page.sights if s.kind != "picture"))
    for turn in turns[1:]:
        few = len(by_turn[turn]) < FEW_WORDS
        aside = _arranged(rest, turn, by_turn[turn], make)
        regions += [replace(region, kind="header") for region in aside] if few else aside
    if numbers:
        lines = segments(numbers)
        regions.append(Region("header", around(line.box for line in lines), tuple(lines)))
    return regions


def _arranged(
    page: Page,
    turn: int,
    words: Sequence[Word],
    upright_regions: Callable[[Page], list[Region]],
) -> list[Region]:
    """The regions that words of one turn make, in the page's own coordinates."""
    if not turn:
        return upright_regions(replace(page, words=tuple(words)))
    sideways = turn % 2 == 1
    width, height = (page.height, page.width) if sideways else (page.width, page.height)
    upright = partial(turned, turn=turn, width=page.width, height=page.height)
    view = replace(
        page,
        width=width,
        height=height,
        words=tuple(replace(word, box=upright(word.box)) for word in words),
        rules=tuple(map(upright, page.rules)),
        panels=tuple(map(upright, page.panels)),
        pictures=tuple(map(upright, page.pictures)),
        sights=tuple(replace(sight, box=upright(sight.box)) for sight in page.sights),
    )
    regions = upright_regions(view)
    return [_turned_back(region, -turn % 4, width, height) for region in regions]


def _turned_back(region: Region, turn: int, width: float, height: float) -> Region:
    back = partial(turned, turn=turn, width=width, height=height)
    grid = region.grid and replace(
        region.grid,
        box=back(region.grid.box),
        cells=tuple(replace(cell, box=back(cell.box)) for cell in region.grid.cells),
    )
    lines = tuple(replace(line, box=back(line.box)) for line in region.lines)
    return replace(region, box=back(region.box), lines=lines, grid=grid)


def _upright_regions(page: Page) -> list[Region]:
    """The regions of a page, those of each sidebar before what begins below its top."""
    bars = sidebars(page.words, page.panels, page.rules, page.width, page.height)
    free = [word for word in page.words if not any(is_amid(word.box, bar) for bar in bars)]
    regions = _regions(replace(page, words=tuple(free)))
    for bar in bars:
        below = (at for at, region in enumerate(regions) if region.box.top >= bar.top)
        at = next(below, len(regions))
        regions[at:at] = _sidebar(replace(page, pictures=()), bar)
    return regions


def _sidebar(page: Page, bar: Box) -> list[Region]:
    """The regions of a sidebar, its fields as a table."""
    words = [word for word in page.words if is_amid(word.box, bar)]
    fields = fields_below(words)
    facts = [Found.of_fields(fields)] if fields else []
    rest = _regions(replace(page, words=tuple(others(words, facts))))
    return in_reading_order([*map(table_region, facts), *rest], [])


def _regions(page: Page) -> list[Region]:
    pictures = [Region("picture", box) for box in _pictures(page)]
    return with_geometry(pictures, as_shown(page.words), find_lattices(page.rules), page)


def with_geometry(
    regions: Sequence[Region], words: Sequence[Word], lattices: Sequence[Lattice], page: Page
) -> list[Region]:
    """Regions of a page and those that its other words make by geometry, in reading order."""
    empty = [Region("table", box) for box in without_words(page.words, lattices)]
    ruled = find_ruled(words, lattices)
    parts = segments(others(words, ruled), walls=walls_of(page.rules))
    prose = [line for region in regions if region.kind != "table" for line in region.lines]
    gutters = gutters_of([*prose, *parts], page.width)
    made = [*map(table_region, ruled), *by_geometry(parts, gutters, page)]
    every = [*regions, *empty, *made]
    return in_reading_order(every, gutters or _beside_tables(every))


def by_geometry(parts: Sequence[Line], gutters: Sequence[float], page: Page) -> list[Region]:
    """The paragraphs, and the tables held together by alignment, that parts of lines make."""
    tiles = list(map(Found.of_fields, tiles_of(parts)))
    parts = without(parts, (line for each in tiles for line in each.lines))
    across = across_gutters(parts, page.rules, gutters)
    rest = without(parts, (line for table in across for line in table))
    beside = (
        table for frame in _frames(rest, gutters) for table in side_by_side(frame, page.rules)
    )
    framed = (region for frame in (*across, *beside) for region in _framed(frame, page))
    return [*map(table_region, tiles), *framed]


def in_reading_order(regions: Sequence[Region], gutters: Sequence[float]) -> list[Region]:
    """Regions column by column between those that cross the columns, top to bottom.

    ``gutters`` are where columns part. Ties go to the region further left.
    """
    ordered = sorted(regions, key=lambda region: (region.box.top, region.box.left))
    if not gutters:
        return ordered
    gutter, rest = gutters[0], gutters[1:]
    result: list[Region] = []
    left: list[Region] = []
    right: list[Region] = []
    for region in ordered:
        if region.box.left < gutter - 3 and region.box.right > gutter + 3:
            title = [left.pop()] if _leads(left, right, region) else []
            result += [*left, *in_reading_order(right, rest), *title, region]
            left, right = [], []
        else:
            (left if region.box.right <= gutter + 3 else right).append(region)
    return [*result, *left, *in_reading_order(right, rest)]


def _leads(left: Sequence[Region], right: Sequence[Region], region: Region) -> bool:
    """Whether a line below all else in two columns is the title of what runs across them, which it
    stands nearer to."""
    if not left or not right or len(left[-1].lines) != 1:
        return False
    title, above = left[-1].box, [*left[:-1], *right]
    lowest = max(each.box.bottom for each in above)
    return title.top >= lowest and region.box.top - title.bottom < title.top - lowest


def _beside_tables(regions: Sequence[Region]) -> list[float]:
    """Where a table parts from another that stands abreast, or from prose, as what is over each is
    of it; none for other."""
    boxes = [each.box for each in regions if each.grid or len(each.lines) >= FEWEST_LINES]
    tables = {each.box for each in regions if each.grid}
    gaps = [
        (one.right + other.left) / 2
        for one in boxes
        for other in boxes
        if one.right < other.left and one.top < other.bottom and other.top < one.bottom
        if one in tables or other in tables
    ]
    return gaps[:1]


def _pictures(page: Page) -> list[Box]:
    """Pictures worth a region: neither specks nor the page's background."""
    whole = Box(0, 0, page.width, page.height)
    seen = [shared_box(box, whole) for box in page.pictures]
    large = [box for box in seen if box.right - box.left > 40 and box.bottom - box.top > 30]
    return [box for box in large if 0.01 < area(box) / area(whole) < 0.9]


def _frames(parts: Sequence[Line], gutters: Sequence[float]) -> list[list[Line]]:
    """Lines by the columns of the page they stand in; full-width lines are a frame of their own."""
    if not gutters:
        return [list(parts)] if parts else []
    edges = [float("-inf"), *gutters, float("inf")]
    frames: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for line in parts:
        first = max(at for at, edge in enumerate(edges) if line.box.left >= edge - 3)
        last = max(at for at, edge in enumerate(edges) if line.box.right > edge + 3)
        frames[first, max(first, last)].append(line)
    return list(frames.values())


def gutters_of(parts: Sequence[Line], width: float) -> list[float]:
    """Where the gaps between columns of prose are (at most two), from the left."""
    prose = [line for line in parts if line.word_count >= 4 and not line.is_number]
    if len(prose) < 8:
        return []
    lefts = sorted(line.box.left for line in prose)
    rights = sorted(line.box.right for line in prose)
    scores = {
        x: _gutter_score(prose, lefts, rights, x, width)
        for x in range(int(0.22 * width), int(0.78 * width), 4)
    }
    best = max(scores.values(), default=0)
    good = [x for x, score in scores.items() if score > 0 and score >= best - 1]
    groups = in_runs(good, lambda run, x: x - run[-1] > 6)
    gutters = [sum(group) / len(group) for group in groups][:2]
    return [] if gutters and _are_figures(parts, beyond=gutters[0]) else gutters


def _are_figures(parts: Sequence[Line], *, beyond: float) -> bool:
    """Whether what looks like a column is the figures of rows of which the labels are another."""
    right = [line.is_number for line in parts if line.box.left >= beyond - 1]
    return sum(right) > 0.5 * len(right)


def _gutter_score(
    prose: Sequence[Line], lefts: Sequence[float], rights: Sequence[float], x: float, width: float
) -> float:
    """How well prose keeps off ``x`` on both sides; 0 or less where it is no gutter.

    ``lefts`` and ``rights`` are where its lines begin and end, in order.
    """
    before, after = x - 0.30 * width, x + 0.12 * width
    left, first = bisect_right(rights, x + 1), bisect_left(lefts, x - 1)
    right = len(prose) - first
    crossing = len(prose) - left - right
    fewest = min(left - bisect_right(rights, before), bisect_left(lefts, after) - first)
    if fewest < (FEWEST_AMID if crossing else FEWEST_LINES) or crossing > 0.55 * (left + right):
        return 0
    near_left = [line for line in prose if before < line.box.right <= x + 1]
    near_right = [line for line in prose if x - 1 <= line.box.left < after]
    narrow = min(median(line.width for line in side) for side in (near_left, near_right))
    if narrow < 0.14 * width or not _side_by_side(near_left, near_right):
        return 0
    return fewest - 1.5 * crossing


def _side_by_side(left: Sequence[Line], right: Sequence[Line]) -> bool:
    one, other = around(line.box for line in left), around(line.box for line in right)
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap >= 0.3 * min(one.bottom - one.top, other.bottom - other.top)


def others(words: Sequence[Word], tables: Sequence[Found]) -> list[Word]:
    """The words that no table has."""
    return without(words, (w for table in tables for line in table.lines for w in line.words))


def _framed(frame: Sequence[Line], page: Page) -> list[Region]:
    """The tables and paragraphs of one column."""
    tables = find_aligned(without(frame, _page_head(frame, page.height)), page.rules)
    taken = {id(word) for table in tables for line in table.lines for word in line.words}
    rest = [line for line in frame if id(line.words[0]) not in taken]
    prose = [
        Region(_kind(lines), around(line.box for line in lines), tuple(lines))
        for lines in paragraphs_of(rest, pitch=page.pitch)
    ]
    return [*map(table_region, tables), *prose]


def _page_head(frame: Sequence[Line], height: float) -> list[Line]:
    """The lines at a page's top edge that stand apart from what is below and name no columns of it.

    Names of columns stand over each of the figures, or else close to the names below them.
    """
    rows = rows_of(frame)
    gaps = [gap_between(row, below) for row, below in pairwise(rows)]
    end = 0
    for at, (gap, after) in enumerate(pairwise(gaps)):
        row = rows[at]
        if row_box(row).bottom > EDGE * height:
            break
        far = gap > APART * max(line.size for line in row) and gap > APART * after
        if far and len(row) > 1 and _leaves_figures(row, rows[at + 1 : at + 1 + HEAD]):
            end = at + 1
    return [line for row in rows[:end] for line in row]


def _leaves_figures(row: Sequence[Line], below: Sequence[Sequence[Line]]) -> bool:
    """Whether a row says neither when nor a scale, and leaves a figure right below unnamed."""
    if any(YEAR.match(part.text) or is_units(part.text) for part in row):
        return False
    figures = next(filter(None, ([f for f in each[1:] if is_figure(f.text)] for each in below)), [])
    return any(
        all(part.box.right < figure.box.left or figure.box.right < part.box.left for part in row)
        for figure in figures
    )


def table_region(found: Found) -> Region:
    return Region("table", found.grid.box, found.lines, grid=found.grid)


def _kind(lines: Sequence[Line]) -> BlockKind:
    first = lines[0].text
    if MARKER.match(first) and sum(len(line.text) for line in lines) > 3:
        return "list"
    if (CAPTION.match(first) and len(lines) <= 8) or (len(lines) == 1 and is_units(first)):
        return "caption"
    if all(line.mono for line in lines) and sum(len(line.words) for line in lines) > 3:
        return "code"
    return "text"
