"""Separated values (CSV, RFC 4180) to Blocks: the one sheet of a workbook, read as Excel's are.

Values are shown as they are written; whole numbers are numbers.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path

from docqa.errors import ReadingFailed
from docqa.ingest.geometry.text import clean
from docqa.ingest.office.formats import text_of
from docqa.ingest.office.workbook import Section, of_values
from docqa.types.document import without_ending

DELIMITERS = ",;\t|"
LOOKED_AT = 200  # first rows that tell what parts the values
MOST_VALUES = 2_000_000  # each takes about 500 bytes
_LONGEST_NUMBER = 15  # digits; longer ones are numbers of accounts


def read(path: Path, name: str) -> list[Section]:
    """The rows of a file, in parts where they are many. Raises `ReadingFailed`."""
    text = text_of(path)
    try:
        return of_values(_values(text, name), clean(without_ending(name)))
    except csv.Error as error:
        raise ReadingFailed(name, reason="its rows of values cannot be told apart") from error


def _values(text: str, name: str) -> Iterator[list[int | str]]:
    count = 0
    for row in _rows(text, _delimiter(text)):
        count += len(row)
        if count > MOST_VALUES:
            raise ReadingFailed(name, reason=f"it has more than {MOST_VALUES:,} values")
        yield [_value(clean(value)) for value in row]


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter)


def _delimiter(text: str) -> str:
    """The one that parts most of the first rows into as many values, and into most."""

    def parted(delimiter: str) -> tuple[int, int]:
        sizes = Counter(map(len, islice(_rows(text, delimiter), LOOKED_AT)))
        return max(((count, size) for size, count in sizes.items() if size > 1), default=(0, 0))

    return max(DELIMITERS, key=parted)


def _value(text: str) -> int | str:
    whole = text.isdecimal() and len(text) <= _LONGEST_NUMBER
    return int(text) if whole and str(int(text)) == text else text
