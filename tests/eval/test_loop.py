"""The figures of the loop, on answers whose figures are known; and the loop with its server."""

from docqa.answer.check.verify import verify_answer
from docqa.answer.model.claude import ClaudeAnswerer
from docqa.question.read import read
from docqa.settings import DEFAULTS
from docqa.types.answer import Answer
from tests.answer.passages import NOTHING, Searches, block, document, hit
from tests.eval.extractive import Asked
from tests.eval.loop import Run, quoting, report
from tests.messages_server import MessagesServer

A = document("Lease A.pdf")
RENT = hit(block("The base rent is $25,000 a month.", 4), of=A)
TERM = hit(block("The term is ten years.", 7), of=A, index=1)
QUESTION = "How long is the term?"


def asked(*pages: int) -> Asked:
    return Asked(QUESTION, "ten years", (A.name,), pages)


def test_the_loopback_server_searches_once_and_quotes() -> None:
    search = Searches(RENT, TERM)
    with MessagesServer(quoting) as server:
        answerer = ClaudeAnswerer("key", base_url=server.url, model="m", settings=DEFAULTS)
        *_, answer = answerer.answer(read(QUESTION), search=search, contents=NOTHING, documents=[A])
    assert isinstance(answer, Answer)
    assert answer.usage.searches == len(search.asked) == 2
    run = Run(asked(7), verify_answer(answer))
    assert run.rank == 2
    assert not run.page_cited
    said = report([run, Run(asked(4), verify_answer(answer)), Run(asked(9), answer)])
    lines = dict(line.split(maxsplit=1) for line in said.splitlines() if " cited" not in line)
    assert lines["recall"].startswith("0.667")
    assert lines["MRR"].startswith("0.500")  # (1/2 + 1/1 + 0) / 3
    assert lines["searches"].startswith("2.00")
    assert lines["grounded"].startswith("0.667")  # the third was not verified
