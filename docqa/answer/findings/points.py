"""The points of a section that a question asks for: its headings or its list, in order, cited."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from docqa.answer.findings.cited import Source
from docqa.answer.findings.facts import is_about_whole
from docqa.answer.findings.first_sentence import first_sentence, shown
from docqa.language.numbering import numbering
from docqa.language.periods import periods_in
from docqa.language.sentences import sentences
from docqa.language.words import content_words, singular
from docqa.types.document import Block
from docqa.types.phrases import quoted
from docqa.types.question import Question

MOST = 12  # points of one section that are shown
_FEWEST = 2
_LONGEST = 300  # characters of a point; of a longer one the first sentence is shown
_NAMED = 0.5  # the share of a heading's words that is asked, and less than what is asked of it

# "What are the key risks of …", "List the events of default", "Summarize the risk factors".
_ASKED = re.compile(
    r"^\s*(?:please\s+)?(?P<verb>what|which|list|name|show|give|tell|summari[sz]e|describe|outline"
    r"|explain|who)?\b\s*(?:(?:me|us|about|all|of|the|its|their|our|any|main|key|biggest|principal"
    r"|major|are|were|there)\s+)*(?P<thing>(?:[\w’'-]+\s+){0,3}?[\w’'-]+)"
    r"(?=\s+(?:of|in|for|at|on|under|to|from|does|do|did|has|have|is|are|that|which|faced)\b|[?.,;:]|$)",
    re.IGNORECASE,
)
_SECTION = frozenset(content_words("section chapter part clause article provision"))
_TELLING = re.compile(r"summari[sz]e|describe|outline|explain", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?:clause|section|article|item|paragraph)\s+(?P<number>\d+[A-Z]?(?:\.\d+)*)\b(?!\s*\()",
    re.IGNORECASE,
)
_CLAUSES = ("1.1", "1.1.", "1.1)", "(a)", "(i)")
_PROSE = ("text", "list")
_ITEMS = ("(a)", "(i)", "a)", "i)")


@dataclass(frozen=True, slots=True)
class _Section:
    """``points`` are shown whole where they are a clause that is asked for by its own number."""

    heading: Block
    points: tuple[Block, ...]
    whole: bool = False


def points_of(question: Question, source: Source) -> str:
    """The points of the section of a document that a question asks for; "" where it has none.

    The section is named by its number ("clause 8"), or by what is asked for several of ("the
    risks").
    """
    numbered, named = _NUMBERED.search(question.topic), _things_asked(question)
    # what it says, not what it gives
    number = numbered["number"] if numbered and question.wants in ("clause", "summary") else ""
    if not (number or named) or is_about_whole(question):
        return ""

    def is_asked(heading: str) -> bool:
        return _is_numbered(heading, number) if number else _is_named(heading, named)

    found = list(_sections(source.blocks, is_asked))
    found = found or (list(_clauses(source.blocks, number)) if number else [])
    if not found:
        return ""
    searched = {head for e in source.gathered.evidence for head in e.hit.chunk.headings}
    section = max(found, key=lambda each: each.heading.text in searched)
    heading, name = section.heading, f"section-{section.heading.index}"
    told = [_told(each, section, source.blocks) for each in section.points[:MOST]]
    title, of = heading.text.rstrip(" :."), len(section.points)
    return source.list_blocks(name, title, told, of=of, under=[heading])


def asks_for_several(question: Question) -> bool:
    """Whether a question asks for several of something ("Which conditions …?")."""
    return question.wants == "list" or bool(_things_asked(question))


def _told(
    point: Block, section: _Section, blocks: Sequence[Block]
) -> tuple[tuple[Block, ...], str]:
    """A point and how it is told: a heading with what stands first under it, unless that is a
    point of its own."""
    if point.kind == "heading":
        below = takewhile(lambda b: b.kind != "heading", blocks[blocks.index(point) + 1 :])
        first = next(first_sentence(point, list(below)), None)
        if first and first.block not in section.points:
            return first.blocks, first.text
    return (point,), quoted(shown(point, whole=section.whole))


def _things_asked(question: Question) -> list[str]:
    """The stems of what is asked for several of, or for a summary of; none for a value, which
    alone is asked of a day or a month."""
    asked = _ASKED.match(question.topic)
    if asked is None or question.wants == "value":
        return []
    telling = bool(_TELLING.match(asked["verb"] or ""))
    if not telling and any(period.month for period in periods_in(question.whole)):
        return []
    last = asked["thing"].split()[-1].lower()
    several = singular(last) != last or telling
    named = content_words(asked["thing"]) if several else []
    said = [word for word in named if word not in _SECTION] if telling else []
    return said or named


def _sections(blocks: Sequence[Block], is_asked: Callable[[str], bool]) -> Iterator[_Section]:
    """The sections asked for by their headings that are lists: of sections, of items, or of
    numbered clauses."""
    for at, block in enumerate(blocks):
        if block.kind == "heading" and is_asked(block.text):
            points = tuple(_points_under(block, blocks[at + 1 :]))
            if len(points) >= _FEWEST:
                yield _Section(block, points)


def _points_under(heading: Block, blocks: Sequence[Block]) -> list[Block]:
    """The headings right under a heading, with the sentences that each say what the paragraphs
    after them are on where these are more; where it has neither, its items or numbered clauses."""
    inside = list(takewhile(lambda b: b.kind != "heading" or b.level > heading.level, blocks))
    below = [block for block in inside if block.kind == "heading"]
    lead = set(_leading(inside))
    if len(lead) > max(len(below), _FEWEST):
        return [block for block in inside if block.kind == "heading" or block in lead]
    if len(below) >= _FEWEST:
        highest = min(block.level for block in below)
        return [block for block in below if block.level == highest]
    return list(_items(inside, begins=_is_item))


def _leading(blocks: Sequence[Block]) -> Iterator[Block]:
    """The paragraphs of one sentence that stand before one of several, as risks are put."""
    prose = [block for block in blocks if block.kind == "text" and not block.continues]
    for block, after in pairwise(prose):
        is_one = block.text[:1].isupper() and block.text.endswith(".")
        short = len(block.text) <= _LONGEST and len(sentences(block.text)) == 1
        if is_one and short and len(sentences(after.text)) > 1:
            yield block


def _is_item(block: Block) -> bool:
    return block.kind == "list" or (block.kind == "text" and numbering(block.text) in _CLAUSES)


def _items(blocks: Sequence[Block], *, begins: Callable[[Block], bool]) -> Iterator[Block]:
    """The blocks that begin an item, each with those that carry it on."""
    point: Block | None = None
    for block in blocks:
        if block.continues and point is not None and block.kind in _PROSE:
            point = replace(point, text=f"{point.text} {block.text}")
        else:
            if point is not None:
                yield point
            point = block if begins(block) else None
    if point is not None:
        yield point


def _clauses(blocks: Sequence[Block], number: str) -> Iterator[_Section]:
    """The clauses of a number below a heading, each with the items under it."""
    heading: Block | None = None
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            heading = block
        elif heading and _is_prose(block) and _is_numbered(block.text, number):
            inside = takewhile(
                lambda b: b.continues or numbering(b.text) in _ITEMS, blocks[at + 1 :]
            )
            yield _Section(heading, tuple(_items([block, *inside], begins=_is_prose)), whole=True)


def _is_prose(block: Block) -> bool:
    return block.kind in _PROSE


def _is_numbered(text: str, number: str) -> bool:
    pattern = rf"\W*(?:[a-z]+\s+)?{re.escape(number)}(?![\w]|\.\d)"
    return re.match(pattern, text, re.IGNORECASE) is not None


def _is_named(heading: str, asked: Sequence[str]) -> bool:
    """Whether a part of a heading ("Risks" of "Risks and Next Steps") is what is asked for."""
    for part in re.split(r"(?i)\band\b|[,&;/]", heading):
        words = {word for word in content_words(part) if not word.isdigit()}
        both = len(words & set(asked))
        if asked[-1] in words and both >= _NAMED * len(words) and both > _NAMED * len(asked):
            return True
    return False
