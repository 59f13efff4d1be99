"""One server that speaks the Messages API: asked, listened to, and its errors translated.

The ``anthropic`` package is imported when first needed.
"""

import logging
import time
import weakref
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from docqa.answer.model.api_errors import (
    answer_error,
    failures,
    redact_keys,
    retry_after,
    retry_reason,
)
from docqa.answer.model.arriving import Arrival, Connections
from docqa.answer.model.prompts import Json
from docqa.answer.model.replies import usage_of
from docqa.errors import (
    AnswerError,
    ConnectionLost,
    KeyRefused,
    NoKey,
    NotAMessagesServer,
    Overloaded,
    RateLimited,
    ServerGone,
    UnknownModel,
)
from docqa.settings import ANTHROPIC, Key, Settings, without_keys
from docqa.types.answer import Usage
from docqa.types.events import AnswerEvent, Retrying

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message as Reply

log = logging.getLogger(__name__)

_MODELS_SHOWN = 8
_LONGEST_BACKOFF = 8.0  # seconds, from 1 and doubled with each attempt


class MessagesServer:
    """A client of one server. ``base_url`` "" is Anthropic's; ``local`` is on this machine.

    Raises `NoKey` where Anthropic's server is to be asked without a key, and `KeyRefused` for one
    with signs that no key can have.
    """

    def __init__(self, api_key: str, base_url: str, *, settings: Settings, local: bool) -> None:
        if not api_key and not base_url:
            raise NoKey
        if not (api_key.isascii() and api_key.isprintable()):
            raise KeyRefused
        self.url = (base_url or ANTHROPIC).rstrip("/").removesuffix("/v1")
        self._settings = settings.server
        self._local = local
        self._connections = Connections()
        self._key = Key(api_key or "none")
        self._client: anthropic.Anthropic | None = None

    @property
    def client(self) -> "anthropic.Anthropic":
        if self._client is None:
            import anthropic

            with self._translated():
                self._client = anthropic.Anthropic(
                    api_key=self._key,
                    base_url=self.url,
                    timeout=self._settings.request_seconds,
                    max_retries=0,  # waiting is ours: bounded, and told to the person
                    default_headers=self._key_headers(),
                    # Where it would lead, nobody chose: neither question nor key goes there.
                    http_client=anthropic.DefaultHttpxClient(
                        follow_redirects=False, event_hooks={"request": [self._connections.watch]}
                    ),
                )
            weakref.finalize(self, self._client.close)  # its connections stay open until then
        return self._client

    def _key_headers(self) -> dict[str, Any]:
        """The headers for the key, beside the Authorization that the SDK sends."""
        import anthropic

        form = self._settings.key_header
        if form == "x-api-key":
            return {"X-Api-Key": self._key, "Authorization": anthropic.Omit()}
        older = form == "auto" and not self.is_anthropic  # whichever of the two it reads
        return {"X-Api-Key": self._key} if older else {}

    @property
    def is_anthropic(self) -> bool:
        host = urlsplit(self.url).hostname or ""
        return host == "anthropic.com" or host.endswith(".anthropic.com")

    def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            self._client.close()

    def models(self) -> tuple[str, ...]:
        """The models the server offers and has not retired, newest first.

        Raises an `AnswerError` where it does not say.
        """
        with self._translated():
            listed = self.client.models.list(limit=100).data
        offered = (m.id for m in listed if getattr(m, "lifecycle", "active") != "retired")
        return tuple(map(without_keys, offered))

    def streamed(
        self,
        request: Json,
        as_events: Callable[[Any], Iterable[AnswerEvent]],
        count: Callable[[Usage], None],
    ) -> Generator[AnswerEvent, None, "Reply"]:
        """One reply as it arrives; ``count`` gets what it took, also where it breaks off.

        ``as_events`` also gets None, now and then while nothing arrives. Raises `AnswerError`.
        """
        with self._translated(model=str(request["model"])):
            client = self.client
            arrival = Arrival(
                lambda: client.messages.stream(**request), self._connections, failures()
            )
            begun = False
            with closing(arrival.events()) as events:
                try:
                    for event in events:
                        begun = begun or (event is not None and event.type == "message_start")
                        yield from as_events(event)
                finally:
                    if begun:
                        count(usage_of(arrival.stream.current_message_snapshot))
            if not begun:
                raise NotAMessagesServer(self.url)
            reply: Reply = arrival.stream.current_message_snapshot
            return reply

    def waiting(
        self, error: AnswerError, attempt: int, *, unattended: bool = False
    ) -> Iterator[Retrying]:
        """Wait until the request may be sent again, telling every second what is left so that it
        can be stopped; raises ``error`` where it should not be sent.

        ``unattended`` says that nobody looks on, as while notes are written: a server on this
        machine may then be back by and by.
        """
        passing = isinstance(error, RateLimited | Overloaded | ConnectionLost)
        passing = passing or (unattended and isinstance(error, ServerGone))
        if not passing or attempt >= self._settings.max_retries:
            raise error
        asked = retry_after(error)
        left = min(2.0**attempt, _LONGEST_BACKOFF) if asked is None else asked
        if left > self._settings.max_wait_seconds:
            raise error
        while left > 0:
            yield Retrying(left, retry_reason(error))
            time.sleep(min(1.0, left))
            left -= 1.0

    @contextmanager
    def _translated(self, model: str = "") -> Iterator[None]:
        """Turns what the SDK and its transport raise into `AnswerError`s."""
        import anthropic
        import httpx2

        try:
            yield
        except anthropic.NotFoundError as error:
            raise self._not_found(error, model) from redact_keys(error)
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            ours = answer_error(error, url=self.url)
            gone = self._local and isinstance(ours, ConnectionLost)
            raise (ServerGone(self.url) if gone else ours) from redact_keys(error)
        except (ValueError, TypeError, AttributeError) as error:
            # What the SDK raises over a body that is not what it expects.
            log.info("The server's answer could not be read: %s", type(error).__name__)
            raise NotAMessagesServer(self.url) from redact_keys(error)

    def _not_found(self, error: "anthropic.NotFoundError", model: str) -> AnswerError:
        if error.type is None or not model:
            return NotAMessagesServer(self.url)
        try:
            offered = self.models()
        except AnswerError:
            offered = ()
        return UnknownModel(model, offered=offered[:_MODELS_SHOWN])
