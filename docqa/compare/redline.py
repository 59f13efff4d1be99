"""What became of each unit of a document in its other version.

Units that are word for word alike and in order are unchanged (longest common subsequence). Of the
rest, those of one number, or most alike, are pairs: changed where they stand, moved elsewhere.
"""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from operator import itemgetter
from typing import Literal

from rapidfuzz import process
from rapidfuzz.distance import Indel, LCSseq

from docqa.compare.align import pairs
from docqa.compare.units import Unit, comparable, letters_of
from docqa.language.numbers import worded_numbers
from docqa.language.periods import calendar_months
from docqa.types.comparison import Change, ChangeKind, Edit

SAME_NUMBER = 0.35  # similarity from which two units of one number are one, changed
SIMILAR = 0.6  # the same for any two units
JOINED = 0.5  # share of a unit's words found in its neighbour's partner, to be joined to it
ROUNDS = 3  # of joining: a paragraph cut into more than four pieces stays in pieces

Words = tuple[str, ...]

_OWN_NUMBER = re.compile(r"^\W{0,2}(?:\d+(?:\.\d+)*\.?\)?|[a-z]{1,4}\))\s")


def redline(first: Sequence[Unit], second: Sequence[Unit]) -> tuple[Change, ...]:
    """Each unit of either version once, in the order of the second, those gone where they stood.

    Neighbours that are together what the other version has in one unit count as one.
    """
    first, second = _stitched(first, second)
    paired = _pairs(first, second)
    order = _steady(paired)
    placed: list[tuple[tuple[int, int, int], Change]] = []
    for one, other in paired.items():
        change = _change(first[one], second[other], steady=one in order)
        placed.append(((other, 0, 0), change))
    before = -1
    for at, unit in enumerate(first):
        before = paired.get(at, before)
        if at not in paired:
            placed.append(((before, 1, at), _alone("gone", unit)))  # after what it followed
    taken = set(paired.values())
    new = [(at, unit) for at, unit in enumerate(second) if at not in taken]
    placed += [((at, 0, 0), _alone("new", unit)) for at, unit in new]
    return tuple(change for _, change in sorted(placed, key=itemgetter(0)))


def _words(unit: Unit) -> Words:
    """A unit's words in small letters, but for the clause's own number: neither renumbering nor
    capitals make it another clause."""
    return tuple(comparable(_OWN_NUMBER.sub("", unit.text).casefold()))


def _pairs(first: Sequence[Unit], second: Sequence[Unit]) -> dict[int, int]:
    """Places in the first to places in the second of what is one unit, changed or not."""
    words = list(map(_words, first)), list(map(_words, second))
    kept = _in_order(*words)
    found = {**_by_number(first, second, words, kept), **kept}
    return found | _alike(*words, found)


def _stitched(
    first: Sequence[Unit], second: Sequence[Unit]
) -> tuple[Sequence[Unit], Sequence[Unit]]:
    """Both versions with units joined that the reader cut differently in one of them."""
    for _ in range(ROUNDS):
        paired = _pairs(first, second)
        own, others = list(map(_words, first)), list(map(_words, second))
        back = {other: one for one, other in paired.items()}
        joins = _joins(own, others, paired), _joins(others, own, back)
        if not any(joins):
            break
        first, second = _joined(first, joins[0]), _joined(second, joins[1])
    return first, second


def _joins(own: Sequence[Words], other: Sequence[Words], paired: dict[int, int]) -> set[int]:
    """Places of units to be joined to the one after them, as their words stand in its partner."""
    found: set[int] = set()
    for at in range(len(own)):
        if at in paired:
            continue
        for before in (at, at - 1):
            near = before + 1 if before == at else before
            partner = paired.get(near)
            fresh = not found & {before - 1, before, before + 1}
            if partner is not None and fresh and own[at]:
                both = own[before] + own[before + 1]
                with_it = LCSseq.similarity(both, other[partner])
                gain = with_it - LCSseq.similarity(own[near], other[partner])
                if gain >= JOINED * len(own[at]):
                    found.add(before)
    return found


def _joined(units: Sequence[Unit], joins: set[int]) -> list[Unit]:
    joined: list[Unit] = []
    for at, unit in enumerate(units):
        joined.append(joined.pop().followed_by(unit) if at - 1 in joins else unit)
    return joined


def _in_order(first: Sequence[Words], second: Sequence[Words]) -> dict[int, int]:
    """Places of units that are the same in both, in one order."""
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return {
        block.a + step: block.b + step
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }


