"""Follow-up questions made whole: what a question leans on is filled in, not put before it.

"And for Property B?" replaces the property asked about before, "in 2020?" the year, "their" the
name it stands for. Where it cannot be told what to replace, the question before is put first.
"""

import re
from collections.abc import Sequence

from docqa.language.words import AUXILIARY, INTERROGATIVE, content_words
from docqa.question.antecedents import QUARTERS, Antecedents, Spans, antecedents, names_in, times_in
from docqa.question.instructions import OddsBeside, set_apart
from docqa.question.mentions import called, match_documents
from docqa.question.names import aliases
from docqa.types.answer import Message
from docqa.types.document import Document

_OPENER = re.compile(
    r"\s*(?:(?:and|but|or|also|so|then|ok|okay|now)\b[\s,]*)*"
    r"(?:(?:what about|how about|(?:the )?same (?:for|question for|in|of))\b\s*)?",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"^\W*(?:why|how so|how come)\b(?:\s+(?:is|was)\s+(?:that|this|it)(?:\s+so)?|\s+not)?\W*$", re.I
)
_WHY = re.compile(r"^\W*why\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"^\W*(?P<prep>in|for|of|on|at|under|during|as of|per|by|from|with|within|to)\s+", re.I
)
_CLAUSE = re.compile(
    rf"^\W*(?:{INTERROGATIVE}|list|compare|summari[sz]e|explain"
    r"|describe|show|give|tell|find|name|quote|please)\b"
    rf"|\b{AUXILIARY}\b",
    re.IGNORECASE,
)
_COPULA = re.compile(  # "what was it in 2020": all but the rest was asked before
    r"^\W*(?:what|how (?:much|many|large|high|long))\s+(?:is|are|was|were)\s+"
    r"(?:it|they|that|those)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:its|their|his|her)\b(?=\s+\w)", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?P<be>(?:is|are|was|were)\s+)?(?P<pronoun>it|they|them|he|she|him|the (?:former|latter))\b"
    r"|\b(?P<end>those|these|that)\b(?=\W*$)",
    re.IGNORECASE,
)
# "It" that stands for nothing: "How long does it take for a notice to arrive?"
_EMPTY_IT = re.compile(
    r"\bit\s+(?:takes?|costs?|matters?)\b.*\b(?:to|for|if|when|whether|before|until)\b"
    r"|\b(?:is|was|be)\s+it\s+(?:possible|necessary|true|correct|usual|likely|legal|lawful)\b",
    re.IGNORECASE,
)
# Whom or what the question itself asks for: "Who is the guarantor and what does he guarantee?",
# "What were revenues and how much did they grow?"
_PERSONAL = r"\b(?:he|she|him|his|her|they|them|their|its)\b"
_OF_ITS_OWN = re.compile(
    rf"^\W*(?:who\b|which\s+[a-z]+)\b.*\band\b.*{_PERSONAL}"
    r"|^\W*what\s+(?:is|are|was|were)\s+"
    rf"(?:(?!{_PERSONAL}|\b(?:it|this|that|these|those)\b).)+\band\b.*(?:{_PERSONAL}|\bit\b)",
    re.IGNORECASE | re.DOTALL,
)
# Whose it is, where no name was asked for before: "Can the tenant assign its lease?"
_OWNER = re.compile(
    rf"^\W*{AUXILIARY}\s+"
    r"(?:the|an?|each|every|either|any)\s+[a-z]+\b.*\b(?:its|their|his|her)\b",
    re.IGNORECASE | re.DOTALL,
)
AND_ASKED = re.compile(rf"[,;]?\s+and\s+(?={INTERROGATIVE}\b)", re.IGNORECASE)
_POINTED = re.compile(
    r"\b(?:that|this|those|these|the same)\s+(?P<noun>[a-z]{3,})\b", re.IGNORECASE
)
_SHIFTED = re.compile(
    r"\b(?:in\s+)?(?:the\s+)?(?:(?P<back>(?:year|quarter) before"
    r"|(?:previous|prior|preceding|last) (?:year|quarter)"
    r"|(?:a|one) (?:year|quarter) (?:ago|earlier|before))"
    r"|(?P<on>(?:year|quarter) after|(?:next|following) (?:year|quarter)))\b",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\bthe other (?P<noun>[a-z]{3,})\b", re.IGNORECASE)
_COMPARED = re.compile(
    r"^\W*how (?:does|do|did|is|are) (?:that|this|it|they|those|these) compared? "
    r"(?:with|to|against)\s+",
    re.IGNORECASE,
)
_RANKED = re.compile(
    r"^\W*which(?:\s+(?:one|of\s+(?:them|these|those|the\s+two)))?\s+(?:is|are|was|were)\s+"
    r"(?:the\s+)?(?P<how>[a-z]+e(?:r|st))\W*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?|their|its)\s+", re.IGNORECASE)
_NUMBER = re.compile(r"^\W*(?:\w+\s+)?(\d{1,3}(?:\.\d+)*)\W*$")  # of a clause, without the word
_FEW = 6  # words of a question that may be no more than a name or a time


def resolved(
    question: str,
    history: Sequence[Message],
    documents: Sequence[Document] = (),
    *,
    beside: OddsBeside | None = None,
) -> str:
    """What a question means after those before it; it comes back as it is where it stands alone.

    ``documents`` are those whose names are recognised in lower case too;
    ``beside`` tells what is no part of the questions before (see `set_apart`).

    >>> def after(before, question):
    ...     return resolved(question, [Message("user", before), Message("assistant", "5.")])
    >>> after("What is the rent in Lease A?", "And in Lease B?")
    'What is the rent in Lease B?'
    >>> after("What was Apple's revenue in 2022?", "And their net income the year before?")
    "What was Apple's net income in 2021?"
    >>> after("What is the rent in Lease A?", "Is there a cap on liability?")
    'Is there a cap on liability?'
    """
    whole = ""
    for message in history:
        if message.role == "user":
            plain, _ = set_apart(" ".join(message.text.split()), beside=beside)
            whole = _after(plain, whole, documents)
    return _after(question, whole, documents)


def _after(question: str, before: str, documents: Sequence[Document]) -> str:
    """The question with what it leans on in the one ``before``, which is whole."""
    if not before:
        return question
    opener = _OPENER.match(question)
    opened = opener is not None and opener.end() > 0
    rest = question[opener.end() :] if opener else question
    earlier = antecedents(before, documents)
    rest = _other_named(rest, before, documents)
    if (beside := _COMPARED.match(rest)) and earlier.name:
        other = rest[beside.end() :].strip(" ?.!")
        return earlier.of_name(f"{earlier.name} and {other}", led_by=earlier.name)
    if (ranked := _RANKED.match(rest)) and earlier.head:
        return f"Which has the {ranked['how']} {_ARTICLE.sub('', earlier.subject)}?"
    if _REASON.match(rest):
        return _why(before)
    if _OF_ITS_OWN.match(rest) and not opened:
        return question
    if copula := _COPULA.match(rest):
        return _replaced(rest[copula.end() :].strip(), earlier, documents)
    if not _CLAUSE.search(rest):
        leans = opened or _is_name_or_time(rest, documents)
        return _replaced(rest, earlier, documents) if leans else question
    filled = _filled(rest, earlier, documents)
    if filled != rest:
        return _capital(filled)
    if opened or _WHY.match(rest):
        return _capital(_carrying(rest, earlier, documents))
    return question


def _quarters(shifted: re.Match[str]) -> int:
    """By how many quarters a time is moved."""
    length = 1 if "quarter" in shifted[0].lower() else QUARTERS
    return -length if shifted["back"] else length


def _other_named(rest: str, before: str, documents: Sequence[Document]) -> str:
    """The question with its name for "the other lease", where but one other is called so."""
    found = _OTHER.search(rest)
    if not found:
        return rest
    asked = {each.id for one in match_documents(before, documents) for each in one.documents}
    spoken = before.split() if found["noun"] == "one" else [found["noun"]]
    for noun in (word.strip("?.,’'").lower() for word in spoken):
        group = called(noun, documents)
        others = [each for each in group if each.id not in asked]
        if len(group) == 2 and len(others) == 1:
            name = " ".join(word for word in aliases(others[0])[0].split() if word != noun)
            return f"{rest[: found.start()]}{name}{rest[found.end() :]}"
    return rest


def _why(before: str) -> str:
    asks = re.match(rf"{AUXILIARY}\b", before, re.IGNORECASE)
    return f"Why {before[0].lower()}{before[1:]}" if asks else f"{before} Why?"


def _is_name_or_time(rest: str, documents: Sequence[Document]) -> bool:
    """Whether a few words without a verb are no more than a name, a time, or "in …"."""
    if len(rest.split()) > _FEW:
        return False
    return _PREPOSITION.match(rest) is not None or not _topic(rest, documents)


def _topic(rest: str, documents: Sequence[Document]) -> str:
    """What is left of a few words when names and times, and what leads to them, are taken off."""
    spans = [*names_in(rest, documents), *times_in(rest)]
    if _NUMBER.match(rest):
        return ""
    left = _without(rest, [*spans, *(found.span() for found in _SHIFTED.finditer(rest))])
    return left if content_words(re.sub(r"\b(?:ones?|same)\b|[’']s\b", " ", left)) else ""


def _without(text: str, spans: Spans) -> str:
    for start, stop in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[stop:]}"
    text = re.sub(r"\b(?:in|for|of|on|at|during|as of|under)\b\s*(?=\W*$)", " ", text)
    return " ".join(text.strip(" ?.!,").split())


