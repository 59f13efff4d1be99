"""Docling's standard PDF pipeline with our geometry where its neural models would stand.

Docling parses and runs OCR where a page has no text; what it is given back are pages laid out. No
other weights are loaded but RapidOCR's, which come in its wheel, and nothing is ever fetched.
"""

import logging
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import rapidocr
from docling.backend.pypdfium2_backend import PyPdfiumDocumentBackend
from docling.datamodel.backend_options import PdfBackendOptions
from docling.datamodel.base_models import Cluster, ConversionStatus, InputFormat, LayoutPrediction
from docling.datamodel.base_models import Page as DoclingPage
from docling.datamodel.document import ConversionResult
from docling.datamodel.pipeline_options import OcrMode, RapidOcrOptions, ThreadedPdfPipelineOptions
from docling.document_converter import DocumentConverter, PdfFormatOption
from docling.pipeline.standard_pdf_pipeline import StandardPdfPipeline
from docling.utils.locks import pypdfium2_lock
from docling_core.types.doc.labels import DocItemLabel

from docqa.errors import ReadingFailed
from docqa.ingest.geometry import layout_regions
from docqa.ingest.geometry.layout import Arranged, Sight
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.arrange import Laid, bounding, laid_out, ocr_regions, page_of
from docqa.ingest.reading.decoded import Decoded, word_of
from docqa.ingest.reading.docling_layout import LayoutNetwork
from docqa.ingest.reading.docling_pages import SharpPage, sharp_pages
from docqa.ingest.reading.pdfium import PageFacts
from docqa.settings import Settings

_log = logging.getLogger(__name__)

OCR_SCALE = 3.0  # pixels for a point: at 2 whole lines were lost beside a table (word F1 .88; .94)


class GeometryPipeline(StandardPdfPipeline):
    """The standard pipeline as far as pages that are laid out, by our geometry.

    A run is given a file, pages of it ``laid`` out before, which are not decoded again, those that
    are ``garbled``, whether to use ``ocr``, a layout ``network`` or none, and whom to tell of its
    ``progress``. It leaves the pages ``arranged``, and which of them are ``waiting`` for OCR or
    ``unseen``, as the network failed.
    """

    path: Path
    password: str | None
    laid: dict[int, Laid]
    garbled: set[int]
    ocr: bool
    network: LayoutNetwork | None
    progress: Callable[[int, int], None]
    arranged: dict[int, Arranged]
    waiting: set[int]
    unseen: set[int]

    def _init_models(self) -> None:
        self.keep_images = self.keep_backend = False
        self.enrichment_pipe = []

    @cached_property
    def _ocr_model(self) -> Any:
        """Docling's OCR, started at the first page that has something for it to read."""
        with warnings.catch_warnings():  # Docling reads deprecated options of its own
            warnings.simplefilter("ignore", DeprecationWarning)
            return self._make_ocr_model(None)

    def _build_document(self, conv_res: ConversionResult) -> ConversionResult:
        """The pages that were laid out before, and then one after the other those that were not.

        Docling hands a page through six threads of Python, of which one can run at a time.
        """
        expected = self._get_expected_page_nos(conv_res)
        known = [number for number in expected if number in self.laid]
        self.arranged = {number: self.laid[number].page for number in known}
        self.waiting = {number for number in known if self.laid[number].for_ocr}
        self.unseen = set()
        left = [number for number in expected if number not in self.laid]
        threads = self.pipeline_options.accelerator_options.num_threads
        done, pages = 0, sharp_pages(self.path, self.password, left, threads=threads)
        for done, decoded in enumerate(pages, start=1):
            self._read_page(conv_res, decoded)
            self.progress(done, len(expected))
        failed = done and not self.arranged
        conv_res.status = ConversionStatus.FAILURE if failed else ConversionStatus.SUCCESS
        return conv_res

    def _read_page(self, conv_res: ConversionResult, decoded: SharpPage) -> None:
        """Lay out one page; what makes it fail costs it alone."""
        page = DoclingPage(page_no=decoded.page_no)
        try:
            page.size = decoded.get_size()
            if decoded.is_valid():
                page._backend, page.parsed_page = decoded, decoded.get_segmented_page()
                self._read_by_ocr(conv_res, page, decoded.drawn)
                self.arranged[page.page_no] = self._laid_out(conv_res, page, decoded.drawn)
        except Exception as error:
            _log.warning("Page %d could not be read: %r", page.page_no, error)

    def _read_by_ocr(self, conv_res: ConversionResult, page: DoclingPage, drawn: Decoded) -> None:
        """Have OCR read what of a page needs it, or note that it does."""
        garbled = page.page_no in self.garbled
        regions = ocr_regions(drawn, garbled=garbled)
        if regions and self.ocr:
            page.predictions.layout = LayoutPrediction(
                clusters=[
                    Cluster(id=at, label=DocItemLabel(kind), bbox=bounding(box))
                    for at, (kind, box) in enumerate(regions)
                ]
            )
            list(self._ocr_model(conv_res, [page]))
        elif regions:
            self.waiting.add(page.page_no)

    def _laid_out(self, conv_res: ConversionResult, page: DoclingPage, drawn: Decoded) -> Arranged:
        by_ocr = [word_of(cell, drawn.height) for cell in page.cells if cell.from_ocr]
        found = page_of(drawn, by_ocr=by_ocr, garbled=page.page_no in self.garbled)
        if self.network and found.words:
            found = replace(found, sights=self._sights(self.network, conv_res, page))
        return Arranged.of(found, layout_regions.arrange(found))

    def _sights(
        self, network: LayoutNetwork, conv_res: ConversionResult, page: DoclingPage
    ) -> tuple[Sight, ...]:
        """What the network sees; nothing where it fails, which costs the page its sights alone."""
        try:
            return network.look(conv_res, page)
        except Exception as error:
            _log.warning("The layout network failed on page %d: %r", page.page_no, error)
            self.unseen.add(page.page_no)
            return ()

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
    arranged: dict[int, Arranged]
    waiting: set[int]
    unseen: set[int]
    fault: str


