"""Makes the sample PDFs from ``texts/``; the same texts give the same bytes.

    python -m tests.samples.make [FOLDER]

A text begins with ``key: value`` lines for the cover. Then, one to a line: ``#`` and ``##``
headings, ``- `` list items, ``|`` table rows (the first names the columns, ``|*`` is a total),
``>`` small print, ``===`` a new page, ``!chart`` and ``!sign``; any other line is a paragraph.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from reportlab.graphics.charts.barcharts import VerticalBarChart  # type: ignore[import-untyped]
from reportlab.graphics.shapes import Drawing, String  # type: ignore[import-untyped]
from reportlab.lib.colors import HexColor, white  # type: ignore[import-untyped]
from reportlab.lib.pagesizes import A4, LETTER, landscape  # type: ignore[import-untyped]
from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]
from reportlab.platypus import (  # type: ignore[import-untyped]
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from docqa import samples

TEXTS = Path(__file__).parent / "texts"
FOLDER = Path(samples.__file__).parent
MARGIN = 64
PADDING = 6  # reportlab's own, inside the margins
RULE, SHADE, INK = HexColor("#b8bec6"), HexColor("#f1f3f5"), HexColor("#222222")
NUMBER = re.compile(r"^[(£$]*[\d.,–]+[%)]*( sq ft)?$")

Cover = Mapping[str, str]


def make(text: Path, folder: Path) -> Path:
    """Write the PDF of one text into ``folder`` and return its path."""
    cover, lines = read(text)
    path = folder / f"{text.stem}.pdf"
    front = offering_front if cover["kind"] == "offering" else lease_front
    document = SimpleDocTemplate(
        str(path),
        pagesize=page_size(cover),
        leftMargin=MARGIN - PADDING,
        rightMargin=MARGIN - PADDING,
        topMargin=78,
        bottomMargin=62,
        title=cover["title"],
        author=cover.get("broker", "").strip(),
        pageCompression=0,  # the bytes are not to depend on the version of zlib
        invariant=1,
    )
    document.build(
        [Spacer(1, 1), PageBreak(), *body(cover, lines)],
        onFirstPage=lambda canvas, _: front(canvas, cover),
        onLaterPages=lambda canvas, _: edges(canvas, cover),
    )
    return path


def read(text: Path) -> tuple[Cover, list[str]]:
    """The cover's values, and the lines after them that are not blank."""
    head, _, rest = text.read_text(encoding="utf-8").partition("\n\n")
    cover = dict(line.split(": ", 1) for line in head.splitlines())
    return cover, [line for line in rest.splitlines() if line.strip()]


def page_size(cover: Cover) -> tuple[float, float]:
    size: tuple[float, float] = LETTER if cover["kind"] == "offering" else A4
    return landscape(size) if cover["page"] == "landscape" else size


# What stands around the text


def offering_front(canvas: Canvas, cover: Cover) -> None:
    """A cover with a band of colour, the outline of a building, and the offering's name."""
    width, height = page_size(cover)
    canvas.setFillColor(HexColor(f"#{cover['colour']}"))
    canvas.rect(0, height * 0.42, width, height * 0.58, stroke=0, fill=1)
    skyline(canvas, width, height)
    canvas.setFillColor(white)
    write(canvas, cover["title"], MARGIN, height - 150, size=34, bold=True)
    write(canvas, cover["subtitle"], MARGIN, height - 182, size=17)
    canvas.setFillColor(INK)
    write(canvas, cover["place"], MARGIN, height * 0.42 - 48, size=14, bold=True)
    write(canvas, cover["line"], MARGIN, height * 0.42 - 70, size=11)
    write(canvas, cover["date"], MARGIN, 92, size=11)
    write(canvas, f"Presented by {cover['broker']}", MARGIN, 74, size=11)


def skyline(canvas: Canvas, width: float, height: float) -> None:
    canvas.setFillColor(white, alpha=0.14)
    for left, rise in ((0.50, 0.15), (0.60, 0.24), (0.73, 0.19), (0.84, 0.11)):
        canvas.rect(width * left, height * 0.42, width * 0.09, height * rise, stroke=0, fill=1)
    canvas.setFillColor(white, alpha=1)


