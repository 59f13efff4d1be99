"""How well comparisons find clauses, absences, changes between versions, and line items.

    python -m tests.eval.compare FOLDER [--library DIR]

FOLDER holds any of these sets, each measured where it is there:

- ``cuad/pairs.json`` with the contracts in ``cuad/pdf``: lawyers' answers and pages for clause
  categories of pairs of contracts. Each category is asked of its pair.
- ``versions/asvs``: two versions of a standard as PDF and CSV, and the requirements changed.
- ``versions/sitepolicy/manifest.json``: policies before and after an edit, as Markdown.
"""

import argparse
import csv
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docqa.compare.redline import redline
from docqa.compare.units import units_of
from docqa.types import Block, BlockKind, Box, Change, Comparison, TermSide
from docqa.workspace import Workspace

Json = dict[str, Any]
FATES = ("changed", "moved and changed", "new", "gone")

# The topic under which each category is shown, and what is asked.
TOPICS = {
    "Agreement Date": "Agreement date",
    "Effective Date": "Effective date",
    "Expiration Date": "Term",
    "Renewal Term": "Renewal",
    "Notice Period To Terminate Renewal": "Notice of non-renewal",
    "Governing Law": "Governing law",
    "Termination For Convenience": "Termination for convenience",
    "Anti-Assignment": "Assignment",
    "License Grant": "Licence",
    "Non-Compete": "Non-compete",
    "Revenue/Profit Sharing": "Revenue or profit sharing",
    "Exclusivity": "Exclusivity",
    "Change Of Control": "Change of control",
    "Cap On Liability": "Liability cap",
    "Uncapped Liability": "Uncapped liability",
    "Insurance": "Insurance",
    "Audit Rights": "Audit rights",
    "Liquidated Damages": "Liquidated damages",
    "Minimum Commitment": "Minimum commitment",
    "Post-Termination Services": "After termination",
    "Warranty Duration": "Warranty period",
}


@dataclass(slots=True)
class Tally:
    """Counts over the sides of all rows; a side is present, absent, or unlabelled (left out)."""

    present: int = 0
    evidence: int = 0  # a gold page is among those of the passages and the clause quoted
    reported: int = 0  # a clause is quoted
    right_page: int = 0  # from a gold page
    absent: int = 0
    reported_absent: int = 0
    rows: int = 0
    both_sides: int = 0  # rows with both present whose gold pages are among the evidence


def clauses(folder: Path, workspace: Workspace) -> Tally:
    """Every category of every pair, asked as "Compare <category>"."""
    tally = Tally()
    for pair in json.loads((folder / "pairs.json").read_text("utf-8")):
        ids = [_id(workspace, folder / "pdf" / pair[f"{side}_pdf"]) for side in "ab"]
        for category, row in pair["table"].items():
            *_, found = workspace.compare(ids, f"Compare {category}")
            assert isinstance(found, Comparison)
            _count(tally, found, category, row)
    return tally


def _id(workspace: Workspace, path: Path) -> str:
    [result] = workspace.add([path])
    assert result.document, result.error
    return result.document.id


def _count(tally: Tally, found: Comparison, category: str, row: Json) -> None:
    sides = {term.topic: term.sides for term in found.terms}.get(TOPICS[category])
    held = []
    for place, letter in enumerate("ab"):
        gold = set(row[f"{letter}_pages"])
        side = sides[place] if sides else None
        if gold:
            held.append(bool(gold & _pages(found, place, side)))
            tally.present += 1
            tally.evidence += held[-1]
            tally.reported += bool(side and side.quote)
            tally.right_page += bool(side and side.quote and side.page in gold)
        elif row[letter] in ("", "No"):
            tally.absent += 1
            tally.reported_absent += not (side and side.quote)
    if len(held) == 2:
        tally.rows += 1
        tally.both_sides += all(held)


def _pages(found: Comparison, place: int, side: TermSide | None) -> set[int]:
    document = found.documents[place]
    paired = [hit for pair in found.pairs for hit in pair.passages if hit.document == document]
    hits = [*paired, *found.only_in.get(document.id, ())]
    pages = {block.page for hit in hits for block in hit.chunk.blocks}
    return pages | {block.page for block in (side.blocks if side else ())}


def requirements(folder: Path, workspace: Workspace) -> tuple[set[str], set[str], set[str]]:
    """Numbers of all requirements, of those that differ between the two versions, and of those
    reported as changed (in more than capitals, hyphens and the like)."""
    older, newer = sorted(folder.glob("*.csv"))
    first, second = _requirements(older), _requirements(newer)
    every = first.keys() | second.keys()
    changed = {number for number in every if first.get(number) != second.get(number)}
    ids = [_id(workspace, path.with_suffix(".pdf")) for path in (older, newer)]
    *_, found = workspace.compare(ids, "What changed?")
    assert isinstance(found, Comparison)
    reported = {c.number for c in found.changes if c.kind in FATES and not c.minor}
    return set(every), changed, reported & every


