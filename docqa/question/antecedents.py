"""What a question speaks of that the next one may lean on: names, times, its subject, parties."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docqa.language.periods import MONTHS, YEAR, YEAR_ALONE, parts_of_year, periods_in
from docqa.language.vocabulary import terms_in
from docqa.language.words import ASKING_WORDS, STOP_WORDS, content_words
from docqa.question.kinds import KINDS
from docqa.question.mentions import GENERIC, as_written, match_documents
from docqa.types.document import Document

Spans = Sequence[tuple[int, int]]

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
_LED_IN = r"(?:\b(?:in|for|of|during|at|as of|on)\s+(?:the\s+)?(?:fiscal\s+(?:year\s+)?)?)?"
_HEAD = re.compile(
    r"^\W*(?:(?:what|who|where|when|which|how (?:much|many|long|large|high))\s+(?:is|are|was|were)"
    r"|(?:is|are|was|were) there|(?:please\s+)?(?:summari[sz]e|describe|explain|list|quote|find"
    r"|show me|give me|tell me about))\s+",
    re.IGNORECASE,
)
_PHRASE = r"\s+(?:in|for|of|on|at|under|during|as of|per|by|from|with|within|to|between)\s"
_PREPOSITION = re.compile(r"(?:in|for|of|on|at|under|during|as of|per|by|with)\s", re.I)
_BARE = re.compile(r"[A-Za-z]|\d+(?:\.\d+)*")
_ROLES_TEXT = """
landlord tenant lessor lessee licensor licensee buyer seller purchaser vendor lender borrower
guarantor supplier customer client contractor consultant employer employee company executive
provider recipient distributor manufacturer franchisor franchisee investor issuer trustee developer
owner operator agent principal
"""
_ROLES = frozenset(_ROLES_TEXT.split())
_ACTS = re.compile(
    r"\b(?:must|shall|should|may|might|can|could|will|would|do|does|did)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?:\bthe\s+)?\b[A-Za-z][\w&.-]*[’']s\b")
QUARTERS = 4  # of a year
_QUARTER_OF_YEAR = re.compile(rf"\bQ([1-4])\s+({YEAR})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Antecedents:
    """A whole question and where it names something, or a time; spans are [start, stop)."""

    text: str
    names: Spans
    times: Spans

    @property
    def name(self) -> str:
        """The name, or the names, asked about; "" without one."""
        return " and ".join(self._said(span) for span in self.names)

    @property
    def name_phrase(self) -> str:
        """ " of Lease A", as the question has it; "" without a name."""
        if not self.names:
            return ""
        led = re.search(
            r"\b(in|for|of|at|under|with)\s+(?:the\s+)?$", self.text[: self.names[0][0]]
        )
        return f" {led[0].strip() if led else 'of'} {self.name}"

    @property
    def head(self) -> str:
        """The words that only ask: "What is ", "Is there "; "" for others."""
        found = _HEAD.match(self.text)
        return found[0] if found else ""

    @property
    def subject(self) -> str:
        """What was asked for, with its name and without its time: "the rent of Lease A"."""
        if not self.head:
            return self.name
        said = self.text
        for start, stop in sorted(self.times, reverse=True):
            said = said[: self._led(start)] + said[stop:]
        return " ".join(said[len(self.head) :].strip(" ?.!,").split())

    @property
    def owner(self) -> tuple[int, int] | None:
        found = _OWNER.search(self.text)
        return found.span() if found else None

    @property
    def role(self) -> tuple[int, int] | None:
        """The only party that the question speaks of, as "tenant" or "buyer"."""
        found = [word for word in re.finditer(r"\w+", self.text) if self.is_role(word[0])]
        return found[0].span() if len(found) == 1 else None

    @property
    def acting(self) -> tuple[int, int] | None:
        """Who has to do what is asked: "Acme", of "What notice must Acme give?"."""
        acts = (span for span in self.names if _ACTS.search(self.text[: span[0]]))
        return next(acts, None) or self.role

    @staticmethod
    def is_role(words: str) -> bool:
        """Whether these words are a party's part in an agreement, and no more."""
        plain = re.sub(r"^(?:the|an?)\s+", "", words.lower()).removesuffix("s")
        return plain in _ROLES

    def called(self, noun: str) -> str:
        """What "that fee" or "this lease" stands for: the name, or what was asked; "" for none."""
        wanted, named = set(content_words(noun)), set(content_words(self.name))
        if wanted & named:
            return self.name
        return self.subject if wanted & set(content_words(self.subject)) else ""

    @property
    def owning(self) -> str:
        """The name where it owns what is asked for: "Apple's" in "What was Apple's revenue?"."""
        owns = self.names and re.match(r"[’']s?\s", self.text[self.names[-1][1] :])
        return self.name_owning() if owns else ""

    def name_owning(self, *, plural: bool = False) -> str:
        """ "Apple's", or of several parties asked for "the tenants of Property A's"."""
        persons = plural and self.is_role(_first_noun(self.subject))
        meant = self.subject if persons else self.name
        return f"{meant}’s" if meant and "’" in self.text else f"{meant}'s" if meant else ""

    def put(self, words: str, place: tuple[int, int]) -> str:
        """The question with these words in that place."""
        return self.text[: place[0]] + words + self.text[place[1] :]

    def with_phrase(self, preposition: str, phrase: str) -> str:
        """The question with ``phrase`` for the one that begins with the same preposition."""
        own = re.compile(rf"\b{re.escape(preposition)}\s.+?(?={_PHRASE}|\s*[?.!,]|$)", re.I)
        if found := own.search(self.text):
            return self.put(phrase, found.span())
        return self._ending(phrase)

    def of_name(self, name: str, *, led_by: str) -> str:
        """The question asked of another name; after the question where it had several."""
        if not self.names:
            return self._ending(led_by if _has_preposition(led_by) else f"of {name}")
        alike = [span for span in self.names if _same_head(self._said(span), name)]
        if place := alike if len(alike) == 1 else self.names if len(self.names) == 1 else ():
            return self.put(_of_kind(name, self._said(place[0])), place[0])
        return f"{self.text} {led_by[:1].upper()}{led_by[1:]}?"

    def at_time(self, time: str) -> str:
        """The question asked of another time, in the place of all that it had."""
        if not self.times:
            return self._ending(time if _has_preposition(time) else f"in {time}")
        text = self.text
        for start, stop in self.times[:0:-1]:
            joined = re.compile(r"\s*(?:,|and|to|vs\.?|versus|through|from|-)*\s*$", re.IGNORECASE)
            text = joined.sub("", text[:start]) + text[stop:]
        start, stop = self.times[0]
        return text[:start] + time + text[stop:]

    def shifted(self, quarters: int) -> str:
        """The question asked of a time so many quarters later."""
        return _shift(self.text, quarters)

    def time_phrase(self, quarters: int = 0) -> str:
        """ "in 2022", as the question has it, moved by so many quarters; "" without a time."""
        if not self.times:
            return ""
        start, stop = self._led(self.times[0][0]), self.times[-1][1]
        said = self.text[start:stop].strip()
        return _shift(said if _has_preposition(said) else f"in {said}", quarters)

    def _led(self, start: int) -> int:
        found = re.search(rf"{_LED_IN}$", self.text[:start], re.IGNORECASE)
        return found.start() if found else start

    def _said(self, span: tuple[int, int]) -> str:
        return self.text[span[0] : span[1]]

    def _ending(self, words: str) -> str:
        said = self.text.rstrip(" ?.!")
        return f"{said} {words}{self.text[len(said) :].strip() or '?'}"


