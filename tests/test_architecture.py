"""The house rules, held by reading the source: who imports what, names, lengths, exceptions.

Each rule is one test, whose failure lists every place that breaks it.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from tests.sources import ROOT, Offence, Source, hold, nodes_of, none, sources

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
    "docqa.review",
    "docqa.present",
    "docqa.samples",
    "docqa.supported",
)
FACADE = ("docqa.workspace", "docqa.installation", "docqa.present")
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "docqa.types": (),
    "docqa.errors": (),
    "docqa.settings": (),
    "docqa.supported": (),
    LANGUAGE: (),
    "docqa.models": (),
    "docqa.ingest.geometry": (LANGUAGE,),
    "docqa.ingest.tables": (LANGUAGE,),
    "docqa.ingest.chunks": (LANGUAGE, "docqa.ingest.geometry"),
    "docqa.ingest": (LANGUAGE, "docqa.models"),
    "docqa.library": (),
    "docqa.question": (LANGUAGE,),
    "docqa.retrieve": (LANGUAGE, "docqa.question", "docqa.library", "docqa.models"),
    "docqa.compare": (LANGUAGE, "docqa.models"),
    "docqa.answer": (LANGUAGE,),
    "docqa.review": (LANGUAGE, "docqa.compare", "docqa.answer"),
    "docqa.samples": (),
    "docqa.present": (LANGUAGE,),
    "docqa.app": ROOMS,
    "docqa.workspace": (*ROOMS, "docqa.app"),
    "docqa.installation": (*ROOMS, "docqa.app"),
    # Looks who has the library before anything heavy is imported.
    "docqa.ui.launch": ("docqa.library.lock",),
    "docqa.ui": FACADE,
    "docqa.mcp": FACADE,
    # which starts the server
    "docqa.cli": (*FACADE, "docqa.mcp"),
    "docqa.__main__": ("docqa.supported", "docqa.cli", "docqa.ui.launch"),
    "app": ("docqa.ui", "docqa.workspace", "docqa.supported"),
}

# The doors, and what of a workspace is for tests and measurements alone.
DOORS = ("docqa.ui", "docqa.cli", "docqa.mcp", "docqa.__main__", "app")
BEHIND_THE_FACADE = ("resources", "catalog")

DOCLING = (
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
    "openpyxl": ("docqa.ingest.office.workbook", "docqa.present.as_xlsx"),
    "docx": ("docqa.ingest.office.word_headers", "docqa.present.as_docx"),
    "pypdfium2": ("docqa.ingest.reading.pdfium", "docqa.ingest.reading.pdfium_page"),
    "sqlite3": ("docqa.library.catalog", "docqa.library.database"),
    "chromadb": ("docqa.library.vectors",),
    "sentence_transformers": ("docqa.models.export",),
    "transformers": ("docqa.models.export",),
    "onnx": ("docqa.models.onnx_graph", "docqa.models.parted"),
    "onnxruntime": ("docqa.models.network",),
    "tokenizers": ("docqa.models.network",),
    "xllamacpp": ("docqa.models.llama_child",),
    "torch": ("docqa.models.export",),
    "huggingface_hub": ("docqa.models.download",),
    "anthropic": ("docqa.answer.model",),
    "httpx2": ("docqa.answer.model",),
    "streamlit": ("docqa.ui", "app"),
    "mcp": ("docqa.mcp.server",),
    "mcp_types": ("docqa.mcp.server",),
    "pydantic": ("docqa.mcp",),
}

FORBIDDEN = {"utils", "helpers", "common", "core", "manager", "service", "engine"} | {
    "process",
    "data",
    "info",
}
FORBIDDEN_ENDINGS = ("Utils", "Helper", "Helpers", "Manager", "Service", "Info", "Data")

# The places that report to the person whatever went wrong, so that nothing else has to.
# A page or a cell that fails costs itself alone, whatever a damaged file makes Docling raise.
REPORTING = {
    "docqa.ui.error_boundary",
    "docqa.ingest.reading.docling_pipeline",
    "docqa.ingest.reading.arrange",
    "docqa.app.filling",
}


MODULES_AT_THE_TOP = 6  # at most, besides __main__


def imports_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every module imported, and its line; ``from a import b`` counts as ``a.b``."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def within(name: str, places: tuple[str, ...]) -> bool:
    """Whether ``name`` is one of ``places`` or lies inside one."""
    return any(name == place or name.startswith(f"{place}.") for place in places)


def own_place(name: str) -> str:
    """The row of `MAY_IMPORT` a module belongs to, or ""."""
    return next((place for place in MAY_IMPORT if within(name, (place,))), "")


BAD = """
from .near import thing
from docqa import workspace
import chromadb.api as index

