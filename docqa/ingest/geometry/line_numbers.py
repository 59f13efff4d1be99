"""Numbers of a page's lines down its margin, as transcripts and court papers print them.

Pure geometry. They are no words of the text: with them each line would be a row of a table.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docqa.ingest.geometry.words import Word, rows_of

FEWEST = 10  # lines that are numbered
_FIRST = set(map(str, range(1, FEWEST + 1)))
EVEN = 0.3  # of the usual distance: by how much that of two numbers may differ
MOST_FIGURES = 0.25  # of the lines: those that end with a number, as rows of a table do


def line_numbers(words: Sequence[Word]) -> list[Word]:
    """The words that count a page's lines from 1 at the left of them; none where none do."""
    if not _FIRST.issubset(word.text for word in words):  # as on nearly every page
        return []
    numbered: list[list[Word]] = []
    for row in rows_of(words):
        if row[0].text == str(len(numbered) + 1):
            numbered.append(row)
    numbers = [row[0] for row in numbered]
    if len(numbers) < FEWEST or not _are_even(numbers):
        return []
    texts = [row[1:] for row in numbered if len(row) > 1]
    edge = max(number.box.right for number in numbers)
    beside = all(text[0].box.left > edge for text in texts)
    figures = sum(text[-1].text[-1:].isdigit() for text in texts)
    return numbers if beside and figures <= MOST_FIGURES * len(texts) else []


def pitch_of(numbers: Sequence[Word]) -> float:
    """How far it is from a numbered line to the next, in points; 0 for no numbers."""
    return median(_steps(numbers)) if len(numbers) > 1 else 0.0


def _are_even(numbers: Sequence[Word]) -> bool:
    """Whether numbers stand one below the other, all as far apart."""
    pitch = pitch_of(numbers)
    return all(abs(step - pitch) <= EVEN * pitch for step in _steps(numbers))


def _steps(numbers: Sequence[Word]) -> list[float]:
    return [below.box.top - above.box.top for above, below in pairwise(numbers)]
