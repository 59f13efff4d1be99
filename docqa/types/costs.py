"""What a request would send and cost, and what requests have cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from docqa.types.answer import Evidence, Usage
from docqa.types.phrases import PRICE_UNKNOWN, count, dollars


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What would be sent for a question, before anything is: nothing of it has left the machine.

    ``payload`` is the request's body, ready for JSON. ``tokens`` is an estimate, since only the
    server can count them; ``cost_usd`` is for those, at most with ``answer_tokens`` of an answer.
    ``evidence`` are the passages in it, as they are without redaction.
    """

    url: str
    model: str
    payload: Mapping[str, Any]
    tokens: int
    answer_tokens: int
    cost_usd: Decimal | None
    most_usd: Decimal | None
    evidence: tuple[Evidence, ...] = ()
    stays: bool = False  # on this machine, where the model runs that it would go to

    @property
    def described(self) -> str:
        """Where it would go, its size and its price, as a sentence."""
        price = PRICE_UNKNOWN
        if self.cost_usd is not None and self.most_usd is not None:
            price = f"about {dollars(self.cost_usd)}, at most {dollars(self.most_usd)}"
        size = f"about {self.tokens:,} tokens"
        if self.stays and self.cost_usd is None:
            return f"To {self.model} on this machine ({self.url}) would go {size}; it is free."
        return f"To {self.model} at {self.url} would go {size}: {price} with the first answer."


@dataclass(frozen=True, slots=True)
class NotesEstimate:
    """What it would take to have a model write a note for each passage; nothing was sent.

    ``passages`` still have none, ``written`` have one. ``tokens`` are those of all requests.
    """

    url: str
    model: str
    documents: int
    passages: int
    written: int
    tokens: int
    cost_usd: Decimal | None  # None where the model's price is not known


@dataclass(frozen=True, slots=True)
class CellsEstimate:
    """What it would take to have a model fill cells of a review; nothing was sent."""

    url: str
    model: str
    cells: int
    tokens: int  # of all requests and answers
    cost_usd: Decimal | None  # None where the model's price is not known
    stays: bool = False  # on this machine

    @property
    def described(self) -> str:
        """The model, where it is, the size and the price, as a sentence."""
        price = PRICE_UNKNOWN if self.cost_usd is None else f"about {dollars(self.cost_usd)}"
        size = f"{count(self.cells, 'cell')}, about {self.tokens:,} tokens"
        if self.stays and self.cost_usd is None:
            return f"{self.model} on this machine would fill {size}; it is free."
        return f"{self.model} at {self.url} would fill {size}: {price}."


@dataclass(frozen=True, slots=True)
class Spending:
    """One request's tokens and cost, kept when its conversation is gone."""

    at: str  # ISO 8601, UTC
    model: str
    usage: Usage
    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums of `Spending`; ``cost_usd`` leaves out the ``unpriced``, whose price is not known."""

    requests: int
    tokens: int
    cost_usd: Decimal
    unpriced: int = 0

    @property
    def described(self) -> str:
        """The sums in a line: "US$0.0213, 2 requests, 12,400 tokens"."""
        requests = count(self.requests, "request")
        unknown = f"; {self.unpriced:,} without a price" if self.unpriced else ""
        return f"{dollars(self.cost_usd)}, {requests}, {self.tokens:,} tokens{unknown}"
