"""How far the words of a sentence are those in which contracts settle a topic.

Each topic is a logistic regression over single words, pairs of words, the sentence's first words
and its heading's. Where sentences can be encoded, another over their vectors reads those with most
of the words. One more, the same for all topics, joins these with the topic's pattern and with what
the rest of the document has. `tests.training.clauses` teaches them on contracts that lawyers
marked, and writes them to `wording.json`.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from docqa.language.periods import MONTHS
from docqa.language.words import stem

Numbers = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Numbers]
"""Vectors of length 1, (n, d), of n texts."""
Sentences = tuple[tuple[str, str], ...]  # texts with their headings

READ_CHARS = 1500  # of a sentence
OPENING_WORDS = 4
TYPICAL = 8.0  # the square root of how many features a sentence has
HEADING_CHARS = 120  # that are encoded with a sentence
CANDIDATES = 10  # sentences with most of a topic's words, which are encoded
UNREAD = -20.0  # log odds by meaning of those that are not
SIGNS = ("words", "over others", "says", "others say", "row")  # what the chance is told from
MEANT = (*SIGNS, "meaning", "meaning over others")  # the same where sentences are encoded
_WORD = re.compile(r"[a-z]+|\d+|[$%£€]")
_MONTHS = frozenset(MONTHS) - {"may"}  # which mostly permits
_SMALL = frozenset(
    ("the", "a", "an", "of", "and", "or", "to", "in", "for", "on", "by", "with", "as", "at", "be")
) | {"is", "are", "its", "it", "this", "that", "any", "such", "which", "from"}


@dataclass(frozen=True, slots=True)
class Joint:
    """The weights of what a chance is told from, and their offset."""

    signs: Numbers
    offset: float

    def chances(self, signs: Numbers) -> list[float]:
        return [1 / (1 + math.exp(-value)) for value in signs @ self.signs + self.offset]


@dataclass(frozen=True, slots=True)
class Wording:
    """What was taught: for each feature its weight for each topic, (topics,), and the joint ones.

    ``offsets`` is (topics,). ``meaning`` is (dimensions + 1, topics), the offsets last, and holds
    for vectors of ``encoder``, whatever precision it computes in.
    """

    topics: tuple[str, ...]
    weights: Mapping[str, Numbers]
    offsets: Numbers
    meaning: Numbers
    encoder: str
    by_words: Joint  # of `SIGNS`
    by_meaning: Joint  # of `MEANT`
    least: float  # the chance from which a topic is held to be settled


@lru_cache(maxsize=1)
def bundled() -> Wording:
    """The wording as it ships."""
    kept = json.loads(resources.files("docqa.compare").joinpath("wording.json").read_text("utf-8"))
    topics = tuple(kept["topics"])
    weights: dict[str, Numbers] = {}
    for at, own in enumerate(kept["topics"].values()):
        for feature, weight in own["words"].items():
            weights.setdefault(feature, np.zeros(len(topics), np.float32))[at] = weight
    offsets = np.array([own["offset"] for own in kept["topics"].values()], np.float32)
    meaning = np.array([own["meaning"] for own in kept["topics"].values()], np.float32).T
    by_words, by_meaning = (
        Joint(np.array([own["signs"][name] for name in names], np.float32), own["offset"])
        for own, names in ((kept["by words"], SIGNS), (kept["by meaning"], MEANT))
    )
    encoder, least = kept["encoder"], kept["least"]
    return Wording(topics, weights, offsets, meaning, encoder, by_words, by_meaning, least)


def meaning_by(name: str, encode: Encode) -> Encode | None:
    """The encoder of that name where meanings were taught with its vectors; else None.

    One topic after another is asked of a document, and they have many of its sentences in common:
    an encoder that keeps what it encoded last serves best.
    """
    return encode if name.startswith(bundled().encoder) else None


def features(text: str, heading: str) -> frozenset[str]:
    """The words of a sentence and of its heading that are weighed.

    >>> sorted(features("This fee is $5.", "Fees"))[:5]
    ['#', '$', '$ #', 'fee', 'fee is']
    """
    words = _words(text[:READ_CHARS])
    opening = [word for word in words if word not in _SMALL][:OPENING_WORDS]
    pairs = (f"{one} {other}" for one, other in pairwise(words))
    headed = (f"heading:{word}" for word in _words(heading) if word not in _SMALL)
    return frozenset((*words, *pairs, *(f"opening:{word}" for word in opening), *headed))


def _words(text: str) -> list[str]:
    return [_word(each) for each in _WORD.findall(text.lower())]


@lru_cache(maxsize=16384)
def _word(word: str) -> str:
    if word.isdigit():
        return "#year" if len(word) == 4 and word[:2] in ("19", "20") else "#"
    return "#month" if word in _MONTHS else stem(word)


def odds(text: str, heading: str) -> Numbers:
    """The log odds of each topic by a sentence's words alone, (topics,)."""
    taught = bundled()
    held = features(text, heading)
    own = [taught.weights[each] for each in held if each in taught.weights]
    found: Numbers = taught.offsets + (share(len(held)) * np.sum(own, axis=0) if own else 0)
    return found


