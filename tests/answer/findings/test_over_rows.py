"""Sums over the rows of a list: those that are named, that are as it says, or all."""

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.findings.columns_meant import columns_of_figures
from docqa.types.search import Hit
from tests.answer.findings.test_lists import ESTATES, FLOORS, ROLL
from tests.answer.findings.test_worked import first_line, with_statements
from tests.answer.passages import asked, block, hit, row, with_tables

SALES = hit(
    block("Recent sales", 5, "heading"),
    row("Building", "Sold", "Area (sq ft)", "Price ($)", "$/sq ft", page=5, header=True),
    row("12 Weir Street", "May 2023", "58,400", "13,100,000", "224", page=5),
    row("Tannery Exchange", "Nov 2023", "96,000", "23,500,000", "245", page=5),
    row("88 Millrace Avenue", "Aug 2024", "71,500", "18,300,000", "256", page=5),
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How much rent do Birch and Elm pay together?", "105,000 + 70,000 = 175,000"),
        ("How many square feet expire before 2029 in total?", "4,200 + 2,500 = 6,700"),
        ("What share of the area does Oak Books rent?", "1,800 ÷ 9,400 = 19.15%"),
        ("What percentage of the rent does the largest tenant pay?", "105,000 ÷ 227,000 = 46.26%"),
        ("How much more rent does Birch pay than Oak?", "105,000 − 52,000 = 53,000"),
    ],
)
def test_rows_that_are_named_or_as_asked_are_summed(question: str, shown: str) -> None:
    given = with_statements(question, ROLL)
    assert shown in first_line(given)
    assert verify_answer(given).problems == []


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What do the comparable sales add up to?", "= 54,900,000"),
        ("What is the average price per sq ft of the sales?", "(224 + 245 + 256) ÷ 3 = 241.6667"),
    ],
)
def test_what_is_per_something_is_not_added_up_and_no_day_is_a_figure(
    question: str, shown: str
) -> None:
    assert shown in first_line(with_statements(question, SALES))


def test_no_list_is_summed_of_which_nothing_is_asked() -> None:
    given = with_statements("How much do the deposits of both leases come to?", SALES)
    assert "13,100,000 +" not in given.text


def test_no_list_is_summed_that_does_not_have_what_is_named() -> None:
    given = with_statements("What is the total price of the sales of Acorn and Larch?", SALES)
    assert "54,900,000" not in given.text


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("How many square feet are vacant?", "3,350 + 1,700 = 5,050"),
        ("What is the total annual rent expiring before 2028?", "33,200 + 21,450 = 54,650"),
    ],
)
def test_areas_and_rents_are_added_over_the_rows_meant(question: str, shown: str) -> None:
    assert shown in with_statements(question, ESTATES).text


def test_rows_of_one_label_are_told_apart_by_the_words_that_each_has_alone() -> None:
    assert "Ash Works, Unit 3, Elm Yard, Unit B" in with_statements(
        "How many square feet are vacant?", ESTATES
    ).text  # fmt: skip


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What are total arrears at Elm Yard?", "no sum"),  # one row alone is none
        ("What is the total rent at Ash Works?", "33,200 + 47,600 = 80,800"),
        ("total arrears across both estates", "0 + 11,900 + 3,575 = 15,475"),
        (
            "Which leases end before 2028, and how many square feet is that?",
            "4,150 + 1,950 = 6,100",
        ),
        ("How far was total spend over the rent budget?", "no sum"),
    ],
)
def test_a_total_is_of_all_rows_or_of_those_that_have_a_name(question: str, shown: str) -> None:
    text = with_statements(question, ESTATES).text
    assert "Sum," not in text if shown == "no sum" else shown in text


@pytest.mark.parametrize(
    "question",
    ["total arrears across both estates", "What is the total annual rent expiring before 2028?"],
)
def test_a_sum_over_a_roll_of_a_day_raises_no_alarm(question: str) -> None:
    dated = hit(block("Rent roll as of 31 December 2025", 1, "heading"), *ESTATES.chunk.blocks[1:])
    given = verify_answer(with_statements(question, dated), question=question)
    assert given.text.startswith("Sum, ")
    assert given.problems == []


