"""The pages of a file, given out to those who read them side by side so that all end together."""

import threading

FEWEST = 4  # pages given at a time: opening the file costs about what half a page does
SHARE = 2  # a side is given one part in so many of its share: portions get smaller to the end


class PageQueue:
    """The pages from ``first`` to ``last``, given out in portions, and how many are done.

    ``sides`` is how many take them; one takes all at once.
    """

    def __init__(self, first: int, last: int, *, sides: int) -> None:
        self._next, self._last = first, last
        self._portions = SHARE * sides if sides > 1 else 1
        self._done: dict[int, int] = {}
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """Pages that nobody has taken."""
        return max(0, self._last - self._next + 1)

    def take(self) -> tuple[int, int] | None:
        """The next pages to work on, first and last; None where none are left."""
        with self._lock:
            if not self.left:
                return None
            first = self._next
            portion = max(FEWEST, -(-self.left // self._portions))
            self._next = min(first + portion, self._last + 1)
            if self.left < FEWEST // 2:  # too few to be a portion of their own
                self._next = self._last + 1
            return first, self._next - 1

    def drop(self) -> None:
        """Give out no more."""
        with self._lock:
            self._next = self._last + 1

    def tell(self, first: int, done: int) -> int:
        """``done`` pages of the portion from ``first`` are; how many are in all."""
        with self._lock:
            self._done[first] = done
            return sum(self._done.values())
