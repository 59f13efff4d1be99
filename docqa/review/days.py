"""Which of a text's dates a column asks for: a beginning, an end, or any; pure."""

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from typing import Literal

from docqa.language.amounts import Amount, measured_amounts
from docqa.language.periods import Date, dates_in
from docqa.types.review import Column

Role = Literal["start", "end", "made", ""]

_ENDS = re.compile(r"\b(?:expir\w*|end(?:s|ing)?|until|terminat\w*|matur\w*)\b", re.IGNORECASE)
_STARTS = re.compile(r"\b(?:commenc\w*|begin\w*|start\w*|effect(?:ive)?|from)\b", re.IGNORECASE)
# What stands before a date of each role. "Due diligence" and its like are names, not when
# something is due.
_CUES: Mapping[Role, re.Pattern[str]] = {
    "end": re.compile(
        r"\b(?:expir\w+|end(?:ing|ed|s)|until|through|up to|terminat\w+|matur\w+)\b[^.;\d]{0,25}$",
        re.IGNORECASE,
    ),
    "start": re.compile(
        r"\b(?:from|commenc\w+|begin\w*|start\w*|effective)\b[^.;\d]{0,40}$", re.IGNORECASE
    ),
    "made": re.compile(
        r"\b(?:dated?|made|entered|signed|executed"
        r"|due(?! (?:care|course|diligence|notice|regard)))\b[^.;\d]{0,40}$",
        re.IGNORECASE,
    ),
}
_MAY_BE: Mapping[Role, Sequence[Role]] = {  # the roles of dates that may answer each, uncued
    "end": ("",),
    "start": ("", "made"),
    "made": ("", "start", "end"),
}
_RANGE = re.compile(
    r"\s*(?:\([^()]*\)\s*)?,?\s*(?:(?:up )?to|until|till|through|[-–—])"
    r"(?: (?:and including|the))*\s*$",
    re.IGNORECASE,
)
_LENGTHS = ("days", "weeks", "months", "years")
_THEN_FROM = re.compile(  # "ten years from and including", "(“the Term”) commencing on the"
    r"[^.;\d]{0,40}\b(?:from|commencing|beginning|starting)\b[^.;\d]{0,30}$", re.IGNORECASE
)
_THEN_FOR = re.compile(  # "and runs for", "and continues for an initial period of"
    r"[^.;\d]{0,40}\b(?:for|period of|term of)\b[^.;\d]{0,30}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Day:
    """A day as YYYY-MM-DD, "" where there is none, and how it is printed.

    ``cued`` says that the words before it are those asked for, ``sum`` how it was worked out.
    """

    day: str
    printed: str
    cued: bool = False
    sum: str = ""


def asked_day(text: str, column: Column) -> Day | None:
    """The day a column asks for: of its own role, else worked out from a length, else of none.

    A beginning is never the answer to an end, nor an end to a beginning. Of a column that asks for
    neither the role is to be made, or due; any other date may answer it.
    """
    dates = [each for each in dates_in(text) if each.year and each.month]
    full = [each for each in dates if iso(each)] or dates
    about = f"{column.title} {column.question}"
    asked: Role = "end" if _ENDS.search(about) else "start" if _STARTS.search(about) else "made"
    by_role = [(_role(each, text, dates), each) for each in full]
    if cued := [each for role, each in by_role if role == asked]:
        return _day(cued[0], text, cued=True)
    starts = [each for role, each in by_role if role == "start"]
    worked = _worked_out(starts, text) if asked == "end" else None
    open_ = [each for role, each in by_role if role in _MAY_BE[asked]]
    return worked or (_day(open_[0], text) if open_ else None)


def _day(found: Date, text: str, *, cued: bool = False) -> Day:
    return Day(iso(found), text[found.start : found.end], cued)


def iso(found: Date) -> str:
    """The date as YYYY-MM-DD, "" where it is not a full one or there is no such day."""
    try:
        return date(found.year, found.month, found.day).isoformat()
    except ValueError:
        return ""


def _role(found: Date, text: str, dates: Sequence[Date]) -> Role:
    """Whether a date begins or ends something, by the range it is in or the words before it."""
    at = next(n for n, each in enumerate(dates) if each.start == found.start)
    if at and _RANGE.fullmatch(text[dates[at - 1].end : found.start]):
        return "end"
    if at + 1 < len(dates) and _RANGE.fullmatch(text[found.end : dates[at + 1].start]):
        return "start"
    places = {role: _last(cue, text[: found.start]) for role, cue in _CUES.items()}
    nearest = max(places, key=lambda role: places[role])
    return nearest if places[nearest] >= 0 else ""


def _last(cue: re.Pattern[str], before: str) -> int:
    """Where the cue nearest to the end of a text begins, -1 for none."""
    places = (each.start() for each in re.finditer(r"\b\w", before))
    return max((at for at in places if cue.match(before, at)), default=-1)


def _worked_out(starts: Sequence[Date], text: str) -> Day | None:
    """The last day of a length that begins on a date: "fifteen years from 1 December 2020"."""
    lengths = [each for each in measured_amounts(text) if each.unit in _LENGTHS]
    for first, length in product(starts, lengths):
        before = _THEN_FROM.fullmatch(text[length.end : max(length.end, first.start)])
        after = _THEN_FOR.fullmatch(text[first.end : max(first.end, length.start)])
        if (before or after) and (day := _last_day(iso(first), length)):
            printed = f"{text[first.start : first.end]} + {length.text.strip()}"
            return Day(day, printed, sum=printed)
    return None


def _last_day(first: str, length: Amount) -> str:
    """The day before the one on which a length is over; "" beyond the calendar."""
    try:
        begun, count = date.fromisoformat(first), int(length.value)
        if length.unit in ("days", "weeks"):
            over = begun + timedelta(days=count * (7 if length.unit == "weeks" else 1))
        else:
            months = begun.month - 1 + count * (12 if length.unit == "years" else 1)
            year, month = begun.year + months // 12, months % 12 + 1
            over = date(year, month, min(begun.day, monthrange(year, month)[1]))
        return (over - timedelta(days=1)).isoformat()
    except (OverflowError, ValueError):
        return ""
