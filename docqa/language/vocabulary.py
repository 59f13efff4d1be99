"""Different words for the same thing, so that "capex" finds "purchases of property".

They are listed in `vocabulary.txt`, which says how; a library may have lines of its own.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache, reduce
from importlib import resources
from itertools import chain

from docqa.errors import GlossaryUnreadable
from docqa.language.keywords import keywords
from docqa.language.words import content_words, stem

MAX_LINES = 1000  # of a person's own
_ARROW = re.compile(r"(<-|->)")

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Glossary:
    """What things are called.

    ``groups`` are the names of one thing, and ``figures`` those under which one is compared;
    ``derived`` has a name and the lines it is worked out from; ``tables`` titles and what is read
    from such a table; ``near`` words near in meaning.
    """

    groups: tuple[Names, ...] = ()
    figures: tuple[Names, ...] = ()
    derived: tuple[tuple[str, Names], ...] = ()
    tables: tuple[tuple[Names, Names], ...] = ()
    near: tuple[Names, ...] = ()

    def before(self, other: "Glossary") -> "Glossary":
        """Both as one, this one's lines first."""
        both = (getattr(self, each.name) + getattr(other, each.name) for each in fields(self))
        return Glossary(*both)


def _read(lines: Iterable[tuple[int, str]]) -> Glossary:
    """The glossary that these lines make, in the form that `vocabulary.txt` describes."""
    return reduce(Glossary.before, (_read_line(line) for _, line in lines), Glossary())


def _read_line(line: str) -> Glossary:
    left, arrow, right = _ARROW.split(line) if _ARROW.search(line) else (line, "", "")
    names = _terms(left)
    if arrow == "<-":
        return Glossary(tables=((names, _terms(right)),))
    if arrow == "->":
        return Glossary(derived=((left.strip(), _terms(right)),))
    if line.startswith("~"):
        return Glossary(near=(names,))
    if line.startswith("=="):
        return Glossary(figures=(names,))
    if line.startswith("="):
        return Glossary(groups=(_searched(names),), figures=(_compared(names),))
    return Glossary(groups=(names,))


def _terms(text: str) -> Names:
    return tuple(term.strip() for term in text.lstrip("=~").split("|"))


def _searched(names: Names) -> Names:
    """The names that are searched for: not those in brackets."""
    return tuple(name.rstrip("?") for name in names if not name.startswith("("))


