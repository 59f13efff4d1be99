"""The row of a grid whose range holds the ratio that a question gives."""

import pytest

from tests.answer.findings.test_worked import first_line, with_statements
from tests.answer.passages import block, hit, row

MARGIN = hit(
    block("Margin", 4, "heading"),
    row("Leverage", "Facility A (% p.a.)", "Facility B (% p.a.)", page=4, header=True),
    row("Above 3.00:1", "3.00", "3.50", page=4),
    row("Above 2.50:1 up to 3.00:1", "2.60", "3.10", page=4),
    row("Above 2.00:1 up to 2.50:1", "2.25", "2.80", page=4),
    row("2.00:1 or below", "1.95", "2.60", page=4),
)


@pytest.mark.parametrize(
    ("leverage", "margin"),
    [("2.8x", "3.10"), ("3.0x", "3.10"), ("2.0x", "2.60"), ("4.1x", "3.50"), ("2.25:1", "2.80")],
)
def test_the_row_is_that_whose_range_holds_the_ratio(leverage: str, margin: str) -> None:
    given = with_statements(f"What is the margin on Facility B if leverage is {leverage}?", MARGIN)
    assert f"{margin} [" in first_line(given)
    assert given.text.count("Facility B") == 1


SICK_PAY = hit(
    block("Sick pay", 4, "heading"),
    row("Length of service", "Full pay", "Half pay", page=4, header=True),
    row("End of probation to 1 year", "2 weeks", "2 weeks", page=4),
    row("1 year but less than 3", "5 weeks", "5 weeks", page=4),
    row("3 years but less than 6", "9 weeks", "9 weeks", page=4),
    row("6 years or more", "16 weeks", "14 weeks", page=4),
)


@pytest.mark.parametrize(
    ("service", "weeks"), [("1 year", 5), ("4 years", 9), ("6 years", 16), ("12 years", 16)]
)
def test_the_row_is_that_whose_range_holds_a_length_of_service(service: str, weeks: int) -> None:
    given = with_statements(f"What is the sick pay after {service} of service?", SICK_PAY)
    assert f"Full pay: {weeks} weeks" in first_line(given)
    assert "\n" not in given.text


UPTIME = hit(
    block("Service credits", 4, "heading"),
    row("Monthly uptime achieved", "Service credit", page=4, header=True),
    row("99.7% or above", "None", page=4),
    row("99.3% to 99.69%", "4%", page=4),
    row("98.9% to 99.29%", "8%", page=4),
    block("Uptime below 99.7 per cent in a month entitles to a service credit.", 5),
)


@pytest.mark.parametrize(("uptime", "credit"), [("99.1%", "8%"), ("99.3%", "4%")])
def test_a_grid_that_the_question_names_goes_before_a_sentence(uptime: str, credit: str) -> None:
    given = with_statements(f"Uptime was {uptime} last month - what credit do we get?", UPTIME)
    assert f": {credit} [" in first_line(given)


def test_without_a_ratio_no_row_of_the_grid_is_left_out() -> None:
    given = with_statements("What are the margins on Facility B?", MARGIN)
    assert "2.60" in given.text
    assert "3.50" in given.text


LIMITS = hit(
    block("Financial covenants", 8, "heading"),
    row("Quarter Dates", "Leverage not more than", "Interest Cover not less than", header=True),
    row("31 March 2024 to 31 December 2024", "3.50:1", "3.25:1"),
    row("31 March 2025 to 30 September 2025", "3.25:1", "3.50:1"),
    row("31 December 2025 to 30 June 2026", "3.00:1", "3.75:1"),
)


@pytest.mark.parametrize(("when", "limit"), [("June 2025", "3.25:1"), ("1 April 2026", "3.00:1")])
def test_the_row_is_that_whose_dates_the_one_asked_for_is_between(when: str, limit: str) -> None:
    given = with_statements(f"What is the leverage limit for the {when} test?", LIMITS)
    assert f"Leverage not more than: {limit}" in first_line(given)
    assert given.text.count("Leverage not more than") == 1


RENTS = hit(
    block("Annual rent", 2, "heading"),
    row("Period", "Annual rent", "Each quarter", page=2, header=True),
    row("1 July 2024 to 31 August 2024", "Nil", "Nil", page=2),
    row("1 September 2024 to 24 March 2027", "£371,000", "£92,750", page=2),
    row("25 March 2027 to 24 March 2032", "£402,000", "£100,500", page=2),
)


