"""A presentation as Markdown, in which the documents' own signs are escaped."""

import re
from collections.abc import Sequence

from docqa.present.document import (
    Cell,
    Heading,
    Inline,
    Listing,
    Mark,
    Note,
    Paragraph,
    Part,
    Picture,
    Table,
    Text,
    cell_text,
    runs,
)

_SIGNS = re.compile(r"([\\`*_{}\[\]<>()#+!|$~])")
_ITEM = re.compile(r"^(\s*(?:\d{1,9}(?=[.)]\s))?)([-.)])(?=\s)", re.MULTILINE)


def as_markdown(parts: Sequence[Part]) -> str:
    """The parts with a blank line between them, and a line's end after the last."""
    return "\n\n".join(map(_part, parts)) + "\n"


def to_markdown(parts: Sequence[Part]) -> bytes:
    """In UTF-8; half a character of a document is replaced."""
    return as_markdown(parts).encode(errors="replace")


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return f"{'#' * level} {_line(text)}"
        case Paragraph(text):
            return _text(text)
        case Note(text) | Picture(_, text):
            return f"> {_line(text)}"
        case Listing(items, first):
            signs = [f"{first + n}." if first else "-" for n in range(len(items))]
            return "\n".join(f"{s} {_line(each)}" for s, each in zip(signs, items, strict=True))
        case Table(header, rows):
            rule = " | ".join(["---"] * len(header))
            return "\n".join([_row(header), f"| {rule} |", *map(_row, rows)])


def _row(cells: Sequence[Cell]) -> str:
    return f"| {' | '.join(_line(cell_text(cell)) for cell in cells)} |"


def _line(text: Text) -> str:
    return " ".join(_text(text).split())


def _text(text: Text) -> str:
    return _ITEM.sub(r"\1\\\2", "".join(map(_run, runs(text))))


def _run(run: Inline) -> str:
    if isinstance(run, Mark):
        return f"[{run.label}]"
    if run.link:
        return f"[{escaped(run.text)}](<{run.link}>)"
    sign = "~~" if run.struck else "**" if run.strong else ""
    bare = run.text.strip()
    if not sign or not bare:
        return escaped(run.text)
    before, after = run.text.split(bare, 1)
    return f"{before}{sign}{escaped(bare)}{sign}{after}"


def escaped(text: str) -> str:
    """The text with the signs escaped that Markdown reads.

    >>> escaped("$5 * 2")
    '\\\\$5 \\\\* 2'
    """
    return _SIGNS.sub(r"\\\1", text)
