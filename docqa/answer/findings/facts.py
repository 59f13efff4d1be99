"""Key facts: a document's own summary of itself, and one fact held against other documents'."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docqa.answer.findings.cited import Source
from docqa.answer.findings.line_items import names_of
from docqa.answer.findings.operations import Operation
from docqa.answer.findings.sums import come_to, plain
from docqa.language.amounts import Amount, measured_amounts
from docqa.language.words import content_words
from docqa.types.document import spoken_name
from docqa.types.phrases import series
from docqa.types.question import Question
from docqa.types.table import Row, Table

_FRONT = 3  # pages on which a document says what it is
_FEWEST = 5  # rows of a table of facts that is not called one
# What is asked for where nothing but the document itself is.
_ABOUT_WHOLE = frozenset(
    content_words(
        "summary summarize summarise overview outline describe give tell show key main facts terms "
        "points document file lease property building agreement contract memorandum presentation"
        " email letter deed report filing release memo policy handbook plan paper text press"
        " earnings annual quarterly"
    )
)
# How it is asked, whatever of.
_ASKING = _ABOUT_WHOLE | frozenset(
    content_words(
        "which what highest higher lowest lower largest larger biggest bigger smallest smaller "
        "most greatest greater least longest longer shortest shorter sum total combined together "
        "average mean both two three four five all each them these have has "
        "how much more less difference between exceed come add up amount"
    )
)
_BOTH = re.compile(r"\b(?:both|combined|together|each|all)\b", re.IGNORECASE)
_AND = re.compile(r"\band\b|,|&|\bboth\b", re.IGNORECASE)
_WHICH = re.compile(
    r"\b(?:which|what|whose)\s+(?:of\s+(?:the|these|them)\s+)?(?:(?:two|three|\d+)\s+)?"
    r"(?:propert(?:y|ies)|buildings?|leases?|documents?|files?|contracts?|agreements?|deals?|one)\b",
    re.IGNORECASE,
)


def is_about_whole(question: Question) -> bool:
    """Whether a question has words for a document and for telling it, and no others."""
    return set(content_words(question.topic)) <= _ABOUT_WHOLE


def overview(question: Question, source: Source) -> str:
    """A document's key facts, where a summary of it is asked for and of nothing in it; "" else."""
    if question.wants != "summary" or not is_about_whole(question):
        return ""
    facts = filter(_is_of_facts, _in_order(source.tables))
    table = next((each for each in facts if each.role or each.pages[0] == 1), None)
    if table is None:
        return ""
    return _listing(table, [row for row in table.rows if not row.is_group and row.cells[0]], source)


def named_facts(question: Question, source: Source) -> str:
    """Two or more of a document's facts that a question asks for by their names, and nothing else
    ("Who are the landlord and the tenant?"); "" for none."""
    asked = set(content_words(question.topic)) - _ASKING
    for table in filter(_is_of_facts, _in_order(source.tables)):
        named = [
            (row, set(name))
            for row in table.rows
            if not row.is_group and row.cells[0]
            for name in names_of(row.label)
            if set(name) <= asked
        ]
        rows = list(dict.fromkeys(row for row, _ in named))
        told = set[str]().union(*(name for _, name in named))
        if len(rows) > 1 and told == asked and _AND.search(question.topic):
            return _listing(table, rows, source)
    return ""


def _listing(table: Table, rows: Sequence[Row], source: Source) -> str:
    told = [(row, f"{row.label.rstrip(' :')}: {row.cells[0]}") for row in rows]
    title = table.title.rstrip(" :.") or "Key facts"
    return source.list_rows(title, table, told, of=len(rows))


def _in_order(tables: Sequence[Table]) -> list[Table]:
    return sorted(tables, key=lambda table: table.role != "key facts")


def _is_of_facts(table: Table) -> bool:
    """Whether a table says of the document itself, a line each, what it is of."""
    if len(table.columns) != 1:
        return False
    units = {amount.unit for row in table.rows for amount in measured_amounts(row.cells[0])}
    mixed = len(table.rows) >= _FEWEST and len(units) > 1 and table.pages[0] <= _FRONT
    named = all(any(map(str.isalpha, row.label)) for row in table.rows)
    return table.role == "key facts" or (table.role == "" and mixed and named)


