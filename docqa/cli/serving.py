"""The command that lends the library to another program's model: mcp."""

import argparse
from pathlib import Path

from docqa.cli.arguments import AddCommand, settings
from docqa.settings import library_folder


def register(add_command: AddCommand) -> None:
    text = "serve the library, read-only, to a program that speaks the Model Context Protocol"
    mcp = add_command("mcp", _mcp, text)
    mcp.add_argument("--documents", nargs="+", default=[], metavar="NAME", help="only these")
    mcp.add_argument("--redact", action="append", metavar="WORD", help="hide it from the program")
    mcp.add_argument("--log", type=Path, metavar="FILE", help="of what was handed out")


def _mcp(options: argparse.Namespace) -> None:
    from docqa.mcp.server import serve  # with its SDK, which no other command needs
    from docqa.mcp.shelf import Shelf

    shelf = Shelf(
        library_folder(options.library),
        settings(options),
        names=options.documents,
        hidden=options.redact or (),
        log=options.log,
    )
    try:
        serve(shelf)
    finally:
        shelf.close()
