"""PDFs for tests, made on the spot, whose text and boxes are known.

Every function writes the file it is given and returns its path. Positions are as everywhere in
docqa: points from the top left corner. A `Line` knows the box it will have on the page.
"""

import io
import zlib
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
from reportlab.lib.pdfencrypt import StandardEncryption  # type: ignore[import-untyped]
from reportlab.lib.utils import ImageReader  # type: ignore[import-untyped]
from reportlab.pdfbase.pdfmetrics import (  # type: ignore[import-untyped]
    getAscentDescent,
    stringWidth,
)
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from docqa.types.document import Box

Maker = Callable[[Path], Path]

WIDTH, HEIGHT = 612.0, 792.0  # US Letter
MARGIN = 72.0
PASSWORD = "open sesame"
CROP = Box(100.0, 50.0, 500.0, 700.0)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text, placed by its top left corner."""

    text: str
    left: float = MARGIN
    top: float = MARGIN
    size: float = 11.0
    font: str = "Helvetica"

    @property
    def baseline(self) -> float:
        ascent, _ = getAscentDescent(self.font, self.size)
        return float(self.top + ascent)

    @property
    def box(self) -> Box:
        _, descent = getAscentDescent(self.font, self.size)
        right = self.left + stringWidth(self.text, self.font, self.size)
        return Box(self.left, self.top, right, self.baseline - descent)


def pages(path: Path, contents: Sequence[Sequence[Line]], **canvas: Any) -> Path:
    """One page for each sequence of lines; ``canvas`` goes to reportlab's Canvas."""
    made = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1, **canvas)
    for lines in contents:
        _draw(made, lines)
        made.showPage()
    made.save()
    return path


def _draw(canvas: Canvas, lines: Sequence[Line]) -> None:
    for line in lines:
        canvas.setFont(line.font, line.size)
        canvas.drawString(line.left, HEIGHT - line.baseline, line.text)


def text_pages(path: Path, texts: Sequence[str]) -> Path:
    """One page for each text, as paragraphs parted by blank lines, wrapped at the margins."""
    return pages(path, [paragraphs(text) for text in texts])


def paragraphs(text: str, *, left: float = MARGIN, top: float = MARGIN) -> list[Line]:
    """The lines ``text`` takes between the margins, paragraphs parted by a blank line."""
    lines: list[Line] = []
    for paragraph in text.split("\n\n"):
        for words in wrap(paragraph, width=WIDTH - MARGIN - left):
            lines.append(Line(words, left=left, top=top))
            top += 14
        top += 14
    return lines


