"""Facts that several documents list in tables of one kind: key facts, particulars, timetables.

Such a row is worth telling even where one of the documents has no such row, and where its value is
words rather than a figure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from docqa.compare.equivalents import WORDS, Fact, equivalents
from docqa.compare.similarity import Reranker
from docqa.compare.tables import Side, cell_value, without_period
from docqa.compare.terms import said_by, term
from docqa.compare.wording import Encode
from docqa.language.labels import is_of_the_market, label_key, names_nothing
from docqa.language.numbers import DURATIONS
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.table import STATEMENTS, Row, Table
from docqa.types.units import is_currency

Key = tuple[str, ...]
NAMES_APART = " / "  # between two names of one fact
SHARED = 2  # labels from which two tables of several rows are of one kind
_OTHERS = (*STATEMENTS, "contents", "rent roll")  # which are compared in ways of their own


@dataclass(frozen=True, slots=True)
class Listed:
    """The labels of tables that documents have alike, and which of them mean the same.

    ``names`` maps the key of a label to that of another it is compared under: "Year built /
    refurbished" is the one row left for "Year built". ``worded`` are those with values in words,
    ``blocks`` the rows of the tables, by document id and index.
    """

    keys: frozenset[Key] = frozenset()
    names: Mapping[Key, Key] = field(default_factory=dict)
    worded: frozenset[Key] = frozenset()
    blocks: frozenset[tuple[str, int]] = frozenset()

    def key(self, label: str) -> Key:
        key = key_of(label)
        return self.names.get(key, key)

    def has(self, table: Table) -> bool:
        return any((table.document_id, index) in self.blocks for index in table.blocks)


NOTHING = Listed()


def key_of(label: str) -> Key:
    """What two labels must share, whatever period they name."""
    return label_key(without_period(label)[0])


def listed(
    tables: Sequence[Sequence[Table]],
    encode: Encode | None = None,
    reranker: Reranker | None = None,
) -> Listed:
    """What the documents, each with its ``tables``, list alike, in other words too where these can
    be read."""
    keys: set[Key] = set()
    names: dict[Key, Key] = {}
    worded: set[Key] = set()
    blocks: set[tuple[str, int]] = set()
    for one, other in _alike(tables):
        for own, others in ((one, other), (other, one)):
            blocks.update((own.document_id, index) for index in own.blocks)
            keys.update(_keys(own))
            names |= _renamed(_keys(own), _keys(others))
            worded.update(key_of(row.label) for row, kind in _kinds(own) if kind == WORDS)
        if encode and reranker:
            names |= _reworded(one, other, names, encode, reranker)
    kept = frozenset(names.get(key, key) for key in keys)
    in_words = frozenset(names.get(key, key) for key in worded)
    return Listed(kept, names, in_words, frozenset(blocks))


def _alike(tables: Sequence[Sequence[Table]]) -> Iterator[tuple[Table, Table]]:
    """Tables of two documents that share labels."""
    for own, others in combinations(tables, 2):
        for one, other in product(filter(_is_list, own), filter(_is_list, others)):
            shared = {k for k in _keys(one) if not names_nothing(k)} & _keys(other)
            if len(shared) >= SHARED:
                yield one, other


def _is_list(table: Table) -> bool:
    of_market = any(map(is_of_the_market, table.section[-1:]))
    return table.role not in _OTHERS and not of_market and len(table.rows) > SHARED


def _keys(table: Table) -> set[Key]:
    return {key for row in table.rows if not row.is_group and (key := key_of(row.label))}


def _renamed(own: set[Key], others: set[Key]) -> dict[Key, Key]:
    """Labels left on one side that say all, and more, of one alone that is left on the other."""
    found: dict[Key, Key] = {}
    left, right = own - others, others - own
    for longer in left:
        shorter = [key for key in right if set(key) < set(longer)]
        if len(shorter) == 1 and sum(set(shorter[0]) < set(key) for key in left) == 1:
            found[longer] = shorter[0]
    return found


def _reworded(
    one: Table, other: Table, names: Mapping[Key, Key], encode: Encode, reranker: Reranker
) -> dict[Key, Key]:
    """Labels left in the second table that mean, in other words, one left in the first."""
    shared = _keys(one) & _keys(other) | names.keys() | set(names.values())
    left, right = (
        [
            Fact(row.label, row.cells[0], kind)
            for row, kind in _kinds(table)
            if key_of(row.label) not in shared
        ]
        for table in (one, other)
    )
    same = equivalents(left, right, encode, reranker)
    return {key_of(second.label): key_of(first.label) for first, second in same}


def _kinds(table: Table) -> Iterator[tuple[Row, str]]:
    """The rows with one value each, and what these are amounts of."""
    for row in table.rows if len(table.columns) == 1 else ():
        if row.cells[0]:
            value, unit = cell_value(table, row, 0) or (None, "")
            kind = "money" if is_currency(unit[:3]) else "time" if unit in DURATIONS else unit
            yield row, WORDS if value is None else kind


def worded_facts(sides: Sequence[Side], known: Listed) -> tuple[TermComparison, ...]:
    """A row for each fact whose value is words in one of the documents, in the first's order."""
    rows = [_values(each, known) for each in sides]
    found = []
    for key in dict.fromkeys(key for own in rows for key in own):
        labels = sorted((own[key][0] for own in rows if key in own), key=len)
        apart = [each for each in labels if not set(key_of(labels[0])) <= set(key_of(each))]
        told = [
            own[key][1] if key in own else said_by(side.document)
            for side, own in zip(sides, rows, strict=True)
        ]
        found.append(term(NAMES_APART.join(labels[:1] + apart[:1]), told))
    return tuple(found)


def _values(side: Side, known: Listed) -> dict[Key, tuple[str, TermSide]]:
    """By key the label and the value, as they are printed, of tables listed alike before others."""
    found: dict[Key, tuple[str, TermSide]] = {}
    tables = sorted(filter(_is_list, side.tables), key=lambda each: not known.has(each))
    for table in tables:
        for row in table.rows if len(table.columns) == 1 else ():
            key, own = known.key(row.label), side.printed(row)
            if key in known.worded and own and row.cells[0]:
                said = replace(said_by(side.document), quote=row.cells[0], blocks=own)
                found.setdefault(key, (row.label, said))
    return found
