"""Pages that a layout model has seen: its regions, our words, cells and order."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.geometry.cells import Grid
from docqa.ingest.geometry.layout import Arranged, Page, Region, Sight
from docqa.ingest.geometry.layout import arrange as arrange_unseen
from docqa.ingest.geometry.layout_regions import arrange
from docqa.ingest.geometry.roles import classify
from docqa.ingest.geometry.words import Word, turned
from docqa.types.document import BlockKind, Box
from tests.ingest.drawn import HEIGHT, WIDTH, flush_right, page, ruled, words

LOREM = "the tenant shall keep the premises in good repair at all times and at its own cost"
WHOLE = Box(40, 90, 580, 400)


def body(top: float, *, lines: int = 4) -> list[Word]:
    return [word for at in range(lines) for word in words(LOREM, 72, top + 12 * at)]


def seen(drawn: Page, *sights: Sight) -> list[Region]:
    return arrange(replace(drawn, sights=sights))


def kinds(drawn: Page, *sights: Sight) -> list[tuple[BlockKind, str]]:
    """Kinds and texts as the whole document, here one page, settles them."""
    made = replace(drawn, sights=sights)
    (told,) = classify([Arranged.of(made, arrange(made))])
    return [(region.kind, region.text) for region in told.regions]


def text_of(grid: Grid | None) -> list[list[str]]:
    assert grid is not None
    rows: list[list[str]] = [[] for _ in range(grid.rows)]
    for cell in sorted(grid.cells, key=lambda cell: (cell.row, cell.column)):
        rows[cell.row].append(cell.text)
    return rows


def statement(top: float) -> list[Word]:
    """Two columns of figures in two rows under their years, with no rule: labels are long."""
    rows = [("Rent and other income", "1,480", "1,410"), ("Operating costs", "280", "270")]
    drawn = [*flush_right("2023", 400, top), *flush_right("2022", 480, top)]
    for at, (label, *figures) in enumerate(rows, start=1):
        drawn += words(label, 72, top + 16 * at)
        for right, figure in zip((400, 480), figures, strict=True):
            drawn += flush_right(figure, right, top + 16 * at)
    return drawn


def test_without_sights_geometry_lays_the_page_out_alone() -> None:
    drawn = page(words("Rents", 72, 100, size=18), body(140), statement(300))
    assert arrange(drawn) == arrange_unseen(drawn)


def test_the_model_tells_a_heading_that_type_does_not() -> None:
    drawn = page(words("a plain line", 72, 100), body(112))
    assert kinds(drawn) == [("text", f"a plain line {LOREM} {LOREM} {LOREM} {LOREM}")]
    heading = Sight("heading", Box(70, 99, 200, 111))
    assert kinds(drawn, heading)[0] == ("heading", "a plain line")


def test_type_makes_no_heading_of_what_the_model_calls_text() -> None:
    drawn = page(words("Rents and yields", 72, 100, size=18), body(140))
    assert kinds(drawn)[0] == ("heading", "Rents and yields")
    assert kinds(drawn, Sight("text", Box(70, 95, 400, 120)))[0] == ("text", "Rents and yields")


def test_running_text_stands_at_the_edge() -> None:
    drawn = page(words("Lease of the premises", 72, 40), body(300))
    edge, amid = Sight("header", Box(70, 30, 400, 60)), Sight("footer", Box(60, 290, 560, 400))
    assert [kind for kind, _ in kinds(drawn, edge, amid)] == ["header", "text"]


def test_words_outside_of_every_sight_are_kept() -> None:
    drawn = page(body(100), words("Left over by the model, with a full stop.", 72, 300))
    told = kinds(drawn, Sight("text", Box(60, 95, 560, 150)))
    assert [text for _, text in told][1:] == ["Left over by the model, with a full stop."]


def test_a_tables_cells_stand_under_one_another() -> None:
    (region,) = seen(page(statement(100)), Sight("table", WHOLE))
    assert text_of(region.grid) == [
        ["2023", "2022"],
        ["Rent and other income", "1,480", "1,410"],
        ["Operating costs", "280", "270"],
    ]


def test_prose_in_two_columns_is_a_table_where_the_model_says_so() -> None:
    entries = [("Landlord", "who lets the premises"), ("Tenant", "who takes them for a term")]
    drawn = page(
        *(words(text, x, 100 + 16 * y) for y, row in enumerate(entries) for x, text in
          zip((72, 200), row, strict=True))
    )  # fmt: skip
    assert all(region.kind != "table" for region in arrange(drawn))
    (region,) = seen(drawn, Sight("table", WHOLE))
    assert text_of(region.grid) == [list(row) for row in entries]


def test_a_tables_rules_make_its_cells_and_its_title_is_none() -> None:
    drawn = page(
        words("(in thousands)", 72, 95),
        words("Rent", 60, 130), words("due in advance", 60, 142), words("25", 210, 130),
        words("Costs", 60, 170), words("7", 210, 170),
    )  # fmt: skip
    drawn = replace(drawn, rules=tuple(ruled([50, 200, 300], [120, 160, 190])))
    units, table = seen(drawn, Sight("table", WHOLE))
    assert (units.kind, units.text) == ("caption", "(in thousands)")
    assert text_of(table.grid) == [["Rent due in advance", "25"], ["Costs", "7"]]


def test_one_column_is_no_table_whatever_the_model_says() -> None:
    drawn = page(body(100))
    assert [r.kind for r in seen(drawn, Sight("table", WHOLE))] == ["text"]


def test_words_in_a_picture_stay_apart_from_the_text_beside_it() -> None:
    drawn = page(body(100), words("Rents", 72, 154, size=12), words("and costs", 72, 190))
    told = kinds(drawn, Sight("picture", Box(60, 150, 400, 300)), Sight("text", WHOLE))
    assert ("picture", "") in told
    assert [(kind, text) for kind, text in told if text.startswith(("Rents", "and"))] == [
        ("text", "Rents"),
        ("text", "and costs"),
    ]


def test_of_two_sights_that_hold_a_word_the_smaller_has_it() -> None:
    drawn = page(words("Rents", 72, 100), body(140))
    told = kinds(drawn, Sight("text", WHOLE), Sight("heading", Box(70, 98, 200, 112)))
    assert told[0] == ("heading", "Rents")


def test_a_table_printed_sideways_is_read_upright() -> None:
    upright = page(statement(100))
    lying = replace(
        upright,
        width=HEIGHT,
        height=WIDTH,
        words=tuple(
            replace(word, box=turned(word.box, 3, WIDTH, HEIGHT), turn=1) for word in upright.words
        ),
    )
    (region,) = seen(lying, Sight("table", turned(WHOLE, 3, WIDTH, HEIGHT)))
    assert text_of(region.grid) == text_of(seen(upright, Sight("table", WHOLE))[0].grid)


boxes = st.tuples(*[st.integers(0, 600)] * 4).map(
    lambda at: Box(min(at[:2]), min(at[2:]), max(at[:2]), max(at[2:]))
)
sights = st.builds(
    Sight,
    st.sampled_from(["text", "heading", "list", "table", "picture", "caption", "footer", "code"]),
    boxes,
)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 40)), max_size=60),
    st.lists(sights, max_size=6),
)
def test_every_word_is_in_exactly_one_region(
    places: list[tuple[int, int]], given_sights: list[Sight]
) -> None:
    drawn = [words(f"word{at}", 40 + 55 * x, 40 + 17 * y) for at, (x, y) in enumerate(set(places))]
    regions = seen(page(*drawn), *given_sights)
    found = [word.text for region in regions for line in region.lines for word in line.words]
    assert sorted(found) == sorted(word.text for part in drawn for word in part)
    for region in regions:
        if region.grid:
            written = " ".join(cell.text for cell in region.grid.cells).split()
            assert sorted(written) == sorted(w.text for line in region.lines for w in line.words)
