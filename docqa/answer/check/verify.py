"""Every figure, date and quotation of an answer, held against the passages it was given; pure.

Each gets one `Check`. What a statement cites comes first, then what its line cites, then all that
was given. Nothing is judged but what can be: not whether an answer is right, nor whether it is
about the right thing.

What docqa quotes without a model is held to print alone. Which row, period or scale a figure is of
is not judged there: it was copied from its cell with its heads, and nobody restated it. What does
not stand in the cited blocks is still told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.answer.beside import HEADING
from docqa.answer.check.citations import with_corrected_citations
from docqa.answer.check.dates import check_dates
from docqa.answer.check.evidence_index import BlockKey, EvidenceIndex
from docqa.answer.check.figure_checks import check_figures
from docqa.answer.check.quotation import stands_in, wording
from docqa.answer.check.quotes import check_quotes
from docqa.answer.check.statements import Statement, statements_of
from docqa.answer.model.prompts import NOT_FOUND
from docqa.types.answer import Answer, Check, Citation, Verdict
from docqa.types.document import join_blocks, spoken_name, without_ending

_LEAD = re.compile(r"^.*:[ \t]*$", re.MULTILINE)
_LONGEST = 20_000  # characters of an answer that are checked; no answer has as many
_SAID = 3  # words from which a statement without figures is one that a page may say


def verify_answer(answer: Answer, *, question: str = "") -> Answer:
    """The answer with its checks, a verdict on each citation, and citations set right.

    A citation is "verified" where something that it is cited for stands there or is computed from
    it and nothing is unsupported, "not found" where something is unsupported, and "near" where
    nothing that it is cited for can be checked.
    """
    index = EvidenceIndex(answer.evidence)
    # Else it only says what was looked for.
    found = answer.found and not answer.text.startswith(NOT_FOUND)
    statements = statements_of(answer.text[:_LONGEST]) if found else []
    checks = [
        *check_quotes(statements, index, question),
        *check_dates(statements, index, question),
        *check_figures(statements, index, question),
    ]
    begins = 0 if answer.answerer == "extractive" else answer.text.find(f"## {HEADING}")
    if begins >= 0:  # from here on docqa quotes
        printed = [each for each in checks if each.start >= begins]
        written = [each for each in checks if each.start < begins]
        checks = [*written, *_accept_printed(printed, statements, index, answer.text)]
    named = _names(answer)
    checks = [c for c in checks if not any(a <= c.start and c.end <= b for a, b in named)]
    checked = replace(answer, checks=tuple(sorted(checks, key=lambda check: check.start)))
    verdicts = {c.label: _verdict(c, statements, checked) for c in answer.citations}
    corrected = with_corrected_citations(checked, statements)
    return replace(
        corrected,
        citations=tuple(
            replace(each, verified=verdicts.get(each.label, "verified"))
            for each in corrected.citations
        ),
    )


def _accept_printed(
    checks: Sequence[Check], statements: Sequence[Statement], index: EvidenceIndex, text: str
) -> list[Check]:
    """The checks of a ``text``; a figure or date that is printed in what is cited for it stands
    there.

    A line that leads to a list is docqa's own, counts and all: nothing in it is judged.
    """
    leads = [line.span() for line in _LEAD.finditer(text)]
    return [
        _as_printed(check, statements, index)
        if check.result == "not supported" and check.kind != "quote"
        else check
        for check in checks
        if not any(start <= check.start < end for start, end in leads)
    ]


def _as_printed(check: Check, statements: Sequence[Statement], index: EvidenceIndex) -> Check:
    own = (s for s in statements if s.start <= check.start < s.start + len(s.text))
    cited = [label for each in own for label in each.labels_for(check.end)]
    for label in cited:
        texts = (text for block in index.blocks(label) for text in _printed(block, index))
        if any(stands_in(check.text, wording(text)) for text in texts):
            return replace(check, result="stands", labels=(label,), reason="", nearest="")
    return check


def _printed(block: BlockKey, index: EvidenceIndex) -> Iterator[str]:
    """A block's text, and the title and headings of its table."""
    name, number = block
    hit = index.passages[name].piece.hit
    own = hit.chunk.blocks[number]
    yield own.text
    table = hit.table_of(own)
    if table is not None:
        yield table.title
        for column in table.columns:
            yield column.name


def _names(answer: Answer) -> list[tuple[int, int]]:
    """Where the answer names documents that were searched: figures of a name are none."""
    files = {piece.hit.document.name for piece in answer.evidence}
    files |= {each.document for each in answer.coverage}
    names = {said for name in files for said in (name, without_ending(name), spoken_name(name))}
    return [m.span() for name in names for m in re.finditer(re.escape(name), answer.text)]


def _verdict(citation: Citation, statements: Sequence[Statement], answer: Answer) -> Verdict:
    """What became of all that a citation is cited for."""
    said = [statement for statement in statements if citation.label in statement.labels]
    spans = [(each.start, each.start + len(each.text)) for each in said]
    results = {
        check.result
        for check in answer.checks
        for start, end in spans
        if start <= check.start < end
    }
    if "not supported" in results:
        return "not found"
    if results or any(_is_said(each.text, citation) for each in said):
        return "verified"
    return "near"


def _is_said(text: str, citation: Citation) -> bool:
    """Whether a statement's very words are the page's."""
    words = wording(join_blocks(citation.blocks))
    return len(text.split()) >= _SAID and stands_in(text, words)
