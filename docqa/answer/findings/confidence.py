"""How sure docqa may be that what it would quote first answers.

A chance says how well one row or sentence fits. Less sure is one beside which another fits as well,
and one quoted though the question asks for what it can hardly hold: rows of a list, or a figure to
be worked out, where neither was found.
"""

from collections.abc import Sequence

from docqa.answer.findings.features import log_odds
from docqa.answer.findings.judge import Networks
from docqa.answer.findings.led_in import leads_in_items
from docqa.answer.findings.operations import operation_of
from docqa.answer.findings.quotes import Quote
from docqa.answer.findings.rows_asked import asks_for_rows
from docqa.answer.findings.sums import is_printed
from docqa.types.question import Question

# Log odds that the first quote is right: a logistic regression (Platt, "Probabilistic outputs for
# support vector machines", 1999) on half of 1,330 questions on papers, reports, handbooks and
# contracts; docs/measurements.md has what it is worth on the other half. The weight of rows, and
# with it the base, was lessened when rows were told more surely, so that the rest counts as before.
_BASE = -0.32
_CHANCE, _NEXT = 0.75, -0.24  # for each of the first quote's log odds, and of the next one's
_ROWS, _SUM = -0.4, -1.09  # the same that rows of a list are asked for, and a sum
_COUNTED = "count"  # "How many acres …" may ask for what is printed
_PRINTED = ("change", "share")  # as a row in per cent is, too
_LEAST_ROWS, _LEAST_SUM = -2.0, 0.0  # below which neither is asked for, surely
_LEAST = 0.001  # a chance below which one is as good as another


def confidence(ranked: Sequence[Quote], question: Question, networks: Networks) -> float:
    """The log odds that the first of the quotes answers, as nothing better was found."""
    chances = [log_odds(quote.chance, _LEAST) for quote in ranked[:2]]
    first, following = (*chances, log_odds(0.0, _LEAST))[:2]
    vector = networks.vector(question.whole)
    lists = leads_in_items(ranked[0]) or ranked[0].block.kind == "list"
    rows = _LEAST_ROWS if lists else max(asks_for_rows(question.whole, vector), _LEAST_ROWS)
    operation, chance = operation_of(question.whole, vector)
    printed = operation == _COUNTED or (operation in _PRINTED and "%" in ranked[0].text)
    printed = printed or is_printed(operation, ranked[0].parts[0])
    added = max(log_odds(0.0 if printed else chance), _LEAST_SUM)
    return _BASE + _CHANCE * first + _NEXT * following + _ROWS * rows + _SUM * added
