"""Rows of blocks as tables: columns, periods, units, groups and roles."""

from dataclasses import replace

import pytest

from docqa.ingest.tables.build import tables_of
from docqa.ingest.tables.rows import unmarked
from docqa.types.document import NOWHERE, Block, Box, Cell
from docqa.types.table import Table
from tests.ingest.tables.printed import printed

INCOME = """
# Consolidated Statements of Operations
^ (In millions, except per share data)
|| |2>Three Months Ended
|| |June 25, 2022|June 26, 2021
|Net sales:
|  Products|$63,355|$63,948
|  Services|19,604|17,486
|    Total net sales|82,959|81,434
|Cost of sales|47,074|46,179
|Provision for income taxes|3,624|2,625
|Net income|$19,442|$21,744
|Earnings per share:
|  Basic|$1.20|$1.31
|Shares used in computing earnings per share:
|  Basic|16,162,945|16,629,371
"""


def only(page: str) -> Table:
    (table,) = tables_of("a", printed(page))
    return table


def ends(table: Table) -> list[tuple[int, int, int, int | None]]:
    periods = (column.period for column in table.columns)
    return [(p.year, p.month, p.day, p.months) for p in periods]


def test_a_statement_has_its_role_periods_scale_and_groups() -> None:
    table = only(INCOME)
    assert table.role == "income statement"
    assert table.columns[0].path == ("Three Months Ended", "June 25, 2022")
    assert ends(table) == [(2022, 6, 25, 3), (2021, 6, 26, 3)]
    assert {(column.scale, column.currency) for column in table.columns} == {(10**6, "USD")}
    products = table.rows[1]
    assert products.name == "Net sales › Products"
    assert table.period_of(products, 1).year == 2021


def test_a_month_a_day_or_a_quarter_below_a_year_is_of_that_year() -> None:
    head = "|| |2>Actual 2025|2>FY2024|Budget\n|| |Apr|3 May|Q1|Other|2026\n|Rent|46|47|130|9|50"
    assert ends(only(head)) == [
        (2025, 4, 0, 0), (2025, 5, 3, 0), (2024, 3, 0, 3), (2024, 0, 0, 12), (2026, 0, 0, None),
    ]  # fmt: skip


def test_a_sign_of_currency_in_a_column_of_units_is_no_part_of_a_figure() -> None:
    table = only("||Indicator|Unit|2025|2024\n|Orders|weeks|12.8|12.4\n|Value|£|3,754|3,702")
    assert table.rows[1].cells == ("£", "3,754", "3,702")


def test_amounts_per_share_and_counts_of_shares_have_their_own_unit_and_scale() -> None:
    table = only(INCOME)
    per_share, shares = table.rows[8], table.rows[10]
    assert (table.unit_of(per_share, 0), table.scale_of(per_share, 0)) == ("USD/share", 1)
    assert table.unit_of(shares, 0) == "shares"


def test_pence_a_share_are_no_pounds() -> None:
    table = only(
        """
|| |2024 £m|2023 £m
|Profit|1,200|1,100
|Earnings per share (pence)|18.4|17.0
|Dividend|9.1p|8.8p
"""
    )
    assert {column.currency for column in table.columns} == {"GBP"}
    assert table.unit_of(table.rows[1], 0) == "pence/share"


def test_a_p_in_brackets_is_pence_and_no_note() -> None:
    table = only(
        """
|| |2024 £m|2023 £m
|Profit (p)|1,200|1,100
|Basic earnings per share (p)|18.4|17.0
|Final dividend (p)|9.1|8.8
"""
    )
    assert [row.label for row in table.rows][:1] == ["Profit"]
    assert [table.unit_of(row, 0) for row in table.rows[1:]] == ["pence/share", "pence"]
    assert [table.scale_of(row, 0) for row in table.rows] == [10**6, 1, 1]


def test_the_numbers_of_notes_are_no_money() -> None:
    table = only(
        """
^ Income statement for the year ended 31 December 2024 (£m)
|| |Note|2024|2023
|Revenue|4|1,204|1,100
|Cost of sales|5|(800)|(700)
|Finance costs|12|(4)|(3)
"""
    )
    assert [(column.currency, column.scale) for column in table.columns] == [
        ("", 1), ("GBP", 10**6), ("GBP", 10**6),
    ]  # fmt: skip


def test_a_line_that_ends_the_amounts_per_share_is_one_of_them() -> None:
    parts = "|  Income from continuing operations|$1.25|$1.35\n|Net income|$1.20|$1.31"
    table = only(INCOME.replace("|  Basic|$1.20|$1.31", parts))
    last = table.rows[9]
    assert last.name == "Earnings per share › Net income"
    assert (table.unit_of(last, 0), table.scale_of(last, 0)) == ("USD/share", 1)


def test_a_ratio_below_amounts_per_share_is_none_of_them() -> None:
    table = only(INCOME.replace("|Shares used in computing earnings per share:", "|Ratio|2.1|2.4"))
    assert table.rows[9].unit == ""


