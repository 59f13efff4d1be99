"""The order of a comparison, once: evidence, pairs, figures, terms, text."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import PurePath

import numpy as np

from docqa.compare.align import Cluster, clusters, nearest, pairs
from docqa.compare.alone import worth_telling
from docqa.compare.clauses import compare_clauses
from docqa.compare.contents import without_contents
from docqa.compare.defined import defined_terms
from docqa.compare.facts import Listed, listed, worded_facts
from docqa.compare.figures import BEARING, compare_figures, figures_of
from docqa.compare.redline import redline
from docqa.compare.rent_rolls import compare_rent_rolls
from docqa.compare.report import compose, summarise
from docqa.compare.similarity import Matrix, Reranker, Side, Vectors, similarities
from docqa.compare.statements import Side as StatementSide
from docqa.compare.statements import compare_statements, lines_asked
from docqa.compare.terms import binds, compare_terms, note_of, sentences_of
from docqa.compare.topics import overall_topics, topics_asked
from docqa.compare.units import likeness, units_of
from docqa.compare.wording import Encode
from docqa.errors import ComparisonError
from docqa.language.labels import bearing, is_known, things_in
from docqa.language.words import english
from docqa.settings import Settings
from docqa.types.answer import Answer, Citation
from docqa.types.answer import Evidence as LabelledEvidence
from docqa.types.comparison import (
    Alignment,
    Change,
    Comparison,
    FigureComparison,
    Nearest,
    TermComparison,
    TermSide,
)
from docqa.types.document import ENDING, Block, Document
from docqa.types.search import Hit
from docqa.types.table import Table, Tables

OVERALL = "key figures and terms"
# Share of five-word runs in common. Pairs of contracts of one type have 0.00-0.02, two leases of
# one landlord 0.10; quarterly filings of one company 0.69-0.85, two versions of a text 0.85-0.94.
# These are of the smaller text's runs; the second number is of the larger's. A quarterly filing has
# 0.46-0.63 in common with an annual report of its company, which is 0.12-0.16 of the larger;
# annual reports of one company have 0.40 and 0.79 of it.
VERSIONS = (0.5, 0.25)
Matrices = dict[tuple[str, str], Matrix]  # by the ids of two documents
SURE = 0.5  # the chance from which what is stated stands in for what no wording told
ENGLISH = 0.04  # of a text's words, from which those common in English alone make it English
LOPSIDED = 20  # times as many pages, from which it is said
_NOTHING_NAMED = re.compile(
    r"\b(?:compar\w*|differ\w*|versus|vs|overall|overview|summar\w*|key|main|terms?|figures?|numbers"
    r"|metrics?|financials?|performance|between|and|with|from|the|two|three|these|those|both|all|of"
    r"|them|documents?|files?|contracts?|leases?|agreements?|propert(?:y|ies)|reports?|filings?|how"
    r"|do|does|what|is|are|in|to|a|an|please|me|show|tell|about|side by|side|against|each|other"
    r"|one|another)\b|\W|\d",
    re.IGNORECASE,
)

_JOINING = re.compile(
    r"\b(?:compar\w+|contrast\w*|versus|vs|between|both|please|side by side|differences?"
    r"|differ)\b\.?",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?:(?:what|which|how|is|are|was|were|do|does|did|the|of|in|on|and|a|an|me|show)\b\s*)+",
    re.IGNORECASE,
)
_OF_SIDES = re.compile(r"\s+(?:in|of|between|for|at|from|under)\s+(?:the\s+)*(?=[A-Z])")
_TAIL = re.compile(
    r"(?:[\s,]*\b(?:of|in|on|and|with|to|the|for|at|from|s|documents?|files?|contracts?|agreements?"
    r"|leases?|reports?|filings?|10-?[kq]s?))+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a comparison rests on, by document id: passages with vectors, all blocks and tables.

    ``partners`` are ids of passages that the question did not find: they are there for those of
    the other documents and never stand alone. ``unread`` counts pages that yielded no text.
    """

    hits: Mapping[str, tuple[Hit, ...]]
    vectors: Mapping[str, Vectors]
    blocks: Mapping[str, Sequence[Block]]
    tables: Tables
    partners: frozenset[str] = frozenset()
    unread: Mapping[str, int] = field(default_factory=dict)