def helpers():
    \"\"\"Not counted.\"\"\"

    # nor this
    try:
        print("\U0001f600")
    except (ValueError, Exception):
        pass
"""


def test_the_rules_see_what_breaks_them() -> None:
    tree = ast.parse(BAD)
    bad = Source(Path("docqa/library/data.py"), "docqa.library.data", BAD, tree)
    assert list(beyond_its_row(bad)) == [(3, "imports docqa.workspace")]
    assert list(past_the_facade(bad)) == []
    door = Source(Path("docqa/ui/door.py"), "docqa.ui.door", "", ast.parse("w().catalog.blocks()"))
    assert list(past_the_facade(door)) == [(1, "reaches for .catalog")]
    assert list(owned_by_another(bad)) == [(4, "imports chromadb")]
    assert list(relative(bad)) == [(2, "imports by a relative name")]
    assert [line for line, _ in vague(bad)] == [1, 6]
    assert list(not_introduced(bad)) == [(1, "does not say what it is for")]
    assert [line for line, _ in caught_wholesale(bad)] == [12]
    assert [line for line, _ in printed(bad)] == [11]
    assert [line for line, _ in pictured(bad)] == [11]
    assert [length for _, length in functions(bad)] == [4]
    assert within("docqa.ui.chat", ("docqa.ui",))
    assert not within("docqa.uix", ("docqa.ui",))


def test_a_failure_lists_every_place() -> None:
    with pytest.raises(AssertionError, match=r"(?s)docqa/\w+\.py:1 one\n.*docqa/ui/\w+\.py:1 one"):
        hold(lambda source: [(1, "one")])


def beyond_its_row(source: Source) -> Iterator[Offence]:
    place = own_place(source.name)
    nouns = () if place in NOUNS else NOUNS
    allowed = (place, *nouns, *MAY_IMPORT[place]) if place else ()
    for name, line in imports_of(source.tree):
        if within(name, ("docqa",)) and not within(name, allowed):
            yield line, f"imports {name}"


def test_a_room_imports_only_what_its_row_allows() -> None:
    hold(beyond_its_row)


def past_the_facade(source: Source) -> Iterator[Offence]:
    if within(source.name, DOORS):
        for node in nodes_of(source.tree):
            if isinstance(node, ast.Attribute) and node.attr in BEHIND_THE_FACADE:
                yield node.lineno, f"reaches for .{node.attr}"


def test_a_door_does_not_reach_past_the_facade() -> None:
    hold(past_the_facade)


def test_every_module_has_a_row_and_every_row_a_module() -> None:
    names = [source.name for source in sources() if source.name != "docqa"]
    none(f"{name} has no row" for name in names if not own_place(name))
    named = {
        *MAY_IMPORT,
        *NOUNS,
        *REPORTING,
        *(each for owner in OWNERS.values() for each in owner),
    }
    none(f"{each} is no more" for each in sorted(named - set(names)))


def test_the_rooms_stand_in_a_straight_line() -> None:
    """Each imports from the rows above its own alone, so no two need each other."""
    order = list(MAY_IMPORT)
    none(
        f"{row} looks down at {seen}"
        for row, allowed in MAY_IMPORT.items()
        for seen in allowed
        if order.index(own_place(seen)) >= order.index(row)
    )


def test_few_modules_stand_beside_the_rooms() -> None:
    top = [path.name for path in sorted((ROOT / "docqa").glob("[!_]*.py"))]
    assert len(top) <= MODULES_AT_THE_TOP, top


def owned_by_another(source: Source) -> Iterator[Offence]:
    for name, line in imports_of(source.tree):
        library = name.split(".")[0]
        if library in OWNERS and not within(source.name, OWNERS[library]):
            yield line, f"imports {library}"


def test_a_heavy_library_is_imported_by_its_owner_alone() -> None:
    hold(owned_by_another)


def relative(source: Source) -> Iterator[Offence]:
    for node in nodes_of(source.tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, "imports by a relative name"


def test_imports_are_absolute() -> None:
    hold(relative)


def vague(source: Source) -> Iterator[Offence]:
    named = [(1, source.path.stem)] + [
        (node.lineno, node.name)
        for node in nodes_of(source.tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for line, name in named:
        if name.strip("_").lower() in FORBIDDEN or name.endswith(FORBIDDEN_ENDINGS):
            yield line, f"the name {name} says nothing"


def test_names_say_what_a_thing_is() -> None:
    hold(vague)


def not_introduced(source: Source) -> Iterator[Offence]:
    docstring = ast.get_docstring(source.tree)
    if not docstring:
        yield 1, "does not say what it is for"
    elif source.path.name == "__init__.py" and not re.fullmatch(r"[^\n]+\.", docstring):
        yield 1, "is introduced by more than one sentence"
    if source.path.name == "__init__.py" and len(source.tree.body) > 1:
        yield source.tree.body[1].lineno, "holds more than its sentence"


def test_a_file_begins_with_what_it_is_for_and_a_room_is_one_sentence() -> None:
    hold(not_introduced)


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(source: Source) -> Iterator[tuple[str, int]]:
    """Every function, and its lines of code."""
    text = source.text.splitlines()
    for node in nodes_of(source.tree):
        if isinstance(node, Function):
            yield f"{source.path}:{node.lineno} {node.name}", code_lines(node, text)


def code_lines(function: Function, text: list[str]) -> int:
    """Lines of the body that are neither blank, nor comment, nor docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    if not body:
        return 0
    lines = (line.strip() for line in text[body[0].lineno - 1 : body[-1].end_lineno])
    return sum(1 for line in lines if line and not line.startswith("#"))


