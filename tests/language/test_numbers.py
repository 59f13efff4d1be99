"""Numbers as documents print them."""

import pytest

from docqa.language.labels import plain_words
from docqa.language.numbers import printed_numbers, stated_scale
from docqa.language.periods import read_period


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("(in thousands)", 10**3),
        ("(In millions, except per-share amounts)", 10**6),
        ("$ in billions", 10**9),
        ("US$m", 10**6),
        ("(Billions)", 10**9),
        ("Millions of dollars", 10**6),
        ("(EUR in millions)", 10**6),
        ("in EUR m", 10**6),
        ("CHF 000", 10**3),
        ("in CHF thousand", 10**3),
        ("NOK million", 10**6),
        ("in million EUR", 10**6),
        ("kEUR", 10**3),
        ("M€", 10**6),
        ("in 000s", 10**3),
        ("in millions of shares", 1),
        ("EUR 5 million", 1),
        ("try millions", 1),
        ("Sales of £5m", 1),
        ("($000s)", 10**3),
        ("in thousand-oak barrels", 1),
        ("", 1),
    ],
)
def test_the_scale_that_a_caption_states(text: str, factor: int) -> None:
    assert stated_scale(text)[0] == factor


def test_a_note_mark_is_no_part_of_the_number_before_it() -> None:
    text = "NOI of 1,234³ in 2023⁴, 5.1%² more, on 10⁶ m² or 5¹⁄2 acres"
    values = [str(number.size) for number in printed_numbers(text)]
    assert values == ["1234", "2023", "5.1"]
    assert read_period("Year ended December 31, 2023⁴").year == 2023
    assert plain_words("Adjusted EBITDA²") == ("adjusted", "ebitda")


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("an interim dividend of 1.8p per share (2024: 1.6p)", ["1.8", "2024", "1.6"]),
        ("earnings of 12.45c a share", ["12.45"]),
        ("18p", ["18"]),
        ("clause 18c and part 2.5d", []),
    ],
)
def test_pence_and_cents_are_read_with_their_decimals(text: str, sizes: list[str]) -> None:
    assert [str(each.size) for each in printed_numbers(text)] == sizes
