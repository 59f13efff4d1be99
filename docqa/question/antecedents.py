"""What a question speaks of that the next one may lean on: names and times."""

import re
from collections.abc import Sequence

from docqa.language.numbers import COUNT, count_of
from docqa.language.periods import MONTHS, YEAR, YEAR_ALONE, parts_of_year, periods_in
from docqa.language.vocabulary import terms_in
from docqa.language.words import ASKING_WORDS, STOP_WORDS
from docqa.question.kinds import KINDS
from docqa.question.mentions import GENERIC, as_written, match_documents
from docqa.types.document import Document

Spans = Sequence[tuple[int, int]]
"""Places in a text, [start, stop)."""

_HEADS_TEXT = """
section clause article item note exhibit schedule part page paragraph building unit suite phase
block tranche class series segment division region store floor lot site
"""
_HEADS = GENERIC | frozenset(_HEADS_TEXT.split())
_NUMBERED = re.compile(
    r"\b(?P<head>[A-Za-z]{3,})\s+(?:[A-Zb-hj-z]|a(?=\W*$|[,;]|\s+(?:and|or|vs)\b)|\d+(?:\.\d+)*)\b"
)
_KIND = re.compile(rf"\s+{KINDS}\b")
_PROPER = re.compile(
    r"\b[A-Z][\w&-]*(?:\.(?=\w)\w+)*(?:\s+(?:&\s+|of\s+(?:the\s+)?)?[A-Z][\w&-]*(?:\.(?=\w)\w+)*)*"
)
_QUARTERS = 4  # of a year
_UNIT = r"(?:years?|yrs?|quarters?)"
# A time that is told by the one before: "the year before", "two quarters later".
_MOVED = re.compile(
    r"\b(?:(?:in|for)\s+)?(?:the\s+)?(?:(?P<back>"
    rf"(?:(?P<ago>{COUNT})\s+|an?\s+)?{_UNIT}\s+(?:ago|earlier|before)"
    rf"|(?:previous|prior|preceding|last)\s+{_UNIT})"
    rf"|(?:(?P<later>{COUNT})\s+|an?\s+)?{_UNIT}\s+(?:later|after)|(?:next|following)\s+{_UNIT})\b",
    re.IGNORECASE,
)
_QUARTER_OF_YEAR = re.compile(rf"\bQ([1-4])\s+({YEAR})\b", re.IGNORECASE)


def times_in(text: str) -> Spans:
    """Where a text names dates, years and quarters, in order."""
    periods = [(period.start, period.stop) for period in periods_in(text)]
    return merged([*periods, *parts_of_year(text)], text)


def names_in(text: str, documents: Sequence[Document]) -> Spans:
    """Where a text names a document, a clause, an organisation or a place, in order.

    Abbreviations ("NOI") are terms rather than names, unless a document is named so.
    """
    spans = [_written(one.text, text) for one in match_documents(text, documents)]
    spans += places_in(text)
    spans += [span for found in _PROPER.finditer(text) for span in _proper(found, text)]
    times = times_in(text)
    own = [s for s in spans if s and not any(a < s[1] and s[0] < b for a, b in times)]
    return [(start, _with_kind(stop, text)) for start, stop in merged(own, text)]


def places_in(text: str) -> Spans:
    """Where a text names a clause, a building or a document by its number or letter, in order.

    >>> places_in("Use Section 4.2 alone.")
    [(4, 15)]
    """
    return [m.span() for m in _NUMBERED.finditer(text) if m["head"].lower() in _HEADS]


def is_kind(words: str) -> bool:
    """Whether words of a name only say what kind of thing it is.

    >>> is_kind("Lease"), is_kind("Kent ")
    (True, False)
    """
    return all(word.lower() in _HEADS or _KIND.fullmatch(f" {word}") for word in words.split())


def _with_kind(stop: int, text: str) -> int:
    """The end of a name with what it is the name of: "the Penhallow lease"."""
    found = _KIND.match(text, stop)
    return found.end() if found else stop


def _written(name: str, text: str) -> tuple[int, int] | None:
    found = re.search(rf"(?<!\w){as_written(name)}(?!\w)", text, re.IGNORECASE)
    return found.span() if found else None


def _proper(found: re.Match[str], text: str) -> Spans:
    """The words of a run of capitals that are a name: not "Does" in "Does Apple"."""
    words = list(re.finditer(r"\S+", found[0]))
    letter = found[0] == "A" and not re.match(r"\s+[a-z]", text[found.end() :])
    while words and not letter and words[0][0].lower() in STOP_WORDS | ASKING_WORDS:
        words.pop(0)
    if not words or _is_term(found[0][words[0].start() :]):
        return ()
    start = found.start() + words[0].start()
    led = re.match(r"(.+?)\s+of\s+(?:the\s+)?", text[start : found.end()])
    if led and terms_in(led[1]):  # "NOI of Property A", "Net Income of Apple"
        return ((start + led.end(), found.end()),)
    opens = not text[:start].strip(" \"'“‘(")
    alone = len(words) == 1 and not re.match(r"[’']s", text[found.end() :])
    return () if opens and alone and len(text.split()) > 1 else ((start, found.end()),)


def _is_term(words: str) -> bool:
    plain = words.lower()
    abbreviated = len(words) > 1 and all(word.isupper() for word in words.split())
    return abbreviated or plain in MONTHS or plain == "i"


def merged(spans: Sequence[tuple[int, int] | None], text: str) -> list[tuple[int, int]]:
    """The spans in order, those that overlap or are parts of one name joined."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(filter(None, spans)):
        if joined and start <= joined[-1][1] + 1 and text[joined[-1][1] : start].strip() == "":
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def moved(question: str, before: str) -> tuple[str, str] | None:
    """What a question says besides when, and the one ``before`` at that time, where it is told by
    the time of that one; None where it is not.

    >>> moved("their costs the year before?", "What were sales in 2022?")
    ('their costs ?', 'What were sales in 2021?')
    >>> moved("and two quarters later?", "What were sales in Q3 2022?")
    ('', 'What were sales in Q1 2023?')
    """
    found = _MOVED.search(question)
    if not found:
        return None
    unit = 1 if "quarter" in found[0].lower() else _QUARTERS
    by = unit * count_of(found["ago"] or found["later"] or "1")
    text = _shifted(before, -by if found["back"] else by)
    left = f"{question[: found.start()]}{question[found.end() :]}"
    says = re.sub(r"\b(?:and|what|how|about|but|was|it)\b|\W", "", left, flags=re.IGNORECASE)
    return (left if says else "", text) if text != before else None


def _shifted(text: str, quarters: int) -> str:
    """A text with its quarters, or its years, moved; a year by one at least."""
    shifted, found = _QUARTER_OF_YEAR.subn(lambda each: _moved_quarter(each, quarters), text)
    years = quarters // _QUARTERS or 1
    return shifted if found else YEAR_ALONE.sub(lambda year: str(int(year[0]) + years), text)


def _moved_quarter(found: re.Match[str], quarters: int) -> str:
    year, quarter = divmod(int(found[2]) * _QUARTERS + int(found[1]) - 1 + quarters, _QUARTERS)
    return f"Q{quarter + 1} {year}"
