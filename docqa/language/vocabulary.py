"""Different words for the same thing, so that "capex" finds "purchases of property".

One line for each thing, the terms separated by bars; a library may have lines of its own. Terms
are found whatever their case, except those all in capitals (acronyms), which must be written so.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from docqa.errors import GlossaryUnreadable
from docqa.language.keywords import keywords

MAX_LINES = 1000  # of a person's own

_FINANCE = """
capex | capital expenditure | capital expenditures | purchases of property, plant and equipment
PP&E | PPE | property, plant and equipment
COGS | cost of goods sold | cost of sales | cost of revenue
EBITDA | earnings before interest, taxes, depreciation and amortization
D&A | depreciation and amortization
SG&A | selling, general and administrative
R&D | research and development | research and development expenses
EPS | earnings per share
FCF | free cash flow | net cash provided by operating activities
AR | accounts receivable | trade receivables
AP | accounts payable | trade payables
gross margin | gross profit | cost of sales
operating margin | operating income | income from operations
net income | net earnings | net profit
revenue | revenues | net sales
effective tax rate | provision for income taxes | income tax expense
balance sheet | consolidated balance sheets | statement of financial position
income statement | P&L | consolidated statements of income | consolidated statements of operations
cash flow statement | consolidated statements of cash flows
lawsuits | litigation | legal proceedings
main risks | key risks | principal risks | risk factors
YoY | year over year | compared to the prior year
"""
# What an analyst works out from a statement, and the lines of the statement it is worked out from.
_WORKED_OUT = """
quick ratio | total current assets | total current liabilities | consolidated balance sheets
current ratio | total current assets | total current liabilities | consolidated balance sheets
working capital | total current assets | total current liabilities | consolidated balance sheets
leverage | total debt | total equity | consolidated balance sheets
capital intensive | property, plant and equipment | total assets | capital expenditures
capital intensity | property, plant and equipment | total assets | capital expenditures
asset turnover | total assets | net sales
inventory turnover | inventories | cost of sales
DPO | days payable outstanding | accounts payable | cost of sales
DSO | days sales outstanding | accounts receivable | net sales
gross margin | consolidated statements of income
operating margin | consolidated statements of income
net margin | net income | consolidated statements of income
payout ratio | cash dividends paid | net income
property, plant and equipment | consolidated balance sheets
"""
_LAW = """
governing law | governed by the laws | choice of law | construed in accordance with
termination for convenience | terminate without cause | terminate at any time
notice period | prior written notice | days notice
renewal | renewal term | automatically renew | successive terms
assignment | anti-assignment | may not assign | assign this agreement
change of control | merger | sale of substantially all
liability cap | cap on liability | limitation of liability | aggregate liability
uncapped liability | unlimited liability
indemnity | indemnification | indemnify | hold harmless
non-compete | non-competition | not compete
non-solicit | non-solicitation | not solicit
exclusivity | exclusive
force majeure | acts of god
IP ownership | ownership of intellectual property | work made for hire | work for hire
audit rights | inspect books and records | right to audit
liquidated damages | termination fee
third party beneficiary | third party beneficiaries
break clause | break option | option to terminate
effective date | commencement date
expiration date | expiry date | initial term
"""
_REAL_ESTATE = """
NOI | net operating income
cap rate | capitalization rate | capitalisation rate
asking price | purchase price | offering price
GLA | gross leasable area | rentable area
EGI | effective gross income
OpEx | operating expenses
CAM | common area maintenance
TI | tenant improvement | tenant improvements
WALT | weighted average lease term
LTV | loan to value
DSCR | debt service coverage
sq ft | square feet | square foot
"""

# The titles of tables, an arrow, and what is read from them or worked out with them.
_TABLES = """
balance sheet | statement of financial position | statement of financial condition <- balance sheet
    | quick ratio | current ratio | cash ratio | working capital | liquidity | leverage
    | debt to equity | net debt | total debt | capital intensive | capital intensity
    | asset turnover | inventory turnover | receivables turnover | cash conversion cycle
    | days sales outstanding | DSO | days payable outstanding | DPO
    | days inventory outstanding | DIO | return on assets | ROA | return on equity | ROE
    | PP&E | PPE | property, plant and equipment | fixed asset | total asset
    | current asset | total liabilities | current liabilities | largest liability | inventory
    | inventories | accounts receivable | accounts payable | goodwill | retained earnings
    | shareholders' equity | stockholders' equity | book value | net worth | deferred revenue
statement of income | statement of operations | statement of earnings | income statement
    | statement of comprehensive income | statement of profit | profit and loss
    <- income statement | P&L | gross margin | gross profit | operating margin | operating income
    | operating profit | net margin | profit margin | net income | net profit | net earnings
    | net loss | effective tax rate | tax rate | income tax | revenue | net sales | total sales
    | COGS | cost of goods sold | cost of sales | EBIT | EBITDA | SG&A | operating expense
    | R&D | research and development | EPS | earnings per share | interest expense
    | interest coverage | payout ratio | profitability | asset turnover | inventory turnover
    | receivables turnover
    | days sales outstanding | DSO | days payable outstanding | DPO
    | days inventory outstanding | DIO | return on assets | ROA | return on equity | ROE
