"""Sums of printed figures: which rows and periods they are of, worked out and shown."""

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from decimal import Decimal, localcontext
from functools import partial

from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.crossings import RATIOS, head_of, words_asked
from docqa.answer.findings.formulas import book, rows_of
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.operations import Operation
from docqa.answer.findings.values import (
    TOTAL,
    Value,
    asked_values,
    columns_of_months,
    is_over_time,
    label_of,
    last_times,
    numbers_of,
    periods_asked,
    scale_text,
    value_at,
    values_of,
)
from docqa.language.numbers import COUNT, count_of
from docqa.language.periods import YEAR, calendar_months, months_asked
from docqa.language.words import content_words, has_letter
from docqa.types.period import Period
from docqa.types.question import Question
from docqa.types.table import Row

SHOWN = 24  # figures of a sum that are shown
CITED = "the rows cited"  # instead of more
NAMED = 0.74  # share of a label's words that a question has which names it
PLACES = Decimal("0.01")
# What a column's head says of how its figures were checked, not of what they measure.
_CHECKED = frozenset(content_words("audited unaudited reviewed restated"))
_THAN_ANOTHER = re.compile(
    r"\bthan\b(?!.*\b(?:year|quarter|month|week|before|prior|previous|last|earlier)s?\b)", re.I
)
_BETWEEN = re.compile(r"\bbetween\b|\bdifferen\w+|\bmore\b|\bless\b", re.IGNORECASE)
OF_ONE_YEAR = re.compile(r"\b\d\d[AEF]\b")  # "25E", of an estimate
MIDPOINT = re.compile(r"\bmid[\s-]?points?\b|\bmiddle\b", re.IGNORECASE)
_OF_REVENUE = re.compile(
    r"\bof (?:(?:the|its|total|net|annual|quarterly|\w+-half|\w*\d{2,4}) )*"
    r"(?:revenues?|sales|turnover)\b",
    re.IGNORECASE,
)
_WEIGHTED = re.compile(r"\bweighted\b", re.IGNORECASE)  # by what no row says
_OF_AMOUNTS = ("average", "sum", "difference")  # operations that leave a ratio a ratio
_OF_ONE_ROW = ("change", "share")  # whatever other rows a question names
# Years from one to another, and not two of them.
_RANGE = re.compile(
    r"\b(?:from|over|between)\s+\D{0,20}(?:19|20)\d\d\s*(?:to|through|and|until|[-–—])\s*\D{0,12}"
    r"(?:19|20)\d\d|(?:19|20)\d\d\s*(?:to|through|[-–—])\s*(?:fy\s*)?(?:19|20)\d\d",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:since|from|against|than)\b", re.IGNORECASE)
# What is said of a time that others are held against: "grow on 2023", "up since 2021".
_ON_YEAR = re.compile(
    r"\b(?:since|from|than|on|against|versus|vs\.?|compared\s+(?:with|to))"
    rf"\s+(?:in\s+)?(?:fiscal\s+(?:year\s+)?|FY\s?)?{YEAR}\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\bfrom\b.+\b(?:to|until|till|through)\b", re.IGNORECASE)
_STEP = re.compile(
    r"\W*(?:(?:lease|contract)\s+)?(?:year|quarter|month)\s*\d{1,3}\W*", re.IGNORECASE
)
_OVER_STEPS = re.compile(
    r"\b(?:over|across|for|in|during)\s+(?:(?:the|all|its|our)\s+)*(?:(?P<first>first)\s+)?"
    rf"(?:(?P<count>{COUNT})\s+(?:years?|quarters?|months?)|(?:(?:whole|entire|full|initial)\s+)?"
    r"(?:term|life))\b",
    re.IGNORECASE,
)
# "Which segment", but not "which year" or "what is the highest".
OF_THINGS = re.compile(
    r"\bwhich\s+(?!(?:\w+\s+)?(?:year|quarter|month|period|day|date)s?\b)\w+", re.IGNORECASE
)
Worked = Callable[[Question, Candidate], str]
_CALLED: dict[Operation, frozenset[str]] = {
    "average": frozenset(content_words("average mean")),
    "sum": frozenset(content_words("total combined sum")),
    "change": frozenset(content_words("change growth")),
    "difference": frozenset(content_words("change variance")),
}


