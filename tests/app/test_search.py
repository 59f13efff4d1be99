"""Questions as they are typed in a hurry still find the page."""

import pytest

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
