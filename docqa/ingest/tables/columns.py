"""The columns of a table: the headings over each, its period, unit, scale and currency."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docqa.ingest.tables.cells import filled, has_digit, is_figure, is_year, reach_of
from docqa.ingest.tables.grid import Grid
from docqa.ingest.tables.heads import is_remark
from docqa.ingest.tables.regions import Region
from docqa.ingest.tables.scales import Ground
from docqa.language.amounts import measured_amounts, unit_named
from docqa.language.numbers import scale_factor, stated_scale
from docqa.language.periods import MONTH, months_named, periods_in, read_period
from docqa.language.scales import currency_named
from docqa.language.words import content_words
from docqa.types.document import Block, Cell
from docqa.types.period import NO_PERIOD, Period
from docqa.types.table import Column, Row
from docqa.types.units import is_currency

_YEARED = re.compile(r"(.*[^\d\s])\s+(?:19|20)\d\d\W*")
_YEARS_BESIDE = re.compile(r"(.*?)((?:(?:19|20)\d\d\s+)+(?:19|20)\d\d)")
_PAREN = re.compile(r"\(([^()]*)\)")
# "Years ended December 31," over the labels or over the table, of the bare years below it.
_WHEN = re.compile(
    r"(?:\b(?:for\s+the\s+)?(?:[\w-]+\s+){0,3}(?:months|weeks|years?|quarters?|periods?)"
    r"(?:\s+then)?\s+end(?:ed|ing)\b\s*:?\s*)?"
    rf"\b{MONTH}\s+\d{{1,2}}\b,?(?!\d|,?\s*\d{{4}})"
    r"|\b(?:for\s+the\s+)?(?:[\w-]+\s+){0,2}(?:months|weeks|years?|quarters?)\s+end(?:ed|ing)\s*:?",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:change|variance|vs\.?|versus|(?:inc|dec)rease)\b|%\s?chg|[$%]\s?(?:change|Δ)",
    re.IGNORECASE,
)
# How each unit is told; of several the first: "Shares used in computing earnings per share".
_UNITS = {
    "shares": re.compile(
        r"\W*(?:(?:weighted|average|number|of|total|basic|diluted|common|ordinary|outstanding"
        r"|adjusted|and|in|millions|thousands|the|dilutive|restricted|preferred|class\s\w)[\s–—-]+)*"
        r"shares\b(?!\s+(?:repurchase|based|of subsidiar))"
        r"|.*\bshares\s+(?:used|outstanding)|.*\bnumber of shares\b",
        re.IGNORECASE,
    ).match,
    "/share": re.compile(r"\bper[\s-](?:\w+\s){0,2}(?:share|unit|ADS)\b|\bEPS\b", re.I).search,
    "/sq m": re.compile(r"(?:/\s?|per\s)(?:sq\.?\s?m\b|square\s+met|m²|m2\b)", re.I).search,
    "/sq ft": re.compile(r"/\s?sq|per sq|psf\b|/\s?sf\b|per sf\b", re.I).search,
    "%": re.compile(r"\s*%|.*%\W*$|.*\bpercent(?:age)?\b(?!\s+point)", re.I | re.S).match,
    "bps": re.compile(r"(?:.*,\s*|\(|\s*)(?:bps?|basis points)\W*$", re.I | re.S).match,
}
_COUNTED = re.compile(
    r"\W*(?:(?:number|count|total number|no\.)\s+of\b|FTEs?\b|head\s?count\b|qty\b|quantity\b)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:\S+\s+){8}.*[.;]\W*$", re.DOTALL)
_INTRODUCES = re.compile(r"\b(?:following|follows|below|tables?|schedules?)\b|:\s*$", re.IGNORECASE)
_AT = re.compile(rf"\b(?:at|of|on|ended|ending)\s+(?:\d{{1,2}}\s+)?{MONTH}\b", re.IGNORECASE)
_AREA_LAST = re.compile(r"\bsq\.?\s?(?:ft|m)\.?$|\bsquare\s+(?:feet|met(?:er|re)s)$", re.IGNORECASE)
_OF_A_YEAR = re.compile(r"\W*(?:full\s+)?year\W*", re.IGNORECASE)  # a time, and no number of years
# Kinds of stock, which equity statements have amounts of money for.
_STOCK = re.compile(r"\b(?:common|preferred|ordinary|treasury)\s+shares$", re.IGNORECASE)
# Money, but of one thing: never in thousands or millions.
_PRICE = re.compile(
    r"\bper (?:option|unit|right|award|warrant|note|ADS)\b|\bexercise price", re.IGNORECASE
)
_SMALL_MONEY = re.compile(r"\b(?:pence|cents)\b", re.IGNORECASE)
_OF_NOTES = re.compile(r"notes?\.?", re.IGNORECASE)  # which the rows refer to by number
_SCALE_WORD = re.compile(r"^(?:thousand|million|billion)s?\s+(?:of\s+)?", re.IGNORECASE)
_SET_APART = re.compile(r"\b(?:1 9|2 0) \d \d\b")  # "2 0 1 9"
_MONEY_SIGN = re.compile(r"(?:US|C|A|HK)?[$€£¥]")


def columns_of(
    region: Region, grid: Grid, rows: Sequence[Row], ground: Ground, leads: Sequence[str]
) -> tuple[Column, ...]:
    """A column for each place of the grid; ``leads`` are the lines over it, nearest first."""
    when = _when((corner_of(region.heads, grid), *leads))
    paths = _paths(region.heads, grid)
    made = []
    for at, path in enumerate(paths):
        cells = [row.cells[at] for row in rows if row.cells[at]]
        if not path and at and _CHANGE.search(" ".join(paths[at - 1])):
            path = paths[at] = paths[at - 1]
        full = (when, *path) if when and _stands_under(path, when) else path
        made.append(_measured(full, cells, ground))
    if len({row.period.year for row in rows if row.period.year}) > 1:
        return tuple(made)
    counted = [any(has_digit(row.cells[at]) for row in rows) for at in range(len(made))]
    return _of_one_time(made, _by_title(leads, region.headings[-1:]), counted)


def _when(texts: Iterable[str]) -> str:
    """The first words on time that want a year: "Years ended December 31,"."""
    return next((found[0].strip() for text in texts if (found := _WHEN.search(text))), "")


def corner_of(heads: Sequence[Block], grid: Grid) -> str:
    """What the heads say over the labels."""
    over = [
        cell.text.strip()
        for head in heads
        for cell in filled(head)
        if cell.column < grid.labels and cell.column + cell.span <= max(1, grid.labels)
    ]
    return " ".join(dict.fromkeys(over))


def _paths(heads: Sequence[Block], grid: Grid) -> list[tuple[str, ...]]:
    """The headings over each column, outermost first.

    Words on time set over the first of their columns alone are over the years beside it too.
    """
    heads = [_over_all(head, heads[at + 1 :], grid) for at, head in enumerate(heads)]
    heads = [_over_groups(head, heads[at + 1 :], grid) for at, head in enumerate(heads)]
    paths = [tuple(_path(heads, start, end, grid)) for start, end in grid.places]
    for at in range(1, len(paths)):
        if paths[at] and is_year(paths[at][-1]) and (dated := _dated(paths[at - 1])):
            *over, when = dated
            if over[: len(paths[at]) - 1] == list(paths[at][:-1]):
                paths[at] = (*over, f"{when} {paths[at][-1]}")
    return paths


def _over_all(head: Block, below: Sequence[Block], grid: Grid) -> Block:
    """A head row whose one cell names a time that years below stand under, over all of them.

    Where a file does not say how far a cell reaches, it stands over one of its columns.
    """
    cells = [cell for cell in filled(head) if cell.column >= grid.labels]
    named = [c for row in below for c in filled(row) if periods_in(c.text)]
    if len(cells) != 1 or cells[0].span > 1 or len(named) < 2:
        return head
    if not _when(c.text for c in cells) or periods_in(cells[0].text):
        return head
    first, last = grid.places[0][0], grid.places[-1][1]
    return _reaching(head, [Cell(cells[0].text, first, last - first + 1)], grid)


def _reaching(head: Block, names: Iterable[Cell], grid: Grid) -> Block:
    """A head row with other names over its columns; what stands over the labels is kept."""
    beside = (cell for cell in head.cells if cell.column < grid.labels)
    return replace(head, cells=(*beside, *names))


def _over_groups(head: Block, below: Sequence[Block], grid: Grid) -> Block:
    """A head row whose names each stand over the first of as many columns that the next row calls
    the same, over all of these: "Revenues | | Costs |" over "2019 | 2018 | 2019 | 2018".

    Where a file does not say how far a cell reaches, it stands over one of its columns.
    """
    cells = [cell for cell in filled(head) if cell.column >= grid.labels]
    texts = {cell.text for cell in cells}
    if len(cells) < 2 or len(texts) < len(cells) or any(cell.span > 1 for cell in cells):
        return head
    ends = [*(cell.column for cell in cells[1:]), grid.places[-1][1] + 1]
    reaches = [range(cell.column, end) for cell, end in zip(cells, ends, strict=True)]
    if not any(_are_alike(row, reaches, grid) for row in below):
        return head
    over = (Cell(cell.text, at.start, len(at)) for cell, at in zip(cells, reaches, strict=True))
    return _reaching(head, over, grid)


def _are_alike(row: Block, reaches: Sequence[range], grid: Grid) -> bool:
    """Whether a row of heads has the same names, two or more, in each of some ranges of columns."""
    named = {cell.column: cell.text for cell in filled(row)}
    first, *others = [
        [named.get(start, "") for start, _ in grid.places if start in reach] for reach in reaches
    ]
    return len(first) > 1 and "" not in first and all(names == first for names in others)


def _dated(path: Sequence[str]) -> list[str]:
    """A column's headings without its year, where words on time stand before it; else none."""
    found = _YEARED.fullmatch(path[-1]) if path else None
    if found and _WHEN.search(found[1]):
        return [*path[:-1], found[1]]
    return []


