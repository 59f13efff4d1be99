"""The figure that a question names by a formula: its inputs with their places, and the result."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from functools import partial

from docqa.answer.findings.arithmetic import Missing, evaluated
from docqa.answer.findings.cited import Gathered, Source
from docqa.answer.findings.crossings import crossing_of, head_of, names_a_part, words_asked
from docqa.answer.findings.formulas import (
    OF_ANY,
    Formula,
    Line,
    around_name,
    book,
    formula_of,
    is_narrowed,
    line_asked,
    values_of_line,
)
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.sums import OF_THINGS, percent, plain
from docqa.answer.findings.values import (
    Value,
    asks_why,
    is_of,
    is_over_time,
    numbers_in,
    periods_asked,
    scale_text,
    tells_how_it_moved,
    values_of,
)
from docqa.language.amounts import Amount, measured_amounts
from docqa.language.periods import months_asked, says_only_when
from docqa.language.vocabulary import acronyms
from docqa.language.words import content_words
from docqa.types.period import Period
from docqa.types.phrases import series
from docqa.types.question import Question
from docqa.types.search import Hit
from docqa.types.table import STATEMENTS
from docqa.types.units import is_currency

_SUPPOSED = ("price", "loan")  # what a question may give instead of what is printed
_YEAR = 12  # months
_LONGEST_SHORT = 5  # letters from which a name is no abbreviation

# Before the time that a later one is held against.
_SINCE = re.compile(
    r"\b(?:since|than|over|against|from|compared|relative)"
    r"(?:\s+(?:to|with|in|at|on|the|year|fiscal|FY|end|of))*\W*$",
    re.IGNORECASE,
)

LookUp = Callable[[Line], Sequence[Value]]


def worked_out(question: Question, judged: Sequence[Judged], gathered: Gathered) -> list[str]:
    """The figure a question names, worked out of the statements; nothing where it is printed.

    Where an input is not found nothing is worked out. A price or loan that the question gives ("at
    $18 million") is taken as it says; of a segment or a country the inputs are the cells where its
    name crosses a line's.
    """
    ratio = formula_of(question)
    formula = ratio or (line_asked(question) if tells_how_it_moved(question) else None)
    if formula is None or not judged or _asks_otherwise(question):
        return []
    given = _given(question, formula, judged)
    printed = ratio is not None and _is_printed(question, ratio, judged)
    if not given and (printed or amounts_given(question)):
        return []
    for hit in _documents(judged):
        source = Source(hit, gathered)
        for look_up in _lookups(question, formula, source):
            for times in _periods(question, formula, look_up):
                if found := _at_times(formula, times, look_up, given):
                    return _told(formula, found, source)
    return []


def lacking(question: Question, judged: Sequence[Judged], gathered: Gathered) -> str:
    """That a figure the question names takes lines which the likeliest document has not, as a
    sentence; "" where it has all of them or none, or the figure itself."""
    formula = formula_of(question)
    if formula is None or not judged or _asks_otherwise(question):
        return ""
    if _is_printed(question, formula, judged):
        return ""
    source = Source(_documents(judged)[0], gathered)
    for look_up in _lookups(question, formula, source):
        missing = _missing(formula, look_up)
        if missing and any(look_up(book().lines[name]) for name in book().taken(formula)):
            lines = f"{source.document.name} has no line for {series(missing, 'or')}"
            return f"{_spelled(formula.names[0])} cannot be worked out: {lines}."
    return ""


def _missing(formula: Formula, look_up: LookUp) -> list[str]:
    """The names of the lines that a formula takes and that are not found."""
    lines, missing = book().lines, list[str]()

    def number(name: str, *, at: str, optional: bool) -> tuple[Decimal, str]:
        if not (optional or name in missing or look_up(lines[name])):
            raise Missing(name)
        return Decimal(1), name

    while True:
        try:
            evaluated(formula.text, lines, number)
        except Missing as found:
            missing.append(str(found))
        else:
            return missing


def _asks_otherwise(question: Question) -> bool:
    """Whether a question that names a figure asks for another thing than its size."""
    return asks_why(question) or bool(OF_THINGS.search(question.whole))


def _at_times(
    formula: Formula, times: Sequence[Period], look_up: LookUp, given: Mapping[str, Amount]
) -> list["_Inputs"]:
    """What the formula takes at the first of some times, and at those of the others that have it;
    none where the first has not. Means are taken at all times or, where one has none, at none."""
    of_ends = replace(formula, text=formula.text.replace("avg(", "("))
    for each in (formula, of_ends):
        worked = [_Inputs(look_up, time, given) for time in times]
        found = [one for one in worked if one.evaluate(each)]
        if len(found) == len(times):
            break
    return found if found and found[0] is worked[0] else []


def amounts_given(question: Question) -> list[Amount]:
    """The amounts of money that a question itself gives; "($000)" is none."""
    amounts = measured_amounts(question.whole)
    return [each for each in amounts if each.value and is_currency(each.unit)]


def _given(question: Question, formula: Formula, judged: Sequence[Judged]) -> dict[str, Amount]:
    """The one amount of money a question gives, for what the formula takes that people suppose.

    Nothing where that amount is printed: then it is asked about, not supposed.
    """
    amounts = amounts_given(question)
    taken = [name for name in _SUPPOSED if name in book().taken(formula)]
    if not taken or len(amounts) != 1:
        return {}
    printed = (each for one in judged for each in measured_amounts(one.candidate.text))
    is_printed = any(each.value == amounts[0].value for each in printed)
    return {} if is_printed else {taken[0]: amounts[0]}


def _is_printed(question: Question, formula: Formula, judged: Sequence[Judged]) -> bool:
    """Whether a row has the figure under its own name, and of the years asked for if of any."""
    names = [set(content_words(name)) for name in formula.names]
    years = {period.year for period in periods_asked(question)}
    for candidate in (each.candidate for each in judged if each.candidate.row):
        values = values_of(candidate)
        own = {w for v in values[:1] for w in content_words(v.row.label) if not w.isdigit()}
        dated = {value.period.year for value in values} - {0}
        is_of_time = not years or not dated or not years.isdisjoint(dated)
        if is_of_time and any(name <= own and own - name <= OF_ANY for name in names):
            return True
    return False


def _documents(judged: Sequence[Judged]) -> list[Hit]:
    """A hit of each document, the likeliest first."""
    hits = (each.candidate.piece.hit for each in judged)
    return list({hit.document.id: hit for hit in hits}.values())


def _lookups(question: Question, formula: Formula, source: Source) -> Iterator[LookUp]:
    """What finds the values of a line: of the part that the question names, which no statement has;
    else in the statements, or where a document has none in one table with all of them."""
    tables, document = source.tables, source.document
    rest = " ".join(around_name(question.topic, formula))
    is_part = names_a_part(rest, tables, document) and not _is_a_line(rest)
    if is_part and not amounts_given(question):
        yield lambda line: _of_the_part(line, rest, question, source)
        return
    if is_narrowed(question, formula, document):
        return
    yield lambda line: values_of_line(line, [t for t in tables if line.statement in ("", t.role)])
    if not any(table.role in STATEMENTS for table in tables):
        yield from (partial(values_of_line, tables=[table]) for table in tables)


def _is_a_line(text: str) -> bool:
    """Whether a text names what formulas take, and no part ("at the asking price")."""
    asked = set(words_asked(text, frozenset()))
    labels = (label for line in book().lines.values() for label in line.labels)
    return any(asked == set(content_words(label)) for label in labels)


def _of_the_part(line: Line, part: str, question: Question, source: Source) -> list[Value]:
    """The cell where the part crosses the line, under the first label that it has there, and those
    beside it of other times."""
    meant = (replace(question, nameless=f"{label} {part}") for label in line.labels)
    crossings = (crossing_of(each, source.tables, source.document) for each in meant)
    found = next((each for each in crossings if each), None)
    if found is None:
        return []
    head = head_of(found.table, found.column)
    others = numbers_in(found.table, found.row)
    beside = [v for v in others if v.period.year and head_of(v.table, v.column) == head]
    return [found, *(v for v in beside if v.column != found.column)]


def _periods(question: Question, formula: Formula, look_up: LookUp) -> Iterator[list[Period]]:
    """The periods to work the figure out for, the latest first: those that are asked for, else the
    last that is printed; with the one before it where the question asks how a figure moved.

    Of each length of time printed where none is asked for: a quarter's report has the cash flows of
    the year to date alone.
    """
    names = book().taken(formula)
    printed = [v.period for name in names for v in look_up(book().lines[name]) if v.period.year]
    last = max(printed, key=lambda period: period.end, default=Period())
    asked = months_asked(question.whole)
    lengths = [asked] if asked else [p.months for p in printed if p.end == last.end and p.months]
    for months in dict.fromkeys(lengths or [0]):
        long = [each for each in printed if each.months == months]
        last = max(long, key=lambda period: period.end, default=last)
        yield _times(question, last, printed, months or None)


def _times(
    question: Question, last: Period, printed: Sequence[Period], months: int | None
) -> list[Period]:
    asked = [replace(each, months=each.months or months) for each in periods_asked(question)]
    if len(asked) == 1 and _SINCE.search(question.whole[: asked[0].start]):
        asked.append(last)
    if len(asked) < 2 and is_over_time(question):
        asked = asked or [last]
        asked += _before(asked[0], printed)
    return sorted(asked or [last], key=lambda period: period.end, reverse=True)


def _before(period: Period, printed: Sequence[Period]) -> list[Period]:
    """The last period before one, of its length, and of its time of the year where one is."""
    same = [each for each in printed if is_of(each, period)]
    here = next((each for each in same if each.months == period.months), next(iter(same), period))
    last = here.year - 1 if here.months else here.year  # what flows is held against a year before
    earlier = [each for each in printed if each.end < here.end and each.year <= last]
    alike = [p for p in earlier if p.months == here.months] or earlier
    seasonal = [p for p in alike if here.months and p.month == here.month] or alike
    return sorted(seasonal, key=lambda each: each.end)[-1:]


class _Inputs:
    """What a formula takes of a document's tables for one period, and how its sum reads."""

    def __init__(self, look_up: LookUp, period: Period, given: Mapping[str, Amount]) -> None:
        self._look_up = look_up
        self._period = period
        self._given = given
        self.used: list[Value] = []
        self.shown = ""
        self.result = Decimal(0)

    def evaluate(self, formula: Formula) -> bool:
        """Whether there is a ``result``: all inputs are there, what flows of one length of time,
        and what is divided by is not 0, nor less where it is the whole of a share."""
        lines, divisor = book().lines, formula.text.rpartition(" / ")[2]
        try:
            with localcontext(prec=40):
                evaluated(formula.text, lines, self._number)
                lengths = {v.period.months for v in self.used if v.period.months} or {_YEAR}
                text = formula.text.replace("365", str(round(365 * min(lengths) / _YEAR)))
                self.result, self.shown = evaluated(text, lines, self._number)
                is_loss = formula.unit == "%" and evaluated(divisor, lines, self._number)[0] <= 0
        except (Missing, DivisionByZero, InvalidOperation, ZeroDivisionError):
            return False
        scales = {value.scale for value in self.used}
        mixed = len(scales) > 1 and 1 in scales  # one table does not say in what it counts
        unlike = len(lengths) > 1 or (formula.of_a_year and lengths != {_YEAR})
        return bool(scales) and not (mixed or is_loss or unlike)

    @property
    def when(self) -> str:
        return next((v.period.text or v.heading for v in self.used if v.period.year), "")

    def _number(self, name: str, *, at: str, optional: bool) -> tuple[Decimal, str]:
        if given := self._given.get(name):
            return given.value, plain(given.value)
        values = self._look_up(book().lines[name])
        here = self._at(values)
        if here is None:
            if optional:
                return Decimal(0), ""
            raise Missing(name)
        if not at:
            return self._taken(here), self._printed(here)
        before = _before(here.period, [value.period for value in values])
        other = next((value for value in values if value.period in before), None)
        if other is None:
            raise Missing(name)
        if at == "prior":
            return self._taken(other), self._printed(other)
        mean = (self._taken(here) + self._taken(other)) / 2
        return mean, f"(({self._printed(here)} + {self._printed(other)}) ÷ 2)"

    def _at(self, values: Sequence[Value]) -> Value | None:
        wanted = self._period
        if not wanted.year:
            return next(iter(values), None)
        of_year = [v for v in values if v.period.year == wanted.year or _is_undated(v)]
        months = [
            v for v in of_year if wanted.months in (None, v.period.months) or not v.period.months
        ]
        exact = [v for v in months if wanted.month and v.period.month == wanted.month]
        return next(iter(exact or months), None)

    def _taken(self, value: Value) -> Decimal:
        assert value.number is not None
        if (value.row, value.column) not in [(each.row, each.column) for each in self.used]:
            self.used.append(value)
        return value.number * value.scale

    @staticmethod
    def _printed(value: Value) -> str:
        assert value.number is not None
        printed = plain(value.number)
        return f"({printed})" if printed.startswith("−") else printed


def _is_undated(value: Value) -> bool:
    """Whether a value may be of any time: beside dated columns one without a date is a change."""
    return not value.period.year and not any(c.period.year for c in value.table.columns)


# How it is told


def _told(formula: Formula, worked: Sequence[_Inputs], source: Source) -> list[str]:
    """The figure, with that of each time before it, and its inputs."""
    last, *before = worked
    used = [value for each in worked for value in each.used]
    markers = source.cite([(value.table, value.row) for value in used])
    scale = 1 if formula.unit or abs(last.result) <= last.used[0].scale else last.used[0].scale

    def told(number: Decimal) -> str:
        return _printed(number / scale, formula.unit)

    is_sum = " " in last.shown
    spelled = _spelled(formula.names[0]) if is_sum else last.used[0].row.label.strip(" :")
    when, value = last.when, told(last.result)
    label = ", ".join(filter(None, (spelled, _whose(last.used), when)))
    value += scale_text(scale)
    moved = f", {_moved(last.result, before[-1].result, formula.unit, told)}" if before else ""
    earlier = "; ".join(f"{each.when}: {_sum(each.shown, told(each.result))}" for each in before)
    beside = f" ({earlier})" if earlier else ""
    first = f"{label}: {_sum(last.shown, value)}{moved}{beside} {''.join(dict.fromkeys(markers))}"
    rows = (f"{each.row.label}, {each.when}: {each.text}" for each in used)
    inputs = (f"{row} {marker}" for row, marker in zip(rows, markers, strict=True))
    return [first, *inputs]


def _sum(shown: str, value: str) -> str:
    """A sum with its result; the result alone of a single figure."""
    return f"{shown} = {value}" if " " in shown else value


def _moved(last: Decimal, first: Decimal, unit: str, told: Callable[[Decimal], str]) -> str:
    """How a figure moved from one time to another, in points where it is per cent: from the figures
    as they are told, so that who subtracts them comes to the same."""
    if unit:
        last, first = (round(each, 4 if unit == "%" else 2) for each in (last, first))
    size = told(abs(last - first))
    if not any(map(size.__contains__, "123456789")):
        return "unchanged"
    size = f"{size.rstrip('%')} percentage points" if unit == "%" else size
    share = f" or {percent(abs(last - first) / first * 100)}" if not unit and first > 0 else ""
    return f"{'up' if last > first else 'down'} {size}{share}"


def _whose(used: Sequence[Value]) -> str:
    """The part that all inputs are of, a segment in the rows or in the columns; "" for none."""
    rows = {value.row.label.strip(" :"): value.row for value in used}
    if len(rows) > 1 or len(used) < 2:  # the lines of a statement
        return ""
    called = {v.heading for v in used} if all(map(says_only_when, rows)) else set(rows)
    (row,) = rows.values()
    return " › ".join((*row.path[-1:], called.pop())) if len(called) == 1 else ""


def _spelled(name: str) -> str:
    """
    >>> _spelled("noi per square foot"), _spelled("quick ratio"), _spelled("dpo")
    ('NOI per square foot', 'Quick ratio', 'DPO')
    """
    if len(name) < _LONGEST_SHORT:
        return name.upper()
    short = {each.lower() for each in acronyms()}
    spelled = " ".join(word.upper() if word in short else word for word in name.split())
    return spelled[:1].upper() + spelled[1:]


def _printed(number: Decimal, unit: str) -> str:
    if unit == "%":
        return percent(number * 100)
    return plain(round(number, 2)) + (" days" if unit == "days" else "")
