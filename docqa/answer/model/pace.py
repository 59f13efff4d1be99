"""How fast a model reads, thinks and writes, told while it does; pure but for the clock."""

import time
from collections.abc import Callable
from typing import Literal

from docqa.types.events import Pace

EVERY = 0.5  # seconds between two tellings
_SURE = 5  # tokens, before which no speed is told
_UNIT, _LOOP = 160, 240  # characters: of the longest part that is looked for, of all repetitions
_TIMES = 6


class Pacing:
    """One reply of a model: what it was sent, in tokens, and at most writes.

    ``reads`` are the tokens a second that it read last time, 0 where that is not known.
    """

    def __init__(
        self, sent: int, most: int, *, reads: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._sent, self._most, self.reads = sent, most, reads
        self._clock = clock
        self._began = self._told = clock()
        self._first = 0.0  # when anything came of it
        self._writing = 0.0  # when its first word came
        self._tokens = 0

    def seen(self, kind: str) -> None:
        """Take note of an event: "thinking" or "text" is one token, near enough."""
        now = self._clock()
        if kind not in ("thinking", "text"):
            return
        if not self._first:
            self._first = now
            self.reads = self._sent / max(now - self._began, 0.01)
        if kind == "text" and not self._writing:
            self._writing, self._tokens = now, 0
        self._tokens += 1

    @property
    def thought(self) -> float:
        """Seconds of thinking without a word yet."""
        return self._clock() - self._first if self._first and not self._writing else 0.0

    def due(self) -> bool:
        """Whether it is time to tell again."""
        now = self._clock()
        if now - self._told < EVERY:
            return False
        self._told = now
        return True

    def status(self) -> Pace:
        now = self._clock()
        if not self._first:
            left = self._sent / self.reads - (now - self._began) if self.reads else 0.0
            return Pace("reading", now - self._began, self._sent, 0.0, max(0.0, left))
        since = self._writing or self._first
        rate = self._tokens / (now - since) if self._tokens >= _SURE and now > since else 0.0
        left = max(0.0, (self._most - self._tokens) / rate) if rate else 0.0
        stage: Literal["thinking", "writing"] = "writing" if self._writing else "thinking"
        return Pace(stage, now - since, self._tokens, rate, left)


def looped(text: str) -> int:
    """How many characters at the end only repeat what stands before them, 0 where none do.

    >>> looped("The rent is due. " * 20)
    323
    >>> looped("The rent is $1,000,000,000 a year and falls due on the first of each month.")
    0
    """
    for unit in range(1, _UNIT + 1):
        times = max(_TIMES, -(-_LOOP // unit))
        tail = text[-unit:]
        if len(text) >= unit * times and text.endswith(tail * times):
            end = len(text)
            while end >= unit and text[end - unit : end] == tail:
                end -= unit
            return len(text) - end - unit
    return 0
