"""Words hidden from the server, and put back into what it sends; pure.

Each word is replaced by ``REDACTED-1``, ``REDACTED-2``, … in everything that is sent, whatever
its case, as a whole word or part of a file name. A word broken over two blocks is not found.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

_STAND_IN = re.compile(r"REDACTED-(\d+)")
_UNFINISHED = re.compile(r"R(?:E(?:D(?:A(?:C(?:T(?:E(?:D(?:-\d*)?)?)?)?)?)?)?)?$")


class Redaction:
    """The words to hide; ``held`` is the end of a stand-in whose rest has not arrived."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
        self._held = ""
        longest = sorted(self.words, key=len, reverse=True)
        self._numbers = {_key(word): number for number, word in enumerate(self.words, start=1)}
        sought = "|".join(r"[\s_-]+".join(map(re.escape, word.split())) for word in longest)
        # A file name's underscore is a word's end here, unlike for \b.
        self._pattern = re.compile(rf"(?<![^\W_])(?:{sought})(?![^\W_])", re.IGNORECASE)

    def hide(self, value: Any) -> Any:
        """``value``, a text or anything JSON has, with every word in its texts replaced.

        >>> Redaction(["Acme Corp"]).hide({"text": "ACME CORP owes rent (Lease_Acme_Corp.pdf)"})
        {'text': 'REDACTED-1 owes rent (Lease_REDACTED-1.pdf)'}
        """
        return _mapped(value, partial(self._pattern.sub, self._stand_in)) if self.words else value

    def _stand_in(self, match: re.Match[str]) -> str:
        return f"REDACTED-{self._numbers[_key(match.group())]}"

    def restore(self, value: Any) -> Any:
        """``value`` with the words in the place of their stand-ins."""
        return _mapped(value, partial(_STAND_IN.sub, self._word)) if self.words else value

    def _word(self, match: re.Match[str]) -> str:
        number = int(match[1])
        return self.words[number - 1] if 1 <= number <= len(self.words) else match.group()

    def restore_next(self, piece: str) -> str:
        """The next piece of a text restored, but for an end that may be part of a stand-in."""
        if not self.words:
            return piece
        whole = self._held + piece
        unfinished = _UNFINISHED.search(whole)
        cut = unfinished.start() if unfinished else len(whole)
        self._held = whole[cut:]
        return str(self.restore(whole[:cut]))

    def rest(self) -> str:
        """What was held back, where no more will arrive."""
        held, self._held = self._held, ""
        return str(self.restore(held))


def _mapped(value: Any, changed: Callable[[str], str]) -> Any:
    """``value`` with each text in it changed, but for the keys."""
    if isinstance(value, str):
        return changed(value)
    if isinstance(value, Mapping):
        return {key: _mapped(held, changed) for key, held in value.items()}
    return [_mapped(each, changed) for each in value] if isinstance(value, list | tuple) else value


def _key(word: str) -> str:
    return " ".join(re.split(r"[\s_-]+", word.casefold()))
