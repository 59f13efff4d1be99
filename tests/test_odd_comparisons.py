"""What is hard to compare: a sentence, and what can still be shown, wherever it is asked for."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docqa.cli.main import main
from docqa.errors import ComparisonError
from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.comparison import Comparison
from docqa.types.progress import Progress
from docqa.ui import state
from docqa.workspace import Workspace
from tests import pdfs
from tests.benchmarks.made import Prose
from tests.ui.conftest import components, ended, open_page, shown

RENT = "The monthly rent is $25,000, due on the first day of each month. " * 3
NOTICE = "Either party may end this lease by notice in writing of ninety days. " * 3
BREAD = "Knead the dough until it is smooth, cover it, and let it rise in a warm place. " * 3
SOUP = "Simmer the onions with thyme, strain the broth, and season it to taste with salt. " * 3
GERMAN = "Der Mieter zahlt die Miete von 25.000 Euro monatlich im Voraus an den Vermieter. " * 4
LEASE, LONG, BREAD_BOOK, SOUP_BOOK, SCAN, ABROAD = (
    f"{name}.pdf" for name in ("Lease", "Long", "Bread", "Soup", "Scan", "Mietvertrag")
)
pytestmark = pytest.mark.slow

# What is compared, and how the sentence begins that it comes with.
SAID = [
    (LONG, LEASE, "Long.pdf has 42 pages, Lease.pdf 2 pages:"),
    (BREAD_BOOK, SOUP_BOOK, "No passages of these documents cover the same subject;"),
    (LEASE, ABROAD, "Mietvertrag.pdf does not seem to be in English."),
    (LEASE, SCAN, "1 of 2 pages of Scan.pdf have no readable text"),
]
# The reader as ever, on a machine whose OCR does not run.
WITHOUT_OCR = """
import os
from docqa.ingest.reading import worker
read = worker._parsed
def without_ocr(path, password, request, tell):
    return os._exit(9) if request["ocr"] else read(path, password, request, tell)
worker._parsed = without_ocr
worker.main()
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of documents that have little in common; copied, never written to."""
    folder, words = tmp_path_factory.mktemp("odd"), Prose(7)
    files = [
        pdfs.text_pages(folder / LEASE, [RENT, NOTICE]),
        pdfs.text_pages(folder / LONG, [words.text(90) for _ in range(41)] + [RENT]),
        pdfs.text_pages(folder / BREAD_BOOK, [BREAD]),
        pdfs.text_pages(folder / SOUP_BOOK, [SOUP]),
        pdfs.text_pages(folder / ABROAD, [GERMAN]),
        pdfs.mixed(folder / SCAN, [RENT, NOTICE], scans={2}),
    ]
    with (
        ReadingProcess([sys.executable, "-c", WITHOUT_OCR]) as reader,
        Workspace(folder / "library", reader=reader) as workspace,
    ):
        workspace.add(files)
        workspace.additions.finish()
    return folder / "library"


@pytest.fixture
def workspace(odd: Path, tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    shutil.copytree(odd, tmp_path / "library")
    with Workspace(tmp_path / "library", reader=reader) as opened:
        yield opened


def ids(workspace: Workspace, *names: str) -> list[str]:
    known = {each.name: each.id for each in workspace.documents()}
    return [known[name] for name in names]


def compared(workspace: Workspace, *names: str, question: str = "") -> Comparison:
    *_, last = workspace.comparisons.make(ids(workspace, *names), question)
    assert isinstance(last, Comparison)
    return last


@pytest.mark.parametrize(("first", "second", "said"), SAID)
def test_it_is_said_and_what_there_is_is_shown(
    workspace: Workspace, first: str, second: str, said: str
) -> None:
    found = compared(workspace, first, second)
    assert [each for each in found.warnings if each.startswith(said)]
    assert found.text
    assert found.pairs or all(found.only_in[each.id] for each in found.documents)


def test_what_the_short_one_says_is_found_in_the_long_one(workspace: Workspace) -> None:
    found = compared(workspace, LONG, LEASE, question="monthly rent")
    assert found.pairs
    [row] = [row for row in found.figures if row.label == "Monthly rent"]
    assert [figure.text for figure in row.values] == ["$25,000", "$25,000"]


def test_a_document_is_not_compared_with_itself(workspace: Workspace) -> None:
    with pytest.raises(ComparisonError, match="Choose two different") as error:
        workspace.comparisons.make(ids(workspace, LEASE, LEASE), "")
    assert "can be searched and asked about" in str(error.value)


def test_the_same_words_in_two_files_are_said_to_be_the_same(
    workspace: Workspace, tmp_path: Path
) -> None:
    again = pdfs.text_pages(tmp_path / "Again.pdf", [f"{RENT}\n\n{NOTICE}"])
    workspace.add([again])
    found = compared(workspace, LEASE, "Again.pdf")
    assert {change.kind for change in found.changes} == {"unchanged"}
    assert found.text == "The two documents have the same text, paragraph for paragraph."


def test_what_a_much_longer_document_repeats_is_no_version_of_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    """As an annual report has most of a quarterly one's words, and a hundred pages besides."""
    workspace.add([pdfs.text_pages(tmp_path / "Rent.pdf", [RENT])])
    assert compared(workspace, LONG, "Rent.pdf").changes == ()


