"""Labels: nothing a file name holds is read as Markdown, and plain names stay plain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docqa.types.document import without_ending
from docqa.types.phrases import count
from docqa.ui.plain_text import literal, short_name, size_of


@pytest.mark.parametrize("name", ["Lease_A (2024).pdf", "10-K 2023, final.pdf", "Bilan – été.pdf"])
def test_ordinary_names_are_left_alone(name: str) -> None:
    assert literal(name) == name


@pytest.mark.parametrize(
    "text",
    ["$5 and $9", "*a*", "_a_", ":red[x]", "www.x.org", "a -> b", "<b>", "1. one", "a | b", "`x`"],
)
def test_what_markdown_reads_is_escaped(text: str) -> None:
    escaped = literal(text).replace("\u2060", "")
    assert escaped != text
    unescaped = "".join(
        sign for n, sign in enumerate(escaped) if sign != "\\" or escaped[n - 1 : n] == "\\"
    )
    assert unescaped == text


@given(st.text(max_size=60), st.integers(2, 40))
def test_a_shortened_name_fits_and_keeps_both_ends(name: str, limit: int) -> None:
    short = short_name(name, limit=limit)
    assert len(short) <= max(limit, 1)
    if len(name) <= limit:
        assert short == name
    else:
        head, tail = short.split("…", 1) if "…" not in name else (short[:1], "")
        assert name.startswith(head)
        assert name.endswith(tail)


def test_numbers_as_people_write_them() -> None:
    assert count(1, "page") == "1 page"
    assert count(1204, "page") == "1,204 pages"
    assert count(2, "search", "searches") == "2 searches"
    assert [size_of(n) for n in (512, 15_800, 90_400_000)] == ["512 bytes", "15.8 kB", "90.4 MB"]
    assert without_ending("Lease.PDF") == "Lease"
