"""A comparison written to a file: Markdown, DOCX, XLSX with numbers as numbers, CSV.

The files are put together from the standard library; nothing of them is read back as a formula
or as markup.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from docqa.present import answer_text, ooxml
from docqa.present.comparison_sheets import (
    Dossier,
    check_of,
    check_of_side,
    narrow_sheets_of,
    settings_of,
    sheets_of,
    value_of,
)
from docqa.types.comparison import Comparison
from docqa.types.document import Block, Document, join_blocks
from docqa.types.search import Hit
from docqa.ui.answer_view import doc_names
from docqa.ui.pills import SIGNS, written

_FORMULA = re.compile(r"^[=+\-@\t\r]")
_POINT = re.compile(r"^• ", re.MULTILINE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|$~])")


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to write a comparison out."""

    label: str
    ending: str
    mime: str
    write: Callable[[Dossier], bytes]


def parts_of(dossier: Dossier) -> Iterator[ooxml.Part]:
    """The whole comparison in order: its title, its words, then every table."""
    comparison = dossier.comparison
    yield ooxml.Heading(title_of(comparison), 1)
    yield from words_of(comparison)
    for sheet in narrow_sheets_of(dossier):
        yield ooxml.Heading(sheet.title, 2)
        yield ooxml.Rows([[str(cell) for cell in row] for row in sheet.rows])


def words_of(comparison: Comparison) -> Iterator[ooxml.Part]:
    """The comparison's words, each citation written out with its mark of verification."""
    names = doc_names(comparison)
    labels = {
        each.label: f"{written(each, name=names.get(each.document_id, ''))[:-1]} "
        f"{SIGNS[each.verified]}]"
        for each in comparison.citations
    }
    read = answer_text.verbatim if comparison.answerer == "extractive" else answer_text.prose
    for piece in read(comparison.text, labels=list(labels)):
        yield part_of(piece, labels, level=2)


def part_of(piece: answer_text.Piece, labels: Mapping[str, str], *, level: int) -> ooxml.Part:
    """A piece of an answer; ``labels`` are its citations written out, ``level`` its headings'."""

    def line(inlines: Sequence[answer_text.Inline]) -> str:
        return answer_text.line(inlines, cite=labels.__getitem__)

    match piece:
        case answer_text.Grid(header, rows):
            return ooxml.Rows([[line(cell) for cell in row] for row in (header, *rows)])
        case answer_text.Heading(inlines):
            return ooxml.Heading(line(inlines), level)
        case _:
            return ooxml.Text(answer_text.plain([piece], cite=labels.__getitem__))


def to_docx(dossier: Dossier) -> bytes:
    """The whole comparison as a document."""
    return ooxml.document(list(parts_of(dossier)))


def to_markdown(dossier: Dossier) -> bytes:
    """The whole comparison as Markdown in which the documents' own signs are escaped."""
    lines = [as_markdown(part) for part in parts_of(dossier)]
    return ("\n\n".join(lines) + "\n").encode(errors="replace")


def as_markdown(part: ooxml.Part) -> str:
    """A part with the documents' own signs escaped."""
    match part:
        case ooxml.Heading(text, level):
            return f"{'#' * level} {escaped(' '.join(text.split()))}"
        case ooxml.Text(text):
            return escaped(text)
        case ooxml.Rows(rows):
            cells = [[escaped(" ".join(cell.split())) for cell in row] for row in rows]
            ruled = [cells[0], ["---"] * len(cells[0]), *cells[1:]]
            return "\n".join(f"| {' | '.join(row)} |" for row in ruled)


def to_xlsx(dossier: Dossier) -> bytes:
    """Each table as a sheet; values, differences and pages are numbers, all else is text."""
    return ooxml.spreadsheet([(sheet.title, sheet.rows) for sheet in sheets_of(dossier)])


HEADER = (
    *("kind", "label", "period", "unit", "document", "sha256", "page", "printed_page"),
    *("value", "as_printed", "quote", "check", "difference", "percent", "note"),
    *("compared_on", "date", "written_by", "settings"),
)


def to_csv(dossier: Dossier) -> bytes:
    """A row for each side of each figure, term, change and pair, and for what only one side has.

    In UTF-8 marked as spreadsheets want it. Passages and changes are quoted as they stand.
    """
    comparison = dossier.comparison
    made = (
        *(comparison.question, dossier.made, comparison.answerer),
        settings_of(dossier.settings),
    )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    rows = (_figure_rows, _term_rows, _change_rows, _pair_rows, _lone_rows)
    for row in chain.from_iterable(each(dossier) for each in rows):
        writer.writerow([harmless(cell) for cell in (*row, *made)])
    return b"\xef\xbb\xbf" + out.getvalue().encode(errors="replace")


