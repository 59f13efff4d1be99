"""Passages in pieces: clauses and tables apart, headings with what they head, nothing twice."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.compare.gather import nearest_to
from docqa.compare.pieces import pieces_of
from docqa.types.document import Block, BlockKind, Chunk
from docqa.types.search import Hit
from tests.compare.pages import block, document, hit, numbered, table

OWN = document("a")
CLAUSE = "{} The tenant shall keep the premises in good repair and pay for it in full."


def passage(*blocks: Block, index: int = 0, headings: tuple[str, ...] = ()) -> Hit:
    chunk = Chunk(f"id-a:{index}", OWN.id, index, blocks, headings, context="A › Repair")
    return Hit(chunk, OWN, {"dense": 0.5})


def test_each_numbered_clause_is_a_piece() -> None:
    heading = block("4. Repair", kind="heading")
    blocks = numbered([heading, block(CLAUSE.format("4.1")), block(CLAUSE.format("4.2"))])
    first, second = pieces_of([passage(*blocks, headings=("Terms", "3. Rent"))])
    assert first.chunk.blocks == tuple(blocks[:2])
    assert second.chunk.blocks == tuple(blocks[2:])
    assert [first.chunk.id, second.chunk.id] == ["id-a:0/0", "id-a:0/1"]
    assert first.chunk.headings == second.chunk.headings == ("Terms", "4. Repair")
    assert first.chunk.context == "A"
    assert first.scores == {"dense": 0.5}


def test_a_table_is_apart_from_the_text_around_it() -> None:
    before, after = block("Rents are as follows in this year."), block("They are paid monthly.")
    rows = table("Tenant | Rent", "North | $5", "South | $6")
    found = pieces_of([passage(*numbered([before, *rows, after]))])
    assert [piece.chunk.kind for piece in found] == ["text", "table", "text"]
    assert len(found[1].chunk.blocks) == 3


def test_rows_in_words_are_pieces_and_rows_of_figures_are_one() -> None:
    use = "Use | Research, light assembly and offices that go with either of these"
    rent = "Rent | Payable by equal monthly payments in advance on the first day"
    worded = table("Term | Particulars", use, "Area | 8,400", rent)
    found = pieces_of([passage(*numbered(worded))])
    assert [piece.chunk.blocks for piece in found] == [
        tuple(worded[:2]),
        (worded[2], worded[3]),
    ]
    figures = table("| 2023 | 2024", *(f"Line {n} of the income | {n}00 | {n}50" for n in range(9)))
    assert len(pieces_of([passage(*numbered(figures))])) == 1


def test_a_passage_of_one_piece_keeps_its_id() -> None:
    [piece] = pieces_of([passage(block(CLAUSE.format("4.1")))])
    assert piece.chunk.id == "id-a:0"


def test_what_two_passages_share_is_in_one_piece() -> None:
    shared = replace(block(CLAUSE.format("4.1")), index=3)
    own = replace(block(CLAUSE.format("4.2")), index=4)
    found = pieces_of([passage(shared), passage(shared, own, index=1)])
    assert [piece.chunk.blocks for piece in found] == [(shared,), (own,)]


def test_headings_alone_are_no_piece() -> None:
    assert pieces_of([passage(block("Execution", kind="heading"))]) == ()


kinds = st.sampled_from(["text", "heading", "list"])


@settings(deadline=None)  # a busy machine is no fault
@given(kinds=st.lists(kinds, max_size=9), lengths=st.lists(st.integers(1, 900), min_size=9))
def test_no_text_is_lost_or_doubled(kinds: list[BlockKind], lengths: list[int]) -> None:
    blocks = numbered(
        [block("x" * length, kind=kind) for kind, length in zip(kinds, lengths, strict=False)]
    )
    found = pieces_of([passage(*blocks)] if blocks else [])
    held = [each for piece in found for each in piece.chunk.blocks]
    assert [each for each in held if each.kind != "heading"] == [
        each for each in blocks if each.kind != "heading"
    ]
    assert len({each.index for each in held}) == len(held)


def test_the_nearest_to_the_question_are_kept_best_first() -> None:
    hits = [hit("a", place, str(place)) for place in range(3)]
    vectors = np.array([[0.6, 0.8], [1, 0], [0, 1]], dtype=np.float32)
    question = np.array([1, 0], dtype=np.float32)
    found, kept = nearest_to(question, hits, vectors, limit=2)
    assert [each.chunk.index for each in found] == [1, 0]
    assert found[1].scores["dense"] == pytest.approx(0.6)
    assert kept.tolist() == vectors[[1, 0]].tolist()
    assert nearest_to(question, [], vectors[:0], limit=2)[0] == ()
