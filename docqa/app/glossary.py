"""The library's own lines of other names for things, beside docqa's own."""

from docqa.language.vocabulary import Glossary, with_own
from docqa.library.catalog import Catalog


class OwnGlossary:
    """The lines that one library keeps."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    @property
    def text(self) -> str:
        """The lines; "" for none."""
        return self._catalog.get_setting("glossary") or ""

    def set(self, text: str) -> None:
        """Use these lines from now on. Raises `GlossaryUnreadable` and `LibraryReadOnly`."""
        with_own(text)
        self._catalog.set_setting("glossary", text)


def glossary(catalog: Catalog) -> Glossary:
    """The library's own lines, before docqa's own."""
    return with_own(OwnGlossary(catalog).text)
