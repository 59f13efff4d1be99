"""Which rows of a table name its columns, and which columns each of their cells stands for."""

import re
from collections.abc import Sequence
from itertools import combinations, islice, pairwise

from docqa.ingest.geometry.cells import (
    YEAR,
    Piece,
    Pieces,
    gap_between,
    is_dash,
    is_figure,
    is_measured,
    join_rows,
    rows_set_apart,
    values_of,
)
from docqa.ingest.geometry.columns import Columns, overlap
from docqa.ingest.geometry.rules import lies_between, stretches_of, underlines
from docqa.ingest.geometry.words import NUMBER, across, around, in_runs, middle
from docqa.language.numbers import stated_scale
from docqa.language.periods import MONTH
from docqa.types.document import Box

FEW_HEADERS, MOST_HEADERS = 5, 8
NEARER = 0.6  # of the distance to the next column
CLOSER = 0.5  # of what names are off the middles of the columns that each is nearest to
MOST_CUTS = 5000  # ways to share columns among names that are tried
_MARK = re.compile(r"\(\d\)")
_SCALE = re.compile(r"[($€£¥'’ ]*0{3}['’s]*\)?")
_NUMBERED = re.compile(r"\d{2,4}\s?[*†‡]?|[*†‡]|total", re.IGNORECASE)
# What the columns of a list are called: the first cell alone, or both by how they begin.
_LISTED = re.compile(r"items?|particulars|steps?|milestones?|events?|measures?", re.IGNORECASE)
_NAMES = re.compile(
    r"(?:items?|particulars|descriptions?|details?|terms?|meanings?|definitions?|names?|titles?|no"
    r"|numbers?|values?|amounts?|exhibits?|documents?|dates?|provisions?|places?|pages?|totals?)\b",
    re.IGNORECASE,
)
_OF_ONE = re.compile(
    r"\b(?:re(?:stat|vis|cast)|adjusted|audited|reported|pro forma)", re.IGNORECASE
)
_DATE = re.compile(rf"{MONTH} \d{{1,2}}\b", re.IGNORECASE)


def with_heads(
    rows: list[Pieces], columns: Columns, levels: Sequence[Box], height: float
) -> tuple[list[Pieces], int]:
    """Rows with those that name the columns made whole, each of their cells over all that it
    names; and how many rows of names there are."""
    headers = _whole_heads(rows, header_rows(rows), levels, height)
    for row in rows[:headers]:
        _spread(row, columns, levels, height)
    for row, below in pairwise(rows[:headers]):
        _repeated(row, below)
    for below, row in pairwise(rows[:headers][::-1]):
        _over_years(row, below, height)
    rows = _stacked(rows, headers, height)
    headers = header_rows(rows)
    _named(rows, headers, columns)
    return rows, headers


def header_rows(rows: Sequence[Sequence[Piece]]) -> int:
    """How many rows at the top name the columns: those before the first figure, unless a ground of
    their own tells.

    Of more than a few all but two stand over the columns of figures alone, without a label.
    """
    if _are_pairs(rows):
        return int(_heads_pairs(rows))
    if apart := _set_apart(rows):
        return apart
    headers, grounded = _before_figures(rows), _grounded(rows)
    return headers if headers in grounded else next(iter(grounded), headers)


def _grounded(rows: Sequence[Sequence[Piece]]) -> list[int]:
    """How many rows at the top may name columns, as they stand on colours that no row below does;
    [] where none does."""
    grounds = [{piece.ground for piece in row} for row in rows]
    return [
        count
        for count in range(1, min(FEW_HEADERS, len(rows) - 1) + 1)
        if grounds[count - 1] != grounds[count]
        and "" not in (over := set[str]().union(*grounds[:count]))
        and over.isdisjoint(set[str]().union(*grounds[count:]))
        and len(rows[count - 1]) > 1
        and rows[count][0].first == 0
        and not any(map(_has_amounts, rows[:count]))
    ]


