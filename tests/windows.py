"""What Windows refuses and Linux allows, refused here too, for everything below a folder.

    python -m tests.windows FOLDER

A file that is open, in this process or in one it started, can be neither deleted nor replaced, nor
can a folder it is in be renamed; names such as "aux.txt" or "a:b" cannot be made, nor two that
differ in case alone; there are no links. Python tells an audit hook of each of these (PEP 578),
whoever asks for them. What native code does by itself is not seen.
"""

import os
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

UNNAMEABLE = re.compile(r'[<>:"|?*\\]|[ .]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)', re.IGNORECASE)
IN_USE = "The process cannot access the file because it is being used by another process"


class Windows:
    """Refuses below ``folder`` until it is closed; what was refused is in ``refused``."""

    def __init__(self, folder: Path) -> None:
        self.refused: list[str] = []
        self._folder = folder.resolve()
        self._here = threading.local()
        self._closed = False
        self._rules: dict[str, Callable[..., str]] = {
            "open": self._opened,
            "os.mkdir": self._made,
            "os.remove": self._deleted,
            "os.rename": self._renamed,
            "os.link": self._linked,
            "os.symlink": self._linked,
        }
        sys.addaudithook(self._hear)

    def close(self) -> None:
        """Refuse no more: a hook cannot be taken away."""
        self._closed = True

    def _hear(self, event: str, told: tuple[Any, ...]) -> None:
        if self._closed or event not in self._rules or getattr(self._here, "asking", False):
            return
        self._here.asking = True  # what follows opens files itself
        try:
            reason = self._rules[event](*told)
        finally:
            self._here.asking = False
        if reason:
            asked = "".join(traceback.format_stack()[-9:-1])
            self.refused.append(f"{event}: {reason}\n{asked}")
            raise PermissionError(13, reason)

    def _opened(self, path: Any, _: Any, flags: Any) -> str:
        return self._made(path) if isinstance(flags, int) and flags & os.O_CREAT else ""

    def _made(self, path: Any, *_: Any) -> str:
        place = self._within(path)
        if place is None:
            return ""
        if any(map(UNNAMEABLE.search, place.relative_to(self._folder).parts)):
            return f"the name cannot be made: {place}"
        beside = [each.name for each in place.parent.iterdir()] if place.parent.is_dir() else []
        twins = [
            each for each in beside if each.lower() == place.name.lower() and each != place.name
        ]
        return f"it is {twins[0]} already: {place}" if twins else ""

    def _deleted(self, path: Any, folder: int = -1) -> str:
        place = self._within(path, folder)
        return f"{IN_USE}: {place}" if place in set(_in_use()) else ""

    def _renamed(self, source: Any, target: Any, from_folder: int = -1, to_folder: int = -1) -> str:
        before, after = self._within(source, from_folder), self._within(target, to_folder)
        for place in _in_use():
            if place == after or (before is not None and place.is_relative_to(before)):
                return f"{IN_USE}: {place}"
        return self._made(after)

    def _linked(self, _: Any, target: Any, *more: Any) -> str:
        return f"a link: {target!r}" if self._within(target) else ""

    def _within(self, path: Any, folder: int = -1) -> Path | None:
        """The whole path where it is below the folder."""
        if not isinstance(path, str | bytes | Path):
            return None
        above = Path(f"/proc/self/fd/{folder}").readlink() if folder >= 0 else Path.cwd()
        place = Path(os.path.normpath(above / os.fsdecode(path)))
        return place if place != self._folder and place.is_relative_to(self._folder) else None


def _in_use() -> Iterator[Path]:
    """The files that this process and those it started have open or mapped."""
    for process in _family(Path("/proc/self")):
        try:
            opened = [_target(link) for link in (process / "fd").iterdir()]
            mapped = (process / "maps").read_text("utf-8", errors="replace").splitlines()
        except OSError:  # it has ended
            continue
        yield from (place for place in opened if place.is_file())
        yield from (Path(line[73:]) for line in mapped if line[73:74] == "/")


def _family(process: Path) -> Iterator[Path]:
    yield process
    try:
        told = [(thread / "children").read_text("ascii") for thread in (process / "task").iterdir()]
    except OSError:
        return
    for child in " ".join(told).split():
        yield from _family(Path("/proc") / child)


def _target(link: Path) -> Path:
    try:
        return link.readlink()
    except OSError:
        return link


def main(folder: Path) -> None:
    """All that docqa does without a key, in a folder of such a system."""
    from tests import session

    windows = Windows(folder)
    os.environ["DOCQA_LIBRARY"] = str(folder / "library")
    session.at_the_command_line(folder)
    session.on_screen()
    print("\n".join(windows.refused) or "Nothing was refused.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
