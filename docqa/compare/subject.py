"""What a comparison is asked on: the question without the documents and the words that compare."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from docqa.compare.topics import topics_asked
from docqa.language.change import CHANGED, LEFT_OR_CAME, VERSIONS
from docqa.language.labels import is_known
from docqa.language.words import singular
from docqa.types.document import ENDING, Document

# Words of change, and of what was changed, name no subject: "what changed between the two drafts".
_NOTHING_NAMED = re.compile(
    r"\b(?:across|compar\w*|differ\w*|versus|vs|overall|overview|summar\w*|key|main|terms?|figures?|numbers"
    r"|metrics?|financials?|performance|between|and|with|from|the|two|three|these|those|both|all|of"
    r"|them|documents?|files?|contracts?|leases?|agreements?|propert(?:y|ies)|reports?|filings?|how"
    r"|do|does|what|is|are|in|to|a|an|please|me|show|tell|about|side by|side|against|each|other"
    r"|one|another|when|where|who|why|did|was|were|has|have|been|s|which|there|any|since|first|second|third|old|new"
    r"|clauses?|provisions?|sections?|paragraphs?|completely|entirely|signed|executed|final"
    rf"|earlier|later|latest|last|previous|{CHANGED}|{LEFT_OR_CAME}|{VERSIONS})\b|\W|\d",
    re.IGNORECASE,
)
_JOINING = re.compile(
    r"\b(?:compar\w+|contrast\w*|versus|vs|between|both|please|side by side|differences?"
    r"|differ|changed|amended|revised|updated)\b\.?",
    re.IGNORECASE,
)
_ON_WHAT = re.compile(
    r"^.*\b(?:compares?|differs?|var(?:y|ies))\b\s+(?:on|in terms of|regarding|as to"
    r"|with re(?:gard|spect) to)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?:(?:any|anything|what|which|how|is|are|was|were|do|does|did|has|have|been|there|the|of|in|to"
    r"|on|about|regarding|concerning|and|an?|me|show"
    rf"|(?:{CHANGED}|{LEFT_OR_CAME}|new)(?= (?:in|to|on|about|regarding)\b))\b\s*)+",
    re.IGNORECASE,
)
_OF_SIDES = re.compile(r"\s+(?:in|of|between|for|at|from|under)\s+(?:the\s+)*(?=[A-Z])")
_TAIL = re.compile(
    r"(?:[\s,]*\b(?:of|in|on|and|with|to|the|for|at|from|across|s|two|three|either|documents?|files?"
    rf"|contracts?|agreements?|leases?|reports?|filings?|10-?[kq]s?|changes?|{VERSIONS}|were"
    rf"|was|is|are|has|have|been|or|{LEFT_OR_CAME}))+$",
    re.IGNORECASE,
)


_JOINT = re.compile(r"\s*(?:[,;](?:\s*(?:and|or)\b)?|\b(?:and|or)\b|&)\s+", re.IGNORECASE)


def subject_of(question: str, documents: Sequence[Document]) -> str:
    """The question without the documents' names, "" where nothing else is asked for.

    A word of a name that also names a figure or a topic ("rent") stays.
    """
    named = {
        word.lower()
        for document in documents
        for word in re.findall(r"[^\W_]+", f"{PurePath(document.name).stem} {document.title}")
    }

    def kept(match: re.Match[str]) -> str:
        word = match[0]
        is_name = not named.isdisjoint((word.lower(), singular(word.lower())))  # "the bids"
        other = not is_name or is_known(word) or topics_asked(word)
        return word if other else " "

    rest = re.sub(r"[^\W_]+", kept, re.sub(rf"{ENDING}\b", "", question, flags=re.IGNORECASE))
    return rest if _names_something(re.sub(r"\b[A-Z]\b", "", rest)) else ""


def named_in(subject: str) -> str:
    """What a question names to compare, without the words that compare.

    >>> named_in("Compare the number of active buyers in 2018 and 2021")
    'Number of active buyers'
    """
    left = _ON_WHAT.sub("", re.sub(r"\b(?:19|20)\d\d\b", " ", subject))
    left = _JOINING.sub(" ", left)
    words = " ".join(left.split()).strip(" ,;:?!.")
    words = _OF_SIDES.split(_TAIL.sub("", _HEAD.sub("", words)))[0]
    return words[:1].upper() + words[1:]


def parts_of(named: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """The several things that are named to compare; what is one of ``names`` stays whole.

    >>> parts_of("Margin, the commitment and repairs and maintenance", ["Repairs & maintenance"])
    ('Margin', 'Commitment', 'Repairs and maintenance')
    """
    whole = [match.span() for name in names for match in _printed(name).finditer(named)]
    parts, start = [], 0
    for joint in _JOINT.finditer(named):
        inside = any(begin < joint.end() and joint.start() < end for begin, end in whole)
        sides = named[start : joint.start()], named[joint.end() :]
        if not inside and all(map(_names_something, sides)):
            parts.append(sides[0])
            start = joint.end()
    return tuple(part for each in (*parts, named[start:]) if (part := named_in(each)))


def _names_something(text: str) -> bool:
    return bool(_NOTHING_NAMED.sub("", text))


def _printed(name: str) -> re.Pattern[str]:
    """A name as it may be printed; one of a single thing is nowhere."""
    words = re.findall(r"\w+", name.replace("&", " and "))
    several = _JOINT.search(name) is not None
    return re.compile(r"\W+".join(rf"{word}s?" for word in words) if several else r"(?!)", re.I)
