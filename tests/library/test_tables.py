"""Tables kept in the catalog: made once, and anew where blocks or rules change."""

from collections.abc import Sequence
from pathlib import Path

from docqa.ingest.tables.build import tables_of
from docqa.language.definitions import definitions_in
from docqa.library.catalog import Catalog
from docqa.library.tables import TableMaker
from docqa.types.document import Block, PageHealth
from docqa.types.question import Definition
from docqa.types.table import Table
from tests.ingest.tables.printed import printed
from tests.library.nouns import document, document_id

HEALTH = PageHealth(1, "1", 612.0, 792.0, 100, "text layer")
PAGE = "# Rents\n|| |2024\n|Rent|5\n---\nText.\n|| |2023\n|Fee|6\n"
ID = document_id("a.pdf")


class Counted:
    """Makes tables, and counts how often."""

    def __init__(self, version: int = 1) -> None:
        self.times = 0
        self.maker = TableMaker(version, self.make, self.define)

    def make(self, document_id: str, blocks: Sequence[Block]) -> tuple[Table, ...]:
        self.times += 1
        return tables_of(document_id, blocks)

    def define(self, blocks: Sequence[Block]) -> set[Definition]:
        return {each for block in blocks for each in definitions_in(block.text)}


def saved(folder: Path, counted: Counted) -> Catalog:
    catalog = Catalog(folder, tables=counted.maker)
    catalog.save(
        document("a.pdf"), blocks=printed(PAGE), chunks=[], vectors=None, health=[HEALTH],
        discards=[],
    )  # fmt: skip
    return catalog


def test_tables_are_made_once_and_come_back_whole(tmp_path: Path) -> None:
    counted = Counted()
    catalog = saved(tmp_path, counted)
    assert catalog.tables(ID) == catalog.tables(ID) == tables_of(ID, printed(PAGE))
    assert counted.times == 1
    assert catalog.tables("unknown") == ()


def test_the_tables_with_a_block_are_found_by_its_index(tmp_path: Path) -> None:
    catalog = saved(tmp_path, Counted())
    assert [table.number for table in catalog.tables(ID, [5])] == [2]
    assert [table.number for table in catalog.tables(ID, [2, 5])] == [1, 2]
    assert catalog.tables(ID, [0, 3]) == ()


def test_other_rules_or_other_blocks_make_them_anew(tmp_path: Path) -> None:
    saved(tmp_path, Counted()).tables(ID)
    newer = Counted(version=2)
    catalog = Catalog(tmp_path, tables=newer.maker)
    assert len(catalog.tables(ID)) == 2
    assert newer.times == 1
    catalog.save_page(document("a.pdf"), HEALTH, printed("|| |2024\n|Rent|7\n"))
    assert [row.cells for row in catalog.tables(ID)[0].rows] == [("7",)]
    catalog.remove(ID)
    assert catalog.tables(ID) == ()


def test_abbreviations_are_known_by_document_until_its_blocks_change(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path, tables=Counted().maker)
    for name, text in (
        ("a.pdf", "Gross Merchandise Volume (“GMV”) grew.\n"),
        ("b.pdf", "The chief executive officer (CEO) left.\n"),
    ):
        catalog.save(
            document(name), blocks=printed(text), chunks=[], vectors=None, health=[HEALTH],
            discards=[],
        )  # fmt: skip
        catalog.tables(document_id(name))
    volume = [("GMV", "Gross Merchandise Volume")]
    assert catalog.definitions("gross merchandise volume") == volume
    assert catalog.definitions("What is GMV?", document_ids=[ID]) == volume
    assert catalog.definitions("What is GMV?", document_ids=[document_id("b.pdf")]) == []
    catalog.save_page(document("a.pdf"), HEALTH, printed("Sales grew.\n"))
    assert catalog.definitions("What is GMV?") == []
    catalog.remove(document_id("b.pdf"))
    assert catalog.definitions("the CEO") == []


def test_what_a_document_defines_is_made_when_it_is_asked(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path, tables=Counted().maker)
    catalog.save(
        document("a.pdf"), blocks=printed("Value added tax (VAT) is due.\n"), chunks=[],
        vectors=None, health=[HEALTH], discards=[],
    )  # fmt: skip
    assert catalog.definitions("Is VAT due?", document_ids=[ID]) == [("VAT", "Value added tax")]


def test_a_document_names_its_landmarks(tmp_path: Path) -> None:
    rents = "||Tenant|Suite|Rent|Lease\n|Tenant A|1|5|2024\n|Tenant B|1|5|2024\n"
    catalog = Catalog(tmp_path, tables=Counted().maker)
    catalog.save(
        document("a.pdf"), blocks=printed(rents), chunks=[], vectors=None, health=[HEALTH],
        discards=[],
    )  # fmt: skip
    assert catalog.document(ID).signposts == ""
    catalog.tables(ID)
    assert catalog.document(ID).signposts == "Rent roll p. 1"


def test_a_reader_makes_them_anew_once_another_has_read_the_document_again(tmp_path: Path) -> None:
    writer, counted = saved(tmp_path, Counted()), Counted()
    reader = Catalog(tmp_path, read_only=True, tables=counted.maker)
    assert reader.tables(ID) == reader.tables(ID) == tables_of(ID, printed(PAGE))
    assert counted.times == 1
    blocks = printed(PAGE.partition("---")[0])
    writer.save(
        document("a.pdf"), blocks=blocks, chunks=[], vectors=None, health=[HEALTH], discards=[]
    )
    assert reader.tables(ID) == tables_of(ID, blocks)
