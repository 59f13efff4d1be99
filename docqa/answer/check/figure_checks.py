"""Whether each figure of an answer is supported, computed, given in the question, or none of it."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from docqa.answer.check import computed, shown_sums
from docqa.answer.check.claims import Claim, claims_of
from docqa.answer.check.computed import Term
from docqa.answer.check.evidence_index import EvidenceIndex
from docqa.answer.check.figure import Figure
from docqa.answer.check.figures import EXACT, find, is_named, stems
from docqa.answer.check.places import Place, texts_of
from docqa.answer.check.shown_sums import ShownSum
from docqa.answer.check.statements import Statement
from docqa.language.amounts import Amount, stated_amounts
from docqa.language.numbers import stated_scale
from docqa.language.periods import years_in
from docqa.language.terms import days_in
from docqa.types.answer import Check

_AGAINST = re.compile(
    r"(?:[^.;\d]{0,30}\b)?(?:to|against|versus|vs\.?|from|compared (?:with|to))\b[^.;\d]{0,30}"
    r"|[-−–]|\+",
    re.IGNORECASE,
)
_FEW_LABELS = 8  # cited for a figure that are read for others to work it out from
_MANY_DIGITS = 3  # from which a figure is hardly met by chance
_MOST = 400  # figures of one answer that are checked
_MOST_CITED = 60  # figures of the cited rows that are looked at
_MOST_WHOLES = 8
_MOST_NEAR = 80  # cited figures of which the nearest is told
_MOST_DAYS = 12  # of an answer, between which a length of time may lie


def check_figures(
    statements: Sequence[Statement], index: EvidenceIndex, question: str
) -> Iterator[Check]:
    """A check for each figure; names with digits and constants of sums have none."""
    figures = _figures(statements, index, question)
    for figure in figures:
        _find_cited(figure)
        if figure.check is None and figure.claim.amount.digits >= _MANY_DIGITS:
            _find_elsewhere(figure, index)
    for figure in figures:
        if figure.check is None:
            _find_again(figure, figures)
    _take_back_repeated(figures)
    sums = shown_sums.sums_of(statements, figures)
    for each in sums:
        shown_sums.settle(each, figures)
    asked = stated_amounts(question)
    for figure in _open(figures):
        _as_computed(figure, figures)
    for figure in _open(figures):
        _in_question(figure, asked)
    _derive_all(figures, sums, index)
    days = [day for each in statements for day in days_in(each.text)]
    for figure in _open(figures):
        if apart := computed.length_between(figure.claim, days[:_MOST_DAYS]):
            figure.settle("computed", sum=apart)
    for settle in (_find_elsewhere, _find_in_words, _give_up):
        for figure in _open(figures):
            settle(figure, index)
    for figure in figures:
        _hold_to_document(figure, index)
    yield from (figure.check for figure in figures if figure.check is not None)


def _figures(statements: Sequence[Statement], index: EvidenceIndex, question: str) -> list[Figure]:
    texts = [question, *(f"{each.before} {each.whole}" for each in statements)]
    years = frozenset(year for text in texts for year, _ in years_in(text))
    scaled = any(stated_scale(f"{s.whole} {s.before}")[0] > 1 for s in statements)
    claims = [c for each in statements for c in claims_of(each, scale_around=scaled)][:_MOST]
    return [Figure(claim, find(claim, index, years)) for claim in claims]


def _open(figures: Sequence[Figure]) -> list[Figure]:
    return [figure for figure in figures if not figure.is_settled]


def _find_cited(figure: Figure) -> None:
    match = next((each for each in figure.matches if not each.reason and each.cited), None)
    if match:
        figure.place = match.place
        figure.settle("stands", (match.place.label,))


def _find_elsewhere(figure: Figure, index: EvidenceIndex) -> None:
    """A place that is not cited, and is of the same; none where a cited one is doubted."""
    claim = figure.claim
    free = [match for match in figure.matches if not match.reason]
    if not free or any(match.reason and match.cited for match in figure.matches):
        return
    cited = list(index.cited(claim.labels[:_FEW_LABELS]))
    match = next((each for each in free if is_named(claim, each.place, cited)), None)
    if match:
        figure.place = match.place
        figure.settle("elsewhere", (match.place.label,))


def _find_again(figure: Figure, figures: Sequence[Figure]) -> None:
    """A figure of a sum, or of a line that cites nothing, that the answer has found before."""
    claim = figure.claim
    loose = not claim.statement.labels and not claim.statement.in_table
    if not claim.in_sum and not (loose and claim.amount.digits >= _MANY_DIGITS):
        return
    places = {each.place for each in figures if each.place}
    match = next((m for m in figure.matches if not m.reason and m.place in places), None)
    if match:
        figure.place = match.place
        figure.settle("elsewhere", (match.place.label,))


def _take_back_repeated(figures: Sequence[Figure]) -> None:
    """A figure set against itself holds where it stands twice, as of two years."""
    for one, other in pairwise(figures):
        text, start = one.claim.statement.text, one.claim.statement.start
        same = one.claim.statement is other.claim.statement
        if not same or one.claim.amount.value != other.claim.amount.value or not other.place:
            continue
        between = text[one.claim.end - start : other.claim.start - start].strip(" ()$€£")
        cited = [m.place for m in other.matches if m.cited and m.place.in_table]
        if _AGAINST.fullmatch(between) and len({(p.label, p.column) for p in cited}) == 1:
            shown = other.place.head or other.place.row
            one.settle("not supported", (other.place.label,), reason=f"it stands once, for {shown}")


def _find_in_words(figure: Figure, index: EvidenceIndex) -> None:
    """A bare number that stands with the word before or after it: of a name, or a count."""
    claim, text = figure.claim, figure.claim.statement.text
    start, end = claim.own_start, claim.end - claim.statement.start
    if claim.amount.unit in EXACT or claim.amount.scaled:
        return
    number = re.escape(text[start:end].strip(" ()$"))
    before = re.search(r"([A-Za-z]\w*)[ -]$", text[:start])
    after = re.match(r"[ -]([A-Za-z]\w*)", text[end:])
    named = [rf"\b{before[1]}[ -]{number}\b"] if before else []
    named += [rf"\b{number}[ -]{after[1]}\b"] if after else []
    cited = {label.partition(".")[0] for label in claim.labels}
    for name in index.names(claim.labels):
        said = "\n".join(texts_of(index.passages[name]))
        if any(re.search(each, said, re.IGNORECASE) for each in named):
            figure.settle("stands" if name in cited else "elsewhere", (name,))
            return


# What it follows from


def _as_computed(figure: Figure, figures: Sequence[Figure]) -> None:
    """A figure that the answer computes somewhere else, said again or rounded."""
    for other in figures:
        done = other.check
        if done and done.result == "computed" and computed.restates(figure.claim, other.claim):
            figure.settle("computed", done.labels, sum=done.sum)
            return


def _in_question(figure: Figure, asked: Sequence[Amount]) -> None:
    amount = figure.claim.amount
    same = (a for a in asked if abs(a.value) == abs(amount.value))
    if any(each.unit in (amount.unit, "") for each in same):
        figure.settle("in question")


def _derive_all(figures: Sequence[Figure], sums: Sequence[ShownSum], index: EvidenceIndex) -> None:
    """Until nothing more follows: what is worked out may be what another is worked out from."""
    left = len(figures) + 1
    while len(waiting := _open(figures)) < left:
        left = len(waiting)
        for figure in waiting:
            _derive(figure, figures, sums, index)


def _derive(
    figure: Figure, figures: Sequence[Figure], sums: Sequence[ShownSum], index: EvidenceIndex
) -> None:
    """By an operation done in the head, from what is said beside the figure or what it cites."""
    claim = figure.claim
    if any(match.reason and match.cited for match in figure.matches):
        return
    own = [each.result for each in sums if figure in each.operands]
    said = [_term(each) for each in _beside(figure, figures) if each.holds and each not in own]
    cited = [computed.term_of(p) for p in index.cited(claim.labels[:_FEW_LABELS])][:_MOST_CITED]
    wholes = _wholes(figures, sums)
    how = computed.derive(claim, said, wholes) or computed.derive(claim, cited, wholes)
    ratio = claim.amount.unit in ("%", "pts", "x") and claim.amount.digits >= _MANY_DIGITS
    if how is None and ratio and claim.statement.in_table:
        how = computed.derive(claim, [*said, *cited])
    how = how or shown_sums.same_for_other_columns(claim, sums, index)
    if how is None and not claim.statement.labels and not claim.statement.in_table:
        found = [_term(each) for each in figures if each is not figure and each.place]
        how = computed.derive(claim, found)
    if how:
        figure.settle("computed", how.labels, sum=how.text)


def _beside(figure: Figure, figures: Sequence[Figure]) -> list[Figure]:
    """The figures of its sentence, and of its line where it is no short one, which many give by
    chance; of a cell also those over it."""
    claim = figure.claim
    points = claim.amount.unit in ("%", "pts") and claim.amount.step < 1
    wide = claim.amount.digits >= _MANY_DIGITS or claim.statement.in_table or points
    return [
        other
        for other in figures
        if other is not figure
        and (
            other.claim.statement is claim.statement
            or (wide and other.claim.statement.line == claim.statement.line)
            or _is_over(other.claim.statement, claim.statement)
        )
    ]


def _is_over(one: Statement, other: Statement) -> bool:
    """Whether a cell stands over another in its column."""
    return other.in_table and one.head == other.head and one.line < other.line


def _term(figure: Figure) -> Term:
    if figure.place:
        return computed.term_of(figure.place, said=True)
    amount, scale = figure.claim.amount, figure.claim.scale
    value = amount.value * (scale if scale and not amount.scaled else 1)
    return Term(value, amount.unit, amount.text.strip(), said=True)


def _wholes(figures: Sequence[Figure], sums: Sequence[ShownSum]) -> list[Term]:
    """What the answer divides by, and the totals it names: others may be shares of it."""
    divided = {start for each in sums for start in each.divisors}
    found: dict[object, Term] = {}
    for figure in figures:
        total = figure.place and re.search(r"\btotal\b", figure.place.row, re.IGNORECASE)
        if figure.place and (total or figure.claim.start in divided):
            found.setdefault(figure.place.amount.value, _term(figure))
    return [term for term in found.values() if term.value][:_MOST_WHOLES]


def _give_up(figure: Figure, index: EvidenceIndex) -> None:
    """Not supported: with what tells it from the figure it looks like, else the nearest one."""
    doubted = next((match for match in figure.matches if match.reason), None)
    place = doubted.place if doubted else _nearest(figure.claim, index)
    figure.settle(
        "not supported",
        (place.label,) if place else (),
        reason=doubted.reason if doubted else "",
        nearest=place.amount.text.strip() if place else "",
    )


def _nearest(claim: Claim, index: EvidenceIndex) -> Place | None:
    """Of the cited figures that of the row named best, then of the period, then of nearly the
    value; None where nothing of the kind is cited."""
    said = stems(claim.statement.whole)
    unit = claim.amount.unit
    alike = (p for p in index.cited(claim.labels) if not unit or p.amount.unit in (unit, ""))
    near = list(islice(alike, _MOST_NEAR))
    return max(near, key=lambda place: _likeness(claim, place, said), default=None)


def _likeness(claim: Claim, place: Place, said: frozenset[str]) -> tuple[float, bool, float]:
    own = stems(place.row or place.text)
    one, other = _digits(claim.amount.text), _digits(place.amount.text)
    same = sum(a == b for a, b in zip(one, other, strict=False)) / max(len(one), len(other), 1)
    return len(own & said) / len(own) if own else 0.0, claim.period.agrees(place.period), same


def _digits(text: str) -> Sequence[str]:
    return [character for character in text if character.isdigit()]


def _hold_to_document(figure: Figure, index: EvidenceIndex) -> None:
    """A figure computed from one document, where the statement names another."""
    check = figure.check
    if check and check.result == "computed" and check.labels:
        figure.check = index.settled(
            check, "computed", check.labels[0], figure.claim.statement.whole, labels=check.labels
        )
