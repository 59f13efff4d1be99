"""A presentation as plain values for the screen's scripts, which draw them as text, never HTML."""

import re
from collections.abc import Callable, Iterable, Sequence

from docqa.present.document import (
    Cell,
    Heading,
    Listing,
    Mark,
    Note,
    Paragraph,
    Part,
    Picture,
    Table,
    Text,
    Words,
    cell_text,
    runs,
)
from docqa.types.answer import Check

Json = dict[str, object]


def as_nodes(parts: Sequence[Part], *, place: Callable[[str], int]) -> list[Json]:
    """The parts as the screen's script reads them; ``place`` numbers a label's citation."""

    def inlines(text: Text) -> list[Json]:
        nodes: list[Json] = []
        for run in runs(text):
            nodes += [{"cite": place(run.label)}] if isinstance(run, Mark) else _words(run)
        return nodes

    return [_node(part, inlines) for part in parts]


# Characters of the private use area: no text of a document or a model has them by intent.
_DOUBT, _SURE = "\ue00d", "\ue00e"


def with_doubts(text: str, checks: Iterable[Check]) -> str:
    """An answer's text with what is not supported between marks that `as_nodes` reads."""
    spans = [(each.start, each.end) for each in checks if each.result == "not supported"]
    marked = text
    for start, end in sorted(spans, reverse=True):
        marked = f"{marked[:start]}{_DOUBT}{marked[start:end]}{_SURE}{marked[end:]}"
    return marked


def _words(run: Words) -> list[Json]:
    """A run of words, what is doubted of it apart."""
    nodes: list[Json] = []
    for piece in re.split(f"({_DOUBT}[^{_SURE}]*{_SURE})", run.text):
        text = piece.strip(_DOUBT + _SURE)
        if text:
            doubt = {"doubt": True} if piece.startswith(_DOUBT) else {}
            nodes.append({"text": text, "strong": run.strong, "struck": run.struck, **doubt})
    return nodes


def _node(part: Part, inlines: Callable[[Text], list[Json]]) -> Json:
    def row(cells: Sequence[Cell]) -> list[list[Json]]:
        return [inlines(cell_text(cell)) for cell in cells]

    match part:
        case Paragraph(text) | Note(text) | Picture(_, text):
            return {"kind": "paragraph", "inlines": inlines(text)}
        case Heading(text):
            return {"kind": "heading", "inlines": inlines(text)}
        case Listing(items, first):
            return {"kind": "list", "first": first, "items": [inlines(each) for each in items]}
        case Table(header, rows):
            return {"kind": "grid", "header": row(header), "rows": [row(each) for each in rows]}
