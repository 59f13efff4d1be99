"""The stages of Docling's PDF pipeline that our geometry takes the place of.

Which regions a page has and what a table's cells are is asked of `layout`, or of `layout_regions`
where Docling's layout network reads along.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from docling.datamodel.base_models import (
    Cluster,
    LayoutPrediction,
    Table,
    TableStructurePrediction,
)
from docling.datamodel.base_models import (
    Page as DoclingPage,
)
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import (
    BaseLayoutOptions,
    BaseTableStructureOptions,
    LayoutPostprocessorOptions,
)
from docling.models.base_layout_model import BaseLayoutModel
from docling.models.base_layout_postprocessing_model import BaseLayoutPostprocessingModel
from docling.models.base_table_model import BaseTableStructureModel
from docling.models.postprocessing.reading_order_rb import PageElement, ReadingOrderPredictor
from docling_core.types.doc.items.table.table_data import TableCell
from docling_core.types.doc.labels import DocItemLabel
from docling_core.types.doc.page import BoundingRectangle, ColorRGBA, TextCell

from docqa.ingest.geometry import layout, layout_regions
from docqa.ingest.geometry.cells import Grid
from docqa.ingest.reading.arrange import bounding, ocr_regions, page_of
from docqa.ingest.reading.decoded import Decoded, word_of
from docqa.ingest.reading.docling_layout import LayoutNetwork
from docqa.ingest.reading.docling_pages import SharpPage
from docqa.types.document import BlockKind

_log = logging.getLogger(__name__)

_BLACK = ColorRGBA(r=0, g=0, b=0)  # pydantic would copy the default, which takes a while

LABELS: dict[BlockKind, DocItemLabel] = {
    "text": DocItemLabel.TEXT,
    "heading": DocItemLabel.SECTION_HEADER,
    "list": DocItemLabel.LIST_ITEM,
    "table": DocItemLabel.TABLE,
    "caption": DocItemLabel.CAPTION,
    "footnote": DocItemLabel.FOOTNOTE,
    "header": DocItemLabel.PAGE_HEADER,
    "footer": DocItemLabel.PAGE_FOOTER,
    "code": DocItemLabel.CODE,
    "picture": DocItemLabel.PICTURE,
}


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
        Cluster(id=at, label=LABELS[kind], bbox=bounding(box))
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

    ``arranged`` keeps each page's geometry and regions for the tables and the document, ``unseen``
    the pages that ``network``, where there is one, failed on.
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
        return self.taken_over(layout.Arranged.of(drawn, layout_regions.arrange(drawn)))

    def taken_over(self, arranged: layout.Arranged) -> LayoutPrediction:
        """A page as it was laid out, here or before."""
        self.arranged[arranged.number] = arranged
        return LayoutPrediction(clusters=[_cluster(*each) for each in enumerate(arranged.regions)])

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


def _cluster(at: int, region: layout.Region) -> Cluster:
    """A region as Docling holds it; one cell with its text, which is all that Docling asks."""
    box = bounding(region.box)
    text = "" if region.grid else region.text
    cell = TextCell(
        index=0,
        text=text,
        orig=text,
        rect=BoundingRectangle.from_bounding_box(box),
        from_ocr=False,
        rgba=_BLACK,
    )
    return Cluster(
        id=at,
        label=label_of(region),
        bbox=box,
        confidence=1.0,
        cells=[cell] if text else [],
        children=[],
    )


def label_of(region: layout.Region) -> DocItemLabel:
    if region.grid and region.grid.index:
        return DocItemLabel.DOCUMENT_INDEX
    return LABELS[region.kind]


class GeometryTables(BaseTableStructureModel):
    """Docling's table stage: hands over the grids that the layout found."""

    def __init__(self, layout_model: GeometryLayout) -> None:
        self.enabled = True
        self.layout_model = layout_model

    @classmethod
    def get_options_type(cls) -> type[BaseTableStructureOptions]:
        return BaseTableStructureOptions

    def predict_tables(
        self, conv_res: ConversionResult, pdfium: Sequence[DoclingPage]
    ) -> list[TableStructurePrediction]:
        return [self._tables(page) for page in pdfium]

    def _tables(self, page: DoclingPage) -> TableStructurePrediction:
        prediction = TableStructurePrediction()
        clusters = page.predictions.layout.clusters if page.predictions.layout else []
        regions = self.layout_model.arranged[page.page_no].regions
        for cluster in clusters:
            grid = regions[cluster.id].grid
            if grid:
                prediction.table_map[cluster.id] = _table(grid, cluster, page.page_no)
        return prediction


def _table(grid: Grid, cluster: Cluster, page_no: int) -> Table:
    return Table(
        otsl_seq=[],
        num_rows=grid.rows,
        num_cols=grid.columns,
        table_cells=[
            TableCell(
                text=cell.text,
                bbox=bounding(cell.box),
                row_span=cell.row_end - cell.row,
                col_span=cell.column_end - cell.column,
                start_row_offset_idx=cell.row,
                end_row_offset_idx=cell.row_end,
                start_col_offset_idx=cell.column,
                end_col_offset_idx=cell.column_end,
                column_header=cell.header,
            )
            for cell in grid.cells
        ],
        id=cluster.id,
        page_no=page_no,
        cluster=cluster,
        label=cluster.label,
    )


class GeometryOrder(ReadingOrderPredictor):
    """Docling's reading order, in which a page's regions already stand as the layout gave them.

    What is a caption of what stays Docling's to say. Paragraphs that flow on to the next page are
    not merged: a merged one would stand before what its first page still has below it.
    """

    def predict_reading_order(
        self, page_elements: list[PageElement], page_separators: Any = None
    ) -> list[PageElement]:
        return sorted(page_elements, key=_place_in_layout)

    def predict_merges(self, sorted_elements: list[PageElement]) -> dict[int, list[int]]:
        return {}


def _place_in_layout(element: PageElement) -> tuple[int, int]:
    return element.page_no, int(element.ref.cref.rsplit("/", 1)[-1])


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
