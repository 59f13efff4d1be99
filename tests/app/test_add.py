"""Files on their way into the library: searchable at once, whole later, nothing lost between."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from docqa.app import resources
from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.answer import Answer
from docqa.types.document import Box, Document
from docqa.types.progress import Progress
from docqa.types.search import SearchResult
from docqa.workspace import Workspace
from tests import pdfs

LEASE = "The monthly rent is $25,000, due on the first day of each month. " * 16
NOTICE = "Either party may end this lease by notice in writing of ninety days. " * 16

# A child that reads the text layer as ever, and does as told where it should read in full.
CHILD = """
import os, time
from docqa.ingest.reading import worker
def misbehave(*asked):
    {behaviour}
worker._parsed, worker._load = misbehave, lambda: None
worker.main()
"""

# One that reads the text layer too, and ends where it should load what reads in full.
NEVER_LOADED = """
import os
from docqa.ingest.reading import worker
worker._load = lambda: os._exit(3)
worker.main()
"""


def reading(behaviour: str) -> ReadingProcess:
    return ReadingProcess([sys.executable, "-c", CHILD.format(behaviour=behaviour)])


@pytest.fixture
def opened(tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    with Workspace(tmp_path / "library", reader=reader) as workspace:
        yield workspace


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    return pdfs.text_pages(tmp_path / "Lease.pdf", [LEASE, NOTICE])


def only(workspace: Workspace) -> Document:
    [document] = workspace.documents()
    return document


def overlap(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def until(happens: Callable[[], Any], *, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class During:
    """Does something once, while a file is being read in full, and keeps what came of it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self.found: list[Any] = []

    def __call__(self, told: Progress) -> None:
        if told.stage == "reading" and not self.found:
            self.found.append(self._work())


def test_text_is_found_before_the_file_is_read_in_full(opened: Workspace, lease: Path) -> None:
    during = During(lambda: (only(opened), opened.search("notice in writing")))
    [result] = opened.add([lease], progress=during)
    document, found = during.found[0]
    assert document.state == "text"
    assert result.document is not None
    assert result.document.state == "complete"
    assert isinstance(found, SearchResult)
    assert found.hits[0].chunk.page_start == 2
    assert found.hits[0].scores["dense"] > 0.3
    assert opened.resources.index.count() == opened.resources.catalog.chunk_count()


def test_a_citation_made_in_between_still_stands_where_it_stood(
    opened: Workspace, lease: Path
) -> None:
    def asked() -> Answer:
        *_, last = opened.ask("What notice ends the lease?", answerer="extractive")
        assert isinstance(last, Answer)
        return last

    during = During(asked)
    opened.add([lease], progress=during)
    document = only(opened)
    cited = during.found[0].citations[0]
    assert (cited.document_id, cited.page) == (document.id, 2)
    under = [
        block.text
        for block in opened.contents.blocks(document.id, cited.page)
        if any(overlap(block.box, old.box) for old in cited.blocks)
    ]
    assert " ".join(cited.quote.split()) in " ".join(" ".join(under).split())
    ids = {chunk.id for chunk in opened.resources.catalog.document_chunks(document.id)}
    assert not ids & {each.hit.chunk.id for each in during.found[0].evidence}


def test_scans_are_read_after_the_file_can_be_searched(
    tmp_path: Path, reader: ReadingProcess
) -> None:
    path = pdfs.mixed(tmp_path / "Lease.pdf", [LEASE, NOTICE], scans={2})
    with Workspace(tmp_path / "library", reader=reader) as opened:
        [result] = opened.add([path])
        assert result.document is not None
        assert (result.document.state, result.document.waiting_pages) == ("complete", 1)
        assert opened.search("monthly rent").hits[0].chunk.page_start == 1
    with Workspace(tmp_path / "library", reader=reader) as again:
        assert [page.waiting for page in again.contents.health(only(again).id)] == [False, True]
        told: list[Progress] = []
        again.additions.finish(progress=told.append)
        document = only(again)
        assert (document.waiting_pages, document.warnings) == (0, ())
        assert [page.source for page in again.contents.health(document.id)] == ["text layer", "OCR"]
        assert again.search("notice in writing").hits[0].chunk.page_start == 2
        assert "ninety days" in again.search("notice in writing").hits[0].chunk.text
        assert ("OCR", 0, 1) in {(each.stage, each.done, each.total) for each in told}
        assert again.resources.index.count() == again.resources.catalog.chunk_count()
        assert again.additions.under_way() == []


@pytest.mark.slow
def test_a_garbled_text_layer_is_read_by_ocr(opened: Workspace, tmp_path: Path) -> None:
    opened.add([pdfs.garbled(tmp_path / "Lease.pdf", LEASE)])
    assert opened.resources.catalog.keyword_search(["uhqw"], limit=5) == []
    opened.additions.finish()
    [page] = opened.contents.health(only(opened).id)
    assert page.source == "OCR"
    assert page.warnings == ("its text layer is garbled, so it was read by OCR",)
    assert "25,000" in opened.contents.blocks(only(opened).id)[0].text


