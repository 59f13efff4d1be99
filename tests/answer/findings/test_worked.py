"""Sums worked out of printed figures; likely places instead of a denial."""

from dataclasses import replace

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.answer.findings.extractive import answer_from
from docqa.answer.findings.formulas import formula_of, is_narrowed
from docqa.answer.findings.operations import operation_of, row_odds
from docqa.answer.findings.values import asks_why
from docqa.answer.findings.worked import ASKED, NEAREST_TO_IT
from docqa.ingest.tables.build import tables_of
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer
from docqa.types.document import Document
from docqa.types.search import Hit
from tests.answer.findings.judged import means, means_of
from tests.answer.passages import asked, block, found, hit, row, with_tables
from tests.bundled import encoder

SALES = hit(
    block("Net sales by contract (in millions)", 4, "caption"),
    row("", "Year ended September 30, 2019", "Year ended September 30, 2018", header=True),
    row("Fixed price", "$1,452.4", "$1,146.2"),
    row("Other", "44.1", "56.7"),
    row("Total sales", "$1,496.5", "$1,202.9"),
)


def ask(question: str, *hits: Hit) -> Answer:
    result = found(question, hits)
    return answer_from(result, settings=DEFAULTS, means=means_of(result.hits))


def first_line(given: Answer) -> str:
    return given.text.splitlines()[0]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was the change in total sales from 2018 to 2019?", "1,496.5 − 1,202.9 = 293.6"),
        (
            "What was the percentage change in total sales from 2018 to 2019?",
            "(1,496.5 − 1,202.9) ÷ 1,202.9 = 24.41%",
        ),
        ("What was the average of total sales in 2018 and 2019?", "÷ 2 = 1,349.7 (in millions)"),
        ("What share of total sales was fixed price in 2019?", "1,452.4 ÷ 1,496.5 = 97.05%"),
        ("In which year were total sales the highest?", "2019: Total sales, $1,496.5"),
    ],
)
def test_a_sum_is_shown_with_its_figures_and_where_they_stand(question: str, shown: str) -> None:
    given = ask(question, SALES)
    assert shown in first_line(given)
    assert {b.index for c in given.citations for b in c.blocks} <= {2, 3, 4}
    assert given.citations


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What are total licence fees over the three years?", "286 + 298 + 311 = 895"),
        ("Combined licence fees for the first two years?", "286 + 298 = 584"),
        ("What are total licence fees?", "Year 1: 286; Year 2: 298"),
    ],
)
def test_a_row_is_summed_over_the_years_of_a_term(question: str, shown: str) -> None:
    fees = hit(
        block("Annual fees", 4, "caption"),
        row("Fee", "Year 1", "Year 2", "Year 3", header=True),
        row("Licence fees", "286", "298", "311"),
        row("Support fees", "62", "64", "67"),
    )
    assert shown in first_line(ask(question, fees))


def test_a_mean_is_of_as_many_years_as_are_asked_for() -> None:
    sales = hit(
        block("Selected data (in millions)", 4, "caption"),
        row("", "2022", "2021", "2020", header=True),
        row("Total sales", "$1,500", "$1,200", "$900"),
    )
    question = "What was the average of total sales over the last {} years?"
    assert "(1,200 + 1,500) ÷ 2 = 1,350" in first_line(ask(question.format("two"), sales))
    assert "(900 + 1,200 + 1,500) ÷ 3 = 1,200" in first_line(ask(question.format("3"), sales))
    assert "÷" not in ask(question.format("five"), sales).text


def test_a_sum_over_years_has_those_between() -> None:
    taxes = hit(
        block("Operating statement", 3, "heading"),
        row("US dollars", "2022", "2023", "2024", page=3, header=True),
        row("Property tax", "212", "218", "224", page=3),
        row("Insurance", "46", "51", "57", page=3),
    )
    over = ask("What was the total property tax from 2022 to 2024?", taxes)
    assert "212 + 218 + 224 = 654" in first_line(over)
    of_two = ask("What is the sum of property tax in 2022 and 2024?", taxes)
    assert "212 + 224 = 436" in first_line(of_two)


def test_what_is_printed_to_be_taken_off_rises_with_its_size() -> None:
    costs = hit(
        block("Operating statement", 3, "heading"),
        row("US dollars", "2023", "2024", page=3, header=True),
        row("Insurance", "(50)", "(60)", page=3),
        row("Net loss", "(10)", "(30)", page=3),
    )
    rise = ask("What was the percentage change in insurance from 2023 to 2024?", costs)
    assert "(60 − 50) ÷ 50 = 20.00%" in first_line(rise)
    loss = ask("What was the change in net loss from 2023 to 2024?", costs)
    assert "−30 − (−10) = −20" in first_line(loss)


def test_a_figure_is_held_against_the_one_in_the_column_that_is_named() -> None:
    budget = hit(
        block("Operating budget", 2, "caption"),
        row("Account", "2025 Budget", "2025 Actual", "2025 Variance", header=True),
        row("Insurance premium", "92,400", "101,640", "9,240"),
        row("Clubhouse rental", "3,600", "2,925", "(675)"),
    )
    over = ask("By what percentage was the insurance premium over budget?", budget)
    assert "(101,640 − 92,400) ÷ 92,400 = 10.00%" in first_line(over)


def test_rows_are_added_that_are_named_by_what_tells_them_apart() -> None:
    weeks = hit(
        block("Operating receipts (in thousands)", 2, "caption"),
        row("", "Wk 1", "Wk 2", "Wk 3", page=2, header=True),
        row("Trade receipts - Grocery", "1,996", "2,251", "2,250", page=2),
        row("Trade receipts - Foodservice", "841", "982", "903", page=2),
        row("Trade receipts - Export", "120", "135", "140", page=2),
    )
    added = first_line(ask("Grocery and foodservice receipts combined in week 3?", weeks))
    assert "2,250 + 903 = 3,153" in added
    in_units = ask("How much more are grocery than export receipts in week 3 ($000)?", weeks)
    assert "2,250 − 140 = 2,110" in first_line(in_units)


PASSENGERS = hit(
    block("Passengers (in thousands)", 4, "caption"),
    row("Route", "2022", "2023", "2024 budget", "2024 actual", header=True),
    row("Lisbon", "120.0", "131.0", "150.0", "144.0"),
    row("Total passengers", "606", "640", "686.5", "676"),
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("By how much did total passengers grow from 2022 to 2024?", "676 − 606 = 70"),
        ("How far above budget were total passengers in 2024?", "676 − 686.5 = −10.5"),
        ("By what percentage did total passengers grow on 2023?", "(676 − 640) ÷ 640"),
        ("By how much have total passengers grown since 2022?", "676 − 606 = 70"),
        ("By what percentage did total passengers grow in 2023?", "(640 − 606) ÷ 606"),
    ],
)
def test_what_was_done_is_held_against_what_was_done_before(question: str, shown: str) -> None:
    assert shown in first_line(ask(question, PASSENGERS))