def test_a_group_ends_with_its_total_or_where_a_row_is_set_further_left() -> None:
    paths = {row.label: row.path for row in only(INCOME).rows}
    assert paths["Total net sales"] == ("Net sales",)
    assert paths["Cost of sales"] == ()
    assert paths["Net income"] == ()


def test_blank_cells_keep_their_columns() -> None:
    table = only(
        """
|| |2022|2021|2020
|Settlements|(1)||27
|Other||(1)|
"""
    )
    assert [row.cells for row in table.rows] == [("(1)", "", "27"), ("", "(1)", "")]


def test_words_beside_the_years_complete_them() -> None:
    table = only(
        """
||Years ended December 31,|2022|2021
|Revenues|66,608|62,286
"""
    )
    assert ends(table) == [(2022, 12, 31, 12), (2021, 12, 31, 12)]


def test_years_printed_in_one_cell_stand_over_a_column_each() -> None:
    page = """
# Financial Highlights
||                | 2>First Quarter 2023 2022 | 2>Change
| Net revenues    | $2,510 | $2,483 | $27 | 1%
| Cost of revenue | 700    | 689    | 11  | 2%
"""
    (table,) = tables_of("a", printed(page))
    assert [each.heading for each in table.columns[:2]] == [
        "First Quarter 2023", "First Quarter 2022",
    ]  # fmt: skip
    assert [each.period.year for each in table.columns[:2]] == [2023, 2022]


def test_signs_brackets_and_marks_join_their_figures() -> None:
    table = only(
        """
|| |2022|2021||||
|Net loss|$|(5,053|)|$|4,290|%
"""
    )
    assert table.rows[0].cells[0] == "$(5,053)"


def test_a_second_head_parts_fused_tables() -> None:
    first, second = tables_of(
        "a",
        printed(
            """
||December 31,|2022|2021
|Cash|5|6
|Year ended December 31,|2022|2021|2020
|Sales|7|8|9
"""
        ),
    )
    assert [len(table.columns) for table in (first, second)] == [2, 3]
    assert ends(second)[2] == (2020, 12, 31, 12)


def test_a_table_that_goes_on_overleaf_is_one() -> None:
    head = "||December 31,|2022|2021\n"
    page = printed(f"# Balance Sheets\n{head}|Cash|5|6\n|Debt|1|2\n")
    overleaf = printed(f"# Balance Sheets (continued)\n{head}|Equity|4|4\n", number=2)
    moved = [counted_on(block, len(page)) for block in overleaf]
    (table,) = tables_of("a", [*page, *moved])
    assert table.pages == (1, 2)
    assert [row.label for row in table.rows] == ["Cash", "Debt", "Equity"]
    assert table.heads == (1, 5)


def test_facts_in_two_columns_overleaf_are_not_of_the_table_of_years_before_them() -> None:
    trading = printed("# Alder\n||€m|2023|2024\n|Revenue|52.1|56.8\n|EBITDA|9.6|10.7\n")
    facts = printed("# Birch\n|Invested|Nov 2020\n|Cost|€28.5m\n|Fair value|€22.8m", number=2)
    moved = [counted_on(block, len(trading)) for block in facts]
    first, second = tables_of("a", [*trading, *moved])
    assert (len(first.rows), len(second.rows), second.title) == (2, 3, "Birch")
    assert second.columns[0].period.year == 0


def counted_on(block: Block, places: int) -> Block:
    """The block as one of a page that follows others."""
    return replace(block, index=block.index + places, table=block.table and block.table + 1)


def test_a_label_over_two_lines_goes_with_its_values() -> None:
    table = only(
        """
|| |2022|2021
|Amortization of actuarial loss, net of tax of ($11)
|  and ($52)|791|1,155
"""
    )
    (row,) = table.rows
    assert row.label == "Amortization of actuarial loss, net of tax of ($11) and ($52)"
    assert table.row(1) is row
    assert table.row(2) is row


def test_a_row_without_label_that_adds_up_others_says_so() -> None:
    table = only(
        """
|| |2022|2021
|Products|55|50
|Services|11|10
| |66|60
| |3|4
"""
    )
    assert [row.label for row in table.rows] == ["Products", "Services", "(subtotal)", ""]


def test_rows_of_one_name_stand_under_what_their_totals_say() -> None:
    table = only(
        """
|| |2022|2021
|U.S.|$9.6|$8.9
|Abroad|13.6|14.4
|Total revenues|$23.2|$23.2
|U.S.|5.1|4.8
|Abroad|4.2|5.6
|Corporate|(0.1)|0.1
|Total operating income|9.2|10.5
|Staff|7|6
|Total|7|6
"""
    )
    paths = [row.path for row in table.rows]
    assert paths == [*[("Revenues",)] * 2, (), *[("Operating income",)] * 3, (), (), ()]


