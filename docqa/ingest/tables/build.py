"""The tables of a document, made once from its blocks."""

import re
from collections.abc import Sequence

from docqa.ingest.tables.cells import filled, is_figure, joined
from docqa.ingest.tables.columns import columns_of, corner_of, measured_rows
from docqa.ingest.tables.grid import Grid, grid_of
from docqa.ingest.tables.heads import is_remark
from docqa.ingest.tables.regions import Region, regions_of
from docqa.ingest.tables.roles import with_roles
from docqa.ingest.tables.rows import rows_of
from docqa.ingest.tables.scales import Ground, ground_of
from docqa.language.amounts import measured_amounts
from docqa.language.numbers import stated_scale
from docqa.types.document import Block, Cell
from docqa.types.table import Table
from docqa.types.units import is_currency

TITLE_CHARS = 160
PROSE_CHARS = 25  # characters a cell of prose set in columns has at least
PROSE = 0.5  # share of the cells that carry on the sentence over them, from which it is prose


def tables_of(document_id: str, blocks: Sequence[Block]) -> tuple[Table, ...]:
    """Every table among a document's blocks, in order, numbered from 1."""
    made: list[Table] = []
    for region in regions_of(blocks):
        grid = grid_of(region)
        if grid.places and not _is_prose(region):
            made.append(_table(document_id, len(made) + 1, region, grid))
    return with_roles(made, blocks)


def _table(document_id: str, number: int, region: Region, grid: Grid) -> Table:
    rows = rows_of(region.body, grid)
    leads = [block.text for block in reversed((*region.before, *region.titles))]
    ground = _ground(region, leads)
    times = [block.text for block in reversed((*_introducing(region.before), *region.titles))]
    columns = columns_of(region, grid, rows, ground, [*times, *region.headings[-1:]])
    pages = {block.page for block in (*region.naming, *region.body)}
    return Table(
        document_id,
        number,
        tuple(sorted(pages)),
        columns,
        measured_rows(rows, ground),
        caption=" ".join(block.text for block in region.titles) or _caption(region.before),
        section=region.headings,
        heads=tuple(block.index for block in region.naming),
        lead=tuple(block.index for block in region.before),
        notes=tuple(block.text for block in region.notes),
        corner=corner_of(region.heads, grid),
    )


def _introducing(before: Sequence[Block]) -> Sequence[Block]:
    """The lines before a table from the last headings on: what stands over these is of others."""
    is_heading = [block.kind in ("heading", "caption") for block in before]
    last = max((at for at, heading in enumerate(is_heading) if heading), default=0)
    while last and is_heading[last - 1]:
        last -= 1
    return before[last:]


def _ground(region: Region, leads: Sequence[str]) -> Ground:
    heads = [cell.text for row in region.heads for cell in _of_all(row)]
    first = [row.text for row in region.body[:1] if len(filled(row)) == 1]
    said = (*heads, *leads, *first, *region.headings[-1:])
    return ground_of(said, _signs(region.body), region.section)


def _of_all(head: Block) -> list[Cell]:
    """The cells of a head that speak of all columns: over the labels, alone, or only of scale."""
    cells = filled(head)
    return [c for c in cells if len(cells) == 1 or not c.column or is_remark(c.text)]


def _signs(rows: Sequence[Block]) -> list[str]:
    """The currencies of the signs that stand before figures."""
    cells = (
        cell for row in rows for cell in joined(row.cells) if cell.column and is_figure(cell.text)
    )
    found = (measured_amounts(cell.text) for cell in cells)
    return [amounts[0].unit for amounts in found if amounts and is_currency(amounts[0].unit)]


def _caption(before: Sequence[Block]) -> str:
    """What is printed over the table as its name: a caption, a title, or what introduces it."""
    for block in reversed(before):
        text = block.text.strip()
        scale, said = stated_scale(text)
        only_scale = scale > 1 and re.fullmatch(
            r"\(.*\)|(?:in\b|\W)*", text.replace(said, ""), re.I
        )
        if block.kind == "heading" or len(text) > TITLE_CHARS:
            return ""
        if only_scale or re.fullmatch(r"\((?:un)?audited\)", text, re.I):
            continue
        if block.kind == "caption" or text.endswith(":") or not text.endswith((".", ";", ",")):
            return text
        return ""
    return ""


def _is_prose(region: Region) -> bool:
    """Whether the rows are lines of text set in columns: cells carry on the sentences over them."""
    if region.heads:
        return False
    long = going_on = 0
    above: dict[int, str] = {}
    for row in region.body:
        for cell in filled(row):
            text = cell.text.strip()
            if len(text) >= PROSE_CHARS:
                long += 1
                before = above.get(cell.column, "")
                open_ = bool(before) and not before.endswith((".", ":", ";"))
                going_on += open_ and text[:1].islower()
            above[cell.column] = text
    return long > 2 and going_on >= PROSE * long
