"""The program of a reading process: ``python -m docqa.ingest.reading.worker``.

It imports what it needs once and reads one file after the other, as `reader` asks.
"""

import ctypes
import gc
import json
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from docqa.errors import FileError
from docqa.ingest.office import formats, sections
from docqa.ingest.reading import parse, pdfium, text_layer
from docqa.ingest.reading.children import Message
from docqa.ingest.reading.messages import LAYOUT, LIGHT, PAUSE_SECONDS, as_message, packed, unpacked
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.text_layer import Skimmed
from docqa.settings import DEFAULTS, adjust
from docqa.types.document import kind_of

if TYPE_CHECKING:
    from docqa.ingest.reading.arrange import Laid

log = logging.getLogger(__name__)


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    if hasattr(os, "nice"):
        os.nice(10)  # the screen comes first where there are few cores
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    tell = _teller()
    requests = _requests(sys.stdin)
    if LAYOUT in sys.argv:
        from docqa.ingest.reading import arrange  # noqa: F401

        _collect_less()
    elif LIGHT not in sys.argv:
        _load()
    tell({"ready": True})
    while True:
        request = _next(requests)
        try:
            tell(_reply(request, tell))
        except FileError as error:
            log.warning("%s", error)
            called = Path(request["path"]).name
            tell({"failed": type(error).__name__, "told": str(error), "called": called})
        if request["ask"] != "lay":
            _return_memory()


def _teller() -> Callable[[Message], None]:
    """What writes messages to the parent. Whatever else is printed goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    writing = threading.Lock()

    def tell(message: Message) -> None:
        with writing:
            replies.write(json.dumps(message, default=as_message) + "\n")
            replies.flush()

    return tell


def _requests(lines: Iterable[str]) -> "queue.Queue[Message]":
    """Requests as they come. The end of the input ends the process at once, whatever it does."""
    asked: queue.Queue[Message] = queue.Queue()

    def listen() -> None:
        for line in lines:
            asked.put(json.loads(line))
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return asked


def _next(requests: "queue.Queue[Message]") -> Message:
    """The next request; memory is given back where it does not follow at once."""
    try:
        return requests.get(timeout=PAUSE_SECONDS)
    except queue.Empty:
        _return_memory()
        return requests.get()


def _load() -> None:
    """Import Docling before the first file asks for it."""
    from docqa.ingest.reading import docling_pipeline  # noqa: F401

    for name in ("docling", "rapidocr", "RapidOCR"):
        logging.getLogger(name).setLevel(logging.ERROR)
    _collect_less()


def _collect_less() -> None:
    """Look for reference cycles seldom, and never among what is imported.

    Reading makes objects by the hundred thousand: a sixth of the time went into looking.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _reply(request: Message, tell: Callable[[Message], None]) -> Message:
    path, password = Path(request["path"]), request["password"]
    if request["ask"] == "skim":
        skimmed = _skimmed(path, password, request)
        return {"facts": skimmed.facts, "parsed": skimmed.parsed, "memory": _largest()}
    if request["ask"] == "facts":
        page = request["page"]
        return {"facts": pdfium.page_facts(path, password=password, first=page, last=page)}
    if request["ask"] == "lay":
        return {"laid": packed(_laid(path, password, request, tell)), "memory": _largest()}
    return {"parsed": _parsed(path, password, request, tell), "memory": _largest()}


def _skimmed(path: Path, password: str | None, request: Message) -> Skimmed:
    name, settings = request["name"], adjust(DEFAULTS, **request["settings"])
    if kind_of(path.name) != "pdf":
        return sections.read(path, name, settings=settings)
    if path.exists():
        formats.refuse_compound(path, name)  # it has an old ending, or that of a PDF
    pdfium.preflight(path, password=password, limits=settings)
    part, of = request.get("part", (0, 1))
    return text_layer.skim(
        path, password=password, part=part, of=of, block_chars=settings.reading.block_chars
    )


def _laid(
    path: Path, password: str | None, request: Message, tell: Callable[[Message], None]
) -> "list[Laid]":
    from docqa.ingest.reading import arrange

    return arrange.laid_out(
        path,
        password=password,
        first=request["first"],
        last=request["last"],
        garbled=set(request["garbled"]),
        done=lambda count: tell({"progress": count, "memory": _largest()}),
    )


def _parsed(
    path: Path, password: str | None, request: Message, tell: Callable[[Message], None]
) -> Parsed:
    """The pages asked for."""
    facts = [PageFacts(**fact) for fact in request["facts"]]
    settings = adjust(DEFAULTS, **request["settings"])
    return parse.read(
        path,
        password=password,
        settings=settings,
        laid=unpacked(request["laid"]) if "laid" in request else None,
        progress=lambda done, total: tell({"progress": done, "memory": _largest()}),
        first=facts[0].page,
        last=facts[-1].page,
        facts=facts,
        ocr=request["ocr"],
    )


def _return_memory() -> None:
    """Give the system back what the last file took.

    glibc keeps freed memory: 120 pages of a filing left 900 MB behind, and 540 MB after this.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _largest() -> int:
    """The most memory this process has taken, in bytes; 0 on Windows, which has no such count."""
    if sys.platform == "win32":
        return 0
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