def summed(operation: Operation, question: Question, judged: Sequence[Judged]) -> str:
    """What a question asks to be worked out of one row at several times; "" where its figures are
    not there, none is asked for, or it names several rows at one time."""
    rows = [each for each in judged if each.candidate.row is not None]
    if operation in _OF_AMOUNTS and not RATIOS.isdisjoint(content_words(question.topic)):
        rows = [each for each in rows if _is_ratio(each.candidate)]
    if not rows or operation not in _WORKED:
        return ""
    at_one_time = len(periods_asked(question)) < 2
    if at_one_time and is_printed(operation, rows[0].candidate):
        return ""
    alike = _called_alike(rows)
    parts = _named_beside(rows[0], rows, question) if operation == "share" else []
    of_several = at_one_time and operation not in _OF_ONE_ROW
    for first in (*alike, *parts):  # what is named first may be the whole
        if of_several and _named_beside(first, rows, question):
            continue
        if found := _WORKED[operation](question, first.candidate):
            return found
    return ""


def _is_ratio(candidate: Candidate) -> bool:
    """Whether a row is of rates or ratios, by its name or as its figures are printed."""
    by_name = not RATIOS.isdisjoint(_label_words(candidate))
    return by_name or any(value.unit in ("%", "x") for value in values_of(candidate))


def _called_alike(rows: Sequence[Judged]) -> list[Judged]:
    """The likeliest row, and those of other tables with its name: one may have the years asked."""
    name = set(_label_words(rows[0].candidate))
    return [each for each in rows if set(_label_words(each.candidate)) == name]


def is_printed(operation: Operation, candidate: Candidate) -> bool:
    """Whether a row is called what is asked to be worked out: "Average rent", "Total"."""
    words = _CALLED.get(operation)
    row = candidate.row
    return bool(words and row and not words.isdisjoint(content_words(row.label)))


def _named_beside(first: Judged, rows: Sequence[Judged], question: Question) -> list[Judged]:
    """The rows of the same table that a question names beside the first, if only by what tells
    them apart ("grocery and foodservice receipts")."""
    asked, own = set(content_words(question.whole)), set(_label_words(first.candidate))
    same = [each for each in rows if each.candidate.table == first.candidate.table]
    others = [each for each in same if each is not first]
    return [each for each in others if _is_beside(set(_label_words(each.candidate)), own, asked)]


def _is_beside(words: Set[str], own: Set[str], asked: Set[str]) -> bool:
    """Whether a question with the words ``asked`` names a row by words that the row beside it, with
    its ``own``, does not have."""
    apart = words - own
    named = bool(words) and len(words & asked) >= NAMED * len(words)
    beside = words & own and apart and apart <= asked and not asked.isdisjoint(own - words)
    return bool((named or beside) and apart & asked)


def _label_words(candidate: Candidate) -> list[str]:
    assert candidate.row is not None
    return list(filter(has_letter, content_words(candidate.row.label)))


def _pair_in_time(candidate: Candidate, question: Question) -> list[Value]:
    """The later and the earlier of the two periods asked for; of one or none, that one or the last
    with the one before; [] where one is missing."""
    asked = sorted(periods_asked(question), key=lambda period: period.end)
    if len(asked) > 1:
        later, earlier = (value_at(candidate, asked[at], question) for at in (-1, 0))
        return [later, earlier] if later and earlier and later != earlier else []
    numbers = [v for v in numbers_of(candidate) if v.period.year]
    in_order = sorted(_comparable(numbers, question), key=lambda value: value.period.end)
    begins = _SINCE.search(question.whole) and not _FROM_TO.search(question.whole)
    named = in_order if begins else _of_months(in_order, question)
    latest = max((value.period.end for value in named), default=None)
    last = [value for value in in_order if value.period.end == latest]
    if asked:
        one = value_at(candidate, asked[0], question)
        if one and latest and latest > one.period.end and _ON_YEAR.search(question.whole):
            later = value_at(candidate, last[0].period, question)
            return [later, one] if later else []
        last = [one] if one else []
    pairs = (_with_one_before(later, in_order, question) for later in last)
    return next((pair for pair in pairs if pair and not _leaves_out(pair, question)), [])


