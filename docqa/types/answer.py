"""Answers with their evidence and citations, and the conversations they are kept in."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from docqa.types.document import Block, where_of
from docqa.types.search import Coverage, Hit

Verdict = Literal["verified", "near", "not found"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit under the label it has within one answer: S1, S2, … in the order it was found."""

    label: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class Citation:
    """A run of blocks of one piece of evidence.

    ``label`` is the evidence's label, then the blocks where not all are meant, counted from 1:
    ``S3`` (all), ``S3.2`` (its second block), ``S3.2-4``. ``[label]`` in the answer's text is
    where the citation stands.
    """

    label: str
    document_id: str
    document: str
    page: int
    quote: str
    blocks: tuple[Block, ...]
    verified: Verdict = "not found"

    @property
    def where(self) -> str:
        return where_of(self.blocks, self.page)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens an answer took, and what they cost where the price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    searches: int = 0
    cost_usd: Decimal | None = None

    @property
    def tokens(self) -> int:
        """All of them, in and out, however they are paid for."""
        prompt = self.input_tokens + self.cache_read_tokens + self.cache_write_tokens
        return prompt + self.output_tokens


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Answer:
    """A cited answer. ``found`` is False for "not found in the documents".

    ``partial`` says that it broke off; it holds what had arrived.
    """

    text: str
    answerer: str  # "extractive" or the model's id
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    coverage: tuple[Coverage, ...] = ()
    found: bool = True
    seconds: float = 0.0
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Something an answerer did on its way, in words; ``outcome`` once it is known."""

    text: str
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; an assistant's turn carries its whole answer and its steps."""

    role: Literal["user", "assistant"]
    text: str
    answer: Answer | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A chat that is kept. ``created`` and ``updated`` are ISO 8601, UTC."""

    id: str
    title: str
    created: str
    updated: str
