"""What only the whole document tells of a region: running headers, headings and their levels.

Pure: pages as `layout` arranged them go in, the same with final kinds come out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from docqa.ingest.geometry.captions import is_units
from docqa.ingest.geometry.layout import EDGE, Arranged, Region
from docqa.ingest.geometry.sections import is_worded
from docqa.ingest.geometry.words import BULLET
from docqa.types.document import BlockKind

_PAGE_NUMBER = re.compile(
    r"(page\s*)?[-–|\s]*([ivxlc]+|[A-Z]?-?\d{1,4})[-–|\s]*((of|/)\s*\d+)?", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"^(\d{1,2}|[*†‡§]|\(\d\))\s?[A-Z]")
_TABLE_NOTE = re.compile(r"^(\([a-z0-9]{1,2}\)|[*†‡§]+|\d{1,2}(?![\d.,]))\s*\S")
_MARKED = re.compile(r"\([a-z0-9]{1,2}\)|[*†‡§]")
_DIVISION = re.compile(
    r"^(part|item|article|section|chapter|note|exhibit|schedule|appendix|annex)\s+"
    r"([0-9]+[a-z]?|[ivxlc]+|[a-z])\b[.:—–-]?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\(?(\d+(?:\.\d+)*|[IVX]+|[A-Z])[.)]?\s+(?=\S)")
_DIGITS = re.compile(r"\d+")
_UNAUDITED = re.compile(r"\(?unaudited\)?", re.IGNORECASE)
_NO_TITLE = re.compile(r"[<>={}☐☒]|;$|_{3,}")  # code, and blanks to fill in
LOWEST = 0.93  # of the page's height: no heading starts below
OUTERMOST = 3  # regions from the top or the bottom of a page that may run through all
_SENTENCE = 5  # words, at the least
SAME_PLACE = 12.0  # points between the tops of a running text on two pages
FEW_PAGES = 6  # of a document: on two of them a text runs, else on three
NEAR = 3  # times as many pages as a text has to run on: it does so within them
MOST_HEADING = 180  # characters
WIDEST_TITLE = 0.6  # of the page's width, where only the font tells a title
LARGER = 1.13  # than the body: type of this size stands out by itself
SAME_SIZE = 1.08  # sizes within this ratio are one
MOST_STYLES = 3  # of headings, the most frequent, that are told apart
LONGEST_CHAIN = 3  # headings in a row, nothing between: more are a cover


@dataclass(frozen=True, slots=True)
class Usual:
    """What most of the document's prose is set in."""

    size: float
    font: str
    bold: bool
    mono: bool = False

    @classmethod
    def of(cls, pages: Iterable[Arranged]) -> "Usual":
        prose = (r for page in pages for r in page.regions if r.kind in {"text", "list", "code"})
        sizes, fonts = Counter[float](), Counter[str]()
        bold = mono = 0
        for line in (line for region in prose for line in region.lines):
            sizes[round(line.size * 2) / 2] += len(line.text)
            fonts[line.font] += len(line.text)
            bold += len(line.text) * line.bold
            mono += len(line.text) * line.mono
        size = sizes.most_common(1)[0][0] if sizes else 10.0
        font = fonts.most_common(1)[0][0] if fonts else ""
        half = 0.5 * max(sizes.total(), 1)
        return cls(size, font, bold > half, mono > half)


def classify(pages: Sequence[Arranged]) -> list[Arranged]:
    """The pages in the order given, their regions with final kinds and heading levels."""
    usual = Usual.of(pages)
    running = _running(pages)
    classified = [_with_kinds(page, usual, running) for page in pages]
    levels = _levels([r for page in classified for r in page.regions if r.kind == "heading"])
    return [
        replace(
            page,
            regions=tuple(
                replace(region, level=next(levels)) if region.kind == "heading" else region
                for region in page.regions
            ),
        )
        for page in classified
    ]


def _running(pages: Sequence[Arranged]) -> dict[tuple[int, int], BlockKind]:
    """Regions, by page and place, that run through the document, and page numbers."""
    zoned = [
        ((page.number, at), (zone, _DIGITS.sub("#", " ".join(region.text.lower().split()))), region)
        for page in pages
        for at, region in enumerate(page.regions)
        if (zone := _zone(page, at))
    ]
    seen: dict[tuple[BlockKind, str], list[tuple[int, float]]] = defaultdict(list)
    for (number, _), said, region in zoned:
        seen[said].append((number, region.box.top))
    needed = 2 if len(pages) < FEW_PAGES else 3
    known = {key for key, places in seen.items() if _run_on(places, needed)}
    running = {
        place: said[0]
        for place, said, region in zoned
        if said in known or _PAGE_NUMBER.fullmatch(region.text.strip())
    }
    for page in pages:
        _leave_said(page, running)
    return running | {
        (page.number, at): "footer"
        for page in pages
        for at, region in enumerate(page.regions)
        if region.kind in {"text", "code"} and re.fullmatch(r"\d{1,3}", region.text.strip())
    }


