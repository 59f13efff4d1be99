"""Section paths of passages drawn at random, for reading by hand.

    python -m tests.eval.sections FOLDER... --read DIR [--sample 300] [--seed 1]

Each passage has the same chance; printed are the document, the page, the path, and how the
passage begins.
"""

import random

from docqa.ingest.chunks.pack import chunk
from docqa.settings import DEFAULTS
from docqa.types.document import Chunk
from tests.eval.labelled import arguments
from tests.eval.reading import Read, each_read


def passages(read: Read) -> list[Chunk]:
    """The document's passages, cut by their characters alone."""
    document = read.document
    return chunk(
        document.id,
        document.name,
        document.title,
        read.blocks,
        count_tokens=len,
        max_tokens=2 * DEFAULTS.chunking.chunk_chars,
        settings=DEFAULTS,
    )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    paths = sorted(
        path
        for folder in options.folders
        for path in folder.rglob("*")
        if path.suffix.lower() == ".pdf"
    )
    drawn = [
        (read.document.name, each)
        for read in each_read(paths, options.read)
        for each in passages(read)
    ]
    for name, each in random.Random(options.seed).sample(drawn, min(options.sample, len(drawn))):
        print(f"{name} {each.where} | {each.section} | {' '.join(each.text.split())[:80]}")


if __name__ == "__main__":
    main()
