"""Where sentences end."""

import re

_END = re.compile(r"[.!?][\"'”’)\]⁰¹²³⁴-⁹]*\s+(?=[\"'“‘(\[]*[A-Z0-9•])")
_BREAK = r"\n\s*\n|\n(?=\s*[-•*|#])"  # a blank line, or a list item or table row on a new line
_SENTENCE_END = re.compile(rf"{_END.pattern}|{_BREAK}")
_CLAUSE_END = re.compile(rf"{_END.pattern}|;[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9•])|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Inc|Corp|Co|Ltd|No|Nos|Art|Sec|Secs|Fig|vs|v|St|Jr|Sr|e\.g"
    r"|i\.e|cf|approx|para|paras|cl|pp|p|Reg|Rev|Stat|Ex|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov"
    r"|Dec|sq|ft)|\b[A-Z]\.[A-Z])\.$"
)
_LOOKED_BACK = 12  # characters, as long as any abbreviation


def sentence_ends(text: str) -> list[int]:
    """Where the sentences of a paragraph end, before the blank.

    A sentence ends at ".", "!" or "?" before a capital or a figure; abbreviations and initials
    end none.

    >>> sentence_ends("Acme Inc. pays. It owes 1.5%.")
    [15]
    """
    found = (match for match in _END.finditer(text) if not _abbreviates(text, match.start()))
    return [match.start() + len(match.group().rstrip()) for match in found]


def sentences(text: str, *, clauses: bool = False) -> list[tuple[int, int]]:
    """The spans of the sentences of ``text``, blanks around them left out.

    A sentence also ends at a blank line and before a list item or table row on a new line; with
    ``clauses``, at any new line and at a semicolon before a capital or a figure.

    >>> text = "Acme Inc. pays. It owes 1.5%."
    >>> [text[start:end] for start, end in sentences(text)]
    ['Acme Inc. pays.', 'It owes 1.5%.']
    """
    spans, start = [], 0
    for match in (_CLAUSE_END if clauses else _SENTENCE_END).finditer(text):
        if match.group()[0] != "." or not _abbreviates(text, match.start()):
            spans.append((start, match.end()))
            start = match.end()
    spans.append((start, len(text)))
    return [span for span in (trimmed(text, span) for span in spans) if span[0] < span[1]]


def trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A span of ``text`` without the blanks at its ends."""
    part = text[span[0] : span[1]]
    return span[0] + len(part) - len(part.lstrip()), span[1] - (len(part) - len(part.rstrip()))


def _abbreviates(text: str, stop: int) -> bool:
    """Whether the full stop there belongs to an abbreviation."""
    return _ABBREVIATION.search(text[max(0, stop - _LOOKED_BACK) : stop + 1]) is not None
