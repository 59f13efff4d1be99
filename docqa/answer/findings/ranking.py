"""Quotes in the order of how likely they answer, and how near to the question they are; pure."""

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from docqa.answer.findings.asked import Ask
from docqa.answer.findings.coverage import coverage
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.quotes import Quote
from docqa.language.periods import months_named

# Log odds for all of the question's words, and for all of its meaning (a cosine of 1).
_WORDS, _MEANING = 2.0, 2.0
_UNASKED = 0.25  # of a chance that is left to what is of another time, or only may be
_LEAST = 0.001  # a chance below which one is as good as another
_OPTIONAL = re.compile(r"\b(?:may(?! \d)|option|right|entitled) ", re.IGNORECASE)


def likeliest_first(quotes: Iterable[Quote], judged: Iterable[Judged], ask: Ask) -> list[Quote]:
    """The quotes with the chances that they answer, the best first: by the log odds of these, the
    words of the question that they have, and their cosine to it. Ties stay in order.

    A list's item is quoted whole and judged sentence by sentence: its chance is the best of them.
    The judge hardly sees that a quarter's row is not of the year asked for, and that what may be
    done at a time is not when something happens: such quotes come after others.
    """
    at = {each.candidate.key: each for each in judged}
    told: list[tuple[float, Quote]] = []
    for quote in quotes:
        own = [at[part.key] for part in quote.parts if part.key in at]
        chance = max((each.chance for each in own), default=0.0)
        chance *= _UNASKED if _is_unasked(quote, ask) else 1.0
        cosine = max((each.cosine for each in own), default=0.0)
        odds = _log_odds(chance) + _WORDS * coverage(quote, ask) + _MEANING * cosine
        told.append((odds, replace(quote, chance=chance)))
    return [quote for _, quote in sorted(told, key=lambda each: -each[0])]


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))


def _is_unasked(quote: Quote, ask: Ask) -> bool:
    may = ask.of_event and _OPTIONAL.search(quote.text) is not None
    return may or _is_of_shorter_time(quote, ask)


def _is_of_shorter_time(quote: Quote, ask: Ask) -> bool:
    """Whether a row's columns are all of shorter times than is asked for."""
    heads = " ".join(entry.header for entry in quote.row.entries) if quote.row else ""
    return 0 < max(months_named(heads), default=0) < ask.months
