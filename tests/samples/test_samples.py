"""The samples are what their texts say, and their questions are answered where it is claimed."""

import re
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest

from docqa.samples.questions import QUESTIONS, SampleQuestion
from tests.samples import make

FOLDER = make.FOLDER
PDFS = sorted(FOLDER.glob("*.pdf"))


def page_texts(path: Path) -> list[str]:
    """Each page's text with single spaces."""
    document = pypdfium2.PdfDocument(path)
    texts = []
    for page in document:
        layer = page.get_textpage()
        texts.append(" ".join(layer.get_text_bounded().split()))
        layer.close()
        page.close()
    document.close()
    return texts


def test_the_texts_give_the_committed_bytes(tmp_path: Path) -> None:
    made = make.main(tmp_path)
    assert [path.name for path in made] == [path.name for path in PDFS]
    for new, committed in zip(made, PDFS, strict=True):
        assert new.read_bytes() == committed.read_bytes(), committed.name


@pytest.mark.parametrize("path", PDFS, ids=lambda path: path.stem)
def test_a_sample_has_three_to_six_numbered_pages(path: Path) -> None:
    texts = page_texts(path)
    assert 3 <= len(texts) <= 6
    for number, text in enumerate(texts[1:], start=2):
        assert f"Page {number}" in text


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.question)
def test_the_facts_stand_on_the_pages_named(question: SampleQuestion) -> None:
    pages = {name: page_texts(FOLDER / name) for name in question.pages}
    texts = {name: [pages[name][page - 1] for page in question.pages[name]] for name in pages}
    everything = " ".join(" ".join(of_one) for of_one in texts.values())
    missing = [fact for fact in question.facts if fact not in everything]
    assert not missing
    for name, of_one in texts.items():
        assert any(fact in " ".join(of_one) for fact in question.facts), name


@pytest.mark.parametrize(
    ("name", "page", "income", "price", "rate"),
    [
        ("Property_A_Offering_Memo.pdf", 5, 1_200_000, 19_400_000, 6.2),
        ("Property_B_Final_OM.pdf", 3, 1_100_000, 19_000_000, 5.8),
        ("Property_C_Presentation.pdf", 3, 1_600_000, 24_600_000, 6.5),
    ],
)
def test_income_price_and_rate_agree(
    name: str, page: int, income: int, price: int, rate: float
) -> None:
    text = page_texts(FOLDER / name)[page - 1]
    assert round(100 * income / price, 1) == rate
    assert f"${income / 1e6:.1f}M in NOI for 2024" in text
    assert f"${price / 1e6:.1f}M purchase price" in text
    assert f"{rate}% cap rate" in text


@pytest.mark.parametrize("name", ["Property_A_Offering_Memo", "Property_B_Final_OM"])
def test_the_income_statement_adds_up(name: str) -> None:
    rows = income_rows(make.TEXTS / f"{name}.txt")
    for column in range(len(rows["Base rent"])):
        amounts = [(label, row[column]) for label, row in rows.items()]
        running = 0
        for label, amount in amounts:
            if label in ("Gross income", "Effective gross income", "Net operating income"):
                assert amount == running, (label, column)
            else:
                running += amount


def income_rows(text: Path) -> dict[str, list[int]]:
    """The income statement's rows; amounts in brackets are negative."""
    statement = text.read_text("utf-8").split("| US dollars |")[1].split("\n\n")[0]
    rows = {}
    for line in statement.splitlines()[1:]:
        label, *amounts = [cell.strip() for cell in line.strip("|* ").split("|")]
        rows[label] = [_amount(amount) for amount in amounts]
    return rows


def _amount(text: str) -> int:
    digits = int(re.sub(r"\D", "", text))
    return -digits if text.startswith("(") else digits
