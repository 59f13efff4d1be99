"""Teaches which sum a question asks for, and whether a row of a table answers it.

    python -m tests.training.operations FOLDER --out docqa/answer/findings/operations.json

FOLDER holds the development sets ``tatqa_dev`` and ``northwind``, of which the even contexts and
questions are learnt from: how each answer was derived tells the operation. The wordings below are
asked of labels of their tables too, so that what is learnt is how a sum is asked for, not what of.
``operations.jsonl`` has 4,889 questions that a language model wrote for it, each in words of its
own, many in an analyst's shorthand. Questions composed for the reranker, which a sentence or a
row answers, ask for none.

Printed is how many are told rightly of the odd contexts' questions, and of the 1,157 of
``operations_held.jsonl``, a third of whose newest compare a figure with a plan or a limit.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docqa.answer.findings.operations import OPERATIONS, Operation, likeliest
from docqa.answer.findings.worked import ASKED
from docqa.language.linear import linear_of
from docqa.language.words import STOP_WORDS, words
from docqa.models.load import BUNDLED, load_encoder
from tests.eval.tatqa import contexts
from tests.training import wordings
from tests.training.composed import composed_questions, read_lines
from tests.training.terms import taught

WRITTEN = Path(__file__).parent / "operations.jsonl"
HELD = Path(__file__).parent / "operations_held.jsonl"
LEAST = 0.15  # of a weight that is kept
SEEN = 3  # questions that a term must be in
NAMING = 2  # labels that a word of figures' names is in, which says nothing of the sum
SEEN_OF_ROWS = 4  # the same, of what says whether a row answers
STRENGTH = 1.0  # chosen, as the above, on fifths of what is learnt from
OF_A_WORDING = 4
COMPOSED = 600

# {l} and {m} are labels, {y} and {p} a year and the one before, {d} and {e} what documents are of;
# {up} and the like are verbs.
WORDINGS: dict[Operation, str] = {
    "difference": """
What was the change in {l}?
What is the change in {l} in {y}?
What was the change in {l} in {y} from {p}?
What is the change in {l} between {p} and {y}?
What was the increase in {l} from {p} to {y}?
What was the increase / (decrease) in {l} in {y}?
What is the difference in {l} between {p} and {y}?
What was the difference in {l} between both years?
change in total {l}
By how much did {l} increase from {p} to {y}?
By how much did {l} fall in {y}?
How much did {l} change between {p} and {y}?
How much higher is {l} than {m}?
How much more {l} than {m} is there?
How much less is {l} than {m}?
What is the difference between {l} and {m}?
What is the gap between {l} and {m} in {y}?
What was the increase in {l} in {y}?
What was the year-over-year change in {l} in dollars?
Change in {l} {p} to {y}
How much bigger is {l} compared with {m}?
How did {l} change from {p} to {y}?
How did {l} change in {y}?
How did {l} change year over year?
How did {l} change in {y} compared with {p}?
How has {l} changed since {p}?
How has {l} changed since last year?
How has {l} developed since {p}?
How did {l} compare with the year before?
Was {l} higher in {y} than in {p}?
Did {l} {up} or {down} in {y}?
How much did {l} {up} from {p} to {y}?
How much did {l} {up}?
How much did {l} {down} in {y}?
How much did {l} {down}?
How much has {l} {upped} since {p}?
How much has {l} {downed} since {p}?
Did {l} {up} in {y}, and by how much?
Did {l} {down}, and by how much?
By how much has {l} {upped}?
How much more is {l} in {y} than in {p}?
{l} less {m}
{l} less {m} for {y}
{l} minus {m} in {y}
Calculate {l} minus {m}.
How much does {l} exceed {m}?
By how much did {l} exceed {m} in {y}?
How much of {l} remains after {m}?
How much does {d}'s {l} exceed {e}'s?
By how much does the {l} of {d} exceed that of {e}?
By how much does {l} at {d} exceed {l} at {e}?
How much does the {l} at {d} exceed that at {e}?
How much higher is {l} at {d} than at {e}?
How much lower is {l} at {d} than at {e}?
How much lower is the {l} of {d}?
How much higher is the {l} of {d} than that of {e}?
How much lower is {d}'s {l} than {e}'s?
How much more {l} does {d} have than {e}?
What is the difference in {l} between {d} and {e}?
What's the difference in {l} between {d} and {e}?
How much more {l} does {d} pay than {e}?
How much less {l} does {d} pay than {e}?
How much bigger is the {l} at {d} than at {e}?
How much larger is {d} than {e}?
How much dearer is {d} than {e}?
How much cheaper is {d} per year than {e}?
How far above {l} is {m}?
How far is {l} below {m}?
How much longer is the {l} at {d} than at {e}?
How much longer is the {l} under {d}?
the gap in {l} between {d} and {e}
""",
    "change": """