def test_rows_that_do_not_add_up_to_a_total_stand_under_nothing() -> None:
    table = only(
        """
|| |2022|2021
|U.S.|9|8
|Abroad|13|14
|Total revenues|23|22
|U.S.|5|4
|Abroad|4|5
|Total assets|30|31
"""
    )
    assert [row.path for row in table.rows[3:5]] == [(), ()]


def test_the_years_of_one_label_are_rows_that_have_it() -> None:
    pay = only("""
|| Executive|Year|Salary|Annual bonus
|Ruairi Castellan|2025|488|372
| |2024|470|305
|Hanne Voskuijl|2025|431|318
| |2024|198|127
| |2023|180|-
""")
    names = ("Ruairi Castellan", "Hanne Voskuijl")
    years = {"Ruairi Castellan": (2025, 2024), "Hanne Voskuijl": (2025, 2024, 2023)}
    told = [(row.label, row.period.year) for row in pay.rows]
    assert told == [(f"{name}, {year}", year) for name in names for year in years[name]]
    funds = only(
        "|| Fund|Founded|Amount, $|Units\n|Fund A|2019|$10|4\n| ||$20|5\n|Fund B|2021|$30|6"
    )
    assert [row.label for row in funds.rows] == ["Fund A", "", "Fund B"]


def test_movements_between_two_balances_are_of_the_time_between_them() -> None:
    table = only(
        """
|| |Common Stock|Total
|Balance at December 31, 2020|5|9
|Net earnings|1|1
|Balance at December 31, 2021|6|10
"""
    )
    period = table.period_of(table.rows[1], 0)
    assert (period.year, period.month, period.months) == (2021, 12, 12)
    assert table.period_of(table.rows[0], 0).months == 0


def test_prose_set_in_columns_is_no_table() -> None:
    page = """
|The tenant shall pay the rent on the|first day of each month and it shall
|days on which it falls due to the|be paid without any deduction from
|landlord at the address stated in|it whatsoever, save where the law
"""
    assert tables_of("a", printed(page)) == ()


def test_notes_go_to_the_table_they_stand_under() -> None:
    table = only(
        """
^ Key figures
|| |2022
|EBITDA (1)|5
~ (1) Adjusted.
"""
    )
    assert (table.caption, table.notes) == ("Key figures", ("(1) Adjusted.",))
    assert table.rows[0].label == "EBITDA"


def test_a_head_that_was_not_marked_is_known_by_its_titles_times_and_scale() -> None:
    table = only(
        """
|eBay Inc.
|CONSOLIDATED STATEMENT OF INCOME
| |Three Months Ended June 30,||Six Months Ended June 30,|
| |2023|2022|2023|2022
| |2>(In millions, except per share amounts)
|Net revenues|$2,540|$2,422|$5,050|$4,905
|Income tax|113|191|274|501
|Net income|$171|$(531)|$738|$(1,872)
"""
    )
    assert table.role == "income statement"
    assert table.caption == "eBay Inc. CONSOLIDATED STATEMENT OF INCOME"
    assert [(e[0], e[3]) for e in ends(table)] == [(2023, 3), (2022, 3), (2023, 6), (2022, 6)]
    assert {column.scale for column in table.columns} == {10**6}


def test_the_day_over_a_table_is_that_of_its_columns_of_figures() -> None:
    head = "||Estimate|Remarks\n|Strip-out|£38,000|Unverified\n|Surveyor|£4,500|Fixed\n"
    dated = only(f"^ Costs at 24 June 2026\n{head}")
    assert [column.period.year for column in dated.columns] == [2026, 0]
    introduced = only(f"The costs expected on 24 June 2026 are set out in this table.\n{head}")
    assert [column.period.year for column in introduced.columns] == [2026, 0]
    grouped = "|| |Retail|Total\n|2024\n|Revenue|5|9\n|2023\n|Revenue|4|8\n"
    by_row = only(f"Sales from 1 April 2023 are at cost, as the table below shows.\n{grouped}")
    assert [column.period.year for column in by_row.columns] == [0, 0]
    aside = only(f"The lease can be ended on 24 June 2026 if all rent is paid by then.\n{head}")
    assert [column.period.year for column in aside.columns] == [0, 0]


def test_a_share_that_a_group_of_columns_is_named_by_is_in_per_cent() -> None:
    table = only(
        """
^ Income statement in EUR million
|| |Q2 25|2>Q2 25 vs, %
|| ||Q1 25|Q2 24
|Net interest income|612|2.3|6.6
|Fees|188|3.9|7.4
"""
    )
    assert [column.unit for column in table.columns] == ["", "%", "%"]


def test_shares_that_name_columns_and_basis_points_are_no_units_of_money() -> None:
    grid = only(
        "^ Profit in EUR\n||Costs|-5%|+5%\n|0%|8,536,855|11,672,527\n|+5%|7,750,882|9,318,718"
    )
    assert [column.unit for column in grid.columns] == ["", ""]
    figures = only("^ Key figures\n||EUR m|Q2|Q1\n|Total income|846|821\n|Cost of risk, bp|18|13")
    assert [figures.unit_of(row, 0) for row in figures.rows] == ["EUR", "bps"]


