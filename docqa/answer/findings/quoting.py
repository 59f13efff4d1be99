"""Which quotes an answer is made of, and how they are written."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import takewhile

from docqa.answer.findings.asked import Ask, full_dates
from docqa.answer.findings.cited import Gathered
from docqa.answer.findings.led_in import APART, leads_in_items, with_items, with_rows
from docqa.answer.findings.line_items import other_names
from docqa.answer.findings.points import MOST
from docqa.answer.findings.quotes import Quote, follows_on, joined, refers_back
from docqa.answer.findings.ranges import tells_time
from docqa.answer.findings.ranking import coverage, holds
from docqa.answer.findings.rows import BELOW, Entry
from docqa.answer.findings.values import DIFFERENCES, of_all_times, scale_text
from docqa.language.amounts import measured_amounts
from docqa.language.periods import (
    days_named,
    in_days,
    months_named,
    periods_in,
    says_only_when,
    years_named,
)
from docqa.language.words import content_words, name_in_words
from docqa.types.document import Document, spoken_name
from docqa.types.phrases import SUB_ITEM, quoted

MAX_QUOTES = 5
_FEWEST = 2  # words of a column that mean it, though it has others
MAX_CELLS = 4  # of one row, of the years asked for
MAX_ALL_CELLS = 9  # of one row where they are told apart by nothing that was asked
MAX_PAIR_CHARS = 400  # of a first sentence and the one after it
ALSO = "Also:"

# Chosen on the development questions.
_KEEP = 0.5  # of the best chance, for a further quote
_KEEP_OF_OTHER = 0.25  # the same of what has words of another thing asked for
_KEEP_OF_TWO = 0.12  # the same where two questions are asked in one
_KEEP_ROW = 0.25  # the same of a row, where a figure is asked of several documents
_OTHER = 0.3  # share of the question's words that are of another thing
_SHARE_OF_BEST = 0.5  # of the best document's share of the words, for another to be quoted
_SAID = 0.1  # off a chance for the share of the question that was answered already
_WORDED = re.compile(r"[^\W\d_]{4}")
_POOL = 60  # quotes to choose from

_ENDS = (".", "!", "?", ":", ";", "”", '"', ")")
_OF_TIME = re.compile(  # in a column's head, and how much it differs from that of another time
    r"\b(?:\w+ (?:months|weeks)|years?|quarters?) ended\b|\b[a-z]{3,9}\.? \d{1,2},?|\d+(?![dmy]\b)"
    r"|\b(?:change|variance|increase|decrease)s?\b|\b(?:millions?|thousands?)\b",
    re.IGNORECASE,
)
_MEANT = frozenset(content_words("actual"))  # which is meant though nobody says so


def choose(ranked: Sequence[Quote], ask: Ask) -> list[Quote]:
    """At most five quotes that add to one another; over several documents one of each first.

    After each choice the words it holds weigh less, so that what else was asked gets its turn. What
    is added are rows, items and whole sentences: lines of a cover or a signature add nothing.
    """
    chosen = _best_of_each_document(ranked, ask) if ask.several else list(ranked[:1])
    limit = max(MAX_QUOTES, len(chosen))
    pool = [quote for quote in ranked[:_POOL] if quote not in chosen and _adds(quote)]
    while pool and len(chosen) < limit:
        rest = _still_asked(ask, chosen)
        best = max(pool, key=lambda quote: quote.chance - _SAID * _heard(quote, ask, rest))
        pool.remove(best)
        if best.chance < _least_kept(best, rest, ask) * ranked[0].chance:
            continue
        if not any(_says_the_same(best, other) for other in chosen):
            chosen.append(best)
    return chosen


def _least_kept(quote: Quote, rest: Ask, ask: Ask) -> float:
    """The share of the best chance from which a further quote is kept."""
    if ask.double:
        return _KEEP_OF_TWO
    return _KEEP_OF_OTHER if _share_held(quote, rest, ask) >= _OTHER else _KEEP


def is_whole(text: str) -> bool:
    """Whether a text ends as a sentence does, and not as a line of a cover."""
    return text.rstrip().endswith(_ENDS)


def _adds(quote: Quote) -> bool:
    return quote.row is not None or quote.block.kind == "list" or is_whole(quote.text)


def _still_asked(ask: Ask, chosen: Sequence[Quote]) -> Ask:
    """The question without the words that the chosen quotes hold."""
    held = {word for word in ask.stems if any(holds(quote, word) for quote in chosen)}
    weights = {word: 0.0 if word in held else w for word, w in ask.weights.items()}
    return replace(ask, weights=weights)


def _heard(quote: Quote, ask: Ask, rest: Ask) -> float:
    """The share of the question that the quote holds and the chosen ones hold already."""
    return _share_held(quote, ask, ask) - _share_held(quote, rest, ask)


def _share_held(quote: Quote, part: Ask, ask: Ask) -> float:
    """The share of the question that the quote holds of a part of it."""
    total = sum(ask.weights.values()) or 1.0
    return sum(w for word, w in part.weights.items() if holds(quote, word)) / total


def _best_of_each_document(ranked: Sequence[Quote], ask: Ask) -> list[Quote]:
    """Each document's best quote, of the documents that speak of the topic about as much.

    A figure is told by rows where there are likely ones, which can be set beside one another.
    """
    best: dict[str, Quote] = {}
    rows: dict[str, Quote] = {}
    for quote in ranked:
        best.setdefault(quote.piece.hit.document.id, quote)
        if quote.row and ask.figure:
            rows.setdefault(quote.piece.hit.document.id, quote)
    for key, row in rows.items():
        if row.chance >= _KEEP_ROW * best[key].chance:
            best[key] = row
    held = {key: coverage(quote, ask) for key, quote in best.items()}
    enough = _SHARE_OF_BEST * max(held.values(), default=0.0)
    return [quote for key, quote in best.items() if held[key] >= enough]


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


def complete(
    chosen: Sequence[Quote], quotes: Sequence[Quote], ask: Ask, gathered: Gathered
) -> list[Quote]:
    """The chosen quotes, made fit to be read: lists whole, sentences that belong together joined.

    A sentence that leads in a list brings its items, which are cited where they stand; one that
    leads in a table brings its rows where it comes first, and is dropped elsewhere. A question in
    the text, as of a transcript, brings its answer. A short first sentence brings the one after it,
    as one without an amount does where that, or else the one before, has the amount asked for; one
    that leans on what was said before ("No other …") the one before.
    """
    at = {_key(quote): quote for quote in quotes}
    taken = set(map(_key, chosen))
    listed = set[tuple[str, int]]()
    whole: list[Quote] = []
    for number, quote in enumerate(chosen):
        if (quote.piece.label, quote.first) in listed:
            continue
        following = at.get((quote.piece.label, quote.place + 1))
        items = with_items(quote, gathered) if leads_in_items(quote) else []
        items = items if len(items) > 1 else with_rows(quote, quotes)
        if items and items[-1].row and number:
            continue
        before = at.get((quote.piece.label, quote.place - 1))
        leans = before and refers_back(quote) and _is_short_pair(before, quote)
        if before and leans and _key(before) not in taken:
            whole.append(before)
        whole.append(quote)
        if items:
            whole[-1:] = items
            listed |= {(item.piece.label, item.first) for item in whole if item.place == APART}
        elif following and quote.text.endswith("?") and not following.row:
            whole += [following] if _key(following) not in taken else []
        elif number == 0:
            near = [q for q in (following, before) if q and _key(q) not in taken and q not in whole]
            amount = next((q for q in near if _has_the_amount(quote, q, ask)), None)
            whole += [q for q in near if q is amount or _is_short_pair(quote, q)]
    return _joined(whole)


def _key(quote: Quote) -> tuple[str, int]:
    return quote.piece.label, quote.place


def _has_the_amount(quote: Quote, beside: Quote, ask: Ask) -> bool:
    """Whether the sentence beside one has the amount that is asked for and that it has not."""
    return (
        ask.figure
        and quote.row is None
        and (follows_on(beside, quote) or follows_on(quote, beside))
        and not measured_amounts(quote.text)
        and any(each.unit for each in measured_amounts(beside.text))
    )


def _is_short_pair(quote: Quote, following: Quote) -> bool:
    together = len(quote.text) + len(following.text)
    return quote.row is None and follows_on(following, quote) and together <= MAX_PAIR_CHARS


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


def write(quotes: Sequence[Quote], ask: Ask) -> str:
    """The answer's text: what answers best first, then what else does, each with its marker.

    With the first are those that tell another part of what is asked ("landlord and tenant").
    """
    if len({quote.piece.hit.document.id for quote in quotes}) > 1:
        return _by_document(quotes, ask)
    lists = _with_items(zip(quotes, _lines(quotes, ask), strict=True))
    together = _together([quote for quote in quotes if quote.place != APART], ask)
    first, also = lists[:together], lists[together:]
    if together == 1:
        line, *items = first[0]
        told = "\n\n".join(filter(None, (line, _bullets([[item] for item in items]))))
    else:
        told = _bullets(first)
    return f"{told}\n\n{ALSO}\n{_bullets(also)}" if also else told


def _with_items(told: Iterable[tuple[Quote, str]]) -> list[list[str]]:
    """The line of each quote with those of the items of the list that it leads in."""
    lists: list[list[str]] = []
    for quote, line in told:
        if quote.place == APART and lists:
            lists[-1].append(line)
        else:
            lists.append([line])
    return lists


def _together(quotes: Sequence[Quote], ask: Ask) -> int:
    """How many of the first quotes each hold a word of the question that none before them does,
    or are of a schedule; all where several things are asked for."""
    if ask.several:
        return len(quotes)
    if scheduled := len(list(takewhile(partial(_is_scheduled_with, quotes[0]), quotes))):
        return scheduled
    for count in range(1, len(quotes)):
        rest = _still_asked(ask, quotes[:count])
        if not any(weight and holds(quotes[count], word) for word, weight in rest.weights.items()):
            return count
    return len(quotes)


def _is_scheduled_with(one: Quote, other: Quote) -> bool:
    """Whether two rows of a passage are told apart by their time alone."""
    rows = one.row and other.row and one.piece.label == other.piece.label
    return bool(rows) and all(tells_time(each.row.label) for each in (one, other) if each.row)


def _bullets(lists: Sequence[Sequence[str]]) -> str:
    lines = (f"\n{SUB_ITEM}".join(own) for own in lists)
    return "\n".join(f"- {line}" for line in lines)


def _by_document(quotes: Sequence[Quote], ask: Ask) -> str:
    documents = {quote.piece.hit.document.name: quote.piece.hit.document for quote in quotes}
    in_order = in_time(list(documents.values())) if ask.several else documents.values()
    parts = {
        each.name: [quote for quote in quotes if quote.piece.hit.document.name == each.name]
        for each in in_order
    }
    return "\n\n".join(
        f"{title}:\n{_bullets(_with_items(zip(own, _lines(own, ask), strict=True)))}"
        for title, own in zip(titles(parts), parts.values(), strict=True)
    )


def in_time(documents: Sequence[Document]) -> Sequence[Document]:
    """The documents by the time that each is of; as they are where one does not tell its own."""
    ends = {each.id: _end(each) for each in documents}
    return sorted(documents, key=lambda each: ends[each.id]) if all(ends.values()) else documents


def _end(document: Document) -> tuple[int, ...]:
    told = periods_in(document.description) or periods_in(name_in_words(document.name))
    return told[0].end if told else ()


def titles(names: Collection[str]) -> Collection[str]:
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

    It is whole where how far figures are apart is asked: one alone would look like the answer.

    ``named`` puts what the table is of before it.
    """
    row = quote.row
    if row is None or not row.entries:
        some = f" – the first {MOST} of {quote.of}:" if quote.of else ""
        return f"{quoted(quote.text)} {quote.marker}{some}"
    whole = ask.apart and not ask.years
    asked = row.entries if whole else asked_entries(row.meant or row.entries, ask)
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
    """A figure or a short mark ("Yes", "☒") with its column's name; words say what they are."""
    named = entry.header and (any(map(str.isdigit, entry.text)) or not _WORDED.search(entry.text))
    return f"{entry.header}: {entry.text}" if named else entry.text


