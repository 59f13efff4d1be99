"""Passages through the bundled encoder in numbers of half the length (bfloat16), by torch.

Some processors multiply matrices of such numbers several times as fast as those of 32 bits. Only
what is multiplied is halved: sums, normalisations and what goes from layer to layer keep 32 bits,
so the vectors are nearly those of the whole network (`tests.eval.overlap` prints how nearly). Each
text goes through alone, so its vector hangs on nothing that is read with it.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from docqa.errors import ModelFailed
from docqa.models.network import Tokens, Told, run_batches
from docqa.models.registry import HEADS, LAYERS, MINILM, WEIGHTS, WIDTH, check

if TYPE_CHECKING:
    from torch import Tensor

Weights = Mapping[str, "Tensor"]
Rows = Callable[["Tensor"], "Tensor"]
After = Literal["none", "gelu"]  # what becomes of a product
Layer = Callable[["Tensor", "Tensor"], "Tensor"]  # hidden rows and a mask to hidden rows

EPSILON = 1e-12
ROWS = 32  # a text is filled up to a multiple: attention took 1.7 times as long on odd lengths
_CPU = Path("/proc/cpuinfo")


def are_fast(described: Path = _CPU) -> bool:
    """Whether this processor has matrices of bfloat16 (AMX), as far as Linux says so.

    On others such numbers were slower than those of 32 bits.
    """
    try:
        return "amx_bf16" in described.read_text(encoding="utf-8").split()
    except OSError:
        return False


class Halves:
    """all-MiniLM-L6-v2 (BERT, Devlin et al. 2019, with mean pooling); safe to use from threads."""

    def __init__(self, folder: Path) -> None:
        """Takes seconds, for torch. Raises ModelDamaged; ImportError or OSError without torch."""
        check(MINILM, folder, [WEIGHTS])
        from safetensors.torch import load_file

        weights: Weights = load_file(folder / WEIGHTS)
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = weights["embeddings.position_embeddings.weight"] + kind
        self._words = weights["embeddings.word_embeddings.weight"]
        self._normal = _normal(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, f"encoder.layer.{number}.") for number in range(LAYERS)]

    def run(self, read: Sequence[Tokens], progress: Told | None) -> NDArray[np.float32]:
        """The vectors of the texts, in the order given, shape (n, d). Raises ModelFailed."""
        import torch

        def one(batch: Sequence[Tokens]) -> NDArray[np.float32]:
            return np.stack([self.vector(each.ids) for each in batch])

        # A core for each text; torch's own threads would only wait for one another.
        def start() -> None:
            torch.set_num_threads(1)

        try:
            lengths = [len(each.ids) for each in read]
            return run_batches(read, one, lengths=lengths, tokens=1, progress=progress, start=start)
        except RuntimeError as error:
            raise ModelFailed(MINILM.name, reason=str(error)[:200]) from error

    def vector(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """The vector of a text of at most ``max_tokens`` tokens, shape (d,), of length 1."""
        import torch

        count = len(tokens)
        size = -(-count // ROWS) * ROWS
        with torch.inference_mode():
            ids = torch.tensor([*tokens, *[0] * (size - count)])
            hidden = self._normal(self._words[ids] + self._places[:size])
            mask = torch.zeros(1, 1, 1, size, dtype=torch.bfloat16)
            mask[..., count:] = -torch.inf  # nothing looks at what was filled up
            for layer in self._layers:
                hidden = layer(hidden, mask.expand(1, 1, size, size))
            mean = hidden[:count].mean(0)
            made: NDArray[np.float32] = (mean / mean.norm()).numpy()
        return made


def _layer(weights: Weights, stem: str) -> Layer:
    parts = [f"{stem}attention.self.{part}" for part in ("query", "key", "value")]
    asked = _product(weights, *parts)
    mixed = _product(weights, f"{stem}attention.output.dense")
    wide = _product(weights, f"{stem}intermediate.dense", after="gelu")
    narrow = _product(weights, f"{stem}output.dense")
    first = _normal(weights, f"{stem}attention.output.LayerNorm")
    second = _normal(weights, f"{stem}output.LayerNorm")

    def run(hidden: "Tensor", mask: "Tensor") -> "Tensor":
        hidden = first(hidden + mixed(_attended(asked(hidden.bfloat16()), mask)))
        return second(hidden + narrow(wide(hidden.bfloat16())))

    return run


def _attended(rows: "Tensor", mask: "Tensor") -> "Tensor":
    """Rows (n, 3 · WIDTH) of queries, keys and values, as attention mixes them, (n, WIDTH)."""
    from torch.nn.functional import scaled_dot_product_attention

    asked, keys, values = rows.view(-1, 3, 1, HEADS, WIDTH // HEADS).permute(1, 2, 3, 0, 4)
    mixed = scaled_dot_product_attention(asked, keys, values, attn_mask=mask)
    return mixed.transpose(1, 2).reshape(-1, WIDTH)


def _product(weights: Weights, *names: str, after: After = "none") -> Rows:
    """The product of halved rows with the matrices of these names, one beside the other."""
    import torch

    weight, bias = (
        torch.cat([weights[f"{name}.{part}"] for name in names]).bfloat16()
        for part in ("weight", "bias")
    )
    return packed(weight, bias, after=after) or plain(weight, bias, after=after)


def packed(weight: "Tensor", bias: "Tensor", *, after: After) -> Rows | None:
    """The product with a matrix that is laid out for the processor once, not at every use.

    By operators of torch's own compiler, of which nothing is promised: None where it refuses.
    """
    import torch

    ops = torch.ops.mkldnn
    try:
        laid_out = ops._reorder_linear_weight(weight)

        def run(rows: "Tensor") -> "Tensor":
            made: Tensor = ops._linear_pointwise(rows, laid_out, bias, after, [], "none")
            return made

        run(torch.zeros(1, weight.shape[1], dtype=weight.dtype))
    except (AttributeError, RuntimeError, TypeError):
        return None
    return run


def plain(weight: "Tensor", bias: "Tensor", *, after: After) -> Rows:
    from torch.nn.functional import gelu, linear

    if after == "gelu":
        return lambda rows: gelu(linear(rows, weight, bias))
    return lambda rows: linear(rows, weight, bias)


def _normal(weights: Weights, name: str) -> Rows:
    from torch.nn.functional import layer_norm

    weight, bias = (weights[f"{name}.{part}"] for part in ("weight", "bias"))
    return lambda rows: layer_norm(rows, (WIDTH,), weight, bias, EPSILON)
