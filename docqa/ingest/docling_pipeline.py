"""Docling's standard PDF pipeline with our geometry where its neural models would stand.

Docling parses, runs OCR where a page has no text, assembles and orders; which regions a page has
and what a table's cells are is asked of :mod:`docqa.ingest.layout`. No weights are loaded but
RapidOCR's, which come in its wheel, and nothing is ever fetched.
"""

import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import rapidocr
from docling.backend.docling_parse_backend import (
    ThreadedDoclingParseDocumentBackend,
    ThreadedDoclingParsePageBackend,
)
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
from docling.datamodel.document import ConversionResult, InputDocument
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
from docling.models.stages.form_field.form_field_model import PdfFormFieldModel
from docling.models.stages.heading_hierarchy.heading_hierarchy_model import HeadingHierarchyModel
from docling.models.stages.page_assemble.page_assemble_model import (
    PageAssembleModel,
    PageAssembleOptions,
)
from docling.models.stages.page_preprocessing.page_preprocessing_model import (
    PagePreprocessingModel,
    PagePreprocessingOptions,
)
from docling.models.stages.reading_order.readingorder_model import (
    ReadingOrderModel,
    ReadingOrderOptions,
)
from docling.pipeline.standard_pdf_pipeline import StandardPdfPipeline
from docling.utils.font_style import parse_font_style, weight_class
from docling.utils.locks import pypdfium2_lock
from docling_core.types.doc.base import BoundingBox, CoordOrigin
from docling_core.types.doc.items.table.table_data import TableCell
from docling_core.types.doc.labels import DocItemLabel
from docling_core.types.doc.page import BoundingRectangle, PdfCellRenderingMode, TextCell
from docling_parse.pdf_parser import (
    ContentConfig,
    ContentLevel,
    DoclingThreadedPdfParser,
    ThreadedPdfParserConfig,
)
from PIL import Image

from docqa.ingest import layout, pages, roles
from docqa.ingest.cells import Grid
from docqa.ingest.text import clean, is_right_to_left
from docqa.ingest.words import Word
from docqa.types import BlockKind, Box

OCR_SCALE = 3.0  # pixels for a point: at 2 whole lines were lost beside a table (word F1 .88; .94)
CONCURRENT_RESULTS = 8  # pages parsed and not yet taken
QUEUED_PAGES = 4  # between two stages: a parsed page takes up to 10 MB
RULE_THICKNESS = 2.5  # points; a thicker shape is a band, not a rule
FEW_LETTERS = 15  # on a page: fewer is no text layer
RULE = 3.0  # points: a thinner drawing is a line

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
_UNSEEN = {PdfCellRenderingMode.INVISIBLE, PdfCellRenderingMode.ONLY_CLIPPING}
_SUBSET = re.compile(r"^/?(?:[A-Z]{6}\+)?")  # fonts embedded in part are named "ABCDEF+Name"
_BOLD = re.compile(r"bold|black|heavy|demi|cmbx|sfbx|cmssbx|-bd\b|,b\b")
_MONO = re.compile(r"courier|mono|consol|cmtt|typewriter|menlo|inconsolata")


@lru_cache(maxsize=4096)
def font_style(name: str) -> tuple[bool, bool, bool]:
    """Whether a font, by its name, is bold, italic, of one width."""
    style, lower = parse_font_style(name), name.lower()
    bold = (style.known and weight_class(style.weight) >= 2) or bool(_BOLD.search(lower))
    italic = (style.known and style.italic) or "ital" in lower or "obli" in lower
    return bold, italic, bool(_MONO.search(lower))


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
        self, conv_res: ConversionResult, pages: Sequence[DoclingPage]
    ) -> list[LayoutPrediction]:
        return [
            LayoutPrediction(clusters=_ocr_regions(page, garbled=page.page_no in self.garbled))
            for page in pages
        ]


def _ocr_regions(page: DoclingPage, *, garbled: bool) -> list[Cluster]:
    """The whole page where it has next to no text layer, and pictures that cover most of it."""
    assert page.size is not None
    whole = _bounding(Box(0, 0, page.size.width, page.size.height))
    letters = sum(len(cell.text.strip()) for cell in page.cells)
    pictures = list(page._backend.get_bitmap_rects()) if page._backend else []
    if garbled:
        return [Cluster(id=0, label=DocItemLabel.TEXT, bbox=whole)]
    if letters < FEW_LETTERS:
        drawn = pictures or _figures_drawn(page)
        return [Cluster(id=0, label=DocItemLabel.TEXT, bbox=whole)] if drawn else []
    return [
        Cluster(id=at, label=DocItemLabel.PICTURE, bbox=picture)
        for at, picture in enumerate(pictures)
        if picture.area() > 0.5 * whole.area() and _letters_inside(page, picture) < FEW_LETTERS
    ]


def _figures_drawn(page: DoclingPage) -> bool:
    """Whether anything but rules is drawn; letters may be, as outlines, and an empty page is not
    worth the seconds that OCR takes.
    """
    boxes = page._backend.get_thin_shape_boxes(max_thickness=math.inf) if page._backend else []
    return any(min(box.width, box.height) > RULE for box in boxes or [])


