"""What cited blocks say: their sentences, and their figures with label, period, unit and scale."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from docqa.answer.findings.rows import BELOW, read_row, scale_of
from docqa.language.amounts import Amount, scaled_by, stated_amounts
from docqa.language.numbers import stated_scale
from docqa.language.periods import Date, TimeScope, dates_in, time_scope, years_in
from docqa.language.sentences import sentences
from docqa.language.vocabulary import spelled_out
from docqa.language.words import content_words, name_in_words
from docqa.types.answer import Citation, Evidence
from docqa.types.document import Block, join_blocks

_UNSCALED = re.compile(
    r"\bper\b|ratio|percent|%|\bnumber of\b|\bcount\b|employees|headcount|\bstores\b"
    r"|\bdays\b|\byears?\b(?! end)|multiple|\bshares\b",
    re.IGNORECASE,
)
_LINK_AFTER = re.compile(
    r"^[\s)]*(?:(?:thousand|million|billion|per \w+|a \w+)\s+)?\(?\s*(?:(?:in|for|during|at|as of"
    r"|as at|through|by|on|ended|ending)\b[^.;:$€£]{0,45})?$",
    re.IGNORECASE,
)
_LINK_BEFORE = re.compile(
    r"^[\s),:—–-]*(?:(?:was|were|is|are|totaled|totalled|amounted to|of|at|it was|net|approximately"
    r"|about)[\s:]*){0,3}\(?\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sourced:
    """A figure in the cited blocks.

    ``values`` are what it may mean, the likeliest first, with whether that reading is sure;
    ``certain`` says that the period is the figure's own. ``around`` is the text it stands in.
    """

    values: tuple[tuple[Amount, bool], ...]
    period: TimeScope
    certain: bool
    label: str  # of a table row; "" in prose
    around: str

    @property
    def in_table(self) -> bool:
        return bool(self.label)


@dataclass(frozen=True, slots=True)
class Source:
    """A citation's blocks, read; ``context`` is what stands around them without being cited."""

    citation: Citation
    text: str
    context: str
    sentences: tuple[str, ...]
    figures: tuple[Sourced, ...]
    days: tuple[Date, ...]
    words: frozenset[str]
    context_words: frozenset[str]
    names: tuple[str, ...] = ()  # of the cited rows, their columns and the titles around them


def read_source(citation: Citation, evidence: Sequence[Evidence]) -> Source:
    """The cited blocks with their figures; headers, captions and scales come from the passage."""
    piece = next((e for e in evidence if e.label == citation.label.partition(".")[0]), None)
    own_blocks = piece.hit.chunk.blocks if piece else citation.blocks
    others = _same_tables(citation, own_blocks, evidence)
    context = _context(citation, piece, (*others, *own_blocks))
    text = join_blocks(citation.blocks)
    spoken = tuple(_prose(citation.blocks))
    figures = [figure for sentence in spoken for figure in prose_figures(sentence)]
    for block in citation.blocks:
        if block.kind == "table":
            scale = scale_of(own_blocks, block.table) or scale_of(others, block.table)
            figures += table_figures(block, (*others, *own_blocks), scale=scale)
    names = _names(citation, (*others, *own_blocks), context)
    days = tuple(dates_in("\n".join((text, context, *names))))
    lines = (name.partition(BELOW)[0] for name in names if BELOW in name)  # cited rows are under
    context = "\n".join((context, *lines))
    own = frozenset(content_words(spelled_out(text)))
    return Source(
        citation, text, context, spoken, tuple(figures), days, own,
        own | frozenset(content_words(spelled_out(context))), names,
    )  # fmt: skip


def _same_tables(
    citation: Citation, own: Sequence[Block], evidence: Sequence[Evidence]
) -> tuple[Block, ...]:
    """The cited tables' rows, and captions beside them, from the document's other passages."""
    tables = {block.table for block in citation.blocks if block.table}
    others: list[Block] = []
    for other in evidence:
        blocks = other.hit.chunk.blocks
        same = other.hit.document.id == citation.document_id
        if same and any(block.table in tables for block in blocks):
            others += [b for b in blocks if b.table in tables or b.kind == "caption"]
    return tuple(block for block in others if block not in own)


def _context(citation: Citation, piece: Evidence | None, around: Sequence[Block]) -> str:
    if piece is None:
        return citation.document
    chunk, document = piece.hit.chunk, piece.hit.document
    cited = set(map(id, citation.blocks))
    beside = [
        block.text
        for block in around
        if id(block) not in cited
        and (block.column_header or block.kind in ("caption", "heading") or leads_in(block))
    ]
    name = name_in_words(document.name)
    return "\n".join((name, document.title, chunk.context, *chunk.headings, *beside))


def _names(citation: Citation, blocks: Sequence[Block], context: str) -> tuple[str, ...]:
    """What the cited rows, their columns and the titles around them are called."""
    rows = [read_row(b, blocks) for b in citation.blocks if b.cells and not b.column_header]
    called = [name for row in rows for name in (row.label, *(e.header for e in row.entries))]
    told = (name.strip(" :.,") for name in (*called, *context.splitlines()))
    return tuple(name for name in dict.fromkeys(told) if re.search("[A-Za-z]{3}", name))


def leads_in(block: Block) -> bool:
    """Whether a sentence only says what the table or list after it is of."""
    return not block.table and block.text.rstrip().endswith(":")


def _prose(blocks: Sequence[Block]) -> Iterable[str]:
    paragraph: list[Block] = []
    for block in (*blocks, None):
        if paragraph and (block is None or not block.continues):
            text = join_blocks(tuple(paragraph))
            yield from (text[start:end] for start, end in sentences(text))
            paragraph = []
        if block is not None and block.kind != "table":
            paragraph.append(block)


