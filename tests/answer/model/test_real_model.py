"""The real llama.cpp with a real model: streaming, stopping, dying, blocks that it drops.

The model has 135 million parameters and writes nonsense, so nothing is held against its words.
"""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from docqa.answer.model.claude import ClaudeAnswerer
from docqa.answer.model.fit import Fit, fit, fitted
from docqa.errors import KeyRefused, ServerGone
from docqa.models.llama import Llama
from docqa.question.read import read
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.answer import Answer
from docqa.types.events import Events, Pace, Retrying, TextDelta
from docqa.types.model import ServedModel
from tests.answer.passages import Searches, contents, document, hit
from tests.models.gguf_files import smollm2

pytestmark = pytest.mark.local

A = document("Lease A.pdf")
RENT = hit("The base rent is $25,000 a month.", "It is fixed for five years.", of=A)
SHORT = adjust(DEFAULTS, max_answer_tokens=24, max_retries=0)


@pytest.fixture(scope="module")
def llama() -> Iterator[Llama]:
    model = Llama(smollm2(), most_context=2_048)
    assert model.wait()
    yield model
    model.close()


def described(llama: Llama) -> ServedModel:
    return ServedModel("m", context=llama.context, tools=llama.model.tools, server="llama.cpp")


def stream(llama: Llama, *, settings: Settings = SHORT, search: Searches | None = None) -> Events:
    told = described(llama)
    return asked(llama, fitted(settings, told), fit(told), search or Searches(RENT))


def asked(llama: Llama, settings: Settings, how: Fit, search: Searches) -> Events:
    answerer = ClaudeAnswerer(llama.key, base_url=llama.url, model="m", settings=settings, fit=how)
    return answerer.answer(
        read("What is the base rent?", documents=[A]),
        search=search,
        contents=contents(lambda document_id, page: []),
        documents=[A],
    )


def test_an_answer_streams_with_its_usage_and_its_pace(llama: Llama) -> None:
    events = list(stream(llama))
    last = events[-1]
    assert isinstance(last, Answer)
    words = [each.text for each in events if isinstance(each, TextDelta) and each.text]
    assert len(words) > 3
    assert last.text
    assert last.answerer == "m"
    assert 0 < last.usage.output_tokens <= 24
    assert last.usage.tokens > 200  # the prompt and the passage were read
    assert last.usage.cost_usd is None
    assert [each for each in events if isinstance(each, Pace)]


def test_it_stops_within_a_second_and_answers_again(llama: Llama) -> None:
    events = stream(llama, settings=adjust(SHORT, max_answer_tokens=2048))
    written = 0
    for event in events:
        written += isinstance(event, TextDelta) and bool(event.text)
        if written > 2:
            break
    started = time.monotonic()
    events.close()
    assert time.monotonic() - started < 1.0
    assert isinstance(list(stream(llama))[-1], Answer)


def test_blocks_that_it_drops_are_noticed_and_sent_as_text(llama: Llama) -> None:
    long = [
        hit(f"{n}. " + "The base rent is $25,000 a month, payable in advance. " * 13, of=A, index=n)
        for n in range(5)
    ]
    how = Fit(local=True, brief=True, searches=False, may_think=False)
    events = list(asked(llama, SHORT, how, Searches(*long)))
    reasons = [each.reason for each in events if isinstance(each, Retrying)]
    assert reasons == ["The server did not read the passages; they are sent as text"]
    last = events[-1]
    assert isinstance(last, Answer)
    sent = sum(len(piece.hit.chunk.text) for piece in last.evidence)
    assert last.usage.tokens > sent / 12


def test_what_is_too_long_for_it_is_cut_until_it_fits(llama: Llama) -> None:
    long = [hit(f"{n}. " + "Rent: $25,000; rates: $1,200; " * 30, of=A, index=n) for n in range(8)]
    settings = adjust(SHORT, evidence_chars=40_000, citation_form="written")
    how = Fit(local=True, brief=True, searches=False, may_think=False)
    events = list(asked(llama, settings, how, Searches(*long)))
    last = events[-1]
    assert isinstance(last, Answer)
    assert any("too long for this model" in each for each in last.warnings)


def test_a_model_that_dies_in_mid_answer_leaves_what_it_wrote() -> None:
    own = Llama(smollm2(), most_context=2_048)
    own.wait()
    events = stream(own, settings=adjust(SHORT, max_answer_tokens=2048))
    last = None
    for event in events:
        if isinstance(event, TextDelta) and event.text.strip() and own.alive:
            os.kill(own.pid, signal.SIGKILL)
        last = event
    assert isinstance(last, Answer)
    assert last.partial
    assert last.text
    assert str(ServerGone(own.url)) in last.warnings
    own.close()
    assert not own.alive
    with pytest.raises(ServerGone):
        list(stream(own))


def test_a_key_that_is_not_its_own_is_refused(llama: Llama) -> None:
    told = described(llama)
    answerer = ClaudeAnswerer(
        "guessed", base_url=llama.url, model="m", settings=SHORT, fit=fit(told)
    )
    with pytest.raises(KeyRefused):
        list(
            answerer.answer(
                read("What is the base rent?", documents=[A]),
                search=Searches(RENT),
                contents=contents(lambda document_id, page: []),
                documents=[A],
            )
        )
