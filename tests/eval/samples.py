"""How often docqa answers without a key what a broker or a tenant's lawyer asks of the samples.

    python -m tests.eval.samples [--half even|odd] [--library DIR] [--show]

adds the samples to a library and asks each question of ``sample_questions.jsonl`` of its two
documents; a follow-up comes after its earlier question, in one conversation. The questions and
their answers were written down from the pages before docqa was asked. Those of even number (from
0) may be developed on; those of odd number are held out, and never shown.

- right first: the first finding holds every part of the answer. It is the first line with a
  citation; where a list is asked for, the first paragraph with one.
- right anywhere: the whole answer does.
- likely: no answer, but places where it may stand; ``and there`` where these hold every part.
- nothing: said though the documents answer.

Questions that nothing in the documents answers are counted by what came of them. All are asked
with the choice not to compare, which docqa would do for those that set the documents side by side.
"""

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from docqa.answer.evidence import MARKER
from docqa.installation import SAMPLES
from docqa.language.amounts import Amount, measured_amounts, stated_amounts
from docqa.language.periods import dates_in
from docqa.language.words import words
from docqa.types.answer import Answer
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.labelled import labels
from tests.eval.library import add_folder, library_folder

HALVES = {"even": False, "odd": True}  # whether it is held out
_BARE_DIGITS = 3  # of a number without a unit that is no count of something else
_ROUNDED_DIGITS = 2  # at least, of a figure that may be another one rounded
_WIDTH = 28  # of a share with its interval


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question of ``sample_questions.jsonl`` and what docqa answered."""

    asked: dict[str, Any]
    answer: Answer

    @property
    def likely(self) -> bool:
        return getattr(self.answer, "likely", False)

    @property
    def answered(self) -> bool:
        return self.answer.found and not self.likely

    @property
    def nothing(self) -> bool:
        return not self.answer.found and not self.likely

    @property
    def right(self) -> bool:
        return holds_all(self.answer.text, self.asked["answer"])

    @property
    def right_first(self) -> bool:
        listed = self.asked["kind"] == "list"
        first = first_finding(self.answer.text, listed=listed)
        return self.answered and holds_all(first, self.asked["answer"])


def first_finding(text: str, *, listed: bool) -> str:
    """The first line of an answer with a citation, or paragraph where a list is asked for.

    >>> first_finding("Of Larkspur:\\n- Rent: $5 [S1]\\n- Deposit: $9 [S2]", listed=False)
    '- Rent: $5 [S1]'
    """
    parts = re.split(r"\n\s*\n", text) if listed else text.splitlines()
    return next((part for part in parts if MARKER.search(part)), "")


def holds_all(text: str, answer: Sequence[str]) -> bool:
    return all(holds(text, part) for part in answer)


def holds(text: str, part: str) -> bool:
    """Whether a text has a date, a figure or words, however it prints them.

    >>> holds("due March 14, 2025", "14 March 2025"), holds("for $19.4 million", "$19,400,000")
    (True, True)
    """
    plain = MARKER.sub(" ", text)
    if date := next((date for date in dates_in(part) if date.text == part), None):
        return any(date.within(other) for other in dates_in(plain))
    figure = next((each for each in measured_amounts(part) if each.text == part), None)
    if figure and any(agree(figure, other) for other in stated_amounts(plain)):
        return True
    counted = figure is None or not figure.unit  # a year is no amount
    return counted and f" {' '.join(words(part))} " in f" {' '.join(words(plain))} "


def agree(wanted: Amount, printed: Amount) -> bool:
    """Whether two figures are one, exactly or the one rounded to the other; signs put aside.

    A table's figure may have its unit elsewhere, so none agrees with any where digits enough are
    printed: "14" counts anything.
    """
    same_unit = wanted.unit == printed.unit
    bare = not printed.unit and (not wanted.unit or printed.digits >= _BARE_DIGITS)
    if not (same_unit or bare or not wanted.unit):
        return False
    finer, coarser = sorted((wanted, printed), key=lambda each: each.step)
    if coarser.digits < _ROUNDED_DIGITS:
        return abs(finer.value) == abs(coarser.value)
    steps = (abs(finer.value) / coarser.step).quantize(Decimal(1), ROUND_HALF_UP)
    return steps * coarser.step == abs(coarser.value)


def measure(workspace: Workspace, questions: Iterable[dict[str, Any]]) -> list[Outcome]:
    """Every question asked of its documents, models loaded."""
    workspace.warming.start().join()
    return [Outcome(each, ask_in_turn(workspace, each, each["documents"])) for each in questions]


def ask_in_turn(workspace: Workspace, asked: dict[str, Any], names: Sequence[str]) -> Answer:
    """The answer to a question of some documents, after the one ``before`` it where it has one."""
    ids = [workspace.document(name).id for name in names]
    conversation = workspace.conversations.begin()
    said = filter(None, (asked.get("before"), asked["question"]))
    for question in said:
        *_, answer = workspace.ask(
            question,
            document_ids=ids,
            conversation_id=conversation,
            answerer="extractive",
            sides=(),
        )
    assert isinstance(answer, Answer)
    return answer


def report(outcomes: Sequence[Outcome]) -> str:
    """A line for each kind of question, one for all, and one for those without an answer."""
    there = [o for o in outcomes if o.asked["answer"] is not None]
    absent = [o for o in outcomes if o.asked["answer"] is None]
    heads = ("right first", "right anywhere", "likely", "and there", "nothing")
    lines = [f"{'':12}" + "".join(f"{head:{_WIDTH}}" for head in heads)]
    for kind in dict.fromkeys(o.asked["kind"] for o in there):
        lines.append(_line(kind, [o for o in there if o.asked["kind"] == kind]))
    lines.append(_line("all", there))
    wrong, likely = (sum(o.answered for o in absent), sum(o.likely for o in absent))
    lines.append(f"absent      answered {Rate(wrong, len(absent))}, likely {likely}")
    return "\n".join(lines)


def _line(kind: str, outcomes: Sequence[Outcome]) -> str:
    counts = (
        sum(o.right_first for o in outcomes),
        sum(o.answered and o.right for o in outcomes),
        sum(o.likely for o in outcomes),
        sum(o.likely and o.right for o in outcomes),
        sum(o.nothing for o in outcomes),
    )
    shares = (str(Rate(count, len(outcomes))) for count in counts)
    return f"{kind:12}" + "".join(f"{share:{_WIDTH}}" for share in shares)


def _shown(outcome: Outcome) -> str:
    asked = outcome.asked
    right = outcome.right_first if asked["answer"] else not outcome.answered
    before = f"{asked['before']} / " if "before" in asked else ""
    wanted = "; ".join(asked["answer"] or ["nothing"])
    verdict = "right" if right else "WRONG"
    return f"{verdict}: {before}{asked['question']}\n  wanted: {wanted}\n{outcome.answer.text}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask the samples without a key.")
    parser.add_argument("--half", choices=HALVES, help="of the questions; else both")
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument(
        "--show", action="store_true", help="every question not held out with its answer"
    )
    options = parser.parse_args()
    halves = [HALVES[options.half]] if options.half else list(HALVES.values())
    questions = [each for each in labels("sample_questions") if each["held_out"] in halves]
    with library_folder(options.library) as library, Workspace(library) as workspace:
        add_folder(workspace, SAMPLES)
        outcomes = measure(workspace, questions)
    if options.show:
        print("\n".join(_shown(o) for o in outcomes if not o.asked["held_out"]))
    print(report(outcomes))


if __name__ == "__main__":
    main()