def test_a_document_still_being_read_is_compared_as_far_as_it_is(
    workspace: Workspace, tmp_path: Path
) -> None:
    told: list[Comparison] = []

    def during(progress: Progress) -> None:
        if progress.stage == "reading" and not told:
            told.append(compared(workspace, "Other lease.pdf", LEASE, question="monthly rent"))

    dearer = RENT.replace("25,000", "31,500")
    workspace.add([pdfs.text_pages(tmp_path / "Other lease.pdf", [dearer])], progress=during)
    assert told[0].warnings[0].startswith("Other lease.pdf is still being read. Its plain text")
    assert told[0].pairs
    assert "+$6.5K" in {row.difference for row in told[0].figures}
    assert not compared(workspace, "Other lease.pdf", LEASE).warnings


def test_a_scan_that_waits_for_ocr_is_compared_without_it(
    tmp_path: Path, reader: ReadingProcess
) -> None:
    scan = pdfs.mixed(tmp_path / "Scan.pdf", [RENT, NOTICE], scans={2})
    lease = pdfs.text_pages(tmp_path / LEASE, [RENT, NOTICE])
    with Workspace(tmp_path / "scanned", reader=reader) as opened:
        opened.add([lease, scan])
        found = compared(opened, "Scan.pdf", LEASE)
    assert found.warnings[0].startswith("1 of 2 pages of Scan.pdf are waiting for OCR and are not")
    assert found.pairs


def test_the_command_line_says_so_too(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> tuple[int, Any, str]:
        capsys.readouterr()
        code = main(["compare", *words, "--library", str(odd), "--json"])
        printed = capsys.readouterr()
        return code, json.loads(printed.out), printed.err

    code, told, _ = run(LEASE, LEASE)
    assert (code, told["kind"]) == (1, "ComparisonError")
    assert "Choose two different" in told["error"]
    for first, second, said in SAID:
        code, told, _ = run(first, second)
        assert code == 0
        assert [each for each in told["warnings"] if each.startswith(said)]


def test_the_page_says_so_too(odd: Path, tmp_path: Path) -> None:
    shutil.copytree(odd, tmp_path / "library")
    app = open_page("compare")
    by_name = {each.name: each.id for each in state.workspace().documents()}
    app.selectbox(key="document_A").set_value(by_name[LEASE])
    app.selectbox(key="document_B").set_value(by_name[LEASE])
    app.button(key="compare_now").click().run()
    assert "Choose two different" in shown(app)
    for first, second, said in SAID:
        app.selectbox(key="document_A").set_value(by_name[first])
        app.selectbox(key="document_B").set_value(by_name[second])
        app.button(key="compare_now").click().run()
        ended(app)
        [words] = components(app, "turn")
        assert [each for each in words["warnings"] if said in json.dumps(each, ensure_ascii=False)]
        assert len(components(app, "sides")) == 1
    state._running.clear()
