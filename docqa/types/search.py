"""What a search found, what it saw of each document, and why something was not found."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from docqa.types.document import Block, Chunk, Document, place_name
from docqa.types.phrases import series
from docqa.types.question import NotAsked, QueryPlan
from docqa.types.table import Table


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. ``scores`` maps each stage to its number.

    Stages: ``bm25`` and ``dense`` (cosine) where the chunk was in that list, ``rrf``,
    ``read`` (a reranker's score, 0–1), ``rerank`` (calibrated relevance, 0–1), ``boost``, ``mmr``.
    ``tables`` are those that its blocks are of, each whole.
    """

    chunk: Chunk
    document: Document
    scores: Mapping[str, float] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()

    @property
    def places(self) -> set[tuple[str, int]]:
        """The document's id and the indices of its blocks, but for headings."""
        return {(self.document.id, b.index) for b in self.chunk.blocks if b.kind != "heading"}

    def holding(self, blocks: tuple[Block, ...]) -> "Hit":
        """The hit with these blocks for its passage, which is then no chunk of the index."""
        if blocks == self.chunk.blocks:
            return self
        name = f"{self.document.id}:blocks{blocks[0].index}-{blocks[-1].index}x{len(blocks)}"
        return replace(self, chunk=replace(self.chunk, id=name, blocks=blocks))

    def table_of(self, block: Block) -> Table | None:
        """The table that one of its blocks is of."""
        return next((table for table in self.tables if block.index in table.blocks), None)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a search saw of one document, so that silence about it can be checked."""

    document_id: str
    document: str
    seen: int  # chunks among the candidates
    used: int  # chunks among the hits
    best_score: float  # the best cosine of its candidates; 0.0 where it had none
    nearest_page: int  # the page of the best candidate; 0 where it had none
    queries: tuple[str, ...] = ()  # what it was searched for, in the order of the searches
    cited: int = 0  # passages of it that the answer cites
    nearest_place: str = ""  # as of a `Block`

    @property
    def nearest(self) -> str:
        """Where the best candidate stands."""
        return place_name(self.nearest_page, self.nearest_place)


@dataclass(frozen=True, slots=True)
class SearchResult:
    plan: QueryPlan
    hits: tuple[Hit, ...]
    coverage: tuple[Coverage, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)  # stage to seconds
    missing: tuple[str, ...] = ()  # words it is about that no document searched has

    @property
    def seconds(self) -> float:
        return sum(self.timings.values())


def unmentioned(words: Sequence[str], *, by: str = "document searched") -> str:
    """That no document searched has these words, as a sentence; "" without any.

    >>> unmentioned(["Platinum", "yoga"])
    'No document searched mentions “Platinum” or “yoga”.'
    """
    listed = _quoted(words, "or")
    return f"No {by} mentions {listed}." if listed else ""


def taken_for(words: Sequence[tuple[str, str]]) -> str:
    """That words of a question were taken for others, as a sentence; "" without any.

    Another form of the same word goes without saying.

    >>> taken_for([("indemnifcation", "indemnification"), ("expire", "expiry")])
    'No document has “indemnifcation”; “indemnification” was looked for.'
    """
    others = [pair for pair in words if not _INFLECTED.fullmatch(" ".join(pair))]
    if not others:
        return ""
    said, meant = (_quoted(each, "or") for each in zip(*others, strict=True))
    were = "were" if len(others) > 1 else "was"
    return f"{_NOT_HAD}{said}; {meant} {were}{_LOOKED_FOR}"


def tells_respelling(warning: str) -> bool:
    """Whether a warning is the sentence of `taken_for`, which warns of nothing."""
    return warning.startswith(_NOT_HAD) and warning.endswith(_LOOKED_FOR)


_NOT_HAD, _LOOKED_FOR = "No document has ", " looked for."
_ENDING = "(?:e|y|s|d|es|ed|er|or|ing|ies|ied|al|ion)?"
_INFLECTED = re.compile(rf"(\w{{4,}}){_ENDING} \1{_ENDING}", re.IGNORECASE)


def left_out(named: Sequence[NotAsked]) -> str:
    """That documents a question names are not among those asked, as a sentence; "" without any.

    >>> left_out([NotAsked("Lease C", ("Lease_C.pdf",))])
    '“Lease_C.pdf” is in the library, but not among the documents asked: include it and ask again.'
    """
    names = tuple(dict.fromkeys(name for each in named for name in each.documents))
    are, them = ("are", "them") if len(names) > 1 else ("is", "it")
    beside = f"in the library, but not among the documents asked: include {them} and ask again."
    return f"{_quoted(names, 'and')} {are} {beside}" if names else ""


def _quoted(words: Sequence[str], joining: str) -> str:
    return series([f"“{word}”" for word in words[:_MOST_NAMED]], joining)


_MOST_NAMED = 4  # words of one sentence

FateStage = Literal[
    "not indexed", "not searched", "not a candidate", "repetition", "outranked", "hit"
]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one passage in a search. Ranks count from 1, 0 where it was not ranked.

    ``stage`` is where its way ended: left out when the file was read, outside the documents or
    filters searched, in no list of candidates, repeating a better passage, ranked behind the
    last place, or a hit. ``reason`` says so in words, and ``remedy`` what would have kept it.
    """

    document: str
    page: int
    text: str
    stage: FateStage
    reason: str
    remedy: str = ""
    dense_rank: int = 0
    keyword_rank: int = 0
    table_rank: int = 0
    fused_rank: int = 0  # after fusion, or after the reranker where there is one
    place: str = ""  # as of a `Block`

    @property
    def where(self) -> str:
        return place_name(self.page, self.place)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a phrase, or a page, was not found: the fate of every passage of it, best first.

    ``summary`` says it in a sentence or two, also where no page has the phrase.
    """

    question: str
    phrase: str
    fates: tuple[Fate, ...]
    summary: str
