"""The tools: their arguments, and what each makes of the library.

A tool returns its result and the same in words.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from docqa.errors import UnknownPage, UnknownTable
from docqa.mcp import results
from docqa.mcp.results import Place
from docqa.mcp.shelf import Shelf
from docqa.present import as_text
from docqa.types.answer import Answer, Citation
from docqa.types.comparison import Comparison
from docqa.types.document import Block, Document, join_blocks
from docqa.types.search import Hit, unmentioned
from docqa.types.table import Table

Name = Annotated[str, Field(description="A document's file name, or what plainly means it, or id")]
Names = Annotated[tuple[str, ...], Field(description="Documents by name or id; all if empty")]
Page = Annotated[int, Field(ge=1, description="The page's position in the file, from 1")]
STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class ListDocuments:
    """The documents of the library: name, what each is, how long it is."""

    __pydantic_config__ = STRICT


@dataclass(frozen=True, slots=True)
class SearchDocuments:
    """Passages that bear on a question or a phrase, best first, each with page, quote and link."""

    __pydantic_config__ = STRICT
    query: Annotated[str, Field(description="A question or words, as a person would ask")]
    documents: Names = ()
    limit: Annotated[int, Field(ge=1, le=50, description="How many passages")] = 8


@dataclass(frozen=True, slots=True)
class ReadPage:
    """The whole text of a page, slide, sheet or section of a document."""

    __pydantic_config__ = STRICT
    document: Name
    page: Page


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A whole table with its columns, units and rows, by its number in the document."""

    __pydantic_config__ = STRICT
    document: Name
    number: Annotated[int, Field(ge=1, description="The table's number; read_page names them")]


@dataclass(frozen=True, slots=True)
class CompareDocuments:
    """Two or three documents side by side: figures with their differences, and what each says."""

    __pydantic_config__ = STRICT
    documents: Annotated[tuple[str, ...], Field(description="Two or three names or ids")]
    question: Annotated[str, Field(description="What to compare them on; key terms if empty")] = ""


@dataclass(frozen=True, slots=True)
class FindValue:
    """What the documents themselves answer, word for word and cited, without a language model."""

    __pydantic_config__ = STRICT
    question: Annotated[str, Field(description="One question; several are asked one by one")]
    documents: Names = ()


@dataclass(frozen=True, slots=True)
class CitedPage:
    """Where a statement is said to stand."""

    __pydantic_config__ = STRICT
    document: Name
    page: Page
    quote: Annotated[str, Field(description="The words relied on, as they stand there")] = ""


@dataclass(frozen=True, slots=True)
class CheckStatement:
    """Each figure, date and quotation of a statement, held against the pages it cites.

    Without citations it is held against what a search for it finds.
    """

    __pydantic_config__ = STRICT
    statement: Annotated[str, Field(description="A sentence or a paragraph")]
    citations: Annotated[tuple[CitedPage, ...], Field(description="The pages it rests on")] = ()
    documents: Names = ()


def list_documents(shelf: Shelf, _: ListDocuments) -> tuple[results.Library, str]:
    listed = tuple(
        results.Listed(
            each.name,
            each.id,
            each.description,
            each.extent,
            each.tags,
            each.state,
            shelf.place(each, 1, "", ()).link,
        )
        for each in shelf.documents()
    )
    lines = (f"{each.document} ({each.extent}). {each.description}".strip() for each in listed)
    return results.Library(listed), "\n".join(lines) or "The library is empty."


def search_documents(shelf: Shelf, given: SearchDocuments) -> tuple[results.Passages, str]:
    found = shelf.workspace.search(
        given.query, document_ids=shelf.chosen(given.documents), top_k=given.limit
    )
    passages = tuple(
        results.Passage(_of_hit(shelf, hit), hit.chunk.section, hit.chunk.kind)
        for hit in found.hits
    )
    texts = [_written(each.place, each.section) for each in passages] or ["Nothing was found."]
    if found.missing:
        texts.append(unmentioned(found.missing))
    return results.Passages(passages, found.missing), "\n\n".join(texts)


def read_page(shelf: Shelf, given: ReadPage) -> tuple[results.PageText, str]:
    document = shelf.document(given.document)
    blocks = _page(shelf, document, given.page)
    text = join_blocks(tuple(blocks)) or "No text could be read here."
    contents = shelf.workspace.contents
    tables = [t.number for t in contents.tables(document.id) if given.page in t.pages]
    health = (each for each in contents.health(document.id) if each.page == given.page)
    remarks = tuple(remark for each in health for remark in each.warnings)
    place = shelf.place(document, given.page, text, ())
    read = results.PageText(place, document.page_count, tuple(tables), remarks)
    return read, "\n\n".join([_written(place), *remarks])


def read_table(shelf: Shelf, given: ReadTable) -> tuple[results.ReadTable, str]:
    document = shelf.document(given.document)
    tables = shelf.workspace.contents.tables(document.id)
    table = next((each for each in tables if each.number == given.number), None)
    if table is None:
        raise UnknownTable(document.name, number=given.number, tables=len(tables))
    every = shelf.workspace.contents.blocks(document.id)
    blocks = [block for block in every if block.index in table.blocks]
    place = shelf.place(document, table.pages[0], join_blocks(tuple(blocks)), blocks)
    read = results.ReadTable(
        place,
        table.number,
        table.title,
        tuple(
            results.ReadColumn(each.heading, each.unit, each.scale, each.currency)
            for each in table.columns
        ),
        tuple(results.ReadRow(row.name, row.cells) for row in table.rows),
        table.notes,
    )
    return read, _table_text(place, table)


