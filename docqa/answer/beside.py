"""What the documents say in their own words, beside an answer whose figures they do not bear out.

The answer stays as it is: whoever reads it sees both, each with its places.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from docqa.answer.evidence import MARKER, citations_in
from docqa.errors import AnswerStopped
from docqa.types.answer import Answer, Evidence

HEADING = "In the documents' own words"


def falls_short(answer: Answer) -> bool:
    """Whether a figure of the answer has no support, or it broke off before its end.

    Of one that a person stopped nothing more is wanted.
    """
    if str(AnswerStopped()) in answer.warnings:
        return False
    unsupported = (c.kind == "figure" and c.result == "not supported" for c in answer.checks)
    return answer.partial or any(unsupported)


def beside(answer: Answer, quoted: Answer) -> Answer:
    """The answer with what was found without a model under it; as it was where nothing was.

    Passages get labels of their own, since the two hold different runs of the same blocks.
    """
    if not quoted.found or not quoted.citations:
        return answer
    words, evidence = relabelled(quoted.text, quoted.evidence, answer.evidence)
    text = f"{answer.text.rstrip()}\n\n## {HEADING}\n\n{words}"
    return replace(answer, text=text, evidence=evidence, citations=citations_in(text, evidence))


def relabelled(
    text: str, evidence: Sequence[Evidence], before: Sequence[Evidence]
) -> tuple[str, tuple[Evidence, ...]]:
    """A text with the labels its passages get after other evidence, and that with those it cites.

    ``evidence`` is the text's own.
    """
    cited = {match[1].partition(".")[0] for match in MARKER.finditer(text)}
    taken = [piece for piece in evidence if piece.label in cited]
    first = max((int(piece.label[1:]) for piece in before), default=0) + 1
    labels = {piece.label: f"S{first + at}" for at, piece in enumerate(taken)}

    def new(mark: re.Match[str]) -> str:
        passage, dot, blocks = mark[1].partition(".")
        return f"[{labels.get(passage, passage)}{dot}{blocks}]"

    own = (Evidence(labels[piece.label], piece.hit) for piece in taken)
    return MARKER.sub(new, text), (*before, *own)
