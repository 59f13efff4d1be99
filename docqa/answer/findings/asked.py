"""A question as the extractive answer matches it: its words, their weights, what it asks for."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docqa.answer.findings.features import FIGURES
from docqa.answer.findings.quotes import Quote
from docqa.language.periods import dates_in, days_named, months_asked, months_named, years_asked
from docqa.language.words import content_words
from docqa.types.question import Question

_ASKING = """
main key major important primary significant overall overview summary summarise summarize compare
comparison contrast difference differ versus detail details discuss describe outline identify
notable implication trend identified recent latest filing most provide various certain current
specific separately respective both two three documents analyze analyse relate relationship
understand indicate
"""  # words of the question about the answer, not about what is asked
_ASKED_WITH = frozenset(content_words(_ASKING))
_PERIODS = frozenset(content_words("quarter period year month fiscal fy time date day"))
_PERIOD_WEIGHT = 0.3  # periods stand everywhere and are matched by columns and years
_WANTS_FIGURE = re.compile(
    rf"\b(how (?:much|many|long|large|big|high|old|often|far)|{FIGURES}|ebitda|eps|noi|limit"
    r"|deductible|deposit|premium|co-?pay(?:ment)?s?|salar(?:y|ies)|square|term|period|cap|worth"
    r"|dividends?|expenditures?|spend(?:ing)?|levels?|repurchases?|buybacks?|trends?|growth"
    r"|returns?|yields?)\b"
    r"|\bhow (?:do|does|did|has|have)\b.*\b(?:changed?|compared?|developed?)\b",
    re.IGNORECASE,
)
# What is asked for in a year or a month is a figure, unless the question begins otherwise.
_WANTS_WORDS = re.compile(
    r"\b(?:why|who|whom|whose|where|when|which|did|does|do|has|have|is|are|describe|explain|list)\b",
    re.IGNORECASE,
)
# What "how" asks the degree of; an answer says "ten years", not "long".
_DEGREE = re.compile(
    r"\bhow (?:long|old|far|often|soon|quickly|large|big|small|high|low|tall|wide|deep)\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\b(?:q[1-4]|(?:first|second|third|fourth) quarter|quarter ended|three months)\b",
    re.IGNORECASE,
)


_PERIOD_NAMES = re.compile(  # matched by columns and years, not as words
    r"\b(?:FY|CY)\s?'?\d{2,4}\b|\b[Qq][1-4]'?(?:\s?(?:of\s)?(?:FY)?'?\d{2,4})?\b|\b(?:19|20)\d\d\b"
    r"|\b(?:8|10)-?[KQ]s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as it is matched: its stems and their weights, and what kind it asks for."""

    stems: tuple[str, ...]
    weights: Mapping[str, float]
    years: frozenset[int]
    dates: frozenset[tuple[int, int, int]]  # year, month, day
    days: frozenset[tuple[int | str, int]]  # month and day, 0 for any
    months: int  # that its figures are for; 0 where it names no length of time, or none is met
    quarterly: bool
    figure: bool
    several: bool  # over several documents, or a list
    names: frozenset[str]  # stems of the names in it, each as the quotes spell it
    double: bool  # two questions in one
    apart: bool = False  # how far figures are apart, one as a share of another, or several


def ask_of(asked: Question, quotes: Sequence[Quote]) -> Ask:
    """The question's words weighted by their rarity among ``quotes``, and what it asks for."""
    question = asked.whole
    topic = _DEGREE.sub(" ", _PERIOD_NAMES.sub(" ", asked.topic))
    spoken = dict.fromkeys(content_words(topic))
    stems = tuple(word for word in spoken if word not in _ASKED_WITH)
    seen = Counter(
        word for quote in quotes for word in {*quote.stems, *quote.context, *quote.identity}
    )
    weights = {
        word: _rarity(seen[word], len(quotes)) * (_PERIOD_WEIGHT if word in _PERIODS else 1)
        for word in stems
    }
    years = years_asked(question)
    days = days_named(question)
    figure = bool(_WANTS_FIGURE.search(question)) or (
        bool(years or days) and not _WANTS_WORDS.search(question)
    )
    quarterly = bool(_QUARTER.search(question))
    return Ask(
        stems, weights, years, full_dates(question), days,
        _months(question, quotes), quarterly, figure, asked.several, _names(topic, quotes),
        len(asked.parts) > 1,
    )  # fmt: skip


def _names(topic: str, quotes: Sequence[Quote]) -> frozenset[str]:
    """The stems of a topic's words with a capital, which no quote has in small letters; of
    abbreviations none."""
    spoken = re.findall(r"\b(?=\w*[a-z])\w*[A-Z]\w*", topic)
    if not spoken:
        return frozenset()
    small = {word for quote in quotes for word in re.findall(r"\b[a-z]\w+", quote.text)}
    return frozenset(content_words(" ".join(w for w in spoken if w.lower() not in small)))


def _months(question: str, quotes: Sequence[Quote]) -> int:
    """The length of time asked for, where some column is of it; else any may answer."""
    asked = months_asked(question)
    entries = (entry for quote in quotes if quote.row for entry in quote.row.entries)
    met = asked and any(asked in months_named(entry.header) for entry in entries)
    return asked if met else 0


def full_dates(text: str) -> frozenset[tuple[int, int, int]]:
    """The dates a text names in full: year, month and day.

    >>> sorted(full_dates("from July 1, 2023 to Sept. 24 2023"))
    [(2023, 7, 1), (2023, 9, 24)]
    """
    dates = ((date.year, date.month, date.day) for date in dates_in(text))
    return frozenset(date for date in dates if all(date))


def _rarity(count: int, total: int) -> float:
    """The weight of a word in ``count`` of ``total`` pieces; 1 in all, absent as rare as once."""
    return 1 + math.log((total + 1) / (max(count, 1) + 1))
