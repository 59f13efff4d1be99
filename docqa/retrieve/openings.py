"""The first passages of documents, looked at where a question likely asks for what they say.

An opening names the parties and the day once, and the words of such a question ("parties",
"agreement") stand in every clause after it.
"""

import math
from collections.abc import Iterable
from itertools import islice

from docqa.library.catalog import Catalog
from docqa.retrieve.filters import passing
from docqa.types.document import Chunk
from docqa.types.question import QueryPlan

PASSAGES = 3  # that are an opening, or the first of as many documents
DEPTH = 12  # passages among which they are, tables of contents before them
LIKELY = 0.2  # the chance from which the opening is looked at; .1 and .35 find as much


def opening_passages(plan: QueryPlan, fused: Iterable[str], *, catalog: Catalog) -> list[str]:
    """Ids of the first passages of the documents asked, else of those found first; [] where the
    question is likely answered elsewhere. ``fused`` are ids of passages, best first.
    """
    if plan.question.opening < LIKELY:
        return []
    asked = plan.question.documents or plan.question.document_ids
    found = dict.fromkeys(chunk_id.rpartition(":")[0] for chunk_id in fused)
    documents = list(islice(asked or found, PASSAGES))
    first = [f"{document}:{at}" for document in documents for at in range(DEPTH)]
    prose: dict[str, list[str]] = {}
    for chunk in catalog.chunks(first):
        if is_prose(chunk):
            prose.setdefault(chunk.document_id, []).append(chunk.id)
    share = math.ceil(PASSAGES / max(len(documents), 1))
    opening = [(chunk_id, 0.0) for own in prose.values() for chunk_id in own[:share]]
    kept = passing(opening, plan.filters, catalog=catalog, limit=len(opening))
    return [chunk_id for chunk_id, _ in kept]


def is_prose(chunk: Chunk) -> bool:
    """Whether a passage is no table, as contents before an opening are."""
    return chunk.kind != "table"