def _before_figures(rows: Sequence[Sequence[Piece]]) -> int:
    """How many rows at the top stand before the first figure, or before the first dash for one."""
    headers = int(_names_by_numbers(rows))
    for row in rows[headers : MOST_HEADERS + 1]:
        if _has_amounts(row) or (headers and not values_of(row)):
            break
        if headers and _is_filled_in(row, rows[:headers]):
            break
        headers += 1
    labelled = sum(row[0].first == 0 for row in rows[:headers])
    many = headers > MOST_HEADERS or (headers > FEW_HEADERS and labelled > 2)
    of_words = labelled == headers > 1 and not any(map(_has_amounts, rows))
    if headers == len(rows) or many or of_words:
        return int(_names_columns(rows))
    return headers


def _set_apart(rows: Sequence[Sequence[Piece]]) -> int:
    """How many rows at the top name columns, in a typeface that no row below has; 0 for none."""
    apart = rows_set_apart(rows)
    head = rows[:apart]
    words = not any(map(_has_amounts, head))
    return apart if 0 < apart <= FEW_HEADERS and words and len(head[-1]) > 1 else 0


def _is_filled_in(row: Sequence[Piece], heads: Sequence[Sequence[Piece]]) -> bool:
    """Whether a row without figures is one of the table: a dash stands for one, or it fills all
    columns that are named in bold, and is not."""
    if any(is_dash(piece.text) for piece in row):
        return True
    named = all(piece.bold for head in heads for piece in head)
    full = row[0].first == 0 and len(row) == max(map(len, heads))
    return named and full and not any(piece.bold for piece in row)


