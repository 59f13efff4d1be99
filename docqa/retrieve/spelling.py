"""What a misspelt word was meant to be, from the words of the library itself.

A slip of the keys is a letter too many, too few or another, or two that changed places: one step of
the optimal string alignment distance (Boytsov, "Indexing methods for approximate dictionary
searching", 2011).
"""

import heapq
import re
from string import ascii_lowercase

from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from docqa.language.words import singular
from docqa.library.catalog import Catalog

SHORTEST = 5  # letters of a word that may be misspelt: shorter ones are like too many others
SHORTEST_STEM = 4
LONG = 8  # letters from which two slips are allowed for
MOST_STEMS = 5  # that are looked up for one word, the nearest
PASSAGES = 24  # in which the forms of a stem are looked for


def may_be_misspelt(word: str) -> bool:
    """Whether a word is no name, number or short word; a name is rather another name."""
    return len(word) >= SHORTEST and word.isalpha() and word.islower()


def spelt_like(word: str, catalog: Catalog) -> str:
    """The word of the library that this one is but for a slip or two; "" for none.

    The first letter is taken to be right. Of words as near the one that most passages have.
    """
    allowed = 1 if len(word) < LONG else 2
    near = [
        (slips, -passages, form)
        for stem, passages in _stems_like(word, catalog)
        for form in _forms(stem, catalog)
        if (slips := OSA.distance(word, form, score_cutoff=allowed)) <= allowed
    ]
    return min(near)[2] if near else ""


def _stems_like(word: str, catalog: Catalog) -> list[tuple[str, int]]:
    """The stems nearest to how a word begins, and how many passages have each; the commonest first
    of those as near."""
    plain = re.sub("y$", "i", word)  # as stems end
    stems = catalog.stems(_openings(plain), (SHORTEST_STEM, len(word) + 1))
    if not stems:
        return []
    begun = [plain[:end] for end in range(SHORTEST_STEM - 1, len(plain) + 1)]
    slips = cdist(begun, [stem for stem, _ in stems], scorer=OSA.distance, score_cutoff=1)
    near = [
        (least + abs(len(plain) - len(stem)) / len(plain), -passages, stem)
        for (stem, passages), least in zip(stems, slips.min(axis=0).tolist(), strict=True)
        if least <= 1
    ]
    return [(stem, -passages) for _, passages, stem in heapq.nsmallest(MOST_STEMS, near)]


def _openings(word: str) -> set[str]:
    """How a word may begin that this one is but for a slip, its first letter being right: of a
    large library those stems alone are looked at, not all of a letter."""
    first, right = word[0], set(word[1:3])
    wrong = set(ascii_lowercase) - right
    return {first + one for one in right} | {first + one + two for one in wrong for two in right}


def _forms(stem: str, catalog: Catalog) -> set[str]:
    """The forms in which some passages have a stem, each in the singular too."""
    opening = re.compile(rf"\b{re.escape(stem[: SHORTEST_STEM - 1])}[^\W\d_]+")
    passages = catalog.passages_with_stem(stem, PASSAGES)
    found = {form for text in passages for form in opening.findall(text.lower())}
    return found | set(map(singular, found))
