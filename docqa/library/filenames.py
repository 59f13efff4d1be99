"""File names fit to be kept and shown: clean, and each only once in a library."""

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

LONGEST = 120  # characters, so that a name fits on a screen and in any file system


def clean_name(name: str) -> str:
    """A file name without folders, control or direction-changing characters, at most 120 long.

    Letters with accents are single characters, also of a name from macOS, which parts them (NFC).

    >>> clean_name("../..\\\\secret\\x07 report.pdf")
    'secret report.pdf'
    """
    kept = "".join(ch for ch in name if unicodedata.category(ch) not in {"Cc", "Cf", "Cs", "Zl"})
    kept = " ".join(unicodedata.normalize("NFC", kept).split())
    while (last := PureWindowsPath(PurePosixPath(kept).name).name.strip()) != kept:
        kept = last  # what is left may be a drive, as of " A:"
    stem, dot, ending = kept.rpartition(".")
    if not any(map(str.isalnum, stem or ending)) or kept == f".{ending}":
        return "document.pdf"  # a name that no question could speak of
    if not dot or len(ending) > 5:
        return kept[:LONGEST].rstrip()
    return f"{stem[: LONGEST - len(ending) - 1].rstrip()}.{ending}"


def unique_name(name: str, taken: set[str]) -> str:
    """The name itself, or with the first free number: two files of one name stay apart.

    Names that differ in case alone are one name: a question could not tell them apart, nor could
    Windows or macOS.

    >>> unique_name("Lease.pdf", {"Lease.pdf", "Lease (2).pdf"})
    'Lease (3).pdf'
    """
    stem, dot, ending = name.rpartition(".")
    base, tail = (stem, f".{ending}") if dot else (name, "")
    number, candidate = 2, name
    folded = {each.casefold() for each in taken}
    while candidate.casefold() in folded:
        candidate = f"{base} ({number}){tail}"
        number += 1
    return candidate