def _leaves_out(pair: Sequence[Value], question: Question) -> bool:
    """Whether a question names a column by a word that those of a pair have not ("budget")."""
    table, label = pair[0].table, frozenset(_label_words(pair[0].candidate))
    heads = [set(content_words(column.heading)) for column in table.columns]
    named = set().union(*heads) & {*words_asked(question.topic, label)}
    return not named <= set[str]().union(*(heads[value.column] for value in pair))


def _of_months(values: Sequence[Value], question: Question) -> list[Value]:
    """The values of the months or days that a question names, with those between where it says from
    one to another; all where it names none."""
    columns = columns_of_months(question, values[0].table) if values else []
    own = [value for value in values if value.column in columns]
    if own and _FROM_TO.search(question.whole):
        ends = [value.period.end for value in own]
        own = [value for value in values if min(ends) <= value.period.end <= max(ends)]
    return own or list(values)


def _with_one_before(later: Value, in_order: Sequence[Value], question: Question) -> list[Value]:
    """A value with that of the same measure before it; [] for none."""
    before = [v for v in in_order if v.period.end < later.period.end]
    named = calendar_months(question.whole) - {later.period.month}
    before = [v for v in before if v.period.month in named] or before
    alike = [v for v in before if _measure(v) == _measure(later)]
    return [later, alike[-1]] if alike else []


def _measure(value: Value) -> frozenset[str]:
    """What the column of a value measures, its time apart ("Revenues", beside "Assets")."""
    return frozenset(filter(str.isalpha, head_of(value.table, value.column))) - _CHECKED


def _comparable(values: Sequence[Value], question: Question) -> list[Value]:
    """The values of one length of time: that of the first of those asked for."""
    asked = asked_values(values, question) or list(values)
    months = asked[0].period.months if asked else None
    return [v for v in values if v.period.months == months]


def _difference(question: Question, row: Candidate) -> str:
    if not periods_asked(question) and _THAN_ANOTHER.search(question.whole):
        return ""  # of two things, of which only one was found
    if months_asked(question.whole) and not (
        is_over_time(question) or _BETWEEN.search(question.whole)
    ):
        return ""  # "over the nine months", at one time
    pair = _pair_in_time(row, question)
    return _subtracted(pair) if pair else ""


def _subtracted(pair: Sequence[Value]) -> str:
    one, other = pair
    if one.number is None or other.number is None or one.scale != other.scale:
        return ""
    shown = f"{as_printed(one)} − {operand(other)}"
    label = f"Difference, {_over_time(pair)}"
    return _told(label, shown, plain(one.amount - other.amount), pair)


def _change(question: Question, row: Candidate) -> str:
    pair = _pair_in_time(row, question)
    if not pair or not pair[1].number or pair[0].number is None:
        return ""
    later, earlier = pair
    if "%" in (later.unit, earlier.unit):
        return _subtracted(pair)
    share = (later.amount - earlier.amount) / abs(earlier.amount) * 100
    below = f"|{as_printed(earlier)}|" if earlier.amount < 0 else as_printed(earlier)
    shown = f"({as_printed(later)} − {operand(earlier)}) ÷ {below}"
    return _told(f"Change, {_over_time(pair)}", shown, percent(share), pair, scaled=False)


