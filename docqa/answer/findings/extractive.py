"""An answer without a language model: the best sentences and table rows, word for word.

Relevance is the share of the question's words a piece of text holds, weighted by how rare they
are in the evidence (inverse document frequency, Spärck Jones 1972), with the passage's rank and
what kind of answer is asked for (a figure, a date, a party) as smaller weights.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from docqa.answer.evidence import add_evidence, choose_hits, citations_in
from docqa.answer.findings.asked import MENTIONS_YEAR, Ask, ask_of, full_dates
from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.cited import Means
from docqa.answer.findings.judge import judge
from docqa.answer.findings.lists import Listing
from docqa.answer.findings.points import Points
from docqa.answer.findings.primary import primary_first
from docqa.answer.findings.quotes import Quote, follows_on, joined, quotes_of, refers_back
from docqa.answer.findings.relevance import (
    by_judgement,
    by_likeness,
    coverage,
    holds,
    is_whole,
    named_columns,
    rank,
    topic_coverage,
)
from docqa.answer.findings.rows import BELOW, Entry
from docqa.answer.findings.values import scale_text
from docqa.answer.findings.worked import (
    LIKELY,
    NEAREST_TO_IT,
    enumerated,
    held_together,
    likely,
    told,
    worked,
)
from docqa.answer.model.prompts import NOT_FOUND
from docqa.answer.receipt import empty_receipt, with_receipt
from docqa.language.periods import months_named, periods_in, says_only_when
from docqa.language.words import content_words, name_in_words
from docqa.settings import Settings
from docqa.types.answer import Answer, Evidence
from docqa.types.document import Document, spoken_name
from docqa.types.events import Events, Likeness, PassagesFound, Search, Searching, TextDelta
from docqa.types.finding import Finding
from docqa.types.phrases import quoted
from docqa.types.question import NotAsked, Question
from docqa.types.search import Hit, SearchResult, left_out, unmentioned

NAME = "extractive"
MAX_QUOTES = 5
MAX_CELLS = 4  # of one row, of the years asked for
MAX_ALL_CELLS = 9  # of one row where they are told apart by nothing that was asked
MAX_PAIR_CHARS = 400  # of a first sentence and the one after it
MAX_LIST_ITEMS = 8
ALSO = "Also:"
NEAREST = 3  # passages shown where nothing answers the question

# Chosen on the development questions.
_KEEP = 0.7  # of the best score, for a further quote
_SHARE_OF_BEST = 0.5  # of the best document's share of the words, for another to be quoted
_SAID = 0.25  # off a score for the share of the question that was answered already
_POOL = 60  # quotes to choose from
_NEAR = 1.5  # times the relevance floor: the best cosine of a passage that is near
_ALIKE = 0.4  # likeness of a quote that is near
_SHORTEST_NAME = 3  # letters
_SHORTEST_BEGINNING = 5  # letters of a name that file names run on from
_NEAR_FLOOR = 0.2  # share of the topic's words below which even a near passage answers nothing
_FAR_FLOOR = 0.5  # the same where no passage is near
CERTAIN = 0.3  # the chance from which what is likeliest answers
_MAY = 0.15  # the same where a quote has some of the topic's words
_SOME = 0.3  # share of them


def answer(
    question: Question,
    *,
    search: Search,
    settings: Settings,
    likeness: Likeness | None = None,
    means: Means | None = None,
) -> Events:
    """Search once and quote what answers the question; the last event is the `Answer`.

    With ``means`` sums are worked out, and where no passage states the answer outright the places
    are shown where it most likely stands (``likely``). Where nothing comes near, ``found`` is False
    and the evidence is the nearest passages. Without ``likeness`` sentences are chosen by their
    words alone.
    """
    yield Searching(question.whole)
    result = search(question)
    names = tuple(dict.fromkeys(hit.document.name for hit in result.hits))
    yield PassagesFound(len(result.hits), names)
    finished = answer_from(result, settings=settings, likeness=likeness, means=means)
    yield TextDelta(finished.text)
    yield finished


def answer_from(
    result: SearchResult,
    *,
    settings: Settings,
    likeness: Likeness | None = None,
    means: Means | None = None,
) -> Answer:
    """The extractive answer to the question of a search, from its hits; see `answer`."""
    question = result.plan.question
    evidence, ask, ranked = _weighed(result, settings, likeness)
    own = _of_those_named(evidence, result)
    judged = judge(question, candidates(own), means.networks) if means else []
    ranked = by_judgement(ranked, judged)
    if means:
        ranked, evidence = primary_first(ranked, ask, question, evidence, means)
    receipt = empty_receipt().after(result)
    others = _is_of_others(result)
    floor = settings.search.relevance_floor
    likeliest = judged[0].chance if judged else None
    quotable = () if others else _quotable(ranked, ask, result, floor, likeliest)
    missing, not_asked = unheard(result), question.not_asked
    if means and not others:
        for found, grown in (
            held_together(question, own, means),
            worked(question, judged, own, means),
        ):
            if found:
                return with_receipt(_with_sum(found, grown, result), receipt)
        for lists, grown in (enumerated(question, own, means), told(question, own, means)):
            if lists:
                return with_receipt(_with_list(lists, grown, result), receipt)
        if not quotable and own and _comes_near(ranked, ask, result, settings):
            lead = LIKELY if _best_cosine(result) >= floor else NEAREST_TO_IT
            shown = likely(judged, own, lead=lead, answerer=NAME)
            doubts = tuple(filter(None, (left_out(not_asked), _unspoken(result))))
            return with_receipt(replace(shown, warnings=doubts), receipt)
    if not quotable:
        nothing = nothing_found(evidence, missing=missing, not_asked=not_asked)
        return with_receipt(nothing, receipt)
    text = write(complete(choose(quotable, ask), quotable), ask)
    named = unmentioned([word for word in missing if _is_name(word)])
    warnings = tuple(filter(None, (left_out(not_asked), named, _unspoken(result))))
    citations = citations_in(text, evidence)
    return with_receipt(Answer(text, NAME, citations, evidence, warnings), receipt)


def _with_sum(
    found: Sequence[Finding], evidence: tuple[Evidence, ...], result: SearchResult
) -> Answer:
    """A figure that was worked out, first and alone; its inputs below it."""
    first, *inputs = found
    lines = "".join(f"\n- {each.text}" for each in inputs)
    text = f"{first.text}\n{lines}" if lines else first.text
    warnings = tuple(filter(None, (left_out(result.plan.question.not_asked), _unspoken(result))))
    return Answer(text, NAME, citations_in(text, evidence), evidence, warnings)


def _with_list(
    found: Mapping[str, Listing | Points], evidence: tuple[Evidence, ...], result: SearchResult
) -> Answer:
    """The rows of a list, or the points of a section, of each document under its name."""
    titles = [f"{title}:\n\n" for title in _titles(found)] if len(found) > 1 else [""]
    listed = zip(titles, found.values(), strict=True)
    text = "\n\n".join(f"{title}{each.text}" for title, each in listed)
    warnings = tuple(filter(None, (left_out(result.plan.question.not_asked), _unspoken(result))))
    return Answer(text, NAME, citations_in(text, evidence), evidence, warnings)


def _of_those_named(evidence: tuple[Evidence, ...], result: SearchResult) -> tuple[Evidence, ...]:
    """The evidence of the documents that the question names, of all where it names none."""
    named = result.plan.question.documents
    return tuple(e for e in evidence if not named or e.hit.document.id in named)


def _comes_near(
    ranked: Sequence[Quote], ask: Ask, result: SearchResult, settings: Settings
) -> bool:
    """Whether some passage may hold the answer though none states it, by meaning or by words."""
    floor, best = settings.search.relevance_floor, ranked[:MAX_QUOTES]
    if max(_best_cosine(result), *(quote.likeness for quote in best), 0.0) >= floor:
        return True
    return any(topic_coverage(quote, ask) >= _FAR_FLOOR for quote in best)


def answers(result: SearchResult, *, settings: Settings, likeness: Likeness, means: Means) -> bool:
    """Whether `answer_from` would answer, rather than say that nothing does, or nothing surely."""
    evidence, ask, ranked = _weighed(result, settings, likeness)
    own = candidates(_of_those_named(evidence, result))
    judged = judge(result.plan.question, own, means.networks)
    floor, likeliest = settings.search.relevance_floor, judged[0].chance if judged else None
    return not _is_of_others(result) and bool(_quotable(ranked, ask, result, floor, likeliest))


def holds_an_answer(result: SearchResult, *, settings: Settings) -> bool:
    """Whether the hits come near enough to the question to hold its answer.

    They do where the best cosine reaches ``relevance_floor``, or one sentence or row
    holds enough of the question's words, or the question is over several documents. Whether they
    do answer it is left to the reader; `answer_from` is stricter.
    """
    if result.hits and (
        result.plan.question.several or _best_cosine(result) >= settings.search.relevance_floor
    ):
        return True
    _, ask, ranked = _weighed(result, settings)
    return _comes_near(ranked, ask, result, settings)


def _best_cosine(result: SearchResult) -> float:
    return max((hit.scores.get("dense", 0.0) for hit in result.hits), default=0.0)


def _weighed(
    result: SearchResult, settings: Settings, likeness: Likeness | None = None
) -> tuple[tuple[Evidence, ...], Ask, list[Quote]]:
    question = result.plan.question
    budget = (
        settings.answering.synthesis_evidence_chars
        if question.several
        else settings.answering.evidence_chars
    )
    evidence = add_evidence((), choose_hits(result.hits, max_chars=budget))
    quotes = [quote for piece in evidence for quote in quotes_of(piece)]
    ask = ask_of(question, quotes)
    ranked = rank(quotes, ask, evidence)
    if likeness is not None and ranked:
        ranked = by_likeness(question.whole, ranked, likeness)
    return evidence, ask, ranked


def unheard(result: SearchResult) -> list[str]:
    """The question's words that no document searched has, but those that name a document."""
    beside = [name for each in result.plan.question.not_asked for name in each.documents]
    names = {*(hit.document.name for hit in result.hits), *beside}
    return [word for word in result.missing if not any(_is_within(word, name) for name in names)]


