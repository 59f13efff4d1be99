"""Cutting what was read into passages, beside langchain's recursive splitter on the same text."""

from collections.abc import Iterator

from docqa.ingest.chunks.pack import chunk
from docqa.models.load import load_encoder
from docqa.settings import DEFAULTS, models_folder
from docqa.types.document import Block, Box, join_blocks
from tests.benchmarks.made import Prose
from tests.benchmarks.rows import Options, Row, against, exponent, installed, medians, missing, peer

SECTION = "chunk"
PEER = "langchain-text-splitters"
PAGES = (20, 40, 80, 160)


def run(options: Options) -> Iterator[Row]:
    encoder = load_encoder(models_folder(options.scratch))
    encoder.count_tokens("ready")

    def ours(blocks: list[Block]) -> object:
        return chunk(
            "id",
            "Filing.pdf",
            "A filing",
            blocks,
            count_tokens=encoder.count_tokens,
            max_tokens=encoder.max_tokens,
            settings=DEFAULTS,
        )

    sizes = PAGES[:2] if options.short else PAGES
    filings = [paragraphs(pages) for pages in sizes]
    costs = [medians({"docqa": lambda: ours(each)}, turns=3)["docqa"] for each in filings]  # noqa: B023
    actions = {"docqa": lambda: ours(filings[-1])}
    name = f"chunk {sizes[-1]} pages"
    if installed("langchain_text_splitters"):
        text = join_blocks(tuple(filings[-1]))
        actions[PEER] = lambda: _recursive(text)
    else:
        yield missing(SECTION, name, PEER)
    yield from against(SECTION, name, medians(actions, turns=options.turns), turns=options.turns)
    yield Row(SECTION, "growth with pages", exponent(sizes, costs), "exponent", len(sizes))


def paragraphs(pages: int, *, seed: int = 0) -> list[Block]:
    """Eight paragraphs a page."""
    words, here = Prose(seed), Box(72.0, 72.0, 540.0, 90.0)
    places = range(8 * pages)
    return [Block(words.text(400), 1 + at // 8, here, index=at) for at in places]


def _recursive(text: str) -> object:
    splitters = peer("langchain_text_splitters")
    splitter = splitters.RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=100)
    return splitter.split_text(text)
