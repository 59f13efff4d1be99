"""The reranker's network as `written` writes it, back in torch, to be averaged with another."""

from pathlib import Path
from typing import cast

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from docqa.models.registry import MINILM, required_folder
from tests.training.network import Layer, Reader, bundled_weights

Pair = tuple[Tensor, Tensor]  # weights and what is added


def reader_in(path: Path) -> Reader:
    """The network in an ONNX file; its weights are what their 8 bits stand for.

    Operators of a kind come in the order in which `written` makes them: of the layers that read
    apart the question's, then the passage's, which are the same.
    """
    graph = onnx.load(str(path)).graph
    kept = {each.name: torch.tensor(numpy_helper.to_array(each)) for each in graph.initializer}
    by_kind: dict[str, list[list[str]]] = {}  # what each takes, and makes
    for node in graph.node:
        by_kind.setdefault(node.op_type, []).append([*node.input, *node.output])
    added = {first: kept.get(other) for first, other, _ in by_kind["Add"]}

    reader = Reader(bundled_weights(required_folder(MINILM)))
    layers = [cast(Layer, each) for each in reader.layers]
    apart = reader.apart
    products: list[Pair] = [
        (kept[each[1]].float().T * kept[each[2]][:, None], kept[each[4]])
        for each in by_kind["DynamicQuantizeMatMul"]
    ]
    normals: list[Pair] = [(kept[each[1]], kept[each[2]]) for each in by_kind["LayerNormalization"]]
    plain: list[Pair] = [
        (kept[name].T, cast(Tensor, added[made])) for _, name, made in by_kind["MatMul"]
    ]
    del products[4 * apart : 8 * apart], normals[1], normals[1 + 2 * apart : 1 + 4 * apart]
    with torch.no_grad():
        for layer in layers:
            (weights, bias), *others = (products.pop(0) for _ in range(4))
            thirds = zip(weights.chunk(3), bias.chunk(3), strict=True)
            _fill([layer.q, layer.k, layer.v, layer.o, layer.up, layer.down], [*thirds, *others])
        _fill([reader.norm, *(n for each in layers for n in (each.n1, each.n2))], normals)
        _fill([reader.hid, reader.out, reader.imp], [*products, *plain])
        numbers = [kept[each[1]] for each in by_kind["Mul"] if each[1] in kept]
        reader.mix.copy_(torch.cat(numbers[:2]).ravel())
        places = next(kept[each[0]] for each in by_kind["Slice"] if each[0] in kept)
        reader.places.weight[: len(places)].copy_(places)
        reader.kind.zero_()  # it is added to the places
    reader.slope = numbers[2].item()
    reader.shift = next(one.item() for one in reversed(added.values()) if one is not None)
    return reader


def _fill(modules: list[torch.nn.Module], pairs: list[Pair]) -> None:
    for module, (weights, bias) in zip(modules, pairs, strict=True):
        module.load_state_dict({"weight": weights, "bias": bias})
