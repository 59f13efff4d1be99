"""The house rules, held by reading the source: who imports what, names, lengths, exceptions."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "docqa").rglob("*.py"))
NOUNS = ("docqa.types", "docqa.errors", "docqa.settings")

# A room or file, and what it may import of docqa besides itself and the nouns.
LANGUAGE = "docqa.language"
ROOMS = (
    LANGUAGE,
    "docqa.models",
    "docqa.ingest",
    "docqa.library",
    "docqa.question",
    "docqa.retrieve",
    "docqa.answer",
    "docqa.compare",
    "docqa.present",
    "docqa.samples",
    "docqa.supported",
)
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "docqa.types": (),
    "docqa.errors": (),
    "docqa.settings": (),
    "docqa.supported": (),
    LANGUAGE: (),
    "docqa.models": (),
    "docqa.ingest.geometry": (LANGUAGE,),
    "docqa.ingest.chunks": (LANGUAGE, "docqa.ingest.geometry"),
    "docqa.ingest": (LANGUAGE, "docqa.models"),
    "docqa.library": (),
    "docqa.question": (LANGUAGE,),
    "docqa.retrieve": (LANGUAGE, "docqa.question", "docqa.library", "docqa.models"),
    "docqa.compare": (LANGUAGE, "docqa.models"),
    "docqa.answer": (LANGUAGE, "docqa.question"),
    "docqa.samples": (),
    "docqa.present": (LANGUAGE, "docqa.models", "docqa.ui.answer_view", "docqa.ui.pills"),
    "docqa.app": (*ROOMS, "docqa.workspace"),
    "docqa.workspace": (*ROOMS, "docqa.app"),
    "docqa.ui": (
        "docqa.workspace",
        "docqa.present",
        "docqa.answer.events",
        "docqa.answer.steps",
        "docqa.app.remove",
        "docqa.samples.questions",
    ),
    "docqa.cli": (
        "docqa.workspace",
        "docqa.present",
        "docqa.app.diagnosis",
        "docqa.library.backup",
    ),
    "docqa.__main__": ("docqa.supported", "docqa.cli"),
    "app": ("docqa.ui", "docqa.workspace", "docqa.supported"),
}

DOCLING = (
    "docqa.ingest.reading.parse",
    "docqa.ingest.reading.docling_pipeline",
    "docqa.ingest.reading.docling_pages",
    "docqa.ingest.reading.docling_layout",
    "docqa.ingest.reading.decoded",
    "docqa.ingest.reading.arrange",
    "docqa.ingest.office.sections",
)
OWNERS: dict[str, tuple[str, ...]] = {
    "docling": DOCLING,
    "docling_core": DOCLING,
    "docling_parse": ("docqa.ingest.reading.decoded",),
    "rapidocr": DOCLING,
    "openpyxl": ("docqa.ingest.office.workbook",),
    "pypdfium2": ("docqa.ingest.reading.pdfium", "docqa.ingest.reading.pdfium_page"),
    "sqlite3": ("docqa.library.catalog", "docqa.library.database"),
    "chromadb": ("docqa.library.vectors",),
    "sentence_transformers": ("docqa.models.export",),
    "transformers": ("docqa.models.export",),
    "onnx": ("docqa.models.onnx_graph",),
    "onnxruntime": ("docqa.models.network",),
    "tokenizers": ("docqa.models.network",),
    "torch": ("docqa.models.export", "docqa.models.bfloat16"),
    "huggingface_hub": ("docqa.models.download",),
    "anthropic": ("docqa.answer.model.claude",),
    "httpx2": ("docqa.answer.model.claude",),
    "streamlit": ("docqa.ui", "app"),
    "reportlab": ("docqa.samples.make",),
}

FORBIDDEN = {"utils", "helpers", "common", "core", "manager", "service", "engine"} | {
    "process",
    "data",
    "info",
}
FORBIDDEN_ENDINGS = ("Utils", "Helper", "Helpers", "Manager", "Service", "Info", "Data")

# The places that report to the person whatever went wrong, so that nothing else has to.
# A page that fails costs itself alone, whatever a damaged file makes Docling raise.
REPORTING = {
    "docqa.ui.error_boundary",
    "docqa.ingest.reading.docling_pipeline",
    "docqa.ingest.reading.arrange",
}


def sources() -> list[Path]:
    app = ROOT / "app.py"
    return [*SOURCES, app] if app.exists() else SOURCES


def name_of(path: Path) -> str:
    """The module's dotted name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), filename=str(path))


every_source = pytest.mark.parametrize("path", sources(), ids=name_of)


def imports_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every module imported, and its line; ``from a import b`` counts as ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def within(name: str, places: tuple[str, ...]) -> bool:
    """Whether ``name`` is one of ``places`` or lies inside one."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


def own_place(name: str) -> str:
    """The row of `MAY_IMPORT` a module belongs to."""
    return next(place for place in MAY_IMPORT if within(name, (place,)))


BAD = """
from .near import thing
from docqa import workspace
import chromadb.api as index

