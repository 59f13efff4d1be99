"""Text, headings, table cells and reading order, held against another parser's Markdown.

    python -m tests.eval.structure FOLDER

FOLDER has ``sources/NAME.pdf`` and, for each, ``groundtruth/NAME.md``. Of each file:

- ``text``: Indel similarity (rapidfuzz) of all the text, white space folded.
- ``headings``: F1; two are one from a similarity of .85 of their letters and digits.
- ``cells``: F1 of the multisets of table cells, spans counted once.
- ``order``: Kendall's tau, from 0 to 1, of the places at which the truth's blocks are found.

The means leave out files written from right to left, which are given by themselves.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from pathlib import Path
from statistics import fmean

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from docqa.ingest.geometry.text import is_right_to_left
from tests.eval.parse_markdown import markdown_of

SAME_HEADING = 0.85
PLACED = 85  # of 100: likeness from which a block is found in the text
SHORT = 25  # characters below which a block is too common to be placed
MEASURES = ("text", "headings", "cells", "order")
_ROW = re.compile(r"\s*\|(?P<cells>.*)\|\s*$")
_RULE = re.compile(r"[\s:-]*")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'"}
_TAGS = re.compile(r"<!--.*?-->|<br\s*/?>|</?(?:u|b|i|sup|sub|strong|em)>", re.DOTALL)
_PRINTED = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "•": "·"})


@dataclass(slots=True)
class Told:
    """What a Markdown text says: its blocks in order, its headings, and the cells of its tables."""

    blocks: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(self.blocks)


def told(markdown: str) -> Told:
    """Blocks are paragraphs, list items, headings, and whole tables."""
    found = Told()
    for kind, lines in groupby(markdown.splitlines(), key=_kind):
        if kind == "row":
            rows = [_cells(line) for line in lines if not _RULE.fullmatch(line.replace("|", ""))]
            found.cells += [cell for row in rows for cell in row if _letters(cell)]
            found.blocks.append(" ".join(cell for row in rows for cell in row))
        elif kind == "heading":
            own = [_plain(line.lstrip("#")) for line in lines]
            found.headings += own
            found.blocks += own
        elif kind == "item":
            found.blocks += [_plain(re.sub(r"^\s*[-*+]\s+", "", line)) for line in lines]
        elif kind == "text":
            found.blocks.append(_plain(" ".join(lines)))
    return found


def _kind(line: str) -> str:
    if not line.strip() or line.startswith("```"):
        return ""
    if _ROW.match(line):
        return "row"
    if re.match(r"#{1,6}\s", line):
        return "heading"
    return "item" if re.match(r"\s*(?:[-*+]|\d+[.)])\s", line) else "text"


def _cells(line: str) -> list[str]:
    """The cells of a row, one that is repeated over its span once."""
    match = _ROW.match(line)
    cells = re.split(r"(?<!\\)\|", match["cells"]) if match else []
    return [cell for cell, _ in groupby(map(_plain, cells))]


def _plain(text: str) -> str:
    """The words without Markdown's signs, and without the differences of printing."""
    text = unicodedata.normalize("NFKC", text.translate(_PRINTED))
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    text = re.sub(r"\\([\\`*_{}\[\]()#+\-.!|~>])", r"\1", _TAGS.sub(" ", text))
    text = re.sub(r"\*\*|__|~~|`+", "", text)
    return " ".join(re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text).split())


def _letters(text: str) -> str:
    return re.sub(r"[\s\W_]+", "", text.lower())


def scores(truth: Told, found: Told) -> dict[str, float | None]:
    """Each of `MEASURES`, None where the truth has nothing to measure it by."""
    return {
        "text": Indel.normalized_similarity(truth.text, found.text),
        "headings": _headings(truth.headings, found.headings),
        "cells": _f1(map(_letters, truth.cells), map(_letters, found.cells)),
        "order": _order(truth.blocks, found.text),
    }


def _f1(truth: Iterable[str], found: Iterable[str]) -> float | None:
    one, other = Counter(truth), Counter(found)
    if not one:
        return None
    return 2 * (one & other).total() / (one.total() + other.total())


def _headings(truth: Sequence[str], found: Sequence[str]) -> float | None:
    if not truth:
        return None
    left = [_letters(each) for each in found]
    hits = 0
    for heading in map(_letters, truth):
        alike = [Indel.normalized_similarity(heading, other) for other in left]
        if alike and max(alike) >= SAME_HEADING:
            left.pop(alike.index(max(alike)))
            hits += 1
    return 2 * hits / (len(truth) + len(found))


def _order(blocks: Sequence[str], text: str) -> float | None:
    seen = Counter(_letters(block)[:80] for block in blocks)
    own = [b[:160] for b in blocks if len(b) >= SHORT and seen[_letters(b)[:80]] == 1]
    places = [at for block in own if (at := _place(block, text)) is not None]
    pairs = list(combinations(places, 2))
    if len(places) < 3:
        return None
    return (sum((a < b) - (a > b) for a, b in pairs) / len(pairs) + 1) / 2


def _place(block: str, text: str) -> int | None:
    if (at := text.find(block)) >= 0:
        return at
    aligned = fuzz.partial_ratio_alignment(block, text, score_cutoff=PLACED)
    return aligned.dest_start if aligned else None


def main(folder: Path) -> None:
    kept: list[dict[str, float | None]] = []
    print(f"{'':32}" + "".join(f"{name:>10}" for name in MEASURES))
    for path in sorted((folder / "sources").glob("*.pdf")):
        truth = told((folder / "groundtruth" / f"{path.stem}.md").read_text(encoding="utf-8"))
        own = scores(truth, told(markdown_of(str(path))))
        backwards = is_right_to_left(truth.text)
        kept += [] if backwards else [own]
        print(_line(path.stem, own) + ("   from right to left" if backwards else ""))
    print(_line(f"mean of {len(kept)}", {name: _mean(name, kept) for name in MEASURES}))


def _mean(name: str, kept: Sequence[dict[str, float | None]]) -> float | None:
    values = [value for each in kept if (value := each[name]) is not None]
    return fmean(values) if values else None


def _line(name: str, own: dict[str, float | None]) -> str:
    shown = (f"{value:>10.3f}" if value is not None else f"{'–':>10}" for value in own.values())
    return f"{name[:31]:32}" + "".join(shown)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
