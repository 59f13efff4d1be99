"""The sums that an answer shows: whether they hold, and what they say of the answer's figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docqa.answer.check import computed
from docqa.answer.check.claims import Claim, sums_in_statement
from docqa.answer.check.computed import Derived
from docqa.answer.check.evidence_index import EvidenceIndex
from docqa.answer.check.figure import Figure
from docqa.answer.check.figures import is_of_other_years
from docqa.answer.check.places import Place
from docqa.answer.check.statements import Statement
from docqa.language.expressions import Operand, Result, Sum, evaluate


@dataclass(frozen=True, slots=True)
class ShownSum:
    """A sum of a statement, and the figures that are its operands and its result."""

    sum: Sum
    statement: Statement
    operands: tuple[Figure, ...]
    result: Figure | None

    @property
    def text(self) -> str:
        return self.statement.text[self.sum.start : self.sum.end].strip()

    @property
    def labels(self) -> tuple[str, ...]:
        every = (label for each in self.operands if each.check for label in each.check.labels)
        return tuple(dict.fromkeys(every))

    @property
    def figures(self) -> tuple[Figure, ...]:
        return (*self.operands, *((self.result,) if self.result else ()))

    @property
    def divisors(self) -> Iterator[int]:
        """Where in the answer the figures begin that others are divided by."""
        for side in self.sum.sides:
            for sign, operand in pairwise(side):
                if sign == "/" and isinstance(operand, Operand):
                    yield self.statement.start + operand.start

    def figure_at(self, operand: Operand) -> Figure | None:
        start = self.statement.start + operand.start
        return next((each for each in self.figures if each.claim.start == start), None)


def sums_of(statements: Sequence[Statement], figures: Sequence[Figure]) -> list[ShownSum]:
    """Every sum that the statements show, with its figures."""
    at = {figure.claim.start: figure for figure in figures}
    found = []
    for statement in statements:
        for each in sums_in_statement(statement):
            last = each.result
            known = [(o, at.get(statement.start + o.start)) for o in each.operands]
            operands = tuple(figure for o, figure in known if figure and o is not last)
            result = next((figure for o, figure in known if o is last), None)
            found.append(ShownSum(each, statement, operands, result))
    return found


def settle(shown: ShownSum, figures: Sequence[Figure]) -> None:
    """Settle the figures that a sum gives, or that say otherwise."""
    if len(shown.sum.sides) == 1:
        _settle_beside(shown, figures)
        return
    wrong = computed.wrong_results(shown.sum.sides, _rounded(shown), _scales(shown))
    last = shown.result or next(iter(shown.operands[-1:]), None)
    if wrong and last:
        last.settle("not supported", shown.labels, sum=shown.text, reason=_comes_to(wrong))
    if wrong:
        return
    later = [token for side in shown.sum.sides[1:] for token in side]  # after the first "="
    results = {shown.statement.start + o.start for o in later if isinstance(o, Operand)}
    for figure in shown.figures:
        if figure.check is None and figure.claim.start in results:
            _settle_computed(figure, shown)


def _comes_to(value: str) -> str:
    return f"the sum comes to {value}"


def _rounded(shown: ShownSum) -> dict[int, Result]:
    """The operands that are rounded results themselves; all, where the result stands printed, as
    a document computes it from figures that it does not round."""
    printed = shown.result is not None and shown.result.check is not None
    rounded = {}
    for operand in shown.sum.operands:
        figure = shown.figure_at(operand)
        if figure is None or figure is shown.result or computed.is_constant(figure.claim):
            continue
        loose = figure.check is None or figure.check.result == "computed"
        if loose or printed:
            rounded[operand.start] = Result(operand.value, operand.step / 2)
    return rounded


def _scales(shown: ShownSum) -> tuple[int, ...]:
    """The scales of the tables that the operands stand in, () where some is not known."""
    places = [each.place for each in shown.operands if each.place]
    known = [() if place.amount.scaled else place.factors[:1] for place in places]
    if len(known) < len(shown.operands) or not all(known):
        return ()
    return tuple(dict.fromkeys(factor for (factor,) in known))


def _settle_beside(shown: ShownSum, figures: Sequence[Figure]) -> None:
    """A sum without a result gives a figure of its line; one in brackets that before it."""
    near = [f for f in figures if f.claim.statement.line == shown.statement.line]
    outside = [f for f in near if not f.claim.in_sum]
    said = _said_before(shown, outside)
    own = [f for f in outside if f.claim.statement is shown.statement]
    if said and not any(computed.yields_claim(f.claim, shown.sum) for f in own):
        value = evaluate(shown.sum.sides[0])
        if value is not None:
            reason = _comes_to(computed.printed(value.value))
            said.settle("not supported", shown.labels, sum=shown.text, reason=reason)
    for figure in outside:
        if figure.check is None and computed.yields_claim(figure.claim, shown.sum):
            if wrong := _wrong_scale(figure.claim, shown):
                figure.settle("not supported", shown.labels, sum=shown.text, reason=wrong)
            else:
                _settle_computed(figure, shown)


def _settle_computed(figure: Figure, shown: ShownSum) -> None:
    """What a sum gives, unless it is said to be of another year than all that the sum is of."""
    places = [each.place for each in shown.operands if each.place]
    years = frozenset().union(*(place.period.years for place in places if place.certain))
    if is_of_other_years(figure.claim, years):
        said = ", ".join(map(str, sorted(years)))
        reason = f"it is worked out from figures for {said}"
        figure.settle("not supported", shown.labels, sum=shown.text, reason=reason)
    else:
        figure.settle("computed", shown.labels, sum=shown.text)


def _said_before(shown: ShownSum, outside: Sequence[Figure]) -> Figure | None:
    """The figure that a sum in brackets is put after, None where it stands otherwise."""
    text, start, end = shown.statement.text, shown.sum.start, shown.sum.end
    opened = text[:start].rstrip().endswith("(") or text[start : start + 1] == "("
    closed = text[end:].lstrip()[:1] in (")", ",") or text[end - 1 : end] == ")"
    if not opened or not closed or shown.statement.in_table:
        return None
    place = shown.statement.start + start
    before = [f for f in outside if f.claim.statement is shown.statement and f.claim.end <= place]
    return before[-1] if before else None


def _wrong_scale(claim: Claim, shown: ShownSum) -> str:
    """Said where a figure gives a sum's value in another scale than its operands have."""
    scales, side = _scales(shown), shown.sum.sides[0]
    bare = all(operand.scale == 1 for operand in shown.sum.operands)
    value = evaluate(side)
    if not (scales and bare and value and claim.amount.scaled) or "/" in side:
        return ""
    if any(computed.agrees_with(claim, value.value * scale) for scale in scales):
        return ""
    return _comes_to(computed.in_scale(value.value, scales[0]))


