from hypothesis import given
from hypothesis import strategies as st

from docqa.neural.excerpt import READ, TELLING, excerpt

FIRST = 101  # [CLS]
NOTICE, PERIOD, THE = 5060, 2558, 1996


def test_a_short_passage_is_read_whole() -> None:
    assert excerpt([NOTICE], [FIRST, 7000, NOTICE], head=1) == [FIRST, 7000, NOTICE]


def test_of_a_long_one_the_run_that_holds_the_question_is_read() -> None:
    passage = [FIRST, 6000, *[7000] * 200, NOTICE, PERIOD, *[7000] * 200]
    read = excerpt([NOTICE, PERIOD], passage, head=2)
    assert len(read) == READ
    assert read[:2] == [FIRST, 6000]
    assert {NOTICE, PERIOD} <= set(read)


def test_two_words_once_are_worth_more_than_one_of_them_often() -> None:
    passage = [FIRST, *[NOTICE] * 4, *[7000] * 8, NOTICE, PERIOD, 7000]
    assert excerpt([NOTICE, PERIOD], passage, head=1, room=5)[-1] == PERIOD


def test_without_any_of_the_words_the_beginning_is_read() -> None:
    passage = [FIRST, *range(6000, 6200)]
    assert excerpt([NOTICE], passage, head=1) == passage[:READ]


def test_the_commonest_words_do_not_choose() -> None:
    assert THE < TELLING < min(NOTICE, PERIOD)
    passage = [FIRST, *[7000] * 200, THE]
    assert excerpt([THE], passage, head=1) == passage[:READ]


tokens = st.lists(st.integers(1990, 2200), max_size=60)


@given(tokens, tokens, st.integers(1, 20), st.integers(1, 30))
def test_it_fits_and_keeps_the_head_and_the_order(
    question: list[int], passage: list[int], head: int, room: int
) -> None:
    read = excerpt(question, passage, head=head, room=room)
    assert len(read) == min(len(passage), room)
    assert read[: min(head, room)] == passage[: min(head, room)]
    rest = iter(passage)
    assert all(token in rest for token in read)
