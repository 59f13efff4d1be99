"""How far a set's page labels can be met: where the words of the reference answers stand.

    python -m tests.eval.labels FOLDER

FOLDER has ``qa.jsonl`` with a ``truth`` that ends in "[file.pdf#page=3]". For each question the
page of the named documents is looked for that holds most of the answer's words, each weighing by
how few pages have it, and its distance to the nearest page named is counted: what is not at 0 a
search cannot rank first where the answer stands and be counted as right.
"""

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pypdf import PdfReader

_SOURCE = re.compile(r"\[([^\[\]#]+\.pdf)#page=(\d+)\]")
_WORD = re.compile(r"[a-z]{3,}|\d+")

Pages = Mapping[tuple[str, int], set[str]]  # the words of each page


def words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def pages_of(folder: Path) -> Pages:
    return {
        (path.name, number): words(page.extract_text())
        for path in sorted(folder.glob("*.pdf"))
        for number, page in enumerate(PdfReader(path).pages, start=1)
    }


def distance(truth: str, pages: Pages, weights: Mapping[str, float]) -> int | None:
    """From the nearest page named to the one that holds most of the answer; None without one.

    >>> pages = {("a.pdf", 1): {"rent"}, ("a.pdf", 2): {"notice", "six"}}
    >>> distance("Six months of notice. [a.pdf#page=1]", pages, {"notice": 1.0, "six": 1.0})
    1
    """
    named = [(name, int(page)) for name, page in _SOURCE.findall(truth)]
    answer = words(_SOURCE.sub("", truth))
    held = {
        page: sum(weights.get(word, 0.0) for word in answer & spoken)
        for page, spoken in pages.items()
        if page[0] in {name for name, _ in named}
    }
    if not held:
        return None
    name, best = max(held, key=lambda page: held[page])
    return min((best - page for other, page in named if other == name), key=abs)


def main() -> None:
    parser = argparse.ArgumentParser(description="Where the words of reference answers stand.")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    pages = pages_of(folder)
    counts = Counter(word for spoken in pages.values() for word in spoken)
    weights = {word: math.log((len(pages) + 1) / (n + 0.5)) for word, n in counts.items()}
    rows = (folder / "qa.jsonl").read_text("utf-8").splitlines()
    found = [distance(json.loads(row)["truth"], pages, weights) for row in rows]
    for apart, count in Counter(found).most_common():
        print(f"{count} of {len(found)} questions: {apart} pages from the one named")


if __name__ == "__main__":
    main()
