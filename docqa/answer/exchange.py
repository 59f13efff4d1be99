"""One question on its way to an answer: what was found, sent and received, and the tools."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docqa.answer import prompts
from docqa.answer.events import AnswerEvent, PassagesFound, Reading, ReadPage, Search, Searching
from docqa.answer.evidence import add_evidence, choose_hits, page_as_hit
from docqa.answer.prompts import Json
from docqa.errors import DocqaError, UnknownDocument
from docqa.settings import Settings
from docqa.types import Coverage, Document, Evidence, Hit, SearchResult, Usage


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
    read_page: ReadPage
    settings: Settings
    history: list[Json]
    native: bool
    evidence: tuple[Evidence, ...] = ()
    given: tuple[Evidence, ...] = ()  # with the question
    turns: list[Json | list[ToolOutcome]] = field(default_factory=list)
    coverage: dict[str, Coverage] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    tool_calls: int = 0
    text: str = ""  # of the turn in progress
    warnings: list[str] = field(default_factory=list)

    @property
    def may_search(self) -> bool:
        spent = sum((self.usage.input_tokens, self.usage.output_tokens))
        spent += self.usage.cache_read_tokens + self.usage.cache_write_tokens
        return self.tool_calls < self.settings.max_searches and spent < self.settings.answer_tokens

    def remember(self, result: SearchResult) -> None:
        """Keep, for each document, what the search that saw it best saw of it."""
        for seen in result.coverage:
            before = self.coverage.get(seen.document_id)
            if before is None or (seen.used, seen.best_score) > (before.used, before.best_score):
                self.coverage[seen.document_id] = seen

    def take(self, hits: Sequence[Hit]) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
        """Label the hits: those that are new, and those the model was given before."""
        before = len(self.evidence)
        self.evidence = add_evidence(self.evidence, hits)
        ids = {hit.chunk.id for hit in hits}
        again = [piece for piece in self.evidence[:before] if piece.hit.chunk.id in ids]
        return self.evidence[before:], tuple(again)

    def messages(self) -> list[Json]:
        """The conversation as it is sent, in the form of citation in use."""
        asked = prompts.question_message(self.question, self.given, native=self.native)
        return [*self.history, *prompts.with_cache_marks([asked, *map(self._turn, self.turns)])]

    def _turn(self, turn: Json | list[ToolOutcome]) -> Json:
        if isinstance(turn, dict):
            return turn
        return {"role": "user", "content": [self._result(outcome) for outcome in turn]}

    def _result(self, outcome: ToolOutcome) -> Json:
        found = prompts.passages(outcome.evidence, native=self.native)
        return prompts.tool_result(outcome.tool_use_id, found or outcome.text, error=outcome.error)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model wants used; ``given`` is what it wrote, not to be relied on."""

    id: str
    name: str
    given: Mapping[str, Any]


def use_tools(
    exchange: Exchange, calls: Iterable[ToolCall]
) -> Generator[AnswerEvent, None, list[ToolOutcome]]:
    """Every call's outcome, in order; a call that fails is told to the model, not raised."""
    outcomes = []
    for call in calls:
        try:
            outcomes.append((yield from _use(exchange, call)))
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
    hits = choose_hits(result.hits, max_chars=exchange.settings.evidence_chars)
    new, again = exchange.take(hits)
    if not hits:
        return ToolOutcome(call.id, text=prompts.NO_PASSAGES)
    return ToolOutcome(call.id, new, "" if new else prompts.already_given(again))


def _read(exchange: Exchange, call: ToolCall) -> Generator[AnswerEvent, None, ToolOutcome]:
    document = find_document(str(call.given.get("document", "")), exchange.documents)
    page = call.given.get("page")
    if not isinstance(page, int) or not 1 <= page <= document.page_count:
        text = f"{document.name} has pages 1 to {document.page_count}."
        return ToolOutcome(call.id, text=text, error=True)
    yield Reading(document.name, page)
    blocks = exchange.read_page(document.id, page)
    if not blocks:
        return ToolOutcome(call.id, text="That page has no text.")
    new, again = exchange.take([page_as_hit(document, page, blocks)])
    return ToolOutcome(call.id, new, "" if new else prompts.already_given(again))


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
    return " ".join(name.casefold().removesuffix(".pdf").replace("_", " ").split())
