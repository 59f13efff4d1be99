import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docqa.language.keywords import MAX_KEYWORDS, keywords
from docqa.language.words import STOP_WORDS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was Boeing's capex in FY2022?", ["boeing", "capex", "fy2022", "2022"]),
        ("AT&T's 10-K: $1.2M at 6.2%", ["at&t", "10-k", "$1.2m", "6.2%"]),
        ("Q2 sales", ["q2", "second", "quarter", "sales"]),
        ("the year-end balance", ["year", "end", "balance"]),
        ('AND OR NOT ( * "', []),
        ("what is it?", []),
        ("", []),
    ],
)
def test_keywords(text: str, expected: list[str]) -> None:
    assert keywords(text) == expected


def test_asking_words_go_unless_nothing_else_is_there() -> None:
    assert keywords("Summarize the lease") == ["lease"]
    assert keywords("Summarize") == ["summarize"]


def test_a_pasted_page_asks_with_its_first_words() -> None:
    words = keywords(" ".join(f"word{number}" for number in range(500)))
    assert words == [f"word{number}" for number in range(MAX_KEYWORDS)]


@settings(deadline=None)  # a busy machine is no fault
@given(st.text(max_size=300))
def test_keywords_are_distinct_words_whatever_is_typed(text: str) -> None:
    found = keywords(text)
    assert len(found) == len(set(found)) <= MAX_KEYWORDS
    assert not STOP_WORDS.intersection(found)
    assert all(any(map(str.isalnum, word)) for word in found)