def test_a_share_is_of_the_whole_that_is_named_first() -> None:
    halves = hit(
        block("Sales by half year (in thousands)", 4, "caption"),
        row("", "H1 2026", "H1 2025", "Budget H1 2026", header=True),
        row("Apples", "3,120", "3,905", "3,800"),
        row("Pears", "1,240", "1,180", "1,200"),
        row("Cider", "2,410", "2,055", "2,250"),
        row("Total sales", "6,770", "7,140", "7,250"),
    )
    told = first_line(ask("What share of total sales is cider?", halves))
    assert "2,410 ÷ 6,770 = 35.60%" in told


def test_the_mean_of_other_rows_than_the_one_named_is_not_told() -> None:
    roll = hit(
        row("Tenant", "Area (sq ft)", "Rent ($)", header=True),
        row("Birch Dental", "4,200", "105,000"),
        row("Oak Books", "1,800", "52,000"),
        row("Elm Foods", "2,100", "60,000"),
    )
    assert "÷" not in first_line(ask("What is the average rent of Birch Dental?", roll))


def test_a_midpoint_is_of_no_years() -> None:
    quarters = hit(
        block("Statements of operations (in thousands)", 3, "caption"),
        row("", "October 31, 2025", "October 31, 2024", page=3, header=True),
        row("Total revenue", "184,591", "158,214", page=3),
        index=1,
    )
    assert "=" not in first_line(ask("midpoint of total revenue", quarters))


def test_no_mean_over_years_is_told_where_one_is_asked_for() -> None:
    ratios = hit(
        block("Financial summary", 4, "caption"),
        row("", "2023A", "2024A", "2025E", header=True),
        row("P/E", "13.6", "13.4", "12.1"),
    )
    assert "=" not in first_line(ask("avg 25E P/E of the four peers", ratios))


def test_a_column_of_shares_that_is_named_is_not_added_up() -> None:
    units = hit(
        block("Unit mix and occupancy", 1, "heading"),
        row("Facility / unit type", "Units", "Occupied units", "Occupancy", header=True),
        row("Millrace"),
        row("5x10 climate", "88", "79", "89.8%"),
        row("10x10 climate", "74", "66", "89.2%"),
        row("Total Millrace", "162", "145", "89.5%"),
        row("Eastgate"),
        row("5x5 drive-up", "110", "91", "82.7%"),
        row("10x20 drive-up", "62", "57", "91.9%"),
        row("Total Eastgate", "172", "148", "86.0%"),
    )
    line = first_line(with_statements("overall unit occupancy at Millrace", units))
    assert "89.5%" in line
    assert "=" not in line


def test_a_row_that_the_question_names_is_worked_with() -> None:
    statement = hit(
        block("Income and expenses", 3, "heading"),
        row("US dollars", "2022", "2023", "2024", page=3, header=True),
        row("Net operating income", "1,084", "1,132", "1,200", page=3),
    )
    given = ask("How much did NOI grow from 2022 to 2024?", statement)
    assert "1,200 − 1,084 = 116" in first_line(given)


def test_the_half_year_before_is_a_time_before() -> None:
    statement = hit(
        block("Income statement (in millions)", 3, "caption"),
        row("", "Six months ended 30 June 2025", "Six months ended 30 June 2024", header=True),
        row("Finance costs", "(7.9)", "(7.2)"),
    )
    question = "change in finance costs vs prior first half, £m"
    result = found(question, [statement], intent="comparison")
    given = answer_from(result, settings=DEFAULTS, means=means())
    assert "7.9 − 7.2 = 0.7 (in millions)" in first_line(given)


def test_a_total_is_named_by_what_it_is_of() -> None:
    liabilities = hit(
        block("Creditors due within one year", 3, "heading"),
        row("", "30 Sep 2025", "31 Aug 2025", page=3, header=True),
        row("Trade creditors", "(1,037)", "(1,109)", page=3),
        row("Accruals", "(167)", "(158)", page=3),
        row("Total current liabilities", "(1,204)", "(1,267)", page=3),
    )
    question = "By how much did creditors due within one year come down from August to September?"
    assert "Total current liabilities" in first_line(ask(question, liabilities))


def test_a_figure_that_is_printed_is_not_worked_out() -> None:
    assert "=" not in ask("What were total sales in 2019?", SALES).text


def test_a_row_of_unlike_columns_has_no_average() -> None:
    roll = hit(
        row("Tenant", "Area (sq ft)", "Rent ($)", header=True),
        row("Birch Dental", "4,200", "105,000"),
        row("Oak Books", "1,800", "52,000"),
    )
    assert "÷" not in ask("What is the average rent of Birch Dental?", roll).text


def test_an_amount_that_the_question_gives_is_in_no_printed_sum() -> None:
    given = ask("If total sales were $2 million, what share were fixed price sales?", SALES)
    assert "÷" not in given.text


BALANCE = hit(
    block("Consolidated Balance Sheets", 5, "heading"),
    block("(In millions)", 5, "caption"),
    row("", "December 31, 2022", "December 31, 2021", page=5, header=True),
    row("Cash and cash equivalents", "$1,200", "$1,000", page=5),
    row("Accounts receivable, net", "800", "700", page=5),
    row("Inventories", "500", "450", page=5),
    row("Total current assets", "2,500", "2,150", page=5),
    row("Total assets", "9,000", "8,500", page=5),
    row("Accounts payable", "600", "500", page=5),
    row("Total current liabilities", "1,000", "900", page=5),
    row("Total liabilities", "4,000", "3,900", page=5),
    row("Total stockholders’ equity", "5,000", "4,600", page=5),
)


def with_statements(question: str, *hits: Hit) -> Answer:
    numbered = with_tables(hits)
    blocks = [each for hit in numbered for each in hit.chunk.blocks]
    known = replace(
        means(),
        tables=lambda document_id: tables_of(document_id, blocks),
        blocks=lambda _: blocks,
    )
    result = replace(found(question, hits), hits=tuple(numbered))
    return answer_from(result, settings=DEFAULTS, means=known)


def test_a_ratio_is_worked_out_of_the_lines_it_takes() -> None:
    given = with_statements("What is the quick ratio for FY2022?", BALANCE)
    assert first_line(given).startswith(
        "Quick ratio, December 31, 2022: (1,200 + 800) ÷ 1,000 = 2 "
    )
    assert "- Accounts receivable, net, December 31, 2022: 800 [S1." in given.text
    assert len(given.citations) == 3


