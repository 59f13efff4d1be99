"""Differing words and figures between two passages."""

from hypothesis import given
from hypothesis import strategies as st

from docqa.ui.contrast import Part, contrast, cut

WORDS = st.lists(st.sampled_from(["rent", "is", "$25,000", "$31,500", "due", "\n", "Monthly"]))


def test_the_same_clause_with_another_amount() -> None:
    one = "The deposit is $25,000 and bears no interest."
    other = "The deposit is $31,500 and bears no interest."
    assert contrast(one, other) == (
        Part("The deposit is "),
        Part("$25,000", "figure"),
        Part(" and bears no interest."),
    )


def test_words_beside_one_another_are_marked_as_one_run() -> None:
    assert contrast("six months’ prior notice", "nine days prior notice") == (
        Part("six months’", "word"),
        Part(" prior notice"),
    )


def test_where_hardly_anything_is_the_same_only_figures_are_marked() -> None:
    parts = contrast("The rent was raised by 6.0% in 2023", "Nothing alike stands here at all")
    assert [part.text for part in parts if part.differs] == ["6.0%", "2023"]
    assert {part.differs for part in parts} == {"", "figure"}


def test_case_and_punctuation_do_not_count() -> None:
    assert contrast("“Rent” is due.", "rent is DUE") == (Part("“Rent” is due."),)


@given(WORDS, WORDS)
def test_the_parts_are_the_text(one: list[str], other: list[str]) -> None:
    text, partner = " ".join(one), " ".join(other)
    assert "".join(part.text for part in contrast(text, partner)) == text


@given(WORDS)
def test_a_text_does_not_differ_from_itself(words: list[str]) -> None:
    text = " ".join(words)
    assert not any(part.differs for part in contrast(text, text))


def test_the_number_of_a_clause_is_not_marked_and_other_numbers_are() -> None:
    parts = contrast("14.1 The law of Ohio.\n\n(b) Rent is 4.1 units", "15.1 The law of Ohio.")
    assert [part.text for part in parts if part.differs == "figure"] == ["4.1"]


@given(WORDS, WORDS, st.integers(0, 40), st.integers(0, 40))
def test_what_is_cut_is_the_text_in_between(
    one: list[str], other: list[str], start: int, end: int
) -> None:
    parts = contrast(" ".join(one), " ".join(other))
    assert "".join(part.text for part in cut(parts, start, end)) == " ".join(one)[start:end]
