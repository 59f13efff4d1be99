"""Sums worked out of printed figures, and the places where an answer most likely stands."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from docqa.answer.evidence import citations_in
from docqa.answer.findings.breakdown import broken_down
from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.cited import Gathered, Source, document_as_hit
from docqa.answer.findings.columns_meant import IN_YEARS
from docqa.answer.findings.composition import made_of
from docqa.answer.findings.facts import across, named_facts, overview
from docqa.answer.findings.fits import Fitting, best_fit
from docqa.answer.findings.grids import Grid, grids
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.line_items import is_named
from docqa.answer.findings.lists import (
    asks_for_most,
    listed,
    listing,
    looked_up,
    told_by_columns,
)
from docqa.answer.findings.operations import (
    MOST,
    Operation,
    likeliest,
    operation_odds,
    operation_of,
)
from docqa.answer.findings.over_rows import operation_over, over_rows
from docqa.answer.findings.parties import parties_of
from docqa.answer.findings.points import points_of
from docqa.answer.findings.primary import line_stated, of_statements
from docqa.answer.findings.quotes import Quote
from docqa.answer.findings.ratios import amounts_given, worked_out
from docqa.answer.findings.rows_asked import asks_for_rows
from docqa.answer.findings.rows_meant import has_limits
from docqa.answer.findings.schedules import scheduled
from docqa.answer.findings.selections import Selection, asks_of, best_selection
from docqa.answer.findings.summary import summarized
from docqa.answer.findings.sums import MIDPOINT, OF_ONE_YEAR, summed
from docqa.answer.findings.tell import told
from docqa.answer.findings.term_end import term_end
from docqa.answer.findings.values import (
    TOTAL,
    is_over_time,
    last_times,
    names_times,
    periods_asked,
    tells_how_it_moved,
)
from docqa.language.periods import calendar_months
from docqa.language.trees import Numbers
from docqa.language.words import content_words
from docqa.types.answer import Answer, Evidence
from docqa.types.phrases import SUB_ITEM, quoted
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Table

LIKELY = "No passage states this outright. It most likely stands in:"
NEAREST_TO_IT = "No passage states this outright. These come nearest:"

# Chosen on what `tests.training.judge` holds back, and on even contexts of TAT-QA.
ROW = 0.25  # the chance of a row from which on a sum is worked out of it
ASKED = 0.7  # the chance that a sum is asked for
FITTED = 0.5  # the same, of what trees tell the figures of
FITS = 0.5  # the chance from which on that is told
SELECTED = 0.6  # the same of rows
ROWS_ASKED = 1.0  # the log odds that rows are asked for, from which on no sum is
OVER_TIME = 0.5  # the same, where the question names a row, and several times by name
_EACH = re.compile(r"\b(?:each|every)\s+(?:\w+\s+)?(?:year|half|quarter|month)\b", re.IGNORECASE)
EXCERPTS = 3
MANY = 60  # documents that are all looked at
FEW = 3  # documents whose sections are all told
ROWS_SHOWN = 3  # of a table that is likely to answer
ROWS_LISTED, CELLS_LISTED = 12, 4  # the same, where several things are asked for


def worked(question: Question, judged: Sequence[Judged], gathered: Gathered) -> list[str]:
    """The figure a question asks to be worked out, its inputs after it; none where none is.

    A question that gives an amount itself ("if we paid $18 million") does not ask about printed
    figures, and one for the largest row of a table is not a sum.
    """
    if question.leads and enumerated(question, gathered.copy()):
        return []
    if ended := term_end(question, judged, gathered):
        return ended
    ratio = worked_out(question, judged, gathered)
    if ratio and is_over_time(question):
        return ratio
    operation, chance = _operation_of(question, gathered)
    is_asked = chance >= ASKED
    sure = is_asked and operation != "count"
    if question.intent != "comparison":
        added = operation_over(question, operation, sure=sure)
        for source in _of_each_document(gathered):
            if over := over_rows(question, added, source, sure=sure):
                return [over]
    if question.several and not (names_times(question) and len(question.documents) < 2):
        return []  # of several things, and not of one at several times
    chooses = asks_for_most(question) or IN_YEARS.search(question.topic)
    if chooses and enumerated(question, gathered.copy()):
        return []
    if ratio or amounts_given(question):
        return ratio
    of_rows = (each for each in judged if each.candidate.row is not None)
    rows = sorted(of_rows, key=lambda each: (not _is_named(each, question), -each.chance))
    named = bool(rows) and _is_named(rows[0], question)
    over_time = named and len(periods_asked(question)) > 1 and not _EACH.search(question.topic)
    is_asked = is_asked or (over_time and chance >= OVER_TIME)
    if not is_asked and named and tells_how_it_moved(question):
        operation, is_asked = "change", True
    if not is_asked or not rows:
        return []
    rows = of_statements(rows, question, gathered)
    one = summed(operation, question, rows) if named or rows[0].chance >= ROW else ""
    return [one] if one else []


@dataclass(frozen=True, slots=True)
class _Looked:
    """A table as a question looks at it, with the document that it is cited of."""

    grid: Grid
    source: Source


def _looked_at(question: Question, judged: Sequence[Judged], gathered: Gathered) -> list[_Looked]:
    """The tables of the documents found first whose rows are likeliest to answer."""
    sources = {source.document.id: source for source in _of_each_document(gathered)[:FEW]}
    networks = gathered.means.networks
    return [
        _Looked(grid, source)
        for source in sources.values()
        for grid in grids(question, judged, source.document, source.tables, networks)
    ]


def fitted(question: Question, judged: Sequence[Judged], gathered: Gathered) -> str:
    """What the program that fits a question best comes to, and where its figures stand; "" where
    none is asked for, or none fits surely enough."""
    odds = _operation_odds(question, gathered)
    if likeliest(odds)[1] < FITTED or _asks_for_rows(question, gathered):
        return ""
    found = _looked_at(question, judged, gathered)
    fit = best_fit([each.grid for each in found], odds)
    if fit is None or fit.chance < FITS or not _is_of_what_is_asked(fit):
        return ""
    source, program = _source_of(fit.grid, found), fit.program
    figures = (*program.values, *program.whole)
    text = told(program, question)
    markers = source.cite([(fit.grid.table, value.row) for value in figures]) if text else []
    return f"{text} {''.join(dict.fromkeys(markers))}".strip()


def _is_of_what_is_asked(fit: Fitting) -> bool:
    """Whether a program has a column and a month that the question names, where it names any, makes
    no share of shares, and adds what is asked."""
    operation, values = fit.program.operation, fit.program.values
    called = (at for at, each in enumerate(fit.grid.columns) if each.words and not each.unasked)
    named, months = fit.grid.figures.union(called), calendar_months(fit.grid.question.whole)
    dated = {value.period.month for value in values if value.period.month}
    if named and named.isdisjoint(value.column for value in values):
        return False
    if months and dated and months.isdisjoint(dated):
        return False
    if operation == "share" and any(value.unit == "%" for value in values):
        return False
    return operation not in ("sum", "average") or _adds_what_is_asked(fit)


def _adds_what_is_asked(fit: Fitting) -> bool:
    """Whether as many times are added as a question counts ("the last five years"), and no rows
    beside those that it names."""
    question, values = fit.grid.question, fit.program.values
    if any(value.row != values[0].row for value in values):
        named = [fit.grid.table.rows[at] for at in fit.grid.named]
        asked = set(content_words(question.topic))
        others = (value.row for value in values if value.row not in named)
        return not named or all(asked & set(content_words(row.label)) for row in others)
    of_one = OF_ONE_YEAR.search(question.whole) or MIDPOINT.search(question.whole)
    if of_one and len({value.period.end for value in values}) > 1:
        return False
    return last_times(question) in (0, len(values))


def selected(
    question: Question, judged: Sequence[Judged], gathered: Gathered, *, least: float = SELECTED
) -> tuple[Selection, Source] | None:
    """The rows of a table that a question most likely means, and what they are cited of; None where
    a sum is asked for, or the chance that it means just these is not the ``least``."""
    asks = asks_of(question, gathered.means.networks)
    operation, chance = likeliest(_operation_odds(question, gathered))
    adds = chance >= FITTED and operation not in MOST
    if adds and max(asks.asked.rows, asks.asked.furthest) < ROWS_ASKED:
        return None
    found = _looked_at(question, judged, gathered)
    best = best_selection([each.grid for each in found], asks)
    return (best, _source_of(best.grid, found)) if best and best.chance >= least else None


def listed_rows(question: Question, meant: Selection, source: Source) -> str:
    """Rows of a table with the columns by which they were chosen and that a question most likely
    means, cited."""
    table, columns = meant.grid.table, meant.grid.read.columns
    shown = [at for at, likely in enumerate(columns) if likely > 0 or at in meant.columns]
    rows = [table.rows[at] for at in meant.rows]
    return listing(question, table, rows, shown, source)


def _operation_odds(question: Question, gathered: Gathered) -> Numbers:
    return operation_odds(question.whole, gathered.means.networks.vector(question.whole))


def _source_of(grid: Grid, found: Sequence[_Looked]) -> Source:
    return next(each.source for each in found if each.grid is grid)


def _of_each_document(gathered: Gathered) -> list[Source]:
    """Each document by its first hit; documents in the order of their last hits."""
    hits = {each.hit.document.id: each.hit for each in reversed(gathered.evidence)}
    return [Source(hit, gathered) for hit in reversed(hits.values())]


def held_together(question: Question, gathered: Gathered) -> list[str]:
    """A fact that several documents state, summed or the most of it; none where none is asked."""
    operation, chance = _operation_of(question, gathered)
    if chance < ASKED:
        return []
    documents = gathered.means.documents(question.documents or question.document_ids)
    if not 1 < len(documents) <= MANY:
        return []
    return across(question, operation, [Source(document_as_hit(d), gathered) for d in documents])


def _operation_of(question: Question, gathered: Gathered) -> tuple[Operation, float]:
    """The sum that a question asks for, and the chance of that; 0 where it surely asks for rows."""
    found = operation_of(question.whole, gathered.means.networks.vector(question.whole))
    return (found[0], 0.0) if _asks_for_rows(question, gathered) else found


def _asks_for_rows(question: Question, gathered: Gathered) -> bool:
    """Whether a question asks for rows so surely that it asks for no sum of them."""
    vector = gathered.means.networks.vector(question.topic)
    return asks_for_rows(question.topic, vector) >= ROWS_ASKED


def _is_named(judged: Judged, question: Question) -> bool:
    """Whether a question names a row; a total by what it is of, too ("Creditors due in a year")."""
    row, table = judged.candidate.row, judged.candidate.table
    if row is None or table is None:
        return False
    whole = (*row.path, table.title)[0] if TOTAL.search(row.label) else ""
    return is_named(row, question) or is_named(replace(row, label=whole), question)


def enumerated(question: Question, gathered: Gathered) -> dict[str, str]:
    """The rows of tables that a question asks for, by the name of their document.

    Where the question names no document, it is the one found first that has such a table. Of a line
    of a statement ("total assets") only its parts are told so ("revenue by segment").
    """
    sources = [*_of_each_document(gathered), *_rent_rolls(question, gathered)]
    others = (scheduled, made_of, listed, told_by_columns, looked_up, named_facts, overview)

    def rows(question: Question, source: Source) -> str:
        if told := broken_down(question, source):
            return told
        finders = () if line_stated(question, source) else others
        return next(filter(None, (find(question, source) for find in finders)), "")

    return _by_document(question, sources, (rows,), every=bool(question.documents))


def _rent_rolls(question: Question, gathered: Gathered) -> Iterator[Source]:
    """The documents with a rent roll that a search for leases of some time or size did not find,
    where the question names no document."""
    if question.documents or not has_limits(question):
        return
    known = {each.hit.document.id for each in gathered.evidence}
    every = gathered.means.documents(question.document_ids)
    others = [Source(document_as_hit(each), gathered) for each in every if each.id not in known]
    for source in others if len(others) <= MANY else ():
        if any(table.role == "rent roll" for table in source.tables):
            yield source


def section_points(question: Question, gathered: Gathered) -> dict[str, str]:
    """The points of the sections that a question asks for, by the name of their document.

    Where the question names no document, of all where few are asked, else of the one found first
    that has such a section.
    """
    sources = [each for each in _of_each_document(gathered) if not line_stated(question, each)]
    every = bool(question.documents) or len(sources) <= FEW
    return _by_document(question, sources, (parties_of, points_of, summarized), every=every)


def _by_document(
    question: Question,
    sources: Sequence[Source],
    finders: Sequence[Callable[[Question, Source], str]],
    *,
    every: bool,
) -> dict[str, str]:
    """What the first finder that finds something finds in each document; in the first that has
    something alone, unless in ``every`` one."""
    found: dict[str, str] = {}
    for source in sources:
        own = next(filter(None, (find(question, source) for find in finders)), "")
        if own and (every or not found):
            found[source.document.name] = own
    return found


def likely(
    judged: Sequence[Judged],
    evidence: tuple[Evidence, ...],
    *,
    lead: str,
    answerer: str,
    whole: Sequence[Sequence[Quote]] = (),
    listed: Callable[[Table], Sequence[int]] | None = None,
) -> Answer:
    """Where an answer most likely stands: a table with its rows, or a sentence, of three places.

    ``lead`` says above them how likely that is; a sentence stands as ``whole`` as it is there, with
    the items that it leads in. Where rows of a list are asked for, the likeliest table shows more
    of its rows under those columns that are ``listed`` of it, but for a statement, which lists no
    things.
    """
    lines: list[str] = []
    shown: Table | None = None  # with its list of rows
    for candidate in places_of(judged):
        table = candidate.table
        if shown is not None and table == shown:
            continue
        own = next((e for e in whole if candidate in e[0].parts and not e[0].row), ())
        told = f"\n{SUB_ITEM}".join(map(_whole, own))
        columns = None
        if listed and shown is None and table is not None and table.role not in STATEMENTS:
            shown, columns = table, listed(table)
        lines.append(told or _excerpt(candidate, judged, columns))
    text = "\n".join([lead, *(f"- {line}" for line in lines)])
    return Answer(text, answerer, citations_in(text, evidence), evidence, likely=True)


def _whole(quote: Quote) -> str:
    """A sentence word for word, or a row of the table that one leads in, cited."""
    part = quote.parts[0]
    text = quoted(quote.text) if quote.row is None else _row(part)
    return f"{text} {quote.marker}"


def places_of(judged: Sequence[Judged]) -> list[Candidate]:
    """The likeliest candidate of each of the passages that are shown as likely places."""
    first: dict[str, Candidate] = {}
    for each in judged:
        first.setdefault(each.candidate.piece.label, each.candidate)
    return list(first.values())[:EXCERPTS]


def _excerpt(first: Candidate, judged: Sequence[Judged], listed: Sequence[int] | None) -> str:
    """The likeliest sentence of a passage; of a table its likeliest rows under its title, where
    they are ``listed`` under some columns more of them, in their order."""
    if first.row is None or first.table is None:
        return f"{quoted(first.text)} {first.marker}"
    own = [each.candidate for each in judged if each.candidate.table == first.table]
    if listed is None:
        rows = [each for each in own if each.piece == first.piece][:ROWS_SHOWN]
    else:
        rows = sorted(own[:ROWS_LISTED], key=lambda each: each.block.index)
    columns = listed if len(rows) > ROWS_SHOWN else None
    told = [f"{_row(each, columns)} {each.marker}" for each in rows]
    title = (first.table.title or first.piece.hit.chunk.section).rstrip(" :")
    if len(told) == 1:
        return ": ".join(filter(None, (title, *told)))
    return f"\n{SUB_ITEM}".join((f"{title}:" if title else "Rows of a table:", *told))


def _row(candidate: Candidate, listed: Sequence[int] | None = None) -> str:
    """A row with its cells, of some columns or all, each after its column's heading."""
    table, row = candidate.table, candidate.row
    assert table is not None
    assert row is not None
    every = [at for at, cell in enumerate(row.cells) if cell]
    shown = every if listed is None else [at for at in every if at in listed]
    cells = (": ".join(filter(None, (table.columns[at].heading, row.cells[at]))) for at in shown)
    more = ["…"] if len(shown) < len(every) else []
    return f"{row.name} — {'; '.join([*cells, *more])}"