def _is_within(word: str, file_name: str) -> bool:
    """Whether a file name has the word, if run together with others ("Vault", "SteelVaultCorp")."""
    letters, whole = (re.sub(r"[\W_]", "", each.casefold()) for each in (word, file_name))
    return _is_named(word, file_name) or (len(letters) >= _SHORTEST_NAME and letters in whole)


def nothing_found(
    evidence: Sequence[Evidence],
    *,
    missing: Sequence[str] = (),
    not_asked: Sequence[NotAsked] = (),
) -> Answer:
    """The answer that there is none, with the nearest passages and their pages.

    ``missing`` are the question's words that no document searched has; ``not_asked`` is what it
    names that was not searched.
    """
    said = " ".join(filter(None, (NOT_FOUND, left_out(not_asked), unmentioned(missing))))
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
    ranked: Sequence[Quote],
    ask: Ask,
    result: SearchResult,
    floor: float,
    likeliest: float | None,
) -> Sequence[Quote]:
    """What may be quoted: of the documents named where that answers, else of all, or nothing.

    What other documents say of the like was not asked. Where none is named by its file name or
    title, those are that speak of whom the question names.
    """
    names, named = _names(result), result.plan.question.documents
    spoken = [(hit.document.id, _spoken_of(names, hit)) for hit in result.hits]
    asked_of = named or (() if ask.several else _speaking_of_most(spoken))
    own = [each for each in ranked if each.piece.hit.document.id in asked_of]
    of_whom = (own, ranked)
    quotable = next((e for e in of_whom if _answers(e, ask, result, floor, likeliest)), ())
    return [quote for quote in quotable if not _is_blank(quote, ask)]


