"""Those between whom an agreement is, in the words it opens with."""

import re
from collections.abc import Iterator, Sequence

from docqa.answer.findings.cited import Source
from docqa.language.organisations import parties_in
from docqa.language.sentences import sentences
from docqa.language.words import content_words
from docqa.types.document import Block
from docqa.types.phrases import quoted, sign_at
from docqa.types.question import Question

_OPENING = 40  # blocks among which an agreement names its parties
_ASKS = re.compile(
    r"\b(?:part(?:y|ies)|counterpart(?:y|ies)|signator(?:y|ies)|between (?:whom|who)"
    r"|who\b.*\b(?:signed|entered into|made)|who\b.*\bbetween)\b",
    re.IGNORECASE,
)
# What such a question may say beside.
_NO_MORE = frozenset(
    content_words(
        "party parties counterparty signatory between whom who signed sign enter entered made name"
        " names named two three both contracting contract agreement lease licence license deed deal"
        " document transaction each"
    )
)


def parties_of(question: Question, source: Source) -> str:
    """The words that name the parties of a document, where a question asks for no more than who
    they are; "" else, and of a document that names none."""
    if not _ASKS.search(question.topic) or not set(content_words(question.topic)) <= _NO_MORE:
        return ""
    names = [_letters(name) for name in parties_in(source.document.description)]
    opening = source.blocks[:_OPENING]
    blocks = list(_naming(names, [each for each in opening if each.kind != "heading"]))
    if not blocks:
        return ""
    told = [((each,), quoted(_sentences_naming(each.text, names))) for each in blocks]
    return source.list_blocks("parties", "Parties", told, of=len(told))


def _naming(names: Sequence[str], blocks: Sequence[Block]) -> Iterator[Block]:
    """The one block that first names all, else those that first name each."""
    blocks = [each for each in blocks if _letters(each.text) not in names]  # of a cover
    whole = (block for block in blocks if all(name in _letters(block.text) for name in names))
    if names and (first := next(whole, None)):
        yield first
        return
    left = set(names)
    for block in blocks:
        if told := {name for name in left if name in _letters(block.text)}:
            left -= told
            yield block


def _sentences_naming(text: str, names: Sequence[str]) -> str:
    """The sentences of a block from the first to the last that names one."""
    ends = [
        next(end for _, end in sentences(text) if name in _letters(text[:end]))
        for name in names
        if name in _letters(text)
    ]
    start, end = next(start for start, end in sentences(text) if end == min(ends)), max(ends)
    start += sign_at(text[start:end])
    return text[start:end].strip()


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())
