"""Whether a question compares, and which names it sets against each other."""

import re
from collections.abc import Iterator, Sequence

from docqa.language.periods import YEAR
from docqa.question.kinds import KINDS

FISCAL_YEAR = re.compile(rf"\b(?:FY\s?)?({YEAR})\b")
_COMPARES = re.compile(
    r"\b(?:compar(?:e[sd]?|ing|ison)|versus|vs|differences? between|differ(?:s|ed)? from"
    r"|contrast)\b",
    re.IGNORECASE,
)
# These compare documents where it is documents that they name: "what changed between 2022 and
# 2023?" asks for two figures of one report.
_MAY_COMPARE = re.compile(
    r"\b(?:contrast(?:s|ed|ing)|side[- ]by[- ]side|redline|distinguish(?:es)?"
    r"|differ(?:s|ent|ed)?|differences (?:in|on|of))\b|\bdifferences?\b.*\b(?:between|among)\b"
    r"|\b(?:what|how)\b.{0,60}\bchanged?\b.{0,80}"
    rf"(?:\b(?:between|from)\b|\bacross\b.{{0,20}}\b{KINDS}\b)",
    re.IGNORECASE,
)
_WEIGHS = re.compile(
    r"\bwhich\b.*\b(?:\w+er|\w+est|more|less|most|least|better|best|worse|worst)\b"
    r"|\b(?:\w{3,}er|more|less|better|worse|same|as \w+)\b.{0,60}\b(?:than|as)\b",
    re.IGNORECASE,
)
_SIDED = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bbetween\s+(?P<sides>.+?)[?.!]?$",
        r"\b(?:compare|contrast|comparing|comparison of)\s+(?P<sides>.+?)[?.!]?$",
        r"^(?P<sides>.+?\s(?:vs\.?|versus)\s.+?)[?.!]?$",
        r"^(?:how (?:does|do|did)\s+)"
        r"(?P<sides>.+?\s(?:differ(?:s|ed)? from|compare (?:to|with))\s.+?)[?.!]?$",
    )
]
_BETWEEN_SIDES = re.compile(
    r"\s+(?:vs\.?|versus|with|to|against|and|differs? from|compared? (?:to|with))\s+"
    r"|\s*,\s*(?:and\s+)?",
    re.IGNORECASE,
)
_BETWEEN_WORDS = re.compile(
    r"\b(?:vs|versus|with|and|between|compared?|differences?|differs?|from|to|the|on|in terms of"
    r"|how|does|do|did|is|are|what)\b|(?:[’']s)?[,.;:?!]|[’']s\b",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\s+(?:on|in terms of|regarding|concerning|with respect to|with regard to|by|for|in|across"
    r"|over|as to|about)\s+",
    re.IGNORECASE,
)
_BEFORE_SIDES = re.compile(r"\b(?:in|for|of|on|at|across|between|distinguish(?:es)?)\b", re.I)
_FROM_TO = re.compile(r"\bfrom\s+(?P<sides>.+?\s+(?:to|from)\s+[^?.,;]+)", re.IGNORECASE)
_LEAD = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+)*(?:(?:provide|give|write|show|make)\s+(?:me\s+)?)?"
    r"(?:an?\s+|the\s+)?(?:summari[sz]e|summary|overview|outline|compare|comparison|contrast|list|"
    r"enumerate|show(?:\s+me)?|name|describe|what\s+(?:is|are|were|was))\b"
    r"(?:\s+(?:of|between|the\s+differences?\s+between|differences?\s+between|all|me))*\s*",
    re.IGNORECASE,
)


def compares(question: str) -> bool:
    """Whether a question asks for a comparison, of whatever it may be.

    >>> compares("Compare rent and costs"), compares("Is the rent higher than in Lease B?")
    (True, False)
    """
    return _COMPARES.search(question) is not None


def may_compare_documents(question: str) -> bool:
    """Whether a question compares documents if these are what its words mean.

    >>> may_compare_documents("How do the leases differ?")
    True
    """
    return compares(question) or _MAY_COMPARE.search(question) is not None


def asks_to_rank(question: str) -> bool:
    """Whether a question asks for the greater, the better or the same of what it names.

    >>> asks_to_rank("Which lease is longer?"), asks_to_rank("What is the rent?")
    (True, False)
    """
    return _WEIGHS.search(question) is not None


def compared(question: str) -> tuple[str, ...]:
    """The names set against each other: "compare X and Y", "X vs Y", "between X and Y".

    Each as written, without what they are compared on; () where no two are found.

    >>> compared("Compare Property A with Property B")
    ('Property A', 'Property B')
    >>> compared("Compare the cap rates and NOI between Lease 1 and Lease 2")
    ('Lease 1', 'Lease 2')
    """
    for pattern in _SIDED:
        if found := pattern.search(question.strip()):
            sides = _split_sides(found["sides"])
            if len(sides) > 1:
                return sides
    return ()


def _split_sides(text: str) -> tuple[str, ...]:
    text = _ON.split(re.sub(r"\b(?:compared?|comparison|differences?)$", "", text), maxsplit=1)[0]
    sides = [_bare(side) for side in _BETWEEN_SIDES.split(text)]
    named = [side for side in sides if side]
    if len(named) > 1:
        words = named[-1].split()
        named[-1] = " ".join(words[: name_length(words)])
    return tuple(dict.fromkeys(named))


def _bare(side: str) -> str:
    side = re.sub(
        r"^(?:what(?: is| are|'s)?|how|the|documents?|files?|between)\s+", "", side, flags=re.I
    )
    return side.strip(" \"'“”‘’.?!")


def without_lead(question: str) -> str:
    """A question without the words that only ask: "summarize the", "what are", "compare"."""
    return _LEAD.sub("", question)


def shared_words(question: str, sides: Sequence[str]) -> str:
    """The words of a comparison that are in none of its sides and do not ask."""
    rest = without_lead(question)
    for side in sorted(sides, key=len, reverse=True):
        rest = rest.replace(side, " ")
    return " ".join(_BETWEEN_WORDS.sub(" ", rest).split())


def readings(question: str) -> Iterator[str]:
    """The question, and a comparison of what follows each "in", "for", "of" … in it."""
    yield question
    for match in (*_BEFORE_SIDES.finditer(question), *_FROM_TO.finditer(question)):
        sides = match["sides"] if match.re is _FROM_TO else question[match.end() :]
        yield f"compare {sides.strip()}"


def topic_apart(sides: Sequence[str]) -> tuple[str, list[str]]:
    """What is compared, and the sides without it.

    >>> topic_apart(["cap rates of Property A", "Property B"])
    ('cap rates', ['Property A', 'Property B'])
    """
    split = re.match(r"(.+?)\s+(?:of|for|in|at)\s+(.+)", sides[0]) if sides else None
    return (split[1], [split[2], *sides[1:]]) if split else ("", list(sides))


def name_length(words: Sequence[str]) -> int:
    """How many of the first words are a name; a year after it is shared by all names."""
    size = 0
    while size < len(words) and re.search(r"[A-Z\d]", words[size]):
        if size and FISCAL_YEAR.fullmatch(words[size]):
            break
        size += 1
    return size or len(words)
