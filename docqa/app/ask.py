"""A question on its way to an answer: what it compares, who answers, and what is kept of it."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from docqa.answer.beside import beside, falls_short
from docqa.answer.check.verify import verify_answer
from docqa.answer.findings import extractive
from docqa.answer.findings.each import MOST
from docqa.answer.findings.quoting import in_time
from docqa.answer.findings.worked import NEAREST_TO_IT
from docqa.app.amended import as_amended, notices
from docqa.app.compare import compare
from docqa.app.documents import chosen, contents_of
from docqa.app.findings import means
from docqa.app.model import Request, answerer_kind, destination, loading, open_claude
from docqa.app.relay import relayed
from docqa.app.resources import Resources
from docqa.app.review_table import from_reviews
from docqa.app.search import read_question, searchable, searcher
from docqa.compare import comparison
from docqa.compare.subject import named_in, subject_of
from docqa.errors import QuestionError
from docqa.ingest.chunks.suspicion import addresses_a_model, holds_unseen
from docqa.present import steps
from docqa.question.sides import NO_CHOICE
from docqa.settings import Settings, key_to_use
from docqa.types.answer import Answer, Evidence, Message, Step
from docqa.types.comparison import Comparison
from docqa.types.costs import Outgoing
from docqa.types.document import Document, spoken_name
from docqa.types.events import AnswerEvent, Events, TextDelta
from docqa.types.question import Choice, Question
from docqa.types.search import taken_for

CHOOSE = "Name two of them, or choose them under Compare."


def ask(resources: Resources, request: Request) -> Events:
    """What happens while a question is answered or compared; see `Workspace.ask`."""
    searchable(resources, request.question)
    kind = answerer_kind(request.answerer, request.key, request.settings)
    question = _read(resources, request)
    if sides := _sides(question, request):
        wanted = replace(request, question=question.meant, answerer=kind, sides=sides)
        events = compare(resources, wanted)
        if kind == "extractive" and request.sides is None:
            events = _or_answered(events, resources, request, question)
    elif tabled := from_reviews(resources, question, request.document_ids):
        events = _at_once(tabled)
    elif kind == "extractive" and (doubt := _only_compares(resources, question, request)):
        return _remembering(resources, _at_once(doubt), request, "", ())
    else:
        events = _answering(resources, request, question, kind)
    unread = [e for e in chosen(resources, sides or request.document_ids) if not e.is_whole]
    return _remembering(resources, events, request, question.compared.reason, unread)


def _only_compares(resources: Resources, question: Question, request: Request) -> Answer | None:
    """What is said where it cannot be decided which documents a question compares that asks for
    nothing else; None where it can, or it asks for more."""
    asked = chosen(resources, request.document_ids)
    named = named_in(subject_of(question.whole, asked))
    if named or not question.compared.reason:
        return None
    return Answer(f"{question.compared.reason} {CHOOSE}", extractive.NAME, found=False)


def _at_once(answer: Answer) -> Events:
    yield answer


class Preview:
    """Which documents a question would compare, and what would be sent to a model for it."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def sides(
        self,
        question: str,
        document_ids: Sequence[str] = (),
        *,
        conversation_id: str | None = None,
    ) -> Choice:
        """The documents a question sets against each other, among those of these ids (or all).

        None where it compares none; where it cannot be decided which, the choice says why.
        """
        settings = self._resources.settings
        request = Request(question, settings, "", document_ids, conversation_id)
        try:
            return _read(self._resources, request).compared
        except QuestionError:
            return NO_CHOICE  # whoever asks it is told what is wrong

    def outgoing(
        self,
        question: str,
        *,
        document_ids: Sequence[str] = (),
        conversation_id: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        sides: Sequence[str] | None = None,
    ) -> Outgoing:
        """What would be sent first, word for word.

        ``sides`` are as in `Workspace.ask`; where they are given the question may be empty, as in
        `Comparisons.make`. Raises `EmptyQuestion`, `NoDocuments` and `NoKey`, and what
        `Comparisons.make` does.
        """
        request = Request(
            question,
            settings or self._resources.settings,
            key_to_use(api_key),
            document_ids,
            conversation_id,
            sides=sides,
        )
        return preview(self._resources, request)


