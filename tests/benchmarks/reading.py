"""Reading beside what others read with: structure, plain text, and the memory it takes.

The same pages of each file are read in turns. pypdf and markitdown give text without places,
pdfplumber words with places; docqa gives blocks in reading order, headings and table cells. It is
asked as the product asks it: its child processes read, two at a time where there are two cores.
The others have one process, as their documentation shows; so the processor's time is told beside
the time that passes.
"""

import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]

from docqa.ingest.reading.children import resident_bytes
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS
from tests.benchmarks import made
from tests.benchmarks.rows import Action, Options, Row, installed, medians, missing, peer

SECTION = "reading"
PROCESSOR = ", time of the processor"
FILES, PAGES = 3, 24  # files read side by side, and how many pages from the middle of each
LONG = 160  # pages of the file whose memory is watched
MANY = 20  # files read one after the other


STRUCTURE, TEXT = "structure", "text that can be searched"


def run(options: Options) -> Iterator[Row]:
    excerpts = [_excerpt(path, options) for path in _filings(options)]
    peers = {name: read for name, read in PEERS.items() if installed(name)}
    yield from (missing(SECTION, "pages", name) for name in PEERS if name not in peers)
    with ReadingProcess() as process:
        ours = _ours(process, excerpts)
        spent: dict[str, float] = defaultdict(float)
        took: dict[str, list[float]] = {name: [] for name in [*ours, *peers]}
        turns = min(options.turns, 3)
        for excerpt in excerpts:
            actions = {
                name: _clocked(name, read, excerpt, process, spent)
                for name, read in {**ours, **peers}.items()
            }
            for name, seconds in medians(actions, turns=turns).items():
                took[name].append(1000 * seconds / _count(excerpt))
    pages = turns * sum(map(_count, excerpts))
    yield from _rows({name: statistics.mean(each) for name, each in took.items()}, "")
    if resident_bytes(os.getpid()):  # where the system tells of processes
        yield from _rows({name: 1000 * spent[name] / pages for name in took}, PROCESSOR)
    yield from _memory(options)


def _ours(process: ReadingProcess, excerpts: Sequence[Path]) -> dict[str, Callable[[Path], object]]:
    """docqa's two steps; what is loaded at the first file has been loaded."""
    facts: dict[Path, tuple[PageFacts, ...]] = {}

    def text(path: Path) -> object:
        skimmed = process.skim(path, path.name, settings=DEFAULTS, cancelled=_never)
        facts[path] = skimmed.facts
        return skimmed

    def structure(path: Path) -> object:
        return process.read(
            path,
            path.name,
            settings=DEFAULTS,
            facts=facts[path],
            progress=lambda done, total: None,
            cancelled=_never,
        )

    process.start()
    for path in excerpts:
        text(path)
        structure(path)
    return {TEXT: text, STRUCTURE: structure}


def _never() -> bool:
    return False


def _clocked(
    name: str,
    read: Callable[[Path], object],
    path: Path,
    process: ReadingProcess,
    spent: dict[str, float],
) -> Action:
    def action() -> None:
        before = _processor_seconds(process)
        read(path)
        spent[name] += _processor_seconds(process) - before

    return action


def _processor_seconds(process: ReadingProcess) -> float:
    """What this process and its reading children have used of the processor."""
    ticks = 0
    for pid in process.pids():
        told = Path(f"/proc/{pid}/stat")
        fields = told.read_text().rsplit(")", 1)[1].split() if told.exists() else []
        ticks += sum(map(int, fields[11:13]))
    return time.process_time() + (ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0)


def _rows(took: Mapping[str, float], told: str) -> Iterator[Row]:
    for name in (STRUCTURE, TEXT):
        yield Row(SECTION, f"a page, {name}{told}", took[name], "ms", FILES)
        for other in took.keys() & PEERS.keys():
            row = Row(SECTION, f"a page, {name}{told}", took[name], "ms", FILES, other)
            yield replace(row, peer_value=took[other])


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
    """The most that all children take together while a file is read, in bytes."""
    most = 0

    def look() -> bool:
        nonlocal most
        most = max(most, sum(map(resident_bytes, process.pids())))
        return False

    process.read(
        path, path.name, settings=DEFAULTS, progress=lambda done, total: None, cancelled=look
    )
    time.sleep(0.1)
    return most
