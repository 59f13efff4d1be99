"""What a section says first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docqa.language.sentences import sentences
from docqa.types.document import Block
from docqa.types.phrases import quoted, sign_at

_SHORTEST = 25  # characters of a sentence that says something
_LONGEST = 500
_LONGEST_SHOWN = 300  # characters of a point or an item that is told whole
_TITLE = 60  # characters of what a clause begins with that is its title
_COVER = re.compile(  # of a form, which any document filed on it says
    r"indicate by check mark|check the appropriate box|securities registered pursuant", re.I
)


@dataclass(frozen=True, slots=True)
class FirstSentence:
    """What a section says first: its heading, if it has one, a block under it and a sentence."""

    heading: Block | None
    block: Block
    sentence: str

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (self.heading, self.block) if self.heading else (self.block,)

    @property
    def text(self) -> str:
        head = f"{self.heading.text.rstrip(' :.')}: " if self.heading else ""
        return f"{head}{quoted(self.sentence)}"


def first_sentence(heading: Block | None, blocks: Sequence[Block]) -> Iterator[FirstSentence]:
    """The first whole sentence of some blocks, if one is."""
    for block in blocks:
        if block.kind in ("text", "list") and not block.continues:
            first = opening(block)
            whole = _SHORTEST <= len(first) <= _LONGEST and first[-1] in ".;:!?"
            if whole and not _COVER.match(first):
                yield FirstSentence(heading, block, first)
                return


def shown(block: Block, *, whole: bool = False) -> str:
    """A point or an item as it stands, without its sign; a long one ``whole`` or as it opens."""
    plain = block.text[sign_at(block.text) :].strip()
    return plain if whole or len(plain) <= _LONGEST_SHOWN else opening(block)


def opening(block: Block) -> str:
    """A block's first sentence without its sign, and the next where the first is a title that its
    clause runs on from ("5.2 Termination. Either party may …"); all of it where it has none."""
    plain = block.text[sign_at(block.text) :].strip()
    found = sentences(plain) or [(0, len(plain))]
    start, end = found[0]
    if end - start <= _TITLE and len(found) > 1:
        end = found[1][1]
    return plain[start:end]
