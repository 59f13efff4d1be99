"""Which rows of a table name its columns, whether they were read as such or not."""

import re
from collections.abc import Sequence

from docqa.ingest.tables.cells import NOTHING, filled, has_digit, is_figure, is_year
from docqa.language.numbers import stated_scale
from docqa.language.periods import YEAR_ALONE, read_period, says_only_when
from docqa.types.document import Block

HEAD_CHARS = 60  # of a cell that names a column
FEWEST = 3  # rows under a head that is known by them alone
LONGEST = 120  # characters of a name over figures
MOST = 0.8  # of the cells of a column of figures
LEADING = 8  # first rows that may be heads although they were not read as such

_AUDITED = re.compile(r"\(?(?:un)?audited\)?", re.IGNORECASE)
_STATEMENT = re.compile(r"\b(?:statements?|balance sheets?|schedule|summary)\b", re.IGNORECASE)
# Of time, age or size: "1-90", "31 to 60 days", "Less than 1 Year", "> 360", "5+ years".
_RANGE = re.compile(
    r"\d\s*(?:[-–]|to|and)\s*\d|[<>≤≥]|\d\s*\+"
    r"|\b(?:less|more|greater|longer|up to|over|under|within|after|beyond|thereafter)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\(\w{1,2}\)|(?:19|20)\d\d(?:\s*\(\w{1,2}\))?")


def head_count(rows: Sequence[Block]) -> int:
    """How many of a table's first rows are its head: marked as such, or with a period or a scale.

    Lines of title among them are of the head too. Rows that were not marked are one only where
    some of them names a year, or names in words what stands in figures below. Below names a row of
    dates under a label of its own is none ("Break date"), nor is the title of the first group.
    """
    count = 0
    for at, row in enumerate(rows[:LEADING]):
        named = row.column_header or is_head(row) or _only_names(row) or _is_beside_nothing(row)
        named = named or _names_parts(rows, at) or _names_figures(rows, at)
        if named and not (_are_named(row, rows[:count]) and _has_label(row, rows[at + 1 :])):
            count = at + 1
        elif not _is_title(row):
            break
    while count > 1 and _is_group(rows[count - 1], rows[: count - 1]):
        count -= 1
    if not count and (_is_over_ranges(rows) or _is_over_figures(rows)):
        return 1
    marked = any(row.column_header or _is_beside_nothing(row) for row in rows[:count])
    dated = any(YEAR_ALONE.search(row.text) for row in rows[:count])
    told = marked or dated or any(_names_figures(rows, at) for at in range(count))
    return count if told and count < len(rows) else 0


def _names_parts(rows: Sequence[Block], at: int) -> bool:
    """Whether a row right below names that each stand over several columns names these, in words
    over figures: "EUL | EFF | RUL" under "Life (years)"."""
    above, row, below = filled(rows[at - 1]) if at else [], filled(rows[at]), rows[at + 1 :]
    names = [cell for cell in row if cell.column]
    if not any(1 < cell.span < 2 * len(names) for cell in above) or len(above) >= len(names):
        return False
    if any(_is_value(cell.text) or len(cell.text) > HEAD_CHARS for cell in names):
        return False
    return _have_figures(below, {cell.column for cell in names})


def _names_figures(rows: Sequence[Block], at: int) -> bool:
    """Whether a row names, in words or ranges, columns that hold figures in most rows below it:
    "Name | Age | Title", "Days past due | 1-90 | > 90 | Total"."""
    names, below = [cell for cell in filled(rows[at]) if cell.column], rows[at + 1 :]
    if len(names) < 2 or len(below) < FEWEST:
        return False
    if any(len(cell.text) > LONGEST or not _is_name(cell.text) for cell in names):
        return False
    over = sum(_hold_figures(below, cell.column) for cell in names)
    return 2 * over >= len(names)


