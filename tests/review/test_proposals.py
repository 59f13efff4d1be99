"""Which finding stands in a cell: the sentence that settles a topic, the opening, or the answer."""

from dataclasses import replace

import pytest

from docqa.compare.terms import sentences_of, side_of, whole_clause
from docqa.review.proposals import (
    ANOTHER,
    DOUBT,
    OPPOSITE,
    SETTLED,
    proposed,
    topic_of,
    topics_for,
)
from docqa.types.answer import Answer
from docqa.types.comparison import TermSide
from docqa.types.document import Block, Box, Document
from docqa.types.review import Column, Found

OPENING = (
    "This Hosting Agreement is made as of January 11, 2018 by and between FreeCook, a Nevada "
    "corporation, and Mitchell's Web Advance, PLC."
)
PART = "9.1 The Tenant shall not assign part of the Premises under this lease."
WHOLE = "9.2 The Tenant may assign the whole of this lease with the Landlord's consent."
DOCUMENT = Document("id", "A.pdf", 3)
BLOCKS = [
    Block(text, page, Box(0, 0, 1, 1), kind="heading" if page == 2 else "text", index=n)
    for n, (text, page) in enumerate(((OPENING, 1), ("Dealings", 2), (PART, 3), (WHOLE, 3)))
]
SENTENCES = sentences_of(BLOCKS)
ANSWER = Answer("The parties may meet on May 5, 2019 at noon.", "extractive")


def column(title: str, kind: str, question: str = "What is it?") -> Column:
    return Column(title, question, kind)  # type: ignore[arg-type]


def test_a_date_that_is_a_topic_is_that_of_the_sentence_that_settles_it() -> None:
    asked = column("Agreement date", "date")
    [topic] = topics_for(asked)
    made = proposed(ANSWER, asked, sides=[side_of(topic, DOCUMENT, SENTENCES)])
    assert [each.day for each in made.found] == ["2018-01-11", "2019-05-05"]
    unsettled = proposed(ANSWER, asked, sides=[side_of(topic, DOCUMENT, SENTENCES[1:])])
    assert [each.day for each in unsettled.found] == ["2019-05-05"]


def test_a_clause_is_whole() -> None:
    asked = column("Assignment", "clause")
    topic = topic_of(asked)
    assert topic is not None
    side = whole_clause(side_of(topic, DOCUMENT, SENTENCES), topic, SENTENCES)
    made = proposed(ANSWER, asked, sides=[side])
    assert made.found[0].text == f"“{PART} {WHOLE}”"
    assert (made.check, made.likely) == ("stands", False)


def test_nothing_is_found_only_where_topic_and_answer_both_fail() -> None:
    asked = column("Assignment", "clause")
    [topic] = topics_for(asked)
    empty = [side_of(topic, DOCUMENT, SENTENCES[:1])]
    made = proposed(ANSWER, asked, sides=empty)
    assert (made.found[0].text, made.likely, made.problem) == (ANSWER.text, True, DOUBT)
    assert proposed(replace(ANSWER, likely=True), asked, sides=empty).found == ()
    assert proposed(replace(ANSWER, found=False), asked, sides=empty).found == ()
    row = Found("", "Assignment: with consent")
    [first, *_] = proposed(ANSWER, asked, rows=[row], sides=empty).found
    assert first.text == row.text


def test_an_uncertain_answer_stands_where_patterns_alone_find_no_clause() -> None:
    asked = column("Rent review", "clause")
    [topic] = topics_for(asked)
    empty = [side_of(topic, DOCUMENT, SENTENCES)]
    made = proposed(replace(ANSWER, likely=True), asked, sides=empty)
    assert (made.found[0].text, made.likely) == (ANSWER.text, True)


def test_a_clauses_cell_begins_where_it_speaks_of_its_topic() -> None:
    asked = column("Governing law", "clause")
    law = "10.3 This lease is governed by the law of Scotland."
    text = f"10.1 No third person has rights. 10.2 It is the whole lease. {law}"
    side = TermSide("id", "A.pdf", text, (BLOCKS[3],))
    [found] = proposed(ANSWER, asked, sides=[side], settling=[law]).found[:1]
    assert (found.value, found.text) == (law, f"“{text}”")
    both = TermSide("id", "A.pdf", f"{PART} {WHOLE}", (BLOCKS[3],))
    assignment = column("Assignment", "clause")
    [found] = proposed(ANSWER, assignment, sides=[both], settling=[WHOLE]).found[:1]
    assert found.value == f"{PART} {WHOLE}"


def test_a_day_that_was_worked_out_is_uncertain_and_says_how() -> None:
    answer = Answer("The term is ten years from 1 June 2020.", "extractive")
    made = proposed(answer, column("Expiry", "date", "When does it expire?"))
    assert (made.found[0].day, made.likely) == ("2030-05-31", True)
    assert made.problem.endswith("1 June 2020 + ten years.")


def settled(chance: float) -> TermSide:
    return TermSide("id", "A.pdf", WHOLE, (BLOCKS[3],), chance=chance)


@pytest.mark.parametrize(("chance", "likely"), [(SETTLED - 0.01, True), (SETTLED, False)])
def test_a_clause_is_uncertain_where_its_words_hardly_settle_the_topic(
    chance: float, *, likely: bool
) -> None:
    made = proposed(ANSWER, column("Assignment", "clause"), sides=[settled(chance)])
    assert made.found[0].text == f"“{WHOLE}”"
    assert (made.likely, made.problem) == (likely, DOUBT if likely else "")
    assert made.check == "stands"  # the words do


def test_a_row_called_as_the_column_is_certain_whatever_the_words_beside_it() -> None:
    row = Found("", "Assignment: with consent")
    made = proposed(ANSWER, column("Assignment", "clause"), rows=[row], sides=[settled(0.1)])
    assert (made.found[0].value, made.likely) == ("Assignment: with consent", False)


def test_a_date_is_as_certain_as_it_is_read() -> None:
    side = TermSide("id", "A.pdf", OPENING, (BLOCKS[0],), chance=0.1)
    made = proposed(ANSWER, column("Agreement date", "date"), sides=[side])
    assert (made.found[0].day, made.likely) == ("2018-01-11", False)


def said(*lines: str) -> Answer:
    return Answer("\n".join(f"- “{line}”" for line in lines), "extractive")


def test_a_cell_is_uncertain_where_another_place_has_another_amount() -> None:
    asked = column("Cap", "text", "What is the supplier's liability cap?")
    cap, other = "Liability is limited to €2,000,000.", "Infringement is limited to €5,000,000."
    made = proposed(said(other, cap), asked)
    assert (made.likely, made.problem) == (True, ANOTHER.format("€2,000,000"))
    again = "The limit of €2,000,000 holds for each year, and 30 days are given to pay."
    assert not proposed(said(cap, again), asked).likely


def test_a_cell_is_uncertain_where_another_place_says_the_opposite() -> None:
    asked = column("For convenience", "yes or no", "Can the customer terminate for convenience?")
    no, yes = "The Provider may not terminate at will.", "The Client may terminate at any time."
    made = proposed(said(no, yes), asked)
    assert (made.found[0].value, made.likely) == ("No", True)
    assert made.problem == OPPOSITE.format(yes)
    assert not proposed(said(no, no.replace("at will", "early")), asked).likely
