"""One answer on the screen: steps, text with pills, checks, coverage, sources, costs.

`turn_of` and its kin make plain values of an answer, as much as there is to say; `show_turn` hands
them to the script in turn.js, which draws them as text and never as HTML.
"""

from collections.abc import Callable, Collection, Sequence

import streamlit as st

from docqa.present.as_nodes import Json, as_nodes, with_doubts
from docqa.present.as_text import plain
from docqa.present.citations import PARTIAL, Names, by_label, parts_of, warnings_of
from docqa.present.markup import marks_in, prose, settled
from docqa.types.answer import Answer, Citation, Evidence, Step, Usage
from docqa.types.comparison import Comparison, short_names
from docqa.types.events import Pace
from docqa.types.phrases import count, dollars
from docqa.types.search import Coverage, tells_respelling
from docqa.ui import pills
from docqa.ui.asking import Asking
from docqa.ui.plain_text import span
from docqa.ui.scripts import script

_turn = script("turn")

STAGES = {
    "bm25": "keywords (BM25)",
    "dense": "meaning (cosine)",
    "titles": "table titles (cosine)",
    "rrf": "all lists, fused (RRF)",
    "read": "reranker",
    "phrases": "shared phrases",
    "opening": "as the opening of its document",
    "rerank": "relevance",
    "boost": "relevance, with preferences",
    "mmr": "variety (MMR)",
}


def show_turn(data: Json, *, key: str, on_open: Callable[[str, int], None] | None = None) -> None:
    """Draw a turn; ``on_open(what, n)`` is told of a click: what is "cite", "source", "cover"."""

    def opened() -> None:
        told = st.session_state[key].get("open")
        if told and on_open is not None:
            on_open(str(told["what"]), int(told["n"]))

    _turn(key=key, data=data, on_open_change=opened)


def turn_of(
    answer: Answer,
    *,
    steps: Sequence[Step] = (),
    focus: str = "",
    actions: Sequence[tuple[str, str]] = (),
    save: str = "",
    file: str = "",
    told: Collection[str] = (),
) -> Json:
    """A finished answer. ``actions`` are what can be done with it: what `show_turn` tells of a
    click, and its label. ``save`` is its text as a file, ``file`` that file's name. ``told`` are
    the notes of answers above, which are not told again."""
    warnings = warnings_of(answer)
    quoted = answer.answerer == "extractive"
    cited = {citation.label.split(".")[0] for citation in answer.citations}
    _, copied = _text(answer.text, answer.answerer, answer.citations, {})
    doubted = with_doubts(answer.text, answer.checks)
    nodes, _ = _text(doubted, answer.answerer, answer.citations, {})
    return {
        # Without a model there is one search, and the coverage names it.
        "steps": [] if quoted and answer.coverage else _steps(steps),
        "steps_summary": _steps_summary(steps),
        "partial": PARTIAL if answer.partial else "",
        "notes": [each for each in warnings if tells_respelling(each) and each not in told],
        "warnings": [each for each in warnings if not tells_respelling(each)],
        "nodes": nodes,
        "verbatim": quoted,
        "pills": [
            pills.pill(citation, number=number)
            for number, citation in enumerate(answer.citations, start=1)
        ],
        "checks": pills.checks(answer),
        "coverage": [_coverage(each) for each in answer.coverage],
        "coverage_summary": _coverage_summary(answer.coverage),
        "searches": _searches(answer.coverage),
        "sources": [_source(each, cited=each.label in cited) for each in answer.evidence],
        "sources_summary": count(
            len(answer.evidence), "source" if answer.found else "nearest passage"
        ),
        "footer": _footer(answer.answerer, answer.usage, answer.seconds),
        "copy": copied,
        "save": save,
        "file": file,
        "actions": [list(action) for action in actions],
        "focus": focus,
    }


def turn_of_comparison(comparison: Comparison, *, shown: str = "") -> Json:
    """The text of a comparison, its pills named DocA, DocB, …; copied is all of it.

    Only ``shown`` is shown of it, where that is given. Sentences that are a part of it have small
    pills, since the tables beside them name the pages.
    """
    names = short_names(comparison.documents)
    nodes, copied = _text(comparison.text, comparison.answerer, comparison.citations, names)
    small = shown not in ("", comparison.text)
    if small:
        unbroken = shown.replace(" [", "\u202f[")  # no mark begins a line
        nodes, _ = _text(unbroken, comparison.answerer, comparison.citations, names)
    return {
        "partial": PARTIAL if comparison.partial else "",
        "warnings": warnings_of(comparison, names=names),
        "nodes": nodes,
        "verbatim": comparison.answerer == "extractive",
        "pills": [
            pills.pill(citation, name=names.get(citation.document_id, ""), small=small)
            for citation in comparison.citations
        ],
        "footer": _footer(comparison.answerer, comparison.usage, comparison.seconds),
        "copy": copied,
    }


def turn_before_sending(evidence: Sequence[Evidence]) -> Json:
    """Passages that would be sent, as sources without an answer."""
    length = sum(len(each.hit.chunk.text) for each in evidence)
    return {
        "sources": [_source(each, cited=False) for each in evidence],
        "sources_summary": f"{count(len(evidence), 'passage')}, {length:,} characters",
    }


