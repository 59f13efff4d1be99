"""Questions that lean on the one before them, made whole without a model."""

import pytest

from docqa.answer.findings.extractive import answer
from docqa.question.followup import resolved
from docqa.question.read import read
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer, Message
from tests.answer.findings.judged import means
from tests.answer.passages import Searches, hit, row, with_tables
from tests.bundled import vectors
from tests.retrieve.passages import documents


def said(*questions: str) -> list[Message]:
    return [m for each in questions for m in (Message("user", each), Message("assistant", "5."))]


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        (
            "What is the rent of the Kent lease?",
            "And the other lease?",
            "What is the rent of the @ lease?",
        ),
        (
            "What is the rent of the Kent lease?",
            "and the other one?",
            "What is the rent of the @ lease?",
        ),
        (
            "What is the rent of the Kent lease?",
            "How does that compare with the Orrin lease?",
            "What is the rent of the Kent lease and the Orrin lease?",
        ),
        (
            "What is the rent in each lease?",
            "Which is higher?",
            "Which has the higher rent in each lease?",
        ),
        (
            "What is the occupancy of Lease A and Lease B?",
            "which one is the lowest",
            "Which has the lowest occupancy of Lease A and Lease B?",
        ),
    ],
)
def test_the_other_of_two_and_the_two_together(before: str, question: str, whole: str) -> None:
    two = documents("Lease_Kent_Yard.pdf", "Lease_Orrin_Tower.pdf", "Report_2024.pdf")
    expected = whole.replace("@", "orrin tower")
    assert resolved(question, said(before), two) == expected


def test_the_other_of_three_is_not_known() -> None:
    three = documents("Lease_Kent.pdf", "Lease_Orrin.pdf", "Lease_Yare.pdf")
    whole = resolved("And the other lease?", said("What is the rent of the Kent lease?"), three)
    assert not any(name in whole for name in ("orrin", "yare"))


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("What is the rent of Lease A?", "And in Lease B?", "What is the rent of Lease B?"),
        ("What is the rent?", "And in Lease B?", "What is the rent in Lease B?"),
        (
            "What was the NOI of Property A in 2024?",
            "And for Property B?",
            "What was the NOI of Property B in 2024?",
        ),
        (
            "What was the Net Income of Larkspur Holdings in 2021?",
            "And of Orrin Group?",
            "What was the Net Income of Orrin Group in 2021?",
        ),
        ("What is the CAPEX of Kent Rail?", "And Orrin?", "What is the CAPEX of Orrin?"),
        ("What are the risks of buying Property A?", "And for Property B?", "@Property B?"),
        ("What are the risks of buying Property A?", "and property b?", "@property b?"),
        (
            "What is the governing law of the Penhallow lease?",
            "Same for the Orrin lease",
            "What is the governing law of the Orrin lease?",
        ),
        (
            "What was Apple's revenue in 2022?",
            "And Microsoft's?",
            "What was Microsoft's revenue in 2022?",
        ),
        (
            "What was Apple's revenue in 2022?",
            "What about Microsoft?",
            "What was Microsoft's revenue in 2022?",
        ),
        (
            "What does clause 5 of the Harbour Yard lease say?",
            "And clause 7?",
            "What does clause 7 of the Harbour Yard lease say?",
        ),
        (
            "What does section 5.2 say on assignment?",
            "And 9.1?",
            "What does section 9.1 say on assignment?",
        ),
        ("Who is the tenant of Suite 200?", "And of Suite 310?", "Who is the tenant of Suite 310?"),
        ("When can the tenant terminate?", "And the landlord?", "When can the landlord terminate?"),
        (
            "What are the landlord's obligations?",
            "And the tenant's?",
            "What are the tenant's obligations?",
        ),
        ("Summarize Lease A", "And Lease B", "Summarize Lease B"),
    ],
)
def test_a_name_takes_the_place_of_the_one_before(before: str, question: str, whole: str) -> None:
    expected = whole.replace("@", "What are the risks of buying ")
    assert resolved(question, said(before)) == expected


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("What was NOI in FY2024?", "And in 2023?", "What was NOI in 2023?"),
        ("What was NOI in 2024?", "in 2020?", "What was NOI in 2020?"),
        ("What was NOI in 2024?", "And the year before?", "What was NOI in 2023?"),
        ("What was NOI in 2024?", "And the next year?", "What was NOI in 2025?"),
        ("What was NOI in Q1 2023?", "And the quarter before?", "What was NOI in Q4 2022?"),
        ("What was net income in 2021 and 2022?", "And in 2020?", "What was net income in 2020?"),
        ("What was net income?", "And in 2020?", "What was net income in 2020?"),
        (
            "What were total assets in 2021?",
            "And what were they in 2020?",
            "What were total assets in 2020?",
        ),
        ("What is the deposit of Lease A?", "And the rent?", "What is the rent of Lease A?"),
        (
            "What is the deposit of Lease A?",
            "And who are the parties?",
            "Who are the parties of Lease A?",
        ),
        (
            "Is there a termination clause in the Acme agreement?",
            "And an indemnity clause?",
            "Is there an indemnity clause in the Acme agreement?",
        ),
        (
            "How much did Boeing spend on research in 2022?",
            "And on marketing?",
            "How much did Boeing spend on marketing in 2022?",
        ),
        (
            "What was Apple's revenue in 2022?",
            "And their net income?",
            "What was Apple's net income in 2022?",
        ),
        (
            "What was Apple's revenue in 2022?",
            "And their net income the year before?",
            "What was Apple's net income in 2021?",
        ),
        (
            "Compare Property A and Property B",
            "And on price?",
            "Compare Property A and Property B on price?",
        ),
    ],
)
def test_another_year_or_another_thing_is_asked_and_the_rest_stays(
    before: str, question: str, whole: str
) -> None:
    assert resolved(question, said(before)) == whole


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        pytest.param(
            "What is the rent of Lease A?",
            "When can the tenant end it?",
            "When can the tenant end Lease A?",
            marks=pytest.mark.xfail(strict=True, reason="ends “the rent of Lease A”"),
        ),
        (
            "What was Apple's revenue?",
            "How many employees does it have?",
            "How many employees does Apple have?",
        ),
        (
            "What is the management fee of Property A?",
            "How is it calculated?",
            "How is the management fee of Property A calculated?",
        ),
        (
            "What is the management fee of Property A?",
            "Who receives that fee?",
            "Who receives the management fee of Property A?",
        ),
        (
            "Compare Lease A and Lease B",
            "What are their deposits?",
            "What are Lease A and Lease B's deposits?",
        ),
        pytest.param(
            "What is the rent of Lease A?",
            "Who owns this lease?",
            "Who owns Lease A?",
            marks=pytest.mark.xfail(strict=True, reason="taken to stand alone"),
        ),
        (
            "What was the purchase price of Bridge House?",
            "When was this house built?",
            "When was Bridge House built?",
        ),
        ("Did revenue fall in 2022?", "Why?", "Why did revenue fall in 2022?"),
        ("How is bad debt provided for?", "Who bears it?", "Who bears bad debt provided for?"),
    ],
)
def test_a_pronoun_stands_for_a_name_or_for_what_was_asked(
    before: str, question: str, whole: str
) -> None:
    assert resolved(question, said(before)) == whole


