"""What a file becomes before it is kept: blocks, checked chunks, vectors; nothing is stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from docqa.errors import NoText, ReadingCancelled
from docqa.ingest.chunk import chunk
from docqa.ingest.validate import validate
from docqa.models import Encoder
from docqa.settings import Settings
from docqa.types import Block, Chunk, Discard, Document, PageHealth, Progress, Stage


@dataclass(frozen=True, slots=True)
class Watch:
    """Who follows the adding of files: told of progress, asked whether to stop."""

    progress: Callable[[Progress], None]
    cancelled: Callable[[], bool]

    def check(self, name: str) -> None:
        if self.cancelled():
            raise ReadingCancelled(name)

    def stage(self, name: str, stage: Stage) -> Callable[[int, int], None]:
        """A callback for one stage of one file; it raises `ReadingCancelled` when told to stop."""

        def report(done: int, total: int) -> None:
            self.check(name)
            self.progress(Progress(name, stage, done, total))

        return report


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document with everything that is kept of it; ``vectors`` is (chunks, dimensions)."""

    document: Document
    blocks: Sequence[Block]
    chunks: Sequence[Chunk]
    vectors: NDArray[np.float32]
    health: Sequence[PageHealth]
    discards: Sequence[Discard]


def prepare(
    document: Document,
    blocks: Sequence[Block],
    health: Sequence[PageHealth],
    *,
    encoder: Encoder,
    settings: Settings,
    watch: Watch,
) -> Prepared:
    """Cut a document's blocks into chunks the encoder reads whole, check and embed them.

    The document comes back with its counts. Raises `NoText` where no chunk is left and
    `ReadingCancelled`.
    """
    made = chunk(
        document.id,
        document.name,
        document.title,
        blocks,
        count_tokens=encoder.count_tokens,
        max_tokens=encoder.max_tokens,
        settings=settings,
    )
    chunks, discards = validate(made, settings=settings)
    if not chunks:
        raise NoText(document.name)
    vectors = encoder.encode(
        [each.embedded_text for each in chunks], progress=watch.stage(document.name, "embedding")
    )
    counted = replace(document, chunk_count=len(chunks), discard_count=len(discards))
    return Prepared(counted, blocks, chunks, vectors, health, discards)
