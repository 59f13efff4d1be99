"""Labels: minted once, fair within a budget, resolved to the blocks they name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.answer.evidence import (
    add_evidence,
    block_label,
    choose_hits,
    citations_in,
    page_as_hit,
    resolve,
    tidy_markers,
    without_given,
)
from docqa.types.search import Hit
from tests.answer.passages import block, document, hit, statement

A, B = document("Lease A.pdf"), document("Lease B.pdf")
THREE = add_evidence((), [hit("One.", block("Two.", 2), "Three.", of=A)])


def many(owner_letters: str, length: int) -> list[Hit]:
    """One hit of ``length`` characters for each letter, of the document of that letter."""
    return [
        hit("x" * length, of={"A": A, "B": B}[letter], index=i)
        for i, letter in enumerate(owner_letters)
    ]


def test_every_document_gets_its_turn_when_room_is_short() -> None:
    hits = many("AAAB", 100)
    assert choose_hits(hits, max_chars=250) == [hits[0], hits[3]]


def test_without_shortage_nothing_is_left_out_and_the_order_stays() -> None:
    hits = many("AABA", 100)
    assert choose_hits(hits, max_chars=400) == hits


def test_the_first_hit_is_taken_whatever_its_length() -> None:
    hits = many("AB", 5000)
    assert choose_hits(hits, max_chars=100) == hits[:1]


def test_a_hit_too_long_is_passed_over_for_the_next() -> None:
    hits = [
        hit("x" * 60, of=A),
        hit("x" * 90, of=A, index=1),
        hit("x" * 30, of=A, index=2),
    ]
    assert choose_hits(hits, max_chars=100) == [hits[0], hits[2]]


def test_no_label_is_given_twice_where_only_some_passages_are_left() -> None:
    left = (THREE[0], add_evidence(THREE, [hit("Four.", of=B)])[-1])[1:]
    grown = add_evidence(left, [hit("Five.", "Six.", of=A, index=5)])
    assert [piece.label for piece in grown] == ["S2", "S3"]
    assert resolve("S3.2", grown).quote == "Six."


@given(
    owners=st.text("AB", max_size=20),
    length=st.integers(1, 200),
    room=st.integers(0, 2000),
)
def test_chosen_hits_fit_and_keep_their_order(owners: str, length: int, room: int) -> None:
    hits = many(owners, length)
    chosen = choose_hits(hits, max_chars=room)
    assert chosen == [each for each in hits if each in chosen]
    assert len(chosen) <= max(1, room // length)
    assert bool(chosen) == bool(hits)


def test_a_chunk_found_again_keeps_its_label() -> None:
    first, second = hit("One.", of=A), hit("Two.", of=A, index=1)
    once = add_evidence((), [first, second])
    again = add_evidence(once, [second, hit("Three.", of=B), second])
    assert [piece.label for piece in again] == ["S1", "S2", "S3"]
    assert again[:2] == once


def test_a_label_stands_for_blocks_their_page_and_their_text() -> None:
    whole, one, run = (resolve(label, THREE) for label in ("S1", "S1.2", "S1.2-3"))
    assert whole.quote == "One.\n\nTwo.\n\nThree."
    assert (one.page, one.quote, one.document) == (2, "Two.", "Lease A.pdf")
    assert run.blocks == THREE[0].hit.chunk.blocks[1:]


@pytest.mark.parametrize(
    ("written", "label"), [("S1.1-3", "S1"), ("S1.2-2", "S1.2"), ("S1.2-3", "S1.2-3")]
)
def test_a_label_has_one_form(written: str, label: str) -> None:
    assert resolve(written, THREE).label == label


@pytest.mark.parametrize("label", ["S2", "S1.0", "S1.4", "S1.3-2", "S1.2-9", "s1", "1", ""])
def test_a_label_for_nothing_is_refused(label: str) -> None:
    with pytest.raises(KeyError):
        resolve(label, THREE)


@given(count=st.integers(1, 30), data=st.data())
def test_a_block_label_resolves_to_its_blocks(count: int, data: st.DataObject) -> None:
    evidence = add_evidence((), [hit(*(f"Block {n}." for n in range(count)))])
    first = data.draw(st.integers(1, count))
    last = data.draw(st.integers(first, count))
    label = block_label("S1", first, last, of=count)
    citation = resolve(label, evidence)
    assert citation.label == label
    assert citation.blocks == evidence[0].hit.chunk.blocks[first - 1 : last]


def test_markers_take_one_form_and_unknown_ones_are_told() -> None:
    text, unknown = tidy_markers("Rent [S1, S1.2–3]. Term [S9]. Both [S1.1-S1.2; S7].", THREE)
    assert text == "Rent [S1][S1.2-3]. Term. Both [S1.1-2]."
    assert unknown == ("S9", "S7")


def test_citations_stand_in_the_order_of_their_markers() -> None:
    citations = citations_in("B [S1.3]. A [S1.1][S1.3].", THREE)
    assert [citation.label for citation in citations] == ["S1.3", "S1.1"]


def test_other_brackets_are_left_alone() -> None:
    text = "As [defined] in [Section 3] and [S-1] [1]."
    assert tidy_markers(text, THREE) == (text, ())


def test_a_page_read_whole_can_be_cited() -> None:
    evidence = add_evidence(THREE, [page_as_hit(B, 7, [block("Rent is $5.", 7)])])
    assert resolve("S2", evidence).page == 7
    assert resolve("S2", evidence).document_id == B.id


def test_a_cited_row_has_its_header_period_and_scale() -> None:
    found, _ = statement()
    cited = resolve("S1.5", add_evidence((), [found]))
    assert cited.quote == "Impaired | (2)"
    assert cited.shown == "Current assets › Impaired: (2) (2022); $, in thousands"


def test_what_is_no_row_is_quoted_as_it_is_printed() -> None:
    found, _ = statement()
    title = resolve("S1.1", add_evidence((), [found]))
    assert title.shown == "Balance sheets"
    whole = resolve("S1", add_evidence((), [found]))
    assert whole.shown == whole.quote


def test_what_was_given_is_left_out_of_what_is_found_later() -> None:
    found, _ = statement()
    given = add_evidence((), [found.holding(found.chunk.blocks[2:4])])
    (rest,) = without_given([found, found], given)
    assert [block.index for block in rest.chunk.blocks] == [0, 1, 4]
    assert without_given([found], add_evidence(given, [rest])) == []
