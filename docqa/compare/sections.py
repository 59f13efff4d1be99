"""The clauses of a document: what stands under one heading, and what under one number."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docqa.compare.terms import CLAUSE_CHARS, is_heading
from docqa.compare.units import Unit, number_of, runs, units_of
from docqa.language.words import content_words
from docqa.types.comparison import TermSide
from docqa.types.document import Block

# What clauses are called that may be of anything.
_OF_ANY = frozenset(
    content_words(
        "clause provision obligation option right section paragraph statement disclosure wording"
    )
)


def sections_of(units: Sequence[Unit]) -> list[list[Unit]]:
    """The units in runs, each under one heading, which is its first."""
    return runs(units, lambda _, unit: not is_heading(unit.blocks[0]))


def bearing_sections(
    blocks: Sequence[Block], subject: str, quoted: Iterable[int]
) -> Iterator[set[int]]:
    """The blocks of each section that is headed by the subject.

    That is one whose heading has all its words, or some of them over something ``quoted``. The
    title, which is over all, heads none.
    """
    asked, told = named_by(subject), set(quoted)
    for place, section in enumerate(sections_of(units_of(blocks))):
        own = {block.index for unit in section for block in unit.blocks}
        title = not place and not number_of(section[0].text)
        heading = frozenset[str]() if title else heading_of(section)
        if asked & heading and (asked <= heading or own & told):
            yield own


def named_by(subject: str) -> frozenset[str]:
    """The stems of what is named, without what any clause may be called."""
    return frozenset(content_words(subject)) - _OF_ANY


def heading_of(section: Sequence[Unit]) -> frozenset[str]:
    """What the heading of a section names, as `named_by`; nothing where it has none."""
    first = section[0]
    return named_by(first.words) if is_heading(first.blocks[0]) else frozenset()


def in_whole(side: TermSide, blocks: Sequence[Block], subject: str) -> TermSide:
    """What is quoted of a numbered clause with the rest of it, in at most `CLAUSE_CHARS`.

    That is all under its heading where that names the subject, else what has its number, and what
    names the subject beside it; where there is no number, the side as it is.
    """
    if not side.quote:
        return side
    quoted = {block.index for block in side.blocks}
    for section in sections_of(units_of(blocks)):
        own = [n for n, u in enumerate(section) if any(b.index in quoted for b in u.blocks)]
        if own:
            return _with(side, _reach(section, own, named_by(subject)))
    return side


def _reach(section: Sequence[Unit], own: Sequence[int], asked: frozenset[str]) -> Sequence[Unit]:
    """The units quoted with those after and before them that a quote has room for."""
    first, last = own[0], own[-1] + 1
    least = int(is_heading(section[0].blocks[0]))
    if first < least or not any(number_of(unit.text) for unit in section):
        return ()
    headed = bool(heading_of(section) & asked)

    def joins(at: int, start: int, stop: int) -> bool:
        belongs = headed or asked <= set(content_words(section[at].words))
        return belongs and sum(len(u.text) + 1 for u in section[start:stop]) <= CLAUSE_CHARS

    while last < len(section) and joins(last, first, last + 1):
        last += 1
    while first > least and joins(first - 1, first - 1, last):
        first -= 1
    return section[first:last]


def _with(side: TermSide, units: Sequence[Unit]) -> TermSide:
    blocks = tuple(block for unit in units for block in unit.blocks)
    quote = " ".join(" ".join(block.text.split()) for block in blocks)
    return replace(side, quote=quote, blocks=blocks) if len(quote) > len(side.quote) else side
