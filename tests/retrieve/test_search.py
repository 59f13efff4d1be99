from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from docqa.models.load import Reranker
from docqa.question.queries import NO_FILTERS, make_plan
from docqa.question.read import read
from docqa.retrieve.search import traced
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.question import Filters
from docqa.types.search import SearchResult
from tests.retrieve.library import Library, opened

TEXTS = {
    "Lease_A.pdf": [
        "The notice period is 60 days.",
        "The rent is $1,000 for each month.",
        "The deposit is $3,000.",
        "The roof is in good repair.",
    ],
    "Lease_B.pdf": [
        "The insurance covers the roof and parking.",
        "The parking fee is $20.",
        "The notice period is 90 days after the rent is late.",
    ],
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with opened(tmp_path) as made:
        for name, passages in TEXTS.items():
            made.add(name, passages)
        yield made


def find(
    library: Library,
    question: str,
    *,
    document_ids: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
    settings: Settings = DEFAULTS,
    top_k: int | None = None,
    reranker: Reranker | None = None,
) -> SearchResult:
    documents = library.catalog.documents()
    asked = read(question, documents=documents, document_ids=document_ids)
    plan = make_plan(asked, filters=filters)
    trace = traced(
        plan,
        catalog=library.catalog,
        index=library.index,
        encoder=library.encoder,
        settings=settings,
        top_k=top_k,
        reranker=reranker,
    )
    return SearchResult(plan, trace.chosen, trace.coverage, trace.timings, trace.missing)


def texts(result: SearchResult) -> list[str]:
    return [hit.chunk.text for hit in result.hits]


def test_the_passage_that_answers_comes_first(library: Library) -> None:
    result = find(library, "What is the deposit?")
    assert texts(result)[0] == "The deposit is $3,000."


@pytest.mark.parametrize(
    "question",
    [
        "deposit",
        "WHAT IS THE DEPOSIT?",
        "deposit lease a amount",
        "what is the deposits",
        " ".join(["The minutes were read and approved."] * 400) + " How large is the deposit?",
        "How large is the deposit? " + "The minutes were read and approved. " * 400,
    ],
)
def test_the_passage_is_found_however_the_question_is_put(library: Library, question: str) -> None:
    assert texts(find(library, question))[0] == "The deposit is $3,000."


def test_a_hit_carries_the_score_of_every_stage(library: Library) -> None:
    varied = adjust(DEFAULTS, mmr="always")
    best = find(library, "What is the deposit?", settings=varied).hits[0]
    assert best.scores["dense"] == pytest.approx(1)  # "deposit" alone, in both
    assert best.scores["rrf"] == 1 / 61 + 1 / 61  # first in both lists
    assert best.scores["bm25"] > 0
    assert {"mmr"} <= best.scores.keys()


def test_a_table_is_found_by_its_title(library: Library) -> None:
    sheet = "Balance Sheet\nTotal parking 20\nTotal rent 90"
    library.add("Report.pdf", [sheet], kind="table")
    assert texts(find(library, "Is the quick ratio of the roof good?"))[0] == sheet
    without = adjust(DEFAULTS, table_weight=0.0)
    assert (
        texts(find(library, "Is the quick ratio of the roof good?", settings=without))[0] != sheet
    )
    elsewhere = find(library, "Is the quick ratio good?", document_ids=["Lease_A.pdf"])
    assert sheet not in texts(elsewhere)


def test_each_part_of_a_question_is_heard(library: Library) -> None:
    """What answers one part stands before passages that have a word of each."""
    library.add("Lease_C.pdf", [f"The roof, the parking and fee {n}." for n in range(9)])
    question = "Summarize the deposit, the roof and the parking fee."
    assert "The deposit is $3,000." in texts(find(library, question, top_k=3))[:3]
    assert find(library, question).plan.question.parts == ("deposit", "the roof", "the parking fee")


def test_only_the_chosen_documents_are_searched(library: Library) -> None:
    result = find(library, "notice period", document_ids=["Lease_B.pdf"])
    assert {hit.document.name for hit in result.hits} == {"Lease_B.pdf"}
    assert [each.document_id for each in result.coverage] == ["Lease_B.pdf"]


def test_a_document_named_in_full_is_searched_alone(library: Library) -> None:
    result = find(library, "What is the notice period of Lease A?")
    assert {hit.document.name for hit in result.hits} == {"Lease_A.pdf"}


def test_a_named_document_is_preferred(library: Library) -> None:
    library.add("Lease_Q_Signed.pdf", ["The notice period is 15 days."])
    best, *others = find(library, "What is the notice period of Lease Q?").hits
    assert best.document.name == "Lease_Q_Signed.pdf"
    assert any(hit.document.name == "Lease_A.pdf" for hit in others)


def test_filters_let_only_their_passages_through(library: Library) -> None:
    library.add("Fees.pdf", ["parking | fee | $20"], kind="table")
    tables = find(library, "parking fee", filters=Filters(tables_only=True))
    assert texts(tables) == ["parking | fee | $20"]
    second = find(library, "parking fee", filters=Filters(pages=(2, 2)))
    assert texts(second) == ["The parking fee is $20.", "The rent is $1,000 for each month."]


def test_every_named_document_is_heard(library: Library) -> None:
    library.add("Lease_C.pdf", [f"The rent is ${number}." for number in range(30)])
    result = find(library, "Compare the rent of Lease B and Lease C", top_k=4)
    assert {hit.document.name for hit in result.hits} == {"Lease_B.pdf", "Lease_C.pdf"}
    assert {each.document: each.used for each in result.coverage} == {
        "Lease_B.pdf": 1,
        "Lease_C.pdf": 3,
    }


def test_coverage_says_what_was_seen_of_each_document(library: Library) -> None:
    result = find(library, "deposit", document_ids=["Lease_A.pdf", "Lease_B.pdf"], top_k=1)
    lease_a, lease_b = result.coverage
    assert (lease_a.seen, lease_a.used, lease_a.nearest_page) == (4, 1, 3)
    assert (lease_b.seen, lease_b.used) == (3, 0)
    assert lease_a.best_score > 0.9 > 0.1 > lease_b.best_score


def test_a_synthesis_has_more_hits_than_a_lookup(library: Library) -> None:
    library.add("Rents.pdf", [f"Unit {number} pays rent of ${number}." for number in range(60)])
    assert len(find(library, "What is the rent?").hits) == DEFAULTS.search.top_k
    assert len(find(library, "Summarize the rents").hits) == DEFAULTS.search.synthesis_top_k
    assert len(find(library, "Summarize the rents", top_k=3).hits) == 3


def test_without_variety_the_order_is_that_of_fusion(library: Library) -> None:
    plain = adjust(DEFAULTS, mmr="never")
    scores = [hit.scores["rrf"] for hit in find(library, "notice period", settings=plain).hits]
    assert scores == sorted(scores, reverse=True)


def test_variety_is_for_questions_over_several_things(library: Library) -> None:
    looked_up, summarised = find(library, "What is the rent?"), find(library, "Summarize the rents")
    assert not any("mmr" in hit.scores for hit in looked_up.hits)
    marginal = [hit.scores["mmr"] for hit in summarised.hits]
    assert marginal == sorted(marginal, reverse=True)
    assert marginal[0] == pytest.approx(
        DEFAULTS.search.mmr_lambda * max(hit.scores["dense"] for hit in summarised.hits)
    )


def test_a_weight_of_zero_silences_a_list(library: Library) -> None:
    dense_alone = adjust(DEFAULTS, keyword_weight=0.0)
    best = find(library, "What is the deposit?", settings=dense_alone).hits[0]
    assert best.scores["rrf"] == 1 / 61


@pytest.mark.parametrize("question", ['rent AND OR NOT ( * "', "rent " * 50_000, "x" * 9])
def test_odd_questions_have_results(library: Library, question: str) -> None:
    assert len(find(library, question).hits) > 0


def test_what_no_document_searched_mentions_is_named(library: Library) -> None:
    question = "Is the Platinum roof insured for 2031?"
    assert find(library, question).missing == ("Platinum",)
    chosen = find(library, "Is parking insured?", document_ids=["Lease_A.pdf"])
    assert chosen.missing == ("parking", "insured")
    assert find(library, "Is the deposit due?").missing == ("due",)


def test_every_stage_is_timed(library: Library) -> None:
    timings = find(library, "rent").timings
    assert list(timings) == [
        *("keyword", "missing", "encode", "dense"),
        *("tables", "fuse", "rerank", "diversify"),
    ]
    assert all(seconds >= 0 for seconds in timings.values())


class ByLength:
    """A reranker that finds longer passages more relevant, and is as sure as it is told."""

    name = "by length"

    def __init__(self, sure: int = 1) -> None:
        self.sure = sure

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        return np.array(
            [(len(passage) / 60) ** self.sure for passage in passages], dtype=np.float32
        )


def test_a_reranker_decides_the_order(library: Library) -> None:
    plain = adjust(DEFAULTS, mmr="never")
    result = find(library, "roof", reranker=ByLength(sure=40), settings=plain)
    assert texts(result)[0] == "The notice period is 90 days after the rent is late."
    best = result.hits[0].scores
    assert best["read"] == pytest.approx((52 / 60) ** 40)
    assert 0 < best["rerank"] < 1
    assert set(best) == {"dense", "rrf", "read", "phrases", "rerank", "boost"}


def test_what_is_not_read_follows_in_its_order(library: Library) -> None:
    plain = adjust(DEFAULTS, reranked=2)
    fused = find(library, "What is the rent?", settings=plain)
    result = find(library, "What is the rent?", reranker=ByLength(), settings=plain)
    assert ["read" in hit.scores for hit in result.hits[:3]] == [True, True, False]
    assert texts(result)[2:] == texts(fused)[2:]


def test_a_preferred_kind_is_raised_after_reranking(library: Library) -> None:
    library.add("Rent_Roll.pdf", ["Unit 1 | deposit | rent | $1,000 per month is"], kind="table")
    plain = adjust(DEFAULTS, mmr="never")
    best = find(library, "How much is the rent?", reranker=ByLength(), settings=plain).hits[0]
    assert best.chunk.kind == "table"
    assert best.scores["boost"] == pytest.approx(best.scores["rerank"] * 1.2)


def test_a_document_removed_meanwhile_is_left_out(library: Library) -> None:
    library.catalog.remove("Lease_A.pdf")
    result = find(library, "What is the deposit?")
    assert {hit.document.name for hit in result.hits} == {"Lease_B.pdf"}
