"""An answer's text as statements: sentences, list items, cells of tables, with what they cite."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from docqa.answer.check.quotation import quotation_spans
from docqa.answer.evidence import MARKER
from docqa.language.sentences import sentences

_GROUP = re.compile(rf"{MARKER.pattern}(?:\s*{MARKER.pattern})*")
_NO_WORDS = re.compile(rf"{MARKER.pattern}|\*\*|__|`|~~|^\s*(?:[-*•#>]+|\d{{1,2}}[.)])\s", re.M)
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]+\|?\s*")
_HEADING = re.compile(r"\s*#")
_LIST_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s")

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """``text`` stands from ``start`` in the answer, with blanks in place of markers and emphasis.

    ``cited`` are the groups of labels in it, each with the place in the answer where its markers
    begin; a group counts for what stands before it. ``around`` are the labels of its line or
    table, else of the whole answer, where it has none of its own. ``row`` and ``head`` name a
    table's cell, "" in prose, and ``before`` is what leads to it: the heading or opening over it
    and the sentences of its line before it. ``line`` tells lines and rows apart.
    """

    text: str
    start: int
    cited: tuple[tuple[int, Labels], ...] = ()
    around: Labels = ()
    row: str = ""
    head: str = ""
    before: str = ""
    line: int = 0

    @property
    def labels(self) -> Labels:
        """All it cites itself."""
        return tuple(dict.fromkeys(label for _, group in self.cited for label in group))

    @property
    def in_table(self) -> bool:
        return bool(self.head or self.row)

    @property
    def whole(self) -> str:
        """What it says, with the heads of its row and column."""
        return ", ".join(filter(None, (self.row, self.head))) + ": " * self.in_table + self.text

    def labels_for(self, place: int) -> Labels:
        """What is cited for what ends at a place of the answer: right after it, else by the
        statement, else by its line."""
        own: Labels = next((group for at, group in self.cited if at >= place), ())
        return own or self.labels or self.around


def statements_of(answer: str) -> list[Statement]:
    """The answer's statements in order; headings only lead to them."""
    plain = _NO_WORDS.sub(lambda found: " " * len(found.group()), answer)
    found: list[Statement] = []
    heading = opening = ""
    for number, lines in enumerate(_paragraphs(answer)):
        start, end = lines[0][0], lines[-1][1]
        first = answer[start:end]
        if _HEADING.match(first):
            heading, opening = plain[start:end].strip(), ""
        elif first.lstrip().startswith("|"):
            found += _of_table(answer, plain, lines, f"{heading} {opening}", 1000 * (number + 1))
        else:
            lead = f"{heading} {opening}" if _LIST_ITEM.match(first) else heading
            found += _of_line(answer, plain, start, end, lead, number)
            if not _LIST_ITEM.match(first):
                opening = plain[start:end].strip()
    return _with_labels_around(found)


def _with_labels_around(found: Sequence[Statement]) -> list[Statement]:
    """Where a statement cites nothing: what its line cites, else what the answer does."""
    everything = tuple(dict.fromkeys(label for each in found for label in each.labels))
    by_line: dict[int, Labels] = {}
    for each in found:
        by_line[each.line] = (*by_line.get(each.line, ()), *each.labels)
    return [replace(each, around=each.around or by_line[each.line] or everything) for each in found]


Span = tuple[int, int]


def _paragraphs(answer: str) -> Iterator[list[Span]]:
    """The spans of lines: those of a table together, every other line alone."""
    spans, at = [], 0
    for line in answer.splitlines(keepends=True):
        spans.append((at, at + len(line.rstrip("\r\n"))))
        at += len(line)
    for sign, lines in groupby(spans, key=lambda span: answer[slice(*span)].lstrip()[:1]):
        if sign == "|":
            yield list(lines)
        elif sign:
            yield from ([line] for line in lines)


def _of_line(
    answer: str, plain: str, start: int, end: int, lead: str, number: int
) -> Iterator[Statement]:
    text = plain[start:end]
    spans = [(start + a, start + b) for a, b in sentences(_without_stops_in_quotes(text))]
    groups = _groups(answer, start, end)
    for place, (first, last) in enumerate(spans):
        following = spans[place + 1][0] if place + 1 < len(spans) else end + 1
        own = tuple(
            (at, labels) for at, labels in groups if (place == 0 or at >= first) and at < following
        )
        before = f"{lead} {plain[start:first]}".strip()
        yield Statement(plain[first:last], first, own, before=before, line=number)


def _groups(answer: str, start: int, end: int) -> list[tuple[int, Labels]]:
    """Markers that stand together, and where they begin."""
    return [
        (group.start(), tuple(found[1] for found in MARKER.finditer(group.group())))
        for group in _GROUP.finditer(answer, start, end)
    ]


def _without_stops_in_quotes(text: str) -> str:
    """The text with full stops inside quotations made harmless, every position kept."""
    characters = list(text)
    for start, end in quotation_spans(text):
        for at in range(start, end):
            if characters[at] in ".!?":
                characters[at] = "·"
    return "".join(characters)


def _of_table(
    answer: str, plain: str, lines: Sequence[Span], lead: str, number: int
) -> Iterator[Statement]:
    rows = [_cells(answer, *line) for line in lines if not _TABLE_RULE.fullmatch(answer, *line)]
    rows = [row for row in rows if row]
    if not rows:
        return
    if len(rows) == 1:  # one that breaks off has no head
        rows = [[], *rows]
    heads = [plain[a:b].strip() for a, b in rows[0]] or [""]
    column_labels = [_labels(answer, cell) for cell in rows[0]]
    every = tuple(
        dict.fromkeys(label for row in rows for cell in row for label in _labels(answer, cell))
    )
    for line, row in enumerate(rows[1:], start=number + 1):
        label = plain[slice(*row[0])].strip()
        of_row = tuple(found for cell in row for found in _labels(answer, cell))
        for place, (first, last) in enumerate(row):
            text = plain[first:last]
            head = heads[place] if place < len(heads) and place else ""
            above = column_labels[place] if place < len(column_labels) else ()
            yield Statement(
                text, first, tuple(_groups(answer, first, last)), of_row or above or every,
                row=label if place else "", head=head, before=f"{lead} {heads[0]}", line=line,
            )  # fmt: skip


def _labels(answer: str, cell: Span) -> Labels:
    return tuple(found[1] for found in MARKER.finditer(answer, *cell))


def _cells(answer: str, start: int, end: int) -> list[Span]:
    """The spans between a row's bars, empty cells included, those outside them left out."""
    line = answer[start:end]
    bars = [match.start() for match in re.finditer(r"(?<!\\)\|", line)]
    if line.rstrip() and not line.rstrip().endswith("|"):
        bars.append(len(line))
    return [(start + a + 1, start + b) for a, b in pairwise(bars)]
