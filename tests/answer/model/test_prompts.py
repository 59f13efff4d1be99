"""The words a model is given, guarded by golden files: change them on purpose or not at all.

`DOCQA_GOLDEN=write python -m pytest tests/answer/model/test_prompts.py` writes them anew.
"""

import json
import os
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from docqa.answer.evidence import add_evidence
from docqa.answer.model import comparison_request, prompts
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.settings import DEFAULTS
from docqa.types.answer import Message
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
)
from docqa.types.document import Block, Document, Landmark
from docqa.types.outline import Entry
from docqa.types.search import Hit
from tests.answer.passages import (
    NOTHING,
    Searches,
    block,
    document,
    hit,
    row,
    statement,
    with_tables,
)

GOLDEN = Path(__file__).parent / "golden"
A = replace(document("Lease A.pdf"), title="Lease of 12 High Street", page_count=12)
B = document("Lease B.pdf")
EVIDENCE = add_evidence(
    (),
    [
        hit(
            block("4. Rent", 2, "heading"),
            block("The base rent is $25,000 a month.", 2),
            block("It is fixed for five years.", 3, continues=True),
            of=A,
            headings=("Commercial terms", "4. Rent"),
        ),
        hit(row("", "2024", header=True), row("Base rent", "$31,500"), of=B),
    ],
)
QUESTION = "What is the base rent?"
FIRST, SECOND = (piece.hit for piece in EVIDENCE)
LAW = tuple(
    replace(block(text, page), index=page)
    for text, page in (("The law of Ohio governs.", 7), ("Notice is ninety days.", 8))
)


def side(of: Document, *blocks: Block) -> TermSide:
    quote = " ".join(each.text for each in blocks)
    return TermSide(of.id, of.name, quote, blocks, nearest_page=3)


def stated(hit: Hit, place: int, value: str) -> Figure:
    found = hit.chunk.blocks[place]
    return Figure(
        "Base rent", "2024", Decimal(value), "USD", f"${value}", hit.document.id,
        hit.document.name, found,
    )  # fmt: skip


COMPARED = Comparison(
    (A, B),
    "Rent and law",
    (
        FigureComparison(
            "Base rent", "2024", "USD", (stated(FIRST, 1, "25000"), stated(SECOND, 1, "31500")),
            "-$6,500", "-20.6%",
        ),
        FigureComparison("Fee", "", "%", (stated(SECOND, 1, "2"),), "", note="only one states it"),
    ),
    (Alignment(0.9, (FIRST, SECOND)),),
    {A.id: (hit(block("Dogs are welcome.", 9), of=A, index=1),), B.id: ()},
    "made without a model",
    terms=(TermComparison("Law", (side(A, LAW[0]), side(B))),),
    changes=(
        Change("changed", "8.1", "Notice is ninety days.", "Notice is thirty days.", (LAW[1],), (),
               figures_changed=True),
        Change("moved", "9", "Same.", "Same.", (), ()),
    ),
)  # fmt: skip


