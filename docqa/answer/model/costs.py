"""What an answer costs, and whether a budget allows it; pure."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_REQUESTS = 2  # that a question takes: the model often searches once more


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


def sharing_pays(own: Sequence[int], together: int, price: Price) -> bool:
    """Whether questions are cheaper with one cached beginning than with passages of their own.

    ``own`` are the lengths of each question's passages, ``together`` that of all, each once. A
    beginning is written once and read by each request after, be it the same question's.

    >>> price = Price(Decimal(3), Decimal(15), Decimal("0.30"), Decimal("3.75"))
    >>> sharing_pays([100, 100], 110, price), sharing_pays([100, 100], 190, price)
    (True, False)
    """
    read, written = price.cache_read, price.cache_write - price.cache_read
    apart = sum(own) * (written + _REQUESTS * read)
    return together * (written + len(own) * _REQUESTS * read) < apart


def counted(payloads: Iterable[Mapping[str, Any]], price: Price | None) -> Iterator[Usage]:
    """What the server is likely to count of each prompt, sent one after the other.

    What an earlier one had up to a mark for caching is read, the rest up to the last mark written.
    """
    least = price.cached_from if price else 0
    known = set[str]()
    for payload in payloads:
        marked = [each for each in _marked(payload) if len(each) / _TOKEN_CHARS >= least]
        read = max((len(each) for each in marked if each in known), default=0)
        written = max(map(len, marked), default=0) - read
        known.update(marked)
        yield Usage(
            input_tokens=int(max(0, len(_written(payload)) - read - written) / _TOKEN_CHARS),
            cache_read_tokens=int(read / _TOKEN_CHARS),
            cache_write_tokens=int(written / _TOKEN_CHARS),
        )


def _marked(payload: Mapping[str, Any]) -> Iterator[str]:
    """The request as it begins, up to each of its marks for caching."""
    turns = [each["content"] for each in payload["messages"]]
    blocks = [*payload["system"], *(block for turn in turns for block in turn)]
    begins = _written(payload.get("tools"))
    for block in blocks:
        begins += _written({key: each for key, each in block.items() if key != "cache_control"})
        if "cache_control" in block:
            yield begins


def _written(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


def tokens_of(payload: Mapping[str, Any]) -> int:
    """About how many tokens a request has; only the server can count them.

    >>> tokens_of({"messages": [{"role": "user", "content": "Which law governs?"}]})
    19
    """
    return int(len(_written(payload)) / _TOKEN_CHARS)
