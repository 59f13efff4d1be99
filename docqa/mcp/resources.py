"""Documents and pages as resources: ``docqa://document/ID`` and ``docqa://document/ID/page/N``."""

import re

from docqa.errors import DocqaError, UnknownDocument
from docqa.mcp.shelf import Shelf, plain
from docqa.mcp.tools import ReadPage, read_page
from docqa.types.document import Document

DOCUMENT = "docqa://document/{document_id}"
PAGE = f"{DOCUMENT}/page/{{page}}"
_URI = re.compile(r"docqa://document/([0-9a-f]{64})(?:/page/([1-9]\d{0,6}))?")


def listed(shelf: Shelf) -> list[Document]:
    """The documents that are lent; none while the library is not there."""
    try:
        return shelf.documents()
    except DocqaError:
        return []  # a tool says why


def text_of(shelf: Shelf, uri: str) -> str:
    """A page's text, or what a document is, with its headings. Raises `DocqaError`."""
    named = _URI.fullmatch(uri)
    if not named:
        raise UnknownDocument(uri)
    if named[2]:
        read, text = read_page(shelf, ReadPage(named[1], int(named[2])))
        shelf.note("resource", plain(read))
        return text
    document = shelf.document(named[1])
    shelf.note("resource", plain(shelf.place(document, 1, document.description, ())))
    blocks = shelf.workspace.contents.blocks(document.id)
    headings = [f"{b.where}: {b.text}" for b in blocks if b.kind == "heading"]
    return "\n".join([f"{document.name}, {document.extent}", document.description, *headings])
