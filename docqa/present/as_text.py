"""Answers and comparisons as plain text: to be copied, and as the command line prints them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from docqa.present.citations import PARTIAL, summary_of
from docqa.present.comparison import findings
from docqa.present.document import (
    Cell,
    Heading,
    Inline,
    Listing,
    Note,
    Paragraph,
    Part,
    Picture,
    Source,
    Table,
    Text,
    Words,
    cell_text,
    in_line,
    runs,
    written_out,
)
from docqa.present.sources import Record
from docqa.settings import PRICES_OF, Price
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.costs import NotesEstimate, Spent
from docqa.types.phrases import PRICE_UNKNOWN, count, dollars, shortened
from docqa.types.search import Coverage

PASSAGE = 320  # characters of a passage that are printed; whole passages are in the JSON
CHANGE = 3 * PASSAGE  # of a clause that changed


def plain(parts: Sequence[Part], *, citations: Mapping[str, str]) -> str:
    """The parts as text to copy, ``citations`` in place of their labels; tables by tabs."""
    return "\n\n".join(_plain(written_out(part, citations)) for part in parts)


def _plain(part: Part) -> str:
    match part:
        case Paragraph(text) | Heading(text) | Note(text) | Picture(_, text):
            return line(text)
        case Listing(items, first):
            signs = [f"{first + n}." if first else "•" for n in range(len(items))]
            return "\n".join(f"{s} {line(each)}" for s, each in zip(signs, items, strict=True))
        case Table(header, rows):
            cells = ((line(cell_text(each)) for each in row) for row in (header, *rows))
            return "\n".join(map("\t".join, cells))


def line(text: Text) -> str:
    """A text without its styles."""
    return "".join(run.text if isinstance(run, Words) else run.label for run in runs(text))


def words(value: Answer | Comparison) -> str:
    """The text, what its labels stand for, and what was searched."""
    lines = [value.text, *(f"  {line}" for line in _citations(value)), *_partial(value)]
    if isinstance(value, Answer):
        lines += filter(None, ["", summary_of(value), *value.problems])
        lines += ["", *receipt(value)] if len(value.coverage) > 1 else []
    return "\n".join(lines)


def _partial(value: Answer | Comparison) -> list[str]:
    return [PARTIAL] if value.partial else []


def _citations(value: Answer | Comparison) -> list[str]:
    return [f"[{c.label}] {c.document}, {c.where} ({c.verified})" for c in value.citations]


def comparison(value: Comparison) -> str:
    """The text, then all figures, terms, changes and passages that it rests on."""
    parts = [value.text, *_partial(value), *map(_records, findings(Record(value, {})))]
    if value.citations:
        parts.append("\n".join(["## Citations\n", *_citations(value)]))
    return "\n\n".join(parts)


def _records(table: Table) -> str:
    """A table with a paragraph for each row, and a line for each cell that says something."""
    rows = "\n\n".join("\n".join(_record(table.header, row)) for row in table.rows)
    return f"## {table.title}\n\n{rows}"


def _record(header: Sequence[Text], row: Sequence[Cell]) -> Iterator[str]:
    cells = zip(map(line, header), map(_brief, row), strict=True)
    lines = [f"{name}: {cell}" for name, cell in cells if cell]
    yield from (lines[0], *(f"  {each}" for each in lines[1:]))


def _brief(cell: Cell) -> str:
    """A cell on one line, a long passage cut; what went is in [-…-], what is new in {+…+}."""
    if isinstance(cell, Source):
        edited = " ".join("".join(map(_edited, runs(cell.shown))).split())
        quote = in_line(cell.quote, cell.blocks)
        shown = shortened(edited, CHANGE) if edited else shortened(quote, PASSAGE)
        cell = replace(cell, shown=shown)
    return " ".join(line(cell_text(cell)).split())


def _edited(run: Inline) -> str:
    text = line((run,))
    if isinstance(run, Words) and (run.struck or run.strong):
        opening, closing = ("[-", "-]") if run.struck else ("{+", "+}")
        return f"{opening}{text.strip()}{closing} "
    return text


def receipt(value: Answer) -> list[str]:
    """What was searched in each document and what came of it, a line each."""
    searches = list(dict.fromkeys(query for line in value.coverage for query in line.queries))
    return [
        f"Searched for: {'; '.join(searches)}",
        *(f"- {line.document}: {_seen(line)}" for line in value.coverage),
    ]


def _seen(line: Coverage) -> str:
    if not line.used:
        return f"nothing relevant; nearest {line.nearest}" if line.seen else "nothing"
    used = f"{line.used} of {line.seen} passages looked at used, {line.cited} cited"
    return f"{used}, best {line.best_score:.2f}"


def notes_estimate(value: NotesEstimate) -> str:
    """What would be sent for notes, where to, and its price."""
    price = PRICE_UNKNOWN if value.cost_usd is None else f"about {dollars(value.cost_usd)}"
    return (
        f"{count(value.passages, 'passage')} of {count(value.documents, 'document')} without a "
        f"note, {value.written:,} with one. The documents' whole text goes to {value.url}, "
        f"{value.model}: about {value.tokens:,} tokens, {price}."
    )


def costs(
    days: Sequence[tuple[str, Spent]], prices: Mapping[str, Price], budget: Decimal | None
) -> list[str]:
    """Each day's sum, then the prices for a million tokens, then the budget."""
    lines = [f"{day}  {spent.described}" for day, spent in days] or ["Nothing was spent yet."]
    lines.append(f"Prices of {PRICES_OF} and your own, US$ for a million tokens:")
    for model, each in prices.items():
        lines.append(
            f"  {model}  in {each.input}, out {each.output}, cache read {each.cache_read}, "
            f"write {each.cache_write}"
        )
    lines.append("No budget is set." if budget is None else f"Budget for a day: {dollars(budget)}")
    return lines
