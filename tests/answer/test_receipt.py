"""The coverage receipt: every search, what each document showed, and what was cited of it."""

from dataclasses import replace

from docqa.answer.evidence import add_evidence, citations_in
from docqa.answer.receipt import Receipt, with_receipt
from docqa.types.answer import Answer
from docqa.types.search import Coverage, SearchResult
from tests.answer.passages import document, found, hit

A, B = document("Lease A.pdf"), document("Lease B.pdf")


def search(query: str, *used: int, best: float) -> SearchResult:
    """A search that used these chunks of A, and of B saw nothing worth using."""
    result = found(query, [hit("text", of=A, index=n) for n in used])
    seen = (
        Coverage(A.id, A.name, 9, len(used), best, 4),
        Coverage(B.id, B.name, 3, 0, 0.1, 14),
    )
    return replace(result, coverage=seen)


def test_searches_add_up() -> None:
    receipt = Receipt()
    for result in (search("rent", 1, 2, best=0.5), search("deposit", 2, 3, best=0.7)):
        receipt = receipt.after(result)
    first, second = with_receipt(Answer("", "extractive"), receipt).coverage
    assert first.queries == second.queries == ("rent", "deposit")
    assert (first.used, first.seen, first.best_score) == (3, 9, 0.7)
    assert (second.used, second.cited, second.nearest_page) == (0, 0, 14)


def test_what_is_cited_is_counted_by_passage() -> None:
    evidence = add_evidence((), [hit("One.", "Two.", of=A), hit("Three.", of=A, index=1)])
    text = "Yes [S1.1]. Also [S1.2]. And [S2]."
    answer = Answer(text, "m", citations_in(text, evidence), evidence)
    (line, _) = with_receipt(answer, Receipt().after(search("rent", 0, 1, best=0.5))).coverage
    assert line.cited == 2
