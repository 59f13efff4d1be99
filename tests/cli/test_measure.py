"""Measuring search and answers from the command line."""

from pathlib import Path

import pytest

from docqa.cli.main import main
from tests.cli.conftest import Run
from tests.messages_server import MessagesServer, Refusal, Turn, text


def test_evaluate(run: Run, tmp_path: Path) -> None:
    asked = tmp_path / "questions.jsonl"
    lines = [
        '{"question": "What is the monthly rent?", "document": "Lease North.pdf", "pages": [1]}',
        '{"question": "How many moons has Saturn?", "answerable": false}',
    ]
    asked.write_text("\n".join(lines), encoding="utf-8")
    code, [told] = run("evaluate", str(asked))
    assert code == 0
    within, everywhere = told["figures"]
    assert within["hit_at"]["1"] == {"value": 1.0, "hits": 1, "n": 1, "interval": [0.2065, 1.0]}
    assert everywhere["every_document"]["n"] == 1
    assert everywhere["refusal_recall"]["n"] == 1
    assert len(told["questions"]) == 3
    asked.write_text('{"question": "Rent?", "document": "Memo.pdf"}', encoding="utf-8")
    code, [told] = run("evaluate", str(asked), "--within", "library")
    assert (code, len(told["skipped"])) == (1, 1)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    lines = [
        '{"question": "What is the monthly rent?", "document": "Lease North.pdf", "pages": [1]}',
        '{"question": "What is the term?", "document": "Lease South.pdf", "pages": [1]}',
        '{"question": "How many moons has Saturn?", "answerable": false}',
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_answers_from_quotes_are_measured(run: Run, questions: Path) -> None:
    code, [told] = run("evaluate", str(questions), "--answers")
    assert (code, told["answerer"], told["skipped"]) == (0, "extractive", [])
    assert (told["answered"]["hits"], told["answered"]["n"]) == (2, 2)
    assert (told["right_page"]["hits"], told["declined"]["hits"]) == (2, 1)
    assert told["citations_hold"]["value"] == 1.0
    assert (told["tokens"], told["cost_usd"]) == (0, None)
    rent, term, moons = told["questions"]
    assert "$25,000" in rent["answer"]
    assert "ten" in term["answer"]
    assert moons["declined"]


def test_answers_are_printed_as_lines(
    shelf: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(questions), "--answers", "--library", str(shelf)]) == 0
    told = capsys.readouterr().out
    assert "Answered by extractive" in told
    assert "rightly declined  1.000 [0.21, 1.00] n=1" in told


@pytest.mark.usefixtures("key")
def test_a_models_answers_are_measured(run: Run, questions: Path, own_shelf: Path) -> None:
    wrong = Turn([text("The rent is $99,000 a month.")])
    with MessagesServer(wrong) as server:
        given = ("evaluate", str(questions), "--answers", "--base-url", server.url)
        code, [told] = run(*given, "--model", "model-one", library=own_shelf)
    assert (code, told["answerer"], len(told["questions"])) == (0, "model-one", 3)
    assert told["figures_supported"]["n"] >= 3
    assert told["figures_supported"]["hits"] < told["figures_supported"]["n"]
    assert "$99,000" in told["questions"][0]["answer"]
    assert told["tokens"] > 0


@pytest.mark.usefixtures("key")
def test_a_model_that_fails_twice_is_not_asked_again(
    run: Run, questions: Path, own_shelf: Path
) -> None:
    with MessagesServer(Refusal(401, "authentication_error")) as server:
        given = ("evaluate", str(questions), "--answers", "--base-url", server.url)
        code, [told] = run(*given, library=own_shelf)
        asked = len(server.requests)
    assert (code, asked, told["questions"]) == (1, 2, [])
    first, second, rest = told["skipped"]
    assert first.startswith("“What is the monthly rent?” was not answered")
    assert second.startswith("“What is the term?” was not answered")
    assert rest == "1 more question not asked."
