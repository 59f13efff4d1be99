"""Where each block stands: the path of headings over it, without lines that only look like one."""

import re
from collections.abc import Sequence

from docqa.types.document import Block

DEEPEST = 9  # the level of a heading that has none
TITLE_CHARS = 200  # a longer line is a sentence that was set as a heading

# Lines that are set large or bold and head nothing.
_NO_TITLE = re.compile(
    r"www\.|https?:|\S@\S|\(\d{3}\)\s*\d{3}-|\b\d{3}-\d{4}\b"  # addresses and telephones
    r"|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?$|\bD\.C\.\s+\d{5}"  # cities with their zip codes
    r"|^(?:[†‡*]|\(\w\)\s.*[.;]$|\((?-i:[a-z])\)\s+(?-i:[a-z]))"  # footnotes
    r"|,$|^\W*mark one\W*$"
    r"|^\W*(?:in\s+(?:thousands|millions|billions)|unaudited|continued)\b[^a-z]*$",
    re.IGNORECASE,
)
# It begins or breaks off within one, or goes on after one: a word, no abbreviation, and a stop.
_SENTENCE = re.compile(
    r"^[a-z]+\b(?!-\w+ [A-Z])|[a-z]{5,}\.\s+[A-Z]|\b(?:the|of|and|a|an|to|or|for|in|by|with)$"
)


def is_title(text: str) -> bool:
    """Whether a line that is set as a heading can head what follows.

    >>> is_title("4. Rent"), is_title("Houston, TX 77054"), is_title("measures for the period.")
    (True, False, False)
    """
    plain = text.strip()
    odd = _NO_TITLE.search(plain) or _SENTENCE.search(plain)
    return is_worded(plain) and not odd and len(plain) <= TITLE_CHARS


def is_worded(text: str) -> bool:
    """Whether half of what is printed are letters, three at least."""
    letters = sum(map(str.isalpha, text))
    return letters > 2 and 2 * letters >= len(text.replace(" ", ""))


def heading_paths(blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """For each block the headings it stands under; for a heading those of the text it leads to."""
    path: list[tuple[int, str]] = []
    paths: list[tuple[str, ...]] = []
    for before, block in zip((None, *blocks), blocks, strict=False):
        if block.kind == "heading":
            level = block.level or DEEPEST
            if block.continues and before and before.kind == "heading" and path:
                path[-1] = (path[-1][0], f"{path[-1][1]} {block.text}")
            elif is_title(block.text):
                path = [*(outer for outer in path if outer[0] < level), (level, block.text)]
        paths.append(tuple(text for _, text in path))
    for index in range(len(blocks) - 2, -1, -1):
        if blocks[index].kind == blocks[index + 1].kind == "heading":
            paths[index] = paths[index + 1]
    return paths
