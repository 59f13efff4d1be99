"""Lists of the things that a table's rows are: tenants, sales, milestones."""

import pytest

from docqa.answer.check.verify import verify_answer
from docqa.types.answer import Answer
from docqa.types.search import Hit
from tests.answer.findings.test_worked import with_statements
from tests.answer.passages import block, hit, row

ROLL = hit(
    block("Rent roll", 3, "heading"),
    row("Tenant", "Area (sq ft)", "Annual rent ($)", "Expires", page=3, header=True),
    row("Birch Dental", "4,200", "105,000", "Mar 31, 2027", page=3),
    row("Oak Books", "1,800", "52,000", "Jun 30, 2030", page=3),
    row("Elm & Sons LLP", "2,500", "70,000", "Dec 31, 2028", page=3),
    row("Vacant", "900", "-", "-", page=3),
    row("Total", "9,400", "227,000", page=3),
)
SALES = hit(
    block("Consolidated Statements of Income", 4, "heading"),
    row("", "2023", "2022", page=4, header=True),
    row("Net sales", "$1,200", "$1,000", page=4),
    row("Operating income", "300", "280", page=4),
    row("Net income", "200", "180", page=4),
)


def listed(question: str) -> list[str]:
    rows = lines(with_statements(question, ROLL))
    return [row.split(":")[0].removeprefix("- ") for row in rows]


def lines(given: Answer) -> list[str]:
    return [line for line in given.text.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize(
    ("question", "tenants"),
    [
        ("Which tenants expire by the end of 2028?", ["Birch Dental", "Elm & Sons LLP"]),
        ("Which tenants expire before 2028?", ["Birch Dental"]),
        ("Which leases expire after 2028?", ["Oak Books"]),
        ("Which tenants expire in 2030?", ["Oak Books"]),
        ("Which tenants expire by June 2030?", ["Birch Dental", "Oak Books", "Elm & Sons LLP"]),
        ("Which tenants pay more than $60,000?", ["Birch Dental", "Elm & Sons LLP"]),
        ("List all tenants", ["Birch Dental", "Oak Books", "Elm & Sons LLP"]),
    ],
)
def test_the_rows_that_are_as_asked_are_listed(question: str, tenants: list[str]) -> None:
    assert listed(question) == tenants


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is the largest tenant and how much space do they have?",
         "- Birch Dental: Area (sq ft) 4,200; Annual rent ($) 105,000; Expires Mar 31, 2027 ["),
        ("Which lease expires first and how much rent does it pay?",
         "- Birch Dental: Area (sq ft) 4,200; Annual rent ($) 105,000; Expires Mar 31, 2027 ["),
        ("Which tenant pays the highest rent?", "- Birch Dental: 105,000 ["),
    ],
)  # fmt: skip
def test_what_others_lean_on_is_told_with_all_that_its_row_says(question: str, told: str) -> None:
    (line,) = lines(with_statements(question, ROLL))
    assert line.startswith(told)


@pytest.mark.parametrize(
    ("question", "expenses"),
    [
        ("Which expenses were lower in 2024 than in 2023?", ["Signs"]),
        ("Which expenses were higher in 2024 than 2023?", ["Security", "Sweeping"]),
        ("Which expenses were higher in 2023 than in 2024?", ["Signs"]),
    ],
)
def test_rows_are_told_by_one_year_against_another(question: str, expenses: list[str]) -> None:
    detail = hit(
        block("Expenses", 3, "heading"),
        row("Expense", "2023 Actual", "2024 Actual", "% Change", page=3, header=True),
        row("Security", "58,720", "64,592", "10.0%", page=3),
        row("Sweeping", "20,400", "21,480", "5.3%", page=3),
        row("Signs", "7,310", "6,190", "(15.3%)", page=3),
    )
    told = lines(with_statements(question, detail))
    assert [line.removeprefix("- ").split(":")[0] for line in told] == expenses


def test_of_many_columns_those_are_told_that_the_other_questions_name() -> None:
    heads = (
        "Loan",
        "City",
        "State",
        "Type",
        "Amortization",
        "Balance",
        "Rate",
        "Payment",
        "Maturity",
    )
    tape = hit(
        block("Loans", 3, "heading"),
        row(*heads, page=3, header=True),
        row(
            "Alder", "Tarkiln", "NC", "MF", "AM", "9,902.20", "4.65", "54.39", "May 1, 2027", page=3
        ),
        row(
            "Birch", "Marlow", "GA", "RT", "IO", "1,982.00", "3.87", "10.11", "Mar 1, 2033", page=3
        ),
    )
    given = with_statements("Which loan has the highest balance and when does it mature?", tape)
    (line,) = lines(given)
    assert "9,902.20" in line
    assert "May 1, 2027" in line