def test_a_currency_told_by_signs_holds_for_the_columns_that_have_them() -> None:
    table = only(
        """
||Tenant|Suite|Rent|Lease|Area (sq ft)
|Alder|100|$500|2030|400
|Birch|200|$600|2031|700
"""
    )
    assert [column.currency for column in table.columns] == ["", "USD", "", ""]
    assert table.columns[3].unit == "sq ft"
    assert table.role == "rent roll"


def test_heads_that_nothing_marks_are_the_rows_before_the_first_amounts() -> None:
    lone = only("| | |Fiscal Year Ended|\n| |May 27, 2019|May 28, 2018|May 29, 2017\n|Income|9|8|7")
    assert ends(lone) == [(2019, 5, 27, 12), (2018, 5, 28, 12), (2017, 5, 29, 12)]
    units = only(
        "| |30 June 2019|30 June 2018|Change\n| |$’000|$’000|%\n|Profit|(9,819)|6,639|(248%)"
    )
    assert [column.scale for column in units.columns] == [1000, 1000, 1]
    assert [row.label for row in units.rows] == ["Profit"]
    corner = only("|Years Ended June 30\n|Assumptions|2019|2018\n|Dividend yield|4.5%|4.6%")
    assert [(p.year, p.months) for p in (c.period for c in corner.columns)] == [
        (2019, 12),
        (2018, 12),
    ]


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("Awards|Shares|Price paid", ["Shares", "Price paid"]),
        ("Days past due|1-90|> 90", ["1-90", "> 90"]),
        ("Obligations|Less than 1 Year|2-5 Years", ["Less than 1 Year", "2-5 Years"]),
    ],
)
def test_words_or_ranges_over_figures_are_the_head_though_no_year_is_among_them(
    head: str, names: list[str]
) -> None:
    rows = "|Low|1,347|125\n|Medium|891|725\n|High|583|-"
    assert [column.heading for column in only(f"|{head}\n{rows}").columns] == names


def test_figures_with_words_or_words_over_words_are_no_head() -> None:
    for first in ("Term|5 years|3 years", "Uptime|99.7%|99.5%"):
        table = only(f"|{first}\n|Rent|1,347|125\n|Deposit|891|725\n|Fee|583|365")
        assert len(table.rows) == 4
    table = only("|Tenant|Acme|Bolt\n|Use|Shop|Store\n|Guarantor|None|Bolt plc\n|Rent|12|14")
    assert len(table.rows) == 4


def test_a_list_of_facts_has_no_head() -> None:
    facts = only("|Address|12 Main Street\n|Year built|1998\n|Price|$19,400,000")
    assert [row.label for row in facts.rows] == ["Address", "Year built", "Price"]


def test_a_line_of_years_at_the_foot_of_a_page_heads_the_table_on_the_next() -> None:
    income = "# Income statement\n|| |2023|2022\n|Revenue|9|8\n"
    page = printed(f"{income}# Balance sheet\nAt 31 December\n2023 2022")
    overleaf = printed("|Cash|5|6\n|Total assets|7|8\n|Total liabilities|1|2", number=2)
    first, second = tables_of("a", [*page, *(counted_on(each, len(page)) for each in overleaf)])
    assert [row.label for row in first.rows] == ["Revenue"]
    assert second.role == "balance sheet"
    assert [column.period.year for column in second.columns] == [2023, 2022]


def test_words_over_rows_that_are_ranges_are_the_head() -> None:
    rows = "|99.7% or above|None\n|99.3% to 99.69%|4%\n|98.9% to 99.29%|8%"
    table = only(f"|Monthly uptime|Service credit\n{rows}")
    assert [column.heading for column in table.columns] == ["Service credit"]
    assert len(table.rows) == 3
    facts = only("|Tenant|Acme plc\n|Rent|£500\n|Area|90 sq m\n|Term|5 years")
    assert len(facts.rows) == 4


def test_tables_of_a_text_without_pages_stay_apart_with_a_line_between() -> None:
    page = "||Item|Detail\n|Landlord|Ash Ltd\nThe tenant:\n|Tenant|Elm plc\n|Rent|$500"
    on_a_page = printed(page)
    nowhere = [replace(block, box=Box(0, 0, 0, 0)) for block in on_a_page]
    assert len(tables_of("a", on_a_page)) == 1
    first, second = tables_of("a", nowhere)
    assert [column.heading for column in first.columns] == ["Detail"]
    assert [column.heading for column in second.columns] == [""]
    assert [row.label for row in second.rows] == ["Tenant", "Rent"]


