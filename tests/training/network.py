"""The bundled reranker's network, and its export as one small ONNX file.

It begins as all-MiniLM-L6-v2: three layers read the question and the passage each for itself, as
the encoder does, three read both together (MacAvaney et al., "Efficient document re-ranking for
transformers by precomputing term representations", SIGIR 2020); all are taught but the table of
words. The score begins as what the encoder knows: the cosine of the two means, and for each word of
the question its best match in the passage (Khattab and Zaharia, "ColBERT", SIGIR 2020). So an
untrained network already ranks.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from docqa.models.registry import HEADS, LAYERS, WIDTH
from tests.training.written import Written

APART_LAYERS = 3  # of six; with none fewer questions held back were answered first
DROPPED = 0.1  # of what a layer adds, in training
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
        self.drop = nn.Dropout(DROPPED)

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """(B, L, D); ``bias`` is added to the attention, (B, 1, L, L)."""
        q, k, v = (self._heads(linear(hidden)) for linear in (self.q, self.k, self.v))
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        hidden = self.n1(hidden + self.drop(self.o(mixed.transpose(1, 2).flatten(2))))
        wide = functional.gelu(self.up(hidden))
        made: Tensor = self.n2(hidden + self.drop(self.down(wide)))
        return made

    @staticmethod
    def _heads(x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)


def _table(rows: Tensor) -> nn.Embedding:
    made = nn.Embedding(*rows.shape)
    made.load_state_dict({"weight": rows})
    return made


class Reader(nn.Module):
    """Tokens of a question and a passage to a score."""

    def __init__(self, weights: Weights, *, apart: int = APART_LAYERS) -> None:
        super().__init__()
        self.apart = apart
        self.words = _table(weights["embeddings.word_embeddings.weight"]).requires_grad_(False)
        self.places = _table(weights["embeddings.position_embeddings.weight"])
        self.kind = nn.Parameter(weights["embeddings.token_type_embeddings.weight"][0])
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        stem = "embeddings.LayerNorm."
        self.norm.load_state_dict({end: weights[stem + end] for end in ("weight", "bias")})
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(LAYERS))
        self.imp = nn.Linear(WIDTH, 1)  # how much each word of the question matters
        self.mix = nn.Parameter(torch.tensor([10.0, 10.0]))
        self.hid, self.out = nn.Linear(3 * WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        for zero in (self.imp, self.out):
            nn.init.zeros_(zero.weight)
            nn.init.zeros_(zero.bias)
        nn.init.constant_(self.out.bias, -10.0)  # what is half as like as can be scores 0
        self.slope, self.shift = 1.0, 0.0  # Platt's calibration

    def forward(self, ids: Tensor, question: Tensor, passage: Tensor) -> Tensor:
        """Rows of tokens "[CLS] question [SEP] [CLS] passage [SEP]", filled up, (B, L), and masks
        of their two parts, of 0 and 1: the raw scores, (B,)."""
        return self.judged(self.read(ids, question, passage), question, passage)

    def read(self, ids: Tensor, question: Tensor, passage: Tensor) -> Tensor:
        """What the last layer makes of each token, (B, L, D)."""
        asked = question.sum(1, keepdim=True).long()
        places = torch.arange(ids.shape[1], device=ids.device) - passage.long() * asked
        hidden: Tensor = self.norm(self.words(ids) + self.places(places) + self.kind)
        apart = attention_bias(question, passage, across=APART)
        together = attention_bias(question, passage, across=0.0)
        for number, layer in enumerate(self.layers):
            hidden = layer(hidden, apart if number < self.apart else together)
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


def save(reader: Reader, target: Path) -> None:
    """Write a network with weights of 8 bits, one scale for each column.

    ``target`` is the ONNX file, of about 12 MB; the multiplications of its layers run on 8-bit
    numbers.
    """
    Written(reader).save(target)
