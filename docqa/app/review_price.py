"""What a model would take for the cells of a review, told before anything is sent."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from docqa.answer.model.costs import counted, price_of
from docqa.app.ask import preview
from docqa.app.costs import Ledger
from docqa.app.filling import Job
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.app.shared_passages import shared_passages
from docqa.settings import Settings
from docqa.types.costs import CellsEstimate, Outgoing
from docqa.types.review import Proposal

SAMPLED = 3  # documents whose requests are made up, and not sent, to tell what all take
ENOUGH = 5  # cells the model has filled whose own usage tells better
_LIKELY_CELL = 200  # tokens of an answer to one plain question


def estimate(
    resources: Resources,
    jobs: Sequence[Job],
    filled: Iterable[Proposal],
    settings: Settings,
    key: str,
) -> CellsEstimate:
    """Tokens and price of these cells, by what those ``filled`` by the same model took.

    Where these are too few, by the requests that the rows of some documents would begin with,
    from short ones to long ones, as the server counts them with its cache; a search that the
    model makes besides is not in it. Raises `NoKey`.
    """
    model = settings.answering.model
    price = Ledger(resources.catalog).prices().get(model)
    known = [each.usage for each in filled if each.answerer == model and each.usage.tokens]
    rows = [jobs[:1]] if len(known) >= ENOUGH else _sampled(jobs)
    sent = [_requests(resources, row, settings, key) for row in rows]
    seen = [each for row in sent for each in row]
    if len(known) < ENOUGH:
        usages = (each for row in sent for each in counted((o.payload for o in row), price))
        known = [replace(each, output_tokens=_LIKELY_CELL) for each in usages]
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


def _sampled(jobs: Sequence[Job]) -> list[list[Job]]:
    """The rows of some documents, spread evenly from the shortest to the longest."""
    rows: dict[str, list[Job]] = {}
    for job in sorted(jobs, key=lambda job: job.document.chunk_count):
        rows.setdefault(job.document.id, []).append(job)
    every, number = list(rows.values()), min(SAMPLED, len(rows))
    return [every[(2 * n + 1) * len(every) // (2 * number)] for n in range(number)]


def _requests(
    resources: Resources, row: Sequence[Job], settings: Settings, key: str
) -> list[Outgoing]:
    """What a document's questions would begin with, in order; nothing is sent."""
    if not row:
        return []
    ids, columns = (row[0].document.id,), [each.column for each in row]
    shared = shared_passages(resources, row[0].document, columns, settings, key)
    return [
        preview(resources, Request(each.question, settings, key, ids, shared=shared))
        for each in columns
    ]