def test_the_margin_of_a_property_is_of_the_revenue_that_its_statement_totals() -> None:
    statement = hit(
        block("Income (in thousands of €)", 2, "caption"),
        row("", "Q3 2025", "Q3 2024", page=2, header=True),
        row("Rental income", "812", "768", page=2),
        row("Parking income", "205", "209", page=2),
        row("Total revenue", "1,017", "977", page=2),
        row("Service charge costs", "(282)", "(309)", page=2),
        row("Net operating income", "735", "668", page=2),
    )
    given = with_statements("What was the NOI margin in Q3 2025?", statement)
    assert "735 ÷ 1,017 = 72.27%" in first_line(given)


def income_of(time: str, page: int, *rows: tuple[str, str, str, str]) -> Hit:
    return hit(
        block("Consolidated Statement of Income", page, "heading"),
        block("(In millions)", page, "caption"),
        row("", f"{time} ended June 30, 2023", f"{time} ended June 30, 2022", "Inc/ (Dec)",
            page=page, header=True),
        *(row(*each, page=page) for each in rows),
    )  # fmt: skip


QUARTER = income_of(
    "Quarter", 6,
    ("Revenues", "$6,500", "$5,700", "$800"),
    ("Cost of sales", "2,900", "3,000", "(100)"),
    ("Operating income", "3,100", "1,700", "1,400"),
    ("Net income", "$2,300", "$1,200", "$1,100"),
)  # fmt: skip
YEAR_TO_DATE = income_of(
    "Six months", 7,
    ("Revenues", "$12,400", "$11,400", "$1,000"),
    ("Cost of sales", "5,800", "5,900", "(100)"),
    ("Operating income", "5,600", "4,000", "1,600"),
    ("Net income", "$4,100", "$2,300", "$1,800"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was the operating margin in Q2 2023?", "3,100 ÷ 6,500 = 47.69%"),
        ("What was the operating margin for the six months ended June 30, 2023?",
         "5,600 ÷ 12,400 = 45.16%"),
        ("What was the operating margin in the first half of 2023?", "5,600 ÷ 12,400 = 45.16%"),
    ],
)  # fmt: skip
def test_a_ratio_is_of_the_length_of_time_asked_for(question: str, shown: str) -> None:
    assert shown in first_line(with_statements(question, QUARTER, YEAR_TO_DATE))


CASH_FLOWS = hit(
    block("Consolidated Statement of Cash Flows", 8, "heading"),
    block("(In millions)", 8, "caption"),
    row("", "Six months ended June 30, 2023", "Six months ended June 30, 2022", page=8,
        header=True),
    row("Net income", "$4,100", "$2,300", page=8),
    row("Depreciation and amortization", "400", "380", page=8),
    row("Net cash provided by operating activities", "4,500", "4,000", page=8),
    row("Capital expenditures", "(900)", "(800)", page=8),
    row("Cash paid during the period for interest", "100", "90", page=8),
    row("Net cash used in investing activities", "(900)", "(800)", page=8),
    row("Net cash used in financing activities", "(1,000)", "(700)", page=8),
    index=1,
)  # fmt: skip
AT_JUNE = hit(
    block("Consolidated Balance Sheet", 9, "heading"),
    block("(In millions)", 9, "caption"),
    row("", "June 30, 2023", "December 31, 2022", page=9, header=True),
    row("Cash and cash equivalents", "$2,000", "$1,900", page=9),
    row("Accounts receivable", "650", "650", page=9),
    row("Total current assets", "2,900", "2,800", page=9),
    row("Total assets", "20,000", "19,000", page=9),
    row("Total current liabilities", "1,000", "900", page=9),
    row("Long-term debt", "9,000", "8,000", page=9),
    row("Total liabilities", "12,000", "11,000", page=9),
    row("Total stockholders’ equity", "8,000", "8,000", page=9),
    index=2,
)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was EBITDA?", "six months ended June 30, 2023: 5,600 + 400 = 6,000"),
        ("How did EBITDA develop?", "up 1,620 or 36.99% (six months ended June 30, 2022: 4,000"),
        ("What was the free cash flow for the period?", "4,500 − 900 = 3,600"),
        ("What is the DSO?", "91 × ((650 + 650) ÷ 2) ÷ 6,500 = 9.1 days"),
        ("What is the DSO for the six months?", "182 × ((650 + 650) ÷ 2) ÷ 12,400 = 9.54 days"),
    ],
)
def test_what_flows_is_of_one_length_of_time_and_days_are_those_of_it(
    question: str, shown: str
) -> None:
    given = with_statements(question, QUARTER, YEAR_TO_DATE, CASH_FLOWS, AT_JUNE)
    assert shown in first_line(given)
    assert not [each for each in verify_answer(given).checks if each.result == "not supported"]


def test_debt_is_not_held_against_what_part_of_a_year_earned() -> None:
    given = with_statements(
        "What is net debt to EBITDA?", QUARTER, YEAR_TO_DATE, CASH_FLOWS, AT_JUNE
    )
    assert "÷" not in given.text


def test_a_line_that_a_formula_takes_twice_is_told_once() -> None:
    taxed = income_of(
        "Quarter", 6,
        ("Revenues", "$6,500", "$5,700", "$800"),
        ("Operating income", "1,100", "800", "300"),
        ("Provision for income taxes", "200", "150", "50"),
        ("Net income", "$800", "$600", "$200"),
    )  # fmt: skip
    given = with_statements("What was the effective tax rate in Q2 2023?", taxed)
    assert "200 ÷ (800 + 200) = 20.00%" in first_line(given)
    assert given.text.count("- Provision for income taxes") == 1


def test_a_change_is_never_taken_for_a_figure_of_its_time() -> None:
    asked_for = "What was the operating margin for the six months ended June 30, 2021?"
    assert "1,400 ÷ 800" not in with_statements(asked_for, QUARTER).text


def test_one_figure_at_two_times_that_are_compared_is_worked_out() -> None:
    question = "By how much did total sales grow in 2019 compared with 2018?"
    own, result = means(), found(question, [SALES], intent="comparison")
    given = answer_from(result, settings=DEFAULTS, means=own)
    assert "1,496.5 − 1,202.9 = 293.6" in first_line(given)


