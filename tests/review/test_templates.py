"""Templates: docqa's own can be read, a person's replace them, and the fitting one is offered."""

from pathlib import Path

import pytest

from docqa.errors import TemplateUnreadable
from docqa.review.templates import column_of, fitting, template_named, templates
from docqa.types.document import Document
from docqa.types.review import Template


def document(name: str, description: str = "") -> Document:
    return Document(name, name, 1, description=description)


@pytest.fixture(scope="module")
def known() -> list[Template]:
    return templates()


def test_docqa_brings_four(known: list[Template]) -> None:
    assert {each.file: len(each.columns) for each in known} == {
        "annual-report": 18,
        "contract-review": 20,
        "lease-abstract": 15,
        "offering-memorandum": 12,
    }
    for each in known:
        assert len({column.title for column in each.columns}) == len(each.columns)
    assert template_named("LEASE abstract", known) == template_named("lease-abstract", known)


def test_the_template_that_fits_most_documents_is_offered(known: list[Template]) -> None:
    lease = document("a.pdf", "Lease between A Limited and B LLP, dated 3 March 2025.")
    contract = document("b.pdf", "Hosting agreement between A, Inc. and B, Inc.")
    report = document("c.pdf", "Annual report (10-K) of C for fiscal year 2022.")
    offered = {
        (lease,): "Lease abstract",
        (contract,): "Contract review",
        (report,): "Annual report",
        (lease, lease, contract): "Lease abstract",
    }
    for documents, name in offered.items():
        found = fitting(documents, known)
        assert found is not None
        assert found.name == name
    assert fitting((lease, contract), known) is None
    assert fitting((document("d.pdf", "A handbook."),), known) is None
    assert fitting((document("e.pdf", "Earnings release of the second quarter."),), known) is None


def test_a_person_adds_templates_and_replaces_ours(tmp_path: Path) -> None:
    own = '[[column]]\ntitle = "Rent"\nquestion = "How much is the rent?"\nkind = "figure"\n'
    (tmp_path / "rents.toml").write_text(own, "utf-8")
    (tmp_path / "lease-abstract.toml").write_text(f'name = "Our leases"\n{own}', "utf-8")
    found = {each.file: each for each in templates(tmp_path, tmp_path / "missing")}
    assert len(found) == 5
    assert found["rents"].name == "rents"
    assert found["lease-abstract"].name == "Our leases"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = ", "Invalid value"),
        ('name = "None"', "has no"),
        ("[[column]]\ntitle = 'Rent'", "no question"),
        ("[[column]]\nquestion = 'How much?'\nkind = 'money'", "“money” is none of text, figure"),
    ],
)
def test_a_bad_template_says_which_and_why(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    with pytest.raises(TemplateUnreadable, match=r"mine\.toml") as told:
        templates(tmp_path)
    assert reason in str(told.value)


def test_a_column_is_titled_by_its_question_and_kinds_are_spelled_freely() -> None:
    column = column_of({"question": " May the tenant\n assign? ", "kind": "Yes-No"})
    assert (column.title, column.kind) == ("May the tenant assign", "yes or no")
