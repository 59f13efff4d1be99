"""What a cell's words come down to: an amount with its scale, a day, yes or no, or the words."""

from decimal import Decimal

import pytest

from docqa.review.values import best_first, in_unit_of, valued
from docqa.types.review import Column, Found, Kind


def read(text: str, kind: Kind, question: str = "What is it?", title: str = "") -> Found:
    return valued(Found("", text), Column(title, question, kind))


@pytest.mark.parametrize(
    ("text", "question", "value", "number", "unit"),
    [
        (
            "Rent: £592,500 per annum exclusive of VAT (£50.00 per square foot)",
            "How much is the annual rent?",
            "£592,500 per annum",
            "592500",
            "GBP/year",
        ),
        (
            "“2.1 The Landlord lets the Premises for a term of 10 years from 25 March 2025.”",
            "What is the term?",
            "10 years",
            "10",
            "years",
        ),
        ("Security deposit: £296,250", "How much is the deposit?", "£296,250", "296250", "GBP"),
        (
            "Net revenues (in millions) — 2021: 9,795; 2022: 10,094",
            "What is total revenue?",
            "10,094 million",
            "10094000000",
            "",
        ),
        (
            "Net revenues (in millions) — 2021: 9,795; 2022: 10,094",
            "What is total revenue in 2021?",
            "9,795 million",
            "9795000000",
            "",
        ),
        (
            "Diluted earnings per share (in millions) — 2022: 2.10",
            "What are diluted earnings per share?",
            "2.10",
            "2.10",
            "",
        ),
        ("Occupancy: 94.6%", "What is the occupancy rate?", "94.6%", "94.6", "%"),
    ],
)
def test_a_figure_has_its_unit_and_scale(
    text: str, question: str, value: str, number: str, unit: str
) -> None:
    found = read(text, "figure", question)
    assert (found.value, found.number, found.unit) == (value, Decimal(number), unit)
    assert found.fits


def test_a_sum_comes_down_to_its_result() -> None:
    text = "Operating margin: 2,350 ÷ 10,094 × 100 = 23.28 %"
    found = valued(Found("", text, sum=text), Column("Margin", "What is the margin?", "figure"))
    assert (found.number, found.unit) == (Decimal("23.28"), "%")


def test_words_without_a_figure_do_not_fit() -> None:
    found = read("“3.1 The rent is the open market rent.”", "figure")
    assert (found.value, found.number, found.fits) == (
        "The rent is the open market rent.",
        None,
        False,
    )


def test_a_date_is_a_day_and_the_question_tells_which() -> None:
    text = "“2.1 for a term of 10 years from and including 25 March 2025, ending on 24 March 2035.”"
    assert read(text, "date", "When does the term commence?").day == "2025-03-25"
    assert read(text, "date", "When does the term expire?").day == "2035-03-24"
    assert read("Delivery: March 2025", "date").value == "March 2025"
    assert not read("Delivery: March 2025", "date").fits
    assert not read("Dated February 30, 2025", "date").fits
    assert not read("At the landlord's choice", "date").fits


@pytest.mark.parametrize(
    ("text", "start", "end", "sum_"),
    [
        ("“The Term is from 1 June 2023 to 31 May 2033.”", "2023-06-01", "2033-05-31", ""),
        ("1 November 2023 to 31 October 2026", "2023-11-01", "2026-10-31", ""),
        ("June 1, 2023 – May 31, 2033", "2023-06-01", "2033-05-31", ""),
        (
            "“from and including 25 March 2022 to and including 24 March 2032”",
            *("2022-03-25", "2032-03-24", ""),
        ),
        (
            "“TO HOLD for fifteen years from the 1st day of December 2020.”",
            *("2020-12-01", "2035-11-30", "1st day of December 2020 + fifteen years"),
        ),
        (
            "“It starts on August 31, 2024 and runs for eighteen (18) months.”",
            *("2024-08-31", "2026-02-27", "August 31, 2024 + eighteen (18) months"),
        ),
    ],
)
def test_an_end_is_the_far_end_of_a_range_or_worked_out(
    text: str, start: str, end: str, sum_: str
) -> None:
    expiry = read(text, "date", "When does the term expire?")
    assert read(text, "date", "When does the term begin?").day == start
    assert (expiry.day, expiry.sum) == (end, sum_)


def test_a_beginning_is_no_end_and_an_end_no_beginning() -> None:
    begun = read("“It begins on 1 June 2023.”", "date", "When does it end?")
    assert (begun.day, begun.fits) == ("", False)
    ended = read("“It ends on 1 June 2023.”", "date", "When does it start?")
    assert (ended.day, ended.fits) == ("", False)
    assert read("“It ends on 1 June 2023.”", "date", "Which date is it?").day == "2023-06-01"
    beyond = read("“for 9,000 years from 1 June 2023”", "date", "When does it end?")
    assert (beyond.day, beyond.fits) == ("", False)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("“30 days' notice ends it.”", "30", "days"),
        ("“2.5 months of notice end it.”", "2.5", "months"),
        ("“9.2 Months of notice are 3 months.”", "3", "months"),
    ],
)
def test_a_leading_amount_is_no_number_of_a_clause(text: str, number: str, unit: str) -> None:
    found = read(text, "figure", "How much notice must be given?")
    assert (found.number, found.unit) == (Decimal(number), unit)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("“having its office at 40 Bowmont Street”", "What is the term?"),
        ("“unless terminated earlier pursuant to Section 13”", "What is the term?"),
        ("“Licence Agreement Number 12965 is amended.”", "How long is the term?"),
        ("“as defined in section 4 below”", "How much is the rent?"),
        ("Landlord: Ash Pty Ltd ACN 104 557 210", "How much is the rent?"),
    ],
)
def test_a_number_that_measures_nothing_is_no_money_and_no_time(text: str, question: str) -> None:
    found = read(text, "figure", question)
    assert (found.number, found.fits) == (None, False)


