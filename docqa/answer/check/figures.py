"""Whether a claimed figure is one of the evidence, and if not, what tells them apart."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from docqa.answer.check.claims import Claim
from docqa.answer.check.evidence_index import EvidenceIndex
from docqa.answer.check.links import is_base
from docqa.answer.check.places import MONEY, Place
from docqa.answer.check.quotation import quotation_spans
from docqa.language.amounts import Amount
from docqa.language.labels import is_outflow
from docqa.language.numbers import COUNTED, CURRENCIES, DURATIONS, MEASURES, RATES
from docqa.language.periods import time_scope, years_named
from docqa.language.vocabulary import spelled_out
from docqa.language.words import content_words
from docqa.types.units import SCALE_NAMES

_AREAS = ("sq ft", "sq m", "acres", "hectares")
_AREA = re.compile(
    "|".join(words for words, unit in (RATES | MEASURES).items() if unit.lstrip("/") in _AREAS),
    re.IGNORECASE,
)
_SCALES = (1, 10**3, 10**6, 10**9)
_RISING = r"increas\w+|rise\w*|rose|rising|gr[eo]w\w*|gain\w*|higher|improv\w+|climb\w*|up"
_FALLING = r"decreas\w+|declin\w+|f[ae]ll\w*|drop\w*|reduc\w+|lower\w*|shr[aiu]nk\w*|down"
_TURN = re.compile(rf"\b(?:(?P<up>{_RISING})|(?P<down>{_FALLING}))\b", re.IGNORECASE)
_NEGATIVE = rf"{_FALLING}|loss\w*|negative|deficit\w*|outflow\w*|benefits?|credits?|used|paid"
_BELOW = re.compile(rf"\b(?:{_NEGATIVE})\b", re.IGNORECASE)
_LOSS = re.compile(
    rf"\b(?:{_NEGATIVE}|net of|deduct\w*|less|minus|offset\w*|reversal\w*|charges?|contra"
    r"|cost|costs|expens\w+|out)\b", re.IGNORECASE,
)  # fmt: skip
_EITHER_WAY = re.compile(
    r"income|earnings|profit|result|gain|margin|growth|chang\w+|%|∆|other|eliminat\w+|unallocated|net"
    r"|cash flow|return|fx|currency|effect|impact|variance|adjust\w+|benefit|\(loss\)|/", re.I,
)  # fmt: skip
_EARLIER = re.compile(
    r"\b(?:earlier|prior|previous\w*|before|preceding|last|year-?ago|following|next)\b",
    re.IGNORECASE,
)
_NO_NAME = frozenset(("total", "inc", "corp", "llc", "ltd", "llp", "lp", "plc", "gmbh"))
_PART_OF = re.compile(r"\d\S*\s(?:\w+\s)?(?:out )?of (?:the |a total of )?\W*$")
# Units of which one is never another; what is counted is called by many names.
EXACT = frozenset((*MONEY, *CURRENCIES.values(), *DURATIONS, "%", "shares", *_AREAS))
_JUST_BEFORE = 40  # characters before a figure in which a word says which way it went
_MANY_DIGITS = 3  # of a figure that says nothing else, to be known by them
_SHARED = 0.3  # of a claim's words, for a sentence that it does not cite to be of the same


@dataclass(frozen=True, slots=True)
class Match:
    """A place whose digits are a claim's; ``reason`` says what tells them apart, "" for nothing."""

    place: Place
    reason: str = ""
    cited: bool = False


def find(claim: Claim, index: EvidenceIndex, years: frozenset[int]) -> list[Match]:
    """The places that a claimed figure may be, the likeliest first; ``years`` are the answer's.

    Before others stand those that nothing tells apart, among them those that are cited, and then
    those whose row or sentence the claim names best.
    """
    cited = {block for label in claim.labels for block in index.blocks(label)}
    words = claim.amount.unit in (*DURATIONS, *COUNTED.values()) and claim.amount.value < 1000
    of_cited = index.like(claim.amount.value, _slack(claim), words=words, within=cited)
    found = _matches(claim, of_cited, index, years, cited=True)
    if not any(not match.reason for match in found):
        others = index.like(claim.amount.value, _slack(claim), words=words, without=cited)
        found += _matches(claim, others, index, years, cited=False)
    return sorted(
        found, key=lambda each: (bool(each.reason), not each.cited, -_shared(claim, each.place))
    )


