"""What is asked of a model at once: worked sums, and what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.answer.model.fit import fit, fitted
from docqa.settings import DEFAULTS, adjust
from docqa.types.model import ServedModel


def served(context: int, *, tools: bool | None = True, server: str = "llama.cpp") -> ServedModel:
    return ServedModel("m", context=context, tools=tools, server=server)


def test_a_context_of_8192_tokens() -> None:
    told = served(8192)
    made, how = fitted(DEFAULTS, told).answering, fit(told)
    assert how.brief
    assert how.searches
    # 8,192 - 2,048 for the answer - 900 for the short prompt - 200 = 5,044 tokens: one more
    # search besides (5,044 // 5,000 + 1 = 2), each with 5,044 * 2.4 / 3 = 4,035 characters
    assert (made.max_answer_tokens, made.max_searches) == (2_048, 2)
    assert made.evidence_chars == made.synthesis_evidence_chars == 4_035
    assert (made.history_messages, made.citation_form) == (2, "written")


def test_a_context_of_4096_tokens_has_no_room_for_a_second_search() -> None:
    told = served(4096)
    made = fitted(DEFAULTS, told).answering
    assert not fit(told).searches
    # 4,096 - 1,024 - 900 - 200 = 1,972 tokens, all of them for what docqa found
    assert (made.max_answer_tokens, made.max_searches) == (1_024, 0)
    assert made.evidence_chars == int(1_972 * 2.4) == 4_732


def test_a_large_context_is_asked_as_any_other() -> None:
    told = served(131_072, server="vLLM")
    made, how = fitted(DEFAULTS, told).answering, fit(told)
    assert not how.brief
    assert (made.evidence_chars, made.synthesis_evidence_chars) == (12_000, 20_000)
    assert made.max_searches == DEFAULTS.answering.max_searches
    assert made.max_answer_tokens == 4_096


def test_a_model_that_cannot_call_tools_is_not_given_any() -> None:
    assert not fit(served(32_768, tools=False)).searches
    assert fit(served(32_768, tools=None)).searches  # not told: it may try
    assert fitted(DEFAULTS, served(32_768, tools=False)).answering.max_searches == 0


def test_thinking_is_turned_off_where_the_server_is_known_to_take_it() -> None:
    assert [fit(served(0, server=each)).may_think for each in ("llama.cpp", "Ollama", "vLLM")] == [
        False,
        False,
        True,
    ]


def test_a_server_of_which_nothing_is_known_is_asked_as_ever_and_waited_for() -> None:
    told = ServedModel("m")
    assert fitted(DEFAULTS, told) == adjust(DEFAULTS, request_seconds=3_600.0)
    assert fit(told).local
    assert not fit(told).brief


def test_a_form_of_citation_that_was_chosen_stays() -> None:
    chosen = adjust(DEFAULTS, citation_form="native")
    assert fitted(chosen, served(8192)).answering.citation_form == "native"


@given(st.integers(1, 2_000_000), st.sampled_from([True, False, None]))
def test_nothing_grows_and_something_is_always_given(context: int, tools: bool | None) -> None:
    made, ever = fitted(DEFAULTS, served(context, tools=tools)).answering, DEFAULTS.answering
    for name in (
        "evidence_chars",
        "synthesis_evidence_chars",
        "history_messages",
        "max_searches",
        "max_answer_tokens",
    ):
        assert 0 <= getattr(made, name) <= getattr(ever, name)
    assert made.evidence_chars >= 1_500
    assert made.max_answer_tokens >= 512


@pytest.mark.parametrize("context", [4_096, 8_192, 11_999, 12_000, 16_384, 32_768, 131_072])
def test_all_of_it_fits(context: int) -> None:
    made, how = fitted(DEFAULTS, served(context)).answering, fit(served(context))
    prompt = 900 if how.brief else 2_600
    evidence = (1 + made.max_searches) * made.evidence_chars / 2.4
    assert made.max_answer_tokens + prompt + evidence <= context
