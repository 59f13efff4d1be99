"""The library as it is lent to another program: which documents, what is hidden, what went out."""

import json
import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docqa.errors import UnknownDocument
from docqa.mcp.results import Place
from docqa.present.links import ADDRESS, deep_link
from docqa.settings import Settings
from docqa.types.document import Block, Document, without_ending
from docqa.workspace import Redaction, Workspace

LOG_NAME = "mcp.log"


class Shelf:
    """A library, opened for reading at the first call that needs it, and again if it was not there.

    ``names`` are the documents that are lent, () for all; ``hidden`` the words that are hidden.
    What is handed out is noted in ``log``: the time, the tool, documents and pages, no texts.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        names: Sequence[str] = (),
        hidden: Sequence[str] = (),
        log: Path | None = None,
    ) -> None:
        self._folder, self._settings, self._names = folder, settings, tuple(names)
        self._log = log or folder / LOG_NAME
        self._hidden = tuple(hidden)
        self._opening = threading.Lock()
        self._workspace: Workspace | None = None

    @property
    def workspace(self) -> Workspace:
        """The library. Raises `LibraryError`."""
        with self._opening:
            if self._workspace is None:
                self._workspace = Workspace(self._folder, self._settings, read_only=True)
            return self._workspace

    def close(self) -> None:
        if self._workspace is not None:
            self._workspace.close()

    def documents(self) -> list[Document]:
        """The documents that are lent and still there. Raises `UnknownDocument` if none is."""
        every = self.workspace.documents()
        if not self._names:
            return every
        lent = {each.id for each in self._lent()}
        if not lent:
            raise UnknownDocument(self._names[0])
        return [each for each in every if each.id in lent]

    def _lent(self) -> Iterator[Document]:
        for name in self._names:
            try:
                yield self.workspace.document(name)
            except UnknownDocument:
                continue

    def document(self, name: str) -> Document:
        """The lent document of that id, or that the name means. Raises `QuestionError`."""
        found = self.workspace.document(name)
        if found.id not in {each.id for each in self.documents()}:
            raise UnknownDocument(name)
        return found

    def chosen(self, names: Iterable[str]) -> list[str]:
        """The ids of the documents named, or of all that are lent; () where that is the library."""
        ids = [self.document(name).id for name in names]
        return ids or ([each.id for each in self.documents()] if self._names else [])

    def place(
        self, document: Document, page: int, quote: str, blocks: Sequence[Block], where: str = ""
    ) -> Place:
        """Words of a page with the link that opens the app there."""
        where = where or (blocks[0].where if blocks else f"{document.unit} {page}")
        if self._hidden:  # a link without boxes would quote it
            blocks = [replace(block, text="") for block in blocks]
        address = self.workspace.app_address or ADDRESS
        there = deep_link(address, document.id, page, blocks)
        return Place(document.name, document.id, page, where, quote, there)

    def hide(self, value: Any) -> Any:
        """A text, or what JSON has, without the hidden words and the names of what is not lent."""
        return Redaction((*self._hidden, *self._others())).hide(value)

    def restore(self, value: Any) -> Any:
        """What the model sent, with the hidden words in place of their stand-ins."""
        return Redaction(self._hidden).restore(value)

    def _others(self) -> Iterator[str]:
        """What the documents are called that are not lent."""
        if self._names and self._workspace is not None:
            lent = {each.id for each in self._lent()}
            for each in self._workspace.documents():
                if each.id not in lent:
                    yield from (each.name, without_ending(each.name))

    def note(self, tool: str, result: Mapping[str, Any]) -> None:
        """Add what was handed out to the log, for its owner alone."""
        pages: dict[str, set[int]] = {}
        for name, page in _places(result):
            pages.setdefault(name, set()).add(page)
        entry = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "tool": tool,
            "documents": {name: sorted(found - {0}) for name, found in pages.items()},
            "characters": len(json.dumps(result, ensure_ascii=False)),
        }
        descriptor = os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def plain(result: Any) -> dict[str, Any]:
    """A result as JSON has it."""
    read: dict[str, Any] = json.loads(json.dumps(asdict(result)))
    return read


def _places(value: Any) -> Iterator[tuple[str, int]]:
    """Every document that a result is of, with the page, 0 where it names none."""
    if isinstance(value, Mapping):
        if "document" in value:
            yield value["document"], value.get("page", 0)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _places(each)