def asked_entries(entries: Sequence[Entry], ask: Ask) -> Sequence[Entry]:
    """The entries under the days or years the question names, or all where none is named or met.

    Of these those of the length of time asked for; where no column is of it and a year stands
    over several, those of three months if a quarter was asked for, else of the longer period.
    """
    asked = _on_dates(entries, ask) or [e for e in entries if ask.years & years_named(e.header)]
    asked = [e for e in asked or entries if in_days(ask.days, days_named(e.header))] or asked
    if of_length := [e for e in asked or entries if ask.months in months_named(e.header)]:
        return named_columns(of_length, ask)
    if not asked:
        named, whole = named_columns(entries, ask), of_all_times([e.header for e in entries])
        if whole is None or ask.several or len(named) < len(entries):
            return named
        return [entries[whole]]
    quarters = [e for e in asked if re.search(r"three months|quarter|\bq[1-4]\b", e.header, re.I)]
    longer = [e for e in asked if e not in quarters]
    kept = quarters if ask.quarterly else longer
    return named_columns(kept or asked, ask)


def _on_dates(entries: Sequence[Entry], ask: Ask) -> list[Entry]:
    """The entries under the dates that a question names in full; none where it names other years or
    days beside them ("at October 31, 2019 and 2018")."""
    years, days = {date[0] for date in ask.dates}, {date[1:] for date in ask.dates}
    if not (ask.years <= years and ask.days <= days):
        return []
    return [e for e in entries if ask.dates & full_dates(e.header)]


