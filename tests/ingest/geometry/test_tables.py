"""Tables found by alignment and by rules, and what their rows and columns come to."""

import itertools
from dataclasses import replace

from docqa.ingest.geometry.captions import is_units
from docqa.ingest.geometry.cells import Grid, Piece, joined_text
from docqa.ingest.geometry.ruled_tables import Span, find_lattices
from docqa.ingest.geometry.tables import find_aligned, find_ruled, without_words
from docqa.ingest.geometry.words import Line, Word, segments
from docqa.ingest.geometry.wrapped_rows import banded
from docqa.types.document import Box
from tests.ingest.drawn import flush_right, level, ruled, upright, words

ROUNDS: list[tuple[str, ...]] = [
    ("", "Gross", "Written off", "Net"),
    ("Customer relationships", "1,971", "(594)", "1,377"),
    ("Computer software", "242", "(170)", "72"),
    ("Other", "324", "(196)", "128"),
]


def rows_of(grid: Grid) -> list[tuple[str, ...]]:
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in grid.cells:
        rows.setdefault(cell.row, []).append((cell.column, cell.text))
    return [tuple(text for _, text in sorted(rows[at])) for at in sorted(rows)]


def headers_of(grid: Grid) -> list[int]:
    return sorted({cell.row for cell in grid.cells if cell.header})


def statement(
    rows: list[tuple[str, ...]], *, top: float = 100.0, pitch: float = 16.0
) -> list[Word]:
    """Labels at 50, figures flush right at 380, 460, 540; a "$" stands apart from its number."""
    drawn: list[Word] = []
    for at, row in enumerate(rows):
        y = top + pitch * at
        drawn += words(row[0], 50, y) if row[0] else []
        for right, text in zip((380, 460, 540), row[1:], strict=False):
            figure = text.lstrip("$")
            drawn += flush_right(figure, right, y)
            drawn += words("$", right - 60, y) if figure != text else []
    return drawn


def the_table(drawn: list[Word], rules: list[Box] | None = None) -> Grid:
    (found,) = find_aligned(segments(drawn), rules or [])
    return found.grid


def test_figures_with_a_mark_after_them_are_no_heads() -> None:
    rows: list[tuple[str, ...]] = [
        ("Posted", "Out", "In", "Left"),
        ("Left from June", "402.15 DR", "17.80 CR", "2,311.90 OD"),
        ("Rates of July", "88.00", "–", "2,399.90-"),
        ("Rents of July", "–", "3,000.00", "600.10"),
    ]
    grid = the_table(statement(rows))
    assert headers_of(grid) == [0]
    assert rows_of(grid)[1:3] == rows[1:3]


def test_a_statement_is_labels_and_figures() -> None:
    grid = the_table(
        statement(
            [
                ("Years ended December 31,", "2023", "2022"),
                ("Rental income", "$1,480", "$1,410"),
                ("Operating expenses", "(280)", "(270)"),
                ("Net operating income", "$1,200", "$1,140"),
            ]
        )
    )
    assert rows_of(grid) == [
        ("Years ended December 31,", "2023", "2022"),
        ("Rental income", "$1,480", "$1,410"),
        ("Operating expenses", "(280)", "(270)"),
        ("Net operating income", "$1,200", "$1,140"),
    ]
    assert headers_of(grid) == [0]
    assert (grid.rows, grid.columns) == (4, 3)


def test_a_label_on_two_lines_is_one_row() -> None:
    drawn = statement([("", "2023", "2022"), ("Revenue", "900", "800")])
    drawn += words("Earnings from equity method investments", 50, 132)
    drawn += words("and joint ventures", 58, 143)
    drawn += flush_right("15", 380, 143) + flush_right("12", 460, 143)
    drawn += statement([("Other income", "7", "9")], top=159)
    assert rows_of(the_table(drawn))[2] == (
        "Earnings from equity method investments and joint ventures", "15", "12",
    )  # fmt: skip


def test_a_heading_inside_a_table_is_a_row_of_its_own() -> None:
    grid = the_table(
        statement(
            [
                ("As of June 30,", "2023", "2022"),
                ("Current assets:",),
                ("Cash", "689", "775"),
                ("Inventories, net",),
                ("Raw materials", "992", "1,114"),
            ]
        )
    )
    assert [row[0] for row in rows_of(grid)][1:] == [
        "Current assets:", "Cash", "Inventories, net", "Raw materials",
    ]  # fmt: skip


def test_an_empty_cell_keeps_the_others_in_their_columns() -> None:
    drawn = statement([("", "2023", "2022", "2021"), ("Sales", "10", "20", "30")])
    drawn += words("Gains", 50, 132) + flush_right("5", 540, 132)
    cells = [cell for cell in the_table(drawn).cells if cell.row == 2]
    assert [(cell.text, cell.column) for cell in cells] == [("Gains", 0), ("5", 3)]


def test_a_header_spans_the_columns_its_rule_covers() -> None:
    drawn = words("Pension", 330, 84) + statement(
        [("", "2023", "2022", "2021"), ("Service cost", "30", "15", "18"), ("Total", "1", "2", "3")]
    )
    grid = the_table(drawn, [level(96, 300, 465)])
    (pension,) = [cell for cell in grid.cells if cell.text == "Pension"]
    assert (pension.column, pension.column_end, pension.header) == (1, 3, True)


def test_a_header_spans_the_widest_rule_that_leaves_the_labels_alone() -> None:
    drawn = words("June 30, 2023", 445, 90) + statement(ROUNDS)
    rules = [level(102, 40, 560), level(102, 320, 560), level(102, 430, 530)]
    grid = the_table(drawn, rules)
    assert next((c.text, c.column, c.column_end) for c in grid.cells) == ("June 30, 2023", 1, 4)


def test_groups_of_columns_stand_over_them_where_each_row_has_a_rule_below_it() -> None:
    rows = [("Fees", "30", "15", "18"), ("Other", "1", "2", "3"), ("Total", "31", "17", "21")]
    drawn = words("Quarter", 330, 70) + words("2024", 330, 85)
    drawn += statement([("", "Q2", "Q1", "Half year"), *rows])
    groups = [level(82, 300, 465), level(97, 300, 465)]
    under_rows = [level(113 + 16 * at, 40, 560) for at in range(4)]
    grid = the_table(drawn, groups + under_rows)
    heads = [(c.text, c.column, c.column_end) for c in grid.cells if c.header]
    assert heads[0] == ("Quarter 2024", 1, 3)
    assert heads[1:] == [("Q2", 1, 2), ("Q1", 2, 3), ("Half year", 3, 4)]


def test_names_of_columns_end_on_one_line() -> None:
    drawn = flush_right("Accumulated", 460, 76) + flush_right("Other", 460, 87)
    drawn += flush_right("Non-", 540, 87)
    grid = the_table(
        drawn + statement([("", "Capital", "Loss", "controlling"), *ROUNDS[1:]], top=98)
    )
    assert rows_of(grid)[0] == ("Capital", "Accumulated Other Loss", "Non-controlling")
    assert headers_of(grid) == [0]


def test_a_group_over_names_is_not_of_the_one_below_it() -> None:
    drawn = words("Three months", 405, 87) + statement(ROUNDS, top=98)
    assert rows_of(the_table(drawn, [level(97.5, 320, 560)]))[0] == ("Three months",)


