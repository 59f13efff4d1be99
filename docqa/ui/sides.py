"""A comparison side by side: figures and their differences, pairs of passages, what only one has.

`sides_of` makes plain values of a comparison; sides.js draws them as text. `opened` finds the
blocks behind something that was clicked.
"""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from docqa.types import Alignment, Block, Comparison, Figure, FigureComparison, Hit
from docqa.ui.contrast import Part, contrast
from docqa.ui.prose import Json
from docqa.ui.turn import doc_names, pages

_HERE = Path(__file__).parent
_sides = st.components.v2.component(
    "docqa.sides",
    css=(_HERE / "sides.css").read_text(encoding="utf-8"),
    js=(_HERE / "sides.js").read_text(encoding="utf-8"),
)


def show_sides(
    comparison: Comparison, *, rows_above: int, on_open: Callable[[str, int, int], None]
) -> None:
    """Draw the comparison; ``on_open(what, n, m)`` is told what was clicked.

    The figures are left out where the text above has as many rows of them.
    """

    def clicked() -> None:
        told = st.session_state["sides"].get("open")
        if told:
            on_open(str(told["what"]), int(told["n"]), int(told["m"]))

    drawn = sides_of(comparison)
    if rows_above >= len(comparison.figures):
        drawn["figures"] = []
    _sides(key="sides", data=drawn, on_open_change=clicked)


def sides_of(comparison: Comparison) -> Json:
    """The comparison as the screen's script reads it."""
    names = doc_names(comparison)
    return {
        "documents": [{"short": names[d.id], "name": d.name} for d in comparison.documents],
        "figures": [_figures(row, comparison) for row in comparison.figures],
        "pairs": [_pair(pair, names) for pair in comparison.pairs],
        "only": [
            {
                "short": names[document.id],
                "name": document.name,
                "passages": [
                    _passage(hit, names, (Part(hit.chunk.text),))
                    for hit in comparison.only_in.get(document.id, ())
                ],
            }
            for document in comparison.documents
        ],
    }


def value_of(row: FigureComparison, document_id: str) -> Figure | None:
    """The figure a row has for a document, the first where there are several."""
    return next((each for each in row.values if each.document_id == document_id), None)


def _figures(row: FigureComparison, comparison: Comparison) -> Json:
    found = [value_of(row, document.id) for document in comparison.documents]
    return {
        "label": row.label,
        "period": row.period,
        "values": [f and {"text": f.text, "page": f.block.page} for f in found],
        "difference": row.difference,
        "note": row.note,
    }


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
        "pages": pages(hit.chunk.page_start, hit.chunk.page_end),
        "section": hit.chunk.section,
        "parts": [{"text": part.text, "differs": part.differs} for part in parts],
    }


def opened(comparison: Comparison, what: str, n: int, m: int) -> tuple[str, tuple[Block, ...]]:
    """The document and the blocks behind a click on the n-th row's or pair's m-th side."""
    if what == "figure":
        figure = value_of(comparison.figures[n], comparison.documents[m].id)
        return (figure.document_id, (figure.block,)) if figure else ("", ())
    if what == "pair":
        hit = comparison.pairs[n].passages[m]
    else:
        hit = comparison.only_in[comparison.documents[n].id][m]
    return hit.document.id, hit.chunk.blocks
