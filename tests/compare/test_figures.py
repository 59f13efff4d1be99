"""Figures read from rows and sentences, matched, and subtracted or refused."""

from dataclasses import replace
from decimal import Decimal

import pytest

from docqa.compare.figures import compare_figures
from docqa.language.labels import bearing, label_key, things_in
from docqa.types.comparison import Figure, FigureComparison
from docqa.types.document import Block
from tests.compare.pages import block, document, figures_of, table

A, B, C = document("a"), document("b"), document("c")

MEMO = [
    *table(
        "Item | Alder Point",
        "Purchase price | $19,400,000",
        "Net operating income, 2024 | $1,200,000",
        "Rentable area | 82,000 sq ft",
        "Year built | 1998",
        page=2,
    ),
    block(
        "The property generated $1.2M in NOI for 2024, reflecting a 6.2% cap rate on the $19.4M "
        "purchase price.",
        page=5,
    ),
]
FINAL = [
    block(
        "Net operating income of $1.1M translates to a 5.8% capitalization rate. The asking price "
        "is $19.0M. Rentable area: 64,000 square feet.",
        page=3,
    )
]


def found(blocks: list[Block]) -> dict[tuple[str, str], tuple[str, str]]:
    return {
        (each.label.lower(), each.period): (str(each.value), each.unit)
        for each in figures_of(A, blocks)
    }


def compared(*sides: list[Block], question: str = "") -> dict[str, FigureComparison]:
    figures = {each.id: figures_of(each, own) for each, own in zip((A, B, C), sides, strict=False)}
    return {row.label.lower(): row for row in compare_figures(figures, question=question)}


def test_the_missions_example() -> None:
    rows = compared(MEMO, FINAL, question="Compare the cap rates, NOI and purchase price")
    said = [(row.label, row.difference) for row in rows.values()]
    assert said == [
        ("Cap rate", "+0.4 pts"),
        ("Net operating income", "+$100K"),
        ("Asking price", "+$400K"),
    ]
    pages = [[figure.block.page for figure in row.values] for row in rows.values()]
    assert pages == [[5, 3], [2, 3], [2, 3]]


@pytest.mark.parametrize(
    ("sentence", "label", "value", "unit"),
    [
        ("The property generated $1.2M in NOI for 2024.", "noi", "1200000", "USD"),
        ("It reflects a 6.2% cap rate.", "cap rate", "6.2", "%"),
        ("Cap rate: 6.2%", "cap rate", "6.2", "%"),
        ("The monthly rent is $25,000, due on the first.", "monthly rent", "25000", "USD"),
        ("The term is five years.", "term", "5", "years"),
        ("The term of this lease is five years.", "term", "5", "years"),
        (
            "Either party may terminate on 60 days' notice.",
            "termination notice period",
            "60",
            "days",
        ),
        (
            "The Tenant may terminate its lease, this Lease, on six months' notice.",
            "termination notice period",
            "6",
            "months",
        ),
        ("Operating expenses were $672,000 in 2024.", "operating expenses", "672000", "USD"),
        ("The Tenant shall pay a deposit of £75,600.", "deposit", "75600", "GBP"),
        ("The management fee is 3.0% of effective gross income.", "management fee", "3", "%"),
        ("Vacancy was 8.9% at the end of 2024.", "vacancy", "8.9", "%"),
    ],
)
def test_what_a_sentence_says(sentence: str, label: str, value: str, unit: str) -> None:
    labels = {key[0]: figure for key, figure in found([block(sentence)]).items()}
    assert labels[label] == (value, unit)


@pytest.mark.parametrize(
    "sentence",
    [
        "See clause 4.2 of 2019.",
        "Founded in 1998, it has 12 floors.",
        "Property tax after a sale at the purchase price rises.",
        "A buyer may terminate the existing service contracts on thirty days' notice.",
        "Vale Imaging may terminate its lease in 2029 on twelve months' notice.",
        "",
    ],
)
def test_a_sentence_that_names_no_figure(sentence: str) -> None:
    assert found([block(sentence)]) == {}


