"""The short form of `python -m tests.benchmarks.durability`."""

import sys

import pytest

from tests.benchmarks.durability import trials


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_killed_at_random_moments_loses_nothing() -> None:
    outcome = trials(4, seed=2026)
    assert outcome.wrong == (), str(outcome)
    assert outcome.steps > 0
