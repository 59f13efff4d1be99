"""What each document says on a contract topic, in its own words, or where it comes nearest."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from docqa.compare.topics import Topic, compiled
from docqa.types import Block, Document, TermComparison, TermSide

HEADED = 1.5  # worth of standing under a fitting heading, in patterns
FULL_LENGTH = 60  # characters from which a sentence is one, and no heading or cell
LONGEST = 1500  # characters of a sentence looked at
_END = re.compile(r"(?<=[.;!?])[\"”’)]?\s+(?=[\"“(]?[A-Z0-9•])|\n+")
_NO_ABBREVIATION = re.compile(r"\b(?:Inc|Ltd|Corp|Co|No|Sec|vs|e\.g|i\.e|St|Mr|Ms|Dr)\.$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or table row, the heading over it, and the block it stands in."""

    text: str
    heading: str
    block: Block


def compare_terms(
    documents: Sequence[Document],
    blocks: Mapping[str, Sequence[Block]],
    topics: Sequence[Topic],
) -> tuple[TermComparison, ...]:
    """For each topic that any document settles, what each says, in the order of ``topics``.

    A topic that no document settles is left out.
    """
    read = {document.id: sentences_of(blocks[document.id]) for document in documents}
    found = (
        tuple(side_of(topic, document, read[document.id]) for document in documents)
        for topic in topics
    )
    return tuple(
        TermComparison(topic.name, sides, _note(sides))
        for topic, sides in zip(topics, found, strict=True)
        if any(side.quote for side in sides)
    )


def sentences_of(blocks: Sequence[Block]) -> list[Sentence]:
    """Every sentence and table row in reading order; headers and footers of pages are none."""
    found: list[Sentence] = []
    heading = ""
    for block in blocks:
        if block.kind == "heading":
            heading = block.text
        if block.kind not in ("header", "footer", "picture"):
            found.extend(Sentence(text, heading, block) for text in _split(block))
    return found


def _split(block: Block) -> Iterator[str]:
    if block.table:
        yield block.text
        return
    start = 0
    for match in _END.finditer(block.text):
        if not _NO_ABBREVIATION.search(block.text[start : match.start()]):
            yield block.text[start : match.end()].strip()
            start = match.end()
    if rest := block.text[start:].strip():
        yield rest


def side_of(topic: Topic, document: Document, sentences: Sequence[Sentence]) -> TermSide:
    """The sentence that settles the topic most plainly, the first of equals, or the nearest page.

    A pattern counts for more the earlier it stands among the topic's, and under a heading that
    fits; what stands in the title or a heading alone settles nothing.
    """
    scored = [(score(topic, sentence), sentence) for sentence in sentences]
    best = max((value for value, _ in scored), default=0.0)
    if best <= 0:
        return TermSide(document.id, document.name, nearest_page=_nearest_page(topic, sentences))
    chosen = next(sentence for value, sentence in scored if value == best)
    page = chosen.block.page
    return TermSide(document.id, document.name, chosen.text, (chosen.block,), nearest_page=page)


def score(topic: Topic, sentence: Sentence) -> float:
    """How plainly a sentence settles a topic; 0 where none of its patterns fits."""
    if sentence.block.kind == "heading":
        return 0.0
    text = sentence.text[:LONGEST]
    count = len(topic.says)
    fits = [count - place for place, says in enumerate(topic.says) if compiled(says).search(text)]
    if not fits:
        return 0.0
    headed = bool(topic.heading) and compiled(topic.heading).search(sentence.heading) is not None
    opening = bool(topic.heading) and compiled(topic.heading).search(text[:40]) is not None
    whole = 0.5 if len(text) >= FULL_LENGTH or sentence.block.table else 0.0
    return max(fits) + 0.25 * len(fits) + HEADED * headed + 0.5 * opening + whole


def _nearest_page(topic: Topic, sentences: Sequence[Sentence]) -> int:
    """The page with most of the words that go with the topic, the first of equals; 0 for none."""
    counts: dict[int, int] = {}
    for sentence in sentences:
        found = len(compiled(topic.near).findall(sentence.text)) if topic.near else 0
        counts[sentence.block.page] = counts.get(sentence.block.page, 0) + found
    if not counts:
        return 0
    return max(counts, key=lambda page: (counts[page], -page))


def _note(sides: Sequence[TermSide]) -> str:
    found = [side for side in sides if side.quote]
    if len(found) < len(sides):
        return "only in " + " and ".join(side.document for side in found)
    wordings = {" ".join(re.findall(r"\w+", side.quote.lower())) for side in found}
    return "same wording" if len(wordings) == 1 else "differs"
