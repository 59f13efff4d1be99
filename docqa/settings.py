"""Every tunable number: what it is, its unit, its default and where that comes from.

`Settings` is frozen; `adjust` makes another. Environment variables are read here
and nowhere else.
"""

import logging
import os
import re
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal
from importlib import metadata
from pathlib import Path
from typing import Any, Literal
from weakref import WeakValueDictionary

# Read by these libraries when they are loaded, so set before any of them is. onnxruntime's official
# builds report to their makers as soon as they run; to tell them so afterwards
# (`disable_telemetry_events`) comes after the first look-up of the server.
QUIET: Mapping[str, Mapping[str, str]] = {
    "onnxruntime": {"ORT_DISABLE_TELEMETRY": "1"},
    "the model hub": {"HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"},
    "OpenTelemetry": {"OTEL_SDK_DISABLED": "true"},
}
for _told in QUIET.values():
    os.environ.update(_told)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; writing to the cache is for five minutes.

    A request whose prompt has over ``long_over`` tokens costs ``long_factor`` times as much, all
    of it; 0 where there is no such limit. A beginning is cached from ``cached_from`` tokens on.
    """

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_write: Decimal
    long_over: int = 0
    long_factor: Decimal = Decimal(1)
    cached_from: int = 1024


def _price(rates: str, *, over: int = 0, factor: int = 1, cached_from: int = 1024) -> Price:
    """``rates`` are those of `Price`, in its order."""
    given, made, read, written = map(Decimal, rates.split())
    return Price(given, made, read, written, over, Decimal(factor), cached_from)


# Anthropic's price list; not in the SDK and not fetched. `python -m docqa costs --price` gives a
# model another price, or one that is not here. Without a price only tokens are shown. What is
# cached is told of Opus 4.5, Haiku 4.5 (4,096) and Sonnet 4.5 (1,024): later ones are taken alike.
PRICES_OF = "2026-10-24"
PRICES: Mapping[str, Price] = {
    "claude-opus-5-5": _price("4 20 0.20 5", cached_from=4096),
    "claude-sonnet-5-5": _price("2 10 0.10 2.50"),
    "claude-haiku-5-5": _price("0.10 0.50 0.01 0.125", over=100_000, factor=5, cached_from=4096),
    "claude-opus-5": _price("5 25 0.50 6.25", cached_from=4096),
    "claude-sonnet-5": _price("2 10 0.20 2.50"),
    "claude-haiku-4-5": _price("1 5 0.10 1.25", cached_from=4096),
}


Variety = Literal["synthesis", "always", "never"]  # the questions whose passages are varied


@dataclass(frozen=True, slots=True)
class Reading:
    """Limits of one file, and how its pages become blocks."""

    max_pages: int = 2000
    max_file_size: int = 500 * 1024 * 1024  # bytes
    reading_seconds: float = 1800.0  # for the whole file
    range_seconds: float = 600.0  # for at most 150 of its pages, which take about 15 s
    ocr_seconds: float = 180.0  # for one page by OCR, which takes 10 to 20 s
    reading_memory: int = 4 * 1024**3  # bytes the reading process may take
    parser_threads: int = 2
    layout_model: str = ""  # folder of the layout network; "" lays pages out by geometry alone
    block_chars: int = 600  # a longer paragraph becomes several blocks, cut at sentence ends


@dataclass(frozen=True, slots=True)
class Chunking:
    """How blocks become chunks; recorded with a library, so that all of it is cut alike.

    The encoder's limit holds besides. Tables and text with digits are exempt from the two shares.
    """

    chunk_chars: int = 1000
    overlap_chars: int = 100
    min_chunk_chars: int = 100
    min_alphanumeric: float = 0.3  # share of characters
    max_special: float = 0.7  # share of characters


@dataclass(frozen=True, slots=True)
class Search:
    """How passages are found, fused, ranked and chosen."""

    top_k: int = 10  # hits
    synthesis_top_k: int = 30  # hits for a question over several documents
    # Chunks from each list, for a question over several documents twice as many; 40 for all found
    # less on three sets of four.
    candidates: int = 20
    rrf_k: int = 60  # Cormack, Clarke and Büttcher 2009
    dense_weight: float = 1.0  # weights of the two lists in fusion; equal is plain RRF
    keyword_weight: float = 1.0
    table_weight: float = 2.0  # of the list of tables whose title answers; 1.5 to 3 measured alike
    wider_queries: bool = False  # "… overview", "X versus Y differences": found nothing more
    use_reranker: bool = True  # off: the order of the fused lists stays
    reranked: int = 12  # of the best candidates
    # Varied passages: for summaries, lists and comparisons (of 643 such questions 14 found more of
    # their parts, 3 fewer); for lookups it costs hits on every set measured.
    mmr: Variety = "synthesis"
    mmr_lambda: float = 0.9  # 1 is relevance alone; 0.5 halves hit@5 on filings
    table_boost: float = 1.2  # factors on a calibrated score
    prose_boost: float = 1.1
    duplicate_ratio: float = 0.8  # share of equal characters, within one document
    relevance_floor: float = 0.30  # best cosine below which nothing is near; quoting asks for more


@dataclass(frozen=True, slots=True)
class Comparing:
    """Which passages of each document are compared, and how they are paired."""

    compare_chunks: int = 10  # from each document
    compare_pieces: int = 20  # of those, cut into clauses, paragraphs and tables
    pair_threshold: float = 0.6  # similarity
    max_pairs: int = 8
    max_compared: int = 3  # documents


@dataclass(frozen=True, slots=True)
class Answering:
    """What an answer is written from, by whom, and when it ends."""

    answerer: str = "auto"  # "auto": Claude with a key, else extractive
    model: str = "claude-sonnet-5-5"
    small_model: str = "claude-haiku-5-5"  # writes the lines that situate passages
    evidence_chars: int = 12_000  # for a lookup
    synthesis_evidence_chars: int = 20_000
    history_messages: int = 6
    max_searches: int = 6  # turns of the tool loop
    max_answer_tokens: int = 8192  # thinking counts toward it
    answer_tokens: int = 200_000  # of one answer, in and out, after which no more is searched
    thinking_seconds: float = 90.0  # of a model here, before it is to answer at once; 0: no end
    citation_form: str = "auto"  # "native", "written" labels, or whichever the server understands
    second_look: bool = True  # a model is shown once what of its answer the passages do not support


@dataclass(frozen=True, slots=True)
class Server:
    """The answering server: where it is, what it must not see, and what it may cost."""

    base_url: str = ""  # of another Messages-API server; "" is Anthropic's
    model_file: str = ""  # a GGUF file that docqa runs itself; "" for a server
    key_header: str = "auto"  # "authorization", "x-api-key", or what the server is known to read
    redact: tuple[str, ...] = ()  # words that are hidden from the server
    budget_usd: float = 0.0  # for a day (UTC); 0 is the library's own limit, if it has one
    request_seconds: float = 120.0
    max_retries: int = 3  # of one request, while nothing of its answer has arrived
    max_wait_seconds: float = 30.0  # a server that asks for more is not waited for
    send_key: bool = True  # off for a server that was found on this machine and asks for none
    find_servers: bool = True  # look for servers of models on this machine, on the loopback alone


@dataclass(frozen=True, slots=True)
class Settings:
    """Every parameter, in groups; no name stands in two of them (see `adjust`)."""

    reading: Reading = Reading()
    chunking: Chunking = Chunking()
    search: Search = Search()
    comparing: Comparing = Comparing()
    answering: Answering = Answering()
    server: Server = Server()


DEFAULTS = Settings()


def by_name(settings: Settings) -> dict[str, Any]:
    """Every parameter by its own name, without the groups: as it is stored and sent.

    >>> by_name(DEFAULTS)["rrf_k"]
    60
    """
    return {name: value for group in asdict(settings).values() for name, value in group.items()}


def adjust(settings: Settings, **values: Any) -> Settings:
    """The settings with other values of the parameters named; raises TypeError for a wrong name.

    >>> adjust(DEFAULTS, top_k=4, redact=("Smith",)).search.top_k
    4
    """
    groups = {}
    for each in fields(settings):
        group = getattr(settings, each.name)
        own = {name: values.pop(name) for name in asdict(group) if name in values}
        groups[each.name] = replace(group, **own)
    if values:
        raise TypeError(f"no such settings: {', '.join(values)}")
    return replace(settings, **groups)


OFF = "off"  # instead of a folder in DOCQA_LAYOUT_MODELS


def library_folder(chosen: str | None = None) -> Path:
    """The library's folder: the one chosen, else DOCQA_LIBRARY, else the user's data folder."""
    named = chosen or os.environ.get("DOCQA_LIBRARY")
    return Path(named).expanduser() if named else _user_data_folder() / "docqa"


def app_folder() -> Path:
    """Where app.py, .streamlit and requirements.txt are: the clone, else where pip put them."""
    beside = Path(__file__).resolve().parents[1]
    if (beside / ".streamlit").exists():
        return beside
    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("docqa") or ():
            if file.parts[-3:] == ("share", "docqa", "app.py"):
                return Path(file.locate()).resolve().parent
    return beside


def models_folder(library: Path) -> Path:
    """Where exported models are kept: DOCQA_MODELS, else a folder of the library."""
    named = os.environ.get("DOCQA_MODELS")
    return Path(named).expanduser() if named else library / "models"


def hub_folder() -> Path:
    """The cache that Hugging Face's libraries share, where downloaded models are kept."""
    if named := os.environ.get("HF_HUB_CACHE"):
        return Path(named).expanduser()
    caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or f"{caches}/huggingface"
    return Path(home).expanduser() / "hub"


