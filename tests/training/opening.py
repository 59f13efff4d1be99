"""Teaches which questions a document's opening answers: who made it, with whom, when, what it is.

    python -m tests.training.opening LIBRARIES --out docqa/question/opening.json

LIBRARIES holds libraries of documents that questions were composed on (`tests.training.composed`)
or that were written with questions (`tests.training.asked`): of each question it is looked up
whether what answers stands in the first passages. The wordings below are asked beside these.
Printed is how many of every fifth document's questions are told rightly by a classifier taught on
the rest.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.language.linear import linear_of
from docqa.library.filenames import clean_name
from docqa.models.load import BUNDLED, load_encoder
from docqa.retrieve.openings import DEPTH, PASSAGES, without_contents
from docqa.types.document import Chunk
from docqa.workspace import Workspace
from tests.training import wordings
from tests.training.asked import READER_QUESTIONS, asked_questions
from tests.training.composed import composed_questions, says
from tests.training.terms import taught

SEEN = 3  # questions that a term must be in
FOLDS = 5
LEAST = 0.1  # of a weight that is kept
OF_A_WORDING = 6
TOLD = 0.2  # the chance from which a question is taken for one, in what is printed

# {a} is a kind of document, {r} and {s} are parts that somebody has in it.
OPENING = """
Who are the parties?
Who are the parties to the {a}?
Who are the parties to this {a} and where are they based?
Between whom is the {a}?
Which companies entered into the {a}?
Who entered into the {a}?
Who signed the {a}?
Who made this {a} with whom?
parties to the {a}
contracting parties
counterparty
Who is the other side?
Who is the {r}?
Who is the {r} under this {a}?
Which company is the {r}?
What is the name of the {r}?
name of the {r}
{r} name
{r} and {s}
Who are the {r} and the {s}?
Who is {r} and who is {s}?
What is the date of the {a}?
When was the {a} signed?
When was the {a} made?
When was the {a} entered into?
When did the parties sign?
{a} date
date of the {a}
As of what date was the {a} made?
What is the effective date of the {a}?
effective date
What kind of {a} is this?
What type of document is this?
What is the title of the {a}?
What is this document called?
Where is the {r} incorporated?
Under what law is the {r} organized?
{r} state of incorporation
What is the address of the {r}?
Where does the {r} have its principal office?
registered office of the {r}
What is the background of the {a}?
Why did the parties enter into the {a}?
"""
ELSEWHERE = """
Who pays for {x}?
Who bears the cost of {x}?
Who is responsible for {x}?
Who decides on {x}?
Who owns {x}?
May the {r} assign the {a}?
What happens if the {r} defaults?
What must the {r} do about {x}?
What are the duties of the {r}?
What does the {r} get?
When must the {r} pay?
How can the {r} terminate the {a}?
Can the {r} end the {a} early?
What does the {a} say about {x}?
{x}
How is {x} determined?
What is the {x}?
When is {x} due?
Where is notice to the {r} to be sent?
Who insures the {x}?
Is the {r} liable for {x}?
How much was {x} in {y}?
What was {x} in {y}?
"""
DOCUMENTS = """
agreement contract lease deed amendment loan_agreement consulting_agreement license_agreement
franchise_agreement joint_venture supply_agreement hosting_agreement distribution_agreement
purchase_agreement memorandum report policy plan
"""
PARTS = """
landlord tenant lessor lessee borrower lender buyer seller purchaser vendor licensor licensee
franchisor franchisee consultant company client customer supplier distributor employer employee
guarantor issuer agent manager owner contractor sponsor athlete provider
"""
THINGS = """
insurance repairs taxes rent the_deposit the_fee royalties training confidentiality warranties
the_goods the_premises the_work indemnity interest the_budget revenue expenses net_income inventory
maintenance termination arbitration audits patents the_trademark delivery
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A question, whether the opening of its document answers it, and that document."""

    question: str
    opening: bool
    document: str = ""  # "" for a wording


def asked_of(libraries: Path) -> Iterator[Example]:
    """Questions of the documents of these libraries that their passages answer."""
    asked: dict[str, list[_Asked]] = defaultdict(list)
    for name, each in questions():
        asked[clean_name(name)].append(each)
    for folder in sorted(each for each in libraries.iterdir() if each.is_dir()):
        with Workspace(folder) as workspace:
            catalog = workspace.resources.catalog
            for document in workspace.documents():
                chunks = catalog.document_chunks(document.id)
                first = islice(without_contents(chunks[:DEPTH], catalog=catalog), PASSAGES)
                opening = {chunk.id for chunk in first}
                for each in asked.pop(document.name, ()):
                    if where := [chunk.id for chunk in chunks if each.answered_by(chunk)]:
                        yield Example(each.question, where[0] in opening, document.name)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with the words that answer it, on a page, or 0 where that is not known."""

    question: str
    quotes: tuple[str, ...]
    page: int = 0

    def answered_by(self, chunk: Chunk) -> bool:
        near = range(chunk.page_start - 1, chunk.page_end + 2)
        return self.page in (0, *near) and any(says(chunk.text, each) for each in self.quotes)


