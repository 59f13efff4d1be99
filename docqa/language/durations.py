"""How long a time a question asks about, and how long those are that a table's heads name; pure.

Annual figures stand beside those of a quarter under the same labels, often on the page before.
"""

import re
from functools import lru_cache

_SAID = re.compile(
    r"\b(?:(?P<n>three|six|nine|twelve|3|6|9|12)[- ]months?\b"
    r"|(?P<w>thirteen|twenty[- ]six|thirty[- ]nine|fifty[- ](?:two|three)|13|26|39|5[23])"
    r"[- ]weeks?\b"
    r"|(?P<h>(?:first|second) half\b|half[- ]years?\b)"
    r"|(?P<q>quarter(?:s|ly)?\b|[1-4]q\b|q[1-4](?=\W|\d|$))"
    r"|(?P<y>years?[- ](?:then )?end(?:ed|ing)\b|full[- ]years?\b|annual(?:ly)?\b)"
    r"|(?P<f>(?:fiscal|financial) years?\b|FY(?=\W?\d)))",
    re.IGNORECASE,
)
_COUNTS = {"three": 3, "six": 6, "nine": 9, "twelve": 12}
_WEEKS = {"thirteen": 3, "13": 3, "twenty": 6, "26": 6, "thirty": 9, "39": 9}
_YEAR = re.compile(r"\b(?:FY\s?|CY\s?|fiscal\s+)?['’]?(?:19|20)\d\d\b|\b[FC]Y\s?['’]?\d\d\b", re.I)
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s+(?:\d|of\b)", re.I
)
_REPORT = re.compile(r"\b(?:annual|quarterly)\s+(?:report|filing)s?\b", re.I)


@lru_cache(maxsize=4096)  # the heads of a table are asked for with every row of it
def months_said(text: str) -> frozenset[int]:
    """The lengths of time that a text names, in months; none where it names but dates or years.

    >>> sorted(months_said("Three Months Ended June 30, | Twelve Months Ended June 30,"))
    [3, 12]
    >>> months_said("June 30, 2023 | 2022")
    frozenset()
    """
    return frozenset(_months(match) for match in _SAID.finditer(text))


def _months(match: re.Match[str]) -> int:
    if counted := match["n"]:
        return _COUNTS.get(counted.lower()) or int(counted)
    if weeks := match["w"]:
        return _WEEKS.get(re.split(r"[- ]", weeks.lower())[0], 12)
    return 6 if match["h"] else 3 if match["q"] else 12


def months_asked(question: str) -> int:
    """How many months a question's figures are for; 0 where it names no time, or several.

    A year alone is the whole of it.

    >>> [months_asked(q) for q in ("EBITDA for FY 2023", "sales in Q2 2023", "cash at May 1, 2023")]
    [12, 3, 0]
    """
    plain = _REPORT.sub(" ", question)
    told = {_months(match) for match in _SAID.finditer(plain) if not match["f"]}
    if told:  # of "the second quarter of fiscal year 2023" the quarter
        return told.pop() if len(told) == 1 else 0
    return 12 if _YEAR.search(plain) and not _MONTH.search(plain) else 0
