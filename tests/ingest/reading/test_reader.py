"""Reading in a child process: what it gives, and what it survives."""

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from docqa.errors import (
    FileError,
    PasswordNeeded,
    PasswordWrong,
    ReadingCancelled,
    ReadingFailed,
    ReadingTimedOut,
)
from docqa.ingest.reading import children, messages, parse, reader
from docqa.ingest.reading.parse import Parsed
from docqa.ingest.reading.pdfium import PageFacts
from docqa.ingest.reading.reader import ReadingProcess
from docqa.ingest.reading.results import joined, page_ranges
from docqa.settings import DEFAULTS, Settings, adjust
from docqa.types.document import Block, Box, Cell, PageHealth
from tests import pdfs
from tests.benchmarks import made
from tests.ingest.fuzzed import read_mutated

HERE = Box(1, 2, 3, 4)


def fact(page: int, glyphs: int = 1000) -> PageFacts:
    return PageFacts(page, 612, 792, "", glyphs)


def never() -> bool:
    return False


def read(
    process: ReadingProcess,
    path: Path,
    *,
    settings: Settings = DEFAULTS,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = never,
    password: str | None = None,
) -> Parsed:
    return process.read(
        path,
        "Lease.pdf",
        settings=settings,
        password=password,
        progress=progress,
        cancelled=cancelled,
    )


# With Docling


@pytest.fixture(scope="module")
def process() -> Iterator[ReadingProcess]:
    with ReadingProcess(beside=True) as running:
        running.start()
        yield running


def test_reads_a_file_with_progress(process: ReadingProcess, tmp_path: Path) -> None:
    path = pdfs.text_pages(tmp_path / "a.pdf", [f"Clause {n}. The rent is due." for n in range(3)])
    told: list[tuple[int, int]] = []
    parsed = read(process, path, progress=lambda done, total: told.append((done, total)))
    assert [block.text for block in parsed.blocks] == [
        f"Clause {n}. The rent is due." for n in range(3)
    ]
    assert [block.page for block in parsed.blocks] == [1, 2, 3]
    assert [page.source for page in parsed.health] == ["text layer"] * 3
    assert told[-1] == (3, 3)
    assert told == sorted(told)


def test_a_password_reaches_the_child(process: ReadingProcess, tmp_path: Path) -> None:
    path = pdfs.encrypted(tmp_path / "a.pdf")
    parsed = read(process, path, password=pdfs.PASSWORD)
    assert "Nobody reads this unasked." in [block.text for block in parsed.blocks]
    with pytest.raises(PasswordNeeded, match=r"Lease\.pdf"):
        read(process, path)
    with pytest.raises(PasswordWrong):
        read(process, path, password="guess")


def test_a_bad_file_is_reported_and_the_next_one_read(
    process: ReadingProcess, tmp_path: Path
) -> None:
    for make in (pdfs.truncated, pdfs.not_a_pdf, pdfs.empty_file):
        with pytest.raises(FileError, match=r"Lease\.pdf"):
            read(process, make(tmp_path / "bad.pdf"))
    assert read(process, pdfs.structured(tmp_path / "good.pdf")).blocks


def test_a_page_that_could_not_be_read_is_marked(process: ReadingProcess, tmp_path: Path) -> None:
    parsed = read(process, pdfs.broken_stream(tmp_path / "a.pdf"))
    assert [page.source for page in parsed.health] == ["text layer", "none", "text layer"]


def test_two_children_read_a_file_as_one_does(process: ReadingProcess, tmp_path: Path) -> None:
    # Headers by repetition, levels and hyphens are told by pages that the other child had.
    path = made.filing(tmp_path / "a.pdf", 30)
    skimmed = process.skim(path, "a.pdf", settings=DEFAULTS, cancelled=never)
    process._second.start()
    deadline = time.monotonic() + 60
    while not process._second.ready and time.monotonic() < deadline:
        time.sleep(0.02)
    halves = process.skim(path, "a.pdf", settings=DEFAULTS, cancelled=never)
    assert halves == skimmed
    told: list[int] = []
    both = process.read(
        path,
        "a.pdf",
        settings=DEFAULTS,
        facts=skimmed.facts,
        progress=lambda done, total: told.append(done),
        cancelled=never,
    )
    alone = parse.read(path, settings=DEFAULTS, facts=skimmed.facts, ocr=False)
    assert both.blocks == alone.blocks
    assert (both.title, both.health, both.warnings) == (alone.title, alone.health, alone.warnings)
    assert told[-1] == 30
    assert told == sorted(told)


