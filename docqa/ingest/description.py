"""A paragraph that says what a document is, from its first pages and headings alone.

"Consulting agreement between Aduro Biotech, Inc. and IREYA B.V, dated June 1, 2020. Sections:
Services; Compensation; Term." It is for whoever chooses among documents, a person or a language
model; nothing is quoted from it or checked against it. What is not plainly there is left out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from docqa.ingest.chunks.contextualize import (
    MEANINGLESS,
    form_of,
    kind_of_text,
    period_of,
)
from docqa.ingest.chunks.parties import parties, registrants_of
from docqa.ingest.chunks.suspicion import addresses_a_model
from docqa.language.organisations import names_organisation
from docqa.language.periods import DATE, MONTH, YEAR
from docqa.types.document import Block, FileKind
from docqa.types.phrases import series

OPENING_PAGES = 3
ENDING_PAGES = 4  # on which an agreement is signed
CHARS = 400  # of the paragraph
HEADINGS = 8  # named at most
_TITLE_CHARS, _HEADING_CHARS = 110, 60
_OFTEN = 3  # a heading that stands so often is the head of pages
_FILES: dict[FileKind, str] = {"pptx": "Presentation", "xlsx": "Workbook"}
_PARTS: dict[FileKind, str] = {"pptx": "Slides", "xlsx": "Sheets"}

_DAY_OF = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+day\s+of\s+({MONTH}),?\s+({YEAR})", re.I)
_MADE = re.compile(
    rf"\b(?:dated|made|entered\s+into|effective|executed)\b[^.;]{{0,50}}?(?P<date>{DATE})",
    re.IGNORECASE,
)
_DATED = re.compile(
    rf"^(?:(?:dated?|as\s+of|published|updated|last\s+(?:updated|modified|revised)|effective"
    rf"(?:\s+date)?|issued|version\s+[\d.]+)[:,\s]*)?(?P<date>{DATE}|{MONTH}\s+{YEAR})\.?$",
    re.IGNORECASE,
)
_ODD = re.compile(r"[.;:]\s|\d{3}|[\"“”☑$|*™]")
_UNENDED = re.compile(r"\b(?:the|of|and|a|to|or|for|in)$", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:This|THIS)\s+((?:[A-Z][\w’'-]*[ ,]+(?:and |of |AND |OF )?){0,5}"
    r"(?:Agreement|AGREEMENT|Lease|LEASE|Contract|CONTRACT|Deed|DEED|Amendment|AMENDMENT))\b"
)
_LEGAL = re.compile(
    r"agreement\b|\b(?:lease|contract|addendum|amendment|deed|licen[cs]e|terms|indenture)\b", re.I
)
_RESULTS = re.compile(r"\b(?:report|announce)[sd]?\b.*\b(?:results|earnings)\b", re.IGNORECASE)
_NUMBERING = re.compile(
    r"^(?:(?:article|section|item|part|note|chapter|schedule|annex|appendix|exhibit)\s+)?"
    r"(?:\(?(?:\d+[A-Z]?(?:\.\d+)*|[IVX]+|[A-Z])[).:]*(?:\s|$)[\s.:–—-]*)+|^part\s+[ivx]+\b[\s.:–—-]*",
    re.IGNORECASE,
)
# Headings that any such document has: they tell nothing of this one.
_FORMAL_TEXT = r"""
general|miscellaneous|other|other information|business|properties|the company|exhibits
definitions?|defined terms|recitals|whereas|witnesseth|in witness.*|between|and|by|to|name
background|introduction|overview|summary|conclusion|preface|preamble|index|glossary|final|draft
frontispiece|(?:front|back) cover|footnotes.*|trademarks|signatures?|notices?|references
acknowledge?ments?|terms and conditions|table of contents.*|contents|\W*page.*
(?:exhibit|schedule|annex|appendix|attachment|part|item|article|section|form)\b.{0,5}
"""
_FORMAL_PARTS = r"""
signature|illegible|logo|confidential|omitted|if any|certifications?|exact name|telephone
incorporated by reference|securities registered|commission file|washington|zip code
securities and exchange|registrant|accelerated filer|principal executive|risk factors
unresolved staff|legal proceedings|mine safety|quantitative and qualitative
consolidated (?:statements|balance|financial)|basis of presentation|accounting polic\w+
controls and procedures|financial statements|financial information|selected financial
unregistered sales|defaults upon|market for (?:the )?(?:registrant|company)
executive compensation|security ownership|principal account\w+|corporate governance
management[’']s discussion|forward-looking|cautionary|available information|jurisdiction of
(?:annual|quarterly|current) report|form (?:10|8|20)-|fiscal year|(?:year|quarter|period) ended
"""
_FORMAL = re.compile(
    rf"^(?:{'|'.join(_FORMAL_TEXT.strip().splitlines())}"
    rf"|.*\b(?:{'|'.join(_FORMAL_PARTS.strip().splitlines())})\b.*)$",
    re.IGNORECASE,
)


def paragraph(title: str, blocks: Sequence[Block], *, kind: FileKind = "pdf") -> str:
    """What a document is, in a sentence or two of at most `CHARS` characters; "" if not known.

    ``blocks`` are the document's; after the first `OPENING_PAGES` pages only headings are read.

    >>> from docqa.types.document import Box
    >>> here = Box(0, 0, 1, 1)
    >>> said = "This Lease is made on 1 May 2024 between Ash Ltd (“the Landlord”) and Elm plc."
    >>> parts = [Block(text, 2, here, "heading") for text in ("1. RENT", "2. REPAIRS")]
    >>> paragraph("Lease", [Block(said, 1, here), *parts])
    'Lease between Ash Ltd and Elm plc, dated 1 May 2024. Sections: Rent; Repairs.'
    """
    early = (each for each in blocks if each.page <= OPENING_PAGES or each.kind == "heading")
    read = [each for each in early if not addresses_a_model(each.text)]  # one may be told of it
    headings = [each for each in read if each.kind == "heading"]
    opening = [each for each in read if each.page <= OPENING_PAGES]
    shown = [each for each in opening if each.kind not in ("footer", "picture")]
    texts = [each.text for each in shown]
    written = _Written(texts)
    form = "" if _LEGAL.search(title) else form_of(texts)
    if form:  # its cover is no part of it, and its parts are ranked by no rule
        what = _filing(form, texts, registrants_of(blocks), written)
        headings = [replace(each, level=1) for each in headings if each.page > 2]
    else:
        prose = [each.text for each in shown if each.kind != "table"]
        ending = [each.text for each in blocks if each.page > blocks[-1].page - ENDING_PAGES]
        what = _what(title, prose, ending, kind, written)
    said = f"{what}." if what and what[-1] not in ".?!…" else what
    parts = _sections(headings, f"{title} {what}", written.naming(what))
    return _with_sections(said, parts, _PARTS.get(kind, "Sections"))


class _Written:
    """How the words of a text are written where it is not all in capitals."""

    def __init__(self, texts: Iterable[str], names: Iterable[str] = ()) -> None:
        quiet = (text for text in texts if not _is_loud(text))
        self._texts = [re.sub(r"\bTHIS(?: [A-Z]{2,})+", " ", text) for text in quiet]
        self._words = set(re.findall(r"[^\W\d_][\w’'&-]*", " ".join(self._texts)))
        own = [word for word in self._words if re.search(r"[a-z][A-Z]", word)]  # McCall, eBay
        self._names: dict[str, str] = {name.lower(): name for name in [*own, *names]}

    def naming(self, text: str) -> "_Written":
        """The same with the capitalised words of a text as names, but for the first."""
        return _Written(self._texts, re.findall(r"(?<=\s)[A-Z][\w’'&-]{3,}", text))

    def quietly(self, text: str) -> str:
        """A text in capitals as a sentence; words that prose has in capitals too stay so."""
        if not _is_loud(text):
            return text
        words = [self._quiet(word) for word in text.split(" ")]
        lowered = re.sub(r"\bi\b", "I", " ".join(words))
        return lowered[:1].upper() + lowered[1:]

    def _quiet(self, word: str) -> str:
        if not self._always_loud(word):
            return self._names.get(word.lower(), word.lower())
        return re.sub(r"(?<=[’'])S\b", "s", word)

    def _always_loud(self, word: str) -> bool:
        letters = re.sub(r"[’']S?$|[^\w’'&-]", "", word)
        if any(map(str.isdigit, letters)):
            return True
        others = {letters.lower(), letters.capitalize()}
        return len(letters) > 1 and letters in self._words and others.isdisjoint(self._words)

    def name(self, text: str) -> str:
        """A name in capitals as prose writes its words, where it does."""
        return " ".join(map(self._named, text.split(" "))) if _is_loud(text) else text

    def _named(self, word: str) -> str:
        letters = re.sub(r"[^\w’'&-]", "", word)
        ways = (self._names.get(letters.lower(), ""), letters.capitalize(), letters.lower())
        known = next((way for way in ways if way in self._words), letters)
        return word.replace(letters, known) if letters else word


def _is_loud(text: str) -> bool:
    letters = [each for each in text if each.isalpha()]
    return bool(letters) and sum(map(str.isupper, letters)) > 0.8 * len(letters)


def _what(
    title: str,
    texts: Sequence[str],
    ending: Sequence[str],
    kind: FileKind,
    written: _Written,
) -> str:
    """The first sentence, without its full stop: kind or title, whose, of when."""
    stated, called = _stated(title, written), _called(texts, written)
    if stated.lower() == "agreement" and called:
        stated = ""
    if called.lower() in stated.lower() or not (stated or " " in called or _LEGAL.search(called)):
        called = ""
    if _LEGAL.search(stated or called) or (_LEGAL.search(called) and names_organisation(stated)):
        named = stated if _LEGAL.search(stated) else called
        return _agreement(named, texts, ending, written)
    if _RESULTS.search(stated):
        stated = f"Earnings release: {stated}"
    both = f"{stated}: {called}" if stated and called else stated or called
    named = _cut(both if len(both) <= _TITLE_CHARS else stated)
    parts = (named or _FILES.get(kind, ""), _date_alone(texts))
    return ", ".join(part for part in parts if part and part not in named[:-1])


def _filing(form: str, texts: Sequence[str], registrants: Sequence[str], written: _Written) -> str:
    """'Form 10-Q quarterly report' as "Quarterly report (Form 10-Q) of Apple Inc. for the …"."""
    _, number, *report = form.split()
    what = f"{' '.join(report).capitalize()} (Form {number})" if report else f"Form {number}"
    period = period_of(texts)
    whose = f" of {series([written.name(each) for each in registrants])}" if registrants else ""
    if spoken := re.match(r"(.+? end(?:ed|ing)):? (.+)", period, re.IGNORECASE):
        return f"{what}{whose} for the {spoken[1].lower()} {spoken[2]}"
    return f"{what}{whose}{', ' if period else ''}{period}"


def _stated(title: str, written: _Written) -> str:
    """The title, where it says something."""
    stated = written.quietly(re.sub(r"[\W_]{3,}$", "", _one_line(title)))
    broken = re.match(r"(?i:exhibit)\b|\W|[A-Z][.)]\s|(?:and|or|of|to|in|for)\b", stated)
    return "" if broken or MEANINGLESS.match(stated) or addresses_a_model(stated) else stated


def _called(texts: Sequence[str], written: _Written) -> str:
    """What the first lines call it: a line that names a kind of document, or "this Lease"."""
    first = [re.split(r"\s(?:by and )?between\b", text, flags=re.I)[0] for text in texts[:12]]
    line = written.quietly(_one_line(kind_of_text(first)))
    telling = re.match(r"(?:[A-Z]|\w-)[^|/:;(@]{3,}(?<!\.)$", line) and not MEANINGLESS.match(line)
    if telling and not _DATED.match(line):
        return line
    found = _CALLED.search(" ".join(texts[:5])[:1500])
    return written.quietly(found[1]) if found else ""


def _agreement(named: str, texts: Sequence[str], ending: Sequence[str], written: _Written) -> str:
    names = [written.name(name) for name in parties(texts, ending)]
    when = _date_made(texts)
    whose = f" between {series(names)}" if len(names) > 1 else ""
    for name in names:
        named = re.sub(re.escape(name), name, named, flags=re.IGNORECASE)
    if len(names) == 1 and names[0].lower() not in named.lower():
        whose = f" with {names[0]}"
    return f"{_cut(named)}{whose}{', dated ' if when else ''}{when}"


def _date_made(texts: Sequence[str]) -> str:
    """When an agreement was made, by the words that say so in its beginning."""
    found = _MADE.search(" ".join("\n".join(texts)[:2500].split()))
    if not found:
        return ""
    spelled = _DAY_OF.search(found["date"])
    return f"{spelled[2]} {spelled[1]}, {spelled[3]}" if spelled else found["date"]


def _date_alone(texts: Sequence[str]) -> str:
    """A date or month that stands by itself among the first lines, as on a title page."""
    lines = (line.strip() for text in texts[:12] for line in text.split("\n"))
    return next((found["date"] for line in lines if (found := _DATED.match(line))), "")


def _sections(headings: Sequence[Block], said: str, written: _Written) -> list[str]:
    """The headings that tell what the document is about, in their order, each once.

    Those of the highest level of which there are three; page heads and formal parts are left out.
    """
    clean = [(each.level, _heading(each.text, written)) for each in headings]
    counts = Counter(text.lower() for _, text in clean)
    telling = [
        (level, text)
        for level, text in clean
        if text and counts[text.lower()] < _OFTEN and text.lower() not in said.lower()
    ]
    for level in sorted({level for level, _ in telling}):
        kept = _each_once([text for own, text in telling if own <= level])
        if len(kept) >= 3:
            return kept
    return _each_once([text for _, text in telling])


def _heading(text: str, written: _Written) -> str:
    """A heading without its number and in quiet letters; "" where it tells nothing."""
    bare = _NUMBERING.sub("", _one_line(text)).strip(" .:;–—-·|•")
    bare = re.sub(r"\s*\((?:unaudited|continued)\)$", "", bare, flags=re.IGNORECASE)
    letters = sum(map(str.isalpha, bare)) + bare.count(" ")
    if not 3 < len(bare) <= _HEADING_CHARS or letters < 0.85 * len(bare) or _FORMAL.match(bare):
        return ""
    prose = bare[0].islower() or _UNENDED.search(bare)  # a line that was taken for a heading
    odd = not bare[0].isalpha() or _ODD.search(bare) or names_organisation(bare)
    return "" if prose or odd else written.quietly(bare)


def _each_once(texts: Iterable[str]) -> list[str]:
    return list({text.lower(): text for text in reversed(list(texts))}.values())[::-1]


def _with_sections(said: str, parts: Sequence[str], called: str) -> str:
    """The first sentence, then as many of the parts as there is room for."""
    if len(parts) < 2:
        return said
    listed, kept = "", 0
    for part in parts[:HEADINGS]:
        longer = f"{listed}; {part}" if listed else part
        if len(said) + len(longer) + len(called) + 5 > CHARS:
            break
        listed, kept = longer, kept + 1
    more = "…" if kept < len(parts) else "." * (listed[-1] not in "?!.")
    return f"{said} {called}: {listed}{more}".strip() if kept > 1 else said


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _cut(title: str) -> str:
    if len(title) <= _TITLE_CHARS:
        return title
    return f"{title[:_TITLE_CHARS].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
