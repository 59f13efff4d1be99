"""What one document alone has: matter, and no apparatus."""

from dataclasses import replace

import pytest

from docqa.compare.alone import worth_telling
from docqa.types.search import Hit
from docqa.types.table import Column, Row, Table
from tests.compare.pages import hit, table


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("This memorandum is confidential and is meant for the recipient alone.", ""),
        (
            "This offering memorandum is meant for its recipients. It contains selected facts. "
            "It is no prospectus. Questions go to the seller.",
            "",
        ),
        ("Figures are unaudited. Projections are opinions and may not be achieved.", ""),
        ("Tours are by appointment through Quillhurst Advisors.", "Tours"),
        ("Jane Roe, jane@roe.example, telephone 555 0101", ""),
        ("Overview 2 Tenants 3 Market 4", "Contents"),
        ("In this lease a person includes a company, and one more than one.", "1. Definitions"),
        ("(2) Penhallow Robotics Limited as Tenant", ""),
    ],
)
def test_notices_contents_and_contacts_are_not_told(text: str, heading: str) -> None:
    assert not worth_telling(hit("a", 0, text, heading=heading), (), [()])


@pytest.mark.parametrize(
    "text",
    [
        "Vale Imaging Center may terminate its lease from July 31, 2029.",
        "The recipient shall keep the Confidential Information secret for five years. "
        "It may show it to its advisers. It returns every copy on request.",
    ],
)
def test_rights_and_duties_are_told(text: str) -> None:
    assert worth_telling(hit("a", 0, text), (), [()])


def test_a_statement_is_not_only_in_one_where_the_other_has_one_of_its_own() -> None:
    blocks = tuple(table("US dollars | 2024", "Base rent | 1,511,800"))
    passage = hit("a", 0, "")
    passage = Hit(replace(passage.chunk, blocks=blocks, kind="table"), passage.document)
    rows = tuple(Row(f"row {each.index}", ("1",), each.index) for each in blocks)
    own = Table("a", 1, (1,), (Column(),), rows, role="operating statement")
    assert not worth_telling(passage, [own], [[replace(own, document_id="b")]])
    assert worth_telling(passage, [own], [[replace(own, document_id="b", role="rent roll")]])
    assert worth_telling(passage, [replace(own, role="")], [[]])