def test_a_list_gives_the_columns_asked_for_and_says_how_many_there_are() -> None:
    given = with_statements("When does each lease expire?", ROLL)
    assert given.text.startswith("Rent roll, Expires:\n- Birch Dental: Mar 31, 2027 [S1.")
    assert len(given.citations) == 3
    filtered = with_statements("Which tenants expire before 2029?", ROLL)
    assert filtered.text.startswith("Rent roll, Expires – 2 of 3:")
    assert verify_answer(filtered).problems == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which tenant pays the highest rent?", "Oak Books: 86,000"),
        ("Which tenant pays the lowest rent?", "Birch Dental: 70,000"),
        ("Which tenant pays the highest rent per square foot?", "Oak Books: $43.00"),
        ("Who is the largest tenant?", "Birch Dental: 4,200"),
    ],
)
def test_the_highest_rent_is_of_the_column_of_rents(question: str, answer: str) -> None:
    roll = hit(
        block("Rent roll", 3, "heading"),
        row("Tenant", "Area (sq ft)", "Rent per square foot", "Annual base rent ($)", page=3,
            header=True),
        row("Birch Dental", "4,200", "$16.67", "70,000", page=3),
        row("Oak Books", "2,000", "$43.00", "86,000", page=3),
        row("Elm & Sons LLP", "2,500", "$30.00", "75,000", page=3),
    )  # fmt: skip
    (line,) = lines(with_statements(question, roll))
    assert line.startswith(f"- {answer} [S1.")


@pytest.mark.parametrize(
    ("question", "tenants"),
    [
        ("Which tenants can break?", ["Birch Dental"]),
        ("Which tenants have a right to end their lease early?", ["Birch Dental"]),
        ("Which tenants cannot break?", ["Oak Books", "Elm & Sons LLP"]),
    ],
)
def test_a_right_is_had_where_its_column_says_so(question: str, tenants: list[str]) -> None:
    roll = hit(
        block("Rent roll", 3, "heading"),
        row("Tenant", "Annual rent ($)", "Expires", "Break", page=3, header=True),
        row("Birch Dental", "105,000", "Mar 31, 2027", "Mar 31, 2025", page=3),
        row("Oak Books", "52,000", "Jun 30, 2030", "None", page=3),
        row("Elm & Sons LLP", "70,000", "Dec 31, 2028", "None", page=3),
    )
    told = lines(with_statements(question, roll))
    assert [line.removeprefix("- ").split(":")[0].split(" [")[0] for line in told] == tenants


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("kitchen sales in June", "Kitchens: 671"),
        ("kitchen sales budget for July", "Kitchens: 680"),
        ("kitchen sales on 31 July", "Kitchens: 658"),
        ("total kitchen sales in June", "Kitchens: 671"),
        ("kitchen sales variance in June", "Kitchens: (22)"),  # the only one, though of July
    ],
)
def test_of_columns_of_months_the_one_asked_for_is_told(question: str, told: str) -> None:
    sales = hit(
        block("Sales by product", 3, "heading"),
        row("Product", "June 2025", "31 July 2025", "Budget July", "Variance", "Total", page=3,
            header=True),
        row("Kitchens", "671", "658", "680", "(22)", "1,329", page=3),
        row("Staircases", "315", "322", "330", "(8)", "637", page=3),
        row("Windows", "421", "437", "420", "17", "858", page=3),
    )  # fmt: skip
    (line,) = lines(with_statements(question, sales))
    assert line.startswith(f"- {told} [S1.")


def test_things_are_counted_and_shown() -> None:
    assert with_statements("How many tenants are there?", ROLL).text.startswith("3, Rent roll:\n- ")
    filtered = with_statements("How many leases expire before 2029?", ROLL)
    assert filtered.text.startswith("2 of 3, Rent roll, Expires:\n- Birch Dental")