@dataclass(frozen=True, slots=True)
class _Fact:
    """What one document says of what is asked for, and where."""

    name: str
    label: str
    amount: Amount
    marker: str


def across(question: Question, operation: Operation, sources: Sequence[Source]) -> list[str]:
    """A fact that several documents state, summed or compared, and what each states after it.

    None where fewer than two state it, or in other units. A difference is of two.
    """
    named = len(question.documents) > 1 or _BOTH.search(question.topic) is not None
    ranked = operation in ("highest", "lowest") and (named or _WHICH.search(question.topic))
    pair = operation == "difference" and len(question.documents) == 2
    if not (ranked or pair or (named and operation in ("sum", "average"))):
        return []
    stated = [(source, *found) for source in sources if (found := _stated(question, source.tables))]
    if len(stated) < 2 or len({amount.unit for *_, amount in stated}) > 1:
        return []
    facts = []
    for source, table, row, amount in stated:
        (marker,) = source.cite([(table, row)])
        name, label = spoken_name(source.document.name), row.label.rstrip(" :")
        facts.append(_Fact(name, label, amount, marker))
    work_out = _ranked if ranked else _worked_out
    each = (f"{f.name}: {f.label}, {f.amount.text.strip()} {f.marker}" for f in facts)
    return [work_out(facts, operation), *each]


def _stated(question: Question, tables: Sequence[Table]) -> tuple[Table, Row, Amount] | None:
    """The row of a document's facts that a question is of, with the amount it asks for.

    All that the question says has to be the row's: "price per square foot" is no "price", but may
    be the amount per square foot of a row that states others too.
    """
    asked = set(content_words(question.topic)) - _ASKING
    for table in filter(_is_of_facts, _in_order(tables)):
        in_part = []
        for row in table.rows:
            years = {word for word in content_words(row.label) if word.isdigit()}
            for amount in measured_amounts(row.cells[0]):
                unit = asked.intersection(content_words(amount.text))
                said = (*years, *unit)
                if any(set(name) <= asked <= {*name, *said} for name in names_of(row.label)):
                    return table, row, amount
                if asked and any(asked <= set(name) for name in names_of(row.label)):
                    in_part.append((table, row, amount))
        if len({row.label for _, row, _ in in_part}) == 1:  # "the deposits", of security alone
            return in_part[0]
    return None


def _ranked(facts: Sequence[_Fact], operation: Operation) -> str:
    choose = max if operation == "highest" else min
    best = choose(facts, key=lambda fact: fact.amount.value)
    alike = [fact for fact in facts if fact.amount.value == best.amount.value]
    names = series([fact.name for fact in alike])
    marks = "".join(fact.marker for fact in facts)
    return f"{names}: {best.label}, {best.amount.text.strip()}, the {operation} of these: {marks}"


def _worked_out(facts: Sequence[_Fact], operation: Operation) -> str:
    of_two = operation == "difference"
    facts = sorted(facts, key=lambda fact: -fact.amount.value) if of_two else facts
    first = facts[0]
    label = f"{first.label} ({first.name} − {facts[1].name})" if of_two else first.label
    printed = [fact.amount.text.strip() for fact in facts]
    shown, result = come_to(operation, [fact.amount.value for fact in facts], printed)
    before, after = _around(first.amount)
    marks = "".join(fact.marker for fact in facts)
    name = operation.capitalize()
    return f"{name}, {label}: {shown} = {before}{plain(result)}{after} {marks}"


def _around(amount: Amount) -> tuple[str, str]:
    """The signs of unit before and after a printed amount's digits."""
    parts = re.match(r"\s*([^\d(.−-]*)[\d.,]+(.*)$", amount.text)
    return (parts[1], parts[2].rstrip()) if parts and not amount.scaled else ("", "")
