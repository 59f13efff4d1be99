"""The command on costs: what answers have cost, the prices, and the budget."""

import argparse
import sys
from decimal import Decimal, InvalidOperation

from docqa.cli.arguments import AddCommand, reading
from docqa.cli.output import write_json
from docqa.present import as_json, as_text
from docqa.settings import Price
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    text = "what answers have cost, the prices, and the budget"
    costs = add_command("costs", reading(_costs, unless=_changes), text)
    costs.add_argument("--set-budget", metavar="DOLLARS", help="for a day; 0 is none")
    costs.add_argument("--price", nargs=5, metavar=("MODEL", "IN", "OUT", "READ", "WRITE"))


def _changes(options: argparse.Namespace) -> bool:
    return bool(options.price) or options.set_budget is not None


def _costs(workspace: Workspace, options: argparse.Namespace) -> int:
    ledger = workspace.ledger
    try:
        if options.price:
            model, *dollars = options.price
            given, made, read, write = map(Decimal, dollars)
            ledger.set_price(model, Price(given, made, read, write))
        if options.set_budget is not None:
            ledger.set_budget(Decimal(options.set_budget) or None)
    except InvalidOperation:
        print("Prices and budgets are numbers of dollars.", file=sys.stderr)
        return 2
    days, prices, budget = ledger.days(), ledger.prices(), ledger.budget
    if options.json:
        write_json(as_json.costs(days, prices, budget))
    else:
        print("\n".join(as_text.costs(days, prices, budget)))
    return 0
