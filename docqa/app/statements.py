"""Statements of someone else's, held against the pages they cite as answers are."""

from collections.abc import Sequence

from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import add_evidence, choose_hits, cite, page_as_hit, tidy_markers
from docqa.app.resources import Resources
from docqa.app.search import search, searchable
from docqa.types.answer import Answer
from docqa.types.search import Hit

Cited = tuple[str, int, str]  # a document's id, a page, the words relied on or ""


class Statements:
    """Statements checked against the documents of one library."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def check(
        self,
        statement: str,
        *,
        cited: Sequence[Cited] = (),
        document_ids: Sequence[str] = (),
    ) -> Answer:
        """A statement as an answer whose figures, dates and quotations are checked.

        ``cited`` are the pages it rests on; without them it is held against what a search for it
        finds. Raises `EmptyQuestion`, `NoDocuments` and `UnknownDocument`.
        """
        resources, settings = self._resources, self._resources.settings
        searchable(resources, statement)
        pages = [(_page(resources, document_id, page), quote) for document_id, page, quote in cited]
        hits = [hit for hit, _ in pages if hit.chunk.blocks]
        if not cited:
            found = search(resources, statement, settings=settings, document_ids=document_ids)
            hits = choose_hits(found.hits, max_chars=settings.answering.evidence_chars)
        evidence = add_evidence((), hits)
        own, _ = tidy_markers(statement, ())  # labels of its own would name other passages
        labels = {each.hit.chunk.id: f"[{each.label}]" for each in evidence}
        quotes = [
            f"“{quote}” {labels.get(hit.chunk.id, '')}" for hit, quote in pages if quote.strip()
        ]
        text = "\n\n".join([f"{own} {''.join(labels.values())}", *quotes])
        citations = tuple(cite(each, 1, len(each.hit.chunk.blocks)) for each in evidence)
        return verify_answer(Answer(text, "", citations, evidence))


def _page(resources: Resources, document_id: str, page: int) -> Hit:
    blocks = resources.catalog.blocks(document_id, page)
    tables = resources.catalog.tables(document_id, {block.index for block in blocks})
    return page_as_hit(resources.catalog.document(document_id), page, blocks, tables)