def _average(question: Question, row: Candidate) -> str:
    if _WEIGHTED.search(question.whole) or MIDPOINT.search(question.whole):
        return ""
    return _added("average", _at_times(question, row), row)


def _sum(question: Question, row: Candidate) -> str:
    of_several = len(periods_asked(question)) > 1 or last_times(question)
    if not (of_several or _steps(row, question)):
        return ""  # one printed figure is the total
    return _added("sum", _at_times(question, row), row)


def _added(operation: Operation, values: Sequence[Value], row: Candidate) -> str:
    if len(values) < 2:
        return ""
    shown, result = come_to(operation, [v.amount for v in values], list(map(operand, values)))
    times = [value.when for value in values if value.when]
    label = ", ".join([operation.capitalize(), label_of(row), *times])
    return _told(label, shown, plain(result), values)


def come_to(
    operation: Operation, amounts: Sequence[Decimal], printed: Sequence[str]
) -> tuple[str, Decimal]:
    """What amounts come to as a difference, an average or else a sum, after how that is shown.

    >>> come_to("average", [Decimal(2), Decimal(4)], ["$2", "$4"])
    ('($2 + $4) ÷ 2', Decimal('3'))
    """
    if operation == "difference":
        return " − ".join(printed), amounts[0] - amounts[1]
    added, total = " + ".join(printed), sum(amounts, Decimal(0))
    if operation == "average":
        return f"({added}) ÷ {len(amounts)}", total / len(amounts)
    return added, total


def _at_times(question: Question, row: Candidate) -> list[Value]:
    """A row at the times asked for, else at the last two or all."""
    asked = periods_asked(question)
    if steps := _steps(row, question):
        return steps
    if len(asked) > 1:
        return _in_range(row, asked, question)
    if asked:
        return _pair_in_time(row, question)
    if OF_ONE_YEAR.search(question.whole):
        return []  # not over the years
    numbers = [v for v in numbers_of(row) if v.period.year]
    dated = _of_months(_comparable(numbers, question), question)
    in_order = sorted(dated, key=lambda value: value.period.end)
    count = last_times(question)
    if len({v.period.end for v in dated}) < len(dated) or len(dated) < count:
        return []
    return in_order[-count:]  # all where it does not say how many


def _steps(candidate: Candidate, question: Question) -> list[Value]:
    """A row's numbers under "Year 1", "Year 2", …: all over the whole term, or as many years as a
    question names if they are all, or the first; none for another question."""
    values = [v for v in numbers_of(candidate) if _STEP.fullmatch(v.heading)]
    asked = _OVER_STEPS.search(question.whole)
    if asked is None or len(values) < 2:
        return []
    count = count_of(asked["count"]) if asked["count"] else len(values)
    return values[:count] if count == len(values) or asked["first"] else []


def _in_range(candidate: Candidate, asked: Sequence[Period], question: Question) -> list[Value]:
    """The values of the periods named, and of those between the first and the last."""
    found = [v for period in asked if (v := value_at(candidate, period, question)) is not None]
    if found and _RANGE.search(question.whole):
        first, last = min(v.period.end for v in found), max(v.period.end for v in found)
        found += [v for v in _comparable(found + values_of(candidate), question)
                  if v.number is not None and first < v.period.end < last]  # fmt: skip
    in_order = sorted(found, key=lambda value: value.period.end)
    return list({v.column: v for v in in_order}.values())


def _share(question: Question, row: Candidate) -> str:
    """A row as a share of the whole that it is part of, under the column of totals if it is under
    several."""
    whole = _whole_of(row, question)
    own = [v for v in asked_values(values_of(row), question) if v.number and v.unit != "%"]
    others = values_of(whole) if whole else []
    beside = [(v, o) for v in own for o in others if o.column == v.column and o.number]
    if not whole or not beside:
        return ""
    one, other = next((pair for pair in beside if TOTAL.search(pair[0].heading)), beside[0])
    shown = f"{as_printed(one)} ÷ {operand(other)}"
    label = ", ".join(filter(None, (f"{label_of(row)} as a share of {label_of(whole)}", one.when)))
    result = percent(one.amount / other.amount * 100)
    return _told(label, shown, result, [one, other], scaled=False)


