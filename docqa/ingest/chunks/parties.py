"""Whose a document is: the registrant of a filing, the parties of an agreement.

Nothing here knows a company. A registrant stands by the caption that every such cover has, and
its name recurs in the document, as that of a stock exchange on the same cover does not. A party
is what the opening of an agreement gives a name of its own: Ash Ltd (the “Landlord”).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from docqa.language.organisations import FORM, names_organisation, organisations_in
from docqa.language.periods import says_only_when
from docqa.types.document import Block

NAME_CHARS = 60  # of a party's name at most
MOST_PARTIES = 4  # that are named
_OPENING_CHARS = 4000  # in which an agreement names its parties
_COVER_PAGES = 3
_LINK_CHARS = 12  # of "by and between"
_LINES_ABOVE = 6  # of the caption, in which the registrant is looked for

_CAPTION = re.compile(r"exact\s+name\s+of\s+(?:the\s+|each\s+)?(?:registrant|issuer|company)", re.I)
_COVER = re.compile(
    r"\b(?:commission|securities|exchange act|washington|file n|form \d|fiscal|period|transition"
    r"|mark one|pursuant|jurisdiction|united states|specified in|employer|of incorporation)",
    re.IGNORECASE,
)
_FORM_WORD = re.compile(rf"^(?:{FORM}|the|and|of|&)\.?,?$", re.IGNORECASE)

_DEFINES = re.compile(r"\([^()\"“”]{0,60}?(?:[\"“”?]|''|’’|‘‘)")  # Ash Ltd (the “Landlord”)
_TERM = re.compile(r"[\"“”?'’‘]*\s*(?P<term>[^\"“”?()]{2,50}?)[\"“”?'’,]")
_NO_PARTY = re.compile(
    r"\b(?:agreement|dates?|part(?:y|ies)|contract|amendment|lease|services?|territory|products?)\b",
    re.IGNORECASE,
)
_LINK = r"\b(?:between|among|and|with|by(?!\s+the\b)|retain|engage|to)\b"
_NO_NAME = re.compile(rf"^(?:exhibit|{_LINK}|(\w)\1+$)|\bagreement\b", re.IGNORECASE)
_RECITALS = re.compile(
    r"\b(?:WHEREAS|Whereas|RECITALS?|Recitals?|WITNESSETH|BACKGROUND|NOW,? THEREFORE)\b"
    r"|agrees? as follows|\n\s*(?:1[.)]\s|(?:SECTION|Section|ARTICLE|Article)\s+(?:1|I)\b)"
)
_NEXT = re.compile(
    rf"(?:^|(?<=[.:;])\n|(?i:{_LINK})[:\s]+(?:the\s+)?|\(\w\)\s+)"
    r"(?=[A-Z0-9]|[a-z]+[-.]?[a-zA-Z]* ?[a-z]* ?[(,.])"
)
_BETWEEN = re.compile(
    r"\b(?:between|among|(?:made|entered\s+into)\s+by(?!\s+and))\b[:\s]+", re.IGNORECASE
)
_AND = re.compile(
    r"\(2\)\s+(?=[A-Z])"
    r"|\b(?:and|AND)\b:?\s+(?=[A-Z0-9]|[a-z]+[-.]?[a-zA-Z]* ?[a-z]* ?[(,.])"
)
# A comma before what belongs to a name goes on; any other ends it, as does what describes it.
_ENDS = re.compile(
    r"\s*(?:[;:\n“\"]|\((?!\w+\)\s+(?i:Limited|Ltd|plc|LLP|LLC|Inc|Corp)\b)|,(?!\s*(?i:Inc|LLC|L\.L\.C|Ltd|Limited|L\.P|LP|LLP|Corp|PLC|N\.A|S\.A|Co)\b)"
    r"|(?<!\b[A-Z])(?<!\b[Pp]te)(?<!\bPTE)(?<!\bPty)(?<!\bPTY)\.(?:\s|$)|\s+of\s*$"
    r"|\s(?:an?|the|and|AND|with|having|whose|located|of\s+\d|doing|is|hereby|director|agree|for)\s|$)"
)
_NAMED = re.compile(r"^(?:the\s+)?[^\W_][\w&.,'’()\-/ ]{2,}$", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<!Inc)(?<!Corp)(?<!Ltd)(?<!LTD)(?<!INC)(?<!CORP)(?<!\bCo)(?<!No)(?<!St)(?<!Mr)(?<!Dr)(?<!\.\w)\.\s+[A-Z]"
)
_NEW_SENTENCE = re.compile(r"[a-z]{5,}\.\s+[A-Z]")  # a word, no abbreviation, before the stop
_SIGNED = re.compile(r"(?:^|\s)(?:By|BY|Signature|Signed)\s*:")
_ROLE = re.compile(
    r"\b(?:the|this|each)\s+(?:company|part(?:y|ies)|client|customer|undersigned|following)\b"
    r"|^(?:company|consultant|client|customer|provider|licen[cs]ee|part(?:y|ies)|you|us|we|its?"
    r"|affiliate|landlord|tenant|seller|buyer)$"
    r"|\b(?:services|statement of work|agreement|payments?)\b",
    re.IGNORECASE,
)


def registrants_of(blocks: Sequence[Block]) -> list[str]:
    """Those whose filing it is; [] where they are not to be told.

    As its cover names them, else the organisation of its first pages that the document names most.

    >>> from docqa.types.document import Box
    >>> cover = ["ASH INC.", "(Exact name of registrant as specified in its charter)", "Ash sells."]
    >>> registrants_of([Block(text, 1, Box(0, 0, 1, 1)) for text in cover])
    ['ASH INC.']
    """
    cover = [each for each in blocks if each.page <= _COVER_PAGES and each.kind != "picture"]
    return captioned(blocks) or _most_named(cover, blocks)


def captioned(blocks: Sequence[Block]) -> list[str]:
    """The registrants by the caption on a filing's cover; [] where there is none."""
    at = next((n for n, each in enumerate(blocks) if _CAPTION.search(each.text)), None)
    return [] if at is None else _in_column(blocks, at) or _above(blocks, at)


