"""The cell where what is measured crosses whose or which it is."""

import pytest

from docqa.answer.findings.crossings import crossing_of
from docqa.ingest.tables.build import tables_of
from docqa.types.document import Document
from docqa.types.table import Table
from tests.answer.passages import asked
from tests.ingest.tables.printed import printed

ACME = Document("a", "Acme 2022.pdf", 1)
SEGMENTS = """
# Segment information
|| |2022|2021
|U.S.|$9,588|$8,865
|International markets|11,297|12,219
|Total revenues|$20,885|$21,084
|U.S.|$5,136|$4,754
|International markets|3,926|5,130
|Total operating income|$9,062|$9,884
|U.S.|$21,793|$21,280
|International markets|21,979|24,186
|Total assets|$43,772|$45,466
"""
BY_COLUMN = """
# Segments
|| |Express Segment|Ground Segment|Consolidated Total
|Operating income (loss):
|  2022|2,922|2,642|5,564
|  2021|2,810|3,193|6,003
|Segment assets:
|  2022|47,604|32,645|80,249
|  2021|46,356|29,134|75,490
"""
STACKED = """
# Divisions
|| |Hydraulics|Rail systems|Group
|2024
|Adjusted operating margin|12.6%|1.8%|12.7%
|Segment assets|386.2|178.5|1,117.1
|2023
|Adjusted operating margin|12.9%|5.6%|12.7%
|Segment assets|371.9|190.8|1,081.9
"""
CAPITAL = """
# Capital expenditures by segment
|| |Express Segment|Ground Segment
|2022|3,637|2,139
|2021|3,503|1,446
"""


def tables(*pages: str) -> tuple[Table, ...]:
    blocks = [
        block for number, page in enumerate(pages, 1) for block in printed(page, number=number)
    ]
    return tables_of("a", blocks)


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("What were the assets of the international markets in 2021?", "24,186"),
        ("Operating profit of International Markets, 2022", "3,926"),
        ("What operating profit did Ground make in 2021?", "3,193"),
        ("capital spending at Ground in 2022?", "2,139"),
        ("capital expenditure at Acme's Ground segment in 2022?", "2,139"),
    ],
)
def test_a_cell_is_what_its_group_label_column_and_table_say(question: str, amount: str) -> None:
    crossing = crossing_of(asked(question), tables(SEGMENTS, BY_COLUMN, CAPITAL), ACME)
    assert crossing is not None
    assert crossing.text == amount


@pytest.mark.parametrize(
    "question",
    [
        "What were the assets of the European markets in 2021?",  # no such part
        "What were the assets of the international markets in 2019?",  # no such year
        "What were the total assets in 2021?",  # of one line alone
        "Operating income of all but, and excluding, the Ground segment in 2021",
    ],
)
def test_where_no_cell_is_all_that_is_asked_none_is(question: str) -> None:
    assert crossing_of(asked(question), tables(SEGMENTS, BY_COLUMN), ACME) is None


def test_of_two_amounts_of_the_same_name_none_is() -> None:
    other = SEGMENTS.replace("24,186", "30,000").replace("45,466", "51,280")
    question = asked("What were the assets of the international markets in 2021?")
    assert crossing_of(question, tables(SEGMENTS + other), ACME) is None


ADJUSTED = """
# Key financials
||Adjusted non-GAAP results|Year ended June 30, 2023 $ million|Year ended June 30, 2022 $ million
|EBITDA|2,018|2,117
|Net income|1,089|1,224
"""


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("What was adjusted EBITDA in fiscal 2023?", "2,018"),
        ("What was the Non GAAP net income for 2022?", "1,224"),
        ("What was the net income, adjusted results, without pensions?", None),
    ],
)
def test_a_head_of_time_and_unit_asks_for_nothing(question: str, amount: str | None) -> None:
    found = crossing_of(asked(question), tables(ADJUSTED), ACME)
    assert (found.text if found else None) == amount


STAFF = """
# Headcount by department
^ Full-time equivalents
||Department|2>Actual 2025|Budget July
|| |June|July|
|Machine shop|39|39|40
|Assembly|45|47|50
"""


@pytest.mark.parametrize(("month", "cell"), [("june", "45"), ("july", "47")])
def test_a_cell_is_named_by_its_month_and_the_heading_over_its_table(month: str, cell: str) -> None:
    found = crossing_of(asked(f"headcount in assembly in {month}"), tables(STAFF), ACME)
    assert found is not None
    assert (found.row.label, found.text) == ("Assembly", cell)


@pytest.mark.parametrize(("year", "cell"), [(2024, "1.8%"), (2023, "5.6%")])
def test_years_that_are_groups_of_rows_and_figures_that_are_adjusted(year: int, cell: str) -> None:
    question = f"operating margin of rail systems in {year}"
    found = crossing_of(asked(question), tables(STACKED), ACME)
    assert found
    assert found.text == cell


def test_a_figure_goes_before_the_same_adjusted() -> None:
    both = f"{STACKED}\n|Operating margin|11.9%|4.6%|11.7%"
    found = crossing_of(asked("operating margin of rail systems in 2023"), tables(both), ACME)
    assert found
    assert found.text == "4.6%"


HOLDINGS = """
# Holdings at March 31, 2025
||Company|Sector|Invested|Fair value|Total value|Gross IRR
|Thornbury Glass Works|Industrials|18.2|24.9|31.0|14.1%
|Castle Mill Dairies|Food|22.0|20.4|20.4|(3.0)%
|Castle Bay Ferries|Transport|9.7|15.5|15.5|21.6%
"""


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("IRR on Thornbury?", "14.1%"),
        ("fair value of Ferries", "15.5"),
        ("value of Thornbury", None),  # which of two columns
        ("IRR on Castle?", None),  # which of two companies
        ("IRR on glass?", None),  # no name
    ],
)
def test_a_name_is_shortened_as_far_as_it_is_one_alone(question: str, amount: str | None) -> None:
    found = crossing_of(asked(question), tables(HOLDINGS), ACME)
    assert (found.text if found else None) == amount
