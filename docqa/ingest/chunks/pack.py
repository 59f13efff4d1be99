"""Blocks packed into chunks that fit the encoder, cut where the document itself parts.

Where to cut is one least-cost problem over the whole document, solved exactly by dynamic
programming: every chunk pays for the room it leaves empty, for headings it runs across and for
mixing a table with prose; every cut pays for parting what belongs together. (The optimal line
breaking of Knuth and Plass 1981, with blocks for words.) The limits are not costs: no chunk is
over them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from docqa.ingest.chunks.contextualize import context_line, describe
from docqa.ingest.geometry.sections import heading_paths
from docqa.ingest.geometry.text import pieces
from docqa.language.sentences import sentence_ends
from docqa.settings import Settings
from docqa.types.document import Block, Chunk, join_blocks

UNIT_LINE = re.compile(
    r"\b(?:in|of)\s+(?:\w+\s+){0,2}(?:thousands|millions|billions|dollars|euros)\b|\$\s*000", re.I
)
LEAD_CHARS = 160  # a longer paragraph before a table does not belong to it

# Costs, in units of an empty chunk.
ACROSS_HEADING = 0.6  # a heading of the same or a higher level, in a chunk already half full
ACROSS_SUBHEADING = 0.15  # a deeper one, in such a chunk
ACROSS_EARLY = 0.04  # either, in a chunk less full: short sections belong together
MIXED = 0.6  # prose and a table in one chunk
TWO_TABLES = 0.3
TOO_SHORT = 1.0
CUT_AFTER_HEADING = 5.0
CUT_AFTER_LEAD = 1.0
CUT_IN_TABLE = 0.12
CUT_IN_PARAGRAPH = 0.12
CUT_AFTER_COLON = 0.15
CUT_IN_LIST = 0.04


@dataclass(frozen=True, slots=True)
class Piece:
    """A block and what packing needs to know of it.

    ``room`` is how many tokens of blocks a chunk beginning here may hold, ``repeated`` the
    pieces before it that such a chunk would repeat at its start. ``apart`` begins a slide or sheet,
    into which no chunk goes on.
    """

    block: Block
    tokens: int
    headings: tuple[str, ...]
    context: str
    room: int
    leads: bool = False  # the caption or the units of the table that follows
    apart: bool = False
    repeated: tuple["Piece", ...] = ()

    @property
    def chars(self) -> int:
        return len(self.block.text)

    @property
    def is_heading(self) -> bool:
        return self.block.kind == "heading"

    @property
    def is_prose(self) -> bool:
        return not (self.is_heading or self.leads or self.block.table) and (
            self.block.kind not in ("caption", "footnote")
        )


@dataclass(frozen=True, slots=True)
class Measure:
    """How long a chunk may be, and how tokens are counted. ``special`` open and close a text."""

    count_tokens: Callable[[str], int]
    special: int
    max_tokens: int
    chunk_chars: int

    def tokens(self, text: str) -> int:
        """What a text adds to a longer one."""
        return self.count_tokens(text) - self.special


def chunk(
    document_id: str,
    name: str,
    title: str,
    blocks: Sequence[Block],
    *,
    count_tokens: Callable[[str], int],
    max_tokens: int,
    settings: Settings,
    apart: bool = False,
) -> list[Chunk]:
    """The document as chunks, in order; every block but page furniture is in at least one.

    A chunk has at most ``chunk_chars`` characters, not counting what it repeats, and its
    ``embedded_text`` at most ``max_tokens`` tokens as ``count_tokens`` counts them (special ones
    included). A block over the limits is cut at sentence or word ends into several with the
    same box. Pieces of a table repeat its caption and column headers; chunks of running text
    repeat whole blocks of up to ``overlap_chars``, or the last sentence of a paragraph they
    carry on. ``headings`` is the path where a chunk begins. With ``apart`` each page's are its own.
    """
    measure = Measure(count_tokens, count_tokens(""), max_tokens, settings.chunking.chunk_chars)
    kept = [block for block in blocks if not block.is_furniture and block.text.strip()]
    parts = _pieces(kept, describe(name, title, kept), measure)
    if apart:
        parts = _apart(parts)
    parts = _with_repeats(parts, settings.chunking.overlap_chars, measure)
    runs = [parts[first:end] for first, end in _cuts(parts, settings)]
    fitting = [short for run in runs for short in _made_to_fit(run, run[0].repeated, measure)]
    return [_chunk(document_id, index, run) for index, run in enumerate(fitting)]


def _chunk(document_id: str, index: int, run: Sequence[Piece]) -> Chunk:
    rows = sum(piece.chars for piece in run if piece.block.table)
    return Chunk(
        id=f"{document_id}:{index}",
        document_id=document_id,
        index=index,
        blocks=tuple(piece.block for piece in run),
        headings=run[0].headings,
        context=run[0].context,
        kind="table" if rows * 2 > sum(piece.chars for piece in run) else "text",
    )


# From blocks to pieces


def _pieces(blocks: Sequence[Block], document: str, measure: Measure) -> tuple[Piece, ...]:
    """Every block with its section and context, cut where it alone would be too long."""
    contexts: dict[tuple[str, ...], tuple[str, int]] = {}
    made: list[Piece] = []
    leads = _leads(blocks)
    for block, headings, lead in zip(blocks, heading_paths(blocks), leads, strict=True):
        if headings not in contexts:
            contexts[headings] = _context(document, headings, measure)
        context, room = contexts[headings]
        made += [
            Piece(short, tokens, headings, context, room, lead)
            for short, tokens in _short_blocks(block, room, measure)
        ]
    return tuple(made)


def _apart(parts: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The same, told where a page begins."""
    pages = [piece.block.page for piece in parts]
    return tuple(
        replace(piece, apart=page != before)
        for piece, page, before in zip(parts, pages, [0, *pages], strict=False)
    )


