"""Reviews from the command line: the promised JSON, files, and going on with one."""

import json
from pathlib import Path

import pytest
from openpyxl import load_workbook  # type: ignore[import-untyped]

from docqa.cli.main import main
from tests.cli.conftest import Run

COLUMNS = (
    {"title": "Rent", "question": "What is the monthly rent?", "kind": "figure"},
    {"title": "Moons", "question": "How many moons has Saturn?", "kind": "figure"},
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, COLUMNS)), encoding="utf-8")
    return path


def test_a_review_is_made_filled_and_told(run: Run, own_shelf: Path, questions: Path) -> None:
    words = ("review", "Leases", "--questions", str(questions))
    code, [told] = run(*words, library=own_shelf)
    assert code == 0
    assert list(told) == ["review", "columns", "documents", "cells"]
    assert (told["review"], told["columns"]) == ("Leases", list(COLUMNS))
    assert sorted(told["documents"]) == ["Lease North.pdf", "Lease South.pdf"]
    assert len(told["cells"]) == 4
    for cell in told["cells"]:
        assert list(cell) == [
            *("document", "column", "state", "value", "text", "check", "citations")
        ]
    rents = {each["document"]: each for each in told["cells"] if each["column"] == "Rent"}
    assert {name: each["value"] for name, each in rents.items()} == {
        "Lease North.pdf": "$25,000",
        "Lease South.pdf": "$31,500",
    }
    north = rents["Lease North.pdf"]
    assert (north["state"], north["check"]) == ("found", "stands")
    assert north["citations"][0]["page"] == 1
    assert north["citations"][0]["blocks"]
    moons = [each for each in told["cells"] if each["column"] == "Moons"]
    assert {(each["state"], each["value"]) for each in moons} == {("not found", "")}
    code, [again] = run("review", "leases", library=own_shelf)
    assert again == told
    code, [listed] = run("review", library=own_shelf)
    assert listed == {"reviews": [{"review": "Leases", "cells": 4, "open": 0}]}


def test_a_column_added_to_the_file_leaves_the_others(
    run: Run, own_shelf: Path, questions: Path
) -> None:
    run("review", "Leases", "--questions", str(questions), library=own_shelf)
    term = {"title": "Term", "question": "What is the term?", "kind": "yes-no"}
    questions.write_text(json.dumps(COLUMNS[0]) + "\n" + json.dumps(term), encoding="utf-8")
    chosen = ("--questions", str(questions), "--documents", "North")
    code, [told] = run("review", "Leases", *chosen, library=own_shelf)
    assert code == 0
    assert [each["title"] for each in told["columns"]] == ["Rent", "Term"]
    assert told["columns"][1]["kind"] == "yes or no"
    assert told["documents"] == ["Lease North.pdf"]


def test_every_file_is_written_and_the_workbook_has_types(
    run: Run, own_shelf: Path, questions: Path, tmp_path: Path
) -> None:
    paths = {ending: tmp_path / f"out.{ending}" for ending in ("xlsx", "csv", "docx", "md")}
    words = [each for ending, path in paths.items() for each in (f"--{ending}", str(path))]
    words += ["--evidence", str(tmp_path / "pack.html")]
    code, _ = run("review", "Leases", "--questions", str(questions), *words, library=own_shelf)
    assert code == 0
    book = load_workbook(paths["xlsx"])
    assert book.sheetnames == ["Review", "Figures", "Sources"]
    rows = list(book["Review"].values)
    assert rows[0] == ("Document", "Rent", "Moons")
    assert sorted(row[1] for row in rows[1:]) == [25000, 31500]
    assert {row[2] for row in rows[1:]} == {"not found"}
    sums = dict(zip(*list(book["Figures"].values), strict=True))
    assert (sums["Sum"], sums["Mean"], sums["Highest"]) == (56500, 28250, 31500)
    sources = list(book["Sources"].values)
    first = dict(zip(sources[0], sources[1], strict=True))
    assert (first["Column"], first["State"], first["Check"]) == ("Rent", "found", "stands")
    assert (first["Page"], first["Settled by"]) == (1, "docqa, not settled")
    assert "monthly rent is" in str(first["Quote"])
    assert paths["csv"].read_text("utf-8-sig").splitlines()[0] == "document,rent,rent_unit,moons"
    assert "25,000 | not found |" in paths["md"].read_text("utf-8")
    assert paths["docx"].read_bytes()[:2] == b"PK"
    pack = (tmp_path / "pack.html").read_text("utf-8")
    assert pack.count("data:image/jpeg;base64,") == 2  # a rent in each lease
    assert "SHA-256" in pack


def test_what_cannot_be_asked_says_why(
    run: Run, own_shelf: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [told] = run("review", "Nothing", library=own_shelf)
    assert (code, told["kind"]) == (1, "UnknownReview")
    code, [told] = run("review", "Nothing", "--template", "none", library=own_shelf)
    assert (code, told["kind"]) == (1, "UnknownTemplate")
    for text in ("", "no json", '{"title": "Rent"}', '{"question": "Rent?", "kind": "money"}', "5"):
        questions.write_text(text, encoding="utf-8")
        code, [told] = run("review", "New", "--questions", str(questions), library=own_shelf)
        assert (code, told["kind"]) == (1, "ColumnsUnreadable"), text
    code, [told] = run("review", library=own_shelf)
    assert told == {"reviews": []}
    assert main(["review", "--library", str(own_shelf)]) == 0
    assert "There is no review yet" in capsys.readouterr().out


def test_the_price_is_told_and_nothing_is_filled(
    run: Run, own_shelf: Path, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    words = ("review", "Leases", "--questions", str(questions), "--preview")
    code, [told] = run(*words, "--base-url", "http://127.0.0.1:9", library=own_shelf)
    assert code == 0
    assert list(told) == ["model", "url", "cells", "tokens", "cost_usd"]
    assert told["cells"] == 4
    assert told["cost_usd"] > 0
    code, [listed] = run("review", library=own_shelf)
    assert listed == {"reviews": [{"review": "Leases", "cells": 4, "open": 4}]}


def test_as_text_it_is_a_table(
    own_shelf: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["review", "Leases", "--questions", str(questions), "--library", str(own_shelf)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "2 documents, 2 questions: 2 found, 2 not found." in printed
    assert "Lease North.pdf\t$25,000\tnot found" in printed
