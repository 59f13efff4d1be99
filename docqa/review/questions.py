"""A question about the whole table of a review, answered by code from its typed cells; pure.

"Which leases expire before 2028?" asks for rows by a condition on a column, "Which has the highest
rent?" for the end of one, "What is the total rent?" for its sum; any other question that a column
is about is answered with its cells.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from docqa.answer.findings.conditions import Bound, Passes, bounds_in, of_time
from docqa.answer.findings.lists import things_asked
from docqa.language.vocabulary import NEAR
from docqa.language.words import content_words
from docqa.review.columns import figures_of, measure
from docqa.types.answer import Answer, Citation
from docqa.types.document import Document, spoken_name
from docqa.types.phrases import count
from docqa.types.question import Question
from docqa.types.review import Cell, Column, ReviewTable, TableAnswer

_MOST = re.compile(
    r"(?<!at )\b(?:highest|largest|greatest|biggest|most|longest|latest|maximum)\b", re.IGNORECASE
)
_LEAST = re.compile(
    r"(?<!at )\b(?:lowest|smallest|least|shortest|earliest|minimum|fewest)\b", re.IGNORECASE
)
_LAST, _FIRST = (re.compile(rf"\b{each}\W*$", re.IGNORECASE) for each in ("last", "first"))
_SUM = re.compile(r"\b(?:sum|total|combined|altogether)\b", re.IGNORECASE)
_MEAN = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
_SELECTS = re.compile(
    r"^\W*(?:which|what|list|name|show|who|how many|(?:do|does|are|is) any)\b", re.I
)
_WITHOUT = re.compile(r"\b(?:no|not|without|lacks?|lacking|missing|n't|never)\b", re.IGNORECASE)
_WHICH = re.compile(r"\bwhich\s+([\w-]+)", re.IGNORECASE)
_NEXT = 2  # rows told beside the highest or lowest

Holds = Callable[[Cell], bool | None]
"""Whether a cell is as asked; None where it has nothing to tell it by."""


@dataclass(frozen=True, slots=True)
class _Condition:
    column: Column
    holds: Holds


@dataclass(frozen=True, slots=True)
class _Told:
    """What is said of which rows, a few cells of each, and what to beware of."""

    lead: str
    rows: Sequence[Sequence[Cell]]
    warnings: Sequence[str] = ()


def answered(question: Question, table: ReviewTable) -> TableAnswer:
    """The answer that the table's cells give, each with its place and its citation.

    Not found where no column is about what is asked.
    """
    if answer := across(question, table):
        return answer
    told = _of_column(question, table, _asked(question, table))
    if told is not None:
        return _written(told, table)
    titles = ", ".join(each.title for each in table.review.columns)
    text = f"No column of the table is about this; it has: {titles}."
    return TableAnswer(Answer(text, "extractive", found=False))


def across(question: Question, table: ReviewTable) -> TableAnswer | None:
    """The answer to what only all rows together tell: which are as a condition asks, the highest
    or lowest, a sum or a mean. None for any other question."""
    documents = _asked(question, table)
    conditions = list(_conditions(question, table))
    held = {
        each.id: [one.holds(table.cell(each.id, one.column.id)) for one in conditions]
        for each in documents
    }
    rows = [each for each in documents if all(held[each.id])]
    open_ = [each for each in documents if None in held[each.id] and False not in held[each.id]]
    used = list(dict.fromkeys(each.column for each in conditions))
    told = _worked_out(question, table, rows, used)
    if told is None and used:
        told = _listed([*_named(question, table, used), *used], table, rows, documents)
    if told is None:
        return None
    lacking = [_without(open_, used[-1])] if open_ and used else []
    return _written(replace(told, warnings=[*told.warnings, *lacking]), table)


def takes_all_rows(question: Question) -> bool:
    """Whether `across` may answer: a time or a limit is named, the end, sum or mean is asked for.

    Told by the question alone, before any table is looked at.
    """
    said = question.topic
    worked_out = (_MOST, _LEAST, _LAST, _FIRST, _SUM, _MEAN)
    if any(pattern.search(said) for pattern in worked_out) or of_time(said):
        return True
    return next(bounds_in(said), None) is not None


def _asked(question: Question, table: ReviewTable) -> list[Document]:
    """The rows that a question names, else all."""
    named = set(question.documents)
    return [each for each in table.documents if not named or each.id in named]


def _conditions(question: Question, table: ReviewTable) -> Iterator[_Condition]:
    passes = of_time(question.topic)
    if passes and (column := _column(question, table, kinds=("date",))):
        yield _Condition(column, partial(_in_time, passes))
    for bound in bounds_in(question.topic):
        if column := _column(question, table, kinds=("figure",), text=bound.said):
            yield _Condition(column, partial(_within, bound))


def _in_time(passes: Passes, cell: Cell) -> bool | None:
    found = cell.found
    return passes(found.day) if found is not None and found.day else None


def _within(bound: Bound, cell: Cell) -> bool | None:
    found = cell.found
    if found is None or found.number is None:
        return None
    same = not bound.unit or bound.unit in (found.unit, found.unit.partition("/")[0])
    return bound.passes(found.number) if same else None


# Which column is asked about


def _column(
    question: Question, table: ReviewTable, *, kinds: Sequence[str] = (), text: str = ""
) -> Column | None:
    """The column that the question is about most; None where it has no word of any.

    Words of its own count before words that mean the same, and neither what the rows are called.
    ``text`` is looked at before the whole where it is given.
    """
    columns = [each for each in table.review.columns if not kinds or each.kind in kinds]
    for said in filter(None, (text, question.topic)):
        stems = set(content_words(said))
        own = stems - _rows_called(question)
        near = {each for stem in own for each in NEAR.get(stem, ())}
        for known in (own, stems, near):
            best = max(columns, key=lambda each: _score(each, known), default=None)
            if best is not None and any(_score(best, known)):
                return best
    return None


def _rows_called(question: Question) -> set[str]:
    """The stems of what a question calls the rows: "which leases", "each contract"."""
    called = " ".join(_WHICH.findall(question.topic))
    return set(content_words(called)) | things_asked(question)


def _named(question: Question, table: ReviewTable, used: Sequence[Column]) -> list[Column]:
    """The columns beside those ``used`` whose whole titles stand in the question."""
    stems = set(content_words(question.topic))
    titles = {each: set(content_words(each.title)) for each in table.review.columns}
    return [each for each, title in titles.items() if each not in used and title and title <= stems]


def _score(column: Column, known: set[str]) -> tuple[float, int]:
    title, asks = set(content_words(column.title)), set(content_words(column.question))
    share = sum(len(each & known) / len(each) for each in (title, asks) if each)
    return share, len(title & known)


# What is worked out


def _worked_out(
    question: Question, table: ReviewTable, rows: Sequence[Document], used: Sequence[Column]
) -> _Told | None:
    """The highest or lowest, the sum or the mean of a column, where that is asked for."""
    said = question.topic
    most, least = _MOST.search(said), _LEAST.search(said)
    kinds = ("figure", "date") if most or least else ("date",)
    most, least = most or _LAST.search(said), least or _FIRST.search(said)
    if most or least:
        column = _column(question, table, kinds=kinds)
        return _extreme(column, table, rows, highest=bool(most)) if column else None
    wanted = "Mean" if _MEAN.search(said) else "Sum" if _SUM.search(said) else ""
    column = _column(question, table, kinds=("figure",)) if wanted else None
    if column is None or column in used:
        return None
    unsure = [each for each in rows if table.cell(each.id, column.id).state == "likely"]
    cells, warnings = _comparable(column, table, [each for each in rows if each not in unsure])
    figures = figures_of(cells)
    if figures is None:
        return None
    if unsure:
        warnings = [*warnings, f"Left out, as uncertain: {_names(unsure)}."]
    result = figures.mean if wanted == "Mean" else figures.sum
    printed = f"{result:,.2f}".removesuffix(".00")
    lead = f"{wanted} of {column.title}: {printed} {figures.unit}".rstrip()
    return _Told(f"{lead}, over {count(figures.n, 'document')}:", [[c] for c in cells], warnings)


def _extreme(
    column: Column, table: ReviewTable, rows: Sequence[Document], *, highest: bool
) -> _Told | None:
    cells, warnings = _comparable(column, table, rows)
    if not cells:
        return None
    ordered = sorted(cells, key=_size, reverse=highest)
    most, least = ("Latest", "Earliest") if column.kind == "date" else ("Highest", "Lowest")
    word = most if highest else least
    lead = f"{word} {column.title}, of {count(len(cells), 'document')}, and what comes next:"
    return _Told(lead, [[cell] for cell in ordered[: 1 + _NEXT]], warnings)


def _size(cell: Cell) -> Decimal | str:
    assert cell.found is not None
    return cell.found.number if cell.found.number is not None else cell.found.day


def _comparable(
    column: Column, table: ReviewTable, rows: Sequence[Document]
) -> tuple[list[Cell], list[str]]:
    """The cells of a column that can be set against each other, and what is left out of them."""
    cells = [table.cell(each.id, column.id) for each in rows]
    if column.kind == "date":
        kept = [each for each in cells if each.found and each.found.day]
    else:
        figures = figures_of(cells)
        unit = figures.unit if figures else ""
        figured = [each for each in cells if each.found and each.found.number is not None]
        kept = [each for each in figured if each.found and measure(each.found) == unit]
    left = {each.document_id for each in cells} - {each.document_id for each in kept}
    names = [each for each in rows if each.id in left]
    return kept, [_without(names, column)] if names else []


def _of_column(question: Question, table: ReviewTable, rows: Sequence[Document]) -> _Told | None:
    """The rows whose cell of a column is as asked: with words, yes or no, there or not there.

    Where the question selects nothing, or by words that no cell has, all of them.
    """
    column = _column(question, table)
    if column is None:
        return None
    cells = {each.id: table.cell(each.id, column.id) for each in rows}
    known = [each for each in rows if cells[each.id].state not in ("waiting", "failed")]
    if not _SELECTS.search(question.topic):
        return _listed([column], table, known, rows)
    own = set(content_words(f"{column.title} {column.question} {column.kind}"))
    words = set(content_words(question.topic)) - own - _rows_called(question)
    without = _WITHOUT.search(question.topic) is not None
    has = partial(_has, words=words, is_yes=column.kind == "yes or no")
    if words and not any(has(each) for each in cells.values()):
        lead = f"The cells do not tell this apart; all that stands under {column.title}:"
        return _Told(lead, [[cells[each.id]] for each in known])
    chosen = [each for each in known if has(cells[each.id]) != without]
    return _listed([column], table, chosen, rows)


def _has(cell: Cell, *, words: set[str], is_yes: bool) -> bool:
    found = cell.found
    if found is None or (is_yes and found.value == "No"):
        return False
    return words <= set(content_words(f"{found.value} {found.text}"))


def _listed(
    columns: Sequence[Column],
    table: ReviewTable,
    rows: Sequence[Document],
    of: Sequence[Document],
) -> _Told:
    titles = ", ".join(each.title for each in columns)
    lead = f"{titles} – {len(rows)} of {count(len(of), 'document')}"
    told = [[table.cell(row.id, column.id) for column in columns] for row in rows]
    return _Told(f"{lead}." if not rows else f"{lead}:", told)


def _without(documents: Sequence[Document], column: Column) -> str:
    return f"Left out, for want of a comparable value under {column.title}: {_names(documents)}."


def _names(documents: Sequence[Document]) -> str:
    return ", ".join(spoken_name(each.name) for each in documents)


# How it is told


def _written(told: _Told, table: ReviewTable) -> TableAnswer:
    """A line for each row, the citations numbered through the answer."""
    names = {each.id: spoken_name(each.name) for each in table.documents}
    lines, citations, places = [told.lead], list[Citation](), list[tuple[str, str]]()
    for row in told.rows:
        values = []
        for cell in row:
            value = cell.found.value if cell.found else "nothing found"
            value += " (as a person settled it)" if cell.state == "corrected" else ""
            for each in cell.found.citations[:1] if cell.found else ():
                citations.append(replace(each, label=f"S{len(citations) + 1}"))
                places.append((cell.document_id, cell.column_id))
                value += f" [{citations[-1].label}]"
            values.append(value)
        lines.append(f"- {names[row[0].document_id]}: {'; '.join(values)}")
    doubtful = {names[c.document_id]: 0 for row in told.rows for c in row if c.state == "likely"}
    warnings = list(told.warnings)
    if doubtful:
        warnings.append(f"Uncertain, look at them: {', '.join(doubtful)}.")
    answer = Answer("\n".join(lines), "extractive", tuple(citations), warnings=tuple(warnings))
    return TableAnswer(answer, tuple(places))
