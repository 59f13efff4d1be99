"""Whether comparisons of filings put the right figures side by side, and lead with nothing else.

    python -m tests.eval.pairs FOLDER --library DIR [--show]

FOLDER holds, made by hand, ``filings.tsv``: a document's name, the period its flows are of and
the day its balance sheet is of; then a row for each line with its values in the statement's scale
("/" between those that may be shown, "@6" behind one of six months, "absent" where the statement
has no such line) and its page. ``pairs.tsv`` names two documents a row, and what it marks them as.
A document that is compared in another than its own latest period has labels of its own, behind
"NAME@". The library holds all documents.

A side counts as right where its value, page and end of period are the labelled ones. Where a
line is absent, the row must have no value on that side. What the lead names besides
`LEADING` is counted apart.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from docqa.language.periods import read_period
from docqa.types.comparison import Comparison, Figure
from docqa.types.document import without_ending
from docqa.workspace import Workspace

SCALES = (Decimal(1), Decimal(1000), Decimal(10**6), Decimal(10**9))
NAMES = {
    "diluted eps": "diluted earnings per share",
}
LEADING = {"revenue", "operating income", "net income", "total assets", "cash from operations"}


@dataclass(slots=True)
class Labels:
    """What a filing's lines are: the end of its period as (year, month), values and pages."""

    end: tuple[int, int]
    lines: dict[str, tuple[tuple[str, ...], int]] = field(default_factory=dict)


def labels_of(path: Path) -> dict[str, Labels]:
    """The labels by document name."""
    found: dict[str, Labels] = {}
    current = ""
    for line in path.read_text("utf-8").splitlines():
        cells = line.split("\t")
        if line.startswith("#"):
            continue
        if ":" in cells[1]:
            current = cells[0]
            year, month, _ = cells[2].removeprefix("at:").split("-")
            found[current] = Labels((int(year), int(month)))
        else:
            found[current].lines[cells[0]] = (tuple(cells[1].split("/")), int(cells[2]))
    return found


def measure(found: Comparison, labels: Sequence[Labels], *, show: bool) -> Counter[str]:
    """Counts over both sides of every labelled line."""
    rows = {row.label.lower(): row for row in found.figures}
    counts = Counter[str]()
    for line in labels[0].lines:
        row = rows.get(NAMES.get(line, line))
        for document, label in zip(found.documents, labels, strict=True):
            values = row.values if row else ()
            own = next((f for f in values if f.document_id == document.id), None)
            counts += _judged(own, label, line)
            if show and not _right(own, label, line):
                told = f"{own.text}, {own.period}, p. {own.block.page}" if own else "absent"
                print(f"  {document.name}, {line}: {told}; is {label.lines[line]}")
    lead = found.summary or found.text
    named = [row.label.lower() for row in found.figures if f"{row.label.lower()} (" in lead]
    counts["leads"] += 1
    counts["leads with something else"] += bool(set(named) - LEADING) or len(named) > 5
    return counts


def _judged(own: Figure | None, label: Labels, line: str) -> Counter[str]:
    values, page = label.lines[line]
    if own is None:
        absent = "absent" in values
        return Counter({"absent": absent, "absent, told": absent, "sides": not absent})
    if values == ("absent",):
        return Counter({"absent": 1})
    return Counter(
        {
            "sides": 1,
            "value": _value_right(own, values),
            "page": own.block.page == page,
            "period": _period_right(own, label),
            "all": _right(own, label, line),
        }
    )


def _right(own: Figure | None, label: Labels, line: str) -> bool:
    values, page = label.lines[line]
    if own is None:
        return "absent" in values
    right = _value_right(own, values) and own.block.page == page
    return right and _period_right(own, label)


def _value_right(own: Figure, values: Sequence[str]) -> bool:
    months = read_period(own.period).months
    wanted = [value for value in values if value != "absent"]
    amounts = {
        Decimal(value.partition("@")[0])
        for value in wanted
        if not value.partition("@")[2] or int(value.partition("@")[2]) == months
    }
    return any(abs(own.value) == abs(amount) * scale for amount in amounts for scale in SCALES)


def _period_right(own: Figure, label: Labels) -> bool:
    period = read_period(own.period)
    return (period.year, period.month or 12) == label.end


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--half", default="", help="only pairs marked so")
    parser.add_argument("--show", action="store_true", help="every side that is wrong")
    asked = parser.parse_args(arguments)
    labels = labels_of(asked.folder / "filings.tsv")
    total = Counter[str]()
    with Workspace(asked.library) as workspace:
        ids = {without_ending(each.name): each.id for each in workspace.documents()}
        for line in (asked.folder / "pairs.tsv").read_text("utf-8").splitlines():
            one, other, half = re.split(r"\t", line)
            if asked.half in ("", half):
                *_, found = workspace.compare(
                    [ids[each.partition("@")[0]] for each in (one, other)], ""
                )
                assert isinstance(found, Comparison)
                print(one, other)
                total += measure(found, (labels[one], labels[other]), show=asked.show)
                if asked.show:
                    print(" ", found.summary)
    for name, count in total.items():
        print(f"{name}: {count}")


if __name__ == "__main__":
    main(sys.argv[1:])
