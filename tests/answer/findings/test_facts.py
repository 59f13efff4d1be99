"""Key facts: a document's own summary, and one fact held against other documents'."""

from dataclasses import replace

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.findings.extractive import answer_from
from docqa.ingest.tables.build import tables_of
from docqa.question.read import read
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer
from docqa.types.search import Hit
from tests.answer.findings.judged import means
from tests.answer.passages import block, document, found, hit, row, with_tables


def facts(name: str, *rows: tuple[str, str]) -> Hit:
    return hit(
        block("Key facts", 2, "heading"),
        row("Item", name, page=2, header=True),
        *(row(label, value, page=2) for label, value in rows),
        of=document(f"{name}.pdf"),
        headings=("Key facts",),
    )


ALDER = facts(
    "Alder", ("Purchase price", "$19,400,000"), ("Price per square foot", "$237"),
    ("Occupancy", "94.6%"), ("Net operating income, 2024", "$1,200,000"),
)  # fmt: skip
LARK = facts(
    "Larkspur", ("Purchase price", "$19,000,000"), ("Price per square foot", "$297"),
    ("Occupancy", "98.1%"), ("Net operating income, 2024", "$1,100,000"),
)  # fmt: skip
FOREIGN = facts("Rhein", ("Purchase price", "€9,000,000"), ("Occupancy", "90.0%"))


def ask(question: str, *hits: Hit) -> Answer:
    """The question asked of documents that the search found nothing of but their key facts."""
    documents = [each.document for each in hits]
    made = {each.document.id: with_tables([each])[0] for each in hits}
    blocks = {key: list(each.chunk.blocks) for key, each in made.items()}
    known = replace(
        means(),
        tables=lambda key: tables_of(key, blocks[key]),
        blocks=blocks.__getitem__,
        documents=lambda ids: [each for each in documents if not ids or each.id in ids],
    )
    result = found(question, tuple(made.values()))
    plan = replace(result.plan, question=read(question, documents=documents))
    return answer_from(replace(result, plan=plan), settings=DEFAULTS, means=known)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which property has the highest occupancy?", "Larkspur: Occupancy, 98.1%"),
        ("Which property has the lowest price per square foot?", "Alder: Price per square foot"),
        ("Which property has the lower purchase price?", "Larkspur: Purchase price, $19,000,000"),
        (
            "What is the combined purchase price of Alder and Larkspur?",
            "Sum, Purchase price: $19,400,000 + $19,000,000 = $38,400,000",
        ),
        (
            "What is the total NOI of Alder and Larkspur?",
            "Sum, Net operating income, 2024: $1,200,000 + $1,100,000 = $2,300,000",
        ),
        (
            "What is the average occupancy of Alder and Larkspur?",
            "Average, Occupancy: (94.6% + 98.1%) ÷ 2 = 96.35%",
        ),
        (
            "How much higher is the purchase price of Alder than that of Larkspur?",
            "Difference, Purchase price (Alder − Larkspur): $19,400,000 − $19,000,000 = $400,000 ",
        ),
        (
            "How much does Alder's purchase price exceed Larkspur's?",
            "Difference, Purchase price (Alder − Larkspur): $19,400,000 − $19,000,000 = $400,000 ",
        ),
        (
            "What is the difference in price per square foot between Alder and Larkspur?",
            "Difference, Price per square foot (Larkspur − Alder): $297 − $237 = $60 ",
        ),
    ],
)
def test_a_fact_is_held_against_that_of_other_documents(question: str, first: str) -> None:
    given = ask(question, ALDER, LARK)
    assert given.text.startswith(first)
    assert {each.document for each in given.citations} == {"Alder.pdf", "Larkspur.pdf"}
    assert verify_answer(given, question=question).problems == []


def test_of_a_row_with_several_amounts_the_one_in_the_unit_asked_for_is_taken() -> None:
    others = (("Term", "9 years"), ("Occupancy", "94.6%"), ("Area", "8,400 square feet"))
    dock, mill = (
        facts(name, ("Rent", f"{rent} per annum ({each} per square foot)"), *others)
        for name, rent, each in (("Dock", "£592,500", "£50.00"), ("Mill", "£302,400", "£36.00"))
    )
    given = ask("How much lower is the rent per square foot at Mill than at Dock?", dock, mill)
    assert given.text.startswith("Difference, Rent (Dock − Mill): £50.00 per square foot − £36.00")
    assert " = £14 per square foot [" in given.text
    assert verify_answer(given).problems == []


@pytest.mark.parametrize(
    ("question", "hits"),
    [
        ("What is the combined purchase price of Alder and Rhein?", (ALDER, FOREIGN)),
        ("What is the total NOI of Alder and Larkspur in 2023?", (ALDER, LARK)),
        ("What is the occupancy of Alder and Larkspur?", (ALDER, LARK)),
        ("Which property has the highest parking ratio?", (ALDER, LARK)),
    ],
)
def test_what_is_of_other_units_years_or_kinds_is_not_added(
    question: str, hits: tuple[Hit, ...]
) -> None:
    text = ask(question, *hits).text
    assert "Sum" not in text
    assert "of these:" not in text


def test_facts_asked_for_by_their_names_are_told_each() -> None:
    given = ask("What are the occupancy and the purchase price of Larkspur?", LARK)
    assert given.text.startswith(
        "Key facts:\n- Purchase price: $19,000,000 [S1.3]\n- Occupancy: 98.1%"
    )
    assert len(given.citations) == 2
    beside = ask("What do the occupancy and the purchase price of Larkspur depend on?", LARK)
    assert not beside.text.startswith("Key facts")


def test_the_summary_of_a_document_is_its_key_facts() -> None:
    given = ask("Summarize Larkspur.", LARK)
    assert given.text.startswith("Key facts:\n- Purchase price: $19,000,000 [S1.3]\n")
    assert len(given.citations) == 4
    assert not ask("Summarize the insurance of Larkspur.", LARK).text.startswith("Key facts:")
