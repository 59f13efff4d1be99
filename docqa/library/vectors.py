"""Chunk vectors, searched by cosine. Nothing is here that the catalog cannot restore.

They are in the library's folder, or at the Chroma server of `docqa.settings.chroma_url`.
"""

import ctypes
import json
import logging
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from docqa.errors import LibraryUnusable, VectorServerUnreachable
from docqa.library import hnsw
from docqa.library.database import compact
from docqa.library.files import delete_folder
from docqa.settings import chroma_url, reach_directly

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.config import Settings

log = logging.getLogger(__name__)

Told = Callable[[int, int], None]  # vectors put in, of how many
Sliced = TypeVar("Sliced", Sequence[str], NDArray[np.float32])

FOLDER_NAME = "vectors"
WRITING_NAME = "vectors.writing"
RECORD_NAME = "vectors.server"  # which collection at which server is this library's
_DATABASE = "chroma.sqlite3"
_COLLECTION = "chunks"
_ANSWERS_WITHIN = 5.0  # seconds in which a server has to say that it is there
_WORKS_WITHIN = 60.0  # and to do what it is asked
_BATCH = 1000  # vectors written at once; Chroma takes 5461
_WAITED = 15.0  # seconds for an index that is locked
_PROBED = 10  # vectors a working index must be able to read
_SYNC_THRESHOLD = 2  # vectors
# Chroma's default space is L2. Wider lists than its default cost a few milliseconds and find
# the same neighbours as an exact search far more often. Written out at once, a vector is in one
# file and not also in a queue of the last thousand, from which it could not be deleted.
_CONFIGURATION: Any = {
    "hnsw": {
        "space": "cosine",
        "ef_construction": 200,
        "ef_search": 200,
        "max_neighbors": 32,
        "sync_threshold": _SYNC_THRESHOLD,
        "batch_size": 2,
    }
}
_NOBODYS = "overwritten"  # the id of a vector that comes and goes, so that all is written out


