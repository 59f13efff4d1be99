"""What each stage of a search is worth: each taken out alone, all the others in place.

    python -m tests.eval.stages FOLDER... [--libraries DIR]

For each folder (see `tests.eval.sets`; what is not answered is left out) the questions are asked
with the search as it is and without each of its stages, or with one that is off. Beside the
figures stand the questions whose first answering page ranks higher with the stage than without it
("won"), those that rank lower ("lost"), and the chance of so uneven a split, or a more uneven one,
if the stage made no difference (two-sided sign test). A page behind the last hit ranks after all
others. Where the pages are not known, a question is won by having every document in the evidence.

What the reranker says of a passage and the questions' vectors are kept between the runs, so that
these take a fraction of the time of `tests.eval.retrieval`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.answer.evidence import choose_hits
from docqa.app.search import read_question
from docqa.language.vocabulary import BUILT_IN, synonyms
from docqa.library.catalog import Catalog
from docqa.library.vectors import VectorIndex
from docqa.models.load import Encoder, Reranker, load_reranker
from docqa.question.parts import wider_queries
from docqa.question.queries import make_plan
from docqa.retrieve import search as retrieval
from docqa.retrieve.evaluate import judge, known, summed_up
from docqa.settings import DEFAULTS, adjust, models_folder
from docqa.types.evaluation import GoldQuestion, Judged, Rate, Scope
from docqa.types.question import QueryPlan, Question
from docqa.types.search import Hit, SearchResult
from docqa.workspace import Workspace
from tests.eval.library import each_set
from tests.eval.sets import Set

Planned = Callable[[QueryPlan], QueryPlan]


def _same(plan: QueryPlan) -> QueryPlan:
    return plan


def _without_other_names(plan: QueryPlan) -> QueryPlan:
    other = ", ".join(synonyms(plan.question.whole, BUILT_IN))
    kept = tuple(query for query in plan.queries if query != other)
    return replace(plan, queries=kept or plan.queries)


def _without_definitions(plan: QueryPlan) -> QueryPlan:
    kept = tuple(query for query in plan.queries if query not in plan.renamed)
    return replace(plan, queries=kept, renamed=())


def _without_parts(plan: QueryPlan) -> QueryPlan:
    kept = tuple(query for query in plan.queries if query not in plan.question.parts)
    return replace(plan, queries=kept, question=replace(plan.question, parts=()))


def _without_names(plan: QueryPlan) -> QueryPlan:
    return replace(plan, question=replace(plan.question, documents=()))


def _without_openings(plan: QueryPlan) -> QueryPlan:
    return replace(plan, question=replace(plan.question, opening=0.0))


def _with_wider_queries(plan: QueryPlan) -> QueryPlan:
    wider = wider_queries(plan.question.whole, intent=plan.question.intent)
    return replace(plan, queries=tuple(dict.fromkeys((*plan.queries, *wider))))


@dataclass(frozen=True, slots=True)
class Without:
    """A search with a stage less: by its settings, or by what is taken out of its plan."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    planned: Planned = _same


STAGES: dict[str, Without] = {
    "without vectors": Without({"dense_weight": 0.0}),
    "without keywords": Without({"keyword_weight": 0.0}),
    "without table titles": Without({"table_weight": 0.0}),
    "without other names of terms": Without(planned=_without_other_names),
    "without abbreviations of the document": Without(planned=_without_definitions),
    "without a query for each part": Without(planned=_without_parts),
    "with wider queries": Without(planned=_with_wider_queries),
    "without openings of documents": Without(planned=_without_openings),
    "without preferring documents named": Without(planned=_without_names),
    "without reranking": Without({"use_reranker": False}),
    "without preferring tables or prose": Without({"table_boost": 1.0, "prose_boost": 1.0}),
    "without dropping near-duplicates": Without({"duplicate_ratio": 1.01}),
    "varied passages (MMR) for every question": Without({"mmr": "always"}),
    "without varied passages": Without({"mmr": "never"}),
    "40 candidates from each list": Without({"candidates": 40}),
}


class Remembering:
    """A reranker that reads no passage twice with the same question."""

    def __init__(self, reranker: Reranker) -> None:
        self.name = reranker.name
        self._reranker = reranker
        self._read: dict[tuple[str, str], float] = {}

    def score(self, query: str, passages: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(passages) if (query, text) not in self._read]
        if new:
            scores = self._reranker.score(query, new)
            self._read |= {(query, text): float(s) for text, s in zip(new, scores, strict=True)}
        return np.array([self._read[query, text] for text in passages], np.float32)


