"""Facts that several documents list in tables of one kind: key facts, particulars, timetables.

Such a row is worth telling even where one of the documents has no such row, and where its value is
words rather than a figure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from docqa.compare.tables import Side, cell_value, without_period
from docqa.compare.terms import said_by, term
from docqa.language.labels import is_of_the_market, label_key, names_nothing
from docqa.types.comparison import TermComparison, TermSide
from docqa.types.table import STATEMENTS, Row, Table

Key = tuple[str, ...]
SHARED = 2  # labels from which two tables of several rows are of one kind
_OTHERS = (*STATEMENTS, "contents", "rent roll")  # which are compared in ways of their own


@dataclass(frozen=True, slots=True)
class Listed:
    """The labels of tables that documents have alike, and which of them mean the same.

    ``names`` maps the key of a label to that of another it is compared under: "Year built /
    refurbished" is the one row left for "Year built". ``worded`` are those with values in words,
    ``tables`` the tables themselves, by document id and number.
    """

    keys: frozenset[Key] = frozenset()
    names: Mapping[Key, Key] = field(default_factory=dict)
    worded: frozenset[Key] = frozenset()
    tables: frozenset[tuple[str, int]] = frozenset()

    def key(self, label: str) -> Key:
        key = key_of(label)
        return self.names.get(key, key)


NOTHING = Listed()


def key_of(label: str) -> Key:
    """What two labels must share, whatever period they name."""
    return label_key(without_period(label)[0])


def listed(tables: Sequence[Sequence[Table]]) -> Listed:
    """What the documents, each with its ``tables``, list alike."""
    keys: set[Key] = set()
    names: dict[Key, Key] = {}
    worded: set[Key] = set()
    numbers: set[tuple[str, int]] = set()
    for one, other in _alike(tables):
        numbers.add((one.document_id, one.number))
        keys.update(_keys(one))
        names |= _renamed(_keys(one), _keys(other))
        worded.update(key_of(row.label) for row in _in_words(one))
    kept = frozenset(names.get(key, key) for key in keys)
    in_words = frozenset(names.get(key, key) for key in worded)
    return Listed(kept, names, in_words, frozenset(numbers))


def _alike(tables: Sequence[Sequence[Table]]) -> Iterator[tuple[Table, Table]]:
    """Each table with another document's that it shares labels with."""
    for own, others in permutations(tables, 2):
        for one in filter(_is_list, own):
            for other in filter(_is_list, others):
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


def _in_words(table: Table) -> Iterator[Row]:
    if len(table.columns) == 1:
        for row in table.rows:
            if row.cells[0] and cell_value(table, row, 0) is None:
                yield row


def worded_facts(sides: Sequence[Side], known: Listed) -> tuple[TermComparison, ...]:
    """A row for each fact whose value is words in one of the documents, in the first's order."""
    rows = [_values(each, known) for each in sides]
    found = []
    for key in dict.fromkeys(key for own in rows for key in own):
        label = min((own[key][0] for own in rows if key in own), key=len)
        told = [
            own[key][1] if key in own else said_by(side.document)
            for side, own in zip(sides, rows, strict=True)
        ]
        found.append(term(label, told))
    return tuple(found)


def _values(side: Side, known: Listed) -> dict[Key, tuple[str, TermSide]]:
    """By key the label and the value, as they are printed."""
    found: dict[Key, tuple[str, TermSide]] = {}
    for table in filter(_is_list, side.tables):
        for row in table.rows if len(table.columns) == 1 else ():
            key, own = known.key(row.label), side.printed(row)
            if key in known.worded and own and row.cells[0]:
                said = replace(said_by(side.document), quote=row.cells[0], blocks=own)
                found.setdefault(key, (row.label, said))
    return found
