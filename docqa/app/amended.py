"""An answer from a document that another has amended since: what that says goes before it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from docqa.answer.amended import OPENING, amendments, notice, said_of_clause
from docqa.answer.findings import extractive
from docqa.answer.findings.each import together
from docqa.app.findings import means
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.app.search import read_question, searcher
from docqa.types.answer import Answer
from docqa.types.document import Document
from docqa.types.question import Question

_MOST = 3  # amendments of one document that are asked
_FIRST_AGREED = re.compile(
    r"\b(?:original|initial|first agreed|at signing|when (?:it was )?signed"
    r"|before (?:the|any) amend)",
    re.IGNORECASE,
)


def notices(resources: Resources, answer: Answer) -> Iterator[str]:
    """A notice for each document cited that another, not cited, may have changed since."""
    yield from (notice(document, amendment) for document, amendment in _pairs(resources, answer))


def as_amended(
    resources: Resources, request: Request, question: Question, answer: Answer
) -> Answer:
    """What the amendments of the one document that an answer cites say of the clause it cites
    first, or state to the same question, under their names before the answer, after it where it is
    asked what was first agreed; the answer as it is where none says anything.

    Those that name the clause come first, and later ones before earlier. Of places where it only is
    likely the first counts, and of amendments those among the documents that are asked.
    """
    cited = answer.citations[: 1 if answer.likely else None]
    if not answer.found or len({citation.document_id for citation in cited}) != 1:
        return answer
    of_clause, stated = dict[str, Answer](), dict[str, Answer]()
    pairs = _pairs(resources, replace(answer, citations=cited), among=request.document_ids)
    for document, amendment in islice(pairs, _MOST):
        named = document.name
        if own := said_of_clause(answer, amendment, resources.catalog.blocks(amendment.id)):
            of_clause[amendment.name] = own
            continue
        own = _asked_of(resources, request, question, amendment)
        if own.found and not own.likely:
            stated[amendment.name] = own
    if not (amended := of_clause | stated):
        return answer
    first = _FIRST_AGREED.search(question.whole)
    return together({named: answer, **amended} if first else {**amended, named: answer})


def _asked_of(
    resources: Resources, request: Request, question: Question, document: Document
) -> Answer:
    """The answer of another document, whatever document the question names."""
    one = read_question(resources, question.topic, document_ids=(document.id,))
    found = searcher(resources, (document.id,), request.settings)(one)
    return extractive.answer_from(found, settings=request.settings, means=means(resources))


def _beginning(resources: Resources, document: Document) -> str:
    """The text a document begins with, its cover and what stands after it."""
    text = ""
    for block in resources.catalog.blocks(document.id):
        if len(text) > OPENING:
            break
        text += f"{block.text}\n"
    return text


def _pairs(
    resources: Resources, answer: Answer, *, among: Sequence[str] = ()
) -> Iterator[tuple[Document, Document]]:
    """The documents cited, each with one of these ids (or of all) that may have changed it."""
    documents = resources.catalog.documents()
    cited = {citation.document_id for citation in answer.citations}
    binding = [each for each in documents if each.id in cited]
    others = [each for each in documents if not among or each.id in among]
    yield from amendments(binding, others, partial(_beginning, resources))
