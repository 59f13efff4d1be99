"""Docling's own pages, for those that it has to read itself: where OCR reads, and where one fails.

What is drawn on them is what `decoded` takes from docling-parse; Docling would make a checked
object of every word and line first.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from docling.backend.docling_parse_backend import ThreadedDoclingParsePageBackend
from docling_core.types.doc.base import BoundingBox
from docling_core.types.doc.page import SegmentedPdfPage
from PIL import Image

from docqa.ingest.reading import pdfium
from docqa.ingest.reading.decoded import WITH_LINES, Decoded, lines_of, parser_of


class SharpPage(ThreadedDoclingParsePageBackend):
    """A page that renders through pdfium: docling-parse is not asked to render."""

    def __init__(self, result: Any, path: Path, password: str | None) -> None:
        super().__init__(result, rendered=True)
        self.drawn = Decoded(result, path, password)
        self._path, self._password = path, password

    def get_segmented_page(self) -> SegmentedPdfPage | None:
        """The page with cells of lines and without those of words."""
        if self._seg_page is None and self.is_valid():
            self._seg_page = self._result.get_page()
            self._seg_page.textline_cells = lines_of(self._result)
        return self._seg_page

    def get_page_image(self, scale: float = 1, cropbox: BoundingBox | None = None) -> Image.Image:
        size = self.get_size()
        image, _, _ = pdfium.render_image(
            self._path, self.page_no, scale=scale, password=self._password
        )
        wanted = round(size.width * scale), round(size.height * scale)
        if image.size != wanted:
            image = image.resize(wanted)
        if cropbox is None:
            return image
        crop = cropbox.to_top_left_origin(page_height=size.height).scaled(scale)
        return image.crop((round(crop.l), round(crop.t), round(crop.r), round(crop.b)))


def sharp_pages(
    path: Path, password: str | None, numbers: Sequence[int], *, threads: int
) -> Iterator[SharpPage]:
    """The pages of these numbers decoded with their lines, in no certain order.

    Raises `RuntimeError` or `ValueError` where docling-parse cannot load the file.
    """
    if numbers:
        parser = parser_of(WITH_LINES, threads=threads)
        parser.load(path, password=password, page_numbers=numbers)
        for result in parser.iterate_results():
            yield SharpPage(result, path, password)
