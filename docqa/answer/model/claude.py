"""Answers by Claude, or another model behind the Messages API, that searches for itself."""

import logging
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import (
    add_evidence,
    choose_hits,
    citations_in,
    labels_in,
    room_for,
    tidy_markers,
)
from docqa.answer.findings.extractive import nothing_found
from docqa.answer.findings.whose import unheard
from docqa.answer.model import comparison_request, notes, prompts, second_look
from docqa.answer.model.api_errors import refuses_the_form
from docqa.answer.model.costs import SpendingLimit, price_of, tokens_of, with_request
from docqa.answer.model.exchange import Exchange, passages_found, use_tools
from docqa.answer.model.fit import ANY, Fit
from docqa.answer.model.notes import Part
from docqa.answer.model.pace import Pacing, looped
from docqa.answer.model.prompts import Json
from docqa.answer.model.redaction import Redaction
from docqa.answer.model.replies import (
    as_turn,
    check_end,
    check_whole,
    deltas,
    final_reply,
    tool_calls,
)
from docqa.answer.model.server import MessagesServer
from docqa.answer.receipt import with_receipt
from docqa.errors import (
    AnswerError,
    AnswerStopped,
    ContextTooLong,
    ModelLooped,
    NeverAnswered,
    ThoughtTooLong,
)
from docqa.settings import Settings, without_keys
from docqa.types.answer import Answer, Message, Usage
from docqa.types.comparison import Comparison
from docqa.types.costs import Outgoing
from docqa.types.document import Chunk, Document
from docqa.types.events import AnswerEvent, Contents, Events, Retrying, Search, Searching, TextDelta
from docqa.types.phrases import count
from docqa.types.question import Question
from docqa.types.search import Hit, SearchResult, left_out

if TYPE_CHECKING:
    from anthropic.types import Message as Reply

log = logging.getLogger(__name__)

_SPARE_TURNS = 4  # beside those that search: for listing, a pause, and the answer
_READS: dict[tuple[str, str], float] = {}  # tokens a second that a server's model read last
_TOKEN_CHARS = 12  # no tokenizer needs fewer tokens than one for so many characters of prose