class VectorIndex:
    """A Chroma collection, in the folder "vectors" of the library or at a server.

    One process may hold it. Every method raises VectorServerUnreachable.
    """

    def __init__(self, folder: Path, *, encoder: str, dimensions: int) -> None:
        """Opens the index, or makes an empty one where there is none, it is damaged, or it was
        made with another encoder or by an earlier docqa. Raises LibraryUnusable.
        """
        url = chroma_url()
        self._place = _Server(folder, url) if url else _Folder(folder)
        self._library = folder
        self._encoder = encoder
        self._dimensions = dimensions
        self._client: ClientAPI | None = None
        self._mark = folder / WRITING_NAME
        if self._mark.exists():
            log.warning("A process ended while it wrote the vector index, which is made anew")
            discard(folder)
            self._mark.unlink()
        try:
            self._open_when_free()
        except self._place.failures() as error:
            raise VectorServerUnreachable(self.place, reason=_reason(error)) from error
        except _chroma_errors() as error:
            log.warning("The vector index cannot be opened and is made anew: %s", error)
            self._start_over()

    def add(self, document_id: str, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Put in the vectors (n, d) of a document's chunks, in place of any it had."""
        if self._ids_of(document_id):
            self.remove(document_id)
        with self._changing():
            self._put(document_id, ids, vectors)

    def remove(self, document_id: str) -> None:
        """Take out a document's vectors; an unknown id is no error.

        The graph keeps the place of what is deleted with its numbers, from which a text can be
        guessed. So they are overwritten first, and the database is written anew.
        """
        ids = self._ids_of(document_id)
        with self._changing(), self._translated():
            for some in map(list, _portions(ids)):
                self._collection.update(ids=some, embeddings=self._noise(len(some)))
                self._collection.delete(ids=some)
            self._collection.add(ids=[_NOBODYS], embeddings=self._noise(1))
            self._collection.delete(ids=[_NOBODYS])
        self._place.compact()

    def _ids_of(self, document_id: str) -> list[str]:
        with self._translated():
            return list(self._collection.get(where={"document": document_id}, include=[])["ids"])

    def _noise(self, count: int) -> NDArray[np.float32]:
        drawn: Any = np.random.default_rng().normal(size=(count, self._dimensions))
        return np.asarray(drawn, dtype=np.float32)

    def count(self) -> int:
        """The number of vectors."""
        with self._translated():
            return int(self._collection.count())

    def search(
        self, vector: NDArray[np.float32], *, limit: int, document_ids: Sequence[str] = ()
    ) -> list[tuple[str, float]]:
        """The nearest chunks' ids with their cosine, highest first, ties by id.

        No ids means every document. Fewer than ``limit`` where there are fewer.
        """
        if limit < 1:
            return []
        within: Any = {"document": {"$in": sorted(set(document_ids))}} if document_ids else None
        with self._translated():
            found = self._collection.query(
                query_embeddings=np.asarray([vector], dtype=np.float32),
                n_results=limit,
                where=within,
                include=["distances"],
            )
        distances = (found["distances"] or [[]])[0]
        cosines = [1.0 - float(distance) for distance in distances]
        return sorted(zip(found["ids"][0], cosines, strict=True), key=lambda hit: (-hit[1], hit[0]))

    def is_consistent_with(self, count: int) -> bool:
        """Whether it holds that many vectors, and the first of them can be read and found."""
        try:
            return self.count() == count and self._finds_its_first()
        except LibraryUnusable:
            return False

    def _finds_its_first(self) -> bool:
        # Where the graph's files are lost the count is as it was, but a vector cannot be read.
        with self._translated():
            first = self._collection.get(limit=_PROBED, include=["embeddings"])
        vectors = first["embeddings"]
        return not first["ids"] or (
            vectors is not None
            and len(vectors) == len(first["ids"])
            and len(self.search(np.asarray(vectors[0]), limit=1)) == 1
        )

    def holds(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> bool:
        """Whether every one of these vectors can be read here as it is given."""
        try:
            with self._translated():
                portions = zip(_portions(ids), _portions(vectors), strict=True)
                return all(self._holds_some(*each) for each in portions)
        except LibraryUnusable:
            return False

    def _holds_some(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> bool:
        held = self._collection.get(ids=list(ids), include=["embeddings"])
        if held["embeddings"] is None or len(held["ids"]) != len(ids):
            return False
        places = {chunk_id: place for place, chunk_id in enumerate(held["ids"])}
        ordered = np.asarray(held["embeddings"])[[places[chunk_id] for chunk_id in ids]]
        return ordered.shape == vectors.shape and bool(np.allclose(ordered, vectors, atol=1e-3))

    def rebuild(
        self,
        documents: Iterable[tuple[str, Sequence[str], NDArray[np.float32]]],
        *,
        total: int = 0,
        progress: Told | None = None,
    ) -> None:
        """Start over from what `Catalog.all_vectors` yields; ``total`` vectors are expected."""
        self._start_over()
        done = 0
        with self._changing():
            for document_id, ids, vectors in documents:
                self._put(document_id, ids, vectors)
                done += len(ids)
                if progress is not None:
                    progress(done, total)

    @property
    def place(self) -> str:
        """The server that keeps the vectors, or "" where they are in the folder."""
        return self._place.server

    def is_silent(self) -> bool:
        """Whether Chroma is told to report nothing to anyone."""
        told = self._client.get_settings() if self._client else None
        return told is not None and not (
            told.anonymized_telemetry or told.chroma_otel_collection_endpoint
        )

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            self._place.close(client)

    def _put(self, document_id: str, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        with self._translated():
            for some, numbers in zip(_portions(ids), _portions(vectors), strict=True):
                self._collection.add(
                    ids=list(some),
                    embeddings=np.asarray(numbers, dtype=np.float32),
                    metadatas=[{"document": document_id}] * len(some),
                )

    def _open_when_free(self) -> None:
        """Chroma lets go of its database a moment after it was closed; that is no damage."""
        until = time.monotonic() + _WAITED
        while time.monotonic() < until:
            try:
                return self._open()
            except _chroma_errors() as error:
                if "database is locked" not in str(error):
                    raise
                self.close()
                _forget_clients()
                time.sleep(0.25)
        reason = "another program holds its vector index; close that program and start docqa again"
        raise LibraryUnusable(str(self._library), reason=reason)

    def _open(self) -> None:
        self._client = self._place.client()
        self._collection = self._client.get_or_create_collection(
            self._place.collection,
            embedding_function=None,  # else Chroma would fetch a model of its own
            configuration=_CONFIGURATION,
            metadata={"encoder": self._encoder},
        )
        held = self._collection.configuration_json.get("hnsw") or {}
        made_with = (self._collection.metadata or {}).get("encoder")
        if (made_with, held.get("sync_threshold", _SYNC_THRESHOLD)) != (
            self._encoder,
            _SYNC_THRESHOLD,
        ):
            raise OSError(f"it was made with {made_with}, or by an earlier docqa")

    def _start_over(self) -> None:
        self.close()
        _forget_clients()
        with self._translated():
            discard(self._library)
            self._open()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Mark on disk that the files are being written.

        Chroma writes them in place, and a half-written one can end the process that reads it.
        The mark stays where this is broken off, and the index is then made anew when next opened.
        """
        with self._translated():
            self._mark.touch(mode=0o600)
        yield
        self._mark.unlink(missing_ok=True)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self._place.failures() as error:
            raise VectorServerUnreachable(self.place, reason=_reason(error)) from error
        except _chroma_errors() as error:
            reason = f"its vector index failed ({error}); restart docqa, which rebuilds it"
            raise LibraryUnusable(str(self._library), reason=reason) from error


def _portions(every: Sliced) -> list[Sliced]:
    return [every[start : start + _BATCH] for start in range(0, len(every), _BATCH)]


class _Folder:
    """Where the vectors are by default: a folder of the library, read inside this process."""

    server = ""
    collection = _COLLECTION

    def __init__(self, library: Path) -> None:
        self._folder = library / FOLDER_NAME
        _set_stale(library)  # what a server has does not follow what is changed here

    def client(self) -> "ClientAPI":
        import chromadb

        _blank_memory()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not all(hnsw.is_sound(header.parent) for header in self._folder.glob("*/header.bin")):
            raise OSError("the files of its graph do not fit one another")
        settings = _settings(chroma_api_impl="chromadb.api.rust.RustBindingsAPI")
        return chromadb.PersistentClient(self._folder, settings=settings)

    def close(self, client: "ClientAPI") -> None:
        client.close()  # type: ignore[attr-defined]  # of the client, not of its interface

    def compact(self) -> None:
        compact(self._folder / _DATABASE)

    def failures(self) -> tuple[type[Exception], ...]:
        return ()


class _Server:
    """A Chroma server with a collection for each library, whose name the folder keeps."""

    def __init__(self, library: Path, url: str) -> None:
        """Raises VectorServerUnreachable where ``url`` is no address."""
        self._library = library
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            reason = "DOCQA_CHROMA_URL has to be like http://127.0.0.1:8000"
            raise VectorServerUnreachable("the address given", reason=reason)
        self._tls, self._host = parts.scheme == "https", parts.hostname
        self._port = port or (443 if self._tls else 80)
        host = f"[{self._host}]" if ":" in self._host else self._host
        self.server = f"{parts.scheme}://{host}:{self._port}"  # without a name or password
        recorded = _record(library)
        self.collection = recorded.get("collection") or f"docqa-{uuid.uuid4().hex}"

    def client(self) -> "ClientAPI":
        import chromadb
        import httpx

        reach_directly(self._host)
        try:
            # Chroma's own first requests would wait without an end.
            httpx.get(f"{self.server}/api/v2/heartbeat", timeout=_ANSWERS_WITHIN)
            client = chromadb.HttpClient(
                self._host, self._port, ssl=self._tls, settings=_settings()
            )
        except httpx.HTTPError as error:
            raise VectorServerUnreachable(self.server, reason=_reason(error)) from error
        except ValueError as error:  # what Chroma raises for whatever else answers
            raise VectorServerUnreachable(
                self.server, reason="it is not a Chroma server"
            ) from error
        for session in _sessions(client):
            session.timeout = _WORKS_WITHIN  # Chroma would wait for ever
        self._wipe_stale(client)
        return client

    def _wipe_stale(self, client: "ClientAPI") -> None:
        """Start with an empty collection where the vectors were changed somewhere else since."""
        from chromadb.errors import NotFoundError

        recorded = _record(self._library)
        if recorded.get("server", self.server) != self.server:
            log.warning("The vectors are at another server now; the one before still has them")
        if recorded.get("server") != self.server or recorded.get("stale"):
            with suppress(NotFoundError):
                client.delete_collection(self.collection)
            _keep_record(self._library, server=self.server, collection=self.collection)
        delete_folder(self._library / FOLDER_NAME)

    def close(self, client: "ClientAPI") -> None:
        """With its connections, which Chroma would leave open."""
        for session in _sessions(client):
            session.close()
        client.close()  # type: ignore[attr-defined]  # of the client, not of its interface

    def compact(self) -> None:
        """The server's files are the server's."""

    def failures(self) -> tuple[type[Exception], ...]:
        """What says nothing about the vectors: what a server holds is not made anew for it."""
        from chromadb.errors import ChromaError
        from httpx import HTTPError

        return (HTTPError, ChromaError)


def _sessions(client: "ClientAPI") -> list[Any]:
    """Its connections: those of its second client, for tenants, are others."""
    inner: Any = client
    return [each._server._session for each in (inner, inner._admin_client)]


def _reason(error: Exception) -> str:
    from httpx import HTTPError

    return "it does not answer" if isinstance(error, HTTPError) else f"it answered “{error}”"


def discard(folder: Path) -> None:
    """Delete the library's vector index, which `VectorIndex.rebuild` can make again.

    What a server has of it is deleted when it is next opened. Raises LibraryUnusable.
    """
    delete_folder(folder / FOLDER_NAME)
    _set_stale(folder)


def _record(library: Path) -> dict[str, str]:
    """The server and collection of the library, and whether that is "stale"; {} for none."""
    try:
        kept = json.loads((library / RECORD_NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _keep_record(library: Path, **record: str) -> None:
    (library / RECORD_NAME).write_text(json.dumps(record), "utf-8")


def _set_stale(library: Path) -> None:
    if recorded := _record(library):
        _keep_record(library, **{**recorded, "stale": "yes"})


def _settings(**more: Any) -> "Settings":
    """What Chroma is told, here or at a server, whatever a .env file or the environment say."""
    from chromadb.config import Settings

    return Settings(
        _env_file=None,  # type: ignore[call-arg]  # an argument of pydantic's own
        anonymized_telemetry=False,
        chroma_otel_collection_endpoint="",
        chroma_otel_granularity=None,
        allow_reset=False,
        **more,
    )


def _blank_memory() -> None:
    """Have memory overwritten before Chroma gets it.

    It writes the unused part of what it takes to disk, and with it what stood there before: text
    of documents that are removed since. Only glibc can be told so (M_PERTURB, mallopt(3)).
    """
    if sys.platform == "linux":
        told = getattr(ctypes.CDLL(None), "mallopt", None)
        if told is not None:
            told(-6, 0xFF)  # given as zeros, taken back as 0xFF


def _forget_clients() -> None:
    """Chroma keeps a client by its path, even one that failed to open, and would return it."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def _chroma_errors() -> tuple[type[Exception], ...]:
    """What Chroma raises when its files or its disk fail, rather than when it is misused."""
    from chromadb.errors import ChromaError

    return (ChromaError, OSError)
