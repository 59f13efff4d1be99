"""A comparison side by side: figures, terms, changes, pairs of passages, what only one has.

`sides_of` makes plain values of a comparison; sides.js draws them as text. `opened` finds the
blocks behind something that was clicked.
"""

import re
from collections.abc import Callable, Iterator, Mapping

import streamlit as st

from docqa.present.as_nodes import Json
from docqa.present.sources import value_of
from docqa.types.comparison import (
    ONE_SIDE,
    PERIODS_DIFFER,
    Alignment,
    Change,
    Comparison,
    Edit,
    FigureComparison,
    TermComparison,
    short_names,
)
from docqa.types.document import Block, Chunk, spoken_name
from docqa.types.phrases import count
from docqa.types.search import Hit
from docqa.ui.contrast import Part, contrast, cut
from docqa.ui.scripts import script

_sides = script("sides")


_LINE = re.compile(r"[^\n]+")
_BETWEEN_CELLS = re.compile(r" \| ")
AROUND = 14  # words of an unchanged run that are kept beside a change


def show_sides(comparison: Comparison, *, on_open: Callable[[str, int, int], None]) -> None:
    """Draw the comparison; ``on_open(what, n, m)`` is told what was clicked."""

    def clicked() -> None:
        told = st.session_state["sides"].get("open")
        if told:
            on_open(str(told["what"]), int(told["n"]), int(told["m"]))

    _sides(key="sides", data=sides_of(comparison), on_open_change=clicked)


def sides_of(comparison: Comparison) -> Json:
    names = short_names(comparison.documents)
    changes = comparison.changes
    unchanged = sum(change.kind == "unchanged" for change in changes)
    return {
        "documents": [
            {"short": names[d.id], "name": spoken_name(d.name)} for d in comparison.documents
        ],
        "counts": _counts(comparison, names),
        "changes_first": 2 * unchanged >= len(changes),
        "figures": [_figures(row, comparison) for row in comparison.figures],
        "terms": [_term(row) for row in comparison.terms],
        "changes": [
            _change(change, n) for n, change in enumerate(changes) if change.kind != "unchanged"
        ],
        "unchanged": unchanged,
        "pairs": [_pair(pair, comparison, names) for pair in comparison.pairs],
        "only": [
            {
                "short": names[document.id],
                "name": spoken_name(document.name),
                "passages": [
                    _lone(hit, comparison, names) for hit in comparison.only_in.get(document.id, ())
                ],
            }
            for document in comparison.documents
        ],
    }


def _counts(comparison: Comparison, names: Mapping[str, str]) -> list[Json]:
    """The summary row: how much there is of each part, and how much of it differs."""
    figures, terms = comparison.figures, comparison.terms
    uneven = sum(len({(f.value, f.unit) for f in row.values}) > 1 for row in figures)
    apart = sum(row.verdict == "differs" for row in terms)
    lone = sum(row.verdict == ONE_SIDE for row in terms)
    changed = [each for each in comparison.changes if each.kind != "unchanged"]
    numbers = sum(each.figures_changed for each in changed)
    some = [
        ("figures", len(figures), "figure", _told((uneven, "different"))),
        ("terms", len(terms), "term", _told((apart, "different"), (lone, "on one side only"))),
        ("changes", len(changed), "change", _told((numbers, "in numbers"))),
        ("pairs", len(comparison.pairs), "passage", "side by side"),
    ]
    found = [_count(to, n, noun, note) for to, n, noun, note in some if n]
    for document in comparison.documents:
        hits = comparison.only_in.get(document.id, ())
        if alone := sum(not _alike(hit, comparison) for hit in hits):
            found.append(_count("only", alone, "passage", f"only in {names[document.id]}"))
    return found


def _alike(hit: Hit, comparison: Comparison) -> bool:
    near = comparison.nearest.get(hit.chunk.id)
    return near is not None and near.alike


def _count(to: str, n: int, noun: str, note: str) -> Json:
    return {"to": to, "text": count(n, noun), "note": note}


def _told(*some: tuple[int, str]) -> str:
    return ", ".join(f"{n} {what}" for n, what in some if n)


