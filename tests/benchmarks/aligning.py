"""Passages of two documents aligned, with and without a cross-encoder; whole contracts compared.

The contracts are the two longest of the files given, or two made ones of 60 pages.
"""

from collections.abc import Iterator, Sequence

from docqa import installation
from docqa.compare.align import pairs
from docqa.compare.similarity import Passages, similarities
from docqa.models.load import Reranker, load_reranker
from docqa.settings import DEFAULTS
from docqa.types.comparison import Comparison
from docqa.types.document import Document
from docqa.workspace import Workspace
from tests.benchmarks import made
from tests.benchmarks.rows import Action, Options, Row, against, medians, percentile

SECTION = "align"
PAGES = 60  # of each made contract
SIDE = 10  # passages of each document


def run(options: Options) -> Iterator[Row]:
    with Workspace(options.scratch / "aligned") as workspace:
        contracts = _contracts(workspace, options)
        samples = [] if options.short else workspace.add(installation.sample_paths())
        among = [each.document for each in samples if each.document] or contracts
        yield from _pairings(workspace, options, [document.id for document in among])
        yield from _comparison(workspace, options, *contracts)


def _pairings(workspace: Workspace, options: Options, among: Sequence[str]) -> Iterator[Row]:
    hits = workspace.search("rent, term and notice", document_ids=among, top_k=2 * SIDE).hits
    vectors = workspace.resources.catalog.vectors([hit.chunk.id for hit in hits])
    one, other = Passages(hits[:SIDE], vectors[:SIDE]), Passages(hits[SIDE:], vectors[SIDE:])
    reranker = load_reranker(options.scratch / "models")

    def paired(reranker: Reranker | None) -> object:
        alike = similarities(one, other, reranker=reranker)
        return pairs(alike, threshold=DEFAULTS.comparing.pair_threshold)

    actions: dict[str, Action] = {
        "docqa": lambda: paired(reranker),
        "the same without a reranker": lambda: paired(None),
    }
    took = medians(actions, turns=options.turns)
    yield from against(SECTION, f"{SIDE} × {SIDE} passages paired", took, turns=options.turns)


def _comparison(
    workspace: Workspace, options: Options, one: Document, other: Document
) -> Iterator[Row]:
    ids = [one.id, other.id]
    took = [
        event.seconds
        for question in ("", "Compare notice and fees") * options.turns
        for event in workspace.comparisons.make(ids, question, answerer="extractive")
        if isinstance(event, Comparison)
    ]
    name = f"contracts of {one.page_count} and {other.page_count} pages compared without a key"
    yield Row(SECTION, f"{name}, median", percentile(took, 0.5), "s", len(took))
    yield Row(SECTION, f"{name}, longest", max(took), "s", len(took))


def _contracts(workspace: Workspace, options: Options) -> tuple[Document, Document]:
    if len(options.files) > 1:
        added = [each.document for each in workspace.add(list(options.files))]
        known = [document for document in added if document is not None]
        longest = sorted(known, key=lambda document: -document.page_count)
        return longest[0], longest[1]
    pages = 5 if options.short else PAGES
    one = made.agreement(options.scratch / "One Agreement.pdf", pages, seed=1, months=6)
    other = made.agreement(options.scratch / "Other Agreement.pdf", pages, seed=2, months=9)
    first, second = (each.document for each in workspace.add([one, other]))
    assert first is not None
    assert second is not None
    return first, second
