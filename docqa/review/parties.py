"""For a column of parties: between whom a contract is; pure.

Its particulars name them by their roles, or its first sentences name those whom the reader found.
"""

import re
from collections.abc import Iterator, Sequence

from docqa.compare.tables import Side
from docqa.compare.terms import Sentence
from docqa.language.organisations import organisations_in, parties_in
from docqa.language.words import content_words
from docqa.review.particulars import found_in, label_words, quoted_from, rows_of
from docqa.types.document import Document
from docqa.types.phrases import quoted, series
from docqa.types.review import Column, Found
from docqa.types.table import Row, Table

OPENING = 120  # sentences and headings among which a contract names its parties
_ROLES = frozenset(
    content_words(
        "landlord tenant lessor lessee licensor licensee owner hirer buyer purchaser seller vendor"
        " client customer supplier provider contractor consultant employer employee borrower lender"
        " franchisor franchisee"
    )
)
_NAME_ENDS = re.compile(r"[,;(]")


def naming_parties(column: Column, side: Side, said: Sequence[Sentence]) -> list[Found]:
    """For a column of parties what names them, their names in the cell; [] where nothing does."""
    if column.kind != "text" or column.title.strip().casefold() != "parties":
        return []
    by_role = [found for table in side.tables for found in _by_roles(table, side)]
    return by_role[:1] or _as_described(side.document, said[:OPENING])


def _by_roles(table: Table, side: Side) -> Iterator[Found]:
    """The rows of a table that two roles or more label, as one."""
    rows: dict[str, Row] = {}
    for row in rows_of(table):
        words = label_words(row.label)
        if len(words) == 1 and words <= _ROLES:
            rows.setdefault(words.pop(), row)
    if len(rows) > 1:
        found = [found_in(row, side) for row in rows.values()]
        names = series([_name(row.cells[0]) for row in rows.values()])
        cited = tuple(each for one in found for each in one.citations)
        yield Found(names, "; ".join(each.text for each in found), cited)


def _name(cell: str) -> str:
    """The name that a cell begins with, without what describes who bears it."""
    organisations = organisations_in(cell)
    at = cell.find(organisations[0]) if organisations else -1
    return organisations[0] if not at else _NAME_ENDS.split(cell)[0].strip()


def _as_described(document: Document, opening: Sequence[Sentence]) -> list[Found]:
    """The sentences that first name each of those between whom a document is described to be."""
    names = parties_in(document.description)
    said = [(each, " ".join(each.text.split()).casefold()) for each in opening]
    first = [next((s for s, text in said if name.casefold() in text), None) for name in names]
    found = list(dict.fromkeys(each for each in first if each is not None))
    if len(names) < 2 or None in first:
        return []
    text = " ".join(quoted(each.text) for each in found)
    cited = (quoted_from(document.id, document.name, each.blocks, each.text) for each in found)
    return [Found(series(names), text, tuple(cited))]
