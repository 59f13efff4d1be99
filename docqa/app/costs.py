"""What answers have cost, at which prices, and how much they may cost: kept in the catalog."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal

from docqa.library.catalog import Catalog
from docqa.library.records import from_json, to_json
from docqa.settings import PRICES, Price
from docqa.types.answer import Usage
from docqa.types.costs import Spending, Spent

_PRICES = "prices"
_BUDGET = "budget_usd"


class Ledger:
    """The spending of one library."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def note(self, usage: Usage, *, model: str, conversation_id: str = "") -> None:
        """Keep what one request took."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._catalog.spending.add(Spending(now, model, usage, conversation_id))

    def spent(self, *, day: str = "", conversation_id: str = "") -> Spent:
        """The sum over a day (``YYYY-MM-DD``, UTC), a conversation, both, or everything."""
        kept = self._catalog.spending.all(day=day, conversation_id=conversation_id)
        priced = [each.usage.cost_usd for each in kept if each.usage.cost_usd is not None]
        tokens = sum(each.usage.tokens for each in kept)
        return Spent(len(kept), tokens, sum(priced, Decimal(0)), len(kept) - len(priced))

    def today(self) -> Spent:
        """What was spent today, by UTC."""
        return self.spent(day=datetime.now(UTC).date().isoformat())

    def days(self) -> list[tuple[str, Spent]]:
        """Each day with its sum, the last first."""
        days = {each.at[:10] for each in self._catalog.spending.all()}
        return [(day, self.spent(day=day)) for day in sorted(days, reverse=True)]

    # Prices and the budget that this library's owner has set

    def own_prices(self) -> Mapping[str, Price]:
        kept = json.loads(self._catalog.get_setting(_PRICES) or "{}")
        return {model: from_json(Price, json.dumps(price)) for model, price in kept.items()}

    def set_price(self, model: str, price: Price | None) -> None:
        """Give a model a price of its own, or (None) the one in the settings again."""
        prices = {name: each for name, each in self.own_prices().items() if name != model}
        if price is not None:
            prices[model] = price
        self._catalog.set_setting(_PRICES, to_json(prices))

    @property
    def budget(self) -> Decimal | None:
        """US dollars a day; None is no limit."""
        kept = self._catalog.get_setting(_BUDGET)
        return Decimal(kept) if kept else None

    def set_budget(self, dollars: Decimal | None) -> None:
        self._catalog.set_setting(_BUDGET, "" if dollars is None else str(dollars))

    def prices(self) -> Mapping[str, Price]:
        """The price list with this library's own prices."""
        return {**PRICES, **self.own_prices()}
