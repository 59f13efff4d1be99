"""Which rows of a table name its columns, and which columns each of their cells stands for."""

from collections.abc import Sequence

from docqa.ingest.cells import YEAR, Piece, Pieces, gap_between, is_figure, join_rows
from docqa.ingest.columns import Columns
from docqa.types import Box

MOST_HEADERS = 5


def header_rows(rows: Sequence[Sequence[Piece]]) -> int:
    """How many rows at the top name the columns: those before the first figure (at most 5)."""
    headers = 0
    for row in rows[: MOST_HEADERS + 1]:
        values = [piece for piece in row if piece.first > 0]
        if any(is_figure(piece.text) for piece in values) or (headers and not values):
            break
        headers += 1
    if headers == len(rows) or headers > MOST_HEADERS:
        return int(_names_columns(rows))
    return headers


def _names_columns(rows: Sequence[Sequence[Piece]]) -> bool:
    """Whether the first row of a table without figures names its columns."""
    if len(rows) < 2:
        return False
    first, rest = rows[0], [piece for row in rows[1:] for piece in row]
    if all(piece.bold for piece in first):
        return not all(piece.bold for piece in rest)
    short = all(len(piece.text.split()) <= 6 for piece in first)
    return short and len(first) >= 2 and not first[0].text.endswith(":")


def spread(row: Pieces, columns: Columns, levels: Sequence[Box], height: float) -> None:
    """Header cells stretched over their columns: those of the rule below, else the middle of."""
    for piece in row:
        rule = _underline(piece, levels, height)
        if rule and piece.first > 0:
            met = [at for at, c in enumerate(columns) if _shared(c, rule) > 0.5 * (c[1] - c[0])]
            others = {at for p in row if p is not piece for at in range(p.first, p.last + 1)}
            if met and not others & set(met):
                piece.first, piece.last = min(met), max(met)
    if row and not any(_underline(piece, levels, height) for piece in row):
        _centred(row, columns)


def _shared(column: tuple[float, float], rule: Box) -> float:
    return min(column[1], rule.right) - max(column[0], rule.left)


def _underline(piece: Piece, levels: Sequence[Box], height: float) -> Box | None:
    """The rule just below a cell that holds the whole of its width."""
    for rule in levels:
        below = -2 <= rule.top - piece.box.bottom <= 0.8 * height
        if below and rule.left <= piece.box.left + 2 and rule.right >= piece.box.right - 2:
            return rule
    return None


def _centred(row: Pieces, columns: Columns) -> None:
    """Few header cells over many columns: each takes those it is the middle of."""
    cells = [piece for piece in row if piece.first > 0]
    if not cells or len(cells) >= len(columns) - 1:
        return
    groups: list[list[int]] = [[] for _ in cells]
    for at in range(1, len(columns)):
        middle = sum(columns[at]) / 2
        distances = [abs(_middle(piece.box) - middle) for piece in cells]
        groups[distances.index(min(distances))].append(at)
    fits = (
        len(group) == 1 or (group and _is_middle(piece, group, columns))
        for piece, group in zip(cells, groups, strict=True)
    )
    if all(fits):
        for piece, group in zip(cells, groups, strict=True):
            piece.first, piece.last = group[0], group[-1]


def repeated(row: Pieces, below: Sequence[Piece]) -> None:
    """Header cells over columns whose names repeat ("2022 2021 2022 2021"), one for each round."""
    cells = [piece for piece in row if piece.first > 0]
    names = [piece.text for piece in below if piece.first > 0]
    single = all(piece.first == piece.last for piece in below)
    if len(cells) < 2 or len(names) % len(cells) or len(names) == len(cells) or not single:
        return
    length = len(names) // len(cells)
    rounds = [names[at : at + length] for at in range(0, len(names), length)]
    if any(one != rounds[0] for one in rounds):
        return
    places = [piece.first for piece in below if piece.first > 0]
    for at, piece in enumerate(cells):
        piece.first, piece.last = places[at * length], places[(at + 1) * length - 1]


def _middle(box: Box) -> float:
    return (box.left + box.right) / 2


def _is_middle(piece: Piece, group: Sequence[int], columns: Columns) -> bool:
    left, right = columns[group[0]][0], columns[group[-1]][1]
    return abs(_middle(piece.box) - (left + right) / 2) < 0.15 * (right - left) + 4


def stacked(rows: list[Pieces], headers: int, height: float) -> list[Pieces]:
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
    single = all(piece.first == piece.last for piece in [*above, *row])
    named = sum(piece.first > 0 for piece in above)
    return single and named > 0 and not any(YEAR.match(piece.text) for piece in above)
