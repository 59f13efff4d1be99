"""docqa from a terminal: `python -m docqa add|list|remove|search|ask|compare|backup|doctor|…`.

With ``--json`` one JSON object goes to standard output (one line for each question with
``--questions``); logs and progress go to standard error. Exit codes: 0, 1 when some input
failed, 2 for a wrong command line.
"""

import argparse
import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from decimal import Decimal, InvalidOperation
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import docqa.supported  # noqa: F401  # before what an old Python cannot import
from docqa.app.diagnosis import examine, repair
from docqa.errors import DocqaError, GlossaryUnreadable
from docqa.library import backup
from docqa.models import load
from docqa.present import as_json, as_text
from docqa.settings import DEFAULTS, Price, Settings, library_folder
from docqa.types.answer import Answer
from docqa.types.comparison import Comparison
from docqa.types.costs import Outgoing
from docqa.types.document import is_readable
from docqa.types.evaluation import Figures, Scope
from docqa.types.phrases import count
from docqa.types.progress import AddResult, Progress
from docqa.types.question import Filters
from docqa.types.search import Fate, Hit, SearchResult, unmentioned
from docqa.workspace import Workspace

Command = Callable[[Workspace, argparse.Namespace], int]
FolderCommand = Callable[[Path, argparse.Namespace], int]  # opens the library itself, or not


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, TextIOWrapper):  # that of Windows, written to a file, has 256 letters
        sys.stdout.reconfigure(errors="replace")
    options = _parser().parse_args(arguments)
    _warn_on_stderr()
    try:
        if options.run in (_backup, _restore):
            return int(options.run(library_folder(options.library), options))
        with Workspace(library_folder(options.library), _settings(options)) as workspace:
            command: Command = options.run
            return command(workspace, options)
    except DocqaError as error:
        return _fail(error, options)
    except KeyboardInterrupt:
        return 1


