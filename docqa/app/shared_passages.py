"""The passages that a document's questions share, where that is cheaper than each one's own."""

from collections.abc import Sequence

from docqa.answer.evidence import without_given
from docqa.answer.model.costs import sharing_pays
from docqa.app.ask import preview
from docqa.app.costs import Ledger
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.settings import Settings
from docqa.types.document import Document
from docqa.types.review import Column
from docqa.types.search import Hit


def shared_passages(
    resources: Resources,
    document: Document,
    columns: Sequence[Column],
    settings: Settings,
    key: str,
) -> tuple[Hit, ...]:
    """What was found for any of these questions, in the document's order.

    None where each question with its own passages alone is cheaper, as it is in a long document,
    and where the model's price is not known. Nothing more is sent than would be without. Raises
    `NoKey`.
    """
    price = Ledger(resources.catalog).prices().get(settings.answering.model)
    if price is None or len(columns) < 2 or settings.server.model_file:
        return ()
    asked = [Request(each.question, settings, key, (document.id,)) for each in columns]
    found = [[piece.hit for piece in preview(resources, each).evidence] for each in asked]
    together = without_given((hit for hits in found for hit in hits), ())
    if not sharing_pays([_length(hits) for hits in found], _length(together), price):
        return ()
    return tuple(sorted(together, key=lambda hit: hit.chunk.blocks[0].index))


def _length(hits: Sequence[Hit]) -> int:
    return sum(len(hit.chunk.text) for hit in hits)
