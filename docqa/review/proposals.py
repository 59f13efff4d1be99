"""What docqa proposes for a cell, out of an answer or the sentence that settles a topic; pure."""

import re
from collections.abc import Iterable, Iterator, Sequence

from docqa.answer.evidence import MARKER
from docqa.compare.terms import is_taught
from docqa.compare.topics import TOPICS, Topic, compiled, topics_asked
from docqa.language.amounts import measured_amounts
from docqa.language.sentences import sentences
from docqa.review.lines import is_ratio, line_of
from docqa.review.particulars import quoted_from
from docqa.review.values import SHORT, best_first, plain_words, valued
from docqa.types.answer import Answer, Check, Citation
from docqa.types.comparison import TermSide
from docqa.types.document import Document, spoken_name
from docqa.types.phrases import quoted, shortened
from docqa.types.review import Column, Found, Proposal

ALTERNATIVES = 5  # findings kept beside the first
DATED_TOPICS = 3  # of those that a date column's question names
SETTLED = 0.2  # the chance from which a clause is taken to settle its topic
DOUBT = "Contracts seldom word it so: this may be about something else."
OPPOSITE = "Another place reads otherwise: {}"
ANOTHER = "Another place has {}: look at both."
WORKED_OUT = "Worked out from the first day and the length: {}."
_ORDER = ("not supported", "in question", "elsewhere", "computed", "stands")  # the worst first
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_SUM = re.compile(r"\s=\s[^=]*\d")


def topic_of(column: Column) -> Topic | None:
    """The topic of contracts that a clause column is called by; None where it is none.

    >>> topic_of(Column("Governing law", "Which law governs?", "clause")).name
    'Governing law'
    """
    if column.kind not in ("clause", "date"):
        return None
    named = (topic for topic in TOPICS if topic.name.casefold() == column.title.strip().casefold())
    return next(named, None)


def topics_for(column: Column) -> tuple[Topic, ...]:
    """The topics whose sentences are looked at for a column: its own, else a date's few."""
    if topic := topic_of(column):
        return (topic,)
    if column.kind == "date":
        return topics_asked(f"{column.title}: {column.question}")[:DATED_TOPICS]
    return ()


def proposed(
    answer: Answer,
    column: Column,
    *,
    rows: Sequence[Found] = (),
    sides: Sequence[TermSide] = (),
    settling: Sequence[str] = (),
) -> Proposal:
    """What is proposed for a cell: the best finding first, with its typed value.

    ``rows`` are those that are called as the column is, or a line of the document's statements;
    they come before the answer's findings. A line that its statements do not print, and a ratio
    that was not worked out, are uncertain whatever else was found.
    ``sides`` are sentences that settle what is asked for. For a clause column that is a topic's
    the first of them is the finding, and one that hardly settles it is uncertain. Where they are
    empty, so is what the answer found; an answer that is itself uncertain is then none, but the
    nearest, where the topic's wording was taught. For a date they are further candidates.
    ``settling`` are the sentences of theirs with which a clause's cell begins at the latest, ()
    where each is one.
    """
    topic = topic_of(column)
    own = [valued(f, column) for f in _findings(answer)] if answer.found else []
    begins = settling or [side.quote for side in sides]
    pairs = zip(sides, begins, strict=True)
    settled = [_of_side(side, first, column) for side, first in pairs if side.quote]
    unsettled = column.kind == "clause" and bool(sides) and not settled
    taught = topic is not None and is_taught(topic)  # by patterns alone, much is missed
    if unsettled and taught and answer.likely and not rows:
        return _nothing(answer, column, [c for each in own for c in each.citations])
    first, more = ((*rows, *settled), ()) if topic else (rows, settled)
    before, after = (
        [found if found.value else valued(found, column) for found in some]
        for some in (first, more)
    )
    ordered = best_first(_each_once((*before, *own, *after)), column)
    if not ordered:
        return _nothing(answer, column, answer.citations)
    checks = _checks_of(answer, ordered[0].text)
    worst = min((each.result for each in checks), key=_ORDER.index, default="")
    doubt = _doubt(ordered[0], sides, unsettled=unsettled and ordered[0] in own)
    doubt = doubt or ("" if topic or rows else _otherwise(ordered))
    problems = (*(each.problem for each in checks), doubt)
    problem = next(filter(None, problems), "")
    quoted = all(each.verified == "verified" for each in ordered[0].citations)
    unsure = (is_ratio(column) and not ordered[0].sum) or (line_of(column) and ordered[0] in own)
    certain = ordered[0].fits and not problem and not answer.partial and not unsure
    return Proposal(
        column.asked,
        "",
        ordered[: ALTERNATIVES + 1],
        likely=not certain or (answer.likely and ordered[0].text in {each.text for each in own}),
        check=worst or ("stands" if quoted and ordered[0].citations else ""),
        problem=problem,
        answerer=answer.answerer,
        usage=answer.usage,
    )


