"""The figure of the evidence that comes nearest to one that is not there."""

from collections.abc import Sequence

from docqa.answer.check.claims import Claim
from docqa.answer.check.evidence_index import EvidenceIndex
from docqa.answer.check.figures import stems
from docqa.answer.check.places import Place

_MOST = 80  # figures that are looked at


def nearest_figure(claim: Claim, index: EvidenceIndex) -> Place | None:
    """Of the cited figures that of the row named best, then of the period, then of nearly the
    value; None where nothing of the kind is cited."""
    said = stems(claim.statement.whole)
    near = [p for p in index.cited(claim.labels) if _of_one_kind(claim, p)][:_MOST]
    return max(near, key=lambda place: _likeness(claim, place, said), default=None)


def _of_one_kind(claim: Claim, place: Place) -> bool:
    return not (claim.amount.unit and place.amount.unit) or claim.amount.unit == place.amount.unit


def _likeness(claim: Claim, place: Place, said: frozenset[str]) -> tuple[float, bool, float]:
    own = stems(place.row or place.text)
    one, other = _digits(claim.amount.text), _digits(place.amount.text)
    same = sum(a == b for a, b in zip(one, other, strict=False)) / max(len(one), len(other), 1)
    return len(own & said) / len(own) if own else 0.0, claim.period.agrees(place.period), same


def _digits(text: str) -> Sequence[str]:
    return [character for character in text if character.isdigit()]
