"""The plain pipeline that search is measured against, as many tutorials build it.

Each page's text as pypdf reads it, cut into pieces of 1000 characters that overlap by 100, each
embedded with the same encoder and found by cosine in Chroma; nothing else.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pypdf import PdfReader

from docqa.library.filenames import clean_name
from docqa.library.vectors import VectorIndex
from docqa.models.load import Encoder
from docqa.retrieve.metrics import Page, gold_pages, hits_at, page_ranking, rank_of_gold
from docqa.types.evaluation import GoldQuestion, Rate, Scope

CHARS, OVERLAP, HITS = 1000, 100, 10


def pieces(text: str) -> Iterator[str]:
    """Runs of at most 1000 characters that end at a space, each beginning 100 before its end.

    >>> [len(piece) for piece in pieces("word " * 300)]
    [999, 601]
    """
    start = 0
    while start < len(text):
        end = start + CHARS
        if end < len(text):
            end = max(text.rfind(" ", start + CHARS // 2, end), start + CHARS // 2)
        yield text[start:end]
        if end >= len(text):
            return
        start = end - OVERLAP


class Plain:
    """The pieces of a folder's PDFs in an index of their own, kept under ``folder``."""

    def __init__(self, folder: Path, pdfs: Path, encoder: Encoder) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._encoder = encoder
        self._index = VectorIndex(folder, encoder=encoder.name, dimensions=encoder.dimensions)
        places = folder / "places.json"
        if not places.exists():
            places.write_text(json.dumps(self._add(pdfs)), encoding="utf-8")
        self._places: dict[str, list[str | int]] = json.loads(places.read_text("utf-8"))

    def _add(self, pdfs: Path) -> dict[str, tuple[str, int]]:
        every: dict[str, tuple[str, int]] = {}
        for path in sorted(each for each in pdfs.iterdir() if each.suffix.lower() == ".pdf"):
            pages = [page.extract_text() for page in PdfReader(path).pages]
            found = [(n, text) for n, page in enumerate(pages, 1) for text in pieces(page)]
            name = clean_name(path.name)
            ids = [f"{name}:{at}" for at in range(len(found))]
            self._index.add(name, ids, self._encoder.encode([text for _, text in found]))
            every |= {one: (name, page) for one, (page, _) in zip(ids, found, strict=True)}
        return every

    def close(self) -> None:
        self._index.close()

    def pages(self, question: str, documents: Sequence[str]) -> list[Page]:
        """The pages of the nearest pieces, each once, best first."""
        vector = self._encoder.encode_query(question)
        found = self._index.search(vector, limit=HITS, document_ids=documents)
        places = (self._places[piece] for piece, _ in found)
        return page_ranking((str(name), int(page), int(page)) for name, page in places)


def measured(
    plain: Plain, questions: Sequence[GoldQuestion], *, scope: Scope, depths: Sequence[int]
) -> Mapping[str, Rate]:
    """hit@k and the share of questions with every document among the hits."""
    ranks, whole = [], []
    for asked in questions:
        if not asked.answerable or not asked.sources:
            continue
        sources = {clean_name(name): pages for name, pages in asked.sources.items()}
        found = plain.pages(asked.question, list(sources) if scope == "document" else [])
        whole.append(set(sources) <= {name for name, _ in found})
        if any(sources.values()):
            ranks.append(rank_of_gold(found, gold_pages(sources)))
    rates = {f"hit@{depth}": hits_at(ranks, depth) for depth in depths}
    return {**rates, "every document": Rate(sum(whole), len(whole))}
