"""What the documents say in their own words, beside an answer whose figures they do not bear out.

The answer stays as it is: whoever reads it sees both, each with its places.
"""

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
    cited = {citation.label.partition(".")[0] for citation in quoted.citations}
    taken = [piece for piece in quoted.evidence if piece.label in cited]
    first = max((int(piece.label[1:]) for piece in answer.evidence), default=0) + 1
    labels = {piece.label: f"S{first + at}" for at, piece in enumerate(taken)}

    def relabelled(label: str) -> str:
        passage, dot, blocks = label.partition(".")
        return f"[{labels.get(passage, passage)}{dot}{blocks}]"

    words = MARKER.sub(lambda mark: relabelled(mark[1]), quoted.text)
    text = f"{answer.text.rstrip()}\n\n## {HEADING}\n\n{words}"
    own = (Evidence(labels[piece.label], piece.hit) for piece in taken)
    evidence = (*answer.evidence, *own)
    return replace(answer, text=text, evidence=evidence, citations=citations_in(text, evidence))
