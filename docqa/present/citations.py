"""Citations in words: how they are written out, how they fared, and the parts they stand in."""

from collections.abc import Iterable, Mapping, Sequence

from docqa.present.document import SIGNS, Part, written_out
from docqa.present.markup import prose, verbatim
from docqa.types.answer import Answer, Citation, Verdict
from docqa.types.comparison import Comparison
from docqa.types.document import without_ending

PARTIAL = "Partial answer: it was cut off here."
VERDICTS: dict[Verdict, str] = {
    "verified": "stands on the page",
    "near": "read it on the page",
    "not found": "not supported by the page",
}
Names = Mapping[str, str]  # document id to the short name used in place of the file's


def written(citation: Citation, *, name: str = "", signed: bool = False) -> str:
    """The citation as it is copied out: ``[Name p. N]``, ``signed`` with its verdict's sign."""
    sign = f" {SIGNS[citation.verified]}" if signed else ""
    return f"[{name or without_ending(citation.document)} {citation.where}{sign}]"


def by_label(
    citations: Sequence[Citation], names: Names, *, signed: bool = False
) -> dict[str, str]:
    """Label to the citation written out."""
    return {
        each.label: written(each, name=names.get(each.document_id, ""), signed=signed)
        for each in citations
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
    quoted = value.citations if value.answerer == "extractive" else ()
    blocks = [block for each in quoted for block in each.blocks]
    return [written_out(part, labels, quoting=blocks) for part in parts]


def summary_of(value: Answer) -> str:
    """That every figure and quotation stands where it is cited, in a line; "" where one does not,
    or there is none."""
    if not value.checks or value.problems:
        return ""
    done = sum(check.result == "computed" for check in value.checks)
    sums = f"; {done} are computed, with their sums" if done > 1 else "; one is computed"
    sums = sums if done else ""
    if value.answerer == "extractive":
        return f"Word for word from the page{sums}."
    if not value.citations:
        return f"The answer cites nothing. Its figures and quotes stand in the passages{sums}."
    return f"Every figure and quote stands where it is cited{sums}."


def writers(answerers: Iterable[str]) -> str:
    """Who wrote it, each once, in a line."""
    named = dict.fromkeys(filter(None, answerers))
    told = ["docqa, without a language model" if n == "extractive" else n for n in named]
    return ", ".join(told) or "nobody"


def sums_of(value: Answer) -> list[str]:
    """What is computed, and how: "21.2% = $2,732 / $12,861", each once."""
    shown = (_sum(check.text, check.sum) for check in value.checks if check.result == "computed")
    return list(dict.fromkeys(shown))


def _sum(text: str, how: str) -> str:
    return how if "=" in how or "≈" in how else f"{text.strip('()')} = {how.strip()}"


def warnings_of(value: Answer | Comparison, *, names: Names | None = None) -> list[str]:
    """The warnings, with each citation written out in place of its label."""
    warnings = list(value.warnings)
    for label, words in by_label(value.citations, names or {}).items():
        warnings = [warning.replace(f"[{label}]", words) for warning in warnings]
    return warnings
