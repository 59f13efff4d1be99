"""Topics found in sentences, quoted whole, and absences said with where to look."""

import pytest

from docqa.compare.terms import (
    Sentence,
    binds,
    compare_terms,
    note_of,
    paragraphs,
    sentences_of,
    side_of,
)
from docqa.compare.topics import TOPICS, overall_topics, topics_asked
from docqa.types.comparison import TermSide
from docqa.types.document import Block
from tests.compare.pages import block, document, table

A, B = document("a"), document("b")
BY_NAME = {topic.name: topic for topic in TOPICS}


def read(blocks: dict[str, list[Block]]) -> dict[str, list[Sentence]]:
    return {each: sentences_of(own) for each, own in blocks.items()}


def quote(topic: str, *blocks: Block) -> str:
    return side_of(BY_NAME[topic], A, sentences_of(blocks)).quote


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        ("Governing law", "This lease is governed by the law of Scotland."),
        ("Governing law", "The laws of the State of Ohio shall govern this Agreement."),
        ("Term", "The Landlord lets the Premises to the Tenant for a term of 10 years."),
        ("Term", "This Agreement shall remain in full force and effect for three (3) years."),
        ("Renewal", "The term shall automatically renew for successive one-year periods."),
        (
            "Notice of non-renewal",
            "It renews each year unless either party gives notice at least 30 days before expiry.",
        ),
        ("Termination for convenience", "Either party may terminate this Agreement without cause."),
        (
            "Termination for breach",
            "The Landlord may end this lease if the Tenant is in breach, "
            "and may terminate it at once on default.",
        ),
        ("Assignment", "Neither party may assign this Agreement without prior written consent."),
        ("Liability cap", "The Supplier's total liability shall not exceed the fees paid."),
        ("Exclusivity", "Host shall be the exclusive provider of the services."),
        ("Non-compete", "The Consultant shall not compete with the Company for one year."),
        ("Licence", "Licensor hereby grants to Licensee a non-exclusive license to the Software."),
        ("Insurance", "The Provider shall maintain commercial general liability insurance."),
        ("Audit rights", "The Customer may audit the books and records of the Provider."),
        ("Liquidated damages", "The parties agree to liquidated damages of $500 a day."),
        ("Warranty period", "Vendor warrants the Software for a period of ninety days."),
        ("Governing law", "This Agreement shall be construed in accordance with English law."),
        ("After termination", "Support shall continue after the expiration of this Agreement."),
        ("Effective date", "This Agreement, made this 30th day of April (the “Effective Date”)."),
        ("Deposit", "The Tenant shall pay the Landlord a deposit of £75,600."),
        ("Interest on late payment", "Sums past due bear interest at 8% a year."),
        ("Interest on late payment", "Interest at 1% a month accrues on late payments."),
        ("Confidentiality", "Each party shall keep the terms confidential."),
    ],
)
def test_a_sentence_settles_its_topic(topic: str, sentence: str) -> None:
    assert quote(topic, block("Something else is said."), block(sentence)) == sentence


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        ("Governing law", "Disclosure to a governmental agency under federal law is allowed."),
        ("Liability cap", "Gunston is a Virginia limited liability company, with no maximum."),
        ("Exclusivity", "The courts of Ohio have exclusive jurisdiction."),
        ("Termination for convenience", "Clause 4 survives termination for any reason."),
        ("Non-compete", "The Consultant represents that no non-competition agreement binds him."),
        ("Assignment", "A general assignment for the benefit of creditors is a default."),
        ("Assignment", "The importer shall not process the personal data transferred to it."),
        ("Renewal", "Verify that the mechanism can be extended to include strong passwords."),
        ("Interest on late payment", "The Landlord shall hold the deposit and pay interest on it."),
        ("Rent review", "Logs are sent to a remote system for detection and escalation."),
    ],
)
def test_what_only_sounds_like_a_topic(topic: str, sentence: str) -> None:
    assert quote(topic, block(sentence)) == ""


