"""The commands on the library as a whole: backup, restore, doctor and glossary."""

import argparse
from dataclasses import asdict
from pathlib import Path

from docqa import installation
from docqa.cli.arguments import AddCommand, reading, writing
from docqa.cli.output import print_count, write
from docqa.errors import GlossaryUnreadable, LibraryLocked
from docqa.present import as_json
from docqa.settings import library_folder
from docqa.types.phrases import count
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    backups = (
        ("backup", _backup, "copy the library into one file; it may be in use"),
        ("restore", _restore, "unpack a backup into an empty library folder"),
    )
    for name, run, text in backups:
        add_command(name, run, text).add_argument("file", type=Path, metavar="FILE.zip")
    doctor = add_command("doctor", _doctor, "check the installation and the library")
    doctor.add_argument("--repair", action="store_true", help="mend what can be mended")
    text = "the library's own names for things, one a line"
    glossary = add_command(
        "glossary", reading(_glossary, unless=lambda options: options.file), text
    )
    glossary.add_argument("file", nargs="?", type=Path, metavar="FILE.txt", help="use its lines")


def _backup(options: argparse.Namespace) -> None:
    folder = library_folder(options.library)
    made = installation.write_backup(
        folder, options.file, progress=print_count("documents backed up")
    )
    size = f"{count(made.documents, 'document')}, {made.size / 1e6:.1f} MB"
    lost = (f"{name}: only its text; the file is lost or damaged." for name in made.without_pdf)
    shown = {"file": str(options.file), **asdict(made)}
    write(options, shown, [f"{options.file}: {size}, read back whole."], remarks=lost)


def _restore(options: argparse.Namespace) -> None:
    folder = library_folder(options.library)
    progress = print_count("files restored")
    restored = installation.restore_backup(options.file, folder, progress=progress)
    line = f"{folder}: {count(restored.documents, 'document')}, as on {restored.made}."
    write(options, {"library": str(folder), **asdict(restored)}, [line])


def _doctor(options: argparse.Namespace) -> int | None:
    try:
        return writing(_examined)(options)
    except LibraryLocked:
        if options.repair:
            raise
        return reading(_examined)(options)


def _examined(workspace: Workspace, options: argparse.Namespace) -> int:
    mended = workspace.maintenance.repair() if options.repair else []
    findings = workspace.maintenance.examine()
    healthy, contents = all(each.fine for each in findings), workspace.contents
    read = [
        as_json.reading(each, contents.health(each.id), contents.discards(each.id))
        for each in workspace.documents()
    ]
    report = {"healthy": healthy, "repaired": mended, "checks": list(map(asdict, findings))}
    lines = [f"repaired: {sentence}" for sentence in mended]
    for each in findings:
        lines.append(f"{'ok ' if each.fine else 'BAD'} {each.name}: {each.detail}")
        if not each.fine and each.remedy:
            lines.append(f"    {each.remedy}")
    write(options, {**report, "documents": read}, lines)
    return int(not healthy)


def _glossary(workspace: Workspace, options: argparse.Namespace) -> None:
    if options.file is not None:
        workspace.glossary.set(_text_of(options.file))
    text = workspace.glossary.text
    line = text.strip() or "This library has no lines of its own."
    write(options, {"glossary": text.splitlines()}, [line])


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GlossaryUnreadable(f"{path.name} is missing or is not text") from error
