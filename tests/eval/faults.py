"""Faults put into recorded answers by a program, each of a known kind, at a known place.

A fault changes one labelled item, so that what was supported is not any more: a new figure stands
in no passage that was given (but for a neighbour's, which stands there for something else), a new
quotation in none. The same seed gives the same faults.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from tests.eval.recorded import Item, Record, cited_passages, company_of, line_around

KINDS = (
    "digit", "scale", "sign", "row", "column", "year", "operand", "result", "document", "quote",
)  # fmt: skip
COMPANIES = {
    "AMCOR": ("Amcor",), "AMERICANEXPRESS": ("American Express", "AMEX"), "BOEING": ("Boeing",),
    "PFIZER": ("Pfizer",), "VERIZON": ("Verizon",),
}  # fmt: skip
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_FIGURE = re.compile(rf"[\s$€£(−-]*({_NUMBER.pattern})[\s)%]*")
_SCALES = {"million": ("billion", "thousand"), "billion": ("million", "trillion")}
_COST = re.compile(
    r"expens|cost|provision|tax|loss|charge|deduct|payable|depreciation|less|paid|purchase"
    r"|settle|impair|decreas|liabilit|debt|borrowing|allowance|spending|acqui",
    re.IGNORECASE,
)  # of rows that are as often printed in brackets as without
_STEM = 5  # letters of a word that is worth changing in a quotation


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer with one thing changed.

    What was put in stands from ``start`` to ``end`` of ``text``, in a statement from ``around[0]``
    to ``around[1]``. ``other`` is the answer whose first passage is given besides, -1 none.
    """

    kind: str
    record: Record
    text: str
    start: int
    end: int
    around: tuple[int, int]
    other: int = -1

    @property
    def put_in(self) -> str:
        return self.text[self.start : self.end]


def faults_of(
    records: Sequence[Record], labels: Mapping[str, Sequence[Item]], *, seed: int, most: int
) -> list[Fault]:
    """At most ``most`` faults of each kind, over all the answers, chosen by ``seed``."""
    found: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for record in records:
        for fault in _all_faults(record, labels[record.id], records, Random(f"{seed} {record.id}")):
            found[fault.kind].append(fault)
    chosen = []
    for kind, faults in found.items():
        unique = list({(f.record.id, f.text): f for f in faults}.values())
        Random(f"{seed} {kind}").shuffle(unique)
        chosen += unique[:most]
    return chosen


def _all_faults(
    record: Record, items: Sequence[Item], records: Sequence[Record], random: Random
) -> Iterator[Fault]:
    printed = numbers_in("\n".join(text for p in record.passages for text in p.blocks))
    sums = [item for item in items if item.kind == "figure" and _is_operand(record.text, item)]
    for item in items:
        if item.disputed or item.verdict in ("unsupported", "asked") or item.kind == "statement":
            continue
        if item.kind == "figure":
            yield from _of_figure(record, item, item in sums, printed, random)
        elif item.kind in ("period", "date"):
            yield from _years(record, item, items, random)
        elif item.kind == "quote":
            yield from _quotes(record, item, random)
    yield from _documents(record, items, records, random)


def _of_figure(
    record: Record, item: Item, in_sum: bool, printed: set[Decimal], random: Random
) -> Iterator[Fault]:
    kind = "result" if item.verdict == "computed" else "operand" if in_sum else "digit"
    for new in _digits(record, item, printed, random, times=4 if kind == "digit" else 3):
        yield _changed(kind, record, item, new)
    for new in _scales(record, item, printed):
        yield _changed("scale", record, item, new)
    for new in _signs(record, item, in_sum):
        yield _changed("sign", record, item, new)
    for kind, core in _neighbours(record, item):
        yield _changed(kind, record, item, _NUMBER.sub(core, _said(record, item), count=1))


def _said(record: Record, item: Item) -> str:
    return record.text[item.at : item.end]


def _changed(
    kind: str, record: Record, item: Item, new: str, around: tuple[int, int] | None = None
) -> Fault:
    text = record.text[: item.at] + new + record.text[item.end :]
    end = item.at + len(new)
    return Fault(kind, record, text, item.at, end, around or line_around(text, item.at, end))


# Figures