def _matches(
    claim: Claim,
    places: Iterable[Place],
    index: EvidenceIndex,
    years: frozenset[int],
    *,
    cited: bool,
) -> list[Match]:
    reasons = ((place, _difference(claim, place, index, years)) for place in places)
    return [Match(place, reason, cited) for place, reason in reasons if reason is not None]


def _slack(claim: Claim) -> Decimal:
    """How far a figure may be from the claim that rounds it."""
    step = rounded_to(claim) if claim.hedge else claim.amount.step
    return step if claim.hedge in ("over", "under") else step / 2


def rounded_to(claim: Claim) -> Decimal:
    """The last place that a figure says of another: of "about 1,500" the hundreds, as far as it
    has two digits then."""
    amount, digits = claim.amount, re.sub(r"\D", "", claim.amount.text).lstrip("0")
    zeros = len(digits) - max(len(digits.rstrip("0")), 2)
    return amount.step * 10**zeros if zeros > 0 and amount.step >= 1 else amount.step


def _difference(
    claim: Claim, place: Place, index: EvidenceIndex, years: frozenset[int]
) -> str | None:
    """What tells a place from the claim, "" for nothing; None where it is another number."""
    scale = _of_scale(claim, place)
    if scale is None:
        return None
    apart = (
        _of_unit(claim.amount.unit, place)
        or scale
        or _of_document(claim, place, index)
        or _of_period(claim, place, years, index)
    )
    if apart or claim.in_sum:  # whether an operand is the right one, the sum says
        return apart
    return _of_row(claim, place) or _of_column(claim, place) or _of_sign(claim, place, index)


def _of_scale(claim: Claim, place: Place) -> str | None:
    """None where the values differ; "" where they agree as printed or at the scale."""
    amount, own = claim.amount, place.amount
    scale = 1 if amount.scaled else claim.scale or 1
    meant, step = amount.value * scale, amount.step * scale
    known = {*_SCALES, *place.factors}
    at = {f for f in known if _same(claim, meant, step, own.value * f, own)}
    if at.intersection(place.factors or known):
        return ""
    if not amount.scaled and _same(claim, amount.value, amount.step, own.value, own):
        return "" if _may_be_bare(claim, place) else _scale_reason(place)
    return _scale_reason(place) if at and (amount.scaled or claim.scale) else None


def _same(claim: Claim, claimed: Decimal, step: Decimal, value: Decimal, own: Amount) -> bool:
    over = abs(value) - abs(claimed)
    if over == 0:
        return True
    amount, off = claim.amount, abs(over)
    if claim.hedge:
        step *= rounded_to(claim) / amount.step
        beyond = over > 0 if claim.hedge == "over" else over < 0
        near = off * 2 <= step or (beyond and off <= step and claim.hedge != "about")
        return near and amount.digits >= 2
    may_round = amount.digits >= 2 and (
        amount.scaled or claim.scale or amount.step < 1 or amount.unit == "%"
    )
    finer = own.digits > amount.digits or own.step < amount.step
    return bool(may_round and finer and off * 2 <= step)


def _may_be_bare(claim: Claim, place: Place) -> bool:
    """Whether a figure without a scale may be one as printed, in thousands or millions.

    In a table, in a sum, beside a figure with its scale, or where it is no money.
    """
    if (
        claim.amount.unit not in MONEY
        or claim.amount.step < 1
        or not place.factors
        or place.factors[0] == 1
    ):
        return True
    text = claim.statement.whole + claim.statement.before
    return (
        claim.scale_around
        or claim.statement.in_table
        or claim.in_sum
        or bool(re.search(r"illion|thousand", text))
    )


def _scale_reason(place: Place) -> str:
    factor = place.factors[0] if place.factors else 1
    if factor in SCALE_NAMES:
        return f"the table is in {SCALE_NAMES[factor]}s"
    return f"the page has {place.amount.text.strip()}"


