"""The program that teaches the network for tables, on a document of its own."""

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from docqa.models.network import Network
from docqa.models.registry import MINILM, OWN, SHIPPED, path_of, required_folder
from tests.bundled import cache
from tests.training.network import Layer
from tests.training.read_back import reader_in
from tests.training.table_reader import TableReader, lessons, report, teach, write
from tests.training.train import Texts

RENTS: dict[str, Any] = {
    "kind": "table",
    "title": "Rents",
    "head": [["", "Area", "Area", "Rent"], ["Unit", "sq ft", "sq m", "£ a year"]],
    "rows": [["Ground floor", "", "", ""], ["Unit 1", "410", "38", "9,200"],
             ["Unit 2", "655", "61", "14,100"], ["Total", "1,065", "99", "23,300"]],
}  # fmt: skip
ASKED = [
    {"question": "what does the bigger shop bring in", "table": 0, "cells": [[2, 3]]},
    {"question": "who manages the building", "table": 0, "cells": []},
]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    document = {"document": "Yard", "parts": [RENTS], "questions": ASKED}
    path.write_text(json.dumps(document) + "\n", encoding="utf-8")
    return path


def test_rows_and_columns_are_read_with_what_stands_over_them(written: Path) -> None:
    first, other = lessons(written)
    assert first.rows.texts[1] == "Rents. Ground floor. Unit 2: Area sq ft 655; Area sq m 61; " \
        "Rent £ a year 14,100"  # fmt: skip
    assert first.columns.texts[3] == "Rents: column Rent £ a year"
    assert first.rows.right == {1}
    assert first.columns.right == {3}
    assert not other.rows.right


@pytest.mark.slow
def test_what_is_taught_is_what_docqa_reads_with(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = required_folder(MINILM)
    network = TableReader(reader_in(path_of(folder, SHIPPED)), Texts(folder))
    learnt = [*lessons(written)]
    before = report(network, learnt)
    lower = cast(Layer, network.reader.layers[0]).down.weight
    kept = lower.detach().clone()
    torch.manual_seed(0)
    losses = teach(network, learnt, steps=40)
    assert losses[-1] < losses[0]
    assert torch.equal(lower, kept)  # shared with the reranker
    assert "rows: one that answers scores highest for " in before
    made = tmp_path / "table_reader.onnx"
    write(network.reader, made)
    monkeypatch.setattr("docqa.models.network.path_of", lambda *_: made)
    monkeypatch.setattr("docqa.models.network.check", lambda *_: None)
    question, texts = learnt[0].question, learnt[0].rows.texts
    with torch.no_grad():
        due = network.scores([(question, each) for each in texts]).sigmoid().numpy()
    read = Network(OWN, folder, cache()).score_lines(question, texts)
    assert np.abs(read - due).max() < 0.1  # its weights have 8 bits