def _hold_figures(rows: Sequence[Block], column: int) -> bool:
    """Whether a column has figures alone, but for a word or two, in half of the rows at least."""
    texts = _in_column(rows, column)
    figures = sum(map(is_figure, texts))
    return 2 * figures >= len(rows) and figures >= MOST * len(texts)


def _in_column(rows: Sequence[Block], column: int) -> list[str]:
    return [cell.text for row in rows for cell in filled(row) if cell.column == column]


def _is_name(text: str) -> bool:
    """
    >>> [_is_name(text) for text in ("Shares", "2-5 Years", "> 90", "5 years", "12.0", "n/a")]
    [True, True, True, False, False, False]
    """
    return not is_figure(text) and (not has_digit(text) or _RANGE.search(text) is not None)


def names_below_title(rows: Sequence[Block], at: int) -> bool:
    """Whether a row without a label, after one that has nothing but a label, names the columns of
    figures below it: another table begins with the label as its title."""
    if not at or at + 1 == len(rows) or not _is_group(rows[at - 1]):
        return False
    cells = filled(rows[at])
    if len(cells) < 2 or not _is_beside_nothing(rows[at]):
        return False
    return _have_figures(rows[at + 1 : at + 2], {cell.column for cell in cells})


def _have_figures(rows: Sequence[Block], columns: set[int]) -> bool:
    """Whether most cells of rows in some columns are figures, in one row at least."""
    cells = [cell for row in rows for cell in filled(row) if cell.column in columns]
    return bool(cells) and 2 * sum(is_figure(cell.text) for cell in cells) > len(cells)


def _is_over_ranges(rows: Sequence[Block]) -> bool:
    """Whether the first row has words alone, and each of the others a figure in its label and in a
    cell: "Uptime | Credit" over "99.7% or above | 4%"."""
    first, *others = rows
    if len(others) < FEWEST or has_digit(first.text) or len(filled(first)) < 2:
        return False
    return all(
        cells and has_digit(cells[0].text) and all(_is_told(c.text) for c in cells[1:])
        for cells in map(filled, others)
    )


def _is_over_figures(rows: Sequence[Block]) -> bool:
    """Whether the first row alone has words for its label, and all the others a figure that is no
    year, as where a value is told by two rates: "WACC \\ growth | 1.5% | 2.0%"."""
    first, *others = [filled(row) for row in rows]
    if len(others) < FEWEST or len(first) < 3 or first[0].column or is_figure(first[0].text):
        return False
    labels = [cells[0] for cells in others if cells]
    beside = [cell.text for cells in (first, *others) for cell in cells[1:]]
    told = all(not c.column and is_figure(c.text) and not is_year(c.text) for c in labels)
    return told and all(map(is_figure, beside))


def _is_told(text: str) -> bool:
    return has_digit(text) or NOTHING.fullmatch(text.strip()) is not None


def _has_label(row: Block, below: Sequence[Block]) -> bool:
    """Whether a row that was not read as a head says what its cells are, and not only when.

    A year of it is a head's unless there are years below it too: "Built".
    """
    cells = filled(row)
    if row.column_header or not cells or cells[0].column:
        return False
    label = cells[0].text
    if _says_when_or_scale(label) or _names_column(label):
        return False
    years = [cell.column for cell in cells[1:] if is_year(cell.text)]
    return all(_hold_years(below, column) for column in years)


def _hold_years(rows: Sequence[Block], column: int) -> bool:
    """Whether most of a column's cells are years."""
    texts = _in_column(rows, column)
    return bool(texts) and 2 * sum(map(is_year, texts)) > len(texts)


def _are_named(row: Block, heads: Sequence[Block]) -> bool:
    """Whether each cell of a row stands under a name of its own."""
    columns = {cell.column for cell in filled(row)}
    return any(columns <= {cell.column for cell in filled(head)} for head in heads)