# A few words in the place of what was asked about before


def _replaced(rest: str, earlier: Antecedents, documents: Sequence[Document]) -> str:
    """The question before with the words of ``rest`` in the place of its own."""
    rest = rest.strip(" ?.!,")
    if not rest:
        return earlier.text
    topic = _topic(rest, documents)
    if not topic:
        return _others_named(rest, earlier, documents)
    preposition = _PREPOSITION.match(rest)
    party = rest[preposition.end() :] if preposition else rest
    if (acting := earlier.acting) and earlier.is_role(party):
        said = earlier.text[: acting[0]].endswith("the ")
        return earlier.put(_ARTICLE.sub("", party) if said else party, acting)
    if preposition and not names_in(rest, documents) and not times_in(rest):
        return earlier.with_phrase(preposition["prep"], rest)
    if (owned := earlier.owner) and re.search(r"[’']s$", rest):
        return earlier.put(rest, owned)
    return _capital(_new_topic(rest, earlier, documents))


def _others_named(rest: str, earlier: Antecedents, documents: Sequence[Document]) -> str:
    """The question before, of another name, another time, or both."""
    text = earlier.text
    if shifted := _SHIFTED.search(rest):
        text = earlier.shifted(_quarters(shifted))
    elif times := times_in(rest):
        text = earlier.at_time(" and ".join(rest[start:stop] for start, stop in times))
    names = [rest[start:stop] for start, stop in names_in(rest, documents)]
    if not names and (number := _NUMBER.match(rest)):
        names = [number[1]]
    if not names:
        return text
    return antecedents(text, documents).of_name(" and ".join(names), led_by=rest)


