"""The list or the table that a sentence leads in ("… if you:"), whole, wherever it ends."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from docqa.answer.findings.cited import Gathered, Source
from docqa.answer.findings.first_sentence import shown
from docqa.answer.findings.points import MOST
from docqa.answer.findings.quotes import Quote
from docqa.language.numbering import numbering
from docqa.language.sentences import sentences
from docqa.types.answer import Evidence
from docqa.types.document import Block

_ITEMS_TOLD = 2  # at least, of a list that is told whole
_LONGEST_LINE = 120  # characters of a line of an address

_OF_TABLE = re.compile(r"\bas follows\b|\bfollowing table\b|\btable below\b", re.IGNORECASE)

_OPENING, _CLOSING = ("“", '"', "‘", "'"), ("”", '"', "’", "'")

APART = -1  # the place of an item: it is joined with no sentence
_ALONE = -3  # that of what leads items in and was not chosen itself

Item = tuple[Block, ...]
Place = tuple[Evidence, int]  # a piece of evidence, and the number of a block of it


def leads_in_items(quote: Quote) -> bool:
    """Whether a quote is a sentence that a list may follow."""
    return quote.row is None and quote.text.endswith(":")


def with_rows(lead: Quote, quotes: Sequence[Quote]) -> list[Quote]:
    """A sentence that says that a table follows, and of the quotes the rows of the next table of
    its passage, else of the last before it, as where a page begins with it; none of another quote.
    """
    if lead.row or not (leads_in_items(lead) or _OF_TABLE.search(lead.text)):
        return []
    beside = [quote for quote in quotes if quote.row and quote.piece.label == lead.piece.label]
    if not beside:
        return []
    beside.sort(key=lambda quote: quote.first)
    nearest = next((quote for quote in beside if quote.first > lead.first), beside[-1])
    own = [quote for quote in beside if quote.parts[0].table == nearest.parts[0].table]
    rows = [replace(quote, place=APART, until=APART) for quote in own[:MOST]]
    return [replace(lead, of=len(own) if len(own) > MOST else 0), *rows]


def with_items(lead: Quote, gathered: Gathered) -> list[Quote]:
    """A sentence that leads in a list, and its items or the lines of an address after it.

    They go on past the end of its passage, up to what stands beside the sentence itself ("C." after
    "B. …:"). Where only the first of them are shown, the sentence says so.
    """
    inside, source = lead.piece.hit.chunk.blocks, Source(lead.piece.hit, gathered)
    outside = [block for block in source.blocks if block.index > inside[-1].index]
    after = [block for block in (*inside[lead.last :], *outside) if not block.is_furniture]
    items = list(_items(inside[lead.last - 1], after))
    told = items[:MOST]
    places = _places(lead, [block for item in told for block in item], source)
    of = len(items) if len(items) > MOST else 0
    return [replace(lead, of=of), *(_quote(lead, item, places) for item in told)]


def as_list(
    chosen: Sequence[Quote], gathered: Gathered, *, fewest: int = _ITEMS_TOLD
) -> list[Quote]:
    """The quotes with that first which leads in a list: one of them, else what leads in those, at
    the ``fewest``, that are items of one list."""
    for quote in chosen:
        if leads_in_items(quote) and len(with_items(quote, gathered.copy())) > _ITEMS_TOLD:
            return [quote, *(each for each in chosen if each != quote)]
    for quote in chosen:
        grown = gathered.copy()
        if lead := _lead_of(quote, grown):
            _, *items = with_items(lead, grown)
            listed = {item.block.index for item in items}
            others = [each for each in chosen if each.block.index not in listed]
            if len(others) <= len(chosen) - fewest:
                gathered.evidence = grown.evidence
                return [lead, *others]
    return list(chosen)


def _lead_of(item: Quote, gathered: Gathered) -> Quote | None:
    """The sentence that leads in the list of an item; None of what is of none."""
    inside, source = item.piece.hit.chunk.blocks, Source(item.piece.hit, gathered)
    own = item.block
    if item.row or not _is_listed(own):
        return None
    above = [block for block in source.blocks if block.index < inside[0].index]
    for block in reversed([*above, *inside[: item.first - 1]]):
        is_beside = (numbering(block.text) or block.kind) == (numbering(own.text) or own.kind)
        if block.text.endswith(":") and not is_beside and block.kind in ("text", "list"):
            lead = _quote(item, (block,), _places(item, [block], source))
            start, end = sentences(block.text)[-1]
            return replace(lead, text=block.text[start:end], place=_ALONE, until=_ALONE)
        if not (_is_listed(block) or _carries_on(block) or block.is_furniture):
            return None
    return None


def _items(lead: Block, after: Sequence[Block]) -> Iterator[Item]:
    """The blocks of each item, with those that carry it on; of words in quotation marks, as an
    amendment puts them in place of others, those up to the last of them."""
    if words := quoted_words(after):
        yield from ((block,) for block in words)
        return
    item: list[Block] = []
    for block in after:
        if item and _carries_on(block):
            item.append(block)
        elif _is_item(block, lead, item):
            if item:
                yield tuple(item)
            item = [block]
        else:
            break
    if item:
        yield tuple(item)


def quoted_words(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks up to that which closes the quotation that the first opens, that alone where none
    soon closes it; none where it opens none."""
    if not blocks or blocks[0].text[:1] not in _OPENING:
        return ()
    for at, block in enumerate(blocks[:MOST]):
        if block.text.rstrip(" .;,")[-1:] in _CLOSING:
            return blocks[: at + 1]
    return blocks[:1]


def _is_item(block: Block, lead: Block, before: Sequence[Block]) -> bool:
    """Whether a block is an item, which is signed or set as one, or a line under a signed lead."""
    style = numbering(block.text)
    if block.kind not in ("text", "list") or (style and style == numbering(lead.text)):
        return False
    if block.kind == "list" or style:
        return not before or _is_listed(before[0])
    is_line = len(block.text) <= _LONGEST_LINE and block.text[-1:] != "."
    return lead.kind == "list" and is_line and not (before and _is_listed(before[0]))


def _is_listed(block: Block) -> bool:
    return block.kind == "list" or bool(numbering(block.text))


def _places(quote: Quote, blocks: Sequence[Block], source: Source) -> dict[int, Place]:
    """Where blocks are cited: in the quote's passage, those not of it in one of their own."""
    inside, headings = quote.piece.hit.chunk.blocks, quote.piece.hit.chunk.headings
    places = {block.index: (quote.piece, at) for at, block in enumerate(inside, 1)}
    if beyond := [block for block in blocks if block.index not in places]:
        piece = source.add(f"list-{beyond[0].index}", beyond, *headings)
        places |= {block.index: (piece, at) for at, block in enumerate(beyond, 1)}
    return places


def _carries_on(block: Block) -> bool:
    return block.continues or (block.kind == "text" and block.text[:1].islower())


def _quote(lead: Quote, item: Item, places: Mapping[int, Place]) -> Quote:
    piece, first = places[item[0].index]
    own = [at for own, at in (places[block.index] for block in item) if own is piece]
    whole = replace(item[0], text=" ".join(block.text for block in item))
    told = replace(lead, piece=piece, first=first, last=own[-1], text=shown(whole))
    return replace(told, paragraph=first, place=APART, until=APART)
