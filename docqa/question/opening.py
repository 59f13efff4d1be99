"""Whether a question asks for what a document's opening says: who made it, with whom, when, what.

An opening names the parties and the day once; the words of such a question ("parties", "agreement")
stand in every clause after it. So the first passages are looked at too, and weighed by how likely
they are meant: a logistic regression over a question's words and vector, taught by
`tests.training.opening`.
"""

import numpy as np

from docqa.language.linear import bundled
from docqa.question.asides import Vectors


def opening_chance(question: str, vectors: Vectors) -> float:
    """The chance, 0–1, that the opening of a document answers."""
    taught = bundled("docqa.question", "opening.json")
    (odds,) = taught.odds(question, vectors([question])[0])
    return float(1 / (1 + np.exp(-odds)))
