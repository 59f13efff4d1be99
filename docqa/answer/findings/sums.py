"""Sums of printed figures: which rows and periods they are of, worked out and shown."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from functools import partial
from itertools import permutations

from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.crossings import RATIOS, head_of, words_asked
from docqa.answer.findings.formulas import book, rows_of
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.operations import Operation
from docqa.answer.findings.relation import heads_of
from docqa.answer.findings.values import (
    DIFFERENCES,
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
from docqa.language.periods import calendar_months, months_asked
from docqa.language.vocabulary import spelled_out
from docqa.language.words import content_words, has_letter
from docqa.types.period import Period
from docqa.types.question import Question
from docqa.types.table import Row

MOST_ROWS = 6  # of one sum
SHOWN = 24  # figures of a sum that are shown
CITED = "the rows cited"  # instead of more
NAMED = 0.74  # share of a label's words that a question has which names it
PLACES = Decimal("0.01")
_RATIO = re.compile(r"\bratio\b|\bdivided\b|\btimes\b", re.IGNORECASE)
# What a column's head says of how its figures were checked, not of what they measure.
_CHECKED = frozenset(content_words("audited unaudited reviewed restated"))
_THAN_ANOTHER = re.compile(
    r"\bthan\b(?!.*\b(?:year|quarter|month|week|before|prior|previous|last|earlier)s?\b)", re.I
)
_NOW = frozenset(content_words("actual current annual proposed passing new this"))
_BEFORE = frozenset(content_words("prior previous expiring preceding old"))
_BETWEEN = re.compile(r"\bbetween\b|\bdifferen\w+|\bmore\b|\bless\b", re.IGNORECASE)
_OF_A_YEAR = re.compile(r"\b\d\d[AEF]\b")  # "25E", of an estimate
_MIDPOINT = re.compile(r"\bmid[\s-]?points?\b|\bmiddle\b", re.IGNORECASE)
_LOW, _HIGH = (
    re.compile(rf"\b(?:{names})\b", re.IGNORECASE)
    for names in ("low(?:er)?|min(?:imum)?|from", "high(?:er)?|upper|max(?:imum)?|to")
)
_WEIGHTED = re.compile(r"\bweighted\b", re.IGNORECASE)  # by what no row says
_OF_AMOUNTS = ("average", "sum", "difference")  # operations that leave a ratio a ratio
_OF_REVENUE = re.compile(r"\bof (?:the |its |total |net )*(?:revenues?|sales|turnover)\b", re.I)
# Years from one to another, and not two of them.
_RANGE = re.compile(
    r"\b(?:from|over|between)\s+\D{0,20}(?:19|20)\d\d\s*(?:to|through|and|until|[-–—])\s*\D{0,12}"
    r"(?:19|20)\d\d|(?:19|20)\d\d\s*(?:to|through|[-–—])\s*(?:fy\s*)?(?:19|20)\d\d",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:since|from|against|than)\b", re.IGNORECASE)
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
Worked = Callable[[Question, Sequence[Candidate]], str]
_CALLED: dict[Operation, frozenset[str]] = {
    "average": frozenset(content_words("average mean")),
    "sum": frozenset(content_words("total combined sum")),
    "change": frozenset(content_words("change growth")),
    "difference": frozenset(content_words("change variance")),
}


def summed(operation: Operation, question: Question, judged: Sequence[Judged]) -> str:
    """The sum a question asks for; "" where its figures are not there, or none is asked for."""
    rows = [each for each in judged if each.candidate.row is not None]
    if operation in _OF_AMOUNTS and not RATIOS.isdisjoint(content_words(question.topic)):
        rows = [each for each in rows if _is_ratio(each.candidate)]
    if not rows or operation == "count":
        return ""
    if len(periods_asked(question)) < 2 and is_printed(operation, rows[0].candidate):
        return ""
    alike = _called_alike(rows)
    for first in alike:
        named = _named_rows([first, *(each for each in rows if each is not first)], question)
        if found := _WORKED[operation](question, named):
            return found
    pair = _of_two_tables([each.candidate for each in alike], question)
    return _compared(operation, pair)


def across_columns(operation: Operation, question: Question, candidate: Candidate) -> str:
    """How far a row's figure is from that under a column which the question names beside it, or of
    before, or the middle of its range; "" where it asks for neither, or the row has no such
    columns."""
    if operation == "average" and _MIDPOINT.search(question.whole):
        return _added("average", _ends_of_range(candidate, question), [candidate])
    return _compared(operation, _pair_of_columns(candidate, question))


def _compared(operation: Operation, pair: Sequence[Value]) -> str:
    """The difference or the change of two figures; "" for another operation, and for none."""
    if not pair or operation not in ("difference", "change"):
        return ""
    return _changed(pair) if operation == "change" else _subtracted(pair, _over_time(pair))


def _of_two_tables(rows: Sequence[Candidate], question: Question) -> list[Value]:
    """A row's latest figure and that before it, of two tables under the same heads, each of one
    time; [] for none, or where the question names no one column."""
    first, found = rows[0].table, dict[tuple[int, ...], Value]()
    for row in rows:
        numbers = numbers_of(row)
        same = first and row.table and heads_of(first) == heads_of(row.table)
        asked = asked_values(numbers, question)
        if same and len(asked) == 1 and len({value.period.end for value in numbers}) == 1:
            found.setdefault(asked[0].period.end, asked[0])
    years = {period.year for period in periods_asked(question)}
    ends = sorted((end for end in found if any(end)), reverse=True)
    ends = [end for end in ends if not years or end[0] <= max(years)]
    pair = [found[end] for end in ends[:2]]
    return pair if len(pair) == 2 and pair[0].heading == pair[1].heading else []


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


def _named_rows(rows: Sequence[Judged], question: Question) -> list[Candidate]:
    """The likeliest row, and those of the same tables that the question names beside it, if only by
    what tells them apart ("grocery and foodservice receipts")."""
    first = rows[0].candidate
    asked, own = set(content_words(question.whole)), set(_label_words(first))
    covered = asked & own
    chosen = [first]
    others = (each.candidate for each in rows[1:] if each.candidate.table == first.table)
    for other in sorted(others, key=lambda each: -len(asked & set(_label_words(each)))):
        words = set(_label_words(other))
        share = len(words & asked) / len(words) if words else 0.0
        apart = words - own
        beside = words & own and apart and apart <= asked and not asked.isdisjoint(own - words)
        named = share >= NAMED or beside
        if named and words & asked - covered and len(chosen) < MOST_ROWS:
            chosen.append(other)
            covered |= words & asked
    return sorted(chosen, key=lambda each: _mentioned(each, question)) if chosen[1:] else chosen


def _label_words(candidate: Candidate) -> list[str]:
    assert candidate.row is not None
    return list(filter(has_letter, content_words(candidate.row.label)))


def _mentioned(candidate: Candidate, question: Question) -> int:
    """Where in the question the first of a row's own words stands."""
    order = content_words(question.whole)
    places = [order.index(word) for word in _label_words(candidate) if word in order]
    return min(places, default=len(order))


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
        last = [v for v in [value_at(candidate, asked[0], question)] if v is not None]
    pairs = (_with_one_before(later, in_order, question) for later in last)
    return next((pair for pair in pairs if pair and not _leaves_out(pair, question)), [])