class ClaudeAnswerer:
    """One model of one server (see `MessagesServer`); ``fit`` is how it is asked."""

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str = "",
        model: str,
        settings: Settings,
        spending: SpendingLimit | None = None,
        fit: Fit = ANY,
    ) -> None:
        self.server = MessagesServer(api_key, base_url, settings=settings, local=fit.local)
        self.model = model
        self.settings = settings
        self.fit = fit
        self._native = settings.answering.citation_form != "written"
        self._spending = spending or SpendingLimit()

    @property
    def _may_change_form(self) -> bool:
        return (
            self._native
            and self.settings.answering.citation_form == "auto"
            and not self.server.is_anthropic
        )

    def close(self) -> None:
        """Let go of the connections."""
        self.server.close()

    def models(self) -> tuple[str, ...]:
        """The models the server offers; see `MessagesServer.models`."""
        return self.server.models()

    def answer(
        self,
        question: Question,
        *,
        search: Search,
        contents: Contents,
        documents: Sequence[Document],
        history: Sequence[Message] = (),
        shared: Sequence[Hit] = (),
    ) -> Events:
        """Search, ask, search again as the model wishes, and stream; ends with the `Answer`.

        Passages that are ``shared`` with other questions are given instead of those found: the
        same for each, so that the server reads them from its cache.

        An `AnswerError` is raised where no text had arrived; otherwise the answer holds what
        arrived and a warning, as it does where it is stopped (see `Events`). Where the search
        finds no passage the server is not asked at all.
        """
        started = time.perf_counter()
        exchange = self._exchange(question.text, search, contents, documents, history)
        yield Searching(question.whole)
        result = search(question)
        yield passages_found(result)
        self._take_first(exchange, result)
        if not history and not result.hits:
            named = result.plan.question.not_asked
            nothing = nothing_found(exchange.evidence, missing=unheard(result), not_asked=named)
            yield _complete(nothing, exchange, started)
            return
        if shared:
            _give(exchange, shared)
        yield from self._turns_kept(exchange)
        answer = yield from self._looked_at_again(exchange, self._finished(exchange))
        yield _complete(answer, exchange, started)

    def preview(
        self,
        question: Question,
        *,
        search: Search,
        contents: Contents,
        documents: Sequence[Document],
        history: Sequence[Message] = (),
        shared: Sequence[Hit] = (),
    ) -> Outgoing:
        """The first request `answer` would send, word for word; sends nothing.

        Searches, unless the passages are ``shared``.
        """
        exchange = self._exchange(question.text, search, contents, documents, history)
        if shared:
            _give(exchange, shared)
        else:
            self._take_first(exchange, search(question))
        return self._outgoing(exchange)

    def compare(self, comparison: Comparison, *, search: Search, contents: Contents) -> Events:
        """Have the model write up a comparison made without it; ends with the `Comparison`.

        It gets the paired passages and those without a partner, and may search further. Its
        citations are checked. Errors are as in `answer`.
        """
        started = time.perf_counter()
        exchange = self._comparing(comparison, search, contents)
        yield from self._turns_kept(exchange)
        answer = _complete(self._finished(exchange), exchange, started)
        yield comparison_request.as_comparison(comparison, verify_answer(answer))

    def preview_comparison(
        self, comparison: Comparison, *, search: Search, contents: Contents
    ) -> Outgoing:
        """The first request `compare` would send, word for word; sends nothing."""
        return self._outgoing(self._comparing(comparison, search, contents))

    def _outgoing(self, exchange: Exchange) -> Outgoing:
        shown = outgoing(self._request(exchange), url=self.server.url, spending=self._spending)
        return replace(shown, evidence=tuple(exchange.evidence), stays=self.fit.local)

    def _comparing(self, comparison: Comparison, search: Search, contents: Contents) -> Exchange:
        asked = comparison_request.task(comparison)
        exchange = self._exchange(asked, search, contents, comparison.documents, ())
        exchange.given = exchange.evidence = comparison_request.passages_of(
            comparison, max_chars=self.settings.answering.synthesis_evidence_chars
        )
        return exchange

    def _exchange(
        self,
        question: str,
        search: Search,
        contents: Contents,
        documents: Sequence[Document],
        history: Sequence[Message],
    ) -> Exchange:
        earlier = prompts.history_messages(history, limit=self.settings.answering.history_messages)
        return Exchange(question, documents, search, contents, self.settings, earlier, self._native)

    def _take_first(self, exchange: Exchange, result: SearchResult) -> None:
        room = room_for(result.plan.question, self.settings)
        exchange.remember(result)
        exchange.evidence = add_evidence((), choose_hits(result.hits, max_chars=room))
        exchange.given = exchange.evidence
        exchange.notice = left_out(result.plan.question.not_asked)
        exchange.usage = Usage(searches=1)

    def _turns_kept(self, exchange: Exchange) -> Events:
        """Every turn; what had arrived when one failed or was stopped is kept, marked as a part."""
        try:
            yield from self._turns(exchange)
        except (AnswerError, KeyboardInterrupt) as error:
            exchange.text += exchange.redaction.rest()
            if not exchange.text.strip():
                raise
            exchange.partial = True
            reason = error if isinstance(error, AnswerError) else AnswerStopped()
            exchange.warnings.append(str(reason))

    def _looked_at_again(
        self, exchange: Exchange, first: Answer
    ) -> Generator[AnswerEvent, None, Answer]:
        """The answer, or the better one that the model writes once it sees what does not hold.

        Whatever goes wrong with the second, the budget's end or a stop, the first stands.
        """
        checked = verify_answer(first, question=exchange.question)
        if not self._may_look_again(exchange, checked):
            return first
        earlier, exchange.warnings = exchange.warnings, []
        exchange.turns.append(second_look.request_for(checked))
        yield Retrying(0.0, second_look.notice_for(checked))
        try:
            yield from self._turns(exchange)
        except (AnswerError, KeyboardInterrupt) as error:
            log.info("The first answer stands: %s", type(error).__name__)
        else:
            second = self._finished(exchange)
            if second_look.is_better(verify_answer(second, question=exchange.question), checked):
                return second
        exchange.warnings = earlier
        return first

    def _may_look_again(self, exchange: Exchange, checked: Answer) -> bool:
        """A model on this machine is not asked twice: that takes minutes there."""
        wanted = self.settings.answering.second_look and not self.fit.local
        room = exchange.usage.tokens < self.settings.answering.answer_tokens
        whole = checked.found and not checked.partial
        return wanted and room and whole and bool(checked.problems)

    def _turns(self, exchange: Exchange) -> Events:
        for _ in range(self.settings.answering.max_searches + _SPARE_TURNS):
            reply = yield from self._reply(exchange)
            exchange.turns.append(as_turn(reply))
            if reply.stop_reason == "tool_use":
                calls = tool_calls(exchange.redaction.restore, reply)
                exchange.turns.append((yield from use_tools(exchange, calls)))
            elif reply.stop_reason != "pause_turn":
                return
        raise NeverAnswered  # not every server heeds that no tool may be used any more

    def _reply(self, exchange: Exchange) -> Generator[AnswerEvent, None, "Reply"]:
        """One turn, sent again where the server was busy and nothing had arrived."""
        attempt = 0
        while True:
            try:
                reply = yield from self._received(exchange)
            except AnswerError as error:
                if exchange.text:
                    raise
                if isinstance(error, ThoughtTooLong) and exchange.hurry():
                    yield Retrying(0.0, "It thinks for too long; it is asked to answer at once")
                elif isinstance(error, ContextTooLong) and exchange.cut():
                    yield Retrying(0.0, "That is too long for this model; fewer passages are sent")
                elif self._may_change_form and refuses_the_form(error):
                    yield self._in_writing(exchange, "The server refused the passages")
                else:
                    yield from self.server.waiting(error, attempt)
                    attempt += 1
            else:
                if not self._unread(exchange, reply):
                    return reply
                yield self._in_writing(exchange, "The server did not read the passages")

    def _in_writing(self, exchange: Exchange, reason: str) -> Retrying:
        """From now on passages are sent as text with written labels."""
        self._native = exchange.native = False
        return Retrying(0.0, f"{reason}; they are sent as text")

    def _received(self, exchange: Exchange) -> Generator[AnswerEvent, None, "Reply"]:
        """One turn, received once. Raises `AnswerError`; ``exchange.text`` keeps what came."""
        exchange.text = ""
        request = self._request(exchange)
        while self._overflows(request) and exchange.cut():
            request = self._request(exchange)
        so_far = exchange.usage.cost_usd or Decimal(0)
        self._spending.check(tokens_of(request), model=self.model, so_far=so_far)
        reads = _READS.get((self.server.url, self.model), 0.0)
        pacing = Pacing(tokens_of(request), int(request["max_tokens"]), reads=reads)

        def as_events(event: Any) -> Iterator[AnswerEvent]:
            yield from self._paced(pacing, event)
            yield from deltas(event, exchange) if event is not None else ()
            if self.fit.local:
                _check_loop(exchange)

        count = partial(self._count, exchange)
        reply = yield from self.server.streamed(request, as_events, count)
        check_end(reply, exchange)
        return reply

    def _overflows(self, request: Json) -> bool:
        """Whether the model holds less than this and an answer: some cut it without a word."""
        taken = tokens_of(request) + int(request["max_tokens"])
        return 0 < self.fit.context < taken

    def _paced(self, pacing: Pacing, event: Any) -> Iterator[AnswerEvent]:
        """How fast it goes, for a model on this machine; else that time passes.

        Raises `ThoughtTooLong`.
        """
        if event is not None:
            pacing.seen(event.type)
        most = self.settings.answering.thinking_seconds
        if self.fit.local and pacing.due():
            yield pacing.status()
            _READS[self.server.url, self.model] = pacing.reads
            if most and pacing.thought > most:
                raise ThoughtTooLong
        elif event is None:
            yield TextDelta("")

    def _count(self, exchange: Exchange, usage: Usage) -> None:
        price = self._spending.prices.get(self.model)
        exchange.usage = with_request(exchange.usage, usage, price)
        self._spend(usage)

    def _spend(self, usage: Usage) -> Decimal:
        cost = price_of(usage, self._spending.prices.get(self.model))
        self._spending.spend(replace(usage, cost_usd=cost))
        return cost or Decimal(0)

    def notes(self, parts: Iterable[Part]) -> Iterator[Retrying | tuple[Chunk, str]]:
        """Have a note written for each passage, in order; waiting is told as for an answer.

        Raises an `AnswerError` at the first that cannot be had. Closing the iterator stops it.
        """
        redaction = Redaction(self.settings.server.redact)
        spent: list[Decimal] = []
        for part, chunk in ((each, chunk) for each in parts for chunk in each.chunks):
            request = redaction.hide(notes.request_for(part, chunk, model=self.model))
            reply = yield from self._note(request, spent)
            text = "".join(block.text for block in reply.content if block.type == "text")
            yield chunk, notes.kept(redaction.restore(without_keys(text)))

    def _note(self, request: Json, spent: list[Decimal]) -> Generator[Retrying, None, "Reply"]:
        """One reply, asked for again where the server was busy; ``spent`` gains its cost."""
        attempt = 0
        while True:
            so_far = sum(spent, Decimal(0))
            self._spending.check(tokens_of(request), model=self.model, so_far=so_far)
            try:
                arriving = self.server.streamed(
                    request, lambda _: (), lambda usage: spent.append(self._spend(usage))
                )
                reply = final_reply(arriving)
                check_whole(reply)
                return reply
            except AnswerError as error:
                yield from self.server.waiting(error, attempt, unattended=True)
                attempt += 1

    def _request(self, exchange: Exchange) -> Json:
        hide, brief = exchange.redaction.hide, self.fit.brief
        system = prompts.system_blocks(exchange.documents, native=exchange.native, brief=brief)
        return {
            "model": self.model,
            "max_tokens": self.settings.answering.max_answer_tokens,
            "system": hide(system),
            **self._tools(exchange),
            **({} if self.fit.may_think else {"thinking": {"type": "disabled"}}),
            "messages": hide(exchange.messages()),
        }

    def _tools(self, exchange: Exchange) -> Json:
        """The tools it may use. Not every server on a person's own machine heeds a choice of none,
        so where nothing more may be searched a model there is given no tools."""
        tools = list(prompts.BRIEF_TOOLS if self.fit.brief else prompts.TOOLS)
        if not self.fit.local:
            choice = "auto" if exchange.may_search else "none"
            return {"tools": tools, "tool_choice": {"type": choice}}
        usable = self.fit.searches and exchange.may_search
        return {"tools": tools, "tool_choice": {"type": "auto"}} if usable else {}

    def _unread(self, exchange: Exchange, reply: "Reply") -> bool:
        """Whether the server left the passages out: uncited text, for far too few tokens."""
        if not self._may_change_form or not exchange.text or labels_in(exchange.text):
            return False
        usage = reply.usage
        read = usage.input_tokens + (usage.cache_read_input_tokens or 0)
        read += usage.cache_creation_input_tokens or 0
        sent = sum(len(piece.hit.chunk.text) for piece in exchange.evidence)
        return 0 < read < sent / _TOKEN_CHARS

    def _finished(self, exchange: Exchange) -> Answer:
        said = without_keys(exchange.text.strip())
        text, unknown = tidy_markers(said, exchange.evidence)
        if unknown:
            exchange.warnings.append(
                f"The answer cited passages that were not given ({', '.join(unknown)}); those "
                "citations were removed."
            )
        if exchange.notice:
            exchange.warnings.append(exchange.notice)
        if exchange.left_out:
            exchange.warnings.append(
                "The passages found were too long for this model: "
                f"{count(exchange.left_out, 'of them was', 'of them were')} left out. "
                "Choose fewer documents for a fuller answer."
            )
        citations = citations_in(text, exchange.evidence)
        found = not text.startswith(prompts.NOT_FOUND)
        return Answer(
            text, self.model, citations, exchange.evidence, found=found, partial=exchange.partial
        )


