"""The line that situates a chunk in its document: which document, whose, of when, which section.

It is indexed with the chunk and never quoted, so that "revenue" in a table of one company's
quarterly report can be found by the company and the quarter. Only what stands in the file is
used: its name, its title, its first page and its headings (the idea is Anthropic's "contextual
retrieval", 2024, without the language model).
"""

import re
from collections.abc import Sequence
from pathlib import PurePath

from docqa.ingest.chunks.parties import registrants_of
from docqa.language.organisations import organisations_in
from docqa.language.periods import MONTH, YEAR
from docqa.types.document import Block

DOCUMENT_CHARS = 110  # of the part that is the same for the whole document
HEADING_CHARS = 70  # of the heading path; about 40 tokens together
OPENING_CHARS = 4000  # how much of the beginning is looked at
OPENING_PAGES = 2

# Without "1st day of May": what is indexed with every chunk changes only with the index.
_DATE = rf"(?:{MONTH}\s+\d{{1,2}}\s*,?\s+{YEAR}|\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH},?\s+{YEAR})"
_PERIOD = re.compile(
    rf"((?:fiscal|financial|calendar|quarterly|three|six|nine|twelve)?\s*"
    rf"(?:year|quarter|period|months|weeks)\s+end(?:ed|ing):?\s+{_DATE})",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"(?:dated|as\s+of|effective|date\s+of\s+report|date)\b[^\n]{{0,60}}?({_DATE})", re.IGNORECASE
)
_ANY_DATE = re.compile(rf"\b({_DATE})", re.IGNORECASE)
_FORM = re.compile(r"\bform\s+(10-[KQ]|8-K|20-F|40-F|6-K|S-1|DEF\s?14A)(/A)?", re.IGNORECASE)
_FORMS = {
    "10-K": "annual report",
    "20-F": "annual report",
    "40-F": "annual report",
    "10-Q": "quarterly report",
    "8-K": "current report",
    "6-K": "current report",
}
_KIND = re.compile(
    r"\b(agreement|lease|contract|addendum|amendment|memorandum|policy|handbook|prospectus"
    r"|statement of work|report|plan|terms of (?:service|use)|deed|licen[cs]e|appraisal|guide)\b",
    re.IGNORECASE,
)
MEANINGLESS = re.compile(
    r"^(?:untitled|document\d*|microsoft word\b.*|table of contents|contents|united states.*"
    r"|page \d+|scan\d*|definitions|background|recitals|introduction|(?:executive )?summary"
    r"|overview|(?:exhibit|part|item|article|section|annex|schedule)\b.{0,3}|\(?\d+[.)].*|[\W\d_]*)$",
    re.IGNORECASE,
)


_FILING_NUMBER = re.compile(r"^(?!(?:19|20)\d{6}$)\d{7,}$")  # seven digits or more, and no date


def context_line(document: str, *, headings: Sequence[str] = ()) -> str:
    """One line: the document, then the section as its innermost headings.

    ``document`` is what `describe` gave. Headings the document part already says are left out,
    and outer ones before inner ones where they do not all fit.

    >>> context_line("Lease A", headings=["Lease A", "4. Rent", "4.1 Base rent"])
    'Lease A · 4. Rent › 4.1 Base rent'
    """
    section = _innermost(_new_words(headings, document))
    return " · ".join(part for part in (document, section) if part)


def _innermost(headings: Sequence[str]) -> str:
    path = ""
    for heading in reversed(headings):
        longer = f"{_shortened(heading, HEADING_CHARS)} › {path}" if path else heading
        if path and len(longer) > HEADING_CHARS:
            break
        path = _shortened(longer, HEADING_CHARS)
    return path


def describe(name: str, title: str, blocks: Sequence[Block]) -> str:
    """What is the same for all of a document: name, title, kind, parties, period; at most a line.

    ``blocks`` are the document's; only the beginning is looked at. A part that says nothing new
    is left out.
    """
    opening = _opening(blocks)
    known = [clean_name(name), "" if MEANINGLESS.match(title.strip()) else title.strip()]
    parts = [
        *known,
        form_of(opening) or kind_of_text(opening),
        *_whose(blocks, opening),
        period_of(opening),
    ]
    line = ""
    for part in _new_words(parts, ""):
        longer = f"{line} · {part}" if line else _shortened(part, DOCUMENT_CHARS)
        line = longer if len(longer) <= DOCUMENT_CHARS else line
    return line


def clean_name(name: str) -> str:
    """A file name as words, without its ending and the numbers of a filing system.

    >>> clean_name("Property_A_Offering-Memo (1).pdf")
    'Property A Offering-Memo'
    >>> clean_name("Freecook_20180605_S-1_EX-10.3_11233807_EX-10.3_Hosting Agreement.pdf")
    'Freecook 20180605 S-1 EX-10.3 Hosting Agreement'
    """
    stem = PurePath(name).stem if name.lower().endswith(".pdf") else name
    words = re.sub(r"\s*\(\d+\)$", "", re.sub(r"[_\s]+", " ", stem)).split()
    telling = [word for word in words if not _FILING_NUMBER.match(word)]
    return " ".join(
        word
        for at, word in enumerate(telling)
        if word not in telling[:at] or not any(map(str.isdigit, word))
    )


def _opening(blocks: Sequence[Block]) -> list[str]:
    """The texts of the first pages that have any, up to `OPENING_CHARS`."""
    written = [block for block in blocks if block.text.strip() and block.kind != "picture"]
    if not written:
        return []
    last_page = written[0].page + OPENING_PAGES - 1
    texts: list[str] = []
    for block in written:
        if block.page > last_page or sum(map(len, texts)) > OPENING_CHARS:
            break
        texts.append(block.text)
    return texts


def form_of(opening: Sequence[str]) -> str:
    for text in opening:
        if found := _FORM.search(text):
            number = found.group(1).upper()
            report = _FORMS.get(number, "")
            return f"Form {number}{found.group(2) or ''} {report}".strip()
    return ""


def kind_of_text(opening: Sequence[str]) -> str:
    """The first short text that names a kind of document, as titles do."""
    titles = [text for text in opening[:12] if len(text) <= 80 and _KIND.search(text)]
    return titles[0] if titles else ""


def _whose(blocks: Sequence[Block], opening: Sequence[str]) -> list[str]:
    """The registrant of a filing, else the first two organisations that are named."""
    if form_of(opening):
        return registrants_of(blocks)[:1]
    return _new_words(organisations_in("\n".join(opening)), "")[:2]


def period_of(opening: Sequence[str]) -> str:
    text = "\n".join(opening)
    for pattern in (_PERIOD, _DATED, _ANY_DATE):
        if found := pattern.search(text):
            return re.sub(r"\s+", " ", found.group(1)).strip()
    return ""


def _new_words(parts: Sequence[str], said: str) -> list[str]:
    """The parts that have a word which neither ``said`` nor a part before them has."""
    seen = _words(said)
    kept = []
    for part in parts:
        words = _words(part)
        if words - seen:
            kept.append(re.sub(r"\s+", " ", part).strip())
        seen |= words
    return kept


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _shortened(text: str, limit: int) -> str:
    """The text, or its first words with an ellipsis.

    >>> _shortened("Management's discussion and analysis", 25)
    "Management's discussion…"
    """
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", 0, limit)
    return text[: cut if cut > limit // 2 else limit - 1].rstrip(" ,;:") + "…"