def test_a_statement_whose_second_page_repeats_its_title_and_heads_is_one() -> None:
    head = "|| |2>May 31,\n|| |2023|2022\n"
    page = printed(
        f"CONSOLIDATED BALANCE SHEETS\n^ (in millions)\n{head}|Cash|$5|$6\n|Total assets|5|6\n"
        "See accompanying notes.\n"
    )
    overleaf = printed(
        f"CONSOLIDATED BALANCE SHEETS\n^ (in millions, except shares)\n{head}"
        "|Debt|1|2\n|Total liabilities|1|2\n",
        number=2,
    )
    moved = [counted_on(block, len(page)) for block in overleaf]
    (table,) = tables_of("a", [*page, *moved])
    assert (table.role, table.pages, len(table.rows)) == ("balance sheet", (1, 2), 4)


def test_a_statement_goes_on_overleaf_under_a_label_read_as_a_heading_on_both_pages() -> None:
    label = "# LIABILITIES AND EQUITY\n"
    page = printed(
        "CONSOLIDATED BALANCE SHEETS\n^ (in millions)\n|| |May 31, 2023|May 31, 2022\n"
        f"|Cash|$5|$6\n|Total assets|$5|$6\n{label}"
    )
    overleaf = printed(
        f"{label}Current liabilities:\n|Debt|1|2\n|Total liabilities|1|2\n", number=2
    )
    moved = [counted_on(block, len(page)) for block in overleaf]
    (table,) = tables_of("a", [*page, *moved])
    assert (table.role, table.pages) == ("balance sheet", (1, 2))
    groups = [row.label for row in table.rows if row.is_group]
    assert groups == ["LIABILITIES AND EQUITY", "Current liabilities:"]


def test_a_raised_figure_is_no_page_number() -> None:
    table = only("|| |Page\n|Part One|²\n|Part Two|³\n|Part Three|4\n|Part Four|5")
    assert table.role != "contents"


def test_contents_may_stand_in_two_columns() -> None:
    table = only(
        "|| |CONTENTS| | \n|1. Definitions|1|14. Covenants|5\n|2. The Facilities|2|15. Defaults|6\n"
        "|3. Purpose|2|16. Notices|7\n|4. Fees|3||"
    )
    assert table.role == "contents"


PARTICULARS = """
|| Item|Subject|Provision
|A|Landlord|Cedar Bluff Center LLC
|B|Tenant|Marlowe Coffee Roasters, Inc.
|C|Premises|Space 114, of 2,875 rentable square feet
"""


def test_rows_that_are_counted_are_called_by_what_stands_beside_their_number() -> None:
    table = only(PARTICULARS)
    assert [row.label for row in table.rows] == ["A Landlord", "B Tenant", "C Premises"]
    assert table.rows[1].cells == ("Marlowe Coffee Roasters, Inc.",)
    assert table.columns[0].heading == "Provision"
    for numbers in (("P1", "P2", "P3"), ("1.9", "1.10", "2.1"), ("(a)", "(b)", "(c)")):
        page = PARTICULARS
        for letter, number in zip("ABC", numbers, strict=True):
            page = page.replace(f"|{letter}|", f"|{number}|")
        assert only(page).rows[1].label == f"{numbers[1]} Tenant"


def test_classes_and_amounts_are_no_numbers_of_rows() -> None:
    classes = PARTICULARS.replace("|C|", "|F|")
    assert [row.label for row in only(classes).rows] == ["A", "B", "F"]
    years = "|| Year|Rent|Share\n|1|$120|8%\n|2|$130|9%\n|3|$140|9%"
    assert [row.label for row in only(years).rows] == ["1", "2", "3"]


def test_a_row_of_dates_under_a_label_of_its_own_is_no_head() -> None:
    table = only(
        "|| Term|Before|After\n|Break date|24 June 2028|25 March 2030\n|Rent|£478,500|£507,500"
    )
    assert [column.heading for column in table.columns] == ["Before", "After"]
    assert [row.label for row in table.rows] == ["Break date", "Rent"]


def test_a_row_of_years_over_other_years_is_no_head() -> None:
    table = only(
        "|| Vessel|Built|Master|Next docking\n|Morwenna|2009|T. Hale|March 2026\n"
        "|Kittiwake|1998|P. Osei|Overdue\n|Gull Sound|2016|T. Hale|May 2027"
    )
    assert [column.heading for column in table.columns] == ["Built", "Master", "Next docking"]
    assert [row.label for row in table.rows] == ["Morwenna", "Kittiwake", "Gull Sound"]


def test_the_title_of_the_first_group_is_no_head() -> None:
    table = only("|| Cost|Budget|Actual\n|| Management\n|Fees|£98|£95\n|Audit|£7|£6")
    assert (table.corner, table.rows[1].name) == ("Cost", "Management › Fees")


