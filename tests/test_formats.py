"""Files without pages on the whole path: added, found, cited, compared, backed up, removed."""

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from docqa.app.diagnosis import lost_files
from docqa.cli.main import main
from docqa.ingest.reading.reader import ReadingProcess
from docqa.library.backup import restore_backup, write_backup
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.document import Document
from docqa.types.progress import AddResult
from docqa.workspace import Workspace
from tests import pdfs
from tests.ingest.office.test_workbook import rent_roll

CLAUSES = (
    ("1. Rent", "The Tenant pays a rent of $25,000 on the first day of each month."),
    ("2. Term", "The term is five years and begins on the first day of April 2024."),
    ("3. Deposit", "The Tenant deposits $75,000 with the Landlord before the term begins."),
    ("4. Notice", "Either party may end this lease on ninety days' written notice."),
    ("5. Law", "This lease is governed by the laws of the State of New York."),
)
EXTERNAL = """<!DOCTYPE html [<!ENTITY secret SYSTEM "file://{secret}">]>
<html><head><link rel="stylesheet" href="{address}/a.css"><script src="{address}/a.js"></script>
<base href="{address}/"></head><body><h1>Terms</h1><p>Notice is <b>ninety days</b>. &secret;</p>
<img src="{address}/a.png"><img src="file://{secret}"><iframe src="{address}/"></iframe>
<script>document.write("a script was run")</script></body></html>"""


def lease(path: Path, clauses: tuple[tuple[str, str], ...] = CLAUSES) -> Path:
    made = docx.Document()
    for heading, text in clauses:
        made.add_heading(heading, 1)
        made.add_paragraph(text)
    made.save(str(path))
    return path


