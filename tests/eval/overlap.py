"""How far the vectors a library keeps find what those of the whole network find.

    python -m tests.eval.overlap FOLDER... --libraries DIR

For each folder (see `tests.eval.sets`) the passages of its library under DIR (as
`tests.eval.retrieval --libraries` keeps it) are encoded in the two ways there are: as a library
keeps them (`Encoder.encode`) and by the whole network, as a question is (`Encoder.encode_now`).
Printed is how many of the 10 passages nearest to a question are the same, over all its set's
questions, in each scope in which they are asked; 95 % intervals of the mean in brackets.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from docqa.types.evaluation import GoldQuestion
from docqa.workspace import Workspace
from tests.eval.library import each_set
from tests.eval.sets import Set

DEPTH = 10
Vectors = NDArray[np.float32]


def overlaps(
    asked: Set, names: list[str], kept: Vectors, whole: Vectors, questions: dict[str, Vectors]
) -> Iterator[tuple[str, list[float]]]:
    """Each scope with each question's share; where there are no more passages, none is told."""
    every = np.array(names)
    for scope in asked.scopes:
        shares = []
        for each in asked.questions:
            within = np.isin(every, list(each.sources)) if scope == "document" else every != ""
            if within.sum() > DEPTH:
                near = (nearest(rows[within], questions[each.question]) for rows in (kept, whole))
                shares.append(len(set.intersection(*near)) / DEPTH)
        yield scope, shares


def nearest(rows: Vectors, question: Vectors) -> set[int]:
    """The rows nearest to the question; of equal ones the first."""
    return set(np.argsort(-(rows @ question), kind="stable")[:DEPTH].tolist())


def measure(asked: Set, workspace: Workspace) -> None:
    chunks = [
        (document.name, chunk.embedded_text)
        for document in workspace.documents()
        for chunk in workspace.resources.catalog.document_chunks(document.id)
    ]
    names, texts = [name for name, _ in chunks], [text for _, text in chunks]
    encoder = workspace.resources.encoder
    kept, whole = encoder.encode(texts), encoder.encode_now(texts)
    cosines = np.sum(kept * whole, axis=1)
    told = f"{asked.name}: {len(texts)} passages, cosine {cosines.min():.5f} at least"
    print(f"{told}, {cosines.mean():.5f} on average")
    for scope, shares in overlaps(asked, names, kept, whole, vectors(asked.questions, workspace)):
        wide = 1.96 * np.std(shares) / np.sqrt(len(shares))
        low, high = np.mean(shares) - wide, min(1.0, np.mean(shares) + wide)
        print(f"  {scope}: {np.mean(shares):.4f} [{low:.4f}, {high:.4f}] (n = {len(shares)})")


def vectors(questions: tuple[GoldQuestion, ...], workspace: Workspace) -> dict[str, Vectors]:
    texts = {each.question for each in questions}
    return {text: workspace.resources.encoder.encode_query(text) for text in texts}


def main() -> None:
    for _, asked, workspace in each_set("Measure the vectors that are kept.", kept=True):
        measure(asked, workspace)


if __name__ == "__main__":
    main()
