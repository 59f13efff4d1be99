"""The making of tables by name and version, without loading the rules: they come at first use."""

from collections.abc import Sequence

from docqa.types.document import Block
from docqa.types.table import Table

VERSION = 25  # raise it where the same blocks become other tables


def tables_of(document_id: str, blocks: Sequence[Block]) -> tuple[Table, ...]:
    """Every table among a document's blocks, in order, numbered from 1."""
    from docqa.ingest.tables import build

    return build.tables_of(document_id, blocks)
