import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.errors import AmbiguousDocument, EmptyQuestion, NoSubject, UnknownDocument
from docqa.language.keywords import keywords
from docqa.question.comparison import compared
from docqa.question.documents import compared_documents
from docqa.question.intent import intent_of, preference_of
from docqa.question.parts import MAX_SUB_QUERIES, parts_of, wider_queries
from docqa.question.queries import make_plan
from docqa.question.read import QUERY_CHARS, read
from docqa.types.document import Document
from tests.bundled import vectors
from tests.retrieve.passages import documents

MEMOS = documents("Property_A_Offering_Memo.pdf", "Property_B_Final_OM.pdf", "Research.pdf")
FILINGS = documents("BOEING_2018_10K.pdf", "BOEING_2022_10K.pdf", "VERIZON_2022_10K.pdf")


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Summarize Q1, Q2, and Q3 reports", "synthesis"),
        ("Provide an overview of all Q1 sales projections", "synthesis"),
        ("Compare Elmira and Mansfield markets", "comparison"),
        ("What are the differences between Altoona and Johnstown markets?", "comparison"),
        ("Lease A vs. Lease B", "comparison"),
        ("List all packages in 2025", "list"),
        ("Show me all markets with revenue over $1M", "list"),
        ("What is the governing law in each contract?", "list"),
        ("What are the total sales?", "lookup"),
        ("Explain the January projections", "lookup"),
        ("What is the notice period?", "lookup"),
    ],
)
def test_intent(question: str, intent: str) -> None:
    assert intent_of(question) == intent


@pytest.mark.parametrize(
    ("question", "preference"),
    [
        ("How much was net income?", "table"),
        ("Why did the tenant leave?", "narrative"),
        ("What drove gross margin?", "none"),
        ("Who are the parties?", "none"),
    ],
)
def test_preference(question: str, preference: str) -> None:
    assert preference_of(question) == preference


def test_what_is_listed_is_asked_for_one_by_one() -> None:
    made = parts_of("Summarize Q1, Q2, and Q3 reports", intent="synthesis")
    assert made == ("Q1 reports", "Q2 reports", "Q3 reports")


def test_each_side_of_a_comparison_is_asked_for_and_both_only_by_wider_queries() -> None:
    question = "Compare Elmira and Mansfield market performance"
    assert parts_of(question, intent="comparison") == (
        "Elmira market performance",
        "Mansfield market performance",
    )
    assert wider_queries(question, intent="comparison") == (
        "Elmira versus Mansfield market performance differences",
    )


def test_a_topic_before_of_is_asked_of_every_side() -> None:
    question = "compare the cap rates of Property A and Property B"
    assert parts_of(question, intent="comparison") == (
        "Property A cap rates",
        "Property B cap rates",
    )


def test_documents_that_are_named_are_heard_without_a_query_for_each() -> None:
    asked = read("Compare the cap rates of Property A and Property B", documents=MEMOS)
    assert len(asked.documents) == 2
    assert asked.parts == ()


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What are the risks of each of the two properties?", 2),
        ("What is the rent of both properties?", 2),
        ("What are the risks of all 2 properties?", 2),
        ("What are the risks of the three properties?", 0),
        ("What is due on both days?", 0),
        ("What are the risks of the properties?", 0),
    ],
)
def test_as_many_documents_as_are_counted_are_named(question: str, named: int) -> None:
    asked = read(question, documents=MEMOS)
    assert asked.documents == tuple(each.id for each in MEMOS[:named])
    assert asked.document_ids == ()


def test_wider_queries_ask_for_lists_and_kinds() -> None:
    assert wider_queries("List all packages available in 2025", intent="list") == (
        "packages available in 2025 list examples",
        "packages available in 2025 types categories",
        "packages available in 2025 overview",
    )


def test_wider_queries_ask_for_an_overview_of_one_thing() -> None:
    question = "Summarize the annual report"
    assert wider_queries(question, intent="synthesis") == ("annual report overview",)
    assert parts_of(question, intent="synthesis") == ()


def test_wider_queries_are_made_where_they_are_wanted() -> None:
    question = "Summarize the annual report"
    assert make_plan(read(question)).queries == (question,)
    assert make_plan(read(question), wider=True).queries == (question, "annual report overview")


def test_each_year_is_asked_for() -> None:
    assert parts_of("Summarize revenue in 2021 and 2022", intent="synthesis") == (
        "revenue in 2021",
        "revenue in 2022",
    )


