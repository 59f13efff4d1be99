"""The cells of a row that a question asks for, and how they are told."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from decimal import Decimal

from docqa.answer.findings.candidates import Candidate
from docqa.language.amounts import measured_amounts
from docqa.language.numbers import COUNT, count_of
from docqa.language.periods import TIME_BEFORE, days_named, in_days, months_asked, periods_in
from docqa.language.vocabulary import NEAR, spelled_out
from docqa.language.words import content_words
from docqa.types.answer import Evidence
from docqa.types.document import Chunk, Document
from docqa.types.period import Period
from docqa.types.question import Question
from docqa.types.search import Hit
from docqa.types.table import SCALES, Row, Table
from docqa.types.units import is_currency

_ALL_TIMES = re.compile(r"\W*(?:(?:grand\s+)?total|LTM|TTM)\b", re.IGNORECASE)
_FEWEST_TIMES = 3
_NOWHERE = Evidence("S0", Hit(Chunk("", "", 0, ()), Document("", "", 0)))  # not looked up yet
_SHORT_LABEL = 2  # words of a label that needs its group to be understood
_LAST_TIMES = re.compile(
    rf"\b(?:last|past|latest|previous|preceding|recent)\s+({COUNT})\s+(?:(?:fiscal|financial|full)\s+)?"
    r"(?:years|quarters)\b",
    re.IGNORECASE,
)
# A reason, or in what way something is done ("How is headroom calculated?"); not "without cause",
# "for any reason", "caused by".
_REASON = re.compile(
    r"^\W*(?:why|how come|what(?:[’']s| is| was| lies| lay) behind)\b"
    r"|\b(?:drove|driven by|drivers? (?:of|for|behind))\b"
    r"|\b(?<!without )(?<!for )(?<!no )(?<!a )(?<!any )(?:reasons?|caused?|causes)\b(?! by\b)"
    r"|\b(?:due|attributable) to\W*$"
    r"|^\W*how (?:is|are|was|were|do|does|did)\b.*\b(?:(?:calculat|determin|measur|recogni[sz]"
    r"|comput|defin|deriv)ed?|treat(?:ed)?|account(?:ed)? for|valued)\b",
    re.IGNORECASE,
)
# What is counted, and is no money: "how many customers did it lose".
_MONEY = r"(?:\w+ )?(?:dollar|pound|euro|pence|cent|per ?cent|percentage|basis|[mb]illion)s?\b"
_COUNTED = re.compile(
    rf"\bhow many (?!{_MONEY})(.+?)(?=\s+(?:do|did|does|is|are|was|were|has|have|had|will|would|can"
    r"|may|must|in|of|at|by|for)\b|\W*$)",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(r"^\W*(?:explain|describe)\b", re.IGNORECASE)
_UP_OR_DOWN = re.compile(r"\b(?:go(?:ne|es|ing)?|went|c[oa]me)\s+(?:up|down)\b", re.IGNORECASE)
_AND_HOW = re.compile(r"\band\s+(?:by\s+)?how\s+(?:much|has|have|did|do|does)\b", re.IGNORECASE)
# Words that say how a figure moved, or may.
MOVING = frozenset(
    content_words(
        "change trend develop evolve happen better worse higher lower grew grown rose risen fell"
        " fallen shrank shrunk"
    )
).union(*(NEAR[stem] for stem in content_words("increase decrease")))
# Words of a column that tells how far two others are apart.
PLANNED = frozenset(content_words("budget plan target forecast guidance estimate quota"))
DIFFERENCES = frozenset(
    content_words(
        "variance difference change movement increase decrease gap shortfall headroom uplift"
    )
)
_RESULT = re.compile(
    r"\b(?:net|deficit|(?:profit|gain|earning|cash flow|change|increase|decrease)s?)\b"
    r"|\bincome\b(?! tax)|^(?:operating )?loss|\(loss"
    r"|\bloss(?:es)? (?:from|before|for|per|attributable)",
    re.IGNORECASE,
)
TOTAL = re.compile(r"^(?:grand |sub)?total\b|^\(subtotal\)|\btotal$", re.IGNORECASE)
_FEWEST = 2  # figures that make another
ROUNDED = Decimal("0.5")  # of what each may be off by, in the last place of whole numbers
_ALIKE = Decimal("0.001")  # of a figure that others make by rounding and not by chance


@dataclass(frozen=True, slots=True)
class Value:
    """A cell: as printed, as a number (None for words), in what column, and where it stands."""

    text: str
    number: Decimal | None
    column: int
    candidate: Candidate
    table: Table
    row: Row

    @property
    def amount(self) -> Decimal:
        """Its number, which it must be; of a deduction its size: an expense that is printed in
        brackets, to be taken off, rises where its size does."""
        assert self.number is not None
        return abs(self.number) if is_deduction(self.row) else self.number

    @property
    def period(self) -> Period:
        return self.table.period_of(self.row, self.column)

    @property
    def heading(self) -> str:
        return self.table.columns[self.column].heading

    @property
    def unit(self) -> str:
        return self.table.unit_of(self.row, self.column)

    @property
    def scale(self) -> int:
        return self.table.scale_of(self.row, self.column)

    @property
    def when(self) -> str:
        """Its column, as the table names it, else its period; of whole years the year alone, where
        no other column is of it."""
        own = self.table.columns[self.column].period
        same = [c for c in self.table.columns if (c.period.year, c.period.months) == (own.year, 12)]
        if own.year and own.months == 12 and len(same) == 1:
            return str(own.year)
        return self.heading or self.period.text


def values_of(candidate: Candidate) -> list[Value]:
    """The cells of a row that are not blank, in order; none for a sentence."""
    table, row = candidate.table, candidate.row
    if table is None or row is None:
        return []
    return [
        Value(text, number_of(text), column, candidate, table, row)
        for column, text in enumerate(row.cells)
        if text.strip()
    ]


def numbers_of(candidate: Candidate) -> list[Value]:
    """Those of a row's cells that are numbers, in order."""
    return [value for value in values_of(candidate) if value.number is not None]


