"""The command on costs: what answers have cost, the prices, and the budget."""

import argparse
import sys

from docqa.cli.arguments import AddCommand, dollars, reading
from docqa.cli.output import write
from docqa.present import as_json, as_text
from docqa.settings import Price
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    text = "what answers have cost, the prices, and the budget"
    costs = add_command("costs", reading(_costs, unless=_changes), text)
    costs.add_argument("--set-budget", type=dollars, metavar="DOLLARS", help="for a day; 0 is none")
    costs.add_argument("--price", nargs=5, metavar=("MODEL", "IN", "OUT", "READ", "WRITE"))


def _changes(options: argparse.Namespace) -> bool:
    return bool(options.price) or options.set_budget is not None


def _costs(workspace: Workspace, options: argparse.Namespace) -> int:
    ledger = workspace.ledger
    if options.price:
        model, *prices = options.price
        try:
            rates = [dollars(each) for each in prices]
        except argparse.ArgumentTypeError as error:
            print(f"costs --price: {error}.", file=sys.stderr)
            return 2
        ledger.set_price(model, Price(rates[0], rates[1], rates[2], rates[3]))
    if options.set_budget is not None:
        ledger.set_budget(options.set_budget or None)
    days, prices, budget = ledger.days(), ledger.prices(), ledger.budget
    lines = as_text.costs(days, prices, budget)
    write(options, as_json.costs(days, prices, budget), lines)
    return 0
