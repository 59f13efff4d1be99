"""What single stages of a search are for, measured on questions that need them.

    python -m tests.eval.purposes FOLDER... [--libraries DIR]

`tests.eval.stages` asks the sets' own questions, few of which need these stages. Here, for each
folder (see `tests.eval.sets`), with a stage and without it:

- a query for each part: questions of several parts, and how many of their parts are in the
  evidence, the passages that an answer is made from. Of contracts: "Summarize the A, B and C."
  for clauses beside one another in the alphabet, and "Compare the A of X and Y." for contracts
  that the set pairs; a part is there with a passage of a page named. Of questions with an answer
  over several documents: each of its figures is a part. Of any documents: "Summarize A, B and C."
  for three sections that stand far apart, "Compare A with B." for the first two of them, and
  "Compare A in X and Y." for a section that two have; a part is there with a passage under its
  heading. The same with wider queries, which are off, and
  without varied passages (MMR). Without reranking, which orders the first
  dozen passages of so many alone and would take most of the time.
- preferring tables or prose: rows of tables, asked for by label and year, and the reasons that
  sentences give, asked for by "Why"; how high the first passage ranks that has the row, or the
  sentence. Only questions for which the stage prefers one or the other.
- dropping near-duplicates: passages whose words stand twice in their document, asked for by how
  they begin; how many different texts are in the evidence.

Beside the figures stand the questions that the stage answers better ("won") and worse ("lost"),
and the chance of so uneven a split if it made no difference (sign test).
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path

from docqa.answer.findings.rows import quoted
from docqa.ingest.tables.build import tables_of
from docqa.language.words import content_words
from docqa.library.filenames import clean_name
from docqa.question.intent import preference_of
from docqa.types.document import Chunk, Document, without_ending
from docqa.types.search import Hit
from tests.eval.extractive import digits_of, read_asked
from tests.eval.library import each_set
from tests.eval.stages import STAGES, Asker, Without, asker_of, evidence_of, sign_test

OF_A_DOCUMENT = 12  # questions made from each document's tables, and as many from its sentences
OPENING = 12  # words by which a passage is asked for

Part = Callable[[Hit], bool]
Cut = tuple[Document, Sequence[Chunk]]


@dataclass(frozen=True, slots=True)
class Need:
    """A question, the ids of the documents it is asked of, and what has to be found for it."""

    question: str
    within: tuple[str, ...]
    parts: tuple[Part, ...] = ()


# Questions of several parts


def summaries(folder: Path, ids: dict[str, str]) -> Iterator[Need]:
    """Three clauses of a contract, in the order of the alphabet."""
    for file, clauses in _clauses(folder).items():
        for first in range(0, len(clauses) - 2, 3):
            three = clauses[first : first + 3]
            names = [name for name, _ in three]
            parts = tuple(_on(ids[file], pages) for _, pages in three)
            question = f"Summarize the {names[0]}, {names[1]} and {names[2]}."
            yield Need(question, (ids[file],), parts)


def _clauses(folder: Path) -> dict[str, list[tuple[str, list[int]]]]:
    path = folder / "clause_pages.json"
    found: dict[str, dict[str, list[int]]] = {}
    for row in json.loads(path.read_text("utf-8")) if path.exists() else ():
        own = found.setdefault(clean_name(row["file"]), {})
        own.setdefault(_spoken(row["category"]), []).extend(row["pages"])
    return {file: sorted(own.items()) for file, own in found.items()}


def _spoken(category: str) -> str:
    return re.sub(r"[^\w/&]+", " ", category).strip().lower()


def _on(document_id: str, pages: Sequence[int]) -> Part:
    wanted = set(pages)

    def held(hit: Hit) -> bool:
        span = range(hit.chunk.page_start, hit.chunk.page_end + 1)
        return hit.document.id == document_id and not wanted.isdisjoint(span)

    return held


def comparisons(folder: Path, ids: dict[str, str]) -> Iterator[Need]:
    """A clause of two contracts, of those that both have on a page named."""
    path = folder / "pairs.json"
    for pair in json.loads(path.read_text("utf-8")) if path.exists() else ():
        sides = [ids[clean_name(pair[side])] for side in ("a_pdf", "b_pdf")]
        names = [re.split(r"[_,(]", pair[side])[0] for side in ("a_pdf", "b_pdf")]
        for category, row in pair["table"].items():
            if row["a_pages"] and row["b_pages"]:
                question = f"Compare the {_spoken(category)} of {names[0]} and {names[1]}."
                parts = (_on(sides[0], row["a_pages"]), _on(sides[1], row["b_pages"]))
                yield Need(question, tuple(sides), parts)


def of_figures(folder: Path) -> Iterator[Need]:
    """The set's own questions, asked of the whole library; each figure of the answer is a part."""
    path = folder / "questions.json"
    for asked in read_asked(path) if path.exists() else ():
        figures = sorted(digits_of(asked.answer or ""))
        if figures and len(asked.documents) > 1:
            yield Need(asked.question, (), tuple(_with(figure) for figure in figures))


