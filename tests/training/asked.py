"""Questions as people at work ask them, of documents that a language model wrote with them.

``asked.jsonl`` has a line for each question: its document, its kind (fact, clause, yesno, list or
absent), and the words of the document that answer it, any of them; none where it does not. They
are put as plainly as people do, two thirds in the document's own words, and each document has much
that competes: several dates, fees, notices. ``asked_documents.jsonl`` has the documents
(leases, offering memoranda, filings, releases, contracts, handbooks and policies), which
`write_documents` makes files of. These teach the judge of findings, and ``asked_reader.jsonl``, on
others, half of whose questions are put in other words, the reranker.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from docqa.workspace import Workspace
from tests.eval.library import add_files
from tests.training.composed import read_lines

HERE = Path(__file__).parent
QUESTIONS = HERE / "asked.jsonl"
DOCUMENTS = HERE / "asked_documents.jsonl"
READER_QUESTIONS = HERE / "asked_reader.jsonl"
READER_DOCUMENTS = HERE / "asked_reader_documents.jsonl"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a document, and what there answers it; ``quotes`` is empty where nothing."""

    document: str
    kind: str
    question: str
    quotes: tuple[str, ...]


def asked_questions(path: Path = QUESTIONS) -> list[Asked]:
    return [Asked(**{**each, "quotes": tuple(each["quotes"])}) for each in read_lines(path)]


@contextmanager
def library_of_asked(folder: Path, documents: Path = DOCUMENTS) -> Iterator[Workspace]:
    """The library of the documents, made where it is not there yet."""
    with Workspace(folder) as workspace:
        if not workspace.documents():
            with TemporaryDirectory() as place:
                write_documents(Path(place), documents)
                add_files(workspace, Path(place))
        yield workspace


def write_documents(folder: Path, path: Path = DOCUMENTS) -> None:
    """The documents as files of Markdown."""
    for each in read_lines(path):
        (folder / each["document"]).write_text(each["text"], encoding="utf-8")