def lease_front(canvas: Canvas, cover: Cover) -> None:
    """The front of a deed: its date, its name and its parties, centred."""
    width, height = page_size(cover)
    canvas.setStrokeColor(HexColor(f"#{cover['colour']}"))
    canvas.rect(44, 44, width - 88, height - 88)
    canvas.setFillColor(INK)
    centred(canvas, f"Dated {cover['date']}", width / 2, height - 170, font="Times-Roman", size=13)
    centred(canvas, "LEASE", width / 2, height - 260, font="Times-Bold", size=30)
    place = cover["title"].removeprefix("Lease ")
    centred(canvas, place, width / 2, height - 290, font="Times-Roman", size=15)
    centred(canvas, "between", width / 2, height - 350, font="Times-Italic", size=13)
    for number, (name, role) in enumerate(parties(cover), start=1):
        top = height - 350 - 54 * number
        centred(canvas, f"({number})  {name}", width / 2, top, font="Times-Bold", size=14)
        centred(canvas, f"as {role}", width / 2, top - 18, font="Times-Roman", size=12)


def parties(cover: Cover) -> list[tuple[str, str]]:
    return list(zip(cover["parties"].split(" | "), cover["roles"].split(" | "), strict=True))


def edges(canvas: Canvas, cover: Cover) -> None:
    """The running header and footer, with the page number."""
    width, height = page_size(cover)
    canvas.setFillColor(HexColor("#666666"))
    canvas.setStrokeColor(RULE)
    canvas.line(MARGIN, height - 56, width - MARGIN, height - 56)
    write(canvas, f"{cover['title']}  |  {cover['subtitle']}", MARGIN, height - 50, size=8.5)
    left = cover.get("broker") or cover["parties"].split(" | ")[0]
    write(canvas, f"{left}  –  Confidential", MARGIN, 36, size=8.5)
    canvas.setFont("Helvetica", 8.5)
    canvas.drawRightString(width - MARGIN, 36, f"Page {canvas.getPageNumber()}")


def write(
    canvas: Canvas, text: str, left: float, baseline: float, *, size: float, bold: bool = False
) -> None:
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
    canvas.drawString(left, baseline, text)


def centred(
    canvas: Canvas, text: str, middle: float, baseline: float, *, font: str, size: float
) -> None:
    canvas.setFont(font, size)
    canvas.drawCentredString(middle, baseline, text)


def body(cover: Cover, lines: Sequence[str]) -> list[Any]:
    """What reportlab is to set, in order."""
    story: list[Any] = []
    for is_row, group in groupby(lines, key=lambda line: line.startswith("|")):
        if is_row:
            story += [Spacer(1, 3), table(list(group), cover), Spacer(1, 11)]
        else:
            story += [flowable(line, cover) for line in group]
    return story


def flowable(line: str, cover: Cover) -> Any:
    if line == "===":
        return PageBreak()
    if line.startswith("!chart "):
        return chart(line.removeprefix("!chart "), cover)
    if line.startswith("!sign "):
        return signatures(line.removeprefix("!sign ").split(" | "))
    mark, text = re.fullmatch(r"(#+ |- |> )?(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
    return paragraph(text, (mark or "").strip(), cover)


def paragraph(text: str, mark: str, cover: Cover) -> Any:
    marked = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text, quote=False))
    clause = re.match(r"\d+\.\d+ ", text)
    if mark == "-":
        return Paragraph(marked, style(cover, "item"), bulletText="•")
    if clause:
        number, words = marked.split(" ", 1)
        return Paragraph(words, style(cover, "clause"), bulletText=number)
    names = {"#": "heading", "##": "subheading", ">": "small", "": "text"}
    return Paragraph(marked, style(cover, names[mark]))


def style(cover: Cover, name: str) -> Any:
    """The paragraph style of that name; a lease is set in Times, an offering in Helvetica."""
    is_lease = cover["kind"] == "lease"
    plain, bold = ("Times-Roman", "Times-Bold") if is_lease else ("Helvetica", "Helvetica-Bold")
    size = text_size(cover)
    text = ParagraphStyle(
        "text",
        fontName=plain,
        bulletFontName=plain,
        fontSize=size,
        bulletFontSize=size,
        leading=size * 1.4,
        spaceAfter=7,
        textColor=INK,
    )
    colour = HexColor(f"#{cover['colour']}")
    changes: dict[str, dict[str, Any]] = {
        "text": {},
        "heading": {
            "fontName": bold,
            "fontSize": 18,
            "leading": 23,
            "spaceBefore": 12,
            "textColor": colour,
        },
        "subheading": {"fontName": bold, "fontSize": size + 2, "leading": 16, "spaceBefore": 7},
        "item": {"leftIndent": 16, "bulletIndent": 2, "spaceAfter": 4},
        "clause": {"leftIndent": 34, "bulletIndent": 0},
        "small": {"fontSize": 8, "leading": 11, "spaceBefore": 8, "textColor": HexColor("#555555")},
    }
    return ParagraphStyle(name, parent=text, **changes[name])


