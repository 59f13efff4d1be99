"""The command on models, those on this machine and those of the answering server."""

import argparse
import sys
from collections.abc import Iterable, Iterator

from docqa import installation
from docqa.cli.arguments import AddCommand, add_server, reading
from docqa.cli.output import write
from docqa.present import as_json
from docqa.types.model import ModelStatus
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    text = "the models: bundled, cached or missing"
    models = add_command("models", _models, text)
    models.add_argument("--download", nargs="?", const="all", metavar="NAME", help="fetch them")
    models.add_argument("--server", action="store_true", help="those the answering server offers")
    add_server(models)


def _models(options: argparse.Namespace) -> int | None:
    if options.download:
        _download(options.download)
    if options.server:
        return reading(_offered)(options)
    statuses = installation.model_statuses()
    shown = {"models": [as_json.model_status(each) for each in statuses]}
    write(options, shown, _lines(statuses))
    return None


def _lines(statuses: Iterable[ModelStatus]) -> Iterator[str]:
    for each in statuses:
        used = "in use; " if each.used else ""
        size = f"{each.size / 1e6:.0f} MB"
        yield f"{each.name}  {each.state}  {size}  {each.purpose}  {used}{each.note}"
        if each.fault:
            yield f"    Not used: {each.fault}."


def _offered(workspace: Workspace, options: argparse.Namespace) -> None:
    names = workspace.server_models()
    write(options, {"models": list(names)}, names)


def _download(name: str) -> None:
    # The layout network makes reading slower, and those that answer are gigabytes: they come only
    # where they are named.
    wanted = [
        each.name
        for each in installation.model_statuses()
        if each.state == "missing" and each.purpose in ("encoder", "reranker")
    ]
    for each in wanted if name == "all" else [name]:
        print(f"Downloading {each}", file=sys.stderr)
        installation.download(each)
