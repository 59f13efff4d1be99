"""What the parser reads, as Markdown, to be compared with what another parser made of the file.

    python -m tests.eval.parse_markdown FOLDER OUTPUT

writes a Markdown file to OUTPUT for every PDF in FOLDER, and says how fast it was.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from docqa.errors import FileError
from docqa.ingest.reading.parse import Parsed, read
from docqa.settings import DEFAULTS
from docqa.types.document import Block

FURNITURE = {"header", "footer", "picture"}


def markdown_of(path: str) -> str:
    """The Markdown of one PDF."""
    return markdown(_read(Path(path)).blocks)


def _read(path: Path) -> Parsed:
    return read(path, settings=DEFAULTS)


def markdown(blocks: Sequence[Block]) -> str:
    """Blocks as Markdown; running headers and footers are left out, spans are repeated."""
    kept = [block for block in blocks if block.kind not in FURNITURE]
    parts: list[str] = []
    for table, group in groupby(kept, key=lambda block: block.table):
        together = list(group)
        parts += [_table(together)] if table else _prose(together)
    return "\n\n".join(parts) + "\n"


def _prose(blocks: Sequence[Block]) -> Iterator[str]:
    paragraphs: list[list[Block]] = []
    for block in blocks:
        if block.continues and paragraphs:
            paragraphs[-1].append(block)
        else:
            paragraphs.append([block])
    for paragraph in paragraphs:
        text = " ".join(block.text for block in paragraph)
        yield _marked(paragraph[0], text)


def _marked(block: Block, text: str) -> str:
    if block.kind == "heading":
        return f"{'#' * min(block.level + 1, 6)} {text}"
    if block.kind == "list":
        return f"- {text}"
    return f"```\n{text}\n```" if block.kind == "code" else text


def _table(rows: Sequence[Block]) -> str:
    columns = max(cell.column + cell.span for row in rows for cell in row.cells)
    lines = []
    for row in rows:
        texts = [""] * columns
        for cell in row.cells:
            for column in range(cell.column, cell.column + cell.span):
                texts[column] = cell.text.replace("|", "\\|")
        lines.append(f"| {' | '.join(texts)} |")
    lines.insert(1, "|" + "---|" * columns)
    return "\n".join(lines)


def main(folder: Path, output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    pages, seconds = 0, 0.0
    for path in sorted(folder.glob("*.pdf")):
        started = time.perf_counter()
        try:
            parsed = _read(path)
        except FileError as error:
            print(f"{path.name}: {error}")
            continue
        seconds += time.perf_counter() - started
        pages += len(parsed.health)
        (output / f"{path.stem}.md").write_text(markdown(parsed.blocks), encoding="utf-8")
    print(f"{pages} pages in {seconds:.1f} s: {pages / max(seconds, 0.001):.1f} pages/s")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
