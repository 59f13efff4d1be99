import pytest

from docqa.question.asides import odds_beside
from docqa.question.instructions import set_apart
from docqa.question.read import read
from tests.bundled import vectors
from tests.eval.frames import frames
from tests.question.test_read import MEMOS

QUESTION = "Who has to insure the building?"


def parted(text: str) -> tuple[str, tuple[str, ...]]:
    return set_apart(
        text, beside=lambda sentences, asked: odds_beside(sentences, vectors, asked=asked)
    )


def test_what_stands_around_a_question_is_set_apart() -> None:
    made = [parted(frame.replace("{question}", QUESTION)) for frame in frames()]
    alone = [beside for asked, beside in made if asked == QUESTION]
    assert len(alone) >= len(made) - 1
    assert all(alone)


def test_of_a_text_without_a_question_something_is_asked() -> None:
    request = "Summarise the risks."
    assert parted(f"You are an analyst. {request} Two lines will do.")[0] == request
    assert parted("Be brief. Use plain English.")[0]


def test_a_question_without_a_word_to_look_for_keeps_what_stands_beside_it() -> None:
    text = "An outsider sues and the one who should cover it does nothing. What then?"
    assert parted(text) == (text, ())


def test_a_question_that_refers_to_a_sentence_keeps_it() -> None:
    text = "The tenant let the roof to a telecoms company. Does it have to insure the mast?"
    assert parted(text) == (text, ())


def test_a_question_that_names_too_little_keeps_the_sentences_beside_it() -> None:
    text = "The tenant has stopped paying rent. What can be done?"
    assert parted(text) == (text, ())


def test_a_sentence_that_goes_on_with_the_question_stays() -> None:
    text = "Is there a restriction on hiring employees? This includes contractors."
    assert parted(text) == (text, ())


@pytest.mark.parametrize(
    "beside",
    [
        "The anchor tenant is Acme Stores.",
        "Acme is the anchor tenant.",
        "Acme's shop is on the ground floor.",
        "The second amendment was signed in 2019.",
        "I am interested in the third quarter.",
    ],
)
def test_a_sentence_that_names_somebody_or_a_time_stays(beside: str) -> None:
    text = f"{beside} When does the lease expire?"
    assert parted(text) == (text, ())


@pytest.mark.parametrize("limit", ["Use the 2022 balance sheet.", "Answer from Section 4.2 alone."])
def test_an_instruction_that_limits_to_a_time_or_a_place_stays(limit: str) -> None:
    text = f"{limit} What are the current assets?"
    assert parted(text) == (text, ())


@pytest.mark.parametrize("opening", ["There is no hurry.", "Here's one more."])
def test_a_first_word_that_names_nobody_keeps_nothing(opening: str) -> None:
    assert parted(f"{opening} {QUESTION}") == (QUESTION, (opening,))


def test_several_questions_stay() -> None:
    text = "Who has to insure the building? Who pays for the roof?"
    assert parted(f"Hello! {text} Thank you.")[0] == text


def test_a_text_without_a_question_mark_is_asked_as_it_is() -> None:
    assert parted("The term of the lease. The notice period.")[1] == ()


def test_a_sentence_that_names_a_document_stays() -> None:
    text = "Property A and Property B have similar tenants. Which building has more parking space?"
    asked = read(text, documents=MEMOS)
    assert asked.whole == text
    assert len(asked.documents) == 2
