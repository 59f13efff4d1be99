"""What is kept and what is left out, and under which word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.ingest.chunks.validate import (
    FEW_LETTERS,
    SPECIAL_CHARACTERS,
    TABLE_ARTIFACT,
    TOO_SHORT,
    count_by_reason,
    reason_against,
    validate,
)
from docqa.settings import DEFAULTS, adjust
from docqa.types.document import Block, BlockKind, Box, Chunk, ChunkKind, Discard

HERE = Box(0, 0, 1, 1)
PROSE = (
    "The tenant pays the rent on the first day of each month without any deduction or set-off. " * 2
)


def chunk_of(
    text: str, *, kind: ChunkKind = "text", block: BlockKind = "text", index: int = 0, page: int = 4
) -> Chunk:
    if kind == "table":
        rows = tuple(Block(row, page, HERE, "table", table=1) for row in text.split("\n"))
        return Chunk(f"d:{index}", "d", index, rows, kind="table")
    return Chunk(f"d:{index}", "d", index, (Block(text, page, HERE, block),))


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "Governing law: State of New York.",  # a fact of 33 characters
        "Cap rate: 6.2%",
        "$1,200,000 purchase price",
        "Term: 5 years",
        "1,410,000 1,480,000 (270,000) (280,000) 6.0% 6.2% Rent",
    ],
)
def test_what_says_something_is_kept(text: str) -> None:
    assert reason_against(chunk_of(text), settings=DEFAULTS) == ""


def test_a_small_table_of_figures_is_kept() -> None:
    table = "NOI | 1,140,000 | 1,200,000\nCap | 6.0% | 6.2%"
    assert reason_against(chunk_of(table, kind="table"), settings=DEFAULTS) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Page", TOO_SHORT),
        ("14", TOO_SHORT),
        ("(Continued)", TOO_SHORT),
        ("-----  |  -----  |  $  |  %", TABLE_ARTIFACT),
        ("***", SPECIAL_CHARACTERS),
        ("a" + " . . ." * 60 + " b", TOO_SHORT),
        ("/s/ Jane Q. Doe ------------------------- Jane Q. Doe ----------------", ""),
        ("________________ By: ________________", TOO_SHORT),
        ("ab" * 20 + "§¶†" * 30, ""),
        ("∂∑∫≈" * 25 + "abcd" * 11, ""),  # 0.31 letters, 0.69 marks
        ("∂∑∫≈" * 25 + "abcd" * 9, FEW_LETTERS),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    assert reason_against(chunk_of(text), settings=DEFAULTS) == reason


def test_special_characters_have_their_own_word_where_letters_are_asked_for_less() -> None:

    lenient = adjust(DEFAULTS, min_alphanumeric=0.1)
    text = "∂∑∫≈" * 25 + "abcd" * 9
    assert reason_against(chunk_of(text), settings=lenient) == SPECIAL_CHARACTERS
    code = text + "\nreturn x;\nif (a == b) { }"
    assert reason_against(chunk_of(code), settings=lenient) == ""
    assert reason_against(chunk_of(text, block="code"), settings=lenient) == ""


def test_empty_tables_are_artifacts() -> None:
    table = "\n".join(["$ | $ | $ | — | %"] * 6 + ["Total | | | |"])
    assert reason_against(chunk_of(table, kind="table"), settings=DEFAULTS) == TABLE_ARTIFACT


def test_a_heading_alone_is_too_short_and_with_text_is_not() -> None:
    alone = chunk_of("Notes to the accounts", block="heading")
    assert reason_against(alone, settings=DEFAULTS) == TOO_SHORT
    body = Block("None of the directors owns shares.", 1, HERE)
    both = Chunk("d:0", "d", 0, (*alone.blocks, body))
    assert reason_against(both, settings=DEFAULTS) == ""


def test_validate_lists_what_it_leaves_out() -> None:
    chunks = [chunk_of(PROSE), chunk_of("14", index=1, page=9), chunk_of(PROSE, index=2)]
    kept, discards = validate(chunks, settings=DEFAULTS)
    assert kept == [chunks[0], chunks[2]]
    assert discards == [Discard("d", 9, TOO_SHORT, "14")]


def test_count_by_reason() -> None:
    made = [Discard("d", 1, reason, "") for reason in ["b", "a", "c", "c"]]
    assert list(count_by_reason(made).items()) == [("c", 2), ("a", 1), ("b", 1)]
    assert count_by_reason([]) == {}


@given(st.lists(st.text(max_size=300), max_size=8))
def test_every_chunk_is_kept_or_listed(texts: list[str]) -> None:
    chunks = [chunk_of(text, index=index) for index, text in enumerate(texts)]
    kept, discards = validate(chunks, settings=DEFAULTS)
    assert len(kept) + len(discards) == len(chunks)
    assert kept == [chunk for chunk in chunks if chunk in kept]
    assert sum(count_by_reason(discards).values()) == len(discards)


@given(st.text(min_size=1, max_size=300), st.sampled_from(["text", "table"]))
def test_prose_with_a_figure_is_always_kept(text: str, kind: ChunkKind) -> None:
    said = f"{PROSE}It is 12.5 of {text}"
    assert reason_against(chunk_of(said, kind=kind), settings=DEFAULTS) == ""
