import pytest

from docqa.retrieve.glossary import DERIVED, GROUPS, synonyms


@pytest.mark.parametrize(
    ("text", "among"),
    [
        ("What is the NOI?", "net operating income"),
        ("net operating income", "NOI"),
        ("capex in 2022", "purchases of property, plant and equipment"),
        ("Is the quick ratio healthy?", "total current liabilities"),
        ("governing law", "governed by the laws"),
        ("the property,\nplant, and equipment", "PP&E"),
    ],
)
def test_other_names_of_what_is_asked(text: str, among: str) -> None:
    assert among in synonyms(text)


@pytest.mark.parametrize("text", ["are you at risk?", "a cam shaft", "Prevenue", "", "rented"])
def test_ordinary_words_are_not_taken_for_terms(text: str) -> None:
    assert synonyms(text) == ()


def test_nothing_is_repeated_that_is_already_there() -> None:
    assert "net sales" not in synonyms("revenue or net sales")
    found = synonyms("gross margin and operating margin")
    assert len(found) == len(set(found))


def test_every_line_has_a_term_and_another() -> None:
    assert all(len(group) > 1 and all(group) for group in (*GROUPS, *DERIVED))