def _is_blank(quote: Quote, ask: Ask) -> bool:
    """Whether a row has nothing but dashes under what is asked for."""
    if quote.row is None or not quote.row.entries:
        return False
    entries = asked_entries(quote.row.entries, ask)
    return not any(any(map(str.isalnum, entry.text)) for entry in entries)


def _is_of_others(result: SearchResult) -> bool:
    """Whether nothing that was found speaks of whom or what the question names.

    What is said of one company is no answer on another.
    """
    names, question = _names(result), result.plan.question
    spoken = ((hit.document.id, _spoken_of(names, hit)) for hit in result.hits)
    if names and not any(told or document_id in question.documents for document_id, told in spoken):
        return True
    return bool(question.not_asked) and not question.documents and not _is_spoken_of(result)


def _answers(
    ranked: Sequence[Quote],
    ask: Ask,
    result: SearchResult,
    floor: float,
    likeliest: float | None,
) -> bool:
    """Whether something likely answers, or has some of the topic's words and may; of several things
    asked for, or where nothing was judged, enough of its words for how near it is."""
    if not ranked:
        return False
    if ask.several and not ask.stems:
        return True
    best = ranked[:MAX_QUOTES]
    held = max(topic_coverage(quote, ask) for quote in best)
    if likeliest is not None and not ask.several:
        return likeliest >= (_MAY if held >= _SOME else CERTAIN)
    alike = max(quote.likeness for quote in best)
    near = ask.several or alike >= _ALIKE or _best_cosine(result) >= _NEAR * floor
    return held >= (_NEAR_FLOOR if near else _FAR_FLOOR)


