"""The bundled reranker's network, and its export as one small ONNX file.

The one that is taught is all-MiniLM-L6-v2 taken apart: the three lower layers read the question
and the passage each for itself, as the encoder does, and stay as they are; the three upper ones
read both together and are trained (MacAvaney et al., "Efficient document re-ranking for
transformers by precomputing term representations", SIGIR 2020). The score starts as what the
encoder knows: the cosine of the two means, and for each word of the question its best match in the
passage (Khattab and Zaharia, "ColBERT", SIGIR 2020). So an untrained network already ranks, and
little training is needed.
"""

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from docqa.models.registry import HEADS, LAYERS, WIDTH
from tests.training.written import Written

LOWER = 3  # layers
START_TOKEN = 101  # [CLS]: the second one of a row is where the passage begins
APART = -1e4  # attention to what is not to be read

Weights = dict[str, Tensor]


def bundled_weights(folder: Path) -> Weights:
    """The encoder's tensors by name, float32."""
    return {
        name: tensor.float() for name, tensor in load_file(folder / "model.safetensors").items()
    }


class Layer(nn.Module):
    """One layer of BERT (Devlin et al. 2019), with the encoder's weights."""

    def __init__(self, weights: Weights, number: int) -> None:
        super().__init__()
        stem = f"encoder.layer.{number}."

        def linear(name: str) -> nn.Linear:
            weight, bias = weights[f"{stem}{name}.weight"], weights[f"{stem}{name}.bias"]
            made = nn.Linear(weight.shape[1], weight.shape[0])
            made.load_state_dict({"weight": weight, "bias": bias})
            return made

        def norm(name: str) -> nn.LayerNorm:
            made = nn.LayerNorm(WIDTH, eps=1e-12)
            made.load_state_dict(
                {end: weights[f"{stem}{name}.{end}"] for end in ("weight", "bias")}
            )
            return made

        self.q, self.k, self.v = (linear(f"attention.self.{x}") for x in ("query", "key", "value"))
        self.o, self.n1 = linear("attention.output.dense"), norm("attention.output.LayerNorm")
        self.up, self.down = linear("intermediate.dense"), linear("output.dense")
        self.n2 = norm("output.LayerNorm")

    def forward(self, hidden: Tensor, bias: Tensor | None = None) -> Tensor:
        """(B, L, D); ``bias`` is added to the attention, (B, 1, L, L) or (B, 1, 1, L)."""
        q, k, v = (self._heads(linear(hidden)) for linear in (self.q, self.k, self.v))
        weights = q @ k.transpose(2, 3) / math.sqrt(WIDTH / HEADS)
        shares = (weights if bias is None else weights + bias.to(q.dtype)).softmax(-1)
        hidden = self.n1(hidden + self.o((shares @ v).transpose(1, 2).flatten(2)))
        made: Tensor = self.n2(hidden + self.down(functional.gelu(self.up(hidden))))
        return made

    @staticmethod
    def _heads(x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)


def _table(rows: Tensor) -> nn.Embedding:
    made = nn.Embedding(*rows.shape)
    made.load_state_dict({"weight": rows})
    return made