def test_a_subject_is_not_what_its_preposition_brings() -> None:
    sentence = "Property tax after a sale at the purchase price is estimated at $243,000 a year."
    assert found([block(sentence)]) == {("property tax", ""): ("243000", "USD/year")}


def test_columns_give_periods_and_captions_the_scale() -> None:
    rows = [
        block("(In millions, except per-share amounts)", kind="caption"),
        *table(
            " | Three Months Ended June 25, 2022 | Nine Months Ended June 25, 2022",
            "Net sales: | | ",
            "Products | $ 63,355 | $ 245,241",
            "Total net sales | 82,959 | 304,182",
            "Earnings per share | $ 1.20 | $ 4.86",
            "Other income | (10) | –",
        ),
    ]
    three = "three months ended June 25, 2022"
    figures = found(rows)
    assert figures["net sales › products", three] == ("63355000000", "USD")
    assert figures["total net sales", three] == ("82959000000", "USD")
    assert figures["earnings per share", three] == ("1.2", "USD/share")
    assert figures["other income", three] == ("-10000000", "USD")
    assert ("other income", "nine months ended June 25, 2022") not in figures


def test_a_scale_that_stands_alone_in_brackets_and_one_of_a_row() -> None:
    rows = table(
        "(Millions, except per share amounts) | 2022",
        "Net income | $7,514",
        "Network volumes (Billions) | $1,552.8",
    )
    figures = found(rows)
    assert figures["net income", "2022"] == ("7514000000", "USD")
    assert figures["network volumes (billions)", "2022"] == ("1552800000000.0", "USD")


def test_amounts_a_thousand_times_apart_are_doubted() -> None:
    told = [block("The deposit is $7,500,000.")], [block("The deposit is $7,514.")]
    assert "thousands or millions" in compared(*told)["deposit"].note
    assert compared(told[0], told[0])["deposit"].note == ""


def test_shares_used_in_computing_a_rate_are_counted() -> None:
    rows = [
        block("(In millions, except number of shares, which are reflected in thousands)"),
        *table(" | 2022", "Shares used in computing earnings per share: | ", "Basic | 16,162,945"),
    ]
    label = "shares used in computing earnings per share › basic"
    assert found(rows)[label, "2022"] == ("16162945000", "shares")


def test_a_header_in_a_row_of_names_is_part_of_the_label() -> None:
    rows = table(
        "Tenant | Area (sq ft) | Rent ($/sq ft) | Expires",
        "Café Lumen | 4,490 | 20.00 | May 31, 2030",
        "Total | 64,000 | | ",
    )
    assert found(rows) == {
        ("rent roll › café lumen, area", ""): ("4490", "sq ft"),
        ("rent roll › café lumen, rent", ""): ("20", "USD/sq ft"),
        ("rent roll › café lumen, expires", ""): ("20300531", "date"),
        ("rent roll › total, area", ""): ("64000", "sq ft"),
    }


def test_a_year_in_a_cell_is_no_money() -> None:
    assert found(MEMO)["year built", ""] == ("1998", "")


def test_a_printed_decimal_is_kept_exactly() -> None:
    rows = compared([block("The fee is $0.10 per share.")], [block("The fee is $0.30 per share.")])
    assert rows["fee"].difference == "−$0.20/share"
    assert rows["fee"].values[0].value == Decimal("0.10")


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("The rent is $100.", "The rent is €100.", "units differ (USD and EUR)"),
        ("The rent is $100 per month.", "The rent is $100 per year.", "units differ"),
        ("The fee is 3%.", "The fee is $300.", "units differ (% and USD)"),
        ("The term is 30 days.", "The term is 1 month.", "units differ (days and months)"),
        ("Revenue for Q2 2023 was $5M.", "Revenue for FY2023 was $20M.", "differ in length"),
    ],
)
def test_a_difference_is_refused_and_why(first: str, second: str, why: str) -> None:
    [row] = compared([block(first)], [block(second)]).values()
    assert row.difference == ""
    assert why in row.note


