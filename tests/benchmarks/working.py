"""What happens between a search and the screen: reranking, checking, answering."""

import difflib
from collections.abc import Iterator
from itertools import combinations

from docqa import installation
from docqa.answer.check.verify import verify_answer
from docqa.answer.evidence import citations_in
from docqa.retrieve.diversify import drop_near_duplicates
from docqa.samples.questions import QUESTIONS
from docqa.types.answer import Answer
from docqa.workspace import Workspace
from tests.answer.verify_cases import CASES, EVIDENCE
from tests.benchmarks.rows import Action, Options, Row, against, medians, percentile

SECTION = "work"


def run(options: Options) -> Iterator[Row]:
    with Workspace(options.scratch / "worked") as workspace:
        workspace.add(installation.sample_paths())
        yield from _answers(workspace, options)
        yield from _near_duplicates(workspace, options)
    yield from _verification(options)


def _answers(workspace: Workspace, options: Options) -> Iterator[Row]:
    took = [
        event.seconds
        for question in QUESTIONS[: 3 if options.short else None]
        for event in workspace.ask(question.question, answerer="extractive")
        if isinstance(event, Answer)
    ]
    for name, share in (("median", 0.5), ("95th of 100", 0.95)):
        value = percentile(took, share)
        yield Row(SECTION, f"answer without a key, {name}", value, "s", len(took))


def _near_duplicates(workspace: Workspace, options: Options) -> Iterator[Row]:
    hits = workspace.search("rent and income", top_k=8).hits
    pairs = list(combinations([hit.chunk.text for hit in hits], 2))

    def theirs() -> object:
        return [difflib.SequenceMatcher(None, *pair, autojunk=False).ratio() for pair in pairs]

    actions: dict[str, Action] = {
        "docqa": lambda: drop_near_duplicates(hits, ratio=0.8),
        "difflib": theirs,
    }
    took = medians(actions, turns=options.turns)
    yield from against(SECTION, f"near-duplicates of {len(hits)}", took, turns=options.turns)


def _verification(options: Options) -> Iterator[Row]:
    answers = [
        Answer(case.text, "claude", citations_in(case.text, EVIDENCE), EVIDENCE) for case in CASES
    ]
    took = medians(
        {"docqa": lambda: [verify_answer(answer) for answer in answers]}, turns=options.turns
    )
    value = took["docqa"] / len(answers) * 1000
    yield Row(SECTION, "check a claim", value, "ms", len(answers))
