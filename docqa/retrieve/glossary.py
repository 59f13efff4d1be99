"""Different words for the same thing, so that "capex" finds "purchases of property".

One line for each thing, the terms separated by bars; add lines as a field needs them. Terms are
found whatever their case, except those all in capitals (acronyms), which must be written so.
"""

import re

_FINANCE = """
capex | capital expenditure | capital expenditures | purchases of property, plant and equipment
PP&E | PPE | PPNE | PPnE | property, plant and equipment
COGS | cost of goods sold | cost of sales | cost of revenue
EBITDA | earnings before interest, taxes, depreciation and amortization
D&A | depreciation and amortization
SG&A | selling, general and administrative
R&D | research and development
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
legal battles | lawsuits | litigation | legal proceedings
YoY | year over year | compared to the prior year
"""
# What an analyst works out from a statement, and the lines of the statement it is worked out from.
_WORKED_OUT = """
quick ratio | total current assets | total current liabilities | consolidated balance sheets
current ratio | total current assets | total current liabilities | consolidated balance sheets
working capital | total current assets | total current liabilities | consolidated balance sheets
liquidity profile | total current assets | total current liabilities | consolidated balance sheets
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


def _groups(*texts: str) -> tuple[tuple[str, ...], ...]:
    lines = "".join(texts).strip().splitlines()
    return tuple(tuple(term.strip() for term in line.split("|")) for line in lines if line)


GROUPS = _groups(_FINANCE, _LAW, _REAL_ESTATE)
DERIVED = _groups(_WORKED_OUT)


def synonyms(text: str) -> tuple[str, ...]:
    """The other terms for what a text names, each once; not those it has already.

    >>> synonyms("What is the cap rate?")
    ('capitalization rate', 'capitalisation rate')
    """
    others: dict[str, None] = {}
    for group in GROUPS:
        if any(_names(text, term) for term in group):
            others.update(dict.fromkeys(group))
    for term, *lines in DERIVED:
        if term in others or _names(text, term):
            others.update(dict.fromkeys(lines))
    return tuple(term for term in others if not _names(text, term))


def _names(text: str, term: str) -> bool:
    flags = 0 if term.isupper() else re.IGNORECASE
    words = r"[\s,-]+".join(re.escape(word) for word in re.split(r"[\s,-]+", term))
    return re.search(rf"(?<!\w){words}(?!\w)", text, flags) is not None
