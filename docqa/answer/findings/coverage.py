"""How much of a question's words a piece of evidence holds, rare ones weighing more; pure."""

from docqa.answer.findings.asked import Ask
from docqa.answer.findings.features import has_word, is_spelt_out
from docqa.answer.findings.quotes import Quote

_CONTEXT = 0.6  # a question word in the headings or column headers only
_TITLE = 0.8  # in the nearest heading
_SYNONYM = 0.8


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
    return has_word(quote.stems, word)


def _held(word: str, quote: Quote) -> float:
    if word in quote.stems or word in quote.identity or is_spelt_out(quote.stems, word):
        return 1.0
    if holds(quote, word):
        return 1.0 if word in quote.title else _SYNONYM
    if word in quote.title:
        return _TITLE
    return _CONTEXT if word in quote.context else 0.0
