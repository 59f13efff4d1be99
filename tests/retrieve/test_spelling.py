"""Slips of the keys, put right from the words of the library."""

import pytest

from docqa.retrieve.spelling import may_be_misspelt, spelt_like
from docqa.types.answer import Answer
from docqa.workspace import Workspace


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("guarntor", "guarantor"),
        ("occupnacy", "occupancy"),
        ("insurrance", "insurance"),
        ("reciprocal", ""),  # no slip of anything there
    ],
)
def test_a_slip_is_put_right_from_what_documents_say(
    workspace: Workspace, said: str, meant: str
) -> None:
    assert spelt_like(said, workspace.resources.catalog) == meant


def test_names_and_short_words_are_left_as_they_are() -> None:
    assert not any(map(may_be_misspelt, ("Guarntor", "rnet", "10-K", "COVNANT")))


def test_an_answer_says_what_was_looked_for_instead(workspace: Workspace) -> None:
    *_, answer = workspace.ask("How high is the depposit at Harbour Yard?", answerer="extractive")
    assert isinstance(answer, Answer)
    assert "£75,600" in answer.text
    assert answer.warnings[0] == "No document has “depposit”; “deposit” was looked for."


def test_a_follow_up_takes_up_what_was_meant(workspace: Workspace) -> None:
    conversation = workspace.conversations.begin()
    for question in ("How high is the depposit at Harbour Yard?", "And at Bishopsgate?"):
        *_, answer = workspace.ask(
            question, conversation_id=conversation, answerer="extractive", sides=()
        )
    assert isinstance(answer, Answer)
    assert "£296,250" in answer.text.splitlines()[0]


def test_a_list_is_not_told_wrong_for_its_own_count(workspace: Workspace) -> None:
    question = "Which tenants roll at Alder Point by the end of 2028?"
    *_, answer = workspace.ask(question, answerer="extractive")
    assert isinstance(answer, Answer)
    assert answer.text.startswith("Rent roll, Expires – 4 of 6:")
    assert not [check for check in answer.checks if check.result == "not supported"]


def test_a_word_that_is_spelt_right_is_not_another(workspace: Workspace) -> None:
    *_, answer = workspace.ask("Who is the arbiter at Harbour Yard?", answerer="extractive")
    assert isinstance(answer, Answer)
    assert not any("was looked for" in warning for warning in answer.warnings)
