"""An answer's text as typed parts, so that nothing in it is ever taken for HTML.

A language model may write paragraphs, headings, lists, tables and **bold**, and what was
~~corrected~~ in it is struck; anything else it writes (dollar signs, underscores, angle brackets,
links, images) is shown as it stands. Text quoted from documents is not parsed at all: `verbatim`
finds only the citation marks in it. The screen draws the parts through ``textContent``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from docqa.present.document import Heading, Inline, Listing, Mark, Paragraph, Part, Table, Words
from docqa.types.phrases import LIST_SIGN, SUB_ITEM

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
_QUOTED_SIGN = re.compile(f"“{LIST_SIGN}")  # as older answers have it
_PARTIAL_MARK = re.compile(r"\[[A-Za-z]*\d*[.:\dp-]*$")


def prose(text: str, *, labels: Sequence[str] = ()) -> tuple[Part, ...]:
    """A model's answer as parts. ``[label]`` becomes a `Mark` for the ``labels`` given.

    >>> prose("It is **$5** [S1].", labels=["S1"])[0].text[1]
    Words(text='$5', strong=True, struck=False, link='')
    """
    lines = text.split("\n")
    return tuple(_parts(lines, frozenset(labels)))


def verbatim(text: str, *, labels: Sequence[str] = ()) -> tuple[Part, ...]:
    """Quoted text as it is, line breaks kept; only the ``labels`` given become marks.

    What docqa itself puts around quotes is read: the "- " before each, or before what stands below
    it, and a table that makes up a whole paragraph. Nothing within them is, but for the list sign a
    quote may begin with.

    >>> verbatim("“• # 5 _pounds_”")
    (Paragraph(text=(Words(text='“# 5 _pounds_”', strong=False, struck=False, link=''),)),)
    """
    known = frozenset(labels)
    text = _QUOTED_SIGN.sub("“", text)
    paragraphs = [each.strip("\n") for each in re.split(r"\n{2,}", text)]
    return tuple(part for each in paragraphs if each.strip() for part in _quoted(each, known))


def _quoted(paragraph: str, labels: frozenset[str]) -> Iterator[Part]:
    lines = paragraph.split("\n")
    if _starts_table(lines, 0) and all("|" in line for line in lines):
        yield _table(lines, lambda cell: _marks(cell, labels))
        return
    for kind, group in groupby(_signed(lines), key=lambda each: each[0]):
        texts = [text for _, text in group]
        if kind in ("item", "below"):
            yield Listing(tuple(_marks(text, labels) for text in texts))
        else:
            yield Paragraph(_marks("\n".join(texts), labels))


def _signed(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each line without its sign, and what it is: an item that has others below it leads these
    in, and stands above their list."""
    several = len(lines) > 1  # alone, "- 5.2" is a figure
    for line, after in zip(lines, (*lines[1:], ""), strict=True):
        if several and line.startswith(SUB_ITEM):
            yield "below", line.removeprefix(SUB_ITEM)
        elif line.startswith("- ") and after.startswith(SUB_ITEM):
            yield "lead", line[2:]
        elif line.startswith("- ") and (several or not line[2:3].isdigit()):
            yield "item", line[2:]
        else:
            yield "text", line


def marks_in(text: str) -> list[str]:
    """What stands for passages in a text whose citations are not known yet.

    >>> marks_in("It is $5 [S1.2][S3, S4] [sic].")
    ['S1.2', 'S3, S4']
    """
    return _MARKS.findall(text)


def settled(text: str) -> str:
    """``text`` without a citation mark that has only begun to arrive at its end."""
    return _PARTIAL_MARK.sub("", text)


def _parts(lines: list[str], labels: frozenset[str]) -> Iterator[Part]:
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        for read in (_read_heading, _read_table, _read_listing, _read_paragraph):
            part, end = read(lines, at, labels)
            if part is not None:
                yield part
                at = end
                break


_Read = tuple[Part | None, int]


def _read_heading(lines: list[str], at: int, labels: frozenset[str]) -> _Read:
    found = _HEADING.fullmatch(lines[at])
    return (Heading(_inlines(found[1], labels)), at + 1) if found else (None, at)


def _read_table(lines: list[str], at: int, labels: frozenset[str]) -> _Read:
    if not _starts_table(lines, at):
        return None, at
    end = at + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    return _table(lines[at:end], lambda cell: _inlines(cell, labels)), end


def _table(lines: list[str], inlines: Callable[[str], tuple[Inline, ...]]) -> Table:
    """The table that these lines are: a header, a rule, and the rows."""
    header = _cells(lines[0])
    rows = [header, *(_fitted(_cells(line), len(header)) for line in lines[2:])]
    drawn = [tuple(map(inlines, row)) for row in rows]
    return Table(drawn[0], tuple(drawn[1:]))


def _starts_table(lines: list[str], at: int) -> bool:
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


def _read_listing(lines: list[str], at: int, labels: frozenset[str]) -> _Read:
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


def _read_paragraph(lines: list[str], at: int, labels: frozenset[str]) -> _Read:
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_other(lines, end):
        end += 1
    return Paragraph(_inlines("\n".join(lines[at:end]), labels)), end


def _starts_other(lines: list[str], at: int) -> bool:
    starts = (_HEADING, _BULLET)
    return any(each.fullmatch(lines[at]) for each in starts) or _starts_table(lines, at)


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
