"""Figures that sentences state, and the periods they are of."""

from decimal import Decimal

import pytest

from docqa.compare.sentences import sentence_figures
from docqa.types.comparison import Figure
from docqa.types.document import Block, BlockKind, Box, Document
from tests.compare.pages import block, document


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (
            "As of December 31, 2022 and 2021, the cash surrender value was $376 and $402 and the"
            " total loans were $359 and $382.",
            [
                ("cash surrender value", "December 31, 2022", "$376"),
                ("total loans", "December 31, 2022", "$359"),
            ],
        ),
        (
            "Rental expense was $10, $11 and $12 in 2020, 2021, and 2022.",
            [("Rental expense", "2020", "$10")],
        ),
        (
            "Revenue was $5 million in 2022 and $4 million in 2021.",
            [("Revenue", "2022", "$5 million")],
        ),
        (
            "The rent was $300 and $200 in 2021, and the deposit was $5 in 2022.",
            [("rent", "2021", "$300"), ("deposit", "2022", "$5")],
        ),
    ],
)
def test_amounts_and_periods_that_are_listed_belong_together_in_their_order(
    sentence: str, found: list[tuple[str, str, str]]
) -> None:
    document = Document("a", "a.pdf", 1)
    figures = sentence_figures(document, [Block(sentence, 1, Box(0, 0, 1, 1))])
    assert [(each.label, each.period, each.shown) for each in figures] == found


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("The estate consists of two buildings on 14.5 acres beside the port.", "Site area"),
        ("It occupies approximately 2 hectares near the station.", "Site area"),
        ("A plot of 9 acres comes with it.", "Site area"),
        ("Expansion land of 2.1 acres is included.", "Expansion land"),
    ],
)
def test_the_land_that_a_building_stands_on_is_its_site(sentence: str, label: str) -> None:
    figures = sentence_figures(Document("a", "a.pdf", 1), [Block(sentence, 1, Box(0, 0, 1, 1))])
    assert [each.label for each in figures] == [label]


HERE = Box(0, 0, 1, 1)
NOTES = "Acme Inc. Notes to the Consolidated Financial Statements Years ended December 31, 2022"


def under(head: str, sentence: str, *, over: str = NOTES) -> Figure:
    """The figure of a sentence in the section with this head, some blocks after it."""
    kinds: list[tuple[str, BlockKind]] = [(over, "text"), (head, "caption"), ("Note 1", "heading")]
    blocks = [Block(text, 1, HERE, kind) for text, kind in kinds]
    blocks += [Block("Acme makes anvils.", 1, HERE)] * 5
    [figure] = sentence_figures(Document("a", "a.pdf", 1), [*blocks, Block(sentence, 2, HERE)])
    return figure


@pytest.mark.parametrize(
    ("head", "sentence", "shown"),
    [
        ("(Dollars in millions)", "Rental expense was $307 in 2022.", "$307 million"),
        ("(In thousands)", "Rental expense was $307 in 2022.", "$307 thousand"),
        ("(Dollars in millions)", "The benefit was ($1,317) in 2022.", "($1,317) million"),
        ("(Dollars in millions)", "Rental expense was $2 billion in 2022.", "$2 billion"),
        ("(Dollars in millions)", "Rental expense was $1,500,000 in 2022.", "$1,500,000"),
        ("(Dollars in millions)", "The average price was $217.48 in 2022.", "$217.48"),
        ("(Dollars in millions)", "The tax rate was 21% in 2022.", "21%"),
    ],
)
def test_bare_amounts_in_notes_are_in_the_scale_told_at_their_head(
    head: str, sentence: str, shown: str
) -> None:
    figure = under(head, sentence)
    assert (figure.shown, figure.doubt) == (shown, "")


def test_an_amount_whose_scale_is_uncertain_is_in_doubt() -> None:
    rent = "The monthly rent is $9,500."
    doubt = "a.pdf has “$9,500” under “$ in thousands”, and may be meant in full"
    assert under("($ in thousands)", rent, over="Operating statement").doubt == doubt
    assert under("(in thousands)", "The deposit is $25,000.").doubt
    assert under("(in millions)", "The initial value is $100 for each unit.").doubt
    stated = "(in thousands unless otherwise stated)"
    assert under(stated, rent, over="Report").shown == "$9,500 thousand"


def test_an_amount_that_the_next_page_carries_on_is_none() -> None:
    first = Block("The accrual for penalties was $13", 1, HERE)
    rest = Block("million in 2022. The rent is $5.", 2, HERE, continues=True)
    foot = Block("Page 1", 1, HERE, "footer")
    document = Document("a", "a.pdf", 2)
    assert [each.text for each in sentence_figures(document, [first, foot, rest])] == ["$5"]
    assert [each.text for each in sentence_figures(document, [first])] == ["$13"]


def told(sentence: str) -> list[tuple[str, str, str]]:
    document = Document("a", "a.pdf", 1)
    figures = sentence_figures(document, [Block(sentence, 1, Box(0, 0, 1, 1))])
    return [(each.label, each.period, str(each.value)) for each in figures]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (
            "Net operating income rose by 6.0% over 2023, as rents increased.",
            ("Growth rate of net operating income", "", "6"),
        ),
        ("Base rent fell by 2% in 2024.", ("Growth rate of base rent", "2024", "-2")),
        (
            "The rent roll below is as of January 31, 2025.",
            ("rent roll", "", "20250131"),
        ),
        (
            "The seller favours a due diligence period of no more than 21 days.",
            ("due diligence period", "", "21"),
        ),
    ],
)
def test_changes_dates_and_bounds_are_told(sentence: str, found: tuple[str, str, str]) -> None:
    assert told(sentence) == [found]


def test_a_sentence_with_asking_rents_speaks_of_the_market() -> None:
    sentence = (
        "Vacancy for space of more than 50,000 square feet in the port district was 2.8%, and "
        "asking rents averaged $9.30 per square foot."
    )
    assert told(sentence) == [
        ("Market › Vacancy", "", "2.8"),
        ("Market › asking rents", "", "9.3"),
    ]
    assert told("In-place rents are $8.00 per square foot.")[0][0] == "In-place rents"


def test_what_a_term_is_defined_as_is_its_figure() -> None:
    texts = (
        "1.2 “Principal Rent” means £186,500 per annum, as reviewed under clause 5.",
        "“Margin” means 2.75 per cent per annum.",
        "In this Lease: “Contractual Term” means a term of ten (10) years from then.",
        "“Termination Date” means 5 February 2029.",
    )
    found = [
        (f.label, f.value) for text in texts for f in sentence_figures(document("a"), [block(text)])
    ]
    assert found == [
        ("Principal Rent", 186_500),
        ("Margin", Decimal("2.75")),
        ("Contractual Term", 10),
        ("Termination Date", 20290205),
    ]
