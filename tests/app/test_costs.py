"""Costs are kept by day and conversation, prices and the budget in the library."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from docqa.app.costs import Ledger
from docqa.library.catalog import Catalog
from docqa.settings import PRICES, Price
from docqa.types.answer import Usage
from docqa.types.costs import Spending

ONE = Usage(900, 100, 0, 0, cost_usd=Decimal("0.25"))


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog(tmp_path)
    yield opened
    opened.close()


def test_costs_add_up_by_day_and_by_conversation(catalog: Catalog) -> None:
    ledger = Ledger(catalog)
    catalog.spending.add(Spending("2026-01-02T10:00:00+00:00", "m", ONE, "talk"))
    ledger.note(ONE, model="m", conversation_id="talk")
    ledger.note(replace(ONE, cost_usd=None), model="other")
    assert ledger.spent(conversation_id="talk").cost_usd == Decimal("0.50")
    assert ledger.spent(day="2026-01-02").requests == 1
    today = ledger.today()
    assert (today.requests, today.tokens, today.cost_usd) == (2, 2000, Decimal("0.25"))
    assert today.unpriced == 1
    assert [spent.requests for _, spent in ledger.days()] == [2, 1]


def test_prices_and_the_budget_survive(tmp_path: Path) -> None:
    price = Price(Decimal(1), Decimal(2), Decimal("0.1"), Decimal("1.25"), 100_000, Decimal(5))
    for _ in range(2):
        catalog = Catalog(tmp_path)
        ledger = Ledger(catalog)
        if ledger.budget is None:
            ledger.set_price("local-model", price)
            ledger.set_budget(Decimal("2.50"))
        prices, budget = ledger.prices(), ledger.budget
        catalog.close()
        assert prices == {**PRICES, "local-model": price}
        assert budget == Decimal("2.50")


def test_a_price_and_a_budget_can_be_taken_back(catalog: Catalog) -> None:
    ledger = Ledger(catalog)
    ledger.set_price("m", Price(Decimal(1), Decimal(1), Decimal(1), Decimal(1)))
    ledger.set_price("m", None)
    ledger.set_budget(Decimal(1))
    ledger.set_budget(None)
    assert (ledger.prices(), ledger.budget) == (PRICES, None)