def _warn_on_stderr() -> None:
    """The library's log file has more than warnings; the terminal does not."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], format="%(levelname)s %(message)s")


def _fail(error: DocqaError, options: argparse.Namespace) -> int:
    if options.json:
        _show({"error": str(error), "kind": type(error).__name__})
    print(str(error), file=sys.stderr)
    return 1


def _settings(options: argparse.Namespace) -> Settings:
    named = ("model", "small_model", "base_url", "key_header", "budget_usd", "redact")
    changes = {name: getattr(options, name, None) for name in named}
    return replace(DEFAULTS, **{name: value for name, value in changes.items() if value})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m docqa", description="Ask and compare documents."
    )
    parser.set_defaults(library=None, json=False)
    # Before the command or after it; where it is not given after, what was given before stays.
    shared = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    for taker in (parser, shared):
        taker.add_argument("--library", metavar="DIR", help="library folder (else DOCQA_LIBRARY)")
        taker.add_argument("--json", action="store_true", help="one JSON object on standard output")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Command | FolderCommand, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, parents=[shared], help=text, description=text)
        made.set_defaults(run=run)
        return made

    add = command("add", _add, "add files, or every one in a folder that can be read")
    add.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    add.add_argument("--password", default=None, help="opens the protected files among them")
    command("list", _list, "the documents in the library")
    remove = command("remove", _remove, "delete documents, their text and their vectors")
    remove.add_argument("names", nargs="+", metavar="NAME")
    quotes = "also delete the answers that quote them"
    remove.add_argument("--with-quotes", action="store_true", help=quotes)
    _add_question_commands(command)
    fetch = command("models", _models, "the models: bundled, cached or missing")
    fetch.add_argument("--download", nargs="?", const="all", metavar="NAME", help="fetch them")
    fetch.add_argument("--server", action="store_true", help="those the answering server offers")
    _add_server(fetch)
    again = command("reindex", _reindex, "cut and embed every document again")
    again.add_argument("--encoder", metavar="NAME", help="with this one; else the best there is")
    for name, run, text in (
        ("backup", _backup, "copy the library into one file; it may be in use"),
        ("restore", _restore, "unpack a backup into an empty library folder"),
    ):
        command(name, run, text).add_argument("file", type=Path, metavar="FILE.zip")
    doctor = command("doctor", _doctor, "check the installation and the library")
    doctor.add_argument("--repair", action="store_true", help="mend what can be mended")
    return parser


def _add_question_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    search = command("search", _search, "find passages")
    search.add_argument("question", nargs="?")
    search.add_argument("--questions", type=Path, metavar="FILE.jsonl", help="many, one a line")
    search.add_argument("--top-k", type=_positive, metavar="N")
    why = command("why", _why, "why a question did not find a phrase, or a page")
    why.add_argument("phrase", help='as it stands in the document; "" for all of a page')
    why.add_argument("question")
    why.add_argument("--page", type=_positive, default=0, metavar="N", help="of the one --document")
    for each in (search, why):
        _add_filters(each)
    ask = command("ask", _ask, "answer a question from the documents")
    ask.add_argument("question")
    for each in (search, ask, why):
        each.add_argument("--document", action="append", default=[], metavar="NAME")
    evaluate = command("evaluate", _evaluate, "measure search by questions with known pages")
    evaluate.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl")
    evaluate.add_argument("--within", choices=("document", "library", "both"), default="both")
    compare = command("compare", _compare, "compare two or three documents")
    compare.add_argument("names", nargs="+", metavar="NAME")
    compare.add_argument("--question", default="", help="what to compare them on")
    unsent = "show what would be sent; send nothing"
    for each in (ask, compare):
        each.add_argument("--preview", action="store_true", help=unsent)
        each.add_argument("--answerer", choices=("auto", "extractive", "claude"), default="auto")
        each.add_argument("--model", help="the model's id")
    contexts = command("contextualize", _contextualize, "have Claude note what passages are about")
    contexts.add_argument("names", nargs="+", metavar="NAME")
    contexts.add_argument("--yes", action="store_true", help="do not ask before sending")
    contexts.add_argument("--model", dest="small_model", help="the model's id")
    for each in (ask, compare, contexts):
        _add_sending(each)
    glossary = command("glossary", _glossary, "the library's own names for things, one a line")
    glossary.add_argument("file", nargs="?", type=Path, metavar="FILE.txt", help="use its lines")
    costs = command("costs", _costs, "what answers have cost, the prices, and the budget")
    costs.add_argument("--set-budget", metavar="DOLLARS", help="for a day; 0 is none")
    costs.add_argument("--price", nargs=5, metavar=("MODEL", "IN", "OUT", "READ", "WRITE"))


def _add_sending(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--redact", action="append", metavar="WORD", help="hide it from the server")
    parser.add_argument("--budget", dest="budget_usd", type=float, metavar="DOLLARS", help="a day")
    _add_server(parser)


def _add_server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", help="another server that speaks the Messages API")
    parser.add_argument("--key-header", choices=("auto", "authorization", "x-api-key"))


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=_page_range, metavar="FROM-TO", help="or one page")
    parser.add_argument("--section", default="", metavar="WORDS", help="words of a heading")
    parser.add_argument("--tables", action="store_true", help="tables only")


def _filters(options: argparse.Namespace) -> Filters:
    return Filters(options.pages, options.section, options.tables)


def _page_range(text: str) -> tuple[int, int]:
    if not re.fullmatch(r"\d+(-\d+)?", text):
        raise argparse.ArgumentTypeError("give one page, or the first and last as in 3-9")
    first, _, last = text.partition("-")
    pages = _positive(first), _positive(last or first)
    if pages[0] > pages[1]:
        raise argparse.ArgumentTypeError("the first page is after the last")
    return pages


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _show(value: Any) -> None:
    """JSON in an encoding that has not all letters writes them as numbers, and stays the same."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not unicode))


# Documents


def _add(workspace: Workspace, options: argparse.Namespace) -> int:
    started = time.perf_counter()
    paths = list(_expand(options.paths))
    passwords = {path.name: options.password for path in paths if options.password}
    results = workspace.add(paths, progress=_print_progress(), passwords=passwords)
    workspace.finish(progress=_print_progress())
    known = {each.id: each for each in workspace.documents()}
    results = [
        replace(each, document=known.get(each.document.id)) if each.document else each
        for each in results
    ]
    if options.json:
        seconds = round(time.perf_counter() - started, 2)
        _show({"results": [as_json.add_result(each) for each in results], "seconds": seconds})
    else:
        for result in results:
            print(_added_line(result))
    return int(any(each.status in ("failed", "cancelled") for each in results))


def _expand(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if is_readable(each.name))
        else:
            yield path


def _print_progress() -> Callable[[Progress], None]:
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        if progress.stage in ("reading", "OCR", "embedding") and time.monotonic() - last > 2:
            last = time.monotonic()
            line = f"{progress.file}: {progress.stage} {progress.done}/{progress.total}"
            print(line, file=sys.stderr)

    return report


