"""A figure of an answer on its way to a check."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from docqa.answer.check import computed
from docqa.answer.check.claims import Claim
from docqa.answer.check.figures import Match
from docqa.answer.check.places import Place
from docqa.types.answer import Check, CheckResult


@dataclass(slots=True)
class Figure:
    """A claim on its way to a check: where it may stand, where it does, and what became of it."""

    claim: Claim
    matches: list[Match] = field(default_factory=list)
    place: Place | None = None
    check: Check | None = None

    def settle(
        self,
        result: CheckResult,
        labels: Sequence[str] = (),
        *,
        sum: str = "",
        reason: str = "",
        nearest: str = "",
    ) -> None:
        claim = self.claim
        self.check = Check(
            "figure", claim.amount.text.strip(), claim.shown_from, claim.end, result,
            tuple(labels), sum, reason, nearest,
        )  # fmt: skip

    @property
    def is_settled(self) -> bool:
        """Whether it has a check, or needs none."""
        return self.check is not None or computed.is_constant(self.claim)

    @property
    def holds(self) -> bool:
        return self.check is not None and self.check.result != "not supported"
