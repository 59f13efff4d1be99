from docqa.retrieve.quota import with_quota
from tests.retrieve.nouns import hit


def test_each_document_has_a_place() -> None:
    hits = [hit(str(n), index=n, name="A.pdf") for n in range(6)] + [hit("b", name="B.pdf")]
    kept = with_quota(hits, document_ids=["a", "b"], top_k=4)
    assert [each.chunk.id for each in kept] == ["a:0", "a:1", "a:2", "b:0"]


def test_without_documents_the_best_are_kept() -> None:
    hits = [hit(str(n), index=n) for n in range(5)]
    assert with_quota(hits, document_ids=[], top_k=3) == hits[:3]


def test_a_document_without_hits_leaves_its_places() -> None:
    hits = [hit(str(n), index=n, name="A.pdf") for n in range(5)]
    assert with_quota(hits, document_ids=["a", "b"], top_k=4) == hits[:4]