@pytest.mark.parametrize(
    ("topic", "weaker", "plainer"),
    [
        (
            "Assignment",
            "The Consultant shall not copy, transfer or transmit Confidential Information.",
            "The Consultant may not sell, assign or delegate any rights under this Agreement.",
        ),
        (
            "Governing law",
            "Termination is subject to any remedies under this Agreement or in law.",
            "The parties agree that this Agreement is construed in accordance with English law.",
        ),
        (
            "Effective date",
            "Commencing on 20 August 2020, the fee shall be $8,500 per calendar month.",
            "THIS AGREEMENT made this 30th day of April (the “Effective Date”) between the parties",
        ),
    ],
)
def test_what_says_it_more_plainly_is_quoted(topic: str, weaker: str, plainer: str) -> None:
    assert quote(topic, block(weaker), block(plainer)) == plainer


def test_a_clause_printed_as_a_heading_is_quoted() -> None:
    bold = "Customer may terminate this Agreement, or any portion of it, for convenience by:"
    title = block("Termination for Convenience", kind="heading")
    assert quote("Termination for convenience", title, block(bold, kind="heading")) == bold


def test_a_quote_does_not_begin_with_the_sign_of_its_list() -> None:
    item = block("◦ The Tenant has to pay the deposit.", kind="list")
    assert quote("Deposit", item) == "The Tenant has to pay the deposit."


def test_a_heading_alone_settles_nothing_but_helps() -> None:
    title = block("Deposit", kind="heading")
    weak = block("The Tenant has to pay a deposit.")
    strong = block("The Tenant has to pay the deposit.")
    assert quote("Deposit", title) == ""
    assert quote("Governing law", block("Governing Law", kind="heading")) == ""
    assert quote("Deposit", weak, title, strong) == strong.text


def test_what_comes_nearest_to_an_absent_topic_is_shown_with_it() -> None:
    blocks = [block("It speaks of courts.", page=1), block("The laws are many.", page=7)]
    side = side_of(BY_NAME["Governing law"], A, sentences_of(blocks))
    assert (side.quote, side.nearest_page) == ("", 7)
    assert side.nearest_quote == "The laws are many."


def test_a_sentence_over_a_page_end_is_whole_and_cites_both_blocks() -> None:
    blocks = [
        block("It binds both. This Agreement shall be governed by", page=3, index=0),
        block("3", page=3, kind="footer", index=1),
        block("the laws of the State of Ohio. Notices are in writing.", page=4, index=2),
    ]
    side = side_of(BY_NAME["Governing law"], A, sentences_of(blocks))
    assert side.quote == "This Agreement shall be governed by the laws of the State of Ohio."
    assert [each.page for each in side.blocks] == [3, 4]
    assert side.page == 3


def test_paragraphs_keep_headings_and_rows_apart() -> None:
    blocks = [
        block("Rent", kind="heading"),
        block("the rent is"),
        block("due monthly."),
        *table("a | b", "c | d"),
    ]
    grouped = [" ".join(each.text for each in group) for group in paragraphs(blocks)]
    assert grouped == ["Rent", "the rent is due monthly.", "a | b", "c | d"]


def test_sides_are_set_against_each_other() -> None:
    blocks = {
        A.id: [block("This lease is governed by the law of Scotland.", page=4)],
        B.id: [block("It speaks of courts.", page=1), block("Courts, laws, courts.", page=7)],
    }
    topics = [BY_NAME["Governing law"], BY_NAME["Insurance"]]
    [row] = compare_terms([A, B], read(blocks), topics)
    assert (row.topic, row.note) == ("Governing law", "only in a.pdf")
    assert [side.page for side in row.sides] == [4, 0]
    assert row.sides[1].nearest_page == 7


def test_the_same_wording_is_said_to_be_the_same() -> None:
    one = [block("This lease is governed by the law of Scotland.")]
    other = [block("This Lease  is governed by the law of Scotland .")]
    topics = [BY_NAME["Governing law"]]
    [row] = compare_terms([A, B], read({A.id: one, B.id: other}), topics)
    assert row.note == "same wording"


def test_what_likely_settles_a_topic_is_not_said_to_be_missing() -> None:
    said = TermSide("id-a", "a.pdf", "Invoices are payable within 30 days.")
    likely = TermSide("id-b", "b.pdf", nearest_page=2, nearest_quote="Due in May.", likely=True)
    assert note_of([said, likely]) == "nearest, worded differently"
    assert note_of([said, likely, TermSide("id-c", "c.pdf")]) == "only in a.pdf and b.pdf"


