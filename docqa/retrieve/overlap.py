"""The scorer of last resort: how many words a question and a passage share."""

from collections.abc import Sequence

from docqa.retrieve.words import keywords


def jaccard(first: str, second: str) -> float:
    """Shared keywords over all keywords, 0–1; 0 where neither has any.

    >>> jaccard("The rent is due monthly", "rent due yearly")
    0.5
    """
    one, other = set(keywords(first)), set(keywords(second))
    union = one | other
    return len(one & other) / len(union) if union else 0.0


def containment(question: str, passages: Sequence[str]) -> list[float]:
    """For each passage, the share of the question's keywords that it has, 0–1."""
    wanted = set(keywords(question))
    if not wanted:
        return [0.0] * len(passages)
    return [len(wanted & set(keywords(passage))) / len(wanted) for passage in passages]
