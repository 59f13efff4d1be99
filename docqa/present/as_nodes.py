"""A presentation as plain values for the screen's scripts, which draw them as text, never HTML."""

from collections.abc import Callable, Sequence

from docqa.present.document import (
    Cell,
    Heading,
    Listing,
    Mark,
    Note,
    Paragraph,
    Part,
    Table,
    Text,
    cell_text,
    runs,
)

Json = dict[str, object]


def as_nodes(parts: Sequence[Part], *, place: Callable[[str], int]) -> list[Json]:
    """The parts as the screen's script reads them; ``place`` numbers a label's citation."""

    def inlines(text: Text) -> list[Json]:
        return [
            {"cite": place(run.label)}
            if isinstance(run, Mark)
            else {"text": run.text, "strong": run.strong, "struck": run.struck}
            for run in runs(text)
        ]

    return [_node(part, inlines) for part in parts]


def _node(part: Part, inlines: Callable[[Text], list[Json]]) -> Json:
    def row(cells: Sequence[Cell]) -> list[list[Json]]:
        return [inlines(cell_text(cell)) for cell in cells]

    match part:
        case Paragraph(text) | Note(text):
            return {"kind": "paragraph", "inlines": inlines(text)}
        case Heading(text):
            return {"kind": "heading", "inlines": inlines(text)}
        case Listing(items, first):
            return {"kind": "list", "first": first, "items": [inlines(each) for each in items]}
        case Table(header, rows):
            return {"kind": "grid", "header": row(header), "rows": [row(each) for each in rows]}
