"""Docling's own pages, for those that it has to read itself: where OCR reads, and where one fails.

What is drawn on them is what `decoded` takes from docling-parse; Docling would make a checked
object of every word and line first.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
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


class SharpDocument(ThreadedDoclingParseDocumentBackend):
    """The threaded backend over pages that render sharply, if they are rendered at all.

    Docling has every page decoded as soon as the file is open; here only those are that
    `chosen_pages` names. So the parser is made here, and Docling's own `__init__`, which would
    make another, is passed over.
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
        self.parser = parser_of(WITH_LINES, threads=options.parser_threads or 1)
        self.doc_key = self._loaded([])

    def _loaded(self, numbers: Sequence[int]) -> str:
        try:
            return self.parser.load(
                self.path_or_stream, password=self._password, page_numbers=numbers
            )
        except (RuntimeError, ValueError) as error:
            raise DocumentLoadError(f"docling-parse could not load the file: {error}") from error

    @property
    def _password(self) -> str | None:
        secret = self.options.password
        return secret.get_secret_value() if secret else None

    def chosen_pages(self, numbers: Sequence[int]) -> Iterator[SharpPage]:
        """The pages of these numbers, in no certain order."""
        if not numbers:
            return
        self.parser.unload(self.doc_key)
        self.doc_key = self._loaded(numbers)
        path = Path(str(self.path_or_stream))
        for result in self.parser.iterate_results():
            yield SharpPage(result, path, self._password)
