"""Measuring how well searches find known pages, in a thread of its own; the last result is kept."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from docqa.settings import Settings
from docqa.types.evaluation import Evaluation, GoldQuestion
from docqa.ui.background import Chore


class Evaluate(Protocol):
    """`Workspace.evaluate`, as much of it as is used here."""

    def __call__(
        self,
        questions: Sequence[GoldQuestion] | Path,
        *,
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Evaluation: ...


class Measuring:
    """At most one measurement at a time: how far it is, and what it found."""

    def __init__(self, evaluate: Evaluate) -> None:
        self._evaluate = evaluate
        self._asked: Sequence[GoldQuestion] | bytes = ()
        self._settings: Settings | None = None
        self._cancelled = False
        self.chore = Chore(self._run)
        self.result: Evaluation | None = None

    def begin(
        self, name: str, questions: Sequence[GoldQuestion] | bytes, *, settings: Settings
    ) -> None:
        """Ask these questions, or those of a JSON Lines file's bytes, with the settings."""
        if not self.chore.running:
            self._asked, self._settings, self._cancelled = questions, settings, False
            self.result = None
            self.chore.start(name)

    def cancel(self) -> None:
        """Judge what was asked until now, and ask no more."""
        self._cancelled = True

    def _run(self, name: str, *, progress: Callable[[int, int], None]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            asked: Sequence[GoldQuestion] | Path
            if isinstance(self._asked, bytes):
                asked = Path(folder) / Path(name).name
                asked.write_bytes(self._asked)
            else:
                asked = self._asked
            self.result = self._evaluate(
                asked,
                settings=self._settings,
                progress=progress,
                cancelled=lambda: self._cancelled,
            )
