"""The words by which contracts settle their topics: read, weighed and learnt."""

import numpy as np
import pytest

from docqa.compare.topics import TOPICS
from docqa.compare.wording import SIGNS, bundled, chances, features, joined, odds, over_others
from tests.compare.pages import block
from tests.training.clauses import marked

LAW = "This Agreement shall be governed by the laws of the State of New York."
FEE = "The Client pays the invoice within thirty days of its date."


def test_words_pairs_openings_and_headings_are_features() -> None:
    found = features("The 2 parties agreed in 2019", "3. Term of Agreement")
    assert {"#", "#year", "parti", "parti agre", "opening:parti", "heading:term"} <= found
    assert "heading:of" not in found


def test_every_topic_that_was_taught_is_looked_for() -> None:
    assert set(bundled().topics) <= {topic.name for topic in TOPICS}
    assert len(bundled().signs) == len(SIGNS)


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
    found = marked(blocks, [row])
    assert [each.text for each in found.sentences] == [LAW, FEE, LAW]
    assert found.settles.sum(axis=1).tolist() == [0, 0, 1]
