"""Answers and comparisons as the command line prints them; whole passages are in the JSON."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from docqa.settings import PRICES_OF, Price
from docqa.types.answer import Answer
from docqa.types.comparison import Change, Comparison, FigureComparison
from docqa.types.costs import NotesEstimate, Spent
from docqa.types.phrases import PRICE_UNKNOWN, count, dollars
from docqa.types.search import Coverage, Hit

PASSAGE = 320  # characters of a passage that are printed
_KINDS = ("moved and changed", "changed", "new", "gone")


def words(value: Answer | Comparison) -> str:
    """The text, and what its labels stand for."""
    lines = [value.text, *(f"  {line}" for line in _citations(value))]
    lines += _broke_off(value)
    if isinstance(value, Answer):
        lines += ["", *receipt(value)] if len(value.coverage) > 1 else []
    return "\n".join(lines)


def _broke_off(value: Answer | Comparison) -> list[str]:
    return ["(It broke off here; this is a part.)"] if value.partial else []


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
    lines = [f"{day}  {spent.told}" for day, spent in days] or ["Nothing was spent yet."]
    lines.append(f"Prices of {PRICES_OF} and your own, US$ for a million tokens:")
    for model, each in prices.items():
        lines.append(
            f"  {model}  in {each.input}, out {each.output}, cache read {each.cache_read}, "
            f"write {each.cache_write}"
        )
    lines.append("No budget is set." if budget is None else f"Budget for a day: {dollars(budget)}")
    return lines


def _citations(value: Answer | Comparison) -> list[str]:
    return [f"[{c.label}] {c.document}, {c.where} ({c.verified})" for c in value.citations]


def comparison(value: Comparison) -> str:
    """The text, then all figures, changes, pairs and lone passages that it rests on."""
    parts = [
        value.text,
        *_broke_off(value),
        *_section("Figures", [_figure(row) for row in value.figures]),
        *_section("Changes", [_change(each) for each in value.changes if _weighty(each)]),
        *_section("Side by side", list(_pairs(value))),
        *(part for document in value.documents for part in _alone(value, document.id)),
        *_section("Citations", _citations(value)),
    ]
    return "\n\n".join(parts)


def _section(title: str, lines: list[str]) -> list[str]:
    return [f"## {title}\n\n" + "\n".join(lines)] if lines else []


def _figure(row: FigureComparison) -> str:
    period = f" ({row.period})" if row.period else ""
    values = "; ".join(f"{v.document} {v.shown}, {v.block.where}" for v in row.values)
    result = " ".join(filter(None, (row.difference, row.percent and f"({row.percent})", row.note)))
    return f"- {row.label}{period}: {values}. {result}".rstrip(". ") + "."


def _weighty(change: Change) -> bool:
    return change.kind in _KINDS and not change.minor


def _change(change: Change) -> str:
    sides = (("first", change.first_blocks), ("second", change.second_blocks))
    places = ", ".join(f"{name} {blocks[0].where}" for name, blocks in sides if blocks)
    marks = {"gone": "[-{}-]", "new": "{{+{}+}}", "same": "{}"}
    words = " ".join(marks[edit.kind].format(edit.text) for edit in change.edits)
    figures = ", a number with it" if change.figures_changed and change.kind == "changed" else ""
    number = f" {change.number}" if change.number else ""
    return f"- {change.kind}{number}{figures} ({places}): {_line(words, 3 * PASSAGE)}"


def _pairs(value: Comparison) -> Iterator[str]:
    for number, pair in enumerate(value.pairs, 1):
        yield f"{number}. match {pair.similarity:.0%}"
        yield from (f"   {_passage(hit)}" for hit in pair.passages)


def _alone(value: Comparison, document_id: str) -> list[str]:
    hits = value.only_in.get(document_id, ())
    lines = [line for hit in hits for line in _lone(hit, value)]
    return _section(f"Only in {hits[0].document.name}", lines) if hits else []


def _lone(hit: Hit, value: Comparison) -> Iterator[str]:
    yield f"- {_passage(hit)}"
    near = value.nearest.get(hit.chunk.id)
    if near is not None:
        yield f"  nearest (match {near.similarity:.0%}): {_passage(near.passage)}"


def _passage(hit: Hit) -> str:
    section = f" · {hit.chunk.section}" if hit.chunk.section else ""
    return f"{hit.document.name}, {hit.chunk.where}{section}: {_line(hit.chunk.text, PASSAGE)}"


def _line(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit].rsplit(" ", 1)[0] + " …"