def _of_unit(claimed: str, place: Place) -> str:
    printed = place.amount.unit
    claimed, printed = ("%" if unit == "pts" else unit for unit in (claimed, printed))
    if claimed and printed and not {claimed, printed} <= EXACT:
        return ""
    if claimed == printed or not claimed:
        return ""
    if _may_have(claimed, place):
        return ""
    if {claimed, printed} <= {"x", ""} or (
        not printed and not place.in_table and claimed not in MONEY
    ):
        return ""
    return f"the page has {_with_unit(place)}"


def _may_have(claimed: str, place: Place) -> bool:
    """Whether a bare number of a table may be of the unit claimed; a percentage in a column of
    money too."""
    text, unit = place.amount.text, place.amount.unit
    if claimed == "%":
        return place.in_table and unit in ("", *MONEY) and not any(c in text for c in ",$€£¥")
    return place.in_table and not unit


def _with_unit(place: Place) -> str:
    text, unit = place.amount.text.strip(), place.amount.unit
    named = unit and unit not in MONEY and unit not in text and len(unit) > 1
    return f"{text} {unit}" if named else text


def _of_document(claim: Claim, place: Place, index: EvidenceIndex) -> str:
    """Whether the claim names another of the documents than the one the figure stands in."""
    heads = f"{claim.statement.row} {claim.statement.head}"
    said = f"{heads} {claim.before} {claim.after}"
    said = said if index.named_in(said) else f"{heads} {claim.statement.text}"
    if not index.of_another(said, place.document):
        return ""
    return f"it is the figure in {index.documents[place.document].name}"


def _of_period(claim: Claim, place: Place, years: frozenset[int], index: EvidenceIndex) -> str:
    mine, theirs = claim.period.years, place.period.years
    if not place.certain or (claim.added and time_scope(place.row).years):
        return ""  # rows of several years are added up
    if claim.statement.in_table and not place.in_table and mine & index.years_of(place.label):
        return ""  # a sentence may be of a thing of that year, and name another besides
    if mine and theirs and not mine & theirs:
        near = any(abs(a - b) == 1 for a in mine for b in theirs)
        loose = not claim.certain or len(years_named(claim.statement.text)) < 2
        return "" if near and loose and _is_relative(claim) else _period_reason(place)
    apart = claim.nearby if theirs and not claim.nearby & theirs else frozenset()
    other = apart and any(apart & time_scope(head).years for head in place.heads)
    around = years | {year - 1 for year in years} if _is_relative(claim) else years
    unsaid = place.in_table and theirs and years and not (mine or theirs & around)
    return _period_reason(place) if other or unsaid or _lengths_differ(claim, place) else ""


def is_of_other_years(claim: Claim, years: frozenset[int]) -> bool:
    """Whether a claim is for certain of a year that is none of those it is worked out from."""
    mine = claim.period.years if claim.certain else frozenset()
    return bool(mine and years) and not mine & years and not _is_relative(claim)


def _is_relative(claim: Claim) -> bool:
    """Whether it may be of the year before one that is named."""
    before = claim.statement.text[: claim.own_start]
    return _EARLIER.search(claim.statement.text) is not None or is_base(before)


def _lengths_differ(claim: Claim, place: Place) -> bool:
    mine, theirs = claim.period, place.period
    if mine.quarters and theirs.quarters:
        return not mine.quarters & theirs.quarters
    lengths = mine.lengths or (frozenset({3}) if mine.quarters else frozenset())
    beside = frozenset().union(*(time_scope(head).lengths for head in place.heads))
    return bool(lengths & beside and theirs.lengths and not lengths & theirs.lengths)


def _period_reason(place: Place) -> str:
    named = place.head if time_scope(place.head).years or place.period.lengths else place.row
    years = ", ".join(map(str, sorted(place.period.years)))
    shown = named if named and len(named) < 60 and place.in_table else years
    return f"it is the figure for {shown or years}"


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    """What a text is about, acronyms spelled out, without its numbers."""
    plain = re.sub(r"\([^)]*\)", " ", text) if text.count("(") == 1 else text
    whole = re.sub(r"(?<=[a-z])-(?=[a-z])", "", plain)  # "non-current", or broken at a line's end
    found = content_words(spelled_out(whole))
    return frozenset(w for w in found if not any(c.isdigit() for c in w))


