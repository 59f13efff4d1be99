"""The reranker's network as ONNX, with weights of 8 bits, as few operators as its numbers take.

The question's own layers are a part of their own, which is run once for all passages: from
`question` to `asked`, and from `asked` and `passage` to `result`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from docqa.neural.graph import MICROSOFT, Floats, Graph
from docqa.neural.known import HEADS, MINILM, WIDTH

if TYPE_CHECKING:
    from tests.training.network import Layer, Lower, Reader, Upper

# Products of two such numbers add up without overflow in processors that add pairs in 16 bits.
HIGHEST = 64


class Written(Graph):
    def __init__(self, reader: "Reader") -> None:
        super().__init__()
        self._reader = reader

    def save(self, target: Path, *, across: float) -> None:
        """``across`` is added to the attention between question and passage."""
        asked = self._if_any("question", lambda: self._lower("question"))
        judged = self._if_any("passage", lambda: self._judged(across))
        self.write(
            target,
            tokens={"question": [1, "word"], "passage": [1, "token"]},
            numbers={"asked": ["word", WIDTH]},
            results={"read": (asked, ["word", "width"]), "result": (judged, [1, 1])},
        )

    def _if_any(self, ids: str, make: Callable[[], str]) -> str:
        """0 without a text: of fewer tokens than the two that every text has."""
        some = self.op("Greater", self.op("Size", ids), self.whole(1))
        zero = self.constant(np.zeros((1, 1), np.float32))
        made = self.branch(make)
        nothing = self.branch(lambda: self.op("Identity", zero))
        return self.op("If", some, then_branch=made, else_branch=nothing)

    def _lower(self, ids: str) -> str:
        lower: Lower = self._reader.lower
        tokens = self.op("Reshape", ids, self.whole(-1))
        words, scales = (self.op("Gather", each, tokens) for each in self._words())
        words = self.op("Mul", self.op("Cast", words, to=1), scales)
        kind = _numbers(cast("Tensor", lower.kind))
        places = np.add(_numbers(lower.places.weight)[: MINILM.max_tokens], kind)
        count = self.op("Shape", tokens)
        here = self.op("Slice", self.constant(places), self.whole(0), count)
        hidden = self._normal(self.op("Add", words, here), lower.norm)
        for layer in lower.layers:
            hidden = self._layer(hidden, cast("Layer", layer))
        return hidden

    def _words(self) -> tuple[str, str]:
        words, scales = eight_bits(_numbers(self._reader.lower.words.weight), axis=1, highest=127)
        return self.constant(words), self.constant(scales)

    def _layer(self, hidden: str, layer: "Layer", bias: str = "") -> str:
        mixed = self._attended(self._product(hidden, layer.q, layer.k, layer.v), bias)
        mixed = self.op("Add", hidden, self._product(mixed, layer.o))
        hidden = self._normal(mixed, layer.n1)
        wide = self.op("Gelu", self._product(hidden, layer.up), domain=MICROSOFT)
        made = self.op("Add", hidden, self._product(wide, layer.down))
        return self._normal(made, layer.n2)

    def _attended(self, rows: str, bias: str) -> str:
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
        shares = self.op("Softmax", self.op("Add", scores, bias) if bias else scores, axis=-1)
        mixed = self.op("FusedMatMul", shares, v, domain=MICROSOFT, transBatchB=1)
        turned = self.op("Transpose", mixed, perm=[1, 0, 2])
        return self.op("Reshape", turned, self.whole(-1, WIDTH))

    def _judged(self, across: float) -> str:
        upper: Upper = self._reader.upper
        asked, passage = "asked", self._lower("passage")
        hidden = self.op("Concat", asked, passage, axis=0)
        counts = [self.op("Shape", rows, start=0, end=1) for rows in (asked, passage)]
        bias = self._bias(counts, across) if across else ""
        for layer in upper.layers:
            hidden = self._layer(hidden, cast("Layer", layer), bias)
        sides = self.ops("Split", hidden, self.op("Concat", *counts, axis=0), results=2, axis=0)
        q, p = (self.op("ReduceMean", rows, axes=[0], keepdims=1) for rows in sides)
        both = self.op("Concat", q, p, self.op("Mul", q, p), axis=1)
        judged = self.op("Gelu", self._product(both, upper.hid), domain=MICROSOFT)
        judged = self._plain(judged, upper.out)
        cosine = self._cosines(q, p)
        best = self.op("ReduceMax", self._cosines(*sides), axes=[1], keepdims=1)
        matters = self.op("Softmax", self._plain(sides[0], upper.imp), axis=0)
        matched = self.op("ReduceSum", self.op("Mul", matters, best), self.whole(0), keepdims=1)
        mix = _numbers(upper.mix)
        for found, weight in ((cosine, mix[0]), (matched, mix[1])):
            judged = self.op("Add", judged, self._times(found, weight))
        judged = self._times(judged, self._reader.slope)
        judged = self.op("Add", judged, self.constant(np.array([[self._reader.shift]], np.float32)))
        return self.op("Sigmoid", judged)

    def _bias(self, counts: list[str], across: float) -> str:
        """(n, n): ``across`` between question and passage, else 0."""
        sides = [
            self.op("Expand", self.constant(np.array([side], np.float32)), count)
            for side, count in enumerate(counts)
        ]
        side = self.op("Concat", *sides, axis=0)
        rows, columns = (self.op("Unsqueeze", side, self.whole(axis)) for axis in (1, 0))
        apart = self.op("Abs", self.op("Sub", rows, columns))
        return self._times(apart, across)

    def _cosines(self, rows: str, columns: str) -> str:
        made = self.op("FusedMatMul", rows, columns, domain=MICROSOFT, transB=1)
        for each, kept in ((rows, 1), (columns, 0)):
            made = self.op("Div", made, self.op("ReduceL2", each, axes=[1], keepdims=kept))
        return made

    def _product(self, rows: str, *linears: nn.Linear) -> str:
        """In whole numbers, of the matrices of these layers, one beside the other."""
        weight = np.concatenate([_numbers(each.weight) for each in linears]).T
        bias = np.concatenate([_numbers(each.bias) for each in linears])
        whole, scales = eight_bits(weight, axis=0, highest=HIGHEST)
        constants = (self.constant(whole), self.constant(scales[0]), "", self.constant(bias))
        return self.op("DynamicQuantizeMatMul", rows, *constants, domain=MICROSOFT)

    def _plain(self, rows: str, linear: nn.Linear) -> str:
        made = self.op("MatMul", rows, self.constant(_numbers(linear.weight).T))
        return self.op("Add", made, self.constant(_numbers(linear.bias)))

    def _times(self, numbers: str, factor: float) -> str:
        return self.op("Mul", numbers, self.constant(np.array([[factor]], np.float32)))

    def _normal(self, rows: str, norm: nn.LayerNorm) -> str:
        return self.normal(rows, _numbers(norm.weight), _numbers(norm.bias))


def eight_bits(numbers: Floats, *, axis: int, highest: int) -> tuple[NDArray[np.int8], Floats]:
    """Whole numbers up to ``highest``, and the scales along ``axis`` that make them the numbers."""
    scales = np.maximum(np.abs(numbers).max(axis=axis, keepdims=True) / highest, 1e-12)
    return np.rint(numbers / scales).astype(np.int8), scales.astype(np.float32)


def _numbers(tensor: Tensor) -> Floats:
    made: Floats = tensor.detach().float().numpy()
    return made
