"""Topics that contracts settle, and how each is told. They stand in `topics.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from docqa.language.numbers import NUMBER_WORD


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    asks: str
    says: tuple[str, ...]
    heading: str = ""
    overall: bool = False  # looked at where whole contracts are compared

    @property
    def asked(self) -> re.Pattern[str]:
        """What names the topic, at the beginning of a word: a prepayment is no payment."""
        return compiled(rf"\b(?:{self.asks})")


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def topics_asked(question: str) -> tuple[Topic, ...]:
    """The topics that a question names, in their order; () where it names none.

    What is part of another's longer name names none: a rent review is not the rent.

    >>> [topic.name for topic in topics_asked("Compare the rent review")]
    ['Rent review']
    """
    spans = {topic: [m.span() for m in topic.asked.finditer(question)] for topic in TOPICS}
    every = [span for own in spans.values() for span in own]
    widest = {
        (start, end)
        for start, end in every
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in every)
    }
    return tuple(topic for topic, own in spans.items() if not widest.isdisjoint(own))


def overall_topics() -> tuple[Topic, ...]:
    """What an overall comparison of contracts looks at."""
    return tuple(topic for topic in TOPICS if topic.overall)


def _read(text: str) -> tuple[Topic, ...]:
    given = tomllib.loads(text)
    pieces = {"number": NUMBER_WORD}
    pieces |= {name: _filled(piece, pieces) for name, piece in given["pieces"].items()}
    return tuple(
        Topic(**{**each, "says": tuple(_filled(pattern, pieces) for pattern in each["says"])})
        for each in given["topic"]
    )


def _filled(pattern: str, pieces: Mapping[str, str]) -> str:
    """A pattern with the pieces that it names: "<period>"."""
    return re.sub(r"<([a-z ]+)>", lambda name: pieces[name[1]], pattern)


TOPICS = _read(resources.files("docqa.compare").joinpath("topics.toml").read_text("utf-8"))
