"""The bundled encoder with whole-number multiplications, as exact as with floating-point ones.

Some processors multiply matrices of 8-bit numbers many times as fast as floating-point ones, but
8 bits alone move passages in the order of a search. Here each number is two digits of 8 bits, and
three of the four products of digits are added up (as in Ootomo, Ozaki and Yokota, "DGEMM on
integer matrix multiplication unit", IJHPCA 2024). The vectors are the same to six decimals, and
hang on nothing else that is read with a text: each row has a scale of its own, and nothing is
padded.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.neural.known import MINILM, WEIGHTS

LAYERS, HEADS, WIDTH = 6, 12, 384  # of all-MiniLM-L6-v2
DIGIT, BASE = 127, 254  # the largest digit, which has either sign; the first digit is so much more
ZERO = 128  # a digit of an input is stored from 1 to 255
SMALLEST = 1e-6  # a scale is not 0
MICROSOFT = "com.microsoft"  # the domain of onnxruntime's own operators
_CPU = Path("/proc/cpuinfo")

Floats = NDArray[np.float32]


def are_fast(described: Path = _CPU) -> bool:
    """Whether this processor has matrices of 8-bit numbers (AMX), as far as Linux says so.

    Others gain too little from shorter numbers to make up for three products, or none.
    """
    try:
        return "amx_int8" in described.read_text(encoding="utf-8").split()
    except OSError:
        return False


def write(folder: Path, target: Path) -> None:
    """Write the network as ONNX, from tokens (1, n) to their text's vector (1, d)."""
    from safetensors.numpy import load_file

    weights: dict[str, Floats] = load_file(folder / WEIGHTS)
    _Encoder(weights).save(target)


def digits(weight: Floats) -> tuple[NDArray[np.int8], NDArray[np.int8], Floats]:
    """A matrix (n, k) as ``scale · (first + second / BASE)``, the scale one of each row, (n,).

    >>> first, second, scale = digits(np.array([[1.0, -0.25]], np.float32))
    >>> first.tolist(), second.tolist()
    ([[127, -32]], [[0, 64]])
    """
    scale = np.maximum(np.abs(weight).max(1), np.float32(SMALLEST)) / np.float32(DIGIT)
    whole = weight / scale[:, None]
    first = np.rint(whole)
    second = np.rint((whole - first) * BASE)
    return first.astype(np.int8), second.astype(np.int8), scale


class _Encoder:
    """The graph of BERT (Devlin et al. 2019) with mean pooling; hidden rows are (n, WIDTH)."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[bytes, Any] = {}

    def save(self, target: Path) -> None:
        import onnx
        from onnx import TensorProto, helper

        self._name(self._text(), "result")
        tokens = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "token"])
        result = helper.make_tensor_value_info("result", TensorProto.FLOAT, [1, WIDTH])
        constants = list(self._constants.values())
        graph = helper.make_graph(self._nodes, "encoder", [tokens], [result], constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(MICROSOFT, 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), target)

    def _text(self) -> str:
        tokens = self._op("Reshape", "input_ids", self._whole(-1))
        words = self._op("Gather", self._weight("embeddings.word_embeddings.weight"), tokens)
        count = self._op("Shape", tokens)
        places = self._weights["embeddings.position_embeddings.weight"][: MINILM.max_tokens]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        here = self._op("Slice", self._constant(places + kind), self._whole(0), count)
        hidden = self._normal(self._op("Add", words, here), "embeddings.LayerNorm")
        for number in range(LAYERS):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        mean = self._op("ReduceMean", hidden, axes=[0], keepdims=1)
        return self._op("LpNormalization", mean, axis=-1, p=2)

    def _layer(self, hidden: str, stem: str) -> str:
        read = self._split(hidden)
        asked = [
            self._op("Unsqueeze", self._times(read, f"{stem}attention.self.{part}"), self._whole(0))
            for part in ("query", "key", "value")
        ]
        mixed = self._op("MultiHeadAttention", *asked, domain=MICROSOFT, num_heads=HEADS)
        mixed = self._op("Reshape", mixed, self._whole(-1, WIDTH))
        mixed = self._times(self._split(mixed), f"{stem}attention.output.dense")
        hidden = self._normal(self._op("Add", hidden, mixed), f"{stem}attention.output.LayerNorm")
        wide = self._times(self._split(hidden), f"{stem}intermediate.dense")
        wide = self._op("Gelu", wide, domain=MICROSOFT)
        made = self._times(self._split(wide), f"{stem}output.dense")
        return self._normal(self._op("Add", hidden, made), f"{stem}output.LayerNorm")

    def _split(self, rows: str) -> tuple[str, str, str]:
        """The rows' first digits, both digits one after the other, and each row's scale."""
        largest = self._op("ReduceMax", self._op("Abs", rows), axes=[-1], keepdims=1)
        scale = self._op("Mul", largest, self._number(1 / DIGIT))
        scale = self._op("Max", scale, self._number(SMALLEST))
        whole = self._op("Div", rows, scale)
        rounded = self._op("Round", whole)
        first = self._digit(rounded, 1.0)
        second = self._digit(self._op("Sub", whole, rounded), 1 / BASE)
        return first, self._op("Concat", first, second, axis=1), scale

    def _digit(self, rows: str, step: float) -> str:
        return self._op("QuantizeLinear", rows, self._number(step), self._zero())

    def _times(self, rows: tuple[str, str, str], name: str) -> str:
        """A matrix of the weights applied to rows of digits, its bias added."""
        first, both, scale = rows
        one, two, size = digits(self._weights[f"{name}.weight"])
        large = self._product(first, one, size)
        small = self._product(both, np.concatenate([two, one], 1), size / np.float32(BASE))
        made = self._op("Mul", self._op("Add", large, small), scale)
        return self._op("Add", made, self._weight(f"{name}.bias"))

    def _product(self, rows: str, weight: NDArray[np.int8], scale: Floats) -> str:
        return self._op(
            "MatMulIntegerToFloat",
            rows,
            self._constant(np.ascontiguousarray(weight.T)),
            self._number(1.0),
            self._constant(scale),
            self._zero(),
            domain=MICROSOFT,
        )

    def _normal(self, rows: str, name: str) -> str:
        parts = [self._weight(f"{name}.{part}") for part in ("weight", "bias")]
        return self._op("LayerNormalization", rows, *parts, epsilon=1e-12, axis=-1)

    def _op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **attributes))
        return name

    def _name(self, result: str, name: str) -> None:
        from onnx import helper

        self._nodes.append(helper.make_node("Identity", [result], [name]))

    def _weight(self, name: str) -> str:
        return self._constant(self._weights[name])

    def _number(self, value: float) -> str:
        return self._constant(np.array(value, np.float32))

    def _whole(self, *values: int) -> str:
        return self._constant(np.array(values, np.int64))

    def _zero(self) -> str:
        return self._constant(np.array(ZERO, np.uint8))

    def _constant(self, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        key = f"{array.dtype}{array.shape}".encode() + array.tobytes()
        if key not in self._constants:
            name = f"constant_{len(self._constants)}"
            self._constants[key] = numpy_helper.from_array(array, name)
        made: str = self._constants[key].name
        return made
