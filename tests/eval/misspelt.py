"""How much of search a slip of the keys costs.

    python -m tests.eval.misspelt FOLDER... [--libraries DIR] [--most N]

asks each answerable question of the folders (see `tests.eval.sets`) as it is, and with one slip in
its longest word that is no name: a letter left out, doubled or changed, or two that changed
places, never the first. The slips are the same at every run.
"""

import argparse
import random
import re
from dataclasses import replace
from pathlib import Path

from docqa.types.evaluation import GoldQuestion
from tests.eval.library import library_of
from tests.eval.retrieval import answered, evaluate
from tests.eval.sets import read_set

SHORTEST = 6  # letters
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspelt(question: str) -> str:
    """The question with one slip; as it is where it has no word long enough.

    >>> misspelt("Is there an obligation of indemnification?")
    'Is there an obligation of indemnifiation?'
    """
    chosen = random.Random(question)
    words = re.findall(rf"\b[a-z]{{{SHORTEST},}}\b", question)
    if not words:
        return question
    word = max(words, key=len)
    return re.sub(rf"\b{word}\b", _slip(word, chosen), question)


def _slip(word: str, chosen: random.Random) -> str:
    at = chosen.randrange(1, len(word) - 1)
    before, letter, after = word[:at], word[at], word[at + 1 :]
    return chosen.choice(
        [
            before + after,
            before + letter + letter + after,
            before + chosen.choice(LETTERS.replace(letter, "")) + after,
            before + after[0] + letter + after[1:],
        ]
    )


def _with_slip(asked: GoldQuestion) -> GoldQuestion:
    return replace(asked, question=misspelt(asked.question))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what slips of the keys cost.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--libraries", type=Path, help="kept and used again; else temporary ones")
    parser.add_argument("--most", type=int, default=200, help="questions of each folder, evenly")
    options = parser.parse_args()
    for folder in options.folders:
        whole = answered(read_set(folder))
        step = max(1, len(whole.questions) // options.most)
        asked = replace(whole, questions=whole.questions[::step][: options.most])
        slipped = replace(asked, questions=tuple(map(_with_slip, asked.questions)))
        with library_of(asked, options.libraries) as workspace:
            evaluate(asked, workspace, "as it is")
            evaluate(slipped, workspace, "with a slip")


if __name__ == "__main__":
    main()
