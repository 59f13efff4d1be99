"""The JSON contract: exactly these keys, and values that json can write."""

import json
from decimal import Decimal

from docqa.present import as_json
from docqa.types.answer import Answer, Citation, Usage
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    Edit,
    Figure,
    FigureComparison,
    Nearest,
    TermComparison,
    TermSide,
)
from docqa.types.document import Block, Box, Chunk, Document
from docqa.types.progress import AddResult
from docqa.types.question import QueryPlan, Question
from docqa.types.search import Coverage, Hit, SearchResult

BLOCK = Block("NOI was $1.2M.", 5, Box(72, 100.126, 300, 112))
DOCUMENT = Document("a" * 64, "Memo.pdf", 6)
CHUNK = Chunk("a:0", "a" * 64, 0, (BLOCK,), headings=("Summary", "Income"))
HIT = Hit(CHUNK, DOCUMENT, {"dense": 0.5, "rrf": 1 / 61})
CITATION = Citation("S1", DOCUMENT.id, "Memo.pdf", 5, BLOCK.text, (BLOCK,), "verified")


def test_a_hit() -> None:
    assert as_json.hit(HIT) == {
        "document": "Memo.pdf",
        "document_id": "a" * 64,
        "page_start": 5,
        "page_end": 5,
        "place": "p. 5",
        "section": "Summary › Income",
        "kind": "text",
        "text": "NOI was $1.2M.",
        "scores": {"dense": 0.5, "rrf": 0.016393},
        "blocks": [
            {"page": 5, "place": "p. 5", "box": [72, 100.13, 300, 112], "text": "NOI was $1.2M."}
        ],
    }


def test_a_search() -> None:
    coverage = Coverage(DOCUMENT.id, "Memo.pdf", seen=3, used=1, best_score=0.5, nearest_page=5)
    result = SearchResult(
        QueryPlan(Question("NOI?", "NOI?"), ("NOI?",)), (HIT,), (coverage,), {"dense": 0.25}
    )
    found = as_json.search_result(result)
    assert list(found) == ["question", "plan", "hits", "coverage", "missing", "seconds"]
    assert found["question"] == "NOI?"
    assert found["seconds"] == 0.25
    assert found["coverage"][0]["nearest_page"] == 5
    json.dumps(found)


def test_an_answer() -> None:
    answer = Answer("It was $1.2M [S1].", "extractive", (CITATION,), usage=Usage(10, 5))
    found = as_json.answer(answer)
    assert " ".join(found) == (
        "text answerer citations warnings checks usage seconds found likely partial coverage"
    )
    cited = found["citations"][0]
    wanted = [
        "label",
        "document",
        "document_id",
        "page",
        "place",
        "quote",
        "figures",
        "verified",
        "blocks",
    ]
    assert list(cited) == wanted
    assert cited["verified"] == "verified"
    assert found["usage"]["input_tokens"] == 10
    json.dumps(found)


def test_a_comparison() -> None:
    figure = Figure("NOI", "2024", Decimal(1200000), "USD", "$1.2M", DOCUMENT.id, "Memo.pdf", BLOCK)
    other = Document("b" * 64, "Final.pdf", 4)
    comparison = Comparison(
        (DOCUMENT, other),
        "NOI",
        (FigureComparison("NOI", "2024", "USD", (figure, figure), "+$0"),),
        (Alignment(0.81234, (HIT, HIT)),),
        {other.id: (HIT,)},
        "text",
        terms=(
            TermComparison(
                "Rent",
                (
                    TermSide(DOCUMENT.id, "Memo.pdf", "Rent is due.", (BLOCK,), 5),
                    TermSide(other.id, "Final.pdf", nearest_page=3),
                ),
                "only in Memo.pdf",
            ),
        ),
        changes=(Change("gone", "4.2", "Rent.", "", (BLOCK,), edits=(Edit("gone", "Rent."),)),),
        nearest={HIT.chunk.id: Nearest(HIT, 0.31234)},
    )
    found = as_json.comparison(comparison)
    assert list(found) == [
        *("documents", "question", "figures", "pairs", "only_in", "terms", "changes"),
        *("summary", "text", "answerer", "citations", "warnings", "usage", "seconds", "partial"),
    ]
    assert found["documents"] == ["Memo.pdf", "Final.pdf"]
    assert found["figures"][0]["values"][0] == {
        "document": "Memo.pdf",
        "page": 5,
        "place": "p. 5",
        "value": "1200000",
        "text": "$1.2M",
    }
    assert found["pairs"][0]["similarity"] == 0.8123
    [lone] = found["only_in"]["Final.pdf"]
    assert (lone["text"], lone["nearest"]["similarity"]) == ("NOI was $1.2M.", 0.3123)
    assert lone["nearest"]["document"] == "Memo.pdf"
    [term] = found["terms"]
    assert [side["page"] for side in term["sides"]] == [5, None]
    assert [side["nearest_page"] for side in term["sides"]] == [5, 3]
    [gone] = found["changes"]
    assert (gone["first_page"], gone["second_page"], gone["minor"]) == (5, None, False)
    assert gone["edits"] == [{"kind": "gone", "text": "Rent."}]
    json.dumps(found)


def test_what_became_of_a_file() -> None:
    failed = as_json.add_result(AddResult("x.pdf", "failed", error="It is empty."))
    assert failed == {"file": "x.pdf", "status": "failed", "error": "It is empty."}
    added = as_json.add_result(AddResult("Memo.pdf", "added", DOCUMENT))
    assert added["pages"] == 6
    assert added["document_id"] == "a" * 64