def _print_count(what: str) -> Callable[[int, int], None]:
    last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 2:
            last = time.monotonic()
            print(f"{done} of {total} {what}", file=sys.stderr)

    return report


def _added_line(result: AddResult) -> str:
    if result.document is None:
        return f"{result.status}: {result.error}"
    known = result.document
    size = f"{known.extent}, {count(known.chunk_count, 'passage')}"
    return f"{result.status}: {known.name} ({size})"


def _list(workspace: Workspace, options: argparse.Namespace) -> int:
    documents = workspace.documents()
    if options.json:
        _show({"documents": [as_json.document(each) for each in documents]})
        return 0
    for each in documents:
        print(f"{each.name}  {each.extent}, {count(each.chunk_count, 'passage')}")
        if each.description:
            print(f"    {each.description}")
    if not documents:
        print("The library is empty.", file=sys.stderr)
    return 0


def _remove(workspace: Workspace, options: argparse.Namespace) -> int:
    removed, errors, answers = [], [], 0
    for name in options.names:
        try:
            document = workspace.document(name)
            answers += workspace.remove(document.id, with_quotes=options.with_quotes)
            removed.append(document.name)
        except DocqaError as error:
            errors.append(str(error))
    if options.json:
        _show({"removed": removed, "answers": answers, "errors": errors})
    else:
        for name in removed:
            print(f"removed: {name}")
        if options.with_quotes:
            print(f"removed: {count(answers, 'answer')} that quoted them, with the questions")
    for sentence in errors:
        print(sentence, file=sys.stderr)
    return int(bool(errors))


# Questions


def _document_ids(workspace: Workspace, names: Iterable[str]) -> list[str]:
    return [workspace.document(name).id for name in names]


def _search(workspace: Workspace, options: argparse.Namespace) -> int:
    if (options.question is None) == (options.questions is None):
        print("search needs a question, or --questions FILE.jsonl.", file=sys.stderr)
        return 2
    if options.questions is not None:
        return _search_all(workspace, options)
    chosen = _document_ids(workspace, options.document)
    result = workspace.search(
        options.question, document_ids=chosen, filters=_filters(options), top_k=options.top_k
    )
    if options.json:
        _show(as_json.search_result(result))
    else:
        _print_hits(result)
    return 0


def _print_hits(result: SearchResult) -> None:
    for number, found in enumerate(result.hits, 1):
        print(f"{number}. {_where(found)}\n{found.chunk.text}\n")
    if not result.hits:
        print("Nothing was found.", file=sys.stderr)
    if result.missing:
        print(unmentioned(result.missing), file=sys.stderr)


def _where(found: Hit) -> str:
    section = f" · {found.chunk.section}" if found.chunk.section else ""
    return f"{found.document.name}, {found.chunk.where}{section}"


def _search_all(workspace: Workspace, options: argparse.Namespace) -> int:
    """One JSON line for each line of the file; a line that cannot be searched says why."""
    failed = False
    for line in options.questions.read_text(encoding="utf-8").splitlines():
        if line.strip():
            answer = _search_line(workspace, options, line)
            failed = failed or "error" in answer
            _show(answer)
    return int(failed)


