"""Whether another document may change what a cited one says: a deed of variation, an amendment."""

import re
from collections.abc import Callable, Iterator, Sequence

from docqa.answer.evidence import add_evidence, citations_in, cite
from docqa.answer.findings.led_in import quoted_words
from docqa.language.periods import dates_in
from docqa.language.words import name_in_words
from docqa.types.answer import Answer
from docqa.types.document import Block, Chunk, Document
from docqa.types.phrases import quoted
from docqa.types.search import Hit

_AMENDS = re.compile(
    r"\b(?:variation|amend(?:ment|ing)|addendum|supplemental (?:deed|lease|agreement|indenture)"
    r"|side letter|deed of (?:surrender|release)|waiver)s?\b",
    re.IGNORECASE,
)
_BINDS = re.compile(
    r"\b(lease|licen[cs]e|contract|agreement|deed|indenture|mortgage|charge|loan|facilit(?:y|ies)"
    r"|tenancy|terms)s?\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\(?(\d{1,2}(?:\.\d{1,2})+)\b")  # that a clause begins with
_CLAUSE = r"\b(?:section|clause|paragraph|article)s?\s+"
_MOST_SAID = 3  # paragraphs of an amendment on one clause
_OWN_DAY = 1500  # characters in which an agreement says of what day it is
OPENING = 4000  # in which an amendment says of what day that is which it amends


def amendments(
    cited: Sequence[Document], documents: Sequence[Document], opening: Callable[[Document], str]
) -> Iterator[tuple[Document, Document]]:
    """Each cited document that another one may change, which is not cited, with that one; those
    of later days first.

    An amendment of what binds is called one, and names in its opening what it amends and its day
    ("supplemental to a lease dated 23 June 2023"); the opening of that has the day, too.
    ``opening`` gives the beginning of a document's text.
    """
    known = {document.id for document in cited}
    others = [each for each in documents if each.id not in known and _amends(each)]
    binding = [each for each in cited if _BINDS.search(_called(each)) and not _amends(each)]
    if not (others and binding):
        return
    said = {each.id: opening(each)[:OPENING] for each in others}
    others.sort(key=lambda each: max(_days(said[each.id][:_OWN_DAY]), default=()), reverse=True)
    for document in binding:
        own = _days(opening(document)[:_OWN_DAY])
        kinds = _kinds(_called(document))
        for each in others:
            if kinds & _kinds(said[each.id]) and own & _days(said[each.id]):
                yield document, each


def said_of_clause(answer: Answer, amendment: Document, blocks: Sequence[Block]) -> Answer | None:
    """What an amendment, whose ``blocks`` these are, says of the numbered clause that an answer
    cites first ("Section 13.2 is deleted"), word for word; None where it does not name it."""
    number = _NUMBER.match(answer.citations[0].quote) if answer.citations else None
    if number is None:
        return None
    of_it = re.compile(rf"{_CLAUSE}{re.escape(number[1])}(?![\d]|\.\d)", re.IGNORECASE)
    places = [at for at, block in enumerate(blocks) if of_it.search(block.text)][:_MOST_SAID]
    said = tuple(block for at in places for block in _with_new_words(blocks, at))
    if not said:
        return None
    chunk = Chunk(f"{amendment.id}:clause-{number[1]}", amendment.id, 0, said, ())
    (piece,) = evidence = add_evidence((), [Hit(chunk, amendment, {})])
    lines = [f"{quoted(b.text)} [{cite(piece, at, at).label}]" for at, b in enumerate(said, 1)]
    text = "\n".join(f"- {line}" for line in lines) if lines[1:] else lines[0]
    return Answer(text, answer.answerer, citations_in(text, evidence), evidence)


def _with_new_words(blocks: Sequence[Block], at: int) -> Iterator[Block]:
    """A paragraph, with the words after it that it puts in others' place ("… is replaced by:")."""
    yield blocks[at]
    if blocks[at].text.endswith(":"):
        yield from quoted_words([block for block in blocks[at + 1 :] if not block.is_furniture])


def notice(document: Document, amendment: Document) -> str:
    """What is said where an answer cites the one and not the other."""
    return f"“{amendment.name}” may change what “{document.name}” says; look there too."


def _amends(document: Document) -> bool:
    return _AMENDS.search(_called(document)) is not None


def _called(document: Document) -> str:
    return f"{name_in_words(document.name)} {document.title}"


def _kinds(text: str) -> set[str]:
    """What a text calls what binds: "lease", "loan"."""
    return {found[1].casefold() for found in _BINDS.finditer(text)}


def _days(text: str) -> set[tuple[int, int, int]]:
    days = (each for each in dates_in(text) if each.year and each.day)
    return {(each.year, each.month, each.day) for each in days}
