"""Questions to try on the sample documents, with the pages that answer them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

PROPERTY_A = "Property_A_Offering_Memo.pdf"
PROPERTY_B = "Property_B_Final_OM.pdf"
PROPERTY_C = "Property_C_Presentation.pdf"
BISHOPSGATE = "Lease_Bishopsgate_Tower.pdf"
HARBOUR_YARD = "Lease_Harbour_Yard.pdf"


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """``pages`` maps a file to its pages that hold the answer; ``facts`` stand there verbatim.

    A question without pages has no answer in the samples.
    """

    question: str
    kind: Literal["single", "comparison", "synthesis", "absent"]
    pages: Mapping[str, tuple[int, ...]]
    facts: tuple[str, ...] = ()


QUESTIONS = (
    SampleQuestion(
        "What was the net operating income of Property A in 2024?",
        "single",
        {PROPERTY_A: (2, 5)},
        ("1,200,000",),
    ),
    SampleQuestion(
        "How much notice must the tenant give to break the lease of Bishopsgate Tower?",
        "single",
        {BISHOPSGATE: (3,)},
        ("six months’ prior written notice",),
    ),
    SampleQuestion(
        "Which tenant of Alder Point will not renew its lease?",
        "single",
        {PROPERTY_A: (3, 6)},
        ("Tessellate Software",),
    ),
    SampleQuestion(
        "When are offers for Tolland Quay Logistics due?",
        "single",
        {PROPERTY_C: (5,)},
        ("March 14, 2025",),
    ),
    SampleQuestion(
        "How much is spent on the replacement of rooftop units at Larkspur Station?",
        "single",
        {PROPERTY_B: (3, 5)},
        ("$185,000",),
    ),
    SampleQuestion(
        "Compare the NOI, cap rate and purchase price of Property A and Property B.",
        "comparison",
        {PROPERTY_A: (2, 5), PROPERTY_B: (2, 3)},
        ("6.2%", "$1,200,000", "$19,400,000", "5.8%", "$1,100,000", "$19,000,000"),
    ),
    SampleQuestion(
        "Compare the break clauses and notice periods of the two leases.",
        "comparison",
        {BISHOPSGATE: (3,), HARBOUR_YARD: (3,)},
        ("not less than six", "not less than nine months’"),
    ),
    SampleQuestion(
        "How do the security deposits of the Bishopsgate Tower and Harbour Yard leases differ?",
        "comparison",
        {BISHOPSGATE: (2, 3), HARBOUR_YARD: (2, 3)},
        ("£296,250", "£75,600"),
    ),
    SampleQuestion(
        "Summarise the main risks of each of the three properties.",
        "synthesis",
        {PROPERTY_A: (6,), PROPERTY_B: (5,), PROPERTY_C: (5,)},
        ("Tenant departure.", "Early termination.", "Renewal in 2028."),
    ),
    SampleQuestion(
        "Which law governs each lease?",
        "synthesis",
        {BISHOPSGATE: (4,), HARBOUR_YARD: (4,)},
        ("law of England and Wales", "law of Scotland"),
    ),
    SampleQuestion(
        "Which of the leases has a guarantor, and up to what amount?",
        "synthesis",
        {HARBOUR_YARD: (1, 2, 4)},
        ("24 months’ rent",),
    ),
    SampleQuestion("What is the energy rating of Larkspur Station?", "absent", {}),
)
