"""How well a piece of evidence answers a question, without a model; pure.

The score is the share of the question's words the piece holds, weighted by how rare they are in
the evidence (inverse document frequency, Spärck Jones 1972), with smaller weights for a figure
asked for, for the period asked for, and for the rank of the passage. The best by these are
weighed by their likeness in meaning to the question too, and by the chance that they answer.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docqa.answer.findings.asked import MENTIONS_YEAR, Ask, has_figure
from docqa.answer.findings.features import NEAR, SPELT_OUT, is_said, is_spelt_out
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.line_items import other_names
from docqa.answer.findings.quotes import Quote
from docqa.language.periods import months_named
from docqa.language.words import content_words, stem
from docqa.types.answer import Evidence
from docqa.types.events import Likeness

_OPTIONAL = re.compile(r"\b(?:may(?! \d)|option|right|entitled) ", re.IGNORECASE)
# Weights, chosen on the development questions; a score is 0 to about 2.
_ENDS = (".", "!", "?", ":", ";", "”", '"', ")")
_JUDGED = 0.5  # of the best score, for the whole of the chance that a quote answers
_CONTEXT = 0.6  # a question word in the headings or column headers only
_TITLE = 0.8  # in the nearest heading
_SYNONYM = 0.8
_OPTION = 1.0  # less for what may be done at a time, where it is asked when something happens
_FIGURE = 0.2  # has a figure, where one is asked for
_BESIDE = 0.15  # a figure stands right beside a question word
_HEAD = 0.3  # a figure stands beside what is counted
_LABEL = 0.35  # a table row's label is made of question words
_PERIOD = 0.15  # is for the year asked for; as much less when for other years only
_SHORTER = 0.5  # less for a quarter's figures when a year's are asked for and there
_RANK = 0.3  # the first passage over the last
_LIKENESS = 1.5  # times the cosine of question and quote
_WEIGHED = 32  # quotes compared in meaning: beyond them hit@1 does not rise, and each takes time
_WEIGHED_OF_EACH = 8  # of each document, at the least


def by_likeness(question: str, ranked: Sequence[Quote], likeness: Likeness) -> list[Quote]:
    """The best of ``ranked`` in the order of their scores and their likeness to the question.

    The others stay behind them, their order unchanged.
    """
    best = list(_first_of_each(ranked))
    cosines = likeness(question, [quote.spoken for quote in best])
    weighed = [
        replace(quote, score=quote.score + _LIKENESS * cosine, likeness=cosine)
        for quote, cosine in zip(best, map(float, cosines), strict=True)
    ]
    taken = {(quote.piece.label, quote.place) for quote in best}
    others = [quote for quote in ranked if (quote.piece.label, quote.place) not in taken]
    return sorted(weighed, key=lambda quote: -quote.score) + others


def by_judgement(ranked: Sequence[Quote], judged: Sequence[Judged]) -> list[Quote]:
    """``ranked`` in the order of their scores and of the chance that each answers.

    Lines that are no sentences, as on a cover, are likely by their words alone: none for them.
    """
    told = [j for j in judged if j.candidate.row or is_whole(j.candidate.text)]
    chances = {(j.candidate.piece.label, j.candidate.text): j.chance for j in told}
    best = max((quote.score for quote in ranked), default=0.0)
    weighed = [
        replace(quote, score=quote.score + _JUDGED * best * chance, chance=chance)
        for quote in ranked
        for chance in [chances.get(_key(quote), 0.0)]
    ]
    return sorted(weighed, key=lambda quote: -quote.score)


def is_whole(text: str) -> bool:
    """Whether a text ends as a sentence does, and not as a line of a cover."""
    return text.rstrip().endswith(_ENDS)


def _key(quote: Quote) -> tuple[str, str]:
    return quote.piece.label, quote.text


def _first_of_each(ranked: Sequence[Quote]) -> Iterator[Quote]:
    seen: Counter[str] = Counter()
    for place, quote in enumerate(ranked):
        seen[quote.piece.hit.document.id] += 1
        if place < _WEIGHED or seen[quote.piece.hit.document.id] <= _WEIGHED_OF_EACH:
            yield quote


def rank(quotes: Sequence[Quote], ask: Ask, evidence: Sequence[Evidence]) -> list[Quote]:
    """The quotes with their scores, best first; ties keep the order of the evidence."""
    last = max(1, len(evidence) - 1)
    places = {piece.label: index / last for index, piece in enumerate(evidence)}
    scored = [
        replace(quote, score=score(quote, ask) + _RANK * (1 - places[quote.piece.label]))
        for quote in quotes
        if quote.stems
    ]
    return sorted(scored, key=lambda quote: -quote.score)


def score(quote: Quote, ask: Ask) -> float:
    """How well a quote answers, passage rank apart; 0 where it shares no word."""
    share = coverage(quote, ask)
    if not share:
        return 0.0
    topic = set(ask.stems) - quote.identity
    figure = _FIGURE * (ask.figure and has_figure(quote.text))
    beside = _BESIDE * _nearness(quote, ask, topic) if ask.figure else 0.0
    beside += _HEAD * _nearness(quote, ask, {ask.head}) if ask.head else 0.0
    label = _LABEL * _label_share(quote, ask) if ask.figure else 0.0
    option = _OPTION * (ask.of_event and _OPTIONAL.search(quote.text) is not None)
    period = _PERIOD * _period(quote, ask) - _SHORTER * _is_of_shorter_time(quote, ask)
    whole = share + figure + beside + label + period - option
    return whole / (1 + max(0, len(quote.text) - 500) / 1000)


def coverage(quote: Quote, ask: Ask) -> float:
    """The weighted share of the question's words in the quote or, for less, around it."""
    total = sum(ask.weights.values())
    held = sum(weight * _held(word, quote) for word, weight in ask.weights.items())
    return held / total if total else 0.0


