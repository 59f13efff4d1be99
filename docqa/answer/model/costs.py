"""What an answer costs, and whether a budget allows it; pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from docqa.errors import BudgetReached, PriceUnknown
from docqa.settings import PRICES, Price
from docqa.types.answer import Usage
from docqa.types.phrases import dollars

_TOKEN_CHARS = Decimal("3.2")  # characters of a request for each token, on the cautious side
_LIKELY_ANSWER = 1000  # tokens of an ordinary answer, for an estimate
_MILLION = Decimal(1_000_000)


def _untold(usage: Usage) -> None:
    """Takes what was spent where nobody keeps it."""


@dataclass(frozen=True, slots=True)
class SpendingLimit:
    """What may be spent: the price list, the day's budget (None: no limit) and what is gone of it.

    ``spend`` is told the tokens and cost of every request, also of one that is broken off.
    """

    prices: Mapping[str, Price] = field(default_factory=lambda: PRICES)
    budget: Decimal | None = None
    spent: Decimal = Decimal(0)
    spend: Callable[[Usage], None] = _untold

    def check(self, tokens: int, *, model: str, so_far: Decimal = Decimal(0)) -> None:
        """Whether a request of ``tokens`` still fits, ``so_far`` being spent since.

        Raises `BudgetReached`, and `PriceUnknown` where there is a budget but no price.
        """
        if self.budget is None:
            return
        cost = self.estimate(tokens, model=model)
        if cost is None:
            raise PriceUnknown(model)
        if self.spent + so_far + cost > self.budget:
            raise BudgetReached(spent=dollars(self.spent + so_far), budget=dollars(self.budget))

    def estimate(self, tokens: int, *, model: str, answer: int = _LIKELY_ANSWER) -> Decimal | None:
        """What a first request of ``tokens`` will cost about, its prompt being written to the
        cache, with so many tokens of an answer."""
        return price_of(
            Usage(cache_write_tokens=tokens, output_tokens=answer), self.prices.get(model)
        )


def price_of(usage: Usage, price: Price | None) -> Decimal | None:
    """What one request cost in US dollars; None where the model's price is not known."""
    if price is None:
        return None
    prompt = usage.tokens - usage.output_tokens
    factor = price.long_factor if price.long_over and prompt > price.long_over else Decimal(1)
    dollars = (
        price.input * usage.input_tokens
        + price.output * usage.output_tokens
        + price.cache_read * usage.cache_read_tokens
        + price.cache_write * usage.cache_write_tokens
    )
    return dollars * factor / _MILLION


def with_request(usage: Usage, request: Usage, price: Price | None) -> Usage:
    """``usage`` with the tokens and the cost of one more request."""
    cost = price_of(request, price)
    before = usage.cost_usd or Decimal(0)
    return replace(
        usage,
        input_tokens=usage.input_tokens + request.input_tokens,
        output_tokens=usage.output_tokens + request.output_tokens,
        cache_read_tokens=usage.cache_read_tokens + request.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens + request.cache_write_tokens,
        cost_usd=None if cost is None else before + cost,
    )


def tokens_of(payload: Mapping[str, Any]) -> int:
    """About how many tokens a request has; only the server can count them.

    >>> tokens_of({"messages": [{"role": "user", "content": "Which law governs?"}]})
    19
    """
    written = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return int(len(written) / _TOKEN_CHARS)
