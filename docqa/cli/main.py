"""docqa from a terminal: the parser, put together from its groups of commands, and exit codes.

With ``--json`` one JSON object goes to standard output (one line for each question with
``--questions``); logs and progress go to standard error. Exit codes: 0, 1 when some input
failed, 2 for a wrong command line.
"""

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from docqa.cli import costs, documents, library, measure, models, questions, review, serving
from docqa.cli.arguments import Command
from docqa.cli.output import write_json
from docqa.errors import DocqaError

# In the order of the help.
GROUPS = (documents, questions, review, measure, library, models, costs, serving)


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, TextIOWrapper):  # on Windows, a redirected one may have 256 letters
        sys.stdout.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    _log_warnings()
    run: Command = options.run
    try:
        code = run(options)
        sys.stdout.flush()
        return code or 0
    except BrokenPipeError:  # of `head`, say, which has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except DocqaError as error:
        return _failed(options, error, str(error))
    except OSError as error:
        if error.filename is None:
            raise
        return _failed(options, error, f"{error.filename}: {error.strerror}.")
    except KeyboardInterrupt:
        return 1


def _failed(options: argparse.Namespace, error: Exception, sentence: str) -> int:
    if options.json:
        write_json({"error": sentence, "kind": type(error).__name__})
    print(sentence, file=sys.stderr)
    return 1


def _log_warnings() -> None:
    """Warnings go to standard error; the library's log file has the rest."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], format="%(levelname)s %(message)s")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m docqa", description="Ask and compare documents."
    )
    parser.set_defaults(library=None, json=False)
    # Accepted before or after the command; suppressing the default keeps what was given before.
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    for each in (parser, shared):
        each.add_argument("--library", metavar="DIR", help="library folder (else DOCQA_LIBRARY)")
        each.add_argument("--json", action="store_true", help="one JSON object on standard output")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add_command(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, parents=[shared], help=text, description=text)
        made.set_defaults(run=run)
        return made

    for group in GROUPS:
        group.register(add_command)
    return parser
