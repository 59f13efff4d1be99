import pytest

from docqa.retrieve.overlap import containment, jaccard


def test_shared_words_over_all_words() -> None:
    assert jaccard("The rent is due monthly", "rent due yearly") == 2 / 4
    assert jaccard("", "rent") == 0.0


def test_the_share_of_the_question_a_passage_has() -> None:
    question = "What is the break notice?"
    assert containment(question, ["A break clause", "break notice", "rent"]) == pytest.approx(
        [1 / 2, 1.0, 0.0]
    )
    assert containment("What is it?", ["anything"]) == [0.0]
