"""Searching in the document that is open: every place of the words, one after the other."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import TypeVar

import streamlit as st

from docqa.present.as_nodes import Json
from docqa.types.document import Block, Box, Document
from docqa.ui.buttons import quiet_button
from docqa.ui.state import Sought, screen, workspace

Thing = TypeVar("Thing")
_DASHES = re.compile("[\u00ad\u2010-\u2015\u2212]")  # printed for a hyphen, or hidden in a word
_QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")


def toggle() -> None:
    here = screen()
    here.seeking = not here.seeking
    here.sought = None


def row(document: Document) -> None:
    """The line to type in, how many places have it, and the way from one to the next."""
    sought = screen().sought
    with st.container(horizontal=True, vertical_alignment="center", key="seek_row"):
        st.text_input(
            "Find in this document",
            key="seek",
            # Found as it is typed. Sent only when the field is left, by a click on something beside
            # the reader, it would go with that click in one message, and hide what it asked for.
            live=True,
            type="search",
            placeholder="Find in this document",
            label_visibility="collapsed",
            on_change=lambda: look_for(str(st.session_state["seek"]), document.id),
        )
        if sought is not None and sought.document_id == document.id:
            st.text(told(sought))
            for label, icon, step in (("Previous match", "up", -1), ("Next match", "down", 1)):
                quiet_button(
                    label,
                    label.lower().replace(" ", "_"),
                    go,
                    step,
                    icon=f"keyboard_arrow_{icon}",
                    disabled=len(sought.found) < 2,
                )


def looked_at(sought: Sought | None) -> Json:
    """The words that are looked for, and which of their block's places is looked at."""
    current = sought.current if sought else None
    return {"phrase": sought.phrase, "at": current[1]} if sought and current else {}


def told(sought: Sought) -> str:
    """Which of how many places is looked at: "3 of 12"."""
    return f"{sought.at + 1} of {len(sought.found):,}" if sought.found else "not found"


def look_for(phrase: str, document_id: str) -> None:
    """Find the phrase in the document, and open the first place from the open page on."""
    here = screen()
    if not folded(phrase):
        here.sought = None
        return
    found = tuple(places(phrase, workspace().contents.blocks(document_id)))
    page = here.place.page if here.place else 1
    first = next((n for n, (block, _) in enumerate(found) if block.page >= page), 0)
    here.sought = Sought(phrase, document_id, found, first)
    _show()


def go(step: int) -> None:
    """To the next place, or the one before; after the last comes the first."""
    here = screen()
    if here.sought is not None and here.sought.found:
        at = (here.sought.at + step) % len(here.sought.found)
        here.sought = replace(here.sought, at=at)
        _show()


def _show() -> None:
    here = screen()
    current = here.sought.current if here.sought else None
    if current is not None and here.place is not None:
        here.visits += 1
        here.place = replace(here.place, page=current[0].page, visit=here.visits)


def places(phrase: str, blocks: Iterable[Block]) -> Iterator[tuple[Block, int]]:
    """Where the phrase stands, whatever its case, spaces, dashes and quotes.

    Each place is its block and which of the block's own places it is, from 0.
    """
    wanted = folded(phrase)
    for block in blocks:
        yield from ((block, n) for n in range(folded(block.text).count(wanted)))


def word_boxes(phrase: str, words: Iterable[tuple[str, Box]]) -> Iterator[list[Box]]:
    """For each place of the phrase among a page's words, the boxes it covers, a line each."""
    return map(_lines, covered(phrase, words))


def covered(phrase: str, texts: Iterable[tuple[str, Thing]]) -> Iterator[list[Thing]]:
    """For each place of the phrase in texts after one another, the things whose text it covers."""
    wanted, text, ends = folded(phrase), "", list[tuple[int, Thing]]()
    for each, thing in texts:
        text += folded(each)
        ends.append((len(text), thing))
        text += " "
    at = text.find(wanted)
    while wanted and at >= 0:
        first = bisect_right(ends, at, key=itemgetter(0))
        last = bisect_left(ends, at + len(wanted), key=itemgetter(0))
        yield [thing for _, thing in ends[first : last + 1]]
        at = text.find(wanted, at + len(wanted))


def _lines(boxes: Iterable[Box]) -> list[Box]:
    """Neighbours on one line as one box."""
    lines: list[Box] = []
    for box in boxes:
        last = lines[-1] if lines else None
        if last and last.top < (box.top + box.bottom) / 2 < last.bottom and last.left < box.left:
            top, bottom = min(last.top, box.top), max(last.bottom, box.bottom)
            lines[-1] = Box(last.left, top, box.right, bottom)
        else:
            lines.append(box)
    return lines


def folded(text: str) -> str:
    """Text as it is compared: "Off\u2010market  “LEASE”" and 'off-market "lease"' are the same.

    >>> folded("The\\u00a0 FEE – net")
    'the fee - net'
    """
    plain = _DASHES.sub("-", unicodedata.normalize("NFKC", text)).translate(_QUOTES)
    return " ".join(plain.casefold().split())
