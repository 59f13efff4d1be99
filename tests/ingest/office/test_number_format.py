"""Cells as Excel shows them, by what its number formats are documented to mean."""

from datetime import datetime, time, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.office.number_format import Value, shown

ACCOUNTING = '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)'
SPRING = datetime(2024, 3, 31)


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.0525, "0.00%", "5.25%"),
        (0.0525, "0%", "5%"),
        (-0.075, "0.0%", "-7.5%"),
        (0.0525, "0.00 %", "5.25 %"),
        (45, '0"%"', "45%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234567.891, "$#,##0", "$1,234,568"),
        (2.5, "0", "3"),
        (-1234567, "#,##0_);[Red](#,##0)", "(1,234,567)"),
        (1234.5, ACCOUNTING, "$1,234.50"),
        (-1234.5, ACCOUNTING, "$(1,234.50)"),
        (0, ACCOUNTING, "$-"),
        ("n/a", ACCOUNTING, " n/a "),
        (12345678, '#,##0.0,,"M"', "12.3M"),
        (1500, "#,##0,", "2"),
        (1234, "[$€-407] #,##0.00", "€ 1,234.00"),
        (1.25, '0.00"x"', "1.25x"),
        (5.5, "# ?/?", "5 1/2"),
        (0.375, "# ??/8", "3/8"),
        (5551234, "000-0000", "555-1234"),
        (7, "00000", "00007"),
        (12, "0,000", "0,012"),
        (12, "00,000", "00,012"),
        (1234567, "0,000", "1,234,567"),
        (12345.678, "0.00E+00", "1.23E+04"),
        (0.5, "#.##", ".5"),
        (3, '"Suite "@', "Suite 3"),
        (50, "[<100]0.0;0", "50.0"),
        (150, "[<100]0.0;0", "150"),
        (0.1 + 0.2, "General", "0.3"),
        (2024, "General", "2024"),
        (1234567.5, "General", "1234567.5"),
        (True, "General", "TRUE"),
        (None, "0.00", ""),
        ("=SUM(A1)", "0.00", "=SUM(A1)"),
        (SPRING, "m/d/yyyy", "3/31/2024"),
        (SPRING, "d-mmm-yy", "31-Mar-24"),
        (SPRING, "mmmm d, yyyy", "March 31, 2024"),
        (SPRING, "[$-409]mmm\\-yy;@", "Mar-24"),
        (SPRING, "yyyy-mm-dd h:mm:ss", "2024-03-31"),
        (SPRING, "mm-dd-yy", "2024-03-31"),  # each country's own: told year first
        (datetime(2024, 3, 31, 14, 5, 9), "yyyy-mm-dd hh:mm:ss", "2024-03-31 14:05:09"),
        (datetime(2024, 3, 31, 14, 5), "h:mm AM/PM", "2:05 PM"),
        (time(9, 5), "h:mm", "9:05"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
    ],
)
def test_a_value_is_shown_as_excel_shows_it(value: Value, code: str, text: str) -> None:
    assert shown(value, code) == text


@given(st.integers(-(10**12), 10**12), st.integers(0, 4))
def test_grouped_digits_read_back_as_the_number(cents: int, decimals: int) -> None:
    value = cents / 100
    code = "#,##0" + ("." + "0" * decimals if decimals else "")
    back = Decimal(shown(value, code).replace(",", ""))
    assert abs(back - Decimal(str(value))) <= Decimal(1).scaleb(-decimals) / 2


@given(
    st.one_of(st.integers(), st.floats(), st.datetimes(), st.times(), st.timedeltas(), st.text()),
    st.text(alphabet='0#?.,%$ymdhs:/-[]"\\_*;@AMPE+ ()x', max_size=20),
)
def test_no_format_whatever_it_says_breaks_the_reading(value: Value, code: str) -> None:
    assert isinstance(shown(value, code), str)