def _leave_said(page: Arranged, running: dict[tuple[int, int], BlockKind]) -> None:
    """Do not treat a sentence as a running header when it is all the page has, as with slides."""
    written = [at for at, region in enumerate(page.regions) if region.lines]
    if all((page.number, at) in running for at in written):
        for at in written:
            text = page.regions[at].text
            if len(text.split()) >= _SENTENCE and text.rstrip().endswith((".", "!", "?")):
                del running[page.number, at]


def _run_on(places: Sequence[tuple[int, float]], needed: int) -> bool:
    """Whether a text, by its pages and tops, stands at one place of pages near one another."""
    for _, top in places if len(places) >= needed else ():
        numbers = sorted({page for page, other in places if abs(other - top) < SAME_PLACE})
        if any(
            last - first < NEAR * needed
            for first, last in zip(numbers, numbers[needed - 1 :], strict=False)
        ):
            return True
    return False


def _zone(page: Arranged, at: int) -> BlockKind | None:
    """Whether a region could be a running header or footer: at the edge, or first or last."""
    region = page.regions[at]
    if not region.lines or len(region.lines) > 4 or region.kind in {"table", "picture"}:
        return None
    following = page.regions[at + 1].kind if at + 1 < len(page.regions) else "table"
    if is_units(region.text) and not (
        _UNAUDITED.fullmatch(region.text) and following in {"text", "list"}
    ):
        return None
    tops = sorted(other.box.top for other in page.regions if other.lines)
    few = OUTERMOST if len(tops) > 3 * OUTERMOST else 1
    if region.box.bottom < EDGE * page.height or region.box.top <= tops[few - 1]:
        return "header"
    low = region.box.top > (1 - EDGE) * page.height or region.box.top >= tops[-few]
    return "footer" if low else None


def _with_kinds(
    page: Arranged, usual: Usual, running: dict[tuple[int, int], BlockKind]
) -> Arranged:
    regions = [
        replace(region, kind=running.get((page.number, at)) or _kind(region, usual))
        for at, region in enumerate(page.regions)
    ]
    headings = [
        not region.seen
        and region.box.top < LOWEST * page.height
        and (
            _is_heading(region, usual, _size_below(regions, at, usual), page.width)
            or _is_numbered_title(regions, at)
        )
        for at, region in enumerate(regions)
    ]
    kept = _not_in_chains(regions, headings)
    classified: list[Region] = []
    for region, heading in zip(regions, kept, strict=True):
        after = classified[-1].kind if classified else "text"
        if heading and not _is_note_below(region, after, usual):
            classified.append(replace(region, kind="heading"))
        elif _is_footnote(region, after, page, usual):
            classified.append(replace(region, kind="footnote"))
        else:
            classified.append(region)
    return replace(page, regions=tuple(classified))


def _size_below(regions: Sequence[Region], at: int, usual: Usual) -> float:
    """The size of the paragraph that follows a region, if it is less than usual: small print has
    headings too."""
    following = regions[at + 1] if at + 1 < len(regions) else None
    if following and following.kind == "text" and len(following.text) > MOST_HEADING / 2:
        return min(usual.size, _size(following))
    return usual.size


def _kind(region: Region, usual: Usual) -> BlockKind:
    """A region's kind: typewritten text is code only in a document that is not typewritten."""
    return "text" if region.kind == "code" and usual.mono else region.kind


def _is_footnote(region: Region, before: BlockKind, page: Arranged, usual: Usual) -> bool:
    """Whether a note: small print low on the page, or marked, right below a table."""
    if region.kind not in {"text", "list"} or not region.lines or region.seen:
        return False
    if before in {"table", "footnote"}:
        return _TABLE_NOTE.match(region.text) is not None
    small = region.lines[0].size < 0.88 * usual.size
    return small and region.box.top > 0.6 * page.height and bool(_FOOTNOTE.match(region.text))


def _is_note_below(region: Region, before: BlockKind, usual: Usual) -> bool:
    """Whether a line right below a table begins with a note's mark, in type no heading has."""
    marked = _MARKED.match(region.text) is not None and before in {"table", "footnote"}
    return marked and not region.lines[0].bold and _size(region) < LARGER * usual.size


def _size(region: Region) -> float:
    return median(line.size for line in region.lines)