def _new_topic(rest: str, earlier: Antecedents, documents: Sequence[Document]) -> str:
    """Something else asked of the same name and time: "and the deposit?"."""
    said = _POSSESSIVE.sub(lambda found: earlier.name_owning() or found[0], rest)
    if shifted := _SHIFTED.search(said):
        when = earlier.time_phrase(_quarters(shifted))
        said = f"{said[: shifted.start()]}{when}{said[shifted.end() :]}".strip()
    owner = "" if names_in(said, documents) else earlier.owning
    if owner and not _PREPOSITION.match(said):
        said = f"{owner} {_ARTICLE.sub('', said)}"
    return _carrying(f"{earlier.head}{said}?", earlier, documents)


# Pronouns, and names that go without saying


def _filled(rest: str, earlier: Antecedents, documents: Sequence[Document]) -> str:
    """The question with a name for its pronoun, or with the question before it put first."""
    pointed = _POINTED.search(rest)
    called = earlier.called(pointed["noun"]) if pointed else ""
    if pointed and called and not names_in(rest, documents):
        return f"{rest[: pointed.start()]}{called}{rest[pointed.end() :]}"
    owning, pronoun = _POSSESSIVE.search(rest), _PRONOUN.search(rest)
    place = owning or pronoun
    if place is None or names_in(rest[: place.start()], documents):
        return rest
    *asked, _ = AND_ASKED.split(rest[: place.start()])
    if len(content_words(" ".join(asked))) > 1:
        return rest  # "Which loan is the largest and when does it mature?"
    if place is pronoun and not pronoun["end"] and _EMPTY_IT.search(rest):
        return rest
    if owning:
        meant, found = earlier.name_owning(plural=owning[0].lower() == "their"), owning[0]
        if not meant and _OWNER.match(rest):
            return rest
        return rest.replace(found, meant, 1) if meant else f"{earlier.text} {rest}"
    assert pronoun is not None
    return _with_subject(rest, pronoun, earlier)


def _with_subject(rest: str, pronoun: re.Match[str], earlier: Antecedents) -> str:
    """After "is" a pronoun stands for what was asked; elsewhere for what it was asked of."""
    group = "end" if pronoun["end"] else "pronoun"
    meant = earlier.subject if pronoun["be"] else earlier.name or earlier.subject
    if not meant:
        return f"{earlier.text} {rest}"
    return f"{rest[: pronoun.start(group)]}{meant}{rest[pronoun.end(group) :]}"


def _carrying(rest: str, earlier: Antecedents, documents: Sequence[Document]) -> str:
    """The question with the name and the time of the one before, where it has none itself."""
    said = rest.rstrip(" ?.!")
    if not names_in(said, documents):
        said = f"{said}{earlier.name_phrase}"
    if not times_in(said) and not _SHIFTED.search(said):
        said = f"{said} {earlier.time_phrase()}".rstrip()
    return f"{said}?"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
