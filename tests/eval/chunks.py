"""How well chunks fit what answers: token recall and IoU of the passages nearest to a question.

    python -m tests.eval.chunks FOLDER [--top-k 5]

FOLDER has texts as ``NAME.md`` and ``questions.csv`` with ``question``, ``references`` (a JSON list
of ``start_index`` and ``end_index`` into the text) and ``corpus_id`` (the NAME). Each text is cut
as a document would be, each question gets its ``top-k`` nearest chunks, and characters stand for
tokens: recall is the share of the reference found, IoU what is found of it over all that is
retrieved or referred to. (The measures of Smith and Troynikov, "Evaluating chunking strategies for
retrieval", Chroma 2024.)
"""

import argparse
import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from docqa.ingest.chunks.pack import chunk
from docqa.models.load import load_encoder
from docqa.settings import DEFAULTS, models_folder
from docqa.types.document import Block, Box, Chunk

HERE = Box(0, 0, 1, 1)


def blocks_of(text: str) -> tuple[list[Block], list[tuple[int, int]]]:
    """The text's sentences as blocks, and the characters each stands on."""
    blocks: list[Block] = []
    spans: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", text, re.DOTALL):
        sentences = re.finditer(r"\S.*?(?:(?<=[.!?])(?=\s)|\Z)", paragraph[0], re.DOTALL)
        for number, found in enumerate(sentences):
            start = paragraph.start() + found.start()
            blocks.append(Block(found[0], 1, HERE, index=len(blocks), continues=number > 0))
            spans.append((start, start + len(found[0])))
    return blocks, spans


def covered(chunks: Sequence[Chunk], spans: Sequence[tuple[int, int]]) -> set[int]:
    """The characters that the chunks stand on."""
    places = {block.index for one in chunks for block in one.blocks}
    return {at for place in places for at in range(*spans[place])}


def scores(found: set[int], wanted: set[int]) -> tuple[float, float]:
    """Recall and IoU.

    >>> scores({1, 2, 3}, {3, 4})
    (0.5, 0.25)
    """
    return len(found & wanted) / len(wanted), len(found & wanted) / len(found | wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how chunks fit what answers.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--top-k", type=int, default=5)
    options = parser.parse_args()
    encoder = load_encoder(models_folder(options.folder))
    with (options.folder / "questions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    made: list[tuple[float, float]] = []
    for name in dict.fromkeys(row["corpus_id"] for row in rows):
        blocks, spans = blocks_of((options.folder / f"{name}.md").read_text(encoding="utf-8"))
        chunks = chunk(
            name,
            f"{name}.pdf",
            "",
            blocks,
            count_tokens=encoder.count_tokens,
            max_tokens=encoder.max_tokens,
            settings=DEFAULTS,
        )
        matrix = encoder.encode([each.embedded_text for each in chunks])
        for row in (row for row in rows if row["corpus_id"] == name):
            nearest = (matrix @ encoder.encode_query(row["question"])).argsort()[::-1]
            found = covered([chunks[place] for place in nearest[: options.top_k]], spans)
            references = json.loads(row["references"])
            wanted = {n for one in references for n in range(one["start_index"], one["end_index"])}
            made.append(scores(found, wanted))
    recall, iou = (mean(column) for column in zip(*made, strict=True))
    print(f"token recall {recall:.3f}  IoU {iou:.3f}  n={len(made)}, top {options.top_k}")


if __name__ == "__main__":
    main()