def _said_of(claim: Claim) -> frozenset[str]:
    """What the words around a figure say of it; its unit says nothing ("82,000 square feet")."""
    said = f"{claim.before} {claim.after}"
    return stems(_AREA.sub(" ", said) if claim.amount.unit in _AREAS else said)


def named(row: str) -> frozenset[str]:
    """What a row is of: a total of what it sums, a tenant without its legal form."""
    return stems(row) - _NO_NAME


def _of_row(claim: Claim, place: Place) -> str:
    """Whether the claim names another row of the table, and not the figure's own."""
    if not place.in_table or not place.row:
        return ""
    if not named(place.row) and _PART_OF.search(claim.statement.text[: claim.own_start]):
        return ""  # a total, of which a part is told: "2,400 of 16,750 sq ft are vacant"
    return _rival(place.row, place.rows, claim) or _of_row_of_year(claim, place)


def _of_row_of_year(claim: Claim, place: Place) -> str:
    """Whether the claim's year has a row of its own, and this one is of none ("Thereafter")."""
    years, own = claim.period.years, named(place.row)
    if not (claim.certain and years and own) or place.period.years or own & _said_of(claim):
        return ""
    others = any(time_scope(row).years & years and not stems(row) for row in place.rows)
    return f"it is the figure for {place.row}" if others else ""


def _of_column(claim: Claim, place: Place) -> str:
    """Whether another column's head has all of the claim's words that this one's has, and more.

    An area or a number of things is of its column by its unit ("rents 24,000 sq ft").
    """
    if not place.head or claim.amount.unit not in ("", "%", *MONEY):
        return ""
    near = stems(f"{claim.before} {claim.after}")
    if claim.statement.in_table:
        called = any(stems(head) and stems(head) <= near for head in place.heads)
        if called and stems(place.head):
            return "" if stems(place.head) & near else f"it is the figure for {place.head}"
        near |= stems(claim.statement.before)
    support = stems(place.head) & near
    of_its_year = claim.period.years & time_scope(place.head).years
    for other in place.heads:
        if of_its_year and not time_scope(other).years:
            continue  # "Final maturity", beside the year that is said
        if (
            other != place.head
            and support < stems(other) & near
            and stems(other) - stems(place.head)
        ):
            return f"it is the figure for {place.head}"
    return ""


def _rival(own: str, others: Sequence[str], claim: Claim) -> str:
    """Whether another of the names is what the claim says, and explains all it has of ``own``.

    Of two, the one is meant whose very words the claim has ("Other liabilities", beside "Total
    liabilities"), or its sentence quotes ("printed as “Contingent consideration”").
    """
    mine, near = named(own), _said_of(claim)
    support = mine & near
    if mine and mine <= stems(claim.complement):  # "$5 million of interest expense"
        return ""
    said = f" {_plain(claim.before)} {_plain(claim.after)} "
    for other in others:
        theirs = named(other)
        if not theirs or not theirs <= near or not support <= theirs:
            continue
        worded, others_worded = _is_worded(own, said), _is_worded(other, said)
        if not others_worded and _is_quoted(own, claim):
            continue
        if theirs == mine:
            is_other = others_worded and not worded
        else:
            is_other = (support != mine or mine < theirs) and (others_worded or not worded)
        if is_other:
            return f"it is the figure for {own}"
    return ""


def _is_quoted(row: str, claim: Claim) -> bool:
    """Whether the sentence has the row's own label as a quotation."""
    text, label = claim.statement.text, _last_name(row)
    return any(_plain(text[start:end]) == label for start, end in quotation_spans(text))


def _is_worded(row: str, said: str) -> bool:
    """Whether the last of a row's names stands word for word in what is said."""
    return f" {_last_name(row)} " in said


def _last_name(row: str) -> str:
    return _plain(row.rpartition(" › ")[2])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _shared(claim: Claim, place: Place) -> float:
    """How much of what the claim says its place says too, 0–1."""
    said = stems(f"{claim.before} {claim.after} {claim.statement.text}")
    own = stems(f"{place.text} {place.head}")
    return len(said & own) / len(said) if said else 0.0