def test_the_lines_of_a_statement_are_no_list_of_things() -> None:
    assert len(lines(with_statements("What were sales in each year?", SALES))) < 3


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the largest tenant?", "Birch Dental: 4,200"),
        ("Which tenant pays the highest annual rent?", "Birch Dental: 105,000"),
        ("Which tenant pays the lowest annual rent?", "Oak Books: 52,000"),
        ("Which tenant has the smallest area?", "Oak Books: 1,800"),
        ("What is the smallest lease?", "Oak Books: 1,800"),
    ],
)
def test_the_most_of_a_column_is_one_row(question: str, answer: str) -> None:
    given = with_statements(question, ROLL)
    assert given.text.startswith("Rent roll, by ")
    assert " – 1 of 3:" in given.text
    (line,) = lines(given)
    assert line.startswith(f"- {answer} [S1.")
    assert verify_answer(given, question=question).problems == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which lease runs out first?", "Birch Dental: Mar 31, 2027"),
        ("Which tenant's lease expires last?", "Oak Books: Jun 30, 2030"),
        ("Which tenant rolls first?", "Birch Dental: Mar 31, 2027"),
        ("Which lease in the building runs out first?", "Birch Dental: Mar 31, 2027"),
    ],
)
def test_what_ends_first_or_last_is_one_row(question: str, answer: str) -> None:
    given = with_statements(question, ROLL)
    assert given.text.startswith("Rent roll, by Expires – 1 of 3:\n- " + answer)
    assert verify_answer(given, question=question).problems == []


def test_of_two_alike_none_is_the_most() -> None:
    same = hit(
        block("Rent roll", 3, "heading"),
        row("Tenant", "Area (sq ft)", page=3, header=True),
        row("Birch Dental", "4,200", page=3),
        row("Oak Books", "4,200", page=3),
    )
    assert "1 of 2" not in with_statements("Who is the largest tenant?", same).text


def test_the_steps_of_a_sale_are_its_dates() -> None:
    steps = hit(
        block("Offering Process", 3, "heading"),
        row("Milestone", "Date", page=3, header=True),
        row("Offers due", "April 11, 2025", page=3),
        row("Closing", "July 16, 2025", page=3),
    )
    assert len(lines(with_statements("What are the key dates of the sale?", steps))) == 2


def test_of_two_columns_of_dates_that_asked_for_is_looked_at() -> None:
    roll = hit(
        block("Tenancies", 3, "heading"),
        row("Tenant", "Area (sq ft)", "Lease start", "Expiry", page=3, header=True),
        row("Birch Dental", "4,200", "Mar 31, 2019", "Mar 31, 2029", page=3),
        row("Oak Books", "1,800", "Jun 30, 2018", "Jun 30, 2031", page=3),
    )
    given = with_statements("Which tenants have a lease expiry before 2030?", roll)
    assert [line.split(":")[0] for line in lines(given)] == ["- Birch Dental"]


FUND = hit(
    block("Property portfolio", 3, "heading"),
    row("Property", "Sector", "Void", "WAULT", "LTV", "Next break", page=3, header=True),
    row("Anvil Park", "Industrial", "0.0%", "7.9", "35.0%", "24/06/2031", page=3),
    row("Cygnet House", "Office", "22.1%", "2.7", "46.0%", "29-Sep-27", page=3),
    row("Lockwood Building", "Office", "12.5%", "3.3", "33.0%", "25/03/2028", page=3),
)


@pytest.mark.parametrize(
    ("question", "properties"),
    [
        ("List the office properties", ["Cygnet House", "Lockwood Building"]),
        ("Which properties have a void above 20%?", ["Cygnet House"]),
        ("Which properties have a break in 2027?", ["Cygnet House"]),
        ("Which properties have a break before 2029?", ["Cygnet House", "Lockwood Building"]),
        ("Which office has the shortest WAULT?", ["Cygnet House"]),
        ("What is the highest LTV of a property?", ["Cygnet House"]),
        ("Which building has the lowest LTV?", ["Lockwood Building"]),
    ],
)
def test_what_is_said_of_the_rows_chooses_them(question: str, properties: list[str]) -> None:
    rows = lines(with_statements(question, FUND))
    assert [row.split(":")[0].removeprefix("- ") for row in rows] == properties


@pytest.mark.parametrize(
    "question",
    [
        "Which properties have a swimming pool?",
        "Which properties were bought before 2020?",
        "Which properties have a rent over £200,000?",
    ],
)
def test_what_no_row_can_tell_makes_no_list(question: str) -> None:
    assert "Property portfolio" not in with_statements(question, FUND).text.splitlines()[0]