def test_long_names_of_groups_stand_over_a_table() -> None:
    names = "Twelve Months Ended June 30, 2022", "Twelve Months Ended June 30, 2023"
    drawn = words(names[0], 200, 86, size=8) + words(names[1], 390, 86, size=8)
    for at, row in enumerate([("Segment", *"ABAB"), *[("Flexibles", *["11,151"] * 4)] * 4]):
        drawn += words(row[0], 50, 100 + 14 * at)
        for text, right in zip(row[1:], (260, 340, 450, 530), strict=True):
            drawn += flush_right(text, right, 100 + 14 * at)
    grid = the_table(drawn)
    heads = [(cell.text, cell.column, cell.column_end) for cell in grid.cells if cell.row == 0]
    assert heads == [(names[0], 1, 3), (names[1], 3, 5)]


def test_the_axis_of_a_chart_is_no_row_of_the_table_below() -> None:
    years = ("", "2021", "2022", "2023")
    axis = words("2021", 100, 80) + words("2022", 250, 80) + words("2023", 400, 80)
    grid = the_table(axis + statement([years, *ROUNDS[1:]]))
    assert rows_of(grid)[:2] == [years[1:], ROUNDS[1]]


def test_a_label_of_many_words_on_two_lines_does_not_end_a_table() -> None:
    label = (
        "Card Member loans (with gross loans to settle debts of a consolidated entity: 2022, $28;"
    )
    drawn = statement(ROUNDS[:3]) + words(label, 50, 150, size=7)
    drawn += statement([("2021, $26), less reserves", "857", "104", "991"), *ROUNDS[1:]], top=158)
    grid = the_table(drawn)
    name, *figures = rows_of(grid)[3]
    assert name.startswith("Card Member loans")
    assert name.endswith("less reserves")
    assert figures == ["857", "104", "991"]
    assert grid.rows == 7


def test_labels_under_one_another_do_not_end_a_statement() -> None:
    titles = "Commitments", "Shareholders' equity", "Parent's equity:", "Ordinary shares", "Issued:"
    drawn = statement([*ROUNDS, *[(title,) for title in titles], *ROUNDS[1:]], pitch=12)
    assert rows_of(the_table(drawn))[4:10] == [*[(title,) for title in titles], ROUNDS[1]]


def test_an_amount_and_its_share_have_one_name() -> None:
    drawn: list[Word] = []
    for at, (label, *cells) in enumerate([("Revenue", "6,176", "25%", "5,128", "26%")] * 4):
        drawn += words(label, 50, 112 + 12 * at)
        for text, right in zip(cells, (300, 325, 400, 425), strict=True):
            drawn += flush_right(text, right, 112 + 12 * at)
    drawn += flush_right("Change", 300, 98) + flush_right("Before", 400, 98)
    drawn += words("Years", 50, 98)
    heads = [(c.text, c.column, c.column_end) for c in the_table(drawn).cells if c.row == 0]
    assert heads == [("Years", 0, 1), ("Change", 1, 3), ("Before", 3, 5)]


def test_rules_around_the_figures_alone_do_not_tear_off_their_labels() -> None:
    drawn = statement(ROUNDS)
    lattices = find_lattices(ruled([330.0, 400.0, 480.0, 560.0], [112.0, 144.0, 160.0]))
    assert lattices
    assert find_ruled(drawn, lattices) == []
    beside = ruled([30.0, 330.0, 400.0, 480.0, 560.0], [112.0, 144.0, 160.0])
    assert len(find_ruled(drawn, find_lattices(beside))) == 1


def test_header_groups_follow_the_years_that_repeat() -> None:
    drawn: list[Word] = []
    rights = (300, 350, 400, 450)
    for y, row in ((112, ("2023", "2022") * 2), (128, ("1", "2", "3", "4")), (144, ("5",) * 4)):
        for right, text in zip(rights, row, strict=True):
            drawn += flush_right(text, right, y)
    drawn += words("Cost", 50, 128) + words("Total", 50, 144)
    drawn += flush_right("Pension", 350, 100) + flush_right("Health", 450, 100)
    spans = {c.text: (c.column, c.column_end) for c in the_table(drawn).cells}
    assert (spans["Pension"], spans["Health"]) == ((1, 3), (3, 5))


def pairs(*texts: tuple[str, str], bold: int = 0) -> list[Word]:
    drawn: list[Word] = []
    for at, (label, value) in enumerate(texts):
        drawn += words(label, 50, 100 + 16 * at, bold=at < bold)
        drawn += words(value, 250, 100 + 16 * at, bold=at < bold)
    return drawn


FACTS = ("Landlord", "Acme Limited"), ("Term", "Ten years"), ("Rent", "£20,000")


def test_the_first_of_facts_names_no_columns() -> None:
    assert headers_of(the_table(pairs(*FACTS))) == []
    assert headers_of(the_table(pairs(*FACTS, bold=1))) == [0]
    assert headers_of(the_table(pairs(("Item", "Details"), *FACTS))) == [0]
    listed = ("Tenant", "Area"), ("Acme", "41,250 sq ft"), ("Beta", "900"), ("Gamma", "1,100")
    assert headers_of(the_table(pairs(*listed))) == [0]


def test_amounts_with_their_units_name_no_columns() -> None:
    drawn = pairs(("Price", "£12,400,000"), ("Floor area", "41,250 sq ft"), ("Rent", "£771,500 pa"))
    for at, (label, value) in enumerate(
        (("Tenure", "Freehold"), ("WAULT", "6.3 years"), ("EPC", "B"))
    ):
        drawn += words(label, 350, 100 + 16 * at) + words(value, 450, 100 + 16 * at)
    grid = the_table(drawn)
    assert (grid.rows, headers_of(grid)) == (3, [])


NAMED = [ROUNDS[0][1:], *ROUNDS[1:]]


def tables_of(drawn: list[Word]) -> list[list[tuple[str, ...]]]:
    return [rows_of(found.grid) for found in find_aligned(segments(drawn), [])]


def test_a_head_that_is_repeated_begins_another_table() -> None:
    names, *body = ROUNDS
    drawn = words("June 30, 2023", 445, 84) + statement(ROUNDS, pitch=12)
    drawn += words("June 30, 2022", 445, 160) + statement([names, *body], top=172, pitch=12)
    first, second = find_aligned(segments(drawn), [])
    assert rows_of(first.grid)[-1] == rows_of(second.grid)[-1] == ROUNDS[-1]
    assert [rows_of(each.grid)[0] for each in (first, second)] == [
        ("June 30, 2023",), ("June 30, 2022",),
    ]  # fmt: skip
    assert headers_of(second.grid) == [0, 1]


def test_other_years_in_the_middle_begin_another_table() -> None:
    income = [("Years ended December 31", "2022", "2021", "2020"), *ROUNDS[1:]]
    sheet = [("As of December 31 (Millions)", "2022", "2021"), ("Cash", "8,188", "5,341")]
    drawn = statement([*income, ("Balance sheets",), *sheet, ("Loans", "22,658", "17,848")])
    assert [rows[0][1:] for rows in tables_of(drawn)] == [
        ("2022", "2021", "2020"), ("2022", "2021"),
    ]  # fmt: skip


def test_years_among_the_figures_do_not_end_a_table() -> None:
    drawn = statement([*ROUNDS, ("Year it is reached", "2021", "2021", "2021"), *ROUNDS[1:]])
    assert len(tables_of(drawn)) == 1