def share(count: int) -> float:
    """What each of a sentence's features counts for, so that a short one can say as much."""
    return TYPICAL / math.sqrt(max(count, 1))


def over_others(of_topics: Numbers) -> Numbers:
    """How far each topic's log odds are over the best of the others, (n, topics)."""
    ordered = np.sort(of_topics, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    found: Numbers = of_topics - np.where(of_topics == best, second, best)
    return found


def chances(
    topic: str,
    sentences: Sequence[tuple[str, str, bool]],
    says: Sequence[bool],
    encode: Encode | None = None,
) -> list[float]:
    """How likely it is that each sentence settles a topic that was taught, 0-1.

    ``sentences`` are texts with their headings and whether they are rows of a table, ``says`` tells
    of which the topic's pattern is; ``encode`` is as of `meaning_by`. Raises ValueError for a topic
    that was not taught.
    """
    if not sentences:
        return []
    taught = bundled()
    at = taught.topics.index(topic)
    texts = tuple((text, heading) for text, heading, _ in sentences)
    words, over = _of_topics(texts)
    signs = joined(words[:, at], over[:, at], says, [row for *_, row in sentences])
    if encode is None:
        return taught.by_words.chances(signs)
    meaning = _meaning(at, words[:, at], texts, encode)
    return taught.by_meaning.chances(np.column_stack([signs, *meaning]))


@lru_cache(maxsize=4)  # documents, of which one topic after another is asked
def _of_topics(sentences: Sentences) -> tuple[Numbers, Numbers]:
    """The `odds` of texts with their headings, and how far each is `over_others`: (n, topics)."""
    every = np.array([odds(text, heading) for text, heading in sentences])
    return every, over_others(every)


def _meaning(
    at: int, words: Numbers, sentences: Sentences, encode: Encode
) -> tuple[Numbers, Numbers]:
    """The log odds of a topic by what its candidates mean, and how far over others: (n,) each.

    Its candidates have the highest log odds by their ``words``, (n,).
    """
    read = [int(n) for n in np.argsort(-words, kind="stable")[:CANDIDATES]]
    taught = bundled().meaning
    of_topics = encode([meant(*sentences[n]) for n in read]) @ taught[:-1] + taught[-1]
    found, over = np.full_like(words, UNREAD), np.zeros_like(words)
    found[read], over[read] = of_topics[:, at], over_others(of_topics)[:, at]
    return found, over


def meant(text: str, heading: str) -> str:
    """What of a sentence is encoded."""
    return f"{heading[:HEADING_CHARS]}: {text}"[:READ_CHARS]


def joined(words: Numbers, over: Numbers, says: Sequence[bool], rows: Sequence[bool]) -> Numbers:
    """The `SIGNS` of each sentence, (n, 5)."""
    hits = np.array(says, np.float32)
    others = (1 - hits) * hits.max(initial=0.0)
    found: Numbers = np.stack([words, over, hits, others, np.array(rows, np.float32)], axis=1)
    return found
