"""Searching, asking, comparing and explaining from the command line."""

import json
from pathlib import Path

import docx
import pytest

from docqa.cli.main import main
from tests import pdfs
from tests.cli.conftest import Run
from tests.messages_server import MessagesServer, Turn, text


def test_search_in_one_document(run: Run) -> None:
    code, [found] = run("search", "monthly rent", "--document", "Lease South", "--top-k", "1")
    assert code == 0
    [hit] = found["hits"]
    assert hit["document"] == "Lease South.pdf"
    assert (hit["page_start"], hit["page_end"]) == (1, 1)
    assert "$31,500" in hit["text"]
    assert hit["blocks"][0]["box"][0] == pytest.approx(pdfs.MARGIN, abs=3)


def test_many_questions_give_a_line_each(run: Run, tmp_path: Path) -> None:
    asked = tmp_path / "questions.jsonl"
    lines = [
        '{"id": 7, "question": "What is the rent?", "document": "Lease North.pdf"}',
        "not json",
        '{"question": "What is the term?"}',
    ]
    asked.write_text("\n".join(lines), encoding="utf-8")
    code, [first, second, third] = run("search", "--questions", str(asked))
    assert code == 1
    assert first["id"] == 7
    assert {hit["document"] for hit in first["hits"]} == {"Lease North.pdf"}
    assert "error" in second
    assert {hit["document"] for hit in third["hits"]} == {"Lease North.pdf", "Lease South.pdf"}


def test_filters(run: Run) -> None:
    code, [found] = run("search", "rent", "--pages", "1", "--document", "Lease North")
    assert (code, len(found["hits"]) > 0) == (0, True)
    code, [told] = run("search", "rent", "--pages", "2-3", "--tables")
    assert (code, told["kind"]) == (1, "NothingPasses")
    assert "a table on pages 2 to 3" in told["error"]


def test_why(run: Run) -> None:
    code, [told] = run("why", "DUE on the first day", "How many moons has Saturn?")
    assert code == 0
    assert {each["document"] for each in told["fates"]} == {"Lease North.pdf", "Lease South.pdf"}
    assert told["summary"].startswith("It stands in Lease ")
    code, [told] = run("why", "", "rent?", "--document", "Lease North", "--page", "1")
    assert {each["document"] for each in told["fates"]} == {"Lease North.pdf"}
    code, [told] = run("why", "", "rent?", "--document", "Lease North", "--page", "99")
    assert told["summary"] == "There is no page 99: Lease North.pdf has 1 page."
    code, [told] = run("why", "", "rent?")
    assert (code, told["kind"]) == (1, "NoPhrase")


def test_ask(run: Run) -> None:
    code, [answer] = run("ask", "What is the monthly rent?", "--document", "Lease North")
    assert code == 0
    assert answer["answerer"] == "extractive"
    assert "$25,000" in answer["text"]
    cited = answer["citations"][0]
    assert (cited["document"], cited["page"], cited["verified"]) == (
        "Lease North.pdf",
        1,
        "verified",
    )


def test_an_answer_says_what_was_searched(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ask", "What is the monthly rent?", "--library", str(shelf), "--answerer", "extractive"])
    said = capsys.readouterr().out
    assert "Searched for: What is the monthly rent?" in said
    assert "- Lease North.pdf: " in said


def test_a_question_that_compares_two_documents_is_answered_side_by_side(run: Run) -> None:
    code, [told] = run("ask", "How does the rent of Lease North differ from Lease South?")
    assert code == 0
    assert told["documents"] == ["Lease North.pdf", "Lease South.pdf"]
    assert {"text", "answerer", "citations", "warnings", "usage", "seconds"} <= told.keys()
    assert "$25,000" in told["text"]


def test_compare(run: Run) -> None:
    code, [told] = run("compare", "Lease North", "Lease South", "--question", "monthly rent")
    assert code == 0
    assert told["documents"] == ["Lease North.pdf", "Lease South.pdf"]
    rents = [[each["value"] for each in row["values"]] for row in told["figures"]]
    assert ["25000", "31500"] in rents


def test_a_comparison_is_written_to_files(run: Run, tmp_path: Path) -> None:
    files = {each: tmp_path / f"rents.{each}" for each in ("docx", "html", "md", "xlsx", "csv")}
    options = [word for each, path in files.items() for word in (f"--{each}", str(path))]
    pack = tmp_path / "evidence.html"
    code, _ = run("compare", "Lease North", "Lease South", *options, "--evidence", str(pack))
    assert code == 0
    assert all(path.stat().st_size > 500 for path in files.values())
    assert "data:image/jpeg;base64," in pack.read_text("utf-8")


def test_an_answer_is_written_with_its_evidence(run: Run, tmp_path: Path) -> None:
    pack = tmp_path / "evidence.docx"
    code, _ = run("ask", "What is the monthly rent?", "--evidence", str(pack))
    assert code == 0
    assert docx.Document(str(pack)).inline_shapes


@pytest.mark.usefixtures("key")
def test_a_preview_sends_nothing_and_hides_words(run: Run) -> None:
    with MessagesServer(Turn([text("Yes.")])) as server:
        given = ("--preview", "--base-url", server.url, "--redact", "lease")
        code, [shown] = run("ask", "What is the monthly rent?", *given)
        assert server.requests == []
    assert code == 0
    assert "$25,000" in json.dumps(shown["payload"]["messages"])
    assert "lease" not in json.dumps(shown["payload"]["messages"]).lower()
    assert shown["tokens"] > 100
    assert float(shown["cost_usd"]) > 0


@pytest.mark.usefixtures("key")
def test_a_comparison_is_previewed_too_and_a_budget_stops_it(run: Run, own_shelf: Path) -> None:
    given = ("compare", "Lease North", "Lease South", "--question", "rent", "--redact", "month")
    with MessagesServer(Turn([text("Both have one.")])) as server:
        own = ("--base-url", server.url)
        code, [shown] = run(*given, *own, "--preview", library=own_shelf)
        assert (code, server.requests) == (0, [])
        asked = json.dumps(shown["payload"]["messages"])
        assert "Compare the documents below on this question: rent" in asked
        assert "month " not in asked.lower()
        assert float(shown["most_usd"]) > float(shown["cost_usd"]) > 0
        code, [made] = run(*given, *own, "--budget", "0.000001", library=own_shelf)
        assert (code, made["answerer"], server.requests) == (0, "extractive", [])
        assert "budget for today" in " ".join(made["warnings"])
        assert run(*given, *own, library=own_shelf)[1][0]["answerer"] != "extractive"
        assert server.requests == [{**shown["payload"], "stream": True}]
