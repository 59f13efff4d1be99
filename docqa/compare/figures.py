"""Labelled figures of documents, matched by label, period and unit, and their differences."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from itertools import product

from docqa.compare.facts import NOTHING, Key, Listed
from docqa.compare.sentences import sentence_figures
from docqa.compare.tables import Side, table_figures
from docqa.compare.units import number_of
from docqa.language.amounts import difference, percent_change, printed_difference
from docqa.language.labels import (
    bearing,
    is_known,
    is_listed,
    is_outflow,
    label_key,
    names_nothing,
    things_in,
)
from docqa.language.numbers import DURATIONS
from docqa.language.periods import read_period, same_length, same_period
from docqa.language.words import content_words
from docqa.types.comparison import PERIODS_DIFFER, Figure, FigureComparison
from docqa.types.document import Block
from docqa.types.units import is_currency

BEARING = 0.5  # share of a label's words that must have been asked for
FAIR = 0.25  # of the most frequent period's figures, for a period to be a document's own
DOUBTED = 500  # times as much, from which the scale of an amount of money is doubted
FAR_APART = "they differ so much that one may be in thousands or millions. Check both pages"
OF_SIZES = "Outflows: the difference is between their sizes."
ANY_NOTICE = label_key("notice period")  # of no kind that is told, so that it may be of anything
SHOWN = 48  # figures, the best first
WITHOUT_PERCENTAGE = ("%", "pts", "bps", "date")  # units whose differences have none
SERIES = 3  # equal figures of one period from which two documents are of one series


def figures_of(side: Side) -> list[Figure]:
    """Every labelled figure among a document's blocks, those of its tables first."""
    return [*table_figures(side), *sentence_figures(side.document, tuple(side.blocks.values()))]


def compare_figures(
    figures: Mapping[str, Sequence[Figure]],
    *,
    question: str = "",
    known: Listed = NOTHING,
    period: str = "",
) -> tuple[FigureComparison, ...]:
    """The figures that several documents share, with the difference of the first two.

    What they list in tables alike (``known``) is told although one document alone has it; and so
    is what figures are known by, where they have such tables.

    ``figures`` maps document ids, in the order compared, to their figures. Two figures are of one
    label where `label_key` agrees. Of several for one label, those of the same period are
    compared, the latest first; a comparative column that repeats the other document's own figure
    gives way to the latest figure of each. Only labels that bear on ``question`` are kept, best
    first; a question that names none keeps none, and an empty one keeps the best known labels.
    """
    sides_found = list(figures.values())
    if are_of_one_series(sides_found):  # whose comparative columns are the others' own
        sides_found = list(map(_latest_only, sides_found))
    by_label = [_by_label(found, known) for found in sides_found]
    keys = dict.fromkeys(key for each in by_label for key in each)
    listed = known.keys | {k for k in keys if known.keys and is_listed(k) and k != ANY_NOTICE}
    told = [k for k in keys if sum(k in each for each in by_label) > 1 or k in listed]
    if not question or any(set(ANY_NOTICE) < set(key) for key in told):
        told = [key for key in told if key != ANY_NOTICE]
    sides = [[each.get(key, []) for each in by_label] for key in told]
    rows = [_named_where_not_first(_row(side, period or question), side) for side in sides]
    rows = [row for row in rows if question or _is_of_one_kind(row)]
    return _ranked(rows, question)[:SHOWN]


def _is_of_one_kind(row: FigureComparison) -> bool:
    """Whether no figure is money where another is a length of time: under one name these are two
    things ("the deposit is $300", "the deposit is held for six months")."""
    units = [figure.unit for figure in row.values]
    money = any(map(is_currency, units))
    return not money or set(DURATIONS).isdisjoint(units)


def _by_label(found: Sequence[Figure], known: Listed) -> dict[Key, list[Figure]]:
    """The figures under each label, those of main statements first, then those in tables that are
    listed alike, then the most repeated.

    Where a table has a label in some unit, sentences say no more of it.
    """
    grouped: dict[Key, list[Figure]] = {}
    for figure in found:
        key = known.key(figure.label)
        if figure.unit == "date" or not names_nothing(key):
            grouped.setdefault(key, []).append(figure)
    return {key: _surest_first(own, known) for key, own in grouped.items()}


def _surest_first(own: Sequence[Figure], known: Listed) -> list[Figure]:
    tabled = {figure.unit for figure in own if figure.block.table}
    kept = [figure for figure in own if figure.block.table or figure.unit not in tabled]
    counts = Counter(map(_number, own))

    def rank(figure: Figure) -> tuple[bool, bool, int]:
        listed = (figure.document_id, figure.block.index) in known.blocks
        return not figure.statement, not listed, -counts[_number(figure)]

    return sorted(kept, key=rank)


def _number(figure: Figure) -> tuple[Decimal, int]:
    return abs(figure.value), read_period(figure.period).year


def are_of_one_series(sides: Sequence[Sequence[Figure]]) -> bool:
    """Whether `SERIES` figures of one label and period are the same in the first and another: what
    a third party reports for the same year differs."""
    facts = [{_fact(figure) for figure in side if figure.period} for side in sides]
    return any(len(facts[0] & other) >= SERIES for other in facts[1:])


