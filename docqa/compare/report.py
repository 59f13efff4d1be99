"""A comparison in words: a table, what differs, what only one side has, each claim cited."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from docqa.compare.figures import as_compared
from docqa.compare.pieces import said_in
from docqa.compare.terms import REWORDED
from docqa.compare.units import number_of
from docqa.language.change import kinds_asked
from docqa.language.labels import label_key
from docqa.language.numbers import DURATIONS
from docqa.types.answer import Citation
from docqa.types.comparison import (
    Change,
    Comparison,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
    short_names,
)
from docqa.types.document import ENDING, Block, Document, join_blocks, spoken_name
from docqa.types.phrases import count, in_sentence, quoted, series, shortened
from docqa.types.search import Hit

MAX_ROWS = 8  # of the table (mission: 3 to 8)
STATEMENT_ROWS = 16  # of the table where it has the lines of statements
LEADING = 5  # figures that the lead names
FIGURE_ROWS = 6  # of these for figures where there are terms too
QUOTED = 160  # characters of a quote in a table cell
MENTIONED = 3  # passages named for each side that stands alone
TELLING = 40  # characters of a passage that says something ("as Tenant" does not)
MISSING = "not found"
CHANGES = 30  # of a redline in the text; all are in the comparison
AROUND = 4  # words kept on each side of a change
CLIP = 40  # words of one change
MOVED = 12  # words of what only moved
MINOR = "changed only in number, capitals or punctuation"
_KINDS = ("unchanged", "changed", MINOR, "moved", "moved and changed", "new", "gone")


def compose(
    comparison: Comparison, *, tells_alone: bool = True
) -> tuple[str, tuple[Citation, ...]]:
    """The comparison's text in Markdown, and the citations whose markers stand in it.

    ``tells_alone`` is whether it ends with what one document alone has.

    A marker is ``[DocA:p5]``; there is one citation for each page cited, in order of appearance,
    of all the blocks cited on that page. A quote is taken from those blocks, so each citation is
    verified.
    """
    writer = _Writer(comparison.documents)
    figures, terms = _rows_shown(comparison)
    others = [row for row in comparison.figures if row not in figures]
    whole = [row for row in terms if all(len(side.quote) <= QUOTED for side in row.sides)]
    cut = [] if comparison.changes else [row for row in comparison.terms if row not in whole]
    parts = [
        _versions(comparison, writer),
        _table(comparison, figures, terms, writer),
        _summary(comparison, figures, writer),
        _differences(comparison, others, writer),
        _term_differences(cut, writer),
        _alone(comparison, writer) if tells_alone and not comparison.changes else "",
    ]
    names = series([document.name for document in comparison.documents])
    text = "\n\n".join(part for part in parts if part)
    return text or f"Nothing comparable on this was found in {names}.", writer.citations()


def summarise(comparison: Comparison) -> str:
    """What stands above the figures and terms where these are shown beside it, "" for nothing.

    Its markers are among those of `compose`.
    """
    figures, _ = _rows_shown(comparison)
    said = _summary(comparison, figures, _Writer(comparison.documents))
    return "\n\n".join(filter(None, (said, _counted(comparison))))


class _Writer:
    """Hands out markers and remembers which blocks they stand for."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = {document.id: document for document in documents}
        self.letters = short_names(documents)
        self._cited: dict[tuple[str, int], dict[int, Block]] = {}

    def marker(self, document_id: str, blocks: Iterable[Block]) -> str:
        """The marker of the first block's page; blocks on later pages have their own."""
        pages: dict[int, list[Block]] = {}
        for block in blocks:
            pages.setdefault(block.page, []).append(block)
        for page, own in pages.items():
            cited = self._cited.setdefault((document_id, page), {})
            cited.update((block.index, block) for block in own)
        return "".join(f"[{self.letters[document_id]}:p{page}]" for page in pages)

    def one_marker(self, figure: Figure) -> str:
        """The marker of a figure's first page alone: a sentence is not to end in a row of them."""
        return self.marker(figure.document_id, figure.blocks[:1])

    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citation(*key) for key in self._cited)

    def _citation(self, document_id: str, page: int) -> Citation:
        cited = self._cited[document_id, page]
        blocks = tuple(cited[index] for index in sorted(cited))
        return Citation(
            label=f"{self.letters[document_id]}:p{page}",
            document_id=document_id,
            document=self.documents[document_id].name,
            page=page,
            quote=join_blocks(blocks),
            blocks=blocks,
            verified="verified",
        )