def test_other_names_in_the_middle_begin_another_table() -> None:
    names = ("", "Shares", "Exercise", "Remaining"), ("", "(Count)", "Price", "Term")
    drawn = statement([*ROUNDS, *names, *ROUNDS[1:]], pitch=12)
    assert tables_of(drawn) == [
        NAMED, [("Shares (Count)", "Exercise Price", "Remaining Term"), *ROUNDS[1:]],
    ]  # fmt: skip


def test_a_blank_line_does_not_end_a_table() -> None:
    drawn = statement(ROUNDS, pitch=12) + statement(ROUNDS[1:], top=186, pitch=12)
    assert tables_of(drawn) == [[*NAMED, *ROUNDS[1:]]]
    apart = statement(ROUNDS, pitch=12) + statement(ROUNDS[1:], top=240, pitch=12)
    assert len(tables_of(apart)) == 2


def test_a_label_that_leads_to_the_figures_below_it_does_not_end_a_table() -> None:
    label = "Depreciation recorded in our statement of income as follows:"
    drawn = statement([*ROUNDS, ("",), *ROUNDS[1:]], pitch=12) + words(label, 50, 148, size=8)
    assert tables_of(drawn) == [[*NAMED, (label,), *ROUNDS[1:]]]


def test_a_numbered_note_of_many_words_is_not_of_the_table() -> None:
    drawn = statement(ROUNDS, pitch=12) + words("(1)", 50, 160)
    drawn += words("Customer relationships include those of companies", 75, 160)
    drawn += words("bought in the year®", 360, 160) + words(",", 480, 160)
    assert tables_of(drawn) == [NAMED]


def test_the_text_of_a_last_row_goes_on_below_it() -> None:
    drawn: list[Word] = []
    for at, number in enumerate(("5.1", "5.2", "5.3")):
        y = 100 + 26 * at
        drawn += words(number, 50, y) + words("Verify that requests are checked for", 90, y)
        drawn += words("both their length and form", 90, y + 11)
        for x, text in ((330, "yes"), (380, "no"), (430, "20")):
            drawn += words(text, x, y)
    text = "Verify that requests are checked for both their length and form"
    assert rows_of(the_table(drawn))[-1] == ("5.3", text, "yes", "no", "20")


def test_a_mark_set_above_a_figure_is_of_it() -> None:
    drawn = statement([("Years", "2018", "2017"), *[("Total", "1,234", "907")] * 3])
    drawn += words("(2)", 464, 97, size=4) + words("(a)", 384, 129, size=4)
    rows = rows_of(the_table(drawn))
    assert rows[0] == ("Years", "2018", "2017 (2)")
    assert rows[2] == ("Total", "1,234 (a)", "907")


def test_one_name_over_several_years_is_that_of_all() -> None:
    drawn = words("As of December 31,", 300, 84) + statement(
        [("", "2022", "2021", "2020"), *ROUNDS[1:]]
    )
    spans = {cell.text: (cell.column, cell.column_end) for cell in the_table(drawn).cells}
    assert spans["As of December 31,"] == (1, 4)


def test_a_name_over_one_of_several_years_is_its_own() -> None:
    drawn = flush_right("Restated", 460, 89) + statement(
        [("", "2022", "2021", "2020"), *ROUNDS[1:]]
    )
    assert rows_of(the_table(drawn))[0] == ("2022", "Restated 2021", "2020")


def test_a_name_is_whole_where_a_line_of_another_stands_between_its_own() -> None:
    drawn = flush_right("Foreign", 460, 76) + flush_right("Currency", 460, 87)
    drawn += flush_right("Other", 540, 81)
    drawn += statement([("", "Pension", "Translation", "Loss"), *ROUNDS[1:]], top=98)
    assert rows_of(the_table(drawn))[0] == (
        "Pension", "Foreign Currency Translation", "Other Loss",
    )  # fmt: skip


def test_columns_may_be_named_by_numbers() -> None:
    drawn = statement([("", "737", "767", "Total"), *ROUNDS[1:]])
    assert headers_of(the_table(drawn)) == [0]


def test_rules_that_part_too_few_columns_make_no_table() -> None:
    drawn = statement(ROUNDS[1:], top=116)
    lattices = find_lattices(ruled([30.0, 330.0, 560.0], [112.0, 144.0, 160.0]))
    assert lattices
    assert find_ruled(drawn, lattices) == []


def test_a_box_around_the_last_column_does_not_glue_the_others() -> None:
    drawn = statement([("", "2022", "2023", "Change"), *ROUNDS[1:]], top=100)
    rules = [level(y, 40, 560) for y in (112, 164)] + [level(96, 500, 560)]
    rules += [upright(x, 96, 164) for x in (500, 560)]
    assert find_lattices(rules)
    assert find_ruled(drawn, find_lattices(rules)) == []


def test_a_group_without_a_rule_stands_over_its_columns_beside_one_that_has_one() -> None:
    drawn = words("Group", 407.5, 84) + flush_right("Other", 540, 84)
    drawn += statement([("", "Gross", "Net", "Total"), *ROUNDS[1:]])
    spans = {
        cell.text: (cell.column, cell.column_end)
        for cell in the_table(drawn, [level(95, 510, 545)]).cells
    }
    assert spans["Group"] == (1, 3)


def test_a_rule_that_each_cell_draws_its_part_of_is_one() -> None:
    drawn = words("Amounts held", 385, 84)
    drawn += statement([("Holding", "Cost", "Value", "Multiple")], top=100)
    drawn += statement([("Alder", "41", "88", "2.5x"), ("Birch", "36", "71", "2.0x")], top=116)
    rules = [level(97, 330, 420), level(97, 420, 490)]
    heads = {c.text: (c.column, c.column_end) for c in the_table(drawn, rules).cells if c.header}
    assert heads["Amounts held"] == (1, 3)


def test_a_label_may_end_in_figures_on_a_line_of_their_own() -> None:
    drawn = statement([("Loss", "2", "1", "3")] * 5) + words("Total of all:", 50, 180)
    for top in (196, 228, 260, 292, 324):
        drawn += words("gains, net", 80, top) + flush_right("15", 380, top)
    drawn += words("losses, net of tax of $1 and", 80, 340)
    drawn += words("($7)", 80, 351) + flush_right("18", 380, 351) + flush_right("7", 460, 351)
    assert rows_of(the_table(drawn))[-1] == ("losses, net of tax of $1 and ($7)", "18", "7")


def test_a_small_count_in_brackets_is_of_its_figure() -> None:
    drawn = statement([("Years", "2018", "2017"), *[("Deliveries", "387", "33")] * 3])
    drawn += words("(13)", 386, 119, size=6)
    assert rows_of(the_table(drawn))[1] == ("Deliveries", "387 (13)", "33")


def test_titles_over_a_table_are_not_its_head() -> None:
    drawn = words("CONSOLIDATED STATEMENT OF INCOME", 100, 76) + words("Ended", 420, 88)
    drawn += statement([("", "2018", "2017", "2016"), *ROUNDS[1:]])
    assert rows_of(the_table(drawn))[0] == ("Ended",)


