"""A comparison written to a file: Markdown, CSV and XLSX (the figures), DOCX.

The files are put together from the standard library; nothing of them is read back as a formula
or as markup.
"""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from docqa.types import Comparison, Hit
from docqa.ui import ooxml
from docqa.ui.pills import written
from docqa.ui.prose import plain, prose, verbatim
from docqa.ui.sides import value_of
from docqa.ui.turn import doc_names, pages

_FORMULA = re.compile(r"^[=+\-@\t\r]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|$~])")


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to write a comparison out."""

    label: str
    ending: str
    mime: str
    write: Callable[[Comparison], bytes]


def text_of(comparison: Comparison) -> str:
    """The comparison's words with each citation written out."""
    names = doc_names(comparison)
    labels = {c.label: written(c, name=names.get(c.document_id, "")) for c in comparison.citations}
    read = verbatim if comparison.answerer == "extractive" else prose
    return plain(read(comparison.text, labels=list(labels)), cite=labels.__getitem__)


def table_of(comparison: Comparison) -> list[list[str]]:
    """The figures as rows of text, the header first; a value is followed by its page."""
    names = doc_names(comparison)
    header = ["Figure", "Period", "Unit"]
    for document in comparison.documents:
        header += [f"{names[document.id]}: {document.name}", "Page"]
    rows = [[*header, "Difference", "Note"]]
    for row in comparison.figures:
        cells = [row.label, row.period, row.unit]
        for document in comparison.documents:
            value = value_of(row, document.id)
            cells += [value.text, str(value.block.page)] if value else ["not stated", ""]
        rows.append([*cells, row.difference, row.note])
    return rows


def to_csv(comparison: Comparison) -> bytes:
    """The figures as CSV, UTF-8 with the mark that spreadsheets look for."""
    out = io.StringIO()
    rows = [[harmless(cell) for cell in row] for row in table_of(comparison)]
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def harmless(cell: str) -> str:
    """A cell no spreadsheet takes for a formula; negative numbers stay as they are.

    >>> harmless("=1+1"), harmless("-5.2%"), harmless("(1,200)")
    ("'=1+1", '-5.2%', '(1,200)')
    """
    if re.fullmatch(r"[-+][\d.,\s%$€£]+", cell):
        return cell
    return f"'{cell}" if _FORMULA.match(cell) else cell


def to_xlsx(comparison: Comparison) -> bytes:
    """The figures as a spreadsheet; every cell is text."""
    return ooxml.spreadsheet(table_of(comparison), title="Comparison")


def to_docx(comparison: Comparison) -> bytes:
    """The whole comparison as a document."""
    parts: list[ooxml.Part] = [ooxml.Heading(title_of(comparison), 1)]
    parts += [ooxml.Text(line) for line in text_of(comparison).split("\n\n") if line.strip()]
    if comparison.figures:
        parts += [ooxml.Heading("Figures", 2), ooxml.Rows(table_of(comparison))]
    for heading, texts in _sections(comparison):
        parts += [ooxml.Heading(heading, 2), *(ooxml.Text(text) for text in texts)]
    return ooxml.document(parts)


def to_markdown(comparison: Comparison) -> bytes:
    """The whole comparison as Markdown in which the documents' own signs are escaped."""
    lines = [f"# {escaped(title_of(comparison))}", escaped(text_of(comparison))]
    if comparison.figures:
        header, *rows = table_of(comparison)
        ruled = [header, ["---"] * len(header)]
        cells = [[escaped(cell).replace("\n", " ") for cell in row] for row in rows]
        lines += ["## Figures", "\n".join(f"| {' | '.join(row)} |" for row in [*ruled, *cells])]
    for heading, texts in _sections(comparison):
        lines += [f"## {escaped(heading)}", *(escaped(text) for text in texts)]
    return ("\n\n".join(lines) + "\n").encode()


def title_of(comparison: Comparison) -> str:
    names = " and ".join(document.name for document in comparison.documents)
    return f"{comparison.question}: {names}" if comparison.question else names


def _sections(comparison: Comparison) -> list[tuple[str, list[str]]]:
    """Headings and their texts: the pairs, then what stands in one document alone."""
    names = doc_names(comparison)
    found = [
        (
            f"Side by side, {pair.similarity:.0%} alike",
            [_quoted(hit, names) for hit in pair.passages],
        )
        for pair in comparison.pairs
    ]
    for document in comparison.documents:
        alone = comparison.only_in.get(document.id, ())
        if alone:
            found.append((f"Only in {document.name}", [_quoted(hit, names) for hit in alone]))
    return found


def _quoted(hit: Hit, names: dict[str, str]) -> str:
    where = pages(hit.chunk.page_start, hit.chunk.page_end)
    return f"{names.get(hit.document.id, '')}, {where}: {hit.chunk.text}"


def escaped(text: str) -> str:
    """Text in which Markdown reads nothing."""
    return _MARKDOWN.sub(r"\\\1", text)


KINDS = (
    Kind("Markdown", "md", "text/markdown", to_markdown),
    Kind("Word", "docx", ooxml.WORD, to_docx),
    Kind("Excel, the figures", "xlsx", ooxml.EXCEL, to_xlsx),
    Kind("CSV, the figures", "csv", "text/csv", to_csv),
)
