"""What a model would take for the cells of a review, told before anything is sent."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from docqa.answer.model.costs import price_of
from docqa.app.ask import preview
from docqa.app.costs import Ledger
from docqa.app.filling import Job
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.settings import Settings
from docqa.types.answer import Usage
from docqa.types.costs import CellsEstimate
from docqa.types.review import Proposal

SAMPLED = 8  # requests that are made up, and not sent, to tell what one takes
ENOUGH = 5  # cells the model has filled whose own usage tells better
_LIKELY_CELL = 250  # tokens of an answer to one plain question


def estimate(
    resources: Resources,
    jobs: Sequence[Job],
    filled: Iterable[Proposal],
    settings: Settings,
    key: str,
) -> CellsEstimate:
    """Tokens and price of these cells, by what those ``filled`` by the same model took.

    Where these are too few, by the requests that some of them would begin with: evenly spread, a
    document's evidence counted as written to the cache, as `SpendingLimit.estimate` does; a search
    that the model makes besides is not in it. Raises `NoKey`.
    """
    model = settings.answering.model
    known = [each.usage for each in filled if each.answerer == model and each.usage.tokens]
    step = max(1, -(-len(jobs) // SAMPLED))
    sampled = jobs[:1] if len(known) >= ENOUGH else jobs[::step]
    seen = [
        preview(resources, Request(each.column.question, settings, key, (each.document.id,)))
        for each in sampled
    ]
    if len(known) < ENOUGH:
        known = [Usage(cache_write_tokens=e.tokens, output_tokens=_LIKELY_CELL) for e in seen]
    price = Ledger(resources.catalog).prices().get(model)
    costs = [each.cost_usd or price_of(each, price) for each in known]
    priced = [each for each in costs if each is not None]
    share = Decimal(len(jobs)) / max(1, len(known))
    return CellsEstimate(
        url=seen[0].url if seen else "",
        model=model,
        cells=len(jobs),
        tokens=int(sum(each.tokens for each in known) * share),
        cost_usd=sum(priced, Decimal(0)) * share if len(priced) == len(known) else None,
        stays=bool(seen and seen[0].stays),
    )
