"""What a person should know before relying on a comparison, and on what is not in it."""

from collections.abc import Iterator, Sequence

from docqa.compare.gather import Evidence
from docqa.language.words import english
from docqa.types.comparison import Comparison
from docqa.types.document import Document

ENGLISH = 0.04  # of a text's words, from which those common in English alone make it English
LOPSIDED = 20  # times as many pages, from which it is said


def cautions(comparison: Comparison, evidence: Evidence) -> tuple[str, ...]:
    documents = comparison.documents
    without = [each.name for each in documents if not evidence.hits[each.id]]
    said = [*_unfinished(documents), *_unread(documents, evidence), *_lopsided(documents)]
    said += _of_languages(documents, evidence)
    said += [f"Nothing on this was found in {name}." for name in without]
    told = shares_a_row(comparison) or comparison.changes
    if not comparison.pairs and not without and not told:
        said.append(
            "No passages of these documents cover the same subject; each side is shown alone."
        )
    return tuple(said)


def _unfinished(documents: Sequence[Document]) -> Iterator[str]:
    """Said of documents that are on their way into the library."""
    for each in documents:
        if each.state == "text":
            yield (
                f"{each.name} is still being read. Its plain text is compared, without tables and "
                "headings; compare again when it has been read."
            )
        if each.waiting_pages:
            yield (
                f"{each.waiting_pages} of {each.page_count} pages of {each.name} are waiting for "
                "OCR and are not compared yet; compare again when they have been read."
            )


def _unread(documents: Sequence[Document], evidence: Evidence) -> list[str]:
    return [
        f"{evidence.unread[each.id]} of {each.extent} of {each.name} have no readable "
        "text, such as scans without OCR. What seems to be missing may be there."
        for each in documents
        if evidence.unread.get(each.id)
    ]


def _of_languages(documents: Sequence[Document], evidence: Evidence) -> list[str]:
    """Said of documents that are not in English, in which fewer figures and clauses are known."""
    return [
        f"{each.name} does not seem to be in English. Its labels and clauses are known less well; "
        "what seems to be missing may be there."
        for each in documents
        if english([block.text for block in evidence.blocks[each.id]]) < ENGLISH
    ]


def _lopsided(documents: Sequence[Document]) -> list[str]:
    """Said where one document is many times as long as another."""
    shorter, *_, longer = sorted(documents, key=lambda each: each.page_count)
    enough = LOPSIDED * max(shorter.page_count, 1)
    if longer.page_count < enough or longer.unit != shorter.unit:
        return []
    return [
        f"{longer.name} has {longer.extent}, {shorter.name} {shorter.extent}: much of the longer "
        "one is bound to have no counterpart. The comparison covers what the shorter one says."
    ]


def shares_a_row(comparison: Comparison) -> bool:
    """Whether a figure or term is told of two documents or more."""
    terms = (sum(bool(side.quote) for side in row.sides) for row in comparison.terms)
    return max((*terms, *(len(row.values) for row in comparison.figures)), default=0) > 1
