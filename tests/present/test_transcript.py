"""A conversation written out: nothing of a document becomes markup, every quote is there."""

import io
import zipfile

from docqa.present import transcript
from docqa.types.answer import Answer, Citation, Message
from docqa.types.document import Block, Box
from tests.ui.conftest import HOSTILE

BLOCK = Block(HOSTILE, 3, Box(0, 0, 1, 1))
CITED = Citation("S1", "a" * 64, "Lease_*A*.pdf", 3, HOSTILE, (BLOCK,), "verified")
ANSWER = Answer(f"“{HOSTILE}” [S1]", "extractive", (CITED,), warnings=("Read *this*.",))
TALK = [("What is the fee_cap?", Message("assistant", ANSWER.text, ANSWER))]


def test_markdown_shows_the_documents_signs_as_written() -> None:
    written = transcript.to_markdown("Fees", TALK).decode()
    bare = written.replace("\\", "")
    assert bare.startswith("# Fees\n\n## What is the fee_cap?\n\n")
    assert bare.count(HOSTILE) == 2
    assert "[Lease_*A* p. 3]" in bare
    assert "- Lease_*A*.pdf, p. 3 (verified on the page): “" in bare
    assert "> Read *this*." in bare
    assert "*Quoted from the documents, without a language model.*" in bare
    assert "<b>" not in written
    assert " | " not in written.replace("\\|", "")
    assert "$1.2M" not in written.replace("\\$", "")


def test_word_has_the_question_the_answer_and_its_quotes() -> None:
    archive = zipfile.ZipFile(io.BytesIO(transcript.to_docx("Fees", TALK)))
    text = archive.read("word/document.xml").decode()
    assert "What is the fee_cap?" in text
    assert text.count("&lt;b&gt;costs&lt;/b&gt;") == 2
    assert "<w:tbl>" in text
    assert "Lease_*A*.pdf" in text


GRID = "## Terms\n\n| Term | A |\n| --- | --- |\n| Rent | $5 [S1] |\n\nIt is $5."


def test_a_table_in_an_answer_is_a_table_in_the_file() -> None:
    answer = Answer(GRID, "claude", (CITED,))
    talk = [("What is the rent?", Message("assistant", answer.text, answer))]
    written = transcript.to_markdown("Rent", talk).decode().replace("\\", "")
    rows = "| Term | A |\n| --- | --- |\n| Rent | $5 [Lease_*A* p. 3] |"
    assert f"### Terms\n\n{rows}\n\nIt is $5." in written
    archive = zipfile.ZipFile(io.BytesIO(transcript.to_docx("Rent", talk)))
    assert archive.read("word/document.xml").decode().count("<w:tbl>") == 2