def layout_folder() -> Path | None:
    """The folder that DOCQA_LAYOUT_MODELS names for Docling's layout network, if any."""
    named = os.environ.get("DOCQA_LAYOUT_MODELS", "").strip()
    return Path(named).expanduser() if named and named != OFF else None


def layout_is_off() -> bool:
    """Whether reading is to do without a layout network even where one is here."""
    return os.environ.get("DOCQA_LAYOUT_MODELS", "").strip() == OFF


def _user_data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def log_level() -> int:
    """How much the library's log file holds: DOCQA_LOG (DEBUG, INFO, WARNING), else INFO."""
    named = logging.getLevelNamesMapping().get(os.environ.get("DOCQA_LOG", "").upper())
    return named or logging.INFO


class Key(str):
    """A key of a server: not shown where values are, as in a trace; see `without_keys`."""

    def __new__(cls, text: str) -> "Key":
        made = super().__new__(cls, text)
        if len(text) >= _SHORTEST:
            with _keys_change:
                _keys[id(made)] = made  # not by its value, or the second of two would be lost
        return made

    def __repr__(self) -> str:
        return f"Key({'…' if self else ''})"


_SHORTEST = 8  # characters of a key that could not be a word of something else
_keys: WeakValueDictionary[int, Key] = WeakValueDictionary()
_keys_change = threading.Lock()


