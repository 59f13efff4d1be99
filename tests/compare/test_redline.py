"""Two versions of a text: every unit's fate, the words marked, and laws over any two."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.compare.redline import edits_of, redline
from docqa.compare.units import Unit, likeness, number_of, units_of
from docqa.compare.versions import naming
from docqa.types.comparison import Change
from docqa.types.document import Block
from tests.compare.pages import block, numbered, table

TERM = "4.1 The term is five years from the date of this agreement."
NOTICE = "4.2 Either party may terminate on sixty days notice in writing to the other."
FEES = "5.1 The customer pays a fee of $5,000 on the first day of each month."
LAW = "6.1 This agreement is governed by the law of the State of Ohio."
PETS = "7.1 Pets of every kind are welcome in the building at all times."


def units(*texts: str) -> list[Unit]:
    return units_of(numbered([block(text, page=place + 1) for place, text in enumerate(texts)]))


def fates(first: list[Unit], second: list[Unit]) -> list[tuple[str, str]]:
    return [(change.kind, change.number) for change in redline(first, second)]


def test_unchanged_changed_new_and_gone() -> None:
    changed = FEES.replace("$5,000", "$6,000")
    found = redline(units(TERM, NOTICE, FEES), units(TERM, changed, LAW))
    assert [(change.kind, change.number) for change in found] == [
        ("unchanged", "4.1"),
        ("gone", "4.2"),
        ("changed", "5.1"),
        ("new", "6.1"),
    ]
    fee = found[2]
    assert [edit for edit in fee.edits if edit.kind != "same"] == list(edits_of("$5,000", "$6,000"))
    assert fee.figures_changed
    assert [each.page for each in fee.first_blocks] == [3]
    assert [each.page for each in fee.second_blocks] == [2]


def test_moved_and_moved_and_changed() -> None:
    later = units(PETS, TERM, NOTICE, FEES, LAW.replace("Ohio", "Iowa"))
    earlier = units(TERM, NOTICE, FEES, LAW, PETS)
    assert fates(earlier, later) == [
        ("moved", "7.1"),
        ("unchanged", "4.1"),
        ("unchanged", "4.2"),
        ("unchanged", "5.1"),
        ("changed", "6.1"),
    ]
    swapped = units(LAW.replace("Ohio", "Iowa"), TERM, NOTICE, FEES)
    assert fates(units(TERM, NOTICE, FEES, LAW), swapped)[0] == ("moved and changed", "6.1")


def test_a_clause_that_moved_under_another_number_is_only_moved() -> None:
    later = PETS.replace("7.1", "3.1")
    [moved, *_] = redline(
        units(TERM, NOTICE, FEES, LAW, PETS), units(later, TERM, NOTICE, FEES, LAW)
    )
    assert (moved.kind, moved.number, moved.minor) == ("moved", "3.1", False)
    assert moved.first.startswith("7.1")


@pytest.mark.parametrize(("old", "new"), [("4.1", "5.1"), ("4.", "5."), ("(b)", "(c)")])
def test_a_new_number_capitals_and_hyphens_are_minor(old: str, new: str) -> None:
    [change] = redline(
        units(f"{old} Every month the sub-tenant pays the rent in full."),
        units(f"{new} Every month the Sub-Tenant pays the rent in full."),
    )
    assert (change.kind, change.minor, change.figures_changed) == ("changed", True, False)


def test_headings_printed_in_capitals_are_the_same_headings() -> None:
    first = [block("3 Rent review", kind="heading"), block(TERM), block("4 Use", kind="heading")]
    second = [block("3. RENT REVIEW", kind="heading"), block(TERM), block("4. USE", kind="heading")]
    found = redline(units_of(numbered(first)), units_of(numbered(second)))
    assert [(each.kind, each.minor) for each in found] == [
        ("changed", True),
        ("unchanged", False),
        ("changed", True),
    ]


def test_a_full_stop_after_a_number_and_a_hyphen_in_a_word_are_no_change() -> None:
    printed = TERM.replace("4.1", "4.1.").replace("agreement", "agree-ment")
    assert fates(units(TERM), units(printed)) == [("unchanged", "4.1")]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [("nine months", "six months", True), ("25 June", "25 August", True), ("shall", "may", False)],
)
def test_numbers_in_words_and_months_are_numbers_that_change(
    old: str, new: str, changed: bool
) -> None:
    clause = "13.1 The Tenant {} end this lease by notice in writing to the Landlord."
    [change] = redline(units(clause.format(old)), units(clause.format(new)))
    assert (change.kind, change.figures_changed) == ("changed", changed)


def test_a_clause_reworded_under_its_number_is_changed() -> None:
    first = "2.3 Passwords can contain spaces and are not cut."
    second = "2.3 No cutting of passwords is performed, though many spaces may become one."
    assert fates(units(first, TERM), units(second, TERM))[0][0] in ("changed", "gone")
    nearer = "2.3 Passwords can contain spaces, and consecutive ones may be merged."
    assert fates(units(first, TERM), units(nearer, TERM))[0] == ("changed", "2.3")


def test_a_numbers_capitals_are_those_printed_and_tell_no_number_from_another() -> None:
    first = "Exhibit A Passwords can contain spaces and are not cut."
    second = "EXHIBIT A Passwords can contain spaces, and consecutive ones may be merged."
    assert fates(units(first, TERM), units(second, TERM))[0] == ("changed", "EXHIBIT A")


def test_a_paragraph_cut_in_two_is_not_a_change() -> None:
    """A heading between keeps the reader's pieces apart, so they are joined by their words."""
    whole = "The tenant keeps the premises in good repair, order and condition at its own cost."
    cut = whole.index("order")
    halves = [
        block(whole[:cut].strip(), kind="list"),
        block(whole[cut:].strip().capitalize(), kind="list"),
    ]
    [change] = redline(units_of(numbered(halves)), units(whole))
    assert change.kind == "changed"
    assert change.minor


