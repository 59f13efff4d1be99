"""Docling's layout network reading along, with networks that see what the test tells them to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from docqa.ingest.reading import parse
from docqa.ingest.reading.parse import Parsed
from docqa.settings import DEFAULTS, adjust
from tests import pdfs
from tests.layouts import LABELS, REPOSITORY, Seen, layout_models

LINES = ["Rents and yields", "Net operating income rose in every district of the harbour."]


def two_lines(path: Path) -> Path:
    """Two lines in one type, which geometry takes for a paragraph."""
    lines = [pdfs.Line(text, 72, 72 + 14 * at) for at, text in enumerate(LINES)]
    return pdfs.pages(path, [lines])


def read(path: Path, models: Path | None) -> Parsed:
    folder = str(models / REPOSITORY) if models else ""
    settings = adjust(DEFAULTS, layout_model=folder)
    return parse.read(path, settings=settings, progress=lambda done, total: None)


def kinds(parsed: Parsed) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in parsed.blocks]


@pytest.fixture
def heading(tmp_path: Path) -> Path:
    """A network that takes the first line of `two_lines` for a heading, the rest for text."""
    seen = [
        Seen("section_header", (0.05, 0.08, 0.9, 0.105)),
        Seen("text", (0.05, 0.108, 0.95, 0.2)),
    ]
    return layout_models(tmp_path / "models", seen)


def test_geometry_reads_alone_without_a_network(tmp_path: Path) -> None:
    parsed = read(two_lines(tmp_path / "a.pdf"), None)
    assert parsed.engine == parse.ENGINE == "geometry"
    assert kinds(parsed) == [("text", " ".join(LINES))]


def test_what_the_network_sees_becomes_the_blocks(tmp_path: Path, heading: Path) -> None:
    parsed = read(two_lines(tmp_path / "a.pdf"), heading)
    assert kinds(parsed) == [("heading", LINES[0]), ("text", LINES[1])]
    assert (parsed.engine, parsed.warnings) == (parse.SEEING, ())


def test_a_network_may_take_shares_instead_of_bytes(tmp_path: Path) -> None:
    seen = [Seen("title", (0.05, 0.08, 0.9, 0.105))]
    models = layout_models(tmp_path / "models", seen, of_bytes=False)
    parsed = read(two_lines(tmp_path / "a.pdf"), models)
    assert kinds(parsed) == [("heading", LINES[0]), ("text", LINES[1])]


def test_a_table_that_the_network_sees_has_cells(tmp_path: Path) -> None:
    rows = [("Landlord", "Harbour Estates"), ("Tenant", "Northwind")]
    lines = [
        pdfs.Line(text, left, 100 + 20 * at)
        for at, row in enumerate(rows)
        for text, left in zip(row, (72, 300), strict=True)
    ]
    path = pdfs.pages(tmp_path / "a.pdf", [lines])
    models = layout_models(tmp_path / "models", [Seen("table", (0.05, 0.1, 0.95, 0.2))])
    assert all(block.kind == "text" for block in read(path, None).blocks)
    table = read(path, models).blocks
    assert [tuple(cell.text for cell in row.cells) for row in table] == rows


def test_docling_settles_overlaps_and_drops_what_is_unsure(tmp_path: Path) -> None:
    seen = [
        Seen("text", (0.05, 0.08, 0.9, 0.105), 0.6),
        Seen("section_header", (0.05, 0.08, 0.9, 0.105), 0.95),
        Seen("table", (0.0, 0.0, 1.0, 1.0), 0.4),
        Seen("text", (0.5, 0.5, 0.5, 0.5)),
    ]
    parsed = read(two_lines(tmp_path / "a.pdf"), layout_models(tmp_path / "models", seen))
    assert kinds(parsed) == [("heading", LINES[0]), ("text", LINES[1])]


def test_a_page_that_the_network_fails_on_is_read_by_geometry(tmp_path: Path) -> None:
    seen = [Seen("section_header", (0, 0, 1, 1))]
    models = layout_models(tmp_path / "models", seen, blank_alone=True)
    parsed = read(two_lines(tmp_path / "a.pdf"), models)
    assert kinds(parsed) == [("text", " ".join(LINES))]
    told = "the layout network failed on it, so geometry alone read it"
    assert parsed.health[0].warnings == (told,)


def cut(home: Path) -> None:
    path = home / "model.onnx"
    path.write_bytes(path.read_bytes()[:-200])


def without_config(home: Path) -> None:
    (home / "config.json").unlink()


def of_other_pixels(home: Path) -> None:
    path = home / "preprocessor_config.json"
    path.write_text(path.read_text().replace('"do_rescale": false', '"do_rescale": true'))


@pytest.mark.parametrize("harm", [cut, without_config, of_other_pixels])
def test_a_network_that_cannot_run_leaves_the_reading_to_geometry(
    tmp_path: Path, heading: Path, harm: Callable[[Path], None]
) -> None:
    harm(heading / REPOSITORY)
    path = two_lines(tmp_path / "a.pdf")
    parsed = read(path, heading)
    assert parsed.blocks == read(path, None).blocks
    assert parsed.engine == parse.FELL_BACK
    assert parsed.warnings[0].startswith("Docling's layout network could not be used: ")


def test_labels_that_docling_does_not_settle_are_refused(tmp_path: Path) -> None:
    labels = [*LABELS[:-1], "chart"]
    models = layout_models(tmp_path / "models", [Seen("chart", (0, 0, 1, 1))], labels=labels)
    parsed = read(two_lines(tmp_path / "a.pdf"), models)
    assert "it tells of chart" in parsed.warnings[0]


def test_files_that_were_mended_are_loaded_again(tmp_path: Path, heading: Path) -> None:
    config = heading / REPOSITORY / "config.json"
    text = config.read_text()
    config.write_text("{")
    path = two_lines(tmp_path / "a.pdf")
    assert read(path, heading).engine == parse.FELL_BACK
    config.write_text(text)
    assert read(path, heading).engine == parse.SEEING
