"""Docling's standard PDF pipeline with our geometry where its neural models would stand.

Docling parses and runs OCR where a page has no text; what it is given back are pages laid out. No
other weights are loaded but RapidOCR's, which come in its wheel, and nothing is ever fetched.
"""

import logging
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import rapidocr
from docling.datamodel.backend_options import ThreadedDoclingParseBackendOptions
from docling.datamodel.base_models import ConversionStatus, InputFormat
from docling.datamodel.base_models import Page as DoclingPage
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import OcrMode, RapidOcrOptions, ThreadedPdfPipelineOptions
from docling.document_converter import DocumentConverter, PdfFormatOption
from docling.pipeline.standard_pdf_pipeline import ProcessingResult, StandardPdfPipeline
from docling.utils.locks import pypdfium2_lock

from docqa.errors import ReadingFailed
from docqa.ingest.geometry import roles
from docqa.ingest.geometry.layout import Arranged
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.arrange import Laid
from docqa.ingest.reading.docling_layout import LayoutNetwork
from docqa.ingest.reading.docling_pages import SharpDocument, SharpPage
from docqa.ingest.reading.docling_stages import GeometryLayout, OcrRegions, OcrWhenNeeded
from docqa.settings import Settings

_log = logging.getLogger(__name__)

OCR_SCALE = 3.0  # pixels for a point: at 2 whole lines were lost beside a table (word F1 .88; .94)


class GeometryPipeline(StandardPdfPipeline):
    """The standard pipeline, its models replaced, as far as pages that are laid out.

    ``laid`` are pages laid out before, which it is not to decode again.
    """

    laid: dict[int, Laid]
    ocr_model: OcrWhenNeeded
    layout_model: OcrRegions
    geometry: GeometryLayout

    def _init_models(self) -> None:
        self.keep_images = self.keep_backend = False
        self.ocr_model = OcrWhenNeeded(self._started_ocr)
        self.layout_model = OcrRegions(options=self.pipeline_options.layout_options)
        self.geometry = GeometryLayout()
        self.enrichment_pipe = []

    def _started_ocr(self) -> Any:
        with warnings.catch_warnings():  # Docling reads deprecated options of its own
            warnings.simplefilter("ignore", DeprecationWarning)
            return self._make_ocr_model(None)

    def _build_document(self, conv_res: ConversionResult) -> ConversionResult:
        """The pages that were laid out before, and then one after the other those that were not.

        Docling hands a page through six threads of Python, of which one can run at a time.
        """
        expected = self._get_expected_page_nos(conv_res)
        known = [number for number in expected if number in self.laid]
        self.geometry.arranged = {number: self.laid[number].page for number in known}
        self.geometry.unseen = set()
        self.ocr_model.waiting = {number for number, laid in self.laid.items() if laid.for_ocr}
        conv_res.pages = [DoclingPage(page_no=number) for number in expected]
        by_number = {page.page_no: page for page in conv_res.pages}
        read = ProcessingResult(total_expected=len(expected))
        read.pages += [by_number[number] for number in known]
        backend = conv_res.input._backend
        assert isinstance(backend, SharpDocument)
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

    def _read_page(
        self, conv_res: ConversionResult, page: DoclingPage, decoded: SharpPage
    ) -> Exception | None:
        """Docling's stages for one page; what makes it fail comes back, and costs it alone."""
        stages: tuple[Callable[..., Iterable[DoclingPage]], ...] = (
            self.layout_model,
            self.ocr_model,
            self.geometry,
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
        """No document of Docling's: the pages as the whole file makes them out are the result."""
        return conv_res


@dataclass(frozen=True, slots=True)
class Run:
    """The pages of a file that were asked for, and those of them that could be laid out.

    ``waiting`` are the pages left for OCR, ``unseen`` those that the layout network failed on,
    ``fault`` why there was none.
    """

    numbers: list[int]
    arranged: Mapping[int, Arranged]
    waiting: set[int]
    unseen: set[int]
    fault: str


def run(
    path: Path,
    password: str | None,
    span: tuple[int, int | None],
    laid: Iterable[Laid],
    *,
    settings: Settings,
    progress: Callable[[int, int], None],
    ocr: bool,
    garbled: set[int],
) -> Run:
    """The pages of a file laid out and classified; raises `ReadingFailed`.

    Those that are ``laid`` are taken over; of these, what is to be read by OCR is read again so,
    or without ``ocr`` only noted. ``garbled`` are pages to be read by OCR whatever their text
    layer says.
    """
    converter = _converter(settings.reading.parser_threads, password)
    pipeline = converter._get_pipeline(InputFormat.PDF)
    assert isinstance(pipeline, GeometryPipeline)
    pipeline.laid = {each.page.number: each for each in laid if not (ocr and each.for_ocr)}
    pipeline.ocr_model.allowed = ocr
    pipeline.layout_model.garbled = pipeline.geometry.garbled = garbled
    fault = _use_layout_network(pipeline, settings)
    result = converter.convert(
        path,
        raises_on_error=False,
        page_range=(span[0], span[1] or sys.maxsize),
        progress_callback=lambda event: _tell(event, progress),
    )
    if result.status not in {ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS}:
        reasons = [error.error_message for error in result.errors]
        _log.warning("Docling could not read %s: %s", path.name, reasons)
        raise ReadingFailed(path.name)
    pages = roles.classify([page for _, page in sorted(pipeline.geometry.arranged.items())])
    return Run(
        pipeline._get_expected_page_nos(result),
        {page.number: page for page in pages},
        pipeline.ocr_model.waiting,
        pipeline.geometry.unseen,
        fault,
    )


def _tell(event: Any, progress: Callable[[int, int], None]) -> None:
    """Docling reports starts and phases too; only pages done are passed on."""
    if hasattr(event, "completed_pages"):
        progress(event.completed_pages, event.total_pages)


@lru_cache(maxsize=1)
def _converter(threads: int, password: str | None) -> DocumentConverter:
    """A Docling converter for PDFs that runs our geometry and never uses the network."""
    pdfium.share_lock(pypdfium2_lock)
    options = ThreadedPdfPipelineOptions(do_ocr=True, ocr_options=_ocr_options())
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
    converter = DocumentConverter(
        allowed_formats=[InputFormat.PDF], format_options={InputFormat.PDF: pdf}
    )
    converter.initialize_pipeline(InputFormat.PDF)
    return converter


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


def _use_layout_network(pipeline: GeometryPipeline, settings: Settings) -> str:
    """Have the next run use a layout network, or none; why it cannot, "" if it can."""
    model, threads = settings.reading.layout_model, settings.reading.parser_threads
    found = _network(Path(model), _stamp(Path(model)), threads) if model else None
    pipeline.geometry.network = found if isinstance(found, LayoutNetwork) else None
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
