"""What is handed out of Streamlit's own files, and what its pages are told to ask for early."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.types import Message, Receive, Scope, Send

from docqa.ui.assets import DRAWING, ROOT, Assets, hints

PAGE = (ROOT / "index.html").read_text("utf-8")
SCRIPT = re.search(r"static/js/index\.[\w-]+\.js", PAGE)


async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers everything with its page."""
    headers = [(b"content-type", b"text/html; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"the page"})


def asked(path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what is answered."""
    told: list[Message] = []

    async def send(message: Message) -> None:
        told.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": given}
    # In a thread of its own: the browser's tests keep a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(Assets(streamlit)(scope, receive, send))).result()
    names = {name.decode().lower(): value.decode() for name, value in told[0]["headers"]}
    return told[0]["status"], names, b"".join(each.get("body", b"") for each in told[1:])


def test_scripts_styles_and_fonts_come_whole_and_are_kept_by_the_browser() -> None:
    named = re.findall(r'(?:src|href)="\./(static/(?:js|css|media)/[^"]+)"', PAGE)
    assert len(named) > 20
    for name in named:
        status, headers, body = asked(f"/{name}")
        assert (status, body) == (200, (ROOT / name).read_bytes())
        assert "immutable" in headers["cache-control"]
        wanted = {"js": "text/javascript", "css": "text/css", "woff2": "font/woff2"}
        assert headers["content-type"].startswith(wanted[name.rpartition(".")[2]])


@pytest.mark.parametrize(
    "path",
    [
        "/static/js/../index.html.js",
        "/static/js/none.js",
        "/static/../../../secrets.js",
        "/_stcore/health",
        "/app/static/js/index.js",
    ],
)
def test_everything_else_is_left_to_streamlit(path: str) -> None:
    assert asked(path)[2] == b"the page"


def test_other_methods_and_pieces_of_a_file_are_left_to_streamlit() -> None:
    assert SCRIPT
    assert asked(f"/{SCRIPT[0]}", method="HEAD")[2] == b"the page"
    assert asked(f"/{SCRIPT[0]}", range="bytes=0-1")[2] == b"the page"


def test_a_page_names_the_scripts_its_elements_need_and_all_that_those_import() -> None:
    link = asked("/compare")[1]["link"]
    assert link == ", ".join(hints())
    named = re.findall(r"</static/js/([^>]+)>; rel=modulepreload", link)
    assert len(named) == len(set(named)) == len(hints())
    assert {name.split(".")[0] for name in named} >= set(DRAWING)
    for name in named:
        assert name not in PAGE
        text = (ROOT / "static" / "js" / name).read_text("utf-8")
        for imported in re.findall(r'from"\./([^"]+)"', text):
            assert imported in PAGE or imported in named