def _whole_of(candidate: Candidate, question: Question) -> Candidate | None:
    """Revenue, where the question names that and the table has it, else the next row below that is
    called a total."""
    table, row = candidate.table, candidate.row
    assert table is not None
    assert row is not None
    rows = [(table, each) for each in table.rows]
    revenue = rows_of(book().lines["revenue"], rows) if _OF_REVENUE.search(question.whole) else []
    below = rows[table.rows.index(row) + 1 :]
    totals = [each for _, each in below if each.label.lower().startswith("total")]
    whole = next(iter([*(own for _, own in revenue), *totals]), row)
    return None if whole is row else _at(candidate, whole)


def _at(candidate: Candidate, row: Row) -> Candidate:
    """Another row of the same table; it is cited where its block stands in the passage."""
    blocks = candidate.piece.hit.chunk.blocks
    places = [at for at, block in enumerate(blocks, 1) if block.index == row.block]
    at = places[0] if places else candidate.first
    return replace(candidate, first=at, last=at, text=row.label, row=row)


def _extreme(question: Question, row: Candidate, *, best: Callable[..., Value]) -> str:
    values = [v for v in numbers_of(row) if v.period.year]
    values = _of_months(_comparable(values, question), question)
    if OF_THINGS.search(question.whole) or len(values) < 2:
        return ""  # one thing at several times is not what was asked
    top = best(values, key=lambda value: value.amount)
    others = "; ".join(f"{v.when}: {v.text}" for v in values if v is not top)
    told = f"{label_of(row)}, {top.text}{scale_text(top.scale)}"
    return f"{top.when}: {told} (against {others}) {_markers(values)}"


# How sums are told


def _told(
    label: str, shown: str, result: str, values: Sequence[Value], *, scaled: bool = True
) -> str:
    scale = scale_text(values[0].scale) if scaled else ""
    return f"{label}: {shown} = {result}{scale} {_markers(values)}"


def _markers(values: Sequence[Value]) -> str:
    return "".join(dict.fromkeys(value.candidate.marker for value in values))


def in_brackets(printed: Sequence[str]) -> str:
    """Figures as they are added up, in brackets where they are several; too many are not shown."""
    if len(printed) > SHOWN:
        return CITED
    return f"({' + '.join(printed)})" if len(printed) > 1 else printed[0]


def as_printed(value: Value) -> str:
    """A number as it is printed, without its sign of currency; negative ones with a minus."""
    return plain(value.amount) + ("%" if value.unit == "%" else "")


def operand(value: Value) -> str:
    printed = as_printed(value)
    return f"({printed})" if printed.startswith("−") else printed


def plain(number: Decimal) -> str:
    """A number with its thousands parted and at most four places.

    >>> plain(Decimal("-12085.5000")), plain(Decimal(1) / 3)
    ('−12,085.5', '0.3333')
    """
    with localcontext(prec=50):
        rounded = round(number, 4)
        text = f"{abs(rounded):,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"−{text}" if rounded < 0 else text


def percent(number: Decimal) -> str:
    """
    >>> percent(Decimal("22.3881"))
    '22.39%'
    """
    rounded = number.quantize(PLACES)
    return f"{'−' if rounded < 0 else ''}{abs(rounded):,f}%"


def _over_time(pair: Sequence[Value]) -> str:
    later, earlier = pair
    return f"{label_of(later.candidate)}, {earlier.when} to {later.when}"


_WORKED: dict[Operation, Worked] = {
    "difference": _difference,
    "change": _change,
    "average": _average,
    "sum": _sum,
    "share": _share,
    "highest": partial(_extreme, best=max),
    "lowest": partial(_extreme, best=min),
}
