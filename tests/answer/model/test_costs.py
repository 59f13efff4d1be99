"""What tokens cost, in dollars that can be added up by hand."""

from decimal import Decimal
from typing import Any

from docqa.answer.model.costs import counted, price_of, tokens_of, with_request
from docqa.settings import PRICES, Price
from docqa.types.answer import Usage

PRICE = Price(Decimal(1), Decimal(5), Decimal("0.1"), Decimal("1.25"), 1000, Decimal(2))


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(100, 200, 300, 400)
    # 100 × 1 + 200 × 5 + 300 × 0.1 + 400 × 1.25 = 1630 dollars for a million
    assert price_of(usage, PRICE) == Decimal("0.00163")


def test_a_long_prompt_costs_more_all_of_it() -> None:
    assert price_of(Usage(1001, 200), PRICE) == 2 * (Decimal(1001) + 1000) / 1_000_000
    assert price_of(Usage(1000, 200), PRICE) == (Decimal(1000) + 1000) / 1_000_000


def test_a_request_without_a_price_makes_the_sum_unknown() -> None:
    usage = with_request(Usage(), Usage(1, 1), PRICE)
    assert usage.cost_usd is not None
    assert with_request(usage, Usage(1, 1), None).cost_usd is None


def test_requests_are_priced_one_by_one() -> None:
    twice = with_request(with_request(Usage(), Usage(600), PRICE), Usage(600), PRICE)
    assert twice.cost_usd == Decimal("0.0012")
    assert twice.input_tokens == 1200


def test_the_price_list_is_plausible() -> None:
    for price in PRICES.values():
        assert Decimal(0) < price.cache_read < price.input < price.cache_write < price.output


def payload(*passages: str, question: str) -> dict[str, Any]:
    """A request whose last passage and question end with marks for caching."""
    mark = {"cache_control": {"type": "ephemeral"}}
    given = [{"type": "text", "text": each} for each in passages]
    asked = {"type": "text", "text": question} | mark
    content = [*given[:-1], given[-1] | mark, asked]
    return {"system": [], "messages": [{"role": "user", "content": content}]}


def test_what_an_earlier_request_began_with_is_read_from_the_cache() -> None:
    price = Price(Decimal(3), Decimal(15), Decimal("0.30"), Decimal("3.75"))
    sent = [payload("a" * 8_000, question=each) for each in ("Who?", "Where?")]
    sent.append(payload("b" * 8_000, question="When?"))
    first, second, other = counted(sent, price)
    assert first.cache_read_tokens == other.cache_read_tokens == 0
    assert first.cache_write_tokens > 2_400
    assert second.cache_read_tokens > 2_400
    assert second.cache_write_tokens < 20
    short = payload("c", question="Why?")
    assert [each.cache_write_tokens for each in counted([short, short], price)] == [0, 0]
    [alone] = counted([short], price)
    assert alone.input_tokens == tokens_of(short)
