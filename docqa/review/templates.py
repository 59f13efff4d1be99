"""Templates of reviews: plain TOML files, those of docqa and a person's own."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from docqa.errors import TemplateUnreadable, UnknownTemplate
from docqa.types.document import Document
from docqa.types.review import KINDS, Column, Kind, Template

BUNDLED = Path(__file__).with_name("templates")
_SPELLED: Mapping[str, Kind] = {
    **{each: each for each in KINDS},
    **{"yes-no": "yes or no", "yes/no": "yes or no", "yesno": "yes or no"},
}


def templates(*folders: Path) -> list[Template]:
    """Every template of docqa and of these folders, by name.

    A file replaces one of the same name in an earlier folder. Raises `TemplateUnreadable`.
    """
    files = {
        path.stem: path
        for folder in (BUNDLED, *folders)
        if folder.is_dir()
        for path in sorted(folder.glob("*.toml"))
    }
    return sorted(map(_read, files.values()), key=lambda each: each.name.casefold())


def template_named(name: str, among: Sequence[Template]) -> Template:
    """The template that a person means by its name or its file's. Raises `UnknownTemplate`."""
    wanted = name.strip().casefold()
    for each in among:
        if wanted in (each.name.casefold(), each.file.casefold()):
            return each
    raise UnknownTemplate(name, known=tuple(each.name for each in among))


def fitting(documents: Sequence[Document], among: Sequence[Template]) -> Template | None:
    """The template made for such documents, by what is known of them; None where none is clear.

    Each document speaks for the template whose words come first in its title, description and
    name, and the one that most speak for is it; of equals, none.
    """
    votes = Counter[str]()
    for each in documents:
        said = f"{each.description} {each.title} {each.name.replace('_', ' ')}".casefold()
        places = {t.name: _first_place(said, t.fits) for t in among}
        nearest = min((place for place in places.values() if place >= 0), default=None)
        votes.update(name for name, place in places.items() if place == nearest)
    best = votes.most_common(2)
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    return next(each for each in among if each.name == best[0][0])


def _first_place(said: str, words: Sequence[str]) -> int:
    """Where the first of some words begins, or a longer one with it; a "release" is no lease."""
    begun = "|".join(re.escape(word.casefold()) for word in words)
    found = re.search(rf"\b(?:{begun})", said) if begun else None
    return found.start() if found else -1


def kind_named(text: str) -> Kind:
    """The kind a file names, "yes-no" and the like included. Raises ValueError."""
    try:
        return _SPELLED[" ".join(text.split()).casefold()]
    except KeyError:
        raise ValueError(f"its kind “{text}” is none of {', '.join(KINDS)}") from None


def column_of(given: Any) -> Column:
    """A column from what a file says of it. Raises ValueError, which says what is wrong."""
    if not isinstance(given, Mapping) or not str(given.get("question", "")).strip():
        raise ValueError("a column has no question")
    question = " ".join(str(given["question"]).split())
    title = " ".join(str(given.get("title", "")).split()) or question.rstrip("?")
    return Column(title, question, kind_named(str(given.get("kind", "text"))))


def _read(path: Path) -> Template:
    try:
        return _template_in(path.read_text(encoding="utf-8"), path.stem)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise TemplateUnreadable(path.name, reason=str(error)) from error


@lru_cache(maxsize=64)  # the screen asks for all of them at every click
def _template_in(text: str, file: str) -> Template:
    """What a file of that name holds. Raises ValueError, which says what is wrong."""
    given = tomllib.loads(text)
    columns = tuple(map(column_of, given.get("column", [])))
    if not columns:
        raise ValueError("it has no [[column]]")
    name, about = str(given.get("name", file)), str(given.get("about", ""))
    return Template(name, about, columns, tuple(map(str, given.get("fits", []))), file)