CODES = hit(
    block("Tenancy schedule", 3, "heading"),
    row("Unit", "Tenant", "Rent £ pa", "Rent £ psf", "Expiry date", page=3, header=True),
    row("6.01", "Sable Point Capital LLP", "226,800", "35.00", "24/12/2033", page=3),
    row("7.02", "Vesper Hospitality Ltd", "160,600", "40.00", "24/03/2037", page=3),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When does Sable Point's lease expire?", "Expiry date 24/12/2033"),
        ("What is Vesper's rent?", "Rent £ pa 160,600"),
        ("rent for unit 6.01", "Rent £ pa 226,800"),
        ("Sable's rent per sq ft", "Rent £ psf 35.00"),
        ("Which unit pays the highest rent per sq ft?", "Rent £ psf 40.00"),
    ],
)
def test_the_cells_of_the_row_that_is_named_are_told_with_whose_they_are(
    question: str, told: str
) -> None:
    (line,) = lines(with_statements(question, CODES))
    assert f"; {told} [S1." in line
    assert "Tenant Sable Point" in line or "Tenant Vesper" in line


@pytest.mark.parametrize("question", ["What deposit does Vesper hold?", "When was Acorn founded?"])
def test_what_the_list_has_no_words_for_is_not_looked_up(question: str) -> None:
    assert not with_statements(question, CODES).text.startswith("Tenancy schedule:")


CAPS = hit(
    block("Apportionment", 3, "heading"),
    row("Unit", "Occupier", "Cap £", "Date", page=3, header=True),
    row("1.01", "Acorn Books", "9,000", "1 May 2024", page=3),
    row("1.02", "Birch Dental", "", "1 June 2024", page=3),
    row("1.03", "Cedar Homes", "n/a", "1 July 2024", page=3),
)


@pytest.mark.parametrize(
    ("question", "units"),
    [
        ("Which units have a cap?", ["1.01"]),
        ("Which units do not have a cap?", ["1.02", "1.03"]),
        ("Which units are without a cap?", ["1.02", "1.03"]),
    ],
)
def test_what_rows_have_or_have_not_chooses_them(question: str, units: list[str]) -> None:
    rows = lines(with_statements(question, CAPS))
    assert [row.removeprefix("- ")[:4] for row in rows] == units


def test_what_is_denied_of_the_rows_makes_no_list() -> None:
    assert not with_statements("Which units are not let to Acorn?", CAPS).text.startswith("Apport")


ESTATES = hit(
    block("Rent roll", 1, "heading"),
    row("Estate", "Unit", "Tenant", "Area (sq ft)", "Lease expiry", "Rent (£ pa)", "Next break",
        "Arrears (£)", "EPC rating", "Comment", page=1, header=True),
    row("Ash Works", "Unit 1", "Birch Joinery Ltd", "4,150", "30/04/2026", "33,200", "", "0",
        "C 68", "Renewal talks", page=1),
    row("Ash Works", "Unit 2", "Oak Brewing Ltd", "5,600", "23/06/2030", "47,600", "24/06/2027",
        "11,900", "D 84", "Rent unpaid", page=1),
    row("Ash Works", "Unit 3", "VACANT", "3,350", "", "0", "", "0", "E 121", "Marketed", page=1),
    row("Elm Yard", "Unit A", "Plum Bakery Ltd", "1,950", "31/05/2027", "21,450", "01/06/2028",
        "3,575", "D 97", "", page=1),
    row("Elm Yard", "Unit B", "VACANT", "1,700", "", "0", "", "0", "B 45", "", page=1),
    row("TOTAL", "", "", "16,750", "", "102,250", "", "15,475", "", "", page=1),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "units"),
    [
        ("List the tenants in arrears", ["Oak", "Plum"]),
        ("Which tenants have a break option before the end of 2027?", ["Oak"]),
        ("Which tenants have no break right?", ["Birch"]),
        ("Which tenants have an EPC rating of D or E?", ["Oak", "Plum"]),
    ],
)
def test_rows_are_chosen_by_what_they_owe_may_do_and_are_rated(
    question: str, units: list[str]
) -> None:
    told = lines(with_statements(question, ESTATES))
    assert [next(unit for unit in units if unit in line) for line in told] == units


