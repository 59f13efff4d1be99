"""Which words of a passage differ from its partner's, figures apart from other words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Literal

Difference = Literal["", "word", "figure"]

_PIECES = re.compile(r"\s+|[^\s]+")
_FIGURE = re.compile(r"\d")
_EDGES = "“”\"'‘’.,;:()[]"
# A clause's own number: where clauses are paired, that it differs says nothing.
_NUMBERING = re.compile(r"(?:\d+\.(?:\d+\.?)*|\(\w{1,4}\))(?=\s+[(“\"]?[A-Z])")
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
    same, marking every word would say nothing, and only figures are marked. The number that a
    line begins with, as clauses do, is not marked.

    >>> [p for p in contrast("Rent is $25,000.", "rent is $31,500.") if p.differs]
    [Part(text='$25,000.', differs='figure')]
    """
    pieces = _PIECES.findall(text)
    words = [n for n, piece in enumerate(pieces) if not piece.isspace()]
    mine = [_plain(pieces[n]) for n in words]
    theirs = [_plain(piece) for piece in partner.split()]
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    same = {words[m.a + n] for m in matcher.get_matching_blocks() for n in range(m.size)}
    alike = len(same) / max(len(words), 1)
    same |= _numberings(text, pieces)
    kinds: list[Difference] = ["" if n in same else _kind(p) for n, p in enumerate(pieces)]
    if alike < ALIKE:
        kinds = ["figure" if kind == "figure" else "" for kind in kinds]
    return _joined([Part(piece, kind) for piece, kind in zip(pieces, kinds, strict=True)])


def _numberings(text: str, pieces: list[str]) -> set[int]:
    """The places of the pieces that number a clause, at the beginning of a line."""
    starts = accumulate(map(len, pieces[:-1]), initial=0)
    return {
        n
        for n, start in enumerate(starts)
        if (not start or text[start - 1] == "\n") and _NUMBERING.match(text, start)
    }


def cut(parts: Sequence[Part], start: int, end: int) -> tuple[Part, ...]:
    """The parts of what stands from ``start`` to ``end`` of the joined text."""
    found: list[Part] = []
    at = 0
    for part in parts:
        text = part.text[max(start - at, 0) : max(end - at, 0)]
        at += len(part.text)
        found.extend([Part(text, part.differs)] if text else [])
    return tuple(found)


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
