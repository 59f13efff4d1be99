"""Amounts are exact decimals with their units, and differences are printed exactly."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.language.amounts import (
    date_value,
    difference,
    measured_amounts,
    percent_change,
    printed_difference,
    stated_amounts,
)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$1.2M", "1200000", "USD"),
        ("$19.4 million", "19400000", "USD"),
        ("US$ 3bn", "3000000000", "USD"),
        ("£592,500 per annum", "592500", "GBP/year"),
        ("$25,000 per month", "25000", "USD/month"),
        ("$21.20 per square foot", "21.2", "USD/sq ft"),
        ("€ 1,000", "1000", "EUR"),
        ("6.2%", "6.2", "%"),
        ("5.8 per cent", "5.8", "%"),
        ("25 basis points", "25", "bps"),
        ("(98,000)", "-98000", ""),
        ("$(1,200)", "-1200", "USD"),
        ("($1,200)", "-1200", "USD"),
        ("-4.5%", "-4.5", "%"),
        ("(4.5%)", "-4.5", "%"),
        ("4,310.75-", "-4310.75", ""),
        ("£2,050-", "-2050", "GBP"),
        ("Drawn | 61.20− |", "-61.2", ""),
        ("2,050- a month", "2050", ""),
        ("2031-", "2031", ""),
        ("82,000 sq ft", "82000", "sq ft"),
        ("64,000 square feet", "64000", "sq ft"),
        ("sixty (60) days", "60", "days"),
        ("ninety days' notice", "90", "days"),
        ("twenty-four months", "24", "months"),
        ("10 business days", "10", "business days"),
        ("five years", "5", "years"),
        ("3.8 acres", "3.8", "acres"),
        ("18.4p", "18.4", "pence"),
        ("(18.45p)", "-18.45", "pence"),
        ("18p per share", "18", "pence/share"),
        ("17.0 pence per ordinary share", "17", "pence/share"),
        ("25 cents per share", "25", "cents/share"),
        ("5p", "5", ""),
        ("1080p", "1080", ""),
        ("5.30p.m.", "5.3", ""),
    ],
)
def test_what_an_amount_is(text: str, value: str, unit: str) -> None:
    [amount] = measured_amounts(text)
    assert (amount.value, amount.unit) == (Decimal(value), unit)
    assert text[amount.start :].startswith(amount.text)


@pytest.mark.parametrize("dash", ["-", "–", " - ", " – ", "—", " to "])
def test_both_ends_of_a_range_are_above_zero(dash: str) -> None:
    found = [(str(amount.value), amount.unit) for amount in measured_amounts(f"in 10{dash}20 days")]
    assert found == [("10", ""), ("20", "days")]


def test_a_percentage_in_brackets_is_negative_as_a_cell_and_an_aside_in_a_sentence() -> None:
    assert [amount.value for amount in measured_amounts("a margin (4.5%) of sales")] == [
        Decimal("4.5")
    ]


@pytest.mark.parametrize("text", ["12/31/2024", "clause 4.2.1", "A4", "COVID-19x", "1.2.3"])
def test_what_is_no_amount(text: str) -> None:
    assert [amount for amount in measured_amounts(text) if amount.unit] == []


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_a_printed_amount_reads_back(value: Decimal) -> None:
    [amount] = measured_amounts(f"It came to ${value:,f} in all")
    assert amount.value == value
    assert amount.unit == "USD"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("$1.2 million", [(1_200_000, "USD")]),
        ("€4bn and £3k", [(4_000_000_000, "EUR"), (3000, "GBP")]),
        ("620 bps is 6.2%", [("6.20", "%"), ("6.2", "%")]),
        ("six (6) calendar months", [(6, "months"), (6, "months")]),
        ("thirty-five business days", [(35, "business days")]),
        ("one hundred and fifty", []),
        ("Section 12.3 and Note 4 on page 7", []),
        ("a Form 10-K, Covid-19, FY2023", []),
        ("in 2024 and on May 1, 2024", []),
        ("three months ended June 30", []),
        ("125,000 sq. ft.", [(125_000, "sq ft")]),
        ("1.35x", [("1.35", "x")]),
        ("365 × (60 + 52)", [("365", ""), ("60", ""), ("52", "")]),
        ("−$5 and –3%", [(-5, "USD"), (-3, "%")]),
        ("10 - 20 days, 10 – 20 days", [(10, ""), (20, "days"), (10, ""), (20, "days")]),
        ("2 business hours", [(2, "business hours")]),
        ("18.4p (2023: 17.0p), see p. 12", [("18.4", "pence"), ("17.0", "pence")]),
        ("USD 12 million", [(12_000_000, "USD")]),
    ],
)
def test_what_a_text_states(text: str, values: list[tuple[int | str, str]]) -> None:
    found = [(amount.value, amount.unit) for amount in stated_amounts(text)]
    assert found == [(Decimal(value), unit) for value, unit in values]


def test_parentheses_are_a_minus_in_tables() -> None:
    assert [a.value for a in stated_amounts("(363)", table=True)] == [-363]
    assert [a.value for a in stated_amounts("twelve (12) units")] == [12, 12]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("NINETY-FOUR THOUSAND POUNDS (£94,000) a year", [94_000]),
        ("the sum of ONE MILLION AND 00/100 Dollars ($1,000,000.00)", [1_000_000]),
        ("two and one-half million dollars ($2,500,000)", [2_500_000]),
        ("one hundred thousand Norwegian kroner (NOK 100,000)", [100_000]),
        ("one hundred thousand (100,000) shares", [100_000]),
        ("¥5,000,000 ($34,200)", [5_000_000, 34_200]),
        ("a loss of (£3,000)", [-3_000]),
        ("$1,200 ($900)", [1_200, -900]),  # two cells of a line
    ],
)
def test_brackets_that_repeat_an_amount_are_no_minus(text: str, values: list[int]) -> None:
    assert [each.value for each in measured_amounts(text) if abs(each.value) > 100] == values
    assert {each.value for each in stated_amounts(text) if abs(each.value) > 100} == set(values)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("pay in 2023 (£6.1 million), and more since", 6_100_000),
        ("4.5% of the budget (£24.7 million).", 24_700_000),
        ("two and one-half (2.5) miles off", Decimal("2.5")),
        ("a result of (£3,000) in 2023", -3_000),
        ("The loss was (£3,000).", -3_000),
        ("Capital expenditures (1,899) (2,040)", -1_899),
    ],
)
def test_brackets_in_a_sentence_are_an_aside(text: str, value: int | Decimal) -> None:
    amount = next(each for each in measured_amounts(text) if each.bracketed)
    assert amount.value == value


@given(st.integers(1, 10**9), st.sampled_from([0, 3, 6]))
def test_a_scaled_amount_is_read_back(value: int, scale: int) -> None:
    word = {0: "", 3: " thousand", 6: " million"}[scale]
    (amount,) = stated_amounts(f"It was ${value:,}{word}.")
    assert amount.value == value * 10**scale


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        ("0.4", "%", "+0.4 pts"),
        ("100000", "USD", "+$100K"),
        ("400000", "USD", "+$400K"),
        ("-1162000000", "USD", "−$1.162B"),
        ("1500000", "USD", "+$1.5M"),
        ("143300", "USD", "+$143.3K"),
        ("19480", "USD", "+$19,480"),
        ("-1.9", "USD/sq ft", "−$1.90/sq ft"),
        ("290100", "GBP/year", "+£290.1K/year"),
        ("12300", "sq ft", "+12,300 sq ft"),
        ("-30", "days", "−30 days"),
        ("1", "years", "+1 year"),
        ("0.5", "x", "+0.5x"),
        ("0", "%", "0 pts"),
        ("16", "date", "+16 days"),
        ("0", "date", "same date"),
    ],
)
def test_how_a_difference_is_printed(value: str, unit: str, said: str) -> None:
    assert printed_difference(Decimal(value), unit) == said


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=2))
def test_a_printed_difference_loses_nothing(value: Decimal) -> None:
    said = printed_difference(value, "USD")
    match = re.fullmatch(r"([+−]?)\$([\d,.]+)([KMB]?)", said)
    assert match
    scale = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}[match[3]]
    size = Decimal(match[2].replace(",", "")) * scale
    assert (-size if match[1] == "−" else size) == value


def test_dates_are_apart_by_days() -> None:
    first, second = date_value("July 16, 2025"), date_value("30 June 2025")
    assert first is not None
    assert second is not None
    assert difference(first, second, "date") == 16
    assert date_value("by July 16, 2025 at the latest") is None


def test_percent_change_needs_something_to_change_from() -> None:
    assert percent_change(Decimal(110), Decimal(100)) == "+10.0%"
    assert percent_change(Decimal(5), Decimal(0)) == ""
    assert percent_change(Decimal(5), Decimal(-2)) == ""
