"""GGUF files, in which llama.cpp keeps models: what one is, whether it is whole, what it takes.

Only the head is read, with the layout of ggml's docs/gguf.md, version 2 and 3. A file comes from
anywhere, so every length is held against the file before anything is read by it.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from docqa.errors import ModelTooLarge, NotAModelFile

CONTEXTS = (16_384, 8_192, 4_096)  # tokens, the first choice first
_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST = 1_000_000  # entries, tensors or elements of a list of which none has as many
_LONGEST = 1 << 24  # bytes of a text; the longest are chat templates
_SPARE = 600 * 1024**2  # bytes for the buffers of a computation, and the program itself
_HALF = 2  # bytes of a number in the cache of keys and values
_NUMBERS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
_TEXT, _LIST = 8, 9
# Weights to a block and bytes of a block, by ggml's number of the type.
_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110),
    22: (256, 82), 23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8),
    29: (256, 56), 30: (1, 2), 34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gguf:
    """What a model's file says of it. ``size`` in bytes, ``context`` in tokens as trained.

    ``cache`` is the memory that one token of context takes, in bytes; ``tools`` whether the file's
    template for conversations knows tools.
    """

    path: Path
    name: str
    size: int
    context: int
    cache: int
    tools: bool


def read(path: Path) -> Gguf:
    """What the file is. Raises `NotAModelFile` if it is not GGUF or is damaged."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return _Head(path, file, size).read()
    except OSError as error:
        raise NotAModelFile(path.name, reason="it cannot be read") from error
    except (struct.error, UnicodeDecodeError, RecursionError) as error:
        raise NotAModelFile(path.name, reason="it is damaged or cut off") from error


def context_that_fits(model: Gguf, *, memory: int) -> int:
    """The most context, in tokens, with which the model fits into so many bytes (0: unknown).

    Raises `ModelTooLarge` where not even the smallest does.
    """
    wanted = [min(each, model.context or each) for each in CONTEXTS]
    for context in wanted:
        if not memory or needed(model, context) <= memory:
            return context
    raise ModelTooLarge(model.name, needs=needed(model, wanted[-1]), free=memory)


def needed(model: Gguf, context: int) -> int:
    """The bytes of memory that a model takes with so many tokens of context."""
    return model.size + context * model.cache + _SPARE


class _Head:
    """The head of one file, read from front to back."""

    def __init__(self, path: Path, file: BinaryIO, size: int) -> None:
        self._path, self._file, self._size = path, file, size

    def read(self) -> Gguf:
        if self._file.read(4) != _MAGIC:
            raise NotAModelFile(self._path.name, reason="it is no GGUF file")
        (version,) = self._numbers("I")
        if version not in _VERSIONS:
            raise NotAModelFile(self._path.name, reason=f"its version {version} is not known")
        tensors, entries = self._numbers("QQ")
        self._check_count(tensors, entries)
        told = dict(self._entry() for _ in range(entries))
        self._check_end(tensors, told)
        if not told.get("general.architecture") or not tensors:
            raise NotAModelFile(self._path.name, reason="it holds no language model")
        return self._described(told)

    def _described(self, told: Mapping[str, Any]) -> Gguf:
        kind = str(told["general.architecture"])

        def number(name: str) -> int:
            found = told.get(f"{kind}.{name}")
            return max(found) if isinstance(found, list) and found else _whole(found)

        heads = number("attention.head_count") or 1
        width = number("embedding_length") // heads
        keys = number("attention.key_length") or width
        values = number("attention.value_length") or width
        cache = number("block_count") * (number("attention.head_count_kv") or heads)
        template = str(told.get("tokenizer.chat_template") or "")
        return Gguf(
            self._path,
            str(told.get("general.name") or self._path.stem),
            self._size,
            number("context_length"),
            cache * (keys + values) * _HALF,
            tools="tools" in template or "tool_call" in template,
        )

    def _check_end(self, tensors: int, told: Mapping[str, Any]) -> None:
        """Raises where the file ends before its last weight."""
        ends = max((self._tensor() for _ in range(tensors)), default=0)
        step = _whole(told.get("general.alignment")) or 32
        start = -(-self._file.tell() // step) * step
        if start + ends > self._size:
            missing = start + ends - self._size
            reason = f"it is cut off; {missing:,} bytes are missing. Fetch it again"
            raise NotAModelFile(self._path.name, reason=reason)

    def _tensor(self) -> int:
        """Where the next tensor ends, in bytes from the first."""
        self._text()
        (dimensions,) = self._numbers("I")
        self._check_count(dimensions)
        weights = prod(self._numbers(f"{dimensions}Q"))
        kind, offset = self._numbers("IQ")
        to_a_block, bytes_of_one = _BLOCKS.get(kind, (1, 0))
        return int(offset + weights // to_a_block * bytes_of_one)

    def _entry(self) -> tuple[str, Any]:
        name = self._text()
        (kind,) = self._numbers("I")
        return name, self._value(kind)

    def _value(self, kind: int) -> Any:
        if kind == _TEXT:
            return self._text()
        if kind == _LIST:
            of, length = self._numbers("IQ")
            self._check_count(length)
            if of in _NUMBERS:
                return list(self._numbers(f"{length}{_NUMBERS[of]}"))
            return [self._value(of) for _ in range(length)]
        if kind not in _NUMBERS:
            raise struct.error(f"type {kind}")
        return self._numbers(_NUMBERS[kind])[0]

    def _text(self) -> str:
        (length,) = self._numbers("Q")
        if length > min(_LONGEST, self._size):
            raise struct.error(f"a text of {length} bytes")
        return self._exactly(length).decode("utf-8", errors="replace")

    def _numbers(self, form: str) -> tuple[Any, ...]:
        packed = f"<{form}"
        return struct.unpack(packed, self._exactly(struct.calcsize(packed)))

    def _exactly(self, count: int) -> bytes:
        read = self._file.read(count)
        if len(read) < count:
            raise struct.error("the file ends")
        return read

    def _check_count(self, *counts: int) -> None:
        if any(count > min(_MOST, self._size) for count in counts):
            raise struct.error(f"counts {counts}")


def _whole(told: Any) -> int:
    return told if isinstance(told, int) and told > 0 else 0
