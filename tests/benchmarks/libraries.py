"""A library of 300 documents and 100,000 passages, and how its costs grow with their number.

Each library is opened in a process of its own: see `tests.benchmarks.load`.
"""

from collections.abc import Iterator
from statistics import median

from tests.benchmarks import load
from tests.benchmarks.rows import Options, Row, exponent

SECTION = "library"
DOCUMENTS = (3, 30, 300)  # of 334 passages each


def run(options: Options) -> Iterator[Row]:
    sizes = DOCUMENTS[:1] if options.short else DOCUMENTS
    turns, searches = (1, 2) if options.short else (min(options.turns, 3), 30)
    folders = [load.library(options.libraries, size) for size in sizes]
    runs = [
        [load.measured_apart(folder, searches=searches, seed=1 + turn) for folder in folders]
        for turn in range(turns)
    ]
    for name in runs[0][0]:
        what, _, unit = name.rpartition(", ")
        costs = [median(taken[place][name] for taken in runs) for place in range(len(sizes))]
        yield Row(SECTION, f"{what}, {sizes[-1]} documents", costs[-1], unit, turns)
        if len(sizes) == 1:
            continue
        note = f"{', '.join(map(str, sizes))} documents"
        grown = exponent(sizes, costs)
        yield Row(SECTION, f"{what}, growth", grown, "exponent", len(sizes), note=note)
