"""The words by which contracts settle their topics: read, weighed and learnt."""

from collections.abc import Sequence

import numpy as np
import pytest

from docqa.compare.topics import TOPICS
from docqa.compare.wording import (
    CANDIDATES,
    MEANT,
    SIGNS,
    Numbers,
    bundled,
    chances,
    features,
    joined,
    meaning_by,
    odds,
    over_others,
)
from tests.compare.pages import block
from tests.training.clauses import marked

LAW = "This Agreement shall be governed by the laws of the State of New York."
FEE = "The Client pays the invoice within thirty days of its date."


def encode(texts: Sequence[str]) -> Numbers:
    """Of length 1, and the one that means a topic most where a text is of a law."""
    toward = bundled().meaning[:-1, bundled().topics.index("Governing law")]
    sides = [1.0 if "laws" in text else -1.0 for text in texts]
    return np.array([side * toward / np.linalg.norm(toward) for side in sides], np.float32)


def test_words_pairs_openings_and_headings_are_features() -> None:
    found = features("The 2 parties agreed in 2019", "3. Term of Agreement")
    assert {"#", "#year", "parti", "parti agre", "opening:parti", "heading:term"} <= found
    assert "heading:of" not in found


def test_every_topic_that_was_taught_is_looked_for() -> None:
    assert set(bundled().topics) <= {topic.name for topic in TOPICS}
    assert len(bundled().by_words.signs) == len(SIGNS)
    assert len(bundled().by_meaning.signs) == len(MEANT)
    assert bundled().meaning.shape == (385, len(bundled().topics))


def test_a_sentence_that_means_a_topic_is_likelier() -> None:
    def chance(text: str) -> float:
        return chances("Governing law", [(text, "", False)], [False], encode)[0]

    assert chance("The laws of Ohio are to be followed.") > 0.2
    assert chance("The rules of Ohio are to be followed.") < 0.05


def test_only_sentences_with_most_of_the_words_are_encoded() -> None:
    said = [(f"{LAW} {n}", "", False) for n in range(40 * CANDIDATES)]
    read: list[str] = []

    def counted(texts: Sequence[str]) -> Numbers:
        read.extend(texts)
        return encode(texts)

    found = chances("Governing law", said, [False] * len(said), counted)
    assert len(read) == CANDIDATES
    assert found[-1] < found[0] / 2


def test_meanings_hold_for_the_encoder_they_were_taught_with() -> None:
    assert meaning_by("all-MiniLM-L6-v2-int8", encode) is not None
    assert meaning_by("bge-small-en-v1.5", encode) is None


def test_a_sentence_is_likeliest_of_its_own_topic() -> None:
    at = bundled().topics.index("Governing law")
    assert int(np.argmax(odds(LAW, ""))) == at
    assert odds(LAW, "")[at] > odds(FEE, "")[at]


def test_over_others_is_what_a_topic_is_ahead_of_the_best_other() -> None:
    found = over_others(np.array([[3.0, 1.0, 2.0]], np.float32))
    assert found.tolist() == [[1.0, -2.0, -1.0]]


def test_a_pattern_elsewhere_is_a_sign_of_its_own() -> None:
    words = np.array([1.0, -1.0], np.float32)
    found = joined(words, words, [True, False], [False, True])
    assert found.tolist() == [[1, 1, 1, 0, 0], [-1, -1, 0, 1, 1]]


def test_a_chance_rises_with_the_topics_pattern() -> None:
    [with_it], [without] = (
        chances("Governing law", [(LAW, "", False)], [says]) for says in (True, False)
    )
    assert 0 < without < with_it < 1
    assert chances("Governing law", [], []) == []
    with pytest.raises(ValueError, match="index"):
        chances("Rent", [(LAW, "", False)], [True])


def test_a_marked_clause_marks_the_sentences_with_its_words_on_its_page() -> None:
    row = {"category": "Governing Law", "clause": LAW, "pages": [2]}
    blocks = [block(LAW, page=1), block(f"{FEE} {LAW}", page=2, index=1)]
    found = marked(blocks, [row], encode)
    assert [each.text for each in found.sentences] == [LAW, FEE, LAW]
    assert found.settles.sum(axis=1).tolist() == [0, 0, 1]