def outer():
    \"\"\"Not counted.\"\"\"

    # nor this
    try:
        first()
    except (ValueError, Exception):
        pass
"""


def test_the_rules_see_what_breaks_them() -> None:
    tree = ast.parse(BAD)
    assert [name for name, _ in imports_of(tree)] == [
        "near.thing",
        "docqa.workspace",
        "chromadb.api",
    ]
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert code_lines(function, BAD.splitlines()) == 4
    [handler] = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    assert catches_everything(handler)
    assert not raises_again(handler)
    assert within("docqa.ui.chat", ("docqa.ui",))
    assert not within("docqa.uix", ("docqa.ui",))


@every_source
def test_a_room_imports_only_what_its_row_allows(path: Path) -> None:
    name = name_of(path)
    if name == "docqa":
        assert not list(imports_of(tree_of(path)))
        return
    place = own_place(name)
    allowed = (place, *NOUNS, *MAY_IMPORT[place])
    if place in NOUNS:
        allowed = (place,)
    ours = [each for each in imports_of(tree_of(path)) if within(each[0], ("docqa",))]
    assert [each for each in ours if not within(each[0], allowed)] == []


@every_source
def test_a_heavy_library_is_imported_by_its_owner_alone(path: Path) -> None:
    imported = [(name.split(".")[0], line) for name, line in imports_of(tree_of(path))]
    foreign = [
        each
        for each in imported
        if each[0] in OWNERS and not within(name_of(path), OWNERS[each[0]])
    ]
    assert foreign == []


@every_source
def test_imports_are_absolute(path: Path) -> None:
    relative = [
        node.lineno
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@every_source
def test_names_say_what_a_thing_is(path: Path) -> None:
    named = [path.stem] + [
        node.name
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    vague = [
        name
        for name in named
        if name.strip("_").lower() in FORBIDDEN or name.endswith(FORBIDDEN_ENDINGS)
    ]
    assert vague == []


@every_source
def test_a_file_begins_with_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(tree_of(path))


def test_a_room_is_introduced_by_one_sentence() -> None:
    for path in SOURCES:
        if path.name == "__init__.py":
            assert len(tree_of(path).body) == 1, path
            docstring = ast.get_docstring(tree_of(path)) or ""
            assert re.fullmatch(r"[^\n]+\.", docstring), path


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Every function with its lines of code."""
    text = path.read_text("utf-8").splitlines()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, Function):
            yield f"{name_of(path)}.{node.name}", code_lines(node, text)


def code_lines(function: Function, text: list[str]) -> int:
    """Lines of the body that are neither blank, nor comment, nor docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    if not body:
        return 0
    lines = (line.strip() for line in text[body[0].lineno - 1 : body[-1].end_lineno])
    return sum(1 for line in lines if line and not line.startswith("#"))


def test_functions_are_short() -> None:
    lengths = dict(each for path in sources() for each in functions(path))
    longest = {name: length for name, length in lengths.items() if length > 60}
    assert longest == {}
    assert median(lengths.values()) <= 8
    long = sorted((length, name) for name, length in lengths.items() if length >= 30)
    assert len(long) <= len(lengths) / 10, long


def catches_everything(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [kind.id for kind in kinds if isinstance(kind, ast.Name)]
    return handler.type is None or "Exception" in names or "BaseException" in names


def raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


@every_source
def test_only_the_reporting_boundary_catches_everything(path: Path) -> None:
    if name_of(path) in REPORTING:
        return
    broad = [
        node.lineno
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ExceptHandler)
        and catches_everything(node)
        and not raises_again(node)
    ]
    assert broad == []


@every_source
def test_only_the_command_line_prints(path: Path) -> None:
    printed = [
        node.lineno
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert not printed or within(name_of(path), ("docqa.cli",))


@every_source
def test_the_source_holds_no_emoji(path: Path) -> None:
    assert re.findall("[\U0001f300-\U0001faff\ufe0f]", path.read_text("utf-8")) == []


HEAVY = sorted(set(OWNERS) - {"sqlite3"} | {"pandas", "scipy", "sklearn", "cv2"})

IMPORT = """
import sys, time
started = time.process_time()
import {module}
print(time.process_time() - started)
print([name for name in {heavy} if name in sys.modules])
"""


def test_importing_the_workspace_is_quick_and_loads_nothing_heavy() -> None:
    runs = [(_import_alone("docqa.workspace"), _import_alone("numpy")) for _ in range(5)]
    assert {loaded for (_, loaded), _ in runs} == {"[]"}
    # Half a second where numpy takes a fourteenth of one; a busy machine slows both alike.
    ours, numpy = (min(seconds for seconds, _ in each) for each in zip(*runs, strict=True))
    assert ours < max(0.5, 7 * numpy)


def _import_alone(module: str) -> tuple[float, str]:
    """Processor seconds one import takes in a fresh Python, and the heavy modules it loaded."""
    script = IMPORT.format(module=module, heavy=HEAVY)
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, loaded = run.stdout.splitlines()
    return float(seconds), loaded