What was the percentage change in total {l}?
What was the percentage change in {l} in {y} from {p}?
What is the percentage change in {l} in {y} from {p}?
What was the percentage change in {l} between {p} and {y}?
What is the percentage change in {l} between {p} and {y}?
What is the percentage increase in {l} from {p} to {y}?
By what percentage did {l} change between {p} and {y}?
What is the % increase in {l} between {p} and {y}?
{l} growth {p} to {y}, %
What was the percentage change in {l} from {p} to {y}?
By what percentage did {l} grow in {y}?
How much did {l} grow in percent?
What is the growth rate of {l}?
What is the year-over-year growth in {l}?
What is {l} growth in {y}?
What was the % change in {l}?
By what percent did {l} decline between {p} and {y}?
How fast did {l} grow in {y}?
What is the yoy growth of {l} in percent?
How many percent did {l} increase?
What per cent did {l} rise from {p} to {y}?
By how many per cent did {l} fall?
What is the per cent change in {l}?
What is the year over year change in {l}?
How quickly did {l} {up} between {p} and {y}?
How many percent has {l} {downed} since {p}?
""",
    "average": """
What is the average {l} of {p} and {y}?
What was average {l} over the last three years?
What is the mean {l}?
On average, how much is {l}?
What is the average of {l} and {m}?
What is the average {l} of {d} and {e}?
What do the {l} pay on average?
What do {d}'s {l} pay on average a year?
What does a {l} cost on average?
What's the average {l} of the {m}?
What is the average {l} per sq ft of the {m}?
average {l} across all {m}
average {l} of the {m} in {d}
Average {l} of {d}'s {m}
Average {l} of the {m}, in millions?
What's the mean {l} across the {m}?
mean {l} of all {m}
Taking all the {m}, what's the average {l}?
How much was {l} on average between {p} and {y}?
What is the three-year average of {l}?
""",
    "sum": """
What is the sum of {l} and {m}?
How much are {l} and {m} together?
What do {l} and {m} add up to?
How much do {l} and {m} add up to?
What does {l} add up to with {m}?
What is the combined {l} and {m} in {y}?
What is {l} plus {m}?
What was the total of {l} and {m}?
How much {l} in {p} and {y} combined?
{l} and {m} combined
the combined {l} of the two
{l} and {m} together in {y}
What are {l} and {m} altogether?
Counting {l} and {m}, how much is it in all?
What is the total {l} over {p} and {y}?
What was the total {l} from {p} to {y}?
What was total {l} between {p} and {y}?
How much was {l} in all from {p} to {y}?
What is the combined {l} of {d} and {e}?
What is {l} at {d} and {e} together?
How much {l} do {d} and {e} pay together?
How much {l} do {d} and {e} pay in all?
What do {d} and {e} pay together?
How many {l} do {d} and {e} have between them?
What do the {l} add up to?
What do all the {l} come to?
What do both {l} come to together?
What do the two {l} come to?
both {l} together
combined {l}?
What is the combined {l} of both?
Add up the {l} of {d}.
How much {l} expires before {y} in total?
How many square feet expire before {y}?
How much {l} has an expiry before {y}?
How much {l} expires by the end of {y}?
Leaving out {m}, how much are the {l} together?
What do they pay for {l} and {m} together?
How much {l} ends in {y} altogether?
""",
    "share": """
