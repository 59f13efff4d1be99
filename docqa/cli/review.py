"""The command that asks many documents the same questions: review."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from docqa.cli.arguments import AddCommand, add_sending, document_ids, writing
from docqa.cli.files import add_files, write_evidence, write_files
from docqa.cli.output import print_count, write, write_json
from docqa.errors import UnknownReview
from docqa.present import as_text, export
from docqa.present import review as presented
from docqa.present.document import now
from docqa.present.evidence import of_review
from docqa.present.sources import printed_pages
from docqa.types.costs import CellsEstimate
from docqa.types.review import Column, Review, ReviewTable
from docqa.workspace import Workspace

LOOK_AGAIN = 0.5  # seconds between looks at how far it is


def register(add_command: AddCommand) -> None:
    review = add_command(
        "review", writing(_review), "ask many documents the same questions, as a table"
    )
    review.add_argument("name", nargs="?", help="of the review; without one, all are listed")
    asked = review.add_mutually_exclusive_group()
    asked.add_argument("--questions", type=Path, metavar="FILE.jsonl", help="a column a line")
    asked.add_argument("--template", metavar="NAME", help="such as lease-abstract")
    rows = review.add_mutually_exclusive_group()
    rows.add_argument("--documents", nargs="+", metavar="NAME", help="else all")
    rows.add_argument("--tag", help="the documents with this tag")
    add_files(review, export.REVIEW)
    unsent = "tell what a model would cost for the empty cells; fill none"
    review.add_argument("--preview", action="store_true", help=unsent)
    review.add_argument("--answerer", choices=("extractive", "claude"), default="extractive")
    review.add_argument("--model", help="the model's id")
    add_sending(review)


def _review(workspace: Workspace, options: argparse.Namespace) -> int:
    if options.name is None:
        return _list(workspace, options)
    review = _opened(workspace, options)
    if options.preview:
        return _write_price(options, workspace.reviews.price(review.id))
    table = _filled(workspace, review, options.answerer)
    written = _write_files(workspace, table, options)
    if options.json:
        write_json(presented.as_json(table))
    elif not written:
        print(as_text.plain(presented.parts(presented.ReviewRecord(table)), citations={}))
    stopped = workspace.reviews.progress(review.id).stopped
    for sentence in filter(None, (stopped, _unread(table))):
        print(sentence, file=sys.stderr)
    failed = any(each.state == "failed" for each in table.cells.values())
    return int(bool(stopped) or failed or table.open > 0)


def _list(workspace: Workspace, options: argparse.Namespace) -> int:
    tables = [workspace.reviews.table(each.id) for each in workspace.reviews.all()]
    shown = [
        {"review": each.review.name, "cells": len(each.cells), "open": each.open} for each in tables
    ]
    lines = [f"{each.review.name}: {presented.summary(each)}" for each in tables]
    known = ", ".join(each.name for each in workspace.reviews.templates())
    none = f"There is no review yet. Name one, with --questions or a --template: {known}."
    write(options, {"reviews": shown}, lines or [none])
    return 0


def _opened(workspace: Workspace, options: argparse.Namespace) -> Review:
    """The review of that name with what was given of it, made where it is not there."""
    columns, reviews = _columns(workspace, options), workspace.reviews
    chosen = document_ids(workspace, options.documents or ())
    try:
        review = reviews.named(options.name)
    except UnknownReview:
        if not columns:
            raise
        return reviews.create(options.name, columns, document_ids=chosen, tag=options.tag or "")
    if chosen or options.tag:
        ids, tag = tuple(chosen), options.tag or ""
        review = reviews.change(review.id, lambda each: replace(each, document_ids=ids, tag=tag))
    return reviews.ask_instead(review.id, columns) if columns else review


def _columns(workspace: Workspace, options: argparse.Namespace) -> tuple[Column, ...]:
    if options.questions:
        return workspace.reviews.columns_in(options.questions)
    return workspace.reviews.template(options.template).columns if options.template else ()


def _filled(workspace: Workspace, review: Review, answerer: str) -> ReviewTable:
    reviews, report = workspace.reviews, print_count("cells")
    workspace.additions.finish()
    reviews.fill(review.id, answerer=answerer)
    while (progress := reviews.progress(review.id)).running:
        report(progress.done, progress.total)
        reviews.wait(review.id, LOOK_AGAIN)
    return reviews.table(review.id)


def _write_price(options: argparse.Namespace, price: CellsEstimate) -> int:
    cost = None if price.cost_usd is None else float(price.cost_usd)
    shown = {"model": price.model, "url": price.url, "cells": price.cells}
    shown |= {"tokens": price.tokens, "cost_usd": cost}
    write(options, shown, [f"{price.described} Nothing was sent."])
    return 0


def _write_files(workspace: Workspace, table: ReviewTable, options: argparse.Namespace) -> bool:
    """Whether a file was asked for."""
    if not (options.evidence or any(getattr(options, each.ending) for each in export.REVIEW)):
        return False
    printed = printed_pages(table.documents, workspace.contents.health)
    record = presented.ReviewRecord(table, printed, now(), workspace.app_address)
    write_files(options, export.REVIEW, record)
    write_evidence(options, of_review(record), workspace)
    return True


def _unread(table: ReviewTable) -> str:
    names = [each.name for each in table.documents if each.id in table.waits]
    return f"Still being read, so left empty: {', '.join(names)}." if names else ""
