import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docqa.retrieve.diversify import drop_near_duplicates, maximal_marginal_relevance
from tests.retrieve.nouns import hit

CLAUSE = "The Tenant shall pay a monthly rent of {} in advance on the first day of each month. " * 2


def test_a_repetition_within_a_document_goes() -> None:
    first, again = (
        hit(CLAUSE.format("$25,000", "")),
        hit(CLAUSE.format("$25,000", "") + " ", index=1),
    )
    assert drop_near_duplicates([first, again], ratio=0.8) == [first]


def test_another_amount_is_another_fact() -> None:
    hits = [hit(CLAUSE.replace("{}", "$25,000")), hit(CLAUSE.replace("{}", "$31,500"), index=1)]
    assert drop_near_duplicates(hits, ratio=0.8) == hits


def test_a_negation_is_another_fact() -> None:
    text = "The deposit shall be returned to the tenant at the end of the term."
    hits = [hit(text), hit(text.replace("shall be", "shall not be"), index=1)]
    assert drop_near_duplicates(hits, ratio=0.8) == hits


def test_another_document_may_say_the_same() -> None:
    text = CLAUSE.replace("{}", "$25,000")
    hits = [hit(text), hit(text, name="Other.pdf")]
    assert drop_near_duplicates(hits, ratio=0.8) == hits


def test_variety_is_weighed_against_relevance() -> None:
    # λ = .5; first .9. Then the copy: .45 − .5·1 = −.05; the other: .4 − .5·0 = .4.
    relevance = np.array([0.9, 0.9, 0.8])
    vectors = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    chosen = maximal_marginal_relevance(relevance, vectors, mmr_lambda=0.5, top_k=3)
    assert chosen == [0, 2, 1]


@st.composite
def pools(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    count = draw(st.integers(1, 12))
    seed = draw(st.integers(0, 2**32 - 1))
    made = np.random.default_rng(seed)
    vectors = made.normal(size=(count, 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return made.uniform(-1, 1, count), vectors


@given(pools())
def test_lambda_one_is_the_order_of_relevance(pool: tuple[np.ndarray, np.ndarray]) -> None:
    relevance, vectors = pool
    chosen = maximal_marginal_relevance(relevance, vectors, mmr_lambda=1.0, top_k=len(relevance))
    assert chosen == list(np.argsort(-relevance, kind="stable"))


@given(pools(), st.floats(0, 1), st.integers(1, 15))
def test_each_is_chosen_once(
    pool: tuple[np.ndarray, np.ndarray],
    mmr_lambda: float,
    top_k: int,
) -> None:
    relevance, vectors = pool
    chosen = maximal_marginal_relevance(relevance, vectors, mmr_lambda=mmr_lambda, top_k=top_k)
    assert len(chosen) == len(set(chosen)) == min(top_k, len(relevance))
    assert chosen[0] == int(np.argmax(mmr_lambda * relevance))
