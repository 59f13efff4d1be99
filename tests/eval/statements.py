"""Whether the primary statements of filings are known, with their periods, scales and figures.

    python -m tests.eval.statements FOLDER... --read DIR [--misses FILE]

holds what is read of the filings in FOLDERs against labels made by hand: their primary statements
(``statement_labels.jsonl``) and 300 cells drawn at random from these (``statement_cells.jsonl``).

- ``kind and pages``: tables of that kind stand on the labelled pages and on no others;
  ``nothing else is one``: of tables taken for a primary statement, those that are one (a parent's
  alone, a guarantor's or one restated in a note counts neither way).
- ``columns``: a column of the statement has the period, in full, and the scale and currency.
- ``cells``: the row has the figure in the column of that period, or under that heading; the place
  of the column alone is judged beside it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from docqa.ingest.tables.make import tables_of
from docqa.types.table import STATEMENTS, Column, Row, Table, TableRole
from tests.eval.labelled import (
    Tally,
    arguments,
    heads,
    labels,
    names_row,
    same_period,
    value,
)
from tests.eval.reading import each_read, found

Label = Mapping[str, Any]
ROLES: Mapping[str, TableRole] = {
    "income": "income statement",
    "comprehensive income": "comprehensive income",
    "balance sheet": "balance sheet",
    "cash flows": "cash flow statement",
    "equity": "statement of equity",
}
SCALES = {"millions": 1_000_000, "thousands": 1_000, "": 1}


def here(pages: Sequence[int], tables: Sequence[Table], role: TableRole = "") -> list[Table]:
    """The tables on any of the pages; of the role alone, where given."""
    return [
        table for table in tables if {*table.pages} & {*pages} and (not role or table.role == role)
    ]


def measure_statements(label: Label, tables: Sequence[Table], tally: Tally) -> None:
    half, name = label["held_out"], label["document"]
    own: set[int] = set()
    for statement in label["statements"]:
        known = here(statement["pages"], tables, ROLES[statement["kind"]])
        own |= {table.number for table in known}
        pages = sorted({page for table in known for page in table.pages})
        told = f"{name}, {statement['kind']} {statement['pages']} is on {pages}"
        tally.count("kind and pages", pages == statement["pages"], half, told)
        _measure_columns(label, statement, known, tally)
    for table in tables:
        if table.role in STATEMENTS and not {*table.pages} & {*label["others"]}:
            told = f"{name}, {table.pages} “{table.title}” is taken for {table.role}"
            tally.count("nothing else is one", table.number in own, half, told)


def _measure_columns(label: Label, statement: Label, known: Sequence[Table], tally: Tally) -> None:
    longest = max(known, key=lambda table: len(table.rows), default=None)
    free = list(longest.columns if longest else ())
    said = "; ".join(map(_said, free))
    for period in filter(None, statement.get("columns", ())):
        column = next((each for each in free if measures(each, period, label)), None)
        free = [each for each in free if each is not column]
        told = f"{label['document']} {statement['pages']}, {period}: {said or 'no table'}"
        tally.count("columns", column is not None, label["held_out"], told)


def measures(column: Column, period: str, label: Label) -> bool:
    """Whether a column is of that period and of the statement's scale, or counts shares."""
    money = (column.scale, column.currency) == (SCALES[label["scale"]], label["currency"])
    return same_period(period, column.period) and (money or column.unit == "shares")


def _said(column: Column) -> str:
    period = column.period
    end = f"{period.year}-{period.month}-{period.day}, {period.months} months"
    return f"{column.heading} ({end}, {column.scale} {column.currency}{column.unit})"


def measure_cell(cell: Label, label: Label, tables: Sequence[Table], tally: Tally) -> None:
    """One of the cells drawn: the row by its label, the column by its period or heading."""
    near = here([cell["page"]], tables, ROLES[cell["kind"]]) or here([cell["page"]], tables)
    rows = [(table, row) for table in near for row in table.rows]
    rows = [(table, row) for table, row in rows if names_row(cell["label"], row.label)]
    half, wanted = label["held_out"], value(cell["value"])
    where = cell.get("period") or cell["column"]
    told = f"{cell['document']} p. {cell['page']}, “{cell['label']}”, {where}: {cell['value']} is "
    told += "; ".join(str(list(row.cells)) for _, row in rows) or "not found"
    right = any(
        value(row.cells[place]) == wanted
        for table, row in rows
        for place in range(len(table.columns))
        if _is_of(cell, table, row, place)
    )
    tally.count("cells, with period or heading", right, half, told)
    if "period" in cell:
        at = _places(cell, label)
        standing = any(
            len(row.cells) > place and value(row.cells[place]) == wanted
            for _, row in rows
            for place in at
        )
        tally.count("cells, by the column's place", standing, half, told)


def _is_of(cell: Label, table: Table, row: Row, place: int) -> bool:
    if "column" in cell:
        return heads([cell["column"]], table.columns[place].heading)
    return same_period(cell["period"], table.period_of(row, place))


def _places(cell: Label, label: Label) -> list[int]:
    """The places of the columns of the cell's period in its statement."""
    columns = next(
        each["columns"]
        for each in label["statements"]
        if each["kind"] == cell["kind"] and cell["page"] in each["pages"]
    )
    return [place for place, period in enumerate(columns) if period == cell["period"]]


def main() -> None:
    options = arguments(__doc__).parse_args()
    filings = {label["document"]: label for label in labels("statement_labels")}
    cells = labels("statement_cells")
    tally = Tally()
    for read in each_read(found(options.folders, filings).values(), options.read):
        label, tables = filings[read.document.name], tables_of(read.document.id, read.blocks)
        measure_statements(label, tables, tally)
        for cell in cells:
            if cell["document"] == read.document.name:
                measure_cell(cell, label, tables, tally)
    tally.print(options.misses)


if __name__ == "__main__":
    main()
