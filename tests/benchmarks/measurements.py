"""The rows of docs/measurements.md on speed, in its words."""

import re
from collections.abc import Sequence

from tests.benchmarks.rows import Row

WORDS = (
    ("whole path", r".*searchable by words", "the whole path, until the text is found"),
    ("whole path", r".*complete", "the whole path, complete: structure, tables, vectors"),
    ("reading", "a page, structure", "a page with its structure, two processes"),
    ("reading", "a page, structure, time of the processor", "the same, processor time"),
    ("reading", "a page, text[^,]*", "a page's text, to be searched, two processes"),
    ("reading", "a page, text.*, time of the processor", "the same, processor time"),
    ("chunk", r"chunk \d+ pages", "160 pages cut into passages"),
    ("embed", r"embed (\d+) passages", r"\1 passages embedded"),
    ("embed", "embed a question", "a question embedded"),
    ("index", r"add (\d+) vectors", r"\1 vectors added to the index"),
    ("index", r"(\d+) nearest of (\d+)", r"the \1 nearest of \2 vectors"),
    ("index", r"delete (\d+) vectors", r"\1 vectors deleted, and overwritten on disk"),
    ("index", "reopen", "the index opened again"),
    ("rerank", r"read (\d+) passages again", r"\1 passages reranked for a question"),
    ("search", r"keywords alone, (\d+) passages", r"keywords among \1 passages"),
    ("search", r"(\d{6}) passages, anywhere, median", r"a whole search among \1 passages"),
    ("search", r"\d{6} passages, anywhere, 95th.*", "of 100 such searches, 95 take less than"),
    ("search", r"\d{6} passages, anywhere without.*median", "without the question's vector"),
    ("search", r"\d{6} passages, in a document, median", "the same in one document"),
    ("search", r"\d{6} passages, in a document, 95th.*", "of 100 such searches, 95 take less than"),
    ("search", "growth with passages", "growth of a search with the passages, 1,000 to 100,000"),
    ("search", "MMR.*", "ten varied passages out of 60 (MMR)"),
    (
        "align",
        r"contracts of (\d+) and (\d+) pages.*median",
        r"contracts of \1 and \2 pages compared",
    ),
    ("work", "answer without a key, median", "an answer without a key"),
    ("work", "answer without a key, 95th.*", "of 100 such answers, 95 take less than"),
    ("align", r"(\d+ × \d+) passages paired", r"\1 passages paired"),
    ("work", "check a claim", "a claim checked against its passages"),
    ("work", r"near-duplicates of (\d+)", r"near-duplicates found among \1 passages"),
    ("page image", "a page of .*", "a page drawn, of a file of 600"),
    ("start", "import of docqa", "the import, beyond Python's own"),
    ("start", r"first view, (\d+) documents", r"the first view of a library of \1 documents"),
    ("start", r"next view, (\d+) documents", "each view after it"),
    ("start", "first answer without a key", "the first answer after a start, models loaded for it"),
    ("start", "memory before models", "memory before models"),
    ("start", "memory with everything loaded", "memory with everything loaded"),
    ("reading", "memory, most", "memory of the reading processes, at most"),
    ("library", r"(start and first search|memory.*|adding.*|removing.*), \d+ documents", r"\1"),
    ("growth", "(.*), (time|memory)", r"growth of \1, \2"),
)


def lines(rows: Sequence[Row]) -> str:
    """A table in Markdown with a line for each thing that was measured, all its peers in it."""
    made = ["| what | docqa | beside it | |", "|---|---|---|---|"]
    for section, pattern, words in WORDS:
        names = dict.fromkeys(row.name for row in rows if row.section == section)
        for name in filter(re.compile(pattern).fullmatch, names):
            found = [row for row in rows if (row.section, row.name) == (section, name)]
            made.append(_line(re.sub(f"^{pattern}$", words, name), found))
    return "\n".join(made)


def _line(words: str, rows: Sequence[Row]) -> str:
    compared = [row for row in rows if row.ratio is not None]
    peers = ", ".join(f"{row.peer} {_figure(row.peer_value or 0, row.unit)}" for row in compared)
    ratios = ", ".join(f"{_plain(row.ratio or 0)}×" for row in compared)
    cells = (words, _figure(rows[0].value, rows[0].unit), peers, ratios)
    return "| " + " | ".join(cells).replace("|  |", "| |").strip() + " |"


def _figure(value: float, unit: str) -> str:
    told = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{told} {unit}" if unit != "exponent" else f"exponent {value:.2f}"


def _plain(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
