"""Sums worked out of printed figures, and the places where an answer most likely stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docqa.answer.evidence import citations_in
from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.cited import Source
from docqa.answer.findings.formulas import amounts_given, formula_of, worked_out
from docqa.answer.findings.judge import Judged, Networks
from docqa.answer.findings.lists import Listing, listed
from docqa.answer.findings.operations import operation_of
from docqa.answer.findings.sums import summed
from docqa.types.answer import Answer, Evidence
from docqa.types.document import Block
from docqa.types.finding import Finding
from docqa.types.question import Question
from docqa.types.table import Table

LIKELY = "No passage states this outright. It most likely stands in:"

# Chosen on what `tests.training.judge` holds back, and on even contexts of TAT-QA.
ROW = 0.25  # the chance of a row from which on a sum is worked out of it
ASKED = 0.45  # the chance that a sum is asked for
EXCERPTS = 3
ROWS_SHOWN = 3  # of a table that is likely to answer


@dataclass(frozen=True, slots=True)
class Means:
    """What sums are worked out by: the networks, and a document's tables and blocks by its id."""

    networks: Networks
    tables: Callable[[str], Sequence[Table]]
    blocks: Callable[[str], Sequence[Block]]


def worked(
    question: Question, judged: Sequence[Judged], evidence: tuple[Evidence, ...], means: Means
) -> tuple[list[Finding], tuple[Evidence, ...]]:
    """The figure a question asks to be worked out, its inputs after it; none where none is.

    The evidence comes back with the tables the inputs are from. A question that gives an amount
    itself ("if we paid $18 million") asks for another sum than of what is printed.
    """
    if question.several:
        return [], evidence
    operation, chance = operation_of(question.whole)
    is_asked = operation != "none" and chance >= ASKED
    if formula_of(question) is None and not is_asked:
        return [], evidence
    found, grown = worked_out(question, judged, evidence, means.tables, means.blocks)
    if found or amounts_given(question):
        return found, grown
    rows = [each for each in judged if each.candidate.row is not None]
    if not is_asked or not rows or rows[0].chance < ROW:
        return [], evidence
    one = summed(operation, question, rows)
    return ([one] if one else []), evidence


def enumerated(
    question: Question, evidence: tuple[Evidence, ...], means: Means
) -> tuple[dict[str, Listing], tuple[Evidence, ...]]:
    """The rows of tables that a question asks for, by the name of their document.

    The evidence comes back with these tables. Where the question names no document, it is the one
    found first that has such a table.
    """
    found: dict[str, Listing] = {}
    hits = {each.hit.document.id: each.hit for each in reversed(evidence)}
    for hit in reversed(hits.values()):
        tables = means.tables(hit.document.id)
        own, evidence = listed(question, tables, Source(hit, means.blocks), evidence)
        if own is not None and (question.documents or not found):
            found[hit.document.name] = own
    return found, evidence


def likely(judged: Sequence[Judged], evidence: tuple[Evidence, ...], *, answerer: str) -> Answer:
    """Where an answer most likely stands: a table with its rows, or a sentence, of three places."""
    lines: dict[str, str] = {}
    for each in judged:
        label = each.candidate.piece.label
        if label not in lines and len(lines) < EXCERPTS:
            lines[label] = _excerpt(label, judged)
    text = "\n".join([LIKELY, *(f"- {line}" for line in lines.values())])
    return Answer(text, answerer, citations_in(text, evidence), evidence, likely=True)


def _excerpt(label: str, judged: Sequence[Judged]) -> str:
    """The likeliest sentence of a passage; of a table its likeliest rows under its title."""
    own = [each.candidate for each in judged if each.candidate.piece.label == label]
    first = own[0]
    if first.row is None or first.table is None:
        return f"“{first.text}” {first.marker}"
    rows = [each for each in own if each.table == first.table][:ROWS_SHOWN]
    shown = "; ".join(f"{_row(each)} {each.marker}" for each in rows)
    title = first.table.title or first.piece.hit.chunk.section
    return f"{title.rstrip(' :')}: {shown}" if title else shown


def _row(candidate: Candidate) -> str:
    """A row with its cells, each after its column's heading."""
    assert candidate.table is not None
    assert candidate.row is not None
    cells = (
        f"{column.heading}: {cell}" if column.heading else cell
        for column, cell in zip(candidate.table.columns, candidate.row.cells, strict=True)
        if cell
    )
    return f"{candidate.row.name} — {'; '.join(cells)}"
