"""A network that reads question and passage apart, then together, in two: each part for itself.

What the first layers make of a passage depends on no question, so it can be kept for the next one
(MacAvaney et al., "Efficient document re-ranking for transformers by precomputing term
representations", SIGIR 2020).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docqa.errors import ModelFailed
from docqa.models.registry import OWN, WIDTH

QUESTION, PASSAGE = "question", "passage"  # inputs: rows of the table of words, (n, WIDTH)
ALONE = "alone"  # what the rows of one of them become before they are read together, (n, WIDTH)


def parted(path: Path) -> tuple[bytes, bytes]:
    """The two parts as ONNX: from `PASSAGE`, be it a question, to `ALONE`; and from what both
    become so, as `QUESTION` and `PASSAGE`, to the score.

    Raises `ModelFailed` where the network does not join them in one place.
    """
    import onnx

    whole = onnx.load(path)
    made_by = {name: node for node in whole.graph.node for name in node.output}
    joins = [
        [*node.input]
        for node in whole.graph.node
        if node.op_type == "Concat" and len(node.input) == 2
        if all(made_by[name].op_type == "LayerNormalization" for name in node.input)
    ]
    if len(joins) != 1:
        raise ModelFailed(OWN.name, reason="question and passage are not joined in one place")
    asked, read = joins[0]
    (result,) = (each.name for each in whole.graph.output)
    return (
        _part(whole, {PASSAGE: PASSAGE}, read, ALONE),
        _part(whole, {asked: QUESTION, read: PASSAGE}, result, result),
    )


def _part(whole: Any, given: Mapping[str, str], result: str, name: str) -> bytes:
    """What computes one value from others, which are called as told."""
    from onnx import ModelProto, TensorProto, helper

    nodes, wanted = [], {result}
    for node in reversed(whole.graph.node):
        if wanted.intersection(node.output) - given.keys():
            nodes.append(type(node).FromString(node.SerializeToString()))
            wanted.update(node.input)
    called = {**given, result: name}
    for node in nodes:
        for names in (node.input, node.output):
            names[:] = [called.get(each, each) for each in names]
    graph = helper.make_graph(
        nodes[::-1],
        name,
        [helper.make_tensor_value_info(each, TensorProto.FLOAT, [f"{each} rows", WIDTH])
         for each in given.values()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)],
        [each for each in whole.graph.initializer if each.name in wanted],
    )  # fmt: skip
    made = ModelProto(ir_version=whole.ir_version, opset_import=whole.opset_import, graph=graph)
    written: bytes = made.SerializeToString()
    return written
