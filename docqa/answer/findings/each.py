"""What each of several documents says to the same question, as one answer."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile

from docqa.answer.beside import relabelled
from docqa.answer.evidence import citations_in
from docqa.answer.findings.quoting import ALSO, titles
from docqa.answer.findings.worked import LIKELY, NEAREST_TO_IT, ROWS_SHOWN
from docqa.answer.receipt import with_receipts_of
from docqa.types.answer import Answer, Evidence
from docqa.types.phrases import SUB_ITEM, series

MOST = 24  # documents that are asked one by one: of more the answer would be a table
NOT_OUTRIGHT = "These do not state it outright; the likeliest place of each:"


def together(answers: Mapping[str, Answer]) -> Answer:
    """The first finding of each document under its name, then the likeliest place of those that
    state none outright, then those where nothing stands out; where no place is likely, what comes
    nearest in each.

    Passages get labels of their own, as each answer begins with S1. Not ``found`` where no
    document answers and no place is likely.
    """
    heads = dict(zip(answers, titles(answers), strict=True))
    stated = {name: each for name, each in answers.items() if each.found and not each.likely}
    near = {name: each for name, each in answers.items() if each.text.startswith(LIKELY)}
    lead = NOT_OUTRIGHT
    if not stated and not near:
        lead = NEAREST_TO_IT
        near = {name: each for name, each in answers.items() if each.likely}
    silent = [heads[name] for name in answers if name not in stated and name not in near]
    evidence: tuple[Evidence, ...] = ()
    parts: list[str] = []
    for name, answer in stated.items():
        first, _, _ = answer.text.partition(f"\n\n{ALSO}")
        text, evidence = relabelled(first, answer.evidence, evidence)
        parts.append(f"{heads[name]}:\n{text if chr(10) in text else f'- {text}'}")
    places: list[str] = []
    for name, answer in near.items():
        text, evidence = relabelled(_likeliest(answer.text), answer.evidence, evidence)
        places.append(f"- {heads[name]}: {text}")
    parts += [f"{lead}\n{chr(10).join(places)}"] if places else []
    parts += [f"Nothing stands out in {series(silent, 'or')}."] if silent and parts else []
    every = list(answers.values())
    if not parts:
        return every[0]
    text = "\n\n".join(parts)
    given = replace(
        every[0],
        text=text,
        evidence=evidence,
        citations=citations_in(text, evidence),
        warnings=tuple(w for w in every[0].warnings if all(w in one.warnings for one in every)),
        found=True,
        likely=not stated,
    )
    return with_receipts_of(given, every)


def _likeliest(text: str) -> str:
    """The first of the places below what leads them in, of a table with its first rows."""
    _, first, *below = text.split("\n")
    rows = list(takewhile(lambda line: line.startswith(SUB_ITEM), below))
    return "\n".join((first.removeprefix("- "), *rows[:ROWS_SHOWN]))
