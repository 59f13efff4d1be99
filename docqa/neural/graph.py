"""The bundled encoder as ONNX, written from its weights in a second, without torch.

Tracing the same network takes torch and transformers, and 18 seconds on a machine that sees docqa
for the first time. A text goes through alone: nothing is padded, so no mask is needed.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.neural.known import HEADS, LAYERS, MINILM, WEIGHTS, WIDTH

MICROSOFT = "com.microsoft"  # the domain of onnxruntime's own operators

Floats = NDArray[np.float32]


def write(folder: Path, target: Path) -> None:
    """Write the network as ONNX, from tokens (1, n) to their text's vector (1, d)."""
    from safetensors.numpy import load_file

    weights: dict[str, Floats] = load_file(folder / WEIGHTS)
    _Encoder(weights).save(target)


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
        asked = [
            self._op(
                "Unsqueeze", self._times(hidden, f"{stem}attention.self.{part}"), self._whole(0)
            )
            for part in ("query", "key", "value")
        ]
        mixed = self._op("MultiHeadAttention", *asked, domain=MICROSOFT, num_heads=HEADS)
        mixed = self._op("Reshape", mixed, self._whole(-1, WIDTH))
        mixed = self._times(mixed, f"{stem}attention.output.dense")
        hidden = self._normal(self._op("Add", hidden, mixed), f"{stem}attention.output.LayerNorm")
        wide = self._times(hidden, f"{stem}intermediate.dense")
        wide = self._op("Gelu", wide, domain=MICROSOFT)
        made = self._times(wide, f"{stem}output.dense")
        return self._normal(self._op("Add", hidden, made), f"{stem}output.LayerNorm")

    def _times(self, rows: str, name: str) -> str:
        """A matrix of the weights applied to rows, its bias added."""
        turned = np.ascontiguousarray(self._weights[f"{name}.weight"].T)
        made = self._op("MatMul", rows, self._constant(turned))
        return self._op("Add", made, self._weight(f"{name}.bias"))

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

    def _whole(self, *values: int) -> str:
        return self._constant(np.array(values, np.int64))

    def _constant(self, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        key = f"{array.dtype}{array.shape}".encode() + array.tobytes()
        if key not in self._constants:
            name = f"constant_{len(self._constants)}"
            self._constants[key] = numpy_helper.from_array(array, name)
        made: str = self._constants[key].name
        return made
