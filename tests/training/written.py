"""The reranker's network as ONNX, with weights of 8 bits, as few operators as its numbers take.

From the rows that the encoder's table of words has for the tokens of `question` and `passage` to
`result`: the table is on every machine, so it is not written again.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from torch import Tensor, nn

from docqa.models.onnx_graph import MICROSOFT, Floats, Graph, in_int8
from docqa.models.registry import HEADS, MINILM, WIDTH

if TYPE_CHECKING:
    from tests.training.network import Layer, Reader


class Written(Graph):
    def __init__(self, reader: "Reader") -> None:
        super().__init__()
        self._reader = reader

    def save(self, target: Path) -> None:
        layers = [cast("Layer", layer) for layer in self._reader.layers]
        first, others = layers[: self._reader.apart], layers[self._reader.apart :]
        apart = [self._layers(side, first) for side in self._embedded()]
        counts = self.op("Concat", *map(self._count, apart), axis=0)
        hidden = self._layers(self.op("Concat", *apart, axis=0), others)
        judged = self._judged(*self.ops("Split", hidden, counts, results=2, axis=0))
        rows: dict[str, list[int | str]] = {"question": ["q", WIDTH], "passage": ["p", WIDTH]}
        self.write(target, rows=rows, results={"result": (judged, [1, 1])})

    def _embedded(self) -> list[str]:
        """Both sides; the places of each begin at 0."""
        reader = self._reader
        places = _numbers(reader.places.weight)[: MINILM.max_tokens]
        here = self.constant(np.add(places, _numbers(reader.kind)))
        sides = {
            side: self.op("Slice", here, self.whole(0), self._count(side))
            for side in ("question", "passage")
        }
        return [self._normal(self.op("Add", *each), reader.norm) for each in sides.items()]

    def _count(self, rows: str) -> str:
        """How many there are, (1,)."""
        return self.op("Slice", self.op("Shape", rows), self.whole(0), self.whole(1))

    def _layers(self, hidden: str, layers: Sequence["Layer"]) -> str:
        for layer in layers:
            hidden = self._layer(hidden, layer)
        return hidden

    def _layer(self, hidden: str, layer: "Layer") -> str:
        mixed = self._attended(self._product(hidden, layer.q, layer.k, layer.v))
        mixed = self.op("Add", hidden, self._product(mixed, layer.o))
        hidden = self._normal(mixed, layer.n1)
        wide = self.op("Gelu", self._product(hidden, layer.up), domain=MICROSOFT)
        made = self.op("Add", hidden, self._product(wide, layer.down))
        return self._normal(made, layer.n2)

    def _attended(self, rows: str) -> str:
        """Queries, keys and values (n, 3 · WIDTH) as attention mixes them; `FusedMatMul` takes
        the heads where they are, without a transposition."""
        parts = self.ops("Split", rows, results=3, axis=1)
        size = WIDTH // HEADS
        q, k, v = (self.op("Reshape", part, self.whole(-1, HEADS, size)) for part in parts)
        scores = self.op(
            "FusedMatMul",
            q,
            k,
            domain=MICROSOFT,
            transBatchA=1,
            transBatchB=1,
            transB=1,
            alpha=size**-0.5,
        )
        shares = self.op("Softmax", scores, axis=-1)
        mixed = self.op("FusedMatMul", shares, v, domain=MICROSOFT, transBatchB=1)
        turned = self.op("Transpose", mixed, perm=[1, 0, 2])
        return self.op("Reshape", turned, self.whole(-1, WIDTH))

    def _judged(self, *sides: str) -> str:
        reader = self._reader
        q, p = (self.op("ReduceMean", rows, axes=[0], keepdims=1) for rows in sides)
        both = self.op("Concat", q, p, self.op("Mul", q, p), axis=1)
        judged = self.op("Gelu", self._product(both, reader.hid), domain=MICROSOFT)
        judged = self._plain(judged, reader.out)
        cosine = self._cosines(q, p)
        best = self.op("ReduceMax", self._cosines(*sides), axes=[1], keepdims=1)
        matters = self.op("Softmax", self._plain(sides[0], reader.imp), axis=0)
        matched = self.op("ReduceSum", self.op("Mul", matters, best), self.whole(0), keepdims=1)
        mix = _numbers(reader.mix)
        for found, weight in ((cosine, mix[0]), (matched, mix[1])):
            judged = self.op("Add", judged, self._times(found, weight))
        judged = self._times(judged, reader.slope)
        judged = self.op("Add", judged, self.constant(np.array([[reader.shift]], np.float32)))
        return self.op("Sigmoid", judged)

    def _cosines(self, rows: str, columns: str) -> str:
        made = self.op("FusedMatMul", rows, columns, domain=MICROSOFT, transB=1)
        for each, kept in ((rows, 1), (columns, 0)):
            made = self.op("Div", made, self.op("ReduceL2", each, axes=[1], keepdims=kept))
        return made

    def _product(self, rows: str, *linears: nn.Linear) -> str:
        """In whole numbers, of the matrices of these layers, one beside the other."""
        weight = np.concatenate([_numbers(each.weight) for each in linears]).T
        bias = np.concatenate([_numbers(each.bias) for each in linears])
        whole, scales = in_int8(weight)
        constants = (self.constant(whole), self.constant(scales), "", self.constant(bias))
        return self.op("DynamicQuantizeMatMul", rows, *constants, domain=MICROSOFT)

    def _plain(self, rows: str, linear: nn.Linear) -> str:
        made = self.op("MatMul", rows, self.constant(_numbers(linear.weight).T))
        return self.op("Add", made, self.constant(_numbers(linear.bias)))

    def _times(self, numbers: str, factor: float) -> str:
        return self.op("Mul", numbers, self.constant(np.array([[factor]], np.float32)))

    def _normal(self, rows: str, norm: nn.LayerNorm) -> str:
        return self.normal(rows, _numbers(norm.weight), _numbers(norm.bias))


def _numbers(tensor: Tensor) -> Floats:
    made: Floats = tensor.detach().float().cpu().numpy()
    return made
