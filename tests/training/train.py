"""Training: what answers is to score above what a search finds beside it, and above 0.

Of a question that nothing answers all are to score below 0, as if there were a text beside them
that says so (Devlin et al., "BERT", 2019, section 4.3).

The lower layers are not trained, so what they make of a text is worked out once and kept.
"""

import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from docqa.models.registry import WIDTH
from tests.training.lessons import Example
from tests.training.network import APART, Lower, Upper

# Tokens that are read of each; a search reads OWN.max_tokens.
QUESTION, PASSAGE, PIECE = 64, 192, 96
RATES = {"layers": 1e-4, "mix": 2e-2, "imp": 1e-3, "hid": 1e-3, "out": 1e-3}
ALIKE = 12  # pairs of about a length that are worked out together
FEW = 32  # tokens, a multiple of which a batch has
WARMING = 50  # steps
LEFT_OUT = 0.3  # of the lessons whose question is answered: what answers is not among the texts


def in_halves() -> torch.autocast:
    """Layers multiply in bfloat16 where the processor does, which takes half the time (Micikevicius
    et al., "Mixed precision training", 2018)."""
    return torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported())


def rounded(length: int) -> int:
    """Few lengths, as what multiplies is prepared anew for each."""
    return -(-length // FEW) * FEW


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

    def see(self, pairs: Sequence[tuple[str, str]], most: int) -> None:
        """Work out what was not seen before, together, at half precision so that thousands fit into
        memory."""
        texts = ((one, QUESTION) for one, _ in pairs), ((other, most) for _, other in pairs)
        new = [each for each in dict.fromkeys(chain(*texts)) if each not in self._kept]
        if not new:
            return
        tokens = [self.tokens(*each) for each in new]
        longest = rounded(max(map(len, tokens)))
        ids = torch.zeros(len(new), longest, dtype=torch.long)
        filler = torch.full((len(new), longest), APART)
        for row, numbers in enumerate(tokens):
            ids[row, : len(numbers)], filler[row, : len(numbers)] = torch.tensor(numbers), 0.0
        with torch.no_grad(), in_halves():
            hidden = self._lower(ids, torch.arange(longest)[None], filler[:, None, None])
        for each, row, read in zip(new, hidden.bfloat16(), tokens, strict=True):
            self._kept[each] = row[: len(read)].clone()

    def length(self, pair: tuple[str, str], most: int) -> int:
        """The tokens of a question and a passage that were seen."""
        return len(self._kept[pair[0], QUESTION]) + len(self._kept[pair[1], most])

    def batch(
        self, pairs: Sequence[tuple[str, str]], most: int = PASSAGE
    ) -> tuple[Tensor, Tensor, Tensor]:
        """What `Upper` takes: (B, L, D) and the masks of the question and of the passage, of which
        ``most`` tokens are read."""
        self.see(pairs, most)
        seen = [(self._kept[one, QUESTION], self._kept[other, most]) for one, other in pairs]
        longest = rounded(max(len(one) + len(other) for one, other in seen))
        hidden = torch.zeros(len(pairs), longest, WIDTH)
        masks = torch.zeros(2, len(pairs), longest)
        for row, (one, other) in enumerate(seen):
            both = len(one) + len(other)
            hidden[row, :both] = torch.cat([one, other]).float()
            masks[0, row, : len(one)] = masks[1, row, len(one) : both] = 1
        return hidden, masks[0], masks[1]


@dataclass(frozen=True, slots=True)
class Turn:
    """Questions of one step, each with as many texts, of which one answers or none; ``most`` tokens
    are read of each."""

    examples: list[Example]
    most: int


def turns(
    lessons: Sequence[Example], *, questions: int, wrong: int, most: int, random: Random
) -> Iterator[Turn]:
    """``questions`` lessons at a time, all before any again, each with ``wrong`` others beside what
    answers, or one more; without end."""
    enough = [each for each in lessons if len(each.wrong) > wrong]
    left: list[Example] = []
    while True:
        if len(left) < questions:
            left += random.sample(enough, len(enough))
        now, left = left[:questions], left[questions:]
        yield Turn([_drawn(each, wrong, random) for each in now], most)


def _drawn(lesson: Example, wrong: int, random: Random) -> Example:
    if not lesson.right or random.random() < LEFT_OUT:
        return Example(lesson.question, (), tuple(random.sample(lesson.wrong, wrong + 1)))
    right = random.choice(lesson.right)
    return Example(lesson.question, (right,), tuple(random.sample(lesson.wrong, wrong)))


def train(
    upper: Upper, texts: Texts, kinds: Sequence[Iterator[Turn]], *, steps: int
) -> list[float]:
    """The loss of each step, of each kind of lesson in turn: the cross-entropy of choosing what
    answers, or that nothing does."""
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
    scores = _together(upper, texts, pairs, turn.most).view(len(turn.examples), -1)
    nothing = scores.shape[1]  # the place of the 0 beside them
    chosen = torch.tensor([0 if each.right else nothing for each in turn.examples])
    loss = functional.cross_entropy(functional.pad(scores, (0, 1)), chosen)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def _together(upper: Upper, texts: Texts, pairs: Sequence[tuple[str, str]], most: int) -> Tensor:
    """Raw scores of pairs, (B,), worked out with others of about their length."""
    texts.see(pairs, most)
    order = sorted(range(len(pairs)), key=lambda at: texts.length(pairs[at], most))
    made = []
    for start in range(0, len(order), ALIKE):
        hidden, question, passage = texts.batch(
            [pairs[at] for at in order[start : start + ALIKE]], most
        )
        with in_halves():
            hidden = upper.read(hidden, question, passage)
        made.append(upper.judged(hidden, question, passage))
    return torch.cat(made)[torch.tensor(order).argsort()]


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
