"""What was searched in each document and what came of it, so that silence can be checked; pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from docqa.types.answer import Answer
from docqa.types.search import Coverage, SearchResult


@dataclass(frozen=True, slots=True)
class Receipt:
    """The searches of one answer: for each document what was seen, and which chunks were used."""

    documents: Mapping[str, Coverage] = field(default_factory=dict)  # by document id
    used: frozenset[str] = frozenset()  # chunk ids

    def after(self, result: SearchResult) -> "Receipt":
        """This and one more search: its question counts for every document it looked into."""
        used = self.used | {hit.chunk.id for hit in result.hits}
        documents = dict(self.documents)
        for seen in result.coverage:
            before = documents.get(seen.document_id)
            documents[seen.document_id] = _together(before, seen, result.plan.question.whole, used)
        return Receipt(documents, used)


def _together(before: Coverage | None, seen: Coverage, query: str, used: Iterable[str]) -> Coverage:
    of_document = sum(chunk.startswith(f"{seen.document_id}:") for chunk in used)
    if before is None:
        return replace(seen, queries=(query,), used=max(of_document, seen.used))
    return replace(_of_both(before, replace(seen, queries=(query,))), used=of_document)


def _of_both(one: Coverage, other: Coverage) -> Coverage:
    best = max((one, other), key=lambda each: each.best_score)
    return replace(
        best,
        seen=max(one.seen, other.seen),
        used=max(one.used, other.used),
        queries=tuple(dict.fromkeys((*one.queries, *other.queries))),
    )


def with_receipt(answer: Answer, receipt: Receipt) -> Answer:
    """The answer with its coverage, and in it how many passages of each document are cited."""
    return _with_coverage(answer, receipt.documents)


def with_receipts_of(answer: Answer, parts: Iterable[Answer]) -> Answer:
    """The same of an answer that is put together from others."""
    documents: dict[str, Coverage] = {}
    for each in (seen for part in parts for seen in part.coverage):
        before = documents.get(each.document_id)
        documents[each.document_id] = _of_both(before, each) if before else each
    return _with_coverage(answer, documents)


def _with_coverage(answer: Answer, documents: Mapping[str, Coverage]) -> Answer:
    cited = {(c.document_id, c.label.partition(".")[0]) for c in answer.citations if answer.found}
    return replace(
        answer,
        coverage=tuple(
            replace(each, cited=sum(document == each.document_id for document, _ in cited))
            for each in documents.values()
        ),
    )
