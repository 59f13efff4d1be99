"""Whether a claimed amount is a figure of the cited blocks, in value, unit, period and subject."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from docqa.answer.check.quotation import negated
from docqa.answer.check.sources import Source, Sourced
from docqa.language.amounts import Amount, same_value
from docqa.language.periods import TimeScope, time_scope
from docqa.language.vocabulary import spelled_out
from docqa.language.words import content_words, words
from docqa.types.answer import Verdict

_TOPIC = 0.5  # share of a claim's words that its passage must hold
WORST_FIRST: tuple[Verdict, ...] = ("not found", "near", "verified")

_LOSS = re.compile(
    r"\b(?:loss\w*|decreas\w+|declin\w+|fell|drop\w*|down|negative|reduc\w+|lower|used|paid|expens\w+"
    r"|costs?|outflow\w*|deficit|benefit|repurchas\w+|purchases?|less|deduct\w+|minus)\b",
    re.IGNORECASE,
)
_OPPOSITES = tuple(
    (frozenset(content_words(one)), frozenset(content_words(other)))
    for one, other in (
        (
            "increase rise grow higher gain improve escalate",
            "decrease fall decline lower drop",
        ),
        ("maximum ceiling", "minimum least floor"),
        ("prior", "follow"),
        ("include", "exclude"),
        ("annual yearly annually", "month monthly quarter quarterly week weekly daily"),
        ("gross", "net"),
        ("basic", "diluted"),
        ("current", "noncurrent"),
        ("short", "long"),
        ("buyer purchaser", "seller vendor"),
    )
)
_PARTIES = (
    ("landlord", "tenant"), ("lessor", "lessee"), ("buyer", "seller"), ("purchaser", "seller"),
    ("borrower", "lender"), ("licensor", "licensee"), ("employer", "employee"),
    ("supplier", "customer"), ("provider", "customer"), ("company", "executive"),
    ("client", "consultant"), ("issuer", "holder"), ("plaintiff", "defendant"),
    ("assignor", "assignee"), ("controller", "processor"), ("company", "consultant"),
)  # fmt: skip
_QUALIFYING = """
adjusted gross basic diluted average median minimum maximum annual monthly quarterly weekly daily
estimated projected forecast budgeted domestic foreign international operating excluding including
before after pretax deferred accrued unaudited noncurrent short long initial additional renewal
remaining cumulative effective statutory
"""
_QUALIFIERS = frozenset(_QUALIFYING.split())
_FILLERS = frozenset(content_words("total amount other related"))  # of a row's label
_SAYING = """
rose rise fell fall grew grow increased decreased declined changed differ difference sum exceeds
equals was were stood came amounted totaled percent percentage points basis thousand million
billion dollars up down from to higher lower leaving respectively quarter year month months years
fiscal ended period due over during compared versus
"""  # what figures are said with, in any context
_SAID_WITH = frozenset(content_words(_SAYING))


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The least favourable verdict; "verified" of none."""
    given = set(verdicts)
    return next((verdict for verdict in WORST_FIRST if verdict in given), "verified")


def best(verdicts: Sequence[Verdict]) -> Verdict:
    """The most favourable verdict; "not found" of none."""
    return max(verdicts, key=WORST_FIRST.index, default="not found")


def check_figure(
    amount: Amount, period: TimeScope, figure: Sourced, said: str, source: Source
) -> Verdict:
    """Whether a claimed amount is this figure: value, sign, unit, period and what it is of."""
    value = best([_same_amount(amount, meant, sure, said, figure) for meant, sure in figure.values])
    if value == "not found":
        return "not found"
    return worst((value, _same_period(period, figure, source), _same_topic(said, figure, source)))


def _same_amount(amount: Amount, meant: Amount, sure: bool, said: str, figure: Sourced) -> Verdict:
    positive = replace(meant, value=abs(meant.value))
    if not same_value(replace(amount, value=abs(amount.value)), positive):
        return "not found"
    unit = _same_unit(amount.unit, meant.unit, figure)
    same_sign = (amount.value < 0) == (meant.value < 0) or meant.value == 0 or amount.bracketed
    sign: Verdict = "verified" if same_sign or _LOSS.search(f"{said} {figure.label}") else "near"
    return worst((unit, sign, "verified" if sure else "near"))


