"""Questions on papers: each answer stands in its paper, and right is told from wrong."""

from dataclasses import replace

import pytest

from docqa.types.answer import Answer
from tests.eval.labelled import labels
from tests.eval.papers import KINDS, Outcome

PAPERS = {paper["document"]: paper["text"] for paper in labels("papers_documents")}
ROWS = Answer("Sites – 2 of 3:\n- Mill: Yes [S1.2]\n- Pier: Yes [S1.3]", "extractive")


def test_every_answer_stands_in_its_paper() -> None:
    for asked in labels("papers_questions"):
        assert asked["kind"] in KINDS
        printed = () if asked["kind"] == "sum" else asked["answer"]
        assert all(part in PAPERS[asked["document"]] for part in printed), asked
        assert set(asked["answer"]).isdisjoint(asked.get("others", ())), asked


@pytest.mark.parametrize(
    ("right", "others", "told"),
    [
        (["Mill", "Pier"], ["Quay"], True),
        (["Mill"], ["Pier", "Quay"], False),
        (["Mill", "Quay"], ["Pier"], False),
    ],
)
def test_rows_are_right_only_where_all_and_no_others_are_told(
    right: list[str], others: list[str], told: bool
) -> None:
    outcome = Outcome({"kind": "list", "answer": right, "others": others}, ROWS)
    assert outcome.right == told
    assert outcome.stated
    likely = replace(outcome, answer=replace(ROWS, likely=True))
    assert not likely.right
    assert likely.there == set(right).issubset({"Mill", "Pier"})


def test_what_has_no_answer_is_right_unless_one_is_stated() -> None:
    absent = Outcome({"kind": "absent", "answer": []}, ROWS)
    assert not absent.right
    assert replace(absent, answer=replace(ROWS, likely=True)).right
