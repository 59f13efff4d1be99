"""The part of a long passage that a reranker reads: where the question's words are."""

from collections.abc import Sequence

import numpy as np

READ = 96  # tokens of a passage; 160 took 1.7 times as long and found as many pages
FIRST_LINE = 40  # of these at most for its first line
# BERT's vocabulary is in the order of frequency: before this are signs, single letters and the
# hundred and forty commonest words, which say nothing of what is asked for.
TELLING = 2140
REPEATED = 0.05  # worth of holding a word once more, beside 1 for holding it at all


def excerpt(
    question: Sequence[int], passage: Sequence[int], *, head: int, room: int = READ
) -> list[int]:
    """The ``head`` of a passage and, of the rest, the run that holds most of the question.

    All are tokens of BERT's, ``room`` at most come back. Of runs that hold as much the first is
    taken, so a passage without any of the words keeps its beginning.

    >>> excerpt([2001, 9999], [101, 5000, 5001, 9999, 5002], head=1, room=3)
    [101, 5001, 9999]
    """
    rest, wide = passage[head:], room - head
    wanted = [token for token in dict.fromkeys(question) if token >= TELLING]
    if len(passage) <= room or wide <= 0 or not wanted:
        return list(passage[:room])
    same = np.array(wanted)[:, None] == np.array(rest)
    before = np.pad(same.cumsum(1), ((0, 0), (1, 0)))
    held = before[:, wide:] - before[:, :-wide]
    value = (np.minimum(held, 1) + REPEATED * held).sum(0)
    start = int(np.argmax(value >= value.max() - 1e-9))
    return [*passage[:head], *rest[start : start + wide]]
