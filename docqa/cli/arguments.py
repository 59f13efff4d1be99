"""What the commands' arguments have in common: how one is added, its types and its groups."""

import argparse
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path

from docqa.errors import LibraryMissing, LibraryTooOld
from docqa.settings import DEFAULTS, Settings, adjust, library_folder
from docqa.types.question import Filters
from docqa.workspace import Workspace

Command = Callable[[argparse.Namespace], int | None]  # returns the exit code, None for 0
AddCommand = Callable[[str, Command, str], argparse.ArgumentParser]  # name, command, help


InWorkspace = Callable[[Workspace, argparse.Namespace], int | None]


def writing(command: InWorkspace) -> Command:
    """A command that opens the library for itself alone, from one that is given it open."""

    def run(options: argparse.Namespace) -> int | None:
        with Workspace(library_folder(options.library), settings(options)) as workspace:
            return command(workspace, options)

    return run


def reading(
    command: InWorkspace, *, unless: Callable[[argparse.Namespace], object] = lambda _: False
) -> Command:
    """A command that only reads, ``unless`` it is asked for more: the app may have the library."""

    def run(options: argparse.Namespace) -> int | None:
        if unless(options):
            return writing(command)(options)
        folder = library_folder(options.library)
        with _open_to_read(folder, settings(options), named=bool(options.library)) as workspace:
            return command(workspace, options)

    return run


def _open_to_read(folder: Path, settings: Settings, *, named: bool) -> Workspace:
    """The library, brought up to date where it is old. A person's own is made where it is not
    there yet; one that was ``named`` is not, since the name may be mistaken."""
    try:
        return Workspace(folder, settings, read_only=True)
    except (LibraryTooOld, LibraryMissing) as error:
        if named and isinstance(error, LibraryMissing):
            raise
        Workspace(folder, settings).close()
        return Workspace(folder, settings, read_only=True)


def settings(options: argparse.Namespace) -> Settings:
    named = ("model", "small_model", "base_url", "key_header", "model_file", "budget_usd", "redact")
    changes = {name: getattr(options, name, None) for name in named}
    if changes["model_file"] and not changes["model"]:
        changes["model"] = Path(changes["model_file"]).stem
    return adjust(DEFAULTS, **{name: value for name, value in changes.items() if value})


def add_answerer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--answerer", choices=("auto", "extractive", "claude"), default="auto")
    parser.add_argument("--model", help="the model's id")
    add_sending(parser)


def add_sending(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--redact", action="append", metavar="WORD", help="hide it from the server")
    parser.add_argument(
        "--budget", dest="budget_usd", type=_budget, metavar="DOLLARS", help="a day"
    )
    add_server(parser)


def add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", help="another server that speaks the Messages API")
    parser.add_argument("--model-file", metavar="GGUF", help="a model that docqa runs itself")
    parser.add_argument("--key-header", choices=("auto", "authorization", "x-api-key"))


def add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=_page_range, metavar="FROM-TO", help="or one page")
    parser.add_argument("--section", default="", metavar="WORDS", help="words of a heading")
    parser.add_argument("--tables", action="store_true", help="tables only")


def _budget(text: str) -> float:
    return float(dollars(text))


def filters(options: argparse.Namespace) -> Filters:
    return Filters(options.pages, options.section, options.tables)


def _page_range(text: str) -> tuple[int, int]:
    if not re.fullmatch(r"\d+(-\d+)?", text):
        raise argparse.ArgumentTypeError("give one page, or the first and last as in 3-9")
    first, _, last = text.partition("-")
    pages = positive(first), positive(last or first)
    if pages[0] > pages[1]:
        raise argparse.ArgumentTypeError("the first page is after the last")
    return pages


def dollars(text: str) -> Decimal:
    """A type of argument: an amount that can be paid."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise argparse.ArgumentTypeError(f"{text} is no number of dollars")
    return amount


def positive(text: str) -> int:
    """A type of argument: a number to count with."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number of 1 or more")
    return int(text)


def document_ids(workspace: Workspace, names: Iterable[str]) -> list[str]:
    return [workspace.document(name).id for name in names]
