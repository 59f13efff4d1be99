"""What the reading processes send each other, packed and unpacked."""

import base64
import io
import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from docqa.ingest.reading.children import Message
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.text_layer import Skimmed
from docqa.types.document import Block, Box, Cell, PageHealth

if TYPE_CHECKING:
    from docqa.ingest.reading.arrange import Laid

LIGHT = "--light"  # a child that never loads Docling: it answers within a second of its start
LAYOUT = "--layout"  # a child that loads what lays a page out, which takes it a second
PAUSE_SECONDS = 1.0  # between portions of one file there is none as long


def skimmed_from(reply: Mapping[str, Any]) -> Skimmed:
    return Skimmed(tuple(PageFacts(**fact) for fact in reply["facts"]), parsed_from(reply))


def parsed_from(reply: Mapping[str, Any]) -> Parsed:
    parsed = reply["parsed"]
    blocks = tuple(map(_block_from, parsed["blocks"]))
    health = tuple(PageHealth(**_with_tuple(page)) for page in parsed["health"])
    return Parsed(**{**_with_tuple(parsed), "blocks": blocks, "health": health})


def _with_tuple(told: Mapping[str, Any]) -> dict[str, Any]:
    return {**told, "warnings": tuple(told["warnings"])}


def _block_from(block: Mapping[str, Any]) -> Block:
    cells = tuple(Cell(**cell) for cell in block["cells"])
    return Block(**{**block, "box": Box(**block["box"]), "cells": cells})


def as_message(value: Any) -> Message:
    """What a dataclass holds; `asdict`, which copies all of it, took longer than writing it."""
    kind: Any = type(value)
    return {name: getattr(value, name) for name in _names(kind)}


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


class _Pickler(pickle.Pickler):
    """Takes dataclasses apart in one go; their own way of it took three times as long."""

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        return (kind, _contents(kind)(value)) if is_dataclass(kind) else NotImplemented


@cache
def _contents(kind: type) -> "attrgetter[tuple[Any, ...]]":
    return attrgetter(*_names(kind))


def packed(laid: "list[Laid]") -> str:
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(laid)
    return base64.b64encode(packed.getvalue()).decode()


def unpacked(portions: Iterable[str]) -> "Iterator[Laid]":
    """What `packed` made, in a child like this one: no file's bytes are opened so."""
    for packed in portions:
        yield from pickle.loads(base64.b64decode(packed))