def turn_under_way(asking: Asking) -> Json:
    """What an answerer has told so far; citations wait until the answer is whole."""
    text = settled(asking.text) if asking.running else asking.text
    nodes = as_nodes(prose(text, labels=marks_in(text)), place=lambda label: 0)
    return {
        "running": asking.running,
        "steps": _steps([*asking.steps, *_thinking(asking)]),
        "steps_summary": _steps_summary(asking.steps),
        "nodes": nodes,
        "follow": f"{id(asking)}",
    }


def _thinking(asking: Asking) -> list[Step]:
    """What is going on while the passages are there and no word of the answer yet."""
    idle = asking.running and not asking.text and (not asking.steps or asking.steps[-1].outcome)
    if not idle:
        return []
    if asking.pace is not None:
        return [Step(pace_of(asking.pace))]
    return [Step("Reading the passages" if asking.steps else "Starting")]


def pace_of(pace: Pace) -> str:
    """How a model on this machine gets on, in words.

    >>> pace_of(Pace("writing", 4.0, 40, 10.0, 95.0))
    'Writing: 10 tokens a second, at most 2 min left'
    >>> pace_of(Pace("reading", 12.0, 3100, 0.0, 30.0))
    'Reading about 3,100 tokens: 12 s, about 30 s left'
    """
    if pace.stage == "reading":
        left = f", about {span(pace.left)} left" if pace.left >= 1 else ""
        return f"Reading about {pace.tokens:,} tokens: {span(pace.seconds)}{left}"
    speed = f"{pace.rate:.3g} tokens a second" if pace.rate else span(pace.seconds)
    if pace.stage == "thinking":
        return f"Thinking: {span(pace.seconds)}, {speed}" if pace.rate else f"Thinking: {speed}"
    left = f", at most {span(pace.left)} left" if pace.left >= 1 else ""
    return f"Writing: {speed}{left}"


def _text(
    text: str, answerer: str, citations: Sequence[Citation], names: Names
) -> tuple[list[Json], str]:
    """The nodes of an answer's text, and the text to copy."""
    parts = parts_of(text, answerer, citations)
    places = [citation.label for citation in citations]
    copied = plain(parts, citations=by_label(citations, names))
    return as_nodes(parts, place=places.index), copied


def _steps(steps: Sequence[Step]) -> list[Json]:
    return [{"text": step.text, "outcome": step.outcome} for step in steps]


def _steps_summary(steps: Sequence[Step]) -> str:
    return count(len(steps), "step") + " to this answer"


def _coverage(line: Coverage) -> Json:
    nearest = f"nothing relevant; nearest {line.nearest}"
    told = f"best on {line.nearest}" if line.used else nearest
    return {
        "document": line.document,
        "used": line.used,
        "cited": line.cited,
        "passages": f"{line.used} of {line.seen}",
        "told": told if line.nearest_page else "nothing relevant",
        "page": line.nearest_page,
        "score": f"{line.best_score:.2f}",
    }


def _coverage_summary(coverage: Sequence[Coverage]) -> str:
    """Without documents chosen, those that nothing came up from have no line."""
    used = sum(1 for line in coverage if line.used)
    seen = sum(1 for line in coverage if line.seen)
    told = f"Passages used from {used} of {count(seen, 'document')}"
    silent = len(coverage) - seen
    return f"{told}; nothing relevant in {count(silent, 'other')}" if silent else told


def _searches(coverage: Sequence[Coverage]) -> list[Json]:
    """Each search once, in order, with the documents it was run in; none named where in all."""
    where: dict[str, list[str]] = {}
    for line in coverage:
        for query in line.queries:
            where.setdefault(query, []).append(line.document)
    return [
        {"query": query, "where": "" if len(names) == len(coverage) else ", ".join(names)}
        for query, names in where.items()
    ]


def _source(evidence: Evidence, *, cited: bool) -> Json:
    hit = evidence.hit
    scores = [(STAGES.get(stage, stage), f"{value:.3f}") for stage, value in hit.scores.items()]
    # The calibrated score alone: a cosine beside it would look like more than it is.
    strength = hit.scores.get("rerank")
    return {
        "label": evidence.label,
        "document": hit.document.name,
        "pages": hit.chunk.where,
        "section": hit.chunk.section,
        "text": hit.chunk.text,
        "scores": [list(pair) for pair in scores],
        "strength": strength,
        "cited": cited,
    }


def _footer(answerer: str, usage: Usage, seconds: float) -> list[str]:
    if answerer == "extractive":
        notes = ["Quoted from the documents, without a language model"]
    else:
        notes = [answerer, *_spent(usage)]
    return [*notes, f"{seconds:.1f} s"]


def _spent(usage: Usage) -> list[str]:
    read = usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
    notes = [f"{read:,} tokens in, {usage.output_tokens:,} out"]
    if usage.searches:
        notes.append(count(usage.searches, "search", "searches"))
    if usage.cost_usd is not None:
        notes.append(dollars(usage.cost_usd))
    return notes
