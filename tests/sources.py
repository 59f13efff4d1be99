"""The product's source, read once, and how a rule about it is held."""

import ast
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Source(NamedTuple):
    """One file of Python: where it is from the root, its dotted name, what it says."""

    path: Path
    name: str
    text: str
    tree: ast.Module


Offence = tuple[int, str]  # the line, and what is wrong there


def source(path: Path) -> Source:
    place = path.relative_to(ROOT)
    parts = place.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text("utf-8")
    return Source(place, name, text, ast.parse(text, filename=str(path)))


@cache
def sources() -> list[Source]:
    """Every file of the product, ``app.py`` first."""
    return [source(path) for path in [ROOT / "app.py", *sorted((ROOT / "docqa").rglob("*.py"))]]


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a tree, which many rules look at."""
    return tuple(ast.walk(tree))


def offenders(rule: Callable[[Source], Iterable[Offence]]) -> list[str]:
    """Every place that breaks a rule, as ``path:line what``."""
    return [
        f"{each.path.as_posix()}:{line} {what}" for each in sources() for line, what in rule(each)
    ]


def none(found: Iterable[str]) -> None:
    """Fails and lists what was found, one to a line, unless that is nothing."""
    listed = list(found)
    assert not listed, "\n".join(["", *listed])


def hold(rule: Callable[[Source], Iterable[Offence]]) -> None:
    """Fails with every place that breaks a rule."""
    none(offenders(rule))
