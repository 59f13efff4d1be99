"""A review filled by a model: the price told before, and the budget that stops between cells.

The server counts as a real one does, with a prompt cache and a measure of its own.
"""

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from docqa.errors import NoKey
from docqa.ingest.reading.reader import ReadingProcess
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.review import Column, ReviewTable
from docqa.workspace import Workspace
from tests.messages_server import Json, MessagesServer, Turn, text
from tests.prompt_cache import PromptCache

ANSWER = "The lease says so in as many words, and what it says of it is quoted here at length. " * 8
COLUMNS = [
    Column(each.rstrip("?"), each)
    for each in (
        "How much is the security deposit?",
        "Which law governs the lease?",
        "When does the term expire?",
        "May the tenant assign the lease?",
        "Who insures the building?",
    )
]


def counting(least: int = 1024) -> Callable[[Json], Turn]:
    cache = PromptCache(least)

    def answer(body: Json) -> Turn:
        label = re.search(r"\bS\d+\b", json.dumps(body["messages"]))
        said = f"{ANSWER}[{label[0] if label else 'S1'}]"
        return Turn([text(said)], usage=cache.usage(body, answer=len(ANSWER)))

    return answer


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer(counting()) as started:
        yield started


@pytest.fixture
def workspace(sample_library: Path, tmp_path: Path, reader: ReadingProcess) -> Iterator[Workspace]:
    folder = shutil.copytree(sample_library, tmp_path / "library")
    with Workspace(folder, reader=reader) as opened:
        yield opened


def at(server: MessagesServer, **more: object) -> Settings:
    return adjust(DEFAULTS, base_url=server.url, **more)


def leases(workspace: Workspace, columns: Sequence[Column] = COLUMNS) -> str:
    ids = [each.id for each in workspace.documents() if each.name.startswith("Lease")]
    return workspace.reviews.create("Leases", columns, document_ids=ids).id


def filled(workspace: Workspace, review_id: str, settings: Settings) -> ReviewTable:
    reviews = workspace.reviews
    reviews.fill(review_id, settings=settings, key="sk-test", answerer="claude")
    reviews.wait(review_id)
    return reviews.table(review_id)


@pytest.mark.parametrize(
    ("model", "least", "questions"), [("sonnet", 1024, 5), ("opus", 4096, 5), ("sonnet", 1024, 1)]
)
def test_the_price_told_before_is_within_a_fifth_of_what_is_counted(
    workspace: Workspace, model: str, least: int, questions: int
) -> None:
    with MessagesServer(counting(least)) as server:
        review_id = leases(workspace, COLUMNS[:questions])
        settings = at(server, model=f"claude-{model}-5-5")
        told = workspace.reviews.price(review_id, settings=settings, key="sk-test")
        assert server.requests == []
        assert (told.model, told.cells) == (settings.answering.model, 2 * questions)
        assert told.model in told.described
        assert server.url in told.described
        table = filled(workspace, review_id, settings)
    assert table.open == 0
    spent = workspace.ledger.today().cost_usd
    assert told.cost_usd is not None
    assert abs(told.cost_usd - spent) <= spent / 5
    usages = [each.proposal.usage for each in table.cells.values() if each.proposal]
    assert sum(each.cost_usd or 0 for each in usages) == spent


@pytest.mark.parametrize("first", ["claude", "extractive"])
def test_a_cell_filled_again_meanwhile_is_filled_with_what_was_asked_for(
    workspace: Workspace, first: str
) -> None:
    """Quotes asked for beside a filling by a model are not sent, nor is a model's cell quoted."""
    reviews, goes_on = workspace.reviews, threading.Event()

    def answer(body: Json) -> Turn:
        goes_on.wait(60)
        return Turn([text(ANSWER)])

    other = {"claude": "extractive", "extractive": "claude"}[first]
    with MessagesServer(answer) as server:
        settings = at(server)
        review_id = leases(workspace, COLUMNS * 2 if first == "extractive" else COLUMNS)
        table = reviews.table(review_id)
        place = (table.documents[-1].id, table.review.columns[-1].id)
        reviews.fill(review_id, settings=settings, key="sk-test", answerer=first)
        reviews.fill_again(review_id, [place], settings=settings, key="sk-test", answerer=other)
        goes_on.set()
        reviews.wait(review_id)
        table, asked = reviews.table(review_id), len(server.requests)
    answerers = {key: cell.proposal.answerer for key, cell in table.cells.items() if cell.proposal}
    sent = {key for key, name in answerers.items() if name != "extractive"}
    assert sent == ({place} if other == "claude" else answerers.keys() - {place})
    assert asked == len(sent)