def test_rounds_of_columns_may_lack_a_name() -> None:
    right = (300, 360, 420, 480, 540)
    rows = [("2022", "2021", "2020", "2022", "2021"), *[("10", "20", "30", "40%", "50%")] * 3]
    drawn = flush_right("Amount", 420, 84) + flush_right("Change", 540, 84)
    for at, row in enumerate(rows):
        drawn += words("Sales", 50, 100 + 16 * at) if at else []
        for edge, text in zip(right, row, strict=True):
            drawn += flush_right(text, edge, 100 + 16 * at)
    spans = {cell.text: (cell.column, cell.column_end) for cell in the_table(drawn).cells}
    assert (spans["Amount"], spans["Change"]) == ((1, 4), (4, 6))


def test_a_description_on_several_lines_is_of_one_row_with_its_figures() -> None:
    drawn: list[Word] = []
    for at, name in enumerate(("Alpha", "Beta", "Gamma")):
        top = 100 + 40 * at
        drawn += words(name, 50, top) + words("For use in patients", 130, top)
        drawn += words("of any age", 134, top + 11)
        drawn += flush_right(f"{at + 1},488", 380, top + 15) + flush_right("8,848", 460, top + 15)
    rows = rows_of(the_table(drawn))
    assert rows[0] == ("Alpha", "For use in patients of any age", "1,488", "8,848")
    assert len(rows) == 3


def listed(*rows: tuple[str, str, str, str], gap: float = 9.0) -> list[Word]:
    """A dated list, a row's cells on as many lines as they have parts; lines stand 2 apart, rows
    ``gap``."""
    drawn, top = list[Word](), 100.0
    for date, kind, name, amount in rows:
        drawn += words(date, 50, top)
        for left, cell in ((130, kind), (290, name)):
            for at, part in enumerate(cell.split(" / ")):
                drawn += words(part, left, top + 12 * at)
        drawn += flush_right(amount, 540, top)
        top += 10 + gap + 12 * max(cell.count(" / ") for cell in (kind, name))
    return drawn


def test_cells_that_go_on_below_a_row_of_figures_are_of_it() -> None:
    drawn = listed(
        ("Paid", "For", "To", "Amount"),
        ("03/04/2021", "Survey of the / Upper Meadow", "Harding and / Pole LLP", "1,250.00"),
        ("11/09/2022", "Fencing", "Ivo Brandt, / trustee", "980.00"),
        ("02/01/2023", "Drainage works, / second part", "Marsh Brothers", "4,410.00"),
    )
    assert rows_of(the_table(drawn)) == [
        ("Paid", "For", "To", "Amount"),
        ("03/04/2021", "Survey of the Upper Meadow", "Harding and Pole LLP", "1,250.00"),
        ("11/09/2022", "Fencing", "Ivo Brandt, trustee", "980.00"),
        ("02/01/2023", "Drainage works, second part", "Marsh Brothers", "4,410.00"),
    ]


def test_lines_as_far_apart_as_rows_are_not_joined_with_them() -> None:
    drawn = listed(
        ("Paid", "For", "To", "Amount"),
        ("03/04/2021", "Survey / Upper Meadow", "Harding LLP / Pole LLP", "1,250.00"),
        ("11/09/2022", "Fencing", "Ivo Brandt", "980.00"),
        ("02/01/2023", "Drainage", "Marsh Brothers", "4,410.00"),
        gap=2,
    )
    assert ("Upper Meadow", "Pole LLP") in rows_of(the_table(drawn))


def test_a_text_that_leads_to_the_row_below_it_is_not_of_the_one_above() -> None:
    drawn: list[Word] = []
    for at, (name, place) in enumerate(
        (("Yew Foods", "Dock"), ("Ash Ltd", "Quay"), ("Elm", "Pier"))
    ):
        y = 100 + 24.0 * at
        drawn += words(f"9{at}/01/2020", 50, y) + words(name, 130, y) + words(place, 290, y)
        drawn += flush_right("250", 540, y) + words("North", 290, y + 12)
    rows = rows_of(the_table(drawn))
    assert [len(row) for row in rows].count(4) == 3
    assert all("North" not in cell or cell == "North" for row in rows for cell in row)


def test_a_figure_under_the_text_it_ends_is_no_row_between_rules() -> None:
    drawn = listed(
        ("Paid", "For", "To", "Amount"),
        ("03/04/2021", "Survey", "Harding LLP / (25%)", "1,250.00"),
        ("11/09/2022", "Fencing", "Ivo Brandt", "980.00"),
        ("02/01/2023", "Drainage", "Marsh Brothers", "4,410.00"),
    )
    rules = [level(top, 50, 540) for top in (114.5, 145.5, 164.5, 183.5)]
    assert rows_of(the_table(drawn, rules))[1:3] == [
        ("03/04/2021", "Survey", "Harding LLP (25%)", "1,250.00"),
        ("11/09/2022", "Fencing", "Ivo Brandt", "980.00"),
    ]


def test_figures_that_nearly_touch_are_two_cells() -> None:
    drawn = statement([("", "2023", "2022"), ("Income", "(3,313)", "(1,475)")])
    drawn += words("Total", 50, 132) + flush_right("(3,313)", 380, 132)
    drawn += words("$", 384, 132) + flush_right("(1,475)", 460, 132)
    assert rows_of(the_table(drawn))[2] == ("Total", "(3,313)", "$(1,475)")


def schedule(*, borders: bool) -> Grid:
    """Areas set right close to dates set left, under each cell a border of its own."""
    xs = [45.0, 120.0, 172.0, 240.0, 300.0]
    rows = [("Ash Ltd", "1,250", "25/03/2019", "yes"), ("Elm Ltd", "980", "-", "no")]
    rows += [("Oak Ltd", "12,400", "24/06/2017", "-")]
    drawn = words("Tenant", 50, 100) + words("Area", 122, 100)
    drawn += words("Start", 175, 100) + words("Act", 245, 100)
    rules = []
    for at, (name, area, start, act) in enumerate(rows, start=1):
        y = 100 + 14 * at
        drawn += words(name, 50, y) + flush_right(area, 170, y)
        drawn += words(start, 175, y) + words(act, 245, y)
        rules += [level(y + 12, left, right) for left, right in itertools.pairwise(xs)]
    return the_table(drawn, rules if borders else [])


def test_cells_close_to_one_another_are_parted_where_their_borders_meet() -> None:
    assert rows_of(schedule(borders=True))[1:] == [
        ("Ash Ltd", "1,250", "25/03/2019", "yes"),
        ("Elm Ltd", "980", "-", "no"),
        ("Oak Ltd", "12,400", "24/06/2017", "-"),
    ]
    assert ("Ash Ltd", "1,250 25/03/2019", "yes") in rows_of(schedule(borders=False))


def test_names_of_three_columns_that_stand_close_are_parted() -> None:
    rows = [("Ash", "2020", "38.0", "24.0"), ("Elm", "2021", "52.5", "31.0")]
    drawn = words("Company", 50, 100)
    for left, name in ((200, "Invested"), (246, "Stake"), (277, "Cost")):
        drawn += words(name, left, 100)
    for at, (name, *figures) in enumerate([*rows, ("Oak", "2022", "70.0", "18.5")], start=1):
        drawn += words(name, 50, 100 + 14 * at)
        for right, figure in zip((240, 270, 300), figures, strict=True):
            drawn += flush_right(figure, right, 100 + 14 * at)
    assert rows_of(the_table(drawn))[0] == ("Company", "Invested", "Stake", "Cost")


def test_a_row_of_scales_names_columns_too() -> None:
    drawn = statement([("", "2025", "2024"), ("", "£000", "£000"), ("Sales", "1,200", "1,100"),
                       ("Costs", "900", "870"), ("Profit", "300", "230")])  # fmt: skip
    assert headers_of(the_table(drawn)) == [0, 1]