@pytest.fixture
def opened(tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    with Workspace(tmp_path / "library", reader=reader) as workspace:
        yield workspace


def kept(result: AddResult) -> Document:
    assert result.error == ""
    assert result.document is not None
    return result.document


def in_archive(path: Path, name: str, change: tuple[str, str]) -> Path:
    """The same Office file with a word of one of its parts changed."""
    with zipfile.ZipFile(path) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    old, new = (each.encode() for each in change)
    assert old in parts[name]
    parts[name] = parts[name].replace(old, new, 1)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, content in parts.items():
            archive.writestr(each, content)
    return path


def test_from_the_file_to_the_citation_the_backup_and_away(
    opened: Workspace, tmp_path: Path
) -> None:
    paths = [lease(tmp_path / "Lease.docx"), rent_roll(tmp_path / "Rents.xlsx")]
    agreement, rents = (kept(each) for each in opened.add(paths))
    assert (agreement.kind, agreement.page_count) == ("docx", 5)
    assert any("hidden" in each for each in rents.warnings)
    *_, answer = opened.ask("What is the cap rate?", document_ids=[rents.id])
    assert isinstance(answer, Answer)
    cited = answer.citations[0]
    assert cited.where == "sheet “Assumptions” (hidden), row 1"
    assert (cited.verified, "5.75%" in cited.quote) == ("verified", True)
    write_backup(opened.folder, tmp_path / "kept.zip")
    restore_backup(tmp_path / "kept.zip", tmp_path / "other")
    assert sorted(path.suffix for path in (tmp_path / "other" / "files").iterdir()) == [
        ".docx",
        ".xlsx",
    ]
    assert lost_files(opened.resources) == []
    opened.remove(rents.id)
    assert [path.suffix for path in (opened.folder / "files").iterdir()] == [".docx"]
    assert opened.contents.blocks(rents.id) == []


def test_a_word_file_is_compared_with_a_pdf_of_an_earlier_wording(
    opened: Workspace, tmp_path: Path
) -> None:
    earlier = pdfs.text_pages(
        tmp_path / "Lease v1.pdf",
        ["\n\n".join(f"{heading}\n\n{text}" for heading, text in CLAUSES)],
    )
    clauses = tuple((heading, text.replace("$25,000", "$27,500")) for heading, text in CLAUSES)
    later = lease(tmp_path / "Lease v2.docx", clauses)
    first, second = (kept(each).id for each in opened.add([earlier, later]))
    *_, compared = opened.comparisons.make([first, second], "")
    assert isinstance(compared, Comparison)
    changed = [each for each in compared.changes if each.kind == "changed" and not each.minor]
    assert [each.figures_changed for each in changed] == [True]
    [edit] = [each.text for each in changed[0].edits if each.kind == "new"]
    assert "27,500" in edit
    assert changed[0].second_blocks[0].where == "section “1. Rent”"


def test_what_cannot_be_read_ends_in_a_sentence_and_the_others_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    (tmp_path / "in").mkdir()
    bad = {
        "empty.pptx": (b"", "empty"),
        "damaged.docx": (b"PK\x03\x04 broken off", "damaged"),
        "locked.xlsx": (ole + "EncryptedPackage".encode("utf-16-le"), "password"),
        "old.docx": (ole + b"WordDocument", "save it as"),
        "old.doc": (ole + b"WordDocument", "save it as"),
        "picture.txt": (b"\x89PNG\0\0", "not text"),
    }
    for name, (content, _) in bad.items():
        (tmp_path / "in" / name).write_bytes(content)
    (tmp_path / "in" / "good.md").write_text("# Rent\n\nThe rent is $500 a month.\n")
    paths = [str(path) for path in sorted((tmp_path / "in").iterdir())]
    assert main(["add", "--json", "--library", str(tmp_path / "library"), *paths]) == 1
    told = json.loads(capsys.readouterr().out)
    results = {each["file"]: each for each in told["results"]}
    assert results["good.md"]["status"] == "added"
    for name, (_, word) in bad.items():
        assert results[name]["status"] == "failed"
        assert word in results[name]["error"], results[name]["error"]
        assert name in results[name]["error"]


def test_nothing_outside_a_file_is_asked_for_and_nothing_in_it_is_run(
    opened: Workspace, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("zanzibarquux")
    page = tmp_path / "Page.html"
    page.write_text(EXTERNAL.format(secret=secret, address="http://127.0.0.1:9"))
    entity = f'<!DOCTYPE d [<!ENTITY secret SYSTEM "file://{secret}">]><w:document '
    word = in_archive(
        lease(tmp_path / "Entity.docx"), "word/document.xml", ("<w:document ", entity)
    )
    in_archive(word, "word/document.xml", ("ninety days", "ninety &secret; days"))
    book = in_archive(
        rent_roll(tmp_path / "Entity.xlsx"),
        "xl/workbook.xml",
        ("<workbook ", entity.replace("w:document", "workbook")),
    )
    for result in opened.add([page, word, book]):
        if result.document is None:
            assert "could not be read" in result.error
            continue
        said = " ".join(block.text for block in opened.contents.blocks(result.document.id))
        assert "zanzibarquux" not in said
        assert "a script was run" not in said
    assert "ninety days" in " ".join(
        block.text for each in opened.documents() for block in opened.contents.blocks(each.id)
    )


def test_entities_that_grow_without_end_cost_one_document_a_sentence(
    opened: Workspace, tmp_path: Path
) -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    laughs = f'<!DOCTYPE d [<!ENTITY e0 "ha">{levels}]><w:document '
    path = in_archive(
        lease(tmp_path / "Laughs.docx"), "word/document.xml", ("<w:document ", laughs)
    )
    in_archive(path, "word/document.xml", ("ninety days", "&e11;"))
    [result] = opened.add([path])
    if result.document is not None:
        said = sum(len(block.text) for block in opened.contents.blocks(result.document.id))
        assert said < 10_000
    else:
        assert "could not be read" in result.error


if sys.platform == "win32":  # pragma: no cover
    pytestmark = pytest.mark.skip(reason="file addresses are written otherwise there")
