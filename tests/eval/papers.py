"""How often docqa answers without a key what is asked of papers of many trades.

    python -m tests.eval.papers [--half even|odd] [--library DIR] [--show]

A language model wrote the papers of ``papers_documents.jsonl`` and, before docqa was asked, the
questions of ``papers_questions.jsonl`` with their answers. Each is asked of its paper alone, a
follow-up after its earlier question. The papers of even number (from 0) may be developed on; those
of odd number are held out, and never shown.

- stated: the answer is given outright, as against a likely place.
- right: the first finding holds every part of the answer, in what it says or cites. A list, and the
  row with the most, is right to the row: where it has every row that is as asked, and no other.
- wrong: stated and not right. Of questions without an answer ("absent") all that are stated are.
- there: right, or what answers stands somewhere in what is shown.
- nothing: nothing is said to answer.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docqa.answer.evidence import MARKER
from docqa.language.words import words
from docqa.types.answer import Answer
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.everyday import says
from tests.eval.labelled import labels
from tests.eval.library import add_texts, library_folder
from tests.eval.samples import HALVES, ask_in_turn, first_finding, holds

KINDS = ("fact", "yesno", "clause", "several", "follow", "list", "most", "sum", "absent")
_OF_ROWS = ("list", "most")
_LONGEST = 1200  # characters of a citation that still says where


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question of ``papers_questions.jsonl`` and what docqa answered."""

    asked: dict[str, Any]
    answer: Answer

    @property
    def kind(self) -> str:
        return str(self.asked["kind"])

    @property
    def stated(self) -> bool:
        return self.answer.found and not self.answer.likely

    @property
    def right(self) -> bool:
        if self.kind == "absent":
            return not self.stated
        return self.stated and self._answers(self._first)

    @property
    def there(self) -> bool:
        if self.kind == "absent":
            return self.right
        return self.right or all(self._has(self.answer.text, each) for each in self.asked["answer"])

    @property
    def _first(self) -> str:
        if self.kind == "several":
            return self.answer.text
        return first_finding(self.answer.text, listed=self.kind in _OF_ROWS)

    def _answers(self, finding: str) -> bool:
        others = self.asked.get("others", ()) if self.kind in _OF_ROWS else ()
        right = all(self._has(finding, each) for each in self.asked["answer"])
        return right and not any(_named(finding, each) for each in others)

    def _has(self, text: str, part: str) -> bool:
        if self.kind in _OF_ROWS:
            return _named(text, part)
        if holds(text, part) or says(text, part):
            return True
        return self.kind != "sum" and any(says(cited, part) for cited in self._cited(text))

    def _cited(self, text: str) -> Iterator[str]:
        marked = {match[1] for match in MARKER.finditer(text)}
        for each in self.answer.citations:
            if each.label in marked and len(each.quote) < _LONGEST:
                yield each.quote


def _named(text: str, label: str) -> bool:
    return f" {' '.join(words(label))} " in f" {' '.join(words(MARKER.sub(' ', text)))} "


def add_papers(workspace: Workspace, papers: Iterable[dict[str, Any]]) -> None:
    """Add what is not in the library yet."""
    add_texts(workspace, ((paper["document"], paper["text"]) for paper in papers))


def measure(workspace: Workspace, questions: Iterable[dict[str, Any]]) -> Iterator[Outcome]:
    """Every question asked of its paper, models loaded."""
    workspace.warming.start().join()
    for asked in questions:
        yield Outcome(asked, ask_in_turn(workspace, asked, [asked["document"]]))


def report(outcomes: Sequence[Outcome]) -> str:
    """A line for each kind of question, and one for all that have an answer."""
    lines = [_line(kind, [each for each in outcomes if each.kind == kind]) for kind in KINDS]
    return "\n".join([*lines, _line("all", [o for o in outcomes if o.kind != "absent"])])


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    wrong = sum(each.stated and not each.right for each in outcomes)
    nothing = sum(not each.answer.found for each in outcomes)
    right, there = (
        Rate(sum(map(told, outcomes)), len(outcomes))
        for told in (lambda each: each.right, lambda each: each.there)
    )
    return f"{name:8}  right {right}  wrong {wrong}  there {there}  nothing {nothing}"


def _shown(outcome: Outcome) -> str:
    asked = outcome.asked
    verdict = "right" if outcome.right else "WRONG" if outcome.stated else "likely"
    before = f"{asked['before']} / " if asked.get("before") else ""
    head = f"{verdict}: {asked['kind']}, {asked['document']}: {before}{asked['question']}"
    return f"{head}\n  wanted: {'; '.join(asked['answer']) or 'nothing'}\n{outcome.answer.text}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask papers of many trades without a key.")
    parser.add_argument("--half", choices=HALVES, help="of the papers; else both")
    parser.add_argument("--library", type=Path, help="kept and used again; else a temporary one")
    parser.add_argument(
        "--show", action="store_true", help="every question not held out with its answer"
    )
    options = parser.parse_args()
    papers = labels("papers_documents")
    held_out = {paper["document"]: bool(at % 2) for at, paper in enumerate(papers)}
    halves = [HALVES[options.half]] if options.half else list(HALVES.values())
    papers = [each for each in papers if held_out[each["document"]] in halves]
    asked = [each for each in labels("papers_questions") if held_out[each["document"]] in halves]
    with library_folder(options.library) as library, Workspace(library) as workspace:
        add_papers(workspace, papers)
        outcomes = list(measure(workspace, asked))
    for each in outcomes if options.show else ():
        if not held_out[each.asked["document"]]:
            print(_shown(each))
    for half in halves:
        print(f"{'held out' if half else 'seen'}:")
        own = [each for each in outcomes if held_out[each.asked["document"]] == half]
        print(report(own))


if __name__ == "__main__":
    main()