def test_reading_broken_off_is_taken_up_by_the_next_process(
    tmp_path: Path, reader: ReadingProcess, lease: Path
) -> None:
    with (
        reading("time.sleep(600)") as hanging,
        Workspace(tmp_path / "library", reader=hanging) as opened,
    ):
        adding = threading.Thread(target=opened.add, args=([lease],))
        adding.start()
        until(opened.documents)
    adding.join()
    with Workspace(tmp_path / "library", reader=reader) as again:
        assert only(again).state == "text"
        assert again.search("monthly rent").hits
        again.additions.finish()
        assert only(again).state == "complete"
        assert only(again).engine == "geometry"


def test_what_cannot_be_read_in_full_keeps_its_plain_text(tmp_path: Path, lease: Path) -> None:
    with (
        reading("os._exit(9)") as crashing,
        Workspace(tmp_path / "library", reader=crashing) as opened,
    ):
        [result] = opened.add([lease])
        assert result.status == "added"
        assert result.document is not None
        assert result.document.engine == "text layer"
        assert "Pages 1 to 2 were read as plain text" in result.document.warnings[0]
        assert opened.search("monthly rent").hits[0].scores["dense"] > 0.3
        assert result.document.is_plain
        assert opened.maintenance.outdated() == 0


def test_a_file_is_read_again_where_the_reading_process_did_not_start(
    tmp_path: Path, lease: Path, reader: ReadingProcess
) -> None:
    with (
        ReadingProcess([sys.executable, "-c", NEVER_LOADED]) as absent,
        Workspace(tmp_path / "library", reader=absent) as opened,
    ):
        [result] = opened.add([lease])
        assert result.status == "added"
        assert result.document is not None
        assert result.document.is_plain
        assert "did not start" in result.document.warnings[0]
        assert all(page.warnings for page in opened.contents.health(result.document.id))
        assert opened.search("monthly rent").hits
    with Workspace(tmp_path / "library", reader=reader) as again:
        assert again.maintenance.outdated() == 1
        again.maintenance.reindex()
        assert only(again).engine == "geometry"
        assert not only(again).warnings
        assert again.maintenance.outdated() == 0


@pytest.mark.parametrize("lent", [False, True])
def test_a_library_ends_the_reading_process_it_began_and_no_other(
    tmp_path: Path, lease: Path, monkeypatch: pytest.MonkeyPatch, *, lent: bool
) -> None:
    with reading("os._exit(9)") as process:
        monkeypatch.setattr(resources, "ReadingProcess", lambda: process)
        given = process if lent else None
        with Workspace(tmp_path / "library", reader=given) as opened:
            opened.add([lease])
            child = process._light.child
            assert child is not None
            assert child.alive()
        assert child.alive() == lent


@pytest.mark.parametrize("stop", ["cancel", "remove"])
def test_reading_stops_within_two_seconds(tmp_path: Path, lease: Path, stop: str) -> None:
    cancelled = threading.Event()
    results: list[Any] = []
    with (
        reading("time.sleep(600)") as hanging,
        Workspace(tmp_path / "library", reader=hanging) as opened,
    ):
        adding = threading.Thread(
            target=lambda: results.extend(opened.add([lease], cancelled=cancelled.is_set))
        )
        adding.start()
        until(opened.documents)
        time.sleep(0.5)
        started = time.monotonic()
        if stop == "cancel":
            cancelled.set()
        else:
            opened.remove(only(opened).id)
        adding.join()
        assert time.monotonic() - started < 2.5
        assert results[0].status == "cancelled"
        assert opened.documents() == []
        assert opened.resources.catalog.unfinished() == []
    assert not list((tmp_path / "library").rglob("*.pdf"))


class Slow:
    """The library's encoder, which waits before it embeds passages."""

    def __init__(self, encoder: Any, until_then: threading.Event) -> None:
        self._encoder = encoder
        self._until_then = until_then

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    def encode(self, texts: Sequence[str], **named: Any) -> Any:
        assert self._until_then.wait(60)
        return self._encoder.encode(texts, **named)


def test_a_file_is_read_while_the_one_before_is_embedded(
    opened: Workspace, tmp_path: Path, lease: Path
) -> None:
    other = pdfs.text_pages(tmp_path / "Other.pdf", [NOTICE])
    second_read = threading.Event()
    opened.resources._encoder = Slow(opened.resources.encoder, second_read)

    def follow(told: Progress) -> None:
        if told.file == other.name and told.stage == "reading" and told.done:
            second_read.set()

    results = opened.add([lease, other], progress=follow)
    assert [each.status for each in results] == ["added", "added"]


def test_the_same_file_twice_in_one_go_is_kept_once(opened: Workspace, lease: Path) -> None:
    results = opened.add([lease, lease])
    assert [each.status for each in results] == ["added", "already there"]
    assert only(opened).state == "complete"


def test_a_passage_left_out_can_be_restored(tmp_path: Path, reader: ReadingProcess) -> None:
    path = pdfs.text_pages(tmp_path / "Odd.pdf", ["§§ ¶¶ $$ " * 150, LEASE])
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add([path])
        document = only(opened)
        left_out = opened.contents.discards(document.id)
        assert left_out
        opened.additions.restore(document.id, 0)
        assert opened.contents.discards(document.id) == left_out[1:]
        assert only(opened).chunk_count == document.chunk_count + 1
        assert opened.resources.index.count() == opened.resources.catalog.chunk_count()
        opened.maintenance.reindex()
        assert opened.contents.discards(document.id) == left_out[1:]
        with pytest.raises(IndexError):
            opened.additions.restore(document.id, len(left_out))
