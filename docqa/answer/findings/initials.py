"""What an abbreviation of a question stands for, by the labels and heads of the tables found.

"C&I" is "Commercial and industrial" where one row is called so and no passage has the abbreviation:
the first letters of words that follow one another, of all or without "and", "of" and the like.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from docqa.language.definitions import written
from docqa.language.vocabulary import acronyms
from docqa.language.words import STOP_WORDS
from docqa.types.search import Hit, SearchResult
from docqa.types.table import Table

_ABBREVIATION = re.compile(
    r"(?<![\w&])(?=(?:[A-Za-z&]*[A-Z]){2})[A-Za-z](?:&?[A-Za-z]){1,5}(?![\w&])"
)
_WORD = re.compile(r"[A-Za-z][\w’']*|&")
_WHOLE = 2  # letters of an abbreviation that only a whole name can have, which is nobody's own


def spelt_by_tables(result: SearchResult) -> tuple[SearchResult, tuple[tuple[str, str], ...]]:
    """A search whose question has the abbreviations that no passage has spelt out as the one name
    in the tables found that begins with their letters, and these with the names; those that have
    several such names are left alone."""
    question = result.plan.question
    spelt = tuple(_spelt(question.whole, result.hits))
    if not spelt:
        return result, ()
    whole, nameless = question.whole, question.nameless
    for short, name in spelt:
        put = partial(written(short).sub, lambda _, name=name: name)
        whole, nameless = put(whole), put(nameless)
    meant = replace(question, whole=whole, nameless=nameless)
    missing = tuple(word for word in result.missing if word not in dict(spelt))
    return replace(result, plan=replace(result.plan, question=meant), missing=missing), spelt


def _spelt(text: str, hits: Sequence[Hit]) -> Iterator[tuple[str, str]]:
    for short in dict.fromkeys(_ABBREVIATION.findall(text)):
        if short in acronyms() or any(written(short).search(hit.chunk.text) for hit in hits):
            continue
        called = {name for hit in hits for table in hit.tables for name in _names(table)}
        found = {name.casefold(): name for each in called for name in _begun(short, each)}
        if len(found) == 1:
            yield short, *found.values()


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
        if at >= 0 and (len(letters) > _WHOLE or is_whole):
            yield name[words[at].start() : words[at + len(letters) - 1].end()]
            return
