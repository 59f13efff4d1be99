"""An answer's text as claims: what is said, and which labels are cited for it; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docqa.answer.evidence import MARKER
from docqa.language.sentences import sentences

_GROUP = re.compile(rf"(?:\s*{MARKER.pattern})+")
_MARKER_AFTER_STOP = re.compile(rf"([.!?])((?:\s*{MARKER.pattern})+)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_EMPHASIS = re.compile(r"\*\*|`")


@dataclass(frozen=True, slots=True)
class Claim:
    """A stretch of a sentence and the labels cited right after it."""

    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without its markers, and the claims it is made of; no claims where uncited."""

    text: str
    claims: tuple[Claim, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        every = (label for claim in self.claims for label in claim.labels)
        return tuple(dict.fromkeys(every))


def sentences_of(answer: str) -> list[Sentence]:
    """The answer's sentences, list items and table cells, in order; headings are left out.

    A table's cell becomes "row label, column header: cell", with the row's labels where it has
    none of its own.
    """
    found: list[Sentence] = []
    for lines in _paragraphs(answer):
        if lines[0].lstrip().startswith("|"):
            found += _table_sentences(lines)
        else:
            found += [sentence for line in lines for sentence in _line_sentences(line)]
    return found


def _paragraphs(answer: str) -> Iterator[list[str]]:
    """Runs of lines that are a table, and every other line alone."""
    table: list[str] = []
    for line in answer.splitlines():
        if line.lstrip().startswith("|"):
            table.append(line)
            continue
        if table:
            yield table
            table = []
        if line.strip() and not line.lstrip().startswith("#"):
            yield [line]
    if table:
        yield table


def _line_sentences(line: str) -> list[Sentence]:
    text = _EMPHASIS.sub("", _BULLET.sub("", line))
    text = _MARKER_AFTER_STOP.sub(lambda match: match[2] + match[1], text)
    return [_sentence(text[start:end]) for start, end in sentences(_without_stops_in_quotes(text))]


def _without_stops_in_quotes(text: str) -> str:
    """The text with full stops inside quotations made harmless, every position kept."""
    characters = list(text)
    for start, end in quotation_spans(text):
        for at in range(start, end):
            if characters[at] in ".!?":
                characters[at] = "·"
    return "".join(characters)


def _sentence(text: str) -> Sentence:
    claims: list[Claim] = []
    at = 0
    for match in _GROUP.finditer(text):
        labels = tuple(found[1] for found in MARKER.finditer(match.group()))
        claims.append(Claim(text[at : match.start()].strip(), labels))
        at = match.end()
    rest = text[at:].strip()
    if claims and rest.strip(".!?;:,”\"') "):
        last = claims[-1]
        claims[-1] = Claim(f"{last.text} {rest}", last.labels)
    return Sentence(_bare(text), tuple(claims))


def _bare(text: str) -> str:
    return re.sub(r"\s+([.,;:!?])", r"\1", _GROUP.sub("", text)).strip()


def _table_sentences(lines: list[str]) -> list[Sentence]:
    rows = [_cells(line) for line in lines if not _TABLE_RULE.match(line)]
    if len(rows) < 2:
        return [sentence for row in rows for sentence in _line_sentences(" ".join(row))]
    header, *body = rows
    return [_row_sentence(header, row) for row in body if len(row) > 1]


def _cells(line: str) -> list[str]:
    return [_EMPHASIS.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]


def _row_sentence(header: list[str], row: list[str]) -> Sentence:
    label, *cells = row
    in_row = tuple(match[1] for match in MARKER.finditer(" ".join(row)))
    claims = []
    for number, cell in enumerate(cells, start=1):
        own = tuple(match[1] for match in MARKER.finditer(cell))
        column = header[number] if number < len(header) else ""
        said = f"{_bare(label)}, {_bare(column)}: {_bare(cell)}"
        if (own or in_row) and _bare(cell):
            claims.append(Claim(said, own or in_row))
    return Sentence(_bare(" ".join(row)), tuple(claims))


def quotation_spans(text: str) -> list[tuple[int, int]]:
    """Where quotations stand, marks left out: “…” with others inside it, else "…" on its own."""
    spans: list[tuple[int, int]] = []
    depth, start = 0, 0
    for at, character in enumerate(text):
        if character == "“":
            start = at + 1 if depth == 0 else start
            depth += 1
        elif character == "”" and depth:
            depth -= 1
            if depth == 0:
                spans.append((start, at))
    for match in re.finditer(r'(?<!\w)"([^"\n]+)"', text):
        if all(match.end() <= a or match.start() >= b for a, b in spans):
            spans.append(match.span(1))
    return sorted(spans)