def _context(document: str, headings: tuple[str, ...], measure: Measure) -> tuple[str, int]:
    """The context line, cut to a third of what the encoder reads, and the tokens left beside it."""
    words = context_line(document, headings=headings).split()
    while words and measure.tokens(" ".join(words)) * 3 > measure.max_tokens:
        words.pop()
    context = " ".join(words)
    return context, measure.max_tokens - measure.special - measure.tokens(context)


def _leads(blocks: Sequence[Block]) -> list[bool]:
    """Which blocks caption the table they stand before, or give its units (two at most)."""
    leads = [False] * len(blocks)
    for index, (before, block) in enumerate(pairwise(blocks)):
        if block.table and not before.table:
            for back in (index, index - 1):
                if back < 0 or not _is_lead(blocks[back]):
                    break
                leads[back] = True
    return leads


def _is_lead(block: Block) -> bool:
    if block.table or block.kind == "heading" or len(block.text) > LEAD_CHARS:
        return False
    return block.kind == "caption" or UNIT_LINE.search(block.text) is not None


def _short_blocks(block: Block, room: int, measure: Measure) -> list[tuple[Block, int]]:
    """The block, or as many as it takes to be within both limits, and the tokens of each."""
    tokens = measure.tokens(block.text)
    if len(block.text) <= measure.chunk_chars and tokens <= room:
        return [(block, tokens)]
    texts = _short_texts(block.text, room, measure)
    return [
        (_part(block, text, first=index == 0), measure.tokens(text))
        for index, text in enumerate(texts)
    ]


