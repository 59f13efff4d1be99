"""What a question names that no figure or topic knows: what each document states on it."""

from dataclasses import replace
from pathlib import Path

import pytest

from docqa.compare.stated import definition, headed, stated_figure, with_stated
from docqa.compare.subject import named_in
from docqa.compare.terms import said_by
from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.comparison import Comparison, TermComparison, TermSide
from docqa.types.document import Block, Box
from docqa.workspace import Workspace
from tests.compare.pages import block, document

BLOCK = Block("We had 120 active users.", 1, Box(0, 0, 10, 10))
A = TermSide("a", "A.pdf", "We had 120 active users.", (BLOCK,), chance=0.7)
B = TermSide("b", "B.pdf", "There were 90 active users.", (BLOCK,), chance=0.4)
NOT_IN_B = TermSide("b", "B.pdf", nearest_page=3)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Compare the break date", "Break date"),
        ("What is the difference between the WAULT in and the?", "WAULT"),
        ("Compare the notice periods in the Coral Gold and Medalist agreements", "Notice periods"),
        ("active buyers 2018 vs 2021", "Active buyers"),
        ("", ""),
    ],
)
def test_what_is_named_is_told_without_the_words_that_compare(question: str, named: str) -> None:
    assert named_in(question) == named


def test_what_each_document_states_is_a_term_of_its_own_where_there_is_none() -> None:
    (row,) = with_stated((), (A, B), "Active users")
    assert (row.topic, row.sides, row.note) == ("Active users", (A, B), "differs")
    assert with_stated((), (NOT_IN_B,), "Active users") == ()


def test_a_side_that_no_wording_told_is_given_what_its_document_surely_or_likely_states() -> None:
    known = TermComparison("Users", (TermSide("a", "A.pdf"), NOT_IN_B), "")
    (row,) = with_stated((known,), (A, B), "Active users")
    assert row.topic == "Users"
    assert row.sides[0] == A
    unsure = row.sides[1]
    assert (unsure.quote, unsure.nearest_quote, unsure.likely) == ("", B.quote, True)
    assert row.note == "nearest, worded differently"
    (row,) = with_stated((known,), (A, NOT_IN_B), "Active users")
    assert (row.sides, row.note) == ((A, NOT_IN_B), "only in A.pdf")


def test_what_nearly_settles_a_topic_is_likely() -> None:
    near = TermSide("b", "B.pdf", nearest_page=3, nearest_quote="Users were 90.", chance=0.05)
    for chance, likely in ((0.05, True), (0.01, False)):
        known = TermComparison("Users", (A, replace(near, chance=chance)), "")
        (row,) = with_stated((known,), (A,), "Active users")
        assert row.sides[1].likely == likely


def test_one_amount_of_one_unit_on_each_side_is_a_figure() -> None:
    blocks = [
        block("5.2 The charge shall not exceed £31,200, as indexed."),
        block("6.2 The charge shall not exceed £30,000, as indexed."),
        block("The charge shall not exceed £30,000 for 5 years."),
    ]
    sides = [TermSide("abc"[n], "x.pdf", b.text, (b,)) for n, b in enumerate(blocks)]
    (row,) = stated_figure("Charge", sides[:2])
    assert (row.label, row.difference, row.unit) == ("Charge", "+£1.2K", "GBP")
    assert stated_figure("Charge", sides[1:]) == ()


def test_a_heading_tells_what_its_sentence_does_not_name() -> None:
    says = "For twelve months the Recipient shall not acquire any securities of the Discloser."
    blocks = [block("8. Standstill", kind="heading", index=1), block(says, index=2)]
    assert headed("standstill", said_by(document("a")), blocks).quote == says
    assert headed("standstill period", said_by(document("a")), blocks).quote == ""
    held = [block("9. Indemnification", kind="heading"), block("Neither party is.", index=1)]
    assert headed("indemnities", said_by(document("a")), held).quote == "Neither party is."


def test_a_definition_is_what_is_stated_on_a_term() -> None:
    blocks = [block("The Margin is paid."), block("“Margin” means 2.75 per cent per annum.")]
    own = document("a")
    assert definition("margin", own, blocks).quote == blocks[1].text
    assert definition("interest", own, blocks).quote == ""


def test_a_fact_that_two_documents_state_is_compared(
    tmp_path: Path, reader: ReadingProcess
) -> None:
    said = "At the end of the year the platform had {} million active users in all countries."
    for name, count in (("Alpha.md", 120), ("Beta.md", 90)):
        (tmp_path / name).write_text(f"# {name[:-3]} report\n\n{said.format(count)}\n\n## Other\n")
    with Workspace(tmp_path / "library", reader=reader) as workspace:
        workspace.add([tmp_path / "Alpha.md", tmp_path / "Beta.md"])
        asked = "Compare the number of active users of Alpha and Beta"
        *_, made = workspace.ask(asked, answerer="extractive")
        assert isinstance(made, Comparison)
        (row,) = made.terms
        assert row.topic == "Number of active users"
        assert [side.quote for side in row.sides] == [said.format(120), said.format(90)]
        assert "Only in" not in made.text
