"""What only the whole document tells of a region: running headers, headings and their levels.

Pure: pages and the regions that :mod:`docqa.ingest.layout` made of them go in, regions with
their final kinds come out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from docqa.ingest.layout import Page, Region
from docqa.ingest.words import BULLET, Line
from docqa.types import BlockKind

_PAGE_NUMBER = re.compile(
    r"(page\s*)?[-–|\s]*([ivxlc]+|[A-Z]?-?\d{1,4})[-–|\s]*((of|/)\s*\d+)?", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"^(\d{1,2}|[*†‡§]|\(\d\))\s?[A-Z]")
_ITEM = re.compile(r"^(item|part|article|section)\s+[0-9ivx]+[a-z]?\b", re.IGNORECASE)
_EDGE = 0.115  # share of the page's height where running headers and footers stand


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
