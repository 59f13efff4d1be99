"""Quotes in the order of how likely they answer, and how near to the question they are; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from docqa.answer.findings.asked import Ask
from docqa.answer.findings.features import has_word, is_spelt_out, log_odds
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.quotes import Quote
from docqa.language.periods import years_named
from docqa.language.words import content_words

# Log odds for all of the question's words, and for all of its meaning (a cosine of 1).
_WORDS, _MEANING = 2.0, 2.0
_UNASKED = 0.25  # of a chance that is left to what is of another time or measure
_LEAST = 0.001  # a chance below which one is as good as another
# Of a question's word by where a quote has it, if not in itself or in its document's name.
_CONTEXT = 0.6  # in the headings or column headers only
_TITLE = 0.8  # in the nearest heading
_SYNONYM = 0.8
_TOTAL = frozenset(content_words("total"))
_OPPOSITES = tuple(
    tuple(content_words(pair))
    for pair in ("gross net", "basic diluted", "opening closing", "minimum maximum")
)


def likeliest_first(quotes: Iterable[Quote], judged: Iterable[Judged], ask: Ask) -> list[Quote]:
    """The quotes with the chances that they answer, the best first: by the log odds of these, the
    words of the question that they have, and their cosine to it. Ties stay in order.

    A list's item is quoted whole and judged sentence by sentence: its chance is the best of them.
    The judge hardly sees that a row is of another year than is asked for, the net figure where the
    gross one is, the total of something else, of another than a row is whose name is asked for, or
    called as the row is that is asked for ("Two-bed, Rent", beside "Two-bed, Private"): such quotes
    come after others.
    """
    at = {each.candidate.key: each for each in judged}
    quotes = list(quotes)
    of_year = any(ask.years and years_of(quote).intersection(ask.years) for quote in quotes)
    named = {_name_of(quote) for quote in quotes if _sets_apart(quote) & {*ask.stems}}
    rows = quotes if ask.names else []
    whose = {name for quote in rows for name in ask.names & _called(quote)}
    scored: list[tuple[float, Quote]] = []
    for quote in quotes:
        own = [at[part.key] for part in quote.parts if part.key in at]
        chance = max((each.chance for each in own), default=0.0)
        other = _is_opposite(quote, ask) or _is_other_total(quote, ask)
        other = other or (_name_of(quote) in named and not _sets_apart(quote) & {*ask.stems})
        other = other or (bool(whose) and whose.isdisjoint(_spoken_of(quote)))
        unasked = other or (of_year and is_of_other_years(quote, ask))
        chance *= _UNASKED if unasked else 1.0
        cosine = max((each.cosine for each in own), default=0.0)
        odds = log_odds(chance, _LEAST) + _WORDS * coverage(quote, ask) + _MEANING * cosine
        scored.append((odds, replace(quote, chance=chance)))
    return [quote for _, quote in sorted(scored, key=lambda each: -each[0])]


def years_of(quote: Quote) -> frozenset[int]:
    """The years that a row's columns are of by their heads, else those that it is of itself: of the
    balances it stands between, or of a group over it; else those of its table."""
    heads = " ".join(entry.header for entry in quote.row.entries) if quote.row else ""
    row = quote.parts[0].row
    if (found := years_named(heads)) or row is None:
        return found
    own = years_named(str(row.period.year or "")) or years_named(" ".join(row.path))
    table = quote.parts[0].table
    return own or frozenset(
        c.period.year for c in (table.columns if table else ()) if c.period.year
    )


def is_of_other_years(quote: Quote, ask: Ask) -> bool:
    """Whether a row or its columns are of other years than those asked for, as is what it says."""
    told = years_of(quote)
    return bool(told) and ask.years.isdisjoint(told | years_named(f"{quote.text} {quote.over}"))


def _name_of(quote: Quote) -> tuple[str, int, str] | None:
    """The table and the label of a row, which others of it may have too; None of a sentence."""
    table, row = quote.parts[0].table, quote.parts[0].row
    return (table.document_id, table.number, row.label) if table and row else None


def _called(quote: Quote) -> frozenset[str]:
    """The stems of what a row is called, and of the groups it stands in; none of a sentence."""
    row = quote.parts[0].row
    return frozenset(content_words(" ".join((row.label, *row.path)))) if row else frozenset()


def _spoken_of(quote: Quote) -> frozenset[str]:
    """The stems of a quote, and of all that stands over it."""
    return frozenset(quote.stems) | quote.context | quote.title | quote.identity | _called(quote)


def _sets_apart(quote: Quote) -> frozenset[str]:
    """The stems that tell a row from those of its name."""
    label = quote.parts[0].row.label if quote.parts[0].row else ""
    told = quote.row.label if quote.row else ""
    return frozenset(content_words(told)) - frozenset(content_words(label))


def _is_opposite(quote: Quote, ask: Ask) -> bool:
    """Whether a row says of itself the opposite of what is asked, as "net" where "gross" is."""
    return quote.row is not None and any(
        one in ask.stems and other in quote.stems and one not in quote.stems
        for pair in _OPPOSITES
        for one, other in (pair, pair[::-1])
    )


def _is_other_total(quote: Quote, ask: Ask) -> bool:
    """Whether a row is called a total alone, and nothing around it says that of what is asked."""
    if quote.row is None or set(content_words(quote.row.label)) != _TOTAL:
        return False
    topic = [word for word in ask.stems if word not in _TOTAL | quote.identity]
    return bool(topic) and not any(has_word(quote.context, word) for word in topic)


def coverage(quote: Quote, ask: Ask) -> float:
    """The weighted share of the question's words in the quote or, for less, around it."""
    return _share(quote, ask.weights, of_none=0.0)


def topic_coverage(quote: Quote, ask: Ask) -> float:
    """`coverage` of the words that do not merely name the quote's document."""
    topic = {word: w for word, w in ask.weights.items() if word not in quote.identity}
    return _share(quote, topic, of_none=1.0)


def _share(quote: Quote, weights: Mapping[str, float], *, of_none: float) -> float:
    total = sum(weights.values())
    held = sum(weight * _held(word, quote) for word, weight in weights.items())
    return held / total if total else of_none


def holds(quote: Quote, word: str) -> bool:
    """Whether the quote itself holds the word, one that means the same, or it spelt out."""
    return has_word(quote.stems, word)


def _held(word: str, quote: Quote) -> float:
    if word in quote.stems or word in quote.identity or is_spelt_out(quote.stems, word):
        return 1.0
    if holds(quote, word):
        return 1.0 if word in quote.title else _SYNONYM
    if word in quote.title:
        return _TITLE
    return _CONTEXT if word in quote.context else 0.0
