"""The frozen nouns of types.py as JSON text and back, whole.

Fields that hold their default are left out, so the text is short and a noun may gain a field
with a default without the old text becoming unreadable. A Decimal is a string, so that it keeps
every digit.
"""

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar

import numpy as np

Noun = TypeVar("Noun")


def to_json(value: object) -> str:
    """A noun, or a tuple of nouns, as JSON text."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def from_json(kind: type[Noun], text: str) -> Noun:
    """The noun that `to_json` wrote. Keys the noun does not have are ignored."""
    return typing.cast(Noun, _decoder(kind)(json.loads(text)))  # type: ignore[arg-type]  # a class is hashable


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        every = ((name, default, getattr(value, name)) for name, default in _defaults(kind))
        return {name: _plain(held) for name, default, held in every if held != default}
    if isinstance(value, Mapping):
        return {key: _plain(held) for key, held in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(held) for held in value]
    if isinstance(value, Decimal):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value


@cache
def _defaults(kind: Any) -> tuple[tuple[str, object], ...]:
    """Each field's name and its default, or MISSING, which no value equals."""
    missing = dataclasses.MISSING
    return tuple(
        (each.name, each.default if each.default_factory is missing else each.default_factory())
        for each in dataclasses.fields(kind)
    )


Decode = Callable[[Any], Any]


@cache
def _decoder(kind: Any) -> Decode:
    """What turns the JSON value of a field of this type into the field's value."""
    if dataclasses.is_dataclass(kind):
        return _noun_decoder(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _tuple_decoder(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return _optional_decoder(arguments)
    return Decimal if kind is Decimal else _same


def _noun_decoder(kind: Any) -> Decode:
    hints = typing.get_type_hints(kind)
    names = {field.name for field in dataclasses.fields(kind)}
    decoders = {name: _decoder(hints[name]) for name in names}
    # Most fields are the same in JSON: leaving them alone halves the time to load a chunk.
    changed = [(name, decode) for name, decode in decoders.items() if decode is not _same]

    def decode(plain: dict[str, Any]) -> Any:
        for name, decode_field in changed:
            if name in plain:
                plain[name] = decode_field(plain[name])
        if not names.issuperset(plain):
            plain = {name: value for name, value in plain.items() if name in names}
        return kind(**plain)

    return decode


def _tuple_decoder(kind: Any) -> Decode:
    # Looked up at its use, as a noun may hold nouns of its own kind.
    return lambda plain: tuple(map(_decoder(kind), plain))


def _optional_decoder(arguments: tuple[Any, ...]) -> Decode:
    (kind,) = (argument for argument in arguments if argument is not type(None))
    decode = _decoder(kind)
    return lambda plain: None if plain is None else decode(plain)


def _same(plain: Any) -> Any:
    return plain
