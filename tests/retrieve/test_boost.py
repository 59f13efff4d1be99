import pytest

from docqa.retrieve.boost import boosted
from docqa.retrieve.overlap import containment, jaccard
from docqa.types import ChunkKind, Preference


@pytest.mark.parametrize(
    ("score", "kind", "prefers", "expected"),
    [
        (0.5, "table", "table", 0.6),
        (0.5, "text", "table", 0.5),
        (0.5, "text", "narrative", 0.55),
        (0.5, "table", "narrative", 0.5),
        (0.5, "table", "none", 0.5),
        (0.9, "table", "table", 1.0),
    ],
)
def test_the_preferred_kind_is_raised(
    score: float, kind: ChunkKind, prefers: Preference, expected: float
) -> None:
    raised = boosted(score, kind=kind, prefers=prefers, table=1.2, prose=1.1)
    assert raised == pytest.approx(expected)


def test_shared_words_over_all_words() -> None:
    assert jaccard("The rent is due monthly", "rent due yearly") == 2 / 4
    assert jaccard("the", "of") == 0


def test_containment_is_the_share_of_the_question() -> None:
    passages = ["The notice period is 60 days.", "Notice.", "Rent."]
    assert containment("What is the notice period?", passages) == [1.0, 0.5, 0.0]
    assert containment("what is it", passages) == [0, 0, 0]