def _names(result: SearchResult) -> list[str]:
    """The names in a question: words with a capital, no abbreviations and months."""
    opening = result.plan.question.whole.split()[:1]
    words = [word for word in result.plan.question.about if _is_name(word) and not word.isupper()]
    return [word for word in words if not says_only_when(word) and [word] != opening]


def _is_spoken_of(result: SearchResult) -> bool:
    """Whether some passage has a name that is of a document not asked."""
    names = [each.said.casefold() for each in result.plan.question.not_asked]
    texts = (hit.chunk.text.casefold() for hit in result.hits)
    return any(name in text for text in texts for name in names)


def _unspoken(result: SearchResult) -> str:
    """That none of the passages found has a name of the question, "" where each has one.

    Those that no document has, or that name a document, are told elsewhere.
    """
    told = {*result.missing, *_words_not_asked(result)}
    names = [name for name in _names(result) if name not in told]
    spoken = set[str]().union(*(_spoken_of(names, hit) for hit in result.hits))
    return unmentioned([name for name in names if name not in spoken], by="passage found")


def _words_not_asked(result: SearchResult) -> set[str]:
    return {word for each in result.plan.question.not_asked for word in each.said.split()}


def _speaking_of_most(spoken: Sequence[tuple[str, set[str]]]) -> list[str]:
    """The ids of the documents that speak of most of the question's names, of none for none."""
    told: dict[str, set[str]] = {}
    for document_id, own in spoken:
        told.setdefault(document_id, set()).update(own)
    most = max(map(len, told.values()), default=0)
    return [key for key, own in told.items() if most and len(own) == most]


def _spoken_of(names: Sequence[str], hit: Hit) -> set[str]:
    """Those of the names that the passage, or what is known of its document, has."""
    document = hit.document
    known = f"{document.title} {document.description} {hit.chunk.embedded_text}"
    words = set(content_words(known)) if names else set()
    own = hit.document.name
    return {name for name in names if _is_named(name, own) or set(content_words(name)) <= words}


def _is_named(name: str, file_name: str) -> bool:
    """Whether a document's file name has the name, if only as the beginning of a longer one."""
    letters = re.sub(r"[\W_]", "", name.casefold())
    words = name_in_words(file_name).casefold().split()
    return letters in words or (
        len(letters) >= _SHORTEST_BEGINNING and any(word.startswith(letters) for word in words)
    )


def _is_name(word: str) -> bool:
    """A word with a capital; of fewer letters it is rather an abbreviation ("IP")."""
    return word != word.lower() and len(word) >= _SHORTEST_NAME


def choose(ranked: Sequence[Quote], ask: Ask) -> list[Quote]:
    """At most five quotes that add to one another; over several documents one of each first.

    After each choice the words it holds weigh less, so that what else was asked gets its turn. What
    is added are rows, items and whole sentences: lines of a cover or a signature add nothing.
    """
    chosen = _best_of_each_document(ranked, ask) if ask.several else list(ranked[:1])
    limit = max(MAX_QUOTES, len(chosen))
    pool = [quote for quote in ranked[:_POOL] if quote not in chosen and _adds(quote)]
    floor = _KEEP * ranked[0].score if ranked else 0.0
    while pool and len(chosen) < limit:
        rest = _still_asked(ask, chosen)
        best = max(pool, key=lambda quote: quote.score - _SAID * _heard(quote, ask, rest))
        pool.remove(best)
        if best.score < floor:
            continue
        if not any(_says_the_same(best, other) for other in chosen):
            chosen.append(best)
    return chosen


def _adds(quote: Quote) -> bool:
    item = quote.piece.hit.chunk.blocks[quote.first - 1].kind == "list"
    return quote.row is not None or item or is_whole(quote.text)


def _still_asked(ask: Ask, chosen: Sequence[Quote]) -> Ask:
    """The question without the words that the chosen quotes hold."""
    held = {word for word in ask.stems if any(holds(quote, word) for quote in chosen)}
    weights = {word: 0.0 if word in held else w for word, w in ask.weights.items()}
    return replace(ask, weights=weights)


def _heard(quote: Quote, ask: Ask, rest: Ask) -> float:
    """The share of the question that the quote holds and the chosen ones hold already."""
    total = sum(ask.weights.values()) or 1.0
    left = sum(w for word, w in rest.weights.items() if holds(quote, word))
    return sum(w for word, w in ask.weights.items() if holds(quote, word)) / total - left / total


