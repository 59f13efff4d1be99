"""The order of a comparison, once: evidence, pairs, figures, terms, text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, starmap

from docqa.compare.amendments import Amendment, amendment_among
from docqa.compare.cautions import cautions, shares_a_row
from docqa.compare.clauses import compare_clauses
from docqa.compare.facts import NAMES_APART, Listed, listed, worded_facts
from docqa.compare.figures import BEARING, compare_figures, figures_of
from docqa.compare.gather import Evidence, without_contents
from docqa.compare.passages import paired_passages, places_of
from docqa.compare.rent_rolls import compare_rent_rolls
from docqa.compare.report import compose, summarise
from docqa.compare.restated import restatements
from docqa.compare.reworded import reworded
from docqa.compare.sections import bearing_sections, in_whole
from docqa.compare.similarity import Reranker
from docqa.compare.stated import definition, headed, speaks_of, stated_figure, with_stated
from docqa.compare.statements import compare_statements, lines, lines_asked
from docqa.compare.subject import named_in, parts_of, subject_of
from docqa.compare.tables import Side
from docqa.compare.terms import binds, compare_terms, is_taught, said_by, sentences_of
from docqa.compare.topics import TOPICS, Topic, overall_topics, topics_asked
from docqa.compare.versions import (
    are_versions,
    changes_between,
    concerning,
    naming,
    with_counterparts,
    with_verdict,
)
from docqa.compare.wording import Encode
from docqa.errors import ComparisonError
from docqa.language.change import asks_what_changed
from docqa.language.labels import bearing, things_in
from docqa.settings import Settings
from docqa.types.answer import Answer
from docqa.types.answer import Evidence as LabelledEvidence
from docqa.types.comparison import (
    Change,
    Comparison,
    Figure,
    FigureComparison,
    TermComparison,
    TermSide,
)
from docqa.types.document import Document
from docqa.types.phrases import in_sentence, series
from docqa.types.search import Hit

OVERALL = "key figures and terms"
LISTED = 4  # lines that papers share which list their facts: half of what a table shows
Stated = Callable[[str], Sequence[TermSide]]


@dataclass(frozen=True, slots=True)
class _Case:
    """What is compared, and on what."""

    documents: Sequence[Document]
    evidence: Evidence
    question: str
    subject: str
    period: str
    known: Listed
    sides: Sequence[Side]
    leading: Sequence[FigureComparison]  # lines of statements, whatever is asked
    parts: Sequence[str]  # what the question names, () for all there is
    amendment: Amendment | None

    @property
    def filings(self) -> bool:
        return bool(self.leading)


@dataclass(frozen=True, slots=True)
class _Told:
    """Figures and terms, and the parts of the question that no document says anything on."""

    figures: tuple[FigureComparison, ...] = ()
    terms: tuple[TermComparison, ...] = ()
    silent: tuple[str, ...] = ()

    @property
    def sides(self) -> list[Figure | TermSide]:
        figures: list[Figure | TermSide] = [each for row in self.figures for each in row.values]
        return [*figures, *(side for row in self.terms for side in row.sides)]


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
    stated: Stated = lambda named: (),
) -> Comparison:
    """Two or three documents side by side, with figures, terms, pairs, and the text on them.

    A question that names nothing to look for ("Compare the two leases") means overall: the figures
    known by name and, where one of the documents binds anyone, what contracts settle. The
    ``encode`` makes vectors of length 1, by which clauses are paired, ``meaning`` those that
    `docqa.compare.wording.meaning_by` knows; the ``reranker`` has a say in which passages and rows
    speak of the same thing. Figures are of the ``period`` where they are of several.
    ``stated`` finds what each document states on what the question names: it is told where no
    figure or topic that is known is asked for, and where a document says nothing on the topic by
    its wording.
    """
    subject = subject_of(question, documents)
    blocks = {
        each.id: without_contents(evidence.blocks[each.id], evidence.tables[each.id])
        for each in documents
    }
    evidence = replace(evidence, blocks=blocks)
    amendment = amendment_among(documents, list(blocks.values()))
    known = listed([evidence.tables[each.id] for each in documents], encode, reranker)
    aligned, alone, nearby = paired_passages(
        documents, evidence, settings=settings, known=known, reranker=reranker, amendment=amendment
    )
    sides = [
        Side(each, {b.index: b for b in blocks[each.id]}, evidence.tables[each.id])
        for each in documents
    ]
    parts = parts_of(named_in(subject), _names(evidence)) if subject else ()
    leading = [row for row in compare_statements(sides, "") if row.leading and row.values]
    case = _Case(
        documents, evidence, question, subject, period, known, sides, leading, parts, amendment
    )
    changes = _changes(case)
    same = bool(changes) and all(change.kind == "unchanged" for change in changes)
    only_changes = changes and not subject and (same or asks_what_changed(question))
    told = _Told() if only_changes else _rows(case, encode, meaning, stated)
    told = _by_redline(case, told, changes)
    told = replace(told, terms=tuple(reworded(row, aligned) for row in told.terms))
    concerned = _on_subject(case, changes, told.sides) if subject else ()
    if subject and not asks_what_changed(question):
        changes = concerned
    if (case.filings or same) and not subject:
        alone = dict.fromkeys(alone, ())
    if amendment:
        alone[documents[amendment.amended].id] = ()  # which stands as it is
    quoted = places_of(*told.sides if subject else ())
    shown = sorted(aligned, key=lambda pair: quoted.isdisjoint(pair.places))
    bare = Comparison(
        documents=tuple(documents),
        question=question,
        figures=told.figures,
        pairs=() if same and not subject else tuple(shown[: settings.comparing.max_pairs]),
        only_in=_not_quoted(alone, told.terms),
        text="",
        nearest=nearby,
        period=period,
        terms=told.terms,
        changes=concerned or changes,
        narrowed=bool(concerned),
    )
    warnings = (
        *cautions(bare, evidence),
        *_of_amendment(case),
        *restatements(sides, subject),
        *(f"Nothing on {in_sentence(part)} was found in these documents." for part in told.silent),
        *_of_three_versions(case),
    )
    return replace(_in_words(bare), warnings=warnings)


def _names(evidence: Evidence) -> Iterator[str]:
    """Names of which none is two things because it says "and"."""
    yield from (name for line in lines() for name in line.names)
    yield from (topic.name for topic in TOPICS)
    yield from (b.text for own in evidence.blocks.values() for b in own if b.kind == "heading")
    yield from (row.label for own in evidence.tables.values() for t in own for row in t.rows)


def _rows(case: _Case, encode: Encode | None, meaning: Encode | None, stated: Stated) -> _Told:
    """The figures and terms, those that are told both ways once, and what nothing is told of."""
    figures = _figures(case)
    facts = () if case.filings and not case.subject else _facts(case)
    figures, facts = _each_once(figures, facts, len(case.documents), case.known)
    listed = sum(len(row.values) > 1 for row in figures) + len(facts)
    terms = (*facts, *_clauses(case, encode, meaning, listed))
    if not case.parts:
        return _Told(figures, _merged(terms))
    by_part = [_on_part(case, part, figures, terms, stated) for part in case.parts]
    every = [row for told in by_part for row in told.terms]
    silent = tuple(part for told in by_part for part in told.silent)
    added = tuple(row for told in by_part for row in told.figures)
    rest = [row for row in terms if all(row.topic != other.topic for other in every)]
    told = places_of(*(figure for row in added for figure in row.values))
    figures = tuple(row for row in figures if not places_of(*row.values) <= told)
    return _Told((*figures, *added), tuple(dict.fromkeys((*every, *rest))), silent)


def _on_part(
    case: _Case,
    part: str,
    figures: Sequence[FigureComparison],
    terms: Sequence[TermComparison],
    stated: Stated,
) -> _Told:
    """The terms on one of the things that are named; of figures those that are new."""
    count, alone = len(case.documents), len(case.parts) == 1
    asked = things_in(part)
    names = {topic.name for topic in topics_asked(part)}
    of_part = [row for row in figures if alone or bearing(row.label, asked) >= BEARING]
    own = [r for r in terms if alone or r.topic in names or _bears(r.topic, asked) >= BEARING]
    if any(len(row.values) == count for row in of_part):
        return _Told((), tuple(own))
    defined = _defined(case, part)
    said = defined if all(side.quote for side in defined) else _stated(case, part, stated)
    whole = [in_whole(side, case.evidence.blocks[side.document_id], part) for side in said]
    rows = with_stated(own, whole, part)
    if asks_what_changed(case.question):
        rows = tuple(row for row in rows if row in own or speaks_of(row, part))
    if of_part:  # which tells already who has it
        rows = tuple(row for row in rows if row in own or all(side.quote for side in row.sides))
    added = stated_figure(part, said) if said and not own else ()
    if added and all(block.table for side in said for block in side.blocks):
        rows = ()  # the row of a table says no more than its figure
    return _Told(added, rows, () if alone or rows or of_part or added else (part,))


def _stated(case: _Case, part: str, stated: Stated) -> list[TermSide]:
    """What each document states, or else has under a heading of that name."""
    found = {side.document_id: side for side in stated(part)}
    sides = [found.get(each.id, said_by(each)) for each in case.documents]
    blocks = case.evidence.blocks
    return [s if s.quote else headed(part, s, blocks[s.document_id]) for s in sides]


def _merged(rows: Sequence[TermComparison]) -> tuple[TermComparison, ...]:
    """The rows, those as one that are quoted from the same places ("Term and renewal")."""
    kept: dict[object, list[TermComparison]] = {}
    for at, row in enumerate(rows):
        quoted = [frozenset(places_of(side)) for side in row.sides if side.quote]
        same = tuple(quoted) if len(quoted) == len(row.sides) else at
        kept.setdefault(same, []).append(row)
    names = ([own[0].topic, *(in_sentence(row.topic) for row in own[1:])] for own in kept.values())
    return tuple(
        replace(own[0], topic=series(called))
        for own, called in zip(kept.values(), names, strict=True)
    )


def _clauses(
    case: _Case, encode: Encode | None, meaning: Encode | None, listed: int
) -> tuple[TermComparison, ...]:
    """What texts that bind settle on the topics asked for, or, in all, on those of contracts, and
    their other clauses.

    Of others of which little is ``listed``, on what is asked for if its wording was taught, or, in
    all, their sections. What an amended one alone says stands as it is and is not told.
    """
    blocks = case.evidence.blocks
    binding = any(binds(blocks[each.id]) for each in case.documents)
    if case.filings or (not binding and listed >= LISTED):
        return ()
    topics = _topics(case) if case.subject else overall_topics()
    if not binding:
        topics = tuple(filter(is_taught, topics)) if case.subject else ()
    needed = topics or not case.subject
    read = {each.id: sentences_of(blocks[each.id]) if needed else [] for each in case.documents}
    terms = _with_amended(case, compare_terms(case.documents, read, topics, meaning))
    if not case.subject and encode is not None:
        terms += compare_clauses(case.documents, read, terms, encode, tells_alone=binding)
    if case.amendment is None:
        return terms
    return tuple(row for row in terms if row.sides[case.amendment.amending].quote)


def _with_amended(case: _Case, terms: Sequence[TermComparison]) -> tuple[TermComparison, ...]:
    """The clauses that an amendment changes, of those that bear on the subject, then the terms
    quoted from any other."""
    if case.amendment is None:
        return tuple(terms)
    asked = things_in(case.subject)
    quoted = [places_of(*row.sides) for row in terms]
    rows = [
        row
        for row in case.amendment.rows
        if not asked
        or bearing(row.topic.partition(": ")[2], asked) >= BEARING
        or any(places_of(*row.sides) & places for places in quoted)
    ]
    told = places_of(*(side for row in rows for side in row.sides))
    rest = [row for row in terms if not all(places_of(side) & told for side in row.sides)]
    return (*rows, *rest)


def _topics(case: _Case) -> tuple[Topic, ...]:
    """The topics of what is named, but for a term that all the documents define."""
    named = [part for part in case.parts if not all(side.quote for side in _defined(case, part))]
    if len(named) == len(case.parts) == 1:
        return topics_asked(case.subject) or topics_asked(case.question)
    return tuple(dict.fromkeys(topic for part in named for topic in topics_asked(part)))


def _defined(case: _Case, named: str) -> list[TermSide]:
    return [definition(named, each, case.evidence.blocks[each.id]) for each in case.documents]


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
    return _in_words(chosen) if chosen.answerer == "extractive" else chosen


def _in_words(comparison: Comparison) -> Comparison:
    """With its text, citations and summary; what one document alone has is told where all is
    compared, or where nothing that was named is told of two."""
    overall = not subject_of(comparison.question, comparison.documents)
    text, citations = compose(comparison, tells_alone=overall or not shares_a_row(comparison))
    said = summarise(comparison)
    return replace(comparison, text=text, citations=citations, summary=said)


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


def _figures(case: _Case) -> tuple[FigureComparison, ...]:
    """The lines of statements, and what else the documents' tables and sentences share.

    Where statements are there and nothing is named to look for, their lines alone.
    """
    rows = compare_statements(case.sides, case.subject, period=case.period)
    if rows and not case.subject:
        return rows
    found = {each.document.id: figures_of(each) for each in case.sides}
    shared = compare_figures(found, question=case.subject, known=case.known, period=case.period)
    taken = {key for line in lines_asked(case.subject) for key in line.keys} if rows else set()
    kept = (row for row in shared if case.known.key(row.label) not in taken)
    return (*rows, *(row for row in kept if not _crosses(row, case.sides)))


def _crosses(row: FigureComparison, sides: Sequence[Side]) -> bool:
    """Whether a line of one document's statement is set beside a sentence of another that has
    statements of its own."""
    filers = {side.document.id for side in sides if side.has_statements}
    told = [each for each in row.values if not each.block.table and each.document_id in filers]
    return bool(told) and any(each.statement for each in row.values)


def _facts(case: _Case) -> tuple[TermComparison, ...]:
    """What the documents list in words, as far as it bears on the subject."""
    asked = things_in(case.subject)
    told = (*worded_facts(case.sides, case.known), *compare_rent_rolls(case.sides))
    return tuple(row for row in told if not asked or _bears(row.topic, asked) >= BEARING)


def _bears(topic: str, asked: Sequence[str]) -> float:
    return max(bearing(name, asked) for name in topic.split(NAMES_APART))


def _not_quoted(
    alone: Mapping[str, tuple[Hit, ...]], terms: Sequence[TermComparison]
) -> dict[str, tuple[Hit, ...]]:
    """The passages without a partner but for those that terms set beside others already."""
    shared = [row.sides for row in terms if sum(bool(side.quote) for side in row.sides) > 1]
    quoted = places_of(*(side for sides in shared for side in sides))
    return {
        one: tuple(hit for hit in hits if not hit.places <= quoted) for one, hits in alone.items()
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


def _changes(case: _Case) -> tuple[Change, ...]:
    """The redline of two documents that are versions of one text; () for any others.

    Filings for different periods, such as two annual reports of one company, are none. Most of
    their wording is the same from year to year, but nobody amended the one into the other. Of what
    changed in a section that is asked for, theirs is told.
    """
    if len(case.documents) != 2:
        return ()
    texts = [case.evidence.blocks[each.id] for each in case.documents]
    of_two_times = any(" / " in row.period for row in case.leading)
    found = () if of_two_times else changes_between(*texts)
    if found or not case.subject or not asks_what_changed(case.question):
        return found
    named = named_in(case.subject)
    places = [set().union(*bearing_sections(each, named, ())) for each in texts]
    own = ([b for b in each if b.index in at] for each, at in zip(texts, places, strict=True))
    return changes_between(*own)


def _on_subject(
    case: _Case, changes: Sequence[Change], sides: Sequence[Figure | TermSide]
) -> tuple[Change, ...]:
    """The changes of the clauses that the question names, of what is quoted, and of what names the
    subject elsewhere."""
    own = (*_concerned(case, changes, sides), *naming(changes, named_in(case.subject)))
    places = set(map(id, own))
    return tuple(change for change in changes if id(change) in places)


def _concerned(
    case: _Case, changes: Sequence[Change], sides: Sequence[Figure | TermSide]
) -> tuple[Change, ...]:
    """The changes of the clauses that the question names, and of what is quoted."""
    quoted = places_of(*sides)
    versions = [
        (case.evidence.blocks[each.id], {index for one, index in quoted if one == each.id})
        for each in case.documents
    ]
    return concerning(changes, named_in(case.subject), versions) if changes else ()


def _by_redline(case: _Case, told: _Told, changes: Sequence[Change]) -> _Told:
    """What is told, with what the redline knows of the clauses quoted."""
    rows = (with_counterparts(row, changes) for row in told.terms) if changes else told.terms
    if changes and case.subject:
        rows = (with_verdict(row, _concerned(case, changes, row.sides)) for row in rows)
    return replace(told, terms=tuple(rows))


def _of_three_versions(case: _Case) -> Iterator[str]:
    """Said where a redline would be told if there were two documents."""
    texts = [case.evidence.blocks[each.id] for each in case.documents]
    asked = not case.subject or asks_what_changed(case.question)
    if (
        len(texts) > 2
        and asked
        and not case.filings
        and all(starmap(are_versions, pairwise(texts)))
    ):
        yield (
            "These are versions of one text. What changed is shown for two at a time: compare each "
            "with the one before it."
        )


def _of_amendment(case: _Case) -> Iterator[str]:
    if case.amendment:
        amending, amended = (
            case.documents[at].name for at in (case.amendment.amending, case.amendment.amended)
        )
        yield (
            f"{amending} amends {amended}: beside each clause that it names stands what it says of "
            "it. What it does not name is not told and stands as it is."
        )