def _figures(row: FigureComparison, comparison: Comparison) -> Json:
    found = [value_of(row, document.id) for document in comparison.documents]
    return {
        "label": row.label,
        "period": row.period,
        "values": [
            f and {"text": f.shown, "where": f.block.where, "value": float(f.value)} for f in found
        ],
        "difference": row.difference,
        "apart": None if row.apart is None else float(row.apart),
        "percent": row.percent,
        # where two periods are shown, that they differ need not be said
        "note": row.note.replace(PERIODS_DIFFER, "").strip(),
    }


def _term(row: TermComparison) -> Json:
    said = [side.quote for side in row.sides if side.quote]

    def other(quote: str) -> str:
        """The wording that a quote is held against: the first of the others, or itself."""
        return next((each for each in said if each != quote), quote)

    return {
        "topic": row.topic,
        "verdict": row.verdict,
        "sides": [
            {
                "parts": _parts(contrast(side.quote, other(side.quote))) if side.quote else [],
                "where": side.where,
                "near": side.nearest_quote,
                "likely": side.likely,
            }
            for side in row.sides
        ],
    }


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
        "alike": near.alike,
    }
    return {**_passage(hit, names, (Part(hit.chunk.text),)), "nearest": told}


def _pair(pair: Alignment, comparison: Comparison, names: dict[str, str]) -> Json:
    """A place for each document, None where it has no passage in the cluster."""
    first, *others = pair.passages
    texts = [first.chunk.text, *(each.chunk.text for each in others)]
    partners = [texts[1] if others else texts[0], *(texts[0] for _ in others)]
    drawn = {
        hit.document.id: {**_passage(hit, names, contrast(text, partner)), "m": m}
        for m, (hit, text, partner) in enumerate(zip(pair.passages, texts, partners, strict=True))
    }
    return {
        "similarity": round(pair.similarity, 3),
        "passages": [drawn.get(document.id) for document in comparison.documents],
    }


def _passage(hit: Hit, names: dict[str, str], parts: tuple[Part, ...]) -> Json:
    return {
        "short": names.get(hit.document.id, ""),
        "name": spoken_name(hit.document.name),
        "pages": hit.chunk.where,
        "section": hit.chunk.section,
        "lines": [[_parts(cell) for cell in cells] for cells in _lines(hit.chunk, parts)],
    }


def _lines(chunk: Chunk, parts: tuple[Part, ...]) -> Iterator[list[tuple[Part, ...]]]:
    """The lines of a passage, each in its cells; one outside of tables has one."""
    for line in _LINE.finditer(chunk.text):
        within = chunk.text, line.start(), line.end()
        ends = [*_BETWEEN_CELLS.finditer(*within)] if chunk.kind == "table" else []
        starts = [line.start(), *(each.end() for each in ends)]
        stops = [*(each.start() for each in ends), line.end()]
        yield [cut(parts, start, stop) for start, stop in zip(starts, stops, strict=True)]


def _parts(parts: tuple[Part, ...]) -> list[Json]:
    return [{"text": part.text, "differs": part.differs} for part in parts]


def opened(comparison: Comparison, what: str, n: int, m: int) -> tuple[str, tuple[Block, ...]]:
    """The document and the blocks behind a click on the n-th row's or pair's m-th side.

    No blocks where the click was on a page to look at, nothing being quoted there.
    """
    if what == "pair":
        hit = comparison.pairs[n].passages[m]
        return hit.document.id, hit.chunk.blocks
    document = comparison.documents[n if what in ("only", "near") else m]
    match what:
        case "figure":
            figure = value_of(comparison.figures[n], document.id)
            return document.id, figure.blocks if figure else ()
        case "term":
            return document.id, comparison.terms[n].sides[m].blocks
        case "change":
            change = comparison.changes[n]
            return document.id, (change.first_blocks, change.second_blocks)[m]
        case _:
            hit = comparison.only_in[document.id][m]
    if what == "near":
        hit = comparison.nearest[hit.chunk.id].passage
    return hit.document.id, hit.chunk.blocks
