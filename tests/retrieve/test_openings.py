"""Documents' openings: who made them, with whom and when."""

from pathlib import Path

import pytest

from docqa.question.opening import opening_chance
from docqa.settings import DEFAULTS
from docqa.workspace import Workspace
from tests.bundled import vectors

OPENING = "# Lease\n\nTHIS DEED is made on 4 May 2021 by Ash Estates Ltd and Elm Foods plc."
CLAUSES = [
    f"## Clause {at}\n\nThe parties to the agreement shall at all times observe rule {at}; each "
    f"of the parties shall tell the other where the agreement or rule {at} was not observed."
    for at in range(1, 41)
]


@pytest.mark.parametrize(
    ("asked", "likely"),
    [
        ("Who are the parties to the agreement?", True),
        ("When was the lease signed?", True),
        ("Who is the landlord?", True),
        ("Who pays for repairs?", False),
        ("How much is the monthly rent?", False),
        ("What were net sales in 2022?", False),
    ],
)
def test_how_a_question_is_put_tells_whether_an_opening_answers(asked: str, likely: bool) -> None:
    assert (opening_chance(asked, vectors) > 0.5) == likely


def test_an_opening_is_found_where_every_clause_has_the_words(tmp_path: Path) -> None:
    lease = tmp_path / "Lease.md"
    lease.write_text("\n\n".join([OPENING, *CLAUSES]), encoding="utf-8")
    with Workspace(tmp_path / "library") as workspace:
        workspace.add([lease])
        found = workspace.search("Who are the parties to the agreement?").hits[0]
        assert "Ash Estates Ltd" in found.chunk.text
        assert found.scores["opening"] > 0.5
        others = workspace.search("What must the parties observe in clause 17?").hits
        assert not any("opening" in hit.scores for hit in others)


def test_of_three_documents_the_first_passage_is_read_with_no_more_in_all(tmp_path: Path) -> None:
    papers = [tmp_path / f"Lease {name}.md" for name in "ABC"]
    for paper in papers:
        own = OPENING.replace("Ash", paper.stem)
        paper.write_text("\n\n".join([own, *CLAUSES]), encoding="utf-8")
    with Workspace(tmp_path / "library") as workspace:
        workspace.add(papers)
        found = workspace.search("Who are the parties to the agreement?", top_k=40).hits
        openings = [hit.chunk.index for hit in found if "opening" in hit.scores]
        assert openings == [0, 0, 0]
        assert sum("read" in hit.scores for hit in found) == DEFAULTS.search.reranked
