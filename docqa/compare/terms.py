"""What each document says on a contract topic, in its own words, or where it comes nearest."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docqa.compare.topics import TOPICS, Topic, compiled
from docqa.language.page_breaks import run_on
from docqa.language.sentences import sentences
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Block, Document

HEADED = 1.5  # worth of standing under a fitting heading, in patterns
FULL_LENGTH = 60  # characters from which a sentence is one, and no heading or cell
CLAUSE_CHARS = 900  # of a clause with what follows it
LONGEST = 1500  # characters of a sentence looked at
_READS_ON = re.compile(r"[.,;:]$|^[a-z]|\b(?:may|shall|will|must|is|are)\b")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or table row, the heading over it, and the blocks it stands in."""

    text: str
    heading: str
    blocks: tuple[Block, ...]


_BINDING = re.compile(
    r"\b(?:shall|hereby|herein|hereof|hereto|hereunder|thereof|hereinafter|covenants?|undertakes?"
    r"|(?:this|the) (?:agreement|lease|contract|deed|licen[cs]e))\b",
    re.IGNORECASE,
)
BINDING = 10  # of a thousand words, from which a text binds someone


def binds(blocks: Sequence[Block]) -> bool:
    """Whether a document is of the kind that settles terms: a contract, a lease, a policy.

    Of 27 contracts all but three have 15 to 45 such words in a thousand; offering memoranda,
    handbooks and reports have up to 4, one with a contract for an exhibit 7.
    """
    words = sum(len(block.text.split()) for block in blocks)
    said = sum(len(_BINDING.findall(block.text)) for block in blocks)
    return said * 1000 >= BINDING * max(words, 1)


def compare_terms(
    documents: Sequence[Document],
    read: Mapping[str, Sequence[Sentence]],
    topics: Sequence[Topic],
) -> tuple[TermComparison, ...]:
    """For each topic that any document settles, what each says, in the order of ``topics``.

    Exceptions and permissions in the neighbouring clauses come along. A topic that no document
    settles is left out.
    """
    found = (
        tuple(_whole_side(topic, document, read[document.id]) for document in documents)
        for topic in topics
    )
    return tuple(
        TermComparison(topic.name, sides, note_of(sides))
        for topic, sides in zip(topics, found, strict=True)
        if any(side.quote for side in sides)
    )


def _whole_side(topic: Topic, document: Document, sentences: Sequence[Sentence]) -> TermSide:
    return whole_clause(side_of(topic, document, sentences), topic, sentences)


def sentences_of(blocks: Sequence[Block]) -> list[Sentence]:
    """Every sentence and table row in reading order; headers and footers of pages are none.

    A sentence that runs on into the next block, over a page's end too, is one.
    """
    found: list[Sentence] = []
    heading = ""
    for paragraph in paragraphs(blocks):
        if _is_heading(paragraph[0]):
            heading = paragraph[0].text
        found.extend(Sentence(text, heading, own) for text, own in _split(paragraph))
    return found


def paragraphs(blocks: Sequence[Block]) -> list[tuple[Block, ...]]:
    """The blocks grouped into paragraphs; a heading or table row is one of its own.

    A block carries on the one before it where the reader says so, or where that one ends in the
    middle of a sentence and this one begins with a small letter.
    """
    groups: list[list[Block]] = []
    for block in blocks:
        if block.kind in ("header", "footer", "picture") or not block.text.strip():
            continue
        if groups and _carries_on(groups[-1][-1], block):
            groups[-1].append(block)
        else:
            groups.append([block])
    return [tuple(group) for group in groups]


def _carries_on(before: Block, block: Block) -> bool:
    prose = ("text", "list")
    if before.kind not in prose or block.kind not in prose:
        return False
    if block.continues:
        return True
    open_ended = not before.text.rstrip().endswith((".", ";", ":", "!", "?", ".”", '."'))
    return open_ended and block.text.lstrip()[:1].islower()


def _is_heading(block: Block) -> bool:
    """Whether a block only heads others; a clause printed bold may be read as a heading too."""
    sentence = len(block.text) >= FULL_LENGTH and _READS_ON.search(block.text.strip())
    return block.kind == "heading" and not sentence


def _split(paragraph: Sequence[Block]) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """The sentences of a paragraph, each with the blocks it stands in."""
    if paragraph[0].table:
        yield paragraph[0].text, tuple(paragraph)
        return
    text, starts = run_on(paragraph)
    ends = [*starts[1:], len(text)]
    for start, end in sentences(text, clauses=True):
        places = zip(paragraph, starts, ends, strict=True)
        own = [block for block, begins, ends_at in places if begins < end and ends_at > start]
        yield text[start:end], tuple(own)


