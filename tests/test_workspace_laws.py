"""Adding, removing, undoing, renaming, indexing again, searching in any order, against a model."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from docqa.app.diagnosis import index_agrees, is_chunked_differently
from docqa.app.remove import Withdrawn
from docqa.library.backup import restore_backup, write_backup
from docqa.library.filenames import unique_name
from docqa.settings import DEFAULTS, Settings, adjust
from tests.library.small import SmallWorkspace, made_pdf, word_of

SEEDS = (1, 2, 3)
PASSAGES = 4
PLAIN = adjust(DEFAULTS, use_reranker=False)
CUTS: tuple[Settings, ...] = (PLAIN, adjust(PLAIN, chunk_chars=250, overlap_chars=0))
NAMES = ("Lease.pdf", "Memo.pdf", "1.pdf")

seeds = st.sampled_from(SEEDS)


class TheWorkspace(RuleBasedStateMachine):
    """``names`` and ``tags`` are the model: the documents there are, by seed, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        self.names: dict[int, str] = {}
        self.tags: dict[int, tuple[str, ...]] = {}
        self.taken_out: dict[int, Withdrawn] = {}
        self.ids: dict[int, str] = {}
        self.open(PLAIN)

    def open(self, chosen: Settings) -> None:
        self.workspace = SmallWorkspace(self.folder / "library", chosen)

    def teardown(self) -> None:
        self.workspace.close()
        self.scratch.cleanup()

    @rule(seed=seeds)
    def add(self, seed: int) -> None:
        path = made_pdf(self.folder / f"{seed}.pdf", seed=seed, passages=PASSAGES)
        [result] = self.workspace.add([path])
        assert result.document is not None
        assert result.status == ("already there" if seed in self.names else "added")
        self.ids[seed] = result.document.id
        if seed not in self.names:
            self.names[seed] = unique_name(path.name, set(self.names.values()))
            self.tags[seed] = ()

    @precondition(lambda self: self.names)
    @rule(data=st.data(), undoable=st.booleans(), quoted=st.booleans())
    def remove(self, data: st.DataObject, *, undoable: bool, quoted: bool) -> None:
        seed = data.draw(st.sampled_from(sorted(self.names)))
        if undoable:
            self.taken_out[seed] = self.workspace.removals.withdraw(self.ids[seed])
        else:
            self.workspace.remove(self.ids[seed], with_quotes=quoted)
        del self.names[seed], self.tags[seed]

    @precondition(lambda self: self.taken_out)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        seed = data.draw(st.sampled_from(sorted(self.taken_out)))
        withdrawn = self.taken_out.pop(seed)
        self.workspace.removals.put_back(withdrawn)
        if seed not in self.names:
            document = withdrawn.document
            self.names[seed], self.tags[seed] = document.name, document.tags

    @precondition(lambda self: self.names)
    @rule(data=st.data(), name=st.sampled_from(NAMES), tags=st.sets(st.sampled_from("ab")))
    def rename(self, data: st.DataObject, name: str, tags: set[str]) -> None:
        seed = data.draw(st.sampled_from(sorted(self.names)))
        self.workspace.rename(self.ids[seed], name, tags=sorted(tags))
        others = {each for other, each in self.names.items() if other != seed}
        self.names[seed] = unique_name(name, others)
        self.tags[seed] = tuple(sorted(tags))

    @precondition(lambda self: self.names)
    @rule()
    def index_again(self) -> None:
        self.workspace.maintenance.reindex()
        assert not is_chunked_differently(self.workspace.resources)

    @rule(cut=st.sampled_from(CUTS))
    def restart(self, cut: Settings) -> None:
        self.workspace.close()
        self.open(cut)

    @precondition(lambda self: self.names)
    @rule()
    def move_by_backup(self) -> None:
        write_backup(self.folder / "library", self.folder / "b.zip")
        self.workspace.close()
        shutil.rmtree(self.folder / "library")
        restore_backup(self.folder / "b.zip", self.folder / "library")
        (self.folder / "b.zip").unlink()
        self.open(PLAIN)

    @precondition(lambda self: self.names)
    @rule(seed=seeds, place=st.integers(0, PASSAGES - 1))
    def search(self, seed: int, place: int) -> None:
        word = word_of(seed, place)
        hits = self.workspace.search(f"clause {word}").hits
        if seed in self.names:
            # Small passages: the one after a document's first has its first sentence before it.
            assert any(word in hit.chunk.text for hit in hits[:2])
            assert hits[0].document.name == self.names[seed]
        else:
            assert not [hit for hit in hits if word in hit.chunk.text]

    @invariant()
    def documents_are_those_of_the_model(self) -> None:
        found = self.workspace.documents()
        expected = {self.ids[seed]: (name, self.tags[seed]) for seed, name in self.names.items()}
        assert {each.id: (each.name, each.tags) for each in found} == expected
        assert len(found) == len(expected)
        assert self.workspace.resources.files.ids() == sorted(expected)

    @rule()
    def stores_agree_once_all_is_cleared_away(self) -> None:
        self.workspace.removals._clearing.submit(lambda: None).result()
        assert index_agrees(self.workspace.resources)
        assert self.workspace.resources.catalog.unfinished() == []
        assert self.workspace.resources.catalog.is_sound()


TestTheWorkspace = pytest.mark.slow(TheWorkspace.TestCase)
TestTheWorkspace.settings = settings(
    max_examples=5,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,  # the same in every run, so that its time is known
    suppress_health_check=list(HealthCheck),
)