def test_money_is_not_set_against_a_length_of_time_unless_asked_for() -> None:
    sides = [block("The deposit is $300.")], [block("The deposit is six months.")]
    assert not compared(*sides)
    [row] = compared(*sides, question="deposit").values()
    assert "units differ" in row.note


BREAK = [
    block("If repairs take a year either party may end this Lease on one month's notice."),
    block("The Tenant may determine this Lease on the Break Date by six months' notice."),
]
ENTRY = block("The Landlord may enter on 48 hours' notice.")


def test_of_several_notices_those_of_the_most_alike_clauses_are_compared() -> None:
    other = block("The Tenant may end this Lease on its Break Date by nine months' notice.")
    row = compared([other], BREAK)["termination notice period"]
    assert [figure.text for figure in row.values] == ["nine months'", "six months'"]


def test_notice_of_anything_is_told_only_where_no_other_is_and_it_is_asked_for() -> None:
    assert not compared([ENTRY], [ENTRY])
    assert compared([ENTRY], [ENTRY], question="notice periods").keys() == {"notice period"}
    told = compared([ENTRY, *BREAK], [ENTRY, *BREAK], question="notice periods")
    assert told.keys() == {"termination notice period"}


def test_years_and_months_are_commensurable() -> None:
    rows = compared([block("The term is 18 months.")], [block("The term is two years.")])
    assert rows["term"].difference == "−6 months"


def test_the_same_period_is_compared_where_both_have_it() -> None:
    first = table("US dollars | 2022 | 2023 | 2024", "Net operating income | 10 | 20 | 30")
    second = table("US dollars | 2022 | 2023", "NOI | 11 | 23")
    row = compared(first, second)["noi"]
    assert (row.period, row.difference) == ("2023", "−$3")


def test_a_comparative_column_is_not_compared_with_itself() -> None:
    """The later filing repeats the earlier one's figure; each one's own is meant."""
    head = " | Three Months Ended {} | Three Months Ended {}"
    first = table(head.format("June 25, 2022", "June 26, 2021"), "Net sales | $83 | $81")
    second = table(head.format("July 1, 2023", "June 25, 2022"), "Net sales | $82 | $83")
    row = compared(first, second)["net sales"]
    assert row.difference == "+$1"
    assert "periods differ" in row.note
    assert row.period == "three months ended June 25, 2022 / three months ended July 1, 2023"


def test_a_period_that_is_asked_for_is_taken() -> None:
    first = table("US dollars | 2023 | 2024", "NOI | 20 | 30")
    second = table("US dollars | 2023 | 2024", "NOI | 23 | 31")
    row = compared(first, second, question="NOI in 2023")["noi"]
    assert (row.period, row.difference) == ("2023", "−$3")


def test_only_what_bears_on_the_question_is_kept() -> None:
    assert set(compared(MEMO, FINAL, question="What is the rentable area?")) == {"rentable area"}
    assert compared(MEMO, FINAL, question="Which law governs?") == {}


def test_a_bare_number_that_is_the_same_says_nothing_unless_it_is_asked_for() -> None:
    first = table("Address | Code", "Cupertino, California | 95014", "Suites | 12")
    second = table("Address | Code", "Cupertino, California | 95014", "Suites | 15")
    assert list(compared(first, second)) == ["suites"]
    assert list(compared(first, second, question="Cupertino, California")) != []
    one, other = (table("No. | Rule | CWE", f"2.1.3 | Be long | {n}") for n in (521, 522))
    assert compared(one, other) == {}


def test_three_documents_keep_their_order() -> None:
    sides = [[block(f"The monthly rent is ${amount},000.")] for amount in (25, 31, 28)]
    row = compared(*sides)["monthly rent"]
    assert [figure.document for figure in row.values] == ["a.pdf", "b.pdf", "c.pdf"]
    assert row.difference == "−$6K"