def test_the_heads_of_a_sheet_are_over_its_further_groups() -> None:
    page = (
        "|| Code|Cost|Budget 26/27|Actual 24/25\n|1.1|Fees|98|93\n|1.2|Audit|7|6\n---\n# Power\n"
        "|2.1|Electricity|214|271\n|2.2|Gas|31|36"
    )
    sheet = [replace(block, row=at) for at, block in enumerate(printed(page), 1)]
    _, power = tables_of("a", sheet)
    assert [c.heading for c in power.columns] == ["Cost", "Budget 26/27", "Actual 24/25"]
    assert [c.period.year for c in power.columns] == [0, 2027, 2025]
    assert len(tables_of("a", printed(page))[1].columns[0].heading) == 0  # on a page it is another


def test_a_sign_of_currency_in_a_head_says_what_its_column_is_counted_in() -> None:
    table = only("|| Unit|Rent £ pa|Area\n|1|81,320|2,140\n|2|70,000|1,900")
    assert [column.currency for column in table.columns] == ["GBP", ""]


@pytest.mark.parametrize(
    ("heads", "scale", "currency"),
    [
        ("||in EUR million|2024|2023", 10**6, "EUR"),
        ("^ in NOK million\n|| |2024|2023", 10**6, "NOK"),
        ("# Revenue, TEUR\n|| |2024|2023", 10**3, "EUR"),
        ("|| |2024 £m|2023 £m", 10**6, "GBP"),
        ("|| |2024|2023\n|| |£000|£000", 10**3, "GBP"),
        ("|| |2024 CHF|2023 CHF", 1, "CHF"),
    ],
)
def test_a_currency_is_known_beside_a_scale(heads: str, scale: int, currency: str) -> None:
    table = only(f"{heads}\n|Revenue|1,200|1,100")
    assert {(each.scale, each.currency) for each in table.columns} == {(scale, currency)}
    assert table.caption == ""


def test_a_scale_right_under_a_heading_is_of_the_further_tables_of_money_under_it() -> None:
    page = """
# Debt
(in thousands)
|| |2024|2023
|Notes|$1,200|$1,100
They fall due as follows.
---
|| |2025|2026
|Notes|$600|$600
The lenders are as follows.
---
|| |2025|2026
|Lenders|4|5
# Leases
---
|| |2025|2026
|Rent|$600|$600
"""
    scales = [table.columns[0].scale for table in tables_of("a", printed(page))]
    assert scales == [1000, 1000, 1, 1]


def test_lettings_of_other_buildings_are_no_rent_roll() -> None:
    rows = "|| Tenant|Rent (£ psf)|Term (yrs)\n|Arup|£48.00|10\n|Ovo|£46.00|5"
    assert only(f"^ Tenancy schedule\n{rows}").role == "rent roll"
    assert only(f"^ Comparable lettings\n{rows}").role == ""


def on_sheet(text: str, first: int, *, page: int = 1) -> list[Block]:
    """Rows of a sheet from a row on, a heading before them one higher."""
    place = f"sheet “{page}”"
    return [
        replace(block, place=place, row=first + at, box=NOWHERE)
        for at, block in enumerate(printed(text, number=page))
    ]


def made_of(*parts: list[Block]) -> tuple[Table, ...]:
    blocks = [
        replace(block, table=number if block.table else 0)
        for number, part in enumerate(parts, start=1)
        for block in part
    ]
    return tables_of("a", [replace(block, index=at) for at, block in enumerate(blocks)])


def test_the_table_of_one_sheet_does_not_carry_on_that_of_another() -> None:
    rents = on_sheet("# Rents\n||Tenant|Rent (£000)\n|Alpha|100\n|Beta|220", 1)
    areas = on_sheet("# Areas\n|Alpha|5000\n|Beta|7000", 1, page=2)
    assert [len(table.rows) for table in made_of(rents, areas)] == [2, 2]


def test_tables_side_by_side_stand_under_the_same_lines_and_what_is_below_under_the_first() -> None:
    over = on_sheet("^ in thousands of dollars", 1)
    left = on_sheet("# North\n|| |2024|2023\n|Rent|410|402\n|Costs|55|61", 3)
    right = on_sheet("# South\n|Rent|900\n|Costs|800", 3)
    below = on_sheet("|Net|355|341", 8)
    north, south, net = made_of(over + left, right, below)
    assert [column.heading for column in net.columns] == ["2024", "2023"]
    assert (south.caption, [column.heading for column in south.columns]) == ("", [""])
    assert {column.scale for table in (north, south) for column in table.columns} == {1000}


def test_what_names_a_table_is_not_of_one_below_it_with_a_name_of_its_own() -> None:
    one = "Debt, $ million\n^ (Unaudited)\n|| |2024|2023\n|Loans|310|288\n|Notes|95|120\n"
    debt, share = tables_of("a", printed(f"{one}|Share of debt|\n|| |2022|2021\n|Fixed|74|70"))
    assert (debt.caption, debt.columns[0].scale) == ("Debt, $ million", 10**6)
    assert (share.caption, share.columns[0].scale) == ("Share of debt", 1)