def _pair_of_columns(candidate: Candidate, question: Question) -> list[Value]:
    """A row's latest figure and that which it is held against, of one time if it may be: under a
    column that the question names beside it ("short of target"), or of before ("Expiring
    premium"); [] for none, or for several."""
    asked = {*content_words(spelled_out(question.topic))} - {*_label_words(candidate)}
    values = [v for v in numbers_of(candidate) if DIFFERENCES.isdisjoint(content_words(v.heading))]
    months = columns_of_months(question, values[0].table) if values else []
    values = [v for v in values if not months or v.column in months]
    pairs: dict[tuple[int, bool, tuple[int, ...]], list[list[Value]]] = {}
    for now, against in permutations(values, 2):
        own, others = _measure(now), _measure(against)
        alike = now.unit == against.unit and (now.period.months or 0) == (
            against.period.months or 0
        )
        if alike and own - others <= _NOW and (told := others - own) and told <= asked | _BEFORE:
            heads = [{*content_words(spelled_out(each.heading))} for each in (now, against)]
            of_one_time = heads[0] - own == heads[1] - others
            place = len(set().union(*heads) & asked), of_one_time, now.period.end
            pairs.setdefault(place, []).append([now, against])
    best = pairs[max(pairs)] if pairs else []
    return best[0] if len(best) == 1 else []


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


