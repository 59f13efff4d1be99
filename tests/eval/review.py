"""How well the template for contracts finds the clauses that lawyers marked (CUAD).

    python -m tests.eval.review FOLDER REVIEW.json

FOLDER has ``clause_pages.json``; REVIEW.json is what `docqa review NAME --template
contract-review --json` printed of the contracts in FOLDER/pdf. For each column that is one of the
categories: of the clauses that are there, how often a page of the cell is one of them, and how
often the cell is empty; of those that are not, how often it is empty.
"""

import argparse
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docqa.library.filenames import clean_name
from docqa.types.evaluation import Rate

CATEGORIES = {
    "Parties": "Parties",
    "Agreement date": "Agreement Date",
    "Effective date": "Effective Date",
    "Term": "Expiration Date",
    "Renewal": "Renewal Term",
    "Notice of non-renewal": "Notice Period To Terminate Renewal",
    "Governing law": "Governing Law",
    "Termination for convenience": "Termination For Convenience",
    "Assignment": "Anti-Assignment",
    "Change of control": "Change Of Control",
    "Licence": "License Grant",
    "Exclusivity": "Exclusivity",
    "Non-compete": "Non-Compete",
    "Revenue or profit sharing": "Revenue/Profit Sharing",
    "Minimum commitment": "Minimum Commitment",
    "Liability cap": "Cap On Liability",
    "Insurance": "Insurance",
    "Audit rights": "Audit Rights",
    "After termination": "Post-Termination Services",
    "Warranty period": "Warranty Duration",
}

Json = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """Cells whose clause is there, those of them with a right page, those empty; and the absent."""

    there: int = 0
    right: int = 0
    empty: int = 0
    absent: int = 0
    left_empty: int = 0

    def count(self, gold: set[int], pages: set[int]) -> None:
        """Count a cell by the pages marked and the pages it cites."""
        self.there += bool(gold)
        self.right += bool(gold & pages)
        self.empty += bool(gold) and not pages
        self.absent += not gold
        self.left_empty += not gold and not pages


def marked(rows: Iterable[Json]) -> dict[tuple[str, str], set[int]]:
    """The pages of each category by file name and category."""
    found: dict[tuple[str, str], set[int]] = {}
    for row in rows:
        name = clean_name(Path(row["pdf"]).name)
        found.setdefault((name, row["category"]), set()).update(row["pages"])
    return found


def tallies(cells: Iterable[Json], gold: Mapping[tuple[str, str], set[int]]) -> dict[str, Tally]:
    """A tally for each column of the template."""
    found = {column: Tally() for column in CATEGORIES}
    for cell in cells:
        column = cell["column"]
        if column in found:
            is_empty = cell["state"] in ("not found", "waiting", "failed")
            pages = {block["page"] for c in cell["citations"] for block in c["blocks"]}
            right = gold.get((cell["document"], CATEGORIES[column]), set())
            found[column].count(right, set() if is_empty else pages)
    return found


def summed(several: Iterable[Tally]) -> Tally:
    every = list(several)
    return Tally(*(sum(getattr(each, name) for each in every) for name in Tally.__slots__))


def main() -> None:
    parser = argparse.ArgumentParser(description="Clauses found by the template for contracts.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("review", type=Path)
    options = parser.parse_args()
    gold = marked(json.loads((options.folder / "clause_pages.json").read_text("utf-8")))
    told = json.loads(options.review.read_text("utf-8"))
    found = tallies(told["cells"], gold)
    for name, each in (*found.items(), ("all", summed(found.values()))):
        print(
            f"{name:28} page right {Rate(each.right, each.there)}   empty though there "
            f"{each.empty}   left empty {Rate(each.left_empty, each.absent)}"
        )


if __name__ == "__main__":
    main()
