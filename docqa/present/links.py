"""Addresses that open the app at a place of a document, with what is cited there marked.

The place goes as boxes on the page, so that the marks do not depend on finding words again; in a
file without pages, and where a person writes the address, as a quote.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from urllib.parse import urlencode

from docqa.types.document import Block

ADDRESS = "http://127.0.0.1:8501"  # of the app, unless it is started elsewhere
PARAMETERS = ("document", "page", "quote", "boxes")
MOST_BOXES = 24  # with which an address stays under the 2,079 characters that Excel opens
LONGEST_QUOTE = 160  # characters

Edges = tuple[int, int, int, int]  # left, top, right, bottom in points


@dataclass(frozen=True, slots=True)
class Target:
    """Where an address leads: a document's id or name, a page (0 where it names none), marks."""

    document: str
    page: int = 0
    quote: str = ""
    boxes: tuple[Edges, ...] = ()


def deep_link(address: str, document_id: str, page: int, blocks: Sequence[Block] = ()) -> str:
    """The address that opens ``page`` with those of the blocks marked that stand on it."""
    here = [block for block in blocks if block.page == page]
    placed = [edges for edges in map(edges_of, here) if any(edges)]
    fields = {"document": document_id, "page": str(page)}
    if placed:
        fields["boxes"] = ";".join(",".join(map(str, each)) for each in placed[:MOST_BOXES])
    elif here and here[0].text:
        fields["quote"] = here[0].text[:LONGEST_QUOTE]
    return f"{address}/?{urlencode(fields, safe=',;')}"


def target(parameters: Mapping[str, str]) -> Target | None:
    """Where the parameters of an address lead; None where they name no document.

    A page or boxes that cannot be read count as none.
    """
    if not parameters.get("document", "").strip():
        return None
    page = parameters.get("page", "").strip()
    return Target(
        parameters["document"].strip(),
        int(page) if page.isdecimal() else 0,
        parameters.get("quote", ""),
        _boxes(parameters.get("boxes", "")),
    )


def edges_of(block: Block) -> Edges:
    """The block's box in whole points."""
    left, top, right, bottom = map(round, astuple(block.box))
    return left, top, right, bottom


def _boxes(text: str) -> tuple[Edges, ...]:
    try:
        read = [tuple(map(int, each.split(","))) for each in text.split(";") if each]
    except ValueError:
        return ()
    return tuple((a, b, c, d) for a, b, c, d in read) if all(len(e) == 4 for e in read) else ()
