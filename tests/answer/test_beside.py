"""Quotes beside an answer: under labels of their own, and only where it falls short."""

import pytest

from docqa.answer.beside import HEADING, beside, falls_short
from docqa.answer.evidence import add_evidence, citations_in
from docqa.errors import AnswerStopped
from docqa.types.answer import Answer, Check, CheckKind, CheckResult
from tests.answer.passages import document, hit

A, B = document("Lease A.pdf"), document("Lease B.pdf")
GIVEN = add_evidence((), [hit("The premises are in Ohio.", of=A), hit("No dogs.", of=B)])
FOUND = add_evidence(
    (),
    [
        hit("Not cited.", of=B, index=1),
        hit("4. Rent", "The base rent is $25,000 a month.", of=A, index=2),
        hit("The base rent is $31,500 a month.", of=B, index=3),
    ],
)
ANSWER = Answer("The rent is $99 [S1].", "m", citations_in("[S1]", GIVEN), GIVEN)
QUOTES = "- The base rent is $25,000 a month. [S2.2]\n- The base rent is $31,500 a month. [S3]"
QUOTED = Answer(QUOTES, "extractive", citations_in(QUOTES, FOUND), FOUND)


def test_quotes_stand_under_the_answer_with_labels_of_their_own() -> None:
    both = beside(ANSWER, QUOTED)
    assert both.text == (
        f"The rent is $99 [S1].\n\n## {HEADING}\n\n"
        "- The base rent is $25,000 a month. [S3.2]\n- The base rent is $31,500 a month. [S4]"
    )
    assert [piece.label for piece in both.evidence] == ["S1", "S2", "S3", "S4"]
    quotes = {each.label: [block.text for block in each.blocks] for each in both.citations}
    assert quotes["S1"] == ["The premises are in Ohio."]
    assert quotes["S3.2"] == ["The base rent is $25,000 a month."]
    assert quotes["S4"] == ["The base rent is $31,500 a month."]
    assert both.answerer == "m"


def test_where_nothing_was_found_the_answer_stays_as_it_was() -> None:
    assert beside(ANSWER, Answer("Nothing.", "extractive", found=False)) == ANSWER
    assert beside(ANSWER, Answer("Nothing cited.", "extractive")) == ANSWER


@pytest.mark.parametrize(
    ("kind", "result", "short"),
    [
        ("figure", "not supported", True),
        ("figure", "stands", False),
        ("figure", "computed", False),
        ("date", "not supported", False),
    ],
)
def test_an_answer_falls_short_by_a_figure_without_support(
    kind: CheckKind, result: CheckResult, short: bool
) -> None:
    checked = Answer("It is $99.", "m", checks=(Check(kind, "$99", 6, 9, result),))
    assert falls_short(checked) is short


def test_one_that_broke_off_falls_short() -> None:
    assert falls_short(Answer("It is", "m", partial=True))
    assert not falls_short(Answer("It is.", "m"))
    assert not falls_short(Answer("It is", "m", partial=True, warnings=(str(AnswerStopped()),)))
