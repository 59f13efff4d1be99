"""A network of fewer layers learns to score as the trained one does, in a third of the time.

It starts with some of the trained network's layers. What its last layer makes of each token is
drawn to what the other's makes of it, so that a pair teaches as much as it has words (Jiao et al.,
"TinyBERT", Findings of EMNLP 2020), and its scores to the other's, each and in their shares of a
question's candidates (Hinton et al. 2015). Who answers is not told again.
"""

import sys
import time
from collections.abc import Sequence
from random import Random

import torch
from torch import Tensor
from torch.nn import functional

from docqa.models.registry import OWN
from tests.training.negatives import Example
from tests.training.network import Reader
from tests.training.train import QUESTION, WARMING, Texts

QUESTIONS, CANDIDATES = 4, 8  # of a step; one of the candidates answers
RATE = 4e-4
TOKENS, RAW = 5.0, 0.1  # what the tokens and the scores weigh beside the shares
ROWS = 32  # rows are filled up to a multiple, on which attention is faster

Rows = tuple[Tensor, Tensor, Tensor]  # tokens and two masks, as `Reader.batch` takes them


def distil(
    teacher: Reader,
    student: Reader,
    texts: Texts,
    examples: Sequence[Example],
    *,
    steps: int,
    random: Random,
) -> list[float]:
    """Trains ``student``; the loss of each step."""
    enough = [each for each in examples if len(each.wrong) >= CANDIDATES - 1]
    learning = [each for each in student.parameters() if each is not student.lower.words.weight]
    optimizer = torch.optim.AdamW(learning, lr=RATE, weight_decay=0.01)
    losses: list[float] = []
    started = time.process_time()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / WARMING) * max(0.02, 1 - step / steps)
        turn = [enough[(step * QUESTIONS + place) % len(enough)] for place in range(QUESTIONS)]
        loss = difference(teacher, student, rows(texts, _pairs(turn, random)))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 50 == 49:
            mean, took = sum(losses[-50:]) / 50, time.process_time() - started
            sys.stderr.write(f"step {step + 1}: loss {mean:.3f}, {took:.0f} s of processor time\n")
    return losses


def _pairs(examples: Sequence[Example], random: Random) -> list[tuple[str, str]]:
    return [
        (each.question, text)
        for each in examples
        for text in (random.choice(each.right), *random.sample(each.wrong, CANDIDATES - 1))
    ]


def rows(texts: Texts, pairs: Sequence[tuple[str, str]]) -> Rows:
    """The pairs as rows of tokens, (B, L), with the masks of question and passage.

    Of a passage as much is read as in use, of which the larger network had seen more.
    """
    most = OWN.max_tokens
    read = [(texts.tokens(one, QUESTION), texts.tokens(other, most)) for one, other in pairs]
    longest = max(len(one) + len(other) for one, other in read)
    made = torch.zeros(3, len(pairs), -(-longest // ROWS) * ROWS)
    for row, (one, other) in enumerate(read):
        both = len(one) + len(other)
        made[0, row, :both] = torch.tensor([*one, *other])
        made[1, row, : len(one)] = made[2, row, len(one) : both] = 1
    return made[0].long(), made[1], made[2]


def difference(teacher: Reader, student: Reader, given: Rows) -> Tensor:
    """How far the student is from the teacher: over tokens, scores, and shares of candidates."""
    real = (given[1] + given[2])[..., None]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with torch.no_grad():
            meant, right = (each.float() for each in teacher.batch(*given))
        made, scored = student.batch(*given)
    tokens = ((made - meant).square() * real).sum() / (meant.square() * real).sum()
    shared, due = (each.view(-1, CANDIDATES).log_softmax(-1) for each in (scored.float(), right))
    apart = functional.kl_div(shared, due, log_target=True, reduction="batchmean")
    return TOKENS * tokens + RAW * (scored - right).square().mean() + apart


def scores(reader: Reader, texts: Texts, example: Example) -> list[float]:
    """Raw scores of the example's passages, the right ones first."""
    pairs = [(example.question, text) for text in (*example.right, *example.wrong)]
    with torch.no_grad():
        found: list[float] = reader.batch(*rows(texts, pairs))[1].tolist()
    return found
