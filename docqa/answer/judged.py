"""How well answers hold: their citations, their figures, and what they decline to answer."""

import statistics
from collections.abc import Sequence
from decimal import Decimal

from docqa.types.answer import Answer
from docqa.types.evaluation import AnswerEvaluation, GoldQuestion, JudgedAnswer, Rate


def judge(asked: GoldQuestion, answer: Answer) -> JudgedAnswer:
    """An answer beside what is known of its question; raises nothing."""
    checked = [each.verified for each in answer.citations if each.verified != "near"]
    results = [each.result for each in answer.checks if each.result != "in question"]
    pages = {(name, page) for name, known in asked.sources.items() for page in known}
    cited = {(each.document, block.page) for each in answer.citations for block in each.blocks}
    return JudgedAnswer(
        asked=asked,
        text=answer.text,
        held=Rate(checked.count("verified"), len(checked)),
        supported=Rate(len(results) - results.count("not supported"), len(results)),
        abstained=not answer.found or answer.likely,
        right_page=bool(pages & cited),
        seconds=answer.seconds,
    )


def summed_up(
    answers: Sequence[tuple[GoldQuestion, Answer]], skipped: Sequence[str]
) -> AnswerEvaluation:
    """The figures over all answers, with sentences on the questions that have none."""
    judged = tuple(judge(*each) for each in answers)
    answerable = [each for each in judged if each.asked.answerable]
    paged = [each for each in answerable if any(each.asked.sources.values())]
    absent = [each for each in judged if not each.asked.answerable]
    costs = [answer.usage.cost_usd for _, answer in answers]
    known = [cost for cost in costs if cost is not None]
    return AnswerEvaluation(
        answerer=answers[0][1].answerer if answers else "",
        judged=judged,
        held=_together([each.held for each in judged]),
        supported=_together([each.supported for each in judged]),
        right_pages=Rate(sum(each.right_page for each in paged), len(paged)),
        answered=Rate(sum(not each.abstained for each in answerable), len(answerable)),
        abstained=Rate(sum(each.abstained for each in absent), len(absent)),
        median_seconds=statistics.median(each.seconds for each in judged) if judged else 0.0,
        tokens=sum(answer.usage.tokens for _, answer in answers),
        cost_usd=sum(known, Decimal(0)) if known else None,
        skipped=tuple(skipped),
    )


def _together(rates: Sequence[Rate]) -> Rate:
    return Rate(sum(each.hits for each in rates), sum(each.n for each in rates))
