"""Docling's standard PDF pipeline with our geometry where its neural models would stand.

Docling parses, runs OCR where a page has no text, assembles and orders; which regions a page has
and what a table's cells are is asked of `layout`, or of `layout_regions` where Docling's layout
network reads along. No other weights are loaded but RapidOCR's, which come in its wheel, and
nothing is ever fetched.
"""

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import rapidocr
from docling.datamodel.backend_options import ThreadedDoclingParseBackendOptions
from docling.datamodel.base_models import (
    AssembledUnit,
    Cluster,
    InputFormat,
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
    HeadingHierarchyOptions,
    LayoutPostprocessorOptions,
    OcrMode,
    RapidOcrOptions,
    ThreadedPdfPipelineOptions,
)
from docling.document_converter import DocumentConverter, PdfFormatOption
from docling.models.base_layout_model import BaseLayoutModel
from docling.models.base_layout_postprocessing_model import BaseLayoutPostprocessingModel
from docling.models.base_table_model import BaseTableStructureModel
from docling.models.postprocessing.reading_order_rb import PageElement, ReadingOrderPredictor
from docling.models.stages.heading_hierarchy.heading_hierarchy_model import HeadingHierarchyModel
from docling.models.stages.page_assemble.page_assemble_model import (
    PageAssembleModel,
    PageAssembleOptions,
)
from docling.models.stages.reading_order.readingorder_model import (
    ReadingOrderModel,
    ReadingOrderOptions,
)
from docling.pipeline.standard_pdf_pipeline import ProcessingResult, StandardPdfPipeline
from docling.utils.locks import pypdfium2_lock
from docling_core.types.doc.base import BoundingBox, CoordOrigin, Size
from docling_core.types.doc.items.table.table_data import TableCell
from docling_core.types.doc.labels import DocItemLabel
from docling_core.types.doc.page import BoundingRectangle, ColorRGBA, TextCell

from docqa.errors import ReadingFailed
from docqa.ingest.geometry import layout, layout_regions, roles
from docqa.ingest.geometry.cells import Grid
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.arrange import Laid, ocr_regions, page_of
from docqa.ingest.reading.decoded import Decoded, word_of
from docqa.ingest.reading.docling_layout import LayoutNetwork
from docqa.ingest.reading.docling_pages import LaidPage, SharpDocument, SharpPage
from docqa.types.document import BlockKind, Box

_log = logging.getLogger(__name__)

_BLACK = ColorRGBA(r=0, g=0, b=0)  # pydantic would copy the default, which takes a while
OCR_SCALE = 3.0  # pixels for a point: at 2 whole lines were lost beside a table (word F1 .88; .94)

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
        Cluster(id=at, label=LABELS[kind], bbox=_bounding(box))
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


def _bounding(box: Box) -> BoundingBox:
    return BoundingBox(
        l=box.left, t=box.top, r=box.right, b=box.bottom, coord_origin=CoordOrigin.TOPLEFT
    )


def _cluster(at: int, region: layout.Region) -> Cluster:
    """A region as Docling holds it; one cell with its text, which is all that Docling asks."""
    box = _bounding(region.box)
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
        label=_label(region),
        bbox=box,
        confidence=1.0,
        cells=[cell] if text else [],
        children=[],
    )


def _label(region: layout.Region) -> DocItemLabel:
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
                bbox=_bounding(cell.box),
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


class _OcrWhenNeeded:
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