def without_keys(text: str) -> str:
    """``text`` with every key in use taken out: what a server wrote may repeat it.

    >>> held = Key("sk-ant-0123456789")
    >>> without_keys("Invalid key sk-ant-0123456789.")
    'Invalid key [key].'
    """
    with _keys_change:
        held = [str(key) for key in _keys.values()]
    for key in held:
        text = text.replace(key, "[key]")
    return text


def api_key() -> Key:
    """The key or token from the environment, or "" (never stored, logged or exported)."""
    return Key(os.environ.get("ANTHROPIC_API_KEY") or os.environ.get("ANTHROPIC_AUTH_TOKEN", ""))


def key_to_use(given: str | None) -> str:
    """The key that was given, "" included; the environment's where none was."""
    return api_key() if given is None else given


ANTHROPIC = "https://api.anthropic.com"


def server_url() -> str:
    """The Messages-API server named in the environment, or "" for Anthropic's."""
    return os.environ.get("ANTHROPIC_BASE_URL", "")


def chroma_url() -> str:
    """The Chroma server that keeps the vectors: DOCQA_CHROMA_URL, or "" for this process."""
    return os.environ.get("DOCQA_CHROMA_URL", "").strip()


SERVER_PORTS: Mapping[str, int] = {
    "Ollama": 11434,
    "LM Studio": 1234,
    "llama.cpp": 8080,
    "vLLM": 8000,
}


def server_ports() -> dict[str, int]:
    """The ports of the loopback where servers of models are looked for, by the server's name.

    DOCQA_LOCAL_SERVERS may be "off", or name those to look for: "Ollama=11500, vLLM=8001".
    """
    listed = os.environ.get("DOCQA_LOCAL_SERVERS", "").strip()
    if not listed:
        return dict(SERVER_PORTS)
    known = {name.casefold(): name for name in SERVER_PORTS}
    pairs = (each.split("=", 1) for each in listed.split(",") if "=" in each)
    return {
        known[name.strip().casefold()]: int(port)
        for name, port in pairs
        if name.strip().casefold() in known and port.strip().isdigit()
    }


def reach_directly(host: str) -> None:
    """Let no proxy that the environment names come between this process and a host."""
    for name in ("NO_PROXY", "no_proxy"):
        kept = [each for each in os.environ.get(name, "").split(",") if each]
        if host not in kept:
            os.environ[name] = ",".join([*kept, host])


_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|^ANTHROPIC_|^DOCQA_", re.IGNORECASE)


def environment_for_reading() -> dict[str, str]:
    """The environment of a process that reads files: this one's, with no secret and no network.

    Variables whose names speak of keys, tokens or passwords are left out.
    """
    kept = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    plain = {"TOKENIZERS_PARALLELISM": "false", "PYTHONUTF8": "1"}
    quiet = {name: value for variables in QUIET.values() for name, value in variables.items()}
    package = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return {**kept, **offline, **plain, **quiet, "PYTHONPATH": path}


def telemetry_off() -> dict[str, bool]:
    """Whether each library that obeys the environment is told to report to nobody."""
    return {
        library: all(os.environ.get(name) == value for name, value in variables.items())
        for library, variables in QUIET.items()
    }