def same_for_other_columns(
    claim: Claim, shown: Sequence[ShownSum], index: EvidenceIndex
) -> Derived | None:
    """A shown sum done over with the figures of another column, such as the year before."""
    for each in shown:
        rows = _rows(each, index)
        for column in {place.column for row in rows.values() for place in row}:
            found = {
                at: place for at, row in rows.items() for place in row if place.column == column
            }
            if len(found) == len(rows) and _gives(claim, each, found):
                labels = tuple(dict.fromkeys(place.label for place in found.values()))
                return Derived(f"as {each.text}", labels)
    return None


def _rows(shown: ShownSum, index: EvidenceIndex) -> dict[int, list[Place]]:
    """The rows of the operands that stand in columns, by where the operands begin."""
    rows = {}
    for operand in shown.sum.operands:
        figure = shown.figure_at(operand)
        if figure is not None and figure.place and figure.place.column >= 0:
            places = index.cited([figure.place.label])
            rows[operand.start] = [place for place in places if place.column >= 0]
    return rows


def _gives(claim: Claim, shown: ShownSum, found: Mapping[int, Place]) -> bool:
    side = shown.sum.sides[0]
    values = {at: Result(abs(place.amount.value)) for at, place in found.items()}
    result = evaluate(side, {**computed.without_scales(side), **values})
    factor = 100 if claim.amount.unit == "%" else 1
    return result is not None and computed.agrees_with(claim, result.value * factor)
