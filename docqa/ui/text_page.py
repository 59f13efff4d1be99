"""A slide, sheet or section in the reader: its blocks as text, for there is no picture of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from docqa.present.as_nodes import Json
from docqa.types.document import Block
from docqa.ui.scripts import script

draw = script("leaf")  # what `drawn` made
_WORD = re.compile(r"[^\W\d_]{4,}")

Marks = Sequence[tuple[str, int, Block]]  # kind, the citation's number, block


def drawn(
    blocks: Sequence[Block],
    marks: Marks,
    *,
    name: str,
    title: str,
    page: int,
    visit: int,
    question: str = "",
    find: Json | None = None,
) -> Json:
    """What the page's script draws: parts, each a paragraph or a table; nothing in it is HTML.

    ``question`` is what the page was opened for; columns named in it are brought into view.
    ``find`` is what is looked for: the phrase, and which of its block's places is looked at.
    """
    marked: dict[int, Json] = {}
    for kind, number, block in marks:
        before = marked.get(block.index, {"kinds": "", "number": 0})
        kinds = f"{before['kinds']} {kind}".strip()
        marked[block.index] = {"kinds": kinds, "number": before["number"] or number}
    return {
        "label": f"{name}, {title}",
        "title": title,
        "page": page,
        "visit": visit,
        "find": find or {},
        "parts": list(_parts(blocks, marked, question)),
    }


def _parts(blocks: Sequence[Block], marked: Mapping[int, Json], question: str) -> Iterator[Json]:
    for table, run in groupby(blocks, key=lambda block: block.table):
        some = list(run)
        if table:
            rows = [_row(block, marked) for block in some]
            yield {"kind": "table", "rows": rows, "asked": asked_columns(some, question)}
        else:
            yield from _paragraphs(some, marked)


def asked_columns(table: Sequence[Block], question: str) -> list[int]:
    wanted = _words(question)
    heads = (cell for block in table if block.column_header for cell in block.cells)
    return sorted({cell.column for cell in heads if wanted & _words(cell.text)})


def _words(text: str) -> set[str]:
    """The words of some length, without the plural's ending."""
    return {each.rstrip("s") for each in _WORD.findall(text.casefold())}


def _paragraphs(blocks: Sequence[Block], marked: Mapping[int, Json]) -> Iterator[Json]:
    starts = [at for at, block in enumerate(blocks) if not at or not block.continues]
    for first, end in pairwise([*starts, len(blocks)]):
        yield {
            "kind": blocks[first].kind,
            "level": blocks[first].level,
            "spans": [{"text": b.text, **marked.get(b.index, {})} for b in blocks[first:end]],
        }


def _row(block: Block, marked: Mapping[int, Json]) -> Json:
    cells = [[cell.text, cell.column, cell.span] for cell in block.cells] or [[block.text, 0, 1]]
    return {
        "row": block.row,
        "header": block.column_header,
        "cells": cells,
        **marked.get(block.index, {}),
    }
