"""Runs of table rows among a document's blocks: fused tables parted, continued ones joined."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from docqa.ingest.tables.cells import filled, is_year, joined, moved, reach_of
from docqa.ingest.tables.heads import (
    head_count,
    is_head,
    is_remark,
    names_below_title,
    title_lines,
)
from docqa.ingest.tables.labels import labels_first
from docqa.language.numbers import stated_scale
from docqa.language.periods import says_only_when
from docqa.language.scales import NEARBY, NO_SECTION, Section, sections_over
from docqa.types.document import NOWHERE, Block, Cell

NEAR = 0.05  # of a table's width: rows that go on with it end as near to its edge
BRIEF = 100  # characters of a line between two pieces of a table that can be a row of it
LEAD_CHARS = 400  # of a line that introduces a table; longer ones are paragraphs of their own
_CONTINUED = re.compile(r"\bcont(?:inued|['’]?d)\b", re.IGNORECASE)
_NOTE = re.compile(r"\s*(?:\(\w{1,2}\)|[*†‡§¹²³]|(?:\d|[a-z])\s)")
_STATEMENT = re.compile(r"\bstatements?\s+of\b|\bbalance\s+sheets?\b", re.IGNORECASE)
_LINES = ("text", "heading")  # what a label can be read as at a page's end


@dataclass(frozen=True, slots=True)
class Region:
    """A table's ``heads`` and the rows under them, with what stands ``before`` it and its notes.

    ``titles`` are the lines of its name, where they were read as rows of it, ``repeated`` the heads
    that it has on further pages. ``headings`` is the heading path over it, ``section`` what is
    said of the scale at its section's head.
    """

    heads: tuple[Block, ...]
    body: tuple[Block, ...]
    before: tuple[Block, ...] = ()
    titles: tuple[Block, ...] = ()
    repeated: tuple[Block, ...] = ()
    notes: tuple[Block, ...] = ()
    headings: tuple[str, ...] = ()
    section: Section = NO_SECTION

    @property
    def naming(self) -> tuple[Block, ...]:
        """All its rows that are not of its body."""
        return (*self.titles, *self.heads, *self.repeated)

    @property
    def last(self) -> Block:
        return self.body[-1]

    @property
    def columns(self) -> set[int]:
        return {cell.column for row in self.body for cell in filled(row)}


def regions_of(blocks: Sequence[Block]) -> list[Region]:
    """Every table among a document's ``blocks``, in order."""
    regions: list[Region] = []
    end = 0
    for start, region, stop in _found(blocks):
        between = [b for b in blocks[end:start] if not b.is_furniture]
        between = [b for b in between if not regions or b not in regions[-1].notes]
        if regions and (whole := _joined(regions[-1], region, between)):
            regions[-1] = whole
        else:
            regions.append(_under_heads(region, _above(region, regions), between))
        end = stop
    return regions


def _found(blocks: Sequence[Block]) -> Iterator[tuple[int, Region, int]]:
    """Each table read by itself, with the places where it begins and ends."""
    sections, paths = sections_over(blocks), _paths(blocks)
    place = 0
    while place < len(blocks):
        if not (blocks[place].table and blocks[place].cells):
            place += 1
            continue
        rows = labels_first(_rows_from(blocks, place))
        before, notes = _before(blocks, place), _notes(blocks, place + len(rows))
        pieces = list(_apart(rows))
        for at, piece in enumerate(pieces):
            count = head_count(piece)
            titles = title_lines(piece[:count]) if count or not at else tuple(piece[:1])
            heads = tuple(piece[len(titles) : count])
            body = tuple(piece[len(titles) + len(heads) :])
            heads = heads or _left_behind(blocks, place, body)
            last = notes if at == len(pieces) - 1 else ()
            if at and titles:  # what names the first piece is not of another with a name of its own
                before = tuple(block for block in before if is_remark(block.text))
            region = Region(heads, body, before, titles, (), last, paths[place], sections[place])
            if body:
                yield place, region, place + len(piece)
            place += len(piece)


def _left_behind(blocks: Sequence[Block], place: int, body: Sequence[Block]) -> tuple[Block, ...]:
    """The line of years over a table at the top of a page that was left at the foot of the page
    before; none where they are not as many as its columns of values."""
    above = next((block for block in reversed(blocks[:place]) if not block.is_furniture), None)
    columns = sorted({cell.column for row in body for cell in filled(row) if cell.column})
    if above is None or above.table or above.page != blocks[place].page - 1:
        return ()
    years = above.text.split()
    if len(years) != len(columns) or not all(map(is_year, years)):
        return ()
    cells = tuple(Cell(year, column) for year, column in zip(years, columns, strict=True))
    return (replace(above, cells=cells, column_header=True),)


def _rows_from(blocks: Sequence[Block], place: int) -> list[Block]:
    number = blocks[place].table
    return list(takewhile(lambda block: block.table == number and block.cells, blocks[place:]))