def _letters_inside(page: DoclingPage, picture: BoundingBox) -> int:
    return sum(
        len(cell.text.strip())
        for cell in page.cells
        if cell.rect.to_bounding_box().intersection_over_self(picture) > 0.5
    )


class GeometryLayout(BaseLayoutPostprocessingModel):
    """Docling's layout post-processing runs after OCR; here it is the layout itself.

    ``arranged`` keeps each page's geometry and regions for the tables and the document.
    """

    def __init__(self) -> None:
        self.options = LayoutPostprocessorOptions()
        self.arranged: dict[int, layout.Arranged] = {}
        self.garbled: set[int] = set()

    @classmethod
    def get_options_type(cls) -> type[LayoutPostprocessorOptions]:
        return LayoutPostprocessorOptions

    def postprocess_layout(
        self, conv_res: ConversionResult, pages: Sequence[DoclingPage]
    ) -> list[LayoutPrediction]:
        return [self._layout(page) for page in pages]

    def _layout(self, page: DoclingPage) -> LayoutPrediction:
        drawn = page_of(page, garbled=page.page_no in self.garbled)
        regions = layout.arrange(drawn)
        self.arranged[page.page_no] = layout.Arranged.of(drawn, regions)
        return LayoutPrediction(clusters=[_cluster(at, r) for at, r in enumerate(regions)])


def page_of(page: DoclingPage, *, garbled: bool = False) -> layout.Page:
    """What is drawn on one of Docling's pages, in our words; of a garbled one what OCR read."""
    assert page.size is not None
    words = (_word(cell, page.size.height) for cell in _cells(page, garbled=garbled))
    return layout.Page(
        number=page.page_no,
        width=page.size.width,
        height=page.size.height,
        words=tuple(word for word in words if word.text),
        rules=tuple(_rules(page)),
        pictures=tuple(_box(box) for box in _bitmaps(page)),
    )


def _bitmaps(page: DoclingPage) -> list[BoundingBox]:
    return list(page._backend.get_bitmap_rects()) if page._backend else []


def _cells(page: DoclingPage, *, garbled: bool) -> list[TextCell]:
    """Words where they can be told apart, whole lines in Hebrew and Arabic, and what OCR read.

    Hidden text counts only where nothing else is on the page: it is then a scan's text layer. A
    garbled text layer does not count at all.
    """
    by_ocr = [cell for cell in page.cells if cell.from_ocr]
    if garbled:
        return by_ocr
    words = _words(page)
    seen = [cell for cell in words if getattr(cell, "rendering_mode", None) not in _UNSEEN]
    if by_ocr or sum(len(cell.text) for cell in seen) >= FEW_LETTERS:
        return seen + by_ocr
    return words


def _words(page: DoclingPage) -> list[TextCell]:
    """Words of the text layer; lines whole where they are Hebrew or Arabic.

    Only within a line does docling-parse put such words in the order they are read.
    """
    words: list[TextCell] = list(page.parsed_page.word_cells) if page.parsed_page else []
    lines = [cell for cell in page.cells if not cell.from_ocr]
    if not words or not is_right_to_left("".join(cell.text for cell in words)):
        return words or lines
    whole = [cell for cell in lines if is_right_to_left(cell.text)]
    boxes = [cell.rect.to_bounding_box() for cell in whole]
    return whole + [
        word
        for word in words
        if not any(word.rect.to_bounding_box().intersection_over_self(box) > 0.5 for box in boxes)
    ]


def _word(cell: TextCell, page_height: float) -> Word:
    font = _SUBSET.sub("", getattr(cell, "font_name", "") or "")
    bold, italic, mono = font_style(font)
    return Word(
        text=clean(cell.text),
        box=_corners(cell.rect, page_height),
        font=font,
        bold=bold,
        italic=italic,
        mono=mono,
        ocr=cell.from_ocr,
        turn=_turn(cell.rect),
    )


def _corners(rect: BoundingRectangle, page_height: float) -> Box:
    """As ``rect.to_bounding_box().to_top_left_origin(page_height)``, in a tenth of the time.

    It is asked of every word.
    """
    across = (rect.r_x0, rect.r_x1, rect.r_x2, rect.r_x3)
    down = (rect.r_y0, rect.r_y1, rect.r_y2, rect.r_y3)
    if rect.coord_origin is CoordOrigin.TOPLEFT:
        return Box(min(across), min(down), max(across), max(down))
    return Box(min(across), page_height - max(down), max(across), page_height - min(down))


def _turn(rect: BoundingRectangle) -> int:
    """Quarter turns against the clock; nearly every word has none."""
    if rect.r_y0 == rect.r_y1 and rect.r_x0 < rect.r_x1:
        return 0
    return round(rect.angle_360 / 90) % 4