def preview(resources: Resources, request: Request) -> Outgoing:
    """What `ask` would send first to the model; see `Preview.outgoing`."""
    settings, contents = request.settings, contents_of(resources)
    question = None if request.sides else _read(resources, request)
    sides = _sides(question, request) if question else request.sides
    with closing(open_claude(resources, settings, request.key, sends=False)) as claude:
        if question and not sides:
            return claude.preview(
                question,
                search=searcher(resources, request.document_ids, settings, whole_tables=True),
                contents=contents,
                documents=chosen(resources, request.document_ids),
                history=_history(resources, request),
                shared=request.shared,
            )
        wanted = replace(request, answerer="extractive", sides=sides)
        if question:
            wanted = replace(wanted, question=question.meant)
        events = compare(resources, wanted)
        [made] = [event for event in events if isinstance(event, Comparison)]
        search = searcher(resources, (), settings, whole_tables=True)
        return claude.preview_comparison(made, search=search, contents=contents)


def _read(resources: Resources, request: Request) -> Question:
    """The question of a request, with what it compares unless that is settled."""
    return read_question(
        resources,
        request.question,
        document_ids=request.document_ids,
        history=_history(resources, request),
        opening=partial(_opening, resources) if request.sides is None else None,
    )


def _sides(question: Question, request: Request) -> Sequence[str]:
    """The ids of the documents that are compared for certain."""
    if request.sides is not None:
        return request.sides
    choice = question.compared
    return () if choice.reason else tuple(each.id for each in choice.documents)


def _or_answered(
    events: Events, resources: Resources, request: Request, question: Question
) -> Events:
    """The events of a comparison; where it tells nothing that is asked, what the documents say of
    it, each by itself if one says it or is likely to."""
    told: list[AnswerEvent] = []
    for event in events:
        if isinstance(event, TextDelta | Comparison):
            told.append(event)
        else:
            yield event
    if _tells_nothing(told[-1], question):
        told = list(_answering(resources, request, _of_each(question), "extractive"))
        answer = told[-1]
        if isinstance(answer, Answer) and answer.text.startswith(NEAREST_TO_IT):
            yield from _answering(resources, request, question, "extractive")
            return
    yield from told


def _of_each(question: Question) -> Question:
    """A question put to each of the documents that it compares, by what it names of them."""
    documents = question.compared.documents
    named = named_in(subject_of(question.meant, documents))
    if question.each or not named:
        return question
    return replace(question, each=tuple(each.id for each in documents), one=named)


def _tells_nothing(made: AnswerEvent, question: Question) -> bool:
    """Whether a comparison has no line on what a question names."""
    if not isinstance(made, Comparison) or not subject_of(question.meant, made.documents):
        return False
    return not (made.figures or made.terms or made.changes)


def _answering(resources: Resources, request: Request, question: Question, kind: str) -> Events:
    started = time.perf_counter()
    answered = _by_claude if kind == "claude" else _quoted
    events = answered(resources, request, question)

    def checked(event: AnswerEvent) -> AnswerEvent:
        if not isinstance(event, Answer):
            return event
        if kind == "extractive":
            event = as_amended(resources, request, question, event)
        answer = verify_answer(event, question=question.text)
        if kind == "claude" and not destination(request.settings) and falls_short(answer):
            [*_, found] = _quoted(resources, request, question)
            assert isinstance(found, Answer)
            answer = verify_answer(beside(event, found), question=question.text)
        own = filter(None, (taken_for(question.respelt), *answer.warnings))
        changed = notices(resources, answer)
        warnings = (*own, *changed, *_suspicions(resources, answer.evidence))
        return replace(answer, warnings=warnings, seconds=time.perf_counter() - started)

    yield from relayed(events, checked)


