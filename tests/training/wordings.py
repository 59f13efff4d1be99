"""How people ask: the wordings that questions are made in.

In braces: C the company, l a row's label, h a heading; y and p a year and the one before it, fy
and fp the same as fiscal years.
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

FISCAL = ("FY{}", "FY{}", "fiscal year {}", "fiscal {}", "{}")

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
REASON = ("Why did {a} {b}?", "What drove the change in {a}?", "What explains the {b} in {a}?")
