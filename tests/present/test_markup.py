"""Text as typed parts: what Markdown is read, and that nothing else ever is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.present.as_nodes import as_nodes
from docqa.present.as_text import plain
from docqa.present.document import Heading, Inline, Listing, Mark, Paragraph, Part, Table, Words
from docqa.present.markup import prose, settled, verbatim

HOSTILE = [
    "$1.2M to $19.4M",
    "a_b_c and __init__ and *one star*",
    "<script>alert(1)</script> <img src=x onerror=alert(1)>",
    "`code` and ``` fences",
    "![](https://example.com/beacon.png) [text](javascript:alert(1))",
    ":red[colour] :material/delete: :smile:",
    "العقد ينتهي 2026 and 契約期間",
    "a -> b, 5 <= 6, A & B &amp; C",
    "1 | 2 | 3",
]


def words(parts: tuple[Part, ...]) -> str:
    return plain(parts, citations={"S1": "[S1]"})


def only(parts: tuple[Part, ...]) -> Part:
    assert len(parts) == 1
    return parts[0]


@pytest.mark.parametrize("text", HOSTILE)
def test_everything_but_the_little_that_is_read_stays_as_written(text: str) -> None:
    assert only(prose(text)) == Paragraph((Words(text),))
    assert only(verbatim(text)) == Paragraph((Words(text),))


def test_bold_and_citations() -> None:
    assert prose("It is **$5 [S1]** a day [S2.3-4].", labels=["S1", "S2.3-4"]) == (
        Paragraph(
            (
                Words("It is "),
                Words("$5 ", strong=True),
                Mark("S1"),
                Words(" a day "),
                Mark("S2.3-4"),
                Words("."),
            )
        ),
    )


def test_a_label_nothing_stands_for_stays_text() -> None:
    assert only(prose("See [S9] and [sic].", labels=["S1"])) == Paragraph(
        (Words("See [S9] and [sic]."),)
    )


def test_stars_that_do_not_enclose_stay() -> None:
    for text in ("2 ** 3 ** 4", "**open", "a ** b"):
        assert only(prose(text)) == Paragraph((Words(text),))


def test_headings_and_lists() -> None:
    parts = prose(
        "## Terms\nThe rent:\n- base [S1]\n- turnover\n\n3. three\n4. four", labels=["S1"]
    )
    assert parts == (
        Heading((Words("Terms"),)),
        Paragraph((Words("The rent:"),)),
        Listing(((Words("base "), Mark("S1")), (Words("turnover"),))),
        Listing(((Words("three"),), (Words("four"),)), first=3),
    )


def test_an_indented_line_belongs_to_its_item() -> None:
    assert only(prose("- one\n  more of one\n- two")) == Listing(
        ((Words("one\nmore of one"),), (Words("two"),))
    )


def test_a_table_with_a_bar_inside_a_cell() -> None:
    text = "| Item | A | B |\n|:--|--:|---|\n| NOI | $1.2M [S1] | a\\|b |\n| Short |\n\nAfter."
    assert prose(text, labels=["S1"]) == (
        Table(
            ((Words("Item"),), (Words("A"),), (Words("B"),)),
            (
                ((Words("NOI"),), (Words("$1.2M "), Mark("S1")), (Words("a|b"),)),
                ((Words("Short"),), (), ()),
            ),
        ),
        Paragraph((Words("After."),)),
    )


def test_bars_without_a_rule_below_are_no_table() -> None:
    assert only(prose("a | b\nc | d")) == Paragraph((Words("a | b\nc | d"),))


def test_quotes_are_not_read_as_markdown() -> None:
    text = "“# 5 **pounds** _net_” [S1]\n\n| a |\n1. x"
    assert verbatim(text, labels=["S1"]) == (
        Paragraph((Words("“# 5 **pounds** _net_” "), Mark("S1"))),
        Paragraph((Words("| a |\n1. x"),)),
    )


def test_several_quotes_are_a_list_and_one_is_not() -> None:
    assert verbatim("Lease.pdf:\n- “one” [S1]\n- “two”", labels=["S1"]) == (
        Paragraph((Words("Lease.pdf:"),)),
        Listing(((Words("“one” "), Mark("S1")), (Words("“two”"),))),
    )
    assert only(verbatim("- 5.2 °C")) == Paragraph((Words("- 5.2 °C"),))
    assert only(verbatim("- Rent: “one”")) == Listing(((Words("Rent: “one”"),),))


def test_what_has_items_below_it_stands_above_their_list() -> None:
    text = "In:\n- Rents:\n  - A: 1\n  - B: 2\n- “Term.”\n- Areas:\n  - C: 3"
    assert verbatim(text) == (
        Paragraph((Words("In:"),)),
        Paragraph((Words("Rents:"),)),
        Listing(((Words("A: 1"),), (Words("B: 2"),))),
        Listing(((Words("“Term.”"),),)),
        Paragraph((Words("Areas:"),)),
        Listing(((Words("C: 3"),),)),
    )


def test_a_quote_does_not_begin_with_the_sign_of_the_list_it_was_taken_from() -> None:
    said = only(verbatim("“• Income has grown. • It has.” and “– Rent”, not “– 5.2”"))
    assert said == Paragraph((Words("“Income has grown. • It has.” and “Rent”, not “– 5.2”"),))


def test_the_table_of_a_comparison_is_read_and_its_cells_are_not() -> None:
    text = "| Metric | A |\n| --- | --- |\n| **NOI** | $1 [S1] |"
    assert only(verbatim(text, labels=["S1"])) == Table(
        ((Words("Metric"),), (Words("A"),)),
        (((Words("**NOI**"),), (Words("$1 "), Mark("S1"))),),
    )


@pytest.mark.parametrize(
    ("arriving", "shown"),
    [
        ("It is $5 [S1", "It is $5 "),
        ("It is $5 [S1.2-", "It is $5 "),
        ("It is $5 [", "It is $5 "),
        ("It is $5 [S1].", "It is $5 [S1]."),
        ("an array [1, 2", "an array [1, 2"),
    ],
)
def test_a_mark_that_has_only_begun_to_arrive_waits(arriving: str, shown: str) -> None:
    assert settled(arriving) == shown


def strongless(inlines: tuple[Inline, ...]) -> str:
    return "".join(v.text if isinstance(v, Words) else f"[{v.label}]" for v in inlines)


@given(st.text(alphabet="ab $*_|#-<>[]`\\\n1.S", max_size=80))
def test_no_text_is_lost_or_invented(text: str) -> None:
    """Only the signs that are read may go: stars, bars, rules, bullets, numbers, backslashes."""
    signs = str.maketrans("", "", "*|-#•\\ \n\t.01")
    drawn = words(prose(text, labels=["S1"]))
    assert drawn.translate(signs) == text.translate(signs)


@given(st.text(max_size=200))
def test_any_text_becomes_nodes_that_are_plain_values(text: str) -> None:
    for parts in (prose(text, labels=["S1"]), verbatim(text, labels=["S1"])):
        nodes = as_nodes(parts, place=["S1"].index)
        assert json.loads(json.dumps(nodes)) == nodes


@given(st.text(alphabet=st.characters(exclude_characters="\n|"), min_size=1, max_size=60))
def test_one_quoted_line_is_shown_as_it_is(line: str) -> None:
    if line.strip():
        assert only(verbatim(line)) == Paragraph((Words(line),))
