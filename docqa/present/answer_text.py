"""An answer's text as typed pieces, so that nothing in it is ever taken for HTML.

A language model may write paragraphs, headings, lists, tables and **bold**, and what was
~~corrected~~ in it is struck; anything else it writes (dollar signs, underscores, angle brackets,
links, images) is shown as it stands. Text quoted from documents is not parsed at all: `verbatim`
finds only the citation marks in it. The screen draws the pieces through ``textContent``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Words:
    """A run of text, shown exactly as it is."""

    text: str
    strong: bool = False
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """The place of a citation; ``label`` is the citation's ("S1", "S3.2-4")."""

    label: str


Inline = Words | Mark


@dataclass(frozen=True, slots=True)
class Paragraph:
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    inlines: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; ``first`` is the number of its first item, 0 for a list without numbers."""

    items: tuple[tuple[Inline, ...], ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: the cells of its header, then those of its rows, as many in each."""

    header: tuple[tuple[Inline, ...], ...]
    rows: tuple[tuple[tuple[Inline, ...], ...], ...]


Piece = Paragraph | Heading | Listing | Grid

_BRACKETS = re.compile(r"\[([^\[\]\n]{1,40})\]")
_STYLED = re.compile(
    r"\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*|~~(?=\S)(?P<struck>.+?)(?<=\S)~~", re.DOTALL
)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t#]*")
_BULLET = re.compile(r"[ \t]*[-*•][ \t]+(.+)")
_NUMBER = re.compile(r"[ \t]*(\d{1,3})[.)][ \t]+(.+)")
_RULE_CELL = re.compile(r":?-{1,}:?")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_MARKS = re.compile(r"\[(\s*S\d[\dS.,;&\s–—-]*)\]")
_PARTIAL_MARK = re.compile(r"\[[A-Za-z]*\d*[.:\dp-]*$")


def prose(text: str, *, labels: Sequence[str] = ()) -> tuple[Piece, ...]:
    """A model's answer as pieces. ``[label]`` becomes a `Mark` for the ``labels`` given.

    >>> prose("It is **$5** [S1].", labels=["S1"])[0].inlines[1]
    Words(text='$5', strong=True, struck=False)
    """
    lines = text.split("\n")
    return tuple(_pieces(lines, frozenset(labels)))


def verbatim(text: str, *, labels: Sequence[str] = ()) -> tuple[Piece, ...]:
    """Quoted text as it is, line breaks kept; only the ``labels`` given become marks.

    What docqa itself puts around quotes is read: the "- " before each of several, and a table
    that makes up a whole paragraph. Nothing within them is.

    >>> verbatim("# 5 _pounds_")
    (Paragraph(inlines=(Words(text='# 5 _pounds_', strong=False, struck=False),)),)
    """
    known = frozenset(labels)
    parts = [part.strip("\n") for part in re.split(r"\n{2,}", text)]
    return tuple(piece for part in parts if part.strip() for piece in _quoted(part, known))


def _quoted(part: str, labels: frozenset[str]) -> Iterator[Piece]:
    lines = part.split("\n")
    if _starts_grid(lines, 0) and all("|" in line for line in lines):
        rows = [_fitted(_cells(line), len(_cells(lines[0]))) for line in (lines[0], *lines[2:])]
        drawn = [tuple(_marks(cell, labels) for cell in row) for row in rows]
        yield Grid(drawn[0], tuple(drawn[1:]))
        return
    listed = len(lines) > 1
    for dashed, group in groupby(lines, key=lambda line: listed and line.startswith("- ")):
        if dashed:
            yield Listing(tuple(_marks(line[2:], labels) for line in group))
        else:
            yield Paragraph(_marks("\n".join(group), labels))


def marks_in(text: str) -> list[str]:
    """What stands for passages in a text whose citations are not known yet.

    >>> marks_in("It is $5 [S1.2][S3, S4] [sic].")
    ['S1.2', 'S3, S4']
    """
    return _MARKS.findall(text)


def settled(text: str) -> str:
    """``text`` without a citation mark that has only begun to arrive at its end."""
    return _PARTIAL_MARK.sub("", text)


def _pieces(lines: list[str], labels: frozenset[str]) -> Iterator[Piece]:
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        for read in (_read_heading, _read_grid, _read_listing, _read_paragraph):
            piece, end = read(lines, at, labels)
            if piece is not None:
                yield piece
                at = end
                break


_Reader = tuple[Piece | None, int]


def _read_heading(lines: list[str], at: int, labels: frozenset[str]) -> _Reader:
    found = _HEADING.fullmatch(lines[at])
    return (Heading(_inlines(found[1], labels)), at + 1) if found else (None, at)


def _read_grid(lines: list[str], at: int, labels: frozenset[str]) -> _Reader:
    if not _starts_grid(lines, at):
        return None, at
    header = _cells(lines[at])
    end = at + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    rows = [_fitted(_cells(line), len(header)) for line in lines[at + 2 : end]]
    drawn = [tuple(_inlines(cell, labels) for cell in row) for row in (header, *rows)]
    return Grid(drawn[0], tuple(drawn[1:])), end


def _starts_grid(lines: list[str], at: int) -> bool:
    if "|" not in lines[at] or at + 1 >= len(lines) or "|" not in lines[at + 1]:
        return False
    rule = _cells(lines[at + 1])
    ruled = all(_RULE_CELL.fullmatch(cell) for cell in rule)
    return ruled and len(rule) == len(_cells(lines[at]))


