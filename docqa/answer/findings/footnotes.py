"""Footnotes of tables: what each is of, by the mark that stands at both; pure."""

import re
import unicodedata
from collections.abc import Iterable

from docqa.types.document import Block

_MARK = r"\((?:\d{1,2}|[a-z])\)|[⁰¹²³⁴-⁹]{1,2}|[*†‡§]+"
_AT_A_LABEL = re.compile(rf"(?<=[^\W\d])[.:)]?\s*((?:\s?(?:{_MARK}),?)+)[\s.…:]*$")
_AT_A_NOTE = re.compile(rf"(?:{_MARK}|\d{{1,2}}[.)]?(?=\s?[A-Z“\"])|[a-z][.)](?=\s?[A-Z“\"]))\s*")
_AROUND = "()., "  # of a number, as one note prints it and another does not


def noted(blocks: Iterable[Block]) -> dict[str, str]:
    """The labels and heads of tables that end with the mark of a footnote, by that mark.

    >>> from docqa.types.document import Box, Cell
    >>> label = Cell("Service delivery costs (1)", 0)
    >>> noted([Block("…", 1, Box(0, 0, 0, 0), table=1, cells=(label, Cell("(12)", 1)))])
    {'1': 'Service delivery costs'}
    """
    found: dict[str, str] = {}
    for cell in (cell for block in blocks if block.table for cell in block.cells):
        if at := _AT_A_LABEL.search(cell.text):
            for mark in re.findall(_MARK, at[1]):
                found.setdefault(_plain(mark), cell.text[: at.start(1)].strip())
    return found


def mark_of(text: str) -> str:
    """The mark that a footnote begins with, "" for none.

    >>> [mark_of(text) for text in ("(1) Includes rates.", "²Restated.", "*At cost", "12 months")]
    ['1', '2', '*', '']
    """
    found = _AT_A_NOTE.match(text)
    return _plain(found[0]) if found else ""


def _plain(mark: str) -> str:
    return unicodedata.normalize("NFKC", mark).strip(_AROUND)
