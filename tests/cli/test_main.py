"""The command line as it is typed: exit codes, JSON on standard output, sentences on the other."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docqa.cli.main import main
from docqa.workspace import Workspace
from tests import pdfs
from tests.messages_server import MessagesServer, Turn, text

Run = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with two leases in it."""
    folder = tmp_path_factory.mktemp("shelf")
    rent = "The monthly rent is {}, due on the first day of each month. The term is {} years. "
    pdfs.text_pages(folder / "Lease North.pdf", [rent.format("$25,000", "five") * 2])
    pdfs.text_pages(folder / "Lease South.pdf", [rent.format("$31,500", "ten") * 2])
    assert main(["add", str(folder), "--library", str(folder / "library")]) == 0
    return folder / "library"


@pytest.fixture
def run(shelf: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str, library: Path = shelf) -> tuple[int, Any]:
        capsys.readouterr()
        code = main([*words, "--library", str(library), "--json"])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return call


def test_list(run: Run) -> None:
    code, [listed] = run("list")
    assert code == 0
    names = [each["document"] for each in listed["documents"]]
    assert names == ["Lease North.pdf", "Lease South.pdf"]
    assert all(each["chunks"] and each["pages"] == 1 for each in listed["documents"])
    assert all(isinstance(each["description"], str) for each in listed["documents"])


def test_adding_reports_each_file(run: Run, tmp_path: Path) -> None:
    good = pdfs.structured(tmp_path / "good.pdf")
    bad = pdfs.not_a_pdf(tmp_path / "bad.pdf")
    code, [told] = run("add", str(good), str(bad), library=tmp_path / "library")
    assert code == 1
    assert [each["status"] for each in told["results"]] == ["added", "failed"]
    assert "bad.pdf" in told["results"][1]["error"]


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


def test_compare(run: Run) -> None:
    code, [told] = run("compare", "Lease North", "Lease South", "--question", "monthly rent")
    assert code == 0
    assert told["documents"] == ["Lease North.pdf", "Lease South.pdf"]
    rents = [[each["value"] for each in row["values"]] for row in told["figures"]]
    assert ["25000", "31500"] in rents


def test_a_question_that_compares_two_documents_is_answered_side_by_side(run: Run) -> None:
    code, [told] = run("ask", "How does the rent of Lease North differ from Lease South?")
    assert code == 0
    assert told["documents"] == ["Lease North.pdf", "Lease South.pdf"]
    assert {"text", "answerer", "citations", "warnings", "usage", "seconds"} <= told.keys()
    assert "$25,000" in told["text"]


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


def test_what_cannot_be_done_is_said(run: Run, tmp_path: Path) -> None:
    code, [told] = run("search", "rent", "--document", "Annual report")
    assert code == 1
    assert told["kind"] == "UnknownDocument"
    code, [told] = run("ask", "rent?", "--answerer", "claude")
    assert (code, told["kind"]) == (1, "NoKey")
    code, [told] = run("search", "", library=tmp_path / "library")
    assert (code, told["kind"]) == (1, "EmptyQuestion")
    code, [told] = run("search", "rent", library=tmp_path / "library")
    assert (code, told["kind"]) == (1, "NoDocuments")


@pytest.mark.parametrize(
    "words",
    [
        ["search"],
        ["search", "x", "--pages", "3-1"],
        ["search", "x", "--pages", "three"],
        ["why", "x", "y", "--page", "1"],
        ["ask"],
        ["add"],
        ["fly"],
        [],
    ],
)
def test_a_wrong_command_line(words: list[str], tmp_path: Path) -> None:
    try:
        code: object = main([*words, "--library", str(tmp_path)] if words else [])
    except SystemExit as stop:
        code = stop.code
    assert code == 2


def test_where_the_library_is_may_be_said_before_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = tmp_path / "here"
    for words in (
        ["--library", str(here), "--json", "list"],
        ["--json", "list", "--library", str(here)],
    ):
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out) == {"documents": []}
    assert here.exists()


def test_remove(run: Run, tmp_path: Path) -> None:
    good = pdfs.structured(tmp_path / "good.pdf")
    run("add", str(good), library=tmp_path / "library")
    code, [told] = run("remove", "good", "nobody", library=tmp_path / "library")
    assert code == 1
    assert told["removed"] == ["good.pdf"]
    assert len(told["errors"]) == 1


def test_models_and_doctor(run: Run) -> None:
    code, [told] = run("models")
    assert code == 0
    states = {each["model"]: each["state"] for each in told["models"]}
    assert states["all-MiniLM-L6-v2"] == "bundled"
    code, [told] = run("doctor")
    assert told["healthy"], [each for each in told["checks"] if not each["fine"]]
    assert code == 0


def test_backup_and_restore(run: Run, tmp_path: Path) -> None:
    code, [made] = run("backup", str(tmp_path / "b.zip"))
    assert (code, made["documents"], made["without_pdf"]) == (0, 2, [])
    code, [restored] = run("restore", str(tmp_path / "b.zip"), library=tmp_path / "other")
    assert (code, restored["documents"]) == (0, 2)
    _, [before] = run("search", "monthly rent")
    _, [after] = run("search", "monthly rent", library=tmp_path / "other")
    assert after["hits"] == before["hits"]
    code, [told] = run("restore", str(tmp_path / "b.zip"))
    assert (code, told["kind"]) == (1, "LibraryNotEmpty")


def test_a_backup_is_made_while_another_holds_the_library(
    run: Run, shelf: Path, tmp_path: Path
) -> None:
    with Workspace(shelf):
        code, [made] = run("backup", str(tmp_path / "b.zip"))
    assert (code, made["documents"]) == (0, 2)


