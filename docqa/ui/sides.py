"""A comparison side by side: figures, terms, changes, pairs of passages, what only one has.

`sides_of` makes plain values of a comparison; sides.js draws them as text. `opened` finds the
blocks behind something that was clicked.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from docqa.types import (
    Alignment,
    Block,
    Change,
    Comparison,
    Edit,
    FigureComparison,
    Hit,
    TermComparison,
)
from docqa.ui.contrast import Part, contrast
from docqa.ui.prose import Json
from docqa.ui.sheets import value_of
from docqa.ui.turn import doc_names

_HERE = Path(__file__).parent
_sides = st.components.v2.component(
    "docqa.sides",
    css=(_HERE / "sides.css").read_text(encoding="utf-8"),
    js=(_HERE / "sides.js").read_text(encoding="utf-8"),
)


AROUND = 14  # words of an unchanged run that are kept beside a change


def show_sides(comparison: Comparison, *, on_open: Callable[[str, int, int], None]) -> None:
    """Draw the comparison; ``on_open(what, n, m)`` is told what was clicked."""

    def clicked() -> None:
        told = st.session_state["sides"].get("open")
        if told:
            on_open(str(told["what"]), int(told["n"]), int(told["m"]))

    _sides(key="sides", data=sides_of(comparison), on_open_change=clicked)


def sides_of(comparison: Comparison) -> Json:
    """The comparison as the screen's script reads it."""
    names = doc_names(comparison)
    return {
        "documents": [{"short": names[d.id], "name": d.name} for d in comparison.documents],
        "figures": [_figures(row, comparison) for row in comparison.figures],
        "terms": [_term(row) for row in comparison.terms],
        "changes": [
            _change(change, n)
            for n, change in enumerate(comparison.changes)
            if change.kind != "unchanged"
        ],
        "unchanged": sum(change.kind == "unchanged" for change in comparison.changes),
        "pairs": [_pair(pair, names) for pair in comparison.pairs],
        "only": [
            {
                "short": names[document.id],
                "name": document.name,
                "passages": [
                    _lone(hit, comparison, names) for hit in comparison.only_in.get(document.id, ())
                ],
            }
            for document in comparison.documents
        ],
    }


def _figures(row: FigureComparison, comparison: Comparison) -> Json:
    found = [value_of(row, document.id) for document in comparison.documents]
    return {
        "label": row.label,
        "period": row.period,
        "values": [
            f and {"text": f.shown, "where": f.block.where, "value": float(f.value)} for f in found
        ],
        "difference": row.difference,
        "percent": row.percent,
        "note": row.note,
    }


def _term(row: TermComparison) -> Json:
    quotes = [side.quote for side in row.sides]
    said = [quote for quote in quotes if quote]
    return {
        "topic": row.topic,
        "note": row.note,
        "sides": [
            {
                "parts": _parts(contrast(quote, _other(said, quote))) if quote else [],
                "where": side.where,
            }
            for side, quote in zip(row.sides, quotes, strict=True)
        ],
    }


def _other(quotes: list[str], quote: str) -> str:
    """The wording that a quote is held against: the first of the others, or itself."""
    return next((each for each in quotes if each != quote), quote)


def _change(change: Change, place: int) -> Json:
    sides = (change.first_blocks, change.second_blocks)
    edits = change.edits or (Edit("same", change.second),)
    return {
        "n": place,
        "kind": "minor" if change.minor else change.kind,
        "number": change.number,
        "figures": change.figures_changed and change.kind not in ("moved", "unchanged"),
        "where": [blocks[0].where if blocks else "" for blocks in sides],
        "edits": [{"kind": edit.kind, "text": _shown(edit)} for edit in edits],
    }


def _shown(edit: Edit) -> str:
    """An edit's words; of a long run that is the same only its ends."""
    words = edit.text.split()
    if edit.kind != "same" or len(words) <= 2 * AROUND:
        return edit.text
    return " ".join([*words[:AROUND], "…", *words[-AROUND:]])


def _lone(hit: Hit, comparison: Comparison, names: dict[str, str]) -> Json:
    """A passage without a partner, with what comes nearest to it elsewhere."""
    near = comparison.nearest.get(hit.chunk.id)
    told = near and {
        **_passage(near.passage, names, (Part(near.passage.chunk.text),)),
        "similarity": round(near.similarity, 3),
    }
    return {**_passage(hit, names, (Part(hit.chunk.text),)), "nearest": told}


def _pair(pair: Alignment, names: dict[str, str]) -> Json:
    first, *others = pair.passages
    texts = [first.chunk.text, *(each.chunk.text for each in others)]
    partners = [texts[1] if others else texts[0], *(texts[0] for _ in others)]
    return {
        "similarity": round(pair.similarity, 3),
        "passages": [
            _passage(hit, names, contrast(text, partner))
            for hit, text, partner in zip(pair.passages, texts, partners, strict=True)
        ],
    }


def _passage(hit: Hit, names: dict[str, str], parts: tuple[Part, ...]) -> Json:
    return {
        "short": names.get(hit.document.id, ""),
        "name": hit.document.name,
        "pages": hit.chunk.where,
        "section": hit.chunk.section,
        "parts": _parts(parts),
    }


def _parts(parts: tuple[Part, ...]) -> list[Json]:
    return [{"text": part.text, "differs": part.differs} for part in parts]


def opened(comparison: Comparison, what: str, n: int, m: int) -> tuple[str, tuple[Block, ...]]:
    """The document and the blocks behind a click on the n-th row's or pair's m-th side.

    No blocks where the click was on a page to look at, nothing being quoted there.
    """
    document = comparison.documents[n if what in ("only", "near") else m]
    match what:
        case "figure":
            figure = value_of(comparison.figures[n], document.id)
            return document.id, (figure.block,) if figure else ()
        case "term":
            return document.id, comparison.terms[n].sides[m].blocks
        case "change":
            change = comparison.changes[n]
            return document.id, (change.first_blocks, change.second_blocks)[m]
        case "pair":
            hit = comparison.pairs[n].passages[m]
        case _:
            hit = comparison.only_in[document.id][m]
    if what == "near":
        hit = comparison.nearest[hit.chunk.id].passage
    return hit.document.id, hit.chunk.blocks