def check(documents: Sequence[Document], *, limit: int) -> None:
    """Raises `ComparisonError` unless there are two to ``limit`` different documents."""
    if len({document.id for document in documents}) < len(documents):
        raise ComparisonError(
            "The same document was chosen twice. Choose two different ones; a single document can "
            "be searched and asked about."
        )
    if len(documents) < 2:
        raise ComparisonError("One document cannot be compared alone. Choose a second one.")
    if len(documents) > limit:
        raise ComparisonError(
            f"At most {limit} documents can be compared at once, and {len(documents)} were chosen. "
            "Leave some out."
        )


def compare(
    documents: Sequence[Document],
    question: str,
    evidence: Evidence,
    *,
    settings: Settings,
    encode: Encode | None = None,
    meaning: Encode | None = None,
    reranker: Reranker | None = None,
    period: str = "",
    stated: Callable[[], Sequence[TermSide]] = tuple,
) -> Comparison:
    """Two or three documents side by side, with figures, terms, pairs, and the text on them.

    A question that names nothing to look for ("Compare the two leases") means overall: the figures
    known by name and, where one of the documents binds anyone, what contracts settle. The
    ``encode`` makes vectors of length 1, by which clauses are paired, ``meaning``
    those that `docqa.compare.wording.meaning_by` knows; the ``reranker`` has a say in
    which passages speak of the same thing. Figures are of the ``period`` where they are of several.
    ``stated`` finds what each document states on what the question names: it is told where no
    figure or topic that is known is asked for, and where a document says nothing on the topic by
    its wording.
    """
    subject = subject_of(question, documents)
    blocks = {each.id: without_contents(evidence.blocks[each.id]) for each in documents}
    evidence = replace(evidence, blocks=blocks)
    matrices = _matrices(documents, evidence, reranker)
    known = listed([evidence.tables[each.id] for each in documents])
    aligned, alone, nearby = _aligned(documents, evidence, matrices, settings, known)
    figures = _figures(documents, evidence, subject, known, period)
    asked = topics_asked(subject) or topics_asked(question)
    filings = any(row.leading for row in figures)
    binding = not filings and any(binds(blocks[document.id]) for document in documents)
    topics = asked if subject else overall_topics() if binding else ()
    read = {each.id: sentences_of(blocks[each.id]) if topics else [] for each in documents}
    terms = compare_terms(documents, read, topics, meaning)
    if binding and not subject and encode is not None:
        terms += compare_clauses(documents, read, terms, encode)
    whole_filings = filings and not subject
    facts = () if whole_filings else _facts(documents, evidence, subject, known)
    alone = dict.fromkeys(alone, ()) if whole_filings else alone
    figures, facts = _each_once(figures, facts, len(documents), known)
    terms = (*facts, *terms)
    if subject and not _is_shared(figures, len(documents)):
        terms = with_stated(terms, stated(), named_in(subject))
    bare = Comparison(
        documents=tuple(documents),
        question=question,
        figures=figures,
        pairs=aligned,
        only_in=_not_quoted(alone, terms),
        text="",
        nearest=nearby,
        period=period,
        terms=terms,
        changes=()
        if _of_other_periods(figures) or _is_told(terms, named_in(subject))
        else _changes(documents, evidence),
    )
    text, citations = _composed(bare)
    warnings = _warnings(bare, evidence)
    said = summarise(bare)
    return replace(bare, text=text, citations=citations, warnings=warnings, summary=said)


def named_in(subject: str) -> str:
    """What a question names to compare, without the words that compare.

    >>> named_in("Compare the number of active buyers in 2018 and 2021")
    'Number of active buyers'
    """
    left = _JOINING.sub(" ", re.sub(r"\b(?:19|20)\d\d\b", " ", subject))
    words = " ".join(left.split()).strip(" ,;:?!.")
    words = _OF_SIDES.split(_TAIL.sub("", _HEAD.sub("", words)))[0]
    return words[:1].upper() + words[1:]


