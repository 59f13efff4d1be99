"""One question on its way to an answer: what was found, sent and received, and the tools."""

from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from docqa.answer.evidence import add_evidence, choose_hits, page_as_hit, without_given
from docqa.answer.model import prompts
from docqa.answer.model.prompts import Json
from docqa.answer.model.redaction import Redaction
from docqa.answer.receipt import Receipt
from docqa.errors import AnswerStopped, DocqaError, UnknownDocument
from docqa.settings import Settings
from docqa.types.answer import Evidence, Usage
from docqa.types.document import Document, without_ending
from docqa.types.events import AnswerEvent, Contents, PassagesFound, Reading, Search, Searching
from docqa.types.search import Hit, SearchResult


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What a tool returned: passages, or else a sentence."""

    tool_use_id: str
    evidence: tuple[Evidence, ...] = ()
    text: str = ""
    error: bool = False


@dataclass(slots=True)
class Exchange:
    """One question on its way to an answer: what was sent, found and received so far."""

    question: str
    documents: Sequence[Document]
    search: Search
    contents: Contents
    settings: Settings
    history: list[Json]
    native: bool
    evidence: tuple[Evidence, ...] = ()
    given: tuple[Evidence, ...] = ()  # with the question
    shared: bool = False  # they are given with other questions too, in this order
    notice: str = ""  # of documents that the question names and that are not asked
    turns: list[Json | list[ToolOutcome]] = field(default_factory=list)
    receipt: Receipt = field(default_factory=Receipt)
    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0
    text: str = ""  # of the turn in progress
    partial: bool = False
    hurried: bool = False  # the model thought for too long, and is asked to answer at once
    left_out: int = 0  # passages that were too much for the model
    warnings: list[str] = field(default_factory=list)
    redaction: Redaction = field(init=False)

    def __post_init__(self) -> None:
        self.redaction = Redaction(self.settings.server.redact)

    @property
    def may_search(self) -> bool:
        left = self.settings.answering.answer_tokens - self.usage.tokens
        return self.tool_calls < self.settings.answering.max_searches and left > 0

    def remember(self, result: SearchResult) -> None:
        """Keep what this search saw of each document."""
        self.receipt = self.receipt.after(result)

    def cut(self) -> bool:
        """Leave out the weaker half of the passages; False where too few are left for that."""
        sent = self._sent()
        kept = {piece.label for piece in sent[: len(sent) // 2]}
        if not kept:
            return False
        self.given = _among(self.given, kept)
        for turn in self.turns:
            if isinstance(turn, list):
                turn[:] = [replace(each, evidence=_among(each.evidence, kept)) for each in turn]
        self.evidence = _among(self.evidence, kept)
        self.left_out += len(sent) - len(kept)
        return True

    def hurry(self) -> bool:
        """Ask for an answer without thinking; False where that was asked for before."""
        before, self.hurried = self.hurried, True
        return not before

    def _sent(self) -> list[Evidence]:
        """The passages in the request, best first: turn by turn, what was found later first."""
        turns = [turn for turn in self.turns if isinstance(turn, list)]
        later = [piece for turn in turns for outcome in turn for piece in outcome.evidence]
        return [piece for pair in zip_longest(later, self.given) for piece in pair if piece]

    def take(self, hits: Sequence[Hit]) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
        """Label what is new of the hits, and name the passages that most of a hit was given in."""
        before = self.evidence
        self.evidence = add_evidence(
            before, without_given(hits, before), minted=self.left_out + len(before)
        )
        again = (piece for hit in hits for piece in before if _holds(piece, hit))
        return self.evidence[len(before) :], tuple({piece.label: piece for piece in again}.values())

    def messages(self) -> list[Json]:
        """The conversation as it is sent, in the form of citation in use."""
        question = f"{self.question}\n\n{prompts.AT_ONCE}" if self.hurried else self.question
        asked = prompts.question_message(
            question, self.given, native=self.native, notice=self.notice, shared=self.shared
        )
        return [*self.history, *prompts.with_cache_marks([asked, *map(self._turn, self.turns)])]

    def _turn(self, turn: Json | list[ToolOutcome]) -> Json:
        if isinstance(turn, dict):
            return turn
        return {"role": "user", "content": [self._result(outcome) for outcome in turn]}

    def _result(self, outcome: ToolOutcome) -> Json:
        found = prompts.passages(outcome.evidence, native=self.native)
        said = outcome.text or prompts.LEFT_OUT
        if found and outcome.text:
            found = [*found, {"type": "text", "text": said}]
        return prompts.tool_result(outcome.tool_use_id, found or said, error=outcome.error)


def _holds(piece: Evidence, hit: Hit) -> bool:
    """Whether the passage has half of the hit's blocks or more."""
    same = piece.hit.document.id == hit.document.id
    shared = sum(block in piece.hit.chunk.blocks for block in hit.chunk.blocks) if same else 0
    return 2 * shared >= len(hit.chunk.blocks)


