"""An answer without a language model: the best sentences and table rows, word for word.

A figure that is worked out, a list or a section's points come first; then what is quoted, or where
it most likely stands, or that nothing answers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from docqa.answer.evidence import add_evidence, choose_hits, citations_in, room_for
from docqa.answer.findings.asked import Ask, ask_of
from docqa.answer.findings.breakdown import asks_for_parts
from docqa.answer.findings.candidates import Candidate, candidates
from docqa.answer.findings.cited import Gathered, Means, Source
from docqa.answer.findings.confidence import confidence
from docqa.answer.findings.each import together
from docqa.answer.findings.formulas import is_taken
from docqa.answer.findings.judge import Judged, judge
from docqa.answer.findings.led_in import as_list, leads_in_items
from docqa.answer.findings.operations import operation_of
from docqa.answer.findings.points import asks_for_several
from docqa.answer.findings.primary import primary_first
from docqa.answer.findings.quotes import Quote, quotes_of
from docqa.answer.findings.quoting import (
    MAX_QUOTES,
    asked_entries,
    choose,
    complete,
    titles,
    write,
)
from docqa.answer.findings.ranges import holding_first, whole_schedule_first
from docqa.answer.findings.ranking import (
    is_of_other_years,
    likeliest_first,
    topic_coverage,
    years_of,
)
from docqa.answer.findings.ratios import lacking
from docqa.answer.findings.rows import entry
from docqa.answer.findings.rows_asked import ASKS, asks_for_rows, rows_asked
from docqa.answer.findings.rows_meant import has_limits
from docqa.answer.findings.selections import Selection
from docqa.answer.findings.sums import is_printed
from docqa.answer.findings.table_lines import column_read, likeliest_columns
from docqa.answer.findings.values import may_tell
from docqa.answer.findings.whose import is_name, is_of_others, of_whom, unheard, unspoken
from docqa.answer.findings.worked import (
    ASKED,
    CELLS_LISTED,
    FITTED,
    LIKELY,
    NEAREST_TO_IT,
    SELECTED,
    enumerated,
    fitted,
    held_together,
    likely,
    listed_rows,
    places_of,
    section_points,
    selected,
    worked,
)
from docqa.answer.receipt import Receipt, with_receipt
from docqa.settings import Settings
from docqa.types.answer import Answer, Evidence
from docqa.types.events import Events, PassagesFound, Search, Searching, TextDelta
from docqa.types.question import NotAsked, Question
from docqa.types.search import SearchResult, left_out, unmentioned
from docqa.types.table import STATEMENTS, Table

NAME = "extractive"
NOTHING = "Nothing was found that answers this."  # of what was searched, not of what was read
NOT_IN_TURN: Mapping[str, Question] = {}
NEAREST = 3  # passages shown where nothing answers the question

_RESPECTIVE = re.compile(r"\brespective(?:ly)?\b", re.IGNORECASE)

# Chosen on the development questions.
_SEVERAL = 0.2  # share of the topic's words in what answers one of several things
_FAR_FLOOR = 0.5  # the same in what may answer though no passage is near
_OPENING = 0.5  # the chance that an opening answers, from which it may though it is not near
CERTAIN = 0.25  # the chance below which nothing answers, however sure
_MAY = 0.2  # the same where a quote has some of the topic's words
_SOME = 0.3  # share of them
_SURE = -0.2  # the confidence from which on what comes first answers: about as likely as not
# From which it is shown as a likely place, however unlike the question's words: of such places half
# answer, of those shown without it every seventh.
HINT = 0.1
_AMONG = 0.05  # the same, from which rows of the table that it stands in may be meant
# From which something comes near at all: of 586 questions that papers answer one is still told
# nothing, of 21 that none could ("How loud is the smell of a rose?") 20.
_NEAR = 0.03


def answer(
    question: Question,
    *,
    search: Search,
    settings: Settings,
    means: Means,
    one_by_one: Mapping[str, Question] = NOT_IN_TURN,
) -> Events:
    """Search once and quote what answers the question; the last event is the `Answer`.

    What is put to several documents in turn, as ``one_by_one`` has it by their names, is answered
    of each, unless one figure is worked out of all of them, or a table lists what is as asked
    ("Which leases expire before 2027?", of a rent roll).

    Where no passage states the answer outright the places are shown where it most likely stands
    (``likely``). Where nothing comes near, ``found`` is False and the evidence is the nearest
    passages.
    """
    result = search(question) if one_by_one and has_limits(question) else None
    tabled = result and enumerated(question, Gathered(_quotes(result, settings)[0], means))
    if one_by_one and not tabled and not held_together(question, Gathered((), means)):
        yield from _of_each(one_by_one, search=search, settings=settings, means=means)
        return
    yield Searching(question.whole)
    result = result or search(question)
    names = tuple(dict.fromkeys(hit.document.name for hit in result.hits))
    yield PassagesFound(len(result.hits), names)
    finished = answer_from(result, settings=settings, means=means)
    yield TextDelta(finished.text)
    yield finished


def _of_each(
    one_by_one: Mapping[str, Question], *, search: Search, settings: Settings, means: Means
) -> Events:
    """As `answer`, of each document by itself."""
    answers: dict[str, Answer] = {}
    for name, question in one_by_one.items():
        yield Searching(question.whole, question.document_ids)
        result = search(question)
        yield PassagesFound(len(result.hits), (name,))
        answers[name] = answer_from(result, settings=settings, means=means)
    finished = together(answers)
    yield TextDelta(finished.text)
    yield finished


def answer_from(result: SearchResult, *, settings: Settings, means: Means) -> Answer:
    """The extractive answer to the question of a search, from its hits; see `answer`."""
    question = result.plan.question
    evidence, ask, quotes = _quotes(result, settings)
    own = _of_those_named(evidence, result)
    judged = judge(question, _candidates(question, own), means.networks)
    ranked = holding_first(likeliest_first(quotes, judged, ask), question.topic)
    ranked = whole_schedule_first(ranked, question.topic)
    gathered = Gathered(evidence, means)
    ranked = primary_first(ranked, ask, question, gathered)
    receipt = Receipt().after(result)
    others = is_of_others(result)
    missing, not_asked = unheard(result), question.not_asked
    names = [word for word in missing if is_name(word)]
    in_order = _in_order(judged, ranked)
    if not others and (found := _found_alone(question, in_order, Gathered(own, means))):
        text, grown = found
        warnings = tuple(filter(None, (left_out(not_asked), unspoken(result))))
        given = Answer(text, NAME, citations_in(text, grown), grown, warnings)
        return with_receipt(given, receipt)
    lacks = lacking(question, judged, gathered)
    quotable = () if others else _quotable(ranked, ask, result, means)
    if lacks and any(each.row and is_taken(each.row.label, question) for each in quotable[:1]):
        quotable = ()
    whole = bool(quotable) and _is_line(quotable[0]) and asks_for_parts(question)
    quotable = () if whole else quotable
    if others:  # whoever chose the documents may name their own by another name
        near = bool(question.document_ids) and any(each.chance >= HINT for each in judged)
    else:
        near = bool(own) and _comes_near(quotes, ask, result, settings, judged)
        near = near or bool(quotable or _rows_alone(question, in_order, gathered, least=HINT))
    if quotable:
        given = _quoted(question, quotable, ask, gathered)
    elif (
        near
        and not (others or lacks or whole)
        and (rows := _rows_of(question, in_order, ranked, ask, gathered))
    ):
        given = rows
    elif near:
        best = max((each.chance for each in judged), default=0.0)
        nearer = LIKELY if best >= HINT and not others else NEAREST_TO_IT
        meant = of_whom(result)
        places = [e for e in in_order if e.candidate.piece.hit.document.id in meant] or in_order
        lead = f"{lacks} {nearer}".lstrip()
        given = _placed(question, places, ranked, ask, gathered, lead=lead)
    else:
        told_of = missing if len(missing) == 1 else names
        nothing = nothing_found(gathered.evidence, missing=told_of, not_asked=not_asked)
        return with_receipt(replace(nothing, text=f"{lacks} {nothing.text}".lstrip()), receipt)
    told = (left_out(not_asked), unmentioned(names), unspoken(result))
    warnings = tuple(filter(None, told))
    return with_receipt(replace(given, warnings=warnings), receipt)


def _is_line(quote: Quote) -> bool:
    """Whether a quote is a line of a primary statement."""
    table = quote.parts[0].table
    return quote.row is not None and table is not None and table.role in STATEMENTS


def _quoted(question: Question, quotable: Sequence[Quote], ask: Ask, gathered: Gathered) -> Answer:
    """What answers, word for word, the best first."""
    chosen = choose([_under_column(quotable[0], question, ask, gathered), *quotable[1:]], ask)
    chosen = as_list(chosen, gathered) if asks_for_several(question) else chosen
    ask = replace(ask, apart=_asks_apart(question, gathered.means))
    text = write(complete(chosen, quotable, ask, gathered), ask)
    return Answer(text, NAME, citations_in(text, gathered.evidence), gathered.evidence)


def _under_column(quote: Quote, question: Question, ask: Ask, gathered: Gathered) -> Quote:
    """A row of which no column and no year is named, with the cell first that the network for
    tables says answers, where that is sure."""
    table, row, told = quote.parts[0].table, quote.parts[0].row, quote.row
    if not (table and row and told) or told.meant or ask.double or ask.years:
        return quote
    if len(told.entries) < 2 or len(asked_entries(told.entries, ask)) < len(told.entries):
        return quote
    column = column_read(question.topic, table, row, gathered.means.networks.lines)
    if column is None:
        return quote
    first = entry(table, row, column)
    entries = sorted(told.entries, key=lambda each: each != first)
    return replace(quote, row=replace(told, entries=tuple(entries)))


def _rows_of(
    question: Question,
    places: Sequence[Judged],
    ranked: Sequence[Quote],
    ask: Ask,
    gathered: Gathered,
) -> Answer | None:
    """The rows of a table that are most likely meant, where what comes first stands in it; one
    alone word for word. None where it is not likely enough which these are."""
    own, first = gathered.copy(), next(iter(places), None)
    if first is None or first.chance < _AMONG:
        return None
    found = selected(question, places, own)
    if found is None or first.candidate.table != found[0].grid.table:
        return None
    meant, source = found
    table = meant.grid.table
    if len(meant.rows) == 1:
        row = table.rows[meant.rows[0]]
        own_row = (q for q in ranked if (q.parts[0].table, q.parts[0].row) == (table, row))
        quotes = [q for q in own_row if q.chance >= _AMONG]
        return _quoted(question, quotes[:1], ask, gathered) if quotes else None
    text = listed_rows(question, meant, source)
    return Answer(text, NAME, citations_in(text, own.evidence), own.evidence)


def _placed(
    question: Question,
    places: Sequence[Judged],
    ranked: Sequence[Quote],
    ask: Ask,
    gathered: Gathered,
    *,
    lead: str,
) -> Answer:
    """Where the answer most likely stands, the likeliest first, each quoted whole."""
    shown = places_of(places)
    leads = [q for q in ranked[1:] if leads_in_items(q) and any(p in shown for p in q.parts)]
    first = ranked[:1]
    first = as_list(first, gathered, fewest=1) if asks_for_several(question) else first
    whole = [complete([quote], ranked, ask, gathered) for quote in (*first, *leads)]
    networks, topic = gathered.means.networks, question.topic

    def columns(table: Table) -> list[int]:
        return likeliest_columns(topic, table, networks.lines, CELLS_LISTED)

    listed = columns if asks_for_rows(topic, networks.vector(topic)) >= ASKS else None
    return likely(places, gathered.evidence, lead=lead, answerer=NAME, whole=whole, listed=listed)


def _in_order(judged: Sequence[Judged], ranked: Sequence[Quote]) -> list[Judged]:
    """The candidates in the order of the quotes that they are, the others after them."""
    parts = (part.key for quote in ranked for part in quote.parts)
    at = {key: place for place, key in reversed(list(enumerate(parts)))}
    return sorted(judged, key=lambda each: at.get(each.candidate.key, len(at)))


def _found_alone(
    question: Question, judged: Sequence[Judged], gathered: Gathered
) -> tuple[str, tuple[Evidence, ...]] | None:
    """A figure that is worked out, a list or a section's points, beside which nothing is quoted,
    and the evidence with it; None where there is none."""
    of_sums = gathered.copy()
    if figures := held_together(question, of_sums) or worked(question, judged, of_sums):
        first, *inputs = figures
        below = "".join(f"\n- {each}" for each in inputs)
        return f"{first}\n{below}" if inputs else first, of_sums.evidence
    of_fit = gathered.copy()
    if told := fitted(question, judged, of_fit):
        return told, of_fit.evidence
    if lists := enumerated(question, gathered) or section_points(question, gathered):
        return _under_names(lists), gathered.evidence
    of_rows = gathered.copy()
    if rows := _rows_alone(question, judged, of_rows):
        return listed_rows(question, *rows), of_rows.evidence
    return None


def _rows_alone(
    question: Question, judged: Sequence[Judged], gathered: Gathered, *, least: float = SELECTED
) -> tuple[Selection, Source] | None:
    """The rows of a table that a question asks for, or that with the most, and what they are cited
    of; None where it asks for none, or the chance that it means these is not the ``least``."""
    asked = rows_asked(question.topic, gathered.means.networks.vector(question.topic))
    if max(asked.rows, asked.furthest) < ASKS:
        return None
    found = selected(question, judged, gathered, least=least)
    furthest = asked.furthest >= 0
    told = found and (len(found[0].rows) > 1 or (found[0].is_most and furthest))
    return found if told else None


def _under_names(found: Mapping[str, str]) -> str:
    """The rows of a list, or the points of a section, of each document under its name."""
    heads = [f"{title}:\n\n" for title in titles(found)] if len(found) > 1 else [""]
    listed = zip(heads, found.values(), strict=True)
    return "\n\n".join(f"{head}{each}" for head, each in listed)


def _of_those_named(evidence: tuple[Evidence, ...], result: SearchResult) -> tuple[Evidence, ...]:
    """The evidence of the documents that the question names, of all where it names none."""
    named = result.plan.question.documents
    return tuple(e for e in evidence if not named or e.hit.document.id in named)


def _comes_near(
    quotes: Sequence[Quote],
    ask: Ask,
    result: SearchResult,
    settings: Settings,
    judged: Sequence[Judged],
) -> bool:
    """Whether some passage may hold the answer though none states it, by meaning or by words, as
    the judge reads it, or as the opening of its document."""
    alike = max((each.cosine for each in judged), default=0.0)
    dense = max((hit.scores.get("dense", 0.0) for hit in result.hits), default=0.0)
    if max(alike, dense) >= settings.search.relevance_floor:
        return True
    if max((each.chance for each in judged), default=0.0) >= _NEAR:
        return True
    if max((hit.scores.get("opening", 0.0) for hit in result.hits), default=0.0) >= _OPENING:
        return True
    return any(topic_coverage(quote, ask) >= _FAR_FLOOR for quote in quotes)


def answers(result: SearchResult, *, settings: Settings, means: Means) -> bool:
    """Whether `answer_from` would answer, rather than say that nothing does, or nothing surely."""
    _, outright = likeliest(result, settings=settings, means=means)
    return outright and not is_of_others(result)


def likeliest(
    result: SearchResult, *, settings: Settings, means: Means
) -> tuple[Quote | None, bool]:
    """What most likely answers the question of a search, word for word, and whether it does so
    outright; None where nothing was found."""
    evidence, ask, quotes = _quotes(result, settings)
    own = _candidates(result.plan.question, _of_those_named(evidence, result))
    ranked = likeliest_first(quotes, judge(result.plan.question, own, means.networks), ask)
    if quotable := _quotable(ranked, ask, result, means):
        return complete(quotable[:1], quotable, ask, Gathered(evidence, means))[0], True
    return next(iter(ranked), None), False


def _quotes(
    result: SearchResult, settings: Settings
) -> tuple[tuple[Evidence, ...], Ask, list[Quote]]:
    """The evidence that fits, what is asked of it, and everything in it that can be quoted."""
    question = result.plan.question
    budget = room_for(question, settings)
    evidence = add_evidence((), choose_hits(result.hits, max_chars=budget))
    quotes = [quote for piece in evidence for quote in quotes_of(piece)]
    telling = [quote for quote in quotes if may_tell(quote.parts[0], question)] or quotes
    return evidence, ask_of(question, quotes), telling


def _candidates(question: Question, evidence: Sequence[Evidence]) -> list[Candidate]:
    every = candidates(evidence)
    return [each for each in every if may_tell(each, question)] or every


def nothing_found(
    evidence: Sequence[Evidence],
    *,
    missing: Sequence[str] = (),
    not_asked: Sequence[NotAsked] = (),
) -> Answer:
    """The “not found” answer, with the nearest passages and their pages.

    ``missing`` are the question's words that no document searched has; ``not_asked`` is what it
    names that was not searched.
    """
    said = " ".join(filter(None, (NOTHING, left_out(not_asked), unmentioned(missing))))
    nearest = tuple(evidence[:NEAREST])
    if not nearest:
        return Answer(said, NAME, found=False)
    places = "; ".join(
        f"{piece.hit.document.name}, {piece.hit.chunk.blocks[0].where} [{piece.label}]"
        for piece in nearest
    )
    text = f"{said} Nearest passages: {places}."
    return Answer(text, NAME, citations_in(text, nearest), nearest, found=False)


def _quotable(
    ranked: Sequence[Quote], ask: Ask, result: SearchResult, means: Means
) -> Sequence[Quote]:
    """What may be quoted: of the documents named where that answers, else of all, or nothing.

    What other documents say of the like was not asked. Where none is named by its file name or
    title, those are that speak of whom the question names.
    """
    meant = of_whom(result)
    ranked = [each for each in ranked if not _is_of_distant_years(each, ask)]
    own = [each for each in ranked if each.piece.hit.document.id in meant]
    answers = partial(_answers, ask=ask, question=result.plan.question, means=means)
    quotable = next(filter(answers, (own, ranked)), ())
    return [quote for quote in quotable if not _is_blank(quote, ask)]


def _is_of_distant_years(quote: Quote, ask: Ask) -> bool:
    """Whether all columns of a row are of years further from those asked for than a fiscal year
    is from the calendar's."""
    apart = product(ask.years, years_of(quote))
    other = bool(ask.years) and is_of_other_years(quote, ask)
    return other and all(abs(year - headed) > 1 for year, headed in apart)