def with_stated(
    terms: Sequence[TermComparison], stated: Sequence[TermSide], topic: str
) -> tuple[TermComparison, ...]:
    """The terms, in which a document that says nothing by its wording is given what it surely
    states; where there are none, what each states as a term of its own."""
    said = {side.document_id: side for side in stated if side.quote}
    if not said or not topic:
        return tuple(terms)
    if not terms:
        return (TermComparison(topic, tuple(stated), note_of(stated)),)
    said = {key: side for key, side in said.items() if side.chance >= SURE}
    filled = []
    for row in terms:
        sides = tuple(s if s.quote else said.get(s.document_id, s) for s in row.sides)
        filled.append(replace(row, sides=sides, note=note_of(sides)) if sides != row.sides else row)
    return tuple(filled)


def _is_told(terms: Sequence[TermComparison], topic: str) -> bool:
    return any(row.topic == topic for row in terms)


def _is_shared(figures: Sequence[FigureComparison], count: int) -> bool:
    """Whether some figure is told of every document."""
    return any(len(row.values) == count for row in figures)


def with_lines(comparison: Comparison, lines: Sequence[str]) -> Comparison:
    """The comparison with these of its lines alone, and words that speak of no other.

    What was left out is kept with it and can be chosen again; a model's words stay as they are.
    """
    whole = comparison.whole or comparison
    if set(lines) >= set(whole.lines):
        return whole
    chosen = replace(
        whole,
        figures=tuple(row for row in whole.figures if row.label in lines),
        terms=tuple(row for row in whole.terms if row.topic in lines),
        whole=whole,
    )
    if chosen.answerer != "extractive":
        return chosen
    text, citations = _composed(chosen)
    return replace(chosen, text=text, citations=citations, summary=summarise(chosen))


def _composed(comparison: Comparison) -> tuple[str, tuple[Citation, ...]]:
    """The text with its citations; what one document alone has is told where all is compared, or
    where nothing that was named is told of two."""
    overall = not subject_of(comparison.question, comparison.documents)
    return compose(comparison, tells_alone=overall or not _shares_a_row(comparison))


def as_answer(comparison: Comparison) -> Answer:
    """The comparison as a conversation keeps it: its words, citations and passages."""
    pairs = [hit for pair in comparison.pairs for hit in pair.passages]
    hits = [*pairs, *(hit for alone in comparison.only_in.values() for hit in alone)]
    return Answer(
        comparison.text,
        comparison.answerer,
        comparison.citations,
        tuple(LabelledEvidence(f"S{number}", hit) for number, hit in enumerate(hits, 1)),
        comparison.warnings,
        comparison.usage,
        found=bool(comparison.citations),
        seconds=comparison.seconds,
        partial=comparison.partial,
    )


def _figures(
    documents: Sequence[Document], evidence: Evidence, subject: str, known: Listed, period: str
) -> tuple[FigureComparison, ...]:
    """The lines of statements, and what else the documents' tables and sentences share.

    Where statements are there and nothing is named to look for, their lines alone.
    """
    sides = [
        StatementSide(
            each, {b.index: b for b in evidence.blocks[each.id]}, evidence.tables[each.id]
        )
        for each in documents
    ]
    rows = compare_statements(sides, subject, period=period)
    if rows and not subject:
        return rows
    found = {
        each.id: figures_of(each, evidence.blocks[each.id], evidence.tables[each.id])
        for each in documents
    }
    shared = compare_figures(found, question=subject, known=known, period=period)
    taken = {key for line in lines_asked(subject) for key in line.keys} if rows else set()
    return (*rows, *(row for row in shared if known.key(row.label) not in taken))


def _facts(
    documents: Sequence[Document], evidence: Evidence, subject: str, known: Listed
) -> tuple[TermComparison, ...]:
    """What the documents list in words, as far as it bears on the subject."""
    asked = things_in(subject)
    told = (
        *worded_facts(documents, evidence.tables, evidence.blocks, known),
        *compare_rent_rolls(documents, evidence.tables, evidence.blocks),
    )
    return tuple(row for row in told if not asked or bearing(row.topic, asked) >= BEARING)