def test_a_label_goes_on_over_a_page() -> None:
    first = printed("|| |2024|2023\n|Cash|310|288\n|Receivables from brokers and|")
    second = [replace(b, index=b.index + 3) for b in printed("|others|11|12\n|Loans|1|2", number=2)]
    (table,) = tables_of("a", [*first, *second])
    assert [row.name for row in table.rows] == [
        "Cash",
        "Receivables from brokers and others",
        "Loans",
    ]


def test_what_stands_side_by_side_at_a_pages_head_is_no_label_of_a_table_that_goes_on() -> None:
    first = printed("|| |2024|2023\n|Cash|310|288")
    (scheme,) = printed("Scheme", number=2)
    places = (2, Box(0, 9, 50, 19)), (3, Box(300, 9, 350, 19))
    head = [replace(scheme, index=index, box=box) for index, box in places]
    second = [replace(b, index=b.index + 4) for b in printed("|Loans|1|2", number=2)]
    (table,) = tables_of("a", [*first, *head, *second])
    assert [row.name for row in table.rows] == ["Cash", "Loans"]


def test_a_mark_in_a_column_of_figures_is_no_mark_of_the_figure_beside_it() -> None:
    table = only(
        "|| |2024|2023|Change|%|\n|Rent|11|10|1|10.0|\n|Other|954|-|954|*|\n|Net|5|4|1|9|*"
    )
    assert [row.cells for row in table.rows[1:]] == [
        ("954", "-", "954", "*"),
        ("5", "4", "1", "9 *"),
    ]


def test_a_table_is_not_of_a_time_told_over_the_heading_before_it() -> None:
    facts = """
        # Highlights
        The loan is assumable and matures in November 2031.
        # Property summary
        || Item|Detail
        | Year built|2009
        | Asking price|$41,750,000
    """
    table = only("\n".join(map(str.strip, facts.splitlines())))
    assert ends(table) == [(0, 0, 0, None)]


def test_columns_that_dates_tell_apart_are_not_of_the_one_over_them() -> None:
    table = only(
        "# Balance sheet at 31 December 2024\n|| |A24|A23\n|Cash|1,200|1,100\n|Debt|400|350"
    )
    assert {column.period.year for column in table.columns} == {0}


def test_a_reference_is_said_with_the_words_beside_it() -> None:
    accounts = only(
        """
|| ||Jan 2025|Feb 2025
||4000-000|INCOME
|| |RENTAL INCOME
|4110-000|Market rent|251,340.00|252,915.00
|4130-000|Less: vacancy|(14,927.90)|(13,729.58)
|4990-000|TOTAL INCOME|236,412.10|239,185.42
|5110-000|Salaries|6,450.00|6,450.00
"""
    )
    assert [row.label for row in accounts.rows][:3] == [
        "4000-000 INCOME", "RENTAL INCOME", "4110-000 Market rent",
    ]  # fmt: skip
    assert [column.heading for column in accounts.columns] == ["Jan 2025", "Feb 2025"]
    assert [row.path for row in accounts.rows[-2:]] == [("4000-000 INCOME",), ()]


def test_the_number_of_a_suite_is_no_reference() -> None:
    rent_roll = only(
        "||Suite|Tenant|Area|Rent\n|A-1|Vale Imaging|1,200|18.00\n|A-2|Holm LLP|900|17.50\n"
        "|A-3|Carrow Union|700|17.00"
    )
    assert len(rent_roll.columns) == 3


def test_labels_amid_the_figures_come_first() -> None:
    statement = only(
        """
||2>Seller| |2>Buyer
||Debit|Credit|Description|Debit|Credit
| | |PRORATIONS| |
| |6,850,000.00|Sale price|6,850,000.00|
|41,874.20| |Real estate taxes| |41,874.20
|58,915.00| |Security deposits| |58,915.00
|1,250.00| |Settlement fee|1,250.00|
"""
    )
    assert statement.corner == "Description"
    assert [column.heading for column in statement.columns] == [
        "Seller Debit", "Seller Credit", "Buyer Debit", "Buyer Credit",
    ]  # fmt: skip
    assert statement.rows[1].name == "PRORATIONS › Sale price"
    assert statement.rows[1].cells == ("", "6,850,000.00", "6,850,000.00", "")


def test_names_below_those_they_are_grouped_by_are_of_the_head() -> None:
    table = only(
        """
|| |2>Life (years)|2>Outlay ($)
|Item|EUL|RUL|Yr 1|Yr 2
|Roof|20|7|-|114,700
|Paint|8|3|43,500|-
"""
    )
    assert [column.heading for column in table.columns] == [
        "Life (years) EUL", "Life (years) RUL", "Outlay ($) Yr 1", "Outlay ($) Yr 2",
    ]  # fmt: skip
    assert table.corner == "Item"


