"""A model that docqa runs itself: llama.cpp in a child process, on the loopback, under a key.

Optional: the child imports xllamacpp, which `requirements-local.txt` brings. Nothing is loaded
until it is asked for, and no process but this one is told the key.
"""

import importlib.util
import json
import logging
import os
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

from docqa.errors import LlamaMissing, ModelFailed
from docqa.models import gguf, machine
from docqa.settings import Key, environment_for_reading

log = logging.getLogger(__name__)

PACKAGE = "xllamacpp"
_START_SECONDS = 600.0  # for tens of gigabytes from a slow disk
_END_SECONDS = 5.0
_ADDRESSES = 6 * 1024**3  # bytes beside the model's own: libraries, stacks, what is mapped twice
_COMMAND = (sys.executable, "-m", "docqa.models.llama_child")


def installed() -> bool:
    """Whether docqa can run a model itself; looked up without importing anything of it."""
    return importlib.util.find_spec(PACKAGE) is not None


class Llama:
    """One model, served by a child process from the first `begin` until `close`."""

    def __init__(
        self, path: Path, *, memory: int | None = None, most_context: int = gguf.CONTEXTS[0]
    ) -> None:
        """``memory`` are the bytes it may take, None for what is free; ``most_context`` is in
        tokens.

        Raises `LlamaMissing`, `NotAModelFile` and `ModelTooLarge`, before anything is loaded.
        """
        if not installed():
            raise LlamaMissing
        self.model = gguf.read(path)
        self.path = path
        free = machine.memory_to_use() if memory is None else memory
        self.context = min(most_context, gguf.context_that_fits(self.model, memory=free))
        self.key = Key(secrets.token_urlsafe(32))
        self.url = ""
        self._error = ""
        self._told = threading.Event()
        self._child: subprocess.Popen[str] | None = None
        self._since = 0.0

    def begin(self) -> None:
        """Begin to load the model, unless that has begun."""
        if self._child is not None:
            return
        self._since = time.monotonic()
        self._child = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**environment_for_reading(), "MALLOC_ARENA_MAX": "2"},
            encoding="utf-8",
        )
        threading.Thread(target=self._follow, args=(self._child,), daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether its process runs, or has not been begun."""
        return self._child is None or self._child.poll() is None

    @property
    def pid(self) -> int:
        """Its process; 0 before there is one."""
        return self._child.pid if self._child is not None else 0

    def wait(self, seconds: float = _START_SECONDS) -> bool:
        """Whether it is loaded, within so many seconds. Raises `ModelFailed` if it cannot be."""
        self.begin()
        if not self._told.wait(seconds):
            if time.monotonic() - self._since > _START_SECONDS:
                self.close()
                raise ModelFailed(self.model.name, reason="loading it took too long")
            return False
        if not self.url:
            self.close()
            raise ModelFailed(self.model.name, reason=self._error or "llama.cpp ended")
        return True

    def close(self) -> None:
        """End the process and give its memory back."""
        child = self._child
        if child is None:
            return
        if child.stdin:
            child.stdin.close()  # which is how it is told
        try:
            child.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if child.stdout:
            child.stdout.close()

    def _follow(self, child: "subprocess.Popen[str]") -> None:
        """Tell the child what to run, and take its answer."""
        most = gguf.needed(self.model, self.context) + _ADDRESSES
        told = {
            "path": str(self.path),
            "name": self.model.name,
            "context": self.context,
            "threads": machine.threads(),
            "key": str(self.key),
            "memory": most,
        }
        try:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(json.dumps(told) + os.linesep)
            child.stdin.flush()
            reply = json.loads(child.stdout.readline() or "{}")
        except (OSError, ValueError) as error:
            log.info("The model's process ended: %s", type(error).__name__)
            reply = {}
        self._error = "llama.cpp could not load it" if reply.get("error") else ""
        self.url = str(reply.get("address", ""))
        self._told.set()
