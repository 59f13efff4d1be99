"""A network in onnxruntime, with its tokenizer: texts in, numbers out."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from docqa.errors import ModelFailed
from docqa.models.export import INPUTS, exported
from docqa.models.parted import PASSAGE, QUESTION, parted
from docqa.models.recent import RecentVectors
from docqa.models.registry import OF_TABLES, WEIGHTS, Model, check, path_of

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]
    from tokenizers import Encoding, Tokenizer

Told = Callable[[int, int], None]  # how many are done, of how many

# What a batch's numbers fit the processor's cache with: 38 ms a passage against 51 at 4096.
BATCH_TOKENS = 512
_WORDS = "embeddings.word_embeddings.weight"
KEPT_ALONE = 16_000_000  # numbers, 64 MB: 300 passages, or a thousand rows of tables
TOKEN_CHARS = 7  # few passages have longer tokens, and these are read again
# Joined with the addition before it, a normalisation takes seven times as long as both apart.
SLOWER = ["SkipLayerNormFusion"]


Text = TypeVar("Text")


class Network:
    """One model's tokenizer and network, each checked and loaded at its first use.

    Safe to use from several threads.
    """

    def __init__(self, model: Model, folder: Path, cache: Path) -> None:
        self.name = model.name
        self._model = model
        self._folder = folder
        self._cache = cache
        # Two locks: counting tokens does not wait for an export.
        self._reading_tokenizer = threading.Lock()
        self._reading_network = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._session: InferenceSession | None = None
        self._parts: _Parts | None = None
        self._read_alone = RecentVectors(kept=KEPT_ALONE)
        self._words: NDArray[np.float32] | None = None

    def count_tokens(self, text: str) -> int:
        """The tokens of the whole text, special ones included."""
        tokenizer = self._loaded_tokenizer()
        read = tokenizer.encode(_valid(text))
        # In each part that was cut off, too.
        special = tokenizer.num_special_tokens_to_add(is_pair=False)
        return len(read.ids) + sum(len(part.ids) - special for part in read.overflowing)

    def read_texts(self, texts: Sequence[str]) -> list["Encoding"]:
        """Each text's tokens, cut to what the network reads."""
        return self._loaded_tokenizer().encode_batch_fast([_valid(text) for text in texts])

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """What a reranker makes of each passage, shape (n,), in the order given.

        Of question and passage the longer is cut, or each where they are inputs of their own.
        """
        if self._model.apart:
            return self._score_apart(question, passages, self._loaded_parts().together)
        pairs = [(_valid(question), _valid(passage)) for passage in passages]
        read = self._loaded_tokenizer().encode_batch_fast(pairs)
        return self.run(read).reshape(len(read))

    def score_lines(self, question: str, lines: Sequence[str]) -> NDArray[np.float32]:
        """How likely each row or column of a table is one that answers, 0–1, shape (n,), by docqa's
        own reranker with layers that were taught on tables."""
        return self._score_apart(question, lines, self._loaded_parts().of_tables)

    def _score_apart(
        self, question: str, passages: Sequence[str], together: "InferenceSession"
    ) -> NDArray[np.float32]:
        """By a network that reads the two apart, then ``together``; what it made of the last
        passages alone is kept."""
        alone, words = self._loaded_parts().alone, self._loaded_words()

        def read(texts: Sequence[str]) -> list[NDArray[np.float32]]:
            return [self._result(alone, {PASSAGE: words[self._ids(text)]}) for text in texts]

        asked = self._read_alone.of([question], read)[0]

        def one(batch: Sequence[str]) -> NDArray[np.float32]:
            given = {QUESTION: asked, PASSAGE: self._read_alone.of(batch, read)[0]}
            return self._result(together, given)

        lengths = [max(1, len(passage)) for passage in passages]  # an empty one is alone too
        made = run_batches(passages, one, lengths=lengths, tokens=1)
        return made.reshape(len(passages))

    def _ids(self, text: str) -> NDArray[np.int64]:
        """The tokens that are read, (n,); of a long text its beginning has them all, mostly."""
        most = self._model.max_tokens
        begun = text[: most * TOKEN_CHARS].rsplit(None, 1)[:1]
        if len(text) > most * TOKEN_CHARS and begun:
            ids = self.read_texts(begun)[0].ids
            if len(ids) == most:
                return np.array(ids)
        return np.array(self.read_texts([text])[0].ids)

    def run(self, read: Sequence["Encoding"], progress: Told | None = None) -> NDArray[np.float32]:
        """What the network makes of each text, in the order given."""
        session = self._loaded_session()
        # A network without a mask takes one text at a time, so nothing hangs on the others.
        tokens = BATCH_TOKENS if "attention_mask" in _inputs(session) else 1
        lengths = [len(each.ids) for each in read]

        def one(batch: Sequence["Encoding"]) -> NDArray[np.float32]:
            return self._result(session, _padded(batch))

        return run_batches(read, one, lengths=lengths, tokens=tokens, progress=progress)

    def _result(
        self, session: "InferenceSession", given: Mapping[str, NDArray[Any]]
    ) -> NDArray[np.float32]:
        """What a network makes of those of its inputs that it takes."""
        with _translated(self._model.name):
            wanted = _inputs(session)
            outputs: Any = session.run(
                None, {name: given[name] for name in given if name in wanted}
            )
        made: NDArray[np.float32] = outputs[0]
        return made

    def _loaded_tokenizer(self) -> "Tokenizer":
        with self._reading_tokenizer:
            if self._tokenizer is None:
                self._tokenizer = _load_tokenizer(self._model, self._folder)
            return self._tokenizer

    def _loaded_words(self) -> NDArray[np.float32]:
        with self._reading_network:
            if self._words is None:
                check(self._model, self._folder, [WEIGHTS])
                self._words = words_in(self._folder / WEIGHTS)
            return self._words

    def _loaded_session(self) -> "InferenceSession":
        with self._reading_network:
            if self._session is None:
                path = exported(self._model, self._folder, self._cache)
                with _translated(self._model.name):
                    self._session = _load_session(path)
            return self._session

    def _loaded_parts(self) -> "_Parts":
        with self._reading_network:
            if self._parts is None:
                path = exported(self._model, self._folder, self._cache)
                check(self._model, self._folder, [OF_TABLES])
                with _translated(self._model.name):
                    alone, together = map(_load_session, parted(path))
                    of_tables = _load_session(path_of(self._folder, OF_TABLES))
                self._parts = _Parts(alone, together, of_tables)
            return self._parts


