from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.retrieve.quota import with_quota
from docqa.types.search import Hit
from tests.retrieve.passages import hit


def ranked(documents: str) -> list[Hit]:
    return [hit("Text.", document=one, index=index) for index, one in enumerate(documents)]


def spelled(hits: list[Hit]) -> str:
    return "".join(each.chunk.document_id for each in hits)


def test_half_of_the_places_are_shared_out() -> None:
    # 4 places, 2 documents: 4 // (2·2) = 1 is kept for each
    assert spelled(with_quota(ranked("aaaaab"), document_ids="ab", top_k=4)) == "aaab"
    assert spelled(with_quota(ranked("aaaaaaaabbbb"), document_ids="ab", top_k=8)) == "aaaaaabb"


def test_without_a_quota_the_best_are_taken() -> None:
    assert spelled(with_quota(ranked("aaaaab"), document_ids=(), top_k=4)) == "aaaa"


def test_a_document_without_hits_leaves_its_place() -> None:
    assert spelled(with_quota(ranked("aaaa"), document_ids="abc", top_k=3)) == "aaa"


@settings(deadline=None)  # a busy machine is no fault
@given(st.text("abc", max_size=12), st.text("abcd", max_size=4), st.integers(1, 12))
def test_as_many_as_there_are_in_order_and_none_starves(
    documents: str, wanted: str, top_k: int
) -> None:
    hits, asked = ranked(documents), "".join(dict.fromkeys(wanted))
    chosen = with_quota(hits, document_ids=asked, top_k=top_k)
    assert len(chosen) == min(top_k, len(hits))
    assert [each.chunk.index for each in chosen] == sorted(each.chunk.index for each in chosen)
    if len(asked) <= top_k:
        assert set(spelled(chosen)) >= set(asked) & set(documents)
