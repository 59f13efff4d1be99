"""Labels for evidence, minted once for each answer, and what a label stands for.

A label is ``S3`` (a whole passage), ``S3.2`` (its second block) or ``S3.2-4`` (a run of its
blocks, both ends included). In an answer's text it stands in square brackets.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from docqa.settings import Settings
from docqa.types.answer import Citation, Evidence
from docqa.types.document import Block, Chunk, Document, join_blocks
from docqa.types.question import Question
from docqa.types.search import Hit
from docqa.types.table import Table

ROWS_SHOWN = 6  # cited rows of which each is spelled out
LABEL = re.compile(r"S(\d+)(?:\.(\d+)(?:-(\d+))?)?")
MARKER = re.compile(rf"\[({LABEL.pattern})\]")
# What a model may write instead: several labels in one pair of brackets, dashes for hyphens.
_LOOSE_LABEL = r"S\d+(?:\.\d+(?:\s*[-–—]\s*(?:S?\d+\.)?\d+)?)?"
_LOOSE_MARKER = re.compile(rf"(\s*)\[\s*({_LOOSE_LABEL}(?:\s*[,;&]\s*{_LOOSE_LABEL})*)\s*\]")


def room_for(question: Question, settings: Settings) -> int:
    """How many characters of evidence a question is given."""
    answering = settings.answering
    return answering.synthesis_evidence_chars if question.several else answering.evidence_chars


def choose_hits(hits: Sequence[Hit], *, max_chars: int) -> list[Hit]:
    """The hits that fit into ``max_chars`` characters of text, in the order they were given.

    Each chunk is taken once. Room is shared fairly: every document's best hit comes before any
    document's second, and so on; ties go by rank. The first hit is taken whatever its length,
    and a hit too long for what is left is passed over for the next.
    """
    unique = list({hit.chunk.id: hit for hit in hits}.values())
    turns: defaultdict[str, Iterator[int]] = defaultdict(count)
    room, chosen = max_chars, set[str]()
    for hit in sorted(unique, key=lambda hit: next(turns[hit.document.id])):
        length = len(hit.chunk.text)
        if length <= room or not chosen:
            room -= length
            chosen.add(hit.chunk.id)
    return [hit for hit in unique if hit.chunk.id in chosen]


def add_evidence(
    evidence: Sequence[Evidence], hits: Iterable[Hit], *, minted: int = 0
) -> tuple[Evidence, ...]:
    """``evidence`` and, after it, the hits whose chunks are not yet in it, labelled onwards.

    ``minted`` is how many labels were given out before, where some of those passages are gone: a
    label is never given twice, whichever passages of an answer's are left.

    >>> add_evidence((), ())
    ()
    """
    known = {piece.hit.chunk.id for piece in evidence}
    grown = list(evidence)
    last = max((minted, *(int(piece.label[1:]) for piece in grown)))
    for hit in hits:
        if hit.chunk.id not in known:
            known.add(hit.chunk.id)
            last += 1
            grown.append(Evidence(f"S{last}", hit))
    return tuple(grown)


def page_as_hit(
    document: Document, page: int, blocks: Sequence[Block], tables: tuple[Table, ...] = ()
) -> Hit:
    """A whole page as something to be cited, for pages read without a search (no scores)."""
    chunk = Chunk(f"{document.id}:page-{page}", document.id, 0, tuple(blocks))
    return Hit(chunk, document, tables=tables)


def without_given(hits: Iterable[Hit], evidence: Iterable[Evidence]) -> list[Hit]:
    """The hits with what is not yet in the evidence; those of which nothing is left go."""
    given = {key for piece in evidence for key, _ in _keyed(piece.hit)}
    fresh = []
    for hit in hits:
        left = {key: block for key, block in _keyed(hit) if key not in given}
        given |= left.keys()
        if left:
            fresh.append(hit.holding(tuple(left.values())))
    return fresh


def _keyed(hit: Hit) -> list[tuple[tuple[str, int, str], Block]]:
    """Its blocks by what tells them from all others: a long one is cut in several of one index."""
    return [((hit.document.id, block.index, block.text), block) for block in hit.chunk.blocks]


def block_label(label: str, first: int, last: int, *, of: int) -> str:
    """The label of the blocks ``first`` to ``last`` (from 1, both included) of a passage of ``of``.

    >>> block_label("S3", 2, 4, of=5), block_label("S3", 2, 2, of=5), block_label("S3", 1, 5, of=5)
    ('S3.2-4', 'S3.2', 'S3')
    """
    if first == 1 and last >= of:
        return label
    return f"{label}.{first}" if first == last else f"{label}.{first}-{last}"


def resolve(label: str, evidence: Sequence[Evidence]) -> Citation:
    """The citation a label stands for, its label in its shortest form.

    Raises KeyError where the label is malformed, or no such passage or block was given.
    """
    match = LABEL.fullmatch(label)
    piece = next((e for e in evidence if match and e.label == f"S{match[1]}"), None)
    if match is None or piece is None:
        raise KeyError(label)
    blocks = piece.hit.chunk.blocks
    first = int(match[2] or 1)
    last = int(match[3] or match[2] or len(blocks))
    if not 1 <= first <= last <= len(blocks):
        raise KeyError(label)
    return cite(piece, first, last)


def cite(piece: Evidence, first: int, last: int) -> Citation:
    """The citation of the blocks ``first`` to ``last`` (from 1, both included) of ``piece``."""
    chunk, document = piece.hit.chunk, piece.hit.document
    blocks = chunk.blocks[first - 1 : last]
    label = block_label(piece.label, first, last, of=len(chunk.blocks))
    return Citation(
        label,
        document.id,
        document.name,
        blocks[0].page,
        join_blocks(blocks),
        blocks,
        figures=_figures(piece.hit, blocks),
    )


def _figures(hit: Hit, cited: Sequence[Block]) -> str:
    """Cited rows of tables with what their figures are of; "" where more is cited than rows.

    More than `ROWS_SHOWN` are quoted as they are printed.
    """
    lines: dict[str, None] = {}
    for block in cited:
        table = hit.table_of(block)
        row = table.row(block.index) if table else None
        if table is None or row is None:
            return ""
        lines[table.spelled_out(row)] = None
    return "\n".join(lines) if len(lines) <= ROWS_SHOWN else ""


def labels_in(text: str) -> list[str]:
    """The labels that stand in ``text`` as markers, each once, in order of appearance.

    >>> labels_in("Rent is $5 [S1.2][S3]. Again [S1.2].")
    ['S1.2', 'S3']
    """
    return list(dict.fromkeys(match[1] for match in MARKER.finditer(text)))


def citations_in(text: str, evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """The citations whose markers stand in ``text``, each once, in order of appearance.

    Raises KeyError where a marker stands for nothing; `tidy_markers` leaves none such.
    """
    return tuple(resolve(label, evidence) for label in labels_in(text))


def tidy_markers(text: str, evidence: Sequence[Evidence]) -> tuple[str, tuple[str, ...]]:
    """``text`` with every marker in its one form, and the labels that stand for nothing.

    ``[S1, S2.3–4]`` becomes ``[S1][S2.3-4]``; a marker without evidence is taken out of the text
    and returned beside it, in order of appearance.
    """
    unknown: list[str] = []

    def tidy(match: re.Match[str]) -> str:
        known = []
        for written in re.split(r"\s*[,;&]\s*", match[2]):
            label = re.sub(r"\s*[-–—]\s*(?:S?\d+\.)?", "-", written)
            try:
                known.append(resolve(label, evidence).label)
            except KeyError:
                unknown.append(label)
        markers = "".join(f"[{label}]" for label in dict.fromkeys(known))
        return match[1] + markers if markers else ""

    return _LOOSE_MARKER.sub(tidy, text), tuple(dict.fromkeys(unknown))
