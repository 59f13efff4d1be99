"""How likely a candidate answers a question: what the reranker reads, and trees over features.

The chance is a mean of both. The reranker tells best whether anything answers; boosted trees
(Friedman, "Greedy function approximation", 2001) over readable features, the reranker's score among
them, tell what answers from what stands beside it. They are taught by `tests.training.judge` on
questions that the reranker did not learn from, and kept beside this file as numbers.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.crossings import head_of
from docqa.answer.findings.features import NAMES, asking_of, features, has_word, shared_words
from docqa.answer.findings.line_items import other_names
from docqa.language.trees import Numbers, Trees, trees_of
from docqa.language.vocabulary import spelled_out
from docqa.language.words import content_words
from docqa.types.question import Question

POOL = 48  # candidates that the encoder reads: beyond them nothing more is found
# The reranker, which takes six times as long, reads the nearer half: of 473 questions all had what
# was quoted first there by these weights of the words shared, and of the place (0–1), to a cosine.
_SHARED, _PLACE = 0.3, 0.1
READ = 0.3  # the reranker's share of a chance
_COLUMNS = 2  # of a row that are read alone, at most
EACH = 16  # candidates of each document that are read at the least, where several are asked

Scores = Callable[[str, Sequence[str]], Sequence[float]]
"""What a network makes of a question beside each of some texts."""


@dataclass(frozen=True, slots=True)
class Networks:
    """The encoder's cosines, the reranker's scores (0–1), the encoder's vector of a question, (d,),
    and the chances (0–1) that rows and columns of tables answer."""

    cosines: Scores
    reads: Scores
    vector: Callable[[str], Numbers]
    lines: Scores


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with the chance, 0–1, that it answers, and its cosine to the question."""

    candidate: Candidate
    chance: float
    cosine: float


@lru_cache(maxsize=1)
def bundled() -> Trees:
    """The judge as it ships. Raises ValueError where it was taught with other features."""
    text = resources.files("docqa.answer.findings").joinpath("judge.json").read_text("utf-8")
    return trees_of(json.loads(text), NAMES)


def pool_of(question: Question, every: Sequence[Candidate], size: int = POOL) -> list[Candidate]:
    """The ``size`` candidates worth reading, in their order: those that share most with the
    question. The first passages' come before others that share as much.
    """
    if len(every) <= size:
        return list(every)
    asking = asking_of(question, every)
    shared = [shared_words(each, asking) - at / len(every) for at, each in enumerate(every)]
    best = sorted(range(len(every)), key=lambda at: -shared[at])[:size]
    return [every[at] for at in sorted(best)]


def nearest(
    question: Question, pool: Sequence[Candidate], networks: Networks, most: int = POOL // 2
) -> tuple[list[Candidate], list[float]]:
    """Those of a pool that the reranker reads, in their order, and their cosines to the question:
    at most so many, by these, the words they share and their place."""
    cosines = heard(question, pool, networks.cosines)
    asking = asking_of(question, pool)
    near = [
        cosine + _SHARED * shared_words(each, asking) - _PLACE * at / len(pool)
        for at, (each, cosine) in enumerate(zip(pool, cosines, strict=True))
    ]
    best = sorted(sorted(range(len(pool)), key=lambda at: -near[at])[:most])
    return [pool[at] for at in best], [cosines[at] for at in best]


def heard(question: Question, pool: Sequence[Candidate], score: Scores) -> list[float]:
    """What a network makes of each candidate: the highest score over the row, its other names, and
    the row under the columns alone that are asked for, beside the question, its parts, and the
    question with acronyms spelt out."""
    asked = frozenset(content_words(question.topic))
    named = [(each.spoken, *each.renamed, *each.crossed(_columns(each, asked))) for each in pool]
    texts = [text for names in named for text in names]
    firsts = np.cumsum([0, *map(len, named[:-1])])
    ways = dict.fromkeys((question.topic, spelled_out(question.topic), *question.parts))
    best = np.max([score(way, texts) for way in ways], axis=0)
    scores: list[float] = np.maximum.reduceat(best, firsts).tolist()
    return scores


def _columns(candidate: Candidate, asked: Set[str]) -> list[int]:
    """The columns of a row that have most of the words asked in their heads, few of them and not
    all; none of a row that has a cell in but one."""
    table, row = candidate.table, candidate.row
    if table is None or row is None:
        return []
    told = [at for at, cell in enumerate(row.cells) if cell]
    heads = {at: head_of(table, at).union(*other_names(table.columns[at].heading)) for at in told}
    heard = {at: sum(has_word(heads[at], word) for word in asked) for at in told}
    most = max(heard.values(), default=0)
    best = [at for at in told if most and heard[at] == most]
    return best if len(best) <= min(_COLUMNS, len(told) - 1) else []


def weighed(trees: NDArray[Any], reads: Sequence[float] | NDArray[Any]) -> Numbers:
    """The chances that trees and the reranker give, as one, (n,)."""
    chances: Numbers = ((1 - READ) * trees + READ * np.asarray(reads)).astype(np.float32)
    return chances


def judge(question: Question, every: Sequence[Candidate], networks: Networks) -> list[Judged]:
    """The candidates worth reading with their chances, the likeliest first; ties in order.

    Where several documents are asked, those of each are judged apart.
    """
    apart: dict[str, list[Candidate]] = defaultdict(list)
    for each in every:
        apart[each.piece.hit.document.id if question.several else ""].append(each)
    size = max(POOL // max(len(apart), 1), EACH)
    pools = (pool_of(question, own, size) for own in apart.values())
    judged = [each for pool in pools for each in _judged(question, pool, size // 2, networks)]
    return sorted(judged, key=lambda each: -each.chance)


def _judged(
    question: Question, pool: Sequence[Candidate], most: int, networks: Networks
) -> Iterator[Judged]:
    """Of a question made of several, each candidate by the one that it is likeliest to answer."""
    found: dict[tuple[str, int, int], list[Judged]] = defaultdict(list)
    for asked in _made_of(question):
        for each in _weighed(asked, pool, most, networks):
            found[each.candidate.key].append(each)
    for own in found.values():
        chance, cosine = max(e.chance for e in own), max(e.cosine for e in own)
        yield Judged(own[0].candidate, chance, cosine)


def _made_of(question: Question) -> list[Question]:
    """The question; of a lookup also those it is made of, each as if it were asked by itself."""
    if question.intent != "lookup":
        return [question]
    parts = (replace(question, whole=part, nameless="") for part in question.parts)
    return [replace(each, parts=()) for each in (question, *parts)]


def _weighed(
    question: Question, pool: Sequence[Candidate], most: int, networks: Networks
) -> Iterator[Judged]:
    """The nearest candidates of a pool with their chances, in their order."""
    near, cosines = nearest(question, pool, networks, most)
    reads = heard(question, near, networks.reads)
    by_trees = bundled().chances(features(question, near, cosines, reads))
    yield from map(Judged, near, weighed(by_trees, reads).tolist(), cosines)