statement of cash flows | cash flow statement <- cash flow | capex | capital expenditure | FCF
    | cash from operations | operating activities | investing activities | financing activities
    | dividends paid | payout ratio | share repurchase | buyback | D&A
    | depreciation and amortization | EBITDA | capital intensive | capital intensity
rent roll | tenancy schedule | schedule of leases <- rent roll | tenant | occupancy | vacancy
    | WALT | weighted average lease term | in-place rent
operating statement | pro forma | income and expenses <- NOI | net operating income | EGI | OpEx
    | effective gross income | operating expense | cap rate
"""


Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Glossary:
    """Groups of names for one thing; tables as (their titles, what is read from them)."""

    groups: Groups
    tables: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


def _groups(*texts: str) -> Groups:
    return tuple(_terms(line) for line in "".join(texts).strip().splitlines() if line)


def _terms(line: str) -> tuple[str, ...]:
    return tuple(term.strip() for term in line.split("|"))


def _table(line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    titles, _, asked = line.partition("<-")
    return _terms(titles), _terms(asked)


DERIVED = _groups(_WORKED_OUT)
BUILT_IN = Glossary(
    _groups(_FINANCE, _LAW, _REAL_ESTATE),
    tuple(map(_table, _TABLES.replace("\n    ", " ").strip().splitlines())),
)


@lru_cache(maxsize=8)  # read at every search
def with_own(text: str) -> Glossary:
    """The glossary with a person's own lines, in the form of those above, before the others.

    Lines that are empty or begin with "#" are passed over. Raises `GlossaryUnreadable`.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    said = [(number, line) for number, line in lines if not line.lstrip().startswith("#")]
    if len(said) > MAX_LINES:
        raise GlossaryUnreadable(f"it has {len(said)} lines; {MAX_LINES} are read")
    for number, line in said:
        terms = [term for side in line.split("<-") for term in _terms(side)]
        if len(terms) < 2 or not all(map(keywords, terms)) or line.count("<-") > 1:
            raise GlossaryUnreadable(f"line {number}, “{line.strip()[:80]}”, names no two things")
    own = [line for _, line in said]
    return Glossary(
        (*(_terms(line) for line in own if "<-" not in line), *BUILT_IN.groups),
        (*(_table(line) for line in own if "<-" in line), *BUILT_IN.tables),
    )


def synonyms(text: str, glossary: Glossary = BUILT_IN) -> tuple[str, ...]:
    """The other terms for what a text names, each once; not those it has already.

    >>> synonyms("What is the cap rate?")
    ('capitalization rate', 'capitalisation rate')
    """
    others: dict[str, None] = {}
    for group in glossary.groups:
        if any(_names(text, term) for term in group):
            others.update(dict.fromkeys(group))
    for term, *lines in DERIVED:
        if term in others or _names(text, term):
            others.update(dict.fromkeys(lines))
    return tuple(term for term in others if not _names(text, term))


def terms_in(text: str, glossary: Glossary = BUILT_IN) -> tuple[str, ...]:
    """The terms a text names that have other names, or are read from a table, each once.

    >>> terms_in("Has the quick ratio improved?")
    ('quick ratio',)
    """
    groups = (*glossary.groups, *DERIVED, *(terms for _, terms in glossary.tables))
    named = (term for group in groups for term in group if _names(text, term))
    return tuple(dict.fromkeys(named))


def tables_for(text: str, glossary: Glossary = BUILT_IN) -> tuple[str, ...]:
    """The titles of the tables from which what a text names is read, each once.

    >>> tables_for("Has the quick ratio improved?")
    ('balance sheet', 'statement of financial position', 'statement of financial condition')
    """
    found = (
        title
        for titles, terms in glossary.tables
        if any(_names(text, term) for term in terms)
        for title in titles
    )
    return tuple(dict.fromkeys(found))


def _names(text: str, term: str) -> bool:
    """Whether the text has the term, in its plural too; capitals count where it is all capitals."""
    first, pattern = _pattern(term)
    return first in text.lower() and pattern.search(text) is not None


@lru_cache(maxsize=8192)
def _pattern(term: str) -> tuple[str, re.Pattern[str]]:
    """The term's first word, which is quickly looked for, and what is then looked for."""
    flags = re.NOFLAG if term.isupper() else re.IGNORECASE
    words = re.split(r"[\s,-]+", term)
    spaced = r"[\s,-]+".join(map(re.escape, words))
    return words[0].lower(), re.compile(rf"(?<!\w){spaced}s?(?!\w)", flags)
