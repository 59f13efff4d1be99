"""Documents to measure on where none are given: the same bytes for the same seed."""

import random
import re
from collections import Counter
from pathlib import Path

from tests import pdfs
from tests.samples.make import TEXTS

PLANTED = "The retention fee of the Marlow account is $7,311."
QUESTION = "What is the retention fee of the Marlow account?"


class Prose:
    """Words of the sample documents, as often as they stand there, in no order."""

    def __init__(self, seed: int) -> None:
        every = " ".join(path.read_text("utf-8") for path in sorted(TEXTS.iterdir()))
        counted = Counter(re.findall(r"[a-z]+", every.lower()))
        self._words, self._weights = list(counted), list(counted.values())
        self._random = random.Random(seed)

    def text(self, characters: int) -> str:
        drawn = self._random.choices(self._words, self._weights, k=characters // 5)
        return " ".join(drawn)[:characters].capitalize() + "."


def filing(path: Path, page_count: int, *, seed: int = 0) -> Path:
    """A long report of words without sense, a numbered heading and seven paragraphs to a page.

    `PLANTED` stands in its middle.
    """
    words = Prose(seed)
    texts = [_page(number, words) for number in range(1, page_count + 1)]
    texts[page_count // 2] += f"\n\n{PLANTED}"
    return pdfs.text_pages(path, texts)


def _page(number: int, words: Prose) -> str:
    paragraphs = [words.text(430) for _ in range(7)]
    return "\n\n".join([f"{number}. {words.text(30).title().strip('.')}", *paragraphs])


def agreement(path: Path, page_count: int, *, seed: int = 0, months: int = 6) -> Path:
    """A contract of made-up clauses, two of them real: its notice period and its fee."""
    words = Prose(seed)
    texts = [_page(number, words) for number in range(1, page_count + 1)]
    texts[0] += f"\n\nEither party may terminate this Agreement on {months} months' notice."
    texts[page_count // 2] += f"\n\nThe service fee is ${months},500 a month."
    return pdfs.text_pages(path, texts)