def _cells(line: str) -> list[str]:
    row = line.strip().removeprefix("|")
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL_BORDER.split(row)]


def _fitted(cells: list[str], width: int) -> list[str]:
    """A row with as many cells as the header; what is too much goes into the last."""
    if len(cells) > width:
        return [*cells[: width - 1], " | ".join(cells[width - 1 :])]
    return cells + [""] * (width - len(cells))


def _read_listing(lines: list[str], at: int, labels: frozenset[str]) -> _Reader:
    numbered = _NUMBER.fullmatch(lines[at])
    if not numbered and not _BULLET.fullmatch(lines[at]):
        return None, at
    pattern = _NUMBER if numbered else _BULLET
    items, end = _items(lines, at, pattern)
    first = int(numbered[1]) if numbered else 0
    return Listing(tuple(_inlines(item, labels) for item in items), first), end


def _items(lines: list[str], at: int, pattern: re.Pattern[str]) -> tuple[list[str], int]:
    """The items that begin at line ``at``, indented lines joined to theirs, and where they end."""
    items: list[str] = []
    while at < len(lines):
        found = pattern.fullmatch(lines[at])
        if found:
            items.append(found[pattern.groups])
        elif lines[at].startswith((" ", "\t")) and lines[at].strip():
            items[-1] += f"\n{lines[at].strip()}"
        elif not _goes_on(lines, at, pattern):
            break
        at += 1
    return items, at


def _goes_on(lines: list[str], at: int, pattern: re.Pattern[str]) -> bool:
    """Whether line ``at`` is the blank line between two items of one list."""
    after = lines[at + 1] if at + 1 < len(lines) else ""
    return not lines[at].strip() and pattern.fullmatch(after) is not None


def _read_paragraph(lines: list[str], at: int, labels: frozenset[str]) -> _Reader:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_other(lines, end):
        end += 1
    return Paragraph(_inlines("\n".join(lines[at:end]), labels)), end


def _starts_other(lines: list[str], at: int) -> bool:
    starts = (_HEADING, _BULLET)
    return any(each.fullmatch(lines[at]) for each in starts) or _starts_grid(lines, at)


def _inlines(text: str, labels: frozenset[str]) -> tuple[Inline, ...]:
    inlines: list[Inline] = []
    at = 0
    for found in _STYLED.finditer(text):
        inlines += _marks(text[at : found.start()], labels)
        strong, struck = found["strong"], found["struck"]
        inlines += _marks(strong or struck, labels, strong=bool(strong), struck=bool(struck))
        at = found.end()
    inlines += _marks(text[at:], labels)
    return tuple(inlines)


def _marks(
    text: str, labels: frozenset[str], *, strong: bool = False, struck: bool = False
) -> tuple[Inline, ...]:
    inlines: list[Inline] = []
    at = 0
    for found in _BRACKETS.finditer(text):
        if found[1] in labels:
            if found.start() > at:
                inlines.append(Words(text[at : found.start()], strong, struck))
            inlines.append(Mark(found[1]))
            at = found.end()
    if at < len(text):
        inlines.append(Words(text[at:], strong, struck))
    return tuple(inlines)


Json = dict[str, object]


def as_nodes(pieces: Sequence[Piece], *, place: Callable[[str], int]) -> list[Json]:
    """The pieces as the screen's script reads them; ``place`` numbers a label's citation."""

    def inlines(values: Sequence[Inline]) -> list[Json]:
        return [
            {"cite": place(value.label)}
            if isinstance(value, Mark)
            else {"text": value.text, "strong": value.strong, "struck": value.struck}
            for value in values
        ]

    return [_node(piece, inlines) for piece in pieces]


def _node(piece: Piece, inlines: Callable[[Sequence[Inline]], list[Json]]) -> Json:
    match piece:
        case Paragraph(values):
            return {"kind": "paragraph", "inlines": inlines(values)}
        case Heading(values):
            return {"kind": "heading", "inlines": inlines(values)}
        case Listing(items, first):
            return {"kind": "list", "first": first, "items": [inlines(each) for each in items]}
        case Grid(header, rows):
            drawn = [[inlines(cell) for cell in row] for row in rows]
            return {"kind": "grid", "header": [inlines(cell) for cell in header], "rows": drawn}


def plain(pieces: Sequence[Piece], *, cite: Callable[[str], str]) -> str:
    """The pieces as plain text to copy; ``cite`` writes out a label's citation."""
    return "\n\n".join(
        _plain_piece(piece, lambda inlines: line(inlines, cite=cite)) for piece in pieces
    )


def line(inlines: Sequence[Inline], *, cite: Callable[[str], str]) -> str:
    """A run of text without its styles; what was struck is put in words."""
    return "".join(
        cite(each.label)
        if isinstance(each, Mark)
        else f"(corrected from {each.text})"
        if each.struck
        else each.text
        for each in inlines
    )


def _plain_piece(piece: Piece, line: Callable[[Sequence[Inline]], str]) -> str:
    match piece:
        case Paragraph(values) | Heading(values):
            return line(values)
        case Listing(items, first):
            signs = [f"{first + n}." if first else "•" for n in range(len(items))]
            return "\n".join(f"{s} {line(each)}" for s, each in zip(signs, items, strict=True))
        case Grid(header, rows):
            return "\n".join("\t".join(line(cell) for cell in row) for row in (header, *rows))
