"""The reranker's two parts score as the whole does."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime  # type: ignore[import-untyped]
import pytest

from docqa.errors import ModelFailed
from docqa.models.network import Network, words_in
from docqa.models.parted import parted
from docqa.models.registry import OWN, SHIPPED, WEIGHTS, path_of, required_folder

QUESTIONS = ("What is the rent?", "Who insures the building?")
PASSAGES = ("The rent is $4,000 a month.", "", "The landlord insures the building. " * 40)


def test_what_was_read_alone_before_scores_as_the_whole_network_does(tmp_path: Path) -> None:
    folder = required_folder(OWN)
    network, words = Network(OWN, folder, tmp_path), words_in(folder / WEIGHTS)
    whole = onnxruntime.InferenceSession(path_of(folder, SHIPPED))
    for question in (*QUESTIONS, *QUESTIONS):
        sides = ({"question": question, "passage": passage} for passage in PASSAGES)
        given = [{name: words[network._ids(text)] for name, text in two.items()} for two in sides]
        expected = [whole.run(None, each)[0].item() for each in given]
        assert network.score(question, PASSAGES).tolist() == pytest.approx(expected, abs=1e-6)


def test_a_network_that_joins_nothing_is_told(tmp_path: Path) -> None:
    rows = onnx.helper.make_tensor_value_info("rows", onnx.TensorProto.FLOAT, [1, 384])
    graph = onnx.helper.make_graph([], "none", [rows], [rows])
    onnx.save(onnx.helper.make_model(graph), tmp_path / "none.onnx")
    with pytest.raises(ModelFailed, match="joined"):
        parted(tmp_path / "none.onnx")


def test_the_scores_are_of_the_passages_asked_about(tmp_path: Path) -> None:
    network = Network(OWN, required_folder(OWN), tmp_path)
    rent, insured = (network.score(question, PASSAGES) for question in QUESTIONS)
    assert int(np.argmax(rent)) == 0
    assert int(np.argmax(insured)) == 2
