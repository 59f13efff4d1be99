"""Words and lines as if read from a page, each letter half as wide as the type is high."""

from dataclasses import replace

from docqa.ingest.geometry.layout import Page
from docqa.ingest.geometry.words import Line, Word, line_of
from docqa.types.document import Box

WIDTH, HEIGHT = 612.0, 792.0


def words(
    text: str,
    left: float,
    top: float,
    *,
    size: float = 10.0,
    font: str = "Body",
    bold: bool = False,
) -> list[Word]:
    """The words of ``text`` on one line, a letter's width apart."""
    drawn: list[Word] = []
    for word in text.split():
        right = left + size / 2 * len(word)
        drawn.append(Word(word, Box(left, top, right, top + size), font=font, bold=bold))
        left = right + size / 2
    return drawn


def line(text: str, left: float, top: float, *, size: float = 10.0, bold: bool = False) -> Line:
    return line_of(words(text, left, top, size=size, bold=bold))


def flush_right(text: str, right: float, top: float, *, size: float = 10.0) -> list[Word]:
    """As `words`, ending at ``right``."""
    drawn = words(text, 0, top, size=size)
    shift = right - drawn[-1].box.right
    return [
        replace(
            word, box=replace(word.box, left=word.box.left + shift, right=word.box.right + shift)
        )
        for word in drawn
    ]


def level(top: float, left: float, right: float) -> Box:
    """A rule from left to right."""
    return Box(left, top - 0.25, right, top + 0.25)


def upright(left: float, top: float, bottom: float) -> Box:
    """A rule from top to bottom."""
    return Box(left - 0.25, top, left + 0.25, bottom)


def ruled(xs: list[float], ys: list[float]) -> list[Box]:
    """Every rule of a table with borders at ``xs`` and ``ys``."""
    levels = [level(y, xs[0], xs[-1]) for y in ys]
    return levels + [upright(x, ys[0], ys[-1]) for x in xs]


def page(*drawn: list[Word], rules: list[Box] | None = None, number: int = 1) -> Page:
    return Page(
        number=number,
        width=WIDTH,
        height=HEIGHT,
        words=tuple(word for part in drawn for word in part),
        rules=tuple(rules or ()),
    )