@pytest.mark.parametrize(
    "question",
    [
        "Which loan has the highest balance and when does it mature?",
        "Who is the largest tenant, and how much space do they have?",
        "Is there a cap on liability?",
        "Has Acme improved its margin?",
        "What is the deposit in Lease B?",
        "quick ratio 2022",
        "What does the tenant that pays the rent owe?",
        "Who is endorsing and how much is he paid?",
        "Which tenant has the most space and when does its lease end?",
    ],
)
def test_a_question_that_stands_alone_stays_as_it_is(question: str) -> None:
    assert resolved(question, said("What is the rent of Lease A in 2021?")) == question
    assert resolved("And in 2023?", []) == "And in 2023?"


def test_whose_it_is_may_stand_in_the_question_itself() -> None:
    before = said("What is the notice period?")
    for question in (
        "Can the customer cancel early and get its money back?",
        "Must each tenant insure their goods?",
    ):
        assert resolved(question, before, ()) == question
    named = said("What was Apple's revenue in 2022?")
    assert "Apple's guidance" in resolved("Did the company raise its guidance?", named, ())


@pytest.mark.parametrize(
    "question",
    [
        "What were total revenues and how much did they grow?",
        "What is the deposit and when is it refundable?",
    ],
)
def test_what_a_question_asks_for_first_is_what_it_goes_on_about(question: str) -> None:
    history = [Message("user", "What was Apple's margin in 2022?"), Message("assistant", "5.")]
    assert resolved(question, history) == question
    assert "Apple" in resolved("What is its rent and when is it due?", history)


def test_a_chain_of_follow_ups_goes_back_to_the_whole_question() -> None:
    before = said("What is the rent of Lease A? Round to whole dollars.", "And in Lease B?")
    asked = read("And the deposit?", history=before, vectors=vectors)
    assert asked.whole == "What is the deposit of Lease B?"
    assert resolved("And in 2023?", said("And in 2022?")) == "And in 2023?"


