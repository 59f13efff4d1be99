"""What counts as right where tables are held against labels, and that the labels are whole."""

from typing import Any

from docqa.types.period import Period
from docqa.types.table import Column, Row, Table
from tests.eval.labelled import Tally, heads, labels, names_row
from tests.eval.statements import measure_statements, measures
from tests.eval.tables import best_of, judged, measure, places

LABEL: dict[str, Any] = {
    "document": "a.pdf",
    "pages": [3],
    "held_out": False,
    "columns": [["2022", "Amount"], ["2022", "Rate"], ["2021", "Amount"]],
    "rows": [["Notes due 2030", "1,204", "5.0%", ""], ["", "(16)", "", "7"]],
}


def table(*rows: Row, number: int = 1, pages: tuple[int, ...] = (3,), width: int = 3) -> Table:
    paths = (("2022", "Amount"), ("2022", "Rate"), ("2021", "Amount"), ("2021", "Rate"))
    return Table("a", number, pages, tuple(map(Column, paths[:width])), rows)


def test_a_cell_is_right_in_its_own_column_alone() -> None:
    read = table(
        Row("Notes due 2030", ("$ 1,204", "", "5.0 %"), 1), Row("Total", ("(16)", "", "7"), 2)
    )
    assert judged(LABEL, read) == [[True, False, False], [True, True, True]]


def test_columns_of_another_number_are_known_by_their_headings() -> None:
    read = table(Row("Notes due 2030", ("1,204", "5.0", "", "2"), 1), width=4)
    assert places(LABEL["columns"], read.columns) == [0, 1, 2]
    assert places([["2020", "Amount"]], read.columns) == [-1]
    assert judged(LABEL, read) == [[True, True, True], [False, False, False]]


def test_the_table_with_most_of_the_cells_is_judged() -> None:
    first = table(Row("Notes due 2030", ("1,204", "", ""), 1))
    second = table(Row("Notes due 2030", ("1,204", "5.0%", ""), 1), number=2)
    elsewhere = table(*second.rows, number=3, pages=(4,))
    assert best_of(LABEL, (first, second, elsewhere)) is second


def test_what_is_not_found_is_wrong_and_told_of_the_seen_half() -> None:
    for held_out in (False, True):
        tally = Tally()
        measure({**LABEL, "held_out": held_out}, (), tally)
        assert tally.right["cells in their column", held_out] == 0
        assert tally.n["cells in their column", held_out] == 6
        assert bool(tally.missed) is not held_out


def test_a_label_over_lines_is_known_by_its_last() -> None:
    assert names_row("respective dates)", "Debt, net of costs of $8 and $3 at respective dates")
    assert not names_row("Other", "Another")
    assert heads(["2022", "Per share"], "Years ended 2022 Earnings per share")


def test_a_statement_is_known_by_its_kind_pages_and_measures() -> None:
    label: dict[str, Any] = {
        "document": "a.pdf",
        "held_out": True,
        "scale": "millions",
        "currency": "USD",
        "statements": [{"kind": "income", "pages": [3], "columns": ["year ended 2022-12-31"]}],
        "others": [9],
    }
    year = Period(months=12, year=2022, month=12, day=31)
    columns = (Column(("2022",), year, scale=1_000_000, currency="USD"),)
    known = Table("a", 1, (3,), columns, (), role="income statement")
    beside = Table("a", 2, (5,), columns, (), role="balance sheet")
    passed_over = Table("a", 3, (9,), columns, (), role="income statement")
    tally = Tally()
    measure_statements(label, (known, beside, passed_over), tally)
    assert tally.right == {
        ("kind and pages", True): 1,
        ("columns", True): 1,
        ("nothing else is one", True): 1,
    }
    assert tally.n["nothing else is one", True] == 2
    assert not measures(Column(("2022",), year), "year ended 2022-12-31", label)


def test_the_labels_are_whole() -> None:
    for label in labels("table_labels"):
        assert {len(row) for row in label["rows"]} == {len(label["columns"]) + 1}, label["document"]
    filings = {label["document"]: label for label in labels("statement_labels")}
    for cell in labels("statement_cells"):
        pages = [
            page
            for each in filings[cell["document"]]["statements"]
            for page in each["pages"]
            if each["kind"] == cell["kind"]
        ]
        assert cell["page"] in pages, cell
    for name in ("table_labels", "statement_labels"):
        halves = [label["held_out"] for label in labels(name)]
        assert halves == [bool(place % 2) for place in range(len(halves))]


def test_each_pair_has_two_sides_with_the_same_lines() -> None:
    pairs = labels("pair_labels")
    assert [pair["held_out"] for pair in pairs] == [False] * 6 + [True] * 6
    for pair in pairs:
        assert [len(side["lines"]) for side in pair["sides"]] == [12, 12], pair
    assert len({tuple(side["lines"]) for pair in pairs for side in pair["sides"]}) == 1