def test_a_line_that_is_not_printed_leaves_a_ratio_undone() -> None:
    given = with_statements("What is the inventory turnover?", BALANCE)
    assert "÷" not in given.text
    lacks = "Inventory turnover cannot be worked out: Lease A.pdf has no line for cost of sales."
    assert first_line(given).startswith(lacks)
    assert given.likely
    assert "cannot be worked out" not in with_statements("Who is the auditor?", BALANCE).text


def test_what_no_passage_states_outright_is_shown_by_what_comes_nearest() -> None:
    risks = hit(
        block("A tenant in distress may stop paying before the loan matures.", 3), dense=0.4
    )
    given = ask("What are the biggest dangers of buying?", risks)
    assert given.likely
    assert given.found
    assert given.text.startswith(NEAREST_TO_IT)
    assert "[S1]" in given.text


def test_what_is_led_in_where_an_answer_likely_stands_is_shown_with_it() -> None:
    risks = hit(
        block("A loan is impaired where:", 3),
        block("(1) a tenant in distress stops paying before it matures; or", 3, "list"),
        block("(2) the roof needs repair.", 3, "list"),
        dense=0.4,
    )
    given = ask("What are the biggest dangers of buying?", risks)
    assert given.likely
    _, lead, *items = given.text.splitlines()
    assert lead == "- “A loan is impaired where:” [S1.1]"
    assert items[0].startswith("  - “(1) a tenant in distress")
    assert items[1].startswith("  - “(2) the roof needs repair.” [S1.3]")


def test_an_item_where_an_answer_likely_stands_comes_with_its_list() -> None:
    limits = hit(
        block("The survey was visual. The following were not inspected:", 3),
        block("the roof void, which was padlocked;", 3, "list"),
        block("unit 2, where racking hid the east wall; and", 3, "list"),
        block("the lift shaft pit.", 3, "list"),
    )
    given = ask("What parts of the property could the surveyor not get at?", limits)
    assert given.likely
    _, lead, *items = given.text.splitlines()
    assert lead == "- “The following were not inspected:” [S1.1]"
    assert [item.split("”")[0] for item in items[:3]] == [
        f"  - “{each.text}" for each in limits.chunk.blocks[1:]
    ]


@pytest.mark.parametrize("sign", ["•", "◦", "–", "❖", "\uf076"])
def test_what_is_shown_where_it_likely_stands_has_no_sign_of_a_list(sign: str) -> None:
    item = f"{sign} A tenant in distress may stop paying before the loan matures."
    given = ask("What are the biggest dangers of buying?", hit(block(item, 3), dense=0.4))
    assert given.text.endswith(f"- “{item[2:]}” [S1]")
    assert not [each for each in verify_answer(given).checks if each.result == "not supported"]


def test_a_sentence_that_comes_near_is_shown_though_its_passage_is_far() -> None:
    far = hit(block("Employees who speak up may call the hotline at any hour.", 9), dense=0.2)
    given = ask("How many employees used the hotline last year?", far)
    assert given.found
    assert given.likely
    assert given.text.startswith(NEAREST_TO_IT)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What interest is due on late payments?", "Invoices are paid within thirty days."),
        ("What is the cap on liability?", "Each indemnifies the other against all liabilities."),
        ("What does the hotline cost?", "Employees may call the hotline at any hour."),
    ],
)
def test_what_has_words_of_a_question_and_does_not_answer_it_is_no_answer(
    question: str, said: str
) -> None:
    given = ask(question, hit(said))
    assert given.likely or not given.found


def test_what_is_far_away_is_still_not_found() -> None:
    far = hit(block("The cafeteria opens at eight.", 1), dense=0.05)
    assert not ask("Who audits the accounts?", far).found


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("Why did the vacancy change?", "none"),
        ("By how much did revenue grow from 2021 to 2022?", "difference"),
        ("What is the year-over-year growth of rent in percent?", "change"),
        ("What do rent and service charge add up to?", "sum"),
        ("What was net income in 2022?", "none"),
        ("Why did net income fall?", "none"),
        ("midpoint of the revenue guidance", "average"),
        ("% jump in EBITDA 24 v 25", "change"),
        ("how far ahead of budget is NOI", "difference"),
        ("total payout grew 2025 v 2024 %", "change"),
        ("How has occupancy changed since last year?", "difference"),
        ("weighted average lease term", "none"),
        ("What was the percentage change in rent in 2022 from 2021?", "change"),
        ("rooms revenue over the last twelve months", "none"),
    ],
)
def test_the_sum_asked_for_is_told_from_the_wording(question: str, operation: str) -> None:
    told, chance = operation_of(question, encoder().encode_query(question))
    assert (told if chance >= ASKED else "none") == operation


def test_a_reason_is_sought_in_sentences_and_a_figure_in_rows() -> None:
    assert row_odds("What was total revenue in 2022?") > row_odds("Why did the board resign?")


def test_a_row_of_figures_gives_no_reason() -> None:
    why = "Total sales declined primarily due to lower volumes."
    told = hit(*SALES.chunk.blocks, block(why, 5))
    for question in (
        "What drove the decline in total sales?",
        "What was the decline in total sales driven by?",
        "What is the decline in total sales due to?",
    ):
        assert first_line(ask(question, told)).startswith(f"“{why}”")
    assert "1,496.5" in first_line(ask("What were total sales in 2019?", told))


def test_a_row_of_figures_says_no_way_in_which_it_is_made() -> None:
    way = "Average price is the blended price of all grades, returned goods apart."
    prices = hit(
        row("$", "2019", "2018", "2017", page=4, header=True),
        row("Average price, rounded", "1.27", "1.40", "1.01", page=4),
        block(way, 5),
    )
    assert way in first_line(ask("How is the average price calculated?", prices))
    assert "1.27" in first_line(ask("What was the average price in 2019?", prices))


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("How much notice must the owner give to terminate without cause?", False),
        ("Can the council leave for any reason, and at what price?", False),
        ("days of absence caused by flu", False),
        ("how did the value of the fund move", False),
        ("main reason sales dropped", True),
        ("What’s behind the overspend on the roof?", True),
        ("how do they define free cash flow", True),
        ("How are leases accounted for?", True),
    ],
)
def test_a_reason_or_a_way_is_told_from_what_only_names_one(question: str, asks: bool) -> None:
    assert asks_why(asked(question)) is asks


def test_a_reason_beside_a_figure_leaves_the_figure() -> None:
    question = "Did total sales change in 2019? If so, what drove the change?"
    assert "1,496.5" in ask(question, SALES).text


def test_a_change_is_not_taken_between_columns_that_measure_other_things() -> None:
    sold = hit(
        block("Sales at constant currency (in millions)", 4, "caption"),
        row("", "Quarter ended June 30, 2023 Exchange rate effect", "FX-neutral",
            "Quarter ended June 30, 2022 As reported", header=True),
        row("Merchandise volume", "$(176)", "$18,390", "$18,549"),
    )  # fmt: skip
    assert "−" not in ask("How did merchandise volume change?", sold).text


