"""What chunking promises: nothing lost, order kept, never over the limit; and where it cuts."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from docqa.ingest.chunks.pack import chunk
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.document import Block, BlockKind, Box, Cell, Chunk

HERE = Box(72, 72, 540, 84)
SMALL = adjust(DEFAULTS, chunk_chars=200, overlap_chars=40, min_chunk_chars=30)


def words_and_marks(text: str) -> int:
    """As WordPiece starts out: words and single marks, and two tokens around them."""
    return len(re.findall(r"\w+|[^\w\s]", text)) + 2


def quarters(text: str) -> int:
    """A tokenizer whose counts do not add up."""
    return (len(text) + 7) // 4


def chunked(
    blocks: Sequence[Block], *, settings: Settings = SMALL, max_tokens: int = 256
) -> list[Chunk]:
    return chunk(
        "d1",
        "Lease_A.pdf",
        "",
        blocks,
        count_tokens=words_and_marks,
        max_tokens=max_tokens,
        settings=settings,
    )


def text(content: str, kind: BlockKind = "text", **more: object) -> Block:
    return replace(Block(content, 1, HERE, kind), **more)  # type: ignore[arg-type]


def heading(content: str, level: int = 1) -> Block:
    return text(content, "heading", level=level)


def numbered(blocks: Sequence[Block]) -> list[Block]:
    return [replace(block, index=index) for index, block in enumerate(blocks)]


def table(number: int, rows: int, *, headers: int = 1) -> list[Block]:
    return [
        Block(
            f"Item {row} | {row * 1000} | {row * 2000}",
            1,
            HERE,
            "table",
            table=number,
            cells=(Cell(f"Item {row}", 0), Cell(str(row * 1000), 1), Cell(str(row * 2000), 2)),
            column_header=row < headers,
        )
        for row in range(rows)
    ]


def indexes(chunks: Sequence[Chunk]) -> list[list[int]]:
    return [[block.index for block in each.blocks] for each in chunks]


def flat(chunks: Sequence[Chunk]) -> list[int]:
    return [index for group in indexes(chunks) for index in group]


SENTENCE = "The tenant pays the rent on the first day of each month without deduction. "


def test_nothing_makes_no_chunks() -> None:
    assert chunked([]) == []
    assert chunked([text("Page 3", "footer"), text("   ")]) == []


def test_short_document_is_one_chunk() -> None:
    blocks = numbered([heading("Lease"), text("Governing law: State of New York.")])
    made = chunked(blocks)
    assert indexes(made) == [[0, 1]]
    assert (made[0].id, made[0].index, made[0].headings) == ("d1:0", 0, ("Lease",))
    assert made[0].text == "Lease\n\nGoverning law: State of New York."


def test_cuts_fall_at_paragraph_ends_and_are_even() -> None:
    # Four paragraphs of 75 characters; 200 hold two of them, so two and two.
    blocks = numbered([text(SENTENCE.strip()) for _ in range(4)])
    assert indexes(chunked(blocks)) == [[0, 1], [2, 3]]


def test_a_sentence_carrying_on_stays_with_its_paragraph() -> None:
    short, long = text("One. " * 6), text(SENTENCE.strip())
    blocks = numbered([long, short, replace(short, continues=True), long, long])
    assert [1, 2] in [ids for group in indexes(chunked(blocks)) for ids in [group[-2:], group[:2]]]


def test_heading_goes_with_what_follows() -> None:
    blocks = numbered(
        [text(SENTENCE * 2), heading("Assignment"), text(SENTENCE * 2), text(SENTENCE * 2)]
    )
    made = chunked(blocks)
    assert indexes(made) == [[0], [1, 2], [3]]
    assert [each.headings for each in made] == [(), ("Assignment",), ("Assignment",)]


def test_two_headings_in_a_row_go_with_what_follows() -> None:
    blocks = numbered(
        [text(SENTENCE * 2), heading("Part II"), heading("Item 7", 2), text(SENTENCE * 2)]
    )
    made = chunked(blocks)
    assert indexes(made) == [[0], [1, 2, 3]]
    assert made[1].headings == ("Part II", "Item 7")


def test_short_sections_are_merged() -> None:
    blocks = numbered(
        [
            heading("Governing law"),
            text("State of New York."),
            heading("Notices"),
            text("In writing, by courier."),
            heading("Term"),
            text("Five years."),
        ]
    )
    assert indexes(chunked(blocks)) == [[0, 1, 2, 3, 4, 5]]


def test_a_full_chunk_does_not_run_across_a_heading() -> None:
    blocks = numbered(
        [heading("A"), text("a" * 60 + " " + "b" * 60), heading("B"), text("c" * 30 + " d" * 20)]
    )
    assert indexes(chunked(blocks)) == [[0, 1], [2, 3]]


def test_a_fragment_at_the_end_is_not_left_alone() -> None:
    blocks = numbered([heading("A"), text(SENTENCE + SENTENCE), heading("B"), text("None.")])
    assert indexes(chunked(blocks)) == [[0, 1, 2, 3]]


def test_furniture_is_left_out_and_footnotes_are_kept() -> None:
    blocks = numbered(
        [
            text("Draft", "header"),
            text(SENTENCE),
            text("Logo", "picture"),
            text("1 Net.", "footnote"),
        ]
    )
    assert indexes(chunked(blocks)) == [[1, 3]]


def test_heading_path_follows_levels() -> None:
    blocks = numbered(
        [
            heading("One"),
            heading("Deep", 3),
            text(SENTENCE * 2),
            heading("Two", 2),
            text(SENTENCE * 2),
            heading("New"),
            text(SENTENCE * 2),
        ]
    )
    assert [each.headings for each in chunked(blocks)] == [
        ("One", "Deep"),
        ("One", "Two"),
        ("New",),
    ]


def test_a_heading_of_two_lines_is_one() -> None:
    second = replace(heading("OF OPERATIONS"), continues=True)
    made = chunked(numbered([heading("RESULTS"), second, text(SENTENCE)]))
    assert made[0].headings == ("RESULTS OF OPERATIONS",)


def test_overlap_repeats_whole_short_blocks() -> None:
    # 10 items of 38 characters: five fit into 200, the next chunk repeats the last of them.
    items = [text(f"Item {n} of the list of duties, in full.", "list") for n in range(10)]
    made = indexes(chunked(numbered(items)))
    for before, after in pairwise(made):
        assert after[0] == before[-1]
    without = adjust(SMALL, overlap_chars=0)
    assert flat(chunked(numbered(items), settings=without)) == list(range(10))


def test_a_cut_paragraph_repeats_its_last_sentence() -> None:
    long = text("One begins here and goes on for a while. Two is short.")
    more = replace(text("It carries on. " * 12), continues=True)
    blocks = numbered([text("x" * 70 + "."), text("y" * 40 + "."), long, more])
    made = chunked(blocks)
    assert indexes(made) == [[0, 1, 2], [2, 3]]
    assert made[1].blocks[0].text == "Two is short."
    assert made[1].text.startswith("Two is short. It carries on.")
    assert indexes(chunked(blocks, settings=adjust(SMALL, overlap_chars=0))) == [[0, 1, 2], [3]]


def test_overlap_does_not_reach_into_another_section() -> None:
    blocks = numbered(
        [text(SENTENCE * 2), text("Short end."), heading("B"), text(SENTENCE * 2), text("x y.")]
    )
    made = chunked(blocks)
    assert [each.blocks[0].index for each in made] == [0, 2]


def test_table_pieces_repeat_caption_and_column_headers() -> None:
    blocks = numbered(
        [
            text(SENTENCE * 2),
            text("Table 4: Income", "caption"),
            text("(in thousands of dollars)"),
            *table(1, 30, headers=2),
        ]
    )
    made = [each for each in chunked(blocks) if each.kind == "table"]
    assert len(made) > 3
    for each in made:
        assert [block.index for block in each.blocks][:4] == [1, 2, 3, 4]
    rows = [block.index for each in made for block in each.blocks[4:]]
    assert rows == list(range(5, 33))  # every other row once


def test_prose_and_a_large_table_are_apart() -> None:
    blocks = numbered([text(SENTENCE * 2), *table(1, 6), text(SENTENCE * 2)])
    made = chunked(blocks)
    assert [each.kind for each in made] == ["text", "table", "text"]


def test_a_tiny_table_stays_with_its_text() -> None:
    rows = [text("Rent | $5", "table", table=1), text("Fee | $1", "table", table=1)]
    made = chunked(numbered([text(SENTENCE.strip()), *rows]))
    assert indexes(made) == [[0, 1, 2]]
    assert made[0].kind == "text"


def test_a_block_over_the_limit_is_cut_into_parts_with_its_box() -> None:
    block = replace(text(SENTENCE * 10), index=7)
    made = chunked([block], settings=adjust(SMALL, overlap_chars=0))
    parts = [part for each in made for part in each.blocks]
    assert " ".join(part.text for part in parts) == block.text.strip()
    assert [part.continues for part in parts] == [False] + [True] * (len(parts) - 1)
    assert {(part.box, part.index) for part in parts} == {(HERE, 7)}
    assert all(part.text.endswith(".") for part in parts)  # at sentence ends


def test_a_word_over_the_limit_is_cut_too() -> None:
    made = chunked([text("0123456789" * 100)])
    assert "".join(part.text for each in made for part in each.blocks) == "0123456789" * 100
    assert max(len(each.text) for each in made) <= SMALL.chunking.chunk_chars


def test_the_encoder_limit_counts_the_context_line() -> None:
    blocks = numbered([heading("Rent and other sums"), *[text(SENTENCE) for _ in range(20)]])
    made = chunked(blocks, settings=DEFAULTS, max_tokens=60)
    assert all(each.context for each in made)
    assert max(words_and_marks(each.embedded_text) for each in made) <= 60
    # 60 - 2 special - context; sentences of 14 tokens: three fit, none is left unused.
    assert sorted({len(each.blocks) for each in made}) in ([2, 3], [3], [3, 4])


def test_a_long_context_gives_way_to_the_text() -> None:
    blocks = [heading("A heading of very many words " * 4), *[text(SENTENCE) for _ in range(4)]]
    made = chunked(numbered(blocks), max_tokens=30)
    for each in made:
        assert words_and_marks(each.context) - 2 <= 10
        assert words_and_marks(each.embedded_text) <= 30


def test_unlike_counts_still_fit() -> None:
    blocks = numbered([text(SENTENCE * 3) for _ in range(5)])
    made = chunk("d", "n.pdf", "", blocks, count_tokens=quarters, max_tokens=40, settings=DEFAULTS)
    assert max(quarters(each.embedded_text) for each in made) <= 40


KINDS: st.SearchStrategy[BlockKind] = st.sampled_from(
    ["text", "text", "text", "heading", "list", "caption", "footnote", "header", "footer",
     "picture", "code"]
)  # fmt: skip
TEXTS = st.text(alphabet="ab .:;0$é\n", max_size=300) | st.sampled_from(
    ["", SENTENCE, "(in millions)", "x" * 500, SENTENCE * 8]
)


@st.composite
def documents(draw: st.DrawFn) -> list[Block]:
    blocks: list[Block] = []
    tables = 0
    for _ in range(draw(st.integers(0, 12))):
        if draw(st.integers(0, 4)) == 0:
            tables += 1
            blocks += table(tables, draw(st.integers(1, 25)), headers=draw(st.integers(0, 3)))
        else:
            blocks.append(
                text(
                    draw(TEXTS),
                    draw(KINDS),
                    level=draw(st.integers(0, 3)),
                    continues=draw(st.booleans()),
                )
            )
    return numbered(blocks)


@trials(deadline=None, max_examples=150)
@given(
    blocks=documents(),
    max_tokens=st.integers(24, 256),
    chunk_chars=st.integers(50, 1000),
    overlap=st.integers(0, 120),
    count=st.sampled_from([words_and_marks, quarters]),
)
def test_laws(blocks, max_tokens, chunk_chars, overlap, count) -> None:  # type: ignore[no-untyped-def]
    settings = adjust(DEFAULTS, chunk_chars=chunk_chars, overlap_chars=overlap)

    def made(settings: Settings) -> list[Chunk]:
        return chunk(
            "d", "n.pdf", "T", blocks, count_tokens=count, max_tokens=max_tokens, settings=settings
        )

    chunks = made(settings)
    assert chunks == made(settings)  # the same again
    assert [each.id for each in chunks] == [f"d:{index}" for index in range(len(chunks))]
    for each in chunks:
        assert count(each.embedded_text) <= max_tokens
        order = [block.index for block in each.blocks]
        assert order == sorted(order)
    firsts = [each.blocks[-1].index for each in chunks]
    assert firsts == sorted(firsts)  # chunks in order, whatever they repeat
    assert {block.index for each in chunks for block in each.blocks} == {
        block.index for block in blocks if not block.is_furniture and block.text.strip()
    }
    _assert_nothing_lost(blocks, made(adjust(settings, overlap_chars=0)))


def _assert_nothing_lost(blocks: Sequence[Block], chunks: Sequence[Chunk]) -> None:
    found: dict[int, str] = {}
    for each in chunks:
        for block in each.blocks:
            found[block.index] = found.get(block.index, "") + _letters(block)
    kept = [block for block in blocks if not block.is_furniture and block.text.strip()]
    assert sorted(found) == [block.index for block in kept]
    for block in kept:
        times = len(found[block.index]) // max(len(_letters(block)), 1)
        assert found[block.index] == _letters(block) * times  # more than once where repeated


def _letters(block: Block) -> str:
    return "".join(block.text.split())


@pytest.mark.parametrize("count", [1, 7, 400])
def test_many_blocks_cover_everything_once_without_overlap(count: int) -> None:
    blocks = numbered([text(f"Clause {n}. {SENTENCE}") for n in range(count)])
    made = chunked(blocks, settings=adjust(SMALL, overlap_chars=0))
    assert flat(made) == list(range(count))