def test_a_figure_of_the_second_and_third_is_kept_too() -> None:
    fee = [block("The entry fee is $5.")]
    row = compared([block("None.")], fee, fee)["entry fee"]
    assert row.difference == "$0"
    assert row.note == "The difference is between b.pdf and c.pdf."


def test_swapping_the_documents_turns_the_sign() -> None:
    there, back = compared(MEMO, FINAL), compared(FINAL, MEMO)
    assert set(there) == set(back)
    assert there["rentable area"].difference == "+18,000 sq ft"
    assert back["rentable area"].difference == "−18,000 sq ft"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NOI", "Net Operating Income"),
        ("Cap rates", "capitalisation rate"),
        ("Total net sales", "Revenue"),
        ("R&D", "Research and development"),
        ("Property taxes", "Real estate tax"),
    ],
)
def test_two_names_of_one_thing(one: str, other: str) -> None:
    assert label_key(one) == label_key(other)


def test_different_things_keep_apart() -> None:
    labels = ["Gross income", "Net income", "Net operating income", "Price per square foot"]
    assert len({label_key(label) for label in labels}) == 4
    assert things_in("") == ()


def test_no_documents_share_nothing() -> None:
    nothing: dict[str, list[Figure]] = {}
    assert compare_figures(nothing) == ()
    assert compared([], []) == {}


QUARTER = " | Three Months Ended {} | Nine Months Ended {} | Three Months Ended {}"


def filing(end: str, year_before: str, **rows: tuple[int, int, int]) -> list[Block]:
    body = [f"{label} | {' | '.join(map(str, values))}" for label, values in rows.items()]
    return [
        block("(In millions of dollars)", kind="caption"),
        *table(QUARTER.format(end, end, year_before), *body),
    ]


def test_filings_of_one_series_are_compared_by_their_own_quarters() -> None:
    """Each repeats the year before; three figures in common show that they are of one series."""
    first = filing(
        "June 25, 2022", "June 26, 2021", Sales=(83, 300, 81), Tax=(3, 9, 2), Fees=(7, 20, 6)
    )
    second = filing(
        "July 1, 2023", "June 25, 2022", Sales=(82, 290, 83), Tax=(4, 10, 3), Fees=(9, 21, 7)
    )
    rows = compared(first, second)
    assert {label: row.difference for label, row in rows.items()} == {
        "sales": "+$1M",
        "tax": "−$1M",
        "fees": "−$2M",
    }
    assert (
        rows["tax"].period == "three months ended June 25, 2022 / three months ended July 1, 2023"
    )


def test_a_section_tells_rows_of_one_name_apart() -> None:
    def regions(americas: int, europe: int) -> list[Block]:
        return table(
            "US dollars | 2024",
            "Americas: | ",
            f"Net sales | {americas}",
            "Europe: | ",
            f"Net sales | {europe}",
            "Total net sales | 90",
            "Net income | 5",
        )

    rows = compared(regions(50, 40), regions(45, 45))
    assert rows["americas › net sales"].difference == "+$5"
    assert rows["europe › net sales"].difference == "−$5"
    assert rows["total net sales"].difference == "$0"
    assert rows["net income"].difference == "$0"


def test_the_figure_that_a_document_repeats_is_its_figure() -> None:
    whole = table("US dollars | 2024", "Net income | 90")
    part = table("US dollars | 2024", "Net income | 50", number=2)
    again = table("US dollars | 2024", "Net income | 90", number=3)
    rows = compared([*part, *whole, *again], table("US dollars | 2024", "Net income | 80"))
    assert rows["net income"].difference == "+$10"


def test_a_row_is_asked_for_by_its_own_label_whatever_its_section() -> None:
    asked = things_in("Compare depreciation and amortization")
    long = "Adjustments to reconcile net income to cash › Depreciation and amortization"
    assert bearing("Depreciation and amortization", asked) == 1.0
    assert bearing(long, asked) == 0.9
    assert bearing("Adjustments to reconcile net income to cash › Other", asked) == 0.0


