"""All that docqa does without a key, once, in the order a person would: `python -m tests.session`.

    python -m tests.session FOLDER

It is run where nothing beyond loopback can be reached (`tests.alone`). The last line it prints
says, as JSON, what telemetry the libraries that were loaded would send.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

from docqa.cli.main import main as docqa
from tests import pdfs

ROOT = Path(__file__).parents[1]
ELSEWHERE = "http://203.0.113.9"
RENT = "The monthly rent is {}, due on the first day of each month. The term is {} years. "


def command(*words: object) -> str:
    """What docqa prints for a command line; all but `doctor` must succeed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        code = docqa([str(word) for word in words])
    assert code == 0 or words[0] == "doctor", (words, said.getvalue()[-2000:])
    return said.getvalue()


def at_the_command_line(folder: Path) -> None:
    library = ("--library", folder / "library")  # as the environment names it for the screen
    north = pdfs.text_pages(folder / "Lease North.pdf", [2 * RENT.format("$25,000", "five")])
    south = pdfs.text_pages(folder / "Lease South.pdf", [2 * RENT.format("$31,500", "ten")])
    scan = pdfs.scanned(folder / "Scan.pdf", ["The deposit is two months of rent."])
    linked = folder / "Linked.md", folder / "Linked.html"
    linked[0].write_text(f"# Rent\n\nThe rent is $900. ![logo]({ELSEWHERE}/a.png)\n")
    linked[1].write_text(f"<p>The fee is $90.</p><img src={ELSEWHERE}/b><script src={ELSEWHERE}/c>")
    asked = folder / "asked.jsonl"
    asked.write_text(json.dumps({"question": "Rent?", "document": north.name, "pages": [1]}))
    command("add", north, south, scan, *linked, *library)
    assert "25,000" in command("ask", "What is the monthly rent of Lease North?", *library)
    assert "31,500" in command("compare", "Lease North", "Lease South", *library)
    command("search", "monthly rent", *library)
    command("why", "monthly rent", "rent", *library)
    command("evaluate", asked, *library)
    command("reindex", *library)
    command("backup", folder / "b.zip", *library)
    command("restore", folder / "b.zip", "--library", folder / "restored")
    command("models", *library)
    command("remove", "Lease South", *library)
    command("doctor", *library)


def on_screen() -> None:
    """Every page, drawn over the library the environment names."""
    from streamlit.testing.v1 import AppTest

    from docqa.ui import state

    pages = [AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)]
    for name in ("compare", "library", "measure"):
        lines = f"from docqa.ui import frame, {name}\nframe.draw({name}.page)"
        pages.append(AppTest.from_string(lines, default_timeout=120))
    for page in pages:
        assert not page.run().exception, page.exception
    state._running.clear()


def telemetry() -> dict[str, bool]:
    """Which of the libraries that were loaded would report, as they see it themselves."""
    import streamlit
    from huggingface_hub import constants
    from opentelemetry import trace

    return {
        "Streamlit": streamlit.get_option("browser.gatherUsageStats"),
        "the model hub": not constants.HF_HUB_DISABLE_TELEMETRY,
        "OpenTelemetry": "sdk" in type(trace.get_tracer_provider()).__module__,
        "onnxruntime": "onnxruntime" in sys.modules and (Path.home() / ".cache").exists(),
    }


if __name__ == "__main__":
    at_the_command_line(Path(sys.argv[1]))
    on_screen()
    print(json.dumps(telemetry()))
