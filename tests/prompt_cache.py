"""A prompt cache as Anthropic documents it, with a measure of its own: 3.5 characters are a token.

What ends with a mark is kept; a request reads the longest of its beginnings that was kept, and
writes what comes after, up to its last mark. Nothing shorter than ``least`` tokens is kept.
"""

import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
COUNTED = 3.5  # characters of a token
MARKS = 4  # that a request may carry


class PromptCache:
    """What a server has kept of the prompts it was sent."""

    def __init__(self, least: int = 1024) -> None:
        self.least = least
        self._kept: set[str] = set()

    def usage(self, body: Json, *, answer: int) -> dict[str, int]:
        """What the server counts of a request whose answer has so many characters."""
        ends = [each for each in _ends(body) if len(each) / COUNTED >= self.least]
        assert len(list(_ends(body))) <= MARKS
        read = max((len(each) for each in ends if each in self._kept), default=0)
        written = max((len(each) for each in ends), default=0) - read
        self._kept.update(ends)
        left = len("".join(_blocks(body, marks=[]))) - read - written
        return {
            "input_tokens": int(left / COUNTED),
            "output_tokens": int(answer / COUNTED),
            "cache_creation_input_tokens": int(written / COUNTED),
            "cache_read_input_tokens": int(read / COUNTED),
        }


def _ends(body: Json) -> Iterator[str]:
    marks: list[int] = []
    blocks = _blocks(body, marks=marks)
    for mark in marks:
        yield "".join(blocks[: mark + 1])


def _blocks(body: Json, *, marks: list[int]) -> list[str]:
    """Every block in the order of the cache: tools, system, messages; the places of ``marks``."""
    messages = [message["content"] for message in body["messages"]]
    parts = [*body.get("tools", []), *body["system"], *(b for content in messages for b in content)]
    marks += [n for n, part in enumerate(parts) if "cache_control" in part]
    plain = [{name: part[name] for name in part if name != "cache_control"} for part in parts]
    return [json.dumps(each, ensure_ascii=False) for each in plain]