def _difference(question: Question, rows: Sequence[Candidate]) -> str:
    if len(rows) > 1 and len(periods_asked(question)) < 2:
        both = f"{label_of(rows[0])} and {label_of(rows[1])}"
        return _subtracted(_same_time(rows[:2], question), both)
    if not periods_asked(question) and _THAN_ANOTHER.search(question.whole):
        return ""  # of two things, of which only one was found
    if months_asked(question.whole) and not (
        is_over_time(question) or _BETWEEN.search(question.whole)
    ):
        return ""  # "over the nine months", at one time
    pair = _pair_in_time(rows[0], question)
    return _subtracted(pair, _over_time(pair)) if pair else ""


def _subtracted(values: Sequence[Value], label: str) -> str:
    if len(values) != 2 or any(value.number is None for value in values):
        return ""
    one, other = values
    if one.scale != other.scale:
        return ""
    shown = f"{as_printed(one)} − {operand(other)}"
    return _told(f"Difference, {label}", shown, plain(one.amount - other.amount), values)


def _change(question: Question, rows: Sequence[Candidate]) -> str:
    return _changed(_pair_in_time(rows[0], question))


def _changed(pair: Sequence[Value]) -> str:
    if not pair or not pair[1].number or pair[0].number is None:
        return ""
    later, earlier = pair
    if "%" in (later.unit, earlier.unit):
        return _subtracted(pair, _over_time(pair))
    share = (later.amount - earlier.amount) / abs(earlier.amount) * 100
    below = f"|{as_printed(earlier)}|" if earlier.amount < 0 else as_printed(earlier)
    shown = f"({as_printed(later)} − {operand(earlier)}) ÷ {below}"
    return _told(f"Change, {_over_time(pair)}", shown, percent(share), pair, scaled=False)


def _average(question: Question, rows: Sequence[Candidate]) -> str:
    if _WEIGHTED.search(question.whole) or _MIDPOINT.search(question.whole):
        return ""
    return _added("average", _several(question, rows), rows)


def _ends_of_range(candidate: Candidate, question: Question) -> list[Value]:
    """A row's figures under "Low" and "High", as of guidance, of several ranges that which is
    named; [] where it has not one of each."""
    values = asked_values(numbers_of(candidate), question)
    ends = [[v for v in values if end.search(v.heading)] for end in (_LOW, _HIGH)]
    return [value for own in ends for value in own] if [len(own) for own in ends] == [1, 1] else []


def _sum(question: Question, rows: Sequence[Candidate]) -> str:
    of_several = len(rows) > 1 or len(periods_asked(question)) > 1 or last_times(question)
    if not (of_several or _steps(rows[0], question)):
        return ""  # one printed figure is the total
    return _added("sum", _several(question, rows), rows)


def _added(operation: Operation, values: Sequence[Value], rows: Sequence[Candidate]) -> str:
    if len(values) < 2:
        return ""
    shown, result = come_to(operation, [v.amount for v in values], list(map(operand, values)))
    label = f"{operation.capitalize()}, {_of_all(values, rows)}"
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


def _several(question: Question, rows: Sequence[Candidate]) -> list[Value]:
    """Several rows at one time; or one row at the times asked for, else at the last two or all."""
    asked = periods_asked(question)
    if len(rows) > 1 and len(asked) < 2:
        return _same_time(rows, question)
    if steps := _steps(rows[0], question):
        return steps
    if len(asked) > 1:
        return _in_range(rows[0], asked, question)
    if asked:
        return _pair_in_time(rows[0], question)
    if _OF_A_YEAR.search(question.whole):
        return []  # not over the years
    numbers = [v for v in numbers_of(rows[0]) if v.period.year]
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


def _same_time(rows: Sequence[Candidate], question: Question) -> list[Value]:
    """A number of each row, all of the period asked for, else of the last that the first has."""
    asked = periods_asked(question)
    first = [v for v in asked_values(values_of(rows[0]), question) if v.number is not None]
    if not first:
        return []
    dated = sorted(first, key=lambda value: value.period.end)
    chosen = dated[-1] if not asked and all(v.period.year for v in first) else _whole(first)
    others = [next((v for v in values_of(r) if v.column == chosen.column), None) for r in rows[1:]]
    values = [chosen, *(v for v in others if v is not None and v.number is not None)]
    return values if len(values) == len(rows) else []


