"""Feet of pages inside sentences that run on over a page's end."""

import pytest

from docqa.answer.findings.quotes import quotes_of
from docqa.compare.terms import sentences_of
from docqa.language.page_breaks import run_on
from docqa.types.answer import Evidence
from tests.answer.passages import block, hit

FOOT = "844.KEY.CURE | www.example.com"


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (f"holds it harmless from {FOOT}", "holds it harmless from … and against all claims."),
        ("holds it harmless from Page 1 of 7", "holds it harmless from … and against all claims."),
        ("holds it harmless from - 3 -", "holds it harmless from … and against all claims."),
        ("holds it harmless from 3", "holds it harmless from 3 and against all claims."),
        ("is told on www.example.com", "is told on … and against all claims."),
        ("It is over. Page 1", "It is over. Page 1 and against all claims."),
    ],
)
def test_the_foot_of_a_page_is_left_out_of_a_sentence(ends: str, said: str) -> None:
    pages = [block(ends, 1), block("and against all claims.", 2, continues=True)]
    assert run_on(pages) == (said, [0, said.index("and")])


def test_on_one_page_nothing_is_left_out() -> None:
    lines = [block(f"See {FOOT}", 1), block("for more.", 1, continues=True)]
    assert run_on(lines)[0] == f"See {FOOT} for more."


def test_neither_answers_nor_comparisons_quote_the_foot() -> None:
    pages = (
        block(f"The Consultant shall indemnify the Company and hold it harmless from {FOOT}", 1),
        block("and against all claims and damages.", 2, continues=True),
    )
    [quote] = quotes_of(Evidence("S1", hit(*pages)))
    [sentence] = sentences_of(pages)
    assert quote.text == sentence.text
    assert quote.text.endswith("hold it harmless from … and against all claims and damages.")
    assert sentence.blocks == pages
