from docqa.retrieve.overlap import SharedWords, jaccard, shared_phrases


def test_shared_words_over_all_words() -> None:
    assert jaccard("The rent is due monthly", "rent due yearly") == 2 / 4
    assert jaccard("", "rent") == 0.0


def test_phrases_are_words_in_a_row_whatever_their_endings() -> None:
    passages = ["Notice periods begin", "a period of notice", "notice: period"]
    assert shared_phrases("the notice period", passages) == [1.0, 0.0, 1.0]
    assert shared_phrases("notice", passages) == [0.0, 0.0, 0.0]


def test_shared_words_score_in_the_order_given() -> None:
    assert SharedWords().score("rent due", ["whale", "rent due"]).tolist() == [0.0, 1.0]
