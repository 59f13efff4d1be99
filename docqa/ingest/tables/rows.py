"""Rows of a table: labels over several lines, the groups they stand in, subtotals, periods."""

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import accumulate, pairwise, takewhile

from docqa.ingest.tables.cells import has_digit
from docqa.ingest.tables.grid import Grid, cells_of
from docqa.language.amounts import measured_amounts
from docqa.language.numbers import without_note_marks
from docqa.language.periods import YEAR, months_named, periods_in, read_period
from docqa.language.words import content_words
from docqa.types.document import Block
from docqa.types.period import NO_PERIOD, Period
from docqa.types.table import SUBTOTAL, Row

CENTRED = -1.0  # the indentation of a label set over all others
TOLERANCE = 2.5  # points by which two rows of one indentation may begin apart
_OPEN_END = re.compile(
    r"(?:,|(?<=\w)[-–—]|[&/]|\b(?:and|or|of|in|to|the|for|from|by|on|at|with|than|per|a|an))$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[a-z(]|\$\d|\d[\d,.]*%?\)?\s+and\b|and\b")
_MARKS = re.compile(
    r"\s*(?:(?<=\s)\((?:\d{1,2}|[a-z])\)(?<!to\s\(\w\))(?=[\s.…]*$)|(?<=\w)\(\d{1,2}\)$"
    r"|\.{3,}|(?:\. ){3,}|[*†‡])"
)
_PENCE = re.compile(r"(\b(?:shares?|dividends?|EPS|prices?)\b.*)\(p\)", re.IGNORECASE)
_TOTAL = re.compile(r"(?:sub-?)?totals?\b", re.IGNORECASE)
_REFERENCE = re.compile(r"(?!(?:19|20)\d\d\s)\d[\d.-]*\s+(?=[^\W\d])")  # "4990-000 Total income"
_TOTAL_OF = re.compile(r"total\s+(?P<what>[^\W\d].*)", re.IGNORECASE)
_ROUNDED = Decimal("0.5")  # of what a part may be off by, in the last place
_CLOSES = re.compile(r"(?:(?:sub-?)?total|net|cash|all|ending|end)\b", re.IGNORECASE)
# A line that balance sheets must show although it has no amount.
_NO_GROUP = re.compile(r"commitments\b.*\bcontingen", re.IGNORECASE)
_BALANCE = re.compile(r"\b(?:balances?|beginning|ending|end|as (?:of|at)|at)\b", re.IGNORECASE)
_MONTH_DAY = re.compile(r"\bended\s+(\w+ \d{1,2}),?\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    cells: tuple[str, ...]
    block: Block
    more: tuple[int, ...] = ()  # blocks of the other lines of it
    indent: float = 0.0

    @property
    def is_group(self) -> bool:
        return bool(self.label) and not any(self.cells)


@dataclass(frozen=True, slots=True)
class _Group:
    label: str
    indent: float
    under: float | None = None  # the indentation of the first row under it


def rows_of(body: Sequence[Block], grid: Grid) -> tuple[Row, ...]:
    """The rows under a table's heads, each with the groups it stands in."""
    lines = _whole(_lines(body, grid))
    rows = _of_years(_totalled(list(_subtotals(_grouped(_centred(lines))))))
    return tuple(_dated(iter(rows)))


def _lines(body: Sequence[Block], grid: Grid) -> Iterator[_Line]:
    for block in body:
        alone = block.text, ("",) * len(grid.places)
        label, cells = cells_of(block, grid) if block.cells else alone
        if label or any(cells):
            yield _Line(unmarked(label), cells, block, (), block.box.left)


def unmarked(label: str) -> str:
    """A label without note marks and dot leaders; what looks like one and means pence says so.

    >>> unmarked("Net sales (1) ....."), unmarked("Earnings per share (p)")
    ('Net sales', 'Earnings per share (pence)')
    """
    bare = _MARKS.sub("", _PENCE.sub(r"\1(pence)", without_note_marks(label)))
    return " ".join(bare.split()).lstrip("•·– ")


def _whole(lines: Iterator[_Line]) -> list[_Line]:
    """Labels that run over two lines as one, whichever of them has the values."""
    whole: list[_Line] = []
    for line in lines:
        if whole and _goes_on(whole[-1], line):
            whole[-1] = _both(whole[-1], line)
        else:
            whole.append(line)
    return whole


def _goes_on(before: _Line, line: _Line) -> bool:
    if not before.label or not line.label or (any(before.cells) and any(line.cells)):
        return False
    if before.label.endswith(":"):
        return False
    unclosed = before.label.count("(") > before.label.count(")")
    open_end = not any(before.cells) and bool(_OPEN_END.search(before.label))
    if before.block.page != line.block.page:  # a line that ends a page may be a group's name
        return open_end
    return unclosed or open_end or (bool(_GOES_ON.match(line.label)) and not _own_line(line.label))


def _own_line(label: str) -> bool:
    """Whether a line that begins with a bracket or small letter can stand by itself: "(a) Rent"."""
    return re.match(r"\(?\w{1,3}[).]\s|\([A-Za-z]", label) is not None


def _both(before: _Line, line: _Line) -> _Line:
    with_values = line if any(line.cells) else before
    other = before if with_values is line else line
    return _Line(
        f"{before.label} {line.label}",
        with_values.cells,
        with_values.block,
        (*before.more, other.block.index, *line.more),
        before.indent,
    )


def _centred(lines: Sequence[_Line]) -> list[_Line]:
    """The lines, with group labels set further right than what follows put leftmost of all."""
    placed = list(lines)
    for at, (line, after) in enumerate(pairwise(lines)):
        if line.is_group and line.indent > after.indent + TOLERANCE:
            placed[at] = replace(line, indent=CENTRED)
    return placed


def _grouped(lines: Sequence[_Line]) -> Iterator[Row]:
    groups: list[_Group] = []
    after_group = False
    for line in lines:
        if line.is_group:
            groups = _over_group(groups, line, nested=after_group)
            yield _row(line, groups)
            if not _NO_GROUP.match(line.label):
                groups.append(_Group(line.label.rstrip(" :–—-"), line.indent))
        else:
            groups = _over_row(groups, line)
            closed = _closed_by(groups, line.label)
            yield _row(line, groups[: closed + 1])
            groups = groups[:closed]
        after_group = line.is_group


def _row(line: _Line, groups: Sequence[_Group]) -> Row:
    path = tuple(group.label for group in groups)
    return Row(line.label, line.cells, line.block.index, path, lines=line.more)


def _over_group(groups: Sequence[_Group], line: _Line, *, nested: bool) -> list[_Group]:
    """The groups that go on over a new one: those set further left, or right before it."""
    if nested and groups and groups[-1].indent <= line.indent + TOLERANCE:
        return list(groups)
    return [
        group
        for group in groups
        if (group.indent == CENTRED != line.indent)
        or (
            group.indent < line.indent - TOLERANCE
            and not (group.under is not None and line.indent < group.under - TOLERANCE)
        )
    ]


def _over_row(groups: Sequence[_Group], line: _Line) -> list[_Group]:
    """The groups a row stands in: those it is set under, in place of after."""
    kept: list[_Group] = []
    for group in groups:
        under = line.indent if group.under is None else group.under
        apart = under > group.indent + TOLERANCE
        outside = line.indent < group.indent - TOLERANCE or (
            apart and line.indent <= group.indent + TOLERANCE
        )
        if outside and group.indent != CENTRED:
            break
        kept.append(replace(group, under=under))
    return kept


def _closed_by(groups: Sequence[_Group], label: str) -> int:
    """The place of the group whose total this row is, that after the last where it is of none."""
    label = _unreferenced(label)
    if not _CLOSES.match(label):
        return len(groups)
    is_total = _TOTAL.match(label) is not None
    named = set(content_words(_TOTAL.sub("", label)))
    for at in range(len(groups) - 1, -1, -1):
        group = set(content_words(_unreferenced(groups[at].label)))
        if group == named or (group and group < named and not is_total):
            return at
        if group and group < named:  # "Total current assets" under "Assets"
            return len(groups)
    level = [at for at, g in enumerate(groups) if g.under is not None and g.indent != CENTRED]
    return level[-1] if level and is_total else len(groups)


def _unreferenced(label: str) -> str:
    return _REFERENCE.sub("", label, count=1)


def _subtotals(every: Iterator[Row]) -> Iterator[Row]:
    """Rows without a label that add up those above them, with one that says so."""
    rows = list(every)
    width = len(rows[0].cells) if rows else 0
    filled = [sum(has_digit(row.cells[at]) for row in rows) for at in range(width)]
    column = filled.index(max(filled)) if filled else 0
    standing: list[Decimal] = []
    for row in rows:
        amounts = measured_amounts(row.cells[column]) if row.cells else []
        if len(amounts) != 1:
            yield row
            continue
        value = amounts[0].value
        count = _adding_up(standing, value)
        yield replace(row, label=SUBTOTAL) if count and not row.label else row
        standing = [*standing[: len(standing) - count], value]


def _totalled(rows: list[Row]) -> list[Row]:
    """The rows, those of one name under what their totals say that they are.

    A segment note sets "U.S." and "International" once over "Total revenues" and once over "Total
    assets", and no line over either.
    """
    often = Counter(row.label for row in rows if row.label)
    for at, row in enumerate(rows):
        if (total := _TOTAL_OF.match(row.label)) and not row.path:
            parts = _parts_of(rows, at)
            if any(often[rows[part].label] > 1 for part in (at, *parts)):
                named = total["what"][:1].upper() + total["what"][1:]
                for part in parts:
                    rows[part] = replace(rows[part], path=(named,))
    return rows


def _parts_of(rows: Sequence[Row], at: int) -> range:
    """The rows over a total that add up to it in every column that it has a figure in."""
    first = at
    while first and not rows[first - 1].path and any(rows[first - 1].cells):
        first -= 1
        if at - first > 1 and _adds_up(rows[first:at], rows[at]):
            return range(first, at)
    return range(0)


def _adds_up(parts: Sequence[Row], total: Row) -> bool:
    """Whether figures make a total, each rounded in its last place; shares apart."""
    summed = [(at, value) for at, cell in enumerate(total.cells) if (value := _figure(cell))]
    return bool(summed) and all(
        abs(sum(_figure(row.cells[at]) for row in parts) - value)
        <= _ROUNDED * len(parts) * Decimal(1).scaleb(int(value.as_tuple().exponent))
        for at, value in summed
    )


def _figure(cell: str) -> Decimal:
    """The amount in a cell, negative in brackets; 0 for words, for a share and for nothing."""
    amounts = measured_amounts(cell)
    if len(amounts) != 1 or "%" in cell:
        return Decimal(0)
    return -abs(amounts[0].value) if "(" in cell else amounts[0].value


def _adding_up(standing: Sequence[Decimal], value: Decimal) -> int:
    """How many of the last figures, two or more, have this sum; 0 where none do."""
    sums = enumerate(accumulate(reversed(standing), initial=Decimal(0)))
    return next((count for count, total in sums if count > 1 and total == value), 0)


def _dated(rows: Iterator[Row]) -> Iterator[Row]:
    """Rows with the period that they or a group over them name; between two balances, theirs."""
    every = [replace(row, period=_own_period(row)) for row in rows]
    balances = [at for at, row in enumerate(every) if _is_balance(row)]
    for first, last in pairwise(balances):
        between = _between(every[first].period, every[last].period)
        for at in range(first + 1, last) if between.year else ():
            if not every[at].period.year:
                every[at] = replace(every[at], period=between)
    yield from every


def _of_years(rows: Sequence[Row]) -> list[Row]:
    """The rows, those without a label below one, each of another year in one column, named by its
    label and the year, and so is it: pay is told of one year below another."""
    told = [_year_told(row) for row in rows]
    named = list(rows)
    for first, (row, (column, year)) in enumerate(zip(rows, told, strict=True)):
        below = takewhile(lambda at: not rows[at].label, range(first + 1, len(rows)))
        others = {at: told[at][1] for at in below if told[at][1] and told[at][0] == column}
        if row.label and year and others and year not in others.values():
            for at, of in {first: year, **others}.items():
                named[at] = replace(rows[at], label=f"{row.label}, {of}")
    return named


def _year_told(row: Row) -> tuple[int, str]:
    """The first column of a row that is filled, and the year that is all it says, "" for others."""
    at = next((at for at, cell in enumerate(row.cells) if cell), 0)
    return at, row.cells[at] if row.cells and re.fullmatch(YEAR, row.cells[at]) else ""


def _own_period(row: Row) -> Period:
    named = map(_period_named, (row.label, *reversed(row.path)))
    return next(filter(None, named), NO_PERIOD)


def _period_named(text: str) -> Period | None:
    found = periods_in(text)
    years = {period.year for period in found}
    if len(years) == 1 and (found[0].month or text == found[0].text or _ends(text, found[0])):
        return found[0]
    if not years and (months := months_named(text)) and (day := _MONTH_DAY.search(text)):
        dated = read_period(f"{day[1]}, 2000")
        if dated.month:
            return Period(text.strip(), min(months), 0, dated.month, dated.day)
    return None


def _ends(text: str, period: Period) -> bool:
    """Whether a text ends with its period ("Balance, 2021"), and is not of something due then."""
    named = re.search(r"\b(?:due|maturing|notes|plan|act|series)\b", text, re.IGNORECASE)
    return named is None and not text[period.stop :].strip(" ):")


def _is_balance(row: Row) -> bool:
    period = row.period
    return bool(
        period.month and period.year and not row.is_group and _BALANCE.search(row.label)
        and period.months == 0
    )  # fmt: skip


def _between(first: Period, last: Period) -> Period:
    """The time from one balance to the next."""
    months = round((_day_number(last) - _day_number(first)) / 30.44)
    if not 0 < months <= 12:
        return NO_PERIOD
    return Period(f"{months} months ended {last.text}", months, last.year, last.month, last.day)


def _day_number(period: Period) -> int:
    """Days since the year 1; of a month whose day is not known, its last."""
    day = min(period.day or 31, monthrange(period.year, period.month)[1])
    return date(period.year, period.month, day).toordinal()
