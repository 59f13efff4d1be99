"""Questions as they are typed in a hurry still find the page."""

import pytest

from docqa.app.search import read_question
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
    made = read_question(
        workspace.resources, "The board meets on Friday. Who manages the building?"
    )
    assert made.whole == "Who manages the building?"
