"""Damaged files by the hundred: each ends in a page count or in one of our errors, and soon.

The files are opened in a child process, so that a crash inside pdfium would be a failed test and
not the end of the test run.
"""

import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from docqa.settings import environment_for_reading
from tests import pdfs

MUTATIONS = 300
SECONDS = 60.0  # for all of them; they take about three

READER = """
import sys
from pathlib import Path
from docqa.errors import FileError
from docqa.ingest.reading import pdfium
from docqa.settings import DEFAULTS
for path in sorted(Path(sys.argv[1]).glob("*.pdf")):
    try:
        count = pdfium.preflight(path, limits=DEFAULTS)
        facts = pdfium.page_facts(path, last=5)
        assert len(facts) == min(count, 5), (path, count, facts)
        assert all(fact.glyphs >= 0 for fact in facts)
        if facts[0].width and facts[0].height:
            pdfium.render_page(path, 1, scale=0.3)
            pdfium.page_words(path, 1)
        print(path.name, "read", flush=True)
    except FileError as error:
        assert path.name in str(error)
        print(path.name, type(error).__name__, flush=True)
"""


def _flip(content: bytearray, dice: random.Random) -> bytearray:
    for _ in range(dice.randint(1, 40)):
        content[dice.randrange(len(content))] = dice.randrange(256)
    return content


def _cut(content: bytearray, dice: random.Random) -> bytearray:
    return content[: dice.randrange(1, len(content))]


def _drop(content: bytearray, dice: random.Random) -> bytearray:
    start = dice.randrange(len(content))
    del content[start : start + dice.randint(1, 200)]
    return content


def _repeat(content: bytearray, dice: random.Random) -> bytearray:
    start = dice.randrange(len(content))
    piece = content[start : start + dice.randint(1, 300)]
    at = dice.randrange(len(content))
    return content[:at] + piece * dice.randint(1, 5) + content[at:]


def _numbers(content: bytearray, dice: random.Random) -> bytearray:
    """Digits become others, so that lengths, offsets and references are wrong."""
    digits = [at for at, byte in enumerate(content) if chr(byte).isdigit()]
    for at in dice.sample(digits, min(len(digits), dice.randint(1, 12))):
        content[at] = ord(dice.choice("0123456789-"))
    return content


MUTATORS: list[Callable[[bytearray, random.Random], bytearray]] = [
    _flip,
    _cut,
    _drop,
    _repeat,
    _numbers,
]


def _damaged(folder: Path, seed: int) -> None:
    dice = random.Random(seed)
    plain = pdfs.ruled_table(folder / "plain.tmp").read_bytes()
    broken = pdfs.broken_stream(folder / "broken.tmp").read_bytes()
    locked = pdfs.encrypted(folder / "locked.tmp").read_bytes()
    for number in range(MUTATIONS):
        content = bytearray(dice.choice([plain, broken, locked]))
        for _ in range(dice.randint(1, 2)):
            content = dice.choice(MUTATORS)(content, dice) or bytearray(b"%PDF-")
        (folder / f"{number:04}.pdf").write_bytes(content)


@pytest.mark.parametrize("seed", [zlib.crc32(b"docqa")])
def test_damaged_files_end_in_a_result_or_an_error(tmp_path: Path, seed: int) -> None:
    _damaged(tmp_path, seed)
    done = subprocess.run(
        [sys.executable, "-c", READER, str(tmp_path)],
        env=environment_for_reading(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    ends = [line.split()[1] for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr[-2000:] + "\n".join(done.stdout.splitlines()[-2:])
    assert len(ends) == MUTATIONS
    assert {"read", "DamagedPdf"} <= set(ends)  # the damage is neither nothing nor everything
