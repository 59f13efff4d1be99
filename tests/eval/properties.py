"""Whether comparing the sample property papers and leases tells the facts written down by hand.

    python -m tests.eval.properties [--show]

``property_labels.jsonl`` holds, read from the pages before the comparison was looked at, a fact in
each line: the documents compared, what it is, the words one of which the label of its row has, and
for each document in order the ways its value is printed with the pages it stands on, or null where
the document does not have it. A fact is right where one row of figures or terms tells it so of
every document. Each is held in the comparison of all its documents, and in that of every two.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from docqa.installation import SAMPLES
from docqa.types.comparison import Comparison
from docqa.types.document import without_ending
from docqa.workspace import Workspace
from tests.eval.compare import share
from tests.eval.labelled import labels
from tests.eval.library import add_folder, library_folder

Json = dict[str, Any]
Told = Mapping[str, tuple[str, int]]  # by document, what a row says and on which page
Rows = list[tuple[str, Told]]  # with their labels


def rows_of(found: Comparison) -> Rows:
    """The rows of figures and terms."""
    figures: Rows = [
        (row.label, {f.document_id: (f"{f.text} {f.unit}", f.block.page) for f in row.values})
        for row in found.figures
    ]
    terms: Rows = [
        (row.topic, {s.document_id: (s.quote, s.page) for s in row.sides if s.quote})
        for row in found.terms
    ]
    return [*figures, *terms]


def is_right(fact: Json, rows: Rows, ids: Mapping[str, str], names: Sequence[str]) -> bool:
    """Whether a row with one of the fact's labels tells it of each of the documents named."""
    sides = dict(zip(fact["documents"], fact["sides"], strict=True))
    return any(
        any(word.lower() in label.lower() for word in (fact["what"], *fact["names"]))
        and all(_tells(told.get(ids[name]), sides[name]) for name in names)
        for label, told in rows
    )


def _tells(told: tuple[str, int] | None, side: Json | None) -> bool:
    if told is None or side is None:
        return told is None and side is None
    text = " ".join(told[0].split()).lower()
    return told[1] in side["pages"] and any(say.lower() in text for say in side["says"])


def comparisons(facts: Sequence[Json]) -> Iterator[tuple[str, ...]]:
    """The documents of each comparison: all that a fact is of, and every two of them."""
    for names in dict.fromkeys(tuple(fact["documents"]) for fact in facts):
        yield names
        if len(names) > 2:
            yield from combinations(names, 2)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, help="a library of the samples, or a folder for it")
    parser.add_argument("--show", action="store_true", help="every fact that is not right")
    asked = parser.parse_args(arguments)
    facts = labels("property_labels")
    with library_folder(asked.library) as folder, Workspace(folder) as workspace:
        add_folder(workspace, SAMPLES)
        ids = {without_ending(each.name): each.id for each in workspace.documents()}
        for names in comparisons(facts):
            *_, found = workspace.comparisons.make([ids[name] for name in names], "")
            assert isinstance(found, Comparison)
            _tell(names, [f for f in facts if _is_of(f, names)], rows_of(found), ids, asked.show)


def _is_of(fact: Json, names: Sequence[str]) -> bool:
    sides = dict(zip(fact["documents"], fact["sides"], strict=True))
    return any(sides.get(name) for name in names)


def _tell(
    names: Sequence[str], facts: Sequence[Json], rows: Rows, ids: Mapping[str, str], show: bool
) -> None:
    wrong = [fact["what"] for fact in facts if not is_right(fact, rows, ids, names)]
    print(" | ".join(names), share(len(facts) - len(wrong), len(facts)))
    if show:
        print("  not right:", "; ".join(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
