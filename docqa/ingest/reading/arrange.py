"""Each page of a file laid out by itself, before the whole file says what its regions are.

Most of the time that reading takes goes by here, and no page needs another: what is sent to
another process and comes back from it is what these functions take and give.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from docling_core.types.doc.base import BoundingBox
from docling_core.types.doc.page import TextCell

from docqa.ingest.geometry import layout
from docqa.ingest.geometry.layout import Arranged
from docqa.ingest.geometry.words import Word, area
from docqa.ingest.reading.decoded import Decoded, decoded_pages, lines_whole
from docqa.types.document import BlockKind, Box

_log = logging.getLogger(__name__)

FEW_LETTERS = 15  # on a page: fewer is no text layer
LARGE = 0.5  # of the page's area: a larger picture may be a scan
RULE = 3.0  # points: a thinner drawing is a line


@dataclass(frozen=True, slots=True)
class Laid:
    """A page laid out; ``for_ocr`` says that it has something to be read by OCR."""

    page: Arranged
    for_ocr: bool


def laid_out(
    path: Path,
    *,
    password: str | None = None,
    first: int,
    last: int,
    garbled: Collection[int] = (),
    done: Callable[[int], None] = lambda count: None,
) -> list[Laid]:
    """The pages from ``first`` to ``last`` laid out; those that fail are left out.

    ``garbled`` are pages whose text layer is no text. ``done`` is told how many are.
    """
    found: list[Laid] = []
    for count, page in enumerate(
        decoded_pages(path, password=password, first=first, last=last), start=1
    ):
        try:
            found.append(_laid(page, garbled=page.number in garbled))
        except Exception as error:
            _log.warning("Page %d could not be laid out: %r", page.number, error)
        done(count)
    return found


def _laid(page: Decoded, *, garbled: bool) -> Laid:
    for_ocr = bool(ocr_regions(page, garbled=garbled))
    drawn = page_of(page, garbled=garbled)
    return Laid(Arranged.of(drawn, layout.arrange(drawn)), for_ocr)


def ocr_regions(page: Decoded, *, garbled: bool) -> list[tuple[BlockKind, Box]]:
    """What to read by OCR: "text", the whole page where it has next to no text layer, or
    "picture", those that cover most of it.
    """
    whole = Box(0, 0, page.width, page.height)
    if garbled:
        return [("text", whole)]
    if page.letters < FEW_LETTERS:
        # Letters may be drawn as outlines; a page of mere rules is not worth the seconds of OCR.
        return [("text", whole)] if page.pictures or page.draws_more_than(RULE) else []
    large = LARGE * page.width * page.height
    return [
        ("picture", picture)
        for picture in page.pictures
        if area(picture) > large and _letters_inside(page.lines, picture) < FEW_LETTERS
    ]


def _letters_inside(lines: Sequence[TextCell], picture: Box) -> int:
    frame = bounding(picture)
    return sum(
        len(line.text.strip())
        for line in lines
        if line.rect.to_bounding_box().intersection_over_self(frame) > 0.5
    )


def bounding(box: Box) -> BoundingBox:
    return BoundingBox(l=box.left, t=box.top, r=box.right, b=box.bottom)


def page_of(page: Decoded, *, by_ocr: Sequence[Word] = (), garbled: bool = False) -> layout.Page:
    """What is drawn on a page, in our words; of a garbled one what OCR read."""
    words = [] if garbled else page.grounded(_words(page, by_ocr=bool(by_ocr)))
    return layout.Page(
        number=page.number,
        width=page.width,
        height=page.height,
        words=tuple(word for word in [*words, *by_ocr] if word.text),
        rules=tuple(page.rules()),
        panels=tuple(page.panels()),
        pictures=tuple(page.pictures),
    )


def _words(page: Decoded, *, by_ocr: bool) -> list[Word]:
    """Words of the text layer, lines whole where it is Hebrew or Arabic.

    Hidden text counts only where nothing else is on the page: it is then a scan's text layer.
    """
    seen = page.seen_words
    hidden = not by_ocr and sum(len(word.text) for word in seen) < FEW_LETTERS
    words = page.words if hidden else seen
    return lines_whole(words, page.lines, page.height) if page.is_right_to_left else words