def run(
    path: Path,
    password: str | None,
    span: tuple[int, int],
    laid: Iterable[Laid] | None,
    facts: Sequence[PageFacts],
    *,
    settings: Settings,
    progress: Callable[[int, int], None],
    ocr: bool,
) -> Run:
    """The pages of a file laid out; none of those in ``facts`` where it cannot be read.

    Those that are ``laid`` already are taken over; None where none was begun with. What of them is
    to be read by OCR is read again so, or without ``ocr`` only noted. Raises `ReadingFailed` where
    the file cannot be read and there are no facts.
    """
    garbled = {fact.page for fact in facts if fact.garbled}
    if settings.reading.layout_model:
        laid = ()  # the network looks at pages as Docling reads them
    elif laid is None:
        laid = laid_out(path, password=password, first=span[0], last=span[1], garbled=garbled)
    converter = _converter(settings.reading.parser_threads, password)
    pipeline = converter._get_pipeline(InputFormat.PDF)
    assert isinstance(pipeline, GeometryPipeline)
    pipeline.path, pipeline.password = path, password
    pipeline.laid = {each.page.number: each for each in laid if not (ocr and each.for_ocr)}
    pipeline.ocr, pipeline.garbled, pipeline.progress = ocr, garbled, progress
    network = _network_of(settings)
    pipeline.network = network if isinstance(network, LayoutNetwork) else None
    result = converter.convert(path, raises_on_error=False, page_range=span)
    fault = network if isinstance(network, str) else ""
    if result.status in {ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS}:
        numbers = pipeline._get_expected_page_nos(result)
        return Run(numbers, pipeline.arranged, pipeline.waiting, pipeline.unseen, fault)
    reasons = [error.error_message for error in result.errors]
    _log.warning("Docling could not read %s: %s", path.name, reasons)
    if not facts:
        raise ReadingFailed(path.name)
    return Run([fact.page for fact in facts], {}, set(), set(), fault)


@lru_cache(maxsize=1)
def _converter(threads: int, password: str | None) -> DocumentConverter:
    """A Docling converter for PDFs that runs our geometry and never uses the network."""
    pdfium.share_lock(pypdfium2_lock)
    options = ThreadedPdfPipelineOptions(do_ocr=True, ocr_options=_ocr_options())
    options.accelerator_options.num_threads = threads
    pdf = PdfFormatOption(
        pipeline_cls=GeometryPipeline,
        pipeline_options=options,
        backend=PyPdfiumDocumentBackend,  # which counts the pages, and decodes none
        backend_options=PdfBackendOptions.model_validate({"password": password}),
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


def _network_of(settings: Settings) -> LayoutNetwork | str:
    """The layout network that is set, or what keeps it from running; "" for none."""
    model, threads = settings.reading.layout_model, settings.reading.parser_threads
    return _network(Path(model), _stamp(Path(model)), threads) if model else ""


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