def _path(heads: Sequence[Block], start: int, end: int, grid: Grid) -> Iterator[str]:
    """The headings over a column from the top down; one set in several lines is one.

    Beside the name that stands where the figures of a column begin, one that only reaches into it
    and stands over another is the other's.
    """
    path: list[tuple[str, tuple[int, int]]] = []
    begins = {first for first, _ in grid.places} - {start}
    for head in heads:
        over = [c for c in filled(head) if c.column <= end and start < c.column + c.span]
        over = [cell for cell in over if cell.column + cell.span > grid.labels]
        if any(cell.column <= start for cell in over):
            over = [c for c in over if c.column <= start or begins.isdisjoint(reach_of(c))]
        over = [cell for cell in over if not (is_remark(cell.text) and len(heads) > 1)]
        if not over:
            continue
        text = " ".join(_said_over(cell, start) for cell in over)
        reach = over[0].column, reach_of(over[-1]).stop
        if path and path[-1][1] == reach and text != path[-1][0]:
            path[-1] = f"{path[-1][0]} {text}", reach
        elif not path or path[-1][0] != text:
            path.append((text, reach))
    yield from dict.fromkeys(text for text, _ in path)


def _said_over(cell: Cell, start: int) -> str:
    """What a cell says over one of its columns: of years side by side, as many, that column's."""
    text = _SET_APART.sub(lambda year: year[0].replace(" ", ""), cell.text)
    found = _YEARS_BESIDE.fullmatch(text.strip())
    years = found[2].split() if found else []
    if not found or len(years) != cell.span:
        return text
    return f"{found[1]}{years[max(0, start - cell.column)]}"


