"""Requests for notes on passages: the words, what is cached, the parts of a long document."""

import json
from dataclasses import replace
from decimal import Decimal

from docqa.answer.model.notes import NOTE_CHARS, Part, estimate, kept, parts_of, request_for
from docqa.settings import Price
from docqa.types.document import Chunk
from tests.answer.model.test_prompts import same_as_golden
from tests.answer.passages import block, document, hit

LEASE = document("Lease A.pdf")
PRICE = Price(Decimal(1), Decimal(10), Decimal("0.1"), Decimal(2))


def passage(text: str, page: int = 1) -> Chunk:
    return hit(block(text, page), of=LEASE).chunk


def test_the_request() -> None:
    chunk = replace(passage("It is fixed for five years.", 3), context="Lease A · 4. Rent")
    part = Part(LEASE.name, "4. Rent\nIt is fixed for five years.", (chunk,))
    request = request_for(part, chunk, model="small")
    same_as_golden("note", json.dumps(request, indent=1, ensure_ascii=False))


def test_all_before_the_passage_is_the_same_and_cached() -> None:
    [part] = parts_of(LEASE, [block("One."), block("Two.", 2)], [passage("One."), passage("Two.")])
    first, second = (request_for(part, each, model="small") for each in part.chunks)
    assert first["system"] == second["system"]
    assert first["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert "One." in first["system"][-1]["text"]
    assert "Two." in first["system"][-1]["text"]
    assert first["messages"] != second["messages"]


def test_a_long_document_is_given_in_runs_of_whole_pages() -> None:
    blocks = [block(f"page {page} " + "x" * 40, page) for page in range(1, 8)]
    chunks = [passage(f"page {page}", page) for page in range(1, 7)]
    parts = parts_of(LEASE, blocks, chunks, limit=100)
    assert [[each.page_start for each in part.chunks] for part in parts] == [[1, 2], [3, 4], [5, 6]]
    for part in parts:
        assert len(part.text) <= 100
        assert all(f"page {each.page_start} " in part.text for each in part.chunks)


def test_a_page_longer_than_a_part_is_cut_off() -> None:
    [part] = parts_of(LEASE, [block("x" * 300)], [passage("x")], limit=100)
    assert part.text == "x" * 100


def test_the_document_is_estimated_once_in_full_and_then_from_the_cache() -> None:
    chunks = tuple(passage(f"Clause {number}.") for number in range(10))
    tokens, cost = estimate([Part(LEASE.name, "x" * 64_000, chunks)], price=PRICE)
    assert 10 * 20_000 < tokens < 11 * 21_000
    # 20,000 tokens written at $2 a million and read nine times at $0.1, and ten short notes
    assert cost is not None
    assert Decimal("0.058") < cost < Decimal("0.075")
    short, paid = estimate([Part(LEASE.name, "x" * 6400, chunks)], price=PRICE)
    assert paid is not None
    assert paid > Decimal(short - 800) / 1_000_000  # too short to be cached: full price each time
    assert estimate([Part(LEASE.name, "x", chunks)], price=None)[1] is None


def test_a_note_is_one_line_of_bounded_length() -> None:
    assert kept(" The lease\n of Unit 4. ") == "The lease of Unit 4."
    long = kept("word " * 200)
    assert NOTE_CHARS - 5 <= len(long) <= NOTE_CHARS
    assert long.endswith("word")
