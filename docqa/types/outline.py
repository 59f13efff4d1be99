"""A document's contents: its headings as a tree, and its tables where they stand."""

from dataclasses import dataclass

from docqa.types.table import TableRole


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading or a table. ``level`` counts from 1, outermost; ``page`` is where it begins.

    ``table`` is the table's number, 0 for a heading; ``role`` what the table is known to be.
    ``block`` is the index of its first block in the document.
    """

    title: str
    page: int
    level: int
    block: int
    table: int = 0
    role: TableRole = ""

    def line(self, unit: str = "page") -> str:
        """It in a line, indented; ``unit`` is what the document's pages are.

        >>> Entry("Consolidated Balance Sheets", 52, 2, 90, 7, "balance sheet").line()
        '  Consolidated Balance Sheets (balance sheet), p. 52'
        """
        kind = f" ({self.role or 'table'})" if self.table else ""
        place = f"{'p.' if unit == 'page' else unit} {self.page}"
        return f"{'  ' * (self.level - 1)}{self.title}{kind}, {place}"
