"""Teaches the judge of findings which candidates answer a question, and how sure it may be.

    python -m tests.training.judge FOLDER --libraries DIR --lessons FILE
        --out docqa/answer/findings/judge.json

FOLDER holds the development sets: ``tatqa_dev`` (tables and paragraphs, with questions by people),
``cuad`` and ``cuad_more`` (clauses of contracts), ``northwind`` (handbooks) and filings, of which
rows are asked for by label and year; besides these are questions as people ask them of documents
written for it (`tests.training.asked`). FILE has the reranker's lessons (`python -m tests.training
--lessons`): only what it did not learn from teaches the judge, as of other questions its score says
too much.
Every question is learnt from twice, once without what answers it, so that the best of what is left
is not taken for an answer. Every fifth document is held back to choose on.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-untyped]

from docqa.answer.evidence import add_evidence, choose_hits
from docqa.answer.findings.candidates import Candidate, candidates
from docqa.answer.findings.extractive import CERTAIN
from docqa.answer.findings.features import NAMES, features
from docqa.answer.findings.judge import heard, nearest, pool_of, weighed
from docqa.app.findings import networks
from docqa.app.search import read_question, search
from docqa.language.trees import Numbers
from docqa.language.words import content_words, fold
from docqa.library.filenames import clean_name
from docqa.workspace import Workspace
from tests.eval import tatqa
from tests.eval.compare import in_view
from tests.eval.sets import read_set
from tests.training import wordings
from tests.training.asked import Asked, asked_questions, library_of_asked
from tests.training.composed import says
from tests.training.examples import read_lessons
from tests.training.held_back import parted

# Rising with each of these a candidate never answers less.
RISING = (
    "cosine", "cosine behind", "read", "read behind", "words held", "words asked", "period",
    "length asked", "opening",
)  # fmt: skip
TREES, LEAVES, RATE, SEEN = 80, 8, 0.06, 60
OF_A_DOCUMENT = 40  # rows asked for
ABSENT = 12  # kinds of clauses a contract does not have
FIFTH = 5
MOST = 120  # questions for rows of a library
SENTENCE = 40  # characters of what is taken for a part of a quote


@dataclass(frozen=True, slots=True)
class Example:
    """A question of some documents, and which candidates answer it."""

    question: str
    documents: tuple[str, ...]  # ids
    answers: Callable[[Candidate], bool]
    group: str  # what the reranker learnt from or not
    absent: bool = False  # whether it is known that nothing answers


@dataclass(frozen=True, slots=True)
class Measured:
    """The features of a question's candidates, and which of them answer.

    ``kind`` is of question; ``lacking`` says that what answers was taken away.
    """

    rows: Numbers
    right: Numbers
    document: str
    kind: str
    lacking: bool = False


def of_tatqa(workspace: Workspace, folder: Path, half: int = 0) -> Iterator[Example]:
    ids = {document.name: document.id for document in workspace.documents()}
    texts = tatqa.contexts(folder)
    for number, context in enumerate(texts):
        if number % 2 != half or tatqa.name_of(number) not in ids:
            continue
        for each in context["questions"]:
            answers = _tatqa_answers(each)
            if answers:
                documents = (ids[tatqa.name_of(number)],)
                yield Example(each["question"], documents, answers, f"t{number // 2 % 5}")


def _tatqa_answers(question: dict[str, Any]) -> Callable[[Candidate], bool] | None:
    kind, derivation = question["answer_type"], question["derivation"]
    if kind in ("arithmetic", "count"):
        figures = set(re.findall(r"\d[\d,]*\.?\d*", derivation.replace("%", "")))
        figures -= {"1", "2", "3", "4", "5", "100"}
        if kind == "count" or not figures:
            return None
        return lambda candidate: bool(figures & set(_figures(candidate)))
    gold = [fold(str(each)).strip(" .") for each in question["answer"]]
    if all(re.fullmatch(r"(?:fy ?)?(?:19|20)\d\d", each) for each in gold):
        return None  # the head of a column
    return lambda candidate: any(_says(candidate, each) for each in gold)


def _figures(candidate: Candidate) -> list[str]:
    return re.findall(r"\d[\d,]*\.?\d*", candidate.text)


def _says(candidate: Candidate, gold: str) -> bool:
    if candidate.row is not None:
        cells = [fold(cell).strip() for cell in (*candidate.row.cells, candidate.row.label)]
        bare = gold.replace("$", "").strip()
        return any(gold == cell or bare == cell.replace("$", "").strip() for cell in cells)
    text = fold(candidate.text)
    if len(gold) < 3:
        return re.search(rf"(?<!\w){re.escape(gold)}(?!\w)", text) is not None
    return gold in text or (len(text) > 40 and text.strip(" .") in gold)


def of_contracts(workspace: Workspace, folder: Path, random: Random) -> Iterator[Example]:
    """Each contract learnt from, asked for each kind of clause, by its description or its name."""
    rows = json.loads((folder / "clause_pages.json").read_text("utf-8"))
    ids = {document.name: document.id for document in workspace.documents()}
    described = read_set(folder).questions
    names = _category_names(folder)
    for at, file in enumerate(contracts_learnt_from(folder)):
        asked = [each for each in described if file in each.sources]
        absent = 0
        for each, name in zip(asked, names, strict=True):
            absent += not each.answerable
            if not each.answerable and absent > ABSENT:
                continue
            clauses = [
                (set(row["pages"]), set(content_words(row["clause"])))
                for row in rows
                if row["file"] == file and _same(row["category"], name)
            ]
            wordings_of = (each.question, f"{name}?", f"What is the {name.lower()}?")
            text = random.choice((*wordings_of, f"What does it say about {name.lower()}?"))
            documents, group = (ids[clean_name(file)],), f"c{at % 5}"
            yield Example(text, documents, _in_clause(clauses), group, not each.answerable)


def contracts_learnt_from(folder: Path) -> list[str]:
    """Of cuad_more the first of each kind; else every second contract."""
    seen = in_view(folder)
    return seen if folder.name == "cuad_more" else seen[::2]


def _category_names(folder: Path) -> list[str]:
    lines = (folder / "category_descriptions.csv").read_text("utf-8-sig").splitlines()
    found = [re.match(r'"?Category: ([^,"]+)', line) for line in lines]
    return [match[1].strip() for match in found if match]


def _same(one: str, other: str) -> bool:
    return re.sub(r"\W", "", one).lower() == re.sub(r"\W", "", other).lower()


def _in_clause(clauses: Sequence[tuple[set[int], set[str]]]) -> Callable[[Candidate], bool]:
    def answers(candidate: Candidate) -> bool:
        own = set(content_words(candidate.text))
        for pages, words in clauses:
            shared = len(own & words)
            enough = shared >= 0.8 * min(len(own), len(words)) and shared >= min(3, len(words))
            if candidate.block.page in pages and enough and own:
                return True
        return False

    return answers


def of_handbooks(workspace: Workspace, folder: Path) -> Iterator[Example]:
    ids = {document.name: document.id for document in workspace.documents()}
    lines = (folder / "qa.jsonl").read_text("utf-8").splitlines()
    for at, line in enumerate(lines[::2]):
        row = json.loads(line)
        truth = set(content_words(re.sub(r"\[[^\]]*\]", " ", row["truth"])))
        places = set(re.findall(r"\[([^\[\]#]+\.pdf)#page=(\d+)\]", row["truth"]))
        where = {(ids.get(clean_name(name)), int(page)) for name, page in places}
        yield Example(row["question"], (), _near_truth(where, truth), f"h{at % 5}")


def _near_truth(where: set[Any], truth: set[str]) -> Callable[[Candidate], bool]:
    def answers(candidate: Candidate) -> bool:
        own = set(content_words(candidate.text))
        place = (candidate.piece.hit.document.id, candidate.block.page)
        return place in where and len(own & truth) >= 0.5 * len(own) and len(own & truth) > 2

    return answers


def of_rows(workspace: Workspace, random: Random) -> Iterator[Example]:
    """Rows of the tables of even documents, asked for by label and year."""
    documents = sorted(workspace.documents(), key=lambda each: each.id)[::2]
    for at, document in enumerate(documents):
        tables = [t for t in workspace.contents.tables(document.id) if t.role != "contents"]
        rows = [(t, row) for t in tables for row in t.rows if _is_asked_for(row.label)]
        for table, row in random.sample(rows, min(OF_A_DOCUMENT, len(rows))):
            years = sorted({c.period.year for c in table.columns if c.period.year}, reverse=True)
            year = str(random.choice(years[:2])) if years else "2022"
            before = str(int(year) - 1)
            form = random.choice(wordings.FISCAL)
            filled = {"l": row.label, "C": "the company", "y": year, "p": before}
            filled |= {"fy": form.format(year), "fp": form.format(before)}
            text = random.choice(wordings.ROW).format(**filled)
            yield Example(text, (document.id,), _labelled(fold(row.label)), f"r{at % 5}")


def of_asked(workspace: Workspace, asked: Iterable[Asked]) -> Iterator[Example]:
    """Questions as people ask them, of the documents written for them."""
    ids = {document.name: document.id for document in workspace.documents()}
    for each in asked:
        name, answers = clean_name(each.document), partial(_is_quoted, quotes=each.quotes)
        yield Example(each.question, (ids[name],), answers, name, not each.quotes)


def _is_quoted(candidate: Candidate, quotes: Sequence[str]) -> bool:
    """Whether a candidate has one of the quotes, or is a sentence of one."""
    text = candidate.text
    whole = len(text) > SENTENCE
    return any(says(text, quote) or (whole and says(quote, text)) for quote in quotes)


def _is_asked_for(label: str) -> bool:
    return 4 < len(label) <= 70 and re.search("[a-z]{3}", label) is not None


def _labelled(label: str) -> Callable[[Candidate], bool]:
    return lambda candidate: candidate.row is not None and fold(candidate.row.label) == label


def measured_of(workspace: Workspace, examples: Sequence[Example], kind: str) -> Iterator[Measured]:
    resources = workspace.resources
    for each in examples:
        question = read_question(resources, each.question, document_ids=each.documents)
        result = search(resources, question, settings=resources.settings)
        chosen = choose_hits(result.hits, max_chars=resources.settings.answering.evidence_chars)
        every = pool_of(question, candidates(add_evidence((), chosen)))
        if not every:
            continue
        means = networks(resources)
        pool, cosines = nearest(question, every, means)
        right = np.array([each.answers(candidate) for candidate in pool], np.float32)
        if not (each.absent or right.any()):
            continue  # what answers was not found, or is told in part by several
        read = cosines, heard(question, pool, means.reads)
        document = pool[0].piece.hit.document.id
        yield Measured(features(question, pool, *read), right, document, kind, each.absent)
        rest = np.flatnonzero(right == 0)
        if right.any() and rest.size:
            left = ([own[int(at)] for at in rest] for own in read)
            rows = features(question, [pool[int(at)] for at in rest], *left)
            yield Measured(rows, right[rest], document, kind, lacking=True)


def teach(examples: Sequence[Measured]) -> HistGradientBoostingClassifier:
    """Trees in which each question weighs the same, however many candidates it has."""
    rows = np.concatenate([each.rows for each in examples])
    right = np.concatenate([each.right for each in examples])
    own = np.array([len(each.right) for each in examples])
    model = HistGradientBoostingClassifier(
        learning_rate=RATE, max_iter=TREES, max_leaf_nodes=LEAVES, min_samples_leaf=SEEN,
        l2_regularization=1.0, random_state=0,
        monotonic_cst=[int(name in RISING) for name in NAMES],
    )  # fmt: skip
    return model.fit(rows, right, sample_weight=np.repeat(own.mean() / own, own))


def told(model: Any, examples: Sequence[Measured], kind: str) -> str:
    """How often the likeliest answers, and is likely enough; the same where nothing answers."""
    own = [(e, _chances(model, e)) for e in examples if e.kind == kind]
    asked = [(e.right[found.argmax()], found.max()) for e, found in own if not e.lacking]
    lacking = [found.max() for e, found in own if e.lacking]
    right = sum(bool(answers) for answers, _ in asked)
    said = sum(chance >= CERTAIN for _, chance in asked)
    alarms = sum(chance >= CERTAIN for chance in lacking)
    return (
        f"{kind}: the likeliest answers {right} of {len(asked)}, {said} for certain; where nothing "
        f"answers, {alarms} of {len(lacking)} for certain"
    )


def _chances(model: Any, example: Measured) -> Numbers:
    """As `docqa.answer.findings.judge` has them."""
    read = 1 / (1 + np.exp(-example.rows[:, NAMES.index("read")]))
    return weighed(model.predict_proba(example.rows)[:, 1], read)


def kept(model: Any, names: Sequence[str] = NAMES) -> dict[str, Any]:
    """The trees as numbers, in the form that `docqa.answer.findings.judge` reads."""
    trees = [stage[0].nodes for stage in model._predictors]
    widest = max(map(len, trees))
    padded: dict[str, list[list[float]]] = {
        name: [] for name in ("feature", "threshold", "below", "above", "value")
    }
    for nodes in trees:
        leaf = nodes["is_leaf"].astype(bool)
        columns = {
            "feature": np.where(leaf, -1, nodes["feature_idx"]),
            "threshold": np.where(leaf, 0.0, nodes["num_threshold"]),
            "below": nodes["left"], "above": nodes["right"],
            "value": np.where(leaf, nodes["value"], 0.0),
        }  # fmt: skip
        for name, column in columns.items():
            filler = -1 if name == "feature" else 0
            row = [*column.tolist(), *[filler] * (widest - len(nodes))]
            padded[name].append([round(number, 5) for number in row])
    base = float(np.ravel(model._baseline_prediction)[0])
    return {"features": list(names), "base": round(base, 5), **padded}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.training.judge")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--lessons", type=Path, required=True, help="of the reranker")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--examples", type=Path, help="kept between runs, as .npz")
    given = parser.parse_args()
    if given.examples and given.examples.exists():
        examples = list(np.load(given.examples, allow_pickle=True)["examples"])
    else:
        examples = collected(given.folder, given.libraries, not_learnt(given.lessons))
        if given.examples:
            np.savez(given.examples, examples=np.array(examples, dtype=object))
    documents = sorted({each.document for each in examples})
    back = set(documents[::FIFTH])
    learnt = [each for each in examples if each.document not in back]
    held = [each for each in examples if each.document in back]
    model = teach(learnt)
    for name, found in (("learnt", learnt), ("held back", held)):
        for kind in sorted({each.kind for each in found}):
            print(f"{name}, {told(model, found, kind)}")
    given.out.write_text(json.dumps(kept(model), separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{given.out}: {given.out.stat().st_size / 1e3:.0f} KB")


def asked_of(name: str, workspace: Workspace, folder: Path) -> Iterator[Example]:
    """What of a development set is learnt from."""
    if name == "tatqa":
        yield from of_tatqa(workspace, folder / "tatqa_dev")
    elif name in ("cuad", "cuad_more"):
        yield from of_contracts(workspace, folder / name, Random(0))
    elif name == "northwind":
        yield from of_handbooks(workspace, folder / name)
    else:
        yield from of_rows(workspace, Random(0))


KINDS = {
    "tatqa": "tatqa", "cuad": "contracts", "cuad_more": "contracts", "northwind": "handbooks",
    "financebench_dev": "rows", "kg_rag_aapl": "rows",
}  # fmt: skip
ROWS = ("financebench_dev", "kg_rag_aapl")  # the reranker learns nothing from these


def not_learnt(lessons: Path) -> frozenset[str]:
    """What the reranker did not learn from: documents, and groups of questions."""
    return frozenset(each.group for each in parted(read_lessons(lessons))[1])


def collected(folder: Path, libraries: Path, groups: Set[str]) -> list[Measured]:
    found: list[Measured] = []
    for name, kind in KINDS.items():
        with Workspace(libraries / name) as workspace:
            every = asked_of(name, workspace, folder)
            asked = [each for each in every if name in ROWS or each.group in groups]
            asked = Random(1).sample(asked, min(MOST, len(asked))) if name in ROWS else asked
            found += measured_of(workspace, asked, kind)
    with library_of_asked(libraries / "asked") as workspace:
        found += measured_of(workspace, list(of_asked(workspace, asked_questions())), "asked")
    return found


if __name__ == "__main__":
    main()
