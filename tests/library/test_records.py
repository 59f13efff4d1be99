from decimal import Decimal
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docqa.library.records import from_json, to_json
from docqa.types.answer import Usage
from docqa.types.comparison import Figure
from docqa.types.document import Block, Box, Cell, Discard, Document, PageHealth
from docqa.types.search import Coverage, Hit
from tests.library.nouns import HERE, chunk, document

# Answers hold all of these, too many for drawing at random; test_catalog keeps a whole one.
KINDS = (Block, Document, Usage, PageHealth, Discard, Coverage, Figure)
nouns = st.one_of(*(st.from_type(kind) for kind in KINDS))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(nouns.filter(lambda noun: "nan" not in repr(noun).lower()))
def test_every_noun_comes_back_whole(noun: object) -> None:
    assert from_json(type(noun), to_json(noun)) == noun


def test_defaults_are_left_out() -> None:
    text = to_json(Block("Rent", 3, Box(1.0, 2.0, 3.0, 4.5)))
    assert text == '{"text":"Rent","page":3,"box":{"left":1.0,"top":2.0,"right":3.0,"bottom":4.5}}'


def test_cells_kinds_and_decimals_keep_their_types() -> None:
    row = Block("a b", 1, HERE, kind="table", cells=(Cell("a", 0), Cell("b", 1, span=2)))
    back = from_json(Block, to_json(row))
    assert back.cells == row.cells
    assert isinstance(back.cells, tuple)
    usage = from_json(Usage, to_json(Usage(cost_usd=Decimal("0.10"))))
    assert str(usage.cost_usd) == "0.10"
    assert from_json(Usage, to_json(Usage())).cost_usd is None


def test_numbers_of_numpy_become_plain_ones() -> None:
    scores: Any = {"dense": np.float32(0.5), "rank": np.int64(3), "bm25": np.float64(1.25)}
    back = from_json(Hit, to_json(Hit(chunk("a.pdf", 0, "x"), document("a.pdf"), scores)))
    assert back.scores == {"dense": 0.5, "rank": 3, "bm25": 1.25}


def test_text_from_a_docqa_with_more_fields_can_be_read() -> None:
    assert from_json(Cell, '{"text":"a","column":1,"colour":"red"}') == Cell("a", 1)