def wrap(text: str, *, width: float, size: float = 11.0, font: str = "Helvetica") -> list[str]:
    """``text`` in lines at most ``width`` points wide, broken between words."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and stringWidth(longer, font, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


TITLE = Line("Annual Review of the Harbour District", top=72, size=20, font="Helvetica-Bold")
SECTION_ONE = Line("1. Market overview", top=120, size=14, font="Helvetica-Bold")
PARAGRAPH_ONE = paragraphs(
    "Vacancy in the district fell to 4.1% at the end of 2024, the lowest level in nine years. "
    "Net absorption reached 310,000 square feet, most of it in buildings finished after 2015.",
    top=146,
)
SECTION_TWO = Line("2. Outlook", top=220, size=14, font="Helvetica-Bold")
PARAGRAPH_TWO = paragraphs("Three things are expected in the coming year:", top=246)
LIST_ITEMS = [
    Line("• Rents rise by about three percent.", left=90, top=270),
    Line("• Two towers are delivered in the autumn.", left=90, top=286),
    Line("• The tram line reaches the western quay.", left=90, top=302),
]


def structured(path: Path) -> Path:
    """One page: a title, two headed sections with a paragraph each, a list of three items."""
    lines = [TITLE, SECTION_ONE, *PARAGRAPH_ONE, SECTION_TWO, *PARAGRAPH_TWO, *LIST_ITEMS]
    return pages(path, [lines])


LEFT_COLUMN = (
    "The left column is read first, from its top to its bottom, although each of its lines has a "
    "neighbour at the same height on the right. " * 4
).strip()
RIGHT_COLUMN = (
    "The right column comes after the left one has ended, and none of its words may be mixed "
    "into the sentences beside it. " * 4
).strip()


def two_columns(path: Path) -> Path:
    """One page with a heading over two columns of running text."""
    columns = _column(LEFT_COLUMN, left=72), _column(RIGHT_COLUMN, left=322)
    heading = Line("Reading order", top=72, size=16, font="Helvetica-Bold")
    return pages(path, [[heading, *columns[0], *columns[1]]])


def _column(text: str, *, left: float) -> list[Line]:
    lines = wrap(text, width=218)
    return [Line(words, left=left, top=110 + 14 * row) for row, words in enumerate(lines)]


TABLE = (
    ("Item", "2023", "2024"),
    ("Rental income", "1,410,000", "1,480,000"),
    ("Operating expenses", "(270,000)", "(280,000)"),
    ("Net operating income", "1,140,000", "1,200,000"),
    ("Cap rate", "6.0%", "6.2%"),
)
TABLE_TOP, ROW_HEIGHT = 140.0, 20.0
COLUMN_EDGES = (72.0, 272.0, 372.0, 472.0)


def row_box(row: int) -> Box:
    """The box between the rules of a row of `TABLE` (from 0)."""
    top = TABLE_TOP + row * ROW_HEIGHT
    return Box(COLUMN_EDGES[0], top, COLUMN_EDGES[-1], top + ROW_HEIGHT)


def table_lines() -> list[Line]:
    """The texts of `TABLE`, the first column to the left, figures to the right."""
    lines = []
    for number, row in enumerate(TABLE):
        top = row_box(number).top + 4
        lines.append(Line(row[0], left=COLUMN_EDGES[0] + 4, top=top))
        for edge, text in zip(COLUMN_EDGES[2:], row[1:], strict=True):
            left = edge - 4 - stringWidth(text, "Helvetica", 11)
            lines.append(Line(text, left=left, top=top))
    return lines


def ruled_table(path: Path) -> Path:
    """A paragraph, then `TABLE` with every cell ruled."""
    return _table(path, ruled=True)


def unruled_table(path: Path) -> Path:
    """A paragraph, then `TABLE` held together by alignment alone."""
    return _table(path, ruled=False)


def _table(path: Path, *, ruled: bool) -> Path:
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    _draw(
        canvas, [*paragraphs("The table shows two years of income in US dollars."), *table_lines()]
    )
    if ruled:
        rows = [HEIGHT - TABLE_TOP - ROW_HEIGHT * row for row in range(len(TABLE) + 1)]
        canvas.grid(list(COLUMN_EDGES), rows)
    canvas.showPage()
    canvas.save()
    return path


TURNED = Line("This line was stored upright.", left=100, top=200)


def empty_frame(path: Path) -> Path:
    """A sentence, and the frame of a table whose text is missing."""
    made = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    _draw(made, [Line("The rents are set out in the table.", left=MARGIN, top=MARGIN)])
    made.grid([MARGIN, 200, 300, 400], [HEIGHT - top for top in (200, 220, 240, 260)])
    made.save()
    return path


def rules_alone(path: Path) -> Path:
    """A page of two rules and its number, as filings have them between their parts."""
    made = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    for top in (60, 740):
        made.line(MARGIN, HEIGHT - top, WIDTH - MARGIN, HEIGHT - top)
    _draw(made, [Line("55", left=300, top=750)])
    made.save()
    return path


def shaded(path: Path, lines: Sequence[Line]) -> Path:
    """Lines over a grey panel from 90 to 200 with a blue band on it as far as 120, on white."""
    made = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    grounds = ((0.8, 0.8, 0.8, 200), (0.2, 0.4, 0.6, 120))
    for red, green, blue, bottom in grounds:
        made.setFillColorRGB(red, green, blue)
        made.rect(MARGIN, HEIGHT - bottom, 400, bottom - 90, stroke=0, fill=1)
    made.setFillColorRGB(0, 0, 0)
    _draw(made, lines)
    made.save()
    return path


def outlined(path: Path) -> Path:
    """A page whose letters are drawn as shapes, so that it has no text layer."""
    made = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    for left in range(72, 500, 14):
        made.rect(left, 600, 9, 12, fill=1)
    made.save()
    return path


def rotated(path: Path, *, degrees: int = 90) -> Path:
    """One page with `TURNED`, displayed turned clockwise by ``degrees``."""
    pages(path, [[TURNED]])
    document = pypdfium2.PdfDocument(path.read_bytes())
    document[0].set_rotation(degrees)
    document.save(path)
    document.close()
    return path


def rotated_box(box: Box, *, degrees: int) -> Box:
    """Where ``box`` of the upright page lies on the page as displayed."""
    if degrees == 90:
        return Box(HEIGHT - box.bottom, box.left, HEIGHT - box.top, box.right)
    if degrees == 180:
        return Box(WIDTH - box.right, HEIGHT - box.bottom, WIDTH - box.left, HEIGHT - box.top)
    if degrees == 270:
        return Box(box.top, WIDTH - box.right, box.bottom, WIDTH - box.left)
    return box


def cropped(path: Path) -> Path:
    """One page with `TURNED` inside `CROP`, the only part of the page that is displayed."""
    visible = (CROP.left, HEIGHT - CROP.bottom, CROP.right, HEIGHT - CROP.top)
    return pages(path, [[TURNED]], cropBox=visible)


def cropped_box(box: Box) -> Box:
    """Where ``box`` of the whole page lies on the page as displayed."""
    return Box(
        box.left - CROP.left, box.top - CROP.top, box.right - CROP.left, box.bottom - CROP.top
    )


def scanned(path: Path, texts: Sequence[str]) -> Path:
    """The pages of `text_pages` as pictures of 200 dots to the inch, with no text layer."""
    text_pages(path, texts)
    images = _images(path, scale=200 / 72)
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    for image in images:
        canvas.drawImage(ImageReader(io.BytesIO(image)), 0, 0, width=WIDTH, height=HEIGHT)
        canvas.showPage()
    canvas.save()
    return path


def mixed(path: Path, texts: Sequence[str], *, scans: Container[int]) -> Path:
    """As `text_pages`, but the pages in ``scans`` (from 1) are pictures without a text layer."""
    text_pages(path, texts)
    images = _images(path, scale=200 / 72)
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    for number, (text, image) in enumerate(zip(texts, images, strict=True), 1):
        if number in scans:
            picture = ImageReader(io.BytesIO(image))
            canvas.drawImage(picture, 0, 0, width=WIDTH, height=HEIGHT)
        else:
            _draw(canvas, paragraphs(text))
        canvas.showPage()
    canvas.save()
    return path


def garbled(path: Path, text: str) -> Path:
    """One page that looks as any, whose font says of each letter that it is another one."""
    lines = wrap(text, width=WIDTH - 2 * MARGIN, size=12)
    shown = "\n".join(f"({line}) Tj 0 -16 Td" for line in lines)
    stream = f"BT /F 12 Tf {MARGIN} {HEIGHT - MARGIN} Td\n{shown}\nET"
    codes = "\n".join(f"<{code:02X}> <{code - 29:04X}>" for code in range(61, 123))
    cmap = (
        "/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def\n"
        "1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"62 beginbfchar\n{codes}\nendbfchar\nendcmap end"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 5 0 R"
        " /Resources << /Font << /F 4 0 R >> >> >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        *(f"<< /Length {len(each)} >>\nstream\n{each}\nendstream" for each in (stream, cmap)),
    ]
    path.write_bytes(_file_of(objects))
    return path


def not_brought(path: Path, line: str, size: float) -> Path:
    """One line of a font that the file does not bring, as converters of web pages write it: its
    capitals are said to be lower than they are."""
    widths = " ".join(["250"] + ["450"] * 94)
    stream = f"BT /F {size} Tf {MARGIN} {HEIGHT - MARGIN} Td ({line}) Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 6 0 R"
        " /Resources << /Font << /F 4 0 R >> >> >>",
        "<< /Type /Font /Subtype /TrueType /BaseFont /Times#20New#20Roman /FontDescriptor 5 0 R"
        f" /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [{widths}] >>",
        "<< /Type /FontDescriptor /FontName /Times#20New#20Roman /Flags 34 /ItalicAngle 0"
        " /Ascent 693 /Descent -216 /CapHeight 500 /StemV 72 /FontBBox [-568 -216 2046 933] >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
    ]
    path.write_bytes(_file_of(objects))
    return path


def _file_of(objects: Sequence[str]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    entries = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    table = f"xref\n0 {size}\n0000000000 65535 f \n{entries}"
    trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return f"{body}{table}{trailer}".encode()


def _images(path: Path, *, scale: float) -> list[bytes]:
    document = pypdfium2.PdfDocument(path)
    images = []
    for page in document:
        encoded = io.BytesIO()
        page.render(scale=scale).to_pil().convert("L").save(encoded, "PNG")
        images.append(encoded.getvalue())
        page.close()
    document.close()
    return images


def encrypted(path: Path, texts: Sequence[str] = ("Nobody reads this unasked.",)) -> Path:
    """Opens with `PASSWORD` only."""
    lock = StandardEncryption(PASSWORD, ownerPassword="owner", strength=128)
    return pages(path, [paragraphs(text) for text in texts], encrypt=lock)


def empty_file(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def not_a_pdf(path: Path) -> Path:
    path.write_bytes(b"PK\x03\x04 this is something else with the wrong name\n" * 40)
    return path


def truncated(path: Path) -> Path:
    """The first third of a PDF, as a broken download leaves it."""
    content = text_pages(path, ["A page that never arrives. " * 40] * 3).read_bytes()
    path.write_bytes(content[: len(content) // 3])
    return path


def zero_pages(path: Path) -> Path:
    """A well-formed PDF without any page."""
    catalog, tree = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"
    path.write_bytes(assemble([catalog, tree]))
    return path


BROKEN_PAGE_TEXTS = ("The first page is whole.", "This page is damaged.", "The last page is whole.")


def broken_stream(path: Path) -> Path:
    """Three pages of `BROKEN_PAGE_TEXTS`; the compressed content of page 2 is damaged."""
    path.write_bytes(assemble(_broken_objects()))
    return path


def _broken_objects() -> list[bytes]:
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[4 0 R 6 0 R 8 0 R]/Count 3>>",
        font,
    ]
    for number, text in enumerate(BROKEN_PAGE_TEXTS):
        page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R" % (5 + 2 * number)
        objects.append(page + b"/Resources<</Font<</F1 3 0 R>>>>>>")
        packed = zlib.compress(b"BT /F1 11 Tf 72 700 Td (%s) Tj ET" % text.encode("ascii"))
        objects.append(_stream(packed if number != 1 else b"\x00" * 8 + packed[8:]))
    return objects


def _stream(content: bytes) -> bytes:
    head = b"<</Length %d/Filter/FlateDecode>>" % len(content)
    return head + b"stream\n" + content + b"\nendstream"


def assemble(objects: Sequence[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalog."""
    body, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    entries = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, entries)
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))
    return bytes(body) + table + trailer


def raised(path: Path, font: str = "Helvetica", size: float = 7, up: float = 4) -> Path:
    """A sentence and table rows in 11 points with small figures set above: exponents and marks."""
    made = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    types = (font, 11.0, 0.0), (font, size, up)
    _draw_raised(
        made, 72, 700, "The hall has 10|2| square metres at 1,234|3| dollars, or 5½ a day.", types
    )
    for row, (label, *cells) in enumerate(
        [("", "2023|4|", "2022"), ("Rent|1|", "1,234|3|", "1,100"), ("Costs", "900", "800|2,3|")]
    ):
        for column, text in enumerate((label, *cells)):
            _draw_raised(made, 72 + 130 * column, 600 - 18 * row, text, types)
    made.save()
    return path


def _draw_raised(
    canvas: Canvas,
    left: float,
    baseline: float,
    text: str,
    types: Sequence[tuple[str, float, float]],
) -> None:
    for at, part in enumerate(text.split("|")):
        font, size, up = types[at % 2]
        canvas.setFont(font, size)
        canvas.drawString(left, baseline + up, part)
        left += stringWidth(part, font, size)
