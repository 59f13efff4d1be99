"""Whether a question asks for what is more, or less, than what it is held against."""

import pytest

from docqa.answer.findings.direction import Direction, direction_of
from tests.answer.findings.judged import networks


def told(question: str) -> Direction:
    return direction_of(question, networks().vector(question))


@pytest.mark.parametrize(
    "question", ["which crews overspent", "who is past their limit", "sites that grew last year"]
)
def test_what_is_more_is_asked_for(question: str) -> None:
    assert told(question).asked > 0
    assert told(question).more > 0


@pytest.mark.parametrize(
    "question", ["who missed their target", "shops that shrank", "what came in under the estimate"]
)
def test_what_is_less_is_asked_for(question: str) -> None:
    assert told(question).asked > 0
    assert told(question).more < 0


@pytest.mark.parametrize("question", ["When does the lease of unit 4 end?", "risks owned by Hale"])
def test_neither_is_asked_for(question: str) -> None:
    assert told(question).asked < 0
