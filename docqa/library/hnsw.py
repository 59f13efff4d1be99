"""Whether the files of an HNSW graph fit one another, asked before Chroma reads them.

hnswlib believes what stands in its files: a damaged length has it take gigabytes of memory, a
damaged neighbour has it read beyond its own. The layout is that of ``saveIndex`` in Chroma's
hnswlib: header.bin, data_level0.bin (an element a row: its links, its vector, its label),
link_lists.bin (for each element a length in bytes, then its links on the upper levels).
"""

import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np

_HEADER = struct.Struct("<i6QiI3QdQ")
_LENGTH = struct.Struct("<I")
_ROOM = 8  # a graph is given room for twice its elements; more than this was never asked for
_LOOKED_AT = 2000  # elements whose links are checked, spread over the file


class _Header(NamedTuple):
    version: int
    level0_offset: int
    room: int
    elements: int
    row: int  # bytes
    label_offset: int
    vector_offset: int
    top_level: int
    entry: int
    links_above: int
    links_below: int
    links: int
    level_scale: float
    construction: int


def is_sound(folder: Path) -> bool:
    """Whether the graph in this folder can be read; one that holds nothing can be."""
    try:
        header = _Header(*_HEADER.unpack((folder / "header.bin").read_bytes()))
    except (struct.error, OSError):
        return False
    if header.elements == 0:
        return header.room < 1000 * _ROOM
    return (
        _adds_up(header)
        and _rows_hold(folder / "data_level0.bin", header)
        and _links_hold(folder / "link_lists.bin", header)
    )


def _adds_up(header: _Header) -> bool:
    return (
        header.elements <= header.room <= _ROOM * header.elements + 1000
        and header.entry < header.elements
        and header.vector_offset == 4 + 4 * header.links_below
        and header.vector_offset < header.label_offset < header.row
    )


def _rows_hold(path: Path, header: _Header) -> bool:
    """Whether the file has every row, and the rows looked at have links to elements there are."""
    if not path.is_file() or path.stat().st_size < header.elements * header.row:
        return False
    rows = np.memmap(path, dtype=np.uint8, mode="r", shape=(header.elements, header.row))
    spread = np.linspace(0, header.elements - 1, min(header.elements, _LOOKED_AT)).astype(int)
    links = rows[spread, : header.vector_offset].view("<u4")
    counts = links[:, 0] & 0xFFFF  # the upper half marks what is deleted
    used = np.arange(1, links.shape[1]) <= counts[:, None]
    return bool(
        (counts <= header.links_below).all() and (links[:, 1:][used] < header.elements).all()
    )


def _links_hold(path: Path, header: _Header) -> bool:
    """Whether the lengths lead, one after the other, to the file's end."""
    try:
        lists = path.read_bytes()
    except OSError:
        return False
    one, place = 4 + 4 * header.links_above, 0
    for _ in range(header.elements):
        if place + _LENGTH.size > len(lists):
            return False
        (length,) = _LENGTH.unpack_from(lists, place)
        if length % one or length > one * max(header.top_level, 0):
            return False
        place += _LENGTH.size + length
    return place == len(lists)
