"""The commands on documents: add, list, remove, reindex and contextualize."""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from docqa.cli.arguments import AddCommand, add_sending, document_ids, reading, writing
from docqa.cli.output import print_count, print_progress, write
from docqa.errors import DocqaError
from docqa.present import as_json, as_text
from docqa.types.document import is_readable
from docqa.types.phrases import count
from docqa.types.progress import AddResult
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    add = add_command("add", writing(_add), "add files, or all readable files of a folder")
    add.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    add.add_argument("--password", default=None, help="opens the protected files among them")
    add_command("list", reading(_list), "the documents in the library")
    outline = add_command("outline", reading(_outline), "a document's headings and its tables")
    outline.add_argument("name", metavar="NAME")
    remove = add_command(
        "remove", writing(_remove), "delete documents, their text and their vectors"
    )
    remove.add_argument("names", nargs="+", metavar="NAME")
    quotes = "also delete the answers that quote them"
    remove.add_argument("--with-quotes", action="store_true", help=quotes)
    again = add_command("reindex", writing(_reindex), "cut and embed every document again")
    again.add_argument("--encoder", metavar="NAME", help="with this one; else the best there is")
    contexts = add_command(
        "contextualize", writing(_contextualize), "have Claude note what passages are about"
    )
    contexts.add_argument("names", nargs="+", metavar="NAME")
    contexts.add_argument("--yes", action="store_true", help="do not ask before sending")
    contexts.add_argument("--model", dest="small_model", help="the model's id")
    add_sending(contexts)


def _add(workspace: Workspace, options: argparse.Namespace) -> int:
    started = time.perf_counter()
    paths = list(_readable_files(options.paths))
    passwords = {path.name: options.password for path in paths if options.password}
    results = workspace.add(paths, progress=print_progress(), passwords=passwords)
    workspace.additions.finish(progress=print_progress())
    known = {each.id: each for each in workspace.documents()}
    results = [
        replace(each, document=known.get(each.document.id)) if each.document else each
        for each in results
    ]
    seconds = round(time.perf_counter() - started, 2)
    shown = {"results": [as_json.add_result(each) for each in results], "seconds": seconds}
    none = [] if paths else ["There is no file there that docqa reads."]
    write(options, shown, map(_added_line, results), remarks=none)
    return int(not paths or any(each.status in ("failed", "cancelled") for each in results))


def _readable_files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if is_readable(each.name))
        else:
            yield path


def _added_line(result: AddResult) -> str:
    if result.document is None:
        return f"{result.status}: {result.error}"
    known = result.document
    size = f"{known.extent}, {count(known.chunk_count, 'passage')}"
    return f"{result.status}: {known.name} ({size})"


def _list(workspace: Workspace, options: argparse.Namespace) -> None:
    documents = workspace.documents()
    lines = []
    for each in documents:
        lines.append(f"{each.name}  {each.extent}, {count(each.chunk_count, 'passage')}")
        lines += [f"    {said}" for said in (each.description, each.signposts) if said]
    shown = {"documents": [as_json.document(each) for each in documents]}
    write(options, shown, lines, remarks=() if documents else ["The library is empty."])


def _outline(workspace: Workspace, options: argparse.Namespace) -> None:
    document = workspace.document(options.name)
    entries = workspace.contents.outline(document.id)
    lines = [entry.line(document.unit) for entry in entries]
    none = [] if entries else [f"{document.name} has no headings and no named tables."]
    write(options, as_json.outline(document, entries), lines, remarks=none)


def _remove(workspace: Workspace, options: argparse.Namespace) -> int:
    removed, errors, answers = [], [], 0
    for name in options.names:
        try:
            document = workspace.document(name)
            answers += workspace.remove(document.id, with_quotes=options.with_quotes)
            removed.append(document.name)
        except DocqaError as error:
            errors.append(str(error))
    lines = [f"removed: {name}" for name in removed]
    if options.with_quotes:
        lines.append(f"removed: {count(answers, 'answer')} that quoted them, with the questions")
    write(options, {"removed": removed, "answers": answers, "errors": errors}, lines)
    for sentence in errors:
        print(sentence, file=sys.stderr)
    return int(bool(errors))


def _reindex(workspace: Workspace, options: argparse.Namespace) -> None:
    name = workspace.maintenance.reindex(encoder=options.encoder, progress=print_progress())
    shown = {"encoder": name, "documents": len(workspace.documents())}
    write(options, shown, [f"Indexed with {name}."])


def _contextualize(workspace: Workspace, options: argparse.Namespace) -> None:
    chosen = document_ids(workspace, options.names)
    estimate = workspace.notes.estimate(chosen)
    if not options.json:
        print(as_text.notes_estimate(estimate))
    written = 0
    if options.yes or (not options.json and estimate.passages and _confirmed()):
        written = workspace.notes.write(chosen, progress=print_count("notes written"))
    shown = {"estimate": as_json.notes_estimate(estimate), "written": written}
    write(options, shown, [f"{count(written, 'note')} written."])


def _confirmed() -> bool:
    """Whether the person says yes; no where standard input is closed."""
    try:
        return input("Send it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
