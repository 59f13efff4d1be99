"""How often docqa answers without a key what people ask in a day's work, and when it should not.

    python -m tests.eval.everyday FOLDER --libraries DIR [--half even|odd] [--show]

FOLDER holds the development sets. A language model that read 24 of their documents (contracts,
filings, plans; the reranker learnt from none of them) composed the questions of
``everyday_questions.jsonl`` with the words that answer each, before docqa was asked. Each is asked
of its document alone. The documents of one half may be developed on; those of the other are held
out, and never shown.

- first: the first line of the answer with a citation cites what answers, or has the figure that is
  worked out.
- anywhere: some line does.
- page: the first line cites a page that answers.
- found: what answers is among the passages found, which bounds the others.
- likely, nothing: no passage states it outright; or nothing is said to answer. Of questions that
  the document does not answer ("absent") all should be one of these.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docqa.answer.evidence import MARKER
from docqa.language.words import fold
from docqa.library.filenames import clean_name
from docqa.types.answer import Answer, Citation
from docqa.types.evaluation import Rate
from docqa.workspace import Workspace
from tests.eval.labelled import HALVES, labels, letters
from tests.eval.library import add_folder
from tests.eval.samples import holds

SETS = {
    "cuad": "cuad/pdf", "cuad_more": "cuad_more/pdf", "filings_more": "filings_more",
    "financebench_dev": "financebench_dev/pdf", "northwind": "northwind",
}  # fmt: skip
_LOOKED_UP = ("fact", "yesno", "clause")
_ENOUGH = 0.8  # of the words of a quotation, where it is not cited word for word
_SHORTEST = 40  # letters of a citation that is a part of the quotation
_LONGEST = 1200  # characters of a citation that still says where


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question of ``everyday_questions.jsonl`` and what docqa answered."""

    asked: dict[str, Any]
    answer: Answer

    @property
    def state(self) -> str:
        if self.answer.likely:
            return "likely"
        return "answered" if self.answer.found else "nothing"

    @property
    def first(self) -> bool:
        return self.state == "answered" and any(map(self._answers, self._lines[:1]))

    @property
    def anywhere(self) -> bool:
        return any(map(self._answers, self._lines))

    @property
    def page(self) -> bool:
        cited = [each for line in self._lines[:1] for each in self._cited(line)]
        pages = {block.page for each in cited for block in each.blocks}
        return bool(pages & set(self.asked["pages"]))

    @property
    def found(self) -> bool:
        blocks = (b.text for piece in self.answer.evidence for b in piece.hit.chunk.blocks)
        return any(says(text, quote) for text in blocks for quote in self.asked["quotes"])

    @property
    def _lines(self) -> list[str]:
        return [line for line in self.answer.text.splitlines() if MARKER.search(line)]

    def _cited(self, line: str) -> list[Citation]:
        labels = {match[1] for match in MARKER.finditer(line)}
        return [each for each in self.answer.citations if each.label in labels]

    def _answers(self, line: str) -> bool:
        if self.asked["kind"] == "sum":
            return holds(line, self.asked["value"] or self.asked["answer"])
        cited = [each.quote for each in self._cited(line) if len(each.quote) < _LONGEST]
        return any(says(text, quote) for text in (line, *cited) for quote in self.asked["quotes"])


def says(text: str, quote: str) -> bool:
    """Whether a text has the words of a quotation, all together or most of them and each figure."""
    here, wanted = letters(text), letters(quote)
    if wanted in here or (len(here) > _SHORTEST and here in wanted):
        return True
    own, asked = Counter(_words(text)), Counter(_words(quote))
    figures = {word for word in asked if word[0].isdigit() and len(word) > 1}
    return (own & asked).total() >= _ENOUGH * asked.total() and figures <= own.keys()


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+|\d[\d,.]*\d|\d", fold(text))


def measure(
    folder: Path, libraries: Path, questions: Iterable[dict[str, Any]]
) -> Iterator[Outcome]:
    """Every question asked of its document, models loaded."""
    asked: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in questions:
        asked[clean_name(each["document"])].append(each)
    for name, files in SETS.items():
        with Workspace(libraries / name) as workspace:
            add_folder(workspace, folder / files)
            workspace.warming.start().join()
            for document in workspace.documents():
                for each in asked.pop(document.name, ()):
                    yield Outcome(each, _ask(workspace, each["question"], document.id))


def _ask(workspace: Workspace, question: str, document_id: str) -> Answer:
    ids = [document_id]
    *_, answer = workspace.ask(question, document_ids=ids, answerer="extractive", sides=())
    assert isinstance(answer, Answer)
    return answer


def report(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """A line for each kind of question, and one for all that are looked up."""
    for kind in (*_LOOKED_UP, "sum", "absent"):
        yield _line(kind, [each for each in outcomes if each.asked["kind"] == kind])
    looked_up = [each for each in outcomes if each.asked["kind"] in _LOOKED_UP]
    yield _line("looked up", looked_up)


def _line(kind: str, outcomes: Sequence[Outcome]) -> str:
    rates = (
        f"{name} {Rate(sum(getattr(each, name) for each in outcomes), len(outcomes))}"
        for name in ("first", "anywhere", "page", "found")
    )
    states = Counter(each.state for each in outcomes)
    told = ", ".join(f"{state} {states[state]}" for state in ("answered", "likely", "nothing"))
    return "  ".join((f"{kind:10}", *rates, told))


def _shown(outcome: Outcome) -> str:
    asked = outcome.asked
    right = outcome.first if asked["kind"] != "absent" else outcome.state != "answered"
    verdict = "right" if right else "WRONG"
    head = f"{verdict}: {asked['kind']}, {asked['document']}: {asked['question']}"
    return f"{head}\n  wanted: {asked['answer']}\n{outcome.answer.text}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask without a key what people ask in a day.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True, help="a library for each set")
    parser.add_argument("--half", choices=("even", "odd"), help="of the documents; else both")
    parser.add_argument("--show", action="store_true", help="the half not held out, with answers")
    options = parser.parse_args()
    wanted = {False, True} if options.half is None else {options.half == "odd"}
    asked = [each for each in labels("everyday_questions") if each["held_out"] in wanted]
    outcomes = list(measure(options.folder, options.libraries, asked))
    if options.show:
        print("\n".join(_shown(each) for each in outcomes if not each.asked["held_out"]))
    for half in sorted(wanted):
        print(f"{HALVES[half]}:")
        print("\n".join(report([each for each in outcomes if each.asked["held_out"] == half])))


if __name__ == "__main__":
    main()