def text_size(cover: Cover) -> float:
    if cover["page"] == "landscape":
        return 13.0
    return 11.0 if cover["kind"] == "lease" else 10.0


def table(rows: Sequence[str], cover: Cover) -> Any:
    """A ruled table as wide as the text; columns of figures stand to the right."""
    cells = [[cell.strip() for cell in row.lstrip("|*").split("|")[:-1]] for row in rows]
    figures = [column for column in range(len(cells[0])) if _holds_figures(cells, column)]
    made = Table(cells, colWidths=column_widths(cells, page_size(cover)[0] - 2 * MARGIN))
    made.setStyle(TableStyle(_rules(cells, figures, cover) + _totals(rows)))
    made.repeatRows = 1
    return made


def _holds_figures(cells: Sequence[Sequence[str]], column: int) -> bool:
    texts = [row[column] for row in cells[1:] if row[column]]
    return bool(texts) and column > 0 and all(NUMBER.match(text) for text in texts)


def column_widths(cells: Sequence[Sequence[str]], width: float) -> list[float]:
    """Widths in proportion to the longest text of each column, together ``width``."""
    longest = [max(len(row[column]) for row in cells) + 4 for column in range(len(cells[0]))]
    return [width * length / sum(longest) for length in longest]


def _rules(cells: Sequence[Sequence[str]], figures: Sequence[int], cover: Cover) -> list[Any]:
    bold = "Times-Bold" if cover["kind"] == "lease" else "Helvetica-Bold"
    plain = bold.replace("-Bold", "-Roman") if cover["kind"] == "lease" else "Helvetica"
    size = text_size(cover) - 1
    return [
        ("FONT", (0, 0), (-1, -1), plain, size),
        ("FONT", (0, 0), (-1, 0), bold, size),
        ("TEXTCOLOR", (0, 0), (-1, 0), white),
        ("BACKGROUND", (0, 0), (-1, 0), HexColor(f"#{cover['colour']}")),
        ("GRID", (0, 0), (-1, -1), 0.5, RULE),
        ("TOPPADDING", (0, 0), (-1, -1), size - 5.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), size - 5.5),
        *[("ALIGN", (column, 0), (column, -1), "RIGHT") for column in figures],
    ]


def _totals(rows: Sequence[str]) -> list[Any]:
    totals = [number for number, row in enumerate(rows) if row.startswith("|*")]
    bold = [("FONTNAME", (0, row), (-1, row), "Helvetica-Bold") for row in totals]
    return [*bold, *[("BACKGROUND", (0, row), (-1, row), SHADE) for row in totals]]


def chart(line: str, cover: Cover) -> Drawing:
    """A bar for each ``name=value`` after the title."""
    title, *bars = line.split(" | ")
    names, values = zip(*(bar.split("=") for bar in bars), strict=True)
    bar_chart = VerticalBarChart()
    bar_chart.x, bar_chart.y, bar_chart.width, bar_chart.height = 40, 30, 300, 92
    bar_chart.data = [[float(value) for value in values]]
    bar_chart.categoryAxis.categoryNames = list(names)
    bar_chart.valueAxis.valueMin = 0
    bar_chart.bars[0].fillColor = HexColor(f"#{cover['colour']}")
    bar_chart.barWidth = 4
    drawing = Drawing(400, 142)
    drawing.add(bar_chart)
    drawing.add(String(40, 130, title, fontName="Helvetica-Bold", fontSize=9))
    return drawing


def signatures(names: Sequence[str]) -> Table:
    """A line to sign on for each party."""
    rows = [[f"Signed for {name}", "_" * 34] for name in names]
    made = Table(rows, colWidths=[240, 227], rowHeights=48)
    made.setStyle(TableStyle([("FONT", (0, 0), (-1, -1), "Times-Roman", 11)]))
    return made


def main(folder: Path = FOLDER) -> list[Path]:
    """Make every sample."""
    return [make(text, folder) for text in sorted(TEXTS.glob("*.txt"))]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
