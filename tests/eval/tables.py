"""How many cells of tables stand in their column, held against tables labelled by hand.

    python -m tests.eval.tables FOLDER... --read DIR [--misses FILE]

The labels (``table_labels.jsonl``) are of tables with blank cells, spanning headings, wrapped
labels or further pages; FOLDERs hold the documents, and what is not there is left out. Of each
labelled table the one found that has most of its cells is judged:

- ``cells``: those that stand in the column they are labelled in, blanks among them. Columns are
  the same by place where there are as many as labelled, else by their headings. All cells of a
  row that is not found, or found in another table, are wrong.
- ``columns``: whether there are as many as labelled.
- ``headings``: whether a column has the words of its heading path.
- ``whole``: whether all its rows are in one table.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from docqa.ingest.tables.make import tables_of
from docqa.types.table import Column, Row, Table
from tests.eval.labelled import Tally, arguments, heads, labels, names_row, value
from tests.eval.reading import each_read, found

Cells = Sequence[str | None]  # a None is not judged


def equal(wanted: Cells, row: Row, places: Sequence[int]) -> list[bool]:
    """For each cell wanted, whether the row has it in its column; `places` as of `columns`."""
    cells = [row.cells[place] if place >= 0 else None for place in places]
    return [
        one is None or (other is not None and value(one) == value(other))
        for one, other in zip(wanted, cells, strict=True)
    ]


def places(paths: Sequence[Sequence[str]], columns: Sequence[Column]) -> list[int]:
    """Which of the columns found each labelled one is; -1 for none."""
    if len(paths) == len(columns):
        return list(range(len(paths)))
    free = list(range(len(columns)))
    chosen = []
    for path in paths:
        place = next((each for each in free if heads(path, columns[each].heading)), -1)
        chosen.append(place)
        free = [each for each in free if each != place]
    return chosen


def matched(label: Mapping[str, Any], table: Table) -> list[Row | None]:
    """The row of the table that each labelled row is, each once; None where there is none."""
    at = places(label["columns"], table.columns)
    free = [row for row in table.rows if not row.is_group]
    chosen: list[Row | None] = []
    for name, *cells in label["rows"]:
        row = _likest(name, cells, free, at)
        chosen.append(row)
        free = [each for each in free if each is not row]
    return chosen


def _likest(name: str, cells: Cells, free: Sequence[Row], at: Sequence[int]) -> Row | None:
    """Of the rows of that name the one with most of the cells, of equals the first.

    A row labelled without a name may have been given one, and is known by a cell that has text.
    """
    if name:
        alike = [row for row in free if names_row(name, row.label)]
    else:
        written = [cell or None for cell in cells]
        needed = sum(cell is None for cell in written)
        alike = [row for row in free if sum(equal(written, row, at)) > needed]
    return max(alike, key=lambda row: sum(equal(cells, row, at)), default=None)


def judged(label: Mapping[str, Any], table: Table) -> list[list[bool]]:
    """For each labelled row, for each cell, whether it is right."""
    at = places(label["columns"], table.columns)
    return [
        equal(cells, row, at) if row else [cell is None for cell in cells]
        for (_, *cells), row in zip(label["rows"], matched(label, table), strict=True)
    ]


def best_of(label: Mapping[str, Any], tables: Sequence[Table]) -> Table | None:
    """The table on the labelled pages with most of the cells right."""
    here = [table for table in tables if {*table.pages} & {*label["pages"]}]
    return max(here, key=lambda table: sum(map(sum, judged(label, table))), default=None)


def measure(label: Mapping[str, Any], tables: Sequence[Table], tally: Tally) -> None:
    nothing = Table("", 0, tuple(label["pages"]), (), ())
    table = best_of(label, tables) or nothing
    named = f"{label['document']} p. {', '.join(map(str, label['pages']))}"
    _measure_cells(label, table, named, tally)
    _measure_columns(label, table, named, tally)


def _measure_cells(label: Mapping[str, Any], table: Table, named: str, tally: Tally) -> None:
    rows, half = matched(label, table), label["held_out"]
    for (name, *cells), row, right in zip(label["rows"], rows, judged(label, table), strict=True):
        told = f"{named}, “{name}”: {cells} is {list(row.cells) if row else 'not found'}"
        for cell, is_right in zip(cells, right, strict=True):
            if cell is not None:
                tally.count("cells in their column", is_right, half, told)
    tally.count("all rows in one table", None not in rows, half, f"{named}: not all rows are here")


def _measure_columns(label: Mapping[str, Any], table: Table, named: str, tally: Tally) -> None:
    wanted, half, n = label["columns"], label["held_out"], len(table.columns)
    tally.count("as many columns", n == len(wanted), half, f"{named}: {n} for {len(wanted)}")
    for path, place in zip(wanted, places(wanted, table.columns), strict=True):
        here = table.columns[place].heading if place >= 0 else "no column"
        told = f"{named}: “{' › '.join(path)}” is “{here}”"
        tally.count("headings", place >= 0 and heads(path, here), half, told)


def main() -> None:
    options = arguments(__doc__).parse_args()
    wanted = labels("table_labels")
    paths = found(options.folders, (label["document"] for label in wanted))
    tally = Tally()
    for read in each_read(paths.values(), options.read):
        tables = tables_of(read.document.id, read.blocks)
        for label in wanted:
            if label["document"] == read.document.name:
                measure(label, tables, tally)
    tally.print(options.misses)


if __name__ == "__main__":
    main()
