"""What a document is called."""

import pytest

from docqa.ingest.titles import title_of
from docqa.types.document import Block, BlockKind, Box


def block(text: str, kind: BlockKind = "heading", *, level: int = 0, page: int = 1) -> Block:
    return Block(text, page, Box(0, 0, 1, 1), kind, level=level)


def test_the_greatest_heading_of_the_first_page() -> None:
    blocks = [block("Summary", level=3), block("Annual Review", level=1), block("Costs", level=1)]
    assert title_of(blocks, 1) == "Annual Review"


def test_a_filing_is_its_registrant_and_form() -> None:
    blocks = [
        block("UNITED STATES SECURITIES AND EXCHANGE COMMISSION", level=1),
        block("FORM 10-K", level=1),
        block("AMCOR PLC", "table"),
        block("(Exact name of registrant as specified in its charter)", "table"),
    ]
    assert title_of(blocks, 1) == "AMCOR PLC, Form 10-K"


@pytest.mark.parametrize("text", ["EXHIBIT 10.5", "Table of Contents", "1. Definitions", "DRAFT"])
def test_boilerplate_is_no_title(text: str) -> None:
    assert title_of([block(text, level=1), block("Hosting Agreement", level=4)], 1) == (
        "Hosting Agreement"
    )


def test_no_heading_is_no_title() -> None:
    assert title_of([block("Plain text.", "text"), block("Later", level=1, page=2)], 1) == ""


def test_a_long_title_is_cut_between_words() -> None:
    title = title_of([block("word " * 60, level=1)], 1)
    assert len(title) <= 150
    assert title.endswith("word…")
