"""Files of separated values."""

from pathlib import Path

import pytest

from docqa.errors import ReadingFailed
from docqa.ingest.office import separated
from docqa.ingest.tables.build import tables_of
from docqa.types.document import Block
from docqa.types.table import Table

TAPE = """Servicer,Loan Tape
As of,2025-09-30

Loan No.,Borrower,Balance,Rate,Status
40122,"Acme, LLC","6,850,000.00",5.25%,C
40123,Vale Imaging,"1,126.40",,D
40124,Holm & Aldous,"42,500.00",4.1%,C
"""


def blocks_of(path: Path, content: bytes) -> list[Block]:
    path.write_bytes(content)
    return [block for section in separated.read(path, path.name) for block in section.blocks]


def last_table(blocks: list[Block]) -> Table:
    return tables_of("a", blocks)[-1]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_values_are_a_table_under_their_heads(tmp_path: Path, encoding: str) -> None:
    blocks = blocks_of(tmp_path / "Tape.csv", TAPE.replace("Vale", "Valé").encode(encoding))
    table = last_table(blocks)
    assert {block.place for block in blocks} == {"sheet “Tape”"}
    assert [column.heading for column in table.columns] == ["Balance", "Rate", "Status"]
    assert (table.rows[0].label, table.rows[0].cells) == (
        "40122 Acme, LLC", ("6,850,000.00", "5.25%", "C"),
    )  # fmt: skip
    assert table.rows[1].label.endswith("Valé Imaging")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_what_parts_the_values_is_told_by_the_rows(tmp_path: Path, delimiter: str) -> None:
    rows = [("Month", "Rent, net", "Paid"), ("Jan", "1,250.00", "yes"), ("Feb", "1,250.00", "no")]
    text = "\n".join(delimiter.join(row) for row in rows)
    table = last_table(blocks_of(tmp_path / "Rents.tsv", text.encode()))
    assert [column.heading for column in table.columns] == ["Rent, net", "Paid"]


def test_values_are_shown_as_they_are_written(tmp_path: Path) -> None:
    text = "Unit,Code,Rent\nA,007,1250\nB,008,1300\nC,009,=1+1\n"
    table = last_table(blocks_of(tmp_path / "a.csv", text.encode()))
    assert [row.cells for row in table.rows] == [("007", "1250"), ("008", "1300"), ("009", "=1+1")]


def test_a_quote_that_never_ends_is_read_or_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a,b\n"' + 200_000 * "x", encoding="utf-8")
    with pytest.raises(ReadingFailed, match=r"a\.csv .*cannot be told apart"):
        separated.read(path, path.name)