def table_figures(row: Block, blocks: Sequence[Block], *, scale: str) -> list[Sourced]:
    """The figures of a table row: each with its column's period and the table's ``scale``."""
    if row.column_header:
        return []
    read = read_row(row, blocks)
    factor, _ = stated_scale(f"{row.text} {scale}")
    figures = [
        Sourced(((amount, True),), time_scope(row.text), True, read.label or row.text, row.text)
        for amount in stated_amounts(read.label)
    ]
    if not read.entries:
        return [
            _of_row(a, row, "", read.label, factor) for a in stated_amounts(row.text, table=True)
        ]
    for entry in read.entries:
        for amount in stated_amounts(entry.text, table=True):
            figures.append(_of_row(amount, row, entry.header, read.label, factor))
    return figures


def _of_row(amount: Amount, row: Block, header: str, label: str, factor: int) -> Sourced:
    named = f"{label} {header}"
    printed = _with_unit(amount, row.text, named)
    period = time_scope(header)
    if not period.years:
        period = replace(period, years=time_scope(label).years)
    raw = bool(_UNSCALED.search(named))
    is_money = printed.unit in ("", "USD", "EUR", "GBP", "JPY")
    if printed.scaled or factor == 1 or not is_money:
        values: tuple[tuple[Amount, bool], ...] = ((printed, True),)
    else:
        values = ((scaled_by(printed, factor), not raw), (printed, raw))
    certain = bool(header) or not years_in(row.text)
    return Sourced(values, period, certain, label or row.text, f"{label} {header}")


def _with_unit(amount: Amount, row: str, named: str) -> Amount:
    """The amount as a percentage where its row or column says so and it bears no unit."""
    among = "%" in row and "$" not in row and abs(amount.value) <= 100
    says_so = among or re.search(r"%|\bpercent", named, re.IGNORECASE)
    return replace(amount, unit="%") if says_so and not amount.unit else amount


def prose_figures(sentence: str) -> list[Sourced]:
    """The figures of a sentence, each with the year it is linked to and the clause it is in."""
    amounts = stated_amounts(sentence)
    linked = link_periods(sentence, amounts)
    return [
        Sourced(((amount, True),), period, certain, "", _clause(sentence, amount.start))
        for amount, (period, certain) in zip(amounts, linked, strict=True)
    ]


def _clause(sentence: str, at: int) -> str:
    start = sentence.rfind(";", 0, at) + 1
    end = sentence.find(";", at)
    return sentence[start : end if end >= 0 else len(sentence)].strip()


def link_periods(sentence: str, amounts: Sequence[Amount]) -> list[tuple[TimeScope, bool]]:
    """For each amount the period it is for, and whether that is certain.

    With one year in the sentence everything is for it. With several, an amount belongs to the
    year that follows it ("$4 million in 2022") or leads to it ("2022: $4 million"), or, where the
    sentence says "respectively", to the year in the same place; otherwise to any of them.
    """
    whole = time_scope(sentence)
    years = years_in(sentence)
    if len({year for year, _ in years}) < 2:
        return [(_unless_earlier(sentence, amount, whole), True) for amount in amounts]
    if re.search(r"\brespectively\b", sentence, re.I) and len(amounts) % len(years) == 0:
        return [(_only(years[i % len(years)][0]), True) for i in range(len(amounts))]
    linked = [_linked(sentence, amount, amounts, years, whole) for amount in amounts]
    return _shared(sentence, amounts, linked)


def _unless_earlier(sentence: str, amount: Amount, period: TimeScope) -> TimeScope:
    """No period for a figure that only another is measured from ("up from $4 million")."""
    before = sentence[: amount.start].rstrip("$€£( ")
    after = sentence[amount.end : amount.end + 40]
    is_base = re.search(r"\b(?:from|compared (?:to|with)|versus|vs\.?|against)$", before, re.I)
    return period if not is_base or re.match(r"\s+in\s+(?:19|20)\d\d", after) else TimeScope()


def _shared(
    sentence: str, amounts: Sequence[Amount], linked: list[tuple[TimeScope, bool]]
) -> list[tuple[TimeScope, bool]]:
    """The links, one figure's passed to its other expression ("1% or $2 million", "$9 (3%)")."""
    for i in range(len(amounts) - 1):
        gap = sentence[amounts[i].end : amounts[i + 1].start].strip("$€£ ")
        if gap in ("or", ", or", "(", ", (", "/"):
            if linked[i + 1][1] and not linked[i][1]:
                linked[i] = linked[i + 1]
            elif linked[i][1] and not linked[i + 1][1]:
                linked[i + 1] = linked[i]
    return linked


def _linked(
    sentence: str,
    amount: Amount,
    amounts: Sequence[Amount],
    years: Sequence[tuple[int, int]],
    whole: TimeScope,
) -> tuple[TimeScope, bool]:
    after = next((pair for pair in years if pair[1] >= amount.end), None)
    before = next((pair for pair in reversed(years) if pair[1] < amount.start), None)
    if after and not _between(amounts, amount.end, after[1]):
        gap = sentence[amount.end : after[1]]
        if re.search(r"\b(?:in|for|during|at|of|ended|through|by|fy|on)\b", gap, re.I) and (
            _LINK_AFTER.match(gap)
        ):
            return _only(after[0]), True
    if before and not _between(amounts, before[1] + 4, amount.start):
        gap = sentence[before[1] + 4 : amount.start].rstrip("$€£( -")
        if _LINK_BEFORE.match(gap):
            return _only(before[0]), True
    return whole, False


def _between(amounts: Sequence[Amount], start: int, end: int) -> bool:
    return any(start <= amount.start < end for amount in amounts)


def _only(year: int) -> TimeScope:
    return TimeScope(years=frozenset({year}))