def _stands_under(path: Sequence[str], when: str) -> bool:
    """Whether a column's headings name a year that wants the words beside them."""
    text = " ".join(path)
    found = periods_in(text)
    years = {period.year for period in found}
    if len(years) != 1 or found[0].months == 3 or _CHANGE.search(text):  # "3Q24" is whole
        return False
    bare = not found[0].month or not (months_named(text) or not months_named(when))
    bare = bare and "/" not in found[0].text  # "2025/26" says when it ends
    return bare and when.lower() not in text.lower()


def _measured(path: tuple[str, ...], cells: Sequence[str], ground: Ground) -> Column:
    heading = " ".join(path)
    period = _period(path)
    figures = [cell for cell in cells if has_digit(cell) and is_figure(cell)]
    if _OF_NOTES.fullmatch(heading) or not figures or 2 * len(figures) < sum(map(has_digit, cells)):
        return Column(path, period)
    unit = _unit_of_column(path, figures)
    if unit:
        currency = _money_per_one(heading, ground) if unit.startswith("/") else ""
        scale = _scale_of(unit, heading, ground)
        return Column(path, period, f"{currency}{unit}", scale, currency)
    scale = stated_scale(heading)[0]
    if _COUNTED.match(path[-1] if path else "") or not _is_money(heading, cells, ground):
        return Column(path, period, "", scale)
    currency = currency_named(heading) or ground.currency
    own_scale = scale if scale > 1 or _PRICE.search(heading) else ground.scale
    return Column(path, period, "", own_scale, currency)


