"""Training: what answers is to score above what a search finds beside it.

The lower layers are not trained, so what they make of a text is worked out once and kept.
"""

import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from docqa.models.registry import WIDTH
from tests.training.lessons import Example
from tests.training.network import Lower, Upper

QUESTION, PASSAGE, PIECE = (
    40,
    192,
    96,
)  # tokens that are read of each; a search reads OWN.max_tokens
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

    def batch(
        self, pairs: Sequence[tuple[str, str]], most: int = PASSAGE
    ) -> tuple[Tensor, Tensor, Tensor]:
        """What `Upper` takes: (B, L, D) and the masks of the question and of the passage, of which
        ``most`` tokens are read."""
        seen = [(self.seen(one, QUESTION), self.seen(other, most)) for one, other in pairs]
        longest = max(len(one) + len(other) for one, other in seen)
        hidden = torch.zeros(len(pairs), longest, WIDTH)
        masks = torch.zeros(2, len(pairs), longest)
        for row, (one, other) in enumerate(seen):
            both = len(one) + len(other)
            hidden[row, :both] = torch.cat([one, other]).float()
            masks[0, row, : len(one)] = masks[1, row, len(one) : both] = 1
        return hidden, masks[0], masks[1]


@dataclass(frozen=True, slots=True)
class Turn:
    """Questions of one step, each with one text that answers; ``most`` tokens are read of each."""

    examples: list[Example]
    most: int


def turns(
    lessons: Sequence[Example], *, questions: int, wrong: int, most: int, random: Random
) -> Iterator[Turn]:
    """``questions`` lessons at a time, all before any again, each with ``wrong`` others beside what
    answers; without end."""
    enough = [each for each in lessons if each.right and len(each.wrong) >= wrong]
    left: list[Example] = []
    while True:
        if len(left) < questions:
            left += random.sample(enough, len(enough))
        now, left = left[:questions], left[questions:]
        drawn = [
            Example(
                each.question,
                (random.choice(each.right),),
                tuple(random.sample(each.wrong, wrong)),
            )
            for each in now
        ]
        yield Turn(drawn, most)


def train(
    upper: Upper, texts: Texts, kinds: Sequence[Iterator[Turn]], *, steps: int
) -> list[float]:
    """The loss of each step, of each kind of lesson in turn: the cross-entropy of choosing what
    answers."""
    optimizer = _optimizer(upper)
    rates = [group["lr"] for group in optimizer.param_groups]
    losses: list[float] = []
    started = time.process_time()
    for step in range(steps):
        share = min(1, (step + 1) / WARMING) * max(0.02, 1 - step / steps)
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = rate * share
        losses.append(_step(upper, texts, next(kinds[step % len(kinds)]), optimizer))
        if step % 50 == 49:
            mean, took = math.fsum(losses[-50:]) / 50, time.process_time() - started
            sys.stderr.write(f"step {step + 1}: loss {mean:.3f}, {took:.0f} s of processor time\n")
    return losses


def _step(upper: Upper, texts: Texts, turn: Turn, optimizer: torch.optim.Optimizer) -> float:
    pairs = [(each.question, text) for each in turn.examples for text in (*each.right, *each.wrong)]
    scores = upper(*texts.batch(pairs, turn.most)).view(len(turn.examples), -1)
    loss = functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.long))
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def scores(upper: Upper, texts: Texts, lesson: Example) -> list[float]:
    """Raw scores of a lesson's texts, those that answer first."""
    pairs = [(lesson.question, text) for text in (*lesson.right, *lesson.wrong)]
    with torch.no_grad():
        found: list[float] = upper(*texts.batch(pairs)).tolist()
    return found


def _optimizer(upper: Upper) -> torch.optim.Optimizer:
    groups = [
        {"params": [p for name, p in upper.named_parameters() if name.startswith(stem)], "lr": rate}
        for stem, rate in RATES.items()
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01)