def _fact(figure: Figure) -> tuple[Key, tuple[int, int, int], int | None, Decimal]:
    period = read_period(figure.period)
    return label_key(figure.label), period.end, period.months, abs(figure.value)


def _latest_only(side: Sequence[Figure]) -> list[Figure]:
    """Of each length of period only the document's own; figures of no period stay.

    Its own is the latest for which it has a fair number of figures, not one that is only mentioned.
    """
    periods = [read_period(figure.period) for figure in side]
    counts = Counter((period.months, period.end) for period in periods if period.year)
    own: set[tuple[int | None, tuple[int, int, int]]] = set()
    for months in {months for months, _ in counts}:
        most = max(count for (length, _), count in counts.items() if length == months)
        ends = [end for (length, end), n in counts.items() if length == months and n >= FAIR * most]
        own.add((months, max(ends)))
    return [
        figure
        for figure, period in zip(side, periods, strict=True)
        if not period.year or (period.months, period.end) in own
    ]


def _row(sides: Sequence[Sequence[Figure]], question: str) -> FigureComparison:
    present = [_asked_period(side, question) for side in sides if side]
    alone = max(present[0], key=lambda f: (f.statement, read_period(f.period).year))
    chosen = _same_figure(present) if len(present) > 1 else [alone]
    asked = things_in(question)
    labels = sorted(dict.fromkeys(figure.label for figure in chosen), key=lambda t: (len(t), t))
    label = max(labels, key=lambda each: bearing(each, asked))
    named = [f"{f.document}: {f.label}." for f in chosen if label_key(f.label) != label_key(label)]
    row = row_of(label[:1].upper() + label[1:], chosen, one_period=_all_same(chosen))
    return replace(row, note=" ".join(filter(None, (row.note, *named))))


def row_of(label: str, figures: Sequence[Figure], *, one_period: bool) -> FigureComparison:
    """The figures side by side, with the difference of the first two or why there is none."""
    first, *others = figures
    refused = next((why for other in others if (why := refusal(first, other))), "")
    periods = list(dict.fromkeys(figure.period for figure in figures if figure.period))
    row = FigureComparison(
        label=label,
        period="".join(periods[:1]) if one_period else " / ".join(periods),
        unit="" if refused else first.unit,
        values=tuple(figures),
        note=refused,
    )
    return row if refused or not others else with_difference(row)


def with_difference(row: FigureComparison) -> FigureComparison:
    """The row with the first value minus the second, exactly, and what has to be known of it."""
    first, *_ = pair = row.values[:2]
    one, other = as_compared(row.label, pair)
    sizes = any(figure.value < 0 for figure in pair) and min(one, other) >= 0
    apart = difference(one, other, first.unit)
    said = printed_difference(apart, first.unit)
    change = percent_change(one, other) if first.unit not in WITHOUT_PERCENTAGE else ""
    note = "" if _all_same(row.values) else PERIODS_DIFFER
    note = note or _doubt_of_period(row.values) or (OF_SIZES if sizes and apart else "")
    shown = change if apart else ""
    return replace(row, difference=said, percent=shown, note=note, apart=apart)


def as_compared(label: str, figures: Sequence[Figure]) -> list[Decimal]:
    """The figures' values, all in the unit of the first; of outflows, in brackets, the sizes."""
    unit = figures[0].unit
    values = [figure.value * _FACTORS.get((figure.unit, unit), 1) for figure in figures]
    sizes = min(values) < 0 and is_outflow(label, mixed=max(values) > 0)
    return [abs(value) for value in values] if sizes else values


def _named_where_not_first(
    row: FigureComparison, sides: Sequence[Sequence[Figure]]
) -> FigureComparison:
    """Of more documents than two, whose difference it is where one of the first two has none."""
    if not row.difference or all(sides[:2]):
        return row
    first, second = (figure.document for figure in row.values[:2])
    told = f"The difference is between {first} and {second}."
    return replace(row, note=f"{told} {row.note}".strip())


def _doubt_of_period(figures: Sequence[Figure]) -> str:
    """Said where only some of the figures are told to be of a period."""
    without = [figure.document for figure in figures if not figure.period]
    if not without or len(without) == len(figures):
        return ""
    return (
        f"No period is given for the figure of {' and '.join(without)}: check that it is the same."
    )


def _doubt_of_scale(first: Figure, second: Figure) -> str:
    """Said where a table may have its thousands or millions told somewhere it was not seen.

    Where both are scaled, it was seen.
    """
    less, more = sorted((abs(first.value), abs(second.value)))
    scaled = all(figure.shown != figure.text for figure in (first, second))
    money = is_currency(first.unit) and not scaled
    return FAR_APART if money and less and more >= DOUBTED * less else ""


# What may be subtracted although it is named otherwise, as it is exactly so many of the other.
_FACTORS = {("years", "months"): 12, ("weeks", "days"): 7, ("days", "hours"): 24}


