"""What a table is: a primary statement of the document, a rent roll, key facts."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from docqa.types.document import Block
from docqa.types.table import STATEMENTS, Table, TableRole

NEAR = 9  # pages within which a document's primary statements follow one another
FRONT = 3  # pages at whose tables of two columns key facts are looked for

# Statements and tables of a part of the group only, which are not the document's own.
_NOT_PRIMARY = re.compile(
    r"\bparent(?: company)?(?: only)?\b|\bguarant(?:ee|or)s?\b|\bobligors?\b|\bconsolidating\b"
    r"|\bcombining\b|\bpro[ -]?forma\b|\bheld for sale\b|\bdiscontinued\b|\bselect(?:ed)?\b"
    r"|\bimpacts?\b"
    r"|\bsegments?\b|\bsummary of\b|\breconciliation\b|\bexcerpt|\bnon-gaap\b|\bschedule\b",
    re.IGNORECASE,
)
_TITLES: Mapping[TableRole, str] = {
    "comprehensive income": r"(?:statements?|consolidated)\b.{0,60}\bcomprehensive\s+"
    r"(?:\(?loss\)?|income|earnings|results)",
    "cash flow statement": r"statements?\s+of\s+(?:consolidated\s+)?cash\s+flows?"
    r"|cash\s+flow\s+statements?",
    "statement of equity": r"statements?\s+of\s+(?:[\w'’(),]+\s+){0,5}?"
    r"(?:equity|deficit|investment)|equity\s+statements?",
    "balance sheet": r"balance\s+sheets?"
    r"|statements?\s+of\s+(?:\w+\s+)?financial\s+(?:position|condition)",
    "income statement": r"income\s+statements?|profit\s+and\s+loss"
    r"|statements?\s+of\s+(?:\w+\s+){0,3}(?:income|operations|earnings|profit|loss)",
}
# One statement of both, known as the first of the two.
_BOTH = re.compile(
    r"\b(?:income|operations|earnings|loss)\)?\s+and\s+(?:other\s+)?comprehensive", re.IGNORECASE
)
_HOLDS: Mapping[TableRole, tuple[str, ...]] = {
    "income statement": (
        r"revenues?|net sales|^sales|turnover|interest income|premiums",
        r"net (?:\(?loss\)?|income|earnings|profit)|profit (?:for|after)|loss for",
        r"tax|expenses?|cost",
    ),
    "comprehensive income": (
        r"net (?:\(?loss\)?|income|earnings|profit)|profit for",
        r"currency|translation|unrealized|pension|hedg|derivative|defined benefit",
        r"comprehensive",
    ),
    "balance sheet": (
        r"^total assets",
        r"^total (?:current )?liabilities|equity|deficit",
        r"receivable|cash|property|inventor",
    ),
    "cash flow statement": (
        r"operating activities|operations",
        r"investing activities|purchases? of property|capital expenditure|acquisition",
        r"financing activities|dividends|debt|borrowings|repurchase",
    ),
    "statement of equity": (
        r"balances?\b|beginning of|equity.{0,30}beginning",
        r"dividends?|distributions|repurchase|issu|compensation|stock|shares",
        r"comprehensive|net (?:income|loss|earnings)|profit",
    ),
}
_RENT_ROLL = re.compile(r"\brent\s?roll\b|\btenan(?:cy|t)\s+schedule\b|\brental schedule\b", re.I)
_KEY_FACTS = re.compile(
    r"\b(?:key|property|investment|transaction|deal|asset|site|building|offering)\s+(?:facts?"
    r"|figures|terms|summary|details|overview|highlights|description|information|metrics)\b"
    r"|\bat a glance\b|\bfact sheet\b|\bheads of terms\b|\bexecutive summary\b|\bsummary\b",
    re.IGNORECASE,
)
_OPERATING = (
    r"net operating income|\bNOI\b",
    r"gross|effective|rental? (?:income|revenue)|revenue|income",
    r"expenses?|taxes|insurance|management fee|vacancy",
)
_CONTENTS = re.compile(r"\b(?:table of )?contents\b|\bindex\b", re.IGNORECASE)


def with_roles(tables: Sequence[Table], blocks: Sequence[Block]) -> tuple[Table, ...]:
    """The tables, each with what it is known to be; a statement is one of the primary ones."""
    texts = {block.index: block.text for block in blocks}
    candidates = {table.number: _role(table, texts) for table in tables}
    near = _primary([t for t in tables if candidates[t.number] in STATEMENTS], candidates)
    return tuple(
        replace(table, role=role)
        if (role := candidates[table.number]) not in STATEMENTS or table.number in near
        else table
        for table in tables
    )


def _role(table: Table, texts: Mapping[int, str]) -> TableRole:
    titles = _titles(table, texts)
    rules: Sequence[Callable[[Table, str], TableRole]] = (
        _statement, _rent_roll, _operating, _contents, _key_facts,
    )  # fmt: skip
    return next((role for rule in rules if (role := rule(table, titles))), "")


def _titles(table: Table, texts: Mapping[int, str]) -> str:
    """What is printed over a table, nearest last: its section's heading, the lines, its heads."""
    lead = [texts.get(index, "") for index in table.lead]
    first = [row.label for row in table.rows[:1] if row.is_group]
    return "\n".join((*table.section[-1:], *lead, table.caption, table.corner, *first))


