"""A server on loopback that speaks the Messages API as far as docqa uses it.

It answers each request with the next `Turn` it was given, streamed as server-sent events, and
keeps what it was asked. Only the standard library: the client under test is the real SDK.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

Json = dict[str, Any]
USAGE = {
    "input_tokens": 900,
    "output_tokens": 1,
    "cache_creation_input_tokens": 1200,
    "cache_read_input_tokens": 4000,
}


@dataclass(frozen=True)
class Turn:
    """One reply. ``end`` is how the stream ends: whole, with an error event, without an end,
    or with the connection reset; ``delay`` is waited before each text delta."""

    content: Sequence[Json] = ()
    stop_reason: str = "end_turn"
    end: Literal["whole", "error", "truncated", "dropped"] = "whole"
    error: str = "overloaded_error"
    message: str = "simulated"
    delay: float = 0.0
    usage: Mapping[str, int] = field(default_factory=lambda: USAGE)


@dataclass(frozen=True)
class Refusal:
    """A reply with an error status. ``kind`` "" sends a body that is no Messages-API error."""

    status: int
    kind: str = "invalid_request_error"
    message: str = "simulated"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """A reply with status 200 that is not a stream at all."""

    body: str = "<html>Welcome to the router.</html>"
    content_type: str = "text/html"


Answering = Turn | Refusal | Page
Script = Answering | Callable[[Json], Answering]


def text(words: str, *citations: Json) -> Json:
    return {"type": "text", "text": words, "citations": list(citations)}


def cited(source: str, first: int, end: int) -> Json:
    """A citation of the blocks from ``first`` up to, and not with, ``end`` (from 0)."""
    return {
        "type": "search_result_location",
        "source": source,
        "title": "",
        "search_result_index": 0,
        "start_block_index": first,
        "end_block_index": end,
        "cited_text": "",
    }


def thinking(words: str) -> Json:
    return {"type": "thinking", "thinking": words, "signature": "c2lnbmVk"}


def tool_use(name: str, /, *, id: str = "toolu_1", **given: Any) -> Json:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


class MessagesServer:
    """Answers with ``scripts`` in turn, the last of them for good. ``requests`` are the bodies.

    ``replies`` are what it answers elsewhere, by path, in place of its list of ``models``.
    """

    def __init__(
        self,
        *scripts: Script,
        models: Sequence[str] = ("model-one", "model-two"),
        replies: Mapping[str, Json] | None = None,
    ):
        self.scripts = list(scripts)
        self.models = models
        self.replies = replies
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.hung_up = threading.Event()  # the client closed while a stream was on
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def next_answer(self, body: Json) -> Answering:
        self.requests.append(body)
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        return script(body) if callable(script) else script

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(server: MessagesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: a test's output is its own."""

        def do_GET(self) -> None:
            if server.replies is not None:
                self._send_reply(server.replies.get(self.path))
                return
            listed = [
                {
                    "type": "model",
                    "id": name,
                    "display_name": name,
                    "created_at": "2026-01-01T00:00:00Z",
                    "lifecycle": "retired" if name.startswith("old") else "active",
                }
                for name in server.models
            ]
            self._send(200, json.dumps({"data": listed, "has_more": False}))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.headers.append({k.lower(): v for k, v in self.headers.items()})
            if self.path.partition("?")[0] != "/v1/messages":
                self._send_reply((server.replies or {}).get(self.path))
                return
            match server.next_answer(body):
                case Turn() as turn:
                    self._stream(turn, body)
                case Refusal() as refusal:
                    self._send(refusal.status, _error_body(refusal), **refusal.headers)
                case Page() as page:
                    self._send(200, page.body, **{"Content-Type": page.content_type})

        def _send_reply(self, reply: Json | None) -> None:
            found = reply is not None
            self._send(200 if found else 404, json.dumps(reply or {"detail": "Not Found"}))

        def _send(self, status: int, body: str, **headers: str) -> None:
            payload = body.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def _stream(self, turn: Turn, body: Json) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            try:
                for event in events(turn, body["model"]):
                    if event["type"] == "content_block_delta":
                        time.sleep(turn.delay)
                    line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                    self.wfile.write(line.encode())
                    self.wfile.flush()
            except OSError:
                server.hung_up.set()
            if turn.end == "dropped":
                time.sleep(0.05)  # let what was written arrive before the reset
                reset = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                self.connection.close()

    return Handler


def _error_body(refusal: Refusal) -> str:
    if not refusal.kind:
        return json.dumps({"detail": refusal.message})
    error = {"type": refusal.kind, "message": refusal.message}
    return json.dumps({"type": "error", "error": error, "request_id": "req_1"})


def events(turn: Turn, model: str) -> Iterator[Json]:
    """The stream's events for a turn, up to where it ends."""
    message: Json = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": dict(turn.usage),
    }
    yield {"type": "message_start", "message": message}
    yield {"type": "ping"}
    for index, block in enumerate(turn.content):
        last = index == len(turn.content) - 1
        yield from _block_events(index, block, ends=not last or turn.end in ("whole", "error"))
    if turn.end == "error":
        yield {"type": "error", "error": {"type": turn.error, "message": turn.message}}
    if turn.end == "whole":
        delta = {"stop_reason": turn.stop_reason, "stop_sequence": None}
        counted = {"output_tokens": max(15, turn.usage.get("output_tokens", 0))}
        yield {"type": "message_delta", "delta": delta, "usage": counted}
        yield {"type": "message_stop"}


def _block_events(index: int, block: Json, *, ends: bool) -> Iterator[Json]:
    empty, deltas = _parts(block)
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    if ends:
        yield {"type": "content_block_stop", "index": index}


def _parts(block: Json) -> tuple[Json, list[Json]]:
    """A block as it starts, and the deltas that fill it."""
    if block["type"] == "text":
        citations = [{"type": "citations_delta", "citation": c} for c in block["citations"]]
        pieces = [{"type": "text_delta", "text": part} for part in _cut(block["text"], 6)]
        start: Json = {"type": "text", "text": ""}
        return ({**start, "citations": []} if citations else start), [*pieces, *citations]
    if block["type"] == "thinking":
        pieces = [{"type": "thinking_delta", "thinking": p} for p in _cut(block["thinking"], 6)]
        signature = {"type": "signature_delta", "signature": block["signature"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [*pieces, signature]
    pieces = [
        {"type": "input_json_delta", "partial_json": part}
        for part in _cut(json.dumps(block["input"]), 7)
    ]
    return {**block, "input": {}}, pieces


def _cut(words: str, size: int) -> list[str]:
    return [words[at : at + size] for at in range(0, len(words), size)]
