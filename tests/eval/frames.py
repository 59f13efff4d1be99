"""Whether what stands around a question changes what is found.

    python -m tests.eval.frames FOLDER... [--libraries DIR] [--most N] [--show]

asks N answerable questions of each folder (see `tests.eval.sets`), evenly spread, as they are and
in each frame of ``frames.txt``, of the documents that answer them. Printed is how often the same
page comes first, frame by frame; with ``--show`` also what each question was understood as where
another page does. Then how many of the questions in ``circumstances.txt`` keep the sentence beside
them, which narrows what answers: of the half with which this was settled, and of that held out.
"""

import argparse
from pathlib import Path

from docqa.app.resources import Resources
from docqa.app.search import read_question
from docqa.types.evaluation import GoldQuestion, Rate
from docqa.workspace import Workspace
from tests.eval.library import library_of
from tests.eval.retrieval import answered
from tests.eval.sets import read_set
from tests.eval.stages import Asker, Without, answered_by, asker_of

FRAMES = Path(__file__).with_suffix(".txt")
CIRCUMSTANCES = Path(__file__).with_name("circumstances.txt")


def frames() -> list[str]:
    return lines_of(FRAMES)


def lines_of(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def kept_whole(texts: list[str], resources: Resources) -> Rate:
    """How many of the texts are understood with all their sentences."""
    return Rate(sum(read_question(resources, each).whole == each for each in texts), len(texts))


def first_page(asker: Asker, question: str, within: list[str]) -> tuple[str, int, str]:
    """The document and page of the best passage, and what was searched for."""
    trace = asker.traced(question, within, Without())
    best = trace.chosen[:1]
    whole = trace.plan.question.whole
    return (best[0].document.id, best[0].chunk.page_start, whole) if best else ("", 0, whole)


def measure(asked: list[GoldQuestion], workspace: Workspace, *, show: bool) -> list[list[bool]]:
    """For each frame, whether each question finds the same page first."""
    asker = asker_of(workspace)
    ids = {document.name: document.id for document in workspace.documents()}
    made: list[list[bool]] = [[] for _ in frames()]
    for each in asked:
        within = [ids[name] for name in each.sources]
        plain = first_page(asker, each.question, within)
        for frame, same in zip(frames(), made, strict=True):
            found = first_page(asker, frame.replace("{question}", each.question), within)
            same.append(found[:2] == plain[:2])
            if show and not same[-1]:
                print(f"- {each.question}\n  {plain[1]} → {found[1]}: {found[2]}")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what frames around questions change.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--libraries", type=Path, help="kept and used again; else temporary ones")
    parser.add_argument("--most", type=int, default=34, help="questions of each folder, evenly")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    every: list[list[bool]] = [[] for _ in frames()]
    for folder in options.folders:
        chosen = answered(read_set(folder))
        with library_of(chosen, options.libraries) as workspace:
            asked = answered_by(chosen, workspace.resources.catalog)
            asked = asked[:: max(1, len(asked) // options.most)][: options.most]
            for same, more in zip(every, measure(asked, workspace, show=options.show), strict=True):
                same += more
            texts = lines_of(CIRCUMSTANCES)
            halves = (texts[: len(texts) // 2], texts[len(texts) // 2 :])
            seen, held_out = (kept_whole(half, workspace.resources) for half in halves)
            print(f"{folder.name}: circumstances kept {seen}, of the half held out {held_out}")
    for frame, same in zip(frames(), every, strict=True):
        print(f"{Rate(sum(same), len(same))}  {frame}")
    total = [each for same in every for each in same]
    print(f"the same page first: {Rate(sum(total), len(total))}")


if __name__ == "__main__":
    main()
