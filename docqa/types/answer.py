"""Answers with their evidence and citations, and the conversations they are kept in."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from docqa.types.document import Block, where_of
from docqa.types.phrases import quoted
from docqa.types.search import Coverage, Hit

Verdict = Literal["verified", "near", "not found"]

CheckKind = Literal["figure", "date", "quote"]

CheckResult = Literal["stands", "elsewhere", "computed", "in question", "not supported"]


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
    where the citation stands. ``figures`` are cited rows of a table with what each figure is
    of, a line each.
    """

    label: str
    document_id: str
    document: str
    page: int
    quote: str
    blocks: tuple[Block, ...]
    verified: Verdict = "not found"
    figures: str = ""

    @property
    def where(self) -> str:
        return where_of(self.blocks, self.page)

    @property
    def shown(self) -> str:
        """What is quoted, as it is shown: rows of a table with their columns, period and scale."""
        return self.figures or self.quote


@dataclass(frozen=True, slots=True)
class Check:
    """What became of one figure, date or quotation of an answer.

    It is ``text``, from ``start`` to ``end`` in the answer's text. ``labels`` are where it stands,
    or what it is computed from, and ``sum`` how. Of what is not supported, ``reason`` says why in
    a few words ("that is the figure for 2021"), "" where the passages have nothing like it, and
    ``nearest`` is the nearest figure or wording in them.
    """

    kind: CheckKind
    text: str
    start: int
    end: int
    result: CheckResult
    labels: tuple[str, ...] = ()
    sum: str = ""
    reason: str = ""
    nearest: str = ""

    @property
    def problem(self) -> str:
        """What is not supported, in a sentence; "" where it is.

        >>> Check("figure", "$9", 0, 2, "not supported", reason="it is the figure for 2017").problem
        '$9 is not supported: it is the figure for 2017.'
        """
        if self.result != "not supported":
            return ""
        said = quoted(self.text) if self.kind == "quote" else self.text
        if self.reason:
            return f"{said} is not supported: {self.reason}."
        if self.kind == "quote":
            near = f"; they say {quoted(self.nearest)}" if self.nearest else ""
            return f"{said} does not stand word for word in the passages{near}."
        near = f"; the nearest figure is {self.nearest}" if self.nearest else ""
        return f"{said} is neither in the passages nor computed from them{near}."


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

    ``partial`` says that it broke off; it holds what had arrived. ``unread`` are the ids of the
    documents that had not been read in full when it was asked for.
    """

    text: str
    answerer: str  # "extractive" or the model's id
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = NO_USAGE
    coverage: tuple[Coverage, ...] = ()
    found: bool = True
    likely: bool = False  # no passage states it outright; the text says where it may stand
    seconds: float = 0.0
    partial: bool = False
    checks: tuple[Check, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def problems(self) -> list[str]:
        """What is not supported, a sentence each."""
        return list(dict.fromkeys(filter(None, (check.problem for check in self.checks))))


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
    """A chat that is kept, with its first question; times are ISO 8601, UTC."""

    id: str
    title: str
    updated: str
    opening: str = ""
