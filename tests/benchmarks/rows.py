"""What a benchmark yields: rows of a table; and how two ways of doing a thing are timed fairly."""

import importlib
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

Action = Callable[[], object]
COMPARED_WITH = ("onnxruntime", "chromadb", "docling-slim", "sentence-transformers", "streamlit")


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: ``value`` in ``unit``, the median of ``n`` turns.

    ``peer_value`` is the same of ``peer``, taken in turns with it; ``note`` says what was
    measured, or why there is no figure.
    """

    section: str
    name: str
    value: float
    unit: str
    n: int = 1
    peer: str = ""
    peer_value: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times the peer's value this one is."""
        return self.peer_value / self.value if self.peer_value and self.value else None


@dataclass(frozen=True, slots=True)
class Options:
    """``files`` are the PDFs to measure on, ``scratch`` an empty folder; ``short`` only tries.

    Large libraries are made, or found from an earlier run, in ``kept``, else in ``scratch``.
    """

    files: tuple[Path, ...]
    scratch: Path
    turns: int = 5
    short: bool = False
    kept: Path | None = None

    @property
    def libraries(self) -> Path:
        return self.kept or self.scratch / "libraries"


def medians(actions: Mapping[str, Action], *, turns: int) -> dict[str, float]:
    """The median seconds of each action; they take turns, so that all see the same machine."""
    took: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(turns):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            took[name].append(time.perf_counter() - started)
    return {name: statistics.median(seconds) for name, seconds in took.items()}


def percentile(seconds: Sequence[float], share: float) -> float:
    """The value below which that share of the seconds lies."""
    return float(np.quantile(seconds, share))


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The b of cost = a · size^b, by least squares over the logarithms.

    >>> round(exponent([1, 10, 100], [2, 20, 200]), 6)
    1.0
    """
    slope, _ = np.polyfit(np.log(sizes), np.log(costs), 1)
    return float(slope)


def against(
    section: str, name: str, took: Mapping[str, float], *, turns: int, unit: str = "ms"
) -> list[Row]:
    """A row for each peer in ``took``, or one alone; "docqa" is ours. Times are in ``unit``."""
    times = {"s": 1.0, "ms": 1000.0}[unit]
    ours = took["docqa"] * times
    peers = [peer for peer in took if peer != "docqa"]
    if not peers:
        return [Row(section, name, ours, unit, turns)]
    return [Row(section, name, ours, unit, turns, peer, took[peer] * times) for peer in peers]


def peer(module: str) -> Any:
    """A peer's module, which has no types and may not be here (see `installed`)."""
    return importlib.import_module(module)


def installed(*modules: str) -> bool:
    """Whether the peers are here; they come with tests/benchmarks/requirements.txt."""
    try:
        for module in modules:
            peer(module)
    except ImportError:
        return False
    return True


def missing(section: str, name: str, peer: str) -> Row:
    return Row(section, name, float("nan"), "", 0, peer, None, f"{peer} is not installed")


def as_table(rows: Iterable[Row]) -> str:
    """The rows as Markdown."""
    lines = ["| section | what | docqa | measured against | | times | n |", "|" + "---|" * 7]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}×"
        peer = "" if row.peer_value is None else f"{row.peer_value:.4g} {row.unit}"
        cells = (row.section, _named(row), f"{row.value:.4g} {row.unit}", row.peer, peer, ratio)
        lines.append("| " + " | ".join((*cells, str(row.n))) + " |")
    return "\n".join(lines)


def _named(row: Row) -> str:
    return f"{row.name} ({row.note})" if row.note else row.name


def give_torch_every_core() -> None:
    """For a peer that runs in this thread: docqa's own threads take one each, and torch keeps it.

    New threads get what the last one asked for.
    """
    import torch

    torch.set_num_threads(os.cpu_count() or 1)


def machine() -> dict[str, Any]:
    """What the figures were taken on, and when."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "versions": {name: _version(name) for name in COMPARED_WITH},
    }


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if not described.is_file():
        return platform.processor()
    lines = described.read_text(encoding="utf-8").splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def write_json(path: Path, rows: Sequence[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = {"machine": machine(), "rows": [asdict(row) | {"ratio": row.ratio} for row in rows]}
    path.write_text(json.dumps(written, indent=1), encoding="utf-8")
