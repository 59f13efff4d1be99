"""Rows and columns of tables as docqa's network for tables reads them beside a question; pure."""

from collections.abc import Sequence

from docqa.answer.findings.features import log_odds
from docqa.answer.findings.judge import Scores
from docqa.types.table import Row, Table

# From which odds on a column answers, and how far ahead of the next: of 103 questions on documents
# not learnt from, 49 were told so, all rightly.
_ODDS, _AHEAD = 0.0, 1.0
_TITLE, _HEADING = 10, 5  # words that are read: the first of a title, the last of a heading


def row_text(
    title: str, path: Sequence[str], label: str, headings: Sequence[str], cells: Sequence[str]
) -> str:
    """A row under its table's title and its groups, with each cell after its column's heading.

    >>> row_text("Rents", ("Ground floor",), "Unit 2", ("Area", "Lease end"), ("410", "2031"))
    'Rents. Ground floor. Unit 2: Area 410; Lease end 2031'
    """
    told = zip(map(_last, headings), cells, strict=True)
    said = "; ".join(f"{heading} {cell}".strip() for heading, cell in told if cell)
    return f"{'. '.join(filter(None, (_first(title), *path, label)))}: {said}"


def column_text(title: str, heading: str) -> str:
    """
    >>> column_text("Rents", "Lease end")
    'Rents: column Lease end'
    """
    return f"{_first(title)}: column {heading}"


def column_read(question: str, table: Table, row: Row, score: Scores) -> int | None:
    """Of a row's columns, two at least, that which answers as the network reads them; None where
    none does surely."""
    filled = [at for at, cell in enumerate(row.cells) if cell.strip()]
    texts = [column_text(table.title, table.columns[at].heading) for at in filled]
    chances = score(question, texts)
    odds = sorted(zip(map(log_odds, chances), filled, strict=True), reverse=True)
    (first, column), (second, _), *_ = odds
    return column if first >= _ODDS and first - second >= _AHEAD else None


def likeliest_columns(question: str, table: Table, score: Scores, most: int) -> list[int]:
    """The columns of a table that most likely answer as the network reads them, so many at most, in
    their order."""
    every = range(len(table.columns))
    if len(every) <= most:
        return [*every]
    chances = score(question, [column_text(table.title, each.heading) for each in table.columns])
    return sorted(sorted(every, key=lambda at: -chances[at])[:most])


def _first(title: str) -> str:
    return " ".join(title.split()[:_TITLE])


def _last(heading: str) -> str:
    return " ".join(heading.split()[-_HEADING:])