def _best_of_each_document(ranked: Sequence[Quote], ask: Ask) -> list[Quote]:
    """Each document's best quote, of the documents that speak of the topic about as much."""
    best: dict[str, Quote] = {}
    for quote in ranked:
        best.setdefault(quote.piece.hit.document.id, quote)
    held = {key: coverage(quote, ask) for key, quote in best.items()}
    enough = _SHARE_OF_BEST * max(held.values(), default=0.0)
    alike = _SHARE_OF_BEST * max((quote.likeness for quote in best.values()), default=0.0)
    return [quote for key, quote in best.items() if held[key] >= enough and quote.likeness >= alike]


def _says_the_same(one: Quote, other: Quote) -> bool:
    if one.piece.hit.document.id != other.piece.hit.document.id:
        return False
    if one.text in other.text or other.text in one.text:
        return True
    if _figures(one.text) != _figures(other.text):
        return False
    mine, theirs = set(one.stems), set(other.stems)
    return len(mine & theirs) >= 0.8 * min(len(mine), len(theirs))


def _figures(text: str) -> set[str]:
    return set(re.findall(r"\d[\d,.]*", text))


def complete(chosen: Sequence[Quote], quotes: Sequence[Quote]) -> list[Quote]:
    """The chosen quotes, made fit to be read: lists whole, sentences that belong together joined.

    A sentence that leads in a list brings its items; one that leads in a table is dropped where
    other quotes stay. A short first sentence brings the one after it, one that leans on what was
    said before ("No other …") the one before.
    """
    at = {(quote.piece.label, quote.place): quote for quote in quotes}
    taken = {(quote.piece.label, quote.place) for quote in chosen}
    whole: list[Quote] = []
    for number, quote in enumerate(chosen):
        following = at.get((quote.piece.label, quote.place + 1))
        if quote.text.endswith(":") and following and following.row and len(chosen) > 1:
            continue
        before = at.get((quote.piece.label, quote.place - 1))
        if before and _key(before) not in taken and _leans_on(quote, before):
            whole.append(before)
        whole.append(quote)
        if quote.text.endswith(":"):
            whole += [item for item in _items(quote, at) if _key(item) not in taken]
        elif number == 0 and following and _key(following) not in taken:
            whole += [following] if _is_short_pair(quote, following) else []
    return _joined(whole)


def _key(quote: Quote) -> tuple[str, int]:
    return quote.piece.label, quote.place


def _items(lead: Quote, at: Mapping[tuple[str, int], Quote]) -> list[Quote]:
    """The list items right after a sentence that leads them in, at most eight."""
    items: list[Quote] = []
    for step in range(1, MAX_LIST_ITEMS + 1):
        item = at.get((lead.piece.label, lead.place + step))
        if item is None or item.piece.hit.chunk.blocks[item.first - 1].kind != "list":
            break
        items.append(item)
    return items


def _is_short_pair(quote: Quote, following: Quote) -> bool:
    together = len(quote.text) + len(following.text)
    return quote.row is None and follows_on(following, quote) and together <= MAX_PAIR_CHARS


def _leans_on(quote: Quote, before: Quote) -> bool:
    together = len(before.text) + len(quote.text)
    return refers_back(quote) and follows_on(quote, before) and together <= MAX_PAIR_CHARS


def _joined(quotes: Sequence[Quote]) -> list[Quote]:
    """Sentences that follow one another as one quote, where the first of them stood."""
    whole: list[Quote] = []
    for quote in quotes:
        for at, other in enumerate(whole):
            if follows_on(quote, other):
                whole[at] = joined(other, quote)
                break
            if follows_on(other, quote):
                whole[at] = joined(quote, other)
                break
        else:
            whole.append(quote)
    return whole


# Writing


def write(quotes: Sequence[Quote], ask: Ask) -> str:
    """The answer's text: what answers best first, then what else does, each with its marker.

    With the first are those that tell another part of what is asked ("landlord and tenant").
    """
    if len({quote.piece.hit.document.id for quote in quotes}) > 1:
        return _by_document(quotes, ask)
    together = _together(quotes, ask)
    lines = _lines(quotes, ask)
    first = lines[0] if together == 1 else _bullets(lines[:together])
    if together == len(lines):
        return first
    also = "" if quotes[0].text.endswith(":") else f"{ALSO}\n"  # a list follows what leads it in
    return f"{first}\n\n{also}{_bullets(lines[together:])}"


