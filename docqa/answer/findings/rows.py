"""A table row as it is quoted: a label, and under each column's name a cell."""

import re
from dataclasses import dataclass

from docqa.answer.findings.relation import distinct_label
from docqa.answer.findings.values import number_of
from docqa.language.periods import says_only_when
from docqa.types import table as tables

_PER_SHARE = re.compile(r"\bper\b.{0,20}\b(?:share|unit)\b", re.IGNORECASE)
_OF_A_SHARE = re.compile(r"[$€£¥(\s−–-]*\d{0,3}\.\d+\s*\)?")
_SAYS_SCALE = re.compile(r"\b(?:thousand|million|billion)s?\b|\b000s?\b|[$€£]m\b", re.IGNORECASE)
BELOW = " › "  # between a line of a table and what stands under it


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell of a row under its column's name ("" where it has none).

    ``scale`` is what a number in it is multiplied by where the label does not say so.
    """

    header: str
    text: str
    scale: int = 1

    @property
    def headed(self) -> str:
        return f"{self.header} {self.text}" if self.header else self.text


@dataclass(frozen=True, slots=True)
class Row:
    """``corner`` is what the heads say over the labels ("Adjusted results"); ``meant`` are those of
    the entries that a question was found to ask for, none where that is open."""

    label: str
    entries: tuple[Entry, ...]
    corner: str = ""
    meant: tuple[Entry, ...] = ()


def quoted(table: tables.Table, row: tables.Row) -> Row:
    """The cells of a row that are not blank, in order.

    A row that is called as another is, or only by its time, is labelled with its group too, or with
    what else tells it from that; an amount per share with the line over it that says so, as its own
    label seldom does.
    """
    entries = tuple(entry(table, row, at) for at, cell in enumerate(row.cells) if cell.strip())
    group = next((label for label in reversed(row.path) if _PER_SHARE.search(label)), "")
    of_shares = bool(group) and _are_per_share(entries)
    if over := group if of_shares else _group_needed(table, row):
        return Row(f"{over.strip(' :')}{BELOW}{row.label}", entries, table.corner)
    again = sum(each.label == row.label for each in table.rows) > 1
    label = distinct_label(table, row) if again else row.label
    entries = tuple(each for each in entries if not label.endswith(f", {each.text}"))
    return Row(label, entries, table.corner)


def entry(table: tables.Table, row: tables.Row, at: int) -> Entry:
    """One cell of a row, under what its column is called."""
    return Entry(_name(table, at), row.cells[at].strip(), _scale(table, row, at))


def _group_needed(table: tables.Table, row: tables.Row) -> str:
    """The group of a row that its label does not tell from others of its table; "" for none."""
    again = sum(each.label == row.label for each in table.rows) > 1
    needed = row.path and (again or says_only_when(row.label))
    return row.path[-1] if needed else ""


def _name(table: tables.Table, at: int) -> str:
    """What a column is called: with its period, where columns are told apart by theirs."""
    column, timed = table.columns[at], [c.period for c in table.columns if c.period.text]
    apart = len({(period.months, period.end) for period in timed}) > 1
    return column.name if apart else column.heading


def _scale(table: tables.Table, row: tables.Row, at: int) -> int:
    """What a number is multiplied by; 1 for words, and where the label or the head says it."""
    says_it = row.scale or number_of(row.cells[at]) is None or _SAYS_SCALE.search(_name(table, at))
    return 1 if says_it else table.scale_of(row, at)


def _are_per_share(entries: tuple[Entry, ...]) -> bool:
    figures = [entry.text for entry in entries if re.search(r"\d", entry.text)]
    return bool(figures) and all(map(_OF_A_SHARE.fullmatch, figures))
