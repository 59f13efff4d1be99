"""Measuring search or answers by known questions, in a thread of its own; the result is kept."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from docqa.types.evaluation import AnswerEvaluation, Evaluation, GoldQuestion
from docqa.ui.background import Chore

Questions = Sequence[GoldQuestion] | Path
Measured = Evaluation | AnswerEvaluation


class Measure(Protocol):
    """`Evaluations.searches` or `Evaluations.answers`, as the person set them."""

    def __call__(
        self,
        questions: Questions,
        *,
        progress: Callable[[int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> Measured: ...


class Measuring:
    """At most one measurement at a time: how far it is, and what it found."""

    def __init__(self) -> None:
        self._asked: Sequence[GoldQuestion] | bytes = ()
        self._measure: Measure | None = None
        self._cancelled = False
        self.chore = Chore(self._run)
        self.result: Measured | None = None

    def begin(self, name: str, questions: Sequence[GoldQuestion] | bytes, measure: Measure) -> None:
        """Ask these questions, or those of a JSON Lines file's bytes."""
        if not self.chore.running:
            self._asked, self._measure, self._cancelled = questions, measure, False
            self.result = None
            self.chore.start(name)

    def cancel(self) -> None:
        """Judge what was asked until now, and ask no more."""
        self._cancelled = True

    def _run(self, name: str, *, progress: Callable[[int, int], None]) -> None:
        assert self._measure is not None
        with tempfile.TemporaryDirectory() as folder:
            asked: Questions
            if isinstance(self._asked, bytes):
                asked = Path(folder) / Path(name).name
                asked.write_bytes(self._asked)
            else:
                asked = self._asked
            self.result = self._measure(asked, progress=progress, cancelled=lambda: self._cancelled)