def test_the_short_end_of_two_columns_of_prose_is_no_head() -> None:
    prose = [
        ("Trading was ahead of last year by far", "We closed one shop and opened another one"),
        ("helped by the new range in the north", "planned before spring"),
    ]
    drawn: list[Word] = []
    for at, (left, right) in enumerate(prose):
        drawn += words(left, 50, 60 + 12 * at) + words(right, 320, 60 + 12 * at)
    grid = the_table(drawn + statement(ROUNDS, top=110))
    assert [row[0] for row in rows_of(grid)][-3:] == [row[0] for row in ROUNDS[1:]]
    assert not any("range" in cell for row in rows_of(grid) for cell in row)


def test_a_dash_stands_for_a_figure_and_names_no_column() -> None:
    drawn = statement(
        [
            ("Unit", "Tenant", "Security", "Amount"),
            ("2", "Pell", "guarantee", "-"),
            ("5", "Orde", "deposit", "13,500"),
            ("9", "Rao", "deposit", "6,750"),
        ]
    )
    assert headers_of(the_table(drawn)) == [0]


def test_prose_is_no_table() -> None:
    drawn = [
        word
        for at in range(6)
        for word in words(
            "the parties agree that every notice is given in writing", 50, 100 + 12 * at
        )
    ]
    assert find_aligned(segments(drawn), []) == []


def test_prose_set_wide_apart_to_its_margin_is_no_table() -> None:
    """As where an address too long for a line leaves few words on the one before it."""
    drawn = [
        word
        for at, (text, gap) in enumerate(
            (
                ("and security whitepaper, as updated from time to time", 13.0),
                ("https://example.com/security and https://example.com/overview.pdf", 10.0),
                ("the Privacy Policy, as updated and accessible via", 12.0),
                ("https://example.com/about/policies/privacy or as made by", 11.0),
            )
        )
        for word in spread(text, 72, 100 + 14 * at, gap=gap)
    ]
    assert find_aligned(segments(drawn), []) == []


def spread(text: str, left: float, top: float, *, gap: float) -> list[Word]:
    """The words of a line, ``gap`` apart."""
    drawn: list[Word] = []
    for each in text.split():
        drawn += words(each, left, top)
        left = drawn[-1].box.right + gap
    return drawn


def test_two_columns_of_prose_are_no_table() -> None:
    text = "the parties agree that every notice here"
    drawn = [w for at in range(8) for x in (50, 320) for w in words(text, x, 100 + 12 * at)]
    assert find_aligned(segments(drawn), []) == []


def test_a_table_of_contents_has_pages_and_no_dots() -> None:
    drawn: list[Word] = []
    for at, (title, page) in enumerate(
        [("Preface", "3"), ("Scope", "5"), ("Rent", "9"), ("Law", "12")]
    ):
        drawn += words(f"{title} {'. ' * 20}", 50, 100 + 14 * at)
        drawn += flush_right(page, 500, 100 + 14 * at)
    grid = the_table(drawn)
    assert rows_of(grid) == [("Preface", "3"), ("Scope", "5"), ("Rent", "9"), ("Law", "12")]


def test_crossing_rules_make_a_lattice() -> None:
    (lattice,) = find_lattices(ruled([50, 150, 250], [100, 120, 140]))
    assert (lattice.xs, lattice.ys) == ((50, 150, 250), (100, 120, 140))
    assert lattice.spans == (Span(0, 0, 1, 1), Span(0, 1, 1, 2), Span(1, 0, 2, 1), Span(1, 1, 2, 2))


def test_a_missing_rule_joins_cells() -> None:
    rules = [level(y, 50, 250) for y in (100, 120, 140)]
    rules += [upright(50, 100, 140), upright(250, 100, 140), upright(150, 120, 140)]
    (lattice,) = find_lattices(rules)
    assert lattice.spans == (Span(0, 0, 1, 2), Span(1, 0, 2, 1), Span(1, 1, 2, 2))


def test_a_frame_around_a_page_is_no_lattice() -> None:
    assert find_lattices(ruled([20, 590], [20, 770])) == []


def test_text_of_several_lines_stays_in_its_ruled_cell() -> None:
    rules = ruled([50, 200, 400], [100, 116, 142, 158])
    drawn = words("Term", 54, 103) + words("Meaning", 204, 103)
    drawn += words("Premises", 54, 119)
    drawn += words("the land and the", 204, 119) + words("building on it", 204, 130)
    drawn += words("Rent", 54, 145) + words("the yearly sum", 204, 145)
    (found,) = find_ruled(drawn, find_lattices(rules))
    assert rows_of(found.grid) == [
        ("Term", "Meaning"),
        ("Premises", "the land and the building on it"),
        ("Rent", "the yearly sum"),
    ]


def test_names_in_a_head_that_no_rule_parts_stand_over_the_columns_below() -> None:
    rules = ruled([50, 150, 250, 400, 500], [130, 150, 170, 190])
    rules += [level(100, 50, 500), upright(50, 100, 190), upright(500, 100, 190)]
    drawn = words("Seller", 135, 103) + words("Buyer", 435, 103) + words("Item", 300, 110)
    for left, text in ((60, "Debit"), (170, "Credit"), (430, "Debit")):
        drawn += words(text, left, 118)
    for at in range(3):
        drawn += words("1,250.00", 60, 133 + 20 * at) + words(f"Fee {at}", 255, 133 + 20 * at)
    (found,) = find_ruled(drawn, find_lattices(rules))
    heads = [(c.text, c.column, c.column_end) for c in found.grid.cells if c.header]
    assert ("Seller", 0, 2) in heads
    assert {("Item", 2, 3), ("Debit", 0, 1), ("Credit", 1, 2), ("Debit", 3, 4)} <= set(heads)


def test_names_on_a_frame_stand_over_groups_of_its_columns() -> None:
    xs = [50.0, 150, 220, 290, 400, 520]
    drawn = words("Spring", 205, 87) + words("Autumn term", 377, 87)
    for at, row in enumerate((("Class", "Boys", "Girls", "Boys", "Girls"), *[("A", *"4567")] * 3)):
        for left, text in zip(xs, row, strict=False):
            drawn += words(text, left + 5, 105 + 20 * at)
    (found,) = find_ruled(drawn, find_lattices(ruled(xs, [100.0, 120, 140, 160, 180])))
    heads = [(c.text, c.column, c.column_end) for c in found.grid.cells if c.row == 0]
    assert heads == [("Spring", 1, 3), ("Autumn term", 3, 5)]
    assert headers_of(found.grid) == [0, 1]
    assert "Spring" in [line.text for line in found.lines]


def test_lines_on_a_frame_that_are_over_no_groups_of_columns_stay_outside() -> None:
    xs = [50.0, 150, 220, 290, 400, 520]
    drawn = words("Spring", 160, 87) + words("page 7", 480, 87)
    for at, row in enumerate((("Class", "Boys", "Girls", "Boys", "Girls"), *[("A", *"4567")] * 3)):
        for left, text in zip(xs, row, strict=False):
            drawn += words(text, left + 5, 105 + 20 * at)
    (found,) = find_ruled(drawn, find_lattices(ruled(xs, [100.0, 120, 140, 160, 180])))
    assert headers_of(found.grid) == [0]
    assert "Spring" not in [line.text for line in found.lines]


