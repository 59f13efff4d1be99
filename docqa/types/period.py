"""The time a figure is for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Period:
    """``months`` is the length: 0 a moment, None unknown. Unknown parts of the end are 0.

    ``start`` and ``stop`` are where it stands in the text it was read from.
    """

    text: str = ""
    months: int | None = None
    year: int = 0
    month: int = 0
    day: int = 0
    start: int = 0
    stop: int = 0

    @property
    def end(self) -> tuple[int, int, int]:
        """For putting periods in order: a year whose month is unknown ends with December."""
        return self.year, self.month or 12, self.day


NO_PERIOD = Period()