def _statement(table: Table, titles: str) -> TableRole:
    brief = "\n".join(line for line in titles.splitlines() if len(line) <= 200)
    if _NOT_PRIMARY.search(brief):
        return ""
    labels = [row.label for row in table.rows]
    if _BOTH.search(brief) and _holds(labels, _HOLDS["income statement"]):
        return "income statement"
    for role, title in _TITLES.items():
        if re.search(title, brief, re.IGNORECASE) and _holds(labels, _HOLDS[role]):
            return role
    return ""


def _holds(labels: Sequence[str], patterns: Sequence[str]) -> bool:
    return all(any(re.search(p, label, re.IGNORECASE) for label in labels) for p in patterns)


def _primary(candidates: Sequence[Table], roles: Mapping[int, TableRole]) -> set[int]:
    """The numbers of the statements in the run of pages that has the most kinds of them."""
    runs: list[list[Table]] = []
    for table in candidates:
        if runs and table.pages[0] - runs[-1][-1].pages[-1] <= NEAR:
            runs[-1].append(table)
        else:
            runs.append([table])
    best = max(
        runs,
        key=lambda run: (len({roles[t.number] for t in run}), sum(len(t.rows) for t in run)),
        default=[],
    )
    return {table.number for table in best}


def _rent_roll(table: Table, titles: str) -> TableRole:
    heads = " ".join((table.corner, *(column.heading for column in table.columns)))
    tenants = re.search(r"\btenants?\b|\bsuite\b|\bunit\b|\boccupier\b", heads, re.IGNORECASE)
    rents = re.search(r"\brent\b|\brate\b", heads, re.IGNORECASE)
    terms = re.search(r"\bexpir|\blease\b|\bterm\b|\bstart\b|\barea\b|\bsq\b|\bsf\b", heads, re.I)
    named = _RENT_ROLL.search(titles) is not None
    elsewhere = re.search(r"\bcomparables?\b", titles, re.IGNORECASE)  # lettings of other buildings
    return "rent roll" if tenants and rents and (terms or named) and not elsewhere else ""


def _operating(table: Table, titles: str) -> TableRole:
    return "operating statement" if _holds([r.label for r in table.rows], _OPERATING) else ""


def _contents(table: Table, titles: str) -> TableRole:
    """Whether a table lists what stands on which page, in one column of entries or in two."""
    heads = "\n".join(column.heading for column in table.columns)
    listed = any(_are_pages([row.cells[at] for row in table.rows]) for at in (0, -1))
    return "contents" if listed and _CONTENTS.search(f"{titles}\n{heads}") else ""


def _are_pages(cells: Sequence[str]) -> bool:
    """Whether most cells are numbers that only rise."""
    filled = [cell for cell in cells if cell]
    numbers = [int(cell) for cell in filled if cell.isdecimal()]
    return len(numbers) > 2 and len(numbers) >= 0.8 * len(filled) and numbers == sorted(numbers)


def _key_facts(table: Table, titles: str) -> TableRole:
    two = len(table.columns) == 1 and len(table.rows) >= 4 and table.pages[0] <= FRONT
    return "key facts" if two and _KEY_FACTS.search(titles) else ""