def test_a_title_over_many_narrow_columns_is_read() -> None:
    xs = [50.0 + 40 * at for at in range(11)]
    rules = ruled(xs, [130, 150, 170, 190])
    rules += [level(100, 50, 450), upright(50, 100, 190), upright(450, 100, 190)]
    drawn = words(
        "Schedule of the rents that fall due in each of the ten years of the term", 60, 110
    )
    for at, x in enumerate(xs[:-1]):
        drawn += words(f"Y{at}", x + 4, 133) + words("12", x + 4, 153) + words("13", x + 4, 173)
    (found,) = find_ruled(drawn, find_lattices(rules))
    assert found.grid.columns == 10
    assert rows_of(found.grid)[1:3] == [tuple(f"Y{at}" for at in range(10)), 10 * ("12",)]


def test_facts_over_a_table_are_none_of_its_rows() -> None:
    facts = [word for at, (fact, said) in enumerate(
        [("Investor", "Acme Pension Scheme"), ("Commitment", "15,000,000"), ("Currency", "Euro")]
    ) for word in (*words(fact, 50, 100 + 14 * at), *words(said, 150, 100 + 14 * at))]  # fmt: skip
    rows: list[tuple[str, ...]] = [("Net assets", "QTD", "YTD", "ITD")]
    rows += [("Opening", "1,234", "2,345", "3,456"), ("Closing", "2,234", "3,345", "4,456")]
    tables = find_aligned(segments([*facts, *statement(rows, top=160)]), [])
    assert [(found.grid.rows, found.grid.columns) for found in tables] == [(3, 2), (3, 4)]


def test_a_ruled_cell_over_several_bands_covers_all_their_rows() -> None:
    drawn = words("Kind", 54, 103) + words("Area", 204, 103) + words("Halls", 54, 135)
    drawn += words("900", 204, 119) + words("1,200", 204, 135) + words("350", 204, 148)
    rules = [level(y, 50, 300) for y in (100, 116, 162)] + [level(132, 200, 300)]
    rules += [upright(x, 100, 162) for x in (50, 200, 300)]
    (found,) = find_ruled(drawn, find_lattices(rules))
    assert {(c.text, c.row, c.row_end) for c in found.grid.cells if not c.column} == {
        ("Kind", 0, 1), ("Halls", 1, found.grid.rows),
    }  # fmt: skip


def test_rows_without_rules_between_them_are_told_by_their_figures() -> None:
    rules = ruled([50, 200, 300], [100, 116, 160])
    drawn = words("Name", 54, 103) + words("Area", 204, 103)
    for at, (name, area) in enumerate([("Hall", "1,200"), ("Shed", "350"), ("Yard", "90")]):
        drawn += words(name, 54, 118 + 13 * at) + words(area, 204, 118 + 13 * at)
    (found,) = find_ruled(drawn, find_lattices(rules))
    assert rows_of(found.grid)[1:] == [("Hall", "1,200"), ("Shed", "350"), ("Yard", "90")]


def test_units_are_told_from_sentences() -> None:
    assert is_units("(in millions, except per share amounts)")
    assert is_units("($ in thousands)")
    assert is_units("(Unaudited)")
    assert not is_units("We invested in millions of square feet of space in 2023.")
    assert not is_units("Revenue in the first quarter")


def test_a_hyphen_at_a_cells_line_end() -> None:
    assert joined_text("amorti-", "sation") == "amortisation"
    assert joined_text("Level-", "2") == "Level-2"
    assert joined_text("Net income", "(loss)") == "Net income (loss)"


def test_an_empty_frame_is_a_tables_where_its_rows_can_hold_type() -> None:
    (frame,) = find_lattices(ruled([50, 200, 350], [100, 120, 140, 160]))
    (logo,) = find_lattices(ruled([515, 530, 554, 585], [28, 35, 42, 49]))
    assert without_words([], [frame, logo]) == [frame.box]


SALES: list[tuple[str, ...]] = [
    ("Property", "Built", "Units", "Price"),
    ("The Hollis", "2013", "210", "$196,000"),
    ("Parkside Commons", "2009", "288", "$178,000"),
    ("Cedar Glen", "2012", "240", "$189,000"),
]
RENTS: list[tuple[str, ...]] = [
    ("Property", "Built", "1 BR", "2 BR"),
    ("Laurel Oaks", "2011", "$1,390", "$1,690"),
    ("Haywood Terrace", "2015", "$1,455", "$1,795"),
    ("Swamp Rabbit Lofts", "2019", "$1,625", "$2,010"),
]


def test_a_note_under_a_table_ends_it() -> None:
    note = "Averages are weighted by units and are on pro forma income."
    drawn = [
        *statement(SALES),
        *words(note, 50, 168),
        *words("Rent comparables", 50, 186),
        *statement(RENTS, top=206),
    ]
    tables = [rows_of(found.grid) for found in find_aligned(segments(drawn), [])]
    assert [rows[0] for rows in tables] == [SALES[0], RENTS[0]]
    assert tables[1][1] == RENTS[1]


def test_a_heading_by_its_size_or_a_caption_under_a_table_ends_it() -> None:
    sales = [*SALES, ("Riverbend", "2016", "264", "$209,000")]
    for over in (
        words("Rent comparables", 50, 186, size=14),
        words("Table 2 – Rents", 50, 186),
    ):
        drawn = [*statement(sales), *over, *statement(RENTS, top=206)]
        tables = [rows_of(found.grid) for found in find_aligned(segments(drawn), [])]
        assert [rows[0] for rows in tables] == [SALES[0], RENTS[0]]


def test_a_title_and_a_head_in_a_typeface_of_their_own_begin_another_table() -> None:
    running = [*words("Master Services Agreement", 50, 60), *words("CONFIDENTIAL", 400, 60)]
    drawn = list(running)
    for top, title, rows in ((80, "Part B", SALES), (186, "Part C", RENTS)):
        drawn += words(title, 280, top, font="Bold")
        drawn += [replace(word, font="Bold") for word in statement(rows[:1], top=top + 26)]
        drawn += statement(rows[1:], top=top + 42)
    tables = [rows_of(found.grid) for found in find_aligned(segments(drawn), [])]
    assert tables == [SALES, RENTS]


def test_a_title_in_a_typeface_of_its_own_begins_another_table_below_a_total_in_bold() -> None:
    drawn: list[Word] = []
    for top, title, rows in ((80, "Sales", SALES), (186, "Rents", RENTS)):
        drawn += words(title, 50, top, font="Italic")
        drawn += [replace(word, font="Bold") for word in statement(rows[:1], top=top + 26)]
        drawn += statement(rows[1:-1], top=top + 42)
        last = statement(rows[-1:], top=top + 42 + 16 * (len(rows) - 2))
        drawn += [replace(word, font="Bold") for word in last]
    tables = [rows_of(found.grid) for found in find_aligned(segments(drawn), [])]
    assert tables == [SALES, RENTS]


def test_a_title_larger_than_all_rows_above_it_begins_another_table() -> None:
    drawn: list[Word] = []
    for top, title, rows in ((80, "Sales", SALES), (186, "Rents of the year", RENTS)):
        drawn += words(title, 50, top, size=11)
        drawn += statement(rows, top=top + 26)
    tables = [rows_of(found.grid) for found in find_aligned(segments(drawn), [])]
    assert tables == [SALES, RENTS]


