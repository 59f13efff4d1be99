"""The tool loop against a server that others wrote: aimock, which speaks the Messages API.

It runs where Node is present and the package was installed, as `.ci/run` does.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docqa.answer.model.claude import ClaudeAnswerer
from docqa.errors import AnswerError
from docqa.question.read import read
from docqa.settings import DEFAULTS, adjust
from docqa.types.answer import Answer
from docqa.types.events import PassagesFound, Searching, TextDelta
from tests.answer.passages import NOTHING, Searches, document, hit

ROOT = Path(__file__).parents[2]
PLACE = Path(os.environ.get("DOCQA_AIMOCK", ROOT / "ci-output" / "aimock"))
PROGRAM = PLACE / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not PROGRAM.exists(),
    reason="needs Node and the npm package @copilotkit/aimock (see .ci/run)",
)

A = document("Lease A.pdf")
WRITTEN = adjust(DEFAULTS, citation_form="written", max_retries=0)
FIXTURES = {
    "fixtures": [  # the first that matches: passages are part of the message, and speak of rent
        {
            "match": {"userMessage": "overloaded"},
            "response": {
                "error": {"message": "Overloaded", "type": "overloaded_error"},
                "status": 529,
            },
        },
        {
            "match": {"userMessage": "base rent", "hasToolResult": True},
            "response": {"content": "The base rent is $25,000 a month [S1]."},
        },
        {
            "match": {"userMessage": "base rent"},
            "response": {
                "toolCalls": [{"name": "search_documents", "arguments": {"query": "rent"}}]
            },
        },
    ]
}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("fixtures")
    (folder / "answers.json").write_text(json.dumps(FIXTURES))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(NODE), str(PROGRAM), "-p", str(port), "-f", str(folder)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as running:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


def _wait_for(port: int) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with socket.socket() as knock:
            if knock.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError


def asked(url: str, question: str) -> list[object]:
    answerer = ClaudeAnswerer("key", base_url=url, model="claude-sonnet-5-5", settings=WRITTEN)
    search = Searches(hit("The base rent is $25,000 a month.", of=A))
    given = answerer.answer(read(question), search=search, contents=NOTHING, documents=[A])
    return list(given)


def test_a_search_then_a_cited_answer(url: str) -> None:
    events = asked(url, "What is the base rent?")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text == "The base rent is $25,000 a month [S1]."
    assert [each.label for each in answer.citations] == ["S1"]
    assert [each.query for each in events if isinstance(each, Searching)][1:] == ["rent"]
    assert sum(isinstance(each, PassagesFound) for each in events) == 2
    assert sum(isinstance(each, TextDelta) for each in events) > 1


def test_an_error_is_told(url: str) -> None:
    with pytest.raises(AnswerError, match="overloaded"):
        asked(url, "Is the base of it overloaded?")
