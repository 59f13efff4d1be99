"""Whether a document's questions are cheaper with one cached beginning, in three forms of it.

    python -m tests.eval.review_prefix FOLDER [--library DIR] [--template FILE]
        [--pages 3 10 30 100 200] [--questions 4 12 20]

Of the PDFs in FOLDER those whose lengths come nearest to the pages. A template's questions are
asked of each by the real client at a server on loopback that counts as one with a prompt cache,
and the counted is priced by docqa's own list: with the passages of each question ("own"), with
those of all of them first, the same each time ("shared"), with the whole document so ("whole").
One is what docqa does: marked with *. No model answers: what is measured is what is sent.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from docqa.answer.evidence import page_as_hit, without_given
from docqa.app.ask import ask, preview
from docqa.app.documents import contents_of
from docqa.app.model import Request
from docqa.app.shared_passages import shared_passages
from docqa.settings import DEFAULTS, adjust
from docqa.types.answer import Answer
from docqa.types.document import Document
from docqa.types.review import Column
from docqa.types.search import Hit
from docqa.workspace import Workspace
from tests.eval.library import add_folder, library_folder
from tests.messages_server import Json, MessagesServer, Turn, text
from tests.prompt_cache import PromptCache

SAID = "The document says so in these words, which are as many as a cell usually has. [S1]"
KEY = "sk-not-a-key"


def cost(
    workspace: Workspace, document: Document, columns: Sequence[Column], shared: Sequence[Hit]
) -> Decimal:
    """US dollars for these questions on a document, by what a server with a new cache counts."""
    cache = PromptCache()

    def counting(body: Json) -> Turn:
        return Turn([text(SAID)], usage=cache.usage(body, answer=4 * len(SAID)))

    spent = Decimal(0)
    with MessagesServer(counting) as server:
        settings = adjust(DEFAULTS, base_url=server.url, second_look=False)
        for each in columns:
            request = Request(each.question, settings, KEY, (document.id,), None, "claude", ())
            *_, answer = ask(workspace.resources, replace(request, shared=shared))
            assert isinstance(answer, Answer)
            spent += answer.usage.cost_usd or Decimal(0)
    return spent


def together(
    workspace: Workspace, document: Document, columns: Sequence[Column]
) -> tuple[list[Hit], int]:
    """The passages of all questions in the document's order; the lengths of all, added up."""
    asked = [Request(each.question, DEFAULTS, KEY, (document.id,)) for each in columns]
    pieces = [p.hit for each in asked for p in preview(workspace.resources, each).evidence]
    every = sorted(without_given(pieces, ()), key=lambda hit: hit.chunk.blocks[0].index)
    return every, sum(len(hit.chunk.text) for hit in pieces)


def whole(workspace: Workspace, document: Document) -> list[Hit]:
    """Every page that has text."""
    contents = contents_of(workspace.resources)
    pages = {n: contents.page(document.id, n) for n in range(1, document.page_count + 1)}
    return [
        page_as_hit(document, n, blocks, contents.tables(document.id, {b.index for b in blocks}))
        for n, blocks in pages.items()
        if blocks
    ]


def row(workspace: Workspace, document: Document, columns: Sequence[Column]) -> str:
    union, apart = together(workspace, document, columns)
    size = sum(len(hit.chunk.text) for hit in union)
    own = cost(workspace, document, columns, ())
    shared = cost(workspace, document, columns, union)
    pages = cost(workspace, document, columns, whole(workspace, document))
    does = shared_passages(workspace.resources, document, columns, DEFAULTS, KEY)
    marks = ("", "*") if does else ("*", "")
    told = f"{document.page_count:5} {len(columns):9} {apart / len(columns):8,.0f} {size:8,}"
    return f"{told} {own:8.4f}{marks[0]:1} {shared:8.4f}{marks[1]:1} {pages:9.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="What one cached beginning costs, and what not.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--template", default="contract-review")
    parser.add_argument("--pages", type=int, nargs="+", default=[3, 10, 30, 100, 200])
    parser.add_argument("--questions", type=int, nargs="+", default=[4, 12, 20])
    options = parser.parse_args()
    with library_folder(options.library) as folder, Workspace(folder) as workspace:
        add_folder(workspace, options.folder)
        templates = {each.file: each for each in workspace.reviews.templates()}
        columns = templates[options.template].columns
        documents = workspace.documents()
        near = {
            min(documents, key=lambda each: abs(each.page_count - pages)).id: None
            for pages in options.pages
        }
        print("pages questions own chars together      own    shared      whole   (US$)")
        for each in (document for document in documents if document.id in near):
            for number in options.questions:
                print(row(workspace, each, columns[:number]), flush=True)


if __name__ == "__main__":
    main()
