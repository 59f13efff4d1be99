"""Figures that follow from others: by a sum that the answer shows, or by one done in the head."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations, pairwise, permutations, product

from docqa.answer.check.claims import Claim
from docqa.answer.check.figures import is_of_other_years, rounded_to, stems
from docqa.answer.check.places import MONEY, Place
from docqa.language.expressions import Operand, Result, Sum, Token, agrees, evaluate
from docqa.language.numbers import DURATIONS
from docqa.types.units import SCALE_NAMES

_CONSTANTS = frozenset(
    map(Decimal, (*range(13), 24, 30, 31, 52, 60, 90, 91, 100, 182, 250, 252, 260, 274, 360, 364,
                  365, 366, 1000, 10_000, 1_000_000))
)  # fmt: skip
_SCALES = tuple(map(Decimal, (1, 10**3, 10**6, 10**9)))
_APART = re.compile(
    r"\b(?:by|chang\w+|differ\w*|exceed\w*|more|less|remain\w*|minus|gap|spread|excess|left|leav\w+|net|swing"
    r"|swung|variance|delta|premium|discount|rest|balance|other|increas\w+|decreas\w+|declin\w+"
    r"|rise|rose|f[ae]ll\w*|gr[eo]w\w*|drop\w*|gain\w*|lower|higher|up|down|reduc\w+|add\w*|improv\w+"
    r"|over|above|below|under|headroom|short\w*|apart|between)\b|[-−–+]\s?[$€£]?\d|=", re.I,
)  # fmt: skip
_LESS = re.compile(
    r"\b(?:less|minus|excluding|without|net of|after|before|other than|rest)\b", re.I
)
_RATE = re.compile(
    r"\b(?:a|per|each) (?:month|quarter|year|annum)\b|\b(?:month|quarter|year|annual)ly\b"
    r"|\bannuali",
    re.I,
)
_PER = re.compile(r"\b(?:per|each|apiece)\b|/\s?[a-z]", re.I)  # of a square foot, a unit, a bed
_PER_CENT_OF = re.compile(r"(?:%|\bper\s?cent\.?)\sof\b", re.I)  # "35% of the margin of 2.75%"
_MEAN = re.compile(r"\b(?:averag\w+|mean)\b", re.I)
_WHOLES = re.compile(r"\b(?:leav\w+|left|remain\w*|rest|other|balance)\b", re.I)
_PART = re.compile(
    r"\b(?:(?P<count>an?|one|two|three)\s+)?(?P<part>half|third|quarter|fifth|tenth)s?\s+of\b", re.I
)
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_DAYS_IN = {
    "days": Decimal(1), "weeks": Decimal(7), "months": Decimal("30.44"), "years": Decimal("365.25"),
}  # fmt: skip
_FEW_ROWS = 4  # cited rows from which it is told what they have to do with the figure
_MOST = 16  # figures among which an operation is looked for
_HUNDRED = Decimal(100)


def is_constant(claim: Claim) -> bool:
    """Whether a number is one that no passage has to give: 12, 365 or a count in a sum, 100 %."""
    amount = claim.amount
    if amount.unit == "%" and amount.value == _HUNDRED:
        return True  # the whole
    counts = amount.unit in ("", *DURATIONS) and not amount.scaled
    return claim.in_sum and counts and amount.value in _CONSTANTS


def wrong_results(
    sides: Sequence[Sequence[Token]], rounded: Mapping[int, Result], scales: Sequence[int] = ()
) -> str:
    """What a sum comes to that its result does not say; "" where it does, or comes to nothing.

    ``rounded`` are operands that are results themselves, by their place in the sum's statement.
    ``scales`` are those of the tables that its operands stand in, where all are known: what has
    its scale in the result alone has to have that one.
    """
    for left, right in pairwise(sides):
        bare = all(token.scale == 1 for token in left if isinstance(token, Operand))
        known = scales if bare and not any(token == "/" for token in left) else ()
        if not (
            _agree(left, right, rounded, scales=known or _SCALES if bare else (1,))
            or (not bare and _agree(left, right, rounded, plain=True))
            or (bare and _agree(left, right, rounded, plain=True) and not _has_scale(right))
        ):
            result = evaluate(left, rounded)
            return "" if result is None else printed(result.value, right)
    return ""


def _has_scale(side: Sequence[Token]) -> bool:
    return any(token.scale > 1 for token in side if isinstance(token, Operand))


def _agree(
    left: Sequence[Token],
    right: Sequence[Token],
    rounded: Mapping[int, Result],
    *,
    scales: Sequence[Decimal | int] = (1,),
    plain: bool = False,
) -> bool:
    """Whether two sides are one value, the left one in any of ``scales``; with ``plain`` all scale
    words are left out ("$1,200 / $1,110 million")."""
    known = {**rounded, **(without_scales((*left, *right)) if plain else {})}
    one = [evaluate(left, known, hundredths=each) for each in (False, True)]
    numbers = [token for token in right if isinstance(token, Operand)]
    lone = len(numbers) == 1
    other = evaluate(right, without_scales(right) if plain and lone else {} if lone else known)
    if one[0] is None or other is None:
        return one[0] is None
    step = min((n.step / (n.scale if plain else 1) for n in numbers), default=Decimal(0))
    percents = any(token.percent for token in left if isinstance(token, Operand))
    factors = [Decimal(1), 1 / _HUNDRED if percents else _HUNDRED]
    factors += [Decimal(scale) for scale in scales if scale != 1]
    for result in filter(None, one):
        for factor in factors:
            # Rounded operands may shift the last digit of what is worked out, and no more.
            slack = min(result.slack * factor, step) if lone else result.slack * factor
            width = step if lone else other.slack * 2 + abs(result.value * factor) / 10**6
            if agrees(Result(result.value * factor, slack), other.value, width):
                return True
    return False


def without_scales(tokens: Iterable[Token]) -> dict[int, Result]:
    return {
        token.start: Result(token.value / token.scale)
        for token in tokens
        if isinstance(token, Operand) and token.scale > 1
    }


def printed(value: Decimal, like: Sequence[Token] = ()) -> str:
    """A value for reading: as many places as what it stands beside, two at most otherwise."""
    beside = next((token for token in like if isinstance(token, Operand)), None)
    if beside is not None and beside.percent and abs(value) < 10:
        value *= _HUNDRED
    places = 2 if beside is None else max(0, -int(beside.step.normalize().as_tuple().exponent))
    text = f"{value:,.{min(places, 6)}f}"
    return f"{text}%" if beside is not None and beside.percent else text


def in_scale(value: Decimal, scale: int) -> str:
    return f"{value.normalize():,f} {SCALE_NAMES.get(scale, '')}".strip()


def agrees_with(claim: Claim, value: Decimal) -> bool:
    """Whether a value may be printed as the claim prints it, in any scale, sign left to words."""
    amount = claim.amount
    step = rounded_to(claim) if claim.hedge else amount.step
    step = step * 2 if claim.hedge in ("over", "under") else step
    sizes = {amount.value: step}
    if claim.scale and not amount.scaled:
        sizes[amount.value * claim.scale] = step * claim.scale
    elif claim.statement.in_table and not amount.scaled:  # in what its table is in, unsaid
        sizes |= {amount.value * scale: step * scale for scale in _SCALES}
    return any(agrees(Result(abs(value)), abs(size), width) for size, width in sizes.items())


def restates(claim: Claim, other: Claim) -> bool:
    """Whether a claim is another one said again: the same figure, or rounded to two digits."""
    one, two = claim.amount, other.amount
    units = {{"pts": "%", "x": ""}.get(unit, unit) for unit in (one.unit, two.unit)}
    row = stems(claim.statement.row)
    of_row = row & stems(f"{other.statement.before} {other.statement.whole}")
    if (
        len(units) > 1
        or (claim.statement.in_table and len(of_row) * 2 <= len(row))
        or (one.digits < 2 and one.value != two.value)
    ):
        return False
    return any(
        abs(abs(one.value) - abs(two.value) * scale) * 2
        <= (one.step if two.step * scale < one.step else 0)
        for scale in (*_SCALES, *(1 / each for each in _SCALES))
        if scale == 1 or one.scaled != two.scaled
    )


def yields_claim(claim: Claim, shown: Sum) -> bool:
    """Whether a sum without a result, shown beside a figure, gives it."""
    for side in shown.sides:
        for known in ({}, without_scales(side)):
            result = evaluate(side, known)
            if result is None:
                continue
            factors = (_HUNDRED,) if claim.amount.unit == "%" else (Decimal(1), *_SCALES[1:])
            if any(agrees_with(claim, result.value * factor) for factor in (*factors, Decimal(1))):
                return True
    return False


@dataclass(frozen=True, slots=True)
class Term:
    """A figure that others may be worked out from, and where it stands."""

    value: Decimal
    unit: str
    text: str
    label: str = ""
    row: str = ""
    column: int = -1
    table: str = ""
    said: bool = False  # by the answer itself
    years: frozenset[int] = frozenset()


def term_of(place: Place, *, said: bool = False) -> Term:
    factor = place.factors[0] if place.factors else 1
    return Term(
        place.amount.value * factor, place.amount.unit, place.amount.text.strip(), place.label,
        place.row, place.column, place.table, said,
        place.period.years if place.certain else frozenset(),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Derived:
    """How a figure follows: the sum in words, and the labels of what it is made of."""

    text: str
    labels: tuple[str, ...]


def derive(claim: Claim, terms: Sequence[Term], wholes: Sequence[Term] = ()) -> Derived | None:
    """An operation on the terms that gives the claim's figure, None where there is none.

    Tried are the change in per cent, the share and the difference of two terms that belong
    together (in one row, in one column, or both named by the answer), their sum and mean; one by
    the month or quarter; the share of a term in one of ``wholes``.
    """
    near = stems(claim.statement.whole + " " + claim.statement.before)
    few = len({(t.label, t.row) for t in terms}) <= _FEW_ROWS
    kept = [t for t in terms if t.value and (t.said or few or stems(t.row) & near or not t.row)][
        :_MOST
    ]
    for of_one, one in product((_at_other_rates, _parts_of), kept):
        for value, text in of_one(claim, one):
            if agrees_with(claim, value):
                return Derived(text, _labels((one,)))
    for one, other in permutations(kept, 2):
        if _together(one, other) and one.value != other.value:
            if is_of_other_years(claim, one.years | other.years):
                continue
            for value, text in _results(claim, one, other):
                if agrees_with(claim, value):
                    return Derived(text, _labels((one, other)))
    for one in (term for term in kept if term.said and term.unit != "%"):
        for whole in wholes if claim.amount.unit == "%" else ():
            if one.value != whole.value and agrees_with(claim, one.value / whole.value * 100):
                return Derived(f"{one.text} / {whole.text}", _labels((one, whole)))
    return _rest(claim, kept)


def _together(one: Term, other: Term) -> bool:
    """Whether an operation on the two makes sense: in a row, in a column, or of one period."""
    if one.said and other.said:
        return True
    if one.table == other.table:
        return (
            one.row == other.row or one.column == other.column
            if one.table
            else one.label == other.label
        )
    return bool(one.years & other.years)


def _of_period(claim: Claim, *terms: Term) -> bool:
    """Whether a share of one of them in another can be one for the claim's period."""
    years = claim.period.years
    return all(not years or not term.years or term.said or years & term.years for term in terms)


