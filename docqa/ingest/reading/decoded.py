"""Pages as docling-parse decodes them: words, rules and pictures, taken from it directly.

docling-parse is asked for words and shapes alone. What it makes of them for others, checked
objects and whole lines, is left out: that takes a third of the time that decoding takes. The few
pages that need its lines, Hebrew and Arabic ones and those under large pictures, are decoded again.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from docling.utils.font_style import parse_font_style, weight_class
from docling_core.types.doc.base import CoordOrigin
from docling_core.types.doc.page import BoundingRectangle, PdfCellRenderingMode, TextCell
from docling_parse.pdf_parser import (
    ContentConfig,
    ContentLevel,
    DecodeConfig,
    DoclingThreadedPdfParser,
    PageParseResult,
    ThreadedPdfParserConfig,
)

from docqa.ingest.geometry.text import clean, is_right_to_left
from docqa.ingest.geometry.words import Word, area, share_of
from docqa.types.document import Box

_log = logging.getLogger(__name__)

# The mean small letter's width of its box's height: flatter ones are measured wrongly. The widest,
# a typewriter's, come to 0.85 in a box as low as a capital; narrow type in one too low to 0.94.
FLAT = 0.9
ENOUGH = 20  # letters that tell how wide a font is
TALL = 2.1  # a line's height in mean letters
# How wide a space is in the fonts that a file need not bring, of the type's size (Adobe's Core 14
# AFM), and how tall the box of a word should be of it: that of a font not brought may be a third
# lower, as if its letters were smaller than those of the same font where it is brought.
SPACES = {"times": 0.25, "arial": 0.278, "helvetica": 0.278}
FAIR, LOW = 0.88, 0.67
CONCURRENT_RESULTS = 8  # pages parsed and not yet taken
PANEL_WIDTH, PANEL_HEIGHT = 60.0, 100.0  # points, at least
RULE_THICKNESS = 2.5  # points; a thicker shape is a band, not a rule
GROUND_WIDTH, GROUND_HEIGHT = 12.0, 6.0  # points, at least, of what a word stands on
WHITE = 250  # of 255, the least of each colour

_UNSEEN = {PdfCellRenderingMode.INVISIBLE, PdfCellRenderingMode.ONLY_CLIPPING}
_SMALL = re.compile(r"[A-Za-z][a-z]+")  # capitals, and other scripts, may be as wide as tall
_SUBSET = re.compile(r"^/?(?:[A-Z]{6}\+)?")  # fonts embedded in part are named "ABCDEF+Name"
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx|cmssbx|-bd\b|,b\b")
_MONO = re.compile(r"courier|mono|consol|cmtt|typewriter|menlo|inconsolata")
WITH_LINES = ContentConfig(
    char_cells_content_level=ContentLevel.COMPUTE,
    word_cells_content_level=ContentLevel.COMPUTE,
    line_cells_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
    shapes_content_level=ContentLevel.COMPUTE,
    bitmaps_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
    include_bitmap_bytes=False,
)
_BARE = WITH_LINES.model_copy(update={"line_cells_content_level": ContentLevel.SKIP})
# Repeated letters and odd ones are taken out of lines alone; words are the same without.
_WORDS_ALONE = DecodeConfig(do_sanitization=False)

Extent = tuple[float, float, float, float]  # left, bottom, right, top, from the bottom left


class Decoded:
    """What is drawn on one page. Boxes are in points from its top left."""

    def __init__(self, result: PageParseResult, path: Path, password: str | None) -> None:
        self._result, self._path, self._password = result, path, password
        self.number = result.page_number
        self.width, self.height = result.page_width, result.page_height

    @property
    def words(self) -> list[Word]:
        """The words of the text layer, hidden ones too."""
        return self._words[0]

    @property
    def seen_words(self) -> list[Word]:
        return self._words[1]

    @cached_property
    def letters(self) -> int:
        """How many characters the text layer has, hidden ones too."""
        return sum(len(word.text) for word in self.words)

    @cached_property
    def is_right_to_left(self) -> bool:
        return is_right_to_left("".join(word.text for word in self.words))

    @cached_property
    def _words(self) -> tuple[list[Word], list[Word]]:
        decoded = ((cell, _decoded(cell, self.height)) for cell in self._decoder.get_word_cells())
        cells = [(cell, word) for cell, word in decoded if word.text]
        sizes = [_standard_size(cell.font_name, cell.space_width) for cell, _ in cells]
        every = made_tall(made_fair([word for _, word in cells], sizes))
        pairs = zip(cells, every, strict=True)
        return every, [word for (cell, _), word in pairs if cell.rendering_mode not in _UNSEEN]

    @property
    def _decoder(self) -> Any:
        return self._result._require_page_decoder()

    @cached_property
    def lines(self) -> Sequence[TextCell]:
        """The lines of the text layer as docling-parse makes them, from the top left."""
        parser = parser_of(WITH_LINES, threads=1)
        parser.load(self._path, password=self._password, page_numbers=[self.number])
        [result] = parser.iterate_results()
        return lines_of(result)

    @cached_property
    def pictures(self) -> list[Box]:
        return [box for box in map(self._picture, self._decoder.get_page_images()) if box]

    def _picture(self, image: Any) -> Box | None:
        """Where a picture can be seen; None where it cannot, or has no area."""
        if not image.is_visible:
            return None
        across, down = (image.x0, image.x1), (image.y0, image.y1)
        if image.has_visible_bbox:
            across, down = (
                (image.visible_x0, image.visible_x1),
                (image.visible_y0, image.visible_y1),
            )
        box = Box(min(across), self.height - max(down), max(across), self.height - min(down))
        return box if area(box) > 0 else None

    @cached_property
    def _shapes(self) -> list[tuple[Extent, Any]]:
        """Each painted shape with its extent."""
        found = ((_extent(shape), shape) for shape in self._decoder.get_page_shapes())
        return [(extent, shape) for extent, shape in found if extent]

    @property
    def _extents(self) -> Iterator[Extent]:
        return (extent for extent, _ in self._shapes)

    def rules(self) -> Iterator[Box]:
        """The ruled lines: strokes and thin filled shapes, four times as long as thick."""
        strokes = self._decoder.get_shape_lines(horizontal=True, vertical=True, tolerance=1e-3)
        thin = (each for each in self._extents if _thickness(each) <= RULE_THICKNESS)
        for left, bottom, right, top in chain(strokes, thin):
            long = max(right - left, top - bottom)
            if long >= 8 and long > 4 * _thickness((left, bottom, right, top)):
                yield Box(left, self.height - top, right, self.height - bottom)

    def panels(self) -> Iterator[Box]:
        """What is drawn large enough to be the ground, or the frame, of several lines."""
        for left, bottom, right, top in self._extents:
            if right - left >= PANEL_WIDTH and top - bottom >= PANEL_HEIGHT:
                yield Box(left, self.height - top, right, self.height - bottom)

    def grounded(self, words: Sequence[Word]) -> list[Word]:
        """The words, each with the colour of the smallest shape that it stands on."""
        if not words or not self._grounds:
            return list(words)
        left, bottom, right, top = np.array([each for each, _ in self._grounds]).T[:, :, None]
        x = np.array([(word.box.left + word.box.right) / 2 for word in words])
        y = np.array([self.height - (word.box.top + word.box.bottom) / 2 for word in words])
        amid = (left <= x) & (x <= right) & (bottom <= y) & (y <= top)
        sizes = np.where(amid, (right - left) * (top - bottom), np.inf)
        least = (self._grounds[at][1] for at in sizes.argmin(axis=0))
        return [
            replace(word, ground=colour) if colour and within else word
            for word, colour, within in zip(words, least, amid.any(axis=0), strict=True)
        ]

    @cached_property
    def _grounds(self) -> list[tuple[Extent, str]]:
        """The shapes that words may stand on, with their colours, "" for white. What is black may
        as well be drawn in outline alone, which docling-parse does not tell."""
        large = ((extent, shape) for extent, shape in self._shapes if _holds_words(extent))
        coloured = ((extent, shape.get_rgb_filling_ops()) for extent, shape in large)
        return [
            (extent, "" if min(colour) >= WHITE else str(tuple(colour)))
            for extent, colour in coloured
            if any(colour)
        ]

    def draws_more_than(self, thickness: float) -> bool:
        """Whether any shape is thicker, across both ways."""
        return any(_thickness(extent) > thickness for extent in self._extents)


def _extent(shape: Any) -> Extent | None:
    across, down = shape.get_x(), shape.get_y()
    return (min(across), min(down), max(across), max(down)) if len(across) and len(down) else None


def _holds_words(extent: Extent) -> bool:
    left, bottom, right, top = extent
    return right - left >= GROUND_WIDTH and top - bottom >= GROUND_HEIGHT


def made_fair(words: Sequence[Word], sizes: Sequence[float]) -> list[Word]:
    """Words, those taller that are of a standard font which the file does not bring and whose boxes
    are too low; ``sizes`` are those of their type, 0.0 of words in other fonts."""
    shares = defaultdict[str, list[float]](list)
    for word, size in zip(words, sizes, strict=True):
        if size and not word.turn:
            shares[word.font].append(word.height / size)
    usual = {font: median(own) for font, own in shares.items()}
    by = {font: FAIR / share for font, share in usual.items() if 0 < share < LOW}
    return _taller(words, by)


def made_tall(words: Sequence[Word]) -> list[Word]:
    """Words, those taller whose font names no fair height of its capitals, as DejaVu in files that
    a browser prints does: their letters would be as wide as tall, and lines far apart.

    A letter of most fonts is about half as wide as an em, and a line's box a little taller than it.
    """
    letters, widths, heights = (defaultdict[str, float](float) for _ in range(3))
    for word in words:
        if _SMALL.fullmatch(word.text) and not word.turn and word.height > 0:
            letters[word.font] += len(word.text)
            widths[word.font] += word.box.right - word.box.left
            heights[word.font] += word.height * len(word.text)
    enough = [font for font, count in letters.items() if count >= ENOUGH]
    wide = {font: widths[font] / heights[font] for font in enough}
    by = {font: TALL * share for font, share in wide.items() if share > FLAT}
    return _taller(words, by)


def _taller(words: Sequence[Word], by: Mapping[str, float]) -> list[Word]:
    """The words, those of a font as much taller as it says, from where they stand."""
    return [_made_tall(w, by[w.font]) if w.font in by and not w.turn else w for w in words]


def _made_tall(word: Word, by: float) -> Word:
    box = word.box
    return replace(word, box=replace(box, top=box.bottom - by * word.height))


def decoded_pages(path: Path, *, password: str | None, first: int, last: int) -> Iterator[Decoded]:
    """The pages from ``first`` to ``last`` that can be decoded, in no certain order.

    Nothing where docling-parse cannot load the file.
    """
    parser = parser_of(_BARE, _WORDS_ALONE, threads=1)
    try:
        parser.load(path, password=password, page_range=(first, last))
    except (RuntimeError, ValueError) as error:
        _log.warning("docling-parse could not load the file: %s", error)
        return
    for result in parser.iterate_results():
        if result.success:
            yield Decoded(result, path, password)


def parser_of(
    content: ContentConfig, decoding: DecodeConfig | None = None, *, threads: int
) -> DoclingThreadedPdfParser:
    config = ThreadedPdfParserConfig(
        loglevel="fatal",
        threads=threads,
        max_concurrent_results=CONCURRENT_RESULTS,
        page_content_config=content,
    )
    return DoclingThreadedPdfParser(parser_config=config, decode_config=decoding)


def lines_of(result: PageParseResult) -> list[TextCell]:
    """The lines of a page decoded ``WITH_LINES``, from the top left."""
    page = result.get_page()
    for cell in page.textline_cells:
        cell.to_top_left_origin(page.dimension.height)
    return list(page.textline_cells)


@lru_cache(maxsize=4096)
def font_style(name: str) -> tuple[bool, bool, bool]:
    """Whether a font, by its name, is bold, italic, of one width."""
    style, lower = parse_font_style(name), name.lower()
    bold = (style.known and weight_class(style.weight) >= 2) or bool(_BOLD.search(lower))
    italic = (style.known and style.italic) or "ital" in lower or "obli" in lower
    return bold, italic, bool(_MONO.search(lower))


def _thickness(extent: Extent) -> float:
    left, bottom, right, top = extent
    return min(right - left, top - bottom)


def _decoded(cell: Any, height: float) -> Word:
    """A word as docling-parse gives it: two sides of its box, four corners from the bottom left."""
    text, font = cell.text, _bare_name(cell.font_name)
    bold, italic, mono = font_style(font)
    x0, x1, x2, x3 = cell.r_x0, cell.r_x1, cell.r_x2, cell.r_x3
    y0, y1, y2, y3 = height - cell.r_y0, height - cell.r_y1, height - cell.r_y2, height - cell.r_y3
    if y0 == y1 and y2 == y3 and x0 == x3 < x1 == x2 and y2 < y0:  # as nearly every word stands
        return Word(clean(text), Box(x0, y2, x1, y0), font, bold, italic, mono)
    turn = 0
    if y0 != y1 or x0 >= x1:
        rect = BoundingRectangle(
            r_x0=x0, r_y0=y0, r_x1=x1, r_y1=y1, r_x2=x2, r_y2=y2, r_x3=x3, r_y3=y3,
            coord_origin=CoordOrigin.TOPLEFT,
        )  # fmt: skip
        turn = round(rect.angle_360 / 90) % 4
    box = Box(min(x0, x1, x2, x3), min(y0, y1, y2, y3), max(x0, x1, x2, x3), max(y0, y1, y2, y3))
    return Word(clean(text), box, font, bold, italic, mono, False, turn)


def _standard_size(font: str, space: float) -> float:
    """The size of type in a standard font that the file does not bring; 0.0 for any other font."""
    share = 0.0 if "+" in font else _standard_space(font)
    return space / share if share else 0.0


@lru_cache(maxsize=4096)
def _standard_space(font: str) -> float:
    name = _bare_name(font).casefold()
    return next((share for known, share in SPACES.items() if name.startswith(known)), 0.0)


@lru_cache(maxsize=4096)
def _bare_name(font: str) -> str:
    return _SUBSET.sub("", font)


def word_of(cell: TextCell, page_height: float) -> Word:
    """One of Docling's own cells, a line or what OCR read, as a word."""
    font = _bare_name(getattr(cell, "font_name", "") or "")
    bold, italic, mono = font_style(font)
    box = cell.rect.to_bounding_box().to_top_left_origin(page_height)
    corners = Box(box.l, box.t, box.r, box.b)
    turn = round(cell.rect.angle_360 / 90) % 4
    return Word(clean(cell.text), corners, font, bold, italic, mono, cell.from_ocr, turn)


def lines_whole(words: Sequence[Word], lines: Sequence[TextCell], page_height: float) -> list[Word]:
    """Words of a page in Hebrew or Arabic, its lines in such letters whole.

    Only within a line does docling-parse put such words in the order they are read.
    """
    whole = [word_of(cell, page_height) for cell in lines if is_right_to_left(cell.text)]
    return whole + [
        word for word in words if not any(share_of(word.box, line.box) > 0.5 for line in whole)
    ]
