"""Several versions of a text that are asked at once, by words that are not theirs."""

from pathlib import Path

from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.answer import Answer
from docqa.workspace import Workspace

POLICY = """# Travel policy {year}

## 1. Rail

Second class is booked on all journeys of less than two hours.

## 2. Rooms

A hotel room may cost €{most} a night at most, breakfast included.

## 3. Claims

A claim is handed in within thirty days with all receipts.
"""


def test_where_nothing_can_be_compared_each_version_says_its_own_the_latest_first(
    tmp_path: Path, reader: ReadingProcess
) -> None:
    for year, most in ((2023, 190), (2022, 175), (2025, 210)):
        text = POLICY.format(year=year, most=most)
        (tmp_path / f"Travel_Policy_{year}.md").write_text(text, encoding="utf-8")
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add(sorted(tmp_path.glob("*.md")))
        question = "How has the hotel cap changed across the three versions?"
        *_, given = opened.ask(question, answerer="extractive")
    assert isinstance(given, Answer)
    order = [given.text.find(each) for each in ("€210", "€190", "€175")]
    assert order == sorted(order)
    assert -1 not in order
