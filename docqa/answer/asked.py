"""A question as the extractive answer matches it: its words, their weights, what it asks for."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docqa.answer.quotes import Quote
from docqa.answer.wording import content_words

_SYNONYMS = (
    "revenue sales turnover",
    "capex expenditure capital",
    "ppe ppne property plant equipment",
    "noi net operating income",
    "employee personnel staff headcount worker",
    "landlord lessor owner",
    "tenant lessee",
    "terminate cancel break end expire",
    "buy purchase acquire acquisition",
    "sell dispose divest sale",
    "debt borrowing loan note",
    "increase grow rise improve",
    "decrease drop decline fall reduce",
    "profit income earnings",
    "cost expense spend",
    "law jurisdiction govern",
    "vacation holiday leave",
    "lawsuit litigation legal proceedings battle",
    "customer client",
    "begin commence start effective",
    "salary pay wage compensation",
    "forecast expect anticipate outlook",
    "region geography geographic country",
    "fee charge price",
)
_ABBREVIATIONS = {
    "r&d": "research development",
    "sg&a": "selling general administrative",
    "eps": "earnings per share",
    "noi": "net operating income",
    "capex": "capital expenditures purchases property",
    "ppe": "property plant equipment",
    "ppne": "property plant equipment",
    "pp&e": "property plant equipment",
    "cogs": "cost goods sold",
    "fcf": "free cash flow",
    "mou": "memorandum understanding",
    "sla": "service level agreement",
}
_WANTS_FIGURE = re.compile(
    r"\b(how (?:much|many|long|large|big|high|old|often|far)|amounts?|rates?|prices?|ratios?"
    r"|margins?|revenues?|sales|income|costs?|expenses?|rents?|fees?|percent(?:age)?|totals?"
    r"|number of|value|balance|assets|liabilit\w+|cash|debt|ebitda|eps|noi|limit|deductible"
    r"|deposit|premium|size|area|square|term|period|cap|worth|profit|earnings|dividends?)\b",
    re.IGNORECASE,
)
_WANTS_DATE = re.compile(
    r"\b(when|what (?:date|day|year|time)|dates?|deadline|expir\w+|commenc\w+|effective)\b",
    re.IGNORECASE,
)
_WANTS_PARTY = re.compile(r"\b(who|whom|whose|part(?:y|ies)|between whom)\b", re.IGNORECASE)
_WANTS_LAW = re.compile(r"\b(govern\w* law|laws?|jurisdiction|courts?|venue)\b", re.IGNORECASE)
_HAS_FIGURE = re.compile(
    r"[$€£¥]\s*\d|\d\s*%|\b(?!(?:19|20)\d\d\b)\d[\d,.]*\d|\b(?:one|two|three|four|five|six|seven"
    r"|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred)\b",
    re.IGNORECASE,
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_HAS_DATE = re.compile(
    rf"\b{_MONTH}\s+\d|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:day of\s+)?{_MONTH}|\b\d{{4}}-\d\d-\d\d\b"
    r"|\b\d{1,2}/\d{1,2}/\d{2,4}\b",
    re.IGNORECASE,
)
_HAS_PARTY = re.compile(
    r"\b(?:Inc|Corp|Corporation|LLC|L\.L\.C|Ltd|Limited|LP|L\.P|PLC|GmbH|Company|N\.A|Bank|Trust)\b"
    r"|\(\s*(?:the\s+)?[“\"]|\b(?:Mr|Ms|Mrs|Dr)\.|\b[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+\b"
)
_HAS_LAW = re.compile(r"\b(?:laws? of|governed by|jurisdiction of|courts? of|courts? in)\b", re.I)
_YEAR = re.compile(r"(?:fy|fiscal(?: year)?|\b)\s*'?((?:19|20)\d\d)\b", re.IGNORECASE)
_QUARTER = re.compile(r"\b(?:q([1-4])|(first|second|third|fourth) quarter)\b", re.IGNORECASE)
MENTIONS_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as it is matched: its stems and their weights, and what kind it asks for."""

    stems: tuple[str, ...]
    weights: Mapping[str, float]
    kinds: tuple[re.Pattern[str], ...]
    years: tuple[str, ...]
    quarterly: bool
    figure: bool
    several: bool  # over several documents, or a list


def read_question(question: str, quotes: Sequence[Quote], *, several: bool) -> Ask:
    """The question's words weighted by their rarity among ``quotes``, and what it asks for."""
    stems = tuple(dict.fromkeys(content_words(_spelt_out(question))))
    seen = Counter(word for quote in quotes for word in {*quote.stems, *quote.context})
    weights = {word: _rarity(seen[word], len(quotes)) for word in stems}
    kinds = [
        has
        for wants, has in (
            (_WANTS_FIGURE, _HAS_FIGURE),
            (_WANTS_DATE, _HAS_DATE),
            (_WANTS_PARTY, _HAS_PARTY),
            (_WANTS_LAW, _HAS_LAW),
        )
        if wants.search(question)
    ]
    years = tuple(dict.fromkeys(_YEAR.findall(question)))
    figure = bool(_WANTS_FIGURE.search(question))
    quarterly = bool(_QUARTER.search(question))
    return Ask(stems, weights, tuple(kinds), years, quarterly, figure, several)


def _spelt_out(question: str) -> str:
    words = re.findall(r"[\w&]+", question.lower())
    return " ".join([question, *(_ABBREVIATIONS[w] for w in words if w in _ABBREVIATIONS)])


def _rarity(count: int, total: int) -> float:
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _synonym_groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in _SYNONYMS:
        stems = content_words(line)
        for word in stems:
            groups.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in groups.items()}


GROUPS = _synonym_groups()
