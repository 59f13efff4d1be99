"""The server as other programs meet it: by the SDK's own client."""

import json
import os
import re
import stat
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent

from docqa.mcp.server import make
from docqa.mcp.shelf import LOG_NAME, Shelf
from docqa.mcp.tools import TOOLS
from docqa.settings import DEFAULTS
from docqa.workspace import Workspace
from tests.library.small import SmallWorkspace, made_pdf
from tests.sources import ROOT

MEMO = "Property_A_Offering_Memo.pdf"
FINAL = "Property_B_Final_OM.pdf"
CALLS = 500


def over_stdio(folder: Path, *words: str) -> StdioServerParameters:
    kept = {name: os.environ[name] for name in ("DOCQA_MODELS", "HF_HOME", "HF_HUB_OFFLINE")}
    command = ["-m", "docqa", "mcp", "--library", str(folder), *words]
    return StdioServerParameters(command=sys.executable, args=command, cwd=ROOT, env=kept)


def within(server: Any, use: Callable[[Client], Awaitable[None]], *, seconds: float = 300) -> None:
    async def connected() -> None:
        with anyio.fail_after(seconds):
            async with Client(server) as client:
                await use(client)

    anyio.run(connected)


def words(result: CallToolResult) -> str:
    return "\n".join(each.text for each in result.content if isinstance(each, TextContent))


@pytest.fixture
def shelf(sample_library: Path, tmp_path: Path) -> Iterator[Shelf]:
    lent = Shelf(sample_library, DEFAULTS, log=tmp_path / LOG_NAME)
    yield lent
    lent.close()


def test_a_client_over_stdio_lists_searches_reads_compares_and_checks(
    sample_library: Path, tmp_path: Path
) -> None:
    log = tmp_path / LOG_NAME

    async def use(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [each.name for each in tools] == [each.name for each in TOOLS]
        assert all(each.annotations and each.annotations.read_only_hint for each in tools)
        assert all(each.output_schema and each.description for each in tools)

        library = (await client.call_tool("list_documents")).structured_content
        assert {each["document"] for each in library["documents"]} >= {MEMO, FINAL}

        asked = {"query": "What is the cap rate?", "documents": ["Property A"], "limit": 3}
        found = await client.call_tool("search_documents", asked)
        places = [each["place"] for each in found.structured_content["passages"]]
        assert {each["document"] for each in places} == {MEMO}
        assert len(places) == 3
        assert "cap rate" in words(found).lower()
        assert all(f"page={each['page']}" in each["link"] for each in places)

        page = {"document": MEMO, "page": places[0]["page"]}
        read = await client.call_tool("read_page", page)
        assert read.structured_content["place"]["quote"] in words(read)

        rents = {"query": "cap rate and purchase price table", "documents": [MEMO]}
        listed = (await client.call_tool("search_documents", rents)).structured_content
        kinds = {each["kind"]: each["place"]["page"] for each in listed["passages"]}
        page = {"document": MEMO, "page": kinds["table"]}
        [number, *_] = (await client.call_tool("read_page", page)).structured_content["tables"]
        table = {"document": MEMO, "number": number}
        cells = (await client.call_tool("read_table", table)).structured_content
        assert cells["rows"]
        assert {len(row["cells"]) for row in cells["rows"]} == {len(cells["columns"])}

        both = {"documents": [MEMO, FINAL], "question": "cap rate and purchase price"}
        compared = await client.call_tool("compare_documents", both)
        assert any(len(row["values"]) == 2 for row in compared.structured_content["figures"])

        value = {"question": "What is the cap rate of Property A?"}
        answered = (await client.call_tool("find_value", value)).structured_content
        assert answered["found"]
        assert answered["citations"][0]["place"]["document"] == MEMO
        rate = re.findall(r"\d+\.\d+%", answered["text"])[0]

        for wanted, wrong in ((True, ""), (False, "9")):
            said = f"The cap rate of Property A is {wrong}{rate}."
            cited = [{"document": MEMO, "page": answered["citations"][0]["place"]["page"]}]
            given = {"statement": said, "citations": cited}
            checked = (await client.call_tool("check_statement", given)).structured_content
            assert checked["supported"] is wanted, checked

        resources = (await client.list_resources()).resources
        assert {each.name for each in resources} >= {MEMO, FINAL}
        text = await client.read_resource(f"{resources[0].uri}/page/1")
        assert resources[0].name in str(text.contents)

    within(over_stdio(sample_library, "--log", str(log)), use)
    notes = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [each["tool"] for each in notes[:2]] == ["list_documents", "search_documents"]
    assert list(notes[1]["documents"]) == [MEMO]
    assert "cap rate" not in log.read_text(encoding="utf-8")
    if sys.platform != "win32":
        assert stat.S_IMODE(log.stat().st_mode) == 0o600


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "tool": ("fly", {}, "There is no tool “fly”. There are: list_documents, "),
    "argument": ("read_page", {"documnt": MEMO, "page": 1}, "has no argument “documnt”"),
    "missing": ("read_page", {"document": MEMO}, "read_page needs the argument “page”."),
    "type": ("search_documents", {"query": "rent", "limit": 99}, "“limit” cannot be used"),
    "document": ("read_page", {"document": "Annual report", "page": 1}, "Annual report"),
    "page": ("read_page", {"document": MEMO, "page": 999}, "there is no number 999"),
    "table": ("read_table", {"document": MEMO, "number": 999}, "has no table 999"),
    "empty": ("search_documents", {"query": " "}, "question"),
    "one": ("compare_documents", {"documents": [MEMO]}, "Choose a second one"),
    "nothing": ("check_statement", {"statement": ""}, "question"),
}


