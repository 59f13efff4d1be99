"""Labels of figures as they are compared: one name for each thing, whatever it is called."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from docqa.language.numbers import without_note_marks
from docqa.language.vocabulary import BUILT_IN
from docqa.language.words import singular

# Words of a label that tell no two figures apart.
_FILLING_WORDS = """
the a an of for in on at to and or its their our this that these approximately about s amount value
"""
_FILLERS = frozenset(_FILLING_WORDS.split())
# Labels of nothing else name no thing that two documents could share.
_NAMELESS = frozenset(
    (
        *("total", "subtotal", "other", "net", "all", "balance", "beginning", "opening"),
        *("ending", "closing", "end", "year", "period", "thereafter"),
    )
)
# What is paid or used up, which some documents print in brackets and others do not: of companies,
# and of buildings (the headings of IREM's chart of accounts for expenses).
_OUTFLOW = re.compile(
    r"\b(?:costs?|expenses?|expenditures?|capex|paid|payments?|repayments?|purchases?|repurchases?"
    r"|dividends?|distributions?|acquisitions?|depreciation|amortization|amortisation|provisions?"
    r"|cogs|sg&a|r&d|research and development|tax(?:es)?|loss(?:es)?|buy-?backs?|interest"
    r"|repairs?|maintenance|utilities|electricity|water|heating|insurance|administrati(?:on|ve)"
    r"|management fees?|payroll|wages|salaries|security|cleaning|janitorial|landscaping"
    r"|reserves?)\b",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(
    r"\b(?:income\b(?! tax)|gains?|earnings|benefits?|profit|net cash|change)\b|/", re.I
)
_OWN_SIGN = re.compile(r"\b(?:tax(?:es)?|provisions?|interest|loss(?:es)?)\b", re.IGNORECASE)
# Headings over what others pay, sell or let for, which is no figure of the document's own subject.
_OF_THE_MARKET = re.compile(
    r"\bmarkets?\b|\bsub-?markets?\b|\bcomparables?\b|\brecent (?:sales|lettings)\b", re.IGNORECASE
)
MARKET = "Market"
_WORD = re.compile(r"[^\W_]+(?:&[^\W_]+)*")


def plain_words(text: str) -> tuple[str, ...]:
    """Lower-case words in the singular, without what stands in brackets."""
    folded = unicodedata.normalize("NFKC", without_note_marks(text)).lower().replace("’", "'")
    bare = re.sub(r"\([^)]*\)|'s\b", " ", folded)
    return tuple(singular(word) for word in _WORD.findall(bare))


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Every way of naming something with the name it is compared under, longest first."""
    found: dict[tuple[str, ...], str] = {}
    for names in BUILT_IN.figures:
        for name in names:
            found[plain_words(name)] = "_".join(plain_words(names[0]))
    return tuple(sorted(found.items(), key=lambda entry: (-len(entry[0]), entry[0])))


def things_in(text: str) -> tuple[str, ...]:
    """The words of ``text`` in order, each known thing as one word: its first name.

    >>> things_in("Compare the cap rates and the NOI")
    ('compare', 'cap_rate', 'noi')
    """
    words, things, place = plain_words(text), [], 0
    while place < len(words):
        for phrase, name in _phrases():
            if words[place : place + len(phrase)] == phrase:
                things.append(name)
                place += len(phrase)
                break
        else:
            things.extend([words[place]] if words[place] not in _FILLERS else [])
            place += 1
    return tuple(things)


@lru_cache(maxsize=65_536)
def label_key(label: str) -> tuple[str, ...]:
    """What two labels must share to name one thing: the same things, in any order.

    A section says nothing more of a thing that is known by itself where it is a known thing too:
    "Operating expenses › R&D" is R&D, but "Americas › Net sales" is not net sales.

    >>> label_key("NOI") == label_key("Net operating income")
    True
    >>> label_key("Gross income") == label_key("Effective gross income")
    False
    """
    section, _, own = label.rpartition(" › ")
    things = things_in(own if is_known(section) and is_known(own) else label)
    return tuple(sorted(set(things)))


def is_of_the_market(heading: str) -> bool:
    """Whether what stands under a heading is of the market, not of the document's own subject.

    >>> is_of_the_market("Office market"), is_of_the_market("Marketable securities")
    (True, False)
    """
    return _OF_THE_MARKET.search(heading) is not None


def names_nothing(key: tuple[str, ...]) -> bool:
    """Whether a label says only that something is a total, a balance, or other than the rest.

    >>> names_nothing(label_key("Other, net")), names_nothing(label_key("Other income"))
    (True, False)
    """
    return set(key) <= _NAMELESS


def is_outflow(label: str, *, mixed: bool) -> bool:
    """Whether a number in brackets under this label is as much as one without them.

    Where only one of two numbers is in brackets (``mixed``), that of a tax may be a refund.

    >>> is_outflow("Cost of sales", mixed=True), is_outflow("Net income (loss)", mixed=False)
    (True, False)
    """
    plain = label.rpartition(" › ")[2]
    if not _OUTFLOW.search(plain) or _EITHER_WAY.search(plain):
        return False
    return not (mixed and _OWN_SIGN.search(plain))


def is_known(label: str) -> bool:
    """Whether the label is wholly one of the figures listed."""
    return is_listed(things_in(label))


def is_listed(key: tuple[str, ...]) -> bool:
    """Whether what labels share is wholly one of the figures listed."""
    return len(key) == 1 and key[0] in {name for _, name in _phrases()}


UNDER_SECTION = 0.9  # worth of a label without its section


def bearing(label: str, asked: Iterable[str]) -> float:
    """The share of the label's things that were asked for, 0–1.

    A row under a section may be asked for by its own label; it then counts a little less than one
    that has no section.
    """
    wanted = frozenset(asked)
    own = label.rpartition(" › ")[2]
    return max(_share(label, wanted), UNDER_SECTION * _share(own, wanted))


def _share(label: str, wanted: frozenset[str]) -> float:
    key = label_key(label)
    return sum(thing in wanted for thing in key) / len(key) if key else 0.0


def known_wordings() -> tuple[str, ...]:
    """Every listed wording as a pattern for sentences, longest first."""
    return tuple(r"[\s-]+".join(map(_inflected, phrase)) for phrase, _ in _phrases())


def _inflected(word: str) -> str:
    stem = re.escape(word)
    return rf"(?:{stem[:-1]}y|{stem[:-1]}ies)" if word.endswith("y") else rf"{stem}(?:s|es)?"