def _requirements(path: Path) -> dict[str, tuple[str, ...]]:
    """Letters of the wording, levels and CWE by number; links count by their text alone."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    names = ("Item", "Description", "L1", "L2", "L3", "CWE")
    others = ("req_id", "req_description", "level1", "level2", "level3", "cwe")
    keys = names if names[0] in rows[0] else others
    return {row[keys[0]].lstrip("V"): _plain(row, keys) for row in rows}


def _plain(row: dict[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    wording = _unlinked(row[keys[1]])
    levels = [str(bool(row[key].strip())) for key in keys[2:5]]
    return (re.sub(r"[\W_]", "", wording).casefold(), *levels, row[keys[5]].strip())


def policies(folder: Path) -> tuple[Counter[str], Counter[str], int]:
    """Paragraphs changed, gone or new by the record, those reported, and all paragraphs.

    What the record takes out and puts in again word for word has moved and counts as neither.
    """
    gold, reported, every = Counter[str](), Counter[str](), 0
    for edit in json.loads((folder / "manifest.json").read_text("utf-8")):
        old, new = (folder / Path(edit[side]).name for side in ("old", "new"))
        changes = redline(units_of(_blocks(old)), units_of(_blocks(new)))
        every += sum(bool(change.first) + bool(change.second) for change in changes)
        reported += Counter(f"{edit['date']} {text}" for text in _reported(changes))
        out, back = (_recorded(edit, side) for side in ("old", "new"))
        gold += (out - back) + (back - out)
    return gold, reported, every


def _recorded(edit: Json, side: str) -> Counter[str]:
    texts = (change[side] for change in edit["changes"] if change.get(side))
    pieces = (piece for text in texts for piece in _paragraphs(text))
    return Counter(f"{edit['date']} {_squeezed(piece)}" for piece in pieces)


def _reported(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        if change.kind in FATES and not change.minor:
            yield from (_squeezed(text) for text in (change.first, change.second) if text)


def _blocks(path: Path) -> list[Block]:
    pieces = [_unlinked(piece) for piece in _paragraphs(path.read_text("utf-8"))]
    return [_block(text, place) for place, text in enumerate(pieces)]


def _block(text: str, place: int) -> Block:
    kind: BlockKind = "heading" if text.startswith("#") else "text"
    return Block(text.lstrip("# "), 1, Box(0, 0, 1, 1), kind=kind, index=place)


def _paragraphs(text: str) -> list[str]:
    pieces = re.split(r"\n\s*\n|\n(?=\s*(?:[-*#]|\d+\.)\s)|(?<=\n)(?=#)", text)
    lines = [line for piece in pieces for line in _heading_apart(piece)]
    return [" ".join(line.split()) for line in lines if line.strip()]


def _heading_apart(piece: str) -> list[str]:
    return piece.split("\n", 1) if piece.lstrip().startswith("#") else [piece]


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]", "", re.sub(r"^\W*\d+\.\s", "", _unlinked(text))).casefold()


def _unlinked(text: str) -> str:
    """Markdown without the addresses of its links."""
    return re.sub(r"\]\([^)]*\)", "]", text)


def f1(gold: int, reported: int, right: int) -> str:
    """Precision, recall and their harmonic mean, in words."""
    precision, recall = right / max(reported, 1), right / max(gold, 1)
    mean = 2 * precision * recall / max(precision + recall, 1e-9)
    return f"precision {precision:.3f}  recall {recall:.3f}  F1 {mean:.3f}  (n = {gold})"


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "none"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path)
    asked = parser.parse_args(arguments)
    with _opened(asked.library) as workspace:
        if (asked.folder / "cuad" / "pairs.json").exists():
            _tell_clauses(clauses(asked.folder / "cuad", workspace))
        if (asked.folder / "versions" / "asvs").exists():
            every, changed, reported = requirements(asked.folder / "versions" / "asvs", workspace)
            print("requirements:", f1(len(changed), len(reported), len(changed & reported)))
            false = len(reported - changed)
            print("  unchanged reported changed", share(false, len(every - changed)))
    if (asked.folder / "versions" / "sitepolicy").exists():
        gold, said, total = policies(asked.folder / "versions" / "sitepolicy")
        right = (gold & said).total()
        print("policies:", f1(gold.total(), said.total(), right))
        print("  unchanged reported changed", share((said - gold).total(), total - gold.total()))


@contextmanager
def _opened(library: Path | None) -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory() as folder, Workspace(library or Path(folder)) as workspace:
        yield workspace


def _tell_clauses(tally: Tally) -> None:
    print("clauses: gold page among the evidence", share(tally.evidence, tally.present))
    print("  of both sides of a row", share(tally.both_sides, tally.rows))
    print("  present, reported absent", share(tally.present - tally.reported, tally.present))
    print("  page of the clause quoted right", share(tally.right_page, tally.reported))
    print("  absent, reported absent", share(tally.reported_absent, tally.absent))


if __name__ == "__main__":
    main(sys.argv[1:])
