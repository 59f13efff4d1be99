"""Figures that sentences state, and the periods they are of."""

import pytest

from docqa.compare.sentences import sentence_figures
from docqa.types import Block, Box, Document


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
