"""Training: what answers is to score above what a search finds beside it, and above 0.

Of a question that nothing answers all are to score below 0, as if there were a text beside them
that says so (Devlin et al., "BERT", 2019, section 4.3).
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

from tests.training.examples import Example
from tests.training.network import Reader

# Tokens that are read of each; a search reads OWN.max_tokens.
QUESTION, PASSAGE, PIECE = 64, 160, 96
RATES = {"layers": 1e-4, "": 1e-4, "mix": 2e-2, "imp": 1e-3, "hid": 1e-3, "out": 1e-3}
TOKENS = {"cpu": 4096, "cuda": 65536}  # of pairs of about a length that are worked out together
FEW = 32  # tokens, a multiple of which a batch has, as what multiplies is prepared for each
WARMING = 0.03  # of the steps
LEFT_OUT = 0.3  # of the lessons whose question is answered: what answers is not among the texts

Pair = tuple[Sequence[int], Sequence[int]]  # the tokens of a question and a passage


def in_halves(device: torch.device) -> torch.autocast:
    """Layers multiply in bfloat16 where the machine does, which takes half the time (Micikevicius
    et al., "Mixed precision training", 2018)."""
    able = device.type != "cpu" or torch.cpu._is_avx512_bf16_supported()
    return torch.autocast(device.type, torch.bfloat16, enabled=able)


class Texts:
    """Texts as tokens."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max(QUESTION, PASSAGE))
        self._kept: dict[str, list[int]] = {}

    def see(self, texts: Sequence[str]) -> None:
        """Read what was not seen before, all at once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        for text, read in zip(new, self._tokenizer.encode_batch_fast(new), strict=True):
            self._kept[text] = read.ids

    def tokens(self, text: str, most: int) -> list[int]:
        """Cut to ``most``, the last one its end."""
        self.see([text])
        ids = self._kept[text]
        return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]

    def pair(self, question: str, text: str, most: int) -> Pair:
        return self.tokens(question, QUESTION), self.tokens(text, most)


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
    reader: Reader,
    texts: Texts,
    kinds: Sequence[Iterator[Turn]],
    *,
    steps: int,
    rate: float = 1.0,
) -> list[float]:
    """The loss of each step, of each kind of lesson in turn: the cross-entropy of choosing what
    answers, or that nothing does. ``rate`` is what the learning rates are multiplied by."""
    optimizer = _optimizer(reader, rate)
    rates = [group["lr"] for group in optimizer.param_groups]
    losses: list[float] = []
    started = time.monotonic()
    reader.train()
    for step in range(steps):
        share = min(1, (step + 1) / (WARMING * steps)) * max(0.02, 1 - step / steps)
        for group, own in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = own * share
        losses.append(_step(reader, texts, next(kinds[step % len(kinds)]), optimizer))
        if step % 50 == 49:
            mean, took = math.fsum(losses[-50:]) / 50, time.monotonic() - started
            sys.stderr.write(f"step {step + 1}: loss {mean:.3f}, {took:.0f} s\n")
    reader.eval()
    return losses


def _step(reader: Reader, texts: Texts, turn: Turn, optimizer: torch.optim.Optimizer) -> float:
    pairs = [
        texts.pair(each.question, text, turn.most)
        for each in turn.examples
        for text in (*each.right, *each.wrong)
    ]
    scores = together(reader, pairs).view(len(turn.examples), -1)
    nothing = scores.shape[1]  # the place of the 0 beside them
    chosen = torch.tensor([0 if each.right else nothing for each in turn.examples])
    loss = functional.cross_entropy(functional.pad(scores, (0, 1)), chosen.to(scores.device))
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def together(reader: Reader, pairs: Sequence[Pair]) -> Tensor:
    """Raw scores of pairs, (B,), worked out with others of about their length."""
    device = reader.mix.device
    lengths = [len(one) + len(other) for one, other in pairs]
    order = sorted(range(len(pairs)), key=lambda at: lengths[at])
    made, start = [], 0
    while start < len(order):
        longest = rounded(lengths[order[-1]])
        end = start + max(1, TOKENS[device.type] // longest)
        batch = filled_up([pairs[at] for at in order[start:end]], device)
        with in_halves(device):
            hidden = reader.read(*batch)
        made.append(reader.judged(hidden, *batch[1:]))
        start = end
    return torch.cat(made)[torch.tensor(order).argsort().to(device)]


def rounded(length: int) -> int:
    return -(-length // FEW) * FEW


def filled_up(pairs: Sequence[Pair], device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    """What `Reader` takes: tokens, (B, L), and the masks of question and passage."""
    longest = rounded(max(len(one) + len(other) for one, other in pairs))
    ids = torch.zeros(len(pairs), longest, dtype=torch.long)
    masks = torch.zeros(2, len(pairs), longest)
    for row, (one, other) in enumerate(pairs):
        both = len(one) + len(other)
        ids[row, :both] = torch.tensor([*one, *other])
        masks[0, row, : len(one)] = masks[1, row, len(one) : both] = 1
    return ids.to(device), masks[0].to(device), masks[1].to(device)


def scores(reader: Reader, texts: Texts, lesson: Example) -> list[float]:
    """Raw scores of a lesson's texts, those that answer first."""
    pairs = [texts.pair(lesson.question, each, PASSAGE) for each in (*lesson.right, *lesson.wrong)]
    with torch.no_grad():
        found: list[float] = together(reader, pairs).tolist()
    return found


def _optimizer(reader: Reader, rate: float) -> torch.optim.Optimizer:
    groups: dict[str, list[torch.nn.Parameter]] = {stem: [] for stem in RATES}
    for name, parameter in reader.named_parameters():
        stem = name.split(".")[0]
        if parameter.requires_grad:
            groups[stem if stem in RATES else ""].append(parameter)
    rated = [{"params": groups[stem], "lr": own * rate} for stem, own in RATES.items()]
    return torch.optim.AdamW(rated, weight_decay=0.01)