def test_what_is_added_of_rows_that_are_days_is_called_by_its_column() -> None:
    calls = hit(
        block("Capital calls and distributions", 3, "heading"),
        row("Notice date", "Due date", "Type", "€m", page=3, header=True),
        row("3 Feb 2025", "17 Feb 2025", "Call", "2.9", page=3),
        row("1 Sep 2025", "15 Sep 2025", "Call", "6.5", page=3),
        row("22 Apr 2024", "30 Apr 2024", "Distribution", "70.1", page=3),
        row("11 Jan 2024", "18 Jan 2024", "Distribution", "10.8", page=3),
    )
    given = with_statements("Total distributions in 2024", calls)
    assert given.text.startswith("Sum, €m, 22 Apr 2024, 11 Jan 2024: 70.1 + 10.8 = 80.9")


def test_the_number_of_rows_that_an_average_is_of_raises_no_alarm() -> None:
    rents = [row(f"Unit {n}", f"{n},{n}0", page=1) for n in range(11, 25)]
    roll = hit(
        block("Rent roll", 1, "heading"),
        row("Unit", "Annual rent ($)", page=1, header=True),
        *rents,
    )
    question = "What is the average annual rent of the units?"
    given = verify_answer(with_statements(question, roll), question=question)
    assert "÷ 14 = " in given.text
    assert given.problems == []


def test_a_share_is_of_the_time_asked_for_and_of_no_row_that_adds_up_the_others() -> None:
    regions = hit(
        block("Revenues by geography (in millions)", 7, "caption"),
        row("Region", "Three Months Ended July 2, 2023", "Six Months Ended July 2, 2023",
            page=7, header=True),
        row("United States", "6,185", "14,692", page=7),
        row("Europe", "2,415", "5,236", page=7),
        row("Emerging Markets", "4,134", "11,087", page=7),
        row("Revenues", "12,734", "31,015", page=7),
    )  # fmt: skip
    question = "What share of first-half 2023 revenues came from the United States?"
    assert "14,692 ÷ 31,015 = 47.37%" in with_statements(question, regions).text


BUDGET = hit(
    block("Budget monitoring, year to date (£000)", 1, "heading"),
    row("Department", "Budget", "Actual", "Variance", "Owner", page=1, header=True),
    row("Marketing", "420", "455", "(35)", "J. Bell", page=1),
    row("Operations", "1,210", "1,180", "30", "A. Pike", page=1),
    row("IT", "330", "361", "(31)", "S. Rao", page=1),
    row("Facilities", "150", "150", "-", "K. Moss", page=1),
    row("Total", "2,110", "2,146", "(36)", "", page=1),
)
SCHEDULE = hit(
    block("Tenancy schedule", 1, "heading"),
    row("Unit", "Tenant", "Area (sq ft)", "Passing rent (£ pa)", "ERV (£ pa)", page=1, header=True),
    row("1", "Alder Foods Ltd", "4,000", "40,000", "46,000", page=1),
    row("2", "Beech Tools Ltd", "5,000", "55,000", "52,500", page=1),
    row("3", "Vacant", "2,000", "", "22,000", page=1),
    row("Total", "", "11,000", "95,000", "120,500", page=1),
)