PROJECTS = hit(
    block("Capital expenditure budget", 1, "heading"),
    row("Ref", "Site", "Project", "Budget (£)", "Status", page=1, header=True),
    row("C-01", "Leeds", "Chamber replacement", "640", "Approved", page=1),
    row("C-02", "Leeds", "Roof works", "118", "Approved", page=1),
    row("C-03", "Dayton", "Office refit", "210", "On hold", page=1),
    row("C-04", "Dayton", "Cold room", "72", "Submitted", page=1),
    row("C-05", "Leeds", "Laser tracker", "188", "Submitted", page=1),
)


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("Which capex projects are not yet approved?", ["C-03", "C-04", "C-05"]),
        ("Which projects are on hold?", ["C-03"]),
        ("List the approved projects", ["C-01", "C-02"]),
    ],
)
def test_rows_under_codes_are_chosen_by_the_state_they_are_in(
    question: str, codes: list[str]
) -> None:
    told = lines(with_statements(question, PROJECTS))
    assert [line.split(":")[0].removeprefix("- ") for line in told] == codes


def test_rows_of_one_label_are_told_apart_and_what_does_is_not_told_twice() -> None:
    first, second = lines(with_statements("Which units are vacant?", ESTATES))
    assert first.startswith("- Ash Works, Unit 3 [")
    assert second.startswith("- Elm Yard, Unit B [")


def test_a_unit_is_looked_up_by_its_number_if_it_is_vacant() -> None:
    given = with_statements("What is the area of Unit 3?", ESTATES)
    assert "3,350" in lines(given)[0]


def test_one_figure_is_told_with_its_column_and_scale() -> None:
    head = row("Name", "Salary", "2024 total", "2023 total", header=True)
    pay = hit(
        block("Directors’ remuneration (£000)", 3, "heading"),
        head,
        row("Ana Pell", "236", "341", "297"),
        row("Jon Orde", "310", "455", "402"),
    )
    given = with_statements("What was Ana Pell's total pay in 2023?", pay)
    assert "297" in given.text
    assert "2023" in given.text
    assert "in thousands" in given.text


ROOMS = hit(
    block("Rent roll as of March 31, 2025", 3, "heading"),
    row("Building", "Unit", "Tenant", "Sq Ft", "Monthly Rent", "Status", page=3, header=True),
    row("Linden", "L-101", "Marguerite Doyle", "640", "$1,285", "Current", page=3),
    row("Linden", "L-102", "Vacant", "1,240", "", "Vacant", page=3),
    row("Linden", "L-202", "Hana Brodsky", "470", "$1,010", "Month-to-month", page=3),
    row("Maple", "M-02", "Greg Tillotson", "655", "$1,240", "Month-to-month", page=3),
    row("Maple", "M-03", "Yara Webb", "980", "$1,780", "Current", page=3),
)


@pytest.mark.parametrize(
    ("phrase", "codes"),
    [
        ("month to month tenants", ["L-202", "M-02"]),
        ("apartments bigger than 900 sf", ["M-03"]),
        ("vacant units", ["L-102"]),
        ("which apartments are vacant?", ["L-102"]),
    ],
)
def test_what_opens_with_the_things_it_narrows_asks_for_them(phrase: str, codes: list[str]) -> None:
    given = with_statements(phrase, ROOMS)
    labels = [line.removeprefix("- ").partition(":")[0] for line in lines(given)]
    assert [label.rpartition(", ")[2] for label in labels] == codes


def test_a_phrase_that_narrows_nothing_asks_for_no_list() -> None:
    assert with_statements("tenants and the landlord’s repairing covenants", ROOMS).likely


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which departments are over budget?", ["Marketing", "IT"]),
        ("departments under budget", ["Operations"]),
    ],
)
def test_rows_are_chosen_by_one_column_against_another(question: str, labels: list[str]) -> None:
    budget = hit(
        block("Budget monitoring (£000)", 1, "heading"),
        row("Department", "Budget", "Actual", "Variance", page=1, header=True),
        row("Marketing", "420", "455", "(35)", page=1),
        row("Operations", "1,210", "1,180", "30", page=1),
        row("IT", "330", "361", "(31)", page=1),
        row("Facilities", "150", "150", "-", page=1),
    )
    told = lines(with_statements(question, budget))
    assert [line.removeprefix("- ").partition(":")[0] for line in told] == labels