def _compared(names: Names) -> Names:
    """The names of the very same figure: not those with a question mark."""
    return tuple(name.strip("()") for name in names if not name.endswith("?"))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, each with the number it begins at, from 1."""
    line, begun = "", 0
    for number, part in enumerate(map(str.strip, text.splitlines()), 1):
        if line and part.startswith("|"):
            line = f"{line} {part}"
            continue
        if line:
            yield begun, line
        line, begun = ("" if part.startswith("#") else part), number
    if line:
        yield begun, line


_TEXT = resources.files("docqa.language").joinpath("vocabulary.txt").read_text("utf-8")
BUILT_IN = _read(_lines(_TEXT))


@lru_cache(maxsize=8)  # read at every search
def with_own(text: str) -> Glossary:
    """The glossary with a person's own lines, in the form of `vocabulary.txt`, before the others.

    Raises `GlossaryUnreadable`.
    """
    own = list(_lines(text))
    if len(own) > MAX_LINES:
        raise GlossaryUnreadable(f"it has {len(own)} lines; {MAX_LINES} are read")
    for number, line in own:
        sides = _ARROW.split(line)[::2]
        terms = [term for side in sides for term in _terms(side)]
        if len(terms) < 2 or not all(map(keywords, terms)) or len(sides) > 2:
            raise GlossaryUnreadable(f"line {number}, “{line[:80]}”, names no two things")
    return _read(own).before(BUILT_IN)


@lru_cache(maxsize=8192)  # the heads of a table are read with every question
def synonyms(text: str, glossary: Glossary = BUILT_IN) -> Names:
    """The other terms for what a text names, each once; not those it has already.

    >>> synonyms("What is the cap rate?")
    ('capitalization rate', 'capitalisation rate')
    """
    others: dict[str, None] = {}
    for group in glossary.groups:
        if any(_names(text, term) for term in group):
            others.update(dict.fromkeys(group))
    for term, lines in glossary.derived:
        if term in others or _names(text, term):
            others.update(dict.fromkeys((term, *lines)))
    return tuple(term for term in others if not _names(text, term))


def terms_in(text: str, glossary: Glossary = BUILT_IN) -> Names:
    """The terms a text names that have other names, or are read from a table, each once.

    >>> terms_in("Has the quick ratio improved?")
    ('quick ratio',)
    """
    derived = ((term, *lines) for term, lines in glossary.derived)
    groups = (*glossary.groups, *derived, *(terms for _, terms in glossary.tables))
    named = (term for group in groups for term in group if _names(text, term))
    return tuple(dict.fromkeys(named))


def tables_for(text: str, glossary: Glossary = BUILT_IN) -> Names:
    """The titles of the tables from which what a text names is read, each once.

    >>> tables_for("Has the quick ratio improved?")
    ('balance sheet', 'statement of financial position', 'statement of financial condition')
    """
    found = (titles for titles, terms in glossary.tables if any(_names(text, t) for t in terms))
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def near_to(word: str) -> Names:
    """The words near in meaning to a word, whatever its ending.

    >>> near_to("expires"), near_to("Norwegian")
    (('end', 'expire', 'expiration', 'expiry', 'term'), ('Norwegian', 'Norway'))
    """
    own = stem(word.lower())
    found = (near for near in BUILT_IN.near if own in (stem(each.lower()) for each in near))
    return next(found, ())


@lru_cache(maxsize=1)
def acronyms() -> dict[str, str]:
    """Each acronym with the first name of the same thing that spells it out.

    >>> acronyms()["SG&A"]
    'selling, general and administrative'
    """
    return {
        term: next(name for name in group if " " in name)
        for group in reversed(BUILT_IN.groups)
        for term in group
        if term.isupper() and any(" " in name for name in group)
    }


def spelled_out(text: str) -> str:
    """A text with its acronyms spelled out.

    >>> spelled_out("NOI per unit")
    'net operating income per unit'
    """
    return re.sub(r"\b[A-Z][A-Z&]+\b", lambda found: acronyms().get(found[0], found[0]), text)


def _names(text: str, term: str) -> bool:
    """Whether the text has the term, in its plural too; capitals count where it is all capitals."""
    first, pattern = _pattern(term)
    return first in text.lower() and pattern.search(text) is not None


@lru_cache(maxsize=8192)
def _pattern(term: str) -> tuple[str, re.Pattern[str]]:
    """The term's first letters, which are quickly looked for, and what is then looked for.

    The "and" of an acronym is also written N, by its sound, or out: PP&E, PPNE, PP and E. Not of
    three letters, where D&A would be DNA.

    >>> bool(_pattern("SG&A")[1].search("Have SGNA costs risen?"))
    True
    """
    flags = re.NOFLAG if term.isupper() else re.IGNORECASE
    words = re.split(r"[\s,-]+", term)
    spaced = r"[\s,-]+".join(map(re.escape, words))
    if term.isupper() and len(term) > len("D&A"):
        spaced = spaced.replace(re.escape("&"), r"(?:&|N|\s(?:and|&)\s)")
    return words[0].split("&")[0].lower(), re.compile(rf"(?<!\w){spaced}s?(?!\w)", flags)


def _near() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for near in BUILT_IN.near:
        stems = content_words(" ".join(near))
        for word in stems:
            groups.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in groups.items()}


NEAR = _near()  # the stems near in meaning to a stem, itself among them