def test_more_items_than_queries_share_the_last() -> None:
    made = parts_of("Summarize Aa, Bb, Cc, Dd, Ee and Ff", intent="synthesis")
    assert len(made) == MAX_SUB_QUERIES
    assert made[-1] == "Dd Ee Ff"


def test_a_lookup_is_one_query() -> None:
    assert make_plan(read("Who signs?")).queries == ("Who signs?",)


@pytest.mark.parametrize("question", ["", "   ", "?!", "…", "\n\t"])
def test_a_question_without_words_is_refused(question: str) -> None:
    with pytest.raises(EmptyQuestion):
        read(question)


def test_an_enormous_question_is_searched_by_its_ends() -> None:
    (query,) = make_plan(read(f"Rent {'lease ' * 100_000} deposit")).queries
    assert QUERY_CHARS - 20 < len(query) <= QUERY_CHARS
    assert (query.split()[0], query.split()[-1]) == ("Rent", "deposit")
    assert len(make_plan(read("x" * 100_000)).queries[0]) <= QUERY_CHARS


@pytest.mark.parametrize("text", ["{page} {question}", "{question} {page}"])
def test_a_question_beside_a_pasted_page_is_what_is_searched_for(text: str) -> None:
    page = "The minutes were read and approved by those present. " * 250
    question = "Who has to insure the building?"
    asked = read(text.format(page=page, question=question), vectors=vectors)
    assert asked.whole == question


def test_a_named_document_is_preferred() -> None:
    asked = read("What is the cap rate of Property A?", documents=MEMOS)
    assert (asked.document_ids, asked.documents) == ((), (MEMOS[0].id,))


def test_a_document_named_in_full_is_searched_alone() -> None:
    asked = read("What is the cap rate in Property_A_Offering_Memo.pdf?", documents=MEMOS)
    assert asked.document_ids == asked.documents == (MEMOS[0].id,)


def test_terms_are_searched_by_their_other_names_too() -> None:
    assert make_plan(read("What is the cap rate?")).queries == (
        "What is the cap rate?",
        "capitalization rate, capitalisation rate",
    )


def test_terms_are_searched_by_the_names_that_documents_give_them() -> None:
    defined = [("GMV", "Gross Merchandise Volume"), ("PA", "prior authorization")]
    assert make_plan(read("How did GMV grow?"), definitions=defined).queries == (
        "How did GMV grow?",
        "How did gross merchandise volume grow?",
    )
    assert make_plan(read("Is prior authorization needed?"), definitions=defined).queries == (
        "Is prior authorization needed?",
        "Is PA needed?",
    )


def test_the_name_of_a_document_is_not_exchanged() -> None:
    asked = read("Who manages Property A?", documents=MEMOS)
    assert make_plan(asked, definitions=[("PA", "Property A")]).queries == (asked.whole,)


def test_a_sentence_on_how_to_answer_is_not_searched_for() -> None:
    text = "Is rent due? If it is not useful, please state that and explain why."
    asked = read(text, vectors=vectors)
    assert make_plan(asked).queries == ("Is rent due?",)
    assert asked.instructions == ("If it is not useful, please state that and explain why.",)


def test_a_document_that_was_not_chosen_is_not_searched() -> None:
    asked = read("Cap rate of Property A?", documents=MEMOS, document_ids=[MEMOS[1].id])
    assert asked.document_ids == (MEMOS[1].id,)
    assert asked.documents == ()


@pytest.mark.parametrize(
    ("question", "chosen", "beside"),
    [
        ("Cap rate of Property A?", [MEMOS[1]], ["Property_A_Offering_Memo.pdf"]),
        ("Cap rate of Property A?", [MEMOS[0]], []),
        ("Cap rate of Property A?", [], []),
        ("What is the cap rate?", [MEMOS[1]], []),
        ("Do Property A and Property B differ?", [MEMOS[1]], ["Property_A_Offering_Memo.pdf"]),
    ],
)
def test_a_document_that_is_named_and_not_chosen_is_told(
    question: str, chosen: list[Document], beside: list[str]
) -> None:
    ids = [each.id for each in chosen]
    asked = read(question, documents=MEMOS, document_ids=ids)
    assert [name for each in asked.not_asked for name in each.documents] == beside


def test_a_topic_that_a_file_is_called_by_is_not_told() -> None:
    named = "Acme-EX-10.2-INTELLECTUAL PROPERTY AGREEMENT between ACME and BOLT.pdf"
    files = documents(named, "Reseller Agreement.pdf")
    question = "Who owns the intellectual property?"
    assert read(question, documents=files, document_ids=[files[1].id]).not_asked == ()