def refusal(first: Figure, second: Figure) -> str:
    """Why the two cannot be subtracted, "" where they can."""
    if first.unit != second.unit and (second.unit, first.unit) not in _FACTORS:
        shown = [figure.unit or "no unit" for figure in (first, second)]
        return f"Not compared: the units differ ({shown[0]} and {shown[1]})."
    one, other = read_period(first.period), read_period(second.period)
    if one.year and other.year and not same_length(one, other):
        return f"Not compared: the periods differ in length ({first.period} and {second.period})."
    doubt = first.doubt or second.doubt or _doubt_of_scale(first, second)
    return f"Not compared: {doubt}." if doubt else ""


def _all_same(figures: Sequence[Figure]) -> bool:
    first, *others = (read_period(figure.period) for figure in figures)
    return all(same_period(first, other) for other in others)


def _asked_period(side: Sequence[Figure], question: str) -> Sequence[Figure]:
    """Those of a period that the question names, where there are any."""
    asked = read_period(question)
    if not asked.year:
        return side
    fit = [f for f in side if f.period and same_period(read_period(f.period), asked)]
    return fit or side


def _same_figure(sides: Sequence[Sequence[Figure]]) -> list[Figure]:
    """One figure of each side, fit to be compared with one another where any are.

    Of all combinations (of two sides; a third follows the first) the best has equal units, then
    periods that both name or neither, then the same period, then the later year, then the shorter
    period, then the same number, which is then the same thing in both (of several the largest,
    which is of the whole), then a main statement, then the most alike paragraphs, then what comes
    first in its document.
    """
    first, second, *rest = sides
    pairs = sorted(
        product(enumerate(first), enumerate(second)),
        key=lambda pair: (
            (*_fitness(pair[0][1], pair[1][1], first, second), pair[0][0] + pair[1][0])
        ),
    )
    (_, one), (_, other) = pairs[0]
    more = [min(side, key=lambda f: _fitness(one, f, first, side)) for side in rest]
    return [one, other, *more]


def _fitness(
    one: Figure, other: Figure, first: Sequence[Figure], second: Sequence[Figure]
) -> tuple[float | Decimal, ...]:
    """Lower is better: see `_same_figure`."""
    a, b = read_period(one.period), read_period(other.period)
    apart = not same_period(a, b) or _repeated(one, other, first, second)
    same = bool(a.year or b.year) and not apart and abs(one.value) == abs(other.value)
    return (
        one.unit != other.unit,
        bool(a.year and b.year and not same_length(a, b)),
        bool(a.year) != bool(b.year),
        apart,
        -max(a.year, b.year),
        -min(a.year, b.year),
        a.months or 12,
        -abs(one.value) if same else 0,
        -one.statement - other.statement,
        -_likeness(one.block, other.block),
        *(-part for part in (*max(a.end, b.end), *min(a.end, b.end))),
        one.value == 0,
    )


def _likeness(one: Block, other: Block) -> float:
    """The share of their words that two paragraphs have in common (Dice 1945); 0 of rows, which are
    known by their labels."""
    if one.table or other.table:
        return 0.0
    first, second = _words(one.text), _words(other.text)
    return 2 * len(first & second) / max(len(first) + len(second), 1)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _repeated(
    one: Figure, other: Figure, first: Sequence[Figure], second: Sequence[Figure]
) -> bool:
    """Whether one document only repeats the other's figure beside its own later one."""
    if abs(one.value) != abs(other.value) or not one.period:
        return False
    return _has_later(one, first) or _has_later(other, second)


def _has_later(figure: Figure, side: Sequence[Figure]) -> bool:
    own = read_period(figure.period)
    others = (read_period(each.period) for each in side if each.period)
    return any(each.end[:2] > own.end[:2] and same_length(each, own) for each in others)


def _ranked(rows: Sequence[FigureComparison], question: str) -> tuple[FigureComparison, ...]:
    if not question:  # known labels first, then those that could be compared, bare numbers last
        telling = [row for row in rows if not _says_nothing(row)]
        telling.sort(key=lambda row: (not is_known(row.label), not row.difference, not row.unit))
        return tuple(telling)
    asked = things_in(question)
    scored = [(bearing(row.label, asked), place, row) for place, row in enumerate(rows)]
    kept = [entry for entry in scored if entry[0] >= BEARING]
    return tuple(row for *_, row in sorted(kept, key=lambda e: (-e[0], _first(e[2], asked), e[1])))


def _says_nothing(row: FigureComparison) -> bool:
    """Whether it is a bare number that names rather than counts, and nobody asked for it.

    One that is the same on all sides (a postcode, the number of a form), or stands in the row of a
    numbered requirement ("2.1.3 | … | CWE 521").
    """
    if row.unit or row.note or is_known(row.label):
        return False
    own = row.label.rpartition(" › ")[2].partition(",")[0]
    return len({f.value for f in row.values}) == 1 or bool(number_of(own))


def _first(row: FigureComparison, asked: Sequence[str]) -> int:
    """Where in the question the label is named."""
    return min((asked.index(thing) for thing in label_key(row.label) if thing in asked), default=0)
