"""The ways in which a question may be made whole from the one before it; `leaning` ranks them.

What may be meant is enumerated rather than told by rules: the new question as it is, its words in
the place of any phrase of the one before ("And for Lease B?"), a phrase of that one for a pronoun,
more words at the end of either, and one after the other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, get_args

from docqa.language.periods import YEAR_ALONE
from docqa.language.vocabulary import terms_in
from docqa.language.words import AUXILIARY, INTERROGATIVE
from docqa.question.antecedents import moved
from docqa.question.phrases import (
    ARTICLES,
    DETERMINERS,
    PREPOSITIONS,
    Asked,
    Phrase,
    asked,
    is_thing,
)
from docqa.types.document import Document

Way = Literal["alone", "in place", "meant", "at end", "narrowed", "reason", "other", "after"]
"""As it is; words in the place of others; a phrase for a pronoun; more at the new question's end;
more in the question before; that one asked why; told exactly; one question after the other."""
WAYS: tuple[Way, ...] = get_args(Way)

MOST = 220  # rewrites of a question
_PUT_WORDS, _REPLACED_WORDS = 9, 7  # at most
_REFERENTS = 20

_OPENER = re.compile(
    r"\s*(?:(?:and|n|but|or|also|so|then|ok|okay|now|yes|no|sorry|thanks|right|well)\b[\s,]*)*"
    r"(?:(?:(?:what|how)\s+about|what\s+of|i\s+need\s+(?:it|that|this|the\s+same)"
    r"|does\s+the\s+same\s+(?:go|apply|hold|count)"
    r"|(?:(?:could|can)\s+you\s+)?(?:tell\s+me\s+)?(?:the\s+)?same(?:\s+(?:question|thing|again))?)"
    r"\b[\s,]*)?",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r"(?:[\s,]*\b(?:please|too|as\s+well|instead|then|i\s+mean|though|again|alone|only))+\W*$", re.I
)
_THEM = r"(?:them|those|these|it|this|that)"
_BE = r"(?:is|are|was|were)"
_NARROWING = re.compile(  # "only those from Italy", "how many of them were insured"
    rf"^(?:(?:only|just|limit\s+{_THEM}\s+to|any(?:thing)?|and|the\s+ones|those|these|ones"
    rf"|(?:how\s+(?:many|much)|which|who|what|some|all|none)(?:\s+ones?|\s+part)?"
    rf"(?:\s+of\s+{_THEM})?(?:\s+{_BE}\b(?=\s+\w+\W*$|\s+(?:in|for|from|at|of|on|with|about)\b))?"
    rf"|that\s+{_BE}|that\s+deal\s+with)\b\s*)+",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:why|how\s+come|how\s+so|reasons?|causes?|caused|grounds?|behind|what\s+for|basis|explains?"
    r"|led\s+to|trigger|drove|due\s+to|justification|how\s+did\s+(?:that|this|it)\s+happen|get\s+it\s+for|because)\b",
    re.IGNORECASE,
)
_PUTS_REASON = re.compile(
    r"(?:for|on|to|with|due\s+to|because\s+of)\s+(?:what|which)\b.*|how\s+come\b", re.IGNORECASE
)
_POINTING = re.compile(
    r"\b(?:(?P<owning>its|their|his|her)(?=\s+\w)"
    r"|(?P<there>there|here)"
    r"|(?P<pointed>(?:that|this|these|those|the\s+same|the\s+said|such)\s+"
    rf"(?!(?:{AUXILIARY}|{INTERROGATIVE}|about|for|per|ones?)\b)(?P<noun>[a-z]{{3,}}))"
    r"|(?P<plain>it|they|them|he|she|him|her|this|that|these|those|ones?|the\s+(?:former|latter)))\b",
    re.IGNORECASE,
)
_BEGUN = re.compile(rf"{AUXILIARY}\b", re.IGNORECASE)
# Who of those that were asked for: "How many failed?", "Which are vacant?"
_OF_THEM = re.compile(
    r"^(?:how\s+(?:many|much)|which(?:\s+(?:ones?|part))?|what\s+(?:part|share|portion|fraction)|any"
    rf"|some|none|all)\b(?!\s+of\b)\s+(?:(?={_BE}\b)|(?!.*\b(?:{AUXILIARY}|{INTERROGATIVE})\b))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"\b(?:{AUXILIARY}|{INTERROGATIVE})\b")
_ASKING = re.compile(
    rf"^\W*(?:(?:(?:by|in|on|at|to|for|of|under|with|from|until)\s+)?{INTERROGATIVE}"
    r"(?:\s+(?:much|many|long|far|often|large|big|high|late|old|soon|quickly))?\b"
    r"|(?:please\s+)?(?:list|show|give|name|tell|find|describe|summari[sz]e|explain)\b"
    r"(?:\s+(?:me|us)(?:\s+about)?)?(?:\s+all)?)\s*",
    re.IGNORECASE,
)
_INVERTED = re.compile(rf"^(?P<thing>.*?)\s*\b(?P<aux>{AUXILIARY})\s+(?P<rest>.+)$", re.I | re.S)
_COUNTING = re.compile(r"what|which|many|much", re.IGNORECASE)
_TWICE = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_WHAT = re.compile(r"\W*(?:what|how\s+much)\b", re.IGNORECASE)
_HAVE = re.compile(r"^(?P<who>.+?)\s+have\b(?P<more>.*)$", re.IGNORECASE | re.DOTALL)
_MOVES = re.compile(r"\b(?:change|difference|growth|increase|decrease|rise|fall|drop|gap)\b", re.I)
_RANKED = re.compile(
    rf"^\W*which(?:\s+(?:one|of\s+(?:{_THEM}|the\s+two)))?\s+{_BE}\s+(?:the\s+)?"
    r"(?P<how>[a-z]+e(?:r|st))\W*$",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:the|an?|all|their|its)\s+)+", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:compared?|versus|vs|against)\b", re.IGNORECASE)
_ONES = re.compile(r"(?<![\w-])ones?(?![\w-])", re.IGNORECASE)
_SHORT_YEAR = re.compile(r"(?<!\w)[’'](\d\d)\b|^(\d\d)(?=\W*$)")  # "’22", "22?"


@dataclass(frozen=True, slots=True)
class Put:
    """Words of the new question that may stand in the place of others, without what leads to them.

    ``whole`` says that they are all it has, but for its opener.
    """

    text: str
    preposition: str
    article: str
    kind: str  # as of a `Phrase`
    whole: bool

    @property
    def said(self) -> str:
        return f"{self.article} {self.text}".strip()

    @property
    def led(self) -> str:
        return f"{self.preposition} {self.said}".strip()


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question made whole. ``phrase`` is of the question before: what is replaced, meant or said
    again; ``put`` what is put in its place or beside it; ``at`` the place of a pronoun, [start,
    stop) without the opener; ``form`` tells the variants of a way apart."""

    text: str
    way: Way
    form: str = ""
    phrase: Phrase | None = None
    put: Put | None = None
    at: tuple[int, int] | None = None