def test_quotes_go_with_their_document_on_request(run: Run, tmp_path: Path) -> None:
    library = tmp_path / "library"
    words = ["The zanzibarquux fee is $7,750 a month, due in advance on the first day. " * 3]
    paths = [
        pdfs.text_pages(tmp_path / "Marked.pdf", words),
        pdfs.structured(tmp_path / "Other.pdf"),
    ]
    run("add", *map(str, paths), library=library)
    with Workspace(library) as workspace:
        asked = workspace.catalog.new_conversation("Fees")
        for question, name in (("What is the fee?", "Marked.pdf"), ("Vacancy?", "Other.pdf")):
            chosen = [workspace.document(name).id]
            list(workspace.ask(question, document_ids=chosen, conversation_id=asked))
    code, [told] = run("remove", "Marked", "--with-quotes", library=library)
    assert (code, told["answers"]) == (0, 1)
    holding = [path for path in library.rglob("*") if path.is_file()]
    assert not [path.name for path in holding if b"zanzibarquux" in path.read_bytes()]
    with Workspace(library) as workspace:
        assert [each.text for each in workspace.catalog.messages(asked)][:1] == ["Vacancy?"]


# The model's server, and what it costs


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")


@pytest.mark.usefixtures("key")
def test_the_servers_models_are_listed(run: Run) -> None:
    with MessagesServer() as server:
        code, [listed] = run("models", "--server", "--base-url", server.url)
    assert code == 0
    assert listed["models"] == ["model-one", "model-two"]


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
def test_what_is_spent_is_kept_and_a_budget_stops(run: Run, tmp_path: Path) -> None:
    asked = ("ask", "What is the monthly rent?", "--model", "local")
    with MessagesServer(Turn([text("It is $25,000.")])) as server:
        own = ("--base-url", server.url)
        assert run("costs", "--price", "local", "1", "5", "0.1", "1.25")[0] == 0
        assert run(*asked, *own)[0] == 0
        _, [costs] = run("costs")
        # 900 × 1 + 15 × 5 + 4000 × 0.1 + 1200 × 1.25 dollars for a million
        assert costs["days"][0]["cost_usd"] == "0.002875"
        code, [refused] = run(*asked, *own, "--budget", "0.003")
        assert code == 1
        assert refused["kind"] == "BudgetReached"
        assert len(server.requests) == 1


@pytest.mark.usefixtures("key")
def test_a_comparison_is_previewed_too_and_a_budget_stops_it(run: Run) -> None:
    given = ("compare", "Lease North", "Lease South", "--question", "rent", "--redact", "month")
    with MessagesServer(Turn([text("Both have one.")])) as server:
        own = ("--base-url", server.url)
        code, [shown] = run(*given, *own, "--preview")
        assert (code, server.requests) == (0, [])
        asked = json.dumps(shown["payload"]["messages"])
        assert "Compare the documents below on this question: rent" in asked
        assert "month " not in asked.lower()
        assert float(shown["most_usd"]) > float(shown["cost_usd"]) > 0
        code, [made] = run(*given, *own, "--budget", "0.000001")
        assert (code, made["answerer"], server.requests) == (0, "extractive", [])
        assert "budget for today" in " ".join(made["warnings"])
        assert run(*given, *own)[1][0]["answerer"] != "extractive"
        assert server.requests == [{**shown["payload"], "stream": True}]


@pytest.mark.usefixtures("key")
def test_notes_are_estimated_and_confirmed_before_anything_is_sent(
    run: Run, shelf: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ("contextualize", "Lease South")
    with MessagesServer(Turn([text("The lease of South.")])) as server:
        own = ("--base-url", server.url)
        code, [told] = run(*given, *own)
        assert (code, told["written"], server.requests) == (0, 0, [])
        assert told["estimate"]["passages"] == 1
        assert float(told["estimate"]["cost_usd"]) > 0
        for typed in ("n", "y"):
            assert len(server.requests) == 0
            monkeypatch.setattr("builtins.input", lambda _, typed=typed: typed)
            assert main([*given, *own, "--library", str(shelf)]) == 0
            assert "1 passage of 1 document without a note" in capsys.readouterr().out
        assert len(server.requests) == 1
        code, [told] = run("contextualize", "Lease North", "--yes", "--model", "local", *own)
        assert (code, told["written"]) == (0, 1)
        assert server.requests[-1]["model"] == "local"


def test_a_library_has_names_of_its_own_for_things(run: Run, tmp_path: Path) -> None:
    assert run("glossary")[1] == [{"glossary": []}]
    own = tmp_path / "own.txt"
    own.write_text("stipend | rent", encoding="utf-8")
    assert run("glossary", str(own)) == (0, [{"glossary": ["stipend | rent"]}])
    _, [found] = run("search", "How high is the stipend?")
    assert found["plan"]["queries"] == ["How high is the stipend?", "rent"]
    own.write_text("stipend", encoding="utf-8")
    for refused in (own, tmp_path / "missing.txt"):
        code, [told] = run("glossary", str(refused))
        assert (code, told["kind"]) == (1, "GlossaryUnreadable")
    assert run("glossary")[1] == [{"glossary": ["stipend | rent"]}]


def test_a_price_is_a_number(run: Run) -> None:
    assert run("costs", "--set-budget", "much")[0] == 2


def test_an_answer_says_what_was_searched(shelf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ask", "What is the monthly rent?", "--library", str(shelf), "--answerer", "extractive"])
    said = capsys.readouterr().out
    assert "Searched for: What is the monthly rent?" in said
    assert "- Lease North.pdf: " in said
