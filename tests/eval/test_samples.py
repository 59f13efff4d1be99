"""What counts as right in answers on the samples, and that the questions are whole."""

from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pytest

from docqa.installation import SAMPLES
from docqa.types.answer import Answer
from tests.eval.labelled import labels
from tests.eval.samples import Outcome, first_finding, holds, holds_all, report

QUESTIONS = labels("sample_questions")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Purchase price: $19.4M [S1.2]", "$19,400,000"),
        ("Purchase price, in dollars: 19,400,000", "$19,400,000"),
        ("a cap rate of 5.8 per cent", "5.8%"),
        ("a rise of 5.7%", "5.66%"),
        ("297 − 236.71 = $60.29", "$60"),
        ("not less than 6 months’ notice", "six months"),
        ("from March 1, 2026", "1 March 2026"),
        ("due 24 June and 29 September", "24 June"),
        ("Northgate Family  Medicine: 24,000", "Northgate Family Medicine"),
        ("Year built: 2011", "2011"),
    ],
)
def test_an_answer_is_known_however_it_is_printed(text: str, part: str) -> None:
    assert holds(text, part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Purchase price: $19.0M", "$19,400,000"),
        ("a rise of 6%", "5.66%"),
        ("Rent of Level 14", "£14"),
        ("$14 a foot", "£14"),
        ("not above £14.50 a foot", "£14"),
        ("at any time within 60 days [S60]", "$60"),
        ("nine months’ notice", "six months"),
        ("due March 24, 2025", "14 March 2025"),
        ("Northgate", "Northgate Family Medicine"),
        ("1.2 million [S1.20]", "20.75"),
    ],
)
def test_another_answer_is_not_taken_for_it(text: str, part: str) -> None:
    assert not holds(text, part)


def test_what_stands_first_is_a_line_or_a_whole_list() -> None:
    text = "A.pdf:\n- Fenwick: 2031 [S1]\n- Credit union: 2029 [S2]\n\nAlso\n- Vacant: 230 [S3]"
    assert first_finding(text, listed=False) == "- Fenwick: 2031 [S1]"
    assert holds_all(first_finding(text, listed=True), ["Fenwick", "Credit union"])
    assert not holds(first_finding(text, listed=True), "Vacant")
    assert first_finding("Not found.", listed=True) == ""


def test_each_outcome_is_counted_in_its_place() -> None:
    value = {"kind": "value", "answer": ["5.8%"]}
    outcomes = [
        Outcome(value, Answer("Cap rate: 5.8% [S1]", "extractive")),
        Outcome(value, Answer("Rent: 5 [S1]\nCap rate: 5.8% [S2]", "extractive")),
        Outcome(value, Answer("Not found.", "extractive", found=False)),
        Outcome({"kind": "absent", "answer": None}, Answer("Rent: 5 [S1]", "extractive")),
    ]
    assert [o.right_first for o in outcomes[:3]] == [True, False, False]
    shares = [line.split() for line in report(outcomes).splitlines()[2:]]
    assert shares[0][:2] == ["all", "0.333"]  # right first
    assert shares[0][5::4] == ["0.667", "0.000", "0.000", "0.333"]
    assert shares[1][:3] == ["absent", "answered", "1.000"]


def test_half_of_the_questions_is_held_out() -> None:
    assert len(QUESTIONS) == 68
    assert [each["held_out"] for each in QUESTIONS] == [False, True] * 34
    assert sum(each["answer"] is None for each in QUESTIONS) == 8


@pytest.mark.parametrize("asked", [q for q in QUESTIONS if q["kind"] not in ("sum", "absent")])
def test_the_pages_hold_the_answer(asked: dict[str, Any]) -> None:
    """A sum is on no page; of every other answer each page named holds each part."""
    for name, numbers in asked["pages"].items():
        with pypdfium2.PdfDocument(SAMPLES / name) as document:
            for number in numbers:
                text = document[number - 1].get_textpage().get_text_bounded()
                assert [part for part in asked["answer"] if not holds(text, part)] == []