def test_a_schedule_is_told_whole_where_no_time_is_asked_for() -> None:
    first, *also = with_statements("What is the annual rent?", RENTS).text.split("\n\n")
    assert not also
    assert [line.partition(", ")[0] for line in first.splitlines()] == [
        "- 1 July 2024 to 31 August 2024",
        "- 1 September 2024 to 24 March 2027",
        "- 25 March 2027 to 24 March 2032",
    ]
    at_one_time = with_statements("What is the annual rent in January 2026?", RENTS)
    assert "£371,000" in first_line(at_one_time)
    assert "Nil" not in at_one_time.text


STEPS = hit(
    block("Monthly rent is as follows:", 4),
    row("Lease Months", "Rate per square foot", "Monthly Base Rent", page=4, header=True),
    row("1-4", "$0.00", "$0.00 (abated)", page=4),
    row("5-16", "$7.20", "$89,160.00", page=4),
    row("17-28", "$7.47", "$92,503.50", page=4),
    row("29-40", "$7.75", "$95,970.83", page=4),
    block("Estimated additional rent in the year 2023 is $2.31.", 4),
)


@pytest.mark.parametrize(
    ("question", "rents"),
    [
        ("What is the monthly rent in month 30?", ["95,970.83"]),
        ("What is the base rent in year 3?", ["92,503.50", "95,970.83"]),
        ("How much is the rent in the second lease year?", ["89,160.00", "92,503.50"]),
        ("What is the rent in the 5th month?", ["89,160.00"]),
    ],
)
def test_the_rent_of_a_month_or_year_of_the_term_is_that_of_its_step(
    question: str, rents: list[str]
) -> None:
    given = with_statements(question, STEPS)
    every = ("89,160.00", "92,503.50", "95,970.83")
    assert [rent for rent in every if rent in given.text] == rents
    assert "2.31" not in first_line(given)


def test_another_charge_and_a_year_of_the_calendar_are_no_step() -> None:
    assert "95,970.83" not in first_line(with_statements("What is the tax in year 3?", STEPS))
    assert "2.31" in first_line(with_statements("What is the additional rent in 2023?", STEPS))


BASE_RENT = hit(
    block("3.2 Schedule of Base Rent", 3, "heading"),
    row("Lease Year", "Rate per RSF", "Annual Base Rent", page=3, header=True),
    row("6 11/1/2030 - 10/31/2031", "$39.50", "$960,561.00", page=3),
    row("7 11/1/2031 - 10/31/2032", "$40.60", "$987,310.80", page=3),
)
CREDIT = hit(
    block("5.2 Reduction of the letter of credit", 5, "heading"),
    row("Reduced at", "Required amount", page=5, header=True),
    row("Month 37", "$320,000.00", page=5),
    row("Month 73", "$160,000.00", page=5),
    index=1,
)


def test_a_period_after_its_number_is_the_row_for_a_month_within_it() -> None:
    given = with_statements("What rent per foot will they be on in June 2032?", BASE_RENT, CREDIT)
    assert "$40.60" in first_line(given)
    assert "$39.50" not in given.text


def test_of_steps_each_for_one_month_the_one_asked_for_is_told() -> None:
    given = with_statements("What does the letter of credit drop to at month 73?", CREDIT)
    assert "$160,000.00" in first_line(given)
    assert "$320,000.00" not in given.text


EARN_OUT = hit(
    block("The Earn-out Payment is determined by EBITDA, as follows:", 3, "heading"),
    row("EBITDA of the Group", "Earn-out Payment", page=3, header=True),
    row("Below £2,400,000", "Nil", page=3),
    row("£2,400,000 to £2,749,999", "£900,000", page=3),
    row("£2,750,000 to £3,099,999", "£1,800,000", page=3),
    row("£3,100,000 or more", "£3,000,000", page=3),
)


@pytest.mark.parametrize(
    ("ebitda", "payment"),
    [("£2.9m", "£1,800,000"), ("£2.4 million", "£900,000"), ("£4m", "£3,000,000")],
)
def test_the_row_is_that_whose_range_holds_an_amount_of_money(ebitda: str, payment: str) -> None:
    given = with_statements(f"What is the earn-out if EBITDA is {ebitda}?", EARN_OUT)
    assert f": {payment} [" in first_line(given)
    assert "\n" not in given.text


ABSENCE = hit(
    block("Salary during incapacity for work", 5, "heading"),
    row("Period", "Share of salary paid", page=5, header=True),
    row("Weeks 1 to 26", "100%", page=5),
    row("Weeks 27 to 52", "90%", page=5),
    row("Weeks 53 to 104", "70%", page=5),
)


def test_a_unit_may_stand_before_the_number() -> None:
    given = with_statements("What is the share of salary paid in week 40 of incapacity?", ABSENCE)
    assert first_line(given).startswith("Weeks 27 to 52: 90% [")