What share of {m} is {l}?
What percentage of {m} is {l}?
What percentage of {d}'s total {m} did {l} contribute in {y}?
What percentage of total {m} did {l} make up?
What proportion of {d}'s {m} did {l} represent in {y}?
How much of {d}'s total {m} did {l} bring in, as a percentage?
What proportion of {m} was {l} in {y}?
{l} as a percentage of {m}
What is the ratio of {l} to {m}?
What is {l} divided by {m}?
How much of {m} is {l}, in percent?
What is {l} as a share of {m} in {y}?
How many times {l} is {m}?
What fraction of {m} comes from {l}?
What share of {m} came from {l}?
What percentage of {m} came from {l} in {y}?
What share of the {l} does {d} pay?
What share of the {l} does {d} rent?
What share of {d}'s {l} does {e} rent?
What share of the {l} does the largest {m} pay?
What share of the {l} does {d}'s largest {m} have?
What percentage of the {l} comes from {d}?
What percentage of the {l} is vacant?
What part of the {l} does {d} account for?
What's the {l} as a percentage of the {m}?
What is {d}'s {l} as a percentage of the yearly {m}?
How much of the {l} does {d} take, in per cent?
What portion of the {l} is {d}?
What portion of the {m} is {l}?
What fraction of the {l} is {d}'s?
""",
    "highest": """
Which year had the highest {l}?
In which year was {l} higher?
When was {l} at its peak?
Which of them has the largest {l}?
What is the highest {l}?
Which is bigger, {l} or {m}?
Who has the most {l}?
Which tenant pays the highest {l}?
Which segment had the greatest {l} in {y}?
Which {m} has the higher {l}?
Which of the two has the higher {l}?
Which {m} pays the most {l}?
Which of {d} and {e} has the higher {l}?
Who is paying the top {l}?
Which {m} costs the most?
Whose {l} is bigger, {d}'s or {e}'s?
""",
    "lowest": """
Which year had the lowest {l}?
In which year was {l} lower?
Which of them has the smallest {l}?
What is the lowest {l}?
Which is smaller, {l} or {m}?
Who has the least {l}?
Which tenant pays the lowest {l}?
Which segment had the smallest {l} in {y}?
Which {m} has the lower {l}?
Which of the two has the lower {l}?
Which {m} pays the least {l}?
Which of {d} and {e} has the lower {l}?
Which {m} has done worst on {l}?
Which {m} costs the least?
""",
    "count": """
How many {l} are there?
How many tenants are there?
How many of them exceed {l}?
In how many years was {l} above $5 million?
What is the number of {l} listed?
How many leases expire in {y}?
How many {l} does {d} have?
How many {l} are in {d}?
""",
    "none": """
{l} in Q3 last year
{l} in the last quarter of {y}, in millions
{l} over the last twelve months
{l} for the year to date
{l}, {y}, $m
{l}, six months to June {y}
How much {l} was there between January and March?
What was {l} in {p} and {y}?
What were {l} and {m} in {y}?
What is {l}?
What was {l} in {y}?
How much is {l}?
How much {l} was there in {y}?
What is the total {l} in {y}?
{l} {y}
{l}
What was total {l}?
What does the document say about {l}?
Who is responsible for {l}?
Why did {l} increase in {y}?
What drove the change in {l}?
What caused the decrease in {l}?
When does {l} end?
How many days of notice are needed for {l}?
What is the rate of {l}?
How is {l} calculated?
What is the average remaining term?
What percentage is {l}?
What was the number of {l} in {y}?
How many square feet is {l}?
Is there a change of control clause?
Are there restrictions on {l}?
List the {l}
What is the {l} margin in {y}?
Explain the changes in {l}.
Did {l} {up} in {y}?
Why has {l} {downed}?
How much is the monthly {l}?
How much notice is needed for {l}?
How much did they spend on {l} in {y}?
How much did the company pay for {l}?
How much has been paid for {l} since {p}?
How much did {l} cost in {y}?
How much did {l} come to in {y}?
How much did {l} earn in {y}?
How much did they receive from {l}?
How much did {l} owe at the end of {y}?
Did they pay {l} in {y}?
Did the company report {l}, and how much?
How much has the company borrowed under {l}?
How much did {l} raise in {y}?
How has {l} changed over time?
How has {d}'s {l} changed over time?
How has {d}'s {l} changed over the years?
How has {l} developed over the quarters?
What is the trend in {d}'s {l}?
What is {d}'s {l}?
What is the {l} of {d}?
How much is {l} at {d}?
How many square feet is {d}?
How many square feet does {d} rent?
When does the {l} of {d} expire?
Which {l} expire before {y}?
What {l} does {d} pay?
How long is the {l} at {d}?
How big is {d}?
What is the {l} per sq ft?
""",
}
NAMES = (
    "Property A", "Property B", "Harbour Yard", "the Elm Street lease", "the first lease", "Apple",
    "Acme", "the 2023 report", "Oak Plaza", "the memorandum", "Building 2", "the old contract",
)  # fmt: skip
# Verbs of the wordings, and the same as participles.
_UP = "grow grown rise risen increase increased climb climbed improve improved widen widened"
_DOWN = "fall fallen decline declined decrease decreased drop dropped shrink shrunk narrow narrowed"
VERBS = {
    name: text.split()[at::2]
    for name, text, at in (
        ("up", _UP, 0), ("upped", _UP, 1), ("down", _DOWN, 0), ("downed", _DOWN, 1)
    )
}  # fmt: skip


def operation(question: dict[str, Any]) -> Operation | None:
    """How a question's answer was derived; None where it is none of ours."""
    kind = question["answer_type"]
    if kind == "count":
        return "count"
    if question["req_comparison"]:
        asked = question["question"].lower()
        low = re.search(r"\b(?:lowest|lower|smallest|smaller|least|less|fewer|fewest)\b", asked)
        return "lowest" if low else "highest"
    if kind != "arithmetic":
        return "none"
    plain = re.sub(
        r"\(\s*-?[\d.,]+%?\s*\)|-?(?<![\d)])[\d.,]+%?|[\d.,]+%?", "N", question["derivation"]
    )
    plain = re.sub(r"[\s$£€\[\]]", "", plain).replace("[", "(").replace("--", "-")
    for form, name in _FORMS:
        if re.fullmatch(form, plain):
            return name
    return None