@dataclass(frozen=True, slots=True)
class _Parts:
    """What reads a text alone, and what reads it then with a question: a passage, or a line of a
    table."""

    alone: "InferenceSession"
    together: "InferenceSession"
    of_tables: "InferenceSession"


def words_in(path: Path) -> NDArray[np.float32]:
    """The encoder's table of words, (tokens, WIDTH), read from the file where it is looked into."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        told = json.loads(file.read(length))[_WORDS]
    begin = 8 + length + told["data_offsets"][0]
    return np.memmap(path, np.float32, "r", offset=begin, shape=tuple(told["shape"]))


def batches(lengths: Sequence[int], *, tokens: int = BATCH_TOKENS) -> list[list[int]]:
    """The places of the texts, longest first, in runs that pad to ``tokens`` or one text.

    Texts of like length together need little padding, which made encoding 2.8 times as fast.
    Ties keep the order given.

    >>> batches([3, 9, 3, 3], tokens=9)
    [[1], [0, 2, 3]]
    """
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    made: list[list[int]] = []
    for place in order:
        if made and lengths[made[-1][0]] * (len(made[-1]) + 1) <= tokens:
            made[-1].append(place)
        else:
            made.append([place])
    return made


def run_batches(
    read: Sequence[Text],
    run: Callable[[Sequence[Text]], NDArray[np.float32]],
    *,
    lengths: Sequence[int],
    tokens: int,
    progress: Told | None = None,
) -> NDArray[np.float32]:
    """What ``run`` makes of batches, in the order given; where it fails, what waits is dropped.

    Cores with a batch each did the same work in two thirds of the time that one batch shared by
    all cores takes, whose threads wait for one another.
    """
    results: list[NDArray[np.float32] | None] = [None] * len(read)
    made = batches(lengths, tokens=tokens)
    done = 0
    pool = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="docqa-network")
    try:
        every = pool.map(lambda batch: run([read[place] for place in batch]), made)
        for batch, outputs in zip(made, every, strict=True):
            for place, result in zip(batch, outputs, strict=True):
                results[place] = result
            done += len(batch)
            if progress:
                progress(done, len(read))
    finally:
        pool.shutdown(cancel_futures=True)
    return np.array(results, dtype=np.float32)


def _valid(text: str) -> str:
    """A lone surrogate, as a terminal may hand over, is no text to a tokenizer."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _padded(batch: Sequence["Encoding"]) -> dict[str, NDArray[np.int64]]:
    """The batch as the network's inputs, each of shape (texts, longest text)."""
    shape = (len(batch), max(len(each.ids) for each in batch))
    inputs = {name: np.zeros(shape, dtype=np.int64) for name in INPUTS}
    for row, each in enumerate(batch):
        columns = (each.ids, each.attention_mask, each.type_ids)
        for name, values in zip(INPUTS, columns, strict=True):
            inputs[name][row, : len(values)] = values
    return inputs


def _inputs(session: "InferenceSession") -> set[str]:
    return {each.name for each in session.get_inputs()}


def _load_tokenizer(model: Model, folder: Path) -> "Tokenizer":
    """It stops where the network does."""
    check(model, folder, ["tokenizer.json"])
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.max_tokens)
    return tokenizer


def ports(model: Model, path: Path) -> tuple[set[str], list[str]]:
    """The names of a network's inputs and outputs. Raises `ModelFailed` where it does not load."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    with _translated(model.name):
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return _inputs(session), [each.name for each in session.get_outputs()]


def _load_session(network: Path | bytes) -> "InferenceSession":
    import onnxruntime

    # Its older builds for Windows report to the system's log and read nothing of `settings.QUIET`.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # errors alone
    options.intra_op_num_threads = 1  # see `run_batches`
    return onnxruntime.InferenceSession(
        network, options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOWER
    )


@contextmanager
def _translated(name: str) -> Iterator[None]:
    try:
        yield
    except _runtime_errors() as error:
        raise ModelFailed(name, reason=str(error)[:200]) from error


def _runtime_errors() -> tuple[type[Exception], ...]:
    """What onnxruntime raises: a dozen classes without a common one of their own."""
    from onnxruntime.capi import (  # type: ignore[import-untyped]
        onnxruntime_pybind11_state as state,
    )

    kinds = [kind for kind in vars(state).values() if isinstance(kind, type)]
    return tuple(kind for kind in kinds if issubclass(kind, Exception))
