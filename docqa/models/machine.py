"""What this machine has for a large model: memory that is free, and cores."""

import os
import sys
from contextlib import suppress
from pathlib import Path

_LEFT = 0.8  # share of the memory that one model may take; the rest is the system's and docqa's
_MOST_THREADS = 16  # more are no faster: what is read from memory sets the pace
_MEMINFO = Path("/proc/meminfo")
_CONTAINER = Path("/sys/fs/cgroup/memory.max")


def memory_to_use() -> int:
    """Bytes that a model may take now; 0 where that cannot be told."""
    total = total_memory()
    available = available_memory() or total
    return min(int(total * _LEFT), available)


def total_memory() -> int:
    """Bytes of this machine, or of the container docqa runs in; 0 where that cannot be told."""
    physical = _windows()[0] if sys.platform == "win32" else _pages()
    limit = 0
    with suppress(OSError, ValueError):  # "max" where there is none
        limit = int(_CONTAINER.read_text(encoding="ascii"))
    return min(physical, limit) if limit else physical


def threads() -> int:
    """How many threads a model may keep busy: one core stays free where there are some."""
    count = cores()
    return max(1, min(_MOST_THREADS, count - 1 if count > 2 else count))


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _pages() -> int:
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 0


def available_memory() -> int:
    """Bytes that are free or soon can be; 0 where the system does not say."""
    if sys.platform == "win32":
        return _windows()[1]
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def _windows() -> tuple[int, int]:
    """All and free bytes, by GlobalMemoryStatusEx."""
    if sys.platform != "win32":
        return 0, 0
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "a", "b", "c", "d", "e")),
        )

    status = Status()
    status.length = ctypes.sizeof(Status)
    ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return status.total, status.free
