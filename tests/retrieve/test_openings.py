"""Documents' openings: who made them, with whom and when."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import docx
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
        ("When does the lease expire?", True),
        ("How can the agreement be terminated?", False),
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
        others = workspace.search("What happens if a party does not observe the rules?").hits
        assert not any("opening" in hit.scores for hit in others)


def test_contents_before_an_opening_are_passed_over_and_its_particulars_not(
    tmp_path: Path,
) -> None:
    lease = tmp_path / "Lease.docx"
    made = docx.Document()
    lines = [(f"{at}. Rules of kind {at}", str(at + 1)) for at in range(1, 61)]
    made.add_paragraph("Contents")
    table(made, lines)
    made.add_paragraph("This lease is made on 4 May 2021.")
    table(made, [("Landlord", "Ash Estates Ltd"), ("Tenant", "Elm Foods plc"), ("Rent", "£500")])
    for text in CLAUSES:
        made.add_paragraph(text.partition("\n\n")[2])
    made.save(str(lease))
    with Workspace(tmp_path / "library") as workspace:
        workspace.add([lease])
        found = workspace.search("Who is the landlord?", top_k=20).hits
        opening = [hit.chunk.text for hit in found if "opening" in hit.scores]
        assert any("Ash Estates Ltd" in text for text in opening)
        assert sum("Rules of kind" in text for text in opening) < 2


def table(document: Any, rows: Sequence[tuple[str, str]]) -> None:
    made = document.add_table(len(rows), 2)
    for row, texts in zip(made.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text


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
