"""Which documents are versions of one text, what changed between them, and in which clauses."""

from collections.abc import Sequence
from dataclasses import replace

from docqa.compare.redline import redline
from docqa.compare.sections import bearing_sections, named_by
from docqa.compare.terms import term
from docqa.compare.units import comparable, likeness, units_of
from docqa.types.comparison import Change, TermComparison, TermSide
from docqa.types.document import Block

# Share of five-word runs in common. Pairs of contracts of one type have 0.00-0.02, two leases of
# one landlord 0.10; quarterly filings of one company 0.69-0.85, two versions of a text 0.85-0.94.
# These are of the smaller text's runs; the second number is of the larger's. A quarterly filing has
# 0.46-0.63 in common with an annual report of its company, which is 0.12-0.16 of the larger;
# annual reports of one company have 0.40 and 0.79 of it.
VERSIONS = (0.5, 0.25)


def changes_between(first: Sequence[Block], second: Sequence[Block]) -> tuple[Change, ...]:
    """The redline of two documents that are versions of one text; () for any others."""
    return redline(units_of(first), units_of(second)) if are_versions(first, second) else ()


def are_versions(first: Sequence[Block], second: Sequence[Block]) -> bool:
    shares = zip(likeness(units_of(first), units_of(second)), VERSIONS, strict=True)
    return all(share >= least for share, least in shares)


def concerning(
    changes: Sequence[Change],
    subject: str,
    versions: Sequence[tuple[Sequence[Block], set[int]]],
) -> tuple[Change, ...]:
    """The changes of what is quoted, and of the clauses whose headings name the subject.

    ``versions`` are the blocks of both, each with the indices of those quoted.
    """
    places = [own.union(*bearing_sections(all_, subject, own)) for all_, own in versions]
    return tuple(
        change
        for change in changes
        if _stands_in(change.first_blocks, places[0]) or _stands_in(change.second_blocks, places[1])
    )


def naming(changes: Sequence[Change], subject: str) -> tuple[Change, ...]:
    """What changed and names the subject itself, wherever it stands."""
    asked = _stems(subject)
    changed = (change for change in changes if change.kind != "unchanged")
    return tuple(each for each in changed if asked <= _stems(f"{each.first} {each.second}"))


def _stems(text: str) -> frozenset[str]:
    """The stems of a text in which "sub-tenant" is the same word as "subtenant"."""
    return named_by(" ".join(comparable(text.casefold())))


def _stands_in(blocks: Sequence[Block], places: set[int]) -> bool:
    return any(block.index in places for block in blocks)


def with_verdict(row: TermComparison, concerned: Sequence[Change]) -> TermComparison:
    """The row, differing where anything of weight did in the clauses that it is quoted from."""
    kept = ("unchanged", "moved")
    changed = any(each.kind not in kept and not each.minor for each in concerned)
    both = all(side.quote for side in row.sides)
    return replace(row, note="differs") if both and changed else row


def with_counterparts(row: TermComparison, changes: Sequence[Change]) -> TermComparison:
    """The row, in which a version that says nothing says what became of the other's clause."""
    sides = list(row.sides)
    for at, side in enumerate(row.sides):
        said = row.sides[1 - at]
        if not side.quote and said.quote and (blocks := _became(said, changes, at)):
            quote = " ".join(" ".join(block.text.split()) for block in blocks)
            sides[at] = TermSide(side.document_id, side.document, quote, blocks)
    return term(row.topic, sides)


def _became(said: TermSide, changes: Sequence[Change], at: int) -> tuple[Block, ...]:
    """What the version ``at`` has of the units that are quoted from the other."""
    quoted = {block.index for block in said.blocks}
    sides = ((change.first_blocks, change.second_blocks) for change in changes)
    return tuple(b for both in sides if _stands_in(both[1 - at], quoted) for b in both[at])
