"""Blocks written as lines, as a page would give them."""

from docqa.types.document import Block, Box, Cell


def printed(page: str, *, number: int = 1) -> list[Block]:
    """Blocks of one page: "# " a heading, "| " a row ("|| " a header row), "~ " a footnote.

    Cells stand between "|"; the blanks before a row's label are its indentation, four points each.
    A cell "2>Amount" spans two columns. "---" ends a table.
    """
    blocks: list[Block] = []
    table = 1
    for line in filter(None, page.splitlines()):
        if line.startswith("---"):
            table += 1
            continue
        blocks.append(_block(line, len(blocks), number, table))
    return blocks


def _block(line: str, index: int, page: int, table: int) -> Block:
    kinds = {"# ": "heading", "~ ": "footnote", "^ ": "caption"}
    if line.startswith("|"):
        head = line.startswith("||")
        texts = line.lstrip("|").split("|")
        left = 4.0 * (len(texts[0]) - len(texts[0].lstrip()))
        text = " | ".join(filter(None, map(str.strip, texts)))
        return Block(
            text, page, Box(left, index, 500, index), "table", index, table=table,
            cells=tuple(_cells(texts)), column_header=head,
        )  # fmt: skip
    kind = kinds.get(line[:2], "text")
    text = line[2:] if line[:2] in kinds else line
    level = 2 if kind == "heading" else 0
    return Block(text, page, Box(0, index, 500, index), kind, index, level)  # type: ignore[arg-type]


def _cells(texts: list[str]) -> list[Cell]:
    cells, column = [], 0
    for text in map(str.strip, texts):
        span = int(text[0]) if text[1:2] == ">" else 1
        if said := text.removeprefix(f"{span}>"):
            cells.append(Cell(said, column, span))
        column += span
    return cells
