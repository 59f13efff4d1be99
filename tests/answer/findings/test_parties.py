"""Who the parties of an agreement are, in the words it opens with."""

from dataclasses import replace

import pytest

from docqa.answer.findings.parties import parties_of
from docqa.types.document import Block
from tests.answer.findings.judged import source_of
from tests.answer.passages import asked, block, document, hit

OPENING = "This Agreement is between Ash, LLC (“Owner”) and ELM & SONS LTD (“Agent”), dated today."
DOCUMENT = replace(
    document("Agreement.pdf"), description="Agreement between Ash, LLC and Elm & Sons Ltd."
)


def told(question: str, *blocks: Block) -> list[str]:
    points = parties_of(asked(question), source_of(hit(*blocks, of=DOCUMENT)))
    lines = (line.partition(" [S1")[0] for line in points.splitlines()[1:])
    return [line.removeprefix("- ") for line in lines]


@pytest.mark.parametrize(
    "question",
    ["Who are the two parties?", "Between whom is this contract?", "who signed the lease"],
)
def test_the_sentence_that_names_all_is_told(question: str) -> None:
    blocks = block("Ash, LLC", 1), block(f"{OPENING} The Agent works.", 1)
    (line,) = told(question, *blocks)
    assert line == f"“{OPENING}”".replace("(“", "(‘").replace("”)", "’)")


def test_parties_named_one_after_the_other_are_told_each() -> None:
    blocks = block("(1) Ash, LLC, of Elmton; and", 1), block("(2) Elm & Sons Ltd, of Oakham.", 1)
    assert len(told("Who are the parties?", *blocks)) == 2


@pytest.mark.parametrize("question", ["What must the parties keep secret?", "Who is the agent?"])
def test_what_else_is_asked_of_them_is_another_question(question: str) -> None:
    assert told(question, block(OPENING, 1)) == []