# With a child that misbehaves as told


CHILD = """
import json, os, sys, time
def tell(**message):
    print(json.dumps(message), flush=True)
    time.sleep(0.05)
def facts(first, last):
    pages = range(first, last + 1)
    return [dict(page=n, width=612, height=792, label="", glyphs=500) for n in pages]
def parsed(first, last, source="", text="Page"):
    box = dict(left=1, top=2, right=3, bottom=4)
    blocks = [
        dict(text=f"{text} {n}", page=n, box=box, cells=[]) for n in range(first, last + 1) if text
    ]
    health = [
        dict(page=n, label="", width=612, height=792, characters=500, source="text layer",
             warnings=[]) for n in range(first, last + 1)
    ]
    return dict(title="", blocks=blocks, health=health, engine="fake", warnings=[])
tell(ready=True)
for line in sys.stdin:
    ask = json.loads(line)
    if ask["ask"] == "skim":
        part, of = ask.get("part", (0, 1))
        span = COUNT * part // of + 1, COUNT * (part + 1) // of
        tell(facts=facts(*span), parsed=parsed(*span, source="text layer", text="PLAIN"))
        continue
    laying = ask["ask"] == "lay"
    first, last = ask["first"] if laying else 0, ask["last"] if laying else 0
    if not laying:
        first, last = ask["facts"][0]["page"], ask["facts"][-1]["page"]
    def done():
        tell(laid=str(os.getpid())) if laying else tell(parsed=parsed(first, last))
    READ
"""


def child(tmp_path: Path, behaviour: str, *, pages: int = 2, plain: str = "") -> list[str]:
    script = tmp_path / "child.py"
    indented = textwrap.indent(textwrap.dedent(behaviour), "    ").strip()
    script.write_text(
        CHILD.replace("COUNT", str(pages)).replace("PLAIN", plain).replace("READ", indented)
    )
    return [sys.executable, str(script)]


GOOD = "done()"


def test_a_crash_costs_one_file(tmp_path: Path) -> None:
    behaviour = f'os._exit(9) if "bad" in ask["path"] else {GOOD}'
    with ReadingProcess(child(tmp_path, behaviour)) as process:
        for _ in range(2):
            with pytest.raises(ReadingFailed, match=r"Lease\.pdf.*ended unexpectedly"):
                read(process, tmp_path / "bad.pdf")
            parsed = read(process, tmp_path / "good.pdf")
            assert [block.text for block in parsed.blocks] == ["Page 1", "Page 2"]


def test_a_hang_is_cancelled_within_two_seconds(tmp_path: Path) -> None:
    wanted = threading.Event()
    with ReadingProcess(child(tmp_path, "time.sleep(600)")) as process:
        read_pid = _pid_after_start(process)
        threading.Timer(0.5, wanted.set).start()
        started = time.monotonic()
        with pytest.raises(ReadingCancelled):
            read(process, tmp_path / "a.pdf", cancelled=wanted.is_set)
        assert time.monotonic() - started < 2.5
        assert not _runs(read_pid)


def test_closing_ends_a_reading(tmp_path: Path) -> None:
    process = ReadingProcess(child(tmp_path, "time.sleep(600)"))
    threading.Timer(0.5, process.close).start()
    with pytest.raises(ReadingCancelled):
        read(process, tmp_path / "a.pdf")
    with pytest.raises(ReadingCancelled):
        read(process, tmp_path / "a.pdf")
    process.close()


def test_a_hang_from_the_start_times_out(tmp_path: Path) -> None:
    with (
        ReadingProcess(child(tmp_path, "time.sleep(600)")) as process,
        pytest.raises(ReadingTimedOut, match="longer than 1 seconds"),
    ):
        read(process, tmp_path / "a.pdf", settings=adjust(DEFAULTS, reading_seconds=0.6))


