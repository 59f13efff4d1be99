"""How people ask: the wordings that questions are made in.

In braces: C the company or first party, l a row's label, m a figure that is worked out of a
statement, s that statement's name, h a heading; y and p a year and the one before it, fy and fp
the same as fiscal years.
"""

ROW = """
What was {C}'s {l} in {y}?
What is the {fy} {l} of {C}?
How much {l} did {C} report for {fy}?
{l} {y}
What is the {fy} {l} amount (in USD millions) for {C}?
How did {C}'s {l} change from {p} to {y}?
Did {C}'s {l} increase or decrease in {fy}?
By what percentage did {l} change between {fp} and {fy}?
What was the year-over-year change in {l} at {C} in {fy}?
Using the financial statements, what is {C}'s {fy} {l}?
Is {l} growing?
Give {C}'s {l} for {y} and {p}.
How large is {C}'s {l}?
Which year had the highest {l}, {y} or {p}?
""".strip().splitlines()

METRIC = """
What is the {fy} {m} for {C}?
Calculate {C}'s {m} for {fy}.
Does {C} have a healthy {m}?
Has {C}'s {m} improved or declined between {fp} and {fy}?
What is {C}'s {m} based on {fy} figures?
Is {C}'s {m} improving as of {fy}?
How has the {m} of {C} developed?
Based on the {s}, what is {C}'s {fy} {m}?
By how much did {m} change in {fy}?
Is {C} a capital-intensive or otherwise strong business judging by its {m}?
""".strip().splitlines()

HEADING = """
{h}
What does the document say about {h}?
Describe {h}.
Explain {h}.
What is said about {h}?
What are the {h}?
What is {h}?
How does {h} work?
Tell me about {h}
What should be known about {h}?
Where is {h} covered?
What are the rules on {h}?
What are the key points regarding {h}?
What is {C}'s {h}?
How does {C} deal with {h}?
""".strip().splitlines()

REPORT = """
What is this document called?
What kind of document is this?
Which company is this report about?
What securities are registered and on which exchange?
What period does the report cover?
Where is the company's principal office?
""".strip().splitlines()

CONTRACT = """
What is the title of the agreement?
What kind of document is this?
Who are the parties?
Between whom is the agreement made?
Who signed it?
What is the date of the agreement?
When was it made?
As of what date was this entered into?
""".strip().splitlines()

FISCAL = ("FY{}", "FY{}", "fiscal year {}", "fiscal {}", "{}")

# The statements by a pattern of their titles, and what they are called in a question.
INCOME = r"income statement|statements? of (?:\w+ )?(?:income|operations|earnings)"
BALANCE = r"balance sheets?|statements? of financial position"
CASH = r"cash flows?"
STATEMENTS = {
    INCOME: ("income statement", "statement of income", "P&L statement"),
    BALANCE: ("balance sheet", "statement of financial position"),
    CASH: ("cash flow statement", "statement of cash flows"),
}

_COST = r"cost of (?:sales|products|revenue|goods|services)|total costs?"
_OPERATING = r"operating (?:income|profit)|(?:income|earnings) from operations"
_SPENT = r"property|capital expenditure"
# A figure, the statement it is worked out of, and the rows that must stand there.
METRICS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("gross margin", INCOME, (_COST, "revenue|sales")),
    ("operating margin", INCOME, (_OPERATING, "revenue|sales")),
    ("EBITDA margin", INCOME, (_OPERATING, "revenue|sales")),
    ("net profit margin", INCOME, ("net income|net earnings", "revenue|sales")),
    ("effective tax rate", INCOME, ("income tax", "before (?:income )?tax|before provision")),
    ("interest coverage ratio", INCOME, ("interest expense|interest and debt", _OPERATING)),
    ("current ratio", BALANCE, ("total current assets", "total current liabilities")),
    ("quick ratio", BALANCE, ("current assets|cash", "current liabilities|inventor")),
    ("working capital", BALANCE, ("current assets", "current liabilities")),
    ("leverage", BALANCE, ("total liabilities|long-term debt", "equity")),
    ("debt to equity ratio", BALANCE, ("debt", "equity")),
    ("days payable outstanding", BALANCE, ("accounts payable",)),
    ("inventory turnover", BALANCE, ("inventor",)),
    ("days sales outstanding", BALANCE, ("receivable",)),
    ("fixed asset turnover", BALANCE, ("property",)),
    ("return on assets", BALANCE, ("total assets",)),
    ("net PP&E", BALANCE, ("property",)),
    ("liquidity", BALANCE, ("current assets|cash",)),
    ("capital expenditure", CASH, (_SPENT, "investing")),
    ("capital intensity", CASH, (_SPENT, "investing")),
    ("free cash flow", CASH, ("operating activities", _SPENT)),
    ("dividends paid", CASH, ("dividends", "financing")),
    ("share repurchases", CASH, ("repurchase|treasury", "financing")),
    ("depreciation and amortization", CASH, ("depreciation", "operating activities|net income")),
)

# By the topic's name in `docqa.compare.topics`.
TOPIC: dict[str, tuple[str, ...]] = {
    "Governing law": (
        "Which law governs the contract?",
        "Under what state's law is it to be interpreted?",
    ),
    "Term": ("How long does the contract last?", "On what date will it end?"),
    "Renewal": ("Does it renew automatically?", "Can it be extended, and for how long?"),
    "Notice of non-renewal": ("How much notice must be given to stop it from renewing?",),
    "Termination for convenience": (
        "Can either side end it early without giving a reason?",
        "May a party walk away on notice?",
    ),
    "Agreement date": ("When was it signed?", "What is the date of the document?"),
    "Effective date": ("From when does it take effect?", "When does it start?"),
    "Assignment": (
        "Can the rights be transferred to somebody else?",
        "Is consent needed to assign it?",
    ),
    "Licence": ("What licence is granted?", "May the other side use the software or marks?"),
    "Non-compete": ("May a party work for a competitor?", "Is competition restricted?"),
    "Revenue or profit sharing": (
        "Is revenue or profit shared with the other side?",
        "What royalties or commissions are paid?",
    ),
    "Exclusivity": ("Is the relationship exclusive?", "Must all be bought from one supplier?"),
    "Change of control": ("What happens if one side is taken over or sold?",),
    "Liability cap": (
        "Is liability limited to an amount?",
        "What is the most a party can be liable for?",
    ),
    "Uncapped liability": ("For what is liability unlimited?",),
    "Insurance": ("What insurance must be carried?",),
    "Audit rights": ("May the books and records be inspected?",),
    "Liquidated damages": ("Is a fixed sum owed on breach or early termination?",),
    "Minimum commitment": ("Is there a minimum purchase or fee?",),
    "After termination": (
        "What must be done once it has ended?",
        "Which duties survive the end?",
    ),
    "Warranty period": ("How long is the warranty?", "What is warranted and for how long?"),
}

# Of a sentence's subject a, verb v, its plain form b, and the first words of its object o.
MEANING = ("What does “{a}” mean?", "How is {a} defined?", "What is meant by {a}?")
REASON = ("Why did {a} {b}?", "What drove the change in {a}?", "What explains the {b} in {a}?")
LASTING = ("How long is {a}?", "What time limit applies to {a}?")
COSTING = ("What amount applies to {a}?", "What is the cost of {a}?")
BEING = ("What {v} {a}?", "Who or what {v} {a}?", "{V} {a} {o}?")
OBLIGED = ("What {v} {a} do?", "{V} {a} {o}?", "What is {a} allowed or obliged to do?")
DOING = ("What {d} {a} {b}?", "How {d} {a} {b} {o}?", "{D} {a} {b} {o}?")