def _give(exchange: Exchange, shared: Sequence[Hit]) -> None:
    """These passages with the question, in place of those found."""
    exchange.shared = True
    exchange.given = exchange.evidence = add_evidence((), shared)


def _check_loop(exchange: Exchange) -> None:
    """Raises `ModelLooped` where the text only repeats itself, without the repetitions."""
    if more := looped(exchange.text):
        once, again = exchange.text[:-more], exchange.text[-more:]
        exchange.text = once + again[: again[0] in ".!?"]
        raise ModelLooped


def _complete(answer: Answer, exchange: Exchange, started: float) -> Answer:
    return replace(
        with_receipt(answer, exchange.receipt),
        warnings=(*answer.warnings, *dict.fromkeys(exchange.warnings)),
        usage=exchange.usage,
        seconds=time.perf_counter() - started,
    )


def outgoing(request: Json, *, url: str, spending: SpendingLimit) -> Outgoing:
    """A request as it can be looked at before it is sent, with its tokens and price about right."""
    tokens, model, longest = tokens_of(request), str(request["model"]), int(request["max_tokens"])
    return Outgoing(
        url=f"{url}/v1/messages",
        model=model,
        payload=request,
        tokens=tokens,
        answer_tokens=longest,
        cost_usd=spending.estimate(tokens, model=model),
        most_usd=spending.estimate(tokens, model=model, answer=longest),
    )
