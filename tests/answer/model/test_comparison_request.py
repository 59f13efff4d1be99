"""Comparisons written up by a model: what it is given, and what becomes of its citations."""

from dataclasses import replace
from decimal import Decimal
from typing import Literal

import pytest

from docqa.answer.model.claude import ClaudeAnswerer
from docqa.answer.model.comparison_request import passages_of, task
from docqa.compare.comparison import as_answer
from docqa.errors import AnswerStopped, Overloaded
from docqa.present import as_json, as_text
from docqa.present.citations import PARTIAL
from docqa.types.comparison import Alignment, Comparison, Figure, FigureComparison
from docqa.types.events import Events, TextDelta
from tests.answer.model.test_claude import CONTENTS, QUICK
from tests.answer.passages import Searches, block, document, hit
from tests.messages_server import MessagesServer, Script, Turn, cited, text

A, B = document("Lease A.pdf"), document("Lease B.pdf")
RENT_A = hit(block("The base rent is $25,000 a month.", 2), of=A)
RENT_B = hit(block("The base rent is $31,500 a month.", 3), of=B)
DOGS = hit(block("Dogs are welcome.", 9), of=A, index=1)


def figure(value: int, hit_index: int) -> Figure:
    owner = (RENT_A, RENT_B)[hit_index]
    return Figure(
        "Base rent", "", Decimal(value), "USD", f"${value:,}", owner.document.id,
        owner.document.name, owner.chunk.blocks[0],
    )  # fmt: skip


COMPARISON = Comparison(
    (A, B),
    "What is the rent?",
    (FigureComparison("Base rent", "", "USD", (figure(25000, 0), figure(31500, 1)), "-$6,500"),),
    (Alignment(0.9, (RENT_A, RENT_B)),),
    {A.id: (DOGS,), B.id: ()},
    "made without a model",
)


def compared(server: MessagesServer) -> Events:
    answerer = ClaudeAnswerer("key", base_url=server.url, model="model-one", settings=QUICK)
    return answerer.compare(COMPARISON, search=Searches(RENT_A), contents=CONTENTS)


def written(script: Script) -> tuple[Comparison, MessagesServer]:
    with MessagesServer(script) as server:
        last = list(compared(server))[-1]
    assert isinstance(last, Comparison)
    return last, server


TABLE = [
    text("| | Lease A | Lease B | Difference |\n|---|---|---|---|\n| Base rent | "),
    text("$25,000", cited("S1", 0, 1)),
    text(" | "),
    text("$31,500", cited("S2", 0, 1)),
    text(" | -$6,500 |"),
]


def test_citations_name_document_and_page() -> None:
    given, _ = written(Turn(TABLE))
    assert given.text.endswith("| Base rent | $25,000 [DocA:p2] | $31,500 [DocB:p3] | -$6,500 |")
    assert [(c.label, c.document, c.page) for c in given.citations] == [
        ("DocA:p2", "Lease A.pdf", 2),
        ("DocB:p3", "Lease B.pdf", 3),
    ]
    assert [c.verified for c in given.citations] == ["verified", "verified"]
    assert (given.answerer, given.warnings, given.figures) == ("model-one", (), COMPARISON.figures)


def test_the_models_arithmetic_is_checked() -> None:
    wrong, _ = written(Turn([*TABLE[:-1], text(" | -$5,600 |")]))
    assert any("$5,600" in warning for warning in wrong.warnings)


def test_a_swapped_citation_is_set_right() -> None:
    swapped = [TABLE[0], text("$25,000", cited("S2", 0, 1)), text(" | not stated | |")]
    given, _ = written(Turn(swapped))
    assert [(c.label, c.verified) for c in given.citations] == [("DocA:p2", "verified")]


def test_the_model_gets_both_sides_the_rest_and_what_was_computed() -> None:
    _, server = written(Turn(TABLE))
    *results, asked = server.requests[0]["messages"][-1]["content"]
    assert [result["title"].split(",")[0] for result in results] == [
        "Lease A.pdf",
        "Lease B.pdf",
        "Lease A.pdf",
    ]
    assert "Base rent: Lease A.pdf $25,000 (p. 2); Lease B.pdf $31,500 (p. 3)" in asked["text"]
    assert "difference -$6,500" in asked["text"]
    assert task(COMPARISON) in asked["text"]


def test_every_row_of_a_sum_is_passed_on() -> None:
    parts = [
        replace(block(said, page), index=page)
        for said, page in (("Short-term debt $10", 4), ("Long-term debt $15", 5))
    ]
    addends = [replace(figure(25000, 0), block=each) for each in parts]
    summed = replace(addends[0], addends=tuple(addends))
    row = replace(COMPARISON.figures[0], values=(summed, figure(31500, 1)))
    asked = replace(COMPARISON, figures=(row,))
    passed = [each.hit.chunk.text for each in passages_of(asked, max_chars=5000)]
    assert {"Short-term debt $10", "Long-term debt $15"} <= set(passed)
    assert "Lease A.pdf $25,000 (p. 4, p. 5)" in task(asked)


def test_a_budget_leaves_each_side_its_best_passage() -> None:
    chosen = passages_of(COMPARISON, max_chars=70)
    assert [piece.hit for piece in chosen] == [RENT_A, RENT_B]


def test_an_error_before_any_text_is_raised() -> None:
    with pytest.raises(Overloaded):
        written(Turn(end="error"))


@pytest.mark.parametrize(
    ("end", "error", "said"),
    [
        ("error", "overloaded_error", "overloaded"),
        ("error", "rate_limit_error", "Too many requests"),
        ("dropped", "", "connection"),
        ("truncated", "", "cut off"),
    ],
)
def test_what_had_arrived_is_kept_as_a_part(
    end: Literal["error", "dropped", "truncated"], error: str, said: str
) -> None:
    half = text("| Base rent | $25,000 ", cited("S1", 0, 1))
    given, _ = written(Turn([half, text("| and th")], end=end, error=error))
    assert given.partial
    assert given.text == "| Base rent | $25,000 [DocA:p2]| and th"
    assert [citation.verified for citation in given.citations] == ["verified"]
    assert said in given.warnings[-1]
    assert (given.figures, given.pairs) == (COMPARISON.figures, COMPARISON.pairs)
    kept = as_answer(given)
    assert (kept.partial, kept.found, kept.warnings) == (True, True, given.warnings)
    assert PARTIAL in as_text.comparison(given)
    assert as_json.comparison(given)["partial"]


def test_one_that_is_stopped_keeps_what_arrived() -> None:
    long = Turn([*TABLE, text("\n\nIn short" + " they differ" * 2000)], delay=0.005)
    with MessagesServer(long) as server:
        events, arrived = compared(server), ""
        while "differ" not in arrived:
            event = next(events)
            arrived += event.text if isinstance(event, TextDelta) else ""
        kept = events.throw(AnswerStopped())
        assert server.hung_up.wait(2)
    assert isinstance(kept, Comparison)
    assert kept.partial
    assert "| Base rent | $25,000 [DocA:p2] | $31,500 [DocB:p3] | -$6,500 |" in kept.text
    assert [citation.verified for citation in kept.citations] == ["verified", "verified"]
    assert kept.warnings[0] == str(AnswerStopped())
    assert kept.usage.input_tokens == 900