def _rows_shown(
    comparison: Comparison,
) -> tuple[Sequence[FigureComparison], Sequence[TermComparison]]:
    """The figures and terms that the table has room for.

    Of three documents, what one of them alone has comes last.
    """
    rows = STATEMENT_ROWS if any(row.leading for row in comparison.figures) else MAX_ROWS
    figures, terms = list(comparison.figures), list(comparison.terms)
    if len(comparison.documents) > 2:
        figures.sort(key=lambda row: len(row.values) == 1)
        terms.sort(key=lambda row: sum(bool(side.quote) for side in row.sides) == 1)
    figures = figures[: FIGURE_ROWS if terms else rows]
    return figures, terms[: max(0, rows - len(figures))]


def _table(
    comparison: Comparison,
    figures: Sequence[FigureComparison],
    terms: Sequence[TermComparison],
    writer: _Writer,
) -> str:
    if not figures and not terms:
        return ""
    names = [_cell(spoken_name(document.name)) for document in comparison.documents]
    difference = "Difference" if len(names) == 2 else "Difference of the first two"
    rows = [
        ["Metric" if figures else "Term", *names, difference],
        ["---"] * (len(names) + 2),
        *(_figure_row(row, comparison.documents, writer) for row in figures),
        *(_term_row(row, writer) for row in terms),
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _figure_row(row: FigureComparison, documents: Sequence[Document], writer: _Writer) -> list[str]:
    own = {figure.document_id: figure for figure in row.values}
    label = f"{_called(row)} ({row.period})" if _of_period(row) else _called(row)
    cells = [_value_cell(own.get(document.id), row, writer) for document in documents]
    change = f" ({row.percent})" if row.percent else ""
    told = "" if _of_first_two(row, documents) else f". {row.note}"
    apart = f"{row.difference}{change}{told}" if row.difference else row.note or "–"
    return [_cell(label), *cells, _cell(apart)]


def _called(row: FigureComparison) -> str:
    """The row's name, with what else a document calls it if that is in other words."""
    own = set(label_key(row.label))
    printed = (figure.label for figure in row.values if not figure.statement)
    others = (label for label in printed if not own <= set(label_key(label)))
    return " / ".join(dict.fromkeys((row.label, *others)))


def _value_cell(figure: Figure | None, row: FigureComparison, writer: _Writer) -> str:
    if figure is None:
        return MISSING
    period = f", {figure.period}" if "/" in row.period and figure.period else ""
    marker = writer.marker(figure.document_id, figure.blocks)
    return f"{_cell(figure.shown)}{_cell(period)} {marker}"


def _term_row(row: TermComparison, writer: _Writer) -> list[str]:
    shown = (replace(side, quote=shortened(side.quote, QUOTED)) for side in row.sides)
    return [
        _cell(row.topic),
        *(_cell(_said(each, writer)) for each in shown),
        _unsuffixed(row.note),
    ]


def _said(side: TermSide, writer: _Writer) -> str:
    """What a side says, with its marker, or where it comes nearest to it."""
    if side.quote:
        quote = quoted(" ".join(side.quote.split()))
        return f"{quote} {writer.marker(side.document_id, side.blocks)}"
    if side.likely:
        return f"likely {side.where}: {quoted(side.nearest_quote)}"
    near = f"; nearest {side.where}" if side.where else ""
    there = f": {quoted(side.nearest_quote)}" if side.nearest_quote else ""
    return f"{MISSING}{near}{there}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _summary(comparison: Comparison, figures: Sequence[FigureComparison], writer: _Writer) -> str:
    """Where the documents stand in the leading figures, and where their terms part.

    Of two documents, in which the first is over or under the second; of more, of each figure who is
    highest and lowest.
    """
    leading = [row for row in figures if row.leading] or figures
    compared = _first_two if len(comparison.documents) == 2 else _highest_and_lowest
    refused = [row for row in leading if row.note and not row.difference and len(row.values) > 1]
    taken = [row for row in leading if row not in refused][:LEADING]
    said = compared(comparison, taken, writer)
    told = _refused(refused[: LEADING - len(taken)])
    notes = {row.note for row in taken if row.difference}
    ends = notes.pop() if said and len(notes) == 1 else ""  # as that all periods end apart
    rest = " ".join(filter(None, (ends, told, _terms_apart(comparison.terms))))
    apart = "\n\n" if "\n" in said else " "  # a list ends with its last item
    return apart.join(filter(None, (said, rest)))


def _first_two(comparison: Comparison, figures: Sequence[FigureComparison], writer: _Writer) -> str:
    first, second = (spoken_name(document.name) for document in comparison.documents)
    found: dict[str, list[str]] = {}
    for row in figures:
        if row.difference and _of_first_two(row, comparison.documents):
            more, less = _degrees(row.unit)
            relation = {"+": more, "−": less}.get(row.difference[:1], "same")
            found.setdefault(relation, []).append(_named(row, writer))
    said = [f"the {each} {series(found[each])}" for each in _RELATIONS if each in found]
    return f"Compared with {second}, {first} has {'; '.join(said)}." if said else ""


def _highest_and_lowest(
    comparison: Comparison, figures: Sequence[FigureComparison], writer: _Writer
) -> str:
    """A sentence, then a line for each figure, with the documents in its order.

    One figure is told in its own sentence alone.
    """
    shared = [row for row in figures if row.difference and _of_all(row, comparison.documents)]
    if len(shared) == 1:
        return _in_order(shared[0], writer)
    lines = _list(_in_order(row, writer) for row in shared)
    return f"The figures that all the documents state, each in its order:\n{lines}" if lines else ""


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def _of_all(row: FigureComparison, documents: Sequence[Document]) -> bool:
    return len(row.values) == len(documents)


def _in_order(row: FigureComparison, writer: _Writer) -> str:
    over, under = (f"{each.removesuffix('r')}st" for each in _degrees(row.unit))
    values = as_compared(row.label, row.values)
    order = sorted(range(len(values)), key=lambda at: -values[at])
    told = [
        f"{spoken_name(each.document)} {each.shown} {writer.one_marker(each)}"
        for each in (row.values[at] for at in order)
    ]
    named = f"{row.label}{_of_period(row)}"
    if min(values) == max(values):
        return f"{named} is the same in all: {series(told)}."
    return f"{named}: {over} {told[0]}, then {', '.join(told[1:-1])}, {under} {told[-1]}."


def _of_period(row: FigureComparison) -> str:
    return f" for {row.period}" if row.period and "/" not in row.period else ""


def _refused(rows: Sequence[FigureComparison]) -> str:
    labels = [in_sentence(row.label) for row in rows]
    if not labels:
        return ""
    named = series(labels)
    told = f"{named[:1].upper()}{named[1:]} {'are' if len(labels) > 1 else 'is'} not compared"
    return f"{told}; the table says why."


_RELATIONS = ("higher", "lower", "longer", "shorter", "later", "earlier", "same")


def _degrees(unit: str) -> tuple[str, str]:
    """What more and what less of a unit are called."""
    if unit == "date":
        return "later", "earlier"
    return ("longer", "shorter") if unit in DURATIONS else ("higher", "lower")


def _of_first_two(row: FigureComparison, documents: Sequence[Document]) -> bool:
    return [figure.document_id for figure in row.values[:2]] == [d.id for d in documents[:2]]


def _named(row: FigureComparison, writer: _Writer) -> str:
    label = in_sentence(row.label)
    change = f", {row.percent}" if row.percent else ""
    apart = f" ({row.difference}{change})" if row.difference[:1] in "+−" else ""
    marks = "".join(writer.one_marker(figure) for figure in row.values[:2])
    return f"{label}{apart} {marks}"


def _terms_apart(terms: Sequence[TermComparison]) -> str:
    """Which terms differ, are the same, or stand on one side only."""
    found: dict[str, list[str]] = {}
    for row in terms:
        found.setdefault(row.note, []).append(in_sentence(row.topic))
    openings = {"differs": "The terms differ on", "same wording": "The same wording is used on"}
    near = found.pop(REWORDED, [])
    told = [
        f"{openings.get(note, f'O{_unsuffixed(note)[1:]}:')} {series(topics)}."
        for note, topics in sorted(found.items())
    ]
    told += [f"What comes nearest on {series(near)} is worded differently."] if near else []
    return " ".join(told)


def _unsuffixed(note: str) -> str:
    """ "only in A_1.pdf and B.pdf" with the names as they are written elsewhere."""
    return re.sub(rf"{ENDING}\b", "", note, flags=re.IGNORECASE).replace("_", " ")


def _differences(
    comparison: Comparison, figures: Sequence[FigureComparison], writer: _Writer
) -> str:
    """What is told of figures without room in the table: a line for each of more than two sides."""
    taken = [row for row in figures if row.difference and len(row.values) >= 2][:MAX_ROWS]
    if len(comparison.documents) == 2:
        return " ".join(_sentence(row, writer) for row in taken)
    return _list(
        (_in_order if _of_all(row, comparison.documents) else _sentence)(row, writer)
        for row in taken
    )


def _sentence(row: FigureComparison, writer: _Writer) -> str:
    first, second = row.values[:2]
    one, other = (
        f"{figure.shown} {writer.marker(figure.document_id, figure.blocks)}"
        for figure in (first, second)
    )
    name, other_name = (spoken_name(figure.document) for figure in (first, second))
    named = f"{row.label}{_of_period(row)}"
    if (first.value, first.unit) == (second.value, second.unit):
        return f"{named} is the same: {name} {one}, {other_name} {other}."
    change = f", {row.percent}" if row.percent else ""
    return (
        f"{named}: {name} has {one}, {other_name} {other}; "
        f"the difference is {row.difference}{change}."
    )


def _term_differences(terms: Sequence[TermComparison], writer: _Writer) -> str:
    lines = []
    for row in terms:
        said = (f"{spoken_name(side.document)}: {_said(side, writer)}" for side in row.sides)
        lines.append(f"- {row.topic} – {'; '.join(said)}")
    return "\n".join(lines)


def _versions(comparison: Comparison, writer: _Writer) -> str:
    """How many units changed between two versions, and those of weight."""
    opening = _counted(comparison)  # first: of two versions what changed is what matters
    kinds = kinds_asked(comparison.question)
    asked = [each for each in comparison.changes if kinds & set(each.kind.split())]
    lines = _listed(asked or comparison.changes, writer)
    return "\n".join([opening, "", *lines]) if lines else opening


def _counted(comparison: Comparison) -> str:
    changes = comparison.changes
    if not changes:
        return ""
    counts = Counter(MINOR if each.minor else each.kind for each in changes)
    if set(counts) == {"unchanged"}:
        same = "The two documents have the same text, paragraph for paragraph."
        return "What was found on this is unchanged." if comparison.narrowed else same
    said = ", ".join(f"{counts[kind]} {kind}" for kind in _KINDS if counts[kind])
    if comparison.narrowed:
        return f"Of the paragraphs and clauses on this: {said}."
    return f"The two are versions of one text. Its paragraphs and clauses: {said}."


def _listed(changes: Sequence[Change], writer: _Writer) -> list[str]:
    """A line for each change of weight in the second's order, up to `CHANGES`.

    Of more than these, those of numbers before others, and what only moved last.
    """
    weighty = worth_listing(changes)
    first = sorted(weighty, key=lambda each: (not each.figures_changed, each.kind == "moved"))
    kept = {id(change) for change in first[:CHANGES]}
    lines = [_change(each, writer) for each in weighty if id(each) in kept]
    more = len(weighty) - len(lines)
    return [*lines, f"- and {count(more, 'more change')}."] if more > 0 else lines


def worth_listing(changes: Sequence[Change]) -> list[Change]:
    """The changes of weight in their order, without the headings that only came, went or moved
    with the clause after them that is told."""
    told: list[Change] = []
    followed = False  # by a clause that is told
    for change in reversed(changes):
        weighty = change.kind != "unchanged" and not change.minor
        heads = all(
            each.kind == "heading" for each in (*change.first_blocks, *change.second_blocks)
        )
        if weighty and not (heads and followed and not change.kind.endswith("changed")):
            told.insert(0, change)
        followed = weighty if not heads else followed
    return told


def _change(change: Change, writer: _Writer) -> str:
    sides = zip(writer.documents, (change.first_blocks, change.second_blocks), strict=False)
    return f"- {_told(change)} {''.join(writer.marker(*side) for side in sides)}"


def _told(change: Change) -> str:
    before = number_of(change.first)
    renumbered = before and change.second and before != change.number
    number = f" {before} to {change.number}" if renumbered else f" {change.number}".rstrip()
    words = change.second if change.kind == "moved" else ""
    said = quoted(_clipped(words.split(), MOVED)) if words else marked(change)
    return f"{change.kind.capitalize()}{number}: {said}"


def marked(change: Change) -> str:
    """The changed words in a few of their neighbours, but for the clause's own number: "pay within
    45 (was 30) days"."""
    edits = change.edits
    if all(number_of(each.text) == each.text.rstrip(".:") for each in edits[:2]):
        edits = edits[2:]
    if len(edits) == 1:
        return _clipped(edits[0].text.split(), CLIP)
    pieces: list[str] = []
    old = ""  # what the words that come next stand in place of
    for place, edit in enumerate(edits):
        said = quoted(_clipped(edit.text.split(), CLIP))
        following = edits[place + 1].kind if place + 1 < len(edits) else ""
        if edit.kind == "same":
            pieces.append(_around(edit.text.split(), first=not place, last=not following))
        elif edit.kind == "new":
            pieces.append(f"{said} ({f'was {old}' if old else 'added'})")
        elif following != "new":
            pieces.append(f"{said} (removed)")
        old = said if edit.kind == "gone" else ""
    return " ".join(pieces)


def _around(words: Sequence[str], *, first: bool, last: bool) -> str:
    """The words next to a change, those further away left out."""
    if len(words) <= 2 * AROUND:
        return " ".join(words)
    ahead = [] if first else words[:AROUND]
    behind = [] if last else words[-AROUND:]
    return " ".join([*ahead, "…", *behind])


def _clipped(words: Sequence[str], limit: int) -> str:
    return " ".join(words[:limit]) + (" …" if len(words) > limit else "")


def _alone(comparison: Comparison, writer: _Writer) -> str:
    lines = []
    for document in comparison.documents:
        alone = comparison.only_in.get(document.id, ())
        hits = [hit for hit in alone if _far(hit, comparison)][:MENTIONED]
        if hits:
            named = "; ".join(_passage(hit, writer) for hit in hits)
            lines.append(f"Only in {spoken_name(document.name)}: {named}.")
    return "\n\n".join(lines)


def _far(hit: Hit, comparison: Comparison) -> bool:
    """Whether it says something, and nothing like it is on the other side, paired or not."""
    if sum(len(block.text) for block in hit.chunk.blocks if block.kind != "heading") < TELLING:
        return False
    near = comparison.nearest.get(hit.chunk.id)
    return near is None or not near.alike


def _passage(hit: Hit, writer: _Writer) -> str:
    block = (said_in(hit.chunk.blocks) or hit.chunk.blocks)[0]
    quote = shortened(" ".join(block.text.split()), 120).rstrip(".")
    return f"{quoted(quote)} {writer.marker(hit.document.id, [block])}"
