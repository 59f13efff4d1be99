"""What a table says of all its figures: their currency and their scale."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docqa.language.numbers import SCALES, stated_scale
from docqa.language.scales import Section, currency_named

_SHARES = re.compile(r"shares,?\s[^()]{0,60}?in\s(thousand|million)s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a table says of all its figures: a currency ("" unknown), scales of money and shares.

    Where it is told ``by_sign`` alone, it holds for the columns that have one.
    """

    currency: str = ""
    scale: int = 1
    share_scale: int = 1
    by_sign: bool = False


def ground_of(texts: Sequence[str], signs: Iterable[str], section: Section) -> Ground:
    """The currency and scale that the ``texts`` of a table, nearest first, or its section name.

    ``signs`` are the currencies of the signs beside its figures: what only the section's head
    says of its scale is of money.
    """
    signed = next(iter(signs), "")
    named = next((found for text in texts if (found := currency_named(text))), "")
    scale, said = next((stated for t in texts if (stated := stated_scale(t))[0] > 1), (1, ""))
    by_sign = not named and scale == 1
    if scale == 1 and signed:
        scale, said = section.scale, section.said
    shares = next((match for text in texts if (match := _SHARES.search(text))), None)
    of_shares = 1 if currency_named(said) else scale
    share_scale = SCALES[shares[1].lower()] if shares else of_shares
    return Ground(named or signed, scale, share_scale, by_sign)
