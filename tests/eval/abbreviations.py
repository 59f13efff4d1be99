"""Whether a term finds what uses only the abbreviation that its document gives it, and vice versa.

    python -m tests.eval.abbreviations LIBRARY...

For each abbreviation that a document of the libraries defines, up to six a document each way, a
passage is drawn that has the one name only, and the other is asked for beside two words of its
first sentence with the name, neither the rarest nor the commonest: "What is said of gross
merchandise volume …?" where it says GMV. Every passage of the document that has the name and both
words answers. Printed are the ranks of the first one with and without the other names, for the
documents in view and those held out (by the hash of their names).
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from docqa.language.definitions import definitions_in
from docqa.language.keywords import keywords
from docqa.library.catalog import Catalog
from docqa.types.document import Chunk, Document
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.stages import STAGES, Asker, Without, asker_of, sign_test

MOST = 6  # questions a document, each way
WORDS = 2  # beside the name
_SENTENCE = re.compile(r"(?<=[.;:!?])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    answering: frozenset[str]  # ids of the passages


def has(text: str, name: str) -> bool:
    flags = re.NOFLAG if name.isupper() else re.IGNORECASE
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags) is not None


def questions(document: Document, catalog: Catalog, *, by_short: bool) -> Iterator[Asked]:
    """The document's questions by the abbreviation, or by what it stands for."""
    chunks, blocks = catalog.document_chunks(document.id), catalog.blocks(document.id)
    common = Counter(word for chunk in chunks for word in set(keywords(chunk.text)))
    defined = dict(reversed([each for block in blocks for each in definitions_in(block.text)]))
    drawn = random.Random(document.id)
    pairs = sorted(defined.items())
    drawn.shuffle(pairs)
    made = 0
    for pair in pairs:
        said, used = pair if by_short else pair[::-1]
        fitting = [c for c in chunks if has(c.text, used) and not has(c.embedded_text, said)]
        words = beside(drawn.choice(fitting).text, used, said, common) if fitting else []
        if made < MOST and len(words) == WORDS:
            made += 1
            yield Asked(f"What is said of {said} {' '.join(words)}?", having(chunks, used, words))


def beside(text: str, used: str, said: str, common: Counter[str]) -> list[str]:
    """Two words of the first sentence with the name, of its rarer half but not the rarest."""
    sentence = next((one for one in _SENTENCE.split(text) if has(one, used)), "")
    names = set(keywords(f"{used} {said}"))
    own = [word for word in keywords(sentence) if word.isalpha() and word not in names]
    own.sort(key=lambda word: common[word])
    return own[len(own) // 4 :][:WORDS]


def having(chunks: Sequence[Chunk], used: str, words: Sequence[str]) -> frozenset[str]:
    every = (used, *words)
    return frozenset(c.id for c in chunks if all(has(c.text, one) for one in every))


def rank(asked: Asked, asker: Asker, within: str, stage: Without) -> int:
    """Of the first passage that answers, from 1; 0 where none is found."""
    chosen = asker.traced(asked.question, [within], stage).chosen
    return next((at for at, hit in enumerate(chosen, 1) if hit.chunk.id in asked.answering), 0)


def told(title: str, ranks: Sequence[tuple[int, int]]) -> str:
    """Hit@1 and hit@5 of the first ranks and the second, and who stands higher."""
    worth = [tuple(1 / at if at else 0.0 for at in pair) for pair in ranks]
    won, lost = (sum(sign * (one - two) > 0 for one, two in worth) for sign in (1, -1))
    shares = [
        f"hit@1 {Rate(sum(at == 1 for at in side), len(side))} "
        f"hit@5 {Rate(sum(0 < at <= 5 for at in side), len(side))}"
        for side in zip(*ranks, strict=True)
    ]
    return f"{title}: {shares[0]}; without {shares[1]}; +{won} -{lost} p {sign_test(won, lost):.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure search by other names of terms.")
    parser.add_argument("libraries", nargs="+", type=Path)
    stages = (Without(), STAGES["without abbreviations of the document"])
    ranks: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for folder in parser.parse_args().libraries:
        with Workspace(folder) as workspace:
            asker = asker_of(workspace)
            for document in workspace.documents():
                half = "held out" if sha256(document.name.encode()).digest()[-1] % 2 else "in view"
                for way in ("by the abbreviation", "by the long name"):
                    made = questions(document, asker.catalog, by_short=way != "by the long name")
                    for asked in made:
                        one, two = (rank(asked, asker, document.id, each) for each in stages)
                        ranks.setdefault((half, way), []).append((one, two))
    for titles, own in sorted(ranks.items()):
        print(told(", ".join(titles), own))


if __name__ == "__main__":
    main()
