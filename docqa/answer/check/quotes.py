"""Whether the quotations of an answer stand in the passages it was given."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.answer.check.evidence_index import EvidenceIndex
from docqa.answer.check.quotation import nearest_wording, quotation_spans, stands_in, wording
from docqa.answer.check.statements import Statement
from docqa.types.answer import Check


def check_quotes(
    statements: Sequence[Statement], index: EvidenceIndex, question: str
) -> Iterator[Check]:
    """A check for each quotation, in order."""
    for statement in statements:
        for start, end in quotation_spans(statement.text):
            if re.search(r"\w", statement.text[start:end]):
                yield _check(statement, start, end, index, question)


def _check(
    statement: Statement, start: int, end: int, index: EvidenceIndex, question: str
) -> Check:
    quote = statement.text[start:end].strip()
    check = Check("quote", quote, statement.start + start, statement.start + end, "not supported")
    cited = statement.labels_for(check.end)
    for label in cited:
        if _stands_at(quote, label, index):
            return index.settled(check, "stands", label, statement.whole)
    for name in index.names(cited):
        if index.quoted(quote, name):
            return index.settled(check, "elsewhere", _block(quote, name, index), statement.whole)
    if question and stands_in(quote, wording(question)):
        return index.settled(check, "in question")
    texts = [index.text(block) for label in cited for block in index.blocks(label)]
    return replace(check, nearest=nearest_wording(quote, texts))


def _stands_at(quote: str, label: str, index: EvidenceIndex) -> bool:
    name, _, run = label.partition(".")
    if not run:
        return name in index.passages and index.quoted(quote, name)
    heads = dict.fromkeys(place.head for place in index.cited([label]))  # which stand above it
    return stands_in(quote, wording("\n".join((*map(index.text, index.blocks(label)), *heads))))


def _block(quote: str, name: str, index: EvidenceIndex) -> str:
    """The label of the block that holds it, of the passage where it goes over several."""
    blocks = index.passages[name].piece.hit.chunk.blocks
    alone = (n for n, block in enumerate(blocks, 1) if stands_in(quote, wording(block.text)))
    return next((f"{name}.{number}" for number in alone), name)
