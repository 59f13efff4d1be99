"""Which rows of a column of a page are one table: where it begins, goes on and ends.

Rows are those of `tables.find_aligned`, top to bottom, each of the lines that stand side by side.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf
from statistics import median

from docqa.ingest.geometry.captions import CAPTION, is_caption
from docqa.ingest.geometry.cells import YEAR, gap_between, is_figure, is_measured, row_box
from docqa.ingest.geometry.headers import MOST_HEADERS
from docqa.ingest.geometry.words import MARKER, Line, across, around, middle
from docqa.types.document import Box

MOST_LONE, MOST_LABELS = 4, 8  # lone lines in a row within a table; those that are labels
SAME_EDGE = 3.0  # points apart that lines of a column of prose begin
LEAST_PROSE = 6  # words of a line of prose
MOST_WORDS = 9  # of a label: a line of more may be prose
HEAD = 4  # rows above the first of several cells that may name columns
NAMES = 3  # cells of a row that names the columns of another table
LONGEST_LABEL = 14  # lines
FEWEST_FACTS = 3  # over a table that stands right below them
HEADED = 1.4  # heights of a line between a table and a line of its head
ROUNDED = 0.5  # points that lines of one size may differ by
LARGER = 1.3  # times the size of a table's type: a heading
AMID = 6.0  # points from the middle of a table that its title may be off
APART = 1.5  # widest gaps within a table, from it to the title of another
FAR, FARTHEST = 3.2, 8.0  # heights of a line between rows of a table; where a row goes on with it
_LEADS = re.compile(r"\b(follows?|following|below)\b.*:$", re.IGNORECASE)
_CLAUSE = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?|\d{1,2}\.|\([a-z]{1,4}\)")
_PERIOD = re.compile(
    r"\b(?:years?|months?|quarters?|weeks?) end(?:ed|ing)\b|\b(?:at|as of|for) .*\d"
    r"|\((?:in )?(?:millions|billions|thousands)",
    re.IGNORECASE,
)

Row = Sequence[Line]


def is_multiple(row: Row) -> bool:
    """Whether a row holds several cells, and is not a list item or two columns of prose."""
    if len(row) < 2:
        return False
    first, second = row[0], row[1]
    marked = MARKER.match(first.text) or _CLAUSE.fullmatch(first.text)
    if len(row) == 2 and marked and first.word_count == 1:
        return second.is_number
    if all(line.mono for line in row):
        return False
    return not is_of_prose(row)


def is_of_prose(row: Row) -> bool:
    """Whether a row is a line each of two columns of prose."""
    return len(row) == 2 and all(line.word_count >= LEAST_PROSE for line in row)


def ends_prose(rows: Sequence[Row], at: int, height: float) -> bool:
    """Whether a row is the last, shorter one of two columns of prose that stand above it."""
    if at == 0 or len(rows[at]) != 2 or not is_of_prose(rows[at - 1]):
        return False
    pairs = zip(rows[at - 1], rows[at], strict=True)
    under = all(abs(above.box.left - line.box.left) < SAME_EDGE for above, line in pairs)
    return under and gap_between(rows[at - 1], rows[at]) < height


def end_of_run(rows: Sequence[Row], start: int, height: float) -> int:
    """The last row of the run of table-like rows that begins at ``start``."""
    last = start
    for at in range(start + 1, len(rows)):
        resumes = _resumes(rows, at, rows[last], height)
        if (
            gap_between(rows[at - 1], rows[at]) > (FARTHEST if resumes else FAR) * height
            or _is_marked_text(rows[at], rows[last])
            or _is_title_below(rows[at], rows[start : last + 1])
            or _is_head_again(rows, at, start)
            or _is_other_head(rows, at, start)
            or _is_in_type_of_head(rows, at, start)
            or _is_titled_head(rows[at : at + 2], rows[start:at], rows[last])
            or _is_title_again(rows, at, start)
            or _heads_wider(rows[at:], rows[start:at])
        ):
            break
        if is_multiple(rows[at]):
            last = at
        elif resumes or _is_label_above(rows[at], rows[at + 1 : at + 2], rows[last], height):
            continue
        else:
            labels = all(_is_label(row, rows[last]) for row in rows[last + 1 : at + 1])
            most = MOST_LABELS if labels else MOST_LONE
            within = _goes_on_in_cell(rows[at][0], rows[at - 1], rows[last], height)
            prose = not within and _is_prose(rows[at][0], rows[start : last + 1])
            if at - last > most or prose:
                break
    return _with_text(rows, last, height)


def _is_marked_text(row: Row, before: Row) -> bool:
    """Whether a row is a text with its mark beside it: a clause with its number, or below figures a
    numbered note."""
    mark, text = row[0], row[1:]
    clause = len(row) == 2 and _CLAUSE.fullmatch(mark.text) is not None
    marked = mark.word_count == 1 and MARKER.match(mark.text) is not None
    note = marked and mark.box.left < before[0].box.right and before[-1].is_number
    wordy = sum(line.word_count for line in text) > MOST_WORDS
    return (clause or note) and wordy and not any(line.is_number for line in text)


def _is_title_below(row: Row, rows: Sequence[Row]) -> bool:
    """Whether a row after others is the caption of another table, or a heading by its size."""
    if len(row) == 1 and CAPTION.match(row[0].text):
        return True
    # A head of many lines may be smaller than its rows, a row smaller than others.
    usual = max(median(line.size for each in few for line in each) for few in (rows, rows[-1:]))
    titled = not any(line.is_number for line in row[1:])  # "8", of what it says, may be one
    return titled and len(rows) > HEAD and all(line.size > LARGER * usual for line in row)


def _is_head_again(rows: Sequence[Row], at: int, start: int) -> bool:
    """Whether a row names columns as one over the table's figures does: another table begins."""
    row = rows[at]
    named = len(row) > 1 or row[0].box.left > rows[start][0].box.right
    body = _first_figures(rows, start, min(at, start + MOST_HEADERS))
    if not body or not named or _has_figures(row):
        return False
    heads = [texts_of(head) for head in rows[max(0, start - HEAD) : body]]
    label, *names = texts_of(row)
    again = len(names) > 1 and names in [head[1:] for head in heads]  # of another day, as it says
    return again or [label, *names] in heads or _names_years(row, heads)


