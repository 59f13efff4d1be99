"""Facts that documents list in tables of one kind, in figures and in words."""

from dataclasses import replace

from docqa.compare.facts import key_of, listed, worded_facts
from docqa.compare.figures import compare_figures
from docqa.compare.rent_rolls import compare_rent_rolls
from docqa.compare.tables import Side
from docqa.ingest.tables.make import tables_of
from docqa.types.comparison import FigureComparison, TermComparison
from docqa.types.document import Block
from tests.compare.pages import block, document, figures_of, numbered, table
from tests.compare.test_equivalents import Reader, all_near

A, B, C = document("a"), document("b"), document("c")
ALDER = table(
    "Item | Alder Point",
    "Purchase price | $19,400,000",
    "Occupancy | 94.6%",
    "Year built / refurbished | 1998 / 2019",
    "Parking | 262 spaces",
    "Use | Offices",
)
LARK = table(
    "Item | Larkspur",
    "Purchase price | $19,000,000",
    "Occupancy | 98.1%",
    "Year built | 2011",
    "Clear height | 28 ft",
    "Use | Surgeries",
    page=2,
)


def read(*texts: list[Block]) -> list[Side]:
    return [
        Side(each, {block.index: block for block in own}, tables_of(each.id, own))
        for each, own in zip((A, B, C), map(numbered, texts), strict=False)
    ]


def figures(*sides: list[Block]) -> dict[str, FigureComparison]:
    known = listed([side.tables for side in read(*sides)])
    own = {each.id: figures_of(each, side) for each, side in zip((A, B, C), sides, strict=False)}
    return {row.label: row for row in compare_figures(own, known=known)}


def worded(*sides: list[Block]) -> dict[str, TermComparison]:
    own = read(*sides)
    known = listed([side.tables for side in own])
    return {row.topic: row for row in worded_facts(own, known)}


def test_a_fact_that_one_document_alone_lists_is_told() -> None:
    rows = figures(ALDER, LARK)
    assert [(f.document_id, f.text) for f in rows["Clear height"].values] == [(B.id, "28 ft")]
    assert [(f.document_id, f.text) for f in rows["Parking"].values] == [(A.id, "262 spaces")]
    assert rows["Occupancy"].difference == "−3.5 pts"


def test_tables_that_share_one_label_are_not_of_one_kind() -> None:
    other = table("Item | Fees", "Occupancy | 98.1%", "Clear height | 28 ft", "Lifts | 3")
    assert "Clear height" not in figures(ALDER, other)
    assert not listed([side.tables for side in read(ALDER, other)]).keys


def test_the_one_label_left_that_says_more_is_the_same_fact_and_its_words_are_told() -> None:
    row = worded(ALDER, LARK)["Year built"]
    assert [side.quote for side in row.sides] == ["1998 / 2019", "2011"]
    assert [side.page for side in row.sides] == [1, 2]
    first = table(
        "Statement | 2024", "Base rent | $90", "Parking and other income | $9", "NOI | $5"
    )
    second = table("Statement | 2024", "Base rent | $80", "Other income | $7", "NOI | $6")
    income = figures(first, second)["Other income"]
    assert income.difference == "+$2"
    assert income.note == "a.pdf: Parking and other income."


QUOTE = table("Item | Elm", "Unit price | $12", "Discount | 5%", "Lead time | 6 weeks", "Make | X")
OFFER = table("Item | Oak", "Unit price | $11", "Discount | 4%", "Delivery | 8 weeks", "Type | Y")


def test_what_means_the_same_in_other_words_is_one_row_under_the_name_asked_for() -> None:
    sides = read(QUOTE, OFFER)
    scores = Reader(**{"Delivery": 0.7, "Type": 0.9})
    known = listed([side.tables for side in sides], all_near, scores)
    own = {A.id: figures_of(A, QUOTE), B.id: figures_of(B, OFFER)}
    told = {row.label: row for row in compare_figures(own, known=known)}
    assert told["Delivery"].difference == "−2 weeks"
    assert told["Delivery"].note == "a.pdf: Lead time."
    [asked] = compare_figures(own, known=known, question="Compare the lead time")
    assert (asked.label, asked.note) == ("Lead time", "b.pdf: Delivery.")
    rows = {row.topic: row for row in worded_facts(sides, known)}
    assert [side.quote for side in rows["Make / Type"].sides] == ["X", "Y"]