def test_what_names_a_chosen_document_too_is_not_told() -> None:
    asked = read("Is Boeing solvent?", documents=FILINGS, document_ids=[FILINGS[0].id])
    assert asked.not_asked == ()


def test_a_part_without_a_word_to_look_for_is_none() -> None:
    assert parts_of("List the, and the", intent="list") == ()
    assert parts_of("Summarise ; and the rent", intent="synthesis") == ("the rent",)


def test_a_naming_in_part_prefers_nothing() -> None:
    plans = documents("Northwind_Health_Plus.pdf", "Northwind_Standard.pdf")
    asked = read("What does Northwind Health pay for?", documents=plans)
    assert (asked.document_ids, asked.documents) == ((), ())


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Compare Property A with Property B", ("Property A", "Property B")),
        ("compare Lease 1 and Lease 2 on rent", ("Lease 1", "Lease 2")),
        ("Lease 1 vs Lease 2", ("Lease 1", "Lease 2")),
        ("What differs between Lease 1 and Lease 2?", ("Lease 1", "Lease 2")),
        ("Compare A.pdf, B.pdf and C.pdf", ("A.pdf", "B.pdf", "C.pdf")),
        ("What is the rent?", ()),
    ],
)
def test_sides_of_a_comparison(question: str, sides: tuple[str, ...]) -> None:
    assert compared(question) == sides


@pytest.mark.parametrize(
    "question",
    [
        "Compare Property A with Property B",
        "compare property a and property b",
        "Compare the cap rates of Proprety A and Property B",
        "Property A vs. Property B on NOI",
        "What is the difference between Property A and Property B in terms of price?",
    ],
)
def test_compared_documents_are_those_named(question: str) -> None:
    assert compared_documents(question, MEMOS) == tuple(MEMOS[:2])
    assert read(question, documents=MEMOS).document_ids == (MEMOS[0].id, MEMOS[1].id)


def test_one_name_and_two_years_are_two_documents() -> None:
    found = compared_documents("Compare Boeing's revenue in 2018 and 2022", FILINGS)
    assert found == tuple(FILINGS[:2])


@pytest.mark.parametrize(
    "question", ["Compare revenue and costs", "Compare Q1 and Q2", "What is the cap rate?"]
)
def test_a_comparison_of_other_things_compares_no_documents(question: str) -> None:
    assert compared_documents(question, MEMOS) == ()


def test_an_unknown_or_ambiguous_side_is_asked_about() -> None:
    with pytest.raises(UnknownDocument, match="Property Z"):
        compared_documents("Compare Property A and Property Z", MEMOS)
    with pytest.raises(AmbiguousDocument, match="Boeing"):
        compared_documents("Compare Boeing and Verizon", FILINGS)


@settings(deadline=None)  # a busy machine is no fault
@given(st.text(max_size=200))
def test_any_text_has_a_plan_or_is_empty(question: str) -> None:
    try:
        asked = read(question, documents=[*MEMOS, *FILINGS])
    except EmptyQuestion:
        assert not any(map(str.isalnum, question))
    except NoSubject:
        assert keywords(question) == []
    else:
        assert asked.text == question
        plan = make_plan(asked)
        assert 1 <= len(plan.queries) <= 2 + MAX_SUB_QUERIES
        assert len(set(plan.queries)) == len(plan.queries)
        assert set(asked.parts) <= set(plan.queries[1:])


@pytest.mark.parametrize("question", ["What is it?", "the of and", "Why?", "a"])
def test_stop_words_alone_are_no_question(question: str) -> None:
    with pytest.raises(NoSubject, match="no word to search for"):
        read(question)


@pytest.mark.parametrize(
    "question", ["Какой срок аренды?", "什么是免赔额？", 'rent" OR NEAR(1 2) *', "rent " * 50_000]
)
def test_any_other_words_are_planned(question: str) -> None:
    assert make_plan(read(question)).queries[0]


def test_an_acronym_is_read_spelt_out_too() -> None:
    assert make_plan(read("What is the WALT?")).renamed == (
        "What is the weighted average lease term?",
    )


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Who is the contractor and when must they finish?",
            ("Who is the contractor", "When must the contractor finish?"),
        ),
        (
            "How much is the late fee and when does it start to apply?",
            ("How much is the late fee", "When does the late fee start to apply?"),
        ),
        ("How large is the loan and what is its interest rate?", ()),
        ("What is the deposit and what are the exceptions?", ()),
        ("How long and how far is the non-compete?", ()),
    ],
)
def test_of_two_questions_the_second_is_made_whole(question: str, parts: tuple[str, ...]) -> None:
    assert parts_of(question, intent="lookup") == parts