def _search_line(workspace: Workspace, options: argparse.Namespace, line: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
        question = asked["question"]
    except (ValueError, KeyError, TypeError):
        return {"error": "The line is not a JSON object with a “question”.", "line": line}
    names = options.document or _named_documents(asked)
    carried = {key: asked[key] for key in ("id",) if key in asked}
    try:
        chosen = _document_ids(workspace, names)
        result = workspace.search(
            question, document_ids=chosen, filters=_filters(options), top_k=options.top_k
        )
    except DocqaError as error:
        return {**carried, "question": question, "error": str(error)}
    return {**carried, **as_json.search_result(result)}


def _named_documents(asked: dict[str, Any]) -> list[str]:
    named = asked.get("documents") or asked.get("document") or []
    return [named] if isinstance(named, str) else list(named)


def _why(workspace: Workspace, options: argparse.Namespace) -> int:
    chosen = _document_ids(workspace, options.document)
    if options.page and len(chosen) != 1:
        print("why --page needs the one --document it is of.", file=sys.stderr)
        return 2
    made = workspace.why(
        options.phrase,
        options.question,
        document_id=chosen[0] if options.page else "",
        page=options.page,
        document_ids=() if options.page else chosen,
        filters=_filters(options),
    )
    if options.json:
        _show(as_json.explanation(made))
    else:
        print(made.summary)
        print("\n".join(_fate_lines(made.fates)))
    return 0


def _fate_lines(fates: Iterable[Fate]) -> Iterator[str]:
    for fate in fates:
        ranks = {
            "by meaning": fate.dense_rank,
            "by words": fate.keyword_rank,
            "by table title": fate.table_rank,
            "together": fate.fused_rank,
        }
        places = ", ".join(f"{name} {rank}" for name, rank in ranks.items() if rank)
        yield f"\n{fate.document}, {fate.where}: {fate.stage}" + (f" ({places})" if places else "")
        yield f"  {' '.join(fate.text.split())[:200]}"


def _ask(workspace: Workspace, options: argparse.Namespace) -> int:
    chosen = _document_ids(workspace, options.document)
    if options.preview:
        return _preview(options, workspace.preview(options.question, document_ids=chosen))
    events = workspace.ask(options.question, document_ids=chosen, answerer=options.answerer)
    for event in events:
        if isinstance(event, Comparison):
            _tell(options, as_json.comparison(event), as_text.words(event), event.warnings)
        elif isinstance(event, Answer):
            _tell(options, as_json.answer(event), as_text.words(event), event.warnings)
    return 0


def _preview(options: argparse.Namespace, shown: Outgoing) -> int:
    if options.json:
        _show(as_json.outgoing(shown))
    else:
        print(json.dumps(shown.payload, ensure_ascii=False, indent=1))
        print(f"{shown.told} Nothing was sent.", file=sys.stderr)
    return 0


def _glossary(workspace: Workspace, options: argparse.Namespace) -> int:
    if options.file is not None:
        workspace.set_glossary(_text_of(options.file))
    if options.json:
        _show({"glossary": workspace.glossary.splitlines()})
    else:
        print(workspace.glossary.strip() or "This library has no lines of its own.")
    return 0


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GlossaryUnreadable(f"{path.name} is missing or is not text") from error


def _costs(workspace: Workspace, options: argparse.Namespace) -> int:
    ledger = workspace.ledger
    try:
        if options.price:
            model, *dollars = options.price
            given, made, read, write = map(Decimal, dollars)
            ledger.set_price(model, Price(given, made, read, write))
        if options.set_budget is not None:
            ledger.set_budget(Decimal(options.set_budget) or None)
    except InvalidOperation:
        print("Prices and budgets are numbers of dollars.", file=sys.stderr)
        return 2
    days, prices, budget = ledger.days(), ledger.prices(), ledger.budget
    if options.json:
        _show(as_json.costs(days, prices, budget))
    else:
        print("\n".join(as_text.costs(days, prices, budget)))
    return 0


def _contextualize(workspace: Workspace, options: argparse.Namespace) -> int:
    chosen = _document_ids(workspace, options.names)
    estimate = workspace.estimate_contexts(chosen)
    if not options.json:
        print(as_text.notes_estimate(estimate))
    written = 0
    if options.yes or (not options.json and estimate.passages and _agreed("Send it?")):
        written = workspace.write_contexts(chosen, progress=_print_count("notes written"))
    estimated = as_json.notes_estimate(estimate)
    _tell(options, {"estimate": estimated, "written": written}, f"{written} notes written.", ())
    return 0


def _agreed(question: str) -> bool:
    """Whether the person says yes; where nobody is there to ask, no."""
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False


def _tell(
    options: argparse.Namespace, value: dict[str, Any], text: str, warnings: Sequence[str]
) -> None:
    if options.json:
        _show(value)
        return
    print(text)
    for warning in warnings:
        print(f"Note: {warning}", file=sys.stderr)


def _compare(workspace: Workspace, options: argparse.Namespace) -> int:
    chosen = _document_ids(workspace, options.names)
    if options.preview:
        return _preview(options, workspace.preview(options.question, sides=chosen))
    for event in workspace.compare(chosen, options.question, answerer=options.answerer):
        if isinstance(event, Comparison):
            _tell(options, as_json.comparison(event), as_text.comparison(event), event.warnings)
    return 0


def _evaluate(workspace: Workspace, options: argparse.Namespace) -> int:
    scopes: dict[str, tuple[Scope, ...]] = {"document": ("document",), "library": ("library",)}
    made = workspace.evaluate(
        options.questions,
        scopes=scopes.get(options.within, ("document", "library")),
        progress=_print_count("searches"),
    )
    if options.json:
        _show(as_json.evaluation(made))
    else:
        for figures in made.figures:
            print("\n".join(_figure_lines(figures)))
    for sentence in made.skipped:
        print(sentence, file=sys.stderr)
    return int(bool(made.skipped))


def _figure_lines(figures: Figures) -> Iterator[str]:
    yield "Within the documents that answer" if figures.scope == "document" else "In the library"
    if figures.hit_at[1].n:
        for depth, rate in figures.hit_at.items():
            yield f"  {f'hit@{depth}':18}{rate}   recall@{depth} {figures.recall_at[depth]:.3f}"
        yield f"  {'MRR':18}{figures.mrr:.3f}"
    shares = {
        "every document": figures.documents,
        "refusal precision": figures.refusal_precision,
        "refusal recall": figures.refusal_recall,
    }
    yield from (f"  {name:18}{rate}" for name, rate in shares.items() if rate.n)
    yield f"  {'median seconds':18}{figures.median_seconds:.3f}"


# The machine


def _models(workspace: Workspace, options: argparse.Namespace) -> int:
    if options.download:
        _download(options.download)
    if options.server:
        return _offered(workspace, options)
    statuses = workspace.model_statuses()
    if options.json:
        _show({"models": [as_json.model_status(each) for each in statuses]})
        return 0
    for each in statuses:
        used = "in use; " if each.used else ""
        size = f"{each.size / 1e6:.0f} MB"
        print(f"{each.name}  {each.state}  {size}  {each.purpose}  {used}{each.note}")
        if each.fault:
            print(f"    Not used: {each.fault}.")
    return 0


def _offered(workspace: Workspace, options: argparse.Namespace) -> int:
    names = workspace.server_models()
    if options.json:
        _show({"models": list(names)})
    else:
        print("\n".join(names))
    return 0


def _download(name: str) -> None:
    # The layout network makes reading slower, so it comes only where it is named.
    wanted = [
        each.name
        for each in load.model_statuses()
        if each.state == "missing" and each.purpose != "layout"
    ]
    for each in wanted if name == "all" else [name]:
        print(f"Downloading {each}", file=sys.stderr)
        load.download(each)


def _reindex(workspace: Workspace, options: argparse.Namespace) -> int:
    name = workspace.reindex(encoder=options.encoder, progress=_print_progress())
    if options.json:
        _show({"encoder": name, "documents": len(workspace.documents())})
    else:
        print(f"Indexed with {name}.")
    return 0


def _backup(folder: Path, options: argparse.Namespace) -> int:
    made = backup.write_backup(folder, options.file, progress=_print_count("documents backed up"))
    if options.json:
        _show({"file": str(options.file), **asdict(made)})
        return 0
    held = f"{count(made.documents, 'document')}, {made.size / 1e6:.1f} MB"
    print(f"{options.file}: {held}, read back whole.")
    for name in made.without_pdf:
        print(f"{name}: only its text; the file is lost or damaged.", file=sys.stderr)
    return 0


def _restore(folder: Path, options: argparse.Namespace) -> int:
    restored = backup.restore_backup(options.file, folder, progress=_print_count("files restored"))
    if options.json:
        _show({"library": str(folder), **asdict(restored)})
    else:
        held = count(restored.documents, "document")
        print(f"{folder}: {held}, as on {restored.made}.")
    return 0


def _doctor(workspace: Workspace, options: argparse.Namespace) -> int:
    mended = repair(workspace) if options.repair else []
    findings = examine(workspace)
    healthy = all(each.fine for each in findings)
    if options.json:
        checks = [asdict(each) for each in findings]
        read = [
            as_json.reading(each, workspace.health(each.id), workspace.discards(each.id))
            for each in workspace.documents()
        ]
        told = {"healthy": healthy, "repaired": mended, "checks": checks, "documents": read}
        _show(told)
        return int(not healthy)
    for sentence in mended:
        print(f"repaired: {sentence}")
    for each in findings:
        print(f"{'ok ' if each.fine else 'BAD'} {each.name}: {each.detail}")
        if not each.fine and each.remedy:
            print(f"    {each.remedy}")
    return int(not healthy)


if __name__ == "__main__":
    sys.exit(main())
