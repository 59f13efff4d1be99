"""How far a set's page labels can be met: where the words of the reference answers stand.

    python -m tests.eval.labels FOLDER [--library DIR]

FOLDER has ``qa.jsonl`` with a ``truth`` that ends in "[file.pdf#page=3]". For each question the
page of the named documents is looked for that holds most of the answer's words, each weighing by
how few pages have it, and its distance to the nearest page named is counted: what is not at 0 a
search cannot rank first where the answer stands and be counted as right.

With ``--library``, where FOLDER's files are added if they are not there yet, the questions are
asked, and it is counted how often the first page of the ranking (as `tests.eval.retrieval` has
it), or any page that the first passage stands on, is the one named, and how often it is the one
that holds most of the answer's words.
"""

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pypdf import PdfReader

from docqa.library.filenames import clean_name
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.library import add_folder

_SOURCE = re.compile(r"\[([^\[\]#]+\.pdf)#page=(\d+)\]")
_WORD = re.compile(r"[a-z]{3,}|\d+")

Page = tuple[str, int]  # file name, page
Pages = Mapping[Page, set[str]]  # the words of each page


def words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def pages_of(folder: Path) -> Pages:
    return {
        (path.name, number): words(page.extract_text())
        for path in sorted(folder.glob("*.pdf"))
        for number, page in enumerate(PdfReader(path).pages, start=1)
    }


def named_in(truth: str) -> list[Page]:
    return [(name, int(page)) for name, page in _SOURCE.findall(truth)]


def holder(truth: str, pages: Pages, weights: Mapping[str, float]) -> Page | None:
    """The page of the documents named that holds most of the answer; None without one.

    >>> pages = {("a.pdf", 1): {"rent"}, ("a.pdf", 2): {"notice", "six"}}
    >>> holder("Six months of notice. [a.pdf#page=1]", pages, {"notice": 1.0, "six": 1.0})
    ('a.pdf', 2)
    """
    documents = {name for name, _ in named_in(truth)}
    answer = words(_SOURCE.sub("", truth))
    held = {
        page: sum(weights.get(word, 0.0) for word in answer & spoken)
        for page, spoken in pages.items()
        if page[0] in documents
    }
    return max(held, key=lambda page: held[page]) if held else None


def distance(truth: str, held_by: Page | None) -> int | None:
    """From the nearest page named to the one that holds the answer.

    >>> distance("Six months of notice. [a.pdf#page=1]", ("a.pdf", 2))
    1
    """
    if held_by is None:
        return None
    name, best = held_by
    return min((best - page for other, page in named_in(truth) if other == name), key=abs)


def ask(workspace: Workspace, rows: Sequence[Mapping[str, str]], holders: Sequence[Page]) -> None:
    """Print where the first page and the first passage stand."""
    counts: Counter[str] = Counter()
    for row, holding in zip(rows, holders, strict=True):
        first = workspace.search(row["question"]).hits[0]
        span = range(first.chunk.page_start, first.chunk.page_end + 1)
        stood = [(first.document.name, page) for page in span]
        named = {(clean_name(name), page) for name, page in named_in(row["truth"])}
        holds = {(clean_name(holding[0]), holding[1])}
        for what, right in (("named", named), ("that holds the answer", holds)):
            counts[f"first page is the one {what}"] += stood[0] in right
            counts[f"first passage stands on the page {what}"] += bool(right & set(stood))
    for what, count in counts.items():
        print(f"{what}: {Rate(count, len(rows))}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Where the words of reference answers stand.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, help="the questions are asked of it, too")
    options = parser.parse_args()
    folder = options.folder
    pages = pages_of(folder)
    counts = Counter(word for spoken in pages.values() for word in spoken)
    weights = {word: math.log((len(pages) + 1) / (n + 0.5)) for word, n in counts.items()}
    rows = [json.loads(row) for row in (folder / "qa.jsonl").read_text("utf-8").splitlines()]
    holders = [holder(row["truth"], pages, weights) for row in rows]
    found = [distance(row["truth"], held) for row, held in zip(rows, holders, strict=True)]
    for apart, count in Counter(found).most_common():
        print(f"{count} of {len(found)} questions: {apart} pages from the one named")
    if options.library:
        known = [(row, held) for row, held in zip(rows, holders, strict=True) if held]
        with Workspace(options.library) as workspace:
            add_folder(workspace, folder)
            ask(workspace, [row for row, _ in known], [held for _, held in known])


if __name__ == "__main__":
    main()
