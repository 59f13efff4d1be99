"""Which rewrite of a question is meant, told by trees over what a person would look at.

The rewrites of a question are ranked against one another (Burges, "From RankNet to LambdaRank to
LambdaMART", 2010) by trees that `tests.training.followups` teaches on dialogues that were written
for it. What sort of follow-up a question is, a linear classifier of its words tells the trees.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from docqa.language.linear import Linear, linear_of
from docqa.language.periods import MONTHS
from docqa.language.trees import Numbers, Trees, trees_of
from docqa.language.words import AUXILIARY, INTERROGATIVE, content_words, singular
from docqa.question.asides import Vectors
from docqa.question.phrases import ARTICLES, PREPOSITIONS, Asked, Phrase, cuts
from docqa.question.rewrites import WAYS, Put, Rewrite, opened

SORTS = ("alone", "entity", "time", "measure", "pronoun", "narrow", "form", "why")
"""Of follow-ups: none, another thing, time or measure, a pronoun, fewer of the same, the same in
another form, and why."""
FORMS = (
    "as before", "own article", "own preposition", "no preposition",
    "owning", "owned", "there", "pointed", "plain", "of", "led", "said of", "all",
    "end", "and", "behind", "ahead", "ranked", "compared", "moved", "said", "asked", "without",
)  # fmt: skip
_OF_WORDS = (
    "words", "is name", "is time", "capitals", "digits", "is role", "is plural", "preposition",
    "article",
)  # fmt: skip
_OF_QUESTION = (
    "words", "telling words", "opened", "opener is long", "asks", "begins with auxiliary",
    "begins with preposition", "begins with article", "auxiliary", "pronouns", "pronoun after",
    "owning pronoun", "personal pronoun", "empty pronoun", "own referent", "of a pronoun",
    "points back", "names", "times", "small first", "mark", "possessive last",
    "shared", "shared of before", "near before", "heard",
    *(f"odds {each}" for each in SORTS),
    "words before", "asks before", "names before", "times before",
)  # fmt: skip
_OF_PHRASE = (
    *_OF_WORDS, "left before", "left after", "runs before", "runs after", "runs", "owns", "first",
    "said", "after be", "after do", "after asking", "after who", "before auxiliary",
    "cuts a name", "last",
)  # fmt: skip
_OF_PUT = (*_OF_WORDS, "whole", "said before")
_OF_BOTH = (
    "same sort", "same shape", "same first", "same last", "same preposition", "as long",
)  # fmt: skip
NAMES = (
    *(f"is {each}" for each in WAYS), *(f"by {each}" for each in FORMS), "of another time",
    *_OF_QUESTION,
    *(f"phrase {each}" for each in _OF_PHRASE), *(f"put {each}" for each in _OF_PUT),
    *_OF_BOTH, "alike behind",
    "phrase near put", "phrase near put behind", "phrase near question",
    "phrase near question behind",
    "pronoun place", "as many", "noun pointed at", "noun pointed at first", "noun pointed at last",
    "kept", "kept of question", "names kept", "times kept", "names beside its own",
    "times beside its own", "longer",
)  # fmt: skip

RISING = (*_OF_BOTH, "alike behind", "phrase near put", "phrase near put behind")
FALLING = ("phrase cuts a name", "names beside its own", "times beside its own")
"""Features of which more never makes a rewrite less likely, or more likely, all else the same."""
_REPLACING = ("in place", "other")

_ROLES_TEXT = """
landlord tenant lessor lessee licensor licensee buyer seller purchaser vendor lender borrower
guarantor supplier customer client contractor consultant employer employee company executive
provider recipient distributor manufacturer franchisor franchisee investor issuer trustee developer
owner operator agent principal
"""
_ROLES = frozenset(_ROLES_TEXT.split())
_ORDINALS = frozenset(("first", "second", "third", "fourth", "fifth", "last"))
_OWNING = re.compile(r"\b(?:its|their|his|her)\s+\w", re.IGNORECASE)
_PERSONAL = re.compile(r"\b(?:he|she|him|his|her|they|them|their)\b", re.IGNORECASE)
_MANY = re.compile(r"\b(?:they|them|their|these|those|ones)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:its?|they|them|their|he|she|him|his|her|this|that|these|those|there|ones?|latter"
    r"|former)\b",
    re.IGNORECASE,
)
_OF_PRONOUN = re.compile(r"\bof\s+(?:them|those|these|it|this|that)\b", re.IGNORECASE)
_POINTED = re.compile(r"\b(?:this|that|these|those|the)\s+(\w{3,})", re.IGNORECASE)
# What stands for nothing: "How long does it take for a notice to arrive?"
_EMPTY = re.compile(
    r"\bit\s+(?:takes?|costs?|matters?|counts?)\b.*\b(?:to|for|if|when|whether|before|until)\b"
    r"|\b(?:is|was|be)\s+it\s+(?:possible|necessary|true|correct|usual|likely|legal|lawful)\b"
    r"|\b(?:is|are|was|were)\s+there\b|\bthere\s+(?:is|are|was|were)\b",
    re.IGNORECASE,
)
# A noun or two questions in one, which a pronoun after these may stand for.
_REFERENT = re.compile(
    rf"\b(?:an?|the|each|every|any|which|whose)\s+\w+|\band\s+{INTERROGATIVE}\b", re.IGNORECASE
)
_AUXILIARY = re.compile(rf"\b{AUXILIARY}\b", re.IGNORECASE)
_BE = re.compile(r"(?:is|are|was|were|be|been)$")
_ASKS = re.compile(
    rf"^\W*(?:(?:by|in|on|at|to|for|of|under|with|from|until)\s+)?{INTERROGATIVE}\b"
    r"|^\W*(?:list|show|give|name|tell|find|describe|summari[sz]e|explain|compare)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Taught:
    """What `tests.training.followups` teaches; ``least`` is by how much another rewrite has to be
    ahead of the question as it is."""

    sorts: Linear
    trees: Trees
    least: float


def taught_of(kept: Mapping[str, Any]) -> Taught:
    return Taught(linear_of(kept["sorts"]), trees_of(kept["trees"], NAMES), float(kept["least"]))


@lru_cache(maxsize=1)
def bundled() -> Taught:
    text = resources.files("docqa.question").joinpath("followups.json").read_text("utf-8")
    return taught_of(json.loads(text))


def meant(
    question: Asked, before: Asked, every: Sequence[Rewrite], vectors: Vectors | None
) -> Rewrite:
    """Which of the rewrites of a question is meant after the one ``before``; the first, which is
    the question as it is, unless another is clearly likelier."""
    taught = bundled()
    odds = taught.sorts.odds(manner(question))
    rows = measured(question, before, every, odds, vectors)
    return every[chosen(taught.trees.odds(rows), taught.least)]


def chosen(scores: Numbers, least: float) -> int:
    """The number of the highest of the scores; 0 unless it is more than ``least`` ahead of that."""
    best = 1 + int(scores[1:].argmax())
    return best if scores[best] > scores[0] + least else 0


def manner(question: Asked) -> str:
    """A question's words, and once more with what it speaks of blanked, which tells nothing of how
    it leans; and whether it ends as a question does.

    >>> from docqa.question.phrases import asked
    >>> manner(asked("And for Lease B in 2021?"))
    'And for Lease B in 2021? xxasks and for xxname xxname in xxtime'
    """
    plain = (word.plain if word.joins else _blank(question, word.start) for word in question.words)
    mark = "xxasks" if question.mark == "?" else "xxsays"
    return f"{question.text} {mark} {' '.join(plain)}"


def _blank(question: Asked, at: int) -> str:
    if any(start <= at < stop for start, stop in question.times):
        return "xxtime"
    return "xxname" if any(start <= at < stop for start, stop in question.names) else "xx"


def measured(
    question: Asked,
    before: Asked,
    every: Sequence[Rewrite],
    odds: Numbers,
    vectors: Vectors | None,
) -> Numbers:
    """The features of each rewrite, (n, `NAMES`); ``odds`` are those of each of `SORTS`."""
    near = _cosines(question, before, every, vectors)
    shared = [
        *_of_question(question, before), near(question.text, before.text), float(bool(vectors)),
        *odds.tolist(), *_of_before(before),
    ]  # fmt: skip
    pairs = [(each.phrase, each.put if each.way in _REPLACING else None) for each in every]
    small = question.text.islower()
    alike = [_agreement(*pair, small=small) for pair in pairs]
    table = [
        [
            *_of_way(each), *shared,
            *_of_phrase(each.phrase, question, before), *_of_put(each.put, before),
            *same, sum(same) - max(map(sum, alike)) if pair[1] else 0.0,
            near(*map(_said, pair)), 0.0,
            near(_said(each.phrase), question.text), 0.0,
            *_of_pronoun(each, question), *_of_result(each, question, before),
        ]
        for each, pair, same in zip(every, pairs, alike, strict=True)
    ]  # fmt: skip
    rows = np.array(table, np.float32)
    for name in ("phrase near put", "phrase near question"):
        own = rows[:, NAMES.index(name)]
        rows[:, NAMES.index(f"{name} behind")] = np.where(own, own - own.max(), 0)
    return rows


def _said(part: Phrase | Put | None) -> str:
    return part.text if part else ""


def _cosines(
    question: Asked, before: Asked, every: Sequence[Rewrite], vectors: Vectors | None
) -> Callable[[str, str], float]:
    """How near two texts are, 0 where one is empty or nothing tells; all are encoded at once."""
    if vectors is None:
        return lambda one, other: 0.0
    parts = (_said(part) for each in every for part in (each.phrase, each.put))
    texts = [each for each in dict.fromkeys((question.text, before.text, *parts)) if each]
    number = {text: at for at, text in enumerate(texts)}
    found = vectors(texts)
    table = found @ found.T
    return lambda one, other: float(table[number[one], number[other]]) if one and other else 0.0


def _of_way(each: Rewrite) -> Iterator[float]:
    form = each.form.removesuffix(" moved")
    yield from (float(each.way == way) for way in WAYS)
    yield from (float(form == name) for name in FORMS)
    yield float(form != each.form)


def _of_question(question: Asked, before: Asked) -> list[float]:
    opener, rest = opened(question.text)
    pronoun = _PRONOUN.search(rest)
    ahead = rest[: pronoun.start()] if pronoun else ""
    told, earlier = set(content_words(question.text)), set(content_words(before.text))
    shared = len(told & earlier)
    first = rest.split()[0].lower() if rest else ""
    nouns = (set(content_words(found[1])) for found in _POINTED.finditer(rest))
    return [
        float(len(rest.split())), float(len(told)), float(bool(opener)), float(" " in opener),
        float(bool(_ASKS.match(rest))), float(bool(_AUXILIARY.match(rest))),
        float(first in PREPOSITIONS), float(first in ARTICLES),
        float(bool(_AUXILIARY.search(rest))), float(len(_PRONOUN.findall(rest))),
        len(content_words(ahead)) if pronoun else -1.0,
        float(bool(_OWNING.search(rest))), float(bool(_PERSONAL.search(rest))),
        float(bool(_EMPTY.search(rest))), float(bool(_REFERENT.search(ahead))),
        float(bool(_OF_PRONOUN.search(rest))), float(any(noun & earlier for noun in nouns)),
        float(len(question.names)), float(len(question.times)), float(question.text[:1].islower()),
        float(question.mark == "?"), float(bool(re.search(r"[’']s?$", question.body))),
        shared / max(1, len(told)), shared / max(1, len(earlier)),
    ]  # fmt: skip


def _of_before(before: Asked) -> list[float]:
    return [
        float(len(before.words)), float(bool(_ASKS.match(before.text))),
        float(len(before.names)), float(len(before.times)),
    ]  # fmt: skip


def _of_words(part: Phrase | Put) -> list[float]:
    split, plain = part.text.split(), part.text.lower()
    return [
        float(len(split)), float(part.kind == "name"), float(part.kind == "time"),
        sum(map(str.isupper, _letters(part))) / max(1, len(split)),
        float(any(map(str.isdigit, part.text))), float(singular(plain) in _ROLES),
        float(singular(plain) != plain), float(bool(part.preposition)), float(bool(part.article)),
    ]  # fmt: skip


def _letters(part: Phrase | Put) -> list[str]:
    """The first letters of its words, those of a name capital however it is written."""
    letters = [word[:1] for word in part.text.split()]
    return [letter.upper() for letter in letters] if part.kind == "name" else letters


def _of_phrase(phrase: Phrase | None, question: Asked, before: Asked) -> list[float]:
    if phrase is None:
        return [0.0] * len(_OF_PHRASE)
    first, last = phrase.runs
    said = set(content_words(phrase.text))
    is_be = bool(_BE.match(phrase.behind))
    named = (*before.names, *before.times)
    return [
        *_of_words(phrase), *map(float, phrase.left),
        float(first), float(len(before.runs) - 1 - last), float(last - first), float(phrase.owns),
        float(first == 0 and not phrase.article and not phrase.preposition),
        len(said & set(content_words(question.text))) / max(1, len(said)),
        float(is_be), float(not is_be and bool(_AUXILIARY.fullmatch(phrase.behind))),
        float(bool(re.fullmatch(rf"{INTERROGATIVE}|many|much", phrase.behind))),
        float(phrase.behind == "who"),
        float(bool(_AUXILIARY.fullmatch(phrase.ahead))),
        float(any(cuts(phrase, each, before.text) for each in named)),
        float(not phrase.ahead),
    ]  # fmt: skip


def _of_put(put: Put | None, before: Asked) -> list[float]:
    if put is None:
        return [0.0] * len(_OF_PUT)
    said, earlier = set(content_words(put.text)), set(content_words(before.text))
    return [*_of_words(put), float(put.whole), len(said & earlier) / max(1, len(said))]


def _agreement(phrase: Phrase | None, put: Put | None, *, small: bool) -> list[float]:
    """What a phrase has in common with what is put in its place.

    Who has a role is like a name, and all that a question in ``small`` letters has may be one.
    """
    if phrase is None or put is None:
        return [0.0] * len(_OF_BOTH)
    one, other = phrase.text.split(), put.text.split()
    capitals = all(_letters(part)[0].isupper() for part in (phrase, put))
    roles = all(singular(part.text.lower()) in _ROLES for part in (phrase, put))
    of_name = phrase.kind == "name" and put.kind == "thing"
    of_role = of_name and singular(put.text.lower()) in _ROLES
    same = phrase.kind == put.kind or of_role or (of_name and small and put.whole)
    return [
        float(same) + float(of_role or (same and capitals)) + float(roles),
        float(_shape_of(phrase) == _shape_of(put)),
        float(one[0].lower() == other[0].lower()),
        float(singular(one[-1].lower()) == singular(other[-1].lower())),
        float(bool(put.preposition) and phrase.preposition == put.preposition),
        -abs(len(one) - len(other)) / 4,
    ]


def _shape_of(part: Phrase | Put) -> str:
    return shape(part.text.title() if part.kind == "name" else part.text)


def shape(text: str) -> str:
    """What sort of words these are.

    >>> shape("30 June 2024"), shape("week 14"), shape("Lease A"), shape("third")
    ('## m ####', 'x ##', 'X X', 'o')
    """
    return " ".join(map(_shape, text.split()))


def _shape(word: str) -> str:
    plain = word.lower()
    if plain in MONTHS:
        return "m"
    if plain in _ORDINALS:
        return "o"
    if any(map(str.isdigit, word)):
        return re.sub(r"[^\W\d]+", "x", re.sub(r"\d", "#", plain))
    return "X" if word[:1].isupper() else "x"


def _of_pronoun(each: Rewrite, question: Asked) -> list[float]:
    """Where the pronoun is, and whether what it is taken to mean agrees with it."""
    if each.at is None:
        return [-1.0, 0.0, 0.0, 0.0, 0.0]
    _, rest = opened(question.text)
    pointing = rest[each.at[0] : each.at[1]].lower()
    words = [singular(word) for word in _said(each.phrase).lower().split()]
    plural = bool(words) and not _said(each.phrase).lower().endswith(words[-1])
    noun = singular(pointing.split()[-1]) if pointing else ""
    return [
        float(len(rest[: each.at[0]].split())), float(bool(_MANY.search(pointing)) == plural),
        float(noun in words), float(words[:1] == [noun]), float(words[-1:] == [noun]),
    ]  # fmt: skip


def _of_result(each: Rewrite, question: Asked, before: Asked) -> list[float]:
    """How much of both questions is left, and how long it is."""
    said = set(content_words(each.text))
    told, earlier = set(content_words(question.text)), set(content_words(before.text))
    names, times = (
        [before.text[a:b] in each.text for a, b in spans] for spans in (before.names, before.times)
    )
    return [
        len(said & earlier) / max(1, len(earlier)), len(said & told) / max(1, len(told)),
        float(sum(names) - len(names)), float(sum(times) - len(times)),
        float(sum(names) * bool(question.names)), float(sum(times) * bool(question.times)),
        float(len(each.text.split()) - max(len(question.words), len(before.words))),
    ]  # fmt: skip