def test_figures_over_years_are_no_list_of_what_a_phrase_calls() -> None:
    deposits = hit(
        block("Deposits at December 31 (in millions)", 4, "caption"),
        row("", "December 31, 2023", "December 31, 2022", header=True),
        row("Time deposits", "4,205", "2,180"),
        row("Savings", "1,100", "1,300"),
        row("Total deposits", "5,305", "3,480"),
    )
    assert "5,305" in first_line(with_statements("total deposits", deposits))


def test_rows_that_stand_with_a_reference_are_summed_by_their_names() -> None:
    accounts = hit(
        row("", "", "Jan 2025", "Feb 2025", "Mar 2025", "Total", header=True),
        row("4990-000", "Total income", "100", "110", "120", "330"),
        row("5210-000", "Security patrol", "10", "11", "12", "33"),
        row("5215-000", "Lot sweeping", "5", "5", "5", "15"),
    )
    both = ask("What did security patrol and lot sweeping cost together in February?", accounts)
    assert "11 + 5 = 16" in first_line(both)


def test_of_columns_of_one_time_that_is_compared_of_which_most_is_asked() -> None:
    segments = hit(
        row("Segment", "Revenue ($m) 2025", "Revenue ($m) 2024", "Contribution margin 2025",
            "Contribution margin 2024", header=True),
        row("Long-term care", "3.7", "3.9", "12.4%", "17.9%"),
        row("Hospitals", "14.6", "12.2", "38.1%", "35.4%"),
    )  # fmt: skip
    question = "How far below the 2024 level is the 2025 margin of long-term care?"
    assert "12.4% − 17.9%" in first_line(ask(question, segments))


def test_over_so_many_months_is_no_difference() -> None:
    given = with_statements("How much did revenues come to over the six months?", YEAR_TO_DATE)
    assert "12,400" in first_line(given)
    assert "11,400 =" not in first_line(given)


def test_a_year_under_words_on_time_is_told_by_itself() -> None:
    sales = hit(
        row("", "Year Ended December 31,", "Year Ended December 31,", header=True),
        row("(In millions)", "2021", "2020", header=True),
        row("Net revenues", "$10,420", "$8,894"),
    )
    given = ask("By how much did net revenues change from 2020 to 2021?", sales)
    assert first_line(given).startswith("Difference, Net revenues, 2020 to 2021: 10,420 − 8,894 =")


def test_a_row_that_is_blank_where_asked_is_not_quoted() -> None:
    roll = hit(
        row("Tenant", "Area (sq ft)", "Annual rent ($)", header=True),
        row("Birch Dental", "4,200", "105,000"),
        row("Vacant", "900", "-"),
    )
    given = ask("What annual rent do Birch Dental and the vacant unit pay?", roll)
    assert "105,000" in given.text
    assert "Vacant" not in given.text


def test_a_price_that_the_question_supposes_is_taken_for_a_yield() -> None:
    facts = hit(
        block("Key facts", 2, "heading"),
        row("Item", "Alder Point", header=True),
        row("Purchase price", "$19,400,000"),
        row("Net operating income", "$1,200,000"),
        row("Rentable area", "82,000 sq ft"),
    )
    given = with_statements("At a price of $18 million, what is the cap rate?", facts)
    assert first_line(given).startswith("Cap rate: 1,200,000 ÷ 18,000,000 = 6.67%")
    assert len(given.citations) == 1
    printed = with_statements("What is the cap rate on the price of $19.4 million?", facts)
    assert "÷" not in printed.text


def test_the_names_of_a_figure_find_its_row() -> None:
    given = ask("How much are real estate taxes in 2019?", TAXES)
    assert first_line(given).startswith("Property tax, 2019: 41.0")


TAXES = hit(
    block("Operating statement", 4, "heading"),
    row("", "2019", "2018", header=True),
    row("Insurance", "12.0", "11.0"),
    row("Property tax", "41.0", "40.0"),
    row("Utilities", "9.0", "8.0"),
)


def test_when_something_ends_is_not_answered_by_when_somebody_may_end_it() -> None:
    lease = hit(
        block("The Tenant may end this lease on 25 March 2030 by giving six months' notice.", 4),
        block("The Landlord lets the Premises for a term of 10 years, ending on 24 March 2035.", 4),
    )
    assert "24 March 2035" in first_line(ask("When does the lease expire?", lease))
    assert "25 March 2030" in first_line(ask("When can the tenant end the lease?", lease))


MARGINS = hit(
    block("Consolidated Statements of Operations (in millions)", 4, "heading"),
    row("", "2023", "2022", "2021", header=True),
    row("Total revenue", "$500.0", "$400.0", "$320.0"),
    row("Cost of revenue", "300.0", "260.0", "208.0"),
    row("Gross profit", "200.0", "140.0", "112.0"),
    row("Segment operating margin", "12.5%", "11.0%", "10.0%"),
    row("Operating income", "50.0", "30.0", "(16.0)"),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Has the gross margin improved in 2023?",
            "Gross margin, 2023: 200 ÷ 500 = 40%, up 5.00 percentage points"
            " (2022: 140 ÷ 400 = 35%)",
        ),
        (
            "How did the operating margin change between 2021 and 2023?",
            "Operating margin, 2023: 50 ÷ 500 = 10%, up 15.00 percentage points"
            " (2021: (−16) ÷ 320 = −5%)",
        ),
        (
            "Is the operating margin higher than in 2022?",
            "Operating margin, 2023: 50 ÷ 500 = 10%, up 2.50 percentage points"
            " (2022: 30 ÷ 400 = 7.5%)",
        ),
        (
            "Did the gross margin worsen in 2022?",
            "Gross margin, 2022: 140 ÷ 400 = 35%, unchanged (2021: 112 ÷ 320 = 35%)",
        ),
        ("What is the gross margin for 2022?", "Gross margin, 2022: 140 ÷ 400 = 35% ["),
        ("What was the operating margin in 2023?", "Operating margin, 2023: 50 ÷ 500 = 10% ["),
    ],
)
def test_how_a_figure_moved_is_told_with_that_of_the_time_before(question: str, told: str) -> None:
    given = with_statements(question, MARGINS)
    assert first_line(given).replace(".00%", "%").replace(".50%", ".5%").startswith(told)
    assert not [each for each in verify_answer(given).checks if each.result == "not supported"]