def _among(evidence: Iterable[Evidence], labels: Container[str]) -> tuple[Evidence, ...]:
    return tuple(piece for piece in evidence if piece.label in labels)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants used; ``given`` is what it wrote, not to be relied on."""

    id: str
    name: str
    given: Mapping[str, Any]


def use_tools(
    exchange: Exchange, calls: Iterable[ToolCall]
) -> Generator[AnswerEvent, None, list[ToolOutcome]]:
    """Every call's outcome, in order; a call that fails is told to the model, not raised.

    One that is stopped is raised.
    """
    outcomes = []
    for call in calls:
        try:
            outcomes.append((yield from _use(exchange, call)))
        except AnswerStopped:
            raise
        except DocqaError as error:
            outcomes.append(ToolOutcome(call.id, text=str(error), error=True))
    return outcomes


def _use(exchange: Exchange, call: ToolCall) -> Generator[AnswerEvent, None, ToolOutcome]:
    if call.name == prompts.LIST:
        return ToolOutcome(call.id, text=prompts.list_of_documents(exchange.documents))
    if not exchange.may_search:
        return ToolOutcome(call.id, text=prompts.NO_SEARCHES_LEFT, error=True)
    exchange.tool_calls += 1
    if call.name == prompts.SEARCH:
        return (yield from _search(exchange, call))
    if call.name == prompts.READ:
        return (yield from _read(exchange, call))
    if call.name == prompts.OUTLINE:
        return _outline(exchange, call)
    return ToolOutcome(call.id, text=f"There is no tool named {call.name}.", error=True)


def _search(exchange: Exchange, call: ToolCall) -> Generator[AnswerEvent, None, ToolOutcome]:
    query = str(call.given.get("query", "")).strip()
    if not query:
        return ToolOutcome(call.id, text="Give a query to search for.", error=True)
    listed = call.given.get("documents") or ()
    names = [listed] if isinstance(listed, str) else [str(name) for name in listed]
    ids = tuple(find_document(name, exchange.documents).id for name in names)
    yield Searching(query, ids)
    result = exchange.search(query, document_ids=ids) if ids else exchange.search(query)
    yield passages_found(result)
    exchange.usage = replace(exchange.usage, searches=exchange.usage.searches + 1)
    exchange.remember(result)
    hits = choose_hits(result.hits, max_chars=exchange.settings.answering.evidence_chars)
    new, again = exchange.take(hits)
    if not hits:
        return ToolOutcome(call.id, text=prompts.NO_PASSAGES)
    return ToolOutcome(call.id, new, prompts.already_given(again) if again else "")


def _read(exchange: Exchange, call: ToolCall) -> Generator[AnswerEvent, None, ToolOutcome]:
    document = find_document(str(call.given.get("document", "")), exchange.documents)
    page = call.given.get("page")
    if not isinstance(page, int) or not 1 <= page <= document.page_count:
        text = f"{document.name} has {document.unit}s 1 to {document.page_count}."
        return ToolOutcome(call.id, text=text, error=True)
    blocks = exchange.contents.page(document.id, page)
    yield Reading(document.name, page, blocks[0].place if blocks else "")
    if not blocks:
        return ToolOutcome(call.id, text=f"That {document.unit} has no text.")
    tables = exchange.contents.tables(document.id, {block.index for block in blocks})
    new, again = exchange.take([page_as_hit(document, page, blocks, tables)])
    return ToolOutcome(call.id, new, prompts.already_given(again) if again else "")


def _outline(exchange: Exchange, call: ToolCall) -> ToolOutcome:
    document = find_document(str(call.given.get("document", "")), exchange.documents)
    entries = exchange.contents.outline(document.id)
    return ToolOutcome(call.id, text=prompts.outline_of(document, entries))


def passages_found(result: SearchResult) -> PassagesFound:
    names = dict.fromkeys(hit.document.name for hit in result.hits)
    return PassagesFound(len(result.hits), tuple(names))


def find_document(name: str, documents: Sequence[Document]) -> Document:
    """The document of that file name, its case and ending aside; else the only one containing it.

    Raises `UnknownDocument`.
    """
    wanted = _plain(name)
    same = [each for each in documents if _plain(each.name) == wanted]
    holding = [each for each in documents if wanted and wanted in _plain(each.name)]
    for candidates in (same, holding):
        if len(candidates) == 1:
            return candidates[0]
    raise UnknownDocument(name, known=tuple(each.name for each in documents[:20]))


def _plain(name: str) -> str:
    return " ".join(without_ending(name.casefold()).replace("_", " ").split())