def test_what_was_read_in_time_is_kept(tmp_path: Path) -> None:
    pages = reader.RANGE_PAGES + 30
    behaviour = f"time.sleep(600) if first > {reader.RANGE_PAGES} else {GOOD}"
    limited = adjust(DEFAULTS, reading_seconds=4)
    with ReadingProcess(child(tmp_path, behaviour, pages=pages, plain="Raw")) as process:
        parsed = read(process, tmp_path / "a.pdf", settings=limited)
    assert len(parsed.blocks) == len(parsed.health) == pages
    texts = [block.text for block in parsed.blocks]
    assert texts[reader.RANGE_PAGES - 1 : reader.RANGE_PAGES + 1] == ["Page 150", "Raw 151"]
    assert parsed.warnings[0].startswith("Pages 151 to 180 were read as plain text")
    assert "limit of 4 seconds" in parsed.health[-1].warnings[0]


def test_a_range_that_crashes_costs_few_pages_their_structure(tmp_path: Path) -> None:
    behaviour = f"os._exit(9) if first <= 40 <= last else {GOOD}"
    with ReadingProcess(child(tmp_path, behaviour, pages=160, plain="Raw")) as process:
        parsed = read(process, tmp_path / "a.pdf")
    plain = [block.page for block in parsed.blocks if block.text.startswith("Raw")]
    assert plain == list(range(31, 46))
    assert [block.page for block in parsed.blocks] == list(range(1, 161))
    assert parsed.warnings == (
        "Pages 31 to 45 were read as plain text, without tables and headings: the reading "
        "process ended unexpectedly.",
    )


def test_a_range_that_hangs_has_a_limit_of_its_own(tmp_path: Path) -> None:
    limited = adjust(DEFAULTS, range_seconds=0.5)
    with ReadingProcess(child(tmp_path, "time.sleep(600)", plain="Raw")) as process:
        parsed = read(process, tmp_path / "a.pdf", settings=limited)
    assert [block.text for block in parsed.blocks] == ["Raw 1", "Raw 2"]


def test_the_pages_of_a_file_are_dealt_out_to_two_children(tmp_path: Path) -> None:
    behaviour = """
        if laying:
            time.sleep(0.05 * (last - first + 1))
            tell(laid=str(os.getpid()))
        else:
            tell(parsed=parsed(1, 1, text=",".join(sorted(set(ask["laid"])))))
    """
    with ReadingProcess(child(tmp_path, behaviour, pages=40), beside=True) as process:
        pid = _pid_after_start(process)
        two = read(process, tmp_path / "a.pdf").blocks[0].text
        assert process._second.child is not None
        expected = sorted(map(str, (pid, process._second.child.pid)))
        assert two.removesuffix(" 1").split(",") == expected
    with ReadingProcess(child(tmp_path, behaviour, pages=40), beside=False) as process:
        pid = _pid_after_start(process)
        assert read(process, tmp_path / "a.pdf").blocks[0].text == f"{pid} 1"
        assert process._second.child is None


def test_a_second_child_that_does_not_start_is_done_without(tmp_path: Path) -> None:
    script = tmp_path / "either.py"
    good = child(tmp_path, GOOD, pages=40)[1]
    script.write_text(
        f"import sys, runpy\nif {messages.LAYOUT!r} in sys.argv: sys.exit(1)\n"
        f"runpy.run_path({good!r})"
    )
    with ReadingProcess([sys.executable, str(script)], beside=True) as process:
        assert len(read(process, tmp_path / "a.pdf").blocks) == 40


def test_what_crashes_the_second_child_alone_costs_nothing(tmp_path: Path) -> None:
    behaviour = (
        f"time.sleep(0.2); os._exit(9) if laying and {messages.LAYOUT!r} in sys.argv else done()"
    )
    with ReadingProcess(child(tmp_path, behaviour, pages=40, plain="Raw"), beside=True) as process:
        process._second.start()
        while not process._second.ready:
            time.sleep(0.01)
        parsed = read(process, tmp_path / "a.pdf")
    assert [block.page for block in parsed.blocks] == list(range(1, 41))
    assert all(block.text.startswith("Page") for block in parsed.blocks)