def _figure_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    for row in dossier.comparison.figures:
        for document in dossier.comparison.documents:
            head = ("figure", row.label, row.period, row.unit, document.name, document.id)
            figure = value_of(row, document.id)
            result = (row.difference, row.percent, row.note)
            if figure is None:
                yield (*head, "", "", "", "", "", "not stated", *result)
            else:
                quoted = (f"{figure.value}", figure.text, figure.block.text, check_of(figure))
                yield (*head, *_place(document, figure.block.page, dossier), *quoted, *result)


def _term_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    documents = dossier.comparison.documents
    for row in dossier.comparison.terms:
        for document, side in zip(documents, row.sides, strict=True):
            page = side.page or side.nearest_page
            place = _place(document, page, dossier) if page else ("", "")
            check = check_of_side(side) if side.quote else "not found; page is the nearest"
            head = ("term", row.topic, "", "", document.name, document.id)
            yield (*head, *place, "", "", side.quote, check, "", "", row.note)


def _change_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    for change in dossier.comparison.changes:
        sides = ((change.first, change.first_blocks), (change.second, change.second_blocks))
        for document, (words, blocks) in zip(dossier.comparison.documents, sides, strict=False):
            if blocks and change.kind != "unchanged":
                numbers = "numbers changed" if change.figures_changed else ""
                note = "only number, capitals or punctuation" if change.minor else numbers
                kind = ("change", f"{change.kind} {change.number}".strip())
                yield _quoted_row(kind, document, blocks, words, note, dossier)


def _pair_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    for number, pair in enumerate(dossier.comparison.pairs, 1):
        for hit in pair.passages:
            kind = ("pair", f"{number}")
            yield _passage_row(kind, hit, f"match {pair.similarity:.3f}", dossier)


def _lone_rows(dossier: Dossier) -> Iterator[tuple[str, ...]]:
    for hits in dossier.comparison.only_in.values():
        for hit in hits:
            near = dossier.comparison.nearest.get(hit.chunk.id)
            note = ""
            if near is not None:
                where = f"{near.passage.document.name}, p. {near.passage.chunk.page_start}"
                note = f"nearest: {where}, match {near.similarity:.3f}"
            yield _passage_row(("only in one", ""), hit, note, dossier)


def _passage_row(kind: tuple[str, str], hit: Hit, note: str, dossier: Dossier) -> tuple[str, ...]:
    chunk = hit.chunk
    return _quoted_row(kind, hit.document, chunk.blocks, chunk.text, note, dossier)


def _quoted_row(
    kind: tuple[str, str],
    document: Document,
    blocks: Sequence[Block],
    words: str,
    note: str,
    dossier: Dossier,
) -> tuple[str, ...]:
    """A row for words that stand in these blocks; marks printed beside them may come in between."""
    place = _place(document, blocks[0].page, dossier)
    known = set(join_blocks(tuple(blocks)).split())
    check = "verified" if set(words.split()) - {"|"} <= known else "not found"
    return (*kind, "", "", document.name, document.id, *place, "", "", words, check, "", "", note)


def _place(document: Document, page: int, dossier: Dossier) -> tuple[str, str]:
    return f"{page}", dossier.printed.get((document.id, page), "")


def harmless(cell: str) -> str:
    """A cell no spreadsheet takes for a formula; negative numbers stay as they are.

    >>> harmless("=1+1"), harmless("-5.2%"), harmless("(1,200)")
    ("'=1+1", '-5.2%', '(1,200)')
    """
    if re.fullmatch(r"[-+][\d.,\s%$€£]+", cell):
        return cell
    return f"'{cell}" if _FORMULA.match(cell) else cell


def title_of(comparison: Comparison) -> str:
    """What was compared, and which documents by which short names."""
    short, asked = doc_names(comparison), comparison.question
    names = " and ".join(f"{each.name} ({short[each.id]})" for each in comparison.documents)
    return f"{asked[:1].upper()}{asked[1:]}: {names}" if asked else names


def escaped(text: str) -> str:
    """The text with its own signs escaped; the points before the items of a list make one."""
    return _POINT.sub("- ", _MARKDOWN.sub(r"\\\1", text))


KINDS = (
    Kind("Markdown", "md", "text/markdown", to_markdown),
    Kind("Word", "docx", ooxml.WORD, to_docx),
    Kind("Excel, with numbers", "xlsx", ooxml.EXCEL, to_xlsx),
    Kind("CSV, a row for each side", "csv", "text/csv", to_csv),
)