def _apart(rows: Sequence[Block]) -> Iterator[Sequence[Block]]:
    """The rows parted where a second head begins; one that only repeats the first does not.

    Below a table that begins with a title of its own another may, whose rows leave columns out that
    the head names.
    """
    start, count = 0, head_count(rows)
    # The titles of groups right below a head were read as its rows.
    groups = list(takewhile(lambda row: row.column_header, rows[count:] if count else ()))
    of_body = (replace(row, column_header=False) for row in groups)
    rows = [*rows[:count], *of_body, *rows[count + len(groups) :]]
    heads = {row.text for row in rows[:count]}
    titled = False
    at = count
    while at < len(rows):
        above, below = rows[start + count : at], names_below_title(rows, at)
        if above and (is_head(rows[at]) or below) and rows[at].text not in heads:
            title = _title_of_next(above)
            if at > title + start:
                yield rows[start : at - title]
            start, titled = at - title, below
            count = max(head_count(rows[start:]), title + 1)
            heads = {row.text for row in rows[start : start + count]}
            at = start + count
            continue
        if titled and above and _is_titled(rows[at:], above):
            yield rows[start:at]
            start, count, titled = at, 0, False
        at += 1
    yield rows[start:]


def _is_titled(rows: Sequence[Block], above: Sequence[Block]) -> bool:
    """Whether the first row is a label alone, and the one after it has fewer cells than each of
    those above."""
    sizes = [len(filled(row)) for row in rows[:2]]
    return sizes[:1] == [1] and 1 < sizes[-1] < min(len(filled(row)) for row in above)


def _title_of_next(rows: Sequence[Block]) -> int:
    """How many of the last rows are without figures, and so belong to the head after them."""
    count = 0
    while count < min(2, len(rows) - 1) and len(filled(rows[-1 - count])) == 1:
        count += 1
    return count