def opened(question: str) -> tuple[str, str]:
    """The words that open a question and say nothing, and the rest.

    >>> opened("And what about Lease B?"), opened("What is the rent?")
    (('And what about', 'Lease B?'), ('', 'What is the rent?'))
    """
    found = _OPENER.match(question)
    cut = found.end() if found else 0
    return question[:cut].strip(" ,"), question[cut:].strip()


def rewrites(question: Asked, before: Asked, documents: Sequence[Document] = ()) -> list[Rewrite]:
    """What a question may mean after the one ``before``, which is whole; itself first, and never
    just that one again.

    >>> made = rewrites(asked("And for Lease B?"), asked("What is the rent of Lease A?"))
    >>> [each.text for each in made if each.way == "in place" and each.phrase.text == "Lease A"]
    ['What is the rent of Lease B?', 'What is the rent for Lease B?']
    """
    said = _with_whole_years(opened(question.text)[1], before)
    before = replace(before, phrases=[p for p in before.phrases if is_thing(p, before)])
    after = f"{before.body}{before.mark or '?'} {_capital(said)}"
    if not _CLAUSE.search(said):
        said = _CLOSER.sub(lambda found: "?" if "?" in found[0] else "", said)
    made = [
        Rewrite(question.text, "alone"),
        Rewrite(after, "after"),
        *_moved(said, before, documents),
        *_from(asked(said, documents), before),
    ]
    kept: dict[str, Rewrite] = {}
    for each in made:
        if each.way == "alone" or each.text.casefold() != before.text.casefold():
            kept.setdefault(each.text, each)
    return list(islice(kept.values(), MOST))