def numbers_in(table: Table, row: Row) -> list[Value]:
    """A row's numbers, outside of any passage yet."""
    return numbers_of(Candidate(_NOWHERE, 1, 1, row.label, table=table, row=row))


def without_total(values: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """The figures of a column without their total, whatever it is called, and the total, [] for
    none."""
    numbers = [value.number or Decimal(0) for value in values]
    rounded, added = ROUNDED * len(numbers), sum(numbers, Decimal(0))
    sums = [
        value
        for value, number in zip(values, numbers, strict=True)
        if abs(added - 2 * number) <= min(rounded, abs(number) * _ALIKE)
    ]
    if len(values) <= _FEWEST or len(sums) != 1:
        return list(values), []
    return [value for value in values if value is not sums[0]], sums


def adds_up(rows: Sequence[Row], total: Row, column: int) -> bool | None:
    """Whether rows make their total in a column, as far as each is rounded; None where that has no
    amount there."""
    cell = total.cells[column]
    whole = None if "%" in cell else number_of(cell)
    if whole is None:
        return None
    parts = [number_of(row.cells[column]) or Decimal(0) for row in rows]
    return abs(sum(parts) - whole) <= ROUNDED * len(parts)


def number_of(text: str) -> Decimal | None:
    """The number that a cell is, None where it is words or nothing.

    >>> number_of("$ (3,270)"), number_of("six months"), number_of("n/a")
    (Decimal('-3270'), Decimal('6'), None)
    """
    plain = re.sub(r"\s*(?:\([a-z]\)|[*†‡])+$", "", text.strip())
    amounts = measured_amounts(plain)
    if len(amounts) != 1:
        return None
    if amounts[0].text != plain and len(re.findall(r"[A-Za-z]{3,}", plain)) > 1:
        return None
    negative = re.match(r"^[$€£¥\s]*\(.*\)\s*%?$|^[$€£¥\s]*[-−–]", plain) is not None
    return -abs(amounts[0].value) if negative else amounts[0].value


def is_deduction(row: Row) -> bool:
    """Whether a row has negative figures alone, and is no result, whose sign says something."""
    numbers = [number for cell in row.cells if (number := number_of(cell)) is not None]
    return all(number < 0 for number in numbers) and not _RESULT.search(row.label)


def periods_asked(question: Question) -> list[Period]:
    """The periods a question names, in order; each year once."""
    found = periods_in(question.whole)
    return list({(p.year, p.month, p.months): p for p in found}.values())


def last_times(question: Question) -> int:
    """How many of the last years or quarters a question is about; 0 where it does not say."""
    counted = _LAST_TIMES.search(question.whole)
    return count_of(counted[1]) if counted else 0


def is_over_time(question: Question) -> bool:
    """Whether a question asks how a figure moved, or stands to that of another time, or what it is
    with a yes or a no, which only the time before tells."""
    return (
        names_times(question) or _moves(question) or question.wants in ("comparison", "yes or no")
    )


def tells_how_it_moved(question: Question) -> bool:
    """Whether a question asks if a figure moved, or adds how it did to what it asks."""
    asks = question.wants == "yes or no" or _AND_HOW.search(question.whole)
    return bool(asks) and _moves(question)


def _moves(question: Question) -> bool:
    words = content_words(question.topic)
    return not MOVING.isdisjoint(words) or _UP_OR_DOWN.search(question.topic) is not None


def asks_why(question: Question) -> bool:
    """Whether a question asks for reasons, or a description, and not for a figure."""
    return bool(_REASON.search(question.topic) or _IN_WORDS.search(question.topic))


def may_tell(candidate: Candidate, question: Question) -> bool:
    """Whether a candidate may answer a question: a row of figures gives no reason and no way, where
    that is asked for first, and one of money no count of what it does not name."""
    first, _, _ = question.topic.partition("?")
    if candidate.row is None:
        return True
    values, counted = values_of(candidate), _COUNTED.search(first)
    if counted and set(content_words(counted[1])).isdisjoint(content_words(candidate.row.name)):
        units = [value.unit for value in values if value.number is not None]
        return not (units and all(map(is_currency, units)))
    return not _REASON.search(first) or any(value.number is None for value in values)


def names_times(question: Question) -> bool:
    """Whether a question names several times, if only as the one before another."""
    return len(periods_asked(question)) > 1 or TIME_BEFORE.search(question.whole) is not None


def asked_values(values: Sequence[Value], question: Question) -> list[Value]:
    """The values of the periods and the columns that a question names; all where it names none."""
    return _of_named_columns(_of_time(values, question), question)


def columns_of_months(question: Question, table: Table) -> list[int]:
    """The columns of the months or days that a question names, and of its year if it names one;
    none in a table whose columns are not of several."""
    asked, years = days_named(question.topic), {p.year for p in periods_asked(question)}
    days = [days_named(column.name) for column in table.columns]
    return [
        at
        for at, column in enumerate(table.columns if len({*days} - {frozenset()}) > 1 else ())
        if in_days(asked, days[at])
        if not (years and column.period.year) or column.period.year in years
    ]


def of_all_times(headings: Sequence[str]) -> int | None:
    """The place of the heading for all times together, beside three or more that name one each: the
    total of twelve months; None for none."""
    timed = sum(bool(days_named(heading)) for heading in headings)
    places = [at for at, heading in enumerate(headings) if _ALL_TIMES.match(heading)]
    return places[0] if timed >= _FEWEST_TIMES and len(places) == 1 else None


def _of_time(values: Sequence[Value], question: Question) -> list[Value]:
    asked = periods_asked(question)
    if values and not asked:
        columns = columns_of_months(question, values[0].table)
        return [v for v in values if v.column in columns] or list(values)
    dated = [v for v in values if any(v.period.year == p.year for p in asked)]
    exact = [v for v in dated if any(is_of(v.period, p) for p in asked)]
    return _of_length(exact or dated or list(values), months_asked(question.whole))


def is_of(period: Period, asked: Period) -> bool:
    same_month = not asked.month or not period.month or period.month == asked.month
    return period.year == asked.year and same_month


def _of_length(values: list[Value], months: int) -> list[Value]:
    """The values of the length of time asked for, else all."""
    of_length = [v for v in values if months and v.period.months == months]
    return of_length or values


def _of_named_columns(values: list[Value], question: Question) -> list[Value]:
    """Those under columns that the question names ("Rigid Packaging"), else those of which it has
    most words ("margin", of "Contribution margin"), else all."""
    words = [set(content_words(spelled_out(value.heading))) for value in values]
    if len(values) < 2:
        return values
    shared = set.intersection(*words)
    asked = set(content_words(spelled_out(question.whole)))
    own = [{w for w in each - shared if not w.isdigit()} for each in words]
    named = [v for v, each in zip(values, own, strict=True) if each and each <= asked]
    held = [len(each & asked) for each in own]
    partly = [v for v, count in zip(values, held, strict=True) if count and count == max(held)]
    return named or partly or _done(values, asked)


def _done(values: list[Value], asked: Set[str]) -> list[Value]:
    """Those of what was done and not planned, where the question does not say which, and a table
    has both of one time."""
    heads = [content_words(value.heading) for value in values]
    if not PLANNED.isdisjoint(asked):
        return values
    done = [v for v, head in zip(values, heads, strict=True) if PLANNED.isdisjoint(head)]
    ends = {value.period.end for value in done}
    return [value for value in values if value in done or value.period.end not in ends]


def value_at(candidate: Candidate, period: Period, question: Question) -> Value | None:
    """The number of a row for one period; None where there is none."""
    exact = [v for v in numbers_of(candidate) if is_of(v.period, period)]
    months = period.months or months_asked(question.whole)
    found = _of_named_columns(_of_length(exact, months), question)
    return found[0] if found else None


def label_of(candidate: Candidate) -> str:
    """What a row is called; with its group where the label alone does not tell."""
    table, row = candidate.table, candidate.row
    assert table is not None
    assert row is not None
    label = row.label.rstrip(" :.,")
    again = sum(each.label == row.label for each in table.rows) > 1
    short = len(label.split()) <= _SHORT_LABEL
    path = [each.rstrip(" :.,") for each in row.path] if again or short else []
    return " › ".join(filter(None, (*path[-1:], label))) or table.title


def scale_text(scale: int) -> str:
    """A scale in words: " (in millions)", "" for none.

    >>> scale_text(1000), scale_text(1)
    (' (in thousands)', '')
    """
    return f" ({SCALES[scale]})" if scale in SCALES else ""
