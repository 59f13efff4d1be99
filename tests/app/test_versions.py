"""Several versions of a text that are asked at once, by words that are not theirs."""

from collections.abc import Iterator

import pytest

from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.workspace import Workspace

POLICY = """# Travel policy {year}

## 1. Rail

Second class is booked on all journeys of less than two hours.

## 2. Rooms

A hotel room may cost €{most} a night at most, breakfast included.

## 3. Claims

A claim is handed in within thirty days with all receipts.
"""


@pytest.fixture(scope="module")
def versions(
    tmp_path_factory: pytest.TempPathFactory, reader: ReadingProcess
) -> Iterator[Workspace]:
    place = tmp_path_factory.mktemp("versions")
    for year, most in ((2023, 190), (2022, 175), (2025, 210)):
        text = POLICY.format(year=year, most=most)
        (place / f"Travel_Policy_{year}.md").write_text(text, encoding="utf-8")
    with Workspace(place / "library", reader=reader) as opened:
        opened.add(sorted(place.glob("*.md")))
        yield opened


def test_what_changed_across_versions_is_a_comparison_of_all(versions: Workspace) -> None:
    *_, made = versions.ask("What changed across the three versions?", answerer="extractive")
    assert isinstance(made, Comparison)
    assert all(each in made.text for each in ("€210", "€190", "€175"))


def test_where_nothing_can_be_compared_each_version_says_its_own_the_latest_first(
    versions: Workspace,
) -> None:
    question = "Compare the price of lodging across the three versions"
    *_, given = versions.ask(question, answerer="extractive")
    assert isinstance(given, Answer)
    heads = [part.partition(":")[0] for part in given.text.split("\n\n")]
    assert heads == [f"Travel Policy {year}" for year in (2025, 2023, 2022)]
    assert all(each in given.text for each in ("€210", "€190", "€175"))
