"""The stages of Docling's PDF pipeline that our geometry takes the place of.

Which regions a page has is asked of `layout`, or of `layout_regions` where Docling's layout network
reads along.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from docling.datamodel.base_models import (
    Cluster,
    LayoutPrediction,
)
from docling.datamodel.base_models import (
    Page as DoclingPage,
)
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import (
    BaseLayoutOptions,
    LayoutPostprocessorOptions,
)
from docling.models.base_layout_model import BaseLayoutModel
from docling.models.base_layout_postprocessing_model import BaseLayoutPostprocessingModel
from docling_core.types.doc.labels import DocItemLabel
from docling_core.types.doc.page import TextCell

from docqa.ingest.geometry import layout, layout_regions
from docqa.ingest.reading.arrange import bounding, ocr_regions, page_of
from docqa.ingest.reading.decoded import Decoded, word_of
from docqa.ingest.reading.docling_layout import LayoutNetwork
from docqa.ingest.reading.docling_pages import SharpPage

_log = logging.getLogger(__name__)


class OcrRegions(BaseLayoutModel):
    """Docling's layout stage runs before OCR; here it only says what to read by OCR."""

    requires_layout_postprocessing = True

    def __init__(self, *, options: BaseLayoutOptions) -> None:
        self.options = options
        self.garbled: set[int] = set()  # pages whose text layer is no text

    @classmethod
    def get_options_type(cls) -> type[BaseLayoutOptions]:
        return BaseLayoutOptions

    def predict_layout(
        self, conv_res: ConversionResult, pdfium: Sequence[DoclingPage]
    ) -> list[LayoutPrediction]:
        return [
            LayoutPrediction(clusters=_ocr_regions(page, garbled=page.page_no in self.garbled))
            for page in pdfium
        ]


def _ocr_regions(page: DoclingPage, *, garbled: bool) -> list[Cluster]:
    found = ocr_regions(_drawn(page), lambda: _lines(page), garbled=garbled)
    return [
        Cluster(id=at, label=DocItemLabel(kind), bbox=bounding(box))
        for at, (kind, box) in enumerate(found)
    ]


def _drawn(page: DoclingPage) -> Decoded:
    backend = page._backend
    assert isinstance(backend, SharpPage)
    return backend.drawn


def _lines(page: DoclingPage) -> list[TextCell]:
    return [cell for cell in page.cells if not cell.from_ocr]


class GeometryLayout(BaseLayoutPostprocessingModel):
    """Docling's layout post-processing runs after OCR; here it is the layout itself.

    ``arranged`` are the pages of a run as laid out, ``unseen`` those that ``network``, where there
    is one, failed on.
    """

    def __init__(self) -> None:
        self.options = LayoutPostprocessorOptions()
        self.arranged: dict[int, layout.Arranged] = {}
        self.garbled: set[int] = set()
        self.network: LayoutNetwork | None = None
        self.unseen: set[int] = set()

    @classmethod
    def get_options_type(cls) -> type[LayoutPostprocessorOptions]:
        return LayoutPostprocessorOptions

    def postprocess_layout(
        self, conv_res: ConversionResult, pdfium: Sequence[DoclingPage]
    ) -> list[LayoutPrediction]:
        return [self._layout(conv_res, page) for page in pdfium]

    def _layout(self, conv_res: ConversionResult, page: DoclingPage) -> LayoutPrediction:
        assert page.size is not None
        drawn = page_of(
            _drawn(page),
            lambda: _lines(page),
            by_ocr=[word_of(cell, page.size.height) for cell in page.cells if cell.from_ocr],
            garbled=page.page_no in self.garbled,
        )
        if self.network and drawn.words:
            drawn = replace(drawn, sights=self._sights(self.network, conv_res, page))
        arranged = layout.Arranged.of(drawn, layout_regions.arrange(drawn))
        self.arranged[arranged.number] = arranged
        return LayoutPrediction()

    def _sights(
        self, network: LayoutNetwork, conv_res: ConversionResult, page: DoclingPage
    ) -> tuple[layout.Sight, ...]:
        """What the network sees; nothing where it fails, which costs the page its sights alone."""
        try:
            return network.look(conv_res, page)
        except Exception as error:
            _log.warning("The layout network failed on page %d: %r", page.page_no, error)
            self.unseen.add(page.page_no)
            return ()


class OcrWhenNeeded:
    """Starts OCR at the first page that has something to be read by it.

    Unless ``allowed``, such pages are only noted, in ``waiting``.
    """

    def __init__(self, start: Callable[[], Any]) -> None:
        self._start = start
        self._model: Any = None
        self.allowed = True
        self.waiting: set[int] = set()

    def __call__(
        self, conv_res: ConversionResult, batch: Iterable[DoclingPage]
    ) -> Iterator[DoclingPage]:
        for page in batch:
            needed = page.predictions.layout and page.predictions.layout.clusters
            if needed and not self.allowed:
                self.waiting.add(page.page_no)
            if needed and self.allowed:
                self._model = self._model or self._start()
                yield from self._model(conv_res, [page])
            else:
                yield page