def _rules(page: DoclingPage) -> Iterator[Box]:
    """The ruled lines of a page: strokes and thin filled shapes, four times as long as thick."""
    if page._backend is None:
        return
    strokes = page._backend.get_shape_lines() or []
    thin = page._backend.get_thin_shape_boxes(max_thickness=RULE_THICKNESS) or []
    for shape in [*strokes, *thin]:
        long, short = max(shape.width, shape.height), min(shape.width, shape.height)
        if long >= 8 and long > 4 * short:
            yield _box(shape)


def _box(bounding: BoundingBox) -> Box:
    return Box(bounding.l, bounding.t, bounding.r, bounding.b)


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
    )
    return Cluster(
        id=at, label=_label(region), bbox=box, confidence=1.0, cells=[cell] if text else []
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
        self, conv_res: ConversionResult, pages: Sequence[DoclingPage]
    ) -> list[TableStructurePrediction]:
        return [self._tables(page) for page in pages]

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


class _NoPictures(PagePreprocessingModel):
    """Docling's first stage without its page images; OCR renders what it needs itself."""

    def _populate_page_images(self, page: DoclingPage) -> DoclingPage:
        return page


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
    """The standard pipeline, its models replaced; ``arranged`` is what the last run laid out."""

    arranged: dict[int, layout.Arranged]
    ocr_model: _OcrWhenNeeded
    layout_model: OcrRegions
    geometry: GeometryLayout

    def _init_models(self) -> None:
        options = self.pipeline_options
        self.keep_images = self.keep_backend = False
        self.preprocessing_model = _NoPictures(PagePreprocessingOptions(images_scale=None))
        self.ocr_model = _OcrWhenNeeded(self._started_ocr)
        self.layout_model = OcrRegions(options=options.layout_options)
        self.geometry = GeometryLayout()
        self.layout_postprocessing_model = self.geometry  # type: ignore[assignment]
        self.form_field_model = PdfFormFieldModel(enabled=False)
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
        self.arranged = self.geometry.arranged = {}
        self.ocr_model.waiting = set()
        return super()._build_document(conv_res)

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


class SharpPage(ThreadedDoclingParsePageBackend):
    """A page that renders through pdfium: docling-parse keeps only a small picture of it."""

    def __init__(self, result: Any, path: Path, password: str | None) -> None:
        super().__init__(result, rendered=True)
        self._path, self._password = path, password

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


class SharpDocument(ThreadedDoclingParseDocumentBackend):
    """The threaded backend over pages that render sharply, if they are rendered at all.

    Docling has rules computed only where docling-parse renders each page, which takes a third of
    its time; docling-parse itself computes them without.
    """

    def __init__(
        self, in_doc: InputDocument, path_or_stream: BytesIO | Path, options: Any = None
    ) -> None:
        super().__init__(in_doc, path_or_stream, options)
        assert isinstance(self.options, ThreadedDoclingParseBackendOptions)
        self.parser.unload(self.doc_key)
        content = ContentConfig(
            char_cells_content_level=ContentLevel.COMPUTE,
            word_cells_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
            line_cells_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
            shapes_content_level=ContentLevel.COMPUTE,
            bitmaps_content_level=ContentLevel.COMPUTE_AND_MATERIALIZE,
            include_bitmap_bytes=False,
        )
        config = ThreadedPdfParserConfig(
            loglevel="fatal",
            threads=self.options.parser_threads or 1,
            max_concurrent_results=CONCURRENT_RESULTS,
            page_content_config=content,
        )
        self.parser = DoclingThreadedPdfParser(parser_config=config)
        if isinstance(path_or_stream, BytesIO):
            path_or_stream.seek(0)
        secret = self.options.password
        self.doc_key = self.parser.load(
            path_or_stream,
            password=secret.get_secret_value() if secret else None,
            page_range=in_doc.limits.page_range,
        )

    def iter_pages(self) -> Iterator[ThreadedDoclingParsePageBackend]:
        secret = self.options.password
        password = secret.get_secret_value() if secret else None
        for result in self.parser.iterate_results():
            yield SharpPage(result, Path(str(self.path_or_stream)), password)


def converter(*, threads: int, password: str | None = None) -> DocumentConverter:
    """A Docling converter for PDFs that runs our geometry and never uses the network."""
    pages.share_lock(pypdfium2_lock)
    options = ThreadedPdfPipelineOptions(
        do_ocr=True,
        do_table_structure=True,
        ocr_options=_ocr_options(),
        batch_polling_interval_seconds=0.05,
        queue_max_size=QUEUED_PAGES,
    )
    options.accelerator_options.num_threads = threads
    backend_options = ThreadedDoclingParseBackendOptions.model_validate(
        {
            "parser_threads": threads,
            "render_pages": False,
            "max_concurrent_results": CONCURRENT_RESULTS,
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


def allow_ocr(converter: DocumentConverter, allowed: bool, *, garbled: set[int]) -> None:
    """Whether the converter's next run reads pages by OCR, or only notes them.

    ``garbled`` are pages to be read by OCR whatever their text layer says.
    """
    pipeline = _pipeline(converter)
    pipeline.ocr_model.allowed = allowed
    pipeline.layout_model.garbled = pipeline.geometry.garbled = garbled


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