COSTS_IN_BRACKETS = hit(
    block("Consolidated Statements of Operations (in millions)", 4, "heading"),
    row("", "2023", "2022", "2021", header=True),
    row("Revenue", "$500.0", "$400.0", "$320.0"),
    row("Cost of sales", "(300.0)", "(260.0)", "(208.0)"),
    row("Operating income", "50.0", "30.0", "18.0"),
    row("Loss before income taxes", "(40.0)", "(20.0)", "(16.0)"),
    row("Income tax expense", "(8.0)", "(4.0)", "(2.0)"),
    row("Net income", "25.0", "20.0", "16.0"),
)
OWED = hit(
    block("Consolidated Balance Sheets", 5, "heading"),
    block("(In millions)", 5, "caption"),
    row("", "December 31, 2023", "December 31, 2022", page=5, header=True),
    row("Inventories", "$120.0", "$110.0", page=5),
    row("Total current assets", "400.0", "300.0", page=5),
    row("Total assets", "900.0", "800.0", page=5),
    row("Accounts payable", "60.0", "52.0", page=5),
    row("Debt maturing within one year", "20.0", "10.0", page=5),
    row("Total current liabilities", "100.0", "90.0", page=5),
    row("Long-term debt", "180.0", "190.0", page=5),
    row("Total liabilities", "650.0", "600.0", page=5),
    row("Total shareholders' equity", "250.0", "200.0", page=5),
    index=1,
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was the gross margin in 2023?", "Gross margin, 2023: (500 − 300) ÷ 500 = 40.00%"),
        ("What was the DPO in 2023?", "365 × ((60 + 52) ÷ 2) ÷ 300 = 68.13 days"),
        ("Has the DPO gone up in 2023?", "365 × 60 ÷ 300 = 73 days, unchanged"),
        (
            "Is the debt to equity ratio lower than in 2022?",
            "(180 + 20) ÷ 250 = 0.8, down 0.2 (December 31, 2022: (190 + 10) ÷ 200 = 1)",
        ),
        ("What was the return on equity in 2023?", "25 ÷ ((250 + 200) ÷ 2) = 11.11%"),
        (
            "Has the return on equity improved?",
            "25 ÷ 250 = 10.00%, unchanged (2022: 20 ÷ 200 = 10.00%)",
        ),
    ],
)
def test_costs_in_brackets_are_costs_and_means_are_taken_at_all_times_or_none(
    question: str, told: str
) -> None:
    given = with_statements(question, COSTS_IN_BRACKETS, OWED)
    assert told in first_line(given)
    assert not [each for each in verify_answer(given).checks if each.result == "not supported"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was the revenue growth rate in 2023?", "(500 − 400) ÷ 400 = 25.00%"),
        ("What is net debt to EBITDA?", "(180 + 20 − 15) ÷ (50 + 10) = 3.08"),
        ("Has net debt fallen?", "180 + 20 − 15 = 185 (in millions), down 5 or 2.63%"),
    ],
)
def test_growth_and_net_debt_are_worked_out(question: str, told: str) -> None:
    made = [block("Consolidated Statements of Cash Flows (in millions)", 6, "heading"),
            row("", "2023", "2022", page=6, header=True),
            row("Depreciation and amortization", "10.0", "9.0", page=6),
            row("Net cash provided by operating activities", "60.0", "50.0", page=6),
            row("Purchases of property and equipment", "(20.0)", "(18.0)", page=6),
            row("Repayment of debt", "(5.0)", "(4.0)", page=6)]  # fmt: skip
    cash = row("Cash and cash equivalents", "15.0", "10.0", page=5)
    owed = hit(*OWED.chunk.blocks[:3], cash, *OWED.chunk.blocks[3:], index=1)
    given = with_statements(question, COSTS_IN_BRACKETS, owed, hit(*made, index=2))
    assert told in first_line(given)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What was revenue in 2023 and how much did it grow?",
            "Revenue, 2023: 500 (in millions), up 100 or 25.00% (2022: 400)",
        ),
        (
            "Has the cost of sales gone up in 2022?",
            "Cost of sales, 2022: 260 (in millions), up 52 or 25.00% (2021: 208)",
        ),
        ("Did operating income fall?", "Operating income, 2023: 50 (in millions), up 20 or 66.67%"),
        ("Has the company grown its top line?", "Revenue, 2023: 500 (in millions), up 100"),
    ],
)
def test_how_a_line_moved_is_told_where_that_is_asked(question: str, told: str) -> None:
    given = with_statements(question, COSTS_IN_BRACKETS, OWED)
    assert first_line(given).startswith(told)
    assert not [each for each in verify_answer(given).checks if each.result == "not supported"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What share of revenue is operating income?", "50 ÷ 500 = 10.00%"),
        ("Operating income as a percentage of total revenue in 2022", "30 ÷ 400 = 7.50%"),
    ],
)
def test_a_share_of_revenue_is_of_revenue(question: str, told: str) -> None:
    assert told in first_line(with_statements(question, COSTS_IN_BRACKETS, OWED))


def test_no_share_is_made_of_what_is_printed_as_one() -> None:
    shares = hit(
        block("Statements of Operations as a percentage of revenue", 4, "heading"),
        row("", "2023", "2022", header=True),
        row("Revenue", "100%", "100%"),
        row("Cost of revenue", "43%", "50%"),
    )
    given = ask("What is cost of revenue as a percentage of revenue in 2022 and 2023?", shares)
    assert "÷" not in given.text
    assert "43%" in first_line(given)


RATES = hit(
    block("Debt at December 31, 2023 (in millions)", 7, "heading"),
    row("", "Interest rate", "Life in years", "Principal", page=7, header=True),
    row("Senior notes", "4.50%", "6.0", "267", page=7),
    row("Long-term debt", "4.10%", "5.0", "900", page=7),
)


@pytest.mark.parametrize(
    "question",
    [
        "What is the weighted average interest rate on long-term debt?",
        "What is the average interest rate of long-term debt?",
        "Which segment has the higher gross margin?",
    ],
)
def test_no_mean_is_made_of_other_measures_and_no_segment_is_the_whole(question: str) -> None:
    assert "÷" not in with_statements(question, RATES, MARGINS, OWED).text


def test_no_share_is_told_of_a_loss() -> None:
    given = with_statements("What was the effective tax rate in 2023?", COSTS_IN_BRACKETS)
    assert "÷" not in given.text


def test_a_change_is_that_of_the_figures_told() -> None:
    margins = hit(
        block("Consolidated Statements of Operations (in millions)", 4, "heading"),
        row("", "2023", "2022", header=True),
        row("Net sales", "$14,694", "$14,544"),
        row("Gross profit", "2,725", "2,820"),
    )
    given = with_statements("Has the gross margin improved?", margins)
    assert "= 18.54%, down 0.85 percentage points" in first_line(given)
    assert "= 19.39%)" in first_line(given)