def test_rows_keep_their_marks_beside_their_words() -> None:
    rows = table(
        "# | Description | L1 | CWE",
        "1.1.1 | Verify that threats are modeled for every change | ✓ | 1053",
        " | of the design.",
        "1.1.2 | Verify that trust boundaries are documented. | ✓ | 1059",
    )
    rest = block("✓ ✓ 637", kind="list")
    found = units_of(numbered([*rows, rest]))
    assert [(unit.number, unit.words, unit.marks) for unit in found] == [
        (
            "1.1.1",
            "1.1.1 Verify that threats are modeled for every change of the design.",
            "✓ 1053",
        ),
        ("1.1.2", "1.1.2 Verify that trust boundaries are documented.", "✓ 1059 ✓ ✓ 637"),
    ]


def test_a_row_that_runs_on_below_its_table_is_whole() -> None:
    rows = table("# | Description", "1.1.4 | Verify documentation of all trust boundaries,")
    [unit] = units_of(numbered([*rows, block("components, and data flows.")]))
    assert unit.words.endswith("boundaries, components, and data flows.")


def test_the_lines_of_a_row_are_put_together_by_column() -> None:
    """Where the reader gives a row of a page by its lines, and where as one row, it is the same."""
    lines = table(
        "# | Description | L1 | L2",
        "3.3.2 | Verify that users sign in again | 30 | 12 hours or",
        " | after a time. | days | 30 minutes",
        " | (C6) | | ",
    )
    whole = table("3.3.2 | Verify that users sign in again after a time. (C6) | 30 days | 12 hours")
    [unit] = units_of(numbered(lines))
    [other] = units_of(numbered(whole))
    assert unit.words == f"{other.words} or 30 minutes"


