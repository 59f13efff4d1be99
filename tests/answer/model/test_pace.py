"""How fast a model is said to be, and when it is said to go round in circles."""

from hypothesis import assume, given
from hypothesis import strategies as st

from docqa.answer.model.pace import Pacing, looped
from docqa.types.events import Pace


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_reading_then_writing_is_told_with_what_is_left() -> None:
    clock = Clock()
    pacing = Pacing(3_000, 500, reads=100.0, clock=clock)
    clock.now += 10
    # 3,000 tokens at 100 a second take 30 s, of which 10 have passed
    assert pacing.status() == Pace("reading", 10.0, 3_000, 0.0, 20.0)
    clock.now += 50
    assert pacing.status().left == 0.0  # slower than last time: nothing is claimed
    for _ in range(11):
        pacing.seen("text")
        clock.now += 0.1
    told = pacing.status()
    assert (told.stage, told.tokens) == ("writing", 11)
    assert round(told.rate, 6) == 10.0
    assert round(told.left, 6) == 48.9  # 489 tokens at ten a second
    assert pacing.reads == 50.0  # 3,000 tokens in 60 s


def test_thinking_is_timed_until_the_first_word() -> None:
    clock = Clock()
    pacing = Pacing(100, 500, reads=0.0, clock=clock)
    assert pacing.thought == 0.0
    pacing.seen("ping")
    clock.now += 1
    assert pacing.status().stage == "reading"
    pacing.seen("thinking")
    clock.now += 7
    assert pacing.thought == 7.0
    assert pacing.status().stage == "thinking"
    pacing.seen("text")
    assert pacing.thought == 0.0
    assert pacing.status().stage == "writing"


def test_it_is_told_twice_a_second() -> None:
    clock = Clock()
    pacing = Pacing(100, 500, reads=0.0, clock=clock)
    due = []
    for _ in range(20):
        clock.now += 0.125
        due.append(pacing.due())
    assert due.count(True) == 5


def test_what_only_repeats_itself_is_a_loop() -> None:
    sentence = "The base rent is $25,000 a month. "
    text = f"It is in Ohio. {sentence * 10}"
    more = looped(text)
    assert text[:-more] == f"It is in Ohio. {sentence}"
    assert looped("ha" * 200) == 398
    assert looped(" " * 300) == 299


def test_figures_tables_and_lists_are_no_loop() -> None:
    assert not looped("| 0.0 " * 30)  # 180 characters
    assert not looped("-" * 100)
    assert not looped("$1,000,000,000,000 and " * 5)
    rows = [f"| Tenant {n} | $1,000 | 2024 |\n" for n in range(60)]
    assert not looped("".join(rows))


@given(st.text(max_size=100), st.text(min_size=1, max_size=60))
def test_whatever_repeats_long_enough_is_cut_to_one(before: str, unit: str) -> None:
    assume(set(before).isdisjoint(unit))  # what goes before may be a part of what repeats
    text = before + unit * max(6, 240 // len(unit) + 1)
    more = looped(text)
    assert 0 < more < len(text)
    assert text[:-more].startswith(before)


@given(st.text(max_size=239))
def test_what_is_short_is_never_a_loop(text: str) -> None:
    assert looped(text) == 0
