"""Text that runs over the end of a page, without the foot read as its last line; pure."""

import re
from collections.abc import Sequence
from itertools import accumulate

from docqa.types.document import Block

LEFT_OUT = "…"  # in the place of a page's foot, as it stands between the words
_FOOT = re.compile(
    r"\s+(?:"
    r"(?:[\w.()+-]+\s*\|\s*)?(?:https?://|www\.)\S+"  # "844.KEY.CURE | www.example.com"
    r"|page\s+\d+(?:\s+of\s+\d+)?|\d+\s*\|\s*page|[-–—]\s*\d+\s*[-–—]"
    r")$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?;:]['\"’”)]*$")


def run_on(blocks: Sequence[Block]) -> tuple[str, list[int]]:
    """The blocks of one paragraph as one text, and where each of them begins in it.

    What ends a page in the middle of a sentence and is plainly its foot is told as left out.

    >>> from docqa.types.document import Box
    >>> pages = [Block("hold it harmless from Page 1 of 7", 1, Box(0, 0, 1, 1))]
    >>> run_on([*pages, Block("all claims.", 2, Box(0, 0, 1, 1))])
    ('hold it harmless from … all claims.', [0, 24])
    """
    texts = [
        _without_foot(block.text) if after is not None and after.page != block.page else block.text
        for block, after in zip(blocks, (*blocks[1:], None), strict=True)
    ]
    starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
    return " ".join(texts), starts[:-1]


def _without_foot(text: str) -> str:
    foot = _FOOT.search(text)
    open_ended = foot is not None and not _ENDED.search(text[: foot.start()])
    return f"{text[: foot.start()]} {LEFT_OUT}" if foot and open_ended else text