def _by_number(
    first: Sequence[Unit],
    second: Sequence[Unit],
    words: tuple[Sequence[Words], Sequence[Words]],
    kept: dict[int, int],
) -> dict[int, int]:
    """Units that share a number no other has, in capitals or not, and are not too different."""
    own, others = ([unit.number.lower() for unit in side] for side in (first, second))
    taken = set(kept.values())
    found: dict[int, int] = {}
    for one, number in enumerate(own):
        if one in kept or not number or (own.count(number), others.count(number)) != (1, 1):
            continue
        other = others.index(number)
        alike = Indel.normalized_similarity(words[0][one], words[1][other])
        if other not in taken and alike >= SAME_NUMBER:
            found[one] = other
    return found


def _alike(
    first: Sequence[Words], second: Sequence[Words], found: dict[int, int]
) -> dict[int, int]:
    """The units left over that are most alike, best first; ties go to those that come first."""
    taken = set(found.values())
    left = [at for at in range(len(first)) if at not in found and first[at]]
    right = [at for at in range(len(second)) if at not in taken and second[at]]
    if not left or not right:
        return {}
    ratios = process.cdist(
        [first[at] for at in left],
        [second[at] for at in right],
        scorer=Indel.normalized_similarity,
        score_cutoff=SIMILAR,
    )
    return {left[row]: right[column] for row, column, _ in pairs(ratios, threshold=SIMILAR)}


def _steady(paired: dict[int, int]) -> set[int]:
    """The first places of the largest set of pairs that stand in one order in both versions."""
    ones = sorted(paired)
    others = [paired[one] for one in ones]
    blocks = LCSseq.opcodes(others, sorted(others))
    kept = (block for block in blocks if block.tag == "equal")
    return {one for block in kept for one in ones[block.src_start : block.src_end]}


def _change(first: Unit, second: Unit, *, steady: bool) -> Change:
    same = comparable(first.text) == comparable(second.text)
    alike = not same and _letters(first.text) == _letters(second.text)
    kinds: dict[tuple[bool, bool], ChangeKind] = {
        (True, True): "unchanged",
        (True, False): "moved",  # with another number too
        (False, True): "changed",
        (False, False): "moved and changed",
    }
    return Change(
        kind=kinds[same or (alike and not steady), steady],
        number=second.number or first.number,
        first=first.text,
        second=second.text,
        first_blocks=first.blocks,
        second_blocks=second.blocks,
        edits=() if same else edits_of(first.text, second.text),
        figures_changed=_figures(first.text) != _figures(second.text),
        minor=alike and steady,
    )


def _letters(text: str) -> str:
    """Letters and digits alone, the clause's own number left out: what is not printing."""
    return letters_of(_OWN_NUMBER.sub("", text))


def _alone(kind: Literal["gone", "new"], unit: Unit) -> Change:
    here = kind == "gone"
    return Change(
        kind=kind,
        number=unit.number,
        first=unit.text if here else "",
        second="" if here else unit.text,
        first_blocks=unit.blocks if here else (),
        second_blocks=() if here else unit.blocks,
        edits=(Edit(kind, unit.text),),
        figures_changed=bool(_figures(unit.text)),
    )


def _figures(text: str) -> Counter[str]:
    """The numbers of a text, in digits or words, and its months; not the clause's own number."""
    own = _OWN_NUMBER.sub("", text)
    worded = (str(value) for value, _, _ in worded_numbers(own))
    months = (f"month {each}" for each in calendar_months(own))
    return Counter([*re.findall(r"\d+(?:[.,]\d+)*", own), *worded, *months])


def edits_of(first: str, second: str) -> tuple[Edit, ...]:
    """The words kept, gone and new, in order, that lead from one text to the other.

    >>> [(edit.kind, edit.text) for edit in edits_of("rent is $5", "rent is $6 net")]
    [('same', 'rent is'), ('gone', '$5'), ('new', '$6 net')]
    """
    one, other = first.split(), second.split()
    matcher = SequenceMatcher(None, comparable(first), comparable(second), autojunk=False)
    edits: list[Edit] = []
    for tag, start, end, begin, stop in matcher.get_opcodes():
        if tag == "equal":
            edits.append(Edit("same", " ".join(other[begin:stop])))
            continue
        if end > start:
            edits.append(Edit("gone", " ".join(one[start:end])))
        if stop > begin:
            edits.append(Edit("new", " ".join(other[begin:stop])))
    return tuple(edits)