def _labels(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term.label for term in terms if term.label))


def _results(claim: Claim, one: Term, other: Term) -> Iterator[tuple[Decimal, str]]:
    a, b, unit = one.value, other.value, claim.amount.unit
    said = claim.statement.whole
    unit = "%" if unit == "pts" else unit
    alike = one.unit == other.unit or (
        not (one.unit and other.unit) and "%" not in (one.unit, other.unit)
    )
    if unit == "%":
        if one.unit == other.unit == "%":
            yield a - b, f"{one.text} - {other.text}"
            if one.column == other.column >= 0 and claim.amount.digits > 2:
                yield a + b, f"{one.text} + {other.text}"
            if _PER_CENT_OF.search(said):
                yield a * b / 100, f"{one.text} × {other.text}"
        elif alike:
            if _of_period(claim, one, other):
                yield a / b * 100, f"{one.text} / {other.text}"
            yield (a - b) / abs(b) * 100, f"({one.text} - {other.text}) / {other.text}"
            if abs(a) < abs(b):  # what is deducted may be printed in brackets
                yield (1 - abs(a) / abs(b)) * 100, f"1 - {one.text} / {other.text}"
        return
    ratio = unit == "x" or claim.amount.step < 1
    if alike and (not unit or unit == "x") and ratio and _of_period(claim, one, other):
        yield a / b, f"{one.text} / {other.text}"
    counted = other.unit and other.unit not in (*MONEY, *DURATIONS, "%")
    if unit in MONEY and one.unit in MONEY and counted and _PER.search(said):
        yield a / b, f"{one.text} / {other.text}"
    if alike and one.unit != "%" and (unit in (one.unit, other.unit, "") or unit in MONEY):
        tabled = claim.statement.in_table and claim.amount.digits > 2
        if a >= b and (tabled or _APART.search(said)):
            yield a - b, f"{one.text} - {other.text}"
        if claim.amount.digits > 2:
            yield a + b, f"{one.text} + {other.text}"
            yield abs(a) + abs(b), f"{one.text} + {other.text}"
        if _MEAN.search(said):
            yield (a + b) / 2, f"({one.text} + {other.text}) / 2"
    if "%" in (one.unit, other.unit) and one.unit != other.unit and unit != "%":
        yield a * b / 100, f"{one.text} × {other.text}"


