"""A comparison with everything in it that can be presented."""

from dataclasses import replace
from decimal import Decimal

from docqa.present.sources import Record
from docqa.types.answer import Citation
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
)
from docqa.types.document import Block, Box, Chunk, Document
from docqa.types.search import Hit

A = Document("a" * 64, "Lease_A.pdf", 3)
B = Document("b" * 64, "Lease_B.pdf", 4)
C = Document("c" * 64, "Lease_C.pdf", 1)


def block(text: str, page: int) -> Block:
    return Block(text, page, Box(72, 72, 540, 90))


def hit(document: Document, text: str, page: int) -> Hit:
    return Hit(Chunk(f"{document.id}:0", document.id, 0, (block(text, page),)), document)


def figure(document: Document, text: str, value: str, page: int) -> Figure:
    place = block(text, page)
    return Figure("Rent", "2024", Decimal(value), "USD", text, document.id, document.name, place)


PAIR = Alignment(0.91, (hit(A, "The deposit is $25,000.", 2), hit(B, "The deposit is $31,500.", 3)))
ALONE = hit(A, "=SUM(A1) & <b>only</b> here", 3)
COMPARISON = Comparison(
    documents=(A, B),
    question="Rent | deposit",
    figures=(
        FigureComparison(
            "Rent",
            "2024",
            "USD",
            (figure(A, "$1.2M", "1200000", 1), figure(B, "$1.1M", "1100000", 4)),
            "+$100,000",
            apart=Decimal(100000),
        ),
        FigureComparison("Fee", "", "%", (figure(B, "=2%", "2", 2),), "", "only one states it"),
    ),
    pairs=(PAIR,),
    only_in={A.id: (ALONE,), B.id: ()},
    text="Lease A asks more [S1].",
    citations=(Citation("S1", A.id, A.name, 1, "$1.2M", (block("$1.2M", 1),), "verified"),),
)


RECORD = Record(
    replace(
        COMPARISON,
        terms=(
            TermComparison(
                "Governing law",
                (
                    TermSide(A.id, A.name, "Ohio law governs.", (block("Ohio law governs.", 3),)),
                    TermSide(B.id, B.name, nearest_page=2),
                ),
                "only in Lease_A.pdf",
            ),
        ),
        changes=(
            Change("unchanged", "", "x", "x"),
            Change("gone", "4.2", "Dogs.", "", (block("Dogs.", 2),)),
        ),
        warnings=("Mind the gap.",),
    ),
    {(A.id, 3): "F-1", (B.id, 4): "iv"},
    "2026-03-01T10:00+00:00",
)


SETTINGS = "10 passages from each document, paired from a match of 0.6, at most 8 pairs, reranked"
