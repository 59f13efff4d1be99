"""The ratios and figures that analysts name: their formulas, and the lines these take.

They stand in `formulas.txt`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TypeVar

from docqa.answer.findings.arithmetic import names_in
from docqa.answer.findings.crossings import own_words
from docqa.answer.findings.values import MOVING, Value, numbers_in
from docqa.language.vocabulary import synonyms
from docqa.language.words import content_words, fold
from docqa.types.document import Document
from docqa.types.question import Question
from docqa.types.table import Row, Table

Named = TypeVar("Named")

# Words before a figure's name that do not say which of several it is.
OF_ANY = MOVING | frozenset(
    content_words(
        "total implied resulting approximate overall consolidated company property annual fiscal"
        " year quarter period calculate compute show give tell want know work have healthy good"
        " strong stable"
    )
)
# Lines that may be below nothing.
_SIGNED = (
    "gross profit", "operating income", "income before tax", "net income", "operating cash flow",
    "equity",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a statement and the labels it is printed with; those in ``opening`` may go on."""

    name: str
    statement: str
    labels: tuple[str, ...]
    opening: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    names: tuple[str, ...]
    text: str
    unit: str
    of_a_year: bool = False  # and of no shorter time


@dataclass(frozen=True, slots=True)
class Book:
    lines: dict[str, Line]
    formulas: tuple[Formula, ...]

    def taken(self, formula: Formula) -> list[str]:
        """The names of the lines that a formula takes, those apart that may be missing."""
        named = names_in(formula.text, self.lines)
        return [name for name in self.lines if name in named]


@lru_cache(maxsize=1)
def book() -> Book:
    """The lines and formulas of `formulas.txt`."""
    text = resources.files("docqa.answer.findings").joinpath("formulas.txt").read_text("utf-8")
    kept = [line for line in text.splitlines() if line and not line.startswith("#")]
    lines = [_line(each) for each in kept if each.startswith("line ")]
    formulas = tuple(_formula(each) for each in kept if not each.startswith("line "))
    return Book({line.name: line for line in lines}, formulas)


def _line(text: str) -> Line:
    head, _, labels = text.removeprefix("line ").partition(": ")
    name, _, statement = head.partition(" @ ")
    every = [each.strip() for each in labels.split("|")]
    exact = tuple(plain_label(each) for each in every if not each.startswith("~"))
    return Line(
        name, statement, exact, tuple(plain_label(e[1:]) for e in every if e.startswith("~"))
    )


def _formula(text: str) -> Formula:
    names, _, worked = text.partition(" = ")
    found = re.fullmatch(r"(.*?)(?: \[(\S+)( a year)?\])?", worked)
    assert found
    called = tuple(name.strip() for name in names.split("|"))
    return Formula(called, found[1], found[2] or "", bool(found[3]))


def formula_of(question: Question) -> Formula | None:
    """The formula that a question names by the longest of its names; None for none."""
    named = [(name, formula) for formula in book().formulas for name in formula.names]
    return _longest_named(question.topic, named)


def is_taken(label: str, question: Question) -> bool:
    """Whether the figure that a question names is worked out of the line that has a label."""
    formula, label = formula_of(question), plain_label(label)
    taken = book().taken(formula) if formula else ()
    return any(label in book().lines[name].labels for name in taken)


def line_asked(question: Question) -> Formula | None:
    """The line of a statement that a question names, as a formula of it alone; what is paid counts
    by its size. None for none."""
    named = [
        (name, line)
        for line in book().lines.values()
        for name in (line.name, *line.labels)
        if line.statement
    ]
    text = " ; ".join((question.topic, *synonyms(question.topic)))
    line = _longest_named(text, named)
    if line is None:
        return None
    text = line.name if line.name in _SIGNED else f"abs({line.name})"
    return Formula((line.name, *line.labels), text, "")


def _longest_named(text: str, named: Iterable[tuple[str, Named]]) -> Named | None:
    """What has the longest of the names that a text has; None where it has none."""
    asked = _worded(text)
    found = [each for each in named if _worded(each[0]) in asked]
    return max(found, key=lambda each: len(each[0]))[1] if found else None


def rows_of(line: Line, rows: Iterable[tuple[Table, Row]]) -> list[tuple[Table, Row]]:
    """Those of some rows that have the first of a line's labels that any has; else the one that
    goes on after such a label, the whole label before others."""
    known = [(table, row, plain_label(row.label)) for table, row in rows if not row.is_group]
    for label in line.labels:
        if named := [(table, row) for table, row, own in known if own == label]:
            return named
    for label in line.opening:
        if begun := [each for each in known if each[2].startswith(label)]:
            table, row, _ = min(begun, key=lambda each: each[2] != label)
            return [(table, row)]
    return []


def values_of_line(line: Line, tables: Sequence[Table]) -> list[Value]:
    """The values of the rows for a line of some tables, by the first label that one has.

    A report has a statement for the quarter and one for the year to date, with a row each.
    """
    rows = rows_of(line, [(table, row) for table in tables for row in table.rows])
    return [value for of in rows for value in numbers_in(*of)]


def around_name(text: str, formula: Formula) -> tuple[str, str]:
    """What stands before and after the longest name of a formula that a text has.

    >>> around_name("U.S. operating margin?", Formula(("margin", "operating margin"), "", ""))
    ('U.S. ', '?')
    """
    for name in sorted(formula.names, key=len, reverse=True):
        worded = r"[\W_]+".join(_worded(name).split())
        if found := re.search(rf"\b{worded}\b", text, re.IGNORECASE):
            return text[: found.start()], text[found.end() :]
    return "", text


def is_narrowed(question: Question, formula: Formula, document: Document) -> bool:
    """Whether the last word before a formula's name says which of several figures is meant.

    "The authorized return on equity" is another figure than the return on equity; "eBay's return on
    equity" is not, where a document is eBay's.
    """
    known = OF_ANY | own_words(document)
    before, _ = around_name(question.topic, formula)
    last = content_words(" ".join(w for w in _worded(before).split()[-1:] if len(w) > 1))
    return any(not word.isdigit() and word not in known for word in last)


def _worded(text: str) -> str:
    """A text as its words alone, a blank before and after each."""
    words = " ".join(re.findall(r"[^\W_]+", fold(text)))
    return f" {words} "


def plain_label(text: str) -> str:
    """A label as labels are held against each other: letters alone, without notes and brackets.

    >>> plain_label("Total stockholders’ equity (Note 4):")
    "total stockholders' equity"
    """
    plain_text = re.sub(r"\([^()]*\)?", " ", fold(text))
    return " ".join(plain_text.replace(":", " ").replace(",", " ").split()).strip(" .*-")
