"""Training: the right passage is to score above five that search would have found as well.

The lower layers are not trained, so what they make of a text is worked out once and kept.
"""

import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from docqa.models.registry import WIDTH
from tests.training.negatives import Example
from tests.training.network import Lower, Upper

QUESTION, PASSAGE = 40, 160  # tokens that are read of each
RATES = {"layers": 1e-4, "mix": 2e-2, "imp": 1e-3, "hid": 1e-3, "out": 1e-3}
WARMING = 50  # steps


class Texts:
    """Texts as the lower layers see them."""

    def __init__(self, lower: Lower, folder: Path) -> None:
        self._lower = lower.eval()
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._kept: dict[tuple[str, int], Tensor] = {}

    def tokens(self, text: str, most: int) -> list[int]:
        self._tokenizer.enable_truncation(most)
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def seen(self, text: str, most: int) -> Tensor:
        """(tokens, D), at half precision so that thousands fit into memory."""
        if (text, most) not in self._kept:
            ids = torch.tensor([self.tokens(text, most)])
            places = torch.arange(ids.shape[1])[None]
            with torch.no_grad():
                hidden = self._lower(ids, places)
            self._kept[text, most] = hidden[0].bfloat16()
        return self._kept[text, most]

    def batch(self, pairs: Sequence[tuple[str, str]]) -> tuple[Tensor, Tensor, Tensor]:
        """What `Upper` takes: (B, L, D) and the masks of the question and of the passage."""
        seen = [(self.seen(one, QUESTION), self.seen(other, PASSAGE)) for one, other in pairs]
        longest = max(len(one) + len(other) for one, other in seen)
        hidden = torch.zeros(len(pairs), longest, WIDTH)
        masks = torch.zeros(2, len(pairs), longest)
        for row, (one, other) in enumerate(seen):
            both = len(one) + len(other)
            hidden[row, :both] = torch.cat([one, other]).float()
            masks[0, row, : len(one)] = masks[1, row, len(one) : both] = 1
        return hidden, masks[0], masks[1]


def train(
    upper: Upper,
    texts: Texts,
    examples: Sequence[Example],
    *,
    steps: int = 300,
    questions: int = 6,
    wrong: int = 5,
) -> list[float]:
    """The loss of each step: the cross-entropy of choosing the passage that answers."""
    optimizer = _optimizer(upper)
    rates = [group["lr"] for group in optimizer.param_groups]
    enough = [example for example in examples if len(example.wrong) >= wrong]
    losses: list[float] = []
    started = time.process_time()
    for step in range(steps):
        share = min(1, (step + 1) / WARMING) * max(0.02, 1 - step / steps)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share
        turn = [enough[(step * questions + place) % len(enough)] for place in range(questions)]
        losses.append(_step(upper, texts, turn, optimizer, step=step, wrong=wrong))
        if step % 25 == 24:
            mean, took = math.fsum(losses[-25:]) / 25, time.process_time() - started
            sys.stderr.write(f"step {step + 1}: loss {mean:.3f}, {took:.0f} s of processor time\n")
    return losses


def _step(
    upper: Upper,
    texts: Texts,
    examples: Sequence[Example],
    optimizer: torch.optim.Optimizer,
    *,
    step: int,
    wrong: int,
) -> float:
    pairs = []
    for each in examples:
        first = step % (len(each.wrong) - wrong + 1)
        chosen = [each.right[step % len(each.right)], *each.wrong[first : first + wrong]]
        pairs += [(each.question, text) for text in chosen]
    scores = upper(*texts.batch(pairs)).view(len(examples), -1)
    loss = functional.cross_entropy(scores, torch.zeros(len(examples), dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def _optimizer(upper: Upper) -> torch.optim.Optimizer:
    groups = [
        {"params": [p for name, p in upper.named_parameters() if name.startswith(stem)], "lr": rate}
        for stem, rate in RATES.items()
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01)