def test_a_row_of_a_table_that_both_list_goes_before_another_of_its_label() -> None:
    """A neighbour's year, in a table of its own, is not that of the property."""
    built = table("Beside it | Fact", "Year built | 1985 / 1990", "Roof | New", "Owner | Elm")
    row = worded([*built, *with_number(ALDER, 2)], LARK)["Year built"]
    assert [side.quote for side in row.sides] == ["1998 / 2019", "2011"]
    plain = table("Beside it | Fact", "Occupancy | 50.0%", "Roof | New", "Owner | Elm")
    occupancy = figures([*plain, *with_number(ALDER, 2)], LARK)["Occupancy"]
    assert [figure.text for figure in occupancy.values] == ["94.6%", "98.1%"]


def with_number(rows: list[Block], number: int) -> list[Block]:
    return [replace(row, table=number) for row in rows]


def test_a_fact_in_words_stands_with_who_alone_has_it() -> None:
    more = [*LARK, *table("Item | C", "Use | Storage", number=2)[1:]]
    row = worded(ALDER, more)["Use"]
    assert [side.quote for side in row.sides] == ["Offices", "Surgeries"]
    assert row.note == "differs"
    alone = worded([*ALDER[:-1]], LARK)["Use"]
    assert (alone.sides[0].quote, alone.note) == ("", "only in b.pdf")


def test_a_label_is_known_whatever_period_it_names() -> None:
    assert key_of("Net operating income, 2024") == key_of("NOI")


ROLL = table(
    "Tenant | Area (sq ft) | Annual rent ($) | Expires",
    "Café Lumen | 4,490 | 89,800 | May 31, 2030",
    "Northgate | 24,000 | 540,000 | Oct 31, 2034",
    "Total | 28,490 | 629,800 | ",
)
OTHER_ROLL = table(
    "Tenant | Area (sq ft) | Rent ($/sq ft) | Expires",
    "Galloway | 142,000 | 7.90 | Dec 31, 2032",
    "Merrow | 70,000 | 8.20 | May 31, 2028",
    page=4,
)


def rolls(*sides: list[Block]) -> dict[str, TermComparison]:
    return {row.topic: row for row in compare_rent_rolls(read(*sides))}


def test_rent_rolls_are_compared_by_their_largest_tenant_and_first_expiry() -> None:
    rows = rolls(ROLL, OTHER_ROLL)
    assert [side.quote.split(" | ")[0] for side in rows["Largest tenant"].sides] == [
        "Northgate",
        "Galloway",
    ]
    first = rows["First lease to expire"]
    assert [(s.quote.split(" | ")[0], s.page) for s in first.sides] == [
        ("Café Lumen", 1),
        ("Merrow", 4),
    ]


def test_what_is_said_of_tenants_rights_stands_beside_rent_rolls() -> None:
    one = [
        *ROLL,
        block("The rent roll is as of May 1, 2025. Café Lumen has a break option in 2028."),
        block("Northgate holds two options to extend for five years each.", page=2),
    ]
    other = [
        *OTHER_ROLL,
        block("Galloway may renew its lease once. Merrow has no option to renew.", page=3),
        block("Insurance premiums rise at renewal. The service contract may be terminated."),
    ]
    rows = rolls(one, other)
    renewing, ending = rows["Options to renew"].sides, rows["Rights to terminate"].sides
    assert [(side.quote, side.page) for side in renewing] == [
        ("Northgate holds two options to extend for five years each.", 2),
        ("Galloway may renew its lease once. Merrow has no option to renew.", 3),
    ]
    assert [side.quote for side in ending] == ["Café Lumen has a break option in 2028.", ""]


def test_a_rent_roll_says_of_which_day_it_is() -> None:
    one = [block("The rent roll below is as of May 1, 2025."), *ROLL]
    [first, second] = rolls(one, OTHER_ROLL)["Rent roll (date)"].sides
    assert (first.quote, second.quote) == ("The rent roll below is as of May 1, 2025.", "")


def test_one_rent_roll_has_nothing_to_be_compared_with() -> None:
    assert rolls(ROLL, ALDER) == {}
