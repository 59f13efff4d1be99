"""Networks as ONNX, written from their weights in a second, without torch: the bundled encoder.

Tracing the same network takes torch and transformers, and 18 seconds on a machine that sees docqa
for the first time. A text goes through alone: nothing is padded, so no mask is needed, and its
vector depends on no other text, though in 8 bits the scale of its numbers is taken from them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.models.registry import HEADS, LAYERS, MINILM, WEIGHTS, WIDTH

MICROSOFT = "com.microsoft"  # the domain of onnxruntime's own operators
EPSILON = 1e-12  # of BERT's normalisations

Floats = NDArray[np.float32]
Shape = list[int | str]  # a name for what differs from run to run


def write(folder: Path, target: Path, *, int8: bool) -> None:
    """Write the network as ONNX, from tokens (1, n) to their text's vector (1, d).

    With ``int8`` what is multiplied has 8 bits; all else keeps 32.
    """
    from safetensors.numpy import load_file

    weights: dict[str, Floats] = load_file(folder / WEIGHTS)
    _Encoder(weights, int8=int8).save(target)


def in_int8(weights: Floats) -> tuple[NDArray[np.int8], Floats]:
    """A matrix (n, m) in 8 bits and the scales (m,) that its columns are multiplied by.

    Processors without VNNI add two products of a column in 16 bits before they go on in 32. Two
    neighbours are at most 128 together, so that with rows of at most 255 no sum overflows.
    """
    sizes = np.abs(weights)
    pairs = sizes[::2] + sizes[1::2]
    scales = np.maximum(sizes.max(axis=0) / 127, pairs.max(axis=0) / 127.5)
    return np.round(weights / scales).astype(np.int8), scales


class Graph:
    """Operators in their order and the constants they take, each kept once.

    Rows of tokens are (n, WIDTH). What a method returns is the name of what it computes.
    """

    def __init__(self) -> None:
        self._made = 0
        self._nodes: list[Any] = []
        self._constants: dict[bytes, Any] = {}

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        return self.ops(kind, *inputs, results=1, domain=domain, **attributes)[0]

    def ops(
        self, kind: str, *inputs: str, results: int, domain: str = "", **attributes: Any
    ) -> list[str]:
        from onnx import helper

        self._made += 1
        names = [f"{kind}_{self._made}_{number}" for number in range(results)]
        self._nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def whole(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def constant(self, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        key = f"{array.dtype}{array.shape}".encode() + array.tobytes()
        if key not in self._constants:
            name = f"constant_{len(self._constants)}"
            self._constants[key] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        made: str = self._constants[key].name
        return made

    def normal(self, rows: str, weight: Floats, bias: Floats) -> str:
        parts = (self.constant(weight), self.constant(bias))
        return self.op("LayerNormalization", rows, *parts, epsilon=EPSILON, axis=-1)

    def write(
        self,
        target: Path,
        *,
        results: Mapping[str, tuple[str, Shape]],
        tokens: Mapping[str, Shape] | None = None,
        rows: Mapping[str, Shape] | None = None,
    ) -> None:
        """``tokens`` and ``rows`` are the inputs, whole numbers and others; ``results`` say what is
        called by which name."""
        import onnx
        from onnx import TensorProto, helper

        inputs = [
            helper.make_tensor_value_info(name, kind, shape)
            for kind, given in ((TensorProto.INT64, tokens), (TensorProto.FLOAT, rows))
            for name, shape in (given or {}).items()
        ]
        named = [
            helper.make_node("Identity", [made], [name]) for name, (made, _) in results.items()
        ]
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, (_, shape) in results.items()
        ]
        constants = list(self._constants.values())
        graph = helper.make_graph([*self._nodes, *named], "docqa", inputs, outputs, constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), target)


class _Encoder(Graph):
    """The graph of BERT (Devlin et al. 2019) with mean pooling."""

    def __init__(self, weights: dict[str, Floats], *, int8: bool) -> None:
        super().__init__()
        self._weights = weights
        self._int8 = int8

    def save(self, target: Path) -> None:
        made = self._text()
        self.write(
            target, tokens={"input_ids": [1, "token"]}, results={"result": (made, [1, WIDTH])}
        )

    def _text(self) -> str:
        tokens = self.op("Reshape", "input_ids", self.whole(-1))
        words = self._words(tokens)
        count = self.op("Shape", tokens)
        places = self._weights["embeddings.position_embeddings.weight"][: MINILM.max_tokens]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        here = self.op("Slice", self.constant(places + kind), self.whole(0), count)
        hidden = self._normal(self.op("Add", words, here), "embeddings.LayerNorm")
        for number in range(LAYERS):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        mean = self.op("ReduceMean", hidden, axes=[0], keepdims=1)
        return self.op("LpNormalization", mean, axis=-1, p=2)

    def _words(self, tokens: str) -> str:
        weights = self._weights["embeddings.word_embeddings.weight"]
        if not self._int8:
            return self.op("Gather", self.constant(weights), tokens)
        half = self.op("Gather", self.constant(weights.astype(np.float16)), tokens)
        return self.op("Cast", half, to=1)  # to 32 bits

    def _layer(self, hidden: str, stem: str) -> str:
        asked = [
            self.op("Unsqueeze", self._times(hidden, f"{stem}attention.self.{part}"), self.whole(0))
            for part in ("query", "key", "value")
        ]
        mixed = self.op("MultiHeadAttention", *asked, domain=MICROSOFT, num_heads=HEADS)
        mixed = self.op("Reshape", mixed, self.whole(-1, WIDTH))
        mixed = self._times(mixed, f"{stem}attention.output.dense")
        hidden = self._normal(self.op("Add", hidden, mixed), f"{stem}attention.output.LayerNorm")
        wide = self._times(hidden, f"{stem}intermediate.dense")
        wide = self.op("Gelu", wide, domain=MICROSOFT)
        made = self._times(wide, f"{stem}output.dense")
        return self._normal(self.op("Add", hidden, made), f"{stem}output.LayerNorm")

    def _times(self, rows: str, name: str) -> str:
        """A matrix of the weights applied to rows, its bias added."""
        weights = self._weights[f"{name}.weight"].T
        bias = self.constant(self._weights[f"{name}.bias"])
        if not self._int8:
            return self.op("Add", self.op("MatMul", rows, self.constant(weights)), bias)
        quantized, scale, zero = self.ops("DynamicQuantizeLinear", rows, results=3)
        matrix, scales = in_int8(weights)
        inputs = (quantized, self.constant(matrix), scale, self.constant(scales), zero, "", bias)
        return self.op("MatMulIntegerToFloat", *inputs, domain=MICROSOFT)

    def _normal(self, rows: str, name: str) -> str:
        return self.normal(rows, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])
