"""Evidence packs: every place cited once, with its picture, and nothing asked of anyone."""

import io
import re
from decimal import Decimal

import docx
from PIL import Image

from docqa.present.conversation import Transcript
from docqa.present.document import Picture
from docqa.present.evidence import Pack, evidence, of_comparison, of_transcript
from docqa.present.export import EVIDENCE
from docqa.types.answer import Answer, Citation, Message, Usage
from docqa.types.document import Block
from tests.present.sample import RECORD, A, B, block

MADE = "2026-03-01T10:00+00:00"


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 20), (255, 255, 255)).save(out, "JPEG")
    return out.getvalue()


def cut(document_id: str, page: int, blocks: object) -> Picture | None:
    return Picture(picture(), f"page {page}", 300) if document_id == A.id else None


def cited(document_id: str, name: str, words: str, page: int) -> Citation:
    place: tuple[Block, ...] = (block(words, page),)
    return Citation("S1", document_id, name, page, words, place, "verified")


RENT = cited(A.id, A.name, "The rent is <b>$5</b>.", 2)
ELSEWHERE = cited(B.id, B.name, "The rent is $6.", 3)
USAGE = Usage(input_tokens=900, output_tokens=100, cost_usd=Decimal("0.012"))
ANSWER = Answer("It is $5 [S1].", "claude-sonnet-5-5", (RENT, RENT, ELSEWHERE), usage=USAGE)
TALK = Transcript(
    "Rents",
    [("What is the rent?", Message("assistant", ANSWER.text, ANSWER))],
    "http://127.0.0.1:8501",
)


def page_of(pack: Pack) -> str:
    [form] = [each for each in EVIDENCE if each.ending == "html"]
    return form.write(evidence(pack, cut)).decode()


def test_each_place_has_its_picture_quote_hash_and_check() -> None:
    page = page_of(of_transcript(TALK, MADE))
    assert page.count("data:image/jpeg;base64,") == 1
    assert page.count("There is no picture of this place") == 1
    assert page.count("<h3>") == 2
    for wanted in (
        A.id,
        B.id,
        "“The rent is &lt;b&gt;$5&lt;/b&gt;.”",
        "stands on the page",
        "1 March 2026, 10:00 UTC",
    ):
        assert wanted in page
    assert "claude-sonnet-5-5" in page
    assert "1,000 tokens" in page
    assert "0.012" in page


def test_a_pack_asks_for_nothing_and_leads_into_the_app() -> None:
    page = page_of(of_transcript(TALK, MADE))
    asked = re.findall(
        r"""(?:src|srcset|@import|url\()\s*=?\s*["']?(?!data:)(http[^"'\s>]+)""", page
    )
    assert asked == []
    assert "<script" not in page
    assert f'href="http://127.0.0.1:8501/?document={A.id}&amp;page=2&amp;boxes=' in page


def test_without_a_model_it_says_so_and_that_nothing_was_sent() -> None:
    quoted = Answer("It is $5 [S1].", "extractive", (RENT,))
    talk = Transcript("", [("What is the rent?", Message("assistant", quoted.text, quoted))])
    page = page_of(of_transcript(talk, MADE))
    assert "<h1>What is the rent?</h1>" in page
    assert "without a language model" in page
    assert "nothing was sent to a language model" in page


def test_a_comparison_has_a_pack_and_a_word_file_holds_the_pictures() -> None:
    [form] = [each for each in EVIDENCE if each.ending == "docx"]
    document = docx.Document(io.BytesIO(form.write(evidence(of_comparison(RECORD), cut))))
    assert len(document.inline_shapes) == 1
    texts = [each.text for each in document.paragraphs]
    assert "Lease A asks more [DocA p. 1 ✓]." in texts
    assert "page 1" in texts
    cells = [c.text for table in document.tables for row in table.rows for c in row.cells]
    assert A.id in cells
    assert [table.rows[0].cells[0].text for table in document.tables][:2] == ["Figure", "Term"]


def test_what_cites_nothing_says_so() -> None:
    bare = Answer("Nothing was found that answers this.", "extractive", found=False)
    talk = Transcript("", [("Why?", Message("assistant", bare.text, bare))])
    assert "Nothing is cited." in page_of(of_transcript(talk, MADE))


def test_a_picture_stands_on_one_page_with_its_heading_and_its_quote() -> None:
    [form] = [each for each in EVIDENCE if each.ending == "docx"]
    document = docx.Document(io.BytesIO(form.write(evidence(of_transcript(TALK, MADE), cut))))
    texts = [each.text for each in document.paragraphs]
    caption = texts.index("page 2")
    heading, shown = document.paragraphs[caption - 2 : caption]
    assert heading.text == "1. Lease_A.pdf, p. 2"
    assert shown._p.xpath(".//pic:pic")
    assert shown.paragraph_format.keep_with_next
    assert document.paragraphs[caption].paragraph_format.keep_with_next
    assert texts[caption + 1].startswith("Quote:")
