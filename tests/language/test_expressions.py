"""Sums as texts show them, worked out in the open."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.language.expressions import Operand, Result, agrees, evaluate, sums_in


def worked(text: str) -> list[str]:
    """Each side of the one sum in ``text``, as text."""
    [found] = sums_in(text)
    results = [evaluate(side) for side in found.sides]
    return ["" if result is None else f"{result.value.normalize():f}"[:8] for result in results]


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("fell ($12,672 - $12,645 = $27) a year", ["27", "27"]),
        ("(2 + 3) / 8 = 5 / 8 = 0.63", ["0.625", "0.625", "0.63"]),
        ("£592,500 ÷ 12 × 3 = £148,125", ["148125", "148125"]),
        ("365 × 1,600.75 / 11,108.4 = 52.6 days", ["52.59747", "52.6"]),
        ("1 - (-3) - 5 - (-1) = 0%", ["0", "0"]),
        ("($1,305 - $5,034) / $5,034 = -74.1%", ["-0.74076", "-74.1"]),
        ("$5.4 billion / $16,026 million = 33.7%", ["0.336952", "33.7"]),
        ("$4,012 (2022) − $3,950 (FY2021) = $62", ["62", "62"]),
        ("24,000 sq ft × $30/sq ft = $720,000", ["720000", "720000"]),
        ("(1.21 / 1)^(1 / 2) - 1 = 10%", ["0.1", "10"]),
        ("1 / 0 = 3", ["", "3"]),
        ("(2 + 3 × 4)", ["14"]),
    ],
)  # fmt: skip
def test_sides_of_a_sum(text: str, sides: list[str]) -> None:
    assert worked(text) == sides


@pytest.mark.parametrize(
    "text",
    ["10-K", "Form 10-K of 2022", "$5 million", "a = b", "5 + ", "= 4", "((", ") 3 (", "9" * 9999],
)  # fmt: skip
def test_what_is_no_sum(text: str) -> None:
    assert sums_in(text) == []


def test_a_percentage_is_a_number_or_a_fraction() -> None:
    [found] = sums_in("10% × $4,200 = $420")
    plain, part = (evaluate(found.sides[0], hundredths=each) for each in (False, True))
    assert plain == Result(Decimal(42_000))
    assert part == Result(Decimal(420))


def test_what_is_known_better_than_printed_stands_in_its_place() -> None:
    """1.38 is rounded, by half a hundredth at most: 365 / 1.38 lies between 263.5 and 265.5."""
    [found] = sums_in("365 / 1.38 = 264.1")
    [_, ratio, _] = found.operands
    rounded = evaluate(found.sides[0], {ratio.start: Result(ratio.value, ratio.step / 2)})
    exact = evaluate(found.sides[0])
    assert exact is not None
    assert rounded is not None
    assert not agrees(exact, Decimal("264.1"), Decimal("0.1"))
    assert agrees(rounded, Decimal("264.1"), Decimal("0.1"))
    assert not agrees(rounded, Decimal("266.1"), Decimal("0.1"))


@given(st.text(alphabet="0123456789.,()[]+-−–*/÷×^=≈$£% xkm\nthousand", max_size=120))
def test_nothing_raises(text: str) -> None:
    for found in sums_in(text):
        assert 0 <= found.start < found.end <= len(text)
        for side in found.sides:
            evaluate(side)


@given(st.lists(st.integers(-999, 999), min_size=2, max_size=8))
def test_a_printed_total_is_the_total(numbers: list[int]) -> None:
    printed = " + ".join(f"({number})" for number in numbers)
    [found] = sums_in(f"{printed} = {sum(numbers)}")
    first, last = map(evaluate, found.sides)
    assert first == last == Result(Decimal(sum(numbers)))
    assert all(isinstance(each, Operand) for each in found.operands)