def _not_quoted(
    alone: Mapping[str, tuple[Hit, ...]], terms: Sequence[TermComparison]
) -> dict[str, tuple[Hit, ...]]:
    """The passages without a partner but for those that terms set beside others already."""
    shared = [row.sides for row in terms if sum(bool(side.quote) for side in row.sides) > 1]
    quoted = {(s.document_id, b.index) for sides in shared for s in sides for b in s.blocks}
    return {
        one: tuple(
            hit
            for hit in hits
            if not all((one, b.index) in quoted for b in hit.chunk.blocks if b.kind != "heading")
        )
        for one, hits in alone.items()
    }


def _each_once(
    figures: Sequence[FigureComparison], facts: Sequence[TermComparison], count: int, known: Listed
) -> tuple[tuple[FigureComparison, ...], tuple[TermComparison, ...]]:
    """What is told both ways as a figure where all ``count`` documents have one, else in words."""
    whole = {known.key(row.label) for row in figures if len(row.values) == count}
    worded = {known.key(row.topic) for row in facts} - whole
    return (
        tuple(row for row in figures if known.key(row.label) not in worded),
        tuple(row for row in facts if known.key(row.topic) not in whole),
    )


def _changes(documents: Sequence[Document], evidence: Evidence) -> tuple[Change, ...]:
    """The redline of two documents that are versions of one text; () for any others."""
    if len(documents) != 2:
        return ()
    first, second = (units_of(evidence.blocks[document.id]) for document in documents)
    shares = zip(likeness(first, second), VERSIONS, strict=True)
    return redline(first, second) if all(share >= least for share, least in shares) else ()


def _of_other_periods(figures: Sequence[FigureComparison]) -> bool:
    """Whether these are filings for different periods, such as two annual reports of one company.

    Most of their wording is the same from year to year, but nobody amended the one into the other.
    """
    return any(row.leading and row.values and " / " in row.period for row in figures)


def subject_of(question: str, documents: Sequence[Document]) -> str:
    """The question without the documents' names, "" where nothing else is asked for.

    A word of a name that also names a figure or a topic ("rent") stays.
    """
    named = {
        word.lower()
        for document in documents
        for word in re.findall(r"[^\W_]+", f"{PurePath(document.name).stem} {document.title}")
    }

    def kept(match: re.Match[str]) -> str:
        word = match[0]
        other = word.lower() not in named or is_known(word) or topics_asked(word)
        return word if other else " "

    rest = re.sub(r"[^\W_]+", kept, re.sub(rf"{ENDING}\b", "", question, flags=re.IGNORECASE))
    return rest if _NOTHING_NAMED.sub("", re.sub(r"\b[A-Z]\b", "", rest)) else ""


def _warnings(comparison: Comparison, evidence: Evidence) -> tuple[str, ...]:
    """What the person should know before relying on what is there, and what is not."""
    documents = comparison.documents
    without = [each.name for each in documents if not evidence.hits[each.id]]
    said = [*_unfinished(documents), *_unread(documents, evidence), *_lopsided(documents)]
    said += _of_languages(documents, evidence)
    said += [f"Nothing on this was found in {name}." for name in without]
    if not comparison.pairs and not without and not _shares_a_row(comparison):
        said.append(
            "No passages of these documents cover the same subject; each side is shown alone."
        )
    return tuple(said)


