"""What an answerer tells while it works: a stream that ends with the finished answer."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.document import Block
from docqa.types.question import Question
from docqa.types.search import SearchResult


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

    Text told before it for the turn in progress is void.
    """

    seconds: float
    reason: str


AnswerEvent = Searching | PassagesFound | Reading | TextDelta | Retrying | Answer | Comparison

Events = Generator[AnswerEvent, None, None]
"""What an answerer reports. `AnswerStopped` thrown in is answered by what arrived until then,
marked as partial, or comes back out where nothing did; closing it gives everything up."""

ReadPage = Callable[[str, int], list[Block]]
"""``read_page(document_id, page)``: the page's blocks in reading order."""


Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""``likeness(question, texts)``: how near in meaning each text is to the question, as a cosine."""


class Search(Protocol):
    """Search as it is given to an answerer: by the question as it was read, or a model's query."""

    def __call__(
        self, query: Question | str, *, document_ids: tuple[str, ...] = (), top_k: int | None = None
    ) -> SearchResult: ...
