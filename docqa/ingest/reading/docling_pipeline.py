"""Docling's standard PDF pipeline with our geometry where its neural models would stand.

Docling parses, runs OCR where a page has no text, assembles and orders. No other weights are
loaded but RapidOCR's, which come in its wheel, and nothing is ever fetched.
"""

import logging
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import rapidocr
from docling.datamodel.backend_options import ThreadedDoclingParseBackendOptions
from docling.datamodel.base_models import (
    AssembledUnit,
    InputFormat,
)
from docling.datamodel.base_models import (
    Page as DoclingPage,
)
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import (
    HeadingHierarchyOptions,
    OcrMode,
    RapidOcrOptions,
    ThreadedPdfPipelineOptions,
)
from docling.document_converter import DocumentConverter, PdfFormatOption
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
from docling_core.types.doc.base import Size
from docling_core.types.doc.labels import DocItemLabel

from docqa.errors import ReadingFailed
from docqa.ingest.geometry import layout, roles
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.arrange import Laid
from docqa.ingest.reading.docling_layout import LayoutNetwork
from docqa.ingest.reading.docling_pages import LaidPage, SharpDocument, SharpPage
from docqa.ingest.reading.docling_stages import (
    GeometryLayout,
    GeometryOrder,
    GeometryTables,
    OcrRegions,
    OcrWhenNeeded,
    label_of,
)

_log = logging.getLogger(__name__)

OCR_SCALE = 3.0  # pixels for a point: at 2 whole lines were lost beside a table (word F1 .88; .94)


class GeometryPipeline(StandardPdfPipeline):
    """The standard pipeline, its models replaced; ``arranged`` is what the last run laid out.

    ``laid`` are pages laid out before, which it is not to decode again.
    """

    arranged: dict[int, layout.Arranged]
    laid: dict[int, Laid]
    ocr_model: OcrWhenNeeded
    layout_model: OcrRegions
    geometry: GeometryLayout

    def _init_models(self) -> None:
        options = self.pipeline_options
        self.keep_images = self.keep_backend = False
        self.ocr_model = OcrWhenNeeded(self._started_ocr)
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
        element.label = element.cluster.label = label_of(regions[element.cluster.id])
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


def use_layout_network(converter: DocumentConverter, folder: Path | None, *, threads: int) -> str:
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


def pages_without_network(converter: DocumentConverter) -> set[int]:
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