def numbers_in(text: str) -> set[Decimal]:
    """Every number as printed, scale and sign put aside.

    >>> sorted(map(str, numbers_in("$(1,419) million in 2021, 0.6%")))
    ['0.6', '1419', '2021']
    """
    return {Decimal(match.group().replace(",", "")) for match in _NUMBER.finditer(text)}


def is_printed(value: Decimal, printed: set[Decimal]) -> bool:
    """Whether some number, at its own scale or a thousand times it either way, rounds to it."""
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    step = Decimal(1).scaleb(exponent)
    return any(
        abs(number * scale - value) * 2 <= step
        for number in printed
        for scale in (Decimal(1), Decimal("0.001"), Decimal(1000))
    )


def _value(text: str) -> Decimal:
    match = _NUMBER.search(text)
    assert match is not None
    return Decimal(match.group().replace(",", ""))


def _digits(
    record: Record, item: Item, printed: set[Decimal], random: Random, *, times: int
) -> Iterator[str]:
    """The item with another digit, ``times`` times; not next to a figure that was rounded."""
    said = _said(record, item)
    match = _NUMBER.search(said)
    if match is None:
        return
    places = [at for at in range(match.start(), match.end()) if said[at].isdigit()]
    exact = item.verdict != "computed" and match.group() in record.block(item.place)
    old = _value(said)
    exponent = old.as_tuple().exponent
    assert isinstance(exponent, int)
    nearest = Decimal(0) if exact else Decimal(1).scaleb(exponent)
    for _ in range(times):
        at = random.choice(places)
        digit = random.choice([d for d in "0123456789" if d != said[at]])
        new = said[:at] + digit + said[at + 1 :]
        leading = digit == "0" and at == places[0] and len(places) > 1
        if leading or abs(_value(new) - old) <= nearest or is_printed(_value(new), printed):
            continue
        yield new


def _scales(record: Record, item: Item, printed: set[Decimal]) -> Iterator[str]:
    """The item with another scale word, where no passage prints its number at that scale."""
    said = _said(record, item)
    for word, others in _SCALES.items():
        if not said.endswith(word):
            continue
        core = said.removesuffix(word)
        passages = "\n".join(text for p in record.passages for text in p.blocks)
        for other in others:
            if f"{_NUMBER.findall(said)[0]} {other}" not in passages:
                yield core + other


def _signs(record: Record, item: Item, in_sum: bool) -> Iterator[str]:
    """A negative figure without its sign, and a positive one of a row with one, in brackets."""
    said = _said(record, item)
    if item.signed:
        yield re.sub(r"^-|[()]", "", said)
        return
    if item.verdict not in ("there", "elsewhere") or in_sum or said.endswith("%"):
        return
    block = record.block(item.place)
    core = _NUMBER.search(said)
    statement = record.text[slice(*record.line_at(item.at, item.end))]
    positive = core and " | " in block and "(" not in said and f"({core.group()}" not in block
    if core and positive and not _COST.search(f"{block} {statement}"):
        yield said.replace(core.group(), f"({core.group()})")


def _neighbours(record: Record, item: Item) -> Iterator[tuple[str, str]]:
    """The numbers of the cells beside, above and below the one where the item stands."""
    if item.verdict not in ("there", "elsewhere"):
        return
    label, _, number = item.place.partition(".")
    blocks = next(p.blocks for p in record.passages if p.label == label)
    row, old = int(number) - 1, _value(_said(record, item))
    cells = _cells(blocks[row])
    column = next((n for n, cell in enumerate(cells) if cell and _value(cell) == old), 0)
    if not column:
        return
    for other in (column - 1, column + 1):
        if 0 < other < len(cells):
            yield from _other("column", cells[other], old)
    for near in (row - 1, row + 1):
        if 0 <= near < len(blocks) and len(_cells(blocks[near])) == len(cells):
            yield from _other("row", _cells(blocks[near])[column], old)


def _cells(row: str) -> list[str]:
    """The number of each of a row's cells that is a figure alone, "" for others and for years."""
    found = [_FIGURE.fullmatch(cell) for cell in row.split(" | ")]
    cores = [match[1] if match else "" for match in found]
    return ["" if re.fullmatch(r"(?:19|20)\d\d", core) else core for core in cores]


def _other(kind: str, core: str, old: Decimal) -> Iterator[tuple[str, str]]:
    if core and _value(core) != old:
        yield kind, core


