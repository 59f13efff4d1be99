"""A page's words as regions in reading order."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.geometry.forms import tiles_of
from docqa.ingest.geometry.layout import Region, arrange, in_reading_order
from docqa.ingest.geometry.words import (
    Word,
    cell_text,
    joined,
    line_of,
    rows_of,
    segments,
    turned,
    without_leaders,
)
from docqa.types.document import Box
from tests.ingest.drawn import HEIGHT, WIDTH, flush_right, level, page, words

LOREM = "the tenant shall keep the premises in good repair at all times"


def paragraph(left: float, top: float, *, lines: int = 4, text: str = LOREM) -> list[Word]:
    return [word for at in range(lines) for word in words(text, left, top + 12 * at)]


def test_lines_under_one_another_are_a_paragraph() -> None:
    (region,) = arrange(page(paragraph(72, 100)))
    assert (region.kind, len(region.lines)) == ("text", 4)
    assert region.box == Box(72, 100, region.box.right, 146)


def test_a_page_head_that_stands_apart_is_no_head_of_the_table_below() -> None:
    body = [flush_right(text, right, 100 + 16 * at) for at in range(4) for text, right in
            (("Cash", 90), (f"1,23{at}", 400), (f"2,34{at}", 500))]  # fmt: skip
    running = words("Borealis Scheme", 72, 50) + flush_right("Annual report 2024", 500, 50)
    named = flush_right("2024", 400, 70) + flush_right("2023", 500, 70)
    regions = arrange(page(running, *body))
    assert [region.text for region in regions[:2]] == ["Borealis Scheme", "Annual report 2024"]
    assert [region.grid.rows for region in regions if region.grid] == [4]
    assert [region.grid and region.grid.rows for region in arrange(page(named, *body))] == [5]


def test_short_columns_of_prose_are_read_one_after_the_other() -> None:
    left, right = "the fund sold the building in March", "costs remained under control this year"
    drawn = [
        words(text, x, 100 + 12 * at) for at in range(5) for text, x in ((left, 72), (right, 320))
    ]
    assert [region.text for region in arrange(page(*drawn))] == [
        " ".join(5 * [left]),
        " ".join(5 * [right]),
    ]


def test_a_sidebar_is_read_apart_from_the_table_beside_it() -> None:
    facts = [words(f"Fact {at}", 40, 100 + 13 * at) for at in range(24)]
    body = [flush_right(text, right, 100 + 16 * at) for at in range(19) for text, right in
            ((f"Line {at}", 260), (f"1,23{at % 10}", 400), (f"2,34{at % 10}", 500))]  # fmt: skip
    drawn = page(*facts, *body)
    beside = arrange(replace(drawn, panels=(Box(30, 90, 180, 500),)))
    (table,) = [region.grid for region in beside if region.grid]
    assert (table.rows, table.columns) == (19, 3)
    assert all(region.box.right < 180 for region in beside if "Fact" in region.text)
    shaded = [words(f"Fact {at}", 40, 100 + 16 * at) for at in range(19)]  # one row with each
    column = replace(page(*shaded, *body), panels=(Box(30, 90, 180, 500),))
    assert [region.grid and region.grid.columns for region in arrange(column)] == [4]


def test_the_fields_of_a_sidebar_are_a_table() -> None:
    facts = [
        (*words(f"Fact {at}", 40, 100 + 22 * at), *words(f"of {at}", 40, 111 + 22 * at, bold=True,
                                                         font="Strong"))
        for at in range(12)
    ]  # fmt: skip
    body = paragraph(220, 100, lines=20)
    drawn = page(*map(list, facts), body)
    regions = arrange(replace(drawn, panels=(Box(30, 90, 180, 500),)))
    (grid,) = [region.grid for region in regions if region.grid]
    assert [cell.text for cell in grid.cells][:4] == ["Fact 0", "of 0", "Fact 1", "of 1"]
    assert (grid.rows, grid.columns) == (12, 2)


def test_tables_side_by_side_are_two_where_the_rules_of_their_rows_end_between_them() -> None:
    def half(left: float) -> list[Word]:
        return [word for at in range(5) for word in (
            *words(f"Share {at}", left, 100 + 16 * at),
            *flush_right(f"{at},234", left + 180, 100 + 16 * at))]  # fmt: skip

    parted = [
        level(113 + 16 * at, left, right)
        for at in range(5)
        for left, right in ((48, 235), (250, 435))
    ]
    whole = [level(113 + 16 * at, 48, 435) for at in range(5)]

    def columns(rules: list[Box]) -> list[int]:
        regions = arrange(page(half(50), half(252), rules=rules))
        return [region.grid.columns for region in regions if region.grid]

    assert columns(parted) == [2, 2]
    assert columns(whole) == [4]


def test_tables_abreast_are_read_one_after_the_other_each_below_its_title() -> None:
    def half(left: float, title: str) -> list[Word]:
        return words(title, left, 80) + [word for at in range(5) for word in (
            *words(f"Share {at}", left, 100 + 16 * at),
            *flush_right(f"{at},234", left + 180, 100 + 16 * at))]  # fmt: skip

    one_row = [level(97, 48, 235), level(97, 250, 435)]
    drawn = page(half(50, "Income"), half(252, "Valuation"), rules=one_row)
    told = [(region.kind, region.text.split()[0]) for region in arrange(drawn)]
    assert told == [
        ("text", "Income"),
        ("table", "Share"),
        ("text", "Valuation"),
        ("table", "Share"),
    ]


def rows_at(left: float, tops: list[float], label: str) -> list[Word]:
    return [word for at, top in enumerate(tops) for word in (
        *words(f"{label} {at}", left, top), *flush_right(f"{at},234", left + 120, top),
        *flush_right(f"{at},789", left + 180, top))]  # fmt: skip


def test_tables_abreast_whose_rows_stand_on_other_lines_are_two() -> None:
    tops, lower = [100.0 + 17 * at for at in range(5)], [109.0 + 21 * at for at in range(5)]
    under = [level(top + 13, left, left + 62) for left in (48, 110, 172) for top in tops]
    beside = [level(top + 13, left, left + 62) for left in (250, 312, 374) for top in lower]
    across = words("Outlook", 48, 230) + rows_at(70, [247, 262], "Branch")
    across += flush_right("9,456", 500, 247) + flush_right("7,456", 500, 262)
    across += words("of both", 200, 247) + words("of both", 200, 262)
    drawn = page(
        words("Branches", 48, 82), rows_at(50, tops, "Branch"),
        words("Rivals", 252, 90), rows_at(252, lower, "Rival"), across,
        rules=[*under, *beside],
    )  # fmt: skip
    told = [(region.kind, region.text.split()[0]) for region in arrange(drawn)]
    assert told[:4] == [
        ("text", "Branches"),
        ("table", "Branch"),
        ("text", "Rivals"),
        ("table", "Rival"),
    ]
    assert told[4:] == [("text", "Outlook"), ("table", "Branch")]


def test_facts_beside_prose_that_a_rule_ends_over_are_a_table_of_their_own() -> None:
    letter = paragraph(50, 120, lines=9, text="rents held up well in the north")
    facts = [("First let", "2016"), ("Units", "1,204"), ("Manager", "Ardent Homes Limited"),
             ("Yield", "5.2%"), ("Gearing", "31%")]  # fmt: skip
    beside = [word for at, (label, text) in enumerate(facts) for word in (
        *words(label, 272, 121 + 17 * at), *flush_right(text, 500, 121 + 17 * at))]  # fmt: skip
    mark = words("(2)", 307, 152, size=8)
    heads = words("To our members", 50, 100) + words("In brief", 272, 100)
    drawn = page(heads, letter, beside, mark, rules=[level(114, 48, 254), level(114, 270, 502)])
    regions = arrange(drawn)
    assert [region.kind for region in regions] == ["text", "text", "text", "table"]
    (grid,) = [region.grid for region in regions if region.grid]
    assert (grid.rows, grid.columns) == (5, 2)
    assert not any(cell.header for cell in grid.cells)
    assert [cell.text for cell in grid.cells][4] == "Manager(2)"


def test_a_table_below_two_columns_of_prose_whose_rules_run_under_both_is_whole() -> None:
    prose = paragraph(50, 100, lines=8, text="rents held up well in the north")
    prose += paragraph(270, 100, lines=8, text="voids fell to the least since spring")
    title = words("Guidance", 50, 210, size=12)
    rights = (200, 250, 330, 420, 500)
    groups = words("Lettings", 215, 228) + words("Sales", 440, 228)
    head = [word for right, text in zip(rights, ("Was", "Now", "Was", "Now", "Step"), strict=True)
            for word in flush_right(text, right, 242)]  # fmt: skip
    labels = ("Flats", "Offices", "Sheds", "Land")
    body = [word for at, label in enumerate(labels) for word in (
        *words(label, 50, 258 + 18 * at),
        *(each for n, right in enumerate(rights)
          for each in flush_right(f"{n + 1}{at}.4", right, 258 + 18 * at)))]  # fmt: skip
    edges = (48, 150, 205, 255, 335, 425, 502)
    under = [level(271 + 18 * at, left, right) for at in range(4) for left, right in
             pairwise(edges)]  # fmt: skip
    regions = arrange(page(prose, title, groups, head, body, rules=under))
    assert [region.kind for region in regions] == ["text", "text", "text", "table"]
    (grid,) = [region.grid for region in regions if region.grid]
    assert (grid.rows, grid.columns) == (6, 6)
    flats = [cell.text for cell in grid.cells if cell.row == 2]
    assert flats == ["Flats", "10.4", "20.4", "30.4", "40.4", "50.4"]


def test_figures_in_large_type_over_what_they_are_are_rows_of_labels() -> None:
    large = [words(text, left, 100, size=18) for text, left in
             (("$31.7m", 50), ("€9.40", 210), ("12.6%", 370))]  # fmt: skip
    small = [words(text, left, 120, size=9) for text, left in
             (("Rents", 50), ("Value of a share", 210), ("Voids, of all", 370))]  # fmt: skip
    more = words("(up 4.1%)", 210, 130, size=9)
    prose = [*paragraph(50, 170), *paragraph(50, 230)]
    regions = arrange(page(*large, *small, more, prose))
    assert [region.kind for region in regions] == ["table", "text", "text"]
    (grid,) = [region.grid for region in regions if region.grid]
    assert [(cell.text, cell.header) for cell in grid.cells] == [
        ("Rents", False), ("$31.7m", False),
        ("Value of a share (up 4.1%)", False), ("€9.40", False),
        ("Voids, of all", False), ("12.6%", False),
    ]  # fmt: skip


def test_figures_over_what_is_in_type_of_their_size_or_no_label_are_no_tiles() -> None:
    figures = [*words("2.6%", 50, 100, size=14), *words("14.1%", 210, 100, size=14)]
    same = [*words("Flats", 50, 116, size=12), *words("Sheds", 210, 116, size=12)]
    one, numbers = words("Flats", 50, 116, size=9), words("2.4%", 210, 116, size=9)
    below = [*words("Flats", 50, 150, size=9), *words("Sheds", 210, 150, size=9)]
    for others in (same, one, one + numbers, below):
        assert tiles_of(segments([*figures, *others])) == []


def transcript(lines: list[str], *, first: int = 1) -> list[Word]:
    """Lines of a page with their numbers down its margin."""
    return [word for at, text in enumerate(lines) for word in (
        *words(str(first + at), 60, 100 + 24 * at), *words(text, 100, 100 + 24 * at))]  # fmt: skip


def test_the_numbers_of_a_pages_lines_are_none_of_its_text() -> None:
    spoken = ["Q. Between the first and the last day, how many", "panels were sealed?",
              "A. I would have to see the log.", "Q. Did anybody else", "keep a log?"]  # fmt: skip
    *text, margin = arrange(page(transcript(spoken + spoken)))
    assert (margin.kind, margin.text) == ("header", "1 2 3 4 5 6 7 8 9 10")
    assert [region.text for region in text[:3]] == [
        "Q. Between the first and the last day, how many panels were sealed?",
        "A. I would have to see the log.",
        "Q. Did anybody else keep a log?",
    ]


@pytest.mark.parametrize("lines", [
    [f"Fund {at} 1,23{at}" for at in range(10)],  # places in a league
    ["Q. How many", "panels were sealed?"],  # too few
])  # fmt: skip
def test_figures_that_count_rows_or_few_lines_are_kept(lines: list[str]) -> None:
    assert not any(region.kind == "header" for region in arrange(page(transcript(lines))))


def test_numbers_that_begin_later_count_no_lines() -> None:
    drawn = page(transcript(10 * ["of the said premises"], first=4))
    assert not any(region.kind == "header" for region in arrange(drawn))


def test_rules_under_figures_alone_part_no_tables() -> None:
    drawn = [
        (*words(f"Line {at}", 50, 100 + 16 * at), *flush_right("1,234", 300, 100 + 16 * at),
         *flush_right("5,678", 400, 100 + 16 * at))
        for at in range(5)
    ]  # fmt: skip
    under = [
        level(113 + 16 * at, left, right)
        for at in range(5)
        for left, right in ((48, 200), (240, 302), (340, 402))
    ]
    regions = arrange(page(*map(list, drawn), rules=under))
    assert [region.grid and region.grid.columns for region in regions] == [3]


def test_a_gap_parts_paragraphs() -> None:
    regions = arrange(page(paragraph(72, 100), paragraph(72, 170)))
    assert [len(region.lines) for region in regions] == [4, 4]


def test_lines_set_far_apart_are_a_paragraph_where_they_plainly_run_on() -> None:
    # as in text set double-spaced, or where boxes are lower than the type
    drawn = [words(LOREM, 72, 100 + 24 * at) for at in range(6)]
    ended = [words("and in all weather.", 72, 244), words("Rent is due at once.", 72, 268)]
    regions = arrange(page(*drawn, *ended))
    assert [len(region.lines) for region in regions] == [7, 1]


def test_few_lines_far_apart_are_paragraphs() -> None:
    drawn = [words(LOREM.capitalize(), 72, 100 + 24 * at) for at in range(6)]
    assert len(arrange(page(*drawn))) == 6


def test_bold_words_of_higher_boxes_do_not_make_a_line_large() -> None:
    drawn = words("“Affiliates”", 72, 100, size=14, bold=True) + words(
        "means any of them", 150, 103
    )
    assert line_of(drawn).size == 10


def test_columns_are_read_one_after_the_other() -> None:
    left = "the left column comes first in every case"
    right = "the right column comes only after the left"
    drawn = [
        paragraph(50, 100, lines=10, text=left),
        paragraph(330, 100, lines=10, text=right),
        words(
            "A heading over both columns of the page that is long enough to cross", 50, 60, size=14
        ),
    ]
    texts = [region.text for region in arrange(page(*drawn))]
    assert texts[0].startswith("A heading")
    assert [text[:8] for text in texts[1:]] == ["the left", "the righ"]


def test_labels_and_their_figures_are_no_columns_of_prose() -> None:
    left = "derivatives that were recognized in income"
    drawn = [paragraph(50, 100, lines=10, text=left)]
    drawn += [
        paragraph(330, 100 + 60 * at, lines=2, text="amounts of the periods") for at in (0, 1, 2)
    ]
    drawn += [
        paragraph(right, 124 + 60 * at, lines=3, text="1,250")
        for right in (330, 390, 450)
        for at in (0, 1)
    ]
    tables = [region.grid for region in arrange(page(*drawn)) if region.grid]
    rows = [
        [c.text for c in grid.cells if c.row == at] for grid in tables for at in range(grid.rows)
    ]
    assert rows.count([left, "1,250", "1,250", "1,250"]) == 6


def test_a_title_run_into_its_text_is_one_paragraph_with_it() -> None:
    lead = words("Risks of supply. ", 72, 100, bold=True)
    first = [*lead, *words("We depend on a", lead[-1].box.right + 5, 100)]
    rest = paragraph(72, 112, text="few suppliers for most of what we make and sell")
    assert len(arrange(page(first, rest))) == 1
    title = words("Risks of supply", 72, 100, bold=True)
    run_in = [*words("Parts.", 72, 112, bold=True), *words("We depend on few suppliers", 107, 112)]
    assert len(arrange(page(title, run_in))) == 2


def test_list_items_are_regions_of_their_own() -> None:
    drawn = [words(f"({mark}) the first duty", 72, 100 + 12 * at) for at, mark in enumerate("abc")]
    assert [region.kind for region in arrange(page(*drawn))] == ["list"] * 3


@pytest.mark.parametrize(
    ("above", "below", "regions"),
    [
        ("The parties shall designate one", "(1) of their members", 1),
        ("as it is set out in Section 2.2", "(b) of this agreement", 1),
        ("The parties shall designate one", "(2) nobody else", 2),
        ("as it is set out in the clause", "(b) of this agreement", 2),
    ],
)
def test_what_a_sentence_goes_on_with_is_no_item(above: str, below: str, regions: int) -> None:
    drawn = [words(above, 72, 100), words(below, 72, 112)]
    assert len(arrange(page(*drawn))) == regions


def test_items_under_an_odd_sign_are_regions_of_their_own() -> None:
    drawn = [words(f"∞ duty {mark}", 72, 100 + 12 * at) for at, mark in enumerate("abc")]
    assert [region.kind for region in arrange(page(*drawn))] == ["list"] * 3


def test_a_hanging_first_line_goes_on_further_left() -> None:
    long = "1. Services. The consultant renders the services set out below and agreed from time"
    drawn = words(long, 92, 100) + words("to time by the parties to this agreement here", 72, 112)
    (region,) = arrange(page(drawn))
    assert (region.kind, len(region.lines)) == ("list", 2)


def test_units_stand_apart_from_the_title_above() -> None:
    drawn = words("Statements of Income", 72, 100, bold=True)
    drawn += words("(in millions)", 72, 112, bold=True)
    assert [(r.kind, r.text) for r in arrange(page(drawn))] == [
        ("text", "Statements of Income"),
        ("caption", "(in millions)"),
    ]


def test_a_page_printed_sideways_is_read_upright() -> None:
    upright = page(paragraph(72, 100))
    sideways = [
        replace(word, box=turned(word.box, 3, WIDTH, HEIGHT), turn=1) for word in upright.words
    ]
    lying = replace(upright, width=HEIGHT, height=WIDTH, words=tuple(sideways))
    (region,) = arrange(lying)
    assert region.text == arrange(upright)[0].text
    assert region.box == turned(arrange(upright)[0].box, 3, WIDTH, HEIGHT)


@given(st.tuples(*[st.floats(0, 500)] * 4), st.integers(0, 3))
def test_turning_there_and_back_changes_nothing(edges: tuple[float, ...], turn: int) -> None:
    left, right, top, bottom = *sorted(edges[:2]), *sorted(edges[2:])
    box = Box(left, top, right, bottom)
    width, height = (HEIGHT, WIDTH) if turn % 2 else (WIDTH, HEIGHT)
    back = turned(turned(box, turn, WIDTH, HEIGHT), -turn % 4, width, height)
    assert all(
        abs(getattr(box, edge) - getattr(back, edge)) < 1e-6
        for edge in ("left", "top", "right", "bottom")
    )


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 40)), max_size=60))
def test_every_word_is_in_exactly_one_region(places: list[tuple[int, int]]) -> None:
    drawn = [words(f"word{at}", 40 + 55 * x, 40 + 17 * y) for at, (x, y) in enumerate(set(places))]
    found = [
        word.text
        for region in arrange(page(*drawn))
        for line in region.lines
        for word in line.words
    ]
    assert sorted(found) == sorted(word.text for part in drawn for word in part)


@given(st.lists(st.integers(0, 600), max_size=30))
def test_reading_order_keeps_every_region_once(tops: list[int]) -> None:
    regions = [Region("text", Box(top % 97, top, top % 97 + 50, top + 9)) for top in tops]
    ordered = in_reading_order(regions, [80.0])
    assert sorted(map(id, ordered)) == sorted(map(id, regions))


def test_letters_of_one_word_are_not_parted() -> None:
    small_capitals = [
        Word("C", Box(0, 0, 6, 10)),
        Word("ORPORATION", Box(6.2, 2, 50, 10)),
    ]
    assert line_of(small_capitals).text == "CORPORATION"
    assert line_of([Word("SET", Box(0, 0, 15, 10)), Word("WIDE", Box(16.4, 0, 36, 10))]).text == (
        "SET WIDE"
    )


def spaced(*texts: tuple[str, float], size: float = 10.0) -> str:
    """The text of a line of words, each so far behind the one before it."""
    drawn: list[Word] = []
    left = 50.0
    for text, gap in texts:
        left += gap
        drawn += words(text, left, 100, size=size)
        left = drawn[-1].box.right
    return joined(drawn)


def test_letters_of_a_title_set_apart_are_words() -> None:
    pieces = [("R", 0.0), ("ec", 2.0), *((letter, 2.0) for letter in "itals")]
    assert spaced(*pieces) == "Recitals"
    assert spaced(("LIQUIDI", 0), ("TY", 1.5), ("AND", 4), ("CAPITAL", 4)) == (
        "LIQUIDITY AND CAPITAL"
    )
    assert spaced(("it", 0), ("is", 2.5), ("up", 2.5), ("to", 2.5), ("us", 2.5)) == (
        "it is up to us"
    )


def test_capitals_typed_apart_are_a_word() -> None:
    gaps = (0, 6, 6, 6, 6, 6, 6, 6)
    assert spaced(*zip("RECITALS", gaps, strict=True)) == "RECITALS"
    assert spaced(*zip("WITNESSETH", (0, *[6] * 9), strict=True), (":", 6)) == "WITNESSETH:"
    assert spaced(*zip("THELEASE", (0, 6, 6, 12, 6, 6, 6, 6), strict=True)) == "THE LEASE"
    assert spaced(("A", 0), ("or", 6), ("B", 6)) == "A or B"


def test_small_capitals_go_on_with_their_initial() -> None:
    initial = words("R", 50, 96, size=14)
    assert joined([*initial, *words("ESORTS", 59, 100)]) == "RESORTS"
    assert joined([*words("A", 50, 100), *words("LEASE", 58, 100)]) == "A LEASE"


def test_a_fraction_set_small_is_of_its_figure() -> None:
    assert joined([*words("$1.66", 50, 100), *words("2/3", 75, 99, size=5)]) == "$1.66⅔"


def test_rows_are_by_overlap() -> None:
    drawn = [*words("one", 50, 100), *words("two", 90, 103), *words("three", 50, 112)]
    assert [[word.text for word in row] for row in rows_of(drawn)] == [["one", "two"], ["three"]]


def test_leaders_are_left_out_and_an_ellipsis_is_not() -> None:
    written, leaders = without_leaders([*words("Notices.........vii", 50, 100)])
    assert [word.text for word in written] == ["Notices", "vii"]
    assert len(leaders) == 1
    assert without_leaders(words("and so on ...", 50, 100))[1] == []


def test_signs_stand_at_their_numbers() -> None:
    assert cell_text("$ 1,250") == "$1,250"
    assert cell_text("$ ( 12 ) %") == "$(12)%"
    assert cell_text("Income (loss) 5") == "Income (loss) 5"


def test_an_items_number_and_title_are_one_line() -> None:
    drawn = words("ITEM 1A.", 50, 100) + words("RISK FACTORS", 150, 100)
    assert [region.text for region in arrange(page(drawn))] == ["ITEM 1A. RISK FACTORS"]