def _are_pairs(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether each row is a label and what it says, and the first says no period, over figures."""
    columns = {piece.first for row in rows for piece in row}
    labelled = all(row[0].first == 0 for row in rows)
    paired = len(columns) == len(rows[0]) == 2
    return paired and labelled and not (_is_period(rows[0][1].text) and _are_figures(rows[1:]))


def _are_figures(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether no row says in words what others say in figures."""
    said = [piece.text for row in rows for piece in row[1:]]
    return all(NUMBER.match(text) or is_dash(text) or is_measured(text) for text in said)


def _heads_pairs(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether the first of pairs names their columns: "Landlord | Acme Limited" is a fact itself.

    It does in words that name the columns of any list, in bold as others are not, or where all
    the others hold amounts.
    """
    first, *others = [row for row in rows if len(row) > 1]
    if not others or _has_amounts(first):
        return False
    label = first[0].text
    listed = _LISTED.fullmatch(label) or stated_scale(label)[0] > 1
    if listed or all(_NAMES.match(piece.text) for piece in first):
        return True
    bold = all(piece.bold for piece in first)
    if bold and not all(piece.bold for row in others for piece in row):
        return True
    return all(map(_has_amounts, others))


def _names_by_numbers(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether the first row names columns by numbers ("737"), being alone without a label."""
    if len(rows) < 3 or len(rows[0]) < 3 or any(row[0].first > 0 for row in rows[1:]):
        return False
    first = rows[0]
    return first[0].first > 0 and all(_NUMBERED.fullmatch(piece.text) for piece in first)


def _has_amounts(row: Sequence[Piece]) -> bool:
    """Whether a row has an amount; "(2)" among words is the mark of a note, "£000" a scale."""
    values = values_of(row)
    told = [piece.text for piece in values if not _SCALE.fullmatch(piece.text)]
    figures = [text for text in told if is_figure(text) or is_measured(text)]
    worded = any(len(piece.text) > 3 and piece.text[0].isalpha() for piece in values)
    return bool(figures) and not (worded and all(map(_MARK.fullmatch, figures)))


def _names_columns(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether the first row of a table without figures names its columns."""
    if len(rows) < 2:
        return False
    first, rest = rows[0], [piece for row in rows[1:] for piece in row]
    if all(piece.bold for piece in first):
        return not all(piece.bold for piece in rest)
    short = all(len(piece.text.split()) <= 6 for piece in first)
    return short and len(first) >= 2 and not first[0].text.endswith(":")


def _whole_heads(rows: list[Pieces], headers: int, levels: Sequence[Box], height: float) -> int:
    """Names of columns on several lines made one, where some have more lines than others.

    They end on one line, so that what stands over a name may be its beginning. It is joined to
    it in place; how many header rows are left comes back.
    """
    at = 1
    while at < headers:
        below = rows[at:headers]
        targets = [_carried_on(piece, below, levels, height) for piece in rows[at - 1]]
        several = len({piece.text for piece in rows[at - 1]}) > 1
        own = (several and _rounds(rows[at - 1], rows[at])) or _groups_years(targets, below)
        if all(targets) and len(set(map(id, targets))) == len(targets) and not own:
            for piece, target in zip(rows[at - 1], targets, strict=True):
                assert target
                # A hyphen stays: "Weighted-" over "average" is more usual than a broken word.
                apart = "" if piece.text.endswith("-") else " "
                target.text = f"{piece.text}{apart}{target.text}"
                target.box = around([piece.box, target.box])
            del rows[at - 1]
            headers, at = headers - 1, max(1, at - 1)
        else:
            at += 1
    return headers


def _groups_years(targets: Sequence[Piece | None], below: Sequence[Pieces]) -> bool:
    """Whether cells are over fewer years than a row has: "Year ended June 30," over three."""
    years = (sum(YEAR.match(piece.text) is not None for piece in row) for row in below)
    named = [each for each in targets if each and YEAR.match(each.text)]
    return 0 < len(named) < max(years, default=0)


def _carried_on(
    piece: Piece, below: Sequence[Pieces], levels: Sequence[Box], height: float
) -> Piece | None:
    """The cell of the rows below of which a header cell is the first lines; None for none."""
    met = (_under(piece, row) for row in below)
    under = next((cells for cells in met if cells), [])
    if len(under) != 1 or YEAR.match(piece.text) or piece.bold != under[0].bold:
        return None
    target = under[0]
    if _is_period(target.text) and not piece.text.endswith(","):
        return None  # a group of periods
    gap = target.box.top - piece.box.bottom
    within = target.box.left <= piece.box.left and piece.box.right <= target.box.right
    in_line = within or _edge_apart(target.box, piece.box) < 0.25 * height
    parted = any(lies_between(rule, piece.box, target.box) for rule in levels)
    return target if gap < 0.35 * height and in_line and not parted else None


def _is_period(text: str) -> bool:
    return bool(YEAR.match(text) or _DATE.match(text))


def _under(piece: Piece, row: Sequence[Piece]) -> list[Piece]:
    return [each for each in row if across(each.box, piece.box) > 0]


def _spread(row: Pieces, columns: Columns, levels: Sequence[Box], height: float) -> None:
    """Header cells stretched over their columns: those of the rule below, else the middle of.

    Of several rules below a cell the widest counts that leaves labels and other cells alone.
    """
    free = values_of(row)
    taken = {at for p in row if p.first == 0 for at in range(p.last + 1)} | {0}
    for piece in list(free):
        others = {at for p in row if p is not piece for at in range(p.first, p.last + 1)}
        rules = _underlines(piece, levels, height)
        for rule in rules:
            reach = (rule.left, rule.right)
            met = [at for at, c in enumerate(columns) if overlap(c, reach) > 0.5 * (c[1] - c[0])]
            if met and not ({0} | others) & set(met):
                piece.first, piece.last = min(met), max(met)
                break
        if rules:
            free.remove(piece)
            taken |= set(range(piece.first, piece.last + 1))
    _centred(free, columns, [at for at in range(len(columns)) if at not in taken])


def _underlines(piece: Piece, levels: Sequence[Box], height: float) -> list[Box]:
    """The rules just below a cell that hold the whole of its width, the widest first; else that of
    which each cell below draws its part."""
    below = [rule for rule in levels if -2 <= rule.top - piece.box.bottom <= 0.8 * height]
    found = [rule for rule in below if underlines(rule, piece.box)]
    found = found or [rule for rule in stretches_of(below) if underlines(rule, piece.box)]
    return sorted(found, key=lambda rule: rule.left - rule.right)


def _centred(cells: Sequence[Piece], columns: Columns, free: Sequence[int]) -> None:
    """Few header cells over many ``free`` columns: each takes those it is the middle of, or else
    all are left as they are."""
    if not cells or len(cells) >= len(free) or _OF_ONE.search(cells[0].text):
        return
    nearest: list[list[int]] = [[] for _ in cells]
    for at in free:
        amid = sum(columns[at]) / 2
        distances = [abs(middle(piece.box) - amid) for piece in cells]
        nearest[distances.index(min(distances))].append(at)
    groups: Sequence[Sequence[int]] = nearest
    if _are_amid(cells, groups, columns) and free[-1] - free[0] == len(free) - 1:
        shared = _shared(cells, columns, free)  # as near, and maybe much nearer
        closer = _off(cells, shared, columns) < CLOSER * _off(cells, groups, columns)
        groups = shared if closer and _are_amid(cells, shared, columns) else groups
    fitted = [_fitted(*each, columns) for each in zip(cells, groups, strict=True)]
    if all(fitted):
        for piece, group in zip(cells, fitted, strict=True):
            piece.first, piece.last = group[0], group[-1]


def _shared(cells: Sequence[Piece], columns: Columns, free: Sequence[int]) -> list[Sequence[int]]:
    """The columns in as many runs as there are cells, off whose middles these stand least."""
    cuts = combinations(range(1, len(free)), len(cells) - 1)
    ends = ([0, *each, len(free)] for each in islice(cuts, MOST_CUTS))
    runs = ([free[start:end] for start, end in pairwise(each)] for each in ends)
    return min(runs, key=lambda groups: _off(cells, groups, columns))


def _are_amid(cells: Sequence[Piece], groups: Sequence[Sequence[int]], columns: Columns) -> bool:
    """Whether each cell is the middle of all its columns, or nearly."""
    pairs = zip(cells, groups, strict=True)
    return all(group and _off_middle(piece, group, columns) < 0 for piece, group in pairs)


def _off(cells: Sequence[Piece], groups: Sequence[Sequence[int]], columns: Columns) -> float:
    """How far cells are from the middles of their columns, together, in points."""
    sides = ((columns[group[0]][0], columns[group[-1]][1]) for group in groups)
    pairs = zip(cells, sides, strict=True)
    return sum(abs(middle(piece.box) - (left + right) / 2) for piece, (left, right) in pairs)


def _fitted(piece: Piece, group: Sequence[int], columns: Columns) -> Sequence[int]:
    """Neighbouring columns of which a cell is the middle: all, or else those it is nearly of."""
    if len(group) == 1 or (group and _off_middle(piece, group, columns) < 0):
        return group
    runs = (group[at : at + n] for n in range(len(group) - 1, 0, -1) for at in range(len(group)))
    near = (run for run in runs if _off_middle(piece, run, columns, share=0) < 0)
    return next(near, [])


def _over_years(row: Pieces, below: Sequence[Piece], height: float) -> None:
    """The one header cell over several periods, and not over one of them, stretched over all.

    So is one over such a cell.
    """
    cells = values_of(row)
    if len(cells) != 1 or cells[0].first < cells[0].last:
        return
    [cell] = cells
    named = values_of(below)
    periods = _periods_at(cell, named)
    over = [each for each in periods if _edge_apart(cell.box, each.box) < 0.25 * height]
    aside = not over or (over == [periods[len(periods) // 2]] and not _OF_ONE.search(cell.text))
    if len(periods) > 1 and aside:
        cell.first, cell.last = periods[0].first, periods[-1].last
    elif len(named) == 1 and named[0].first < named[0].last and _under(cell, named):
        cell.first, cell.last = named[0].first, named[0].last


def _periods_at(cell: Piece, row: Sequence[Piece]) -> list[Piece]:
    """The neighbouring periods of a row among which a cell stands."""
    run: list[Piece] = []
    for piece in row:
        if _is_period(piece.text):
            run.append(piece)
        elif cell.last < piece.first:
            break
        else:
            run = []
    return run


def _edge_apart(one: Box, other: Box) -> float:
    """How far the nearest of their left edges, right edges and middles are apart."""
    edges = (one.left - other.left, one.right - other.right, middle(one) - middle(other))
    return min(map(abs, edges))


def _repeated(row: Pieces, below: Sequence[Piece]) -> None:
    """Header cells over columns whose names repeat ("2022 2021 2022 2021"), one for each round."""
    rounds = _rounds(row, below)
    for piece, held in zip(values_of(row), rounds, strict=False):
        piece.first, piece.last = held[0].first, held[-1].first


def _rounds(row: Sequence[Piece], below: Sequence[Piece]) -> list[list[Piece]]:
    """The cells below in as many rounds as a row has cells, each over its own; none for other.

    A round ends where one of its names comes again. All name the same, or else some lack a few.
    Columns before the row's first cell may be left out.
    """
    cells = values_of(row)
    firsts = (1, cells[0].first) if len(cells) > 1 else ()
    found = [
        in_runs(
            [piece for piece in below if piece.first >= first],
            lambda run, piece: piece.text in {each.text for each in run},
        )
        for first in firsts
    ]
    over = [
        rounds
        for rounds in found
        if len(rounds) == len(cells) and all(map(_is_over, cells, rounds))
    ]
    over.sort(key=lambda rounds: len({len(held) for held in rounds}))
    return next(filter(_name_alike, over), [])


def _name_alike(rounds: Sequence[Sequence[Piece]]) -> bool:
    """Whether no round has a name that the one of most names lacks."""
    names = [{piece.text for piece in held} for held in rounds]
    return all(each <= max(names, key=len) for each in names)


def _is_over(cell: Piece, held: Sequence[Piece]) -> bool:
    """Whether a cell stands over some of several columns."""
    single = all(piece.first == piece.last for piece in held)
    return single and len(held) > 1 and held[0].first <= cell.last and cell.first <= held[-1].last


def _named(rows: Sequence[Pieces], headers: int, columns: Columns) -> None:
    """Have columns of figures without a name share that of a neighbour they stand close to.

    So do an amount and its share in percent, and a figure and its note.
    """
    if not headers:
        return
    held = [(p.first, p.last) for row in rows[:headers] for p in values_of(row)]
    covered = {at for first, last in held for at in range(first, last + 1)}
    figures = {p.first for row in rows[headers:] for p in values_of(row) if is_figure(p.text)}
    bare = sorted(figures - covered) if len(figures - covered) <= len(figures & covered) else []
    for at in bare:
        before = columns[at][0] - columns[at - 1][1]
        after = columns[at + 1][0] - columns[at][1] if at + 1 < len(columns) else 4 * before
        for piece in values_of(rows[headers - 1]):
            if piece.last == at - 1 and before < NEARER * after:
                piece.last = at


def _off_middle(
    piece: Piece, group: Sequence[int], columns: Columns, *, share: float = 0.15
) -> float:
    """How much further a cell is from the middle of columns than it may, in points."""
    left, right = columns[group[0]][0], columns[group[-1]][1]
    return abs(middle(piece.box) - (left + right) / 2) - share * (right - left) - 4


def _stacked(rows: list[Pieces], headers: int, height: float) -> list[Pieces]:
    """Header rows whose cells stand exactly under those above, as one row."""
    result: list[Pieces] = []
    for at, row in enumerate(rows):
        if result and at < headers and _stacks(result[-1], row, height):
            join_rows(result[-1], row)
        else:
            result.append(row)
    return result


def _stacks(above: Pieces, row: Pieces, height: float) -> bool:
    if gap_between(above, row) > 0.6 * height:
        return False
    named = values_of(above)
    targets = [list(filter(piece.meets, row)) for piece in named]
    in_line = all(
        n.last - n.first <= t.last - t.first and _edge_apart(n.box, t.box) < 0.5 * height
        for n, under in zip(named, targets, strict=True)
        for t in under
    )
    single = all(len(under) < 2 for under in targets)
    years = any(YEAR.match(piece.text) for piece in above)
    return single and bool(named) and in_line and not years
