"""What an abbreviation of a question stands for, by the labels and heads of tables.

"C&I" is "Commercial and industrial" where one row is called so and no document asked has the
abbreviation: the first letters of words that follow one another, of all or without "and" and "of".
"""

import re
from collections.abc import Iterable, Iterator

from docqa.language.vocabulary import acronyms
from docqa.language.words import STOP_WORDS
from docqa.types.table import Table

_ABBREVIATION = re.compile(
    r"(?<![\w&])(?=(?:[A-Za-z&]*[A-Z]){2})[A-Za-z](?:&?[A-Za-z]){1,5}(?![\w&])"
)
_WORD = re.compile(r"[A-Za-z][\w’']*|&")
_WHOLE = 2  # letters of an abbreviation that only a whole name can have, which is nobody's own


def abbreviations(text: str) -> list[str]:
    """The abbreviations of a text that docqa's own vocabulary does not spell out, each once."""
    found = dict.fromkeys(_ABBREVIATION.findall(text))
    return [each for each in found if each not in acronyms()]


def spelt_by_tables(short: str, tables: Iterable[Table]) -> str:
    """The one name in tables that begins with the letters of an abbreviation; "" where there is
    none, or are several."""
    called = (name for table in tables for name in _names(table))
    found = {name.casefold(): name for each in called for name in _begun(short, each)}
    return next(iter(found.values())) if len(found) == 1 else ""


def _names(table: Table) -> Iterator[str]:
    """What a table, its columns and its rows are called."""
    yield table.title
    yield from (column.heading for column in table.columns)
    yield from (label for row in table.rows for label in (row.label, *row.path))


def _begun(short: str, name: str) -> Iterator[str]:
    """The part of a name whose words begin with an abbreviation's letters, in their order."""
    letters = short.lower().replace("&", "")
    every = list(_WORD.finditer(name))
    telling = [word for word in every if word[0] != "&" and word[0].lower() not in STOP_WORDS]
    for words in (telling, [word for word in every if word[0] != "&"]):
        initials = "".join(word[0][0].lower() for word in words)
        at = initials.find(letters)
        is_whole = initials == letters and words[-1][0].islower()
        is_whole = is_whole and words[0][0].lower() not in STOP_WORDS  # as of "98.5% or more"
        if at >= 0 and (len(letters) > _WHOLE or is_whole):
            yield name[words[at].start() : words[at + len(letters) - 1].end()]
            return
