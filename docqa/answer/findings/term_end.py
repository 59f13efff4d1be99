"""The day on which a term ends, worked out of its length and its first day."""

import re
from collections.abc import Sequence

from docqa.answer.findings.candidates import Candidate, marker
from docqa.answer.findings.cited import Gathered, Source
from docqa.answer.findings.judge import Judged
from docqa.language.periods import Date, dates_in
from docqa.language.sentences import sentences
from docqa.language.terms import terms_in
from docqa.types.document import Block
from docqa.types.phrases import quoted
from docqa.types.question import Question

_FIRST = 5  # of the likeliest candidates are looked at
_ASKED = re.compile(
    r"\bwhen\s+(?:does|do|will|did|is|are)\b.*"
    r"\b(?:expir\w+|ends?|ending|runs? out|terminates?|up)\b"
    r"|\b(?:expir\w+|end|ending|termination)\s+date\b|\bdate\b.*\bexpir|\buntil when\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"expir|\bends?\b|ending|terminat|until", re.IGNORECASE)
_OPEN = re.compile(  # what else may end it
    r"\bwhichever\b|\banniversary\b|\b(?:earlier|later|longer|shorter|first|last)\s+(?:of|to\s+occur)\b",
    re.I,
)
_RENEWED = re.compile(r"\brenew|\bexten(?:d|sion)", re.IGNORECASE)
# What a term may begin on: "the Commencement Date", which another sentence or row tells, and the
# day of the agreement itself, which its opening does.
_NAMED = re.compile(
    r"\b(?:the\s+)?(?:(?P<name>(?:[A-Z][\w’'-]*\s+){1,3}Date)\b|(?:such\s+)?date\s+(?:of\s+this\s+\w+"
    r"|hereof|first\s+(?:above\s+written|written\s+above|set\s+forth\s+above)))"
)
_MADE = re.compile(r"\b(?:dated|made|entered|effective|executed)\b", re.IGNORECASE)
_OPENING = 12  # blocks that may say when an agreement was made
_TOLD_WITHIN = 90  # characters between a day and the name it is given


_Day = tuple[Date, Block]  # the day that a document gives a name, and the block that does


def term_end(question: Question, judged: Sequence[Judged], gathered: Gathered) -> list[str]:
    """The last day of the term that a question asks for, with what tells its length and its first
    day; none where that day is printed, or none is told."""
    if not _ASKED.search(question.topic) or question.several:
        return []
    for candidate in (each.candidate for each in judged[:_FIRST]):
        if found := _ended(candidate, gathered):
            return found
        if _ENDS.search(candidate.text) and any(day.day for day in dates_in(candidate.text)):
            return []  # it is printed
    return []


def _ended(candidate: Candidate, gathered: Gathered) -> list[str]:
    """The last day of the term that a candidate tells, whose first day it may call by its name."""
    if _OPEN.search(candidate.text):
        return []
    if told := _told(candidate.text, candidate, candidate.marker):
        return told
    source = Source(candidate.piece.hit, gathered)
    for named in _NAMED.finditer(candidate.text):
        found = _day_called(named["name"], source.blocks)
        if found is None:
            continue
        (day, block), (start, end) = found, named.span()
        text = f"{candidate.text[:start]}{day.text}{candidate.text[end:]}"
        if any(terms_in(text)):
            piece = source.add(f"day-{block.index}", [block])
            at = marker(piece, 1, 1)
            told = _told(text, candidate, f"{candidate.marker}{at}")
            return [*told, f"{quoted(_sentence(day, block.text))} {at}"]
    return []


def _told(text: str, candidate: Candidate, markers: str) -> list[str]:
    """The last day of a text's term, unless it is printed, and the candidate that tells it."""
    for term in terms_in(text):
        if any(day.text in term.last for day in dates_in(text) if day.year and day.day):
            return []
        label = "End of the initial term" if _RENEWED.search(text) else "End of the term"
        first = f"{label}: {term.last} ({term.counted}) {markers}"
        printed = (
            candidate.text.replace(" | ", ": ", 1) if candidate.row else quoted(candidate.text)
        )
        return [first, f"{printed} {candidate.marker}"]
    return []


def _day_called(name: str | None, blocks: Sequence[Block]) -> _Day | None:
    """The day that a document calls by a name: "… June 1, 2004 (the “Effective Date”)"; without
    one, the day on which it says that it was made."""
    if not name:
        made = (block for block in blocks[:_OPENING] if _MADE.search(block.text))
        days = ((day, block) for block in made for day in dates_in(block.text))
        return next(((day, block) for day, block in days if day.year and day.day), None)
    called = re.compile(rf"[“\"‘']?{re.escape(name)}[”\"’']?", re.IGNORECASE)
    for block in blocks:
        for named in called.finditer(block.text):
            for day in dates_in(block.text):
                if day.year and day.month and day.day and _is_of(named.span(), day, block.text):
                    return day, block
    return None


def _is_of(named: tuple[int, int], day: Date, text: str) -> bool:
    """Whether a day stands right before its name in brackets, or after it."""
    if day.end <= named[0]:
        between = text[day.end : named[0]]
        return "(" in between and len(between) <= _TOLD_WITHIN and ". " not in between
    between = text[named[1] : day.start]
    told = re.match(r"[”\"’']?\s*(?:\||:|means|shall mean|is\b|shall be|of\b|,|$)", between)
    return bool(told) and len(between) <= _TOLD_WITHIN and ". " not in between


def _sentence(day: Date, text: str) -> str:
    return next((text[a:b] for a, b in sentences(text) if a <= day.start < b), text)
