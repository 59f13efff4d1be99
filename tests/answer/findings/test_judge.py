"""What the networks read of each candidate."""

from collections.abc import Sequence

from docqa.answer.findings.candidates import candidates
from docqa.answer.findings.judge import heard, nearest
from docqa.types.search import Hit
from tests.answer.findings.judged import networks
from tests.answer.passages import asked, block, evidence_of, hit, row

RETURNS = hit(
    block("Performance to April 30, 2025 (%)", 2, "caption"),
    row(
        "", "Cumulative 1y", "Cumulative 3y", "Annualised 3y", "Annualised 5y", page=2, header=True
    ),
    row("Fund", "9.1", "20.2", "6.3", "5.8", page=2),
    row("Benchmark", "8.4", "18.9", "5.9", "5.1", page=2),
)
YEARS = hit(
    row("", "2025", "2024", "2023", page=2, header=True),
    row("Catering", "1,204", "1,180", "1,101", page=2),
)


def read_of(passage: Hit, question: str) -> tuple[list[str], Sequence[float]]:
    """All texts that are read, and the score of each candidate."""
    texts: list[str] = []

    def reads(question: str, given: Sequence[str]) -> Sequence[float]:
        texts.extend(given)
        return networks().reads(question, given)

    pool = candidates(evidence_of(passage))
    scores = heard(asked(question), pool, reads)
    return texts, scores


def test_a_row_is_also_read_under_the_column_asked_for_alone() -> None:
    question = "fund's 3y annualised return"
    texts, scores = read_of(RETURNS, question)
    fund = "Performance to April 30, 2025 (%). Fund: "
    whole, alone = dict.fromkeys(text for text in texts if text.startswith(fund))
    assert alone == f"{fund}Annualised 3y"
    assert scores[0] > networks().reads(question, [whole])[0]


def test_columns_told_apart_by_their_time_alone_are_read_together() -> None:
    texts, _ = read_of(YEARS, "What was catering in 2024?")
    assert {text.partition(": ")[2] for text in texts} == {"2025; 2024; 2023"}


def test_the_reranker_reads_those_nearest_to_the_question_in_their_order() -> None:
    beside = [f"The {part} was painted in {1950 + part}." for part in range(40)]
    rent = ["The rent is 40 a year.", "It is paid on the first day of each quarter."]
    pool = candidates(evidence_of(hit(*beside[:20], *rent, *beside[20:])))
    near, cosines = nearest(asked("What is the rent, and when is it paid?"), pool, networks(), 4)
    assert [each for each in pool if each in near] == near
    assert len(near) == len(cosines) == 4
    assert set(rent) <= {each.text for each in near}