def _is_other_head(rows: Sequence[Row], at: int, start: int) -> bool:
    """Whether two rows of words alone, of three cells or more, stand between rows of figures."""
    words, after = rows[at : at + 2], rows[at + 2 : at + 2 + HEAD]
    if not all(len(row) > 2 for row in words) or words[0][0].text[0].islower():
        return False
    figures = [_has_figures(row) for row in rows[start:at] if len(row) > 1]
    numbers = any(line.is_number or is_measured(line.text) for row in words for line in row)
    return not numbers and 2 * sum(figures) > len(figures) and any(map(_has_figures, after))


def _is_in_type_of_head(rows: Sequence[Row], at: int, start: int) -> bool:
    """Whether a row over figures has several names in the typeface of those over the table's, and
    of no cell since: the head of another table."""
    row, below = rows[at], rows[at + 1 : at + 2]
    body = _first_figures(rows, start, at)
    if not body or len(row) < NAMES or _has_figures(row) or not any(map(_has_figures, below)):
        return False
    heads = rows[max(0, start - HEAD) : body]
    over, since, own = (
        {line.font for each in few for line in each[1:]} for few in (heads, rows[body:at], [row])
    )
    return own <= over and own.isdisjoint(since)


def _is_titled_head(rows: Sequence[Row], above: Sequence[Row], before: Row) -> bool:
    """Whether a lone line and a row of several names after it are the title and the head of
    another table: both in a typeface that the last row ``before`` has not, or one of them in one
    that no row ``above`` has, or the title larger than all; of the head alone, where it names more
    than those rows have cells and the title stands apart from them."""
    if len(rows) < 2 or len(rows[0]) > 1 or len(rows[1]) < 2 or _has_figures(rows[1]):
        return False
    title, head = ({line.font for line in row} for row in rows)
    used = {line.font for row in above for line in row}
    own = title == head and len(title) == 1 and title.isdisjoint(line.font for line in before)
    larger = _is_larger(rows[0][0], above)
    within = max((gap_between(one, two) for one, two in pairwise(above)), default=inf)
    apart = gap_between(above[-1], rows[0]) > APART * within
    wider = len(rows[1]) > max(map(len, above)) and head.isdisjoint(used)
    return own or larger or title.isdisjoint(used) or (wider and apart)