@pytest.mark.parametrize(
    "question",
    ["Which tenants pay less than the market rent?", "tenants paying below ERV"],
)
def test_a_column_is_known_by_its_other_names(question: str) -> None:
    roll = hit(
        block("Tenancy schedule", 1, "heading"),
        row("Tenant", "Passing rent (£ pa)", "ERV (£ pa)", page=1, header=True),
        row("Alder Foods Ltd", "40,000", "46,000", page=1),
        row("Beech Tools Ltd", "55,000", "52,500", page=1),
    )
    assert ["Alder" in line for line in lines(with_statements(question, roll))] == [True]


FLOORS = hit(
    block("Tenancy schedule as at 30 June 2025", 3, "heading"),
    row("Unit", "Tenant", "Use", "NIA sq ft", "Lease expiry", "Tenant break", "Rent £ pa",
        "ERV £ pa", page=3, header=True),
    row("Ground floor", page=3),
    row("1", "Birch Bakery Ltd", "Shop", "1,250", "24/03/2029", "-", "31,250", "33,750", page=3),
    row("2", "Oak Optical LLP", "Shop", "980", "28/09/2031", "29/09/2026", "26,950", "26,460",
        page=3),
    row("3", "VACANT", "Shop", "1,100", "-", "-", "-", "29,150", page=3),
    row("First floor", page=3),
    row("101", "Elm Architects Ltd", "Office", "3,200", "31/10/2027", "-", "56,000", "62,400",
        page=3),
    row("102", "Plum Payroll Ltd", "Office", "2,400", "30/06/2030", "01/07/2028", "44,400",
        "46,800", page=3),
    row("", "TOTAL", "", "8,930", "", "", "158,600", "198,560", page=3),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "units"),
    [
        ("shops", ["Unit 1", "Unit 2"]),
        ("which units are empty?", ["Unit 3"]),
        ("earliest break", ["Unit 2"]),
        ("which leases have breaks in 2028?", ["Unit 102"]),
        ("which leases run out before 2030?", ["Unit 1", "Unit 101"]),
        ("largest tenant by area", ["Unit 101"]),
        ("who pays above ERV?", ["Unit 2"]),
    ],
)
def test_rows_are_told_by_kind_by_dates_and_by_what_columns_are_near_to(
    question: str, units: list[str]
) -> None:
    told = lines(with_statements(question, FLOORS))
    assert [line.removeprefix("- ").partition(":")[0] for line in told] == units


def test_tables_under_the_same_heads_are_one_list() -> None:
    first = hit(
        block("Teaching", 1, "heading"),
        row("Department", "Budget", "Actual", page=1, header=True),
        row("Engineering", "1,840", "1,902", page=1),
        row("Creative Arts", "960", "950", page=1),
    )
    second = hit(
        block("Services", 1, "heading"),
        row("Department", "Budget", "Actual", page=1, header=True),
        row("Admissions", "310", "342", page=1),
        row("Library", "275", "260", page=1),
        index=1,
    )
    given = with_statements("Which departments are over budget?", first, second)
    assert [line.partition(":")[0] for line in lines(given)] == ["- Engineering", "- Admissions"]


MARKETS = hit(
    block("Turnover by market", 4, "heading"),
    row("", "2025 £", "2024 £", page=4, header=True),
    row("United Kingdom", "3,184,500", "2,960,200", page=4),
    row("Ireland", "742,000", "815,300", page=4),
    row("Rest of the world", "116,700", "143,100", page=4),
)
COSTS = hit(
    block("Running costs", 6, "heading"),
    row("", "Q3 2025", "Q3 2024", page=6, header=True),
    row("Service charge", "(163)", "(158)", page=6),
    row("Maintenance", "(88)", "(121)", page=6),
    row("Net cash flow", "(12)", "(9)", page=6),
)
SUPPLIERS = hit(
    block("Approved suppliers", 5, "heading"),
    row("", "Country", "Status", page=5, header=True),
    row("Adler Federn KG", "Germany", "Approved", page=5),
    row("Lodz Castings SA", "Poland", "Approved", page=5),
    row("Gummiwerk Thiele AG", "Germany", "Delayed", page=5),
)


@pytest.mark.parametrize(
    ("table", "question", "labels"),
    [
        (MARKETS, "which markets shrank", ["Ireland", "Rest of the world"]),
        (MARKETS, "Which markets grew?", ["United Kingdom"]),
        (COSTS, "Which running costs fell?", ["Maintenance", "Net cash flow"]),
        (SUPPLIERS, "suppliers in germany", ["Adler Federn KG", "Gummiwerk Thiele AG"]),
        (SUPPLIERS, "which suppliers are late", ["Gummiwerk Thiele AG"]),
    ],
)
def test_rows_are_told_by_how_figures_moved_and_by_what_their_cells_say(
    table: Hit, question: str, labels: list[str]
) -> None:
    told = lines(with_statements(question, table))
    assert [line.removeprefix("- ").partition(":")[0] for line in told] == labels


