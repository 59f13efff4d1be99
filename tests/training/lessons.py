"""What the reranker learns from: questions with the passages and the pieces that answer them.

A lesson on passages holds what a search without reranking finds; one on pieces their rows and
sentences, as the judge of findings has them read. Of a question that its document does not answer,
all are wrong.
"""

from collections.abc import Iterable, Iterator, Sequence

from docqa.answer.evidence import add_evidence
from docqa.answer.findings.candidates import Candidate, candidates
from docqa.answer.findings.judge import pool_of
from docqa.app.search import read_question, search
from docqa.settings import DEFAULTS, adjust
from docqa.types.document import Chunk
from docqa.types.question import Question
from docqa.types.search import Hit
from docqa.workspace import Workspace
from tests.training import judge
from tests.training.composed import Composed, says
from tests.training.examples import Example, Lesson

FOUND = 10  # passages of a search
SETTINGS = adjust(DEFAULTS, use_reranker=False)


def of_composed(workspace: Workspace, asked: Iterable[Composed]) -> Iterator[Lesson]:
    ids = {document.name: document.id for document in workspace.documents()}
    for each in asked:
        if each.document in ids:
            yield from _lesson_of_composed(workspace, each, ids[each.document])


def _lesson_of_composed(
    workspace: Workspace, asked: Composed, document_id: str
) -> Iterator[Lesson]:
    question, hits = _found(workspace, asked.question, (document_id,))
    if not asked.answer:
        yield _unanswered(question, hits, asked.document)
        return
    chunks = workspace.resources.catalog.document_chunks(document_id)
    right = {
        chunk.id for chunk in chunks if _is_on(chunk, asked) and says(chunk.text, asked.answer)
    }
    if not right:
        return
    texts = tuple(chunk.judged_text for chunk in chunks if chunk.id in right)
    wrong = tuple(hit.chunk.judged_text for hit in hits if not says(hit.chunk.text, asked.answer))
    pieces = pool_of(question, candidates(add_evidence((), hits)))
    held = [each for each in pieces if says(each.text, asked.answer)]
    yield Lesson(
        Example(question.topic, texts, wrong),
        _known(
            question.topic,
            tuple(each.spoken for each in held if each.piece.hit.chunk.id in right),
            tuple(each.spoken for each in pieces if each not in held),
        ),
        asked.document,
    )


def _known(question: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> Example:
    """An answered question's; where what answers is in no text, one of them may answer in part."""
    return Example(question, right, wrong if right else ())


def _unanswered(question: Question, hits: Sequence[Hit], group: str) -> Lesson:
    pieces = pool_of(question, candidates(add_evidence((), hits)))
    return Lesson(
        Example(question.topic, (), tuple(hit.chunk.judged_text for hit in hits)),
        Example(question.topic, (), tuple(each.spoken for each in pieces)),
        group,
    )


def _is_on(chunk: Chunk, asked: Composed) -> bool:
    return not asked.page or chunk.page_start <= asked.page <= chunk.page_end


def of_labelled(workspace: Workspace, asked: Iterable[judge.Example]) -> Iterator[Lesson]:
    """From the questions that the judge learns from; a passage answers where a piece of it does."""
    for each in asked:
        question, hits = _found(workspace, each.question, each.documents)
        if each.absent:
            yield _unanswered(question, hits, each.group)
            continue
        every = candidates(add_evidence((), hits))
        right = [piece for piece in every if each.answers(piece)]
        answering = {piece.piece.hit.chunk.id for piece in right}
        pieces = pool_of(question, every)
        yield Lesson(
            _known(
                question.topic,
                tuple(hit.chunk.judged_text for hit in hits if hit.chunk.id in answering),
                tuple(hit.chunk.judged_text for hit in hits if hit.chunk.id not in answering),
            ),
            _known(question.topic, *_parted(pieces, right)),
            each.group,
        )


def _parted(
    pieces: list[Candidate], right: list[Candidate]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    answering = {id(piece) for piece in right}
    return (
        tuple(piece.spoken for piece in pieces if id(piece) in answering),
        tuple(piece.spoken for piece in pieces if id(piece) not in answering),
    )


def _found(
    workspace: Workspace, text: str, documents: tuple[str, ...]
) -> tuple[Question, tuple[Hit, ...]]:
    question = read_question(workspace.resources, text, document_ids=documents)
    result = search(workspace.resources, question, settings=SETTINGS, top_k=FOUND)
    return question, result.hits