def _doubt(found: Found, sides: Sequence[TermSide], *, unsettled: bool) -> str:
    """Why a finding may be about something else, "" where nothing tells against it.

    So may a clause whose words hardly settle its topic, or that the question's words alone found.
    """
    doubtful = {quoted(each.quote) for each in sides if each.chance < SETTLED}
    if unsettled or (not found.day and found.text in doubtful):
        return DOUBT
    return WORKED_OUT.format(found.sum) if found.day and found.sum else ""


def _otherwise(ordered: Sequence[Found]) -> str:
    """That another finding says the opposite, or another amount in the same unit; "" for none."""
    first, *others = ordered
    said = {(each.value, each.unit) for each in measured_amounts(first.text)}
    for other in others:
        if {first.value, other.value} == {"Yes", "No"}:
            return OPPOSITE.format(shortened(plain_words(other.text), SHORT))
        found = [each for each in measured_amounts(other.text) if each.unit]
        alike = [each for each in found if each.unit in {unit for _, unit in said}]
        if alike and not said & {(each.value, each.unit) for each in found}:
            return ANOTHER.format(alike[0].text.strip())
    return ""


def _nothing(answer: Answer, column: Column, nearest: Sequence[Citation]) -> Proposal:
    near = tuple(nearest)[:ALTERNATIVES]
    return Proposal(column.asked, "", nearest=near, answerer=answer.answerer, usage=answer.usage)


def _of_side(side: TermSide, settling: str, column: Column) -> Found:
    """What settles a topic, with all that belongs to it."""
    citation = quoted_from(side.document_id, side.document, side.blocks, side.quote)
    topic = topic_of(column)
    at = _speaks_from(side.quote, settling, topic) if topic and column.kind == "clause" else 0
    value = valued(Found("", quoted(side.quote[at:])), column).value if at else ""
    return Found(value, quoted(side.quote), (citation,))


def _speaks_from(quote: str, settling: str, topic: Topic) -> int:
    """Where a clause begins to speak of its topic: no later than with the sentence that settles it.

    A cell has room for the beginning alone, and a paragraph may begin with other matters.
    """
    before = quote[: max(0, quote.find(settling))]
    speaks = (
        start
        for start, end in sentences(before, clauses=True)
        if compiled(topic.asks).search(before[start:end])
    )
    return next(speaks, len(before))


def _each_once(found: Iterable[Found]) -> list[Found]:
    """Those that stand in other blocks than the ones before them."""
    kept: list[Found] = []
    taken: set[int] = set()
    for each in found:
        own = {block.index for cited in each.citations for block in cited.blocks}
        if not own or not own <= taken:
            kept.append(each)
            taken |= own
    return kept


def _findings(answer: Answer) -> Iterator[Found]:
    """What each line of the answer says, in order; inputs of a sum are none of their own."""
    known = {each.label: each for each in answer.citations}
    lines = [answer.text[start:end] for start, end in _spans(answer)]
    for line in lines:
        labels = [match[1] for match in MARKER.finditer(line)]
        cited = tuple(dict.fromkeys(known[label] for label in labels if label in known))
        text = _said(line)
        summed = bool(_SUM.search(text)) and not text.startswith("“")
        yield Found("", text, cited, sum=text if summed else "")
        if summed:
            return


def _spans(answer: Answer) -> list[tuple[int, int]]:
    """Where the lines of an answer stand that cite anything; the line that leads to them is none.

    Of an answer that cites nothing, each line.
    """
    spans: list[tuple[int, int]] = []
    at = 0
    for line in answer.text.splitlines(keepends=True):
        if line.strip():
            spans.append((at, at + len(line.rstrip())))
        at += len(line)
    citing = [span for span in spans if MARKER.search(answer.text, *span)]
    return citing or spans


def _checks_of(answer: Answer, text: str) -> list[Check]:
    """The checks of the line of the answer that a finding is."""
    for start, end in _spans(answer):
        if _said(answer.text[start:end]) == text:
            return [each for each in answer.checks if start <= each.start and each.end <= end]
    return []


def _said(line: str) -> str:
    """A line of an answer without its markers and its dash."""
    return " ".join(MARKER.sub("", _ITEM.sub("", line)).split())


def unfilled(column: Column, error: str) -> Proposal:
    """A cell that could not be filled, and why."""
    return Proposal(column.asked, "", error=error)


def without_text(document: Document) -> str:
    """Why a document's cells cannot be filled, "" where they can."""
    if document.chunk_count:
        return ""
    return (
        f"{spoken_name(document.name)} has no text that can be searched. If it is a scan, see "
        "in the Library how its pages were read."
    )
