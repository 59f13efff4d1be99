"""What a comparison prints: every figure, change, pair and lone passage with its page."""

from decimal import Decimal

from docqa.present import as_text
from docqa.types.answer import Citation
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    Edit,
    Figure,
    FigureComparison,
    Nearest,
)
from docqa.types.document import Block, Box, Chunk, Document
from docqa.types.search import Hit

A = Document("a" * 64, "Old.pdf", 6)
B = Document("b" * 64, "New.pdf", 4)


def block(text: str, page: int) -> Block:
    return Block(text, page, Box(72, 100, 300, 112))


def hit(document: Document, text: str, page: int) -> Hit:
    chunk = Chunk(f"{document.id}:0", document.id, 0, (block(text, page),), headings=("Fees",))
    return Hit(chunk, document)


def figure(document: Document, text: str, value: int, page: int) -> Figure:
    place = block(text, page)
    return Figure("Fee", "2024", Decimal(value), "USD", text, document.id, document.name, place)


def printed() -> str:
    edits = (Edit("same", "due in"), Edit("gone", "30"), Edit("new", "45"))
    changed = Change("changed", "4.2", "30", "45", (block("30", 2),), (block("45", 3),), edits)
    alone = hit(A, "word " * 200, 5)
    values = (figure(A, "$90", 90, 1), figure(B, "$80", 80, 2))
    return as_text.comparison(
        Comparison(
            (A, B),
            "fees",
            (
                FigureComparison("Fee", "2024", "USD", values, "+$10", "", "+12.5%"),
                FigureComparison("Term", "", "", values, "", "Not compared: the units differ."),
            ),
            (Alignment(0.914, (hit(A, "One fee.", 1), hit(B, "A fee.", 2))),),
            {A.id: (alone,), B.id: ()},
            "Fees differ [DocA:p1].",
            citations=(Citation("DocA:p1", A.id, A.name, 1, "$90", (), "verified"),),
            nearest={alone.chunk.id: Nearest(hit(B, "Other words.", 4), 0.31)},
            changes=(changed, Change("unchanged", "1", "x", "x")),
        )
    )


def test_figures_have_their_difference_in_percent_or_the_reason_for_none() -> None:
    text = printed()
    fee, term = text.split("Figure: ")[1:]
    assert "  Old: $90 (p. 1) ✓\n  New: $80 (p. 2) ✓\n  Difference: +$10\n" in fee
    assert fee.startswith("Fee\n  Period: 2024")
    assert "Percent: +12.5%" in fee
    assert "Note: Not compared: the units differ." in term


def test_changes_show_both_wordings_and_pages_and_what_is_unchanged_is_left_out() -> None:
    text = printed()
    assert (
        "Change: changed 4.2\n  Old: due in [-30-] (p. 2) ✓\n  New: due in {+45+} (p. 3) ✓"
    ) in text
    assert "unchanged" not in text


def test_a_lone_passage_is_shortened_and_followed_by_what_is_nearest() -> None:
    text = printed()
    assert "## Only in one document\n\nDocument: Old" in text
    assert "  Nearest elsewhere: New: Other words. (p. 4 · Fees) ✓\n  Match: 31%" in text
    lone = next(line for line in text.splitlines() if line.startswith("  Passage: "))
    assert lone.endswith("word … (p. 5 · Fees) ✓")
    assert len(lone) < as_text.PASSAGE + 40


def test_pairs_and_citations_have_their_pages() -> None:
    text = printed()
    pair = "Match: 91%\n  Old: One fee. (p. 1 · Fees) ✓\n  New: A fee. (p. 2 · Fees) ✓"
    assert pair in text
    assert text.endswith("[DocA:p1] Old.pdf, p. 1 (verified)")
