"""What is cited is gathered once, and labelled in the order it is cited."""

from tests.answer.findings.judged import source_of
from tests.answer.passages import hit, row, with_tables


def test_a_table_is_gathered_once_and_the_rows_of_it_are_told_apart() -> None:
    rents = hit(row("Tenant", "Rent", header=True), row("Ash", "1,200"), row("Elm", "800"))
    (sheet,) = with_tables([rents])
    (table,) = sheet.tables
    source = source_of(sheet)
    before = source.gathered.copy()
    markers = source.cite([(table, each) for each in table.rows])
    assert markers == ["[S1.2]", "[S1.3]"]
    assert source.cite([(table, table.rows[1])]) == markers[1:]
    assert source.add("last", sheet.chunk.blocks[-1:]).label == "S2"
    assert [piece.label for piece in source.gathered.evidence] == ["S1", "S2"]
    assert before.evidence == ()