class Lower(nn.Module):
    """Embeddings and the lower layers, as the encoder has them."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.words = _table(weights["embeddings.word_embeddings.weight"])
        self.places = _table(weights["embeddings.position_embeddings.weight"])
        self.register_buffer("kind", weights["embeddings.token_type_embeddings.weight"][0])
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        stem = "embeddings.LayerNorm."
        self.norm.load_state_dict({end: weights[stem + end] for end in ("weight", "bias")})
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(LOWER))

    def forward(self, ids: Tensor, places: Tensor, bias: Tensor | None = None) -> Tensor:
        hidden: Tensor = self.norm(self.words(ids) + self.places(places) + self.kind)
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden


class Upper(nn.Module):
    """The layers that read question and passage together, and what they score by."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(LOWER, LAYERS))
        self.imp = nn.Linear(WIDTH, 1)  # how much each word of the question matters
        self.mix = nn.Parameter(torch.tensor([10.0, 10.0]))
        self.hid, self.out = nn.Linear(3 * WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        for zero in (self.imp, self.out):
            nn.init.zeros_(zero.weight)
            nn.init.zeros_(zero.bias)
        nn.init.constant_(self.out.bias, -10.0)  # what is half as like as can be scores 0

    def forward(self, hidden: Tensor, question: Tensor, passage: Tensor) -> Tensor:
        """(B, L, D) and two masks (B, L) of 0 and 1; the raw score, (B,)."""
        return self.judged(self.read(hidden, question, passage), question, passage)

    def read(self, hidden: Tensor, question: Tensor, passage: Tensor) -> Tensor:
        """The same after all layers, (B, L, D)."""
        bias = attention_bias(question, passage, across=0.0)
        for layer in self.layers:
            hidden = layer(hidden, bias)
        return hidden.float()

    def judged(self, hidden: Tensor, question: Tensor, passage: Tensor) -> Tensor:
        """The raw score, (B,)."""
        q = (hidden * question[..., None]).sum(1) / question.sum(1, keepdim=True)
        p = (hidden * passage[..., None]).sum(1) / passage.sum(1, keepdim=True)
        matched = functional.normalize(hidden, dim=-1)
        best = (matched @ matched.transpose(1, 2) - (1.0 - passage)[:, None, :] * 9.0).amax(-1)
        matters = (self.imp(hidden)[..., 0] + (1.0 - question) * APART).softmax(-1)
        judged: Tensor = self.out(functional.gelu(self.hid(torch.cat([q, p, q * p], -1))))
        cosine = (functional.normalize(q, dim=-1) * functional.normalize(p, dim=-1)).sum(-1)
        raw: Tensor = self.mix[0] * cosine + self.mix[1] * (matters * best).sum(-1) + judged[..., 0]
        return raw


def attention_bias(question: Tensor, passage: Tensor, *, across: float) -> Tensor:
    """What is added to the attention, (B, 1, L, L): nothing looks at padding, and question and
    passage look at each other less by ``across``."""
    between = question[:, :, None] * passage[:, None, :]
    between = (between + between.transpose(1, 2))[:, None]
    padding = (1.0 - question - passage)[:, None, None, :]
    return padding * APART + between * across


class Reader(nn.Module):
    """The whole: a row of tokens "[CLS] question [SEP] [CLS] passage [SEP]" to a score, 0–1.

    `batch` takes rows of several lengths.
    """

    def __init__(self, lower: Lower, upper: Upper, *, slope: float = 1.0, shift: float = 0.0):
        super().__init__()
        self.lower, self.upper = lower, upper
        self.slope, self.shift = slope, shift  # Platt's calibration

    def batch(self, ids: Tensor, question: Tensor, passage: Tensor) -> tuple[Tensor, Tensor]:
        """Rows of different lengths, filled up, (B, L), and masks of their two parts: what the
        last layer makes of each token, (B, L, D), and the raw scores, (B,)."""
        asked = question.sum(1, keepdim=True).long()
        places = torch.arange(ids.shape[1]) - passage.long() * asked
        apart = attention_bias(question, passage, across=APART)
        hidden = self.lower(ids, places, bias=apart)
        hidden = self.upper.read(hidden, question, passage)
        return hidden, self.upper.judged(hidden, question, passage)

    def raw(self, ids: Tensor) -> Tensor:
        """(1, L) to (1,)."""
        passage = ((ids == START_TOKEN).long().cumsum(1) > 1).float()
        return self.batch(ids, 1 - passage, passage)[1]

    def forward(self, ids: Tensor) -> Tensor:
        return torch.sigmoid(self.slope * self.raw(ids) + self.shift)


def save(reader: Reader, target: Path) -> None:
    """Write a network with weights of 8 bits, one scale for each column.

    ``target`` is the ONNX file, of about 23 MB; the multiplications of its layers run on 8-bit
    numbers.
    """
    Written(reader).save(target)
