"""Reading beside what others read with: structure, plain text, and the memory it takes.

The same pages of each file are read in turns. pypdf and markitdown give text without places,
pdfplumber words with places; docqa gives blocks in reading order, headings and table cells.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]

from docqa.ingest import parse, skim
from docqa.ingest.worker import ReadingProcess, resident_bytes
from docqa.settings import DEFAULTS
from tests.benchmarks import made
from tests.benchmarks.rows import Options, Row, installed, medians, missing, peer

SECTION = "reading"
FILES, PAGES = 3, 24  # files read side by side, and how many pages from the middle of each
LONG = 160  # pages of the file whose memory is watched
MANY = 20  # files read one after the other


def run(options: Options) -> Iterator[Row]:
    excerpts = [_excerpt(path, options) for path in _filings(options)]
    peers = {name: read for name, read in PEERS.items() if installed(name)}
    yield from (missing(SECTION, "pages", name) for name in PEERS if name not in peers)
    _structured(excerpts[0])  # what is loaded at the first file is not timed
    ours = {"structure": _structured, "text that can be searched": _skimmed}
    took: dict[str, list[float]] = {name: [] for name in [*ours, *peers]}
    for excerpt in excerpts:
        actions = {
            name: lambda read=read, path=excerpt: read(path)
            for name, read in {**ours, **peers}.items()
        }
        for name, seconds in medians(actions, turns=min(options.turns, 2)).items():
            took[name].append(1000 * seconds / _count(excerpt))
    yield from _rows({name: statistics.mean(each) for name, each in took.items()}, list(ours))
    yield from _memory(options)


def _rows(took: Mapping[str, float], ours: list[str]) -> Iterator[Row]:
    for name in ours:
        yield Row(SECTION, f"a page, {name}", took[name], "ms", FILES)
        for other in took.keys() - set(ours):
            yield Row(SECTION, f"a page, {name}", took[name], "ms", FILES, other, took[other])


def _filings(options: Options) -> list[Path]:
    if options.files:
        return sorted(options.files, key=lambda path: -path.stat().st_size)[:FILES]
    return [
        made.filing(options.scratch / f"read-{seed}.pdf", 6 if options.short else 40, seed=seed)
        for seed in range(1 if options.short else FILES)
    ]


def _excerpt(path: Path, options: Options) -> Path:
    """Pages from the middle of a file, as a file."""
    kept = options.scratch / f"excerpt-{path.stem}.pdf"
    source, target = pypdfium2.PdfDocument(path), pypdfium2.PdfDocument.new()
    first = max(0, (len(source) - PAGES) // 2)
    target.import_pages(source, list(range(first, min(len(source), first + PAGES))))
    target.save(kept)
    target.close()
    source.close()
    return kept


def _count(path: Path) -> int:
    document = pypdfium2.PdfDocument(path)
    count = len(document)
    document.close()
    return count


def _structured(path: Path) -> object:
    return parse.read(path, settings=DEFAULTS, progress=lambda done, total: None, ocr=False)


def _skimmed(path: Path) -> object:
    return skim.skim(path, block_chars=DEFAULTS.block_chars)


def _pypdf(path: Path) -> object:
    return [page.extract_text() for page in peer("pypdf").PdfReader(path).pages]


def _pdfplumber(path: Path) -> object:
    with peer("pdfplumber").open(path) as opened:
        return [(page.extract_text(), page.extract_tables()) for page in opened.pages]


def _markitdown(path: Path) -> object:
    return peer("markitdown").MarkItDown().convert(path).text_content


PEERS: Mapping[str, Callable[[Path], object]] = {
    "pypdf": _pypdf,
    "pdfplumber": _pdfplumber,
    "markitdown": _markitdown,
}


def _memory(options: Options) -> Iterator[Row]:
    """What the reading processes take while a long file is read, then after each of many."""
    pages, many = (6, 2) if options.short else (LONG, MANY)
    longest = max(options.files, key=_count) if options.files else None
    path = longest or made.filing(options.scratch / "long.pdf", pages)
    with ReadingProcess() as process:
        most = peak(process, path)
        if not most:
            yield Row(SECTION, "memory", float("nan"), "", 0, note="not told by this system")
            return
        yield Row(SECTION, "memory, most", most / 1e6, "MB", 1, note=f"{_count(path)} pages")
        short = made.filing(options.scratch / "again.pdf", 6 if options.short else 30)
        peaks = [peak(process, short) for _ in range(many)]
    flat = statistics.mean(peaks[-(many // 2) :]) / statistics.mean(peaks[: many // 2])
    yield Row(SECTION, "memory, last half of the files to the first", flat, "times", many)


def peak(process: ReadingProcess, path: Path) -> int:
    """The most that both children take together while a file is read, in bytes."""
    most = 0

    def look() -> bool:
        nonlocal most
        children = [seat.child for seat in (process._full, process._light)]
        most = max(most, sum(resident_bytes(each.pid) for each in children if each is not None))
        return False

    process.read(
        path, path.name, settings=DEFAULTS, progress=lambda done, total: None, cancelled=look
    )
    time.sleep(0.1)
    return most
