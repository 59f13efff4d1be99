"""The groups of settings: one name for each parameter, and one way to change it."""

from dataclasses import asdict

import pytest

from docqa.ingest.prepare import cut_as, recipe
from docqa.settings import DEFAULTS, adjust, by_name


def test_no_name_stands_in_two_groups() -> None:
    names = [name for group in asdict(DEFAULTS).values() for name in group]
    assert len(set(names)) == len(names) == len(by_name(DEFAULTS))


def test_a_parameter_is_changed_by_its_name_alone() -> None:
    changed = adjust(DEFAULTS, top_k=4, chunk_chars=300)
    assert (changed.search.top_k, changed.chunking.chunk_chars) == (4, 300)
    assert adjust(changed, top_k=10, chunk_chars=1000) == DEFAULTS
    assert adjust(DEFAULTS, **by_name(changed)) == changed
    with pytest.raises(TypeError, match="no such settings: top"):
        adjust(DEFAULTS, top=4)


def test_a_recorded_recipe_reads_as_it_always_did() -> None:
    """A library made before is cut as it was, and is not offered for indexing again."""
    recorded = (
        '{"encoder": "e", "cutting": 1, "chunk_chars": 1000, "overlap_chars": 100, '
        '"min_chunk_chars": 100, "min_alphanumeric": 0.3, "max_special": 0.7}'
    )
    assert recipe("e", DEFAULTS) == recorded
    own = adjust(DEFAULTS, chunk_chars=300, top_k=4)
    assert cut_as(recorded, own) == adjust(own, chunk_chars=1000)
    assert cut_as("{}", own) == own