def _paths(blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """The headings each block stands under, outermost first; for a heading those over it."""
    open_: list[Block] = []
    paths = []
    for block in blocks:
        if block.kind == "heading":
            if not block.continues:
                open_ = [each for each in open_ if each.level < block.level]
            open_.append(block)
        paths.append(tuple(each.text for each in open_))
    return paths


def _before(blocks: Sequence[Block], place: int) -> tuple[Block, ...]:
    """What leads to a table: the lines right before it, up to a paragraph or another table.

    On a sheet what stands beside it is passed over.
    """
    found: list[Block] = []
    for block in reversed(blocks[:place]):
        if _is_beside(block, found[-1] if found else blocks[place]):
            continue
        if block.table or len(found) == NEARBY or block.page < blocks[place].page - 1:
            break
        if block.is_furniture and not _is_title(block):
            continue
        if block.kind == "footnote" or len(block.text) > LEAD_CHARS:
            break
        if block.page < blocks[place].page and block.kind not in ("heading", "caption"):
            break
        found.append(block)
    return tuple(reversed(found))


def _is_beside(block: Block, row: Block) -> bool:
    """Whether a block before a row of a sheet stands no higher than it, and so beside it."""
    return block.row >= row.row > 0 and block.place == row.place


def _is_title(block: Block) -> bool:
    """Whether a line at a page's head is no furniture but belongs to the table below it."""
    return says_only_when(block.text) or _STATEMENT.search(block.text) is not None


def _notes(blocks: Sequence[Block], place: int) -> tuple[Block, ...]:
    """The footnotes right under a table."""
    found: list[Block] = []
    for block in blocks[place:]:
        carries_on = block.continues and bool(found)
        if block.table or not (block.kind == "footnote" or carries_on or _is_note(block)):
            break
        found.append(block)
    return tuple(found)


def _is_note(block: Block) -> bool:
    return block.kind in ("text", "list") and _NOTE.match(block.text) is not None


def _joined(last: Region, region: Region, between: Sequence[Block]) -> Region | None:
    """The two as one table, where the second only carries on the first, else None."""
    if not _carries_on(last, region, between):
        return None
    labels = [b for b in between if b.kind in _LINES and not _has_one_beside(b, between)]
    # Each once: a page may begin with the label that the one before it ends with.
    lines = [] if region.heads else list({block.text: block for block in labels}.values())
    lines = [block for block in lines if block.text not in _names(last) and not _see(block)]
    heads = (*region.titles, *region.heads) if region.body[0].page != last.last.page else ()
    return replace(
        last,
        repeated=(*last.repeated, *heads),
        body=(*last.body, *lines, *region.body),
        notes=(*last.notes, *region.notes),
    )


def _has_one_beside(block: Block, others: Sequence[Block]) -> bool:
    """Whether another line stands on the same one, as at a page's head: neither is a label."""
    return any(
        other is not block
        and other.page == block.page
        and other.box.top < block.box.bottom
        and block.box.top < other.box.bottom
        for other in others
    )


def _carries_on(last: Region, region: Region, between: Sequence[Block]) -> bool:
    pages = region.body[0].page - last.last.page
    if region.body[0].place != last.last.place:  # another sheet
        return False
    if pages not in (0, 1) or not region.columns <= last.columns or _is_whole(region):
        return False
    if not region.heads and _is_narrower(region, last):
        return False
    between = [block for block in between if not (is_remark(block.text) or _see(block))]
    brief = all(block.kind in _LINES and len(block.text) <= BRIEF for block in between)
    if pages == 0:
        alone = not region.heads and brief and [block.kind for block in between] == ["text"]
        return alone and _ends_below(region, last)
    same_heads = _texts(region.heads) == _texts(last.heads[: len(region.heads)])
    said = " ".join(block.text for block in (*between, *region.naming))
    if same_heads and _CONTINUED.search(said):
        return True
    titles = [block for block in between if block not in last.notes] + list(region.titles)
    titled = all(any(t.text.startswith(name) for name in _names(last)) for t in titles)
    if not region.heads:
        return not last.notes and bool(last.heads) and (titled or (brief and len(between) <= 4))
    if titles:  # beside its title a page's corner may have a mark of its own
        same_heads = _beside(region.heads) == _beside(last.heads[: len(region.heads)])
    return same_heads and titled and bool(titles or not last.notes)


def _is_narrower(region: Region, last: Region) -> bool:
    """Whether all of several rows have fewer values than every row of the other, as facts in two
    columns below a table of years."""
    ours, theirs = (
        [count for row in each.body if (count := len(joined(row.cells))) > 1]
        for each in (region, last)
    )
    return len(ours) > 1 and bool(theirs) and max(ours) < min(theirs)


def _ends_below(region: Region, last: Region) -> bool:
    """Whether rows reach as far to the right as those above them."""
    reach, above = (max(row.box.right for row in each.body) for each in (region, last))
    return abs(reach - above) <= NEAR * (above - last.body[0].box.left)


def _is_whole(region: Region) -> bool:
    """Whether a table is as its author made it, not found on a page or among a sheet's cells."""
    first = region.body[0]
    return first.box == NOWHERE and not first.row


def _see(block: Block) -> bool:
    """Whether a line only points to the notes, as under every page of a statement."""
    return len(block.text) <= BRIEF and re.search(r"\bnotes\b", block.text, re.I) is not None


def _names(region: Region) -> set[str]:
    """What stands over a table as its title: its headings and the lines before it."""
    texts = {*region.headings, *_texts((*region.before, *region.titles))}
    return {text for text in texts if not is_remark(text)}


def _beside(heads: Sequence[Block]) -> list[str]:
    """The texts of heads over the values."""
    return [cell.text for head in heads for cell in filled(head) if cell.column]


def _named(heads: Sequence[Block]) -> set[int]:
    """The columns that heads name."""
    return {at for row in heads for cell in filled(row) for at in reach_of(cell)}


def _texts(rows: Sequence[Block]) -> list[str]:
    return [row.text for row in rows]


def _above(region: Region, regions: Sequence[Region]) -> Sequence[Region]:
    """The last table; of those side by side on a sheet the first, if the new one is below them."""
    end = len(regions)
    while end > 1 and _is_beside(regions[end - 2].last, regions[end - 1].body[0]):
        end -= 1
    beside = end and _is_beside(regions[end - 1].last, region.body[0])
    return () if beside else regions[end - 1 : end]


def _under_heads(region: Region, before: Sequence[Region], between: Sequence[Block]) -> Region:
    """The table under the heads of the one before it, where it has none of its own.

    That holds on the same page, after lines and no heading but a group's on a sheet, in the same
    columns, where nothing is said of a scale between them.
    """
    said = (*between, *region.before)
    on_sheet = region.body[0].row > 0
    headed = not on_sheet and any(block.kind == "heading" for block in between)
    if region.heads or region.titles or not before or headed or _is_whole(region):
        return region
    (last,) = before
    region = _set_out(region, last) if on_sheet else region
    own = any(stated_scale(block.text)[0] > 1 for block in said)
    same_page = region.body[0].page == last.last.page
    if own or not same_page or not region.columns <= last.columns | _named(last.heads):
        return region
    if not _ends_below(region, last) or (not on_sheet and _is_narrower(region, last)):
        return region
    return replace(region, heads=last.heads, before=(*last.before, *region.before))


def _set_out(region: Region, last: Region) -> Region:
    """Rows of a sheet with their labels in the column of those above, if they are set in."""
    theirs, *values = sorted(last.columns)
    own = min(region.columns)
    if not (values and theirs < own < values[0]):
        return region
    body = (moved(row, lambda c: theirs if c.column == own else c.column) for row in region.body)
    return replace(region, body=tuple(body))