def of_sections(document: Document, chunks: Sequence[Chunk]) -> Iterator[Need]:
    """Three sections of a document that stand far apart, by their headings."""
    for one, two, three in _far_apart(chunks):
        parts = tuple(under(document.id, each) for each in (one, two, three))
        yield Need(f"Summarize {one}, {two} and {three}.", (document.id,), parts)


def of_two_sections(document: Document, chunks: Sequence[Chunk]) -> Iterator[Need]:
    """The first two of these, set against each other."""
    for one, two, _ in _far_apart(chunks):
        parts = (under(document.id, one), under(document.id, two))
        yield Need(f"Compare {one} with {two}.", (document.id,), parts)


def _far_apart(chunks: Sequence[Chunk]) -> Iterator[tuple[str, str, str]]:
    headings = headings_of(chunks)
    third = len(headings) // 3
    step = max(1, third // OF_A_DOCUMENT)
    for at in list(range(0, third, step))[:OF_A_DOCUMENT]:
        yield headings[at], headings[at + third], headings[at + 2 * third]


def of_two(one: Cut, other: Cut) -> Iterator[Need]:
    """A section that two documents have, set against each other."""
    (first, chunks), (second, others) = one, other
    names = [without_ending(document.name) for document in (first, second)]
    theirs = set(headings_of(others))
    both = [heading for heading in headings_of(chunks) if heading in theirs]
    step = max(1, len(both) // OF_A_DOCUMENT)
    for heading in both[::step][:OF_A_DOCUMENT]:
        question = f"Compare {heading} in {names[0]} and {names[1]}."
        parts = (under(first.id, heading), under(second.id, heading))
        yield Need(question, (first.id, second.id), parts)


def headings_of(chunks: Sequence[Chunk]) -> list[str]:
    """The innermost headings that one run of passages has, of two to six words, in order."""
    own = (chunk.headings[-1] for chunk in chunks if chunk.headings)
    runs = Counter(heading for heading, _ in groupby(own))
    return [h for h, times in runs.items() if times == 1 and re.fullmatch(_PLAIN, h)]


_PLAIN = r"[A-Z][A-Za-z’'-]+(?: [A-Za-z’'-]+){1,5}"


def under(document_id: str, heading: str) -> Part:
    return lambda hit: hit.document.id == document_id and hit.chunk.headings[-1:] == (heading,)


def _with(figure: str) -> Part:
    return lambda hit: figure in digits_of(hit.chunk.text)


# Rows and reasons


def rows(document: Document, chunks: Sequence[Chunk]) -> Iterator[Need]:
    """Rows of tables whose columns have years, by label and year."""
    for chunk in chunks:
        for table in tables_of(document.id, chunk.blocks):
            for row in (quoted(table, each) for each in table.rows):
                label = row.label.rstrip(" :.")
                for entry in row.entries[:1]:
                    year = re.search(r"\b20[012]\d\b", entry.header)
                    figures = digits_of(entry.text)
                    if year and figures and 2 <= len(label.split()) <= 8 and label.isascii():
                        question = f"What was the {label.lower()} in {year[0]}?"
                        yield Need(question, (document.id,), (_saying(label, figures),))


def _saying(label: str, figures: set[str]) -> Part:
    words = set(content_words(label))
    return lambda hit: (
        words <= set(content_words(hit.chunk.text)) and figures <= digits_of(hit.chunk.text)
    )


_REASON = re.compile(
    r"^(?:The |Our )?([A-Z][\w &’'-]{6,60}?) (increase|decrease|decline)[sd]?\b"
    r".*\b(?:due to|driven by|because of|reflecting|result of|attributable to)\b"
)


def reasons(document: Document, chunks: Sequence[Chunk]) -> Iterator[Need]:
    """What a sentence says rose or fell, and why."""
    for chunk in chunks:
        for sentence in re.split(r"(?<=\.)\s+", chunk.text) if chunk.kind == "text" else ():
            if found := _REASON.match(" ".join(sentence.split())):
                subject, change = found[1].strip(), found[2]
                question = f"Why did {subject[0].lower() + subject[1:]} {change}?"
                yield Need(question, (document.id,), (_holding(sentence),))


def _holding(sentence: str) -> Part:
    return lambda hit: sentence in hit.chunk.text


def spread(needs: Iterator[Need], *, prefers: str) -> list[Need]:
    """`OF_A_DOCUMENT` of the questions with that preference, from the whole length."""
    kept = {each.question: each for each in needs if preference_of(each.question) == prefers}
    every = list(kept.values())
    step = max(1, len(every) // OF_A_DOCUMENT)
    return every[::step][:OF_A_DOCUMENT]


# Passages that repeat


def repeated(document: Document, chunks: Sequence[Chunk]) -> Iterator[Need]:
    """The texts that stand more than once in a document, asked for by their first words."""
    times = Counter(words_of(chunk.text) for chunk in chunks)
    for text, count in times.items():
        if count > 1 and len(text.split()) > OPENING:
            yield Need(" ".join(text.split()[:OPENING]), (document.id,))


def words_of(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


# What is told

Found = Callable[[Need, Sequence[Hit]], float]


def parts_found(need: Need, evidence: Sequence[Hit]) -> float:
    return sum(any(part(hit) for hit in evidence) for part in need.parts) / len(need.parts)


def highest(need: Need, evidence: Sequence[Hit]) -> float:
    """1 / rank of the first passage that answers."""
    ranks = (at for at, hit in enumerate(evidence, 1) if any(part(hit) for part in need.parts))
    return 1 / next(ranks, float("inf"))


def different(need: Need, evidence: Sequence[Hit]) -> float:
    return float(len({(hit.document.id, words_of(hit.chunk.text)) for hit in evidence}))


def compare(title: str, needs: Sequence[Need], found: Found, stage: str, asker: Asker) -> None:
    if not needs:
        return
    reranked = {} if found is not parts_found else {"use_reranker": False}
    with_it, without = (
        [found(each, evidence_of(asker.traced(each.question, each.within, how))) for each in needs]
        for how in (
            Without(reranked),
            replace(STAGES[stage], settings={**STAGES[stage].settings, **reranked}),
        )
    )
    won = sum(one > other for one, other in zip(with_it, without, strict=True))
    lost = sum(one < other for one, other in zip(with_it, without, strict=True))
    n = len(needs)
    print(
        f"{title}, n={n}: mean {sum(with_it) / n:.3f}, {stage} {sum(without) / n:.3f}; "
        f"whole {_whole(with_it)}, {_whole(without)}; +{won} -{lost} p {sign_test(won, lost):.2f}",
        flush=True,
    )


def _whole(found: Sequence[float]) -> int:
    return sum(each == 1.0 for each in found)


def measure(folder: Path, asker: Asker) -> None:
    print(f"\n{folder.name}", flush=True)
    documents = asker.catalog.documents()
    ids = {document.name: document.id for document in documents}
    cut = [(each, asker.catalog.document_chunks(each.id)) for each in documents]
    several = {
        "three clauses": list(summaries(folder, ids)),
        "a clause of two": list(comparisons(folder, ids)),
        "figures of several": list(of_figures(folder)),
        "three sections": [need for pair in cut for need in of_sections(*pair)],
        "two sections": [need for pair in cut for need in of_two_sections(*pair)],
        "a section of two": [need for pair in pairwise(cut) for need in of_two(*pair)],
    }
    for stage in ("without a query for each part", "with wider queries", "without varied passages"):
        for title, needs in several.items():
            compare(title, needs, parts_found, stage, asker)
    figures = [need for pair in cut for need in spread(rows(*pair), prefers="table")]
    why = [need for pair in cut for need in spread(reasons(*pair), prefers="narrative")]
    twice = [need for pair in cut for need in repeated(*pair)]
    preferring = "without preferring tables or prose"
    compare("rows of tables", figures, highest, preferring, asker)
    compare("reasons", why, highest, preferring, asker)
    compare("said twice", twice, different, "without dropping near-duplicates", asker)


def main() -> None:
    for folder, _, workspace in each_set("Measure stages on questions that need them."):
        measure(folder, asker_of(workspace))


if __name__ == "__main__":
    main()