def test_the_rest_of_a_row_on_the_next_page_is_no_header() -> None:
    """There it stands first in its table, so the reader may take it for names of columns."""
    rows = table("# | Description", "2.1.7 | Verify that passwords in use, if the password is")
    names, *_ = table("# | Description", page=2, number=2, start=2)
    rest, *more = table(" | breached, are set anew. (C6)", "2.1.8 | Verify that", page=2, number=2)
    found = units_of(numbered([*rows, names, rest, *more]))
    assert [unit.number for unit in found] == ["2.1.7", "2.1.8"]
    assert found[0].words.endswith("if the password is breached, are set anew. (C6)")
    assert [each.page for each in found[0].blocks] == [1, 2]


def test_names_of_columns_are_no_part_of_a_finished_row() -> None:
    rows = table("# | Description", "2.1.7 | Verify that passwords are long.")
    names, *_ = table(" | Requirements of the second part", page=2, number=2)
    [unit] = units_of(numbered([*rows, names]))
    assert unit.words == "2.1.7 Verify that passwords are long."


def test_running_heads_are_no_units() -> None:
    blocks: list[Block] = [block("Page 3", kind="footer"), block(TERM), block("", kind="text")]
    assert [unit.words for unit in units_of(blocks)] == [TERM]


def test_numbers_of_clauses() -> None:
    texts = ["4.2 Rent", "4.2.1. Rent", "3. Term", "(b) the Tenant", "V2.1 Passwords", "Section 3"]
    assert [number_of(text) for text in texts] == [
        "4.2",
        "4.2.1",
        "3",
        "(b)",
        "V2.1",
        "Section 3",
    ]
    assert [number_of(text) for text in ("12 months", "Rent 4.2", "$4.20 each")] == ["", "", ""]


def test_versions_are_told_from_other_documents() -> None:
    one = units(TERM, NOTICE, FEES, LAW)
    assert min(likeness(one, units(TERM, NOTICE, FEES, PETS))) > 0.5
    assert likeness(one, units("Two and two make four in any country you like.")) == (0, 0)
    assert likeness(one, []) == (0, 0)
    of_smaller, of_larger = likeness(one, one[:1])
    assert of_smaller == 1
    assert of_larger < 0.5


words = st.sampled_from(["rent", "term", "fee", "law", "pets", "5", "60", "Ohio", "the", "of"])
texts = st.lists(words, min_size=1, max_size=9).map(" ".join)
versions = st.lists(texts, max_size=7)


def taken(changes: tuple[Change, ...], *, second: bool) -> Counter[str]:
    sides = ((change.second if second else change.first) for change in changes)
    return Counter(word for side in sides for word in side.replace(" | ", " ").split())


@given(first=versions, second=versions)
def test_every_word_of_either_version_is_in_one_change(first: list[str], second: list[str]) -> None:
    changes = redline(units(*first), units(*second))
    assert taken(changes, second=False) == Counter(" ".join(first).split())
    assert taken(changes, second=True) == Counter(" ".join(second).split())


@given(first=versions)
def test_a_text_against_itself_is_unchanged(first: list[str]) -> None:
    own = units(*first)
    changes = redline(own, own)
    assert [change.kind for change in changes] == ["unchanged"] * len(own)
    assert all(change.edits == () for change in changes)


@given(first=texts, second=texts)
def test_the_edits_lead_from_one_wording_to_the_other(first: str, second: str) -> None:
    edits = edits_of(first, second)
    assert " ".join(e.text for e in edits if e.kind != "new").split() == first.split()
    assert " ".join(e.text for e in edits if e.kind != "gone").split() == second.split()
    assert all(one.kind != other.kind for one, other in pairwise(edits))


def test_what_changed_concerns_a_subject_that_it_names() -> None:
    first = [TERM, "7.1 A sub-processor is named in Annex A.", LAW]
    second = [TERM.replace("five", "six"), first[1].replace("Annex A", "Annex B"), LAW]
    blocks = [numbered([block(text) for text in each]) for each in (first, second)]
    changes = redline(*map(units_of, blocks))
    assert [change.number for change in naming(changes, "Subprocessors")] == ["7.1"]
