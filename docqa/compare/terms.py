"""What each document says on a contract topic, in its own words, or where it comes nearest."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from docqa.compare.topics import TOPICS, Topic, compiled
from docqa.compare.units import letters_of, number_of, runs
from docqa.compare.wording import READ_CHARS, Encode, bundled, chances
from docqa.language.page_breaks import run_on
from docqa.language.sentences import sentences
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Block, Document
from docqa.types.phrases import shortened, sign_at

HEADED = 1.5  # worth of standing under a fitting heading, in patterns
FULL_LENGTH = 60  # characters from which a sentence is one, and no heading or cell
REWORDED = "nearest, worded differently"
CLAUSE_CHARS = 900  # of a clause with what follows it
LEAST_PATTERN = 0.1  # of the plainness of a topic told by patterns alone: any that fits
NEAREST_CHARS = 160  # of what stands nearest to a topic
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
    encode: Encode | None = None,
) -> tuple[TermComparison, ...]:
    """For each topic that any document settles, what each says, in the order of ``topics``.

    Exceptions and permissions in the neighbouring clauses come along. A topic that no document
    settles is left out. ``encode`` is as of `docqa.compare.wording.meaning_by`.
    """
    found = []
    for topic in topics:
        settling = [(side_of(topic, each, read[each.id], encode), each) for each in documents]
        sides = [whole_clause(side, topic, read[each.id]) for side, each in settling]
        if any(side.quote for side in sides):
            found.append(term(topic.name, sides))
    return tuple(found)


def term(topic: str, sides: Sequence[TermSide]) -> TermComparison:
    """A row of what each document says on a topic, with whether that differs."""
    return TermComparison(topic, tuple(sides), note_of(sides))


def said_by(document: Document, sentences: Sequence[Sentence] = ()) -> TermSide:
    """What a document says in these sentences; without any, that it says nothing."""
    return TermSide(document.id, document.name, *in_words(sentences))


def in_words(sentences: Sequence[Sentence]) -> tuple[str, tuple[Block, ...]]:
    """The text of these sentences, and the blocks they stand in, each once."""
    blocks = dict.fromkeys(block for each in sentences for block in each.blocks)
    return " ".join(each.text for each in sentences), tuple(blocks)


def near_in(side: TermSide, block: Block, quote: str = "") -> TermSide:
    """A side that says nothing, with where its document comes nearest, and what stands there."""
    return replace(
        side,
        nearest_page=block.page,
        nearest_place=block.place,
        nearest_quote=shortened(quote, NEAREST_CHARS),
    )


def sentences_of(blocks: Sequence[Block]) -> list[Sentence]:
    """Every sentence and table row in reading order; headers and footers of pages are skipped.

    A sentence that runs on into the next block, over a page's end too, is one.
    """
    found: list[Sentence] = []
    heading = ""
    for paragraph in paragraphs(blocks):
        if is_heading(paragraph[0]):
            heading = paragraph[0].text
        found.extend(Sentence(text, heading, own) for text, own in _split(paragraph))
    return found


def paragraphs(blocks: Sequence[Block]) -> list[tuple[Block, ...]]:
    """The blocks grouped into paragraphs; a heading or table row is one of its own.

    A block carries on the one before it where the reader says so, or where that one ends in the
    middle of a sentence and this one begins with a small letter.
    """
    said = (block for block in blocks if not block.is_furniture and block.text.strip())
    return [tuple(run) for run in runs(said, lambda run, block: _carries_on(run[-1], block))]


def _carries_on(before: Block, block: Block) -> bool:
    prose = ("text", "list")
    if before.kind not in prose or block.kind not in prose:
        return False
    if block.continues:
        return True
    open_ended = not before.text.rstrip().endswith((".", ";", ":", "!", "?", ".”", '."'))
    return open_ended and block.text.lstrip()[:1].islower()


def is_heading(block: Block) -> bool:
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
        yield text[start + sign_at(text[start:end]) : end], tuple(own)


def side_of(
    topic: Topic,
    document: Document,
    sentences: Sequence[Sentence],
    encode: Encode | None = None,
) -> TermSide:
    """The sentence that settles the topic most plainly, the first of equals, or the nearest one.

    What stands in the title or a heading alone settles nothing.
    """
    worded = [each for each in sentences if not is_heading(each.blocks[0])]
    values = plainness(topic, worded, encode)
    best = max(range(len(worded)), key=lambda at: values[at], default=None)
    if best is None:
        return said_by(document)
    chosen = worded[best]
    if values[best] < least(topic):
        if not is_taught(topic):
            return near_in(said_by(document), _speaking_most(topic, worded))
        near = near_in(said_by(document), chosen.blocks[0], chosen.text)
        return replace(near, chance=values[best])
    page, chance = chosen.blocks[0].page, values[best] if is_taught(topic) else 1.0
    return replace(said_by(document, [chosen]), nearest_page=page, chance=chance)


def plainness(
    topic: Topic, sentences: Sequence[Sentence], encode: Encode | None = None
) -> list[float]:
    """How plainly each sentence settles a topic: a chance where its wording was taught, 0-1.

    What its pattern fits is held to settle it at the least, however unusual its words. Of other
    topics, by the patterns alone: more for an earlier one, for several, for a heading that fits and
    for a whole sentence; 0 where none fits.
    """
    if is_taught(topic):
        texts = [(each.text, each.heading, bool(each.blocks[0].table)) for each in sentences]
        hits = [says(topic, each) > 0 for each in sentences]
        found = zip(chances(topic.name, texts, hits, encode), hits, strict=True)
        return [max(chance, hit * least(topic)) for chance, hit in found]
    return [_by_patterns(topic, each) for each in sentences]


def is_taught(topic: Topic) -> bool:
    """Whether the wording of a topic was taught, and it is not told by patterns alone."""
    return topic.name in bundled().topics


def least(topic: Topic) -> float:
    """The plainness from which a sentence is held to settle the topic."""
    return bundled().least if is_taught(topic) else LEAST_PATTERN


def says(topic: Topic, sentence: Sentence) -> float:
    """How many of the topic's patterns a sentence fits, the earlier ones counting for more."""
    text = sentence.text[:READ_CHARS]
    count = len(topic.says)
    fits = [count - place for place, each in enumerate(topic.says) if compiled(each).search(text)]
    return max(fits, default=0) + 0.25 * len(fits)


