"""Hidden words: none of them left in what is sent, every one back in what arrives."""

from hypothesis import given
from hypothesis import strategies as st

from docqa.answer.model.redaction import Redaction

NAMES = Redaction(["Acme Corp", "Zürich", "Jane O'Neil"])


def test_words_are_hidden_whatever_their_case_and_in_file_names() -> None:
    sent = {"title": "Lease_Acme-Corp_2024.pdf", "content": [{"text": "ZÜRICH, for acme  corp."}]}
    assert NAMES.hide(sent) == {
        "title": "Lease_REDACTED-1_2024.pdf",
        "content": [{"text": "REDACTED-2, for REDACTED-1."}],
    }


def test_a_part_of_another_word_is_left() -> None:
    assert Redaction(["rent"]).hide("Rental, current and rent") == "Rental, current and REDACTED-1"


def test_nothing_hidden_changes_nothing() -> None:
    value = {"a": ["text", 1, None]}
    assert Redaction([" "]).hide(value) is value


def test_a_stand_in_that_means_nothing_stays() -> None:
    assert NAMES.restore("REDACTED-9 and REDACTED-2") == "REDACTED-9 and Zürich"


@given(st.lists(st.integers(1, 30), max_size=40))
def test_a_text_in_pieces_is_restored_as_it_is_whole(cuts: list[int]) -> None:
    names = Redaction(["Acme Corp", *(f"Name{n}" for n in range(2, 15))])
    whole = "R REDACTED-1, READ REDACTED-12; REDACTED-1RED REDACTED"
    pieces, at = [], 0
    for size in [*cuts, len(whole)]:
        pieces.append(whole[at : at + size])
        at += size
    told = [names.restore_next(piece) for piece in pieces]
    assert "".join([*told, names.rest()]) == names.restore(whole)


@given(st.text(alphabet="abdXYZ_-. ", max_size=30))
def test_what_is_hidden_is_gone_and_comes_back(text: str) -> None:
    words = Redaction(["ab", "d"])
    hidden = words.hide(text)
    assert words.hide(hidden) == hidden
    assert words.restore(hidden) == text