def test_two_children_that_hang_are_cancelled_within_two_seconds(tmp_path: Path) -> None:
    wanted = threading.Event()
    with ReadingProcess(child(tmp_path, "time.sleep(600)", pages=40), beside=True) as process:
        threading.Timer(0.7, wanted.set).start()
        with pytest.raises(ReadingCancelled):
            read(process, tmp_path / "a.pdf", cancelled=wanted.is_set)
        cancelled_at = time.monotonic()
        slots = (process._full, process._second)
        assert not [slot.child for slot in slots if slot.child and _runs(slot.child.pid)]
        assert time.monotonic() - cancelled_at < 2


def test_the_second_child_is_let_go_when_nothing_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "IDLE_SECONDS", 0.1)
    with ReadingProcess(child(tmp_path, GOOD, pages=40), beside=True) as process:
        read(process, tmp_path / "a.pdf")
        deadline = time.monotonic() + 10
        while process._second.child is not None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert process._second.child is None
        assert len(read(process, tmp_path / "a.pdf").blocks) == 40


def test_a_file_is_skimmed_while_another_is_read(tmp_path: Path) -> None:
    done = threading.Event()
    with ReadingProcess(child(tmp_path, "time.sleep(600)", plain="Raw")) as process:

        def hang() -> None:
            with pytest.raises(ReadingCancelled):
                read(process, tmp_path / "a.pdf", cancelled=done.is_set)

        hanging = threading.Thread(target=hang)
        hanging.start()
        skimmed = process.skim(tmp_path / "b.pdf", "b.pdf", settings=DEFAULTS, cancelled=never)
        assert hanging.is_alive()
        done.set()
        hanging.join()
    assert [block.text for block in skimmed.parsed.blocks] == ["Raw 1", "Raw 2"]
    assert len(skimmed.facts) == 2


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is not measured here")
def test_a_swollen_child_is_ended(tmp_path: Path) -> None:
    small = adjust(DEFAULTS, reading_memory=120 * 1024**2)
    behaviour = "big = bytearray(300 * 1024**2); time.sleep(600)"
    with (
        ReadingProcess(child(tmp_path, behaviour)) as process,
        pytest.raises(ReadingFailed, match=r"more than 0\.1 GB of memory"),
    ):
        read(process, tmp_path / "a.pdf", settings=small)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is not measured here")
def test_a_grown_child_is_replaced_between_files(tmp_path: Path) -> None:
    behaviour = f"big = bytearray(100 * 1024**2); {GOOD}"
    with ReadingProcess(child(tmp_path, behaviour)) as process:
        before = _pid_after_start(process)
        read(process, tmp_path / "a.pdf", settings=adjust(DEFAULTS, reading_memory=2 * 10**8))
        assert not _runs(before)
        assert read(process, tmp_path / "b.pdf").blocks


def test_noise_on_its_output_is_passed_over(tmp_path: Path) -> None:
    behaviour = f'print("a vendor says hello", flush=True); {GOOD}'
    with ReadingProcess(child(tmp_path, behaviour)) as process:
        assert len(read(process, tmp_path / "a.pdf").blocks) == 2


def test_two_threads_take_turns(tmp_path: Path) -> None:
    with ReadingProcess(child(tmp_path, f"time.sleep(0.2); {GOOD}")) as process:
        results: list[int] = []
        threads = [
            threading.Thread(
                target=lambda: results.append(len(read(process, tmp_path / "a.pdf").blocks))
            )
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [2, 2, 2]


def test_no_secret_reaches_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "SOME_TOKEN", "DB_PASSWORD", "aws_secret_access_key"):
        monkeypatch.setenv(name, "hidden")
    behaviour = """
        found = [name for name, value in os.environ.items() if value == "hidden"]
        found = parsed(1, 1, text=" ".join([*found, os.environ["HF_HUB_OFFLINE"]]))
        done() if laying else tell(parsed=found)
    """
    with ReadingProcess(child(tmp_path, behaviour, pages=1)) as process:
        [block] = read(process, tmp_path / "a.pdf").blocks
    assert block.text == "1 1"


