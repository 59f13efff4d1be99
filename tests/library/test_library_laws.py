"""Adding, replacing, removing and searching in any order, against a model in plain Python."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from numpy.typing import NDArray

from docqa.library.catalog import Catalog
from docqa.library.vectors import VectorIndex
from tests.library.nouns import document_id, save, unit_vectors

NAMES = ("a.pdf", "b.pdf", "c.pdf")
WORDS = ("rent", "lease", "tenant", "notice")

names = st.sampled_from(NAMES)
texts = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=5
)


class TheLibrary(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.texts: dict[str, list[str]] = {}
        self.vectors: dict[str, NDArray[np.float32]] = {}
        self.open()

    def open(self) -> None:
        path = Path(self.folder.name)
        self.catalog = Catalog(path)
        self.index = VectorIndex(path, encoder="tiny", dimensions=8)

    def close(self) -> None:
        self.catalog.close()
        self.index.close()

    def teardown(self) -> None:
        self.close()
        self.folder.cleanup()

    @rule(name=names, contents=texts, seed=st.integers(0, 1000))
    def add(self, name: str, contents: list[str], seed: int) -> None:
        chunks = save(self.catalog, name, contents, seed=seed)
        vectors = unit_vectors(len(contents), seed=seed)
        self.index.add(document_id(name), [chunk.id for chunk in chunks], vectors)
        self.texts[name], self.vectors[name] = contents, vectors  # replaced in its place

    @rule(name=names)
    def remove(self, name: str) -> None:
        self.catalog.remove(document_id(name))
        self.index.remove(document_id(name))
        self.texts.pop(name, None)
        self.vectors.pop(name, None)

    @rule()
    def restart(self) -> None:
        self.close()
        self.open()

    @rule(word=st.sampled_from(WORDS), within=st.sets(names))
    def search_words(self, word: str, within: set[str]) -> None:
        expected = {
            f"{document_id(name)}:{place}"
            for name, contents in self.texts.items()
            for place, text in enumerate(contents)
            if word in text.split() and (not within or name in within)
        }
        ids = [document_id(name) for name in within]
        found = self.catalog.keyword_search([word], limit=100, document_ids=ids)
        assert {chunk_id for chunk_id, _ in found} == expected
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)

    @rule(seed=st.integers(0, 1000), within=st.sets(names))
    def search_vectors(self, seed: int, within: set[str]) -> None:
        query = unit_vectors(1, seed=seed)[0]
        cosines = {
            f"{document_id(name)}:{place}": float(vector @ query)
            for name, vectors in self.vectors.items()
            for place, vector in enumerate(vectors)
            if not within or name in within
        }
        ids = [document_id(name) for name in within]
        found = dict(self.index.search(query, limit=100, document_ids=ids))
        assert found.keys() == cosines.keys()
        assert all(abs(found[chunk_id] - cosine) < 1e-5 for chunk_id, cosine in cosines.items())

    @invariant()
    def counts_agree(self) -> None:
        count = sum(map(len, self.texts.values()))
        assert self.catalog.chunk_count() == self.index.count() == count
        assert [each.name for each in self.catalog.documents()] == list(self.texts)


TestTheLibrary = pytest.mark.slow(TheLibrary.TestCase)
TestTheLibrary.settings = settings(max_examples=10, stateful_step_count=15, deadline=None)
