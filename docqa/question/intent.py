"""What kind of answer a question wants."""

import re

from docqa.language.words import AUXILIARY
from docqa.question.comparison import compares
from docqa.question.kinds import FILE
from docqa.types.question import Intent, Preference, Wants

_SUMMARY = re.compile(r"\b(?:summari[sz]\w*|summary|overview|outline|synthesi[sz]\w*)\b", re.I)
_FILE = rf"{FILE}|lease|report|propert(?:y|ie)"
_LIST = re.compile(
    r"^\W*(?:please\s+)?(?:list|enumerate|name all|give (?:me )?all|show (?:me )?all)\b"
    rf"|\b(?:each|every)\s+(?:of\b|{_FILE})"
    rf"|\ball\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?(?:{_FILE})s\b"
    r"|\bacross\b",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:how much|how many|table|rows?|columns?|figures?|amounts?|totals?|revenues?|sales|income|"
    r"expenses?|costs?|margins?|ratios?|rates?|percent(?:age)?s?|balance sheet|cash flows?|assets?|"
    r"liabilit(?:y|ies)|ebitda|noi|capex|rent roll|prices?|yields?|dividends?|earnings per share)\b"
    r"|[%$€£]",
    re.IGNORECASE,
)
_NARRATIVE = re.compile(
    r"\b(?:why|how does|how do|explain|describe|discuss|reasons?|drivers?|drove|strategy|risks?|"
    r"outlook|opinion|policy|background|purpose|nature of|what does .{1,40} mean)\b",
    re.IGNORECASE,
)


def intent_of(question: str, *, named: int = 0) -> Intent:
    """Comparison, synthesis, list or lookup, from the words; naming several documents or periods
    beside "and" asks for a synthesis.

    >>> intent_of("Compare Q1 and Q2"), intent_of("List all packages"), intent_of("What is NOI?")
    ('comparison', 'list', 'lookup')
    """
    if compares(question):
        return "comparison"
    if asks_for_summary(question):
        return "synthesis"
    if _LIST.search(question):
        return "list"
    return "synthesis" if named > 1 and re.search(r"\band\b|,|\bboth\b", question) else "lookup"


def asks_for_summary(question: str) -> bool:
    """Whether a question asks for a summary.

    >>> asks_for_summary("Give me an overview"), asks_for_summary("What is the rent?")
    (True, False)
    """
    return _SUMMARY.search(question) is not None


def preference_of(question: str) -> Preference:
    """Whether figures ("table") or reasons ("narrative") are asked for, or neither or both."""
    figures, reasons = _TABLE.search(question), _NARRATIVE.search(question)
    if figures and not reasons:
        return "table"
    return "narrative" if reasons and not figures else "none"


_COMPUTED = re.compile(
    r"\b(?:percentage (?:change|increase|decrease)|change in|growth rate|averages?|mean of"
    r"|differences? (?:in|of)|sum of|proportion|as a (?:percentage|share|proportion) of"
    r"|how much (?:more|less|higher|lower)|calculate|CAGR)\b|\bby how much\b",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\b(?:how (?:much|many|long|large|big|high|old|often|far|soon)|when|who|whom|what (?:date|day"
    r"|year|time)|which (?:date|day|year|quarter)|numbers? of|amounts?|dates?|values?)\b",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(rf"^\W*(?:(?:and|but|so|then)\s+)?{AUXILIARY}\b", re.IGNORECASE)


def wants_of(question: str, *, intent: Intent) -> Wants:
    """What would answer a question; "clause" where it is neither a figure nor a fact.

    >>> [wants_of(q, intent="lookup") for q in ("Is rent due?", "What is the NOI?", "Who signs?")]
    ['yes or no', 'value', 'value']
    >>> wants_of("By how much did revenue grow, as a percentage of sales?", intent="lookup")
    'computation'
    """
    if intent == "comparison" or intent == "list":
        return intent
    if asks_for_summary(question):
        return "summary"
    if _COMPUTED.search(question):
        return "computation"
    if _YES_OR_NO.search(question):
        return "yes or no"
    named = _VALUE.search(question) or preference_of(question) == "table"
    return "value" if named else "clause"