def test_what_rose_is_not_listed_where_there_is_one_time_alone() -> None:
    assert len(lines(with_statements("which departments have grown?", ROLL))) < 3


def test_what_rose_or_fell_may_also_be_the_state_of_a_row() -> None:
    claims = hit(
        block("Claims", 6, "heading"),
        row("Claim", "Cause", "Outcome", page=6, header=True),
        row("C-1", "Flood", "Declined", page=6),
        row("C-2", "Theft", "Paid", page=6),
        row("C-3", "Fire", "Declined", page=6),
    )
    told = lines(with_statements("Which claims were declined?", claims))
    assert [line.removeprefix("- ")[:3] for line in told] == ["C-1", "C-3"]


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Who are the two largest tenants?", ["Birch Dental", "Elm & Sons LLP"]),
        ("Who are the largest two tenants?", ["Birch Dental", "Elm & Sons LLP"]),
        ("What are the top 2 tenants by rent?", ["Birch Dental", "Elm & Sons LLP"]),
        ("Which two tenants pay the lowest rent?", ["Oak Books", "Elm & Sons LLP"]),
        ("Who are the largest tenants?", ["Birch Dental", "Elm & Sons LLP", "Oak Books"]),
    ],
)
def test_as_many_are_told_as_are_asked_for(question: str, labels: list[str]) -> None:
    told = [
        line.removeprefix("- ").split(":")[0] for line in lines(with_statements(question, ROLL))
    ]
    assert told == labels


COMMERCE_PARK = hit(
    block("Tenants", 2, "heading"),
    row("Suite", "Tenant", "Use", "Lease start", "Lease end", page=2, header=True),
    row("A-100", "Desert Ridge Plumbing", "Trade counter", "06/01/2021", "05/31/2026", page=2),
    row("B-210", "Tumbleweed Events", "Storage", "03/01/2023", "02/28/2026", page=2),
    row("B-220", "Mesa Verde Coffee", "Roastery", "01/01/2022", "12/31/2028", page=2),
    row("", "TOTAL", "90.5% leased", "", "", page=2),
)


@pytest.mark.parametrize(
    "question", ["Whose leases are up in 2026?", "Which leases expire in 2026?"]
)
def test_rows_that_are_called_by_codes_come_with_their_names_and_no_total(question: str) -> None:
    given = with_statements(question, COMMERCE_PARK)
    assert given.text.startswith("Tenants, Lease end – 2 of 3:")
    assert [line.split(";")[0] for line in lines(given)] == [
        "- A-100: Tenant Desert Ridge Plumbing",
        "- B-210: Tenant Tumbleweed Events",
    ]


EMPLOYEES = hit(
    block("SCHEDULE 7 - KEY EMPLOYEES", 9, "heading"),
    row("Name", "Position", "Notice from the Company", page=9, header=True),
    row("Daniel Osei", "Managing Director", "12 months", page=9),
    row("Colm Devane", "Operations Director", "six months", page=9),
    row("Hannah Szulc", "Head of Sales", "three months", page=9),
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which employees are on less than six months' notice?", ["Hannah Szulc"]),
        ("Which employees have at least six months' notice?", ["Daniel Osei", "Colm Devane"]),
    ],
)
def test_rows_are_chosen_by_lengths_of_time_in_words(question: str, names: list[str]) -> None:
    told = lines(with_statements(question, EMPLOYEES))
    assert [line.partition(":")[0].removeprefix("- ") for line in told] == names


def test_why_a_figure_is_over_another_asks_for_no_rows() -> None:
    costs = hit(
        block("Costs", 1, "heading"),
        row("£000", "Actual", "Budget", page=1, header=True),
        row("Maintenance", "58", "55", page=1),
        row("Land rent", "21", "21", page=1),
        row("Insurance", "9", "9", page=1),
        block("Maintenance ran over budget because two inverters were replaced.", 1),
    )
    told = with_statements("Why was maintenance over budget?", costs).text
    assert "two inverters were replaced" in told
    assert "of 3:" not in told
