"""Comparisons of documents: made, and cut down to the lines a person wants."""

from collections.abc import Sequence

from docqa.app.compare import compare
from docqa.app.model import Request
from docqa.app.resources import Resources
from docqa.compare import comparison as comparing
from docqa.settings import Settings, key_to_use
from docqa.types.comparison import Comparison
from docqa.types.events import Events


class Comparisons:
    """Comparisons among the documents of one library."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    def make(
        self,
        document_ids: Sequence[str],
        question: str,
        *,
        answerer: str | None = None,
        api_key: str | None = None,
        settings: Settings | None = None,
        period: str = "",
    ) -> Events:
        """What happens while documents are compared; the last event is the `Comparison`.

        An empty question compares key figures and terms; ``period`` ("2023", "Q2 2024") is that of
        the figures, where it is not the latest. With a key the comparison is written up by Claude,
        as in `Workspace.ask`; where that fails it is given as it is made without, and says so.
        Raises `ComparisonError` for fewer than two documents, too many, or the same one twice,
        `UnknownDocument` and `NoKey`, at once.
        """
        request = Request(
            question,
            settings or self._resources.settings,
            key_to_use(api_key),
            answerer=answerer,
            sides=document_ids,
            period=period,
        )
        return compare(self._resources, request)

    def with_lines(self, comparison: Comparison, lines: Sequence[str]) -> Comparison:
        """The comparison with these of its `lines` alone; those left out are kept with it."""
        return comparing.with_lines(comparison, lines)
