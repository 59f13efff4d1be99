"""Whether comparisons of filings put the right figures side by side, and lead with nothing else.

    python -m tests.eval.pairs LIBRARY... [--misses FILE]

compares the pairs of ``pair_labels.jsonl`` whose two filings a LIBRARY holds, and holds what is
told against labels made by hand from the pages of the statements. A side has the end of the period
that it is to be compared in; a line has, by page, its values in the statement's scale: any of them
may be shown, one with "@6" only as that of six months. A total of debt or of the cost of sales
that is printed in parts is their sum, on the page of the first. A line is null where the
statements have none.

- ``found``: of lines that a filing has, those told (the others are told as missing);
- ``value``, ``page``, ``period``: of these, what is the labelled one; ``all of them``: of all;
- ``missing, and told so``: of lines that a filing does not have;
- ``leads with the usual lines alone``: summaries that name none besides `LEADING`.
"""

import argparse
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from docqa.language.periods import read_period
from docqa.types.comparison import Comparison, Figure
from docqa.workspace import Workspace
from tests.eval.labelled import Tally, labels

SCALES = (Decimal(1), Decimal(1000), Decimal(10**6), Decimal(10**9))
EITHER_SIGN = ("cost of sales", "capital expenditure")
LEADING = {"revenue", "operating income", "net income", "total assets", "cash from operations"}
Line = Mapping[str, Sequence[str]] | None


def measure(label: Mapping[str, Any], found: Comparison, tally: Tally) -> None:
    """Count both sides of every labelled line, and whether the lead names the usual lines alone."""
    half = label["held_out"]
    rows = {row.label.lower(): row for row in found.figures}
    for side, document in zip(label["sides"], found.documents, strict=True):
        for name, line in side["lines"].items():
            values = rows[name].values if name in rows else ()
            own = next((f for f in values if f.document_id == document.id), None)
            told = f"{own.text}, {own.period}, p. {own.block.page}" if own else "missing"
            told = f"{document.name}, {name}: {told}; is {line}"
            if line is None:
                tally.count("missing, and told so", own is None, half, told)
                continue
            right = _right(own, name, line, side["end"]) if own else {}
            tally.count("found", own is not None, half, told)
            for each, is_right in right.items():
                tally.count(each, is_right, half, told)
            tally.count("all of them", own is not None and all(right.values()), half, told)
    lead = found.summary or found.text
    named = {name for name in rows if f"{name} (" in lead}
    tally.count("leads with the usual lines alone", named <= LEADING, half, lead)


def _right(own: Figure, name: str, line: Mapping[str, Sequence[str]], end: str) -> dict[str, bool]:
    period = read_period(own.period)
    pages = [
        page
        for page, values in line.items()
        if any(_is_value(own, name, each, period.months) for each in values)
    ]
    return {
        "value": bool(pages),
        "page": str(own.block.page) in (pages or line),
        "period": f"{period.year}-{period.month or 12:02}" == end,
    }


def _is_value(own: Figure, name: str, labelled: str, months: int | None) -> bool:
    amount, _, length = labelled.partition("@")
    if length and int(length) != months:
        return False
    sign = abs if name in EITHER_SIGN else Decimal
    return any(sign(own.value) == sign(Decimal(amount)) * scale for scale in SCALES)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("libraries", type=Path, nargs="+")
    parser.add_argument("--misses", type=Path, help="written: what is wrong in the half seen")
    options = parser.parse_args()
    tally = Tally()
    for folder in options.libraries:
        with Workspace(folder) as workspace:
            ids = {document.name: document.id for document in workspace.documents()}
            for label in labels("pair_labels"):
                sides = [ids.get(side["document"], "") for side in label["sides"]]
                if all(sides):
                    *_, found = workspace.comparisons.make(sides, "")
                    assert isinstance(found, Comparison)
                    measure(label, found, tally)
    tally.print(options.misses)


if __name__ == "__main__":
    main()
