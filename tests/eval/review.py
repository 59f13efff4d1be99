"""How well the template for contracts finds the clauses that lawyers marked (CUAD).

    python -m tests.eval.review FOLDER REVIEW.json

FOLDER has ``clause_pages.json``; REVIEW.json is what `docqa review NAME --template
contract-review --json` printed of the contracts in FOLDER/pdf. For each column that is one of the
categories: of the clauses that are there, how often a page of the cell is one of them, and how
often the cell is empty; of those that are not, how often it is empty. Then how many of the right
cells are marked as uncertain, and how many of those filled for a clause that is not there: for each
column, for all, and for those whose kind is a clause.
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
    """Cells whose clause is there, those of them with a right page, those empty; and the absent.

    Of the right ones, and of those that are filled though it is absent, the uncertain ones.
    """

    there: int = 0
    right: int = 0
    empty: int = 0
    absent: int = 0
    left_empty: int = 0
    right_uncertain: int = 0
    filled_uncertain: int = 0

    def count(self, gold: set[int], pages: set[int], *, uncertain: bool) -> None:
        """Count a cell by the pages marked, the pages it cites, and how certain it is."""
        self.there += bool(gold)
        self.right += bool(gold & pages)
        self.empty += bool(gold) and not pages
        self.absent += not gold
        self.left_empty += not gold and not pages
        self.right_uncertain += bool(gold & pages) and uncertain
        self.filled_uncertain += not gold and bool(pages) and uncertain

    def __str__(self) -> str:
        right = Rate(self.right_uncertain, self.right)
        filled = Rate(self.filled_uncertain, self.absent - self.left_empty)
        return (
            f"page right {Rate(self.right, self.there)}   empty though there {self.empty}   "
            f"left empty {Rate(self.left_empty, self.absent)}   "
            f"uncertain of right {right}, of filled though absent {filled}"
        )


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
            uncertain = cell["state"] == "likely"
            found[column].count(right, set() if is_empty else pages, uncertain=uncertain)
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
    clauses = {each["title"] for each in told["columns"] if each["kind"] == "clause"}
    of_clauses = summed(each for name, each in found.items() if name in clauses)
    rows = (*found.items(), ("clauses", of_clauses), ("all", summed(found.values())))
    for name, each in rows:
        print(f"{name:28} {each}")


if __name__ == "__main__":
    main()