def _is_operand(text: str, item: Item) -> bool:
    before, after = text[: item.at].rstrip(" ("), text[item.end :].lstrip(" )")
    return bool(before.endswith(tuple("+-−×/*")) or after.startswith(tuple("+-−×/*")))


# Years, quotations, documents


def _years(record: Record, item: Item, items: Sequence[Item], random: Random) -> Iterator[Fault]:
    """Another year; only where the statement has a figure, or no passage has the new date."""
    said = _said(record, item)
    year = re.search(r"(?:19|20)\d\d", said)
    around = _table_around(record.text, item) if item.head else None
    before, after = around or record.line_at(item.at, item.end)
    figured = any(
        i.kind == "figure" and i.verdict != "asked" and before <= i.at < after for i in items
    )
    if year is None or item.loose or (item.head and not around):
        return
    heads = record.text[slice(*record.line_at(item.at, item.end))] if item.head else ""
    passages = "\n".join(text for p in record.passages for text in p.blocks)
    near = [str(int(year.group()) + apart) for apart in (-2, -1, 1, 2)]
    others = [other for other in near if other not in heads]  # no year heads two columns
    for other in random.sample(others, min(2, len(others))):
        if figured or other not in passages:
            yield _changed("year", record, item, said.replace(year.group(), other), around)


def _table_around(text: str, item: Item) -> tuple[int, int] | None:
    """The table that a head stands in; None where it heads a section."""
    before, after = line_around(text, item.at, item.end)
    if not text.startswith("|", before):
        return None
    end = text.find("\n\n", after)
    return before, len(text) if end < 0 else end


def _quotes(record: Record, item: Item, random: Random) -> Iterator[Fault]:
    """A quotation of three words or more with one replaced, left out, or in another place."""
    said = _said(record, item)
    words = said.split()
    places = [n for n, word in enumerate(words) if len(word.strip(".,;()$%")) >= _STEM]
    pool = sorted(
        {
            word
            for label in cited_passages(record, *record.line_at(item.at, item.end))
            for p in record.passages
            if p.label == label
            for word in re.findall(r"\b[a-z]{5,}\b", " ".join(p.blocks))
            if word not in said.lower()
        }
    )
    if len(words) < 3 or not places or not pool:
        return
    for change in (_replaced, _replaced, _left_out, _swapped):
        new = " ".join(change(words, random.choice(places), random.choice(pool)))
        if not _stands(new, record) and new != said:
            yield _changed("quote", record, item, new)


def _replaced(words: Sequence[str], at: int, other: str) -> list[str]:
    tail = words[at][len(words[at].rstrip(".,;")) :]
    return [*words[:at], other + tail, *words[at + 1 :]]


def _left_out(words: Sequence[str], at: int, other: str) -> list[str]:
    """Without a word that is neither the first nor the last: those may be left out."""
    inner = min(max(at, 1), len(words) - 2)
    return [*words[:inner], *words[inner + 1 :]]


def _swapped(words: Sequence[str], at: int, other: str) -> list[str]:
    first = min(at, len(words) - 2)
    return [*words[:first], words[first + 1], words[first], *words[first + 2 :]]


def _stands(quote: str, record: Record) -> bool:
    plain = re.sub(r"\W+", " ", quote).strip().lower()
    return any(plain in re.sub(r"\W+", " ", " ".join(p.blocks)).lower() for p in record.passages)


def _documents(
    record: Record, items: Sequence[Item], records: Sequence[Record], random: Random
) -> Iterator[Fault]:
    """Another company's name in a statement, a passage of whose document is given besides."""
    own = company_of(record.document)
    others = [r for r in records if company_of(r.document) != own]
    for name in COMPANIES[own]:
        for match in re.finditer(rf"\b{name}\b(?! [A-Z])", record.text):
            before, after = record.line_at(*match.span())
            stated = [i for i in items if before <= i.at < after and i.counted]
            quoted = any(i.at <= match.start() < i.end for i in stated if i.kind == "quote")
            if not stated or quoted:
                continue
            for other in random.sample(others, min(3, len(others))):
                new = COMPANIES[company_of(other.document)][0]
                text = record.text[: match.start()] + new + record.text[match.end() :]
                end = match.start() + len(new)
                around = line_around(text, match.start(), end)
                yield Fault("document", record, text, match.start(), end, around, other.number)
