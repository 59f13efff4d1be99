import pytest

from docqa.errors import GlossaryUnreadable
from docqa.language.vocabulary import BUILT_IN, MAX_LINES, NEAR, synonyms, tables_for, with_own


@pytest.mark.parametrize(
    ("text", "among"),
    [
        ("What is the NOI?", "net operating income"),
        ("net operating income", "NOI"),
        ("capex in 2022", "purchases of property, plant and equipment"),
        ("Is the quick ratio healthy?", "total current liabilities"),
        ("governing law", "governed by the laws"),
        ("the main risks of each property", "risk factors"),
        ("What was spent on research and development?", "research and development expenses"),
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


def test_a_flat_is_an_apartment() -> None:
    assert "apart" in NEAR["flat"]


def test_every_line_has_a_term_and_another() -> None:
    assert all(len(group) > 1 and all(group) for group in (*BUILT_IN.groups, *BUILT_IN.figures))
    assert all(len(group) > 1 and all(group) for group in BUILT_IN.near)
    assert all(term and lines for term, lines in BUILT_IN.derived)
    assert all(titles and terms for titles, terms in BUILT_IN.tables)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Did Pfizer grow its PP&E?", "balance sheet"),
        ("What were the gross margins?", "statement of income"),
        ("capex as a share of sales", "statement of cash flows"),
        ("Who are the tenants?", "rent roll"),
    ],
)
def test_the_table_that_states_what_is_asked(text: str, title: str) -> None:
    assert title in tables_for(text)


@pytest.mark.parametrize("text", ["Who signed the contract?", "", "prepare the seal"])
def test_most_questions_ask_for_no_table(text: str) -> None:
    assert tables_for(text) == ()


def test_a_figures_names_may_be_for_comparing_or_for_searching_alone() -> None:
    own = with_own(
        "= licence fee | royalty | (fee)\n    | dues?\n== stake | holding\nload -> rent | rates"
    )
    assert own.figures[:2] == (("licence fee", "royalty", "fee"), ("stake", "holding"))
    assert synonyms("What royalty is due?", own) == ("licence fee", "dues")
    assert synonyms("What load is there?", own) == ("rent", "rates")
    assert synonyms("What is the holding?", own) == ()


def test_lines_of_ones_own_stand_beside_the_others() -> None:
    own = with_own("# ours\n\nservice charge | Nebenkosten\nunit mix <- studio | two-bed\n")
    assert synonyms("Wie hoch sind die Nebenkosten?", own) == ("service charge",)
    assert tables_for("How many studios?", own) == ("unit mix",)
    assert synonyms("What is the cap rate?", own) == synonyms("What is the cap rate?")
    assert with_own("") == BUILT_IN


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a name alone", "line 1, “a name alone”"),
        ("# ours\nrent | ", "line 2"),
        ("rent | the", "line 1"),
        ("rent roll <- tenant <- unit", "line 1"),
        ("rent roll <-", "line 1"),
        ("| rent | hire", "line 1"),
        ("rent | hire\n" * (MAX_LINES + 1), f"{MAX_LINES + 1} lines"),
    ],
)
def test_lines_that_name_no_two_things_are_refused(text: str, reason: str) -> None:
    with pytest.raises(GlossaryUnreadable, match="The glossary cannot be used") as refused:
        with_own(text)
    assert reason in str(refused.value)