class Knowing:
    """An encoder that embeds no question twice."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self.max_tokens = encoder.max_tokens
        self.encode, self.encode_now = encoder.encode, encoder.encode_now
        self.count_tokens = encoder.count_tokens
        self._made: dict[str, NDArray[np.float32]] = {}

    def encode_query(self, text: str) -> NDArray[np.float32]:
        if text not in self._made:
            self._made[text] = self._encoder.encode_query(text)
        return self._made[text]


@dataclass(frozen=True, slots=True)
class Asker:
    """A library with what is kept between the runs over it."""

    catalog: Catalog
    index: VectorIndex | None
    encoder: Knowing
    reranker: Remembering
    reading: Callable[[str, tuple[str, ...]], Question]

    def judged(self, asked: GoldQuestion, scope: Scope, stage: Without) -> Judged:
        ids = {document.name: document.id for document in self.catalog.documents()}
        within = [ids[name] for name in asked.sources] if scope == "document" else []
        trace = self.traced(asked.question, within, stage)
        result = SearchResult(trace.plan, trace.chosen, trace.coverage, trace.timings)
        return judge(asked, result, scope=scope, evidence=evidence_of(trace), refused=False)

    def traced(self, question: str, within: Sequence[str], stage: Without) -> retrieval.Trace:
        asked = self.reading(question, tuple(within))
        scope = asked.documents or asked.document_ids
        defined = self.catalog.definitions(asked.topic, document_ids=scope)
        plan = stage.planned(make_plan(asked, definitions=defined))
        settings = adjust(DEFAULTS, **stage.settings)
        return retrieval.traced(
            plan,
            catalog=self.catalog,
            index=self.index,
            encoder=self.encoder,
            settings=settings,
            reranker=self.reranker if settings.search.use_reranker else None,
        )


def asker_of(workspace: Workspace) -> Asker:
    reranker = load_reranker(models_folder(workspace.folder))
    assert reranker is not None, "docqa brings a reranker along"
    opened = workspace.resources

    @cache
    def reading(question: str, within: tuple[str, ...]) -> Question:
        return read_question(opened, question, document_ids=within)

    encoder = Knowing(opened.encoder)
    return Asker(opened.catalog, opened.index, encoder, Remembering(reranker), reading)


def evidence_of(trace: retrieval.Trace) -> list[Hit]:
    """The passages of a search that an answer is made from."""
    several = trace.plan.question.several
    room = DEFAULTS.answering
    budget = room.synthesis_evidence_chars if several else room.evidence_chars
    return choose_hits(trace.chosen, max_chars=budget)


def standing(judged: Judged) -> float:
    """How good a result is; more is better."""
    if not any(judged.asked.sources.values()):
        return -len(judged.missing)
    return 1 / judged.rank if judged.rank else 0.0


def won_and_lost(
    with_it: Sequence[Judged], without: Sequence[Judged], *, depth: int | None = None
) -> tuple[int, int]:
    """The questions a stage ranks better, and those it ranks worse; within ``depth`` alone, where
    given, whether the answer is among so many pages."""

    def worth(judged: Judged) -> float:
        if depth is None or not any(judged.asked.sources.values()):
            return standing(judged)
        return float(0 < judged.rank <= depth)

    pairs = [(worth(one), worth(other)) for one, other in zip(with_it, without, strict=True)]
    return sum(one > other for one, other in pairs), sum(one < other for one, other in pairs)


def sign_test(won: int, lost: int) -> float:
    """The chance of a split as uneven as this where either side is as likely, two-sided.

    >>> sign_test(5, 0), sign_test(1, 1)
    (0.0625, 1.0)
    """
    n, few = won + lost, min(won, lost)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(few + 1)) / math.pow(2, n))


def told(title: str, scope: Scope, judged: Sequence[Judged], full: Sequence[Judged]) -> str:
    figures = summed_up(judged, scope=scope)
    rates: dict[str, Rate] = {f"hit@{depth}": figures.hit_at[depth] for depth in (1, 5)}
    rates["every document"] = figures.documents
    shares = "  ".join(f"{name} {rate.value:.3f}" for name, rate in rates.items() if rate.n)
    told = []
    for depth in (None, 1, 5):
        won, lost = won_and_lost(full, judged, depth=depth)
        where = f"hit@{depth}" if depth else "rank"
        told.append(f"{where} +{won} -{lost} p {sign_test(won, lost):.2f}")
    return f"{title:38} n={len(judged)}  {shares}  |  {';  '.join(told)}"


def answered_by(asked: Set, catalog: Catalog) -> list[GoldQuestion]:
    """The set's questions of which a library has the documents that answer."""
    answerable = [each for each in asked.questions if each.answerable and each.sources]
    return list(known(answerable, catalog.documents())[0])


def measure(asked: Set, asker: Asker) -> None:
    questions = answered_by(asked, asker.catalog)
    for scope in asked.scopes:
        print(f"\n{asked.name}, {scope}", flush=True)
        full = [asker.judged(each, scope, Without()) for each in questions]
        print(told("as it is", scope, full, full), flush=True)
        for title, stage in STAGES.items():
            judged = [asker.judged(each, scope, stage) for each in questions]
            print(told(title, scope, judged, full), flush=True)


def main() -> None:
    for _, asked, workspace in each_set("Measure what each stage of a search is worth."):
        measure(asked, asker_of(workspace))


if __name__ == "__main__":
    main()
