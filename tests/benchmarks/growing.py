"""How the time and the memory of reading grow with a file's pages, its passages' time too.

Searches by passages and libraries by documents are in those sections.
"""

from collections.abc import Iterator

from docqa.ingest.reading.reader import ReadingProcess
from docqa.models.load import load_encoder
from docqa.settings import models_folder
from tests.benchmarks import made
from tests.benchmarks.reading import peak
from tests.benchmarks.rows import Options, Row, exponent, medians

SECTION = "growth"
PAGES = (20, 40, 80, 160)
PASSAGES = (30, 60, 120)


def run(options: Options) -> Iterator[Row]:
    yield from _pages(options)
    yield from _passages(options)


def _pages(options: Options) -> Iterator[Row]:
    """Shorter files first, so that the most memory so far is that of the file being read."""
    sizes = (1, 3) if options.short else PAGES
    paths = [made.filing(options.scratch / f"grows-{count}.pdf", count) for count in sizes]
    times: list[float] = []
    most: list[int] = []
    with ReadingProcess() as process:
        peak(process, paths[0])
        for path in paths:
            taken: list[int] = []
            actions = {"docqa": lambda: taken.append(peak(process, path))}  # noqa: B023
            times.append(medians(actions, turns=min(options.turns, 3))["docqa"])
            most.append(max(taken))
    note = f"{', '.join(map(str, sizes))} pages"
    yield Row(SECTION, "reading, time", exponent(sizes, times), "exponent", len(sizes), note=note)
    if all(most):
        grown = exponent(sizes, most)
        yield Row(SECTION, "reading, memory", grown, "exponent", len(sizes), note=note)
        yield Row(SECTION, f"memory at {sizes[-1]} pages", most[-1] / 1e6, "MB")


def _passages(options: Options) -> Iterator[Row]:
    encoder = load_encoder(models_folder(options.scratch))
    sizes = (2, 4) if options.short else PASSAGES
    words = made.Prose(0)
    texts = [words.text(900) for _ in range(sizes[-1])]
    encoder.encode(texts[:1])
    times = [
        medians({"docqa": lambda: encoder.encode(texts[:count])}, turns=min(options.turns, 3))[  # noqa: B023
            "docqa"
        ]
        for count in sizes
    ]
    note = f"{', '.join(map(str, sizes))} passages"
    yield Row(SECTION, "embedding, time", exponent(sizes, times), "exponent", len(sizes), note=note)
