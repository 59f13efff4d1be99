"""Streamlit's own scripts, handed out from memory and asked for early.

Streamlit opens each of some sixty files anew for every browser and reads it piece by piece, in
threads; and a browser learns which scripts an element needs only once the element has arrived.
Both hold up the first view.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ROOT = Path(st.__file__).parent / "static"
DRAWING = (  # what the first view is made of, beyond what Streamlit's page asks for by itself
    "BidiComponent",
    "Button",
    "ButtonGroup",
    "ChatInput",
    "Checkbox",
    "FileUploader",
    "Html",
    "MenuButton",
    "Progress",  # of files on their way in
)
_FILE = re.compile(r"/(static/(?:js|css|media)/[\w.-]+\.(js|css|woff2))")
_IMPORTED = re.compile(r"""(?:from|import)["'`]\./([\w.-]+\.js)["'`]""")
_TYPES = {"js": "text/javascript", "css": "text/css", "woff2": "font/woff2"}
_FOR_EVER = {"Cache-Control": "public, immutable, max-age=31536000"}  # names change with contents


class Assets:
    """Around Streamlit's server: its scripts, styles and fonts, and hints on its pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answered = _file(scope) if scope["type"] == "http" else None
        if answered is not None:
            await answered(scope, receive, send)
        elif scope["type"] == "http":
            await self._app(scope, receive, _hinting(send))
        else:
            await self._app(scope, receive, send)


def _file(scope: Scope) -> Response | None:
    named = _FILE.fullmatch(scope["path"])
    if not named or scope["method"] != "GET" or "range" in Headers(scope=scope):
        return None
    content = _content(named[1])
    if content is None:
        return None
    return Response(content, headers=_FOR_EVER, media_type=_TYPES[named[2]])


@cache
def _files() -> frozenset[str]:
    return frozenset(path.relative_to(ROOT).as_posix() for path in ROOT.glob("static/*/*"))


@cache
def _content(name: str) -> bytes | None:
    return (ROOT / name).read_bytes() if name in _files() else None


def _hinting(send: Send) -> Send:
    """``send``, naming on every page what its elements will need."""

    async def hinted(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            if headers.get("content-type", "").startswith("text/html"):
                headers["Link"] = ", ".join(hints())
        await send(message)

    return hinted


@cache
def hints() -> tuple[str, ...]:
    """A ``Link`` for each script of `DRAWING` that Streamlit's page does not name, and theirs."""
    page = (ROOT / "index.html").read_text("utf-8")
    return tuple(
        f"</static/js/{name}>; rel=modulepreload" for name in _needed() if name not in page
    )


def _needed() -> Iterator[str]:
    """The scripts that draw what is in `DRAWING`, and all that they import."""
    known = {name.rpartition("/")[2] for name in _files()}
    waiting = [name for name in sorted(known) if name.split(".")[0] in DRAWING]
    seen = set(waiting)
    while waiting:
        name = waiting.pop(0)
        yield name
        imported = _IMPORTED.findall((ROOT / "static" / "js" / name).read_text("utf-8"))
        new = [each for each in imported if each in known and each not in seen]
        seen.update(new)
        waiting += new
