"""The clauses of contracts side by side, by what their headings and words mean.

A clause is what stands under one heading. Clauses that a topic has quoted are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from docqa.compare.align import nearest, pairs
from docqa.compare.alone import says_nothing
from docqa.compare.terms import CLAUSE_CHARS, Sentence, near_in, said_by, term
from docqa.compare.units import number_of, unnumbered
from docqa.compare.wording import Encode
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Block, Document
from docqa.types.phrases import sentence_case

ALIKE = 0.55  # mean cosine of headings and of wording, from which two clauses settle the same thing
READ_CHARS = 600  # of a clause that the encoder is given
HEADING_CHARS = 80  # longer ones are sentences
MOST = 16  # rows
ALONE = 4  # of what one document alone has, for each


@dataclass(frozen=True, slots=True)
class Clause:
    """A heading and the sentences under it."""

    heading: str
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.sentences)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(dict.fromkeys(block for each in self.sentences for block in each.blocks))

    @property
    def is_numbered(self) -> bool:
        """Whether it is numbered itself, or what it begins with."""
        own = (self.heading, *(each.text for each in self.sentences[:1]))
        return len(own) > 1 and any(map(number_of, own))

    def side(self, document: Document) -> TermSide:
        """What a document says by it: its first sentences, as far as `CLAUSE_CHARS` go."""
        taken: list[Sentence] = []
        length = 0
        for each in self.sentences:
            length += len(each.text) + 1
            if taken and length > CLAUSE_CHARS:
                break
            taken.append(each)
        return said_by(document, taken)


def clauses_of(sentences: Sequence[Sentence]) -> list[Clause]:
    """The numbered clauses that have a heading; rows of tables are in none."""
    found: dict[str, list[Sentence]] = {}
    for each in sentences:
        if each.heading and len(each.heading) <= HEADING_CHARS:
            own = found.setdefault(each.heading, [])
            if each.blocks[0].kind != "heading" and not each.blocks[0].table:
                own.append(each)
    clauses = [Clause(name, tuple(own)) for name, own in found.items()]
    return [each for each in clauses if each.is_numbered]


def compare_clauses(
    documents: Sequence[Document],
    sentences: Mapping[str, Sequence[Sentence]],
    terms: Sequence[TermComparison],
    encode: Encode,
) -> tuple[TermComparison, ...]:
    """Of two documents, the headed clauses that ``terms`` do not quote, those of both first.

    Where one document alone has a clause, the other's clause that comes nearest is told with it.
    """
    if len(documents) != 2:
        return ()
    every = [clauses_of(sentences[each.id]) for each in documents]
    if not all(every):
        return ()
    headings, texts = (
        (encode([own[:READ_CHARS] for own in one]) @ encode([own[:READ_CHARS] for own in other]).T)
        for one, other in (
            [[bare(each.heading) for each in own] for own in every],
            [[each.text for each in own] for own in every],
        )
    )
    alike = np.asarray((headings + texts) / 2, dtype=np.float64)
    free = [
        [at for at, clause in enumerate(own) if not _is_quoted(clause, terms, place)]
        for place, own in enumerate(every)
    ]
    found = pairs(alike[np.ix_(*free)], threshold=ALIKE)
    paired = sorted((free[0][one], free[1][other]) for one, other, _ in found)
    rows = [
        _row(every[0][one], [every[0][one].side(documents[0]), every[1][other].side(documents[1])])
        for one, other in paired
    ]
    for place in (0, 1):
        lone = sorted(set(free[place]) - {pair[place] for pair in paired})
        rows += _alone(place, lone, documents, every, alike.T if place else alike)
    return tuple(rows[:MOST])


def _alone(
    place: int,
    lone: Sequence[int],
    documents: Sequence[Document],
    every: Sequence[Sequence[Clause]],
    alike: NDArray[np.float64],
) -> list[TermComparison]:
    """Rows of clauses that the other document has nothing like, with what is nearest there."""
    other = 1 - place
    rows = []
    for at in lone:
        clause = every[place][at]
        column, value = nearest(alike, at)
        if value < ALIKE and not says_nothing(bare(clause.heading)):
            near = every[other][column]
            absent = near_in(said_by(documents[other]), near.blocks[0], near.text)
            sides = [clause.side(documents[place])]
            sides.insert(other, absent)
            rows.append(_row(clause, sides))
    return rows[:ALONE]


def _is_quoted(clause: Clause, terms: Sequence[TermComparison], place: int) -> bool:
    quoted = {block.index for row in terms for block in row.sides[place].blocks}
    return not quoted.isdisjoint(block.index for block in clause.blocks)


def bare(heading: str) -> str:
    """A heading without its number."""
    return unnumbered(heading).strip(" .:)\t") or heading


def _row(clause: Clause, sides: Sequence[TermSide]) -> TermComparison:
    return term(sentence_case(bare(clause.heading)), sides)
