"""What a question's passages hold of the tables they touch: the rows found, or the whole tables.

    python -m tests.eval.whole_tables FOLDER... --libraries DIR

Every question that names its documents is searched for in them. Printed are, for the passages as
they are found and with their tables, as many as an answerer is given: their characters, how many
primary statements they touch, of how many of those they hold every row, and for how many of the
questions a page that answers is among them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docqa.answer.evidence import choose_hits
from docqa.app.search import searcher
from docqa.settings import DEFAULTS
from docqa.types.evaluation import GoldQuestion
from docqa.types.search import Hit
from docqa.types.table import STATEMENTS
from docqa.workspace import Workspace
from tests.eval.library import each_set


@dataclass(frozen=True, slots=True)
class Given:
    """One question's passages."""

    chars: int
    touched: int  # primary statements
    whole: int  # those of which every row is there
    answered: bool


def passages(workspace: Workspace, asked: GoldQuestion, *, whole: bool) -> list[Hit]:
    """The hits an answerer is given for a lookup."""
    ids = [workspace.document(name).id for name in asked.sources]
    search = searcher(workspace.resources, ids, DEFAULTS, whole_tables=whole)
    return choose_hits(search(asked.question).hits, max_chars=DEFAULTS.answering.evidence_chars)


def measured(hits: Sequence[Hit], asked: GoldQuestion) -> Given:
    held: dict[str, set[int]] = {}
    pages: set[tuple[str, int]] = set()
    for hit in hits:
        for block in hit.chunk.blocks:
            held.setdefault(hit.document.id, set()).add(block.index)
            pages.add((hit.document.name, block.page))
    tables = {(t.document_id, t.number): t for hit in hits for t in hit.tables}
    touched = [
        {row.block for row in table.rows} - held[table.document_id]
        for table in tables.values()
        if table.role in STATEMENTS
        and any(row.block in held[table.document_id] for row in table.rows)
    ]
    gold = {(name, page) for name, numbers in asked.sources.items() for page in numbers}
    return Given(
        chars=sum(len(block.text) for hit in hits for block in hit.chunk.blocks),
        touched=len(touched),
        whole=sum(not missing for missing in touched),
        answered=not gold.isdisjoint(pages),
    )


def lines(workspace: Workspace, questions: Sequence[GoldQuestion]) -> Iterator[str]:
    for title, whole in (("rows found", False), ("whole tables", True)):
        made = [measured(passages(workspace, each, whole=whole), each) for each in questions]
        chars = sum(each.chars for each in made) / len(made)
        touched, held = sum(each.touched for each in made), sum(each.whole for each in made)
        answered = sum(each.answered for each in made)
        yield (
            f"{title}: {chars:,.0f} characters, {held} of {touched} statements whole, "
            f"answering page given for {answered} of {len(made)} questions"
        )


def main() -> None:
    for _, asked, workspace in each_set(__doc__.partition("\n")[0], kept=True):
        questions = [each for each in asked.questions if each.answerable and each.sources]
        for line in lines(workspace, questions):
            print(f"{asked.name}  {line}", flush=True)


if __name__ == "__main__":
    main()
