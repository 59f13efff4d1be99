"""What a rate comes to in money: "0.85 % of the Loan Amount" times the one amount printed of it."""

import re
from collections.abc import Iterator, Sequence

from docqa.answer.evidence import cite
from docqa.answer.findings.candidates import Candidate
from docqa.answer.findings.cited import Source
from docqa.answer.findings.judge import Judged
from docqa.answer.findings.sums import plain
from docqa.language.amounts import SYMBOLS, Amount, measured_amounts
from docqa.types.document import Block
from docqa.types.finding import Finding
from docqa.types.question import Question
from docqa.types.units import is_currency

_IN_MONEY = re.compile(
    r"\b(?:in|how (?:many|much in)) (?:us )?(?:dollars|pounds|euros|sterling|money|cash)\b"
    r"|\b(?:dollar|money|cash) (?:amount|value)\b",
    re.IGNORECASE,
)
_RATE_OF = re.compile(
    r"(?P<rate>\d+(?:\.\d+)?)\s?(?:%|per\s?cent)\s+of\s+(?:the\s+|such\s+)?"
    r"(?P<base>[a-z][\w’'-]*(?:\s+[a-z][\w’'-]*){0,3})",
    re.IGNORECASE,
)
_FEWEST = 2  # words that name one amount
_BETWEEN = 16  # characters between what an amount is called and the amount


def in_money(question: Question, first: Judged, source: Source) -> Finding | None:
    """The rate that most likely answers, times what it is of; None where no money is asked for, or
    the document does not print exactly one amount of that."""
    found = _RATE_OF.search(first.candidate.text) if _IN_MONEY.search(question.topic) else None
    if found is None:
        return None
    for base in _shorter(found["base"]):
        printed = list(_amounts_of(base, source.blocks))
        if len({(amount.value, amount.unit) for _, amount in printed}) != 1:
            continue
        block, amount = printed[0]
        piece = source.add(f"base-{block.index}", (block,))
        rate = measured_amounts(f"{found['rate']}%")[0].value
        result = f"{SYMBOLS.get(amount.unit, f'{amount.unit} ')}{plain(rate * amount.value / 100)}"
        sum_of = f"{found['rate']}% × {amount.text} = {result}"
        markers = f"{first.candidate.marker}[{cite(piece, 1, 1).label}]"
        label = _called(first.candidate)
        text = f"{label}{sum_of} {markers}"
        return Finding("sum", text, first.chance, result, label.strip(" :"))
    return None


def _called(candidate: Candidate) -> str:
    return f"{candidate.row.label.strip(' :')}: " if candidate.row else ""


def _shorter(base: str) -> Iterator[str]:
    """What a rate is of, and its beginnings: where the name of an amount ends, no word tells."""
    words = base.split()
    yield from (" ".join(words[:count]) for count in range(len(words), _FEWEST - 1, -1))


def _amounts_of(base: str, blocks: Sequence[Block]) -> Iterator[tuple[Block, Amount]]:
    """The amounts of money that stand right after what they are called."""
    called = re.compile(rf"\b{re.escape(base)}\b[^\d$£€¥%.;]{{0,{_BETWEEN}}}", re.IGNORECASE)
    for block in blocks:
        ends = {match.end() for match in called.finditer(block.text)}
        for amount in measured_amounts(block.text) if ends else ():
            if is_currency(amount.unit) and amount.start in ends:
                yield block, amount
