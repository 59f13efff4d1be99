"""What happened, in a file of the library: rotating, for its owner alone, without documents' text.

At the default level neither texts nor questions nor file names are written, only kinds, counts
and times. ``DOCQA_LOG=DEBUG`` adds traces of the program's own faults.
"""

import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path

from docqa.settings import log_level

LOG_NAME = "docqa.log"
LARGEST = 1_000_000  # bytes of one file
KEPT = 3  # older files
_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_NAMES = logging.getLogger("docqa")  # vendors' messages may quote documents and are left out


class LogFile:
    """Keeps what docqa's own modules report, until `close`."""

    def __init__(self, folder: Path) -> None:
        """Never raises: a log that cannot be written must not stop the work."""
        self._handler = _Handler(
            folder / LOG_NAME, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=True
        )
        self._handler.setFormatter(logging.Formatter(_FORM))
        self._handler.setLevel(log_level())
        _NAMES.setLevel(min(_NAMES.level or logging.INFO, self._handler.level))
        _NAMES.addHandler(self._handler)

    def close(self) -> None:
        _NAMES.removeHandler(self._handler)
        self._handler.close()


class _Handler(logging.handlers.RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        return os.fdopen(os.open(self.baseFilename, flags, 0o600), "a", encoding="utf-8")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's own name
        """A full or read-only disk: what is being done matters more than its record."""
