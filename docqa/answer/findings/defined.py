"""The definition of a term that a finding leans on: "interest at the Default Interest Rate"."""

import re
from collections.abc import Iterator, Sequence

from docqa.answer.findings.cited import Source
from docqa.answer.findings.features import has_word
from docqa.answer.findings.quotes import Quote, quotes_of
from docqa.language.words import content_words
from docqa.types.document import Block
from docqa.types.question import Question

_TERM = re.compile(r"\b[A-Z][\w’'-]+(?:\s+(?:of\s+|and\s+|the\s+)?[A-Z][\w’'-]+)+")
_MEANS = r"[”\"’')]*\s*(?:\([^()]*\)\s*)?(?:means|shall mean|[:–—-])"
_LONGEST = 600  # characters of a definition


def with_definition(chosen: Sequence[Quote], question: Question, source: Source) -> list[Quote]:
    """The quotes, after the first the definition of a term in it that the question is about, where
    that has a figure.

    A clause says when interest is due, its rate stands among the definitions.
    """
    first = chosen[0]
    if first.row is not None:
        return list(chosen)
    asked = content_words(question.topic)
    terms = [t for t in _terms(first.text) if any(has_word(content_words(t), w) for w in asked)]
    for block in _defining(terms, source.blocks):
        if not any(block.text in quote.text or quote.text in block.text for quote in chosen):
            piece = source.add(f"defined-{block.index}", (block,))
            return [first, *quotes_of(piece)[:1], *chosen[1:]]
    return list(chosen)


def _terms(text: str) -> list[str]:
    """What is written as a defined term is, but at the beginning of the sentence."""
    return list(dict.fromkeys(found[0] for found in _TERM.finditer(text) if found.start()))


def _defining(terms: Sequence[str], blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks that begin with one of the terms and say what it means, with a figure."""
    if not terms:
        return
    named = "|".join(map(re.escape, terms))
    begins = re.compile(rf"\W{{0,2}}(?:{named}){_MEANS}")
    for block in blocks:
        found = begins.match(block.text) if len(block.text) <= _LONGEST else None
        if found and re.search(r"\d", block.text[found.end() :]):
            yield block
