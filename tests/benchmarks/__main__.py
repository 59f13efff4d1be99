"""Every benchmark, or some, as a table and as JSON:

    python -m tests.benchmarks [FOLDER_OF_PDFS] [--sections start whole …] [--turns 5] [--short]

Without a folder the documents are made. Peers are what tests/benchmarks/requirements.txt names;
where one is not installed its rows say so. ``--short`` shows that each benchmark runs; its
figures mean nothing. Use an idle machine: rows hold medians of turns taken alternately.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.benchmarks import (
    aligning,
    chunking,
    embedding,
    growing,
    indexing,
    libraries,
    measurements,
    paging,
    reading,
    reranking,
    searching,
    start,
    whole,
    working,
)
from tests.benchmarks.rows import Options, Row, as_table, machine, write_json

SECTIONS: Mapping[str, Callable[[Options], Iterator[Row]]] = {
    "start": start.run,
    "read": reading.run,
    "chunk": chunking.run,
    "embed": embedding.run,
    "index": indexing.run,
    "search": searching.run,
    "rerank": reranking.run,
    "work": working.run,
    "align": aligning.run,
    "page": paging.run,
    "whole": whole.run,
    "library": libraries.run,
    "growth": growing.run,
}


def measured(sections: list[str], options: Options) -> Iterator[Row]:
    """The rows of each section, told on standard error as they come."""
    for name in sections:
        for row in SECTIONS[name](options):
            sys.stderr.write(f"{row.section}: {row.name}: {row.value:.4g} {row.unit}\n")
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--sections", nargs="+", choices=list(SECTIONS), default=list(SECTIONS))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--libraries", type=Path, help="where large libraries are kept for later")
    parser.add_argument("--markdown", action="store_true", help="print its rows as a table too")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    chosen = parser.parse_args()
    files = sorted(chosen.folder.glob("*.pdf")) if chosen.folder else []
    with tempfile.TemporaryDirectory(prefix="docqa-benchmarks-") as scratch:
        os.environ.setdefault("DOCQA_MODELS", str(Path(scratch) / "models"))
        turns = 1 if chosen.short else chosen.turns
        options = Options(tuple(files), Path(scratch), turns, chosen.short, chosen.libraries)
        rows = list(measured(chosen.sections, options))
    about = machine()
    print(as_table(rows))
    if chosen.markdown:
        print("\n" + measurements.lines(rows))
    print(f"\n{about['date']}, {about['processor']}, {about['cores']} cores, {about['versions']}")
    if chosen.json:
        write_json(chosen.json, rows)


if __name__ == "__main__":
    main()
