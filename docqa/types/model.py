"""A neural model as a person sees it: what it is for, and whether it is here."""

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["encoder", "reranker", "layout"]
ModelState = Literal["bundled", "cached", "missing"]


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model docqa can use. ``size`` is in bytes, of the download where it is missing.

    ``fault`` says what is wrong with it, where that can be told quickly.
    """

    name: str
    purpose: Purpose
    state: ModelState
    size: int
    note: str = ""
    used: bool = False  # of a reranker: by searches; of a layout network: by reading
    fault: str = ""
