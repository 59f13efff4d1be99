"""How often an answer without a model is right on TAT-QA's questions, asked through the product.

    python -m tests.eval.tatqa FOLDER [--library DIR] [--half even|odd] [--show] [--most N]

FOLDER holds ``tatqa_dataset_dev.json`` (Zhu et al., "TAT-QA", ACL 2021): tables with paragraphs
from annual reports, and questions by people. Each table with its paragraphs becomes one HTML file,
which is added to a library and asked its questions. The even contexts (in the file's order, from
0) are for choosing, the odd ones for reporting.

- first: the first line of the answer holds the gold answer. Words agree whatever their case and
  spacing; a figure agrees where its digits do, a computed one to the precision of the gold answer,
  and one that gold gives in millions ("$9.8 million") whatever the scale it is printed in.
- anywhere: some line does; of several spans, the answer holds every one.
- nothing: the answer says that nothing answers.
- stated: of the answers that are given outright, not as a likely place, those right first.
"""

import argparse
import html
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from docqa.answer.evidence import MARKER
from docqa.language.amounts import stated_amounts
from docqa.types.answer import Answer
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.library import add_texts, library_folder

NAME = "tatqa_dataset_dev.json"
_SCALED = re.compile(r"[-−$€£(\s]*(\d[\d,.]*)\)?\s*(?:thousand|million|billion|m|bn)\)?")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a context; ``gold`` are its spans, or the one figure that is worked out."""

    context: int
    question: str
    kind: str  # "span", "multi-span", "arithmetic", "count"
    source: str  # "table", "text", "table-text"
    gold: tuple[str, ...]
    scale: str


def contexts(folder: Path) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads((folder / NAME).read_text(encoding="utf-8"))
    return read


def page_of(context: dict[str, Any]) -> str:
    """A context as HTML: the paragraphs before the table's place, the table, the others."""
    texts = [f"<p>{html.escape(each['text'])}</p>" for each in context["paragraphs"]]
    rows = (
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in context["table"]["table"]
    )
    table = f"<table>{''.join(rows)}</table>"
    return f"<html><body>{texts[0]}{table}{''.join(texts[1:])}</body></html>"


def questions(folder: Path) -> list[Asked]:
    return [
        _asked(number, each)
        for number, context in enumerate(contexts(folder))
        for each in context["questions"]
    ]


def _asked(number: int, question: dict[str, Any]) -> Asked:
    answer = question["answer"]
    gold = tuple(map(str, answer)) if isinstance(answer, list) else (str(answer),)
    kind, source = question["answer_type"], question["answer_from"]
    return Asked(number, question["question"], kind, source, gold, question["scale"])


def name_of(number: int) -> str:
    return f"Report {number:03}.html"


def add_contexts(workspace: Workspace, folder: Path, half: str) -> None:
    """Add what is not in the library yet."""
    own = (each for each in enumerate(contexts(folder)) if _is_of(each[0], half))
    add_texts(workspace, ((name_of(number), page_of(context)) for number, context in own))


def _is_of(number: int, half: str) -> bool:
    return half not in ("even", "odd") or (half == "odd") == bool(number % 2)


# Whether an answer holds what it should


def holds(text: str, gold: str, scale: str = "") -> bool:
    """
    >>> holds("Total sales, 2019: $1,496.5 (in millions)", "$1,496.5")
    True
    >>> holds("(56.7 − 44.1) / 56.7 = 22.2 %", "22.22", "percent")
    True
    >>> holds("Net profit, 2019 $'000: (9,819)", "$(9.8) million")
    True
    """
    plain = _plain(gold)
    if plain and plain in _plain(text):
        return True
    if scaled := _SCALED.fullmatch(gold.strip()):
        due = Decimal(scaled[1].replace(",", ""))
        values = (value.scaleb(-places) for value in _values(text) for places in (0, 3, 6, 9))
        return any(round(value, max(0, -int(due.as_tuple().exponent))) == due for value in values)
    if not re.fullmatch(r"[-−$€£(\s]*\d[\d,.]*\)?\s*%?", gold.strip()):
        return False
    return any(_agrees(value, gold, scale) for value in _values(text))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w%$.]+", " ", text.replace(",", "")).casefold().split()).strip(".")