def statement(title: str, *rows: str, page: int, number: int) -> list[Block]:
    """A table under its heading, its caption in its first header cell."""
    heading = block(title, page=page, kind="heading")
    return [heading, *table(rows[0], *rows[1:], page=page, number=number)]


SEGMENT = statement(
    "Flexibles Segment", "($ in millions) | 2023 | 2022", "Net sales | 11,154 | 11,151",
    "Total assets | 9,000 | 9,100", page=3, number=1,
)  # fmt: skip
GROUP = statement(
    "Consolidated Balance Sheets", "As of June 30, ($ in millions) | 2023 | 2022",
    "Current assets:", "Cash and cash equivalents | 689 | 775", "Total assets | 17,003 | 17,426",
    page=5, number=2,
)  # fmt: skip
PARENT = statement(
    "Parent Company Condensed Balance Sheets", "($ in millions) | 2023 | 2022",
    "Cash and cash equivalents | 12 | 13", "Total assets | 400 | 410", page=9, number=3,
)  # fmt: skip
OTHER_GROUP = statement(
    "Balance Sheets", "($ in millions) | June 30, 2023 | June 30, 2022",
    "Cash and cash equivalents | 500 | 510", "Total assets | 15,000 | 15,100", page=2, number=1,
)  # fmt: skip


def test_a_main_statement_speaks_for_its_document_before_a_segment_and_the_parent_alone() -> None:
    rows = compared([*SEGMENT, *PARENT, *GROUP], OTHER_GROUP)
    assert [rows["total assets"].difference, rows["cash and cash equivalents"].difference] == [
        "+$2.003B", "+$189M",
    ]  # fmt: skip
    assert [figure.block.page for figure in rows["total assets"].values] == [5, 2]
    assert rows["total assets"].period == "June 30, 2023"  # the day is beside the bare years


def test_of_several_figures_of_one_name_the_one_that_both_have_is_compared() -> None:
    second = table("($ in millions) | 2023", "Net sales | 3,540", "Net sales | 14,694")
    first = table(
        "($ in millions) | 2023", "Net sales | 11,154", "Net sales | 14,694", "Net sales | 3,540"
    )
    row = compared(first, second)["net sales"]
    assert ([figure.text for figure in row.values], row.difference) == (["14,694"] * 2, "$0")


def test_a_table_that_goes_on_after_lines_keeps_its_heads_and_scale() -> None:
    rest = [
        block("Commitments and contingencies (See Note 15)", page=5),
        *table("Retained earnings | 865 | 534", "Total equity | 4,090 | 4,141", page=5, number=7),
    ]
    rest = [replace(each, column_header=False) for each in rest]
    figures = {(f.label, f.period): f.value for f in figures_of(A, [*GROUP, *rest])}
    assert figures["Retained earnings", "June 30, 2023"] == Decimal(865_000_000)
    assert figures["Total equity", "June 30, 2022"] == Decimal(4_141_000_000)


def test_a_sections_head_scales_its_tables_of_money_until_the_next_part() -> None:
    prose = [block(f"Note {n}. These are the policies.") for n in range(5)]
    debt = table("December 31, | 2022 | 2021", "Unsecured debt | $5,103 | $1,155", number=4)
    head = block("(Dollars in millions, except otherwise stated)", kind="caption")
    later = [block("Item 9. Changes", kind="heading"), *prose]
    fees = table("Fees | 2022", "Audit fees | $30,000", number=5)
    found = {f.label: f.value for f in figures_of(A, [head, *prose, *debt, *later, *fees])}
    assert found == {"Unsecured debt": Decimal(1_155_000_000), "Audit fees": Decimal(30_000)}


def test_dollars_in_millions_scale_no_shares_and_no_price_of_one() -> None:
    bought = table(
        "(Dollars in millions, except per share data) | Total number of shares purchased | "
        "Average exercise price",
        "October | 1,567,983 | $74.79",
    )
    assert [(f.value, f.unit) for f in figures_of(A, bought)] == [
        (Decimal(1_567_983), "shares"), (Decimal("74.79"), "USD"),
    ]  # fmt: skip