def test_what_moved_a_figure_is_no_sum() -> None:
    reasons = hit("Gross margin rose to 40% as input prices fell and the mix improved.", index=1)
    assert (
        "÷" not in with_statements("What drove the change in gross margin?", MARGINS, reasons).text
    )


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What was the operating margin in fiscal 2023?", True),
        ("What is the implied cap rate?", True),
        ("What was the non-GAAP operating margin in fiscal 2023?", False),
        ("What is the authorized return on equity?", False),
    ],
)
def test_a_figure_that_is_narrowed_is_not_worked_out(question: str, named: bool) -> None:
    formula = formula_of(asked(question))
    assert formula is not None
    assert is_narrowed(asked(question), formula, Document("a", "A.pdf", 1)) != named


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is the borrower and what is the arrangement fee?", ("Ash Propco", "0.95%")),
        ("What was the net absorption, and the vacancy in the district?", ("310,000", "4.1%")),
    ],
)
def test_of_two_things_asked_for_at_once_each_is_answered(
    question: str, told: tuple[str, str]
) -> None:
    terms = hit(
        "The Borrower is Ash Propco B.V., a company with its seat in Amsterdam.",
        "An arrangement fee of 0.95% of the commitments was paid on signing.",
        "The lender may inspect the property once a year.",
    )
    market = hit(
        "Vacancy in the district fell to 4.1% at the end of 2024, the lowest in nine years.",
        "Net absorption reached 310,000 square feet, most of it in new buildings.",
        index=1,
    )
    text = ask(question, terms, market).text
    assert all(each in text for each in told)
    assert "inspect" not in text


def test_an_acronym_is_read_spelt_out_too() -> None:
    let = hit(
        "The building is let to six tenants with a weighted average remaining term of 4.2 years."
    )
    beside = hit("The management fee is 3.0% of effective gross income.", index=1)
    assert "4.2 years" in first_line(ask("What's the WALT?", let, beside))


COUNTRIES = hit(
    block("Geographic information (in millions)", 9, "caption"),
    row("", "Year ended May 31, 2023 Revenues", "Year ended May 31, 2023 Long-lived assets",
        "Year ended May 31, 2022 Revenues", "Year ended May 31, 2022 Long-lived assets",
        page=9, header=True),
    row("United States", "27,535", "14,000", "20,246", "10,300", page=9),
    row("Japan", "1,900", "400", "1,847", "380", page=9),
    index=1,
)  # fmt: skip
WHOLE = hit(
    block("Consolidated Statements of Operations", 5, "heading"),
    block("(In millions)", 5, "caption"),
    row("", "Year ended May 31, 2023", "Year ended May 31, 2022", page=5, header=True),
    row("Total revenues", "$49,954", "$42,440", page=5),
    row("Cost of revenue", "13,564", "8,877", page=5),
    row("Total operating expenses", "36,861", "31,514", page=5),
    row("Operating income", "13,093", "10,926", page=5),
    row("Provision for income taxes", "623", "932", page=5),
    row("Net income", "$8,503", "$6,717", page=5),
)


def test_a_change_is_of_the_country_asked_for_and_of_one_measure() -> None:
    given = with_statements("How fast did US revenue grow in fiscal 2023?", COUNTRIES, WHOLE)
    assert "(27,535 − 20,246) ÷ 20,246 = 36.00%" in first_line(given)


def test_a_ratio_of_a_country_is_not_worked_out_of_the_statements() -> None:
    own = with_statements("What was the operating margin in fiscal 2023?", COUNTRIES, WHOLE)
    assert "13,093 ÷ 49,954" in first_line(own)
    part = with_statements(
        "What was the operating margin of Japan in fiscal 2023?", COUNTRIES, WHOLE
    )
    assert "13,093" not in first_line(part)


SEGMENTS = hit(
    block("Segment information (in millions)", 20, "heading"),
    row("", "Express Segment", "Ground Segment", "Consolidated Total", page=20, header=True),
    row("Revenues:", page=20),
    row("2022", "45,814", "33,232", "79,046", page=20),
    row("2021", "42,078", "30,496", "72,574", page=20),
    row("Operating income:", page=20),
    row("2022", "2,922", "2,642", "5,564", page=20),
    row("2021", "2,810", "3,193", "6,003", page=20),
    row("Segment assets:", page=20),
    row("2022", "47,604", "32,645", "80,249", page=20),
    row("2021", "46,356", "29,134", "75,490", page=20),
    index=2,
)


def test_a_ratio_of_a_segment_is_worked_out_of_the_cells_where_it_crosses_the_lines() -> None:
    given = with_statements("What was Ground's operating margin in 2021?", WHOLE, SEGMENTS)
    assert "Ground Segment, 2021: 3,193 ÷ 30,496 = 10.47%" in first_line(given)


def test_liabilities_that_are_printed_in_brackets_are_no_negative_ratio() -> None:
    british = hit(
        block("Consolidated balance sheet", 5, "heading"),
        block("at 30 September (£000)", 5, "caption"),
        row("", "2024", "2023", page=5, header=True),
        row("Property, plant and equipment", "14,760", "13,720", page=5),
        row("Non-current assets", "34,640", "33,630", page=5),
        row("Inventories", "9,000", "8,000", page=5),
        row("Trade and other receivables", "16,320", "15,000", page=5),
        row("Cash and cash equivalents", "5,265", "4,980", page=5),
        row("Current assets", "30,585", "27,980", page=5),
        row("Trade and other payables", "(11,510)", "(10,500)", page=5),
        row("Current liabilities", "(13,870)", "(12,900)", page=5),
        row("Total assets", "65,225", "61,610", page=5),
        row("Total equity", "29,610", "25,000", page=5),
    )
    given = with_statements("What is the current ratio at the end of 2024?", british)
    assert "30,585 ÷ 13,870 = 2.21" in first_line(given)


TARGET = hit(
    block("4. Target financials", 2, "heading"),
    row("€ million", "2023", "2024", page=2, header=True),
    row("Revenue", "101.7", "114.8", page=2),
    row("EBITDA", "15.6", "18.4", page=2),
    block("5. Synergies", 2, "heading"),
    row("€ million", "2026", "2027", "2028", page=2, header=True),
    row("Procurement", "1.2", "2.4", "3.1", page=2),
    row("Head office", "1.2", "4.1", "5.9", page=2),
    row("Total", "2.4", "6.5", "9.0", page=2),
)