@pytest.mark.parametrize(
    ("table", "question", "shown"),
    [
        (BUDGET, "gap between budget and actual for Marketing", "420 − 455 = −35 (in thousands)"),
        (BUDGET, "How much was IT over budget?", "Actual − Budget, IT: 361 − 330 = 31"),
        (BUDGET, "difference between total budget and actual", "2,110 − 2,146 = −36"),
        (SCHEDULE, "gap between ERV and passing rent", "120,500 − 95,000 = 25,500"),
        (SCHEDULE, "gap between ERV and passing rent for Alder Foods", "Unit 1: 46,000 − 40,000"),
    ],
)
def test_two_columns_are_set_against_each_other(table: Hit, question: str, shown: str) -> None:
    given = with_statements(question, table)
    assert shown in first_line(given)
    assert verify_answer(given, question=question).problems == []


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("rent per sq ft of Unit 2", "Ash Works: 47,600 ÷ 5,600 = 8.5"),
        (
            "average rent per sq ft",
            "(33,200 + 47,600 + 21,450) ÷ (4,150 + 5,600 + 1,950) = 8.74",
        ),
    ],
)
def test_a_rate_that_no_column_has_is_worked_out_of_two(question: str, shown: str) -> None:
    given = with_statements(question, ESTATES)
    assert shown in first_line(given).replace(", Unit 2:", ":")
    assert verify_answer(given, question=question).problems == []


def test_what_a_list_is_called_names_none_of_its_columns() -> None:
    given = with_statements("sum the arrears in the rent roll", ESTATES)
    assert "0 + 11,900 + 3,575 = 15,475" in first_line(given)


def test_what_is_vacant_counts_in_a_total_of_all_that_is_printed() -> None:
    assert "120,500" in first_line(with_statements("total ERV", SCHEDULE))
    let = with_statements("total ERV of the let units", SCHEDULE)
    assert "46,000 + 52,500 = 98,500" in first_line(let)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("total rent on the first floor", "56,000 + 44,400 = 100,400"),
        ("average rent on the ground floor", "(31,250 + 26,950) ÷ 2 = 29,100"),
        ("gap between ERV and rent", "198,560 − 158,600 = 39,960"),
        ("avg rent on the 1st floor", "(56,000 + 44,400) ÷ 2 = 50,200"),
        ("how much space do the offices take?", "3,200 + 2,400 = 5,600"),
        ("average rent per sq ft of the offices", "(56,000 + 44,400) ÷ (3,200 + 2,400) = 17.93"),
    ],
)
def test_rows_are_added_by_what_they_stand_under(question: str, shown: str) -> None:
    given = with_statements(question, FLOORS)
    assert shown in first_line(given)
    assert verify_answer(given, question=question).problems == []


def test_of_two_codes_with_to_between_them_all_between_are_added() -> None:
    years = [row(str(n), f"{n}1,000", page=2) for n in range(1, 7)]
    rents = hit(
        block("Schedule 1: Rent", 2, "heading"),
        row("Year", "Yearly rent (£)", page=2, header=True),
        *years,
    )
    given = with_statements("add up the rent of years 1 to 4", rents)
    assert "11,000 + 21,000 + 31,000 + 41,000 = 104,000" in first_line(given)


@pytest.mark.parametrize(
    ("areas", "shown"), [(("300", "100"), "300 ÷ 400 = 75%"), (("0", "0"), "no share")]
)
def test_a_share_is_of_all_rows_where_no_total_is_printed(
    areas: tuple[str, str], shown: str
) -> None:
    roll = hit(
        block("Rent roll", 3, "heading"),
        row("Tenant", "Area (sq ft)", page=3, header=True),
        row("Birch Dental", areas[0], page=3),
        row("Oak Books", areas[1], page=3),
    )
    text = with_statements("What share of the area does Birch Dental rent?", roll).text
    assert "÷" not in text if shown == "no share" else shown in text.replace(".00", "")


AMORTIZATION = hit(
    block("The amortization expense for other intangible assets was as follows:", 5, "caption"),
    row("Years", "(dollars in millions)", page=5, header=True),
    row("2023", "2,507", page=5),
    row("2022", "2,087", page=5),
)
BY_SEGMENT = hit(
    block("Operating revenues by segment", 6, "caption"),
    row("(dollars in millions)", "Years Ended December 31, 2023", "Years Ended December 31, 2022",
        page=6, header=True),
    row("Consumer", "103,506", "95,300", page=6),
    row("Business", "31,072", "31,042", page=6),
    index=1,
)  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        "How much did operating income change from 2022 to 2023?",
        "How much higher was interest expense in 2023 than in 2022?",
        "What was the average headcount over the last two years?",
    ],
)
def test_no_sum_is_made_over_years_or_segments_of_what_the_table_does_not_measure(
    question: str,
) -> None:
    given = with_statements(question, AMORTIZATION, BY_SEGMENT)
    assert "2,507 − 2,087" not in given.text
    assert "÷ 2" not in given.text