def _at_other_rates(claim: Claim, one: Term) -> Iterator[tuple[Decimal, str]]:
    """A yearly sum of money by the month or quarter, and the other way round."""
    if not _RATE.search(claim.statement.whole):
        return
    if claim.amount.unit in (*MONEY, "") and one.unit in (*MONEY, ""):
        for n in (Decimal(12), Decimal(4)):
            yield one.value * n, f"{one.text} × {n}"
            yield one.value / n, f"{one.text} / {n}"


def _parts_of(claim: Claim, one: Term) -> Iterator[tuple[Decimal, str]]:
    """What is left of the whole less a share that is said, and the part of a figure that is named
    ("a third of $17,500")."""
    said, unit = claim.statement.whole, claim.amount.unit
    if unit == one.unit == "%" and one.said and _WHOLES.search(said):
        yield _HUNDRED - one.value, f"100% - {one.text}"
    for part in _PART.finditer(said) if one.unit != "%" and unit in (one.unit, "", *MONEY) else ():
        count = {"two": 2, "three": 3}.get((part["count"] or "").lower(), 1)
        yield one.value * count / _PARTS[part["part"].lower()], f"{part[0]} {one.text}"


def length_between(claim: Claim, days: Sequence[date]) -> str:
    """The two dates of an answer that lie as far apart as a claim says; "" for none."""
    if (unit := _DAYS_IN.get(claim.amount.unit)) is None:
        return ""
    for first, last in combinations(sorted(set(days)), 2):
        if agrees_with(claim, (last - first).days / unit):
            return f"{first} to {last}"
    return ""


def _rest(claim: Claim, terms: Sequence[Term]) -> Derived | None:
    """What is left of a figure less two others of its column, where the claim says that it is."""
    if claim.amount.digits < 3 or not _LESS.search(claim.statement.whole):
        return None
    tabled = [term for term in terms if term.table and term.column >= 0]
    for whole, *parts in permutations(tabled, 3):
        alike = all((p.table, p.column) == (whole.table, whole.column) for p in parts)
        if alike and agrees_with(claim, abs(whole.value) - sum(abs(p.value) for p in parts)):
            every = (whole, *parts)
            return Derived(" - ".join(term.text for term in every), _labels(every))
    return None
