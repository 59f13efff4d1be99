"""Questions as they are typed in a hurry still find the page."""

from pathlib import Path

import pytest

from docqa.app.search import read_question
from docqa.types.answer import Answer
from docqa.workspace import Workspace


def first_place(workspace: Workspace, question: str) -> tuple[str, int]:
    best = workspace.search(question).hits[0]
    return best.document.name, best.chunk.page_start


@pytest.mark.parametrize(
    ("plain", "typed"),
    [
        ("What environmental risks are there?", "What enviromental risks are there?"),
        ("What environmental risks are there?", "WHAT ENVIRONMENTAL RISKS ARE THERE?"),
        ("What environmental risks are there?", "environmental risks"),
        ("Who manages the building?", "Hi! Who manages the bulding? I need it today."),
    ],
)
def test_a_question_typed_in_a_hurry_finds_the_same_page(
    workspace: Workspace, plain: str, typed: str
) -> None:
    assert first_place(workspace, typed) == first_place(workspace, plain)


def test_what_narrows_a_question_is_asked_with_it(workspace: Workspace) -> None:
    text = "The roof leaks. Who has to pay for the repair?"
    assert read_question(workspace.resources, text).whole == text


def test_what_says_nothing_of_the_question_is_not_asked(workspace: Workspace) -> None:
    text = "My manager wants to know by noon. Who manages the building?"
    made = read_question(workspace.resources, text)
    assert made.whole == "Who manages the building?"


def test_a_term_finds_what_uses_only_the_abbreviation_that_its_document_gives_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    text = (
        "# Fund rules\n\nThe vehicle is a Qualified Timber Holding Partnership (the “QTHP”).\n\n"
        + "# Felling\n\n" + "Trees are counted every spring by the forester in charge. " * 20
        + "\n\n# Payments\n\nThe QTHP pays out nine tenths of what it earns by the end of June.\n"
    )  # fmt: skip
    file = tmp_path / "Fund_rules.md"
    file.write_text(text, encoding="utf-8")
    (added,) = workspace.add([file])
    assert added.document is not None
    found = workspace.search("What does the qualified timber holding partnership do?")
    assert "What does the QTHP do?" in found.plan.queries
    assert any("nine tenths" in hit.chunk.text for hit in found.hits)
    workspace.remove(added.document.id)


def test_initials_that_no_document_has_are_looked_for_by_the_name_in_its_tables(
    tmp_path: Path,
) -> None:
    release = tmp_path / "release.md"
    release.write_text(
        "# Results\n\n| | 2025 | 2024 |\n|---|---|---|\n"
        "| Net interest margin | 3.41% | 3.28% |\n| Efficiency ratio | 58.1% | 60.0% |\n\n"
        "R&D is not a word of banks.\n"
    )
    with Workspace(tmp_path / "library") as workspace:
        list(workspace.add([release]))
        *_, answer = workspace.ask("What was the NIM in 2025?", answerer="extractive")
        assert isinstance(answer, Answer)
        assert "3.41%" in answer.text.splitlines()[0]
        assert "“Net interest margin” was looked for" in answer.warnings[0]
        plan = workspace.search("How much is R&D in 2025?").plan
        assert plan.question.respelt == ()
