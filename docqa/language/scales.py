"""What is said once of many figures: the currency that is named, the scale of a section."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docqa.language.numbers import (
    CURRENCIES,
    CURRENCY_WORDS,
    MONEY_CODE,
    MONEY_SIGN,
    meaning,
    stated_scale,
)
from docqa.types.document import Block

NEARBY = 4  # blocks before a table in which its caption may stand
HEADED = 3  # blocks before what says how a section's figures are scaled that are its head too
BRIEF = 160  # characters of a line that only says how a section's tables are scaled
_FURNITURE = ("header", "footer")
_PAREN = re.compile(r"\(([^()]*)\)")
# A heading with which a section, and what was said at its head of its tables, is over.
_NEXT_PART = re.compile(
    r"\s*(?:item|part)\s+[\dIVX]|\s*(?:exhibits?|signatures?|report of)\b", re.I
)
# What a section's head says where the scale is of its sentences as well.
_OF_SENTENCES = re.compile(
    r"\bnotes to\b.{0,60}\bfinancial statements\b|\b(?:except|unless)\b.{0,20}\botherwise\b", re.I
)


@dataclass(frozen=True, slots=True)
class Section:
    """What the head of a section says of the scale of its figures: 1 and "" for nothing.

    It is of the sentences too where it is ``for_all``: in notes to financial statements, and where
    it says that nothing else is meant unless told. Elsewhere it may be of tables alone.
    """

    scale: int = 1
    said: str = ""
    for_all: bool = False


NO_SECTION = Section()


def sections_over(blocks: Sequence[Block]) -> list[Section]:
    """What is said at the head of the section that each of a document's ``blocks`` stands in.

    What stands right under a heading and over a table is of the tables under that heading alone.
    """
    section = NO_SECTION
    under: list[tuple[int, Section]] = []  # the levels of such headings, and what is said there
    over = []
    for place, block in enumerate(blocks):
        if block.kind == "heading" and not _is_scale_alone(block.text):
            under = [each for each in under if each[0] < block.level]
            if _NEXT_PART.match(block.text):
                section, under = NO_SECTION, []
        if _says_for_all(blocks, place):
            head = " ".join(each.text for each in blocks[max(0, place - HEADED) : place + 1])
            section, under = Section(*stated_scale(block.text), is_of_sentences(head)), []
        elif (heading := _heading_over(blocks, place)) and _is_scale_alone(block.text):
            under.append((heading.level, Section(*stated_scale(block.text))))
        over.append(under[-1][1] if under and block.table else section)
    return over


def _says_for_all(blocks: Sequence[Block], place: int) -> bool:
    """Whether a line that no table follows says how figures are scaled, as at a section's head."""
    block = blocks[place]
    if block.table or len(block.text) > BRIEF or stated_scale(block.text)[0] == 1:
        return False
    alone = block.kind in ("caption", "heading") or _is_scale_alone(block.text)
    return alone and not any(each.table for each in blocks[place : place + 1 + NEARBY])


def _is_scale_alone(text: str) -> bool:
    """Whether a line says how figures are scaled and names nothing.

    >>> [_is_scale_alone(t) for t in ("(£ in thousands)", "Dollars in millions", "Debt, $m")]
    [True, True, False]
    """
    scale, said = stated_scale(text)
    plain = text.strip(" .:")
    alone = plain == said or re.fullmatch(r"\(.*\)", plain) is not None
    return scale > 1 and len(plain) <= BRIEF and alone


def _heading_over(blocks: Sequence[Block], place: int) -> Block | None:
    """The heading that a line, no row of a table, stands right under."""
    for above in reversed(blocks[max(0, place - HEADED) : place]):
        if above.kind not in _FURNITURE:
            return above if above.kind == "heading" and not blocks[place].table else None
    return None


def is_of_sentences(text: str) -> bool:
    """Whether what states a scale says that it is of the figures in sentences too.

    >>> is_of_sentences("(Dollars in millions, except as otherwise stated)")
    True
    """
    return _OF_SENTENCES.search(text) is not None


_WORD = re.compile(rf"\b(?:{'|'.join(CURRENCY_WORDS)})", re.IGNORECASE)
_ALONE = re.compile(
    rf"(?<!\S){MONEY_SIGN}(?!\S)|\bin\s+{MONEY_CODE}\b|\b{MONEY_CODE}(?=\W*$)", re.IGNORECASE
)
# With the scale that may be printed on either side: "TEUR", "EURm".
_SIGN = re.compile(rf"{MONEY_SIGN}|\b[TkKM]?({MONEY_CODE})(?:mm?|mn|bn|k|000)?\b", re.IGNORECASE)


def currency_named(text: str) -> str:
    """The currency that a caption, header or bracket names, or "".

    >>> currency_named("(in millions of euros)"), currency_named("Rent ($)"), currency_named("£ pa")
    ('EUR', 'USD', 'GBP')
    >>> [currency_named(t) for t in ("2024 £m", "€'000", "USD thousands", "TEUR", "Rent (HK$)")]
    ['GBP', 'EUR', 'USD', 'EUR', 'HKD']
    """
    if word := _WORD.search(text):
        return meaning(CURRENCY_WORDS, word.group())
    alone = " ".join((*_PAREN.findall(text), *_ALONE.findall(text), stated_scale(text)[1]))
    sign = _SIGN.search(alone)
    return CURRENCIES[(sign[1] or sign[0]).upper()] if sign else ""
