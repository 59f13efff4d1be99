"""The first passages of documents, looked at where a question likely asks for what they say.

An opening names the parties and the day once, and the words of such a question ("parties",
"agreement") stand in every clause after it.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from docqa.library.catalog import Catalog
from docqa.retrieve.filters import passing
from docqa.types.document import Chunk
from docqa.types.question import QueryPlan

PASSAGES = 3  # that are an opening, or the first of as many documents
DEPTH = 12  # passages among which they are, tables of contents before them
# The chance from which it is looked at; .1, .35 and .5 find as much.
LIKELY = 0.2


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
    share = math.ceil(PASSAGES / max(len(documents), 1))
    opening = [
        (chunk.id, 0.0)
        for _, own in groupby(catalog.chunks(first), key=lambda chunk: chunk.document_id)
        for chunk in islice(without_contents(own, catalog=catalog), share)
    ]
    kept = passing(opening, plan.filters, catalog=catalog, limit=len(opening))
    return [chunk_id for chunk_id, _ in kept]


def without_contents(chunks: Iterable[Chunk], *, catalog: Catalog) -> Iterator[Chunk]:
    """The passages that say more than a table of contents, as may stand before an opening."""
    for chunk in chunks:
        blocks = {block.index for block in chunk.blocks}
        if any(block.table for block in chunk.blocks):
            for table in catalog.tables(chunk.document_id, blocks):
                if table.role == "contents":
                    blocks.difference_update(table.blocks, table.lead)
        if blocks:
            yield chunk
