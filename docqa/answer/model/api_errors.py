"""The server's errors as ours: what happened, and what to do."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from docqa.errors import (
    AnswerError,
    ConnectionLost,
    ContextTooLong,
    KeyRefused,
    NotAMessagesServer,
    Overloaded,
    RateLimited,
    RequestRefused,
)
from docqa.settings import without_keys

if TYPE_CHECKING:
    import anthropic

_KIND_OF_STATUS = {
    401: "authentication_error",
    403: "permission_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    499: "timeout_error",
    500: "api_error",
    502: "api_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def failures() -> tuple[type[Exception], ...]:
    """What the SDK and its transport raise while a reply is awaited."""
    import anthropic
    import httpx2

    sdk = (anthropic.AnthropicError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError)
    return (*sdk, ValueError, TypeError, AttributeError, OSError)


def redact_keys(error: Exception) -> Exception:
    """The error, with no key in what it and those it came from say: a trace shows them all."""
    each: BaseException | None = error
    while each is not None:
        each.args = tuple(without_keys(a) if isinstance(a, str) else a for a in each.args)
        each = each.__cause__ or each.__context__
    return error


def answer_error(error: Exception, *, url: str) -> AnswerError:
    """The `AnswerError` for an exception of the SDK (see `Errors` in its docs) or its transport.

    An error that arrives in mid-stream has status 200, and is told by its type.
    """
    import anthropic
    import httpx2

    match error:
        case httpx2.UnsupportedProtocol() | httpx2.InvalidURL() | httpx2.TooManyRedirects():
            return NotAMessagesServer(url)
        case anthropic.APIResponseValidationError() | httpx2.DecodingError():
            return NotAMessagesServer(url)
        case anthropic.APIConnectionError() | httpx2.HTTPError():
            return ConnectionLost()
        case anthropic.CredentialsError():
            return KeyRefused()
        case anthropic.APIStatusError():
            return _status_error(error, url)
        case _:
            return RequestRefused(_sentence(str(error)))


def _status_error(error: "anthropic.APIStatusError", url: str) -> AnswerError:
    kind = error.type or _KIND_OF_STATUS.get(error.status_code, "")
    unknown = error.status_code < 400 or error.status_code in (404, 405, 501)
    if error.type is None and unknown:
        return NotAMessagesServer(url)
    if kind in ("authentication_error", "permission_error"):
        return KeyRefused()
    if kind == "rate_limit_error":
        return RateLimited(wait_seconds=_seconds(error.response.headers))
    if kind == "timeout_error":
        return ConnectionLost()
    if kind in ("overloaded_error", "api_error"):
        return Overloaded()
    reason = error.api_message or error.message
    if kind == "request_too_large" or _is_too_long(reason):
        return ContextTooLong()
    return RequestRefused(_sentence(reason))


def _is_too_long(reason: str) -> bool:
    plain = reason.lower()
    marks = ("too long", "context length", "context window", "context size", "maximum context")
    return any(mark in plain for mark in marks)


def _sentence(reason: str) -> str:
    plain = " ".join(without_keys(reason).split())[:300] or "it gave no reason"
    return plain if plain.endswith((".", "!", "?")) else f"{plain}."


def refuses_the_form(error: AnswerError) -> bool:
    """Whether the server may not know search results: it refused the request's form."""
    status = getattr(error.__cause__, "status_code", None)
    if isinstance(error, RequestRefused):
        return status in (400, 422)
    plain = str(error.__cause__)
    return status in (500, 501) and any(word in plain for word in ("search_result", "content"))


def retry_after(error: AnswerError) -> float | None:
    response = getattr(error.__cause__, "response", None)
    return _seconds(response.headers) if response is not None else None


def _seconds(headers: Mapping[str, str]) -> float | None:
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def retry_reason(error: AnswerError) -> str:
    if isinstance(error, RateLimited):
        return "Too many requests for this key"
    if isinstance(error, Overloaded):
        return "The server is overloaded"
    return "The connection failed"
