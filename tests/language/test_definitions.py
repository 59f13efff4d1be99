import pytest

from docqa.language.definitions import by_other_names, definitions_in


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("rose in Gross Merchandise Volume (“GMV”) by", [("GMV", "Gross Merchandise Volume")]),
        ("the Office of Thrift Supervision (OTS)", [("OTS", "Office of Thrift Supervision")]),
        ("less-than-truckload (LTL) freight", [("LTL", "less-than-truckload")]),
        ("marketing services and other (“MS&O”)", [("MS&O", "marketing services and other")]),
        ("foreign exchange (FX) and value-added tax (VAT)",
         [("FX", "foreign exchange"), ("VAT", "value-added tax")]),
        ("rent is paid by the tenant (see Section 4)", []),
        ("net cash was lower (USD)", []),
        ("Ash Ltd (the “Tenant”)", []),
        ("two (2) years (II)", []),
        ("(GMV)", []),
    ],
)  # fmt: skip
def test_abbreviations_are_matched_to_the_words_before_them(
    text: str, defined: list[tuple[str, str]]
) -> None:
    assert list(definitions_in(text)) == defined


def test_a_term_of_several_meanings_is_left_alone() -> None:
    meanings = [("PA", "prior authorization"), ("PA", "purchase agreement")]
    assert list(by_other_names("Is PA needed?", meanings)) == []


def test_a_term_that_stands_there_by_both_names_is_left_alone() -> None:
    both = "Is coordination of benefits (COB) done?"
    assert list(by_other_names(both, [("COB", "Coordination of Benefits")])) == []


def test_small_letters_are_no_abbreviation() -> None:
    assert list(by_other_names("Is it so?", [("IT", "information technology")])) == []
