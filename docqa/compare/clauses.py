"""The clauses of contracts side by side, by what their headings and words mean.

A clause is what stands under one heading. Clauses that a topic has quoted are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from docqa.compare.align import nearest, pairs
from docqa.compare.alone import says_nothing
from docqa.compare.terms import CLAUSE_CHARS, Sentence, near_in, said_by, term
from docqa.compare.units import number_of, unnumbered
from docqa.compare.wording import Encode
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.document import Document
from docqa.types.phrases import sentence_case

ALIKE = 0.55  # mean cosine of headings and of wording, from which two clauses settle the same thing
NEAREST = 0.45  # the same for two that are each other's nearest
READ_CHARS = 600  # of a clause that the encoder is given
HEADING_CHARS = 80  # longer ones are sentences
MOST = 16  # rows
ALONE = 4  # of what one document alone has, for each

Similarities = dict[tuple[int, int], NDArray[np.float64]]  # by the places of two documents
Group = dict[int, int]  # places of documents, and of the clause of each that is of the group


@dataclass(frozen=True, slots=True)
class Clause:
    """A heading and the sentences under it."""

    heading: str
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return " ".join(each.text for each in self.sentences)

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
    """The clauses that have a heading, where most are numbered those alone; rows of tables are in
    none."""
    found: dict[str, list[Sentence]] = {}
    for each in sentences:
        if each.heading and len(each.heading) <= HEADING_CHARS:
            own = found.setdefault(each.heading, [])
            if each.blocks[0].kind != "heading" and not each.blocks[0].table:
                own.append(each)
    clauses = [Clause(name, tuple(own)) for name, own in found.items() if own]
    numbered = [each for each in clauses if each.is_numbered]
    return numbered if 2 * len(numbered) >= len(clauses) else clauses


def compare_clauses(
    documents: Sequence[Document],
    sentences: Mapping[str, Sequence[Sentence]],
    terms: Sequence[TermComparison],
    encode: Encode,
    *,
    tells_alone: bool = True,
) -> tuple[TermComparison, ...]:
    """The headed clauses that ``terms`` do not quote, those of several documents first.

    Where one document alone has a clause, those of the others that come nearest are told with it,
    if that is to be told.
    """
    every = [clauses_of(sentences[each.id]) for each in documents]
    if not all(every):
        return ()
    free = [
        [at for at, clause in enumerate(own) if not _is_quoted(clause, terms, place)]
        for place, own in enumerate(every)
    ]
    alike = _similarities(every, encode)
    groups = _groups(alike, free)
    taken = {each for group in groups for each in group.items()}
    for place, own in enumerate(free if tells_alone else ()):
        lone = [
            at
            for at in own
            if (place, at) not in taken
            and not says_nothing(bare(every[place][at].heading))
            and _is_alone(place, at, alike)
        ]
        groups += [{place: at} for at in lone[:ALONE]]
    return tuple(_row(group, documents, every, alike) for group in groups[:MOST])


def _similarities(every: Sequence[Sequence[Clause]], encode: Encode) -> Similarities:
    """How alike the clauses of each two documents are, by heading and by wording; those that are
    each other's nearest count as alike from `NEAREST` on."""
    vectors = [
        (
            encode([bare(each.heading)[:READ_CHARS] for each in own]),
            encode([each.text[:READ_CHARS] for each in own]),
        )
        for own in every
    ]
    found: Similarities = {}
    for one, other in combinations(range(len(every)), 2):
        (heads, texts), (other_heads, other_texts) = vectors[one], vectors[other]
        alike = np.asarray(heads @ other_heads.T + texts @ other_texts.T, np.float64) / 2
        best = [alike.max(axis=axis, keepdims=True) for axis in (0, 1)]
        mutual = (alike == best[0]) & (alike == best[1]) & (alike >= NEAREST)
        found[one, other] = np.where(mutual, np.maximum(alike, ALIKE), alike)
        found[other, one] = found[one, other].T
    return found


def _groups(alike: Similarities, free: Sequence[Sequence[int]]) -> list[Group]:
    """The clauses that settle the same thing: each of the first document with those like it, then
    those of the others that are like each other."""
    groups: dict[tuple[int, int], Group] = {}
    for one, other in combinations(range(len(free)), 2):
        taken = {each for group in groups.values() for each in group.items()}
        rows = [at for at in free[one] if not one or (one, at) not in taken]
        columns = [at for at in free[other] if (other, at) not in taken]
        for row, column, _ in pairs(alike[one, other][np.ix_(rows, columns)], threshold=ALIKE):
            groups.setdefault((one, rows[row]), {one: rows[row]})[other] = columns[column]
    return [groups[key] for key in sorted(groups)]


def _is_alone(place: int, at: int, alike: Similarities) -> bool:
    """Whether no other document has anything like a clause."""
    others = [matrix for (one, _), matrix in alike.items() if one == place]
    return all(nearest(matrix, at)[1] < ALIKE for matrix in others)


def _is_quoted(clause: Clause, terms: Sequence[TermComparison], place: int) -> bool:
    quoted = {block.index for row in terms for block in row.sides[place].blocks}
    return not quoted.isdisjoint(b.index for each in clause.sentences for b in each.blocks)


def bare(heading: str) -> str:
    """A heading without its number."""
    return unnumbered(heading).strip(" .:)\t") or heading


def _row(
    group: Group,
    documents: Sequence[Document],
    every: Sequence[Sequence[Clause]],
    alike: Similarities,
) -> TermComparison:
    """The clauses of a group; of a document that has none, what is nearest to the first of them."""
    one, at = next(iter(group.items()))
    sides = []
    for place, (document, own) in enumerate(zip(documents, every, strict=True)):
        if place in group:
            sides.append(own[group[place]].side(document))
        else:
            near = own[nearest(alike[one, place], at)[0]]
            sides.append(near_in(said_by(document), near.sentences[0].blocks[0], near.text))
    return term(sentence_case(bare(every[one][at].heading)), sides)
