"""The row that a question names, before others that are like it: of a primary statement, before
what notes and tables of parts have under its name, or the cell of a note."""

from collections.abc import Sequence, Set
from dataclasses import replace

from docqa.answer.findings.asked import Ask
from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.cited import Gathered, Source
from docqa.answer.findings.crossings import (
    RATIOS,
    crossing_of,
    head_of,
    missing,
    names_states,
    own_words,
    words_asked,
)
from docqa.answer.findings.features import has_word
from docqa.answer.findings.formulas import plain_label
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.line_items import OTHER, is_named
from docqa.answer.findings.quotes import Quote, quotes_of
from docqa.answer.findings.ranking import holds
from docqa.answer.findings.values import Value, asks_why, periods_asked
from docqa.language.periods import months_asked, periods_in, says_only_when
from docqa.language.words import content_words
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table

Line = tuple[Table, Row]

_END = frozenset(content_words("end close"))  # "at the end of the quarter"
_ALL = frozenset(content_words("total net"))
_NAMED = 0.9  # the chance of a cell that the question names in full


def primary_first(
    ranked: list[Quote], ask: Ask, question: Question, gathered: Gathered
) -> list[Quote]:
    """``ranked`` with the row first that the question is of: the line of a primary statement, or
    the cell that it names by its group, label, column and table.

    It is the line where the question names that in full, and neither such a cell nor the quote that
    was first has words of the question that the statement lacks.
    """
    if not ranked or asks_why(question):
        return ranked
    first = ranked[0]
    for near in _one_of_each(ranked, question):
        source = Source(near.piece.hit, gathered)
        if stated := line_stated(question, source):
            return _before(ranked, _quoted(stated, source), max(first.chance, _NAMED))
        line = line_of(question, source.tables) if ask.figure else None
        words = _words(ask, question, own_words(source.document))
        whole = line is not None and not missing(words, *line) and not names_states(question.topic)
        own = _quoted(line, source) if line and whole else None
        crossing = None if own else crossing_of(question, source.tables, source.document)
        if crossing:
            own = _under(crossing, question, _quoted((crossing.table, crossing.row), source))
        if own or crossing:
            return _before(ranked, own, max(first.chance, _NAMED))
    source = Source(first.piece.hit, gathered)
    if elsewhere := _outside_equity(first, source):
        return _before(ranked, _quoted(elsewhere, source), first.chance)
    if not ask.figure:
        return ranked
    line = line_of(question, source.tables)
    if (
        line is None
        or question.several
        or _mentions(first, missing(_words(ask, question), *line), ask)
    ):
        return ranked
    return _before(ranked, _quoted(line, source), first.chance)


def _outside_equity(quote: Quote, source: Source) -> Line | None:
    """The line of another statement that is called as a row of that of equity, whose columns are
    parts of equity and tell no time; None of any other quote."""
    table, row = quote.parts[0].table, quote.parts[0].row
    if table is None or row is None or table.role != "statement of equity":
        return None
    lines = ((t, r) for t in source.tables if t.role in STATEMENTS[:-1] for r in t.rows)
    alike = (line for line in lines if plain_label(line[1].label) == plain_label(row.label))
    return min(alike, key=lambda line: STATEMENTS.index(line[0].role), default=None)


def _one_of_each(ranked: Sequence[Quote], question: Question) -> list[Quote]:
    """The likeliest quote of each document, of those that the question names if it names any; one
    alone where several are asked."""
    found: dict[str, Quote] = {}
    for quote in ranked:
        found.setdefault(quote.piece.hit.document.id, quote)
    named = [found[each] for each in question.documents if each in found]
    return named or list(found.values())[: 1 if question.several else None]


def _quoted(line: Line, source: Source) -> Quote | None:
    """A row of a document as a quote; None, and not gathered, where it says nothing to quote."""
    gathered = source.gathered
    before = gathered.evidence
    (marker,) = source.cite([line])
    pieces = (piece for piece in gathered.evidence if piece.label in marker)
    quotes = (quote for piece in pieces for quote in quotes_of(piece))
    own = next((quote for quote in quotes if quote.marker == marker), None)
    gathered.evidence = gathered.evidence if own else before
    return own


def _under(crossing: Value, question: Question, quote: Quote | None) -> Quote | None:
    """The quote of a cell's row, those of its cells meant whose columns are called as the cell's
    is, where the question says that."""
    table = crossing.table
    own = head_of(table, crossing.column)
    if quote is None or quote.row is None or own.isdisjoint(content_words(question.topic)):
        return quote
    heads = {c.heading for at, c in enumerate(table.columns) if head_of(table, at) == own}
    meant = tuple(each for each in quote.row.entries if each.header in heads)
    return replace(quote, row=replace(quote.row, meant=meant))


