"""How many rows of expected tables are read cell for cell.

    python -m tests.eval.table_cells FOLDER

FOLDER holds PDFs, and in ``csv`` the rows expected of those that have a file of the same name.
A row counts where one of ours has the same cells, blanks and white space apart.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from docqa.errors import FileError
from docqa.ingest.reading.parse import read
from docqa.settings import DEFAULTS

Row = tuple[str, ...]


def expected_rows(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return [row for row in (_row(cells) for cells in csv.reader(file)) if row]


def _row(cells: Iterable[str]) -> Row:
    """A row's cells that are not empty, without white space; every hyphen the same."""
    plain = ("".join(cell.split()).replace("\u2010", "-") for cell in cells)
    return tuple(text for text in plain if text)


def read_rows(path: Path) -> list[Row]:
    parsed = read(path, settings=DEFAULTS)
    return [_row(cell.text for cell in block.cells) for block in parsed.blocks if block.table]


def scores(expected: list[Row], found: list[Row]) -> tuple[float, float]:
    """The share of expected rows found whole, and of expected cells found anywhere."""
    rows = sum((Counter(expected) & Counter(found)).values()) / len(expected)
    cells = Counter(cell for row in expected for cell in row)
    met = cells & Counter(cell for row in found for cell in row)
    return rows, met.total() / cells.total()


def main(folder: Path) -> None:
    results = []
    for path in sorted((folder / "csv").glob("*.csv")):
        pdf = folder / f"{path.stem}.pdf"
        if not pdf.exists():
            continue
        try:
            rows, cells = scores(expected_rows(path), read_rows(pdf))
        except FileError as error:
            print(f"{pdf.name}: {error}")
            continue
        results.append((rows, cells))
        print(f"{path.stem[:44]:44s} rows {rows:.3f}  cells {cells:.3f}")
    if results:
        rows, cells = (sum(column) / len(results) for column in zip(*results, strict=True))
        print(f"{f'mean of {len(results)}':44s} rows {rows:.3f}  cells {cells:.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
