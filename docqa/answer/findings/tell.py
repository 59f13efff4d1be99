"""How a sum is told: what it is of, its figures, and what they come to."""

import re
from collections.abc import Sequence
from decimal import Decimal

from docqa.answer.findings.programs import Program
from docqa.answer.findings.relation import distinct_label
from docqa.answer.findings.sums import (
    CITED,
    SHOWN,
    as_printed,
    come_to,
    in_brackets,
    operand,
    percent,
    plain,
)
from docqa.answer.findings.values import Value, label_of, scale_text
from docqa.types.question import Question

_NAMED = 8  # rows or columns that are named
_SHORT = 25  # characters of a heading that is told as it is
_EACH = "each row"
_RATIO = re.compile(r"\bratio\b|\bdivided\b|\btimes\b|\bper\b(?! ?cent)", re.IGNORECASE)


def told(program: Program, question: Question) -> str:
    """A program's result after how it is worked out, without where its figures stand.

    "" where it has none, as by nothing is divided.
    """
    result, values = program.result, program.values
    if result is None:
        return ""
    if program.operation == "share":
        return _share(program, result, question)
    if program.operation in ("difference", "change"):
        return _apart(program, result)
    printed = list(map(operand, values)) if len(values) <= SHOWN else [CITED]
    shown, _ = come_to(program.operation, [value.amount for value in values], printed)
    scale = scale_text(values[0].scale)
    label = f"{program.operation.capitalize()}, {_of_all(values)}"
    return f"{label}: {shown} = {plain(result)}{_unit(values[0])}{scale}"


def _apart(program: Program, result: Decimal) -> str:
    one, other = program.values
    name = f"{program.operation.capitalize()}, {_of_two(one, other)}"
    if program.operation == "difference":
        shown = f"{operand(one)} − {operand(other)}"
        return f"{name}: {shown} = {plain(result)}{scale_text(one.scale)}"
    below = f"|{as_printed(other)}|" if other.amount < 0 else as_printed(other)
    return f"{name}: ({as_printed(one)} − {operand(other)}) ÷ {below} = {percent(result)}"


def _share(program: Program, result: Decimal, question: Question) -> str:
    if program.whole:
        part, whole = ([operand(v) for v in own] for own in (program.values, program.whole))
        shown = f"{in_brackets(part)} ÷ {in_brackets(whole)}"
        label = f"Share, {_of_all(program.values)}"
    else:
        one, other = program.values
        shown = f"{operand(one)} ÷ {operand(other)}"
        label = f"{_name(one, other)} as a share of {_name(other, one)}{_at_time(one, other)}"
    as_ratio = _RATIO.search(question.whole) is not None
    return f"{label}: {shown} = {plain(result / 100) if as_ratio else percent(result)}"


def _of_two(one: Value, other: Value) -> str:
    """What two figures are of: "Sales, 2022 to 2023", "Sales, Budget and Actual", "A and B"."""
    if one.row != other.row:
        return f"{_name(one, other)} and {_name(other, one)}{_at_time(one, other)}"
    label = label_of(one.candidate)
    if one.period.end != other.period.end:
        return f"{label}, {_when(other)} to {_when(one)}"
    return f"{label}, {one.heading} and {other.heading}"


def _name(value: Value, beside: Value) -> str:
    """What tells a figure from another: its column in the same row, else its row."""
    if value.row == beside.row:
        return f"{label_of(value.candidate)}, {_when(value)}"
    alike = label_of(value.candidate) == label_of(beside.candidate)
    return distinct_label(value.table, value.row) if alike else label_of(value.candidate)


def _at_time(one: Value, other: Value) -> str:
    same = one.column == other.column and one.row != other.row and _when(one)
    return f", {_when(one)}" if same else ""


def _of_all(values: Sequence[Value]) -> str:
    first = values[0]
    if all(value.row == first.row for value in values):
        times = [_when(value) for value in values]
        named = ", ".join(times) if len(times) <= _NAMED else f"{times[0]} to {times[-1]}"
        return f"{label_of(first.candidate)}, {named}"
    labels = [distinct_label(value.table, value.row) for value in values]
    named = ", ".join(labels) if len(labels) <= _NAMED else _EACH
    return ", ".join(filter(None, (_when(first), named)))


def _when(value: Value) -> str:
    """Its column as it is headed, if that is short."""
    short = value.heading and len(value.heading) <= _SHORT
    return value.heading if short else value.when


def _unit(value: Value) -> str:
    return "%" if value.unit == "%" else ""