def test_a_share_is_of_as_many_rows_as_are_asked_for() -> None:
    given = with_statements("What share of the rent do the two largest tenants pay?", ROLL)
    assert "(105,000 + 70,000) ÷ 227,000 = 77.09%" in first_line(given)
    assert verify_answer(given).problems == []


REPURCHASES = hit(
    block("Issuer purchases of equity securities", 7, "caption"),
    row("Period", "Shares purchased", "Value that may yet be purchased ($)", page=7, header=True),
    row("April 3 through April 30", "35,000", "3,292,882,444", page=7),
    row("May 1 through May 28", "21,000", "3,292,882,444", page=7),
)


def test_the_only_column_of_money_is_not_meant_by_what_is_not_about_its_rows() -> None:
    given = with_statements("What was the average quarterly revenue?", REPURCHASES)
    assert "3,292,882,444 +" not in given.text


def test_no_column_is_meant_by_one_word_of_a_long_head() -> None:
    (table,) = with_tables([
        hit(
            row("Balance", "Net unrealized gains or losses on debt securities", "Area (sq ft)",
                page=7, header=True),
            row("Opening", "33", "120", page=7),
            row("Closing", "65", "130", page=7),
        )
    ])[0].tables  # fmt: skip
    question = asked("What was the average loan balance?")
    assert columns_of_figures(question, table, table.rows, added=False) == []


PARK = hit(
    block("Rent roll", 2, "heading"),
    row("Unit", "Tenant", "Area (sq ft)", "Annual rent ($)", page=2, header=True),
    row("A-110", "Desert Dental", "6,000", "90,000", page=2),
    row("A-120", "Vacant", "5,200", "-", page=2),
    row("B-230", "Vacant", "3,450", "-", page=2),
    row("C-310", "Mesa Coffee", "4,100", "70,000", page=2),
    row("C-320", "Vacant", "7,900", "-", page=2),
)


def test_parts_that_are_called_by_letters_are_summed_alone() -> None:
    given = with_statements("How much vacant space is there in A and C together?", PARK)
    assert "5,200 + 7,900 = 13,100" in given.text


def test_rows_are_added_that_are_in_the_state_named_not_in_one_with_a_word_of_it() -> None:
    security = hit(
        block("Tenant security", 2, "heading"),
        row("Tenant", "Form of security", "Amount ($)", page=2, header=True),
        row("Ridgeback Outdoor", "Bank guarantee", "94,050", page=2),
        row("Pelham Bedding", "Directors' guarantee", "80,000", page=2),
        row("Kooki Pet Supplies", "Cash bond", "44,625", page=2),
        row("Two Rivers Coffee", "Cash bond", "11,083", page=2),
        row("Tilemakers Direct", "Bank guarantee", "155,250", page=2),
    )
    given = with_statements("What is the total amount held by way of bank guarantees?", security)
    assert "94,050 + 155,250 = 249,300" in given.text


DEBTORS = hit(
    block("Trade debtors ageing", 2, "heading"),
    row("Customer", "Not due", "Overdue 1–30", "Total", page=2, header=True),
    row("Marlowe's Supermarkets", "1,980", "660", "2,640", page=2),
    row("Fairholt Stores", "1,102", "353", "1,455", page=2),
    row("Nordvik Import", "172", "314", "486", page=2),
    row("Total", "3,254", "1,327", "4,581", page=2),
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What share of the debtor book is owed by Marlowe's Supermarkets?", "2,640 ÷ 4,581"),
        ("What share of what is not due is owed by Marlowe's Supermarkets?", "1,980 ÷ 3,254"),
    ],
)
def test_a_share_is_of_the_column_of_totals_where_none_is_named(question: str, shown: str) -> None:
    assert shown in with_statements(question, DEBTORS).text