def _is_title_again(rows: Sequence[Row], at: int, start: int) -> bool:
    """Whether a lone line looks as the one over the table does, and larger than all its rows, of
    which some have figures: under the head alone it is the name of a group."""
    row, title = rows[at], rows[start - 1] if start else ()
    if len(row) > 1 or len(title) != 1 or not any(map(_has_figures, rows[start:at])):
        return False
    alike = row[0].font == title[0].font and abs(row[0].size - title[0].size) < ROUNDED
    return alike and _is_larger(row[0], rows[start:at])


def _is_larger(line: Line, rows: Sequence[Row]) -> bool:
    return line.size > ROUNDED + max(each.size for row in rows for each in row)


def _heads_wider(rows: Sequence[Row], above: Sequence[Row]) -> bool:
    """Whether a row of several names over figures follows on facts in two columns, a label and what
    it says each, all flush: the head of another table."""
    first, below = rows[0], rows[1 : 1 + MOST_HEADERS]
    if len(above) < FEWEST_FACTS or any(len(row) > 2 for row in above):
        return False
    if any(abs(row[0].box.left - above[0][0].box.left) > SAME_EDGE for row in above):
        return False
    beside = first[0].box.left > max(row[0].box.right for row in above)
    if len(first) < (2 if beside else 3) or any(line.is_number for line in first):
        return False
    figures = next((row for row in below if _has_figures(row)), ())
    return len(figures) > 3 and sum(line.is_number for line in figures) > 2


def _names_years(row: Row, heads: Iterable[Sequence[str]]) -> bool:
    """Whether a row names years, of those of the head or behind what says so ("At December 31")."""
    label, *cells = texts_of(row)
    if len(cells) < 2 or not all(map(YEAR.match, cells)):
        return False
    return bool(_PERIOD.search(label)) or any(cells == list(head[1:]) for head in heads)


def _with_text(rows: Sequence[Row], last: int, height: float) -> int:
    """The row that a table ends with: below its last, what a text in that goes on with.

    A line beside the last, but a little lower, is of it too.
    """
    end, bottom = last, row_box(rows[last]).bottom
    for above, row in pairwise(rows[last:]):
        beside = row_box(row).top < bottom - 0.4 * height
        if len(row) > 1 or not (beside or _goes_on_in_cell(row[0], above, rows[last], height)):
            break
        end += 1
    return end


def _first_figures(rows: Sequence[Row], start: int, stop: int) -> int:
    """The first of some rows that has figures, 0 for none."""
    return next((at for at in range(start, stop) if _has_figures(rows[at])), 0)


def _has_figures(row: Row) -> bool:
    """Whether a row has an amount, or a dash for one."""
    return any(line.is_number and not YEAR.match(line.text) for line in row)


def texts_of(row: Row) -> list[str]:
    return [line.text for line in row]


def _resumes(rows: Sequence[Row], at: int, before: Row, height: float) -> bool:
    """Whether figures under those of a row ``before`` follow, after no more than their label."""
    for above, row in pairwise(rows[at - 1 : at + LONGEST_LABEL]):
        if len(row) > 1:
            labelled = not row[0].is_number or gap_between(above, row) < 0  # figures amid its lines
            return labelled and _stands_under(row, before, height)
        far = above is not rows[at - 1] and gap_between(above, row) > 1.3 * height
        if far or not _is_beside_figures(row[0], before):
            return False
    return False


def _is_beside_figures(line: Line, before: Row) -> bool:
    """Whether a line stands where a row has its label, and reaches into none of its figures."""
    figures = [each.box.left for each in before[1:] if each.is_number]
    return bool(figures) and line.box.right < figures[0]