def same_as_golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("DOCQA_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("native", [True, False])
def test_the_system_prompt(native: bool) -> None:
    known = replace(A, landmarks=(Landmark("rent roll", 3), Landmark("key facts", 1)))
    (system,) = prompts.system_blocks([known, B], native=native)
    same_as_golden(f"system_{'native' if native else 'written'}", system["text"])


@pytest.mark.parametrize("native", [True, False])
def test_the_brief_system_prompt_is_a_third_as_long(native: bool) -> None:
    (whole,) = prompts.system_blocks([A, B], native=native)
    (system,) = prompts.system_blocks([A, B], native=native, brief=True)
    same_as_golden(f"system_brief_{'native' if native else 'written'}", system["text"])
    assert len(system["text"]) * 3 <= len(whole["text"])
    (many,) = prompts.system_blocks([A] * 23, native=native, brief=True)
    assert many["text"].endswith("… and 3 more")


@pytest.mark.parametrize("native", [True, False])
def test_the_first_turn(native: bool) -> None:
    message = prompts.question_message(QUESTION, EVIDENCE, native=native)
    text = json.dumps(message, indent=1, ensure_ascii=False)
    same_as_golden(f"question_{'native' if native else 'written'}", text)


@pytest.mark.parametrize("native", [True, False])
def test_a_table(native: bool) -> None:
    """With its header, its blank cell in place; rows alone have the header in their heading."""
    whole, _ = statement()
    evidence = add_evidence((), [whole.holding(whole.chunk.blocks[3:]), whole])
    text = json.dumps(prompts.passages(evidence, native=native), indent=1, ensure_ascii=False)
    same_as_golden(f"table_{'native' if native else 'written'}", text)


def test_the_heads_of_a_table_stand_once() -> None:
    table = hit(
        row("EUR m", "2025", "", header=True),
        row("", "Q2", "Q1", header=True),
        row("Net interest income", "612", "598"),
    )
    (passage,) = prompts.passages(add_evidence((), with_tables([table])), native=True)
    first, second, figures = (block["text"] for block in passage["content"])
    assert ("2025" in first, "Q1" in first) == (True, True)
    assert second == "(heads of the columns, as above)"
    assert figures == "Net interest income | 612 | 598"


def test_an_outline() -> None:
    entries = [
        Entry("Item 8", 50, 1, 10),
        Entry("Balance sheets", 52, 2, 20, 7, "balance sheet"),
    ]
    assert prompts.outline_of(A, entries) == (
        f"{A.name} (12 pages)\nItem 8, p. 50\n  Balance sheets (balance sheet), p. 52"
    )
    assert "Search it instead" in prompts.outline_of(A, [])
    assert "and 100 more" in prompts.outline_of(A, entries * 250)


def test_the_first_turn_without_passages() -> None:
    message = prompts.question_message(QUESTION, (), native=True)
    same_as_golden("question_without_passages", json.dumps(message, indent=1))


def test_a_comparison() -> None:
    """Figures, terms, changes, pairs and lone passages, as the request has them."""
    with_all = ClaudeAnswerer("key", model="model-one", settings=DEFAULTS).preview_comparison(
        COMPARED, search=Searches(), contents=NOTHING
    )
    same_as_golden("comparison_task", comparison_request.task(COMPARED))
    messages = json.dumps(with_all.payload["messages"], indent=1, ensure_ascii=False)
    same_as_golden("comparison_request", messages)


def test_the_tools() -> None:
    same_as_golden("tools", json.dumps(prompts.TOOLS, indent=1))


def test_what_a_repeated_search_returns() -> None:
    same_as_golden("already_given", prompts.already_given(EVIDENCE))


def test_a_long_library_is_listed_in_part() -> None:
    documents = [document(f"File {n:03}.pdf") for n in range(250)]
    (system,) = prompts.system_blocks(documents, native=True)
    assert "File 199.pdf" in system["text"]
    assert "File 200.pdf" not in system["text"]
    assert "and 50 more" in system["text"]


def test_what_each_document_is_is_told_of_a_few() -> None:
    described = replace(A, description="Lease between Crane Ltd and Elm plc.")
    assert prompts.list_of_documents([described]) == (
        f"- {A.name} (12 pages) — Lease between Crane Ltd and Elm plc."
    )
    many = prompts.list_of_documents([described] * 31)
    assert "Crane" not in many
    assert A.title in many


def test_history_alternates_and_begins_with_the_user() -> None:
    asked = [Message("user", "1"), Message("user", "2"), Message("assistant", "3")]
    turns = prompts.history_messages([Message("assistant", "0"), *asked], limit=6)
    assert [(turn["role"], turn["content"]) for turn in turns] == [
        ("user", "2"),
        ("assistant", "3"),
    ]


@pytest.mark.parametrize(("limit", "kept"), [(0, 0), (1, 0), (2, 2), (3, 2), (6, 6), (99, 10)])
def test_history_is_cut_at_whole_exchanges(limit: int, kept: int) -> None:
    history = [Message("user" if n % 2 == 0 else "assistant", str(n)) for n in range(10)]
    turns = prompts.history_messages(history, limit=limit)
    assert len(turns) == kept
    assert not turns or turns[0]["role"] == "user"


def test_a_block_without_text_keeps_its_place() -> None:
    (piece,) = add_evidence((), [hit(block(" "), block("Text."), of=A)])
    assert [c["text"] for c in prompts.search_result(piece)["content"]] == ["(no text)", "Text."]


def test_what_a_document_likely_says_is_told_to_the_model() -> None:
    [term] = COMPARED.terms
    near = replace(term.sides[1], nearest_page=2, nearest_quote="Ohio law is meant.", likely=True)
    likely = replace(COMPARED, terms=(replace(term, sides=(term.sides[0], near)),))
    said = f"{near.document}: not found; likely “Ohio law is meant.” (p. 2)"
    assert said in comparison_request.task(likely)
    assert said not in comparison_request.task(COMPARED)
