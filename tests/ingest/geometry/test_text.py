"""Text is joined and cut without changing what is written."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.geometry.text import clean, join_lines, pieces, vocabulary
from docqa.language.sentences import sentence_ends


def test_ligatures_and_odd_spaces_become_letters_and_blanks() -> None:
    assert clean("e\ufb03cient\u00a0\ufb01rm\u2009x") == "efficient firm x"


def test_signs_are_left_as_written() -> None:
    assert clean("½ ² № “quoted” – €1.5") == "½ ² № “quoted” – €1.5"


def test_signs_of_the_windows_code_page_are_themselves() -> None:
    assert clean("can\x92t \x93stop\x94 \x97") == "can’t “stop” —"


def test_a_broken_word_is_whole_again() -> None:
    assert join_lines(["The amorti-", "sation of debt"]) == ("The amortisation of debt", [0, 10])


def test_a_compound_keeps_its_hyphen() -> None:
    text, _ = join_lines(["Repayment of long-", "term debt"], {"long", "term"})
    assert text == "Repayment of long-term debt"


def test_a_compound_seen_elsewhere_keeps_its_hyphen() -> None:
    assert join_lines(["a sub-", "lease"], {"sub-lease"})[0] == "a sub-lease"


def test_a_number_keeps_its_hyphen() -> None:
    assert join_lines(["Form 10-", "K of 2019-", "20"])[0] == "Form 10-K of 2019-20"


def test_soft_hyphens_go() -> None:
    text, starts = join_lines(["in\u00advest\u00ad", "ment in", "land"])
    assert (text, starts) == ("investment in land", [0, 6, 14])


def test_the_vocabulary_leaves_out_half_words() -> None:
    assert vocabulary(["Long-term amorti-", "Debt"]) == {"long-term", "debt"}


def test_sentences_do_not_end_at_abbreviations() -> None:
    text = "Acme Inc. pays $1.5 million. See No. 4 of the U.S. Code. It ends."
    assert [text[:end] for end in sentence_ends(text)] == [
        "Acme Inc. pays $1.5 million.",
        "Acme Inc. pays $1.5 million. See No. 4 of the U.S. Code.",
    ]


def test_pieces_are_whole_sentences_where_they_fit() -> None:
    text = "One two. Three four. Five."
    assert [text[a:b] for a, b in pieces(text, 21)] == ["One two. Three four.", "Five."]


@given(st.text(alphabet="ab .,;AB", max_size=400), st.integers(10, 80))
def test_pieces_lose_nothing_and_keep_the_limit(text: str, limit: int) -> None:
    spans = pieces(text, limit)
    assert all(end - start <= limit for start, end in spans)
    assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")
    assert all(one[1] <= two[0] for one, two in itertools.pairwise(spans))