def _whole(values: Sequence[Value]) -> Value:
    """The one of a row's values that is headed as their total, else the first."""
    return next((value for value in values if TOTAL.search(value.heading)), values[0])


def _share(question: Question, rows: Sequence[Candidate]) -> str:
    pair = _same_time(rows[:2], question) if len(rows) > 1 else _with_total(rows[0], question)
    if len(pair) != 2 or not pair[1].number or pair[0].number is None:
        return ""
    one, other = pair
    if abs(one.amount) > abs(other.amount) and not _RATIO.search(question.whole):
        one, other = other, one  # a share is of the larger
    if not other.amount:
        return ""
    shown = f"{as_printed(one)} ÷ {operand(other)}"
    label = f"{label_of(one.candidate)} as a share of {label_of(other.candidate)}{_when(one)}"
    result = percent(one.amount / other.amount * 100)
    return _told(label, shown, result, pair, scaled=False)


def _with_total(candidate: Candidate, question: Question) -> list[Value]:
    """A row with the whole that it is part of: revenue, where the question names that, else the
    next row below that is called a total."""
    table, row = candidate.table, candidate.row
    assert table is not None
    assert row is not None
    values = [v for v in asked_values(values_of(candidate), question) if v.number is not None]
    if _OF_REVENUE.search(question.whole):
        totals = rows_of(book().lines["revenue"], [(table, each) for each in table.rows])
    else:
        below = table.rows[table.rows.index(row) + 1 :]
        totals = [(table, each) for each in below if each.label.lower().startswith("total")]
    _, total = next(iter(totals), (table, None))
    if not values or total is None or total is row:
        return []
    own = _whole(values)
    number = values_of(_at(candidate, total))
    return [own, *(v for v in number if v.column == own.column)][:2] if own.unit != "%" else []


def _at(candidate: Candidate, row: Row) -> Candidate:
    """Another row of the same table; it is cited where its block stands in the passage."""
    blocks = candidate.piece.hit.chunk.blocks
    places = [at for at, block in enumerate(blocks, 1) if block.index == row.block]
    at = places[0] if places else candidate.first
    return replace(candidate, first=at, last=at, text=row.label, row=row)


def _extreme(question: Question, rows: Sequence[Candidate], *, best: Callable[..., Value]) -> str:
    values = [v for v in numbers_of(rows[0]) if v.period.year]
    values = _of_months(_comparable(values, question), question)
    if len(rows) == 1 and OF_THINGS.search(question.whole):
        return ""  # one thing at several times is not what was asked
    if len(rows) > 1 and len(periods_asked(question)) < 2:
        values = _same_time(rows, question)
    if len(values) < 2:
        return ""
    top = best(values, key=lambda value: value.amount)
    others = "; ".join(f"{_name(v, rows)}: {v.text}" for v in values if v is not top)
    told = f"{label_of(top.candidate)}, {top.text}{scale_text(top.scale)}"
    return f"{_name(top, rows)}: {told} (against {others}) {_markers(values)}"


def _name(value: Value, rows: Sequence[Candidate]) -> str:
    return label_of(value.candidate) if len(rows) > 1 else value.when


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
    label = label_of(later.candidate)
    if later.when == earlier.when:  # in two tables, which tell the times
        return f"{label}, {later.when}, {earlier.period.text} to {later.period.text}"
    return f"{label}, {earlier.when} to {later.when}"


def _of_all(values: Sequence[Value], rows: Sequence[Candidate]) -> str:
    if len(rows) > 1 and len({v.candidate.first for v in values}) > 1:
        names = ", ".join(label_of(value.candidate) for value in values)
        return f"{names}{_when(values[0])}"
    times = ", ".join(filter(None, (value.when for value in values)))
    return f"{label_of(values[0].candidate)}{f', {times}' if times else ''}"


def _when(value: Value) -> str:
    return f", {value.when}" if value.when else ""


_WORKED: dict[Operation, Worked] = {
    "difference": _difference,
    "change": _change,
    "average": _average,
    "sum": _sum,
    "share": _share,
    "highest": partial(_extreme, best=max),
    "lowest": partial(_extreme, best=min),
}
