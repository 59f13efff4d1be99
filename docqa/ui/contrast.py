"""Which words of a passage differ from its partner's, figures apart from other words."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Difference = Literal["", "word", "figure"]

_PIECES = re.compile(r"\s+|[^\s]+")
_FIGURE = re.compile(r"\d")
_EDGES = "“”\"'‘’.,;:()[]"
ALIKE = 0.4  # share of words in common below which only figures are marked


@dataclass(frozen=True, slots=True)
class Part:
    """A run of text; ``differs`` says whether the partner lacks it, and whether it is a figure."""

    text: str
    differs: Difference = ""


def contrast(text: str, partner: str) -> tuple[Part, ...]:
    """``text`` in parts, those marked that ``partner`` has not at that place; joined, ``text``.

    Words are compared without regard to case and surrounding punctuation, in their order
    (Ratcliff and Obershelp 1988, without difflib's junk rule). Where hardly anything is the
    same, marking every word would say nothing, and only figures are marked.

    >>> [p for p in contrast("Rent is $25,000.", "rent is $31,500.") if p.differs]
    [Part(text='$25,000.', differs='figure')]
    """
    pieces = _PIECES.findall(text)
    words = [n for n, piece in enumerate(pieces) if not piece.isspace()]
    mine = [_plain(pieces[n]) for n in words]
    theirs = [_plain(piece) for piece in partner.split()]
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    same = {words[m.a + n] for m in matcher.get_matching_blocks() for n in range(m.size)}
    kinds: list[Difference] = ["" if n in same else _kind(p) for n, p in enumerate(pieces)]
    if len(same) < ALIKE * len(words):
        kinds = ["figure" if kind == "figure" else "" for kind in kinds]
    return _joined([Part(piece, kind) for piece, kind in zip(pieces, kinds, strict=True)])


def _plain(word: str) -> str:
    return word.strip(_EDGES).casefold() or word


def _kind(piece: str) -> Difference:
    if piece.isspace():
        return ""
    return "figure" if _FIGURE.search(piece) else "word"


def _joined(parts: list[Part]) -> tuple[Part, ...]:
    """Neighbours of one kind as one part; the space between two differing words differs too."""
    joined: list[Part] = []
    for n, part in enumerate(parts):
        after = parts[n + 1].differs if n + 1 < len(parts) else ""
        bridges = part.text.isspace() and joined and joined[-1].differs == after == "word"
        differs: Difference = "word" if bridges else part.differs
        if joined and joined[-1].differs == differs and differs != "figure":
            joined[-1] = Part(joined[-1].text + part.text, differs)
        else:
            joined.append(Part(part.text, differs))
    return tuple(joined)