def test_a_question_never_comes_to_the_one_before_it() -> None:
    before = said("how far over budget were pears?")
    asked = read("wages over budget, %", history=before, vectors=vectors)
    assert "wages over budget" in asked.whole


def test_a_document_is_known_by_its_name_in_lower_case() -> None:
    leases = documents("Lease_Bishopsgate_Tower.pdf", "Lease_Harbour_Yard.pdf")
    before = said("What is the rent of bishopsgate tower?")
    asked = read("and harbour yard?", history=before, documents=leases)
    assert asked.whole == "What is the rent of harbour yard?"
    assert asked.documents == (leases[1].id,)
    assert asked.text == "and harbour yard?"


def test_documents_named_before_are_those_compared() -> None:
    leases = documents("Lease_Bishopsgate_Tower.pdf", "Lease_Harbour_Yard.pdf")
    before = said("What are the deposits of Bishopsgate Tower and Harbour Yard?")
    asked = read("Compare them", history=before, documents=leases, opening=lambda document: "")
    assert list(asked.compared.documents) == leases


def test_an_answer_without_a_model_knows_what_was_asked_before() -> None:
    assets = hit(row("", "2021", "2020", header=True), row("Total assets", "$181,476", "$154,229"))
    search = Searches(*with_tables([assets, hit("The year 2020 was hard on all of us.", index=1)]))
    history = said("What were total assets in 2021?")
    asked = read("And what were they in 2020?", history=history)
    *_, given = answer(asked, search=search, settings=DEFAULTS, means=means())
    assert isinstance(given, Answer)
    assert given.text.splitlines()[0] == "Total assets, 2020: $154,229 [S1.2]"
    assert search.asked[0][0] == "What were total assets in 2020?"


@pytest.mark.parametrize(
    "question",
    [
        "How long does it take for a notice sent by post to be served?",
        "What would it cost if the tenant breaks the lease?",
        "Is it possible to sublet the whole?",
        "Does it matter whether the notice is signed?",
    ],
)
def test_it_that_stands_for_nothing_is_left(question: str) -> None:
    assert resolved(question, said("What is the rent deposit of Lease A?")) == question


def test_it_that_costs_or_takes_something_stands_for_what_was_asked() -> None:
    asked = resolved("How much does it cost?", said("What is the management fee of Property A?"))
    assert asked == "How much does the management fee of Property A cost?"


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        (
            "How much notice would Ms Hale have to give?",
            "And the employer?",
            "How much notice would the employer have to give?",
        ),
        (
            "How long does the tenant have to remedy a breach?",
            "And for the landlord?",
            "How long does the landlord have to remedy a breach?",
        ),
        ("What was revenue in Q3 2025?", "And a year ago?", "What was revenue in Q3 2024?"),
        ("What was revenue in Q1 2025?", "and the quarter before?", "What was revenue in Q4 2024?"),
        ("What was the dividend for 2025?", "and a year ago?", "What was the dividend for 2024?"),
    ],
)
def test_another_party_acts_and_another_time_is_counted_back(
    before: str, question: str, whole: str
) -> None:
    assert resolved(question, said(before)) == whole


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        (
            "What did insurance cost in 2025 compared with 2024?",
            "By how much did fuel miss its budget?",
            "By how much did fuel miss its budget?",
        ),
        ("What is the guarantor's liability?", "Termination for convenience",
         "Termination for convenience"),
        ("What interest does the Alder loan bear?", "Which suppliers failed their audits?",
         "Which suppliers failed their audits?"),
        ("What is the deposit of the florist?", "and the hairdresser",
         "What is the deposit of the hairdresser?"),
        ("Which leases expire before 2028?", "only those with a break",
         "Which leases expire before 2028 with a break?"),
        ("How many vans does the Exeter depot have?", "Are they electric?",
         "Are the vans of the Exeter depot electric?"),
        ("Where is the deposit held?", "Compare the deposit of the leases",
         "Compare the deposit of the leases"),
        ("What is the excess of the Wetherden policy?", "List the excesses of all policies",
         "List the excesses of all policies"),
        ("what is the rent of unit 4", "who is the landlord of unit 9",
         "who is the landlord of unit 9"),
        ("How many berths has the Oulu site?", "and turku?",
         "How many berths has the turku site?"),
        ("What was EBITDA in 2023?", "and what drove the increase?",
         "What drove the increase of EBITDA in 2023?"),
        ("What was the energy use at Tilbury in 2023?", "22?",
         "What was the energy use at Tilbury in 2022?"),
    ],
)  # fmt: skip
def test_a_follow_up_is_told_by_what_its_words_mean(before: str, question: str, whole: str) -> None:
    told = resolved(question, said(before), vectors=vectors)
    assert told.rstrip("?").casefold() == whole.rstrip("?").casefold()
