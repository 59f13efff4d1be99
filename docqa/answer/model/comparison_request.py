"""A comparison as a model is asked for it, and its answer as a `Comparison`; pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from docqa.answer.evidence import MARKER, add_evidence, choose_hits
from docqa.answer.model.correction import corrected
from docqa.types.answer import Answer, Citation, Evidence, Verdict
from docqa.types.comparison import (
    Change,
    Comparison,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
    short_names,
)
from docqa.types.document import Block, Chunk, Document, join_blocks
from docqa.types.search import Hit

WORST_FIRST: tuple[Verdict, ...] = ("not found", "near", "verified")

_TASK = """\
Compare the documents below on this question: {question}

{documents}

Write, in this order:
1. A Markdown table of 3 to 8 rows: what is compared, one column for each document, and a last \
column "Difference". Give figures as printed, with their unit and period. Write "not stated" where \
a document says nothing. Compute a difference only between figures of the same unit, scale and \
period.
2. Two or three short paragraphs on what the differences mean.
3. One sentence beginning "Recommendation:", on what the passages support and no more.
Cite the passages for every figure and claim, in the table too."""

CHANGES = 40  # of two versions, told to the model
_TERMS = "Terms found in the documents, word for word; a side that is “not found” may be checked"
_CHANGES = "The two are versions of one text; these of its clauses changed"
_COMPUTED = "Figures and differences computed from the documents; use these differences as they are"


def passages_of(comparison: Comparison, *, max_chars: int) -> tuple[Evidence, ...]:
    """What was computed from, then the pairs and what has no partner, labelled, within a budget.

    Every document has its turn, as in `choose_hits`.
    """
    return add_evidence((), choose_hits(list(_hits(comparison)), max_chars=max_chars))


def _hits(comparison: Comparison) -> Iterator[Hit]:
    found = list(_passages(comparison))
    places = {(hit.document.id, block.index) for hit in found for block in hit.chunk.blocks}
    yield from _grounds(comparison, places)
    yield from found


def _passages(comparison: Comparison) -> Iterator[Hit]:
    for pair in comparison.pairs:
        yield from pair.passages
    rows = [comparison.only_in.get(document.id, ()) for document in comparison.documents]
    yield from (hit for turn in zip_longest(*rows) for hit in turn if hit)


def _grounds(comparison: Comparison, places: set[tuple[str, int]]) -> Iterator[Hit]:
    """By document and page the blocks that figures, terms and changes were read from.

    Those in ``places`` (document id and index) are among the passages already.
    """
    for place, document in enumerate(comparison.documents):
        found = [
            *(b for each in _figures_of(comparison, document) for b in each.blocks),
            *(b for row in comparison.terms for b in row.sides[place].blocks),
            *(b for change in _weighty(comparison) for b in _blocks_of(change, place)),
        ]
        fresh = {block.index: block for block in found if (document.id, block.index) not in places}
        pages: dict[int, list[Block]] = {}
        for _, block in sorted(fresh.items()):
            pages.setdefault(block.page, []).append(block)
        for page, own in pages.items():
            chunk = Chunk(f"{document.id}:computed-{page}", document.id, 0, tuple(own))
            yield Hit(chunk, document)


def _figures_of(comparison: Comparison, document: Document) -> Iterator[Figure]:
    values = (value for row in comparison.figures for value in row.values)
    return (each for each in values if each.document_id == document.id)


def _blocks_of(change: Change, place: int) -> tuple[Block, ...]:
    return (change.first_blocks, change.second_blocks)[place] if place < 2 else ()


def _weighty(comparison: Comparison) -> list[Change]:
    """The changes between two versions that are more than printing, numbers first."""
    changes = [
        c for c in comparison.changes if c.kind not in ("unchanged", "moved") and not c.minor
    ]
    return sorted(changes, key=lambda change: not change.figures_changed)[:CHANGES]


def task(comparison: Comparison) -> str:
    """What is asked of the model: the question, the documents, and all that was computed."""
    documents = enumerate(comparison.documents)
    listed = "\n".join(f"{chr(65 + at)}: {document.name}" for at, document in documents)
    parts = [
        _TASK.format(question=comparison.question, documents=listed),
        *_listed(_COMPUTED, [_figure_line(figure) for figure in comparison.figures]),
        *_listed(_TERMS, [_term_line(term) for term in comparison.terms]),
        *_listed(_CHANGES, [_change_line(change) for change in _weighty(comparison)]),
    ]
    return "\n\n".join(parts)


def _listed(opening: str, lines: Sequence[str]) -> list[str]:
    return [f"{opening}:\n" + "\n".join(lines)] if lines else []


def _term_line(term: TermComparison) -> str:
    return f"- {term.topic}: " + "; ".join(_side(side) for side in term.sides)


def _side(side: TermSide) -> str:
    if side.quote:
        return f"{side.document} “{side.quote}” ({side.where})"
    near = f"; likely “{side.nearest_quote}” ({side.where})" if side.likely else ""
    return f"{side.document}: not found{near}"


def _change_line(change: Change) -> str:
    number = f" {change.number}" if change.number else ""
    words = (f"“{text}”" for text in (change.first, change.second) if text)
    return f"- {change.kind}{number}: " + " became ".join(words)


def _figure_line(figure: FigureComparison) -> str:
    period = f", {figure.period}" if figure.period else ""
    values = "; ".join(f"{v.document} {v.shown} ({_where(v)})" for v in figure.values)
    result = f"difference {figure.difference}" if figure.difference else figure.note
    return f"- {figure.label}{period}: {values}; {result}".rstrip("; ")


def _where(figure: Figure) -> str:
    """Where a figure stands, or all that it is added up from."""
    return ", ".join(dict.fromkeys(block.where for block in figure.blocks))


def as_comparison(comparison: Comparison, answer: Answer) -> Comparison:
    """The comparison with the answer's text, one citation for each page, labelled ``DocA:p5``.

    Values and differences other than those computed are corrected. ``answer`` is verified
    already; a page's citation has the worst verdict of its places.
    """
    letters = short_names(comparison.documents)
    pages: dict[str, list[Citation]] = {}
    labels: dict[str, str] = {}
    for citation in answer.citations:
        label = f"{letters[citation.document_id]}:p{citation.page}"
        labels[citation.label] = label
        pages.setdefault(label, []).append(citation)

    def relabelled(text: str) -> str:
        return MARKER.sub(lambda m: f"[{labels[m[1]]}]" if m[1] in labels else "", text)

    mended = corrected(relabelled(answer.text), comparison)
    problems = (check.problem for check in answer.checks)
    warnings = [*answer.warnings, *dict.fromkeys(filter(None, problems))]
    return replace(
        comparison,
        text=mended.text,
        answerer=answer.answerer,
        citations=tuple(_merged(label, places) for label, places in pages.items()),
        warnings=(*comparison.warnings, *mended.warnings, *map(relabelled, warnings)),
        usage=answer.usage,
        seconds=answer.seconds,
        partial=answer.partial,
    )


def _merged(label: str, places: Sequence[Citation]) -> Citation:
    blocks: list[Block] = []
    for place in places:
        blocks += [block for block in place.blocks if block not in blocks]
    ordered = tuple(sorted(blocks, key=lambda block: block.index))
    verdict = min((place.verified for place in places), key=WORST_FIRST.index)
    quote = join_blocks(ordered)
    return replace(places[0], label=label, blocks=ordered, quote=quote, verified=verdict)