def test_a_title_like_the_one_over_a_table_begins_another_without_a_head() -> None:
    drawn = [*words("Estimates", 50, 80, size=11), *words("Holders", 50, 170, size=11)]
    drawn += statement([("", "2025", "2026"), ("Sales", "0.4%", "1.9%"), ("EPS", "5%", "11%")])
    drawn += statement([("Pension fund", "31.2%"), ("Founders", "11.5%")], top=190)
    found = [rows_of(each.grid) for each in find_aligned(segments(drawn), [])]
    assert [len(rows) for rows in found] == [3, 2]


def test_a_group_under_the_head_that_looks_as_the_line_over_the_table_begins_none() -> None:
    drawn = [*words("By service", 50, 80, size=11), *words("Parcels:", 50, 116, size=11)]
    drawn += statement([("", "2025", "2024")])
    drawn += statement([("Overnight", "8,916", "9,084"), ("Deferred", "5,128", "5,330")], top=132)
    rows = rows_of(the_table(drawn))
    assert [*rows[0]] == ["2025", "2024"]
    assert [*rows[-1]] == ["Deferred", "5,128", "5,330"]


def test_a_head_that_comes_again_with_another_day_begins_another_table() -> None:
    rows: list[tuple[str, ...]] = [
        ("June 30, 2024", "Tier 1", "Tier 2", "Total"),
        ("Bonds", "310", "45", "355"),
        ("Swaps", "18", "72", "90"),
    ]
    again = [("June 30, 2023", "Tier 1", "Tier 2", "Total"), *rows[1:]]
    found = find_aligned(segments(statement([*rows, *again])), [])
    assert [rows_of(table.grid)[0][0] for table in found] == ["June 30, 2024", "June 30, 2023"]


def test_a_currency_after_a_dash_is_of_the_next_figure() -> None:
    drawn = statement([("", "Tier 1", "Tier 2", "Total"), ("Bonds", "310", "45", "355")])
    for at, label in enumerate(("Swaps", "Options"), 2):
        y = 100 + 16 * at
        drawn += words(label, 50, y)
        for left, right in ((350, 380), (389, 460), (469, 540)):
            drawn += [*words("$", left, y), *flush_right("-" if right < 540 else "90", right, y)]
    assert rows_of(the_table(drawn))[2:] == [
        ("Swaps", "$-", "$-", "$90"),
        ("Options", "$-", "$-", "$90"),
    ]


def test_names_that_nearly_touch_in_a_head_without_a_label_are_parted() -> None:
    names = ("Capital", "Premium", "Reserve", "Owners", "Total")
    rights = (360, 412, 444, 472, 520)
    drawn: list[Word] = []
    for right, name in zip(rights, names, strict=True):
        drawn += flush_right(name, right, 100, size=8)
    for at, label in enumerate(("At 1 January", "Profit", "Dividends"), 1):
        drawn += words(label, 50, 100 + 16 * at)
        for right in rights:
            drawn += flush_right("12.4", right, 100 + 16 * at)
    assert rows_of(the_table(drawn))[0] == names


def test_figures_amid_the_lines_of_their_label_go_on_with_a_table_of_a_small_head() -> None:
    drawn: list[Word] = []
    for at, (one, two) in enumerate((("Year to", "Year to"), ("30 June", "30 June"))):
        drawn += flush_right(one, 380, 100 + 8 * at, size=7)
        drawn += flush_right(two, 460, 100 + 8 * at, size=7)
    for at, (one, two) in enumerate((("2024", "2023"), ("audited", "audited"), ("£m", "£m")), 2):
        drawn += flush_right(one, 380, 100 + 8 * at, size=7)
        drawn += flush_right(two, 460, 100 + 8 * at, size=7)
    rows = [("Profit", "55.8", "53.1"), ("Items that may be taken to profit or loss later on",)]
    drawn += statement(rows, top=146)
    drawn += [*words("Exchange differences on", 50, 178), *words("operations abroad", 50, 189)]
    drawn += [*flush_right("3", 320, 183.5), *flush_right("(4.6)", 380, 183.5)]
    drawn += flush_right("(7.3)", 460, 183.5)
    drawn += statement([("Total", "51.2", "45.8")], top=205)
    told = rows_of(the_table(drawn))
    assert told[-1] == ("Total", "51.2", "45.8")
    assert told[0][-1].endswith("2023 audited £m")


def test_a_title_apart_over_a_head_in_a_typeface_of_its_own_begins_another_table() -> None:
    drawn: list[Word] = []
    for at, (left, right) in enumerate(
        (("Tenant:", "Site:"), ("Ref:", "Agent:"), ("Term:", "By:"))
    ):
        y = 100 + 14.0 * at
        drawn += words(left, 50, y, font="Bold") + words("Orla Foods", 130, y)
        drawn += words(right, 330, y, font="Bold") + words("North Quay", 400, y)
    drawn += words("Charges billed", 50, 156, font="Bold")
    for x, name in ((50, "Unit"), (200, "Rent"), (300, "Rates"), (400, "Water"), (480, "All")):
        drawn += words(name, x, 174, font="Mono")
    for at in range(3):
        drawn += words(f"U{at}", 50, 192 + 14 * at)
        for x in (200, 300, 400, 480):
            drawn += words("125", x, 192 + 14 * at)
    facts, charges = tables_of(drawn)
    assert facts[-1] == ("Term:", "Orla Foods", "By:", "North Quay")
    assert charges[0] == ("Unit", "Rent", "Rates", "Water", "All")


def test_a_word_where_a_column_begins_is_of_it_close_as_it_stands() -> None:
    drawn: list[Word] = []
    rows = (("Broken skylight", "P", "40"), ("Leak at the boiler", "Q", "75"), ("Lift", "P", "12"))
    for at, (text, state, cost) in enumerate(rows):
        y = 100 + 14 * at
        drawn += words(text, 50, y) + words(state, 145, y) + flush_right(cost, 240, y)
    assert rows_of(the_table(drawn)) == list(rows)


def test_a_title_in_parts_over_several_columns_is_one_cell() -> None:
    drawn: list[Word] = []
    for at, text in enumerate(("Unit", "Lot 1 Meadow", "U1", "U2", "Lot 2 Meadow", "U3", "U4")):
        y = 100 + 16.0 * at
        drawn += words(text, 50, y)
        if text.startswith("Lot"):
            drawn += words("leased 2019 to 2024", 125, y)
            continue
        for x, cell in zip((80, 130, 190, 300, 400, 500), ("A", "B", *"3456"), strict=True):
            drawn += words({"A": "Kew", "B": "May"}.get(cell, f"{cell}10"), x, y)
    grid = the_table(drawn)
    assert ("Lot 1 Meadow leased 2019 to 2024",) in rows_of(grid)
    assert ("Lot 2 Meadow leased 2019 to 2024",) in rows_of(grid)


def test_numbered_clauses_over_a_table_are_none_of_its_rows() -> None:
    clauses = [
        *words("7.4", 50, 60), *words("To confirm the payment plan in paragraph 3.3.", 90, 60),
        *words("7.5", 50, 76), *words("To approve the statement by 30 November.", 90, 76),
    ]  # fmt: skip
    assert rows_of(the_table([*clauses, *statement(SALES)])) == SALES


