"""The text layer of a file as plain blocks, in a second or two, before its structure is read.

No tables, headings or reading order but that in which the page was drawn: enough to be searched
by words and opened at the right place while the file is being read in full.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docqa.ingest.geometry.text import clean, join_lines, pieces, vocabulary
from docqa.ingest.geometry.words import around
from docqa.ingest.reading import pdfium
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.types.document import Block, Box, PageHealth

ENGINE = "text layer"
UNREAD = f"{ENGINE}; the reading process did not start"
GAP = 0.75  # of a line's height between two lines: more parts paragraphs
TALLER = 1.3  # between the lines of one paragraph

Line = tuple[str, Box]


@dataclass(frozen=True, slots=True)
class Skimmed:
    """What pdfium alone tells of a file: facts of every page, and its text layer."""

    facts: tuple[PageFacts, ...]
    parsed: Parsed

    def followed_by(self, later: "Skimmed") -> "Skimmed":
        """This part of a file and the one after it."""
        counted = enumerate((*self.parsed.blocks, *later.parsed.blocks))
        parsed = replace(
            self.parsed,
            blocks=tuple(replace(block, index=index) for index, block in counted),
            health=(*self.parsed.health, *later.parsed.health),
        )
        return Skimmed((*self.facts, *later.facts), parsed)


def skim(
    path: Path, *, password: str | None = None, part: int = 0, of: int = 1, block_chars: int
) -> Skimmed:
    """The text layer of every page; a garbled one is left out, being no text.

    Or that of one ``part`` (the first is 0) ``of`` so many as long. Raises the errors of an
    unreadable file, as `pages.preflight`.
    """
    found = pdfium.page_lines(path, password=password, part=part, of=of)
    blocks: list[Block] = []
    health: list[PageHealth] = []
    for fact, lines in found:
        written = () if fact.garbled else blocks_of(lines, fact.page, block_chars)
        counted = [replace(block, index=at) for at, block in enumerate(written, len(blocks))]
        health.append(fact.health(sum(len(block.text) for block in counted)))
        blocks += counted
    facts = tuple(fact for fact, _ in found)
    return Skimmed(facts, Parsed("", tuple(blocks), tuple(health), ENGINE, ()))


def blocks_of(lines: Sequence[Line], page: int, limit: int) -> Iterator[Block]:
    """Lines in groups that stand together, as blocks of at most ``limit`` characters."""
    written = [(text, box) for text, box in ((clean(text), box) for text, box in lines) if text]
    broken = any(text.endswith("-") for text, _ in written)
    known = vocabulary(text for text, _ in written) if broken else ()
    for group in _groups(written, limit):
        text, _ = join_lines([line for line, _ in group], known)
        box = around(box for _, box in group)
        for at, (start, end) in enumerate(pieces(text, limit)):
            yield Block(text[start:end], page, box, continues=at > 0)


def _groups(lines: Sequence[Line], limit: int) -> Iterator[list[Line]]:
    group, length = list[Line](), 0
    for line in lines:
        full = length + len(line[0]) > limit
        if group and (full or not _stands_under(group[-1][1], line[1])):
            yield group
            group, length = [], 0
        group.append(line)
        length += len(line[0]) + 1
    if group:
        yield group


def _stands_under(above: Box, below: Box) -> bool:
    """Whether a line carries on the one before it: beside it, or close under it and as tall."""
    first, second = above.bottom - above.top, below.bottom - below.top
    tall = max(first, second)
    if min(above.bottom, below.bottom) - max(above.top, below.top) > 0.5 * tall:
        return below.left >= above.right - tall
    apart = below.top - above.bottom
    overlaps = below.left < above.right and below.right > above.left
    return overlaps and -tall < apart < GAP * tall and tall < TALLER * max(min(first, second), 1)
