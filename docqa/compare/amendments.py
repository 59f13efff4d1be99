"""What an amendment says of each clause that it changes, beside that clause.

An amendment names what it changes by number ("Section 4.2 is deleted and replaced by …"), so that
nothing has to be told from the wording.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docqa.compare.clauses import bare
from docqa.compare.terms import (
    CLAUSE_CHARS,
    Sentence,
    is_heading,
    paragraphs,
    said_by,
    sentences_of,
    term,
)
from docqa.compare.units import number_of
from docqa.language.organisations import organisations_in
from docqa.language.page_breaks import run_on
from docqa.language.periods import dates_in
from docqa.language.words import name_in_words
from docqa.types.comparison import TermComparison
from docqa.types.document import Block, Document
from docqa.types.phrases import sentence_case

HEAD = 4  # blocks in which a document says that it is an amendment
OPENING = 40  # blocks in which it says of what, and in which that says of what day it is
_AMENDS = re.compile(
    r"\b(?:amendments?|amending|variation|addendum|side letter"
    r"|supplemental (?:deed|lease|agreement|indenture))\b",
    re.IGNORECASE,
)
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*"
_CLAUSES = re.compile(
    rf"\b(?P<called>section|clause|paragraph|article)s?\s+(?P<numbers>{_NUMBER}"
    rf"(?:(?:\s*,\s*|\s+and\s+|\s*&\s*){_NUMBER})*)(?![\w.]*\d)"
    r"(?!\s+of this (?:deed|amendment|addendum|letter|variation))",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:amend\w*|delet\w*|replac\w*|substitut\w*|var(?:y|ied|iation)|insert\w*|add(?:ed|ing)"
    r"|restat\w*|modif\w*|revis\w*|remov\w*|waive[sd]?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amendment:
    """Which of two documents amends the other, by their places, and a row for each clause that it
    says it changes."""

    amending: int
    rows: tuple[TermComparison, ...]

    @property
    def amended(self) -> int:
        return 1 - self.amending


def amendment_among(
    documents: Sequence[Document], blocks: Sequence[Sequence[Block]]
) -> Amendment | None:
    """The one of two documents that is an amendment by its name, title or opening, if it names
    clauses of the other, and its day or two of its parties."""
    called = [f"{name_in_words(each.name)} {each.title}" for each in documents]
    heads = [" ".join(block.text for block in own[:HEAD]) for own in blocks]
    amending = [
        at
        for at, texts in enumerate(zip(called, heads, strict=True))
        if any(map(_AMENDS.search, texts))
    ]
    if len(documents) != 2 or len(amending) != 1 or not _name_one_another(blocks):
        return None
    rows = _amended_clauses(documents, blocks, amending[0])
    return Amendment(amending[0], rows) if rows else None


def _name_one_another(blocks: Sequence[Sequence[Block]]) -> bool:
    one, other = (" ".join(block.text for block in own[:OPENING]) for own in blocks)
    days, others = (
        {(each.year, each.month, each.day) for each in dates_in(text) if each.year and each.day}
        for text in (one, other)
    )
    parties = set(organisations_in(one)) & set(organisations_in(other))
    return not days.isdisjoint(others) or len(parties) > 1


def _amended_clauses(
    documents: Sequence[Document], blocks: Sequence[Sequence[Block]], amending: int
) -> tuple[TermComparison, ...]:
    """In the order in which the document at that place says what it changes."""
    other = documents[1 - amending]
    rows = []
    for called, said in _said_of(sentences_of(blocks[amending])).items():
        clause = _clause(blocks[1 - amending], called.split()[-1])
        if clause:
            sides = [said_by(documents[amending], said)]
            sides.insert(1 - amending, said_by(other, clause))
            heading = sentence_case(bare(clause[0].heading))
            rows.append(term(f"{called}: {heading}" if heading else called, sides))
    return tuple(rows)


def _said_of(sentences: Sequence[Sentence]) -> dict[str, list[Sentence]]:
    """By what a clause is called, the sentences that say what becomes of it, in `CLAUSE_CHARS`."""
    found: dict[str, list[Sentence]] = {}
    current: tuple[str, ...] = ()
    for each in sentences:
        named = _named(each)
        if named:
            current = named
        elif _is_another(each, current):
            current = ()
        for called in current:
            own = found.setdefault(called, [])
            if not own or sum(len(one.text) for one in own) + len(each.text) <= CLAUSE_CHARS:
                own.append(each)
    return found


def _named(sentence: Sentence) -> tuple[str, ...]:
    """The clauses that a sentence says are changed: "Section 4.2"."""
    clauses = _CLAUSES.search(sentence.text)
    if not clauses or not _CHANGES.search(sentence.text):
        return ()
    called = clauses["called"].capitalize()
    return tuple(f"{called} {number}" for number in re.findall(_NUMBER, clauses["numbers"]))


def _is_another(sentence: Sentence, current: Sequence[str]) -> bool:
    """Whether a sentence begins another clause of the amendment than the new wording of one."""
    number = _digits(sentence.text)
    own = any(_is_within(number, called.split()[-1]) for called in current)
    return is_heading(sentence.blocks[0]) or (bool(number) and not own)


def _clause(blocks: Sequence[Block], number: str) -> list[Sentence]:
    """The paragraphs of a numbered clause with its subclauses, as far as `CLAUSE_CHARS` go."""
    found: list[Sentence] = []
    heading = ""
    for paragraph in paragraphs(blocks):
        text, heads = run_on(paragraph)[0], is_heading(paragraph[0])
        heading = text if heads else heading
        own = _digits(text)
        if own == number and all(is_heading(each.blocks[0]) for each in found):
            found = [Sentence(text, heading, paragraph)]
        elif found and (heads or (own and not _is_within(own, number))):
            break
        elif found and sum(len(each.text) for each in found) + len(text) <= CLAUSE_CHARS:
            found.append(Sentence(text, heading, paragraph))
    return found


def _digits(text: str) -> str:
    """The number that a clause begins with, as numbers alone: of "Section 4.2 Rent" it is 4.2."""
    return re.sub(r"^\D+", "", number_of(text.lstrip("“\"'")))


def _is_within(number: str, clause: str) -> bool:
    return number == clause or number.startswith(f"{clause}.")
