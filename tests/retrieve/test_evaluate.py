from pathlib import Path

import pytest

from docqa.errors import QuestionsUnreadable
from docqa.retrieve.evaluate import judge, known, read_questions, summed_up
from docqa.types.evaluation import GoldQuestion, Judged, Rate
from docqa.types.question import QueryPlan, Question
from docqa.types.search import SearchResult
from tests.retrieve.passages import documents, hit


def judged(
    *pages: tuple[str, int], gold: dict[str, tuple[int, ...]], answerable: bool = True
) -> Judged:
    """A search whose hits stand on these pages, and were all of the evidence."""
    asked = GoldQuestion("What?", gold, answerable)
    hits = [hit("text", document=name, index=page) for name, page in pages]
    result = SearchResult(
        QueryPlan(Question("What?", "What?"), ("What?",)), tuple(hits), timings={"dense": 0.5}
    )
    refused = not pages
    return judge(asked, result, scope="library", evidence=hits, refused=refused)


def test_the_forms_of_a_question(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(
        '{"question": "Rent?", "document": "A.pdf", "pages": [3, 4]}\n\n'
        '{"question": "Both?", "documents": ["A.pdf", "B.pdf"]}\n'
        '{"question": "Parts?", "sources": {"A.pdf": [1], "B.pdf": [2]}}\n'
        '{"question": "Moon?", "answerable": false}\n',
        encoding="utf-8",
    )
    assert read_questions(path) == [
        GoldQuestion("Rent?", {"A.pdf": (3, 4)}),
        GoldQuestion("Both?", {"A.pdf": (), "B.pdf": ()}),
        GoldQuestion("Parts?", {"A.pdf": (1,), "B.pdf": (2,)}),
        GoldQuestion("Moon?", answerable=False),
    ]


@pytest.mark.parametrize(
    "text", ["", "not json", "[]", '{"document": "A.pdf"}', '{"question": 3}', '{"question": null}']
)
def test_what_is_no_question_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionsUnreadable, match=r"questions\.jsonl"):
        read_questions(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(QuestionsUnreadable):
        read_questions(tmp_path / "none.jsonl")


def test_documents_are_found_as_they_are_named() -> None:
    library = documents("Lease_North.pdf", "Lease_South.pdf")
    asked = [GoldQuestion("Rent?", {"lease north": (1,)}), GoldQuestion("Fee?", {"Memo.pdf": ()})]
    kept, skipped = known(asked, library)
    assert [one.sources for one in kept] == [{"Lease_North.pdf": (1,)}]
    assert len(skipped) == 1
    assert "Memo.pdf" in skipped[0]


def test_a_question_is_judged_by_its_first_gold_page_and_its_documents() -> None:
    gold: dict[str, tuple[int, ...]] = {"a.pdf": (1,), "b.pdf": (1,)}
    made = judged(("c", 0), ("a", 0), gold=gold)
    assert made.pages == (("c.pdf", 1), ("a.pdf", 1))
    assert made.rank == 2
    assert made.missing == ("b.pdf",)


def test_the_figures_of_a_few_questions() -> None:
    every = [
        judged(("a", 0), gold={"a.pdf": (1,)}),
        judged(("b", 0), ("a", 0), gold={"a.pdf": (1,)}),
        judged(("b", 0), gold={"a.pdf": (1, 2)}),
        judged(gold={}, answerable=False),
        judged(("b", 0), gold={}, answerable=False),
    ]
    figures = summed_up(every, scope="library")
    assert figures.hit_at[1] == Rate(1, 3)
    assert figures.hit_at[3] == Rate(2, 3)
    assert figures.recall_at[3] == pytest.approx(2 / 3)
    assert figures.mrr == pytest.approx((1 + 1 / 2) / 3)
    assert figures.documents == Rate(2, 3)
    assert figures.refusal_precision == Rate(1, 1)
    assert figures.refusal_recall == Rate(1, 2)
    assert figures.median_seconds == 0.5
    assert summed_up(every, scope="document").hit_at[1] == Rate(0, 0)
