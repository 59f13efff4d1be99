"""Prices, budgets and what was spent, from the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.messages_server import MessagesServer, Turn, text


@pytest.mark.usefixtures("key")
def test_what_is_spent_is_kept_and_a_budget_stops(run: Run, own_shelf: Path) -> None:
    asked = ("ask", "What is the monthly rent?", "--model", "local")
    with MessagesServer(Turn([text("It is $25,000.")])) as server:
        own = ("--base-url", server.url)
        assert run("costs", "--price", "local", "1", "5", "0.1", "1.25", library=own_shelf)[0] == 0
        assert run(*asked, *own, library=own_shelf)[0] == 0
        _, [costs] = run("costs", library=own_shelf)
        # 900 × 1 + 15 × 5 + 4000 × 0.1 + 1200 × 1.25 dollars for a million
        assert costs["days"][0]["cost_usd"] == "0.002875"
        code, [refused] = run(*asked, *own, "--budget", "0.003", library=own_shelf)
        assert code == 1
        assert refused["kind"] == "BudgetReached"
        assert len(server.requests) == 1


@pytest.mark.parametrize("given", ["much", "inf", "nan", "-5"])
def test_a_price_is_a_number(run: Run, given: str) -> None:
    with pytest.raises(SystemExit):
        run("costs", f"--set-budget={given}")
    assert run("costs", "--price", "local", "1", "5", given, "1.25")[0] == 2