def _shares_a_row(comparison: Comparison) -> bool:
    """Whether a figure or term is told of two documents or more."""
    terms = (sum(bool(side.quote) for side in row.sides) for row in comparison.terms)
    return max((*terms, *(len(row.values) for row in comparison.figures)), default=0) > 1


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
    texts = {each.name: [block.text for block in evidence.blocks[each.id]] for each in documents}
    others = [name for name, own in texts.items() if english(own) < ENGLISH]
    return [
        f"{name} does not seem to be in English. Its labels and clauses are known less well; what "
        "seems to be missing may be there."
        for name in others
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


def _aligned(
    documents: Sequence[Document],
    evidence: Evidence,
    matrices: Matrices,
    settings: Settings,
    known: Listed,
) -> tuple[tuple[Alignment, ...], dict[str, tuple[Hit, ...]], dict[str, Nearest]]:
    """Pairs or clusters, passages in none, and what comes nearest to those."""
    first, *others = (document.id for document in documents)
    anchored = [matrices[first, other] for other in others]
    if len(others) == 1:
        paired = pairs(anchored[0], threshold=settings.comparing.pair_threshold)
        found: list[Cluster] = [(value, (row, column)) for row, column, value in paired]
    else:
        found = clusters(anchored, threshold=settings.comparing.pair_threshold)
    ids = [first, *others]
    aligned = [Alignment(value, tuple(_picked(evidence, ids, places))) for value, places in found]
    partnered = {hit.chunk.id for each in aligned for hit in each.passages} | evidence.partners
    alone = {
        one: tuple(
            hit
            for hit in evidence.hits[one]
            if hit.chunk.id not in partnered and _worth_telling(hit, evidence, known)
        )
        for one in ids
    }
    nearby = _nearby(alone, evidence, matrices, settings.comparing.pair_threshold)
    return tuple(aligned[: settings.comparing.max_pairs]), alone, nearby


def _worth_telling(hit: Hit, evidence: Evidence, known: Listed) -> bool:
    mine = hit.document.id
    others = [tables for each, tables in evidence.tables.items() if each != mine]
    in_lists = {block.table for block in hit.chunk.blocks if block.kind != "heading"} - {0}
    own = evidence.tables[mine]
    if in_lists and all(_is_listed(block, own, known) for block in hit.chunk.blocks if block.table):
        return any(block.kind == "text" for block in hit.chunk.blocks)
    return worth_telling(hit, own, others)


def _is_listed(block: Block, tables: Sequence[Table], known: Listed) -> bool:
    """Whether a row stands in a table whose facts are told one by one."""
    own = (table for table in tables if block.index in table.blocks)
    return any((table.document_id, table.number) in known.tables for table in own)


def _picked(evidence: Evidence, ids: Sequence[str], places: Sequence[int | None]) -> list[Hit]:
    return [
        evidence.hits[one][place]
        for one, place in zip(ids, places, strict=True)
        if place is not None
    ]


def _matrices(
    documents: Sequence[Document], evidence: Evidence, reranker: Reranker | None
) -> Matrices:
    """For each two documents, in both orders, how alike their passages are.

    Only against the first document are passages paired, so only there the reranker reads.
    """
    sides = {
        each.id: Side(
            evidence.hits[each.id],
            evidence.vectors[each.id],
            defined_terms(evidence.blocks[each.id]),
        )
        for each in documents
    }
    found: Matrices = {}
    for one, other in combinations(sides, 2):
        anchored = one == documents[0].id
        alike = similarities(sides[one], sides[other], reranker=reranker if anchored else None)
        found[one, other] = _of_the_question(alike, sides[one], sides[other], evidence.partners)
        found[other, one] = found[one, other].T
    return found


def _of_the_question(alike: Matrix, one: Side, other: Side, partners: frozenset[str]) -> Matrix:
    """The same with 0 between two passages that are there for others only."""
    lent = [[hit.chunk.id in partners for hit in side.hits] for side in (one, other)]
    alike[np.ix_(np.flatnonzero(lent[0]), np.flatnonzero(lent[1]))] = 0.0
    return alike


def _nearby(
    alone: Mapping[str, Sequence[Hit]], evidence: Evidence, matrices: Matrices, threshold: float
) -> dict[str, Nearest]:
    """For each passage without a partner the most similar one of all other documents."""
    found: dict[str, Nearest] = {}
    for (one, other), matrix in matrices.items():
        if not evidence.hits[other]:
            continue
        for row, hit in enumerate(evidence.hits[one]):
            column, value = nearest(matrix, row)
            best = found.get(hit.chunk.id)
            if hit in alone[one] and (best is None or value > best.similarity):
                near = evidence.hits[other][column]
                found[hit.chunk.id] = Nearest(near, value, alike=value >= threshold)
    return found
