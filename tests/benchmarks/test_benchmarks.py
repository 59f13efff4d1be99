"""Each benchmark runs, on small things; its figures are sane. How fast is not asked here."""

import math
from pathlib import Path

import pytest

from tests.benchmarks import measurements
from tests.benchmarks.__main__ import SECTIONS
from tests.benchmarks.rows import Options, Row, against, as_table, exponent, medians


@pytest.mark.slow
@pytest.mark.parametrize("section", sorted(SECTIONS))
def test_it_runs(section: str, tmp_path: Path) -> None:
    rows = list(SECTIONS[section](Options((), tmp_path, turns=1, short=True)))
    told = [row for row in rows if not math.isnan(row.value)]
    assert told
    assert all(row.n > 0 and (row.value > 0 or row.unit == "exponent") for row in told)
    assert all(row.note for row in rows if math.isnan(row.value))


def test_peers_take_turns_and_the_ratio_is_the_peers() -> None:
    order: list[str] = []
    actions = {"docqa": lambda: order.append("docqa"), "peer": lambda: order.append("peer")}
    assert set(medians(actions, turns=2)) == {"docqa", "peer"}
    assert order == ["docqa", "peer", "docqa", "peer"]
    [row] = against("s", "a thing", {"docqa": 0.002, "peer": 0.006}, turns=2)
    assert (row.value, row.peer_value) == (2.0, 6.0)
    assert row.ratio == pytest.approx(3.0)
    assert "| s | a thing | 2 ms | peer | 6 ms | 3.0× | 2 |" in as_table([row])


def test_the_table_has_a_line_for_what_was_measured_with_all_its_peers() -> None:
    rows = [
        Row("reading", "a page, structure", 54.2, "ms", 3, "pypdf", 57.0),
        Row("reading", "a page, structure", 54.2, "ms", 3, "markitdown", 162.0),
        Row("start", "first view, 300 documents", 0.7, "s", 3),
        Row("start", "no line is for this", 1.0, "s"),
    ]
    assert measurements.lines(rows).splitlines()[2:] == [
        "| a page with its structure, two processes | 54.2 ms | "
        "pypdf 57 ms, markitdown 162 ms | 1.1×, 3.0× |",
        "| the first view of a library of 300 documents | 0.7 s | | |",
    ]


def test_without_a_peer_there_is_no_ratio() -> None:
    assert Row("s", "alone", 1.0, "ms").ratio is None


def test_the_exponent_of_a_square_is_two() -> None:
    assert exponent([1, 2, 4], [1, 4, 16]) == pytest.approx(2.0)
