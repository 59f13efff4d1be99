"""Citations that lead to where a figure or quotation stands, and not beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.answer.check.statements import Labels, Statement
from docqa.answer.evidence import citations_in
from docqa.types.answer import Answer, Check


def with_corrected_citations(answer: Answer, statements: Sequence[Statement]) -> Answer:
    """The answer citing also where something stands that it cites from elsewhere.

    Where nothing that a group of citations is cited for stands there, the group gives way.
    """
    changes = sorted(change for each in statements for change in _changes(answer, each))
    if not changes:
        return answer
    text, checks = answer.text, list(answer.checks)
    for start, end, markers in reversed(changes):
        grown = len(markers) - (end - start)
        text = text[:start] + markers + text[end:]
        checks = [_moved(check, start, grown) for check in checks]
    citations = citations_in(text, answer.evidence)
    return replace(answer, text=text, checks=tuple(checks), citations=citations)


def _moved(check: Check, start: int, grown: int) -> Check:
    if check.start < start:
        return check
    return replace(check, start=check.start + grown, end=check.end + grown)


def _changes(answer: Answer, statement: Statement) -> Iterator[tuple[int, int, str]]:
    """Spans of markers, and what is to stand there."""
    begun = statement.start
    for at, labels in statement.cited:
        own = [c for c in answer.checks if begun <= c.start < at and c.kind != "date"]
        begun = at
        right = _elsewhere(own, labels)
        if not right:
            continue
        markers = "".join(f"[{label}]" for label in labels)
        end = at + len(markers)
        if answer.text[at:end] != markers:  # blanks between them
            continue
        kept = "" if all(check.result == "elsewhere" for check in own) else markers
        yield at, end, kept + "".join(f"[{label}]" for label in right)


def _elsewhere(checks: Sequence[Check], labels: Labels) -> list[str]:
    found = (check.labels[0] for check in checks if check.result == "elsewhere" and check.labels)
    whole = {label for label in labels if "." not in label}
    return [
        label
        for label in dict.fromkeys(found)
        if label not in labels and label.partition(".")[0] not in whole
    ]
