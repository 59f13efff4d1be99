"""An evidence pack, opened from the disk: it shows its pictures and asks for nothing."""

from pathlib import Path
from typing import TYPE_CHECKING

from docqa.cli.main import main
from tests import pdfs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = "() => [...document.images].map((each) => each.complete && each.naturalWidth)"


def test_a_pack_opens_without_a_request_and_without_docqa(
    browser: "Browser", tmp_path: Path, pictures: Path
) -> None:
    text = "The monthly rent is $25,000 <img src=http://198.51.100.7/a.png>, due on the first day."
    folder, out = tmp_path / "files", tmp_path / "pack.html"
    folder.mkdir()
    pdfs.text_pages(folder / "Lease North.pdf", [text * 2])
    library = ["--library", str(tmp_path / "library")]
    assert main(["add", str(folder), *library]) == 0
    question = "What is the monthly rent?"
    assert main(["ask", question, "--evidence", str(out), *library]) == 0
    asked: list[str] = []
    failed: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url[:60]))
    page.on("console", lambda message: failed.append(message.text))
    page.goto(out.as_uri())
    page.wait_for_load_state("load")
    sizes = page.evaluate(SIZES)
    page.screenshot(path=str(pictures / "evidence.png"), full_page=True)
    page.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert failed == []
    assert len(sizes) == 1
    assert min(sizes) > 800