def test_a_number_alone_in_its_cell_may_be_of_any_unit() -> None:
    assert read("Rent: 104,500", "figure", "How much is the rent?").number == 104_500
    staff = read("“Our 6,530 colleagues”", "figure", "How many people?")
    assert (staff.number, staff.fits) == (Decimal(6530), True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("“9.2 The Tenant may assign the whole with consent, not unreasonably withheld.”", "Yes"),
        ("“9.1 The Tenant shall not assign part only of the Premises.”", "No"),
        ("“This lease shall not be assigned without the consent of the Landlord.”", "No"),
        ("“The Tenant may not sublet. The Landlord may.”", "No"),
        ("Break option: none", "No"),
        (
            "“Except as provided or if it sells (in which case it shall be required to assign), "
            "neither Party hereto shall assign its rights.”",
            "No",
        ),
        ("“If the rent is paid, the Tenant may not assign.”", "No"),
        ("“Unless it must, the Landlord shall consent.”", "Yes"),
        ("“The Board proposes a dividend of 12p.”", "Yes"),
        ("“The Board never proposed a dividend.”", "No"),
        ("Break option: Yes, in 2030", "Yes"),
    ],
)
def test_yes_or_no_is_what_the_first_clause_says(text: str, value: str) -> None:
    found = read(text, "yes or no", "May the tenant assign?")
    assert (found.value, found.fits) == (value, True)


def test_where_nothing_binds_there_is_no_yes_or_no() -> None:
    found = read("Assignment of part", "yes or no")
    assert (found.value, found.fits) == ("Assignment of part", False)


def test_words_lose_their_label_and_a_clause_keeps_its_number() -> None:
    assert read("Tenant: Orrin & Vale LLP", "text").value == "Orrin & Vale LLP"
    assert read("“Note: this is quoted”", "text").value == "Note: this is quoted"
    assert read("“9.2 The Tenant may assign.”", "clause").value == "9.2 The Tenant may assign."


def test_a_party_is_named_from_where_its_name_begins() -> None:
    text = (
        "“THIS LEASE made BETWEEN ASH PARKS DAC (No. 31) of Dublin (‘the Landlord’ which includes "
        "successors) of the One Part AND ELM & SONS LIMITED of Cork (called ‘the Tenant’)”"
    )
    assert read(text, "text", title="Landlord").value.startswith("ASH PARKS DAC")
    assert read(text, "text", title="Tenant").value.startswith("ELM & SONS LIMITED")
    assert read(text, "text", title="Guarantor").value.startswith("THIS LEASE")


def test_what_is_made_is_dated_by_that_and_not_by_what_it_lasts() -> None:
    column = Column("Date", "What is the date of the agreement?", "date")
    texts = ("“1 November 2023 to 31 October 2026”", "“Signed at Moerdijk on 12 October 2023.”")
    found = [valued(Found("", each), column) for each in texts]
    assert best_first(found, column)[0].day == "2023-10-12"


def test_the_finding_that_answers_best_comes_first_and_no_other_moves() -> None:
    column = Column("Expiry", "When does the term expire?", "date")
    texts = (
        "“8.3 The Landlord has no right.”",
        "“8.1 The Tenant may end this lease on 25 March 2030.”",
        "“2.1 from 25 March 2025, ending on 24 March 2035.”",
    )
    found = [valued(Found("", each), column) for each in texts]
    assert [each.text for each in best_first(found, column)] == [texts[2], texts[0], texts[1]]
    clause = Column("Break", "Who may break?", "clause")
    assert list(best_first(found, clause)) == found


def test_due_diligence_is_not_when_something_is_due() -> None:
    column = Column("Offers due", "When are offers due?", "date")
    texts = ("Call for offers: April 30, 2025", "End of due diligence: June 6, 2025")
    found = [valued(Found("", each), column) for each in texts]
    assert [each.text for each in best_first(found, column)] == list(texts)
    due = valued(Found("", "Offers due: May 2, 2025"), column)
    assert best_first([*found, due], column)[0] is due


def test_a_correction_is_of_the_unit_it_replaces() -> None:
    column = Column("Rent", "How much is the annual rent?", "figure")
    before = valued(Found("", "£302,400 per annum"), column)
    assert before.unit == "GBP/year"
    for text, unit in (("£302,500", "GBP/year"), ("302,500", "GBP/year"), ("$302,500", "USD")):
        assert in_unit_of(valued(Found("", text), column), before).unit == unit
    assert in_unit_of(valued(Found("", "none"), column), before).unit == ""
