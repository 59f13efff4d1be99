"""What each document states on what a question names, where no figure or topic that is known does.

The definition of a term stands for what is stated on it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from docqa.compare.figures import with_difference
from docqa.compare.sections import heading_of, in_whole, named_by, sections_of
from docqa.compare.terms import is_heading, near_in, said_by, sentences_of, term
from docqa.compare.units import units_of
from docqa.language.amounts import measured_amounts
from docqa.language.labels import plain_words
from docqa.language.vocabulary import synonyms
from docqa.language.words import content_words
from docqa.types.comparison import Figure, FigureComparison, TermComparison, TermSide
from docqa.types.document import Block, Document

NEARLY = 0.035  # half the chance from which a sentence is held to settle a topic
SURE = 0.5  # the chance from which what is stated stands in for what no wording told
_MEANS = re.compile(
    r"[“\"](?P<term>[^“”\"]{2,60})[”\"]\s+(?:(?:shall|will) )?(?:means?|has the meaning)\b",
    re.IGNORECASE,
)


def with_stated(
    terms: Sequence[TermComparison], stated: Sequence[TermSide], topic: str
) -> tuple[TermComparison, ...]:
    """The terms, in which a document that says nothing by its wording is given what it surely or
    likely states; where there are none, what each states as a term of its own."""
    if not topic or not any(side.quote or side.likely for side in stated):
        return tuple(terms)
    if not terms:
        return (term(topic, stated),) if any(side.quote for side in stated) else ()
    said = {side.document_id: side if side.chance >= SURE else _unsure(side) for side in stated}
    filled = []
    for row in terms:
        sides = tuple(
            side if side.quote else own if own.quote or own.likely else _near(side)
            for side in row.sides
            for own in [said.get(side.document_id, side)]
        )
        filled.append(term(row.topic, sides) if sides != row.sides else row)
    return tuple(filled)


def _near(side: TermSide) -> TermSide:
    """A side that says nothing by its wording, if nearly so as what is likely."""
    nearly = side.nearest_quote and NEARLY <= side.chance < 1
    return replace(side, likely=True) if nearly else side


def _unsure(side: TermSide) -> TermSide:
    """What is stated, but not for sure, as what likely is."""
    if not side.quote:
        return side
    bare = replace(side, quote="", blocks=())
    return replace(near_in(bare, side.blocks[0], side.quote), likely=True)


def definition(named: str, document: Document, blocks: Sequence[Block]) -> TermSide:
    """The sentence in which a document says what a term means; without a quote where none does."""
    for each in sentences_of(blocks):
        terms = (match["term"] for match in _MEANS.finditer(each.text))
        if any(plain_words(term) == plain_words(named) for term in terms):
            return said_by(document, [each])
    return said_by(document)


def headed(named: str, side: TermSide, blocks: Sequence[Block]) -> TermSide:
    """The side with what stands under the first heading that has every word of what is named, by
    whichever of its names; as it is without one."""
    names = map(named_by, (named, *synonyms(" ".join(plain_words(named)))))
    asked = [words for words in names if words]
    for section in sections_of(units_of(blocks)):
        said = [unit for unit in section if not is_heading(unit.blocks[0])]
        heading = heading_of(section)
        if said and any(words <= heading for words in asked):
            first = said[0].blocks[0]
            return in_whole(replace(side, quote=first.text, blocks=(first,)), blocks, named)
    return side


def speaks_of(row: TermComparison, named: str) -> bool:
    """Whether what is quoted has every word of what is named."""
    return named_by(named) <= {word for side in row.sides for word in content_words(side.quote)}


def stated_figure(named: str, sides: Sequence[TermSide]) -> tuple[FigureComparison, ...]:
    """What is stated as a figure, where each document states one amount, all of one unit."""
    figures = [figure for side in sides if (figure := _only_amount(named, side))]
    units = {figure.unit for figure in figures}
    if len(figures) < len(sides) or len(units) > 1:
        return ()
    return (with_difference(FigureComparison(named, "", units.pop(), tuple(figures))),)


def _only_amount(named: str, side: TermSide) -> Figure | None:
    amounts = [amount for amount in measured_amounts(side.quote) if amount.unit]
    block = next((b for b in side.blocks if amounts and amounts[0].text in b.text), None)
    if len(amounts) != 1 or block is None:
        return None
    [one] = amounts
    return Figure(named, "", one.value, one.unit, one.text, side.document_id, side.document, block)