_FORMS: tuple[tuple[str, Operation], ...] = (
    (r"\(?-?N-N\)?", "difference"),
    (r"\(?-?N(?:\+-?N)+\)?", "sum"),
    (r"\(-?N-N\)/-?N|-?N/-?N-N", "change"),
    (r"-?\(?-?N(?:\+-?N)+\)?/N", "average"),
    (r"N/N|\(?N\+N\)?/N", "share"),
)


def examples(folder: Path) -> Iterator[tuple[str, Operation, int]]:
    """Questions with their operation and context; those that are made are of context -1."""
    random = Random(0)
    labels: list[str] = []
    for number, context in enumerate(contexts(folder)):
        if number % 2 == 0:
            labels += [row[0] for row in context["table"]["table"] if re.search("[a-z]{3}", row[0])]
            for each in context["questions"]:
                if found := operation(each):
                    yield each["question"], found, number
    for each in read_lines(WRITTEN):
        yield each["question"], each["operation"], -1
    for composed in random.sample(composed_questions(), COMPOSED):
        yield composed.question, "none", -1
    for name, listed in WORDINGS.items():
        for wording in listed.strip().splitlines():
            for _ in range(OF_A_WORDING):
                one, other = random.sample(labels, 2)
                year = random.randint(2005, 2026)
                verbs = {each: random.choice(words) for each, words in VERBS.items()}
                place, second = random.sample(NAMES, 2)
                filled = {"l": one, "m": other, "y": year, "p": year - 1, "d": place, "e": second}
                yield wording.format(**filled, **verbs), name, -1