def questions() -> Iterator[tuple[str, _Asked]]:
    """Names of whole documents with their questions; of passages alone nothing is an opening."""
    for composed in composed_questions():
        if composed.answer and composed.page:
            one = _Asked(composed.question, (composed.answer,), composed.page)
            yield composed.document, one
    for asked in (*asked_questions(), *asked_questions(READER_QUESTIONS)):
        yield asked.document, _Asked(asked.question, asked.quotes)


def of_wordings() -> Iterator[Example]:
    random = Random(0)
    documents, parts, things = (
        [each.replace("_", " ") for each in names.split()] for names in (DOCUMENTS, PARTS, THINGS)
    )
    for listed, opening in ((OPENING, True), (ELSEWHERE, False)):
        for wording in listed.strip().splitlines():
            for _ in range(OF_A_WORDING):
                one, other = random.sample(parts, 2)
                filled = {"a": random.choice(documents), "r": one, "s": other}
                filled |= {"x": random.choice(things), "y": str(random.randint(2010, 2026))}
                yield Example(wording.format(**filled), opening)
    for topic, texts in wordings.TOPIC.items():
        opening = topic in ("Agreement date", "Effective date")
        yield from (Example(text, opening) for text in texts)


def _taught(
    examples: Sequence[Example], vectors: NDArray[np.float32], chosen: Sequence[int]
) -> dict[str, Any]:
    own = [examples[at] for at in chosen]
    texts, labels = [each.question for each in own], [int(each.opening) for each in own]
    return taught(texts, labels, classes=2, seen=SEEN, least=LEAST, vectors=vectors[list(chosen)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.opening")
    parser.add_argument("libraries", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    examples = [*asked_of(given.libraries), *of_wordings()]
    with tempfile.TemporaryDirectory() as cache:
        encoder = load_encoder(Path(cache), name=BUNDLED)
        vectors = encoder.encode([each.question for each in examples])
    labels = np.array([each.opening for each in examples], np.int64)
    documents = sorted({each.document for each in examples})
    fold = np.array([documents.index(each.document) % FOLDS for each in examples])
    chances = np.zeros(len(examples))
    for at in range(FOLDS):
        model = linear_of(_taught(examples, vectors, np.flatnonzero(fold != at).tolist()))
        for each in np.flatnonzero(fold == at):
            odds = model.odds(examples[each].question, vectors[each])[0]
            chances[each] = 1 / (1 + np.exp(-odds))
    asked = np.array([bool(each.document) for each in examples])
    told, right = asked & (chances >= TOLD), asked & (labels == 1)
    print(f"of {asked.sum()} questions {told.sum()} told, {(told & right).sum()} of {right.sum()}")
    whole = _taught(examples, vectors, range(len(examples)))
    given.out.write_text(json.dumps(whole) + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


if __name__ == "__main__":
    main()