def _is_group(row: Block, heads: Sequence[Block] = ()) -> bool:
    """Whether a row has one text, over the labels, that says neither when nor a scale; or stands,
    with its reference, before all that the fullest of ``heads`` names ("4000-000 | INCOME")."""
    cells, fullest = filled(row), max(map(filled, heads), key=len, default=[])
    named = [cell.column for cell in fullest if cell.column]
    over = len(cells) == 1 and not cells[0].column
    before = bool(cells) and cells[-1].column < min(named, default=0)
    return (over or before) and not _says_when_or_scale(cells[-1].text)


def _is_beside_nothing(row: Block) -> bool:
    """Whether a row has no label and no amount, and so names columns; not a group's title.

    Instead of a label it may say how the table is scaled.
    """
    cells = filled(row)
    if cells and not cells[0].column and stated_scale(cells[0].text)[0] > 1:
        cells = cells[1:]
    if not cells or not cells[0].column or any(len(cell.text) > HEAD_CHARS for cell in cells):
        return False
    title = len(cells) == 1 and cells[0].text.strip().endswith(":")
    return not title and not any(_is_value(cell.text) for cell in cells)


def _is_title(row: Block) -> bool:
    """Whether a row can be a line of the table's title: one text and no figure."""
    cells = filled(row)
    return len(cells) == 1 and not is_figure(cells[0].text) and not cells[0].text.endswith(":")


def title_lines(heads: Sequence[Block]) -> tuple[Block, ...]:
    """The first of the rows of a head that name the table, not its columns."""
    count = 0
    for at, row in enumerate(heads[:-1]):
        cells = filled(row)
        if len(cells) != 1 or _says_when_or_scale(cells[0].text):
            break
        if not cells[0].column or _STATEMENT.search(row.text):
            count = at + 1
    return tuple(heads[:count])


def _only_names(row: Block) -> bool:
    """Whether a row only names columns: periods or note marks, under nothing or a scale."""
    cells = filled(row)
    if not cells or cells[-1].column == 0:
        return False
    first, *others = cells
    dated = sum(_is_dated(cell.text) for cell in others) > 1
    if dated and not any(_is_value(cell.text) for cell in others):
        return all(len(cell.text) <= HEAD_CHARS for cell in others)
    if not all(_names_column(cell.text) for cell in others):
        return False
    return first.column > 0 or _names_column(first.text) or stated_scale(first.text)[0] > 1


def _is_dated(text: str) -> bool:
    """Whether a cell names a year, and may be a heading for it."""
    return re.match(r"(?:\w+\.?\s+){0,4}(?:\d{1,2},\s*)?(?:19|20)\d\d\b", text.strip()) is not None


def _names_column(text: str) -> bool:
    plain = text.strip()
    return bool(_NAMED.fullmatch(plain)) or bool(read_period(plain).month)


def is_head(row: Block) -> bool:
    """Whether a row says only of what period its columns are, whether it was read as a head or not.

    A second table set below a first one begins so, and its columns are often other years.
    """
    cells = filled(row)
    beside = [cell for cell in cells if cell.column]
    if row.column_header:
        return bool(beside)
    if not cells or not all(_says_when_or_scale(cell.text) for cell in cells):
        return False
    dated = [cell for cell in beside if YEAR_ALONE.search(cell.text)]
    return len(dated) > 1 or (
        0 < len(beside) == len(cells) and (len(cells) > 1 or not _is_value(beside[0].text))
    )


def _is_value(text: str) -> bool:
    return is_figure(text) and not is_year(text)


def _says_when_or_scale(text: str) -> bool:
    return says_only_when(text) or stated_scale(text)[0] > 1 or is_remark(text)


def is_remark(text: str) -> bool:
    """Whether a head's text says nothing of what its column is.

    >>> [is_remark(text) for text in ("(Unaudited)", "(in millions)", "in EUR million", "In Asia")]
    [True, True, True, False]
    """
    plain = text.strip()
    scaled = re.match(r"\(|[Ii]n\b", plain) is not None and stated_scale(plain)[0] > 1
    ends = re.fullmatch(r"[a-z ,]+\)", plain) is not None  # such a text that began above
    return scaled or ends or _AUDITED.fullmatch(plain) is not None