def test_what_cannot_be_done_is_said_and_the_server_goes_on(
    shelf: Shelf, sample_library: Path, tmp_path: Path
) -> None:
    async def use(client: Client) -> None:
        for name, arguments, said in REFUSED.values():
            result = await client.call_tool(name, arguments)
            assert result.is_error
            assert said in words(result)
        for uri in ("docqa://document/none", f"docqa://document/{'0' * 64}"):
            with pytest.raises(MCPError, match="document"):
                await client.read_resource(uri)
        assert not (await client.call_tool("list_documents")).is_error
        second = Shelf(sample_library, DEFAULTS, log=tmp_path / "second.log")
        async with Client(make(second)) as other:
            assert not (await other.call_tool("list_documents")).is_error
        second.close()

    within(make(shelf), use)


def test_a_library_that_is_not_there_is_opened_once_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    shelf = Shelf(folder, DEFAULTS)

    async def use(client: Client) -> None:
        result = await client.call_tool("list_documents")
        assert result.is_error
        assert words(result).startswith("There is no library in")
        assert (await client.list_resources()).resources == []
        with SmallWorkspace(folder) as app:
            app.add([made_pdf(tmp_path / "first.pdf", seed=1, passages=3)])
            [first] = app.documents()
            listed = await client.call_tool("list_documents")
            assert words(listed).startswith("first.pdf")
            app.remove(first.id)
            gone = await client.call_tool("read_page", {"document": first.id, "page": 1})
            assert gone.is_error

    within(make(shelf), use)
    shelf.close()


def test_only_the_documents_named_are_lent(sample_library: Path, tmp_path: Path) -> None:
    shelf = Shelf(sample_library, DEFAULTS, names=["Property A"], log=tmp_path / LOG_NAME)

    async def use(client: Client) -> None:
        assert len((await client.list_resources()).resources) == 1
        refused = await client.call_tool("read_page", {"document": FINAL, "page": 1})
        assert refused.is_error
        for name in ("search_documents", "find_value"):
            key = "query" if name == "search_documents" else "question"
            found = await client.call_tool(name, {key: "What is the cap rate of Property B?"})
            assert FINAL not in str(found)

    within(make(shelf), use)
    shelf.close()


def test_hidden_words_leave_in_nothing(sample_library: Path, tmp_path: Path) -> None:
    hidden = ["Property", "cap rate"]
    shelf = Shelf(sample_library, DEFAULTS, hidden=hidden, log=tmp_path / LOG_NAME)
    given: dict[str, dict[str, Any]] = {
        "list_documents": {},
        "search_documents": {"query": "REDACTED-2 of REDACTED-1 A"},
        "read_page": {"document": "REDACTED-1_A_Offering_Memo.pdf", "page": 1},
        "find_value": {"question": "What is the REDACTED-2 of REDACTED-1 A?"},
        "compare_documents": {"documents": ["REDACTED-1 A", "REDACTED-1 B"]},
    }

    async def use(client: Client) -> None:
        for name, arguments in given.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, words(result)
            assert not re.search(r"(?i)(?<![a-z])(property|cap[\s+_%-]rate)(?![a-z])", str(result))
        found = await client.call_tool("search_documents", given["search_documents"])
        assert "REDACTED-2" in words(found)

    within(make(shelf), use)
    shelf.close()


def test_links_lead_to_the_app_that_has_the_library(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with SmallWorkspace(folder) as app:
        app.add([made_pdf(tmp_path / "first.pdf", seed=1, passages=3)])
        [document] = app.documents()
    shelf = Shelf(folder, DEFAULTS)
    assert shelf.place(document, 1, "", ()).link.startswith("http://127.0.0.1:8501/?document=")
    with Workspace(folder, address="http://127.0.0.1:8599"):
        assert shelf.place(document, 1, "", ()).link.startswith("http://127.0.0.1:8599/?document=")
    shelf.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_hundreds_of_calls_take_no_more_memory(sample_library: Path, tmp_path: Path) -> None:
    sizes: list[int] = []

    async def use(client: Client) -> None:
        for turn in range(CALLS):
            calls: list[tuple[str, dict[str, Any]]] = [
                ("search_documents", {"query": f"What is the rent of unit {turn}?"}),
                ("read_page", {"document": MEMO, "page": 1 + turn % 3}),
                ("list_documents", {}),
                ("find_value", {"question": f"What is the cap rate of Property A in {turn}?"}),
            ]
            assert not (await client.call_tool(*calls[turn % len(calls)])).is_error
            if turn % 50 == 49:
                sizes.append(_resident(str(sample_library)))

    within(over_stdio(sample_library, "--log", str(tmp_path / LOG_NAME)), use, seconds=3000)
    # The first half loads models and fills caches of a set size.
    assert sizes[-1] < 1.06 * sizes[len(sizes) // 2], sizes


def _resident(library: str) -> int:
    """Bytes in memory of the server of this library that this test started."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().decode().split("\0")
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if "mcp" in words and library in words and parent == os.getpid():
            pages = int((path / "statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE")
    raise AssertionError("the server is not running")