def _by_claude(resources: Resources, request: Request, question: Question) -> Events:
    yield from loading(resources, request.settings)
    claude = open_claude(resources, request.settings, request.key, request.conversation_id)
    yield from claude.answer(
        question,
        search=searcher(resources, request.document_ids, request.settings, whole_tables=True),
        contents=contents_of(resources),
        documents=chosen(resources, request.document_ids),
        history=_history(resources, request),
        shared=request.shared,
    )


def _quoted(resources: Resources, request: Request, question: Question) -> Events:
    return extractive.answer(
        question,
        search=searcher(resources, request.document_ids, request.settings),
        settings=request.settings,
        means=means(resources),
        one_by_one=_one_by_one(resources, question),
    )


def _one_by_one(resources: Resources, question: Question) -> dict[str, Question]:
    """The question as each document is asked it that it is put to in turn, by their names; the
    latest first where the question names or compares them.

    Of each the best is wanted, unless it is to be summarized.
    """
    asked = chosen(resources, question.each) if question.each else []
    in_order = question.documents or question.compared.documents
    asked = [*reversed(in_time(asked))] if in_order else asked
    found = {}
    for each in asked if len(asked) <= MOST else ():
        one = read_question(resources, question.one, document_ids=(each.id,))
        found[each.name] = one if one.wants == "summary" else replace(one, intent="lookup")
    return found


def _opening(resources: Resources, document: Document) -> str:
    """The text of a document's first page."""
    return "\n".join(block.text for block in resources.catalog.blocks(document.id, 1))


def _suspicions(resources: Resources, evidence: Sequence[Evidence]) -> Iterator[str]:
    """A warning for each passage that instructs a model or is hidden on its page."""
    for hit in (piece.hit for piece in evidence):
        place = f"{hit.document.name}, {hit.chunk.blocks[0].where},"
        if addresses_a_model(hit.chunk.text):
            yield f"{place} contains instructions to a language model; they were treated as text."
        pages = {block.page for block in hit.chunk.blocks}
        health = resources.catalog.health(hit.document.id)
        marked = [page for page in health if page.page in pages]
        if any(holds_unseen(hit.chunk.text, page.warnings) for page in marked):
            yield f"{place} has text that is hidden on the page; check it there."


def _history(resources: Resources, request: Request) -> list[Message]:
    """What was said before, as much of it as an answerer is given."""
    if request.conversation_id is None:
        return []
    said = resources.catalog.conversations.messages(request.conversation_id)
    return said[-request.settings.answering.history_messages :]


def _remembering(
    resources: Resources,
    events: Events,
    request: Request,
    notice: str,
    unread: Sequence[Document],
) -> Events:
    """The events, the last of them kept, with ``notice`` and what was ``unread`` as warnings."""
    taken: tuple[Step, ...] = ()
    notices = [each for each in (notice, _incomplete(unread)) if each]

    def kept(event: AnswerEvent) -> AnswerEvent:
        nonlocal taken
        taken = steps.after(taken, event)
        if isinstance(event, Answer | Comparison):
            event = replace(event, warnings=(*notices, *event.warnings))
            answer = event if isinstance(event, Answer) else comparison.as_answer(event)
            answer = replace(answer, unread=tuple(each.id for each in unread))
            _remember(resources, request, answer, taken)
        return event

    return relayed(events, kept)


def _incomplete(unread: Sequence[Document]) -> str:
    """What an answer is said to lack for documents that were still being read, "" for none."""
    if not unread:
        return ""
    several = f"{len(unread)} documents" if len(unread) > 1 else spoken_name(unread[0].name)
    was = "were" if len(unread) > 1 else "was"
    return f"{several} {was} not yet read in full; this answer may be incomplete."


def _remember(
    resources: Resources, request: Request, answer: Answer, taken: tuple[Step, ...]
) -> None:
    if request.conversation_id is not None:
        message = Message("assistant", answer.text, answer, taken)
        catalog = resources.catalog
        catalog.conversations.add(request.conversation_id, Message("user", request.question))
        catalog.conversations.add(request.conversation_id, message)
