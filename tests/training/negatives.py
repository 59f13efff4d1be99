"""What a question is told apart from: passages that search would have found just as well."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from docqa.language.keywords import keywords
from docqa.library.catalog import Catalog
from docqa.models.load import Encoder
from docqa.types.document import Chunk, Document
from tests.training.questions import Made, questions

LOOKED_AT = 16  # from each of the two lists
WRONG = 10  # of the best that do not answer


@dataclass(frozen=True, slots=True)
class Example:
    """A question with passages as the network reads them."""

    question: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]  # the hardest first


def examples(
    catalog: Catalog, encoder: Encoder, documents: Iterable[Document], *, random: Random
) -> list[Example]:
    """Everything to learn from documents of a library, mixed."""
    made: list[Example] = []
    for document in documents:
        chunks = catalog.document_chunks(document.id)
        vectors = catalog.vectors([chunk.id for chunk in chunks])
        asked = questions(document, chunks, random)
        meant = encoder.encode([each.text for each in asked]) if asked else ()
        for question, vector in zip(asked, meant, strict=True):
            words = catalog.keyword_search(
                keywords(question.text), limit=LOOKED_AT, document_ids=(document.id,)
            )
            by_words = [int(chunk_id.rsplit(":", 1)[1]) for chunk_id, _ in words]
            made.append(_example(question, chunks, _nearest(vectors @ vector), by_words))
    random.shuffle(made)
    return [each for each in made if each.wrong]


def _nearest(likeness: NDArray[np.float32]) -> list[int]:
    return [int(place) for place in np.argsort(-likeness)[:LOOKED_AT]]


def _example(
    question: Made, chunks: Sequence[Chunk], by_meaning: Sequence[int], by_words: Sequence[int]
) -> Example:
    """The best of both lists, fused by rank, without those that do answer or may."""
    fused: dict[int, float] = defaultdict(float)
    place_of = {chunk.index: place for place, chunk in enumerate(chunks)}
    for ranked in ([chunks[place].index for place in by_meaning], by_words):
        for rank, index in enumerate(ranked):
            fused[index] += 1 / (10 + rank)
    barred = {*question.answers, *question.unsure}
    best = sorted(fused, key=lambda index: -fused[index])
    wrong = [index for index in best if index not in barred][:WRONG]
    read = [
        tuple(passage(chunks[place_of[index]], hidden=question.hidden) for index in indexes)
        for indexes in (question.answers, wrong)
    ]
    return Example(question.text, *read)


def passage(chunk: Chunk, *, hidden: str = "") -> str:
    """What the network reads of a chunk, without the words that the question was made from."""
    above = tuple(heading for heading in chunk.headings if heading != hidden)
    read = replace(chunk, headings=above).judged_text
    return read.replace(hidden, "", 1).lstrip() if hidden else read