def _by_patterns(topic: Topic, sentence: Sentence) -> float:
    fits = says(topic, sentence)
    if not fits:
        return 0.0
    headed = topic in _headed_by(sentence.heading)
    whole = len(sentence.text) >= FULL_LENGTH or bool(sentence.blocks[0].table)
    return fits + HEADED * headed + 0.5 * whole


def whole_clause(side: TermSide, topic: Topic, sentences: Sequence[Sentence]) -> TermSide:
    """The sentence that settles a topic with those around it that speak of the topic too.

    "9.1 The Tenant shall not assign part." is not all there is where 9.2 begins "The Tenant may
    assign the whole". What comes along is of the same paragraph, or of the blocks before and after
    under the same heading, and all together no longer than `CLAUSE_CHARS`.
    """
    said = ((each.text, each.blocks) for each in sentences)
    at = next((n for n, own in enumerate(said) if own == (side.quote, side.blocks)), None)
    if at is None:
        return side
    before = _run(topic, sentences[at::-1], CLAUSE_CHARS, back=True)[:0:-1]
    left = CLAUSE_CHARS - sum(len(each.text) for each in before)
    quote, blocks = in_words((*before, *_run(topic, sentences[at:], left)))
    return replace(side, quote=quote, blocks=blocks)


def _run(
    topic: Topic, sentences: Sequence[Sentence], limit: int, *, back: bool = False
) -> tuple[Sentence, ...]:
    """The first sentence and the next ones that belong to it, in at most ``limit`` characters.

    Going ``back``, what stands under a heading of the topic has to name it too.
    """
    kept = [sentences[0]]
    for one, other in pairwise(sentences):
        taken = sum(len(each.text) for each in kept) + len(other.text)
        if taken > limit or not _belongs(one, other, topic, headed=not back):
            break
        kept.append(other)
    return tuple(kept)


def _belongs(one: Sentence, other: Sentence, topic: Topic, *, headed: bool) -> bool:
    """Whether a neighbour is of the same paragraph, or says more on the topic."""
    if {block.index for block in one.blocks} & {block.index for block in other.blocks}:
        return True
    if other.heading != one.heading or is_heading(other.blocks[0]):
        return False
    names = topic.asked.search(other.text) is not None
    return names or (headed and _headed_by(one.heading) == (topic,))


@lru_cache(maxsize=4096)
def _headed_by(heading: str) -> tuple[Topic, ...]:
    """The topics of a heading: those that name most of it, as "Rent review" is not of the rent."""
    found = [(t, m) for t in TOPICS if t.heading and (m := compiled(t.heading).search(heading))]
    most = max((len(match[0]) for _, match in found), default=0)
    return tuple(topic for topic, match in found if len(match[0]) == most)


def _speaking_most(topic: Topic, sentences: Sequence[Sentence]) -> Block:
    """The first block of the page that names the topic most often, the first of equals."""
    counts = Counter[int]()
    for each in sentences:
        counts[each.blocks[0].page] += len(topic.asked.findall(each.text))
    page = max(counts, key=lambda page: (counts[page], -page))
    return next(each.blocks[0] for each in sentences if each.blocks[0].page == page)


def note_of(sides: Sequence[TermSide]) -> str:
    """Whether the sides differ, or who alone says anything, if only likely."""
    found = [side for side in sides if side.quote or side.likely]
    if len(found) < len(sides):
        return "only in " + " and ".join(side.document for side in found)
    if any(side.likely for side in found):
        return REWORDED
    wordings = {letters_of(_unnumbered(side)) for side in found}
    return "same wording" if len(wordings) == 1 else "differs"


def _unnumbered(side: TermSide) -> str:
    """A quote without the numbers of its clauses: renumbered they are the same."""
    quote = f" {side.quote} "
    for number in filter(None, (number_of(block.text) for block in side.blocks)):
        quote = re.sub(rf"(?<=\s){re.escape(number)}[.:)]?(?=\s)", "", quote, count=1)
    return quote
