"""A review as it stands: its documents, cells and sums; and what the tables of all answer."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.app.documents import chosen
from docqa.app.resources import Resources
from docqa.review.columns import certain_figures, remarks
from docqa.review.questions import across, takes_all_rows
from docqa.types.answer import Answer
from docqa.types.document import Document
from docqa.types.question import Question
from docqa.types.review import Cell, Column, Review, ReviewTable

STILL_READ = "still being read"


def version_of(document: Document) -> str:
    """What was read of a document: differs once it is read anew, or more of it was."""
    d = document
    return f"{d.parser} {d.engine} {d.chunk_count} {d.discard_count} {d.waiting_pages}"


def documents_of(resources: Resources, review: Review) -> list[Document]:
    """The documents that are its rows, in the library's order."""
    tag = "" if review.document_ids else review.tag
    every = chosen(resources, review.document_ids)
    return [each for each in every if not tag or tag in each.tags]


def table_of(resources: Resources, review: Review) -> ReviewTable:
    """The review as it stands now, a cell for each document and column."""
    made = _filled(resources, review)
    columns = [(column, made.of_column(column.id)) for column in review.columns]
    sums = {each.id: certain_figures(cells) for each, cells in columns if each.kind == "figure"}
    odd = {
        (document_id, column.id): remark
        for column, cells in columns
        for document_id, remark in remarks(column, cells).items()
    }
    return replace(made, figures={key: each for key, each in sums.items() if each}, remarks=odd)


def _filled(resources: Resources, review: Review) -> ReviewTable:
    """The table without what its columns say together."""
    documents = documents_of(resources, review)
    every = resources.catalog.reviews.cells(review.id)
    kept = {(each.document_id, each.column_id): each for each in every}
    cells = {
        (document.id, column.id): _current(kept.get((document.id, column.id)), document, column)
        for document in documents
        for column in review.columns
    }
    gone = len(set(review.document_ids) - {each.id for each in documents})
    waits = {each.id: STILL_READ for each in documents if not each.is_whole}
    return ReviewTable(review, tuple(documents), cells, gone, waits)


def from_reviews(
    resources: Resources, question: Question, document_ids: Sequence[str]
) -> Answer | None:
    """What a review answers to a question that takes many documents together, cited.

    Of reviews that are filled, with two or more of the documents that are asked as rows, the one
    changed last whose rows tell; None where none does. No ids ask all documents.
    """
    if len(document_ids) == 1 or not takes_all_rows(question):
        return None
    for review in resources.catalog.reviews.all():
        table = _of_documents(_filled(resources, review), set(document_ids))
        if len(table.documents) > 1 and not table.open:
            answer = across(question, table)
            if answer is not None and answer.places:
                text = f"{answer.answer.text}\n\nFrom the review “{review.name}”."
                return replace(answer.answer, text=text)
    return None


def _of_documents(table: ReviewTable, asked: set[str]) -> ReviewTable:
    """The rows of these documents, or all."""
    if not asked:
        return table
    documents = tuple(each for each in table.documents if each.id in asked)
    cells = {place: cell for place, cell in table.cells.items() if place[0] in asked}
    return replace(table, documents=documents, cells=cells)


def _current(kept: Cell | None, document: Document, column: Column) -> Cell:
    """The cell without a proposal that was for another question or an earlier reading."""
    if kept is None:
        return Cell(document.id, column.id)
    made = kept.proposal
    if made and (made.asked, made.version) == (column.asked, version_of(document)):
        return kept
    return replace(kept, proposal=None)
