"""Printed numbers are exact decimals, and differences are printed exactly."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.language.amounts import printed_numbers
from docqa.language.labels import plain_words
from docqa.language.measures import (
    amounts_in,
    date_value,
    difference,
    percent_change,
    printed_difference,
)
from docqa.language.periods import read_period


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
        ("82,000 sq ft", "82000", "sq ft"),
        ("64,000 square feet", "64000", "sq ft"),
        ("sixty (60) days", "60", "days"),
        ("ninety days' notice", "90", "days"),
        ("twenty-four months", "24", "months"),
        ("10 business days", "10", "business days"),
        ("five years", "5", "years"),
        ("3.8 acres", "3.8", "acres"),
    ],
)
def test_what_an_amount_is(text: str, value: str, unit: str) -> None:
    [amount] = amounts_in(text)
    assert (amount.value, amount.unit) == (Decimal(value), unit)
    assert text[amount.start :].startswith(amount.text)


@pytest.mark.parametrize("dash", ["-", "–", " - ", " – ", "—", " to "])
def test_both_ends_of_a_range_are_above_zero(dash: str) -> None:
    found = [(str(amount.value), amount.unit) for amount in amounts_in(f"in 10{dash}20 days")]
    assert found == [("10", ""), ("20", "days")]


def test_a_percentage_in_brackets_is_negative_as_a_cell_and_an_aside_in_a_sentence() -> None:
    assert [amount.value for amount in amounts_in("a margin (4.5%) of sales")] == [Decimal("4.5")]


@pytest.mark.parametrize("text", ["12/31/2024", "clause 4.2.1", "A4", "COVID-19x", "1.2.3"])
def test_what_is_no_amount(text: str) -> None:
    assert [amount for amount in amounts_in(text) if amount.unit] == []


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_a_printed_amount_reads_back(value: Decimal) -> None:
    [amount] = amounts_in(f"It came to ${value:,f} in all")
    assert amount.value == value
    assert amount.unit == "USD"


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


def test_a_notes_mark_is_no_part_of_the_number_before_it() -> None:
    text = "NOI of 1,234³ in 2023⁴, 5.1%² more, on 10⁶ m² or 5¹⁄2 acres"
    values = [str(number.size) for number in printed_numbers(text)]
    assert values == ["1234", "2023", "5.1"]
    assert read_period("Year ended December 31, 2023⁴").year == 2023
    assert plain_words("Adjusted EBITDA²") == ("adjusted", "ebitda")