def test_outflows_in_brackets_are_compared_by_their_size() -> None:
    first = table("($ in millions) | 2023", "Capital expenditures | (23,087)", "Net income | (5)")
    second = table("($ in millions) | 2023", "Capital expenditures | (20,286)", "Net income | (4)")
    rows = compared(first, second)
    assert rows["capital expenditures"].difference == "+$2.801B"
    assert rows["capital expenditures"].percent == "+13.8%"
    assert rows["capital expenditures"].apart == 2_801_000_000
    assert rows["net income"].difference == "−$1M"  # a greater loss is less income
    first = table("US dollars | 2023", "Repairs and maintenance | (142)", "Utilities | (124)")
    second = table("US dollars | 2023", "Repairs and maintenance | (110)", "Utilities | (130)")
    buildings = compared(first, second)
    assert buildings["repairs and maintenance"].difference == "+$32"
    assert buildings["utilities"].difference == "−$6"


def test_an_outflow_in_brackets_is_as_much_as_one_without() -> None:
    first = table("($ in millions) | 2023", "Capital expenditures | (23,087)")
    plain = table("($ in millions) | 2023", "Capital expenditures | 20,286")
    assert compared(first, plain)["capital expenditures"].difference == "+$2.801B"


def test_a_figure_of_no_period_is_compared_only_where_there_is_no_other_and_says_so() -> None:
    dated = table("($ in millions) | Three months ended June 30, 2023", "Operating income | 353")
    other = table("($ in millions) | Three months ended March 31, 2023", "Operating income | 340")
    prose = [block("Operating income of $1,608 million rose.")]
    assert compared(dated, [*prose, *other])["operating income"].difference == "+$13M"
    assert "No period is given for the figure of b.pdf" in (
        compared(dated, prose)["operating income"].note
    )


def test_a_column_of_changes_is_of_no_period() -> None:
    rows = table(
        "(dollars in millions) | 2022 | 2021 | Increase/(Decrease) 2022 vs. 2021",
        "Operating expenses | 28,637 | 31,234 | (2,597)",
    )
    found = [(f.label, f.period, f.text) for f in figures_of(A, rows)]
    assert found[:2] == [
        ("Operating expenses", "2022", "28,637"), ("Operating expenses", "2021", "31,234"),
    ]  # fmt: skip
    assert found[2][1] == ""
    assert found[2][0] != "Operating expenses"


def test_amounts_whose_scale_is_in_doubt_are_not_subtracted() -> None:
    head = [block("Operating statement"), block("(in thousands)", kind="caption")]
    prose = [block("The building is new.") for _ in range(5)]
    doubtful = [*head, *prose, block("The monthly rent is $9,500.")]
    row = compared(doubtful, [block("The monthly rent is $9,000.")], question="rent")[
        "monthly rent"
    ]
    assert row.difference == ""
    assert row.note.startswith("Not compared: a.pdf has “$9,500” under “in thousands”")


def test_amounts_that_are_very_far_apart_are_not_subtracted() -> None:
    rows = compared(
        [block("Revenue was $376 in 2022.")], [block("Revenue was $359 million in 2022.")]
    )
    assert rows["revenue"].difference == ""
    assert "differ so much that one may be in thousands or millions" in rows["revenue"].note


def test_a_markets_figure_is_one_of_the_market_by_name() -> None:
    market = [block("Office market", kind="heading"), *table("Item | 2024", "Vacancy | 8.9%")]
    own = [block("Vacancy is 5.2%.", page=2)]
    said = [block("Market", kind="heading"), block("Vacancy was 9.4% in 2024.", page=3)]
    assert "vacancy" not in compared(market, own)
    [row] = compared(market, said).values()
    assert (row.label, len(row.values)) == ("Market › Vacancy", 2)
