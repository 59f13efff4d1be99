"""What the commands' arguments have in common: how one is added, its types and its groups."""

import argparse
import re
from collections.abc import Callable, Iterable

from docqa.settings import DEFAULTS, Settings, adjust, library_folder
from docqa.types.question import Filters
from docqa.workspace import Workspace

Command = Callable[[argparse.Namespace], int]  # returns the exit code
AddCommand = Callable[[str, Command, str], argparse.ArgumentParser]  # name, command, help


def in_workspace(command: Callable[[Workspace, argparse.Namespace], int]) -> Command:
    """A command that opens the library, from one that is given it open."""

    def run(options: argparse.Namespace) -> int:
        with Workspace(library_folder(options.library), _settings(options)) as workspace:
            return command(workspace, options)

    return run


def _settings(options: argparse.Namespace) -> Settings:
    named = ("model", "small_model", "base_url", "key_header", "budget_usd", "redact")
    changes = {name: getattr(options, name, None) for name in named}
    return adjust(DEFAULTS, **{name: value for name, value in changes.items() if value})


def add_sending(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--redact", action="append", metavar="WORD", help="hide it from the server")
    parser.add_argument("--budget", dest="budget_usd", type=float, metavar="DOLLARS", help="a day")
    add_server(parser)


def add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", help="another server that speaks the Messages API")
    parser.add_argument("--key-header", choices=("auto", "authorization", "x-api-key"))


def add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=_page_range, metavar="FROM-TO", help="or one page")
    parser.add_argument("--section", default="", metavar="WORDS", help="words of a heading")
    parser.add_argument("--tables", action="store_true", help="tables only")


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


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def document_ids(workspace: Workspace, names: Iterable[str]) -> list[str]:
    return [workspace.document(name).id for name in names]
