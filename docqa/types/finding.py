"""What can be said without a language model: a value, a quotation, a list or a sum."""

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal["value", "quotation", "list", "sum", "excerpt"]


@dataclass(frozen=True, slots=True)
class Finding:
    """``text`` is how it is told, with its citation's markers; ``chance`` that it answers, 0–1.

    ``value`` is what it comes down to, as printed or worked out ("$1,496.5", "24.40 %"),
    ``label`` what that is of and ``period`` when; "" where it has none.
    """

    kind: FindingKind
    text: str
    chance: float
    value: str = ""
    label: str = ""
    period: str = ""
