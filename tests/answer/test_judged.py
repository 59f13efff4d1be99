"""Answers to questions whose right pages are known, counted."""

from decimal import Decimal

import pytest

from docqa.answer.judged import judge, summed_up
from docqa.types.answer import Answer, Check, CheckResult, Citation, Usage, Verdict
from docqa.types.document import Block, Box
from docqa.types.evaluation import GoldQuestion, Rate

RENT = GoldQuestion("What is the rent?", {"Lease.pdf": (2,)})
UNPAGED = GoldQuestion("What is the term?", {"Lease.pdf": ()})
MOONS = GoldQuestion("How many moons has Saturn?", answerable=False)


def cited(page: int, verified: Verdict) -> Citation:
    block = Block("The rent is $5.", page, Box(72, 100, 540, 120))
    return Citation("S1", "d", "Lease.pdf", page, block.text, (block,), verified)


def checked(result: CheckResult) -> Check:
    return Check("figure", "$5", 0, 2, result)


def answered(page: int = 2, cost: str = "0.10") -> Answer:
    citations = (cited(page, "verified"), cited(3, "not found"), cited(1, "near"))
    checks = (checked("stands"), checked("not supported"), checked("in question"))
    usage = Usage(input_tokens=90, output_tokens=10, cost_usd=Decimal(cost))
    return Answer("$5 [S1].", "claude", citations, usage=usage, checks=checks, seconds=2.0)


def test_what_was_not_checked_counts_for_nothing() -> None:
    judged = judge(RENT, answered())
    assert (judged.held, judged.supported) == (Rate(1, 2), Rate(1, 2))
    assert (judged.right_page, judged.abstained, judged.seconds) == (True, False, 2.0)
    assert not judge(RENT, answered(page=4)).right_page


@pytest.mark.parametrize("answer", [Answer("", "x", found=False), Answer("", "x", likely=True)])
def test_an_answer_that_states_nothing_outright_abstains(answer: Answer) -> None:
    assert judge(MOONS, answer).abstained


def test_figures_count_citations_over_all_answers_and_questions_by_what_is_known() -> None:
    declined = Answer("Not found.", "claude", found=False, seconds=4.0)
    found = summed_up(
        [(RENT, answered()), (UNPAGED, declined), (MOONS, declined), (MOONS, answered())], ["One."]
    )
    assert found.answerer == "claude"
    assert (found.held, found.supported) == (Rate(2, 4), Rate(2, 4))
    assert (found.right_pages, found.answered) == (Rate(1, 1), Rate(1, 2))
    assert found.abstained == Rate(1, 2)
    assert (found.tokens, found.cost_usd, found.median_seconds) == (200, Decimal("0.20"), 3.0)
    assert found.skipped == ("One.",)


def test_nothing_answered_has_no_price() -> None:
    found = summed_up([], ["None was asked."])
    assert (found.judged, found.cost_usd, found.answered.n) == ((), None, 0)