def test_a_title_with_names_below_it_begins_another_table_and_so_do_titles_after_it() -> None:
    _, changes, holders = tables_of(
        "a",
        printed(
            """
|Target (DKK)|87
|Estimate changes
| |2025E|2026E
|Sales|0.4%|1.9%
|EPS|5.2%|11.4%
|Major shareholders
|Family Fund| |31.2%
|Pension Scheme| |11.5%
"""
        ),
    )
    assert (changes.caption, [c.heading for c in changes.columns]) == (
        "Estimate changes", ["2025E", "2026E"],
    )  # fmt: skip
    assert holders.caption == "Major shareholders"
    assert {column.heading for column in holders.columns} == {""}


def test_rates_over_a_value_told_by_two_of_them_are_its_head() -> None:
    table = only("|WACC \\ growth|1.5%|2.0%\n|6.9%|101|112\n|7.4%|89|98\n|7.9%|80|87")
    assert (table.corner, [c.heading for c in table.columns]) == (
        "WACC \\ growth",
        ["1.5%", "2.0%"],
    )


def test_a_quarter_wants_no_words_on_time_of_the_title() -> None:
    table = only("# EBITDA – four fiscal quarters ended June 30, 2025\n|| |3Q24|4Q24\n|Net|48|61")
    assert [column.heading for column in table.columns] == ["3Q24", "4Q24"]


def test_a_name_that_reaches_into_the_next_column_is_not_of_it() -> None:
    rows = [
        ((("Investor", 2, 1), ("Total Fund", 3, 2), ("Prior", 5, 2)), True),
        ((("PIC", 0, 1), ("76.5%", 2, 1), ("76.3%", 4, 1), ("77.9%", 6, 1)), False),
        ((("DPI", 0, 1), ("0.24x", 2, 1), ("0.25x", 4, 1), ("0.26x", 6, 1)), False),
    ]
    blocks = [
        Block("", 1, Box(0, at, 500, at), "table", at, table=1, column_header=head,
              cells=tuple(Cell(*cell) for cell in cells))
        for at, (cells, head) in enumerate(rows)
    ]  # fmt: skip
    (table,) = tables_of("a", blocks)
    assert [column.heading for column in table.columns] == ["Investor", "Total Fund", "Prior"]


def test_rows_on_a_sheet_stand_under_heads_of_more_columns_than_the_facts_below_these() -> None:
    head = printed("||Week|Wk 1|Wk 2|Total\n|Status|A|F|")
    body = printed("Receipts\n---\n|Grocery|1,996|2,251|4,247\n|Export|360|482|842")
    blocks = [
        replace(block, index=at, row=at + 1, place="sheet “CF”", table=1 if at < 2 else block.table)
        for at, block in enumerate([*head, *body])
    ]
    _, receipts = tables_of("a", blocks)
    assert [column.heading for column in receipts.columns] == ["Wk 1", "Wk 2", "Total"]


def test_rows_on_a_sheet_whose_labels_are_set_in_stand_under_the_heads_above_them() -> None:
    def row(at: int, table: int, *cells: tuple[str, int]) -> Block:
        made = tuple(Cell(text, column) for text, column in cells)
        text = " | ".join(text for text, _ in cells)
        return Block(text, 1, NOWHERE, "table", at, table=table, cells=made, row=at + 1,
                     column_header=at == 0, place="sheet “BS”")  # fmt: skip

    _, memo = tables_of("a", [
        row(0, 1, ("March", 0), ("FY24", 3), ("FY25", 4)),
        row(1, 1, ("Equity", 0), ("500", 3), ("510", 4)),
        row(2, 1, ("Debt", 0), ("90", 3), ("80", 4)),
        row(4, 2, ("Debt / equity", 1), ("0.18x", 3), ("0.16x", 4)),
    ])  # fmt: skip
    assert [column.heading for column in memo.columns] == ["FY24", "FY25"]
    assert [(each.label, each.cells) for each in memo.rows] == [
        ("Debt / equity", ("0.18x", "0.16x"))
    ]


def test_a_reference_within_a_label_is_no_mark_of_a_note() -> None:
    assert unmarked("Ratio of (c) to (d)") == "Ratio of (c) to (d)"
    assert unmarked("Net sales (1) .....") == "Net sales"


@pytest.mark.parametrize(
    ("page", "heads"),
    [
        (
            "|| |Revenues||Costs|\n|| |2019|2018|2019|2018\n|Gas|61|51|29|14\n|Oil|94|77|12|8",
            ["Revenues 2019", "Revenues 2018", "Costs 2019", "Costs 2018"],
        ),
        (
            "|| |2019||2018|\n|| |Number|$m|Number|$m\n|Opening|5|51|4|40\n|Closing|6|60|5|51",
            ["2019 Number", "2019 $m", "2018 Number", "2018 $m"],
        ),
    ],
)
def test_names_over_columns_called_alike_are_over_all_of_these(page: str, heads: list[str]) -> None:
    assert [column.heading for column in only(page).columns] == heads


def test_a_year_whose_figures_are_set_apart_is_one() -> None:
    table = only("|| |2 0 1 9|2 0 1 8\n|Loss|73|57\n|Other|19|15")
    assert [column.period.year for column in table.columns] == [2019, 2018]