class GeometryPipeline(StandardPdfPipeline):
    """The standard pipeline, its models replaced; ``arranged`` is what the last run laid out.

    ``laid`` are pages laid out before, which it is not to decode again.
    """

    arranged: dict[int, layout.Arranged]
    laid: dict[int, Laid]
    ocr_model: _OcrWhenNeeded
    layout_model: OcrRegions
    geometry: GeometryLayout

    def _init_models(self) -> None:
        options = self.pipeline_options
        self.keep_images = self.keep_backend = False
        self.ocr_model = _OcrWhenNeeded(self._started_ocr)
        self.layout_model = OcrRegions(options=options.layout_options)
        self.geometry = GeometryLayout()
        self.layout_postprocessing_model = self.geometry  # type: ignore[assignment]
        self.table_model = GeometryTables(self.geometry)
        self.assemble_model = PageAssembleModel(options=PageAssembleOptions())
        self.reading_order_model = ReadingOrderModel(options=ReadingOrderOptions())
        self.reading_order_model.ro_model = GeometryOrder()  # type: ignore[no-untyped-call]
        self.heading_hierarchy_model = HeadingHierarchyModel(options=HeadingHierarchyOptions())
        self.enrichment_pipe = []

    def _started_ocr(self) -> Any:
        with warnings.catch_warnings():  # Docling reads deprecated options of its own
            warnings.simplefilter("ignore", DeprecationWarning)
            return self._make_ocr_model(None)

    def _build_document(self, conv_res: ConversionResult) -> ConversionResult:
        """The pages that were laid out before, and then one after the other those that were not.

        Docling hands a page through six threads of Python, of which one can run at a time.
        """
        self.arranged = self.geometry.arranged = {}
        self.geometry.unseen = set()
        self.ocr_model.waiting = {number for number, laid in self.laid.items() if laid.for_ocr}
        expected = self._get_expected_page_nos(conv_res)
        read = ProcessingResult(total_expected=len(expected))
        conv_res.pages = [DoclingPage(page_no=number) for number in expected]
        by_number = {page.page_no: page for page in conv_res.pages}
        backend = conv_res.input._backend
        assert isinstance(backend, SharpDocument)
        for number in expected:
            if number in self.laid:
                read.pages.append(self._taken_over(conv_res, by_number[number]))
        for decoded in backend.chosen_pages([n for n in expected if n not in self.laid]):
            page = by_number[decoded.page_no]
            failure = self._read_page(conv_res, page, decoded)
            if failure is None:
                read.pages.append(page)
            else:
                read.failed_pages.append((page.page_no, failure, None))
            conv_res._progress.page_completed(
                page.page_no, total_pages=len(expected), success=failure is None
            )
        self._integrate_results(conv_res, read)
        return conv_res

    def _taken_over(self, conv_res: ConversionResult, page: DoclingPage) -> DoclingPage:
        """A page that was laid out before, as Docling's stages leave it."""
        laid = self.laid[page.page_no].page
        page.size = Size(width=laid.width, height=laid.height)
        conv_res._page_sizes_by_no[page.page_no] = page.size
        page.predictions.layout = self.geometry.taken_over(laid)
        page._backend = LaidPage()
        for stage in (self.table_model, self.assemble_model):
            [page] = stage(conv_res, [page])
        page._backend = None
        return page

    def _read_page(
        self, conv_res: ConversionResult, page: DoclingPage, decoded: SharpPage
    ) -> Exception | None:
        """Docling's stages for one page; what makes it fail comes back, and costs it alone."""
        stages: tuple[Callable[..., Iterable[DoclingPage]], ...] = (
            self.layout_model,
            self.ocr_model,
            self.layout_postprocessing_model,
            self.table_model,
            self.assemble_model,
        )
        try:
            page.size = conv_res._page_sizes_by_no[page.page_no] = decoded.get_size()
            if not decoded.is_valid():
                return ReadingFailed(conv_res.input.file.name)
            page._backend, page.parsed_page = decoded, decoded.get_segmented_page()
            for stage in stages:
                [page] = stage(conv_res, [page])
        except Exception as error:
            _log.warning("Page %d could not be read: %r", page.page_no, error)
            return error
        finally:
            page._backend = page.parsed_page = None
        return None

    def _assemble_document(self, conv_res: ConversionResult) -> ConversionResult:
        numbers = sorted(self.arranged)
        classified = roles.classify([self.arranged[number] for number in numbers])
        self.arranged.update(zip(numbers, classified, strict=True))
        for page in conv_res.pages:
            _relabel(page, self.arranged[page.page_no].regions)
        return super()._assemble_document(conv_res)


