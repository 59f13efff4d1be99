"""The tree in the docstring is the tree of classes, and every leaf speaks in sentences."""

import inspect
import re
from decimal import Decimal
from typing import Any

import pytest

from docqa import errors
from docqa.errors import DocqaError

Tree = dict[str, str]

KINDS = {
    name: kind
    for name, kind in vars(errors).items()
    if inspect.isclass(kind) and issubclass(kind, DocqaError)
}
LEAVES = [kind for kind in KINDS.values() if not kind.__subclasses__()]


def drawn(docstring: str) -> Tree:
    """Each name in the drawing, with the name it hangs from."""
    above: dict[int, str] = {}
    tree: Tree = {}
    for line in docstring.splitlines():
        match = re.match(r"^(?P<indent>[ │├└─]*)(?P<name>[A-Z]\w+)(\s{2,}.*)?$", line)
        if not match or not line.startswith("    "):
            continue
        depth = len(match["indent"])
        above[depth] = match["name"]
        tree[match["name"]] = above.get(depth - 4, "")
    return tree


def test_reading_a_drawing() -> None:
    drawing = "Words.\n\n    A\n    ├── Bee     said of it\n    │   └── Sea\n    └── Dee\n"
    assert drawn(drawing.replace("    A\n", "    Aye\n")) == {
        "Aye": "",
        "Bee": "Aye",
        "Sea": "Bee",
        "Dee": "Aye",
    }


def test_the_drawing_is_the_tree_of_classes() -> None:
    classes = {name: kind.__bases__[0].__name__ for name, kind in KINDS.items()}
    classes["DocqaError"] = ""
    assert drawn(errors.__doc__ or "") == classes


EXAMPLES = {
    "decimal.Decimal": Decimal("1.50"),
    "str": "report.pdf",
    "float": 12.0,
    "float | None": 12.0,
    "int": 3,
    "tuple[str, ...]": ("one.pdf", "two.pdf"),
}


def example(kind: type[DocqaError]) -> DocqaError:
    """One of its kind, with a plausible value for every argument."""
    if "__init__" not in vars(kind):
        said = kind.message == DocqaError.message  # as it is raised, in full
        about = "The documents cannot be compared." if said else "report.pdf"
        return kind(about, reason="no space left")
    parameters = list(inspect.signature(kind).parameters.values())
    positional = [_value(each) for each in parameters if each.kind is not each.KEYWORD_ONLY]
    named = {each.name: _value(each) for each in parameters if each.kind is each.KEYWORD_ONLY}
    return kind(*positional, **named)


def _value(parameter: inspect.Parameter) -> Any:
    if parameter.name == "reason":
        return "no space left"
    return EXAMPLES[inspect.formatannotation(parameter.annotation)]


@pytest.mark.parametrize("kind", LEAVES, ids=lambda kind: kind.__name__)
def test_a_leaf_speaks_in_sentences(kind: type[DocqaError]) -> None:
    message = str(example(kind))
    assert re.match(r"[A-Z“0-9]|report\.pdf |http", message), message
    assert message.endswith("."), message
    assert " .." not in message
    assert ".." not in message
    assert 3 <= len(message.split()) <= 50
    assert len(message) > 20


@pytest.mark.parametrize("kind", errors.FileError.__subclasses__(), ids=lambda kind: kind.__name__)
def test_a_file_error_names_the_file(kind: type[DocqaError]) -> None:
    assert "report.pdf" in str(example(kind))


@pytest.mark.parametrize(
    ("reason", "said"),
    [("it is full", "it is full."), ("it is full.", "it is full."), ("is it full?", "is it full?")],
)
def test_the_reason_of_another_ends_its_sentence_once(reason: str, said: str) -> None:
    told = str(errors.BackupUnwritable("../b.zip", reason=reason))
    assert told.startswith(f"The backup ../b.zip could not be written: {said} The library")


def test_a_wait_is_told_in_whole_seconds() -> None:
    told = [str(errors.RateLimited(wait_seconds=wait)) for wait in (0.3, 1.0, 20.0, None)]
    waits = ["1 second", "1 second", "20 seconds", "a minute"]
    assert [each.partition("Ask again in ")[2] for each in told] == [f"{w}." for w in waits]
