"""How long a review takes to fill without a key, and how much memory.

    python -m tests.eval.review_speed LIBRARY [--documents 40] [--questions 12]

A review of the library's first documents is made, filled and deleted again. Its questions are
those of the templates that come with docqa, in turn, so that every kind of column is among them.
Meanwhile the table is looked at as the screen does, once a second, and how long that takes is told.
"""

import argparse
import resource
import time
from collections import Counter
from itertools import chain, zip_longest
from pathlib import Path
from statistics import median

from docqa.types.review import Column
from docqa.workspace import Workspace

LOOK_AGAIN = 1.0  # seconds


def questions(workspace: Workspace, number: int) -> list[Column]:
    """The first questions of each template, then the second, …; no title twice."""
    every = (each.columns for each in workspace.reviews.templates())
    in_turn = (each for each in chain.from_iterable(zip_longest(*every)) if each)
    return list({each.title: each for each in in_turn}.values())[:number]


def measure(workspace: Workspace, documents: int, number: int) -> None:
    ids = [each.id for each in workspace.documents()][:documents]
    columns = questions(workspace, number)
    review_id = workspace.reviews.create("Speed", columns, document_ids=ids).id
    workspace.warming.start().join()
    started, worked, looks = time.perf_counter(), time.process_time(), []
    try:
        workspace.reviews.fill(review_id)
        while workspace.reviews.progress(review_id).running:
            workspace.reviews.wait(review_id, LOOK_AGAIN)
            before = time.perf_counter()
            workspace.reviews.table(review_id)
            looks.append(time.perf_counter() - before)
        seconds, worked = time.perf_counter() - started, time.process_time() - worked
        states = Counter(each.state for each in workspace.reviews.table(review_id).cells.values())
    finally:
        workspace.reviews.remove(review_id)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024
    print(f"{len(ids)} documents x {len(columns)} questions: {dict(states)}")
    print(f"{seconds:.0f} s ({worked:.0f} s of processors), at most {memory:.2f} GiB")
    print(f"the table: median {median(looks):.2f} s, longest {max(looks):.2f} s (n={len(looks)})")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of filling a review.")
    parser.add_argument("library", type=Path)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--questions", type=int, default=12)
    options = parser.parse_args()
    with Workspace(options.library) as workspace:
        measure(workspace, options.documents, options.questions)


if __name__ == "__main__":
    main()
