"""The commands that take a question: search, why, ask and compare."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docqa.cli.arguments import (
    AddCommand,
    add_answerer,
    add_filters,
    document_ids,
    filters,
    positive,
    reading,
)
from docqa.cli.files import add_files, write_evidence, write_files
from docqa.cli.output import write, write_json
from docqa.errors import DocqaError, QuestionsUnreadable
from docqa.present import as_json, as_text, export
from docqa.present.conversation import Transcript
from docqa.present.document import now
from docqa.present.evidence import of_comparison, of_transcript
from docqa.present.sources import Record, printed_pages
from docqa.types.answer import Answer, Message
from docqa.types.comparison import Comparison
from docqa.types.costs import Outgoing
from docqa.types.search import Fate, Hit, unmentioned
from docqa.workspace import Workspace


def register(add_command: AddCommand) -> None:
    search = add_command("search", reading(_search), "find passages")
    search.add_argument("question", nargs="?")
    search.add_argument("--questions", type=Path, metavar="FILE.jsonl", help="many, one a line")
    search.add_argument("--top-k", type=positive, metavar="N")
    why = add_command("why", reading(_why), "why a question did not find a phrase, or a page")
    why.add_argument("phrase", help='as it stands in the document; "" for all of a page')
    why.add_argument("question")
    why.add_argument("--page", type=positive, default=0, metavar="N", help="of the one --document")
    for each in (search, why):
        add_filters(each)
    ask = add_command("ask", reading(_ask), "answer a question from the documents")
    ask.add_argument("question")
    for each in (search, ask, why):
        each.add_argument("--document", action="append", default=[], metavar="NAME")
    compare = add_command("compare", reading(_compare), "compare two or three documents")
    compare.add_argument("names", nargs="+", metavar="NAME")
    compare.add_argument("--question", default="", help="what to compare them on")
    add_files(ask)
    add_files(compare, export.COMPARISON)
    for each in (ask, compare):
        unsent = "show what would be sent; send nothing"
        each.add_argument("--preview", action="store_true", help=unsent)
        add_answerer(each)


def _search(workspace: Workspace, options: argparse.Namespace) -> int:
    if (options.question is None) == (options.questions is None):
        print("search needs a question, or --questions FILE.jsonl.", file=sys.stderr)
        return 2
    if options.questions is not None:
        return _search_all(workspace, options)
    chosen = document_ids(workspace, options.document)
    result = workspace.search(
        options.question, document_ids=chosen, filters=filters(options), top_k=options.top_k
    )
    lines = [
        f"{number}. {_where(found)}\n{found.chunk.text}\n"
        for number, found in enumerate(result.hits, 1)
    ]
    remarks = [] if lines else ["Nothing was found."]
    if result.missing:
        remarks.append(unmentioned(result.missing))
    write(options, as_json.search_result(result), lines, remarks=remarks)
    return 0


def _where(found: Hit) -> str:
    section = f" · {found.chunk.section}" if found.chunk.section else ""
    return f"{found.document.name}, {found.chunk.where}{section}"


def _search_all(workspace: Workspace, options: argparse.Namespace) -> int:
    """One JSON line for each line of the file; a line that cannot be searched says why."""
    failed = False
    try:
        lines = options.questions.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionsUnreadable(options.questions.name, reason=str(error)) from error
    for line in lines:
        if line.strip():
            answer = _search_line(workspace, options, line)
            failed = failed or "error" in answer
            write_json(answer)
    return int(failed)


def _search_line(workspace: Workspace, options: argparse.Namespace, line: str) -> dict[str, Any]:
    try:
        given = json.loads(line)
        question = given["question"]
    except (ValueError, KeyError, TypeError):
        return {"error": "The line is not a JSON object with a “question”.", "line": line}
    names = options.document or _named_documents(given)
    carried = {"id": given["id"]} if "id" in given else {}
    try:
        chosen = document_ids(workspace, names)
        result = workspace.search(
            question, document_ids=chosen, filters=filters(options), top_k=options.top_k
        )
    except DocqaError as error:
        return {**carried, "question": question, "error": str(error)}
    return {**carried, **as_json.search_result(result)}


def _named_documents(given: dict[str, Any]) -> list[str]:
    named = given.get("documents") or given.get("document") or []
    return [named] if isinstance(named, str) else list(named)


def _why(workspace: Workspace, options: argparse.Namespace) -> int:
    chosen = document_ids(workspace, options.document)
    if options.page and len(chosen) != 1:
        print("why --page needs the one --document it is of.", file=sys.stderr)
        return 2
    explanation = workspace.evaluations.why(
        options.phrase,
        options.question,
        document_id=chosen[0] if options.page else "",
        page=options.page,
        document_ids=() if options.page else chosen,
        filters=filters(options),
    )
    lines = (explanation.summary, *_fate_lines(explanation.fates))
    write(options, as_json.explanation(explanation), lines)
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
    chosen = document_ids(workspace, options.document)
    if options.preview:
        return _write_preview(
            options, workspace.preview.outgoing(options.question, document_ids=chosen)
        )
    events = workspace.ask(options.question, document_ids=chosen, answerer=options.answerer)
    for event in events:
        if isinstance(event, Comparison):
            _write_words(options, as_json.comparison(event), as_text.words(event), event)
            write_evidence(options, of_comparison(_record(workspace, event)), workspace)
        elif isinstance(event, Answer):
            _write_words(options, as_json.answer(event), as_text.words(event), event)
            exchange = (options.question, Message("assistant", event.text, event))
            talk = Transcript("", [exchange], workspace.app_address)
            write_evidence(options, of_transcript(talk, now()), workspace)
    return 0


def _compare(workspace: Workspace, options: argparse.Namespace) -> int:
    chosen = document_ids(workspace, options.names)
    if options.preview:
        return _write_preview(options, workspace.preview.outgoing(options.question, sides=chosen))
    for event in workspace.comparisons.make(chosen, options.question, answerer=options.answerer):
        if isinstance(event, Comparison):
            _write_words(options, as_json.comparison(event), as_text.comparison(event), event)
            record = _record(workspace, event)
            write_files(options, export.COMPARISON, record)
            write_evidence(options, of_comparison(record), workspace)
    return 0


def _write_words(
    options: argparse.Namespace, value: dict[str, Any], text: str, event: Answer | Comparison
) -> None:
    write(options, value, [text], remarks=(f"Note: {each}" for each in event.warnings))


def _record(workspace: Workspace, comparison: Comparison) -> Record:
    printed = printed_pages(comparison.documents, workspace.contents.health)
    return Record(comparison, printed, now(), address=workspace.app_address)


def _write_preview(options: argparse.Namespace, outgoing: Outgoing) -> int:
    payload = json.dumps(outgoing.payload, ensure_ascii=False, indent=1)
    unsent = f"{outgoing.described} Nothing was sent."
    write(options, as_json.outgoing(outgoing), [payload], remarks=[unsent])
    return 0