def _stands_under(row: Row, before: Row, height: float) -> bool:
    """Whether most figures of a row end where those of a row above it do, two at least."""
    above = [line.box.right for line in before if line.is_number]
    figures = [line for line in row if line.is_number]
    under = [
        line for line in figures if any(abs(line.box.right - edge) < height / 2 for edge in above)
    ]
    return (
        any(is_figure(line.text) for line in under)
        and len(under) >= 2
        and len(under) > 0.6 * len(figures)
    )


def _is_label(row: Row, before: Row) -> bool:
    """Whether a lone line after a row of figures is a label of one that follows: it stands under
    its label, and is as short."""
    line, edge = row[0], before[0].box
    over = edge.left - 10 <= line.box.left and line.box.right < before[1].box.left
    note = MARKER.match(line.text) is not None or line.word_count > MOST_WORDS
    return over and before[-1].is_number and not note


def _is_label_above(row: Row, below: Sequence[Row], before: Row, height: float) -> bool:
    """Whether a long lone line is the first of a label whose last has the row's figures.

    They end where those of the row ``before`` do.
    """
    if not below or len(row) > 1 or len(below[0]) < 2 or not below[0][-1].is_number:
        return False
    near = gap_between(row, below[0]) < 0.4 * height
    flush = abs(below[0][0].box.left - row[0].box.left) < height
    return near and flush and abs(below[0][-1].box.right - before[-1].box.right) < height / 2


def _goes_on_in_cell(line: Line, above: Row, row: Row, height: float) -> bool:
    """Whether a lone line carries on a text of a row of many cells, close under it."""
    near = gap_between(above, [line]) < 0.6 * height
    texts = [cell for cell in row[1:] if not cell.is_number] if len(row) > 3 else []
    return near and any(abs(line.box.left - cell.box.left) < 2 for cell in texts)


def _is_prose(line: Line, rows: Sequence[Row]) -> bool:
    """Whether a lone line is too wide or wordy to be a row's label, ends as a sentence does, or
    leads to another table."""
    if line.word_count >= 8 and _LEADS.search(line.text):
        return True
    box = around(other.box for row in rows for other in row)
    ended = line.text.endswith(".") and line.box.left < box.left + line.size
    wide = line.width > 0.72 * (box.right - box.left) or ended
    return (wide and line.word_count > MOST_WORDS) or line.word_count > 22


def first_row(rows: Sequence[Row], start: int, body: Sequence[Row], height: float) -> int:
    """Where the table begins: lines over its columns of numbers are headers of it."""
    box = around(line.box for row in body for line in row)
    multiple = [row for row in body if is_multiple(row)]
    labels_end = min(row[0].box.right for row in multiple)
    over_labels = min(labels_end - 5, box.left + (box.right - box.left) / 4)
    labels = [row[0].box.right for row in multiple if row[0].box.left < over_labels]
    lefts = [row[1].box.left for row in multiple]
    reach, values = min(max(labels, default=box.left), min(lefts)), median(lefts)
    first = start
    while first > 0:
        row = rows[first - 1]
        far = gap_between(row, rows[first]) > HEADED * height
        aside = row[0].box.left < over_labels or not all(map(_is_head, row))
        title = len(row) == 1 and _is_title(row[0].box, box, reach, values)
        if far or aside or title or not (len(row) == 1 or _are_groups(row, body)):
            break
        first -= 1
    return first


def _is_title(line: Box, table: Box, reach: float, values: float) -> bool:
    """Whether a line over the labels, which ``reach`` so far, stands amid them or the table.

    ``values`` is where most rows' next cells begin.
    """
    at = middle(line)
    return line.left < reach and (at < values or abs(at - middle(table)) < AMID)


def _are_groups(row: Row, body: Sequence[Row]) -> bool:
    """Whether each line of a row stands over several cells of a table."""
    return all(
        any(sum(across(line.box, cell.box) > 0 for cell in other[1:]) > 1 for other in body)
        for line in row
    )


def _is_head(line: Line) -> bool:
    return line.word_count <= 12 and not is_caption(line.text)
