"""A whole document in its own words: how it opens, and what each of its sections says first."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from docqa.answer.findings.cited import Source
from docqa.answer.findings.facts import is_about_whole
from docqa.answer.findings.first_sentence import FirstSentence, first_sentence
from docqa.answer.findings.points import MOST
from docqa.language.numbering import numbering
from docqa.types.document import Block, spoken_name
from docqa.types.question import Question

_FEWEST = (6, 3)  # sections that are told: better more of a lower level than few
_CLAUSES = ("1.", "1)", "I.", "I)")
_ABOUT = re.compile(r"\babout\b|\bkey (?:points|terms|facts)\b", re.IGNORECASE)


def summarized(question: Question, source: Source) -> str:
    """A document's first sentence and those of its sections, in order, where a summary of it is
    asked for and of nothing in it; "" else, and of a document that is tables alone."""
    asked = question.wants == "summary" or _ABOUT.search(question.whole)
    if not asked or not is_about_whole(question):
        return ""
    of_sections = {each.block: each for each in _sections(source.blocks)}
    opening = {each.block: each for each in first_sentence(None, source.blocks)}
    every = list({**opening, **of_sections, **opening}.values())
    if not every:
        return ""
    title = source.document.title or spoken_name(source.document.name)
    told = [(each.blocks, each.text) for each in every[:MOST]]
    return source.list_blocks("summary", title, told, of=len(every))


def _sections(blocks: Sequence[Block]) -> Iterator[FirstSentence]:
    """Of the sections of the highest level that has several, the first sentence of each; where no
    level has, that of each numbered clause, or of each paragraph."""
    counts = Counter(block.level for block in blocks if block.kind == "heading")
    several = [min(own) for least in _FEWEST if (own := [n for n in counts if counts[n] >= least])]
    if not several:
        clauses = [block for block in blocks if numbering(block.text) in _CLAUSES]
        for block in clauses if len(clauses) >= _FEWEST[0] else blocks:
            yield from first_sentence(None, [block])
        return
    level = several[0]
    heads = [at for at, b in enumerate(blocks) if b.kind == "heading" and b.level == level]
    for at in heads:
        inside = takewhile(lambda b: b.kind != "heading" or b.level > level, blocks[at + 1 :])
        yield from first_sentence(blocks[at], list(inside))