def _values(text: str) -> Iterator[Decimal]:
    for amount in stated_amounts(MARKER.sub(" ", text), words=False):
        yield abs(amount.value)
    for printed in re.findall(r"\d[\d,]*(?:\.\d+)?", MARKER.sub(" ", text)):
        yield Decimal(printed.replace(",", ""))


def _agrees(value: Decimal, gold: str, scale: str) -> bool:
    due = abs(Decimal(re.sub(r"[^\d.]", "", gold).strip(".")))
    places = {"thousand": 3, "million": 6, "billion": 9}.get(scale, 0)
    for wanted in {due, due.scaleb(places)}:
        if abs(value - wanted) <= max(abs(wanted) * Decimal("0.0051"), Decimal("0.0051")):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Outcome:
    asked: Asked
    answer: Answer

    @property
    def first(self) -> bool:
        return self.answer.found and all(
            holds(first_line(self.answer.text), each, self.asked.scale) for each in self.asked.gold
        )

    @property
    def anywhere(self) -> bool:
        return self.answer.found and all(
            holds(self.answer.text, each, self.asked.scale) for each in self.asked.gold
        )


def first_line(text: str) -> str:
    """The first line with a citation."""
    return next((line for line in text.splitlines() if MARKER.search(line)), "")


def measure(workspace: Workspace, every: Sequence[Asked]) -> list[Outcome]:
    workspace.warming.start().join()
    ids = {document.name: document.id for document in workspace.documents()}
    outcomes = []
    for each in every:
        chosen = [ids[name_of(each.context)]]
        *_, answer = workspace.ask(
            each.question, document_ids=chosen, answerer="extractive", sides=()
        )
        assert isinstance(answer, Answer)
        outcomes.append(Outcome(each, answer))
    return outcomes


def report(outcomes: Sequence[Outcome]) -> str:
    kinds = Counter((o.asked.kind, o.asked.source) for o in outcomes)
    lines = []
    for kind in sorted({kind for kind, _ in kinds}):
        of = [o for o in outcomes if o.asked.kind == kind]
        lines.append(_line(kind, of))
        for source in sorted({source for each, source in kinds if each == kind}):
            lines.append(_line(f"  {source}", [o for o in of if o.asked.source == source]))
    lines.append(_line("all", outcomes))
    return "\n".join(lines)


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    stated = [o for o in outcomes if o.answer.found and not o.answer.likely]
    rates = {
        "first": Rate(sum(o.first for o in outcomes), len(outcomes)),
        "anywhere": Rate(sum(o.anywhere for o in outcomes), len(outcomes)),
        "nothing": Rate(sum(not o.answer.found for o in outcomes), len(outcomes)),
        "stated": Rate(sum(o.first for o in stated), len(stated)),
    }
    return f"{name:14}" + "  ".join(f"{key} {rate}" for key, rate in rates.items())


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure answers without a model on TAT-QA.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument("--half", choices=("even", "odd", "all"), default="odd")
    parser.add_argument("--show", action="store_true", help="every question with its answer")
    parser.add_argument("--most", type=int, default=0, help="contexts, evenly spread")
    options = parser.parse_args()
    every = [each for each in questions(options.folder) if _is_of(each.context, options.half)]
    chosen = sorted({each.context for each in every})
    step = max(1, len(chosen) // options.most) if options.most else 1
    every = [each for each in every if each.context in chosen[::step]]
    with library_folder(options.library) as library, Workspace(library) as workspace:
        add_contexts(workspace, options.folder, options.half)
        outcomes = measure(workspace, every)
    for o in outcomes if options.show else ():
        mark = "+" if o.first else "~" if o.anywhere else "-"
        print(f"{mark} [{o.asked.context}] {o.asked.kind}/{o.asked.source}: {o.asked.question}")
        print(f"  gold: {o.asked.gold} {o.asked.scale}\n  {o.answer.text[:600]}\n")
    print(report(outcomes))


if __name__ == "__main__":
    main()