def antecedents(text: str, documents: Sequence[Document]) -> Antecedents:
    return Antecedents(text, names_in(text, documents), times_in(text))


def times_in(text: str) -> Spans:
    """Where a text names dates, years and quarters, in order."""
    periods = [(period.start, period.stop) for period in periods_in(text)]
    return _merged([*periods, *parts_of_year(text)], text)


def names_in(text: str, documents: Sequence[Document]) -> Spans:
    """Where a text names a document, a clause, an organisation or a place, in order.

    Abbreviations ("NOI") are terms rather than names, unless a document is named so.
    """
    spans = [_written(one.text, text) for one in match_documents(text, documents)]
    spans += places_in(text)
    spans += [span for found in _PROPER.finditer(text) for span in _proper(found, text)]
    times = times_in(text)
    own = [s for s in spans if s and not any(a < s[1] and s[0] < b for a, b in times)]
    return [(start, _with_kind(stop, text)) for start, stop in _merged(own, text)]


def places_in(text: str) -> Spans:
    """Where a text names a clause, a building or a document by its number or letter, in order.

    >>> places_in("Use Section 4.2 alone.")
    [(4, 15)]
    """
    return [m.span() for m in _NUMBERED.finditer(text) if m["head"].lower() in _HEADS]


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


def _merged(spans: Sequence[tuple[int, int] | None], text: str) -> list[tuple[int, int]]:
    """The spans in order, those that overlap or are parts of one name joined."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(filter(None, spans)):
        if joined and start <= joined[-1][1] + 1 and text[joined[-1][1] : start].strip() == "":
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def _first_noun(words: str) -> str:
    plain = re.split(_PHRASE, words, maxsplit=1)[0]
    return plain.split()[-1] if plain.split() else ""


def _has_preposition(words: str) -> bool:
    return _PREPOSITION.match(words) is not None


def _of_kind(name: str, before: str) -> str:
    """A name with the kind of the one before: "B" after "Property A" is "Property B"."""
    if _BARE.fullmatch(name):
        return " ".join([*before.split()[:-1], name])
    return name if _kind_of(name) else name + _kind_of(before)


def _kind_of(name: str) -> str:
    found = re.search(rf"{_KIND.pattern}$", name)
    return found[0] if found else ""


def _same_head(one: str, other: str) -> bool:
    return len(one.split()) > 1 and one.split()[0].lower() == other.split()[0].lower()


def _shift(text: str, quarters: int) -> str:
    """A text with its quarters, or its years, moved; a year by one at least."""
    if not quarters:
        return text
    shifted, found = _QUARTER_OF_YEAR.subn(lambda each: _moved_quarter(each, quarters), text)
    years = quarters // QUARTERS or 1
    return shifted if found else YEAR_ALONE.sub(lambda year: str(int(year[0]) + years), text)


def _moved_quarter(found: re.Match[str], quarters: int) -> str:
    year, quarter = divmod(int(found[2]) * QUARTERS + int(found[1]) - 1 + quarters, QUARTERS)
    return f"Q{quarter + 1} {year}"