def _together(quotes: Sequence[Quote], ask: Ask) -> int:
    """How many of the first quotes each hold a word of the question that none before them does;
    all where several things are asked for."""
    if ask.several:
        return len(quotes)
    for count in range(1, len(quotes)):
        rest = _still_asked(ask, quotes[:count])
        if not any(weight and holds(quotes[count], word) for word, weight in rest.weights.items()):
            return count
    return len(quotes)


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _by_document(quotes: Sequence[Quote], ask: Ask) -> str:
    documents = {quote.piece.hit.document.name: quote.piece.hit.document for quote in quotes}
    in_order = _in_time(list(documents.values())) if ask.several else documents.values()
    parts = {
        each.name: [quote for quote in quotes if quote.piece.hit.document.name == each.name]
        for each in in_order
    }
    return "\n\n".join(
        f"{title}:\n{_bullets(_lines(own, ask))}"
        for title, own in zip(_titles(parts), parts.values(), strict=True)
    )


def _in_time(documents: Sequence[Document]) -> Sequence[Document]:
    """The documents by the time that each is of; as they are where one does not tell its own."""
    ends = {each.id: _end(each) for each in documents}
    return sorted(documents, key=lambda each: ends[each.id]) if all(ends.values()) else documents


def _end(document: Document) -> tuple[int, ...]:
    told = periods_in(document.description) or periods_in(name_in_words(document.name))
    return told[0].end if told else ()


def _titles(names: Collection[str]) -> Collection[str]:
    """What files are called in an answer; by their full names where these alone differ."""
    spoken = [spoken_name(name) for name in names]
    return names if len(set(spoken)) < len(spoken) else spoken


def _lines(quotes: Sequence[Quote], ask: Ask) -> list[str]:
    return [figure_line(each, ask, named=_needs_name(each, quotes)) for each in quotes]


def _needs_name(quote: Quote, quotes: Sequence[Quote]) -> bool:
    """Whether a row's label alone does not tell what it is: only when, or what others are too."""
    label = quote.row.label if quote.row else ""
    others = (other.row.label for other in quotes if other.row and other.over != quote.over)
    return says_only_when(label) or label.casefold() in {other.casefold() for other in others}


def figure_line(quote: Quote, ask: Ask, *, named: bool = False) -> str:
    """A table row as "label, column: cell", of the periods asked for or else all of them.

    ``named`` puts what the table is of before it.
    """
    row = quote.row
    if row is None or not row.entries:
        return f"{quoted(quote.text)} {quote.marker}"
    asked = asked_entries(row.entries, ask)
    entries = asked[: MAX_CELLS if len(asked) < len(row.entries) else MAX_ALL_CELLS]
    scale = scale_text(max(entry.scale for entry in entries))
    label = row.label.rstrip(" :.,")
    over = quote.over.rstrip(" :.,") if named else ""
    label = BELOW.join(filter(None, (over, label)))
    if len(row.entries) == 1 and not any(c.isdigit() for c in entries[0].header):
        return f"{label}: {entries[0].text}{scale} {quote.marker}"
    if len(entries) == 1 and entries[0].header:
        return f"{label}, {entries[0].header}: {entries[0].text}{scale} {quote.marker}"
    cells = "; ".join(map(_cell, entries))
    cells += "; …" if len(entries) < len(asked) else ""
    return f"{label}{scale} — {cells} {quote.marker}" if label else f"{cells}{scale} {quote.marker}"


def _cell(entry: Entry) -> str:
    """A figure with its column's name; words say what they are."""
    named = entry.header and any(map(str.isdigit, entry.text))
    return f"{entry.header}: {entry.text}" if named else entry.text


def asked_entries(entries: Sequence[Entry], ask: Ask) -> Sequence[Entry]:
    """The entries under the days or years the question names, or all where none is named or met.

    Of these those of the length of time asked for; where no column is of it and a year stands
    over several, those of three months if a quarter was asked for, else of the longer period.
    """
    asked = [e for e in entries if ask.dates & full_dates(e.header)]
    asked = asked or [e for e in entries if set(ask.years) & set(MENTIONS_YEAR.findall(e.header))]
    if of_length := [e for e in asked or entries if ask.months in months_named(e.header)]:
        return named_columns(of_length, ask)
    if not asked:
        return named_columns(entries, ask)
    quarters = [e for e in asked if re.search(r"three months|quarter|\bq[1-4]\b", e.header, re.I)]
    longer = [e for e in asked if e not in quarters]
    kept = quarters if ask.quarterly else longer
    return named_columns(kept or asked, ask)
