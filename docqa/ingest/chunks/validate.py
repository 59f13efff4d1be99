"""Which chunks are worth indexing, and a word for why one is not.

Nothing is thrown away for being short or full of figures where it says something: a table and a
text with digits are exempt from the ratios, code from the count of special characters. What is
left out is listed with its page and its reason.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence

from docqa.settings import Settings
from docqa.types.document import Chunk, Discard

TOO_SHORT = "too short"
TABLE_ARTIFACT = "table artifact"
FEW_LETTERS = "few letters or digits"
SPECIAL_CHARACTERS = "special characters"

MIN_WORDS = 3  # a shorter text than asked for is kept when it says at least this much
_CODE = re.compile(
    r"[{};]\s*$|^\s*(?:def|class|import|from|return|if|for|while|var|let|const|function|public"
    r"|private|select|insert|update|create)\b|=>|[=!]=|\w+\([^)]*\)\s*[;{]|</?\w+[^>]*>",
    re.IGNORECASE | re.MULTILINE,
)


_RULED = re.compile(r"([^\w\s]|_)(?:\s*\1){2,}")  # drawn lines and dot leaders, counted once


def validate(
    chunks: Sequence[Chunk], *, settings: Settings, restored: Container[str] = ()
) -> tuple[list[Chunk], list[Discard]]:
    """The chunks to keep, unchanged and in order, and a `Discard` for each of the others.

    A chunk whose text is among the ``restored`` is kept, whatever it looks like.
    """
    kept: list[Chunk] = []
    discards: list[Discard] = []
    for chunk in chunks:
        reason = reason_against(chunk, settings=settings)
        if reason and chunk.text not in restored:
            first = chunk.blocks[0]
            discards.append(Discard(chunk.document_id, first.page, reason, chunk.text, first.place))
        else:
            kept.append(chunk)
    return kept, discards


def reason_against(chunk: Chunk, *, settings: Settings) -> str:
    """Why a chunk is not worth keeping, in a short fixed phrase, or "" where it is."""
    text = _RULED.sub(r"\1", chunk.text.strip())
    if not any(map(str.isalnum, text)):
        return TABLE_ARTIFACT if chunk.kind == "table" or _drawn(text) else SPECIAL_CHARACTERS
    if len(text) < settings.chunking.min_chunk_chars and not _says_something(chunk):
        return TOO_SHORT
    if _only_punctuated_cells(chunk):
        return TABLE_ARTIFACT
    if chunk.kind == "table" or any(map(str.isdigit, text)):
        return ""
    if _share(text, str.isalnum) < settings.chunking.min_alphanumeric:
        return FEW_LETTERS
    if _share(text, _is_special) > settings.chunking.max_special and not _is_code(chunk):
        return SPECIAL_CHARACTERS
    return ""


def count_by_reason(discards: Iterable[Discard]) -> dict[str, int]:
    """How many were left out for each reason, the commonest first, then by name."""
    counted = Counter(discard.reason for discard in discards)
    return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


def _says_something(chunk: Chunk) -> bool:
    """Whether a short text states a fact: a heading with text, a figure in words, a sentence."""
    body = " ".join(block.text for block in chunk.blocks if block.kind != "heading")
    words = re.findall(r"[^\W\d_]{2,}", body)
    return len(words) >= MIN_WORDS or bool(words and re.search(r"\d", body))


def _only_punctuated_cells(chunk: Chunk) -> bool:
    """Whether a table has figures' marks and no figures, or a label and nothing beside it."""
    if chunk.kind != "table":
        return False
    cells = [cell.strip() for block in chunk.blocks for cell in block.text.split("|")]
    written = [cell for cell in cells if any(map(str.isalnum, cell))]
    return len(written) * 10 < len(cells)


def _drawn(text: str) -> bool:
    """Whether a text is made of the lines and bars tables are drawn with."""
    return bool(text) and all(character in "|-–—_=+.:$%() \n\t" for character in text)


def _is_code(chunk: Chunk) -> bool:
    written = any(block.kind == "code" for block in chunk.blocks)
    return written or len(_CODE.findall(chunk.text)) >= 2


def _is_special(character: str) -> bool:
    return not character.isalnum() and not character.isspace()


def _share(text: str, counted: Callable[[str], bool]) -> float:
    """The share of a text's characters that are counted, blanks left out of both."""
    solid = [character for character in text if not character.isspace()]
    return sum(map(counted, solid)) / max(len(solid), 1)
