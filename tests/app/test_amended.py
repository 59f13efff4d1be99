"""What an amendment says stands before what the document says that it amends."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docqa.ingest.reading.reader import ReadingProcess
from docqa.types.answer import Answer
from docqa.types.review import Column
from docqa.workspace import Workspace

LEASE = """# Lease of Elm Yard

This lease is dated 18 March 2019 and made between Ash Estates Ltd and Oak Tools Ltd.

# 1. Rent

The annual rent is £186,500, payable by four equal instalments on the usual quarter days.

# 2. Assignment

The tenant shall not assign this lease without the landlord's prior written consent.

# 3. Break

3.1 The tenant may end this lease on 25 March 2026 by six months' written notice.
"""
DEED = f"""# Deed of variation

This deed is dated 9 May 2024 and made between Ash Estates Ltd and Oak Tools Ltd.

{"The parties have agreed what follows after long talks on the yard. " * 30}

(A) This deed is supplemental to a lease of Elm Yard dated 18 March 2019.

# 1. Variation

From 25 March 2024 the annual rent is £204,750 in place of the rent stated before.

# 2. Deletion

Clause 3.1 of the Lease is deleted in its entirety.
"""


@pytest.fixture(scope="module")
def leased(tmp_path_factory: pytest.TempPathFactory, reader: ReadingProcess) -> Iterator[Workspace]:
    place = tmp_path_factory.mktemp("amended")
    files = {place / "Lease_Elm_Yard.md": LEASE, place / "Deed_of_Variation.md": DEED}
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    with Workspace(place / "library", reader=reader) as opened:
        opened.add(list(files))
        yield opened


def answer(workspace: Workspace, question: str, *names: str) -> Answer:
    ids = [workspace.document(name).id for name in names]
    *_, given = workspace.ask(question, document_ids=ids, answerer="extractive")
    assert isinstance(given, Answer)
    return given


def test_the_amended_figure_stands_first(leased: Workspace) -> None:
    given = answer(leased, "What is the annual rent in the Elm Yard lease?")
    first, second = given.text.split("\n\n")
    assert first.startswith("Deed of Variation:")
    assert "£204,750" in first
    assert second.startswith("Lease Elm Yard:")
    assert "£186,500" in second
    assert given.warnings == ()


def test_where_an_amendment_says_nothing_of_it_the_person_is_told_of_the_amendment(
    leased: Workspace,
) -> None:
    given = answer(leased, "May the tenant assign the Elm Yard lease without consent?")
    assert given.text.startswith("“The tenant shall not assign")
    assert any("Deed_of_Variation.md" in warning for warning in given.warnings)


def test_a_clause_that_was_deleted_is_not_quoted_without_its_deletion(leased: Workspace) -> None:
    given = answer(leased, "Can the tenant end the Elm Yard lease in March 2026?")
    first, second = given.text.split("\n\n")
    assert first.startswith("Deed of Variation:\n- “Clause 3.1 of the Lease is deleted in its")
    assert "3.1 The tenant may end this lease" in second


def test_an_amendment_that_is_not_asked_is_named_and_not_quoted(leased: Workspace) -> None:
    given = answer(leased, "What is the annual rent?", "Lease_Elm_Yard.md")
    assert "£186,500" in given.text
    assert {citation.document for citation in given.citations} == {"Lease_Elm_Yard.md"}
    assert [each.document for each in given.coverage] == ["Lease_Elm_Yard.md"]
    assert any("Deed_of_Variation.md" in warning for warning in given.warnings)


def test_each_document_is_covered_once(leased: Workspace) -> None:
    given = answer(leased, "What is the annual rent in the Elm Yard lease?")
    assert len(given.coverage) == len({each.document_id for each in given.coverage})


def test_a_review_s_cell_is_of_its_row_s_document(leased: Workspace) -> None:
    columns = [Column("Rent", "What is the annual rent?")]
    review = leased.reviews.create("Rents", columns)
    leased.reviews.fill(review.id)
    leased.reviews.wait(review.id)
    for (document_id, _), cell in leased.reviews.table(review.id).cells.items():
        assert cell.proposal
        found = [each for found in cell.proposal.found for each in found.citations]
        assert found
        assert {each.document_id for each in found} == {document_id}


SECOND_DEED = """# Second deed of variation

This deed is dated 2 June 2025 and made between Ash Estates Ltd and Oak Tools Ltd. It is
supplemental to a lease of Elm Yard dated 18 March 2019, which a deed dated 9 May 2024 varied.

# 1. Break

Clause 3.1 of the Lease is replaced by the following:

“3.1 The tenant may end this lease on 25 March 2029 by nine months' written notice.”
"""


def test_of_several_amendments_the_last_comes_first_with_its_new_words(
    tmp_path: Path, reader: ReadingProcess
) -> None:
    files = {"Lease_Elm_Yard.md": LEASE, "A_Deed.md": DEED, "B_Second_Deed.md": SECOND_DEED}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with Workspace(tmp_path / "library", reader=reader) as opened:
        opened.add([tmp_path / name for name in files])
        now = answer(opened, "Can the tenant end the Elm Yard lease early?").text
        first = answer(opened, "When could the tenant originally end the Elm Yard lease?").text
    parts = now.split("\n\n")
    assert [part.partition(":")[0] for part in parts] == [
        "B Second Deed",
        "A Deed",
        "Lease Elm Yard",
    ]
    assert "25 March 2029" in parts[0]
    assert first.startswith("Lease Elm Yard:")
    assert "25 March 2029" in first