def topic_coverage(quote: Quote, ask: Ask) -> float:
    """`coverage` of the words that do not merely name the quote's document."""
    topic = {word: w for word, w in ask.weights.items() if word not in quote.identity}
    total = sum(topic.values())
    held = sum(weight * _held(word, quote) for word, weight in topic.items())
    return held / total if total else 1.0


def holds(quote: Quote, word: str) -> bool:
    """Whether the quote itself holds the word, one that means the same, or it spelt out."""
    return is_said(quote.stems, word)


def _held(word: str, quote: Quote) -> float:
    if word in quote.stems or word in quote.identity or is_spelt_out(quote.stems, word):
        return 1.0
    if holds(quote, word):
        return 1.0 if word in quote.title else _SYNONYM
    if word in quote.title:
        return _TITLE
    return _CONTEXT if word in quote.context else 0.0


def _nearness(quote: Quote, ask: Ask, topic: set[str]) -> float:
    """1 where a figure stands next to a word of the topic, falling to 0 with the words between."""
    figures = [i for i, word in enumerate(quote.words) if ask.is_figure(word)]
    if not figures:
        return 0.0
    named = [i for i, word in enumerate(quote.words) if stem(word) in topic]
    gaps = [abs(i - j) for i in named for j in figures if i != j]
    return max(0.0, 1 - (min(gaps) - 1) / 8) if gaps else 0.0


def _label_share(quote: Quote, ask: Ask) -> float:
    """The share of a row's label that the question names, and as much again for the share of
    the question that the label names; 0 where less than seven tenths of the label are named."""
    if quote.row is None or not quote.row.entries:
        return 0.0
    plain = re.sub(r"^(?:less|add|plus)\b\W*", "", quote.row.label, flags=re.IGNORECASE)
    said = [w for w in content_words(plain) if not w.isdigit()]
    own = [w for w in said if w not in quote.identity] or said
    return max(_share_of(label, quote, ask) for label in (own, *other_names(quote.row.label)))


def _share_of(label: Sequence[str], quote: Quote, ask: Ask) -> float:
    asked = set(ask.stems).union(*(SPELT_OUT.get(word, ()) for word in ask.stems))
    named = sum(word in asked or bool(NEAR.get(word, set()) & asked) for word in label)
    share = named / len(label) if label else 0.0
    return share * (1 + _share_named(quote, ask, label)) if share >= 0.7 else 0.0


def _share_named(quote: Quote, ask: Ask, label: Sequence[str]) -> float:
    """The weighted share of the question, its document's name apart, that a label names."""
    topic = {w: weight for w, weight in ask.weights.items() if w not in quote.identity}
    held = sum(weight for word, weight in topic.items() if is_said(label, word))
    return held / (sum(topic.values()) or 1.0)


def _period(quote: Quote, ask: Ask) -> int:
    """1 for a piece of a year asked for, -1 for one of other years only, else 0."""
    years = set(MENTIONS_YEAR.findall(f"{quote.text} {_headers(quote)}"))
    if not ask.years or not years:
        return 0
    return 1 if years & set(ask.years) else -1


def _is_of_shorter_time(quote: Quote, ask: Ask) -> bool:
    """Whether a row's columns are all of shorter times than is asked for."""
    longest = max(months_named(_headers(quote)), default=0)
    return 0 < longest < ask.months


def _headers(quote: Quote) -> str:
    return " ".join(entry.header for entry in quote.row.entries) if quote.row else ""
