"""What an answerer tells while it works: a stream that ends with the finished answer."""

from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass
from typing import Literal, Protocol

from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.document import Block
from docqa.types.outline import Entry
from docqa.types.question import Question
from docqa.types.search import SearchResult
from docqa.types.table import Table


@dataclass(frozen=True, slots=True)
class Searching:
    """A search has begun; no ``document_ids`` means in every document."""

    query: str
    document_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassagesFound:
    """A search is done: how many passages, and in which documents (names, best first)."""

    count: int
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole page is being read; ``document`` is its name, ``page`` counts from 1.

    ``place`` is its name, where the file has no pages.
    """

    document: str
    page: int
    place: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text, citation markers included.

    An empty one says that the model is thinking; between two events the answer can be stopped.
    The `Answer` at the end is what counts: it leaves out remarks made between searches.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """The same request is sent again after ``seconds``; told again for each second waited.

    While a model is being loaded they are the seconds that it has taken.

    Text told before it for the turn in progress is void.
    """

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Pace:
    """How a model on this machine gets on: how long its stage has taken, and how fast it is.

    ``tokens`` are those it has to read, or has thought or written so far; ``left`` are the seconds
    that are left at the most, 0 where nothing can be said, as is ``rate`` (tokens a second).
    """

    stage: Literal["reading", "thinking", "writing"]
    seconds: float
    tokens: int
    rate: float
    left: float


AnswerEvent = (
    Searching | PassagesFound | Reading | TextDelta | Retrying | Pace | Answer | Comparison
)

Events = Generator[AnswerEvent, None, None]
"""What an answerer reports. `AnswerStopped` thrown in is answered by what arrived until then,
marked as partial, or comes back out where nothing did; closing it gives everything up."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a model may look up in a document, by the document's id.

    ``page(id, page)`` are a page's blocks in reading order, ``tables(id, blocks)`` the tables with
    any of the blocks of these indexes, ``outline(id)`` its headings and tables.
    """

    page: Callable[[str, int], list[Block]]
    tables: Callable[[str, Collection[int]], tuple[Table, ...]]
    outline: Callable[[str], tuple[Entry, ...]]


class Search(Protocol):
    """Search as it is given to an answerer: by the question as it was read, or a model's query."""

    def __call__(
        self, query: Question | str, *, document_ids: tuple[str, ...] = (), top_k: int | None = None
    ) -> SearchResult: ...