def test_a_numbered_clause_under_a_table_is_none_of_its_rows() -> None:
    clause = "The flood map shows the site in Flood Zone 1, except for a strip of land"
    drawn = [*statement(SALES), *words("2.5", 50, 170), *words(clause, 90, 170)]
    assert rows_of(the_table(drawn)) == SALES


def test_a_shaded_head_on_two_lines_is_not_joined_with_the_row_below_it() -> None:
    head = [
        *flush_right("Price", 380, 96), *flush_right("Yield", 460, 96),
        *words("Property", 50, 101), *flush_right("£m", 380, 106), *flush_right("%", 460, 106),
    ]  # fmt: skip
    rows: list[tuple[str, ...]] = [
        ("The Hollis", "15.90", "7.10"),
        ("Parkside", "8.60", "7.85"),
        ("Glen", "9.10", "6.35"),
    ]
    drawn = [replace(word, font="Bold") for word in head] + statement(rows, top=124)
    rules = [level(137 + 16 * at, 50, 470) for at in range(3)]
    assert rows_of(the_table(drawn, rules)) == [("Property", "Price £m", "Yield %"), *rows]


def test_a_head_in_a_typeface_of_its_own_is_all_of_the_head() -> None:
    head = [*words("Fee", 50, 100), *words("Paid to", 200, 100), *words("Amount", 330, 100)]
    fees = [
        ("Commitment fee", "Lenders", "a share of the Margin"),
        ("Arrangement fee", "Arranger", "of the Commitments"),
        ("Agency fee", "Agent", "£45,000 per annum"),
    ]
    drawn = [replace(word, font="Bold") for word in head]
    for at, row in enumerate(fees, 1):
        for left, text in zip((50, 200, 330), row, strict=True):
            drawn += words(text, left, 100 + 16 * at)
    grid = the_table(drawn, [level(98 + 16 * at, 50, 440) for at in range(5)])
    assert (headers_of(grid), rows_of(grid)[1:]) == ([0], fees)


def test_the_boxes_of_a_form_are_fields_with_what_they_hold() -> None:
    fields = [
        (54, 100, "Policy number", "CC 7714"), (254, 100, "Date of issue", "2 June 2025"),
        (54, 130, "Policyholder", "Wexcombe Ltd"), (254, 130, "Employees", "143"),
        (54, 160, "Broker", "Harris Ltd"), (254, 160, "Co-insurer", ""),
    ]  # fmt: skip
    drawn = [
        word
        for left, top, called, held in fields
        for word in (
            *words(called, left, top + 4, size=7),
            *(words(held, left, top + 14, font="Strong") if held else ()),
        )
    ]
    rules = ruled([50, 250, 450], [100, 130, 160, 190])
    (found,) = find_ruled(drawn, find_lattices(rules))
    assert rows_of(found.grid) == [
        ("Policy number", "CC 7714"), ("Date of issue", "2 June 2025"),
        ("Policyholder", "Wexcombe Ltd"), ("Employees", "143"),
        ("Broker", "Harris Ltd"), ("Co-insurer",),
    ]  # fmt: skip
    assert headers_of(found.grid) == []


STAGES: list[tuple[str, ...]] = [
    ("Stage", "Trigger", "Outcome"),
    ("One", "Three absences", "Letter"),
    ("Two", "Five absences", "Warning"),
    ("Three", "Any further absence", "–"),
]


def in_cells(rows: list[tuple[str, ...]], *, pitch: float = 20.0) -> list[Word]:
    """Texts flush left at 60, 220 and 400."""
    return [
        word
        for at, row in enumerate(rows)
        for left, text in zip((60, 220, 400), row, strict=False)
        for word in words(text, left, 104 + pitch * at)
    ]


def test_a_dash_in_the_last_row_makes_no_heads_of_those_above_it() -> None:
    drawn, rules = in_cells(STAGES), ruled([50, 210, 390, 550], [100, 120, 140, 160, 180])
    grids = [each.grid for each in find_ruled(drawn, find_lattices(rules))]
    assert [(rows_of(grid), headers_of(grid)) for grid in grids] == [(STAGES, [0])]


def test_a_ground_of_their_own_tells_the_names_of_columns() -> None:
    rows = [*STAGES[:2], ("Two", "£500", "Warning")]
    drawn, rules = in_cells(rows), ruled([50, 210, 390, 550], [100, 120, 140, 160])
    shaded = [replace(word, ground="grey") if word.box.top < 120 else word for word in drawn]
    [bare], [told] = (
        [each.grid for each in find_ruled(own, find_lattices(rules))] for own in (drawn, shaded)
    )
    assert (headers_of(bare), headers_of(told)) == ([0, 1], [0])


def test_names_stand_over_the_columns_that_they_are_the_middles_of() -> None:
    drawn = words("Coal", 50, 128) + words("Oil", 50, 144)
    rights = (220, 280, 340, 400, 460, 520)
    names = ("Q1", "Q2", "Q3", "Q4", "2024", "2023")
    for y, row in ((112, names), (128, ("1,041,215",) * 6), (144, ("1,038,610",) * 6)):
        for right, text in zip(rights, row, strict=True):
            drawn += flush_right(text, right, y)
    drawn += words("2024", 276, 100) + words("Full-year", 443, 100)
    spans = {c.text: (c.column, c.column_end) for c in the_table(drawn).cells if c.row == 0}
    assert spans == {"2024": (1, 5), "Full-year": (5, 7)}


def test_facts_between_two_rules_are_a_row_each() -> None:
    facts: list[tuple[str, ...]] = [
        ("Auditor", "Pell Hartnoll"), ("Actuary", "Ines Marchetti"),
        ("Office", "11 Tallow Street"), ("Regulator", "The authority"),
    ]  # fmt: skip
    lines = segments(in_cells([("Year to March",), ("Particulars",), *facts]))
    rows = [[Piece.of([each], at, at) for at, each in enumerate(row)] for row in by_top(lines)]
    rules = [level(y, 50, 550) for y in (118, 138, 230)]
    kept = banded(rows, rules, Box(60, 100, 540, 228))
    assert [tuple(piece.text for piece in row) for row in kept[2:]] == facts


def by_top(lines: list[Line]) -> list[list[Line]]:
    tops = itertools.groupby(lines, key=lambda each: each.box.top)
    return [list(row) for _, row in tops]


def test_a_figure_ends_a_text_that_is_open() -> None:
    rows: list[tuple[str, ...]] = [
        ("Unless", "By", "Effect"),
        ("Signed file", "31 May", "Rates increase by"),
    ]
    drawn = in_cells(rows) + words("10%", 400, 135)
    drawn += in_cells([("",)] * 3 + [("Accounts", "30 June", "Cover void")])
    [found] = find_aligned(segments(drawn), [])
    assert rows_of(found.grid)[1] == ("Signed file", "31 May", "Rates increase by 10%")


def test_names_in_the_type_of_the_head_begin_another_table() -> None:
    def in_bold(drawn: list[Word], *tops: float) -> list[Word]:
        return [replace(w, font="Bold", bold=True) if w.box.top in tops else w for w in drawn]

    rows: list[tuple[str, ...]] = [
        ("", "2024", "2023"), ("Cash in", "268", "251"), ("Cash out", "231", "284"),
        ("Spent", "2024", "Guided"), ("Upkeep", "58", "62"), ("Growth", "74", "110"),
    ]  # fmt: skip
    drawn = in_bold(statement(rows), 100.0, 148.0)
    assert [each[0] for each in tables_of(drawn)] == [("2024", "2023"), rows[3]]
