"""Sums over a column, and which of its cells are odd."""

from dataclasses import replace
from decimal import Decimal

from docqa.review.columns import certain_figures, figures_of, remarks
from docqa.types.review import Cell, Column, Found, Proposal, Ruling

RENT = Column("Rent", "How much is the rent?", "figure", "rent")


def cell(name: str, number: int | None, unit: str = "GBP") -> Cell:
    value = None if number is None else Decimal(number)
    found = Found(str(number), str(number), number=value, unit=unit, fits=number is not None)
    return Cell(name, "rent", Proposal(RENT.asked, "1", (found,)))


def test_sums_are_of_the_unit_that_most_have() -> None:
    cells = [cell("a", 100), cell("b", 300), cell("c", 7, "USD"), Cell("d", "rent")]
    figures = figures_of(cells)
    assert figures is not None
    assert (figures.n, figures.unit, figures.sum) == (2, "GBP", Decimal(400))
    assert [figures.mean, figures.highest, figures.lowest] == [200, 300, 100]
    assert [(each.n, each.unit, each.sum) for each in figures.others] == [(1, "USD", Decimal(7))]
    assert figures_of([Cell("d", "rent")]) is None


def test_a_quarter_is_not_summed_with_years() -> None:
    def earned(name: str, text: str) -> Cell:
        found = Found("9 million", text, number=Decimal(9), unit="GBP")
        return Cell(name, "rent", Proposal(RENT.asked, "1", (found,)))

    year = earned("a", "Revenue, year ended May 31, 2023: £9 million")
    quarter = earned("c", "Revenue, three months ended May 31, 2023: £9 million")
    figures = figures_of([year, cell("b", 9), quarter])
    assert figures is not None
    assert [(each.n, each.unit) for each in (figures, *figures.others)] == [
        *((2, "GBP"), (1, "GBP/3 months")),
    ]


def test_a_sum_leaves_out_what_is_uncertain_and_says_so() -> None:
    unsure = cell("b", 300)
    assert unsure.proposal
    unsure = replace(unsure, proposal=replace(unsure.proposal, likely=True))
    figures = certain_figures([cell("a", 100), unsure, cell("c", 200)])
    assert figures is not None
    assert (figures.n, figures.sum, figures.uncertain) == (2, Decimal(300), 1)
    assert certain_figures([unsure]) is None


def test_what_is_odd_is_pointed_out() -> None:
    cells = [cell(name, 100 + place) for place, name in enumerate("abcde")]
    odd = [cell("far", 9_000), cell("unit", 100, "USD"), cell("words", None)]
    assert remarks(RENT, [*cells, *odd]) == {
        "far": "far from the others of the column",
        "unit": "in another unit than most of the column",
        "words": "no figure in what was found",
    }


def test_of_few_none_is_far_and_what_is_settled_is_let_be() -> None:
    few = [cell("a", 100), cell("b", 101), cell("c", 9_000)]
    assert remarks(RENT, few) == {}
    many = [cell(name, 100 + place) for place, name in enumerate("abcde")]
    settled = Cell("far", "rent", None, Ruling("corrected", "", Found("1", "1", number=Decimal(1))))
    assert remarks(RENT, [*many, settled]) == {}
