"""Between whom a contract is: by the roles of its particulars, or the words it opens with."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from docqa.compare.tables import Side
from docqa.compare.terms import Sentence, sentences_of
from docqa.language.periods import read_period
from docqa.review.particulars import particulars
from docqa.review.parties import naming_parties
from docqa.types.document import Block, Box, Document
from docqa.types.review import Column, Found, Kind
from docqa.types.table import Column as TableColumn
from docqa.types.table import Row, Table

DOCUMENT = Document("id", "A.pdf", 3)
PARTIES = Column("Parties", "Who are the parties?")
OPENING = (
    "This Hosting Agreement is made as of January 11, 2018 by and between FreeCook, a Nevada "
    "corporation, and Mitchell's Web Advance, PLC."
)


def block(text: str, index: int) -> Block:
    return Block(text, 1, Box(0, 0, 1, 1), index=index)


def said(*texts: str) -> list[Sentence]:
    return sentences_of([block(text, n) for n, text in enumerate(texts)])


def table(*rows: tuple[str, str]) -> Side:
    blocks = {n: block(" | ".join(row), n) for n, row in enumerate(rows)}
    made = tuple(Row(label, (cell,), n) for n, (label, cell) in enumerate(rows))
    return Side(DOCUMENT, blocks, [Table("id", 1, (1,), (TableColumn(),), made)])


def named(document: Document, *texts: str) -> list[Found]:
    return naming_parties(PARTIES, Side(document, {}, []), said(*texts))


def test_parties_are_those_of_the_description_where_the_opening_names_them() -> None:
    told = "Hosting agreement between {}, dated January 11, 2018. Sections: Term; Fees."
    described = replace(DOCUMENT, description=told.format("FreeCook and Elm LLC"))
    other = "This Lease is governed by and interpreted in accordance with the laws of Ireland."
    [found] = named(described, other, OPENING.replace("Mitchell's Web Advance, PLC", "Elm LLC"))
    assert found.text.startswith("“This Hosting Agreement is made")
    assert found.value == "FreeCook and Elm LLC"
    assert [each.page for each in found.citations] == [1]
    assert named(described, other) == []
    assert named(DOCUMENT, OPENING) == []
    landlord = Column("Landlord", "Who is the landlord?")
    assert naming_parties(landlord, Side(described, {}, []), said(OPENING)) == []


def test_parties_that_stand_apart_are_cited_one_by_one() -> None:
    described = replace(DOCUMENT, description="Agreement between Ash Corp. and Elm LLC.")
    [found] = named(described, "Subscriber: Ash Corp., Chicago", "Vendor: Elm LLC, Oakland")
    assert (found.value, len(found.citations)) == ("Ash Corp. and Elm LLC", 2)
    assert named(described, "Subscriber: Ash Corp., Chicago") == []


def test_rows_that_roles_label_are_the_parties_together() -> None:
    rows = table(
        ("Item 1 – Lessor", "Ash Walk Pty Ltd ACN 104 557 210"),
        ("Item 2 – Lessee", "Ann Reed, of Perth"),
        ("Item 3 – Term", "Five years"),
    )
    [found] = naming_parties(PARTIES, rows, said(OPENING))
    assert (found.value, len(found.citations)) == ("Ash Walk Pty Ltd and Ann Reed", 2)
    one = table(("Owner", "Ash Ltd"), ("Plant", "Two cranes"))
    assert naming_parties(PARTIES, one, []) == []


def test_a_date_that_was_read_as_a_head_is_a_row() -> None:
    side = table(("Date", "1 May 2023"), ("Landlord", "Ash Ltd"), ("Tenant", "Elm Ltd"))
    [rows] = side.tables
    head = TableColumn(("1 May 2023",), read_period("1 May 2023"))
    headed = replace(rows, columns=(head,), rows=rows.rows[1:], corner="Date", heads=(0,))
    side = replace(side, tables=[headed])
    column = Column("Date", "What is the date of the lease?", "date")
    [found] = particulars(column, side)
    assert (found.text, found.citations[0].quote) == ("Date: 1 May 2023", "Date | 1 May 2023")
    [parties] = naming_parties(PARTIES, side, [])
    assert parties.value == "Ash Ltd and Elm Ltd"
    assert particulars(column, replace(side, tables=[replace(headed, corner="")])) == []


@pytest.mark.parametrize(
    ("title", "kind", "question", "labels"),
    [
        ("Commencement", "date", "When does the term commence?", ["Commencement Date"]),
        ("Term", "figure", "What is the term of the lease?", ["Lease Term", "Item 5 – Term"]),
        ("Rent", "figure", "How much is the annual rent?", ["Annual Rent", "Initial Rent"]),
        ("Landlord", "text", "Who is the landlord?", ["Lessor"]),
        ("Date", "date", "What is the date of the lease?", ["Date of Lease"]),
        ("Starts", "date", "When does it start?", []),
    ],
)
def test_a_row_is_called_as_a_column_whatever_says_no_more(
    title: str, kind: Kind, question: str, labels: Sequence[str]
) -> None:
    every = ["Commencement Date", "Rent Commencement Date", "Lease Term", "Item 5 – Term"]
    every += ["Further term", "Annual Rent", "Initial Rent", "Rent Deposit", "Lessor"]
    every += ["Date of Lease"]
    found = particulars(Column(title, question, kind), table(*((label, "x") for label in every)))
    assert sorted(each.text for each in found) == sorted(f"{label}: x" for label in labels)
