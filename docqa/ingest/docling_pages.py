"""Docling's pages as docling-parse decodes them, their words and rules taken from it directly.

Docling would make a checked object of every word and line first, which took a fifth of the time
that reading takes; here only the few pages that need Docling's own cells have them made.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from docling.backend.docling_parse_backend import (
    ThreadedDoclingParseDocumentBackend,
    ThreadedDoclingParsePageBackend,
)
from docling.backend.pdf_backend import PdfDocumentBackend
from docling.datamodel.backend_options import ThreadedDoclingParseBackendOptions
from docling.datamodel.document import InputDocument
from docling.exceptions import DocumentLoadError
from docling.utils.font_style import parse_font_style, weight_class
from docling_core.types.doc.base import BoundingBox, CoordOrigin
from docling_core.types.doc.page import (
    BoundingRectangle,
    PdfCellRenderingMode,
    SegmentedPdfPage,
    TextCell,
)
from docling_parse.pdf_parser import (
    ContentConfig,
    ContentLevel,
    DoclingThreadedPdfParser,
    ThreadedPdfParserConfig,
)
from PIL import Image

from docqa.ingest import pages
from docqa.ingest.text import clean, is_right_to_left
from docqa.ingest.words import Word
from docqa.types import Box

CONCURRENT_RESULTS = 8  # pages parsed and not yet taken
RULE_THICKNESS = 2.5  # points; a thicker shape is a band, not a rule
FEW_LETTERS = 15  # on a page: fewer is no text layer
LARGE = 0.5  # of the page's area: a larger picture may be a scan

_UNSEEN = {PdfCellRenderingMode.INVISIBLE, PdfCellRenderingMode.ONLY_CLIPPING}
_SUBSET = re.compile(r"^/?(?:[A-Z]{6}\+)?")  # fonts embedded in part are named "ABCDEF+Name"
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx|cmssbx|-bd\b|,b\b")
_MONO = re.compile(r"courier|mono|consol|cmtt|typewriter|menlo|inconsolata")
_WITH_CELLS = ContentConfig(
    char_cells_content_level=ContentLevel.COMPUTE,
    word_cells_content_level=ContentLevel.COMPUTE,
    line_cells_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
    shapes_content_level=ContentLevel.COMPUTE,
    bitmaps_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
    include_bitmap_bytes=False,
)
_BARE = _WITH_CELLS.model_copy(update={"line_cells_content_level": ContentLevel.COMPUTE})

Extent = tuple[float, float, float, float]  # left, bottom, right, top, from the bottom left


@lru_cache(maxsize=4096)
def font_style(name: str) -> tuple[bool, bool, bool]:
    """Whether a font, by its name, is bold, italic, of one width."""
    style, lower = parse_font_style(name), name.lower()
    bold = (style.known and weight_class(style.weight) >= 2) or bool(_BOLD.search(lower))
    italic = (style.known and style.italic) or "ital" in lower or "obli" in lower
    return bold, italic, bool(_MONO.search(lower))


class SharpPage(ThreadedDoclingParsePageBackend):
    """A page that renders through pdfium: docling-parse is not asked to render."""

    def __init__(self, result: Any, path: Path, password: str | None) -> None:
        super().__init__(result, rendered=True)
        self._path, self._password = path, password

    def get_segmented_page(self) -> SegmentedPdfPage | None:
        """The page without cells of words, and with those of lines only where they are asked for:
        where it may be a scan, and where it is Hebrew or Arabic.
        """
        if self._seg_page is None and self.is_valid():
            self._seg_page = self._result.get_page(_BARE)
            if self._wants_lines():
                self._seg_page = self._result.get_page(_WITH_CELLS)
                for cell in self._seg_page.textline_cells:
                    cell.to_top_left_origin(self._seg_page.dimension.height)
        return self._seg_page

    def _wants_lines(self) -> bool:
        size = self.get_size()
        large = LARGE * size.width * size.height
        return (
            sum(len(word.text) for word in self.words) < FEW_LETTERS
            or any(picture.area() > large for picture in self.get_bitmap_rects())
            or self.is_right_to_left
        )

    @cached_property
    def is_right_to_left(self) -> bool:
        return is_right_to_left("".join(word.text for word in self.words))

    @property
    def words(self) -> list[Word]:
        """The words of the text layer, hidden ones too."""
        return self._words[0]

    @property
    def seen_words(self) -> list[Word]:
        return self._words[1]

    @cached_property
    def _words(self) -> tuple[list[Word], list[Word]]:
        assert self._seg_page is not None
        height = self._seg_page.dimension.height
        every: list[Word] = []
        seen: list[Word] = []
        for cell in self._result._require_page_decoder().get_word_cells():
            word = _decoded(cell, height)
            if word.text:
                every.append(word)
                if cell.rendering_mode not in _UNSEEN:
                    seen.append(word)
        return every, seen

    def rules(self) -> Iterator[Box]:
        """The ruled lines: strokes and thin filled shapes, four times as long as thick."""
        decoder, height = self._result._require_page_decoder(), self.get_size().height
        strokes = decoder.get_shape_lines(horizontal=True, vertical=True, tolerance=1e-3)
        thin = (each for each in _extents(decoder) if _thickness(each) <= RULE_THICKNESS)
        for left, bottom, right, top in chain(strokes, thin):
            long = max(right - left, top - bottom)
            if long >= 8 and long > 4 * _thickness((left, bottom, right, top)):
                yield Box(left, height - top, right, height - bottom)

    def draws_more_than(self, thickness: float) -> bool:
        """Whether any shape is thicker, across both ways."""
        decoder = self._result._require_page_decoder()
        return any(_thickness(extent) > thickness for extent in _extents(decoder))

    def get_page_image(self, scale: float = 1, cropbox: BoundingBox | None = None) -> Image.Image:
        size = self.get_size()
        image, _, _ = pages.render_image(
            self._path, self.page_no, scale=scale, password=self._password
        )
        wanted = round(size.width * scale), round(size.height * scale)
        if image.size != wanted:
            image = image.resize(wanted)
        if cropbox is None:
            return image
        crop = cropbox.to_top_left_origin(page_height=size.height).scaled(scale)
        return image.crop((round(crop.l), round(crop.t), round(crop.r), round(crop.b)))


def _thickness(extent: Extent) -> float:
    left, bottom, right, top = extent
    return min(right - left, top - bottom)


def _extents(decoder: Any) -> Iterator[Extent]:
    """The extent of each painted shape."""
    for shape in decoder.get_page_shapes():
        across, down = shape.get_x(), shape.get_y()
        if len(across) and len(down):
            yield min(across), min(down), max(across), max(down)


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
        word for word in words if not any(_is_inside(word.box, line.box) for line in whole)
    ]


def _is_inside(box: Box, other: Box) -> bool:
    """Whether more than half of a box lies in another."""
    width = min(box.right, other.right) - max(box.left, other.left)
    height = min(box.bottom, other.bottom) - max(box.top, other.top)
    area = (box.right - box.left) * (box.bottom - box.top)
    return width > 0 and height > 0 and area > 0 and width * height > 0.5 * area


class SharpDocument(ThreadedDoclingParseDocumentBackend):
    """The threaded backend over pages that render sharply, if they are rendered at all.

    Docling has rules computed only where docling-parse renders each page, which takes a third of
    its time; docling-parse itself computes them without. So the parser is made here, and
    Docling's own `__init__`, which would make another, is passed over.
    """

    options: ThreadedDoclingParseBackendOptions

    def __init__(
        self,
        in_doc: InputDocument,
        path_or_stream: BytesIO | Path,
        options: ThreadedDoclingParseBackendOptions,
    ) -> None:
        PdfDocumentBackend.__init__(self, in_doc, path_or_stream, options)
        self._closed = self._iterating = self._render_pages = False
        config = ThreadedPdfParserConfig(
            loglevel="fatal",
            threads=options.parser_threads or 1,
            max_concurrent_results=CONCURRENT_RESULTS,
            page_content_config=_BARE,
        )
        self.parser = DoclingThreadedPdfParser(parser_config=config)
        try:
            self.doc_key = self.parser.load(
                path_or_stream, password=self._password, page_range=in_doc.limits.page_range
            )
        except (RuntimeError, ValueError) as error:
            raise DocumentLoadError(f"docling-parse could not load the file: {error}") from error

    @property
    def _password(self) -> str | None:
        secret = self.options.password
        return secret.get_secret_value() if secret else None

    def iter_pages(self) -> Iterator[ThreadedDoclingParsePageBackend]:
        path = Path(str(self.path_or_stream))
        for result in self.parser.iterate_results():
            yield SharpPage(result, path, self._password)