def named_columns(entries: Sequence[Entry], ask: Ask) -> Sequence[Entry]:
    """The entries under columns that the question names ("Rigid Packaging"), else all of them.

    Named is what tells a column from all others together, or what no other has, its time apart;
    where no figure is asked for, all are what is asked, unless it says two words of some. Where
    none is named those stand first that alone have a word of the question ("the deposit", of
    a "Security deposit"). The actual figure is meant, not how far it is from another, unless that
    is said.
    """
    if len(entries) < 2:
        return entries
    stems = {*ask.stems}
    said = [_said(entry, stems) for entry in entries]
    often = Counter(word for words in said for word in words)
    others = [other_names(entry.header) for entry in entries]
    for most in (len(entries) - 1, 1) if ask.figure else ():
        own = [{word for word in words if often[word] <= most} for words in said]
        called = [[words, *map(set, names)] for words, names in zip(own, others, strict=True)]
        told = [[words for words in names if words and words <= stems] for names in called]
        every = [words for names in told for words in names]
        whole = [[w for w in names if not any(w < other for other in every)] for names in told]
        if any(whole):
            return [entry for entry, names in zip(entries, whole, strict=True) if names]
    heard = [len(stems & words) for words in said]
    if max(heard) >= _FEWEST:
        return [e for e, count in zip(entries, heard, strict=True) if count == max(heard)]
    if not ask.figure:
        return entries
    alone = {word for word in ask.stems if often[word] == 1}
    in_order = sorted(zip(entries, said, strict=True), key=lambda each: alone.isdisjoint(each[1]))
    return [entry for entry, _ in in_order]


def _said(entry: Entry, stems: Set[str]) -> set[str]:
    """The words of a column's name but for its time; none where it tells how far two others are
    apart, and that is not among the ``stems`` asked for."""
    differs = DIFFERENCES.intersection(content_words(entry.header))
    own = {*content_words(_OF_TIME.sub(" ", entry.header))} - (_MEANT - stems)
    return set() if differs - stems else own and own | differs
