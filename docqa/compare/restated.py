"""What two reports of one series give for the same period in different figures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from docqa.compare.facts import Key
from docqa.compare.figures import BEARING, SERIES
from docqa.compare.tables import Side, amount_of, table_figures
from docqa.language.labels import bearing, label_key, names_nothing, things_in
from docqa.language.periods import read_period
from docqa.types.comparison import Figure
from docqa.types.phrases import count
from docqa.types.table import STATEMENTS

SHOWN = 5  # told one by one
Fact = tuple[Key, str, tuple[int, int, int], int | None]  # label, unit, end and months


def restatements(sides: Sequence[Side], subject: str = "") -> list[str]:
    """A sentence for each figure on the subject that a document gives otherwise than the one
    before it, the first `SHOWN` of them.

    Only of documents of one series, in which `SERIES` figures of a label and period are the same.
    """
    asked = things_in(subject)
    found = [
        f"{one.label} for {one.period} is {_printed(one)} but {_printed(other)}: "
        "it was restated or reclassified."
        for before, after in pairwise(map(_stated_once, sides))
        for one, other in _restated(before, after)
        if not asked or bearing(one.label, asked) >= BEARING
    ]
    more = len(found) - SHOWN
    return [*found[:SHOWN], *([f"{count(more, 'more figure')} is restated."] if more > 0 else [])]


def _stated_once(side: Side) -> dict[Fact, Figure]:
    """The figures of statements, where it has any, or of all tables, that are of one period and
    have one value in the document."""
    tables = [table for table in side.tables if table.role in STATEMENTS] or side.tables
    read = replace(side, tables=tables)
    found: dict[Fact, Figure] = {}
    doubtful: set[Fact] = set()
    for figure in table_figures(read):
        period, own = read_period(figure.period), figure.label.rpartition(" › ")[2]
        fact = label_key(figure.label), figure.unit, period.end, period.months
        if period.year and not names_nothing(label_key(own)):
            known = found.setdefault(fact, figure)
            doubtful |= {fact} if abs(known.value) != abs(figure.value) else set()
    return {fact: figure for fact, figure in found.items() if fact not in doubtful}


def _restated(
    before: dict[Fact, Figure], after: dict[Fact, Figure]
) -> Iterator[tuple[Figure, Figure]]:
    both = [(figure, after[fact]) for fact, figure in before.items() if fact in after]
    apart = [pair for pair in both if _differ(*pair)]
    if len(both) - len(apart) >= SERIES:
        yield from apart


def _differ(one: Figure, other: Figure) -> bool:
    """Whether two figures differ by more than the last digit that either prints."""
    return abs(abs(one.value) - abs(other.value)) > max(_step(one), _step(other))


def _step(figure: Figure) -> float:
    amount = amount_of(figure.text)
    scale = figure.value / amount.value if amount and amount.value else 1
    return abs(float(amount.step * scale)) if amount else 0.0


def _printed(figure: Figure) -> str:
    return f"{figure.shown} in {figure.document} ({figure.block.where})"