def _unit_of_column(path: Sequence[str], figures: Sequence[str]) -> str:
    path = [part for part in path if not is_figure(part)]  # "-5%", over what is worked out for it
    signed = any(_MONEY_SIGN.search(cell) for cell in figures)
    unit = unit_of(" ".join(path)) or unit_of(path[-1] if path else "")
    unit = unit or next((each for part in path if (each := unit_of(part)) == "%"), "")
    if unit == "shares" and (signed or _STOCK.search(" ".join(path))):
        unit = ""
    all_hundredths = all(cell.rstrip(") ").endswith("%") for cell in figures)
    return unit or ("%" if all_hundredths else "")


def _is_money(heading: str, cells: Sequence[str], ground: Ground) -> bool:
    """Whether bare figures of a column are money: some has a sign, or all of the table are.

    Not where every fourth says another unit, as in a list of key facts, which has no scale.
    """
    others = [amounts[0].unit for c in cells if (amounts := measured_amounts(c))]
    mixed = sum(not (is_currency(unit) or _SMALL_MONEY.match(unit)) for unit in others if unit)
    if 4 * mixed >= len(others) and (ground.by_sign or ground.scale == 1):
        return False
    signed = any(_MONEY_SIGN.search(cell) for cell in cells)
    return signed or not ground.by_sign or currency_named(heading) != ""


def _scale_of(unit: str, heading: str, ground: Ground) -> int:
    return _own_scale(heading) or (ground.share_scale if unit == "shares" else 1)


def _period(path: Sequence[str]) -> Period:
    """The period of a column, none where it says how much two of them differ.

    A month, a day or a quarter that stands below a year is of that year.
    """
    heading = " ".join(path)
    years = {period.year for period in periods_in(heading)}
    if len(years) != 1 or _CHANGE.search(heading):
        return NO_PERIOD
    whole, below = read_period(heading), read_period(f"{path[-1]} {min(years)}")
    return below if below.month and not whole.month else whole


def _by_title(leads: Sequence[str], headings: Sequence[str]) -> list[str]:
    """The lines over a table, what it is called before sentences that introduce it, which may be
    about another day: the rents of a schedule "as at 30 June" and a valuation of March."""
    spoken = [text for text in leads if _SENTENCE.search(text)]
    introducing = [text for text in spoken if _INTRODUCES.search(text) and _AT.search(text)]
    return [*(text for text in leads if text not in spoken), *headings, *introducing]


def _of_one_time(
    columns: Sequence[Column], leads: Sequence[str], counted: Sequence[bool]
) -> tuple[Column, ...]:
    """The columns, those that have numbers (``counted``) with the one period that the lines over
    the table name where they name none, and no dates that tell them apart."""
    dated = {column.heading for column in columns if re.search(r"\d\d", column.heading)}
    if len(dated) > 1 or any(column.period.year for column in columns):
        return tuple(columns)
    for text in leads:
        found = [period for period in periods_in(text) if period.month]
        if len({period.end for period in found}) == 1 and not _CHANGE.search(text):
            return tuple(
                replace(each, period=found[0])
                if has_numbers and not _CHANGE.search(each.heading)
                else each
                for each, has_numbers in zip(columns, counted, strict=True)
            )
        if found:
            break
    return tuple(columns)


