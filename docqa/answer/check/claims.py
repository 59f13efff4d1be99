"""The figures that a statement states, each with what the statement says of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from docqa.answer.check.links import link_periods
from docqa.answer.check.quotation import quotation_spans
from docqa.answer.check.statements import Labels, Statement
from docqa.language.amounts import Amount, stated_amounts
from docqa.language.expressions import Sum, sums_in
from docqa.language.numbers import COUNTED, DURATIONS, stated_scale
from docqa.language.periods import TimeScope, time_scope, years_named
from docqa.language.words import blanked

_NOTE_MARK = re.compile(r"[A-Za-z®™]\s?\($")  # before the number of a note: "Other (2)"
_AFTER_NAME = re.compile(r"(?<!^)(?:\b[A-Z][\w.&’']*|#|\bNo\.)[ \u00a0-]$")
# "About $4.3 billion" is rounded, "over $4.3 billion" cut off, "nearly $4.4 billion" rounded up.
_HEDGE = re.compile(
    r"(?:\b(?:(?P<about>about|roughly|approximately|around|some|just|circa|c\.)"
    r"|(?P<over>over|more than|at least|above)"
    r"|(?P<under>nearly|almost|under|less than|close to|below))\s+|[~≈]\s*)[$€£¥(]*$",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\b(?:the|these|those|all|both)\s+$", re.IGNORECASE)
_SPAN_OF_TIME = re.compile(
    r"\b(?:last|past|previous|prior|preceding|next|following|these|those|both|all|each of(?: the)?"
    r"|for|over|in|within|across|than)\s+(?:the\s+)?(?:last\s+|past\s+|next\s+)?$",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r",(?!\s*(?:19|20)\d\d|\d)|[;:]|\((?!(?:FY\s?)?(?:19|20)\d\d\))|\)\s"
    r"|\s(?:and|while|against|from|but|or)\s"
    r"|\sto(?=\s[$€£(]*\d)"
)
_NEW_CLAUSE = re.compile(r",\s(?:which|while|whereas|although|though|but|so|whose|who)\b|;")
_COMPLEMENT = re.compile(
    r"\s*(?:of|in)\s+([^,;:.()\d]+?)(?=[,;:.()\d]|\s(?:and|in|for|at|to|from)\s|$)"
)
_PERCENT = re.compile(r"%(?!\s*of\b.*[$€£])|\bper ?cent\b", re.IGNORECASE)
Hedge = Literal["", "about", "over", "under"]
_FEW = 12  # up to which a number of years or quarters may only count those that are named


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure of a statement. ``start`` and ``end`` are its span in the answer.

    ``scale`` is what its line states for all its figures, 0 where it states none. ``before`` and
    ``after`` are the words between it and the figures beside it, the heads of its row and column
    with those before. ``period`` is what it is said to be for, ``certain`` where that is its own,
    and ``nearby`` the year that stands among those words, where there is one. ``hedge`` is how it
    is said to be near, "" where it is not.
    """

    amount: Amount
    statement: Statement
    start: int
    end: int
    before: str
    after: str
    period: TimeScope
    certain: bool
    nearby: frozenset[int] = frozenset()
    scale: int = 0
    hedge: Hedge = ""
    in_sum: bool = False
    scale_around: bool = False  # stated by the answer for its figures, wherever
    added: bool = False  # in a sum that only adds and takes away, and not its result

    @property
    def shown_from(self) -> int:
        """Where it begins in the answer with its sign, bracket or currency."""
        at = self.own_start
        shown = self.statement.text.rfind(self.amount.text.strip(), 0, at + len(self.amount.text))
        return self.statement.start + shown if 0 <= shown <= at else self.start

    @property
    def own_start(self) -> int:
        """Where it begins in its statement."""
        return self.start - self.statement.start

    @property
    def complement(self) -> str:
        """What it is said to be of or in: "of interest expense", right after it; "" for nothing."""
        found = _COMPLEMENT.match(self.after)
        return found[1] if found else ""

    @property
    def labels(self) -> Labels:
        """What is cited for it: right after it, else by its statement, else by its line."""
        return self.statement.labels_for(self.end)


