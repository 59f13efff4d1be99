"""A model's reply as it arrives: its text, citations and tool calls, and whether it is whole."""

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from docqa.answer.evidence import block_label, resolve
from docqa.answer.model.exchange import Exchange, ToolCall
from docqa.answer.model.prompts import Json
from docqa.errors import AnswerCutOff, ContextTooLong, Declined
from docqa.types.answer import Usage
from docqa.types.events import AnswerEvent, TextDelta

if TYPE_CHECKING:
    from anthropic.types import Message as Reply


def deltas(event: Any, exchange: Exchange) -> Iterator[TextDelta]:
    """An event of the stream as text; a text block's citations follow it as markers."""
    if event.type == "thinking":
        yield TextDelta("")
    elif event.type == "text":
        yield _said(exchange.redaction.restore_next(event.text), exchange)
    elif event.type == "content_block_stop" and event.content_block.type == "text":
        if rest := exchange.redaction.rest():
            yield _said(rest, exchange)
        yield _said(_markers(event.content_block, exchange), exchange)


def _said(piece: str, exchange: Exchange) -> TextDelta:
    exchange.text += piece
    return TextDelta(piece)


def _markers(block: Any, exchange: Exchange) -> str:
    labels = [_native_label(each, exchange) for each in block.citations or ()]
    known = [label for label in dict.fromkeys(labels) if label]
    if not known:
        return ""
    space = "" if exchange.text[-1:].isspace() or not exchange.text else " "
    return space + "".join(f"[{label}]" for label in known)


def _native_label(citation: Any, exchange: Exchange) -> str:
    """The label of a native citation, or "" where it names what was not given.

    The server counts blocks from 0 and leaves the last one out; labels count from 1.
    """
    source = getattr(citation, "source", "")
    piece = next((e for e in exchange.evidence if e.label == source), None)
    if piece is None or citation.type != "search_result_location":
        exchange.warnings.append("A citation named a passage that was not given; it was removed.")
        return ""
    count = len(piece.hit.chunk.blocks)
    first, last = citation.start_block_index + 1, citation.end_block_index
    try:
        return resolve(block_label(source, first, last, of=count), exchange.evidence).label
    except KeyError:
        return piece.label


def check_end(reply: "Reply", exchange: Exchange) -> None:
    """Raises for an end that is none; warns of one that leaves the answer short."""
    check_whole(reply)
    if reply.stop_reason == "max_tokens":
        if not exchange.text.strip():
            raise AnswerCutOff
        exchange.partial = True
        exchange.warnings.append("The answer reached its length limit and is not complete.")


def check_whole(reply: "Reply") -> None:
    match reply.stop_reason:
        case None:
            raise AnswerCutOff
        case "model_context_window_exceeded":
            raise ContextTooLong
        case "refusal":
            raise Declined
        case _:
            return


def final_reply(arriving: Generator[AnswerEvent, None, "Reply"]) -> "Reply":
    """The reply, where nobody follows how it arrives."""
    while True:
        try:
            next(arriving)
        except StopIteration as ended:
            reply: Reply = ended.value
            return reply


def tool_calls(restore: Callable[[Any], Any], reply: "Reply") -> list[ToolCall]:
    return [
        ToolCall(
            block.id, block.name, restore(block.input) if isinstance(block.input, Mapping) else {}
        )
        for block in reply.content
        if block.type == "tool_use"
    ]


def as_turn(reply: "Reply") -> Json:
    content = [block.model_dump(exclude_none=True) for block in reply.content]
    return {"role": "assistant", "content": [_sendable(block) for block in content]}


def _sendable(block: Json) -> Json:
    """A received block as it may be sent back: without what the SDK adds for its own use."""
    return {key: value for key, value in block.items() if not key.startswith("parsed")}


def usage_of(reply: "Reply") -> Usage:
    """The tokens of one turn."""
    spent = reply.usage
    return Usage(
        spent.input_tokens or 0,
        spent.output_tokens or 0,
        spent.cache_read_input_tokens or 0,
        spent.cache_creation_input_tokens or 0,
    )
