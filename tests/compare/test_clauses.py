"""Clauses paired by their headings and words, with what is nearest to one that stands alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docqa.compare.clauses import clauses_of, compare_clauses
from docqa.compare.terms import Sentence, sentences_of
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Block
from tests.compare.pages import block, document, numbered

A, B, C = document("a"), document("b"), document("c")
WORDS = ("repair", "roof", "notice", "post", "offer", "refusal", "soil", "environmental", "pay")


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors of length 1 of which words a text has: no network, but as a network is called."""
    rows = np.array([[word in text.lower() for word in WORDS] for text in texts], np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-6), np.float32)


def clause(heading: str, *texts: str) -> list[Block]:
    return [block(heading, kind="heading"), *(block(text) for text in texts)]


def read(*clauses: list[Block]) -> list[Sentence]:
    return sentences_of(numbered([each for clause in clauses for each in clause]))


FIRST = read(
    clause("1. Definitions", "1.1 Words have the meaning given to them."),
    clause("11. Repair", "11.1 The Tenant shall repair the roof.", "11.2 And the walls."),
    clause("12. Right of First Refusal", "12.1 The Landlord shall first offer Level 15."),
    clause("13. Notices", "13.1 A notice is sent by post."),
)
SECOND = read(
    clause("8. Notices", "8.1 Notice may be sent by post."),
    clause("9. Roof and Repair", "9.1 The Landlord shall keep the roof in repair."),
    clause("10. Environmental Matters", "10.1 The soil is the Landlord's."),
)


def compared(
    first: list[Sentence], second: list[Sentence], *terms: TermComparison
) -> dict[str, TermComparison]:
    rows = compare_clauses([A, B], {A.id: first, B.id: second}, terms, encode)
    return {row.topic: row for row in rows}


def test_clauses_are_paired_by_what_they_mean_in_the_firsts_order() -> None:
    rows = compared(FIRST, SECOND)
    assert list(rows)[:2] == ["Repair", "Notices"]
    assert [side.quote for side in rows["Repair"].sides] == [
        "11.1 The Tenant shall repair the roof. 11.2 And the walls.",
        "9.1 The Landlord shall keep the roof in repair.",
    ]
    assert rows["Notices"].note == "differs"


def test_a_heading_in_capitals_keeps_the_letters_of_its_parts() -> None:
    headings = ("1. REPAIR UNDER EXHIBIT A", "2. NOTICES OF ARTICLE IV")
    own = read(*(clause(each, f"{each[0]}.1 Roof and post are paid.") for each in headings))
    assert list(compared(own, own)) == ["Repair under Exhibit A", "Notices of Article IV"]


def test_what_one_alone_has_stands_beside_the_others_nearest_clause() -> None:
    rows = compared(FIRST, SECOND)
    lone = rows["Right of First Refusal"]
    assert lone.note == "only in a.pdf"
    assert lone.sides[1].quote == ""
    assert lone.sides[1].nearest_page == 1
    assert lone.sides[1].nearest_quote
    assert rows["Environmental Matters"].sides[0].nearest_quote
    assert "Definitions" not in rows


def test_a_clause_that_a_topic_has_quoted_is_not_told_again() -> None:
    quoted = next(each for each in FIRST if each.text.startswith("11.1"))
    side = TermSide(A.id, A.name, quoted.text, quoted.blocks)
    term = TermComparison("Upkeep", (side, TermSide(B.id, B.name)))
    assert "Repair" not in compared(FIRST, SECOND, term)


def test_of_three_the_others_are_held_against_each_other_too() -> None:
    third = read(
        clause("Notices", "A notice goes by post."),
        clause("Environmental", "The soil is clean."),
    )
    sides = {A.id: FIRST, B.id: SECOND, C.id: third}
    rows = {r.topic: r for r in compare_clauses([A, B, C], sides, (), encode)}
    assert [bool(side.quote) for side in rows["Notices"].sides] == [True, True, True]
    assert [bool(side.quote) for side in rows["Environmental Matters"].sides] == [False, True, True]
    assert rows["Environmental Matters"].note == "only in b.pdf and c.pdf"
    assert rows["Right of First Refusal"].note == "only in a.pdf"
    shared = compare_clauses([A, B, C], sides, (), encode, tells_alone=False)
    assert [row.topic for row in shared] == ["Repair", "Notices", "Environmental Matters"]


def test_of_text_without_headings_no_clauses_are_paired() -> None:
    plain = sentences_of([block("The Tenant shall repair.")])
    assert compared(FIRST, plain) == {}


def test_a_long_clause_is_quoted_by_its_first_sentences() -> None:
    long = read(clause("1. Repair", *(f"1.{n} {'Repair the roof. ' * 20}" for n in range(9))))
    [one] = clauses_of(long)
    assert len(one.side(A).quote) <= 900 < len(one.text)
