"""Table rows read as label, header and cell."""

import pytest

from docqa.answer.findings.rows import is_head, read_row, scale_of
from tests.answer.passages import block, row

HEADERS = (
    row("", "Three Months Ended", "", "Nine Months Ended", header=True),
    row("", "July 1, 2023", "June 25, 2022", "July 1, 2023", header=True),
)


def read(*cells: str) -> list[tuple[str, str]]:
    made = row(*cells)
    return [(entry.header, entry.text) for entry in read_row(made, (*HEADERS, made)).entries]


def test_headers_are_read_from_the_top_down() -> None:
    assert read("Net sales", "81,797", "82,959", "293,787") == [
        ("Three Months Ended July 1, 2023", "81,797"),
        ("June 25, 2022", "82,959"),
        ("Nine Months Ended July 1, 2023", "293,787"),
    ]


def test_what_stands_over_the_labels_is_kept() -> None:
    head, made = row("Adjusted results", "2023", header=True), row("EBITDA", "2,018")
    assert read_row(made, (head, made)).corner == "Adjusted results"


def test_signs_in_cells_of_their_own_join_their_figures() -> None:
    made = row("Loss", "$", "(363", ")", "", "12", "%")
    assert [entry.text for entry in read_row(made, (made,)).entries] == ["$(363)", "12%"]


def test_a_row_of_words_has_its_first_cell_for_a_label() -> None:
    made = row("Landlord", "Calder Estates Limited")
    read_back = read_row(made, (made,))
    assert (read_back.label, [e.text for e in read_back.entries]) == (
        "Landlord",
        ["Calder Estates Limited"],
    )


def test_a_year_may_be_the_label() -> None:
    made = row("2024", "$1,200", "$90")
    read_back = read_row(made, (made,))
    assert (read_back.label, len(read_back.entries)) == ("2024", 2)


def test_other_tables_headers_do_not_count() -> None:
    other = row("", "2019", table=2, header=True)
    made = row("Rent", "$5")
    assert [entry.header for entry in read_row(made, (other, made)).entries] == [""]


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("Balance sheet (in thousands)", "(in thousands)"),
        ("(In millions, except number of shares)", "(In millions)"),
        ("were as follows (dollars in millions):", "(dollars in millions)"),
        ("(Millions, except percentages and where indicated) | 2022", "(Millions)"),
        ("Revenue, £'000", "(£'000)"),
        ("(000s omitted)", "(000s)"),
        ("in the millions of years since", ""),
        ("It cost $1,000 and took tens of millions of visitors", ""),
        ("Millions of customers rely on us", ""),
        ("Balance sheet", ""),
    ],
)
def test_the_scale_is_given_in_the_tables_words(text: str, scale: str) -> None:
    made = row("Rent", "5")
    assert scale_of((block(text, kind="caption"), made), made.table) == scale


def test_a_second_table_below_the_first_has_its_own_columns() -> None:
    table = (
        row("", "As of December 31,", header=True),
        row("(MILLIONS)", "", "2021", "2020", header=True),
        row("Total assets", "", "$9,100", "$9,000"),
        row("", "Year Ended December 31,"),
        row("(MILLIONS)", "2021", "2020", "2019"),
        row("Net income", "2,040", "2,012", "3,398"),
    )
    said = [(entry.header, entry.text) for entry in read_row(table[-1], table).entries]
    assert said[:2] == [("Year Ended December 31, 2021", "2,040"), ("2020", "2,012")]
    above = [(entry.header, entry.text) for entry in read_row(table[2], table).entries]
    assert above == [("2021", "$9,100"), ("2020", "$9,000")]
    assert [is_head(each) for each in table] == [True, True, False, True, True, False]


def test_a_row_of_years_in_a_schedule_is_no_head() -> None:
    assert not is_head(row("2024", "2,256"))
    assert not is_head(row("2024"))
    assert not is_head(row("Thereafter", "2,256"))


def test_an_amount_per_share_is_labelled_with_the_line_that_says_so() -> None:
    table = (
        row("(MILLIONS, EXCEPT PER COMMON SHARE DATA)", "2021", header=True),
        row("Net income", "$21,979"),
        row("Earnings per common share, diluted:"),
        row("Net income", "$3.85"),
        row("Discontinued operations", "(0.08)"),
        row("Weighted-average shares", "5,708"),
        row("Average shares:"),
        row("Basic", "4.1"),
    )
    labels = [read_row(each, table).label for each in table if len(each.cells) > 1][1:]
    assert labels == [
        "Net income",
        "Earnings per common share, diluted › Net income",
        "Earnings per common share, diluted › Discontinued operations",
        "Weighted-average shares",
        "Basic",
    ]