def _from(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    for way in (_other, _reasons, _meant, _in_place, _narrowed, _at_end):
        yield from way(rest, before)


def _with_whole_years(said: str, before: Asked) -> str:
    """The question with "2022" for "’22" and, after one that names a year, for "22"."""
    years = [year[0][:2] for year in YEAR_ALONE.finditer(before.text)]

    def whole(found: re.Match[str]) -> str:
        if found[2] and not years:
            return found[0]
        return f"{years[-1] if years else '20'}{found[1] or found[2]}"

    return _SHORT_YEAR.sub(whole, said)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spaced(*parts: str) -> str:
    text = " ".join(" ".join(parts).split())
    return re.sub(r"\s+([?.!,;:]|[’']s\b)", r"\1", text)


# Words in the place of others


def _in_place(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    """The question before with a phrase of it replaced."""
    own = [each for each in before.phrases if len(each.text.split()) <= _REPLACED_WORDS]
    asks = _CLAUSE.search(rest.body.lower()) is not None
    for put in (each for each in _puts(rest) if not _CLAUSE.search(each.text)):
        if asks and put.kind == "thing":
            continue  # what is asked of a thing is not asked of another
        named = put.kind == "name"
        for phrase in (each for each in own if not (named and terms_in(each.text))):
            head, tail = before.text[: phrase.led], before.text[phrase.stop :]
            for form, led in _variants(phrase, put):
                text = _spaced(head, led, tail)
                if not _TWICE.search(text):
                    yield Rewrite(text if head else _capital(text), "in place", form, phrase, put)


def _puts(rest: Asked) -> list[Put]:
    """What a question has to put in: all of it, what it names, and its last phrase."""
    body = _CLOSER.sub("", rest.body)
    found = []
    if 0 < len(body.split()) <= _PUT_WORDS:
        asking = _ASKING.match(body)
        found += [
            _put(each, rest) for each in (body, body[asking.end() :] if asking else "") if each
        ]
    last = len(rest.runs) - 1
    whole = [each for each in rest.phrases if each.is_whole]
    for each in sorted(whole, key=lambda each: each.kind == "thing"):
        if each.kind != "thing" or each.runs[1] == last:
            article = each.article if each.article in ARTICLES else ""
            found.append(Put(each.text, each.preposition, article, each.kind, whole=False))
    once = {(each.text, each.preposition): each for each in reversed(found)}
    return list(reversed(once.values()))


def _put(text: str, rest: Asked) -> Put:
    """All the words of a question as what may be put in."""
    words = text.split()
    lead = words[0].lower() in PREPOSITIONS and len(words) > 1
    preposition = words.pop(0).lower() if lead else ""
    own = words[0].lower() in DETERMINERS and len(words) > 1
    article = words.pop(0).lower() if own else ""
    plain = re.sub(r"(?<=\w)[’']s$", "", " ".join(words))
    kind = next((each.kind for each in rest.phrases if each.text == plain), "thing")
    return Put(plain, preposition, article if article in ARTICLES else "", kind, whole=True)


def _variants(phrase: Phrase, put: Put) -> Iterator[tuple[str, str]]:
    """What is put in with what leads to it: as the phrase has it, or as the new words do."""
    article = put.article if put.article and phrase.article else phrase.article
    if article in ("a", "an"):
        article = "an" if put.text[:1].lower() in "aeiou" else "a"
    yield "as before", _spaced(phrase.preposition, article, put.text)
    if put.article != article:
        yield "own article", _spaced(phrase.preposition, put.said)
    if put.preposition and phrase.preposition not in ("", put.preposition):
        yield "own preposition", put.led
    if phrase.preposition and phrase.kind == "time" and not put.preposition:
        yield "no preposition", put.said


# A phrase for a pronoun


def _meant(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    """The question with a phrase of the one before for its pronoun, or where it points at one."""
    referents = list(_referents(before))
    text = rest.text
    if found := _OF_THEM.match(text):
        at = (found.end(), found.end())
        for phrase, said in referents:
            whole = _spaced(found[0], "of", said, text[found.end() :])
            yield Rewrite(_capital(whole), "meant", "of", phrase, None, at)
    for place in islice(_POINTING.finditer(text), 2):
        form = "pointed" if place["noun"] else str(place.lastgroup)
        for phrase, said in referents:
            for made in _filled(place, form, phrase, said, rest):
                yield replace(made, text=_capital(made.text), phrase=phrase, at=place.span())


def _filled(
    place: re.Match[str], form: str, phrase: Phrase | None, said: str, rest: Asked
) -> Iterator[Rewrite]:
    """The question with what is meant in this place; whose something is, in two ways."""
    head, tail = rest.text[: place.start()], rest.text[place.end() :]
    if form == "owning":
        yield Rewrite(_spaced(head, f"{said}'s", tail), "meant", form)
        for owned in rest.phrases:
            if owned.start == place.end() + 1 and owned.is_whole and owned.runs[0] == owned.runs[1]:
                whose = _spaced(head, "the", owned.text, "of", said, rest.text[owned.stop :])
                yield Rewrite(whose, "meant", "owned")
    elif form != "there":
        yield Rewrite(_spaced(head, said, tail), "meant", form)
    elif phrase:
        where = phrase.preposition or "at"
        yield Rewrite(_spaced(head, where, said, tail), "meant", form)


def _referents(before: Asked) -> Iterator[tuple[Phrase | None, str]]:
    """What a question speaks of, as the next one would say it whole."""
    for text in described(before):
        yield None, text
    begun = [each for each in before.phrases if not each.left[0]]
    for phrase in sorted(begun, key=lambda each: not each.is_whole)[:_REFERENTS]:
        article = phrase.article
        counted = not article and _COUNTING.fullmatch(phrase.behind)
        if article in ("a", "an", "any", "each", "every", "no") or counted:
            article = "the"
        yield phrase, f"{article} {phrase.text}".strip()


def described(before: Asked) -> list[str]:
    """What a question asks for as a thing, [] where it asks for none.

    >>> described(asked("How many vans does the depot have?"))
    ['the vans of the depot']
    >>> described(asked("Which loans are in default?")), described(asked("Who owns it?"))
    (['the loans in default'], [])
    """
    asking = _ASKING.match(before.body)
    said = re.sub(r"^[’']s\s+", "is ", before.body[asking.end() :]) if asking else ""
    if not asking or not before.runs:
        return []
    found = _INVERTED.match(said)
    if not found:
        return [_acting(asking[0], said, before)]
    thing, rest = found["thing"].strip(), found["rest"]
    is_so = re.fullmatch(_BE, found["aux"], re.IGNORECASE)
    if not thing and is_so:
        return [rest]
    if not thing:
        return [f"what {rest}"] if _WHAT.match(before.text) else []
    owner = None if is_so else _HAVE.match(rest)
    return [f"the {thing} of {owner['who']}{owner['more']}" if owner else f"the {thing} {rest}"]


def _acting(asking: str, said: str, before: Asked) -> str:
    """Those who do what is asked: "the leases that end in May" of "Which leases end in May"."""
    first, last = before.runs[0]
    verb = before.words[last - 1].start - (len(before.body) - len(said))
    if re.match(rf"\W*{INTERROGATIVE}\b", asking, re.IGNORECASE) and last - first > 1 and verb > 0:
        return f"the {said[:verb]}that {said[verb:]}"
    return f"the {_LEADING.sub('', said)}"


# More at an end


def _at_end(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    """The question with what narrows the one before: where, of whom and when."""
    body, mark = rest.body, rest.mark or before.mark
    if before.names and any(body == rest.text[start:stop] for start, stop in rest.names):
        return  # it takes a name's place
    for phrase, more in _narrowing(before):
        form = "led" if phrase.preposition else "said of"
        yield Rewrite(_capital(f"{body} {more}{mark}"), "at end", form, phrase)
    joint = "in" if _MOVES.search(body) else "of"
    verbless = not _INVERTED.match(body) and not _ASKING.match(body)
    if verbless and body.split()[:1] and body.split()[0].lower() in PREPOSITIONS:
        return
    if _POINTING.search(body):
        return  # it says itself what it is of
    if verbless:
        body = f"what is the {_LEADING.sub('', body)}"
    for text in described(before):
        yield Rewrite(_capital(f"{body} {joint} {text}{mark}"), "at end", "all")


def _narrowing(before: Asked) -> Iterator[tuple[Phrase, str]]:
    """The phrases of a question with what leads to them, and with its time."""
    whole = [each for each in before.phrases if each.is_whole or each.kind == "name"]
    time = next((each for each in whole if each.kind == "time"), None)
    for phrase in whole:
        article = "the" if phrase.article in ("a", "an") else phrase.article
        led = _spaced(phrase.preposition or "of", article, phrase.text)
        yield phrase, led
        if time and (time.start >= phrase.stop or time.stop <= phrase.start):
            yield phrase, _spaced(led, time.preposition or "in", time.article, time.text)


def _narrowed(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    """The question before with more words: at its end, and about what it asks for."""
    if _COMPARED.search(rest.text) or _REASON.search(rest.text):
        return
    named = {each.kind for each in before.phrases}
    for put in _puts(rest):
        if put.whole and put.kind == "name" and "name" in named and not put.preposition:
            continue  # it takes the place of the other
        words = put.led
        if put.whole:
            words = _ONES.sub("", _NARROWING.sub("", words)).strip(" ,")
        if _BEGUN.match(words):
            continue  # "what are the parties" asks for no fewer of the same
        if words and (put.whole or put.preposition):
            yield from _with(words, put, before, before.mark or rest.mark)


def _with(words: str, put: Put, before: Asked, mark: str) -> Iterator[Rewrite]:
    body, text = before.body, before.text
    yield Rewrite(f"{body} {words}{mark}", "narrowed", "end", None, put)
    if not put.preposition:
        yield Rewrite(f"{body} and {words}{mark}", "narrowed", "and", None, put)
    if _CLAUSE.search(words):
        return
    for phrase in before.phrases:
        if phrase.runs[0] == phrase.runs[1] < 2 and not phrase.left[0]:
            behind = _spaced(text[: phrase.stop], words, text[phrase.stop :])
            yield Rewrite(behind, "narrowed", "behind", phrase, put)
            if phrase.is_whole and not put.preposition:
                bare = _LEADING.sub("", words)
                ahead = _spaced(text[: phrase.start], bare, text[phrase.start :])
                yield Rewrite(ahead, "narrowed", "ahead", phrase, put)


# Why, and what is told exactly


def _reasons(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    """The question before asked why."""
    if _REASON.search(rest.text):
        said = _CLOSER.sub("", rest.body)
        lead = _capital(said) if _PUTS_REASON.match(said) else "Why"
        for form, text in _asked_so(before):
            yield Rewrite(f"{lead} {text}{before.mark or '?'}", "reason", form)


def _asked_so(before: Asked) -> Iterator[tuple[str, str]]:
    """The question before without what it asks for, from its auxiliary on: "was it let late"."""
    body = before.body
    asking = _ASKING.match(body)
    said = body[asking.end() :] if asking else body[:1].lower() + body[1:]
    found = _INVERTED.match(said) if asking else None
    if not asking or not found:
        yield "said", said
        return
    how = re.search(r"\bhow\s+(?!much|many|long|far)(\w+)", asking[0], re.IGNORECASE)
    thing = found["thing"].strip() or (how[1] if how else "")
    yield "asked", _spaced(found["aux"], found["rest"], thing)
    if thing:
        yield "without", _spaced(found["aux"], found["rest"])


def _moved(said: str, before: Asked, documents: Sequence[Document]) -> Iterator[Rewrite]:
    """The question before at the time that is told by its own ("the year before"), and what else
    is asked of that time."""
    found = moved(said, before.text)
    if found is None:
        return
    left, text = found
    yield Rewrite(text, "other", "moved")
    if left:
        for each in _from(asked(left, documents), asked(text, documents)):
            yield replace(each, form=f"{each.form} moved")


def _other(rest: Asked, before: Asked) -> Iterator[Rewrite]:
    """What is told exactly: which of two is higher, and what is set beside another."""
    if ranked := _RANKED.match(rest.text):
        for text in described(before):
            whole = f"Which has the {ranked['how']} {_LEADING.sub('', text)}?"
            yield Rewrite(whole, "other", "ranked")
    if _COMPARED.search(rest.text):
        for put in (each for each in _puts(rest) if not _COMPARED.search(each.text)):
            for phrase in before.phrases:
                if phrase.is_whole and phrase.kind == put.kind:
                    head, tail = before.text[: phrase.stop], before.text[phrase.stop :]
                    text = _spaced(head, "and", put.said, tail)
                    yield Rewrite(text, "other", "compared", phrase, put)
