"""What an earlier version of the parser has read is read again, and goes on where it broke off."""

from dataclasses import replace
from pathlib import Path

import pytest

from docqa.ingest.prepare import with_scans
from docqa.ingest.reading.parse import ENGINE, LEFT_NOTHING, SEEING, VERSION, Parsed
from docqa.ingest.reading.reader import ReadingProcess
from docqa.models.load import LAYOUT
from docqa.present import as_json
from docqa.types.document import Block, PageHealth
from docqa.types.progress import Progress
from docqa.workspace import Workspace
from tests import pdfs
from tests.layouts import REPOSITORY, Seen, layout_models
from tests.library.nouns import HERE
from tests.library.small import SmallWorkspace, made_pdf

OLD = "What an earlier parser made of this page, which was not much of it."


class StoppedError(Exception):
    """Stands for the end of the process."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A closed library of three documents, as an earlier parser would have left it."""
    paths = [made_pdf(tmp_path / f"{seed}.pdf", seed=seed, passages=5) for seed in (1, 2, 3)]
    with SmallWorkspace(tmp_path / "library") as opened:
        opened.add(paths)
        for document in opened.documents():
            blocks, health = [Block(OLD, 1, HERE)], opened.contents.health(document.id)
            older = replace(document, parser=VERSION - 1)
            opened.resources.catalog.save_page(older, health[0], blocks)
    return tmp_path / "library"


def test_reading_again_is_offered_and_goes_on_where_it_broke_off(folder: Path) -> None:
    def stop_at_second(told: Progress) -> None:
        if told.file == "2.pdf":
            raise StoppedError

    with SmallWorkspace(folder) as opened:
        assert opened.maintenance.outdated() == 3
        [found] = [each for each in opened.maintenance.examine() if each.name == "passages"]
        assert not found.fine
        assert found.detail.startswith("3 documents were read by an earlier docqa")
        with pytest.raises(StoppedError):
            opened.maintenance.reindex(progress=stop_at_second)
        assert opened.maintenance.outdated() == 3  # as it was, until all of it is done
    told: list[Progress] = []
    with SmallWorkspace(folder) as opened:
        first, _, last = opened.documents()
        opened.rename(first.id, "Renamed.pdf")
        opened.maintenance.reindex(progress=told.append)
        assert {each.file for each in told} == {"2.pdf", "3.pdf"}
        assert "reading" in {each.stage for each in told}
        assert opened.maintenance.outdated() == 0
        assert [each.name for each in opened.documents()] == ["Renamed.pdf", "2.pdf", "3.pdf"]
        assert [len(opened.contents.blocks(each.id)) for each in opened.documents()] == [5, 5, 5]
        assert opened.search("clause w3x4").hits[0].document.id == last.id


def test_reading_again_is_offered_when_a_layout_network_has_come(
    tmp_path: Path, reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The rent is $25,000 a month, due on the first day of each month, in all years. "
    path = pdfs.text_pages(tmp_path / "Lease.pdf", [text * 3])
    models = layout_models(tmp_path / "models", [Seen("list_item", (0, 0, 1, 1))])
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add([path])
        assert [each.engine for each in opened.documents()] == [ENGINE]
        assert opened.maintenance.outdated() == 0
        monkeypatch.setenv("DOCQA_LAYOUT_MODELS", str(models))
        assert opened.maintenance.outdated() == 1
        assert "passages" in {each.name for each in opened.maintenance.examine() if not each.fine}
        opened.maintenance.reindex()
        (document,) = opened.documents()
        assert as_json.document(document)["engine"] == document.engine == SEEING
        assert {block.kind for block in opened.contents.blocks(document.id)} == {"list"}
        monkeypatch.setenv("DOCQA_LAYOUT_MODELS", "off")  # what was read stays as good as it is
        assert opened.maintenance.outdated() == 0


def test_a_document_that_reading_again_leaves_without_text_keeps_what_it_has(
    tmp_path: Path, reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "The rent is $25,000 a month, due on the first day of each month."
    path = pdfs.text_pages(tmp_path / "Lease.pdf", [text])
    models = layout_models(tmp_path / "models", [Seen("section_header", (0, 0, 1, 1))])
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add([path])
        monkeypatch.setenv("DOCQA_LAYOUT_MODELS", str(models))
        opened.maintenance.reindex()
        assert opened.search("monthly rent").hits[0].chunk.text == text
        assert [each.engine for each in opened.documents()] == [LEFT_NOTHING]
        assert opened.maintenance.outdated() == 0  # it would be so again


def test_a_damaged_layout_network_has_a_sentence_and_geometry_reads(
    tmp_path: Path, reader: ReadingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = layout_models(tmp_path / "models", [Seen("section_header", (0, 0, 1, 1))])
    (models / REPOSITORY / "model.onnx").write_bytes(b"\x08\x0a")
    monkeypatch.setenv("DOCQA_LAYOUT_MODELS", str(models))
    path = pdfs.text_pages(tmp_path / "Lease.pdf", ["The rent is $25,000 a month in all years."])
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add([path])
        assert [(each.engine, each.warnings) for each in opened.documents()] == [(ENGINE, ())]
        [found] = [each for each in opened.maintenance.examine() if each.name == f"model {LAYOUT}"]
        assert (found.fine, "model.onnx is damaged" in found.detail) == (False, True)
        assert opened.maintenance.outdated() == 0


def test_a_document_without_its_pdf_keeps_what_was_read_of_it(folder: Path) -> None:
    with SmallWorkspace(folder) as opened:
        lost = opened.documents()[1]
        opened.resources.files.remove(lost.id)
        opened.maintenance.reindex()
        assert opened.maintenance.outdated() == 1
        assert [block.text for block in opened.contents.blocks(lost.id)] == [OLD]


def test_pages_read_by_ocr_stay_when_the_others_are_read_again() -> None:
    def health(page: int, source: str, *, waiting: bool = False) -> PageHealth:
        return PageHealth(page, "", 612, 792, 9, source, waiting=waiting)  # type: ignore[arg-type]

    old = [Block("one", 1, HERE), Block("scan", 2, HERE, table=1), Block("three", 3, HERE)]
    new = (Block("One", 1, HERE, table=1), Block("", 2, HERE), Block("Three", 3, HERE, table=2))
    found = (health(1, "text layer"), health(2, "none", waiting=True), health(3, "text layer"))
    parsed = Parsed("", new, found, "geometry", ())
    before = [health(1, "text layer"), health(2, "OCR"), health(3, "text layer")]
    blocks, now = with_scans(parsed, old, before)
    assert [(each.text, each.index, each.table) for each in blocks] == [
        ("One", 0, 1),
        ("scan", 1, 3),
        ("Three", 2, 2),
    ]
    assert [page.source for page in now] == ["text layer", "OCR", "text layer"]
    assert not any(page.waiting for page in now)
