"""What the line that situates a passage in its document is worth, and each of its parts.

    python -m tests.eval.context FOLDER... --libraries DIR

For each folder (see `tests.eval.sets`; what is not answered is left out) the passages of its
library under DIR (as `tests.eval.retrieval --libraries` keeps it) are indexed again, in a folder
that is thrown away, without the line, without its document part, and without its section part.
The questions are then asked with the line left out of the keyword index, of the vectors, or of
both; the reranker reads headings of its own. What is printed is what `tests.eval.stages` prints.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docqa.ingest.chunks.contextualize import describe
from docqa.library.catalog import Catalog
from docqa.models.load import Encoder
from docqa.types.document import Chunk
from docqa.types.evaluation import Judged
from docqa.workspace import Workspace
from tests.eval.library import each_set
from tests.eval.sets import Set
from tests.eval.stages import Without, answered_by, asker_of, told

Cut = Callable[[Chunk, str], str]  # the line left of a passage, of its document part

NOTHING: Cut = lambda chunk, document: ""  # noqa: E731
SECTION: Cut = lambda chunk, document: chunk.context.removeprefix(document).removeprefix(" · ")  # noqa: E731
DOCUMENT: Cut = lambda chunk, document: document  # noqa: E731


class Mixed(Catalog):
    """A catalog with the keyword index of one and the vectors of another."""

    def __init__(self, folder: Path, words: Catalog, numbers: Catalog) -> None:
        super().__init__(folder)
        self._words, self._numbers = words, numbers

    def keyword_search(
        self, words: Sequence[str], *, limit: int, document_ids: Sequence[str] = ()
    ) -> list[tuple[str, float]]:
        return self._words.keyword_search(words, limit=limit, document_ids=document_ids)

    def document_vectors(
        self, document_ids: Sequence[str]
    ) -> tuple[list[str], NDArray[np.float32]]:
        return self._numbers.document_vectors(document_ids)

    def vectors(self, ids: Sequence[str]) -> NDArray[np.float32]:
        return self._numbers.vectors(ids)

    def vectors_by_id(self, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        return self._numbers.vectors_by_id(ids)


def cut_anew(catalog: Catalog, encoder: Encoder, folder: Path, cut: Cut) -> Catalog:
    """The same passages with what ``cut`` leaves of their lines."""
    made = Catalog(folder)
    for document in catalog.documents():
        part = describe(document.name, document.title, catalog.blocks(document.id))
        chunks = [
            replace(chunk, context=cut(chunk, part))
            for chunk in catalog.document_chunks(document.id)
        ]
        vectors = encoder.encode([chunk.embedded_text for chunk in chunks])
        made.save(document, blocks=(), chunks=chunks, vectors=vectors, health=(), discards=())
    return made


@contextmanager
def cut_in_all_ways(catalog: Catalog, encoder: Encoder) -> Iterator[dict[str, Catalog]]:
    """The catalog, and those without the line, its document part and its section part."""
    with tempfile.TemporaryDirectory(prefix="docqa-eval-") as folder, ExitStack() as opened:
        made = {"": catalog}
        for name, cut in (("line", NOTHING), ("document", SECTION), ("section", DOCUMENT)):
            (own := Path(folder) / name).mkdir()
            made[name] = opened.enter_context(closing(cut_anew(catalog, encoder, own, cut)))
        yield made


# What is told, and which of the catalogs the words and the vectors are of.
WAYS = {
    "as it is": ("", ""),
    "no line in the keyword index": ("line", ""),
    "no line in the vectors": ("", "line"),
    "no line": ("line", "line"),
    "no document part": ("document", "document"),
    "no section part": ("section", "section"),
}


def measure(asked: Set, workspace: Workspace) -> None:
    asker = asker_of(workspace)
    questions = answered_by(asked, workspace.resources.catalog)
    with cut_in_all_ways(workspace.resources.catalog, workspace.resources.encoder) as made:
        for scope in asked.scopes:
            print(f"\n{asked.name}, {scope}", flush=True)
            full: list[Judged] = []
            for title, (words, numbers) in WAYS.items():
                with closing(Mixed(workspace.folder, made[words], made[numbers])) as mixed:
                    own = replace(asker, catalog=mixed, index=None)
                    judged = [own.judged(each, scope, Without()) for each in questions]
                full = full or judged
                print(told(title, scope, judged, full), flush=True)


def main() -> None:
    for _, asked, workspace in each_set("Measure what the context line is worth.", kept=True):
        measure(asked, workspace)


if __name__ == "__main__":
    main()
