"""Teaches the layers that read rows and columns of tables beside a question.

    python -m tests.training.table_reader --out docqa/models/table_reader.onnx [--rounds N]

They begin as the reranker's, and read what its first layers make of a question and of a row, which
stay as they are: what is kept of a row serves both. Learnt from are the questions of
`table_questions.FOR_NETWORK`: rows and columns that have a cell which answers are to score above 0
and above the others of their document. Printed is how often those that answer score highest for
the questions of `table_questions.HELD`, of fields that are not learnt from.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from docqa.answer.findings.table_lines import column_text, row_text
from docqa.models.parted import parted
from docqa.models.registry import MINILM, SHIPPED, path_of, required_folder
from tests.training.composed import read_lines
from tests.training.network import Reader, attention_bias, save
from tests.training.read_back import reader_in
from tests.training.table_questions import FOR_NETWORK, HELD
from tests.training.train import Texts, filled_up, in_halves

QUESTION, LINE = 48, 96  # tokens that are read of each
QUESTIONS = 8  # of a step
ROWS, COLUMNS = 12, 6  # of a question that are read, at the least those that answer and four more
ANSWERING = 8  # the most that answer
TOGETHER = 32  # pairs of about a length that are worked out together
NEAR = 0.6  # how much rather lines of the table that answers are taken than others
RATE, OF_HEAD, OF_MIX = 1e-4, 5e-4, 5e-3
WARMING = 0.05  # of the steps
APART, OF_COLUMNS = 0.8, 0.5  # what each line by itself weighs, and what columns do
ROUNDS = 1.2

Kind = Literal["row", "column"]
Pair = tuple[str, str]  # a question and a line


@dataclass(frozen=True, slots=True)
class Lines:
    """The rows, or the columns, of a document's tables, with the table of each; ``right`` are the
    places of those that answer."""

    texts: Sequence[str]
    tables: Sequence[int]
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Lesson:
    question: str
    rows: Lines
    columns: Lines

    @property
    def kinds(self) -> tuple[tuple[Lines, int, float], ...]:
        """Each with how many are read of it, and what it weighs."""
        return (self.rows, ROWS, 1.0), (self.columns, COLUMNS, OF_COLUMNS)


def lessons(path: Path) -> Iterator[Lesson]:
    for document in read_lines(path):
        tables = [part for part in document["parts"] if part["kind"] == "table"]
        rows = [(n, at, text) for n, each in enumerate(tables) for at, text in _rows(each)]
        columns = [(n, at, text) for n, each in enumerate(tables) for at, text in _columns(each)]
        for asked in document["questions"]:
            cells = [(asked["table"], row, column) for row, column in asked["cells"]]
            yield Lesson(
                asked["question"],
                _lines(rows, {(table, row) for table, row, _ in cells}),
                _lines(columns, {(table, column) for table, _, column in cells}),
            )


def _lines(every: Sequence[tuple[int, int, str]], right: set[tuple[int, int]]) -> Lines:
    found = frozenset(at for at, (table, line, _) in enumerate(every) if (table, line) in right)
    return Lines([text for *_, text in every], [table for table, *_ in every], found)


def _rows(table: dict[str, Any]) -> Iterator[tuple[int, str]]:
    group, (_, *heads) = "", _heads(table)
    for at, row in enumerate(table["rows"]):
        label, *cells = (str(cell).strip() for cell in row)
        if not any(cells):
            group = label
            continue
        cells += [""] * (len(heads) - len(cells))
        yield at, row_text(table["title"], [group], label, heads, cells)


def _columns(table: dict[str, Any]) -> Iterator[tuple[int, str]]:
    for at, heading in enumerate(_heads(table)):
        yield at, column_text(table["title"], heading)


def _heads(table: dict[str, Any]) -> list[str]:
    """What is printed over each column, names over several columns first."""
    widest = max(map(len, table["rows"]))
    above = [[*each, *[""] * (widest - len(each))][:widest] for each in table["head"]]
    return [" ".join(dict.fromkeys(filter(None, names))) for names in zip(*above, strict=True)]


class TableReader:
    """The reranker's network, of which the layers that read both together are to be taught."""

    def __init__(self, reader: Reader, texts: Texts) -> None:
        self.reader = reader
        self._texts = texts
        self._kept: dict[tuple[str, int], Tensor] = {}  # what a text is alone, (L, D)
        for each in reader.parameters():
            each.requires_grad_(False)
        self.layers = [*chain.from_iterable(each.parameters() for each in self._upper)]
        self.head = [*reader.hid.parameters(), *reader.out.parameters(), *reader.imp.parameters()]
        for each in (*self.layers, *self.head, reader.mix):
            each.requires_grad_(True)

    @property
    def _upper(self) -> Sequence[nn.Module]:
        return [*self.reader.layers][self.reader.apart :]

    def scores(self, pairs: Sequence[Pair]) -> Tensor:
        """Raw scores of pairs, (B,), worked out with others of about their length."""
        both = [(self._alone(one, QUESTION), self._alone(other, LINE)) for one, other in pairs]
        order = sorted(range(len(pairs)), key=lambda at: sum(map(len, both[at])))
        runs = [order[at : at + TOGETHER] for at in range(0, len(order), TOGETHER)]
        made = [self._scores([both[at] for at in own]) for own in runs]
        return torch.cat(made)[torch.tensor(order).argsort()]

    def _scores(self, both: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
        sizes = [[range(len(each)) for each in own] for own in both]
        _, question, line = filled_up([(one, other) for one, other in sizes], torch.device("cpu"))
        joined = [torch.cat(own).float() for own in both]
        width = question.shape[1]
        hidden = torch.stack([functional.pad(own, (0, 0, 0, width - len(own))) for own in joined])
        bias = attention_bias(question, line, across=0.0)
        with in_halves(hidden.device):
            for layer in self._upper:
                hidden = layer(hidden, bias)
        return self.reader.judged(hidden.float(), question, line)

    def _alone(self, text: str, most: int) -> Tensor:
        key = text, most
        if key not in self._kept:
            ids = torch.tensor([self._texts.tokens(text, most)])
            reader = self.reader
            places = reader.places(torch.arange(ids.shape[1]))
            nothing = torch.zeros(1, 1, 1, ids.shape[1])
            with torch.no_grad():
                hidden = reader.norm(reader.words(ids) + places + reader.kind)
                for layer in [*reader.layers][: reader.apart]:
                    layer.eval()
                    hidden = layer(hidden, nothing)
            self._kept[key] = hidden[0].half()
        return self._kept[key]


def teach(network: TableReader, learnt: Sequence[Lesson], *, steps: int) -> list[float]:
    """The loss of each step."""
    random, reader = Random(0), network.reader
    groups = [(network.layers, RATE), (network.head, OF_HEAD), ([reader.mix], OF_MIX)]
    optimizer = torch.optim.AdamW(
        [{"params": own, "lr": rate} for own, rate in groups], weight_decay=0.01
    )
    left: list[Lesson] = []
    losses: list[float] = []
    started = time.monotonic()
    for step in range(1, steps + 1):
        if len(left) < QUESTIONS:
            left += random.sample(learnt, len(learnt))
        now, left = left[:QUESTIONS], left[QUESTIONS:]
        share = min(1, step / (WARMING * steps)) * max(0.02, 1 - step / steps)
        for group, (_, rate) in zip(optimizer.param_groups, groups, strict=True):
            group["lr"] = rate * share
        reader.train()
        loss = _loss(network, now, random)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_([*network.layers, *network.head, reader.mix], 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 50 == 0:
            mean, took = np.mean(losses[-50:]), time.monotonic() - started
            sys.stderr.write(f"step {step} of {steps}: loss {mean:.3f}, {took:.0f} s\n")
    reader.eval()
    return losses


def _loss(network: TableReader, now: Sequence[Lesson], random: Random) -> Tensor:
    """The cross-entropy of choosing those that answer, or that none does, and of each by itself."""
    drawn = [(each.question, *_drawn(*own, random)) for each in now for own in each.kinds]
    scores = network.scores([(asked, text) for asked, texts, *_ in drawn for text in texts])
    parts = torch.split(scores, [len(texts) for _, texts, *_ in drawn])
    losses = []
    for own, (_, _, right, weight) in zip(parts, drawn, strict=True):
        due = torch.zeros(len(own) + 1)  # the last one: that none answers
        due[:right] = 1
        due[-1] = not right
        together = -(functional.log_softmax(functional.pad(own, (0, 1)), 0) * due).sum()
        alone = functional.binary_cross_entropy_with_logits(own, due[:-1], reduction="sum")
        losses.append((together / due.sum() + APART * alone / max(1, right) ** 0.5) * weight)
    return torch.stack(losses).sum() / len(now)


def _drawn(lines: Lines, most: int, weight: float, random: Random) -> tuple[list[str], int, float]:
    """Some texts, those that answer first, how many these are, and what they weigh."""
    right = sorted(lines.right)
    right = random.sample(right, min(len(right), ANSWERING))
    tables = {lines.tables[at] for at in right}
    others = [at for at in range(len(lines.texts)) if at not in lines.right]
    others.sort(key=lambda at: random.random() + NEAR * (lines.tables[at] not in tables))
    chosen = [*right, *others[: max(4, most - len(right))]]
    return [lines.texts[at] for at in chosen], len(right), weight


def report(network: TableReader, held: Sequence[Lesson]) -> str:
    """How often one that answers scores highest, and all that do above all others."""
    lines = []
    for kind in ("rows", "columns"):
        first, every = [], []
        for lesson in held:
            own: Lines = getattr(lesson, kind)
            if own.right:
                with torch.no_grad():
                    scores = network.scores([(lesson.question, text) for text in own.texts])
                order = scores.argsort(descending=True).tolist()
                first.append(order[0] in own.right)
                every.append({*order[: len(own.right)]} == own.right)
        lines.append(
            f"{kind}: one that answers scores highest for {sum(first)} of {len(first)} questions, "
            f"all that do above all others of the document for {sum(every)}"
        )
    return "\n".join(lines)


def write(reader: Reader, target: Path) -> None:
    """The part that reads what a question and a line are alone, to the chance that it answers."""
    reader.slope, reader.shift = 1.0, 0.0
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place) / "whole.onnx"
        save(reader, whole)
        target.write_bytes(parted(whole)[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.table_reader")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=float, default=ROUNDS, help="of all questions")
    given = parser.parse_args()
    torch.manual_seed(0)
    folder = required_folder(MINILM)
    network = TableReader(reader_in(path_of(folder, SHIPPED)), Texts(folder))
    learnt, held = [*lessons(FOR_NETWORK)], [*lessons(HELD)]
    print(report(network, held))
    teach(network, learnt, steps=int(given.rounds * len(learnt) / QUESTIONS))
    print(report(network, held))
    write(network.reader, given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
