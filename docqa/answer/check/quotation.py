"""Where quotations stand in an answer, and whether their words stand in a text; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from docqa.language.words import fold

_ELLIPSIS = re.compile(r"\[?\s*\.\.\.\s*\]?|\[[^\[\]]{0,3}\]\s(?=\w)")
_CAPITAL = re.compile(r"\[(\w)\](?=\w)")  # "[t]he": a capital that the quoting sentence changed
_WORD = re.compile(r"[^\W_]+(?:[.,](?=\d)[^\W_]+)*|[%$€£¥]")
_LIKE = 0.6  # share of a quotation's words in the same order, for a wording to be its nearest


def quotation_spans(text: str) -> list[tuple[int, int]]:
    """Where quotations stand, marks left out: “…” with others inside it, else "…" on its own."""
    spans: list[tuple[int, int]] = []
    if '"' not in text and "“" not in text:
        return spans
    depth, start = 0, 0
    for at, character in enumerate(text):
        if character == "“":
            start = at + 1 if depth == 0 else start
            depth += 1
        elif character == "”" and depth:
            depth -= 1
            if depth == 0:
                spans.append((start, at))
    for match in re.finditer(r'(?<!\w)"([^"\n]+)"', text):
        if all(match.end() <= a or match.start() >= b for a, b in spans):
            spans.append(match.span(1))
    return sorted(spans)


@dataclass(frozen=True, slots=True)
class Wording:
    """A text as its letters alone, and where among them a word begins or ends."""

    letters: str
    edges: frozenset[int]
    words: tuple[str, ...]


def wording(text: str) -> Wording:
    """What of a text is words; apostrophes, hyphens, spaces, points and capitals are printing."""
    words = tuple(_WORD.findall(fold(text)))
    edges = frozenset(accumulate(map(len, words), initial=0))
    return Wording("".join(words), edges, words)


def stands_in(quote: str, text: Wording) -> bool:
    """Whether the words of ``quote`` stand in the text; parts around an ellipsis in their order.

    >>> stands_in("net operating in-come … 2024", wording("Net operating income, for 2024"))
    True
    >>> stands_in("rent", wording("the renter"))
    False
    """
    at = 0
    parts = [wording(part).letters for part in _parts(quote)]
    for part in filter(None, parts):
        at = _end_of(part, text, at)
        if at < 0:
            return False
    return any(parts)


def _parts(quote: str) -> list[str]:
    return _ELLIPSIS.split(fold(_CAPITAL.sub(r"\1", quote)))


def _end_of(part: str, text: Wording, start: int) -> int:
    """Where ``part`` ends in the text from ``start`` on, whole words only; -1 where it does not."""
    at = text.letters.find(part, start)
    while at >= 0:
        end = at + len(part)
        if at in text.edges and end in text.edges:
            return end
        at = text.letters.find(part, at + 1)
    return -1


def nearest_wording(quote: str, texts: Sequence[str]) -> str:
    """The stretch of the texts most like ``quote``, as printed; "" where none is like it."""
    wanted = wording(" ".join(_parts(quote))).words
    best, shown = _LIKE, ""
    for text in texts:
        printed = text.split()
        given = [fold(word).strip(".,;:'\"()") for word in printed]
        at = _window(wanted, given)
        window = given[at : at + len(wanted)]
        like = SequenceMatcher(None, wanted, window, autojunk=False).ratio()
        if like > best:
            best, shown = like, " ".join(printed[at : at + len(wanted)])
    return shown


def _window(wanted: Sequence[str], given: Sequence[str]) -> int:
    """Where the stretch of ``given`` begins that shares most words with ``wanted``."""
    bag, size = set(wanted), len(wanted)
    hits = [word in bag for word in given]
    count = best = sum(hits[:size])
    place = 0
    for at in range(1, len(given) - size + 1):
        count += hits[at + size - 1] - hits[at - 1]
        if count > best:
            best, place = count, at
    return place