def side_of(topic: Topic, document: Document, sentences: Sequence[Sentence]) -> TermSide:
    """The sentence that settles the topic most plainly, the first of equals, or the nearest page.

    A pattern counts for more the earlier it stands among the topic's, and under a heading that
    fits; what stands in the title or a heading alone settles nothing.
    """
    scored = [(score(topic, sentence), sentence) for sentence in sentences]
    best = max((value for value, _ in scored), default=0.0)
    if best <= 0:
        near = _nearest(topic, sentences)
        page, place = (near.page, near.place) if near else (0, "")
        return TermSide(document.id, document.name, nearest_page=page, nearest_place=place)
    chosen = next(sentence for value, sentence in scored if value == best)
    page = chosen.blocks[0].page
    return TermSide(document.id, document.name, chosen.text, chosen.blocks, nearest_page=page)


def whole_clause(side: TermSide, topic: Topic, sentences: Sequence[Sentence]) -> TermSide:
    """The sentence that settles a topic with those of its paragraph, and what follows on the topic.

    "9.1 The Tenant shall not assign part." is not all there is where 9.2 begins "The Tenant may
    assign the whole". What follows is of the next blocks under the same heading, as long as it
    speaks of the topic too, or the heading of nothing else, and all together no longer than
    `CLAUSE_CHARS`.
    """
    at = next((n for n, each in enumerate(sentences) if _is_side(each, side)), None)
    if at is None:
        return side
    first = last = at
    while first and sentences[first - 1].blocks[-1] == sentences[at].blocks[0]:
        first -= 1
    while last + 1 < len(sentences) and _follows(sentences[last], sentences[last + 1], topic):
        last += 1
    kept = list(sentences[first : at + 1])
    for each in sentences[at + 1 : last + 1]:
        if sum(len(one.text) for one in kept) + len(each.text) > CLAUSE_CHARS:
            break
        kept.append(each)
    blocks = tuple(dict.fromkeys(block for each in kept for block in each.blocks))
    return replace(side, quote=" ".join(each.text for each in kept), blocks=blocks)


def _is_side(sentence: Sentence, side: TermSide) -> bool:
    return sentence.text == side.quote and sentence.blocks == side.blocks


def _follows(one: Sentence, other: Sentence, topic: Topic) -> bool:
    """Whether a sentence is of the same paragraph, or the next one says more on the topic."""
    if other.blocks[0] == one.blocks[-1]:
        return True
    return other.heading == one.heading and (score(topic, other) > 0 or _heads(topic, one.heading))


@lru_cache(maxsize=4096)
def _heads(topic: Topic, heading: str) -> bool:
    """Whether a heading is of this topic and no other."""
    fitting = [t for t in TOPICS if t.heading and compiled(t.heading).search(heading)]
    return fitting == [topic]


def score(topic: Topic, sentence: Sentence) -> float:
    """How plainly a sentence settles a topic; 0 where none of its patterns fits."""
    if _is_heading(sentence.blocks[0]):
        return 0.0
    text = sentence.text[:LONGEST]
    count = len(topic.says)
    fits = [count - place for place, says in enumerate(topic.says) if compiled(says).search(text)]
    if not fits:
        return 0.0
    headed = bool(topic.heading) and compiled(topic.heading).search(sentence.heading) is not None
    opening = bool(topic.heading) and compiled(topic.heading).search(text[:40]) is not None
    whole = 0.5 if len(text) >= FULL_LENGTH or sentence.blocks[0].table else 0.0
    return max(fits) + 0.25 * len(fits) + HEADED * headed + 0.5 * opening + whole


def _nearest(topic: Topic, sentences: Sequence[Sentence]) -> Block | None:
    """A block of the page with most of the words that go with the topic, the first of equals."""
    counts: Counter[int] = Counter()
    for sentence in sentences:
        found = len(compiled(topic.near).findall(sentence.text)) if topic.near else 0
        counts[sentence.blocks[0].page] += found
    best = max(counts, key=lambda page: (counts[page], -page), default=0)
    blocks = (sentence.blocks[0] for sentence in sentences)
    return next((block for block in blocks if block.page == best), None)


def note_of(sides: Sequence[TermSide]) -> str:
    """Whether the sides differ, or who alone says anything."""
    found = [side for side in sides if side.quote]
    if len(found) < len(sides):
        return "only in " + " and ".join(side.document for side in found)
    wordings = {" ".join(re.findall(r"\w+", side.quote.lower())) for side in found}
    return "same wording" if len(wordings) == 1 else "differs"
