"""Pictures of pages for the viewer: any page of a long file, and the one after it."""

from collections.abc import Iterator

import pypdfium2  # type: ignore[import-untyped]

from docqa.ingest.reading.pdfium import render_page
from tests.benchmarks import made
from tests.benchmarks.rows import Options, Row, against, medians

SECTION = "page image"
PAGES = 600


def run(options: Options) -> Iterator[Row]:
    pages = 20 if options.short else PAGES
    path = made.filing(options.scratch / f"long-{pages}.pdf", pages)
    places = iter(range(pages // 2, pages))

    def bare() -> object:
        with pypdfium2.PdfDocument(path) as document:
            page = document[pages // 2]
            picture = page.render(scale=2).to_pil()
            page.close()
            return picture

    actions = {"docqa": lambda: render_page(path, next(places)), "pypdfium2 alone": bare}
    took = medians(actions, turns=options.turns)
    yield from against(SECTION, f"a page of {pages}", took, turns=options.turns)
