import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.errors import AmbiguousDocument, EmptyQuestion, UnknownDocument
from docqa.retrieve.plan import (
    compared,
    compared_documents,
    intent_of,
    make_plan,
    preference_of,
    sub_queries,
)
from docqa.retrieve.words import MAX_KEYWORDS, keywords, periods
from tests.retrieve.nouns import document

LIBRARY = [
    document("Property_A_Offering_Memo.pdf"),
    document("Property_B_Final_OM.pdf"),
    document("Property_C_Presentation.pdf"),
    document("Background_Research.pdf"),
]


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Summarize Q1, Q2, and Q3 reports", "synthesis"),
        ("Compare Elmira and Mansfield markets", "comparison"),
        ("Property A vs Property B", "comparison"),
        ("List all packages in 2025", "list"),
        ("Summarize the annual report", "synthesis"),
        ("What are the total sales?", "lookup"),
        ("Explain the January projections", "lookup"),
    ],
)
def test_the_intent_of_a_question(question: str, intent: str) -> None:
    assert intent_of(question) == intent


def test_a_list_of_three_gives_a_query_for_each() -> None:
    made = sub_queries("Summarize Q1, Q2, and Q3 reports", intent="synthesis")
    for quarter in ("Q1", "Q2", "Q3"):
        assert sum(quarter in query for query in made) == 1
    assert all("report" in query for query in made)


def test_a_comparison_asks_for_each_side_and_both() -> None:
    made = sub_queries("Compare Elmira and Mansfield market performance", intent="comparison")
    assert any("Elmira" in query and "Mansfield" not in query for query in made)
    assert any("Mansfield" in query and "Elmira" not in query for query in made)
    assert any("Elmira versus Mansfield" in query for query in made)


def test_an_overview_of_one_thing() -> None:
    assert sub_queries("Summarize the annual report", intent="synthesis") == (
        "annual report overview",
    )
    assert sub_queries("What is the rent?", intent="lookup") == ()


def test_figures_or_reasons() -> None:
    assert preference_of("How much revenue was there in 2023?") == "table"
    assert preference_of("Why did the strategy change?") == "narrative"
    assert preference_of("Who is the landlord?") == "none"


def test_the_sides_of_a_comparison() -> None:
    assert compared("Compare Property A with Property B") == ("Property A", "Property B")
    assert compared("difference between Lease 1 and Lease 2") == ("Lease 1", "Lease 2")
    assert compared("What is the rent?") == ()


def test_the_documents_of_a_comparison() -> None:
    sides = compared_documents("Compare Property A with Property B", LIBRARY)
    assert [each.name for each in sides] == [LIBRARY[0].name, LIBRARY[1].name]
    with pytest.raises(UnknownDocument):
        compared_documents("Compare Property A with Property Z", LIBRARY)


def test_a_name_that_fits_two_is_asked_about() -> None:
    twins = [document("Boeing_2018_10K.pdf"), document("Boeing_2022_10K.pdf"), *LIBRARY]
    with pytest.raises(AmbiguousDocument):
        compared_documents("Compare the Boeing filing with Property A", twins)


def test_a_named_document_is_searched_alone() -> None:
    plan = make_plan("What is the cap rate of Property A?", documents=LIBRARY)
    assert plan.document_ids == (LIBRARY[0].id,)


def test_a_choice_holds_whatever_the_question_names() -> None:
    chosen = [LIBRARY[1].id]
    plan = make_plan("Cap rate of Property A?", documents=LIBRARY, document_ids=chosen)
    assert plan.document_ids == (LIBRARY[1].id,)


@pytest.mark.parametrize("question", ["", "   ", "?!", "\n\t"])
def test_no_question(question: str) -> None:
    with pytest.raises(EmptyQuestion):
        make_plan(question)


@given(st.text(min_size=1, max_size=400))
def test_any_text_is_planned_or_refused(question: str) -> None:
    try:
        plan = make_plan(question, documents=LIBRARY)
    except EmptyQuestion:
        return
    assert 1 <= len(plan.queries) <= 5
    assert len(set(plan.queries)) == len(plan.queries)
    assert len(keywords(question)) <= MAX_KEYWORDS


def test_words_and_periods() -> None:
    assert keywords("What is it?") == []
    assert keywords('AND OR NOT ( * "rent"') == ["rent"]
    assert keywords("NOI of $1.2M at 6.2%") == ["noi", "$1.2m", "6.2%"]
    assert periods("Q2 2022 and FY18, against 2019") == ("Q2 2022", "2018", "2019")