def claims_of(statement: Statement, *, scale_around: bool = False) -> list[Claim]:
    """The figures of a statement, but for those in quotations, which are checked as quotations."""
    text = _unquoted(statement.text)
    amounts = [
        a for a in stated_amounts(text) if not _is_name(a, text) and not _counts_time(a, text)
    ]
    sums = sums_in(text)
    scale = _scale_of(statement) if amounts else 0
    found, links = [], link_periods(text, amounts)
    for place, (amount, linked) in enumerate(zip(amounts, links, strict=True)):
        first, last = _between(text, amounts, place)
        heads = f"{statement.row}, {statement.head}: " if statement.in_table else ""
        shown = next((each for each in sums if each.start <= amount.start < each.end), None)
        result = shown.result if shown else None
        operand = bool(shown) and not (result and amount.start <= result.start < amount.end)
        period, certain = _period(statement, linked, operand=operand)
        nearby = years_named(text[first:last])
        shared = _scale_of_sum(shown) if shown and not amount.scaled else 0
        found.append(
            Claim(
                _with_unit(amount, statement), statement,
                statement.start + amount.start, statement.start + amount.end,
                heads + text[first : amount.start], text[amount.end : last], period, certain,
                nearby if len(nearby) == 1 else frozenset(), scale or shared,
                _hedge(text[: amount.start]), shown is not None, scale_around,
                added=bool(shown and operand and _adds_up(shown)),
            )
        )  # fmt: skip
    return found


def _scale_of(statement: Statement) -> int:
    """The scale that a line states for all its figures, 0 where it states none."""
    scale = stated_scale(f"{statement.row} {statement.head} {statement.text}")[0]
    if scale == 1 and statement.in_table:
        scale = stated_scale(statement.before)[0]
    return scale if scale > 1 else 0


def _period(
    statement: Statement, linked: tuple[TimeScope, bool], *, operand: bool
) -> tuple[TimeScope, bool]:
    """The period of a figure, and whether that is certain; of an operand its sum says it."""
    if not statement.in_table:
        return (TimeScope(), False) if operand else linked
    if linked[0].years:
        return linked
    heads = map(time_scope, (statement.head, statement.row))
    found = next((scope for scope in heads if scope.years), time_scope(statement.row))
    return found, bool(found.years)


def _with_unit(amount: Amount, statement: Statement) -> Amount:
    """The amount as a percentage, where it bears no unit and its row or column is in per cent."""
    heads = f"{statement.row} {statement.head}" if statement.in_table and not amount.unit else ""
    return replace(amount, unit="%") if _PERCENT.search(heads) else amount


def _hedge(before: str) -> Hedge:
    found = _HEDGE.search(before)
    if found is None:
        return ""
    return "over" if found["over"] else "under" if found["under"] else "about"


def _scale_of_sum(shown: Sum) -> int:
    """The scale that only some of what is added up is printed with: "$59 + $60 = $119 million"."""
    scales = {operand.scale for operand in shown.operands} - {1}
    return scales.pop() if len(scales) == 1 and _adds_up(shown) else 0


def _adds_up(shown: Sum) -> bool:
    """Whether a sum only adds and takes away."""
    tokens = {token for side in shown.sides for token in side if isinstance(token, str)}
    return tokens <= {"+", "-", "(", ")"}


def _between(text: str, amounts: Sequence[Amount], place: int) -> tuple[int, int]:
    """What of a sentence is said of one of its figures, from where to where.

    Between two figures the words up to the first comma or bracket are the first one's.
    """
    first = 0
    if place:
        before = amounts[place - 1].end
        found = _BREAK.search(text, before, amounts[place].start)
        first = found.end() if found else before
    if place + 1 == len(amounts):
        found = _NEW_CLAUSE.search(text, amounts[place].end)
        return first, found.start() if found else len(text)
    found = _BREAK.search(text, amounts[place].end, amounts[place + 1].start)
    return first, found.start() if found else amounts[place + 1].start


def sums_in_statement(statement: Statement) -> list[Sum]:
    """The sums that a statement shows; their places count from its start."""
    return sums_in(_unquoted(statement.text))


def _unquoted(text: str) -> str:
    """The text with quotations blanked, every position kept."""
    return blanked(text, quotation_spans(text))


def _is_name(amount: Amount, text: str) -> bool:
    """Whether a bare number is part of a name ("Phase 3") or a note's ("Other (2)")."""
    bare = not (amount.unit or amount.scaled or "," in amount.text) and amount.step == 1
    before = text[: amount.start]
    of_note = amount.bracketed and amount.digits < 3 and _NOTE_MARK.search(before)
    return bare and bool(of_note or _AFTER_NAME.search(before))


def _counts_time(amount: Amount, text: str) -> bool:
    """Whether it only counts what is meant: years or quarters ("in the last two years"), or what
    was named before."""
    if amount.unit == "x" and amount.value == 1 and not amount.text.isdigit():
        return True  # "a one-time event"
    if amount.text.isalpha() and amount.unit in COUNTED.values():
        return _GROUP.search(text[: amount.start]) is not None  # "the two tenants pay"
    if amount.unit not in (*DURATIONS, "quarters") or amount.value > _FEW:
        return False
    return amount.unit in ("years", "quarters") and bool(_SPAN_OF_TIME.search(text[: amount.start]))