def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    # The real child, started by a parent that is killed without a chance to tidy up.
    parent = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import time; from docqa.ingest.reading.reader import ReadingProcess as P;"
            "p = P(); p.start();"
            "print(p._full.child.pid, flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert _runs(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 40  # it may be in the middle of its imports
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not _runs(pid)


def _pid_after_start(process: ReadingProcess) -> int:
    process.start()
    assert process._full.child is not None
    return process._full.child.pid


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    if sys.platform == "win32":
        return str(pid) in subprocess.run(["tasklist"], capture_output=True, text=True).stdout
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return state.stdout.strip()[:1] not in ("", "Z")


# Without a child


def test_ranges_of_pages() -> None:
    assert list(page_ranges(310, 150)) == [(1, 150), (151, 300), (301, 310)]
    assert list(page_ranges(1, 150)) == [(1, 1)]
    assert list(page_ranges(0, 150)) == []


def part(first: int, last: int, *, table: int = 0, characters: int = 900) -> Parsed:
    numbers = range(first, last + 1)
    return Parsed(
        title=f"From {first}",
        blocks=tuple(Block("x", n, HERE, index=n - first, table=table) for n in numbers),
        health=tuple(PageHealth(n, "", 612, 792, characters, "text layer") for n in numbers),
        engine="geometry",
        warnings=(),
    )


def test_joined_numbers_blocks_and_tables_through() -> None:
    facts = [fact(number) for number in range(1, 6)]
    parsed = joined([part(1, 2, table=1), part(3, 5, table=1)], facts)
    assert [block.index for block in parsed.blocks] == [0, 1, 2, 3, 4]
    assert [block.table for block in parsed.blocks] == [1, 1, 2, 2, 2]
    assert [page.page for page in parsed.health] == [1, 2, 3, 4, 5]
    assert (parsed.title, parsed.warnings) == ("From 1", ())


def test_joined_keeps_prose_out_of_tables() -> None:
    parsed = joined([part(1, 1, table=1), part(2, 2)], [fact(1), fact(2)])
    assert [block.table for block in parsed.blocks] == [1, 0]


def test_pages_of_which_little_was_read_are_marked() -> None:
    facts = [replace(fact(1), label="F-1"), fact(2, glyphs=100)]
    parsed = joined([part(1, 2, characters=40)], facts)
    first, second = parsed.health
    assert first.label == "F-1"
    assert first.warnings == ("only 40 of about 1000 characters could be read",)
    assert second.warnings == ()  # too few glyphs to tell
    assert parsed.warnings == ("Page 1: only 40 of about 1000 characters could be read.",)


def test_a_page_missing_from_the_middle_is_named() -> None:
    parsed = joined([part(1, 1), part(3, 3)], [fact(1), fact(2), fact(3)])
    assert parsed.health[1].warnings == ("this page could not be read",)
    assert parsed.health[1].source == "none"


def test_blocks_survive_the_pipe() -> None:
    block = Block("a — “b”", 3, HERE, "table", 5, table=2, cells=(Cell("a", 0, 2),))
    sent = json.loads(json.dumps(replace(part(1, 1), blocks=(block,)), default=messages.as_message))
    assert messages.parsed_from({"parsed": sent}).blocks == (block,)


def test_memory_of_this_process_is_told_on_linux() -> None:
    if sys.platform == "linux":
        assert 10_000_000 < children.resident_bytes(os.getpid()) < 8_000_000_000
    assert children.resident_bytes(2**22 + 1) == 0


def test_mutated_files_end_in_a_result_or_a_sentence(
    process: ReadingProcess, tmp_path: Path
) -> None:
    outcome = read_mutated(process, tmp_path, count=12, seed=7)
    assert outcome.wrong == [], str(outcome)
    assert outcome.ends.total() == 12
    assert {"read", "DamagedPdf"} <= set(outcome.ends)
    assert read_mutated(process, tmp_path, count=9, seed=7, seconds=0).ends.total() <= 1
