"""The sample questions, asked without a key of the samples as they are read, found and quoted."""

import pytest

from docqa.samples.questions import QUESTIONS, SampleQuestion
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.search import SearchResult
from docqa.workspace import Workspace

ANSWERED = [each for each in QUESTIONS if each.pages]
ABSENT = [each for each in QUESTIONS if not each.pages]


def answered(workspace: Workspace, question: str) -> Answer | Comparison:
    *_, last = workspace.ask(question, answerer="extractive")
    assert isinstance(last, Answer | Comparison)
    return last


def pages_found(result: SearchResult, name: str, *, first: int, own: int = 99) -> set[int]:
    """The pages of a document among the first hits, and among its own first ones."""
    hits = [hit.chunk for hit in result.hits[:first] if hit.document.name == name][:own]
    return {page for chunk in hits for page in range(chunk.page_start, chunk.page_end + 1)}


def plain(text: str) -> str:
    """Text with straight quotation marks and single spaces, as it is read from a PDF."""
    return " ".join(text.replace("’", "'").split())


@pytest.mark.parametrize("asked", ANSWERED, ids=lambda asked: asked.question)
def test_every_document_asked_about_is_found(workspace: Workspace, asked: SampleQuestion) -> None:
    result = workspace.search(asked.question)
    # Several documents take turns in what an answer is made from, so their own order counts.
    first, own = (10, 2) if len(asked.pages) > 1 else (5, 5)
    for name, pages in asked.pages.items():
        assert pages_found(result, name, first=first, own=own) & set(pages), name


@pytest.mark.parametrize(
    "asked",
    [each for each in ANSWERED if each.kind != "synthesis"],
    ids=lambda asked: asked.question,
)
def test_the_facts_are_quoted_and_verified(workspace: Workspace, asked: SampleQuestion) -> None:
    answer = answered(workspace, asked.question)
    assert isinstance(answer, Comparison) == (asked.kind == "comparison")
    missing = [fact for fact in asked.facts if plain(fact) not in plain(answer.text)]
    assert missing == []
    assert {citation.verified for citation in answer.citations} == {"verified"}
    assert {citation.document for citation in answer.citations} >= set(asked.pages)


@pytest.mark.parametrize("asked", ABSENT, ids=lambda asked: asked.question)
def test_what_the_samples_do_not_say_is_not_answered(
    workspace: Workspace, asked: SampleQuestion
) -> None:
    answer = answered(workspace, asked.question)
    assert isinstance(answer, Answer)
    assert answer.likely or not answer.found
    assert answer.coverage