def test_a_document_without_statements_has_a_ratio_worked_out_of_one_table() -> None:
    given = with_statements("What was the EBITDA margin in 2024?", TARGET)
    assert "18.4 ÷ 114.8 = 16.03%" in first_line(given)


def test_what_a_formula_takes_is_no_part_that_it_is_asked_of() -> None:
    facts = hit(
        block("Key facts", 1, "heading"),
        row("Fact", "Detail", header=True),
        row("Asking price", "$28,750,000"),
        row("Net operating income", "$1,913,200"),
    )
    given = with_statements("What is the cap rate at the asking price?", facts)
    assert "1,913,200 ÷ 28,750,000 = 6.65%" in first_line(given)


def test_a_printed_total_is_added_up_over_the_years_asked_for() -> None:
    given = with_statements("What do the synergies add up to over 2026 to 2028?", TARGET)
    assert "2.4 + 6.5 + 9 = 17.9" in first_line(given)


HALF = hit(
    block("Condensed balance sheet (£m)", 4, "heading"),
    row(
        "", "30 Sep 2024 (unaudited)", "30 Sep 2023 (unaudited)", "31 Mar 2024 (audited)",
        page=4, header=True,
    ),
    row("Inventories", "131.9", "138.4", "127.6", page=4),
    row("Trade receivables", "158.3", "149.2", "162.5", page=4),
)  # fmt: skip


@pytest.mark.parametrize("since", ["since the March year end", "from March to 30 September 2024"])
def test_a_change_begins_at_the_month_that_is_named(since: str) -> None:
    given = with_statements(f"By how much did inventories change {since}, in per cent?", HALF)
    assert "(131.9 − 127.6) ÷ 127.6 = 3.37%" in first_line(given)


RESULTS = hit(
    block("Income statement (£m)", 5, "heading"),
    row("", "2025", "2024", page=5, header=True),
    row("Gross rental income", "57.9", "54.0", page=5),
    row("Net rental income", "48.6", "45.1", page=5),
    row("Profit before tax", "40.3", "20.5", page=5),
)
FIVE_YEARS = hit(
    block("Five-year record (£m)", 12, "heading"),
    row("", "2025", "2024", "2023", "2022", page=12, header=True),
    row("Net rental income", "48.6", "45.1", "43.9", "41.2", page=12),
    row("Profit/(loss) before tax", "40.3", "20.5", "(31.8)", "66.9", page=12),
    index=1,
)


def test_a_line_of_the_year_asked_for_goes_before_the_same_line_of_others() -> None:
    given = with_statements("What was the profit before tax in 2023?", RESULTS, FIVE_YEARS)
    assert "2023: (31.8)" in first_line(given)


def test_the_net_figure_is_none_for_the_gross_one() -> None:
    given = with_statements("What was the gross rental income in 2025?", RESULTS, FIVE_YEARS)
    assert "57.9" in first_line(given)
    other = with_statements("What was the gross rental income in 2022?", FIVE_YEARS)
    assert other.likely or "41.2" not in first_line(other)


def test_a_row_called_total_alone_is_of_what_its_table_is_of() -> None:
    capex = hit(
        block("Capex (£)", 2, "heading"),
        row("", "2024", "2025", page=2, header=True),
        row("Roof", "56,500", "21,000", page=2),
        row("Total", "77,800", "170,150", page=2),
    )
    arrears = hit(
        block("Rent roll", 1, "heading"),
        row("Unit", "Rent (£)", "Arrears (£)", page=1, header=True),
        row("Ground A", "63,700", "12,450", page=1),
        row("Total", "1,139,440", "40,153", page=1),
        index=1,
    )
    assert "40,153" in first_line(with_statements("What are the arrears in total?", capex, arrears))
    assert with_statements("What is the total of the dilapidations?", capex).likely


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("By how much did overtime hours rise from April to May?", "432 − 410 = 22"),
        (
            "What was the average of overtime hours from April to June?",
            "(410 + 432 + 518) ÷ 3 = 453.3",
        ),
        ("By how much did overtime hours rise in May?", "432 − 410 = 22"),
        ("By how much were overtime hours in June above budget?", ""),  # of which June has none
    ],
)
def test_a_sum_is_of_the_months_that_are_named(question: str, told: str) -> None:
    hours = hit(
        block("Staff", 3, "heading"),
        row("", "Apr 2025", "May 2025", "Jun 2025", "Jul 2025", "Budget", page=3, header=True),
        row("Overtime hours", "410", "432", "518", "547", "450", page=3),
        row("Agency workers", "4", "4", "5", "6", "3", page=3),
    )
    line = first_line(ask(question, hours))
    assert told in line if told else "=" not in line, line


def test_a_ratio_that_is_printed_is_not_said_to_be_lacking() -> None:
    accounts = hit(
        block("Profit and loss account", 2, "heading"),
        row("£000", "Month Actual", "Month Budget", page=2, header=True),
        row("EBITDA", "405", "461", page=2),
        row("EBITDA margin %", "9.1%", "10.4%", page=2),
    )
    given = with_statements("EBITDA margin for the month?", accounts)
    assert "9.1%" in given.text
    assert "cannot be worked out" not in given.text


def test_years_from_one_to_another_are_all_told() -> None:
    limits = hit(
        block("Capital Expenditure in each Financial Year shall not exceed:", 2),
        row("£000", "2026", "2027", "2028", "2029", page=2, header=True),
        row("Spending limit", "9,500", "8,000", "7,800", "7,500", page=2),
    )
    given = with_statements("What is the spending limit each year from 2026 to 2028?", limits)
    assert all(limit in given.text for limit in ("9,500", "8,000", "7,800"))
    assert "7,500" not in given.text


@pytest.mark.parametrize(
    ("question", "sum_"),
    [
        ("By how much did land rent exceed budget year to date?", "189 − 180 = 9"),
        ("By how much did land rent exceed budget YTD?", "189 − 180 = 9"),
        ("By how much did land rent exceed budget in the month?", "21 − 19 = 2"),
    ],
)
def test_a_figure_is_held_against_the_budget_of_its_own_time(question: str, sum_: str) -> None:
    costs = hit(
        block("Income and costs", 1, "heading"),
        row("£000", "Month Actual", "Month Budget", "Year to date Actual", "Year to date Budget",
            page=1, header=True),
        row("Maintenance", "58", "55", "521", "497", page=1),
        row("Land rent", "21", "19", "189", "180", page=1),
        row("Insurance", "9", "9", "81", "80", page=1),
    )  # fmt: skip
    assert sum_ in with_statements(question, costs).text
