"""Questions that lean on the one before them, made whole without a model."""

import pytest

from docqa.answer.findings.extractive import answer
from docqa.question.followup import carried_on
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer, Message
from tests.answer.passages import Searches, hit, row


def said(*questions: str) -> list[Message]:
    return [m for each in questions for m in (Message("user", each), Message("assistant", "5."))]


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        (
            ["What is the rent of Lease A?"],
            "And in Lease B?",
            "What is the rent of Lease A? And in",
        ),
        (["What is the rent of Lease A?"], "When can the tenant end it?", "What is the rent of"),
        (["What was NOI in FY2024?"], "And in 2023?", "What was NOI? And in 2023?"),
        (["What was NOI in 2024?"], "And the year before?", "What was NOI in 2023?"),
        (["What was NOI in 2024?"], "And the next year?", "What was NOI in 2025?"),
        (["What is the rent?", "And in A?"], "And in B?", "What is the rent? And in B?"),
        (["What is the rent?"], "Is there a cap on liability?", "Is there a cap on liability?"),
        (["What is the rent?"], "Has Acme improved its margin?", "Has Acme improved its margin?"),
        (["What is the rent?"], "Who owns this lease?", "Who owns this lease?"),
        ([], "And in 2023?", "And in 2023?"),
        (["And in 2022?"], "And in 2023?", "And in 2023?"),
    ],
)
def test_a_question_carries_on_the_last_that_stands_alone(
    before: list[str], question: str, whole: str
) -> None:
    assert carried_on(question, said(*before)).startswith(whole)
    assert carried_on(question, said(*before)).endswith(question)


def test_an_answer_without_a_model_knows_what_was_asked_before() -> None:
    assets = hit(row("", "2021", "2020", header=True), row("Total assets", "$181,476", "$154,229"))
    search = Searches(assets, hit("The year 2020 was hard on all of us.", index=1))
    history = said("What were total assets in 2021?")
    *_, given = answer(
        "And what were they in 2020?", search=search, settings=DEFAULTS, history=history
    )
    assert isinstance(given, Answer)
    assert given.text.splitlines()[0].removeprefix("- ") == "Total assets, 2020: $154,229 [S1.2]"
    assert search.asked[0][0] == "What were total assets? And what were they in 2020?"
