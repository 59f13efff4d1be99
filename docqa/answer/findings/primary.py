"""A line of a primary statement, before what notes and tables of parts have under its name."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.answer.findings.asked import Ask
from docqa.answer.findings.cited import Source, cited
from docqa.answer.findings.quotes import Quote, quotes_of
from docqa.answer.findings.relevance import is_said
from docqa.answer.findings.rows import says_only_when
from docqa.answer.findings.values import periods_asked
from docqa.answer.findings.worked import Means, is_named
from docqa.language.periods import months_asked
from docqa.language.words import content_words
from docqa.types.answer import Evidence
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table

Line = tuple[Table, Row]


def primary_first(
    ranked: list[Quote],
    ask: Ask,
    question: Question,
    evidence: tuple[Evidence, ...],
    means: Means,
) -> tuple[list[Quote], tuple[Evidence, ...]]:
    """``ranked`` with the line of a primary statement first that the question is of.

    It is where the question names the line in full, and what was first, or what stands around it,
    has no more words of the question than the statement has. The evidence comes back with it.
    """
    if not ranked or not ask.figure:
        return ranked, evidence
    first = ranked[0]
    line = line_of(question, means.tables(first.piece.hit.document.id))
    if line is None:
        return ranked, evidence
    grown, (marker,) = cited([line], Source(first.piece.hit, means.blocks), evidence)
    quotes = (quote for piece in grown if piece.label in marker for quote in quotes_of(piece))
    own = next((quote for quote in quotes if quote.marker == marker), None)
    unsaid = _unsaid(own, line[0], ask) if own else ()
    if own is None or any(question.several or _says(first, word) for word in unsaid):
        return ranked, evidence
    others = (quote for quote in ranked if quote.marker != marker)
    return [replace(own, score=first.score), *others], grown


def line_of(question: Question, tables: Sequence[Table]) -> Line | None:
    """The row of the primary statements that a question names in full, and of the time it names.

    Of several the one that more of the question names; then that of the statement that comes first.
    """
    asked = set(content_words(question.topic))
    rows = [(t, row) for t in tables if t.role in STATEMENTS for row in t.rows if not row.is_group]
    named = [line for line in rows if is_named(line[1], question) and _is_of_time(line, question)]

    def rank(line: Line) -> tuple[int, int, int]:
        table, row = line
        own = asked.intersection(content_words(row.label))
        path = asked.intersection(content_words(" ".join(row.path)))
        return -len(own), -len(path), STATEMENTS.index(table.role)

    return min(named, key=rank, default=None)


def _is_of_time(line: Line, question: Question) -> bool:
    """Whether a row has a cell of each year, and of the length of time, that is asked for."""
    table, row = line
    periods = [table.period_of(row, at) for at, cell in enumerate(row.cells) if cell]
    months = months_asked(question.whole)
    long = [p for p in periods if not months or p.months == months]
    return {p.year for p in periods_asked(question)} <= {p.year for p in long}


def _unsaid(line: Quote, statement: Table, ask: Ask) -> list[str]:
    """The question's words, its time apart, that a line's statement does not have anywhere."""
    labels = " ".join(row.label for row in statement.rows)
    told = (*line.stems, *line.title, *line.context, *content_words(labels))
    topic = (word for word in ask.weights if not says_only_when(word))
    return [word for word in topic if not is_said(told, word)]


def _says(quote: Quote, word: str) -> bool:
    """Whether a quote, or what stands over it, has a word of the question."""
    block = quote.piece.hit.chunk.blocks[quote.first - 1]
    rows = (table.row(block.index) for table in quote.piece.hit.tables)
    path = " ".join(label for row in rows if row for label in row.path)
    return is_said((*quote.stems, *quote.title, *quote.context, *content_words(path)), word)
