"""A conversation written out: nothing of a document becomes markup, every quote is there."""

import io
from dataclasses import replace

import docx

from docqa.present.as_markdown import as_markdown
from docqa.present.conversation import Transcript, conversation
from docqa.present.export import CONVERSATION
from docqa.types.answer import Answer, Citation, Message
from docqa.types.document import Block, Box
from tests.ui.conftest import HOSTILE

BLOCK = Block(HOSTILE, 3, Box(0, 0, 1, 1))
CITED = Citation("S1", "a" * 64, "Lease_*A*.pdf", 3, HOSTILE, (BLOCK,), "verified")
ANSWER = Answer(f"“{HOSTILE}” [S1]", "extractive", (CITED,), warnings=("Read *this* [S1].",))
TALK = Transcript("Fees", [("What is the fee_cap?", Message("assistant", ANSWER.text, ANSWER))])


def word_document(transcript: Transcript) -> tuple[list[str], list[list[list[str]]]]:
    """The paragraphs and the tables' rows."""
    [form] = [each for each in CONVERSATION if each.ending == "docx"]
    document = docx.Document(io.BytesIO(form.write(transcript)))
    tables = [[[c.text for c in row.cells] for row in t.rows] for t in document.tables]
    return [paragraph.text for paragraph in document.paragraphs], tables


def test_markdown_shows_the_documents_signs_as_written() -> None:
    written = as_markdown(conversation(TALK))
    bare = written.replace("\\", "")
    assert bare.startswith("# Fees\n\n## What is the fee_cap?\n\n")
    assert bare.count(HOSTILE) == 2
    assert f"| Lease_*A*.pdf | p. 3 | stands on the page | {HOSTILE} |" in bare
    assert "> Read *this* [Lease_*A* p. 3]." in bare
    assert "> Quoted from the documents, without a language model." in bare
    assert "<b>" not in written
    assert "$1.2M" not in written.replace("\\$", "")
    rows = [line for line in written.splitlines() if line.startswith("|")]
    assert {row.replace("\\|", "").count("|") for row in rows} == {5}


def test_every_citation_leads_to_its_page() -> None:
    linked = replace(TALK, address="http://127.0.0.1:8501")
    there = f"http://127.0.0.1:8501/?document={'a' * 64}&page=3&boxes=0,0,1,1"
    assert f"[p. 3](<{there}>)" in as_markdown(conversation(linked))
    [form] = [each for each in CONVERSATION if each.ending == "docx"]
    related = docx.Document(io.BytesIO(form.write(linked))).part.rels.values()
    assert [each.target_ref for each in related if each.is_external] == [there]
    assert word_document(linked)[1][0][1][1] == "p. 3"


def test_a_line_that_begins_like_a_list_is_none_in_markdown() -> None:
    answer = Answer("- 5.2 °C\n\n1. The rent\n\n2024. It ended.", "")
    written = as_markdown(conversation(Transcript("", [("?", Message("assistant", "", answer))])))
    assert "\n1. The rent\n" in written  # it is the answer's own list
    assert "2024\\. It ended." in written


def test_word_has_the_question_the_answer_and_its_quotes() -> None:
    paragraphs, [[header, cited]] = word_document(TALK)
    assert paragraphs[:2] == ["Fees", "What is the fee_cap?"]
    assert paragraphs[2] == f"“{HOSTILE}” [Lease_*A* p. 3]"
    assert header == ["Document", "Place", "Check", "Quote"]
    assert cited == ["Lease_*A*.pdf", "p. 3", "stands on the page", HOSTILE]


def quotes_in_word(*cited: Citation) -> list[str]:
    answer = Answer("Nothing answers this.", "extractive", cited)
    talk = Transcript("", [("Which colour?", Message("assistant", answer.text, answer))])
    [[_, *rows]] = word_document(talk)[1]
    return [row[3] for row in rows]


def test_a_passage_that_is_only_near_is_quoted_in_brief() -> None:
    text = "The rent is due.\n\n" + "It is paid on time. " * 100
    near = replace(CITED, quote=text, verified="near")
    [brief, whole] = quotes_in_word(near, replace(near, verified="verified"))
    assert brief.startswith("The rent is due. It is paid on time.")
    assert brief.endswith(" …")
    assert len(brief) <= 322
    assert whole == text.replace("\n\n", "\n")


GRID = "## Terms\n\n| Term | A |\n| --- | --- |\n| Rent | $5 [S1] |\n\nIt is **$5**.\n\n3. x\n4. y"


def test_a_table_in_an_answer_is_a_table_in_the_file() -> None:
    answer = Answer(GRID, "claude", (CITED,))
    talk = Transcript("Rent", [("What is the rent?", Message("assistant", answer.text, answer))])
    written = as_markdown(conversation(talk)).replace("\\", "")
    rows = "| Term | A |\n| --- | --- |\n| Rent | $5 [Lease_*A* p. 3] |"
    assert f"### Terms\n\n{rows}\n\nIt is **$5**.\n\n3. x\n4. y" in written
    paragraphs, [terms, _] = word_document(talk)
    assert terms == [["Term", "A"], ["Rent", "$5 [Lease_*A* p. 3]"]]
    assert {"It is $5.", "3. x", "4. y"} <= set(paragraphs)


def test_an_answer_that_broke_off_says_so() -> None:
    message = Message("assistant", "", Answer("The rent is", "claude", partial=True))
    paragraphs, _ = word_document(Transcript("", [("Rent?", message)]))
    assert paragraphs[0] == "Rent?"
    assert "Partial answer: it was cut off here." in paragraphs