def _relabel(page: DoclingPage, regions: Sequence[layout.Region]) -> None:
    """Docling's elements of a page with the kinds that the whole document gave its regions."""
    if page.assembled is None:
        return
    for element in page.assembled.elements:
        element.label = element.cluster.label = _label(regions[element.cluster.id])
    running = {DocItemLabel.PAGE_HEADER, DocItemLabel.PAGE_FOOTER}
    elements = page.assembled.elements
    page.assembled = AssembledUnit(
        elements=elements,
        headers=[element for element in elements if element.label in running],
        body=[element for element in elements if element.label not in running],
    )


def converter(*, threads: int, password: str | None = None) -> DocumentConverter:
    """A Docling converter for PDFs that runs our geometry and never uses the network."""
    pdfium.share_lock(pypdfium2_lock)
    options = ThreadedPdfPipelineOptions(
        do_ocr=True,
        do_table_structure=True,
        ocr_options=_ocr_options(),
    )
    options.accelerator_options.num_threads = threads
    backend_options = ThreadedDoclingParseBackendOptions.model_validate(
        {
            "parser_threads": threads,
            "render_pages": False,
            "password": password,
        }
    )
    pdf = PdfFormatOption(
        pipeline_cls=GeometryPipeline,
        pipeline_options=options,
        backend=SharpDocument,
        backend_options=backend_options,
    )
    return DocumentConverter(
        allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: pdf}
    )


def _ocr_options() -> RapidOcrOptions:
    """RapidOCR with the weights in its own wheel; any other choice would download."""
    weights = Path(rapidocr.__file__).parent / "models"
    return RapidOcrOptions(
        lang=["ch"],  # the small multilingual recogniser; it reads Latin script too
        backend="onnxruntime",
        model_size="small",
        mode=OcrMode.LAYOUT_REGIONS,
        scale=OCR_SCALE,
        det_model_path=str(weights / "PP-OCRv6_det_small.onnx"),
        rec_model_path=str(weights / "PP-OCRv6_rec_small.onnx"),
        cls_model_path=str(weights / "ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
    )


def prepare(
    converter: DocumentConverter, laid: Iterable[Laid], *, ocr: bool, garbled: set[int]
) -> None:
    """Have the converter's next run take over pages as they are laid out.

    Those to be read by OCR are read again so, or without ``ocr`` only noted. ``garbled`` are
    pages to be read by OCR whatever their text layer says.
    """
    pipeline = _pipeline(converter)
    pipeline.laid = {each.page.number: each for each in laid if not (ocr and each.for_ocr)}
    pipeline.ocr_model.allowed = ocr
    pipeline.layout_model.garbled = pipeline.geometry.garbled = garbled


def see_by(converter: DocumentConverter, folder: Path | None, *, threads: int) -> str:
    """Have the converter's next run use a layout network, or none; why it cannot, "" if it can."""
    found = _network(folder, _stamp(folder), threads) if folder else None
    _pipeline(converter).geometry.network = found if isinstance(found, LayoutNetwork) else None
    return found if isinstance(found, str) else ""


@lru_cache(maxsize=1)
def _network(folder: Path, stamp: object, threads: int) -> LayoutNetwork | str:
    """The network of a folder, loaded once for each ``stamp``, or what keeps it from running."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return LayoutNetwork(folder, threads=threads)
    except Exception as error:
        _log.warning("The layout network cannot be used: %r", error)
        return f"{type(error).__name__}: {error}"[:200]


def _stamp(folder: Path) -> object:
    """What changes when a folder's files do."""
    return frozenset((each.name, each.stat().st_mtime_ns) for each in folder.glob("*.*"))


def unseen_by_network(converter: DocumentConverter) -> set[int]:
    """The pages that the layout network failed on in the converter's last run."""
    return _pipeline(converter).geometry.unseen


def waiting_for_ocr(converter: DocumentConverter) -> set[int]:
    """The pages that the converter's last run only noted."""
    return _pipeline(converter).ocr_model.waiting


def arranged_by(converter: DocumentConverter) -> dict[int, layout.Arranged]:
    """What the converter's last run laid out, by page."""
    return _pipeline(converter).arranged


def _pipeline(converter: DocumentConverter) -> GeometryPipeline:
    converter.initialize_pipeline(InputFormat.PDF)
    pipeline = converter._get_pipeline(InputFormat.PDF)
    assert isinstance(pipeline, GeometryPipeline)
    return pipeline
