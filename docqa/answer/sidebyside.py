"""A comparison as a model is asked for it, and its answer as a `Comparison`; pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.answer.agreement import worst
from docqa.answer.evidence import MARKER, add_evidence, choose_hits
from docqa.types import (
    Answer,
    Block,
    Citation,
    Comparison,
    Evidence,
    FigureComparison,
    Hit,
    join_blocks,
)

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

_COMPUTED = "Figures and differences computed from the documents; use these differences as they are"


def passages_of(comparison: Comparison, *, max_chars: int) -> tuple[Evidence, ...]:
    """The passages of the pairs, then those without a partner, labelled, within a budget.

    Every document has its turn, as in `choose_hits`.
    """
    return add_evidence((), choose_hits(list(_hits(comparison)), max_chars=max_chars))


def _hits(comparison: Comparison) -> Iterator[Hit]:
    for pair in comparison.pairs:
        yield from pair.passages
    rows = [comparison.only_in.get(document.id, ()) for document in comparison.documents]
    for place in range(max(map(len, rows), default=0)):
        yield from (row[place] for row in rows if place < len(row))


def task(comparison: Comparison) -> str:
    """What is asked of the model: the question, the documents, and the figures computed."""
    listed = "\n".join(
        f"{letter}: {document.name}"
        for letter, document in zip("ABCDEFGH", comparison.documents, strict=False)
    )
    text = _TASK.format(question=comparison.question, documents=listed)
    figures = [_figure_line(figure) for figure in comparison.figures]
    return f"{text}\n\n{_COMPUTED}:\n" + "\n".join(figures) if figures else text


def _figure_line(figure: FigureComparison) -> str:
    period = f", {figure.period}" if figure.period else ""
    values = "; ".join(f"{v.document} {v.text} (p. {v.block.page})" for v in figure.values)
    result = f"difference {figure.difference}" if figure.difference else figure.note
    return f"- {figure.label}{period}: {values}; {result}".rstrip("; ")


def as_comparison(comparison: Comparison, answer: Answer) -> Comparison:
    """The comparison with the answer's text, one citation for each page, labelled ``DocA:p5``.

    ``answer`` is verified already; a page's citation has the worst verdict of its places.
    """
    letters = {d.id: f"Doc{x}" for x, d in zip("ABCDEFGH", comparison.documents, strict=False)}
    pages: dict[str, list[Citation]] = {}
    labels: dict[str, str] = {}
    for citation in answer.citations:
        label = f"{letters[citation.document_id]}:p{citation.page}"
        labels[citation.label] = label
        pages.setdefault(label, []).append(citation)
    text = MARKER.sub(
        lambda match: f"[{labels[match[1]]}]" if match[1] in labels else "", answer.text
    )
    return replace(
        comparison,
        text=text,
        answerer=answer.answerer,
        citations=tuple(_merged(label, places) for label, places in pages.items()),
        warnings=(*comparison.warnings, *answer.warnings),
        usage=answer.usage,
        seconds=answer.seconds,
    )


def _merged(label: str, places: Sequence[Citation]) -> Citation:
    blocks: list[Block] = []
    for place in places:
        blocks += [block for block in place.blocks if block not in blocks]
    ordered = tuple(sorted(blocks, key=lambda block: block.index))
    verdict = worst(place.verified for place in places)
    quote = join_blocks(ordered)
    return replace(places[0], label=label, blocks=ordered, quote=quote, verified=verdict)