def is_named(claim: Claim, place: Place, cited: Iterable[Place]) -> bool:
    """Whether the claim says of its figure what a place that it does not cite says of its own.

    It names half of the row, or a good part of the sentence's words. Where it names the row that
    it cites, the place's row has to be of the same name. One that says nothing but the figure
    ("It is $25,000.") says nothing else of it.
    """
    if _is_bare(claim):
        return claim.amount.digits >= _MANY_DIGITS
    near = _said_of(claim)
    rows = {(each.table, each.row) for each in cited if each.in_table and each.row}
    meant = {named(row) for _, row in rows if named(row) and named(row) <= near}
    if place.in_table:
        mine = named(place.row)
        if meant and any(table == place.table and row != place.row for table, row in rows):
            return False
        said = near | stems(claim.statement.whole)
        return bool(mine) and len(mine & said) * 2 >= len(mine) and (not meant or mine in meant)
    if meant and claim.statement.in_table and claim.amount.digits < 3:
        return False
    return _shared(claim, place) >= _SHARED


def _is_bare(claim: Claim) -> bool:
    own = claim.statement
    measured = claim.amount.unit in _AREAS and not _said_of(claim)
    return not own.in_table and (measured or not stems(own.whole))


def _of_sign(claim: Claim, place: Place, index: EvidenceIndex) -> str:
    amount, own = claim.amount, place.amount
    if place.in_table:
        return _of_table_sign(claim, place, index)
    said, printed = _turn(claim.before), _turn(place.text[: own.start])
    if said[0] and printed[0] and said[0] != printed[0]:
        return f"the page says “{printed[1]}”"
    if amount.value < 0 < own.value and not _LOSS.search(f"{place.text} {claim.statement.whole}"):
        return f"the page has {own.text.strip()}"
    return ""


def _of_table_sign(claim: Claim, place: Place, index: EvidenceIndex) -> str:
    """A figure in brackets is one below zero, or as much as one without: what is deducted is
    printed so. Only of what goes either way is a sign left out missed: by what its row is of, or
    where the row has figures of both kinds."""
    amount, own = claim.amount, place.amount
    mine = amount.value < 0 or (amount.bracketed and _alone(claim))
    if mine == (own.value < 0) or own.value == 0:
        return ""
    if claim.statement.in_table and _named_alike(claim, place) and _is_mixed(place, index):
        return f"the page has {own.text.strip()}"
    if is_outflow(place.row, mixed=False):
        return ""
    words = f"{claim.statement.whole} {_unbracketed(place.row)}"
    if not mine and (_LOSS.search(words) or not _EITHER_WAY.search(f"{place.row} {place.head}")):
        return ""
    return f"the page has {own.text.strip()}"


def _named_alike(claim: Claim, place: Place) -> bool:
    """Whether a cell's row says no more of what is below zero than that of its place."""
    return bool(_BELOW.search(_unbracketed(place.row))) or not _BELOW.search(claim.statement.row)


def _unbracketed(row: str) -> str:
    """A row's name without the "(loss)" of "Net income (loss)", which is of some years alone."""
    return re.sub(r"\(.*?\)", " ", row)


def _is_mixed(place: Place, index: EvidenceIndex) -> bool:
    """Whether the row has figures above and below zero."""
    values = [each.amount.value for each in index.cited([place.label]) if each.column >= 0]
    return bool(values) and min(values) < 0 < max(values)


def _alone(claim: Claim) -> bool:
    """Whether brackets around a figure mean a negative: it fills its cell, or bears a currency,
    or is what a colon leads to ("Change: (5)%")."""
    led_to = claim.before.rstrip(" (").endswith(":")
    return claim.amount.unit in MONEY or claim.statement.in_table or claim.in_sum or led_to


def _turn(text: str) -> tuple[str, str]:
    """ "up" or "down" by the last word just before a figure that says so, and it; else ""."""
    near = text[-_JUST_BEFORE:]
    found = [match for match in _TURN.finditer(near) if not re.search(r"\d", near[match.end() :])]
    return (str(found[-1].lastgroup), found[-1].group()) if found else ("", "")