def _same_unit(claimed: str, printed: str, figure: Sourced) -> Verdict:
    if claimed == printed or (not claimed and printed != "%"):
        return "verified"
    if claimed and printed:
        return "not found"
    if not claimed:
        return "near"
    if figure.in_table and len(claimed) == 3 and claimed.isupper():
        return "verified"
    named = content_words(f"{figure.label} {figure.around}")
    return "verified" if set(content_words(claimed)) & set(named) else "near"


def _same_period(claimed: TimeScope, figure: Sourced, source: Source) -> Verdict:
    own = figure.period
    if own.years and claimed.years and not own.years & claimed.years:
        return "not found"
    if not claimed.agrees(own):
        return "not found" if figure.in_table else "near"
    around = time_scope(f"{source.text}\n{source.context}")
    if claimed.quarters and not claimed.quarters & (own.quarters | around.quarters):
        return "near"
    if claimed.years and not own.years:
        return "verified" if around.years & claimed.years else "near"
    sure = figure.certain or not claimed.years
    return "verified" if sure else "near"


def _same_topic(said: str, figure: Sourced, source: Source) -> Verdict:
    """Whether the claim speaks of what the figure is the figure of."""
    claim_words = topic_words(said)
    if figure.in_table and not _names_row(said, figure.label):
        return "near"
    around = source.context_words | set(content_words(spelled_out(figure.around)))
    missing = {w for w in _qualifiers(said) if w not in words(f"{source.text} {source.context}")}
    known = [word for word in claim_words if word in around]
    if missing or (claim_words and len(known) < _TOPIC * len(claim_words)):
        return "near"
    return same_sense(said, figure.around if not figure.in_table else figure.label)


def topic_words(said: str) -> list[str]:
    stems = content_words(spelled_out(said))
    return [w for w in stems if w not in _SAID_WITH and not any(c.isdigit() for c in w)]


def _names_row(said: str, label: str) -> bool:
    """Whether the claim names the row: all its words, or most of a long label's."""
    plain = re.sub(r"\([^)]*\)", " ", label)
    named = {w for w in content_words(spelled_out(plain)) if not any(c.isdigit() for c in w)}
    wanted = named - _FILLERS - _SAID_WITH
    if not wanted:
        return set(words(plain)) <= set(words(said))
    missing = wanted - set(topic_words(said))
    return len(missing) <= (0 if len(wanted) < 4 else len(wanted) // 3)


def _qualifiers(said: str) -> set[str]:
    return set(_QUALIFIERS) & set(words(said))


def same_sense(said: str, passage: str) -> Verdict:
    """ "near" where one text negates or turns round what the other says."""
    mine, theirs = words(said), words(passage)
    if negated(mine) != negated(theirs) and len(theirs) > 6:
        return "near"
    if _opposed(content_words(said), content_words(passage)):
        return "near"
    if _order(_PARTIES, mine, theirs) or _names_turned(said, passage):
        return "near"
    return "verified"


def _opposed(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether the claim has a word whose opposite, and not itself, stands in the passage."""
    for one, other in _OPPOSITES:
        for here, there in ((one, other), (other, one)):
            has = here & set(mine)
            turned = there & set(theirs) and not here & set(theirs)
            if has and turned and not there & set(mine):
                return True
    return False


def _order(pairs: Iterable[tuple[str, str]], mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether both words of a pair stand in both texts, in another order."""
    for a, b in pairs:
        if {a, b} <= set(mine) and {a, b} <= set(theirs):
            before = mine.index(a) < mine.index(b)
            if before != (theirs.index(a) < theirs.index(b)):
                return True
    return False


def _names_turned(said: str, passage: str) -> bool:
    """Whether names standing in both texts stand in another order."""
    mine = list(dict.fromkeys(re.findall(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]{2,}\b", said)))
    shared = [name for name in mine if re.search(rf"\b{name}\b", passage)]
    positions = [passage.index(name) for name in shared]
    return len(shared) == 2 and positions != sorted(positions)