def unit_of(text: str) -> str:
    """The unit a heading or a label names: "%", "shares", "sq ft", "/share", "/sq ft", or "".

    >>> [unit_of(t) for t in ("% change", "Area (sq ft)", "Diluted earnings per share", "Rent")]
    ['%', 'sq ft', '/share', '']
    >>> unit_of("Cost of risk, bp"), unit_of("Margin (bps)")
    ('bps', 'bps')
    >>> unit_of("Rent € / sq m"), unit_of("Rent / sq ft"), unit_of("NIA sq ft"), unit_of("Year")
    ('/sq m', '/sq ft', 'sq ft', '')
    """
    plain = re.sub(r"\([^()]*\bexcept\b[^()]*\)", "", text)
    if said := next((unit for unit, is_said in _UNITS.items() if is_said(plain)), ""):
        return said
    inside = (_SCALE_WORD.sub("", text.strip()) for text in _PAREN.findall(plain))
    bracketed = (unit_named(text) for text in inside)
    area = _AREA_LAST.search(plain)  # "NIA sq ft"
    whole = "" if _OF_A_YEAR.fullmatch(plain) else unit_named(area[0] if area else plain.strip())
    return next((unit for unit in bracketed if unit), "") or whole


def measured_rows(rows: Sequence[Row], ground: Ground) -> tuple[Row, ...]:
    """The rows, each with a unit and scale of its own where its label or group says so.

    "Earnings per common share, diluted:" often ends with "Net income", set out like a total below
    the lines of its parts, and is one of them all the same.
    """
    made: list[Row] = []
    for row in rows:
        row = _measured_row(row, ground)
        if made and _goes_on(made[-1], row):
            row = replace(row, path=made[-1].path, unit=made[-1].unit, scale=made[-1].scale)
        made.append(row)
    return tuple(made)


def _goes_on(above: Row, row: Row) -> bool:
    """Whether a row set out like a total is one more of the amounts per share above it."""
    if not above.path or not above.unit.endswith("/share"):
        return False
    if row.path or row.unit or row.is_group or not _are_small(row.cells):
        return False
    return not set(content_words(row.label)).isdisjoint(content_words(above.label))


def _measured_row(row: Row, ground: Ground) -> Row:
    figures = [cell for cell in row.cells if has_digit(cell)]
    if not figures:
        return row
    unit = _unit_of_row(row, figures)
    if unit.startswith("/"):
        return replace(row, unit=f"{_money_per_one(row.label, ground)}{unit}", scale=1)
    if unit:
        return replace(row, unit=unit, scale=_scale_of(unit, row.label, ground))
    if _COUNTED.match(row.label) or _PRICE.search(row.label):
        return replace(row, scale=1)
    return replace(row, scale=_own_scale(row.label))


def _money_per_one(label: str, ground: Ground) -> str:
    """What an amount per share or area is counted in: "Earnings per share (pence)" in pence."""
    small = _SMALL_MONEY.search(label)
    return small[0].lower() if small else currency_named(label) or ground.currency


def _own_scale(label: str) -> int:
    """The scale a label or heading states for itself, 0 where it states none."""
    words = (found[0] for text in _PAREN.findall(label) if (found := _SCALE_WORD.match(text)))
    scale = max(stated_scale(label)[0], *map(scale_factor, words), 1)
    return scale if scale > 1 else 0


def _unit_of_row(row: Row, figures: Sequence[str]) -> str:
    signed = any(_MONEY_SIGN.search(cell) for cell in figures)
    for text in (row.label, *reversed(row.path)):
        unit = unit_of(text)
        if unit == "/share" and not _are_small(figures):
            continue
        if signed and unit in ("shares", "%", "years", "months", "days"):
            continue
        if unit:
            return unit if text == row.label or unit in ("/share", "shares", "%") else ""
    return ""


def _are_small(figures: Sequence[str]) -> bool:
    """Whether figures may be amounts per share: with cents, below a thousand."""
    values = [amount.value for cell in figures for amount in measured_amounts(cell)[:1]]
    return (
        bool(values)
        and all(abs(value) < 1000 for value in values)
        and any(re.search(r"\.\d", cell) for cell in figures)
    )
