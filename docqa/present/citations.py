"""Citations in words: how they are written out, how they fared, and the parts they stand in."""

from collections import Counter
from collections.abc import Mapping, Sequence

from docqa.present.document import SIGNS, Part, written_out
from docqa.present.markup import prose, verbatim
from docqa.types.answer import Answer, Citation, Verdict
from docqa.types.comparison import Comparison
from docqa.types.document import without_ending
from docqa.types.phrases import count

PARTIAL = "Partial answer: it was cut off here."
VERDICTS: dict[Verdict, str] = {
    "verified": "verified on the page",
    "near": "close to the page's wording",
    "not found": "not found on the page",
}
Names = Mapping[str, str]  # document id to the short name used in place of the file's


def written(citation: Citation, *, name: str = "") -> str:
    """The citation as it is copied out: ``[Name p. N]``."""
    return f"[{name or without_ending(citation.document)} {citation.where}]"


def by_label(
    citations: Sequence[Citation], names: Names, *, signed: bool = False
) -> dict[str, str]:
    """Label to the citation written out, ``signed`` with the sign of its verdict."""
    return {
        each.label: f"[{words} {SIGNS[each.verified]}]" if signed else f"[{words}]"
        for each in citations
        for words in [written(each, name=names.get(each.document_id, ""))[1:-1]]
    }


def parts_of(text: str, answerer: str, citations: Sequence[Citation]) -> tuple[Part, ...]:
    """A text with its citations as marks: a model's is read as Markdown, quotes are not."""
    read = verbatim if answerer == "extractive" else prose
    return read(text, labels=[each.label for each in citations])


def words_of(
    value: Answer | Comparison, *, names: Names | None = None, signed: bool = False
) -> list[Part]:
    """The parts of an answer's or a comparison's text, each citation written out in its place."""
    labels = by_label(value.citations, names or {}, signed=signed)
    parts = parts_of(value.text, value.answerer, value.citations)
    return [written_out(part, labels) for part in parts]


def verdicts(citations: Sequence[Citation]) -> list[tuple[Verdict, str]]:
    """Each verdict that citations have, and how many in words, those verified first."""
    numbers = Counter(citation.verified for citation in citations)
    return [
        (verdict, f"{count(numbers[verdict], 'citation')} {VERDICTS[verdict]}")
        for verdict in VERDICTS
        if numbers[verdict]
    ]


def warnings_of(value: Answer | Comparison, *, names: Names | None = None) -> list[str]:
    """The warnings, with each citation written out in place of its label."""
    warnings = list(value.warnings)
    for label, words in by_label(value.citations, names or {}).items():
        warnings = [warning.replace(f"[{label}]", words) for warning in warnings]
    return warnings
