import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.errors import AmbiguousDocument, UnknownDocument
from docqa.retrieve.names import match_documents, normalised, resolve, similarity
from tests.retrieve.nouns import document

LIBRARY = [
    document("Property_A_Offering_Memo.pdf", title="Alder Point"),
    document("Property_B_Final_OM.pdf", title="Larkspur Station"),
    document("AMCOR_2023_10K.pdf"),
    document("AMCOR_2023Q2_10Q.pdf"),
    document("BOEING_2018_10K.pdf"),
    document("BOEING_2022_10K.pdf"),
]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Property A", "Property_A_Offering_Memo.pdf"),
        ("property b", "Property_B_Final_OM.pdf"),
        ("Proprety A", "Property_A_Offering_Memo.pdf"),
        ("Alder Point", "Property_A_Offering_Memo.pdf"),
        ("Boeing 2018", "BOEING_2018_10K.pdf"),
        ("Amcor Q2 2023 10-Q", "AMCOR_2023Q2_10Q.pdf"),
        ("BOEING_2022_10K.pdf", "BOEING_2022_10K.pdf"),
    ],
)
def test_a_name_finds_its_document(said: str, meant: str) -> None:
    assert resolve(said, LIBRARY).name == meant


@pytest.mark.parametrize("said", ["Property Z", "Verizon", "the lease", ""])
def test_an_unknown_name_is_refused(said: str) -> None:
    with pytest.raises(UnknownDocument):
        resolve(said, LIBRARY)


def test_a_name_that_fits_two_is_not_guessed() -> None:
    with pytest.raises(AmbiguousDocument, match="BOEING_2018_10K"):
        resolve("Boeing", LIBRARY)


def test_a_letter_that_is_not_there_rules_out() -> None:
    assert similarity("property c", normalised("Property_A_Offering_Memo.pdf")) == 0.0


def test_a_question_names_documents() -> None:
    [mention] = match_documents("What was Boeing's revenue in 2018?", LIBRARY)
    assert [each.name for each in mention.documents] == ["BOEING_2018_10K.pdf"]
    assert match_documents("What is the rent of a property?", LIBRARY) == ()


@given(st.sampled_from(LIBRARY))
def test_a_full_name_means_itself(wanted: object) -> None:
    assert resolve(wanted.name, LIBRARY) is wanted  # type: ignore[attr-defined]


@given(st.text(max_size=60), st.text(max_size=60))
def test_similarity_lies_between_none_and_full(one: str, other: str) -> None:
    assert 0.0 <= similarity(normalised(one), normalised(other)) <= 1.0