def _in_column(blocks: Sequence[Block], at: int) -> list[str]:
    """The names below the caption, where it heads a column of a table."""
    head = blocks[at]
    if len(head.cells) < 2:
        return []
    column = next(cell.column for cell in head.cells if _CAPTION.search(cell.text))
    names: list[str] = []
    for row in blocks[at + 1 :]:
        cell = next((each.text for each in row.cells if each.column == column), "")
        if row.table != head.table or (names and not _may_be_name(cell)):
            break
        names += [cell] if _may_be_name(cell) else []
    return names


def _above(blocks: Sequence[Block], at: int) -> list[str]:
    """The nearest line before the caption that can be a name and recurs in the document."""
    before = blocks[max(0, at - _LINES_ABOVE) : at]
    lines = [line for each in before for line in _lines(each)]
    own = _CAPTION.split(blocks[at].text)[0].rsplit("\n(", 1)[0]
    lines += [own.strip(" (|\n")]
    names = [line for line in reversed(lines) if _may_be_name(line)]
    return [name for name in names if _mentions(name, blocks) > 1][:1] or names[:1]


def _lines(block: Block) -> list[str]:
    return [cell.text for cell in block.cells] or block.text.split("\n")


def _may_be_name(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters > 2 and 2 * letters > len(text) <= 80 and not _COVER.search(text)


def _mentions(name: str, blocks: Iterable[Block]) -> int:
    """How many blocks name it, whatever its case and without its legal form."""
    words = [word.strip(".,") for word in name.split() if not _FORM_WORD.match(word)]
    short = " ".join(words).lower()
    return sum(short in " ".join(each.text.lower().split()) for each in blocks) if short else 0


def _most_named(cover: Sequence[Block], every: Sequence[Block]) -> list[str]:
    """Of the organisations on the first pages the one that the document names most."""
    named = dict.fromkeys(organisations_in("\n".join(each.text for each in cover)))
    return sorted(named, key=lambda name: -_mentions(name, every))[:1]


def parties(texts: Sequence[str], ending: Sequence[str] = ()) -> list[str]:
    """Those between whom an agreement is, by its first texts: at most `MOST_PARTIES`.

    Where those do not tell, by who signs it, in the texts of its ``ending``.

    >>> parties(["Ash Ltd, of 1 High Street (“Landlord”), and Ann Elm (“Tenant”) agree:"])
    ['Ash Ltd', 'Ann Elm']
    """
    defined = _apart(_defined(_opening(texts)))
    if len(defined) > 1:
        return defined[:MOST_PARTIES]
    said = "\n".join(texts)[:_OPENING_CHARS]
    for found in _BETWEEN.finditer(said):
        found_names = _names(said[found.end() : found.end() + 900])
        names = [name for name in found_names if not (name.isalpha() and name.islower())]
        if len(names) > 1:
            return names[:2]
    signing = _apart([*defined, *_signatories(ending)])
    if len(signing) > 1:
        return signing[:MOST_PARTIES]
    listed = [_name(each) for each in organisations_in("\n".join(texts[:12]))]
    return _apart([*signing, *(name for name in listed if names_organisation(name))])[:2]


def _signatories(ending: Sequence[str]) -> Iterator[str]:
    """The organisations named in the lines right above a line to sign on."""
    lines = [line.strip() for text in ending for line in text.split("\n")]
    for at, line in enumerate(lines):
        if signed := _SIGNED.search(line):
            above = [line[: signed.start()], *reversed(lines[max(0, at - 2) : at])]
            names = (_name(each) for text in above for each in organisations_in(text))
            yield from [name for name in names if name][:1]


def _opening(texts: Sequence[str]) -> str:
    """From the first text that gives something a name of its own to the recitals."""
    first = next((at for at, text in enumerate(texts) if _DEFINES.search(text)), len(texts))
    said = "\n".join(texts[first:])[:_OPENING_CHARS]
    recitals = _RECITALS.search(said, min(map(len, texts[first:]), default=0))
    return said[: recitals.start()] if recitals else said


def _defined(text: str) -> Iterator[str]:
    """The name before each term that a text defines, as far as they are in one sentence."""
    start, any_yet = 0, False
    for found in _DEFINES.finditer(text):
        segment = text[start : found.start()]
        if any_yet and _NEW_SENTENCE.search(segment):
            return
        term = _TERM.match(text, found.end())
        if term and not _NO_PARTY.search(term["term"]) and (name := _party(segment)):
            any_yet = True
            yield name
        close = text.find(")", found.end())
        start = close + 1 if close > 0 else found.end()


def _party(segment: str) -> str:
    """The party that a segment of the opening names: an organisation, else what it begins with,
    else the name that stands last."""
    places = [found.end() for found in _NEXT.finditer(segment)]
    names = {at: name for at in places if _is_proper(name := _name(segment[at:]))}
    bodies = [name for name in names.values() if names_organisation(name)]
    first = [name for at, name in names.items() if at < _LINK_CHARS]
    return next(iter([*bodies, *first, *reversed(names.values())]), "")


def _is_proper(name: str) -> bool:
    """Whether every word of a name is written as names are."""
    small = {"of", "the", "and", "for", "de", "van", "von", "der", "in", "d/b/a", "&"}
    words = name.split()
    proper = all(not word[0].islower() or word in small for word in words)
    return bool(words) and (proper or names_organisation(name)) and not _NO_NAME.search(name)


def _apart(names: Iterable[str]) -> list[str]:
    """Each name once, without those that another one holds."""
    kept: list[str] = []
    for name in names:
        if not any(name.lower() in each.lower() or each.lower() in name.lower() for each in kept):
            kept.append(name)
    return kept


def _names(text: str) -> Iterator[str]:
    """The name a text begins with, then that after the first "and" which a name follows."""
    first = _name(text)
    if not first:
        return
    yield first
    sentence = _SENTENCE_END.search(text, len(first) + 2)
    until = sentence.start() + 1 if sentence else len(text)
    for found in _AND.finditer(text, len(first), until):
        other = _name(text[found.end() :])
        if other and other.lower() != first.lower():
            yield other
            return


def _name(text: str) -> str:
    """The name at the beginning; "" where none is there."""
    text = re.sub(r"^\s*(?:\(\d\)\s*)?", "", text)
    end = _ENDS.search(text)
    name = " ".join((text[: end.start()] if end else text).split()).strip(" ,.-")
    if re.search(r"\b(?:Inc|Ltd|Co|Corp|L\.L\.C|L\.P|N\.A|S\.A)$", name, re.IGNORECASE):
        name += "." * (text[text.find(name[-3:]) + 3 :][:1] == ".")
    if not _NAMED.match(name) or len(name) > NAME_CHARS:
        return ""
    if _ROLE.search(name) and not names_organisation(name):  # "Services", but of "X Services LLP"
        return ""
    if name.lower().startswith("the ") and not names_organisation(name) and name.count(" ") < 3:
        return ""  # "the Publishers": a role
    if says_only_when(name):  # "between June and September"
        return ""
    return name if any(map(str.isalpha, name)) else ""