def test_a_document_s_questions_read_one_beginning_from_the_cache(
    workspace: Workspace, server: MessagesServer
) -> None:
    review_id = leases(workspace)
    table = filled(workspace, review_id, at(server))
    passages = [body["messages"][0]["content"][:-1] for body in server.requests]
    assert passages[:5] == 5 * [passages[0]]
    assert passages[5:] == 5 * [passages[5]]
    assert passages[0] != passages[5]
    for row in (server.requests[:5], server.requests[5:]):
        assert [each["messages"][0]["content"][-1]["text"] for each in row] == [
            f"Question: {each.question}" for each in COLUMNS
        ]
    usages = [each.proposal.usage for each in table.cells.values() if each.proposal]
    first, *others = usages[:5]
    assert first.cache_read_tokens == 0
    for each in others:
        assert each.cache_read_tokens > 10 * (each.cache_write_tokens + each.input_tokens)


def test_one_question_has_its_own_passages(workspace: Workspace, server: MessagesServer) -> None:
    filled(workspace, leases(workspace, COLUMNS[:1]), at(server))
    for body in server.requests:
        *passages, question = body["messages"][0]["content"]
        assert [each for each in passages if "cache_control" in each] == []
        assert "cache_control" in question


def test_what_a_model_took_tells_the_price_of_more(
    workspace: Workspace, server: MessagesServer
) -> None:
    review_id, settings = leases(workspace), at(server)
    filled(workspace, review_id, settings)
    spent = workspace.ledger.today().cost_usd
    again = list(workspace.reviews.table(review_id).cells)[:5]
    told = workspace.reviews.price(review_id, again, settings=settings, key="sk-test")
    assert told.cells == 5
    assert told.cost_usd == spent / 2


def test_a_budget_stops_between_cells_and_says_so(
    workspace: Workspace, server: MessagesServer
) -> None:
    review_id, settings = leases(workspace), at(server)
    whole = workspace.reviews.price(review_id, settings=settings, key="sk-test").cost_usd
    assert whole is not None
    budget = whole / 2
    table = filled(workspace, review_id, at(server, budget_usd=float(budget)))
    assert 0 < table.open < 10
    assert workspace.ledger.today().cost_usd <= budget
    stopped = workspace.reviews.progress(review_id).stopped
    assert "The budget for today is" in stopped
    assert {each.state for each in table.cells.values()} <= {"waiting", "found", "likely"}
    assert len(server.requests) == 10 - table.open
    sent = len(server.requests)
    table = filled(workspace, review_id, settings)  # without a budget it goes on
    assert table.open == 0
    assert len(server.requests) - sent == 10 - sent
    assert set(workspace.resources.catalog.reviews.filled(review_id).values()) == {1}


def test_a_model_on_no_price_list_and_no_key(workspace: Workspace, server: MessagesServer) -> None:
    review_id = leases(workspace)
    settings = at(server, model="unlisted")
    told = workspace.reviews.price(review_id, settings=settings, key="sk-test")
    assert told.cost_usd is None
    assert "the price of this model is not known" in replace(told, stays=False).described
    assert workspace.ledger.today().cost_usd == Decimal(0)
    with pytest.raises(NoKey):
        workspace.reviews.price(review_id, settings=DEFAULTS, key="")