def _is_heading(region: Region, usual: Usual, below: float, width: float) -> bool:
    if region.kind not in {"text", "list"} or not 0 < len(region.lines) <= 3:
        return False
    text = region.text.strip()
    if len(text) > MOST_HEADING or BULLET.match(text):
        return False
    if not is_worded(text) or _NO_TITLE.search(text):
        return False
    if _is_numbered_capitals(region):
        return True
    short_capitals = text.isupper() and text[-1] == "." and len(text.split()) <= 5
    ends = text[-1] in ".;,:" and not _DIVISION.match(text) and not short_capitals
    if _size(region) >= LARGER * usual.size:
        return not (ends and len(region.lines) > 1)
    return len(region.lines) <= 2 and not ends and _stands_out(region, usual, below, width)


def _is_numbered_capitals(region: Region) -> bool:
    """Whether a clause's title in a contract: "3. DELIVERY OF SOFTWARE."."""
    numbered = _NUMBERED.match(region.text)
    title = region.text[numbered.end() :].rstrip(".:") if numbered else ""
    return title.isupper() and len(title) > 3 and len(region.lines) == 1 and len(title) < 100


def _is_numbered_title(regions: Sequence[Region], at: int) -> bool:
    """Whether a clause's title in plain type: "3.2. Right of Renewal", with its text below."""
    region = regions[at]
    numbered = _NUMBERED.match(region.text)
    if region.kind not in {"text", "list"} or len(region.lines) != 1 or not numbered:
        return False
    title = region.text[numbered.end() :]
    long = [word for word in title.split() if len(word) > 3]
    capital = sum(word[:1].isupper() for word in long)
    if not title[:1].isupper() or title[-1] in ".;,:" or len(title.split()) > 8 or not long:
        return False
    following = regions[at + 1].text if at + 1 < len(regions) else ""
    entry = _NUMBERED.match(following) and len(following) < MOST_HEADING / 2
    return capital >= 0.75 * len(long) and len(following) > 0 and not entry


def _stands_out(region: Region, usual: Usual, below: float, width: float) -> bool:
    """Whether type tells a line from the body, whose letters ``below`` it have that size."""
    text = region.text
    if _size(region) < 0.95 * below:
        return False
    if all(line.bold for line in region.lines) and not usual.bold:
        return True
    capitals = text.isupper() and sum(map(str.isalpha, text)) > 4
    if capitals or (_DIVISION.match(text) and len(text) < 90 and text.istitle()):
        return True
    line = region.lines[0]
    other = bool(usual.font) and line.font != usual.font and not line.mono
    begins = text[:1].isupper() or _NUMBERED.match(text) is not None or not text[:1].isascii()
    return other and begins and len(region.lines) == 1 and line.width < WIDEST_TITLE * width


def _not_in_chains(regions: Sequence[Region], headings: Sequence[bool]) -> list[bool]:
    """Headings but those of a cover: of many in a row, only the largest are left."""
    kept = list(headings)
    places = range(len(regions))
    for _, run in groupby(places, lambda at: headings[at] or regions[at].kind == "picture"):
        chain = [at for at in run if headings[at]]
        if len(chain) > LONGEST_CHAIN:
            largest = max(_size(regions[at]) for at in chain)
            for at in chain[:-1]:
                kept[at] = _size(regions[at]) > 0.95 * largest or bool(
                    _DIVISION.match(regions[at].text)
                )
    return kept


# Smaller is greater: how far below the largest size, then capitals before bold before plain.
_Style = tuple[int, bool, bool]


def _levels(headings: Sequence[Region]) -> Iterator[int]:
    """The level of each, 1 (highest) to 6: by division ("Part", "Item"), else by its style among
    those of the document, and its numbering."""
    below = [region for region in headings if not _division_level(region.text)]
    sizes: list[float] = []
    for size in sorted(map(_size, below), reverse=True):
        if not sizes or size < sizes[-1] / SAME_SIZE:
            sizes.append(size)
    counted = Counter(_style(region, sizes) for region in below)
    # Styles used once or twice, as on a cover, rank nothing below them.
    often = [style for style, _ in counted.most_common(MOST_STYLES)]
    first = 1 if len(below) == len(headings) else 3
    for region in headings:
        own = _style(region, sizes)
        numbered = _NUMBERED.match(region.text)
        depth = numbered.group(1).count(".") if numbered else 0
        rank = sum(style < own for style in often)
        yield _division_level(region.text) or min(first + rank + depth, 6)


def _style(region: Region, sizes: Sequence[float]) -> _Style:
    rank = sum(_size(region) < size / SAME_SIZE for size in sizes)
    bold = all(line.bold for line in region.lines)
    return rank, not region.text.isupper(), not bold


def _division_level(text: str) -> int:
    match = _DIVISION.match(text)
    name = match.group(1).lower() if match else ""
    return {"part": 1, "chapter": 1, "item": 2, "article": 2}.get(name, 0)