def of_rows(folder: Path) -> Iterator[tuple[str, int]]:
    """Questions with 1 where a row of a table answers them, 0 where a sentence does.

    Of TAT-QA's even contexts; the wordings of rows and of clauses, headings and reasons beside.
    """
    random = Random(1)
    labels: list[str] = []
    for number, context in enumerate(contexts(folder / "tatqa_dev")):
        if number % 2 == 0:
            labels += [row[0] for row in context["table"]["table"] if re.search("[a-z]{3}", row[0])]
            for each in context["questions"]:
                yield each["question"], int(each["answer_from"] != "text")
    for name, number in ((wordings.ROW, 1), (wordings.HEADING, 0), (wordings.REASON, 0)):
        for wording in name:
            for _ in range(OF_A_WORDING):
                label, year = random.choice(labels), str(random.randint(2005, 2026))
                filled = dict.fromkeys("lha", label) | {"C": "the company", "b": "increase"}
                filled |= {"y": year, "p": str(int(year) - 1), "fy": f"FY{year}", "fp": "FY2001"}
                yield wording.format(**filled), number
    lines = (folder / "northwind" / "qa.jsonl").read_text("utf-8").splitlines()
    yield from ((json.loads(line)["question"], 0) for line in lines[::2])
    for texts in wordings.TOPIC.values():
        yield from ((text, 0) for text in texts)


def held_out(folder: Path) -> dict[str, list[tuple[str, Operation]]]:
    """Questions that are not learnt from, with their operations, by what they are of."""
    odd = [each for context in contexts(folder)[1::2] for each in context["questions"]]
    return {
        "odd contexts": [(each["question"], name) for each in odd if (name := operation(each))],
        "written": [(each["question"], each["operation"]) for each in read_lines(HELD)],
    }


def told(
    kept: dict[str, Any], texts: Sequence[str], vectors: NDArray[np.float32]
) -> Iterator[Operation]:
    """The operation that each of the texts is taken to ask for; ``vectors`` are theirs, (n, d)."""
    model = linear_of(kept)
    for text, vector in zip(texts, vectors, strict=True):
        operation, chance = likeliest(model.odds(text, vector))
        yield operation if chance >= ASKED else "none"


def told_rightly(where: str, asked: Sequence[Operation], found: Sequence[Operation]) -> str:
    """What was found, beside what is asked, in a sentence."""
    sums = Counter(
        "right" if one == other else "missed" if other == "none" else "another"
        for one, other in zip(asked, found, strict=True)
        if one != "none"
    )
    none = [other for one, other in zip(asked, found, strict=True) if one == "none"]
    return (
        f"{where}: of {sums.total()} that ask for a sum {sums['right']} told, "
        f"{sums['another']} taken for another; of {len(none)} that ask for none "
        f"{len(none) - none.count('none')} taken for one"
    )


def names_of_figures(folder: Path) -> frozenset[str]:
    """The words that the labels of TAT-QA's even tables name figures by, and no wording has."""
    tables = (context["table"]["table"] for context in contexts(folder)[::2])
    said = Counter(word for table in tables for row in table for word in set(words(row[0])))
    of_sums = {word for wordings in WORDINGS.values() for word in words(wordings)} | STOP_WORDS
    return frozenset(word for word, count in said.items() if count >= NAMING) - of_sums


def _operations(
    learnt: Sequence[tuple[str, int]], vectors: NDArray[np.float32], names: frozenset[str]
) -> dict[str, Any]:
    texts, labels = zip(*learnt, strict=True)
    return taught(
        texts,
        labels,
        classes=len(OPERATIONS),
        seen=SEEN,
        least=LEAST,
        without=names,
        vectors=vectors,
        strength=STRENGTH,
    )


def _row(learnt: Sequence[tuple[str, int]]) -> dict[str, Any]:
    texts, labels = zip(*learnt, strict=True)
    return taught(texts, labels, classes=2, seen=SEEN_OF_ROWS, least=LEAST)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.operations")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    every = list(examples(given.folder / "tatqa_dev"))
    names = names_of_figures(given.folder / "tatqa_dev")
    operations = [(text, OPERATIONS.index(name)) for text, name, _ in every]
    with tempfile.TemporaryDirectory() as cache:
        encoder = load_encoder(Path(cache), name=BUNDLED)
        vectors = encoder.encode([text for text, _ in operations])
        kept = {
            "operations": _operations(operations, vectors, names),
            "row": _row(list(of_rows(given.folder))),
        }
        for where, held in held_out(given.folder / "tatqa_dev").items():
            texts, asked = zip(*held, strict=True)
            found = list(told(kept["operations"], texts, encoder.encode(texts)))
            print(told_rightly(where, asked, found))
    given.out.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    counts = Counter(name for _, name, _ in every)
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB, from {dict(counts)}")


if __name__ == "__main__":
    main()
