from hypothesis import given
from hypothesis import strategies as st

from docqa.library.filenames import LONGEST, clean_name, unique_name


def test_folders_are_left_out() -> None:
    assert clean_name("../../etc/Lease.pdf") == "Lease.pdf"
    assert clean_name(r"C:\Users\me\Lease.pdf") == "Lease.pdf"


def test_direction_overrides_and_control_characters_are_left_out() -> None:
    assert clean_name("memo\u202efdp.exe\x07.pdf") == "memofdp.exe.pdf"


def test_a_long_name_keeps_its_ending() -> None:
    name = clean_name("x" * 300 + ".pdf")
    assert len(name) == LONGEST
    assert name.endswith("x.pdf")


def test_nothing_left_is_still_a_name() -> None:
    for name in ("\x00/", "", ".pdf", "- .pdf", "…", " A:"):
        assert clean_name(name) == "document.pdf"
    assert clean_name("a") == "a"


def test_a_name_from_macos_is_the_one_that_is_typed() -> None:
    assert clean_name("Cafe\u0301 bail.pdf") == "Caf\u00e9 bail.pdf"


def test_a_taken_name_is_numbered() -> None:
    assert unique_name("Lease.pdf", {"Lease.pdf"}) == "Lease (2).pdf"
    assert unique_name("Lease.pdf", {"Lease.pdf", "Lease (2).pdf"}) == "Lease (3).pdf"
    assert unique_name("Lease", {"Lease"}) == "Lease (2)"
    assert unique_name("LEASE.pdf", {"Lease.pdf"}) == "LEASE (2).pdf"


@given(st.text())
def test_a_clean_name_stays_as_it_is(name: str) -> None:
    once = clean_name(name)
    assert clean_name(once) == once
    assert once
    assert len(once) <= LONGEST
    assert "/" not in once


@given(st.lists(st.text(min_size=1), max_size=8))
def test_names_stay_apart(names: list[str]) -> None:
    taken: set[str] = set()
    for name in names:
        chosen = unique_name(name, taken)
        assert chosen.casefold() not in {each.casefold() for each in taken}
        taken.add(chosen)
