import pytest

from docqa.retrieve.boost import boosted
from docqa.retrieve.overlap import containment, jaccard


def test_the_preferred_kind_is_raised_and_never_above_one() -> None:
    assert boosted(0.5, kind="table", prefers="table", table=1.2, prose=1.1) == 0.6
    assert boosted(0.5, kind="text", prefers="narrative", table=1.2, prose=1.1) == 0.55
    assert boosted(0.5, kind="text", prefers="table", table=1.2, prose=1.1) == 0.5
    assert boosted(0.5, kind="table", prefers="none", table=1.2, prose=1.1) == 0.5
    assert boosted(0.95, kind="table", prefers="table", table=1.2, prose=1.1) == 1.0


def test_shared_words_over_all_words() -> None:
    assert jaccard("The rent is due monthly", "rent due yearly") == 2 / 4
    assert jaccard("", "rent") == 0.0


def test_the_share_of_the_question_a_passage_has() -> None:
    question = "What is the break notice?"
    assert containment(question, ["A break clause", "break notice", "rent"]) == pytest.approx(
        [1 / 2, 1.0, 0.0]
    )
    assert containment("What is it?", ["anything"]) == [0.0]