def _table_text(place: Place, table: Table) -> str:
    rows = [["", *(column.heading for column in table.columns)]]
    rows += [[row.name, *row.cells] for row in table.rows]
    lines = ["\t".join(row) for row in rows]
    head = f"{table.title}\n{place.document}, {place.where}\n{place.link}".strip()
    return "\n\n".join([head, "\n".join(lines), *table.notes])


def compare_documents(shelf: Shelf, given: CompareDocuments) -> tuple[results.Compared, str]:
    ids = [shelf.document(name).id for name in given.documents]
    *_, made = shelf.workspace.comparisons.make(
        ids, given.question, answerer="extractive", api_key=""
    )
    assert isinstance(made, Comparison)
    documents = {each.id: each for each in made.documents}
    figures = tuple(
        results.ComparedFigure(
            row.label,
            row.period,
            row.unit,
            tuple(
                shelf.place(documents[v.document_id], v.block.page, v.shown, (v.block,))
                for v in row.values
            ),
            row.difference,
            row.percent,
            row.note,
        )
        for row in made.figures
    )
    terms = tuple(
        results.ComparedTerm(
            row.topic,
            tuple(
                shelf.place(documents[side.document_id], side.page, side.quote, side.blocks)
                for side in row.sides
                if side.quote
            ),
            row.note,
        )
        for row in made.terms
    )
    compared = results.Compared(made.summary or made.text, figures, terms, made.warnings)
    return compared, "\n\n".join([as_text.comparison(made), *made.warnings])


def find_value(shelf: Shelf, given: FindValue) -> tuple[results.Answered, str]:
    *_, answer = shelf.workspace.ask(
        given.question,
        document_ids=shelf.chosen(given.documents),
        answerer="extractive",
        api_key="",
        sides=(),
    )
    assert isinstance(answer, Answer)
    cited = _cited(shelf, answer.citations)
    links = (f"[{each.label}] {each.place.link}" for each in cited)
    text = "\n\n".join([as_text.words(answer), "\n".join(links), *answer.warnings])
    return results.Answered(answer.found, answer.text, cited, answer.warnings), text


def check_statement(shelf: Shelf, given: CheckStatement) -> tuple[results.Checked, str]:
    pages = []
    for each in given.citations:
        document = shelf.document(each.document)
        _page(shelf, document, each.page)
        pages.append((document.id, each.page, each.quote))
    answer = shelf.workspace.statements.check(
        given.statement, cited=pages, document_ids=shelf.chosen(given.documents)
    )
    parts = tuple(
        results.CheckedPart(each.text, each.kind, each.result, each.reason, each.sum, each.nearest)
        for each in answer.checks
    )
    cited = _cited(shelf, answer.citations)
    supported = not (
        any(each.result == "not supported" for each in parts)
        or any(each.verdict == "not found" for each in cited)
    )
    checked = results.Checked(supported, parts, cited, answer.warnings)
    return checked, _checked_text(checked)


def _checked_text(checked: results.Checked) -> str:
    lines = [
        ": ".join(filter(None, (each.text, each.result, each.sum, each.reason, each.nearest)))
        for each in checked.parts
    ] or ["The statement has no figure, date or quotation that could be checked."]
    held = (f"[{each.label}] {_written(each.place)}" for each in checked.citations)
    return "\n\n".join(["\n".join(lines), *checked.warnings, *held])


def _page(shelf: Shelf, document: Document, page: int) -> list[Block]:
    """The blocks of a page. Raises `UnknownPage`."""
    if page > document.page_count:
        raise UnknownPage(document.name, page=page, extent=document.extent)
    return shelf.workspace.contents.blocks(document.id, page)


def _of_hit(shelf: Shelf, hit: Hit) -> Place:
    chunk = hit.chunk
    return shelf.place(hit.document, chunk.page_start, chunk.text, chunk.blocks, chunk.where)


def _cited(shelf: Shelf, citations: Sequence[Citation]) -> tuple[results.Cited, ...]:
    documents = {each.id: each for each in shelf.documents()}
    return tuple(
        results.Cited(
            each.label,
            each.verified,
            shelf.place(
                documents[each.document_id], each.page, each.quote, each.blocks, each.where
            ),
        )
        for each in citations
        if each.document_id in documents
    )


def _written(place: Place, section: str = "") -> str:
    head = " · ".join(filter(None, (f"{place.document}, {place.where}", section)))
    return f"{head}\n{place.link}\n{place.quote}"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool by its name: what it takes, what it returns, and what makes it of the library."""

    name: str
    takes: type[Any]
    returns: type[Any]
    call: Callable[[Shelf, Any], tuple[Any, str]]


TOOLS = (
    Tool("list_documents", ListDocuments, results.Library, list_documents),
    Tool("search_documents", SearchDocuments, results.Passages, search_documents),
    Tool("read_page", ReadPage, results.PageText, read_page),
    Tool("read_table", ReadTable, results.ReadTable, read_table),
    Tool("compare_documents", CompareDocuments, results.Compared, compare_documents),
    Tool("find_value", FindValue, results.Answered, find_value),
    Tool("check_statement", CheckStatement, results.Checked, check_statement),
)