def test_a_hyphen_is_no_difference() -> None:
    texts = (
        "A copy is sent by e-mail to the sub-tenant.",
        "A copy is sent by email to the subtenant.",
    )
    assert note_of([TermSide("id", "a.pdf", each) for each in texts]) == "same wording"


def test_a_question_names_its_topics() -> None:
    names = [topic.name for topic in topics_asked("Compare governing law and the deposit")]
    assert names == ["Governing law", "Deposit"]
    assert topics_asked("Compare the cap rates") == ()
    assert {topic.name for topic in overall_topics()} >= {"Governing law", "Renewal", "Assignment"}


def test_contracts_bind_and_reports_do_not() -> None:
    lease = [block("The Tenant shall pay the rent under this lease and shall insure.")]
    memo = [block("The building is leased to six tenants and has 82,000 square feet.")]
    assert binds(lease)
    assert not binds(memo)
    assert not binds([])


def test_permissions_and_exceptions_in_the_next_clause_come_along() -> None:
    blocks = [
        block("9. Assignment", kind="heading"),
        block("9.1 The Tenant shall not assign part only of the Premises.", index=1),
        block("9.2 The Tenant may assign the whole with consent.", index=2),
        block("10. Notices", kind="heading", index=3),
        block("10.1 Notice of an assignment is given in writing.", index=4),
    ]
    [row] = compare_terms([A], read({A.id: blocks}), [BY_NAME["Assignment"]])
    assert row.sides[0].quote == f"{blocks[1].text} {blocks[2].text}"
    assert row.sides[0].blocks == (blocks[1], blocks[2])


def test_all_that_stands_under_a_topics_own_heading_comes_along() -> None:
    blocks = [
        block("6. Security Deposit", kind="heading"),
        block("6.1 The Tenant shall pay the Landlord a deposit of £75,600.", index=1),
        block("6.2 It is returned within 60 days.", index=2),
    ]
    [row] = compare_terms([A], read({A.id: blocks}), [BY_NAME["Deposit"]])
    assert row.sides[0].quote.endswith("within 60 days.")


def test_a_quote_comes_with_the_chance_that_it_settles_the_topic() -> None:
    def chance(topic: str, text: str) -> float:
        return side_of(BY_NAME[topic], A, sentences_of([block(text)])).chance

    assert chance("Governing law", "This Agreement is governed by the laws of Ohio.") > 0.9
    rare = "Support shall continue after the expiration of this Agreement."
    assert 0 < chance("After termination", rare) < 0.9
    assert chance("Confidentiality", "Each party shall keep the terms confidential.") == 1


def test_a_clauses_own_number_is_no_difference() -> None:
    def side(*texts: str) -> TermSide:
        return TermSide("a", "a.pdf", " ".join(texts), tuple(block(text) for text in texts))

    law = "Law of Ohio for 7 years."
    assert note_of([side(f"7.1 {law}"), side(f"9.1 {law}")]) == "same wording"
    assert (
        note_of([side(f"7.1 {law}", "7.2 Yes."), side(f"8. {law}", "8.2 Yes.")]) == "same wording"
    )
    assert note_of([side(f"7 {law}"), side(f"7 {law.replace('7', '8')}")]) == "differs"


def test_topics_are_named_at_the_beginning_of_a_word() -> None:
    assert topics_asked("Compare prepayment") == ()
    assert [topic.name for topic in topics_asked("Compare payments")] == ["Payment"]


def test_the_rent_is_what_it_is_defined_as_not_what_is_said_of_its_review() -> None:
    review = (
        block("5. Rent Review", kind="heading"),
        block("5.2 The reviewed rent shall be the greater of the Rent payable before and after."),
    )
    defined = block("1.2 “Principal Rent” means £186,500 per annum, as reviewed under clause 5.")
    assert quote("Rent", *review, defined) == defined.text


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        ("Term", "The obligations in this deed continue for five (5) years from its date."),
        ("Confidentiality", "The Recipient must keep the Information secret."),
    ],
)
def test_plain_words_for_what_contracts_settle(topic: str, sentence: str) -> None:
    assert quote(topic, block("English courts decide."), block(sentence)) == sentence
