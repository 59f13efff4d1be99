"""Questions with known answers, how well searches find them, and how well they are answered."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with where its answer stands, to measure a search by.

    ``sources`` maps document names to the pages that answer it, () where the pages are not known.
    """

    question: str
    sources: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    answerable: bool = True


Scope = Literal["document", "library"]  # a question's own documents, or every one


@dataclass(frozen=True, slots=True)
class Judged:
    """What a search made of a `GoldQuestion`.

    ``pages`` are the pages of its hits, best first, each once, as document name and page;
    ``rank`` is that of the first one that answers (0: none). ``missing`` are the documents with
    an answer of which nothing is in the evidence. ``refused`` says that the answer quoted from the
    hits is that nothing answers.
    """

    asked: GoldQuestion
    scope: Scope
    pages: tuple[tuple[str, int], ...]
    rank: int
    missing: tuple[str, ...]
    refused: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of ``n`` questions, with its Wilson score interval (95 %)."""

    hits: int
    n: int

    @property
    def value(self) -> float:
        return self.hits / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson, "Probable inference, the law of succession, and statistical inference", 1927."""
        if not self.n:
            return 0.0, 1.0
        z = 1.959964  # of the normal distribution, for 95 %
        spread = z * math.sqrt(self.value * (1 - self.value) / self.n + z**2 / (4 * self.n**2))
        middle, scale = self.value + z**2 / (2 * self.n), 1 + z**2 / self.n
        return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} [{low:.2f}, {high:.2f}] n={self.n}"


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one scope.

    ``hit_at`` maps a depth to the questions with an answering page among so many pages,
    ``recall_at`` to the mean share of a question's answering pages among them; ``mrr`` is the
    mean of 1/rank. ``documents`` counts the questions with every document that answers among
    the evidence. ``refusal_precision`` counts the refused questions that have no answer,
    ``refusal_recall`` the questions without an answer that were refused.
    """

    scope: Scope
    hit_at: Mapping[int, Rate]
    recall_at: Mapping[int, float]
    mrr: float
    documents: Rate
    refusal_precision: Rate
    refusal_recall: Rate
    median_seconds: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well searches found what answers. ``skipped`` are sentences on what was not asked."""

    figures: tuple[Figures, ...]
    judged: tuple[Judged, ...]
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """What an answerer made of a `GoldQuestion`.

    ``held`` are the citations for which something was checked, all of it well; ``supported`` the
    figures, dates and quotations that stand in the passages or follow from them. ``abstained``
    says that it gave no answer outright, ``right_page`` that it cites one of the pages known.
    """

    asked: GoldQuestion
    text: str
    held: Rate
    supported: Rate
    abstained: bool
    right_page: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """How well questions were answered.

    ``held`` and ``supported`` count citations and figures over all answers; ``right_pages``
    counts the answers that cite a page which answers, of the answerable questions whose pages are
    known; ``answered`` those of answerable ones that were answered at all, and ``abstained`` the
    unanswerable ones that were not. ``cost_usd`` is None where no price is known.
    """

    answerer: str
    judged: tuple[JudgedAnswer, ...]
    held: Rate
    supported: Rate
    right_pages: Rate
    answered: Rate
    abstained: Rate
    median_seconds: float
    tokens: int
    cost_usd: Decimal | None
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a person said of a page after looking: whether it answers the question."""

    question: str
    document_id: str
    page: int
    right: bool