def _before(ranked: list[Quote], own: Quote | None, chance: float) -> list[Quote]:
    """The quotes after another, which gets the chance given."""
    if own is None:
        return ranked
    others = (quote for quote in ranked if quote.marker != own.marker)
    return [replace(own, chance=chance), *others]


def of_statements(rows: Sequence[Judged], question: Question, gathered: Gathered) -> list[Judged]:
    """``rows`` with the row first that the question names by its group, label, column and table;
    or with the line of a primary statement that the first is called like, where that has all that
    the question says, or there is no such row."""
    first = rows[0].candidate
    source, label = Source(first.piece.hit, gathered), first.row.label if first.row else ""
    document, tables = source.document, source.tables
    line, crossing = line_of(question, tables), crossing_of(question, tables, document)
    words = words_asked(question.topic, own_words(document))
    whole = line is not None and not missing(words, *line)
    if crossing and not whole:
        line = crossing.table, crossing.row
    elif line is None or plain_label(line[1].label) != plain_label(label):
        return list(rows)
    (marker,) = source.cite([line])
    own = next((each for each in candidates(gathered.evidence) if each.marker == marker), first)
    return [replace(rows[0], candidate=own), *rows]


def line_of(question: Question, tables: Sequence[Table]) -> Line | None:
    """The row of the primary statements that a question names in full, and of the time it names.

    Of several the one that more of it names, then one that it names word for word; then that of the
    statement that comes first.
    """
    asked = {word for word in content_words(question.topic) if not says_only_when(word)}
    rows = [(t, row) for t in tables if t.role in STATEMENTS for row in t.rows if not row.is_group]
    named = [line for line in rows if is_named(line[1], question) and _is_of_time(line, question)]
    said = _said(question)

    def rank(line: Line) -> tuple[int, bool, int, int]:
        table, row = line
        own = asked.intersection(content_words(row.label))
        path = asked.intersection(content_words(" ".join(row.path)))
        whole = f" {plain_label(row.label)} " in said
        return -len(own), not whole, -len(path), STATEMENTS.index(table.role)

    return min(named, key=rank, default=None)


def line_stated(question: Question, source: Source) -> Line | None:
    """The line of a document's statements that is all a question names ("total assets")."""
    known = own_words(source.document) | _END | _ALL
    asked = set(words_asked(question.topic, known)) | RATIOS & set(content_words(question.topic))
    lines = [
        (table, row)
        for table in source.tables
        for row in table.rows
        if asked and table.role in STATEMENTS and not row.is_group
        if asked == set(content_words(row.label)) - known
    ]
    other = OTHER.search(question.topic) is not None
    said = _said(question)

    def rank(line: Line) -> tuple[bool, bool, int]:
        whole = f" {plain_label(line[1].label)} " in said
        return not whole, not _is_of_time(line, question), STATEMENTS.index(line[0].role)

    meant = [each for each in lines if other or not OTHER.search(each[1].label)]
    of_time = (each for each in meant if _is_of_time(each, question, at=True))
    return min(of_time, key=rank, default=None)


def _said(question: Question) -> str:
    return f" {plain_label(question.topic).rstrip('?.! ')} "


def _is_of_time(line: Line, question: Question, *, at: bool = False) -> bool:
    """Whether a row has a cell of each year, and of the length of time, that is asked for; or, if
    ``at``, one of a date, which has no length."""
    table, row = line
    periods = [table.period_of(row, column) for column, cell in enumerate(row.cells) if cell]
    months = months_asked(question.whole)
    long = [p for p in periods if months in (0, p.months) or (at and p.months == 0)]
    return bool(long) and {p.year for p in periods_asked(question)} <= {p.year for p in long}


def _words(ask: Ask, question: Question, known: Set[str] = frozenset()) -> list[str]:
    """The question's words, its time and what is ``known`` apart."""
    when = {w for period in periods_in(question.whole) for w in content_words(period.text)}
    known = known | when | _END
    return [w for w in ask.weights if w not in known and not says_only_when(w)]


def _mentions(quote: Quote, words: Sequence[str], ask: Ask) -> bool:
    """Whether a quote that is of what is asked, or what stands over it, has one of these words."""
    rows = (table.row(quote.block.index) for table in quote.piece.hit.tables)
    path = " ".join(label for row in rows if row for label in row.path)
    stems = (*quote.stems, *quote.title, *quote.context, *content_words(path))
    return any(holds(quote, word) for word in ask.weights) and any(
        has_word(stems, word) for word in words
    )