def _short_texts(text: str, room: int, measure: Measure) -> list[str]:
    over = max(len(text) / measure.chunk_chars, measure.tokens(text) / max(room, 1))
    if over <= 1 or len(text) < 2:
        return [text]
    spans = pieces(text, max(1, int(len(text) / over * 0.9)))
    if len(spans) < 2:
        spans = [(0, len(text) // 2), (len(text) // 2, len(text))]
    return [short for a, b in spans for short in _short_texts(text[a:b], room, measure)]


def _with_repeats(
    parts: Sequence[Piece], overlap_chars: int, measure: Measure
) -> tuple[Piece, ...]:
    """The pieces, each with what a chunk that begins there repeats."""
    made: list[Piece] = []
    lead: tuple[Piece, ...] = ()
    for index, piece in enumerate(parts):
        before = parts[index - 1] if index else None
        if not piece.block.table:
            repeated = _overlap(parts, index, overlap_chars, measure)
        elif before is None or before.block.table != piece.block.table:
            lead, repeated = _table_lead(parts, index), ()
        else:
            repeated = _repeatable(lead, piece)
            if piece.block.column_header:
                lead = (*lead, piece)
        made.append(replace(piece, repeated=repeated))
    return tuple(made)


def _overlap(
    parts: Sequence[Piece], index: int, overlap_chars: int, measure: Measure
) -> tuple[Piece, ...]:
    """The last pieces of the same section before this one that are short enough to repeat.

    Where a paragraph is cut and its last piece is too long, the piece's last sentences.
    """
    first, length = index, 0
    while first and not (parts[index].is_heading or parts[first].apart):
        before = parts[first - 1]
        length += before.chars
        if before.is_heading or before.block.table or before.leads or length > overlap_chars:
            break
        first -= 1
    if first == index and index and parts[index].block.continues and overlap_chars:
        return _last_sentences(parts[index - 1], overlap_chars, measure)
    return tuple(parts[first:index])


def _last_sentences(piece: Piece, overlap_chars: int, measure: Measure) -> tuple[Piece, ...]:
    """The end of a piece of running text: its last sentence, with those before that still fit.

    A last sentence more than twice as long as ``overlap_chars`` is not repeated.
    """
    text = piece.block.text
    starts = [end for end in sentence_ends(text) if len(text) - end <= 2 * overlap_chars]
    if not starts or not piece.is_prose:
        return ()
    fitting = [start for start in starts if len(text) - start <= overlap_chars]
    tail = text[min(fitting, default=starts[-1]) :].strip()
    block = replace(piece.block, text=tail, cells=(), continues=False)
    return (replace(piece, block=block, tokens=measure.tokens(tail)),)


def _table_lead(parts: Sequence[Piece], index: int) -> tuple[Piece, ...]:
    """What the later pieces of the table beginning here repeat, apart from column headers."""
    first = index
    while first and parts[first - 1].leads and not parts[first].apart:
        first -= 1
    row = (parts[index],) if parts[index].block.column_header else ()
    return (*parts[first:index], *row)


def _repeatable(lead: tuple[Piece, ...], row: Piece) -> tuple[Piece, ...]:
    """As much of a table's lead as leaves half the room, and room for the row."""
    allowed = min(row.room / 2, row.room - row.tokens)
    for repeated in (lead, tuple(piece for piece in lead if piece.block.column_header)):
        if sum(piece.tokens for piece in repeated) <= allowed:
            return repeated
    return ()


def _cuts(parts: Sequence[Piece], settings: Settings) -> list[tuple[int, int]]:
    """The runs of pieces, as first and end, whose costs together are least; first found on ties."""
    cost = [0.0] + [inf] * len(parts)
    best = [0] * (len(parts) + 1)
    for first in range(len(parts)):
        for end, of_chunk in _chunk_costs(parts, first, settings):
            total = cost[first] + of_chunk + _cut_cost(parts, end)
            if total < cost[end]:
                cost[end], best[end] = total, first
    ends = [len(parts)]
    while ends[-1]:
        ends.append(best[ends[-1]])
    return list(pairwise(reversed(ends)))


def _chunk_costs(
    parts: Sequence[Piece], first: int, settings: Settings
) -> Iterator[tuple[int, float]]:
    """For every end at which a chunk from ``first`` fits: that end, and what the chunk costs."""
    start = parts[first]
    tokens, chars = sum(piece.tokens for piece in start.repeated), 0
    filled, crossed = 0.0, 0.0
    tables: set[int] = set()
    prose = False
    for end in range(first, len(parts)):
        piece = parts[end]
        if end > first and piece.apart:
            return
        tokens, chars = tokens + piece.tokens, chars + piece.chars
        if end > first and (tokens > start.room or chars > settings.chunking.chunk_chars):
            return
        if piece.is_heading and end > first and not parts[end - 1].is_heading:
            crossed += _crossing_cost(piece, parts[first], filled)
        filled = max(tokens / max(start.room, 1), chars / settings.chunking.chunk_chars)
        tables |= {piece.block.table} - {0}
        prose = prose or piece.is_prose
        mixed = MIXED * (prose and bool(tables)) + TWO_TABLES * max(0, len(tables) - 1)
        short = TOO_SHORT * (chars < settings.chunking.min_chunk_chars)
        yield end + 1, (1 - min(filled, 1)) ** 2 + crossed + mixed + short


def _crossing_cost(heading: Piece, start: Piece, filled: float) -> float:
    if filled < 0.5:
        return ACROSS_EARLY
    deeper = len(heading.headings) > len(start.headings)
    return ACROSS_SUBHEADING if deeper else ACROSS_HEADING


def _cut_cost(parts: Sequence[Piece], end: int) -> float:
    """What it costs to part the pieces before ``end`` from those after."""
    if end in (0, len(parts)):
        return 0.0
    before, after = parts[end - 1], parts[end]
    same_table = after.block.table and after.block.table == before.block.table
    return (
        CUT_AFTER_HEADING * before.is_heading
        + CUT_AFTER_LEAD * before.leads
        + CUT_IN_TABLE * bool(same_table)
        + CUT_IN_PARAGRAPH * after.block.continues
        + CUT_AFTER_COLON * before.block.text.endswith(":")
        + CUT_IN_LIST * (before.block.kind == after.block.kind == "list")
    )


# The last word on length


def _made_to_fit(
    run: Sequence[Piece], repeated: Sequence[Piece], measure: Measure
) -> list[tuple[Piece, ...]]:
    """The run with what it repeats, in as many parts as the exact count of tokens asks for.

    The tokens of joined texts are the sum of theirs for the encoders in use; where a tokenizer
    makes more of them, what is repeated goes first, then the run is halved.
    """
    whole = (*repeated, *run)
    text = join_blocks(tuple(piece.block for piece in whole))
    text = f"{run[0].context}\n{text}" if run[0].context else text
    if measure.count_tokens(text) <= measure.max_tokens:
        return [whole]
    if repeated:
        return _made_to_fit(run, (), measure)
    halves = _halves(run)
    if len(halves) < 2:
        return [whole]
    return [short for half in halves for short in _made_to_fit(half, (), measure)]


def _halves(run: Sequence[Piece]) -> list[Sequence[Piece]]:
    """Two halves of a run, or of the text of its one piece; one where nothing is left to halve."""
    if len(run) > 1:
        return [run[: len(run) // 2], run[len(run) // 2 :]]
    text = run[0].block.text
    spans = pieces(text, max(1, (len(text) + 1) // 2))
    return [
        [replace(run[0], block=_part(run[0].block, text[a:b], first=index == 0))]
        for index, (a, b) in enumerate(spans)
    ]


def _part(block: Block, text: str, *, first: bool) -> Block:
    """A part of a block's text as a block, carrying on what comes before unless it is the first."""
    return replace(block, text=text, cells=(), continues=block.continues or not first)