def _is_blank(quote: Quote, ask: Ask) -> bool:
    """Whether a row has nothing but dashes under what is asked for, or is the whole in per cent."""
    if quote.row is None or not quote.row.entries:
        return False
    entries = asked_entries(quote.row.entries, ask)
    told = {entry.text.strip(" %") for entry in entries if any(map(str.isalnum, entry.text))}
    return told <= {"100", "100.0"}


def _answers(ranked: Sequence[Quote], *, ask: Ask, question: Question, means: Means) -> bool:
    """Whether the first is about as likely to answer as not; of several things asked for, whether
    what comes first has some of the topic's words, and one of it is likely to answer."""
    if not ranked:
        return False
    if ask.several and not ask.stems:
        return True
    first = ranked[:MAX_QUOTES]
    held = max(topic_coverage(quote, ask) for quote in first)
    best = max(quote.chance for quote in (first if ask.several else first[:1]))
    if best < (_MAY if held >= _SOME else CERTAIN):
        return False
    if ask.several:
        return held >= _SEVERAL and not _asks_for_sum(ranked, question, means)
    return confidence(ranked, question, means.networks) >= _SURE


def _asks_apart(question: Question, means: Means) -> bool:
    """Whether a question asks how far figures are apart, for one as a share of another, or for
    several ("the respective values")."""
    if _RESPECTIVE.search(question.whole):
        return True
    operation, chance = operation_of(question.whole, means.networks.vector(question.whole))
    return operation in ("difference", "change", "share") and chance >= FITTED


def _asks_for_sum(ranked: Sequence[Quote], question: Question, means: Means) -> bool:
    """Whether a question of one document asks how far figures are apart, which the first quote does
    not say: what stands beside it was not worked out."""
    operation, chance = operation_of(question.whole, means.networks.vector(question.whole))
    alone = len({quote.piece.hit.document.id for quote in ranked}) < 2
    apart = operation in ("difference", "change") and not is_printed(operation, ranked[0].parts[0])
    return alone and apart and chance >= ASKED
