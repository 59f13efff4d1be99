"""What was read of the documents: pages, blocks, tables, headings, and what was left out."""

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from docqa.app.documents import outline_of
from docqa.app.resources import Resources
from docqa.errors import FileError, FileMissing
from docqa.ingest.chunks.validate import count_by_reason
from docqa.ingest.reading import cutout, pdfium
from docqa.present.document import Picture
from docqa.types.document import Block, Box
from docqa.types.outline import Entry


class DocumentContents:
    """The contents of the documents of one library, by the document's id.

    What the catalog has as it is wanted, `Catalog` describes.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources, catalog = resources, resources.catalog
        self.blocks, self.tables = catalog.blocks, catalog.tables
        self.health, self.pages_to_look_at = catalog.health, catalog.pages_to_look_at
        self.discards = catalog.discards

    def page_image(
        self, document_id: str, page: int, *, scale: float = 2.0
    ) -> tuple[bytes, float, float]:
        """One page as JPEG, with its width and height in points.

        Raises `IndexError` for a page that is not there, `FileMissing`, and `PasswordNeeded` for a
        protected file whose password was given before the last restart.
        """
        path, password = self._file(document_id)
        return pdfium.render_page(path, page, scale=scale, password=password)

    def page_cutout(self, document_id: str, page: int, blocks: Sequence[Block]) -> Picture | None:
        """The page around those of the blocks that stand on it, marked.

        None of a file without pages, and of one that is gone, protected or cannot be drawn.
        """
        documents = {document.id: document for document in self._resources.catalog.documents()}
        document = documents.get(document_id)
        if document is None or document.kind != "pdf":
            return None
        path, password = self._file(document_id)
        boxes = [block.box for block in blocks if block.page == page and any(astuple(block.box))]
        try:
            content, width = cutout.cut_out(path, page, boxes, password=password)
        except (FileError, IndexError):
            return None
        return Picture(content, f"{document.name}, page {page}", width)

    def page_words(self, document_id: str, page: int) -> list[tuple[str, Box]]:
        """The words of a page's text layer with their boxes; none of a scan.

        Raises as `page_image` does.
        """
        path, password = self._file(document_id)
        return pdfium.page_words(path, page, password=password)

    def outline(self, document_id: str) -> tuple[Entry, ...]:
        """A document's headings, with its tables and statements among them."""
        return outline_of(self._resources, document_id)

    def discard_counts(self) -> dict[str, int]:
        """Passages left out by validation over the whole library, by reason."""
        catalog = self._resources.catalog
        return count_by_reason(
            [each for document in catalog.documents() for each in catalog.discards(document.id)]
        )

    def _file(self, document_id: str) -> tuple[Path, str | None]:
        """A document's file, and the password that opens it. Raises `FileMissing`."""
        resources = self._resources
        path = resources.files.path(document_id)
        if not path.exists():  # whoever reads of it knows the document, not the file's own name
            raise FileMissing(resources.catalog.document(document_id).name)
        return path, resources.passwords.get(document_id)