def test_functions_are_short() -> None:
    lengths = dict(each for source in sources() for each in functions(source))
    none(f"{place}: {length} lines" for place, length in lengths.items() if length > 60)
    assert median(lengths.values()) <= 8
    long = [f"{place}: {length} lines" for place, length in lengths.items() if length >= 30]
    if len(long) > len(lengths) / 10:
        none(long)


def catches_everything(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [kind.id for kind in kinds if isinstance(kind, ast.Name)]
    return handler.type is None or "Exception" in names or "BaseException" in names


def raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def caught_wholesale(source: Source) -> Iterator[Offence]:
    if source.name in REPORTING:
        return
    for node in nodes_of(source.tree):
        if (
            isinstance(node, ast.ExceptHandler)
            and catches_everything(node)
            and not raises_again(node)
        ):
            yield node.lineno, "catches everything"


def test_only_the_reporting_boundary_catches_everything() -> None:
    hold(caught_wholesale)


def printed(source: Source) -> Iterator[Offence]:
    for node in nodes_of(source.tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
            and not within(source.name, ("docqa.cli",))
        ):
            yield node.lineno, "prints"


def test_only_the_command_line_prints() -> None:
    hold(printed)


def pictured(source: Source) -> Iterator[Offence]:
    for line, text in enumerate(source.text.splitlines(), 1):
        if re.search("[\U0001f300-\U0001faff\ufe0f]", text):
            yield line, "holds an emoji"


def test_the_source_holds_no_emoji() -> None:
    hold(pictured)


HEAVY = sorted(set(OWNERS) - {"sqlite3"} | {"pandas", "scipy", "sklearn", "cv2"})

IMPORT = """
import sys, time
started = time.process_time()
import {module}
print(time.process_time() - started)
print([name for name in {heavy} if name in sys.modules])
"""


def test_importing_the_workspace_is_quick_and_loads_nothing_heavy() -> None:
    seconds, loaded = _import_alone("docqa.workspace")
    assert loaded == "[]"
    # Half a second where numpy takes a fourteenth of one; a busy machine slows both alike.
    if seconds >= 0.5:
        runs = [(_import_alone("docqa.workspace"), _import_alone("numpy")) for _ in range(3)]
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
