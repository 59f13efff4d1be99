"""Topics that contracts settle, and how each is told. Extend here.

`Topic.says` are patterns for one sentence, the earlier ones plainer. Where the topic is in
`wording.json`, the words of a sentence weigh more and the pattern is one sign among others; where
it is not, any of the patterns settles it. ``heading`` is a heading under which such a sentence
counts for more and which it is quoted with, ``asks`` how a question names the topic.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from docqa.language.numbers import NUMBER_WORD

# Pieces the patterns share.
_TERMINATE = r"(?:terminat\w*|cancel\w*|end (?:this|the)|bring\b.{0,30}\bto an end)"
_PERIOD = (
    rf"(?:\d+|{NUMBER_WORD}|(?:one )?hundred(?: (?:and )?\w+)?)"
    r"\s*(?:\(\d+\)\s*)?-?(?:calendar |business |working |consecutive |full )?"
    r"(?:day|week|month|year)s?\b"
)
_NO_FAULT = r"^(?!.*\b(?:breach|default|insolven|bankrupt|fails?\b|failure|force majeure))"
_NO_DATA = r"^(?!.*\bpersonal data\b)"  # whose transfer is another matter
_LATE = (
    r"\b(?:overdue|past due|late(?:ly)? (?:paid|payments?)|unpaid|in arrears|delinquent|not paid)\b"
)
_MAY = r"\b(?:may|right to|entitled to|option to|elect to)\s(?:[\w,]+\s){0,8}"


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    asks: str
    says: tuple[str, ...]
    heading: str = ""
    contract: bool = True  # shown in an overall comparison

    @property
    def asked(self) -> re.Pattern[str]:
        """What names the topic, at the beginning of a word: a prepayment is no payment."""
        return compiled(rf"\b(?:{self.asks})")


TOPICS: tuple[Topic, ...] = (
    Topic(
        "Governing law",
        r"governing law|applicable law|jurisdiction|which law|law governs",
        (
            r"\b(?:governed|governs|construed|interpreted|enforced|governing)\b.{0,120}"
            r"\b(?:by|with|under|to)\b(?:.{0,40}\blaws? of\b|"
            r" (?:the )?(?!applicable|any|such)\w+ laws?\b)",
        ),
        heading=r"governing law|applicable law|choice of law|law and jurisdiction",
    ),
    Topic(
        "Term",
        r"\bterm\b|duration|how long|expir",
        (
            rf"\b(?:initial|original)?\s?term\b.{{0,80}}\b(?:of|for|is|be|continu\w*|period of)\b"
            rf".{{0,40}}{_PERIOD}",
            rf"\b(?:commenc|begin|effective)\w*\b.{{0,160}}\b(?:and|until|through|to)\b.{{0,80}}"
            rf"(?:expir|terminat|end|continu|{_PERIOD})",
            r"\b(?:agreement|contract|deed|obligations?)\b.{0,60}\b(?:continues?|lasts?|ends?|expires?"
            rf"|remains? in (?:full )?(?:force|effect))\b.{{0,40}}{_PERIOD}",
        ),
        heading=r"\bterm\b|duration",
    ),
    Topic(
        "Renewal",
        r"renew|extension|extend",
        (
            r"\b(?:may|shall|will|can|be|option to|right to|elect to)\s+(?:\w+\s){0,3}"
            r"(?:renew|extend)(?:ed|able)?\b(?!.{0,30}\bcredit|\s+to\s+(?!\d|\w+ \d))",
        ),
        heading=r"renew|extension|\bterm\b",
    ),
    Topic(
        "Notice of non-renewal",
        r"notice period to terminate renewal|non-?renewal|renewal.{0,20}notice|notice.{0,30}renew",
        (
            rf"\b(?:renew|extend|extension)\w*\b.{{0,300}}{_PERIOD}.{{0,80}}\b(?:notice|notif|"
            rf"prior)",
        ),
        heading=r"renew|extension|\bterm\b",
        contract=False,
    ),
    Topic(
        "Termination for convenience",
        r"convenience|without cause|terminat|cancel|break clause|break option|\bbreak\b",
        (
            rf"{_NO_FAULT}.*{_MAY}{_TERMINATE}\b.{{0,160}}\b(?:at (?:any time|will)|"
            rf"sole discretion|"
            rf"(?:upon|on|by|with) .{{0,60}}{_PERIOD})",
        ),
        heading=r"terminat|break|cancel",
    ),
    Topic(
        "Termination for breach",
        r"for breach|for cause|default|terminat|forfeit",
        (
            rf"\b{_TERMINATE}\b.{{0,250}}\b(?:material\w*\s)?(?:breach|default|fails to)",
            rf"\b(?:breach|default|fails to)\w*\b.{{0,250}}\b{_TERMINATE}",
            r"\b(?:re-?enter|forfeit\w*|irritan\w*)\b",
        ),
        heading=r"terminat|default|forfeiture|irritancy|breach",
    ),
    Topic(
        "Assignment",
        r"assign|transfer|sublet|underlet|subcontract",
        (
            rf"{_NO_DATA}.*\b(?:may not|shall not|not|neither|no|nor|none)\b.{{0,160}}"
            r"\b(?:assign(?:ed|able)?|assignment(?! (?:of|for) (?:any|the benefit))|"
            r"transfer(?:red|able)?)\b.{0,200}",
            r"\b(?:may|shall|entitled to|right to)\s(?:\w+\s){0,3}(?:assign|sublet|underlet)\b",
        ),
        heading=r"assign|transfer|dealings|underletting|succession",
    ),
    Topic(
        "Change of control",
        r"change (?:of|in) control|merger|acquisition",
        (
            r"\b(?:merger|merge[sd]?|consolidat\w+|acqui(?:red|sition)|sale of all|all or "
            r"substantially all)\b.{0,250}\b(?:assign|terminat|consent|successor|notice|transfer)",
        ),
        heading=r"control|assign",
        contract=False,
    ),
    Topic(
        "Liability cap",
        r"liabilit|cap on|limitation",
        (
            r"\b(?:not|neither|no)\b.{0,80}\bliab(?:le|ility)\b.{0,200}\b(?:indirect|consequential|"
            r"incidental|special|punitive|lost profits)",
        ),
        heading=r"liabilit|limitation|damages",
    ),
    Topic(
        "Uncapped liability",
        r"uncapped|unlimited liability",
        (
            r"\b(?:except|excluding|other than|notwithstanding)\b.{0,250}\b(?:liab\w*|indemnif\w*)"
            r".{0,160}\b(?:exceed|damages|consequential|limit)",
        ),
        heading=r"liabilit|limitation",
        contract=False,
    ),
    Topic(
        "Exclusivity",
        r"exclusiv|sole provider",
        (
            r"(?<!non-)(?<!non)\bexclusive(?:ly)?\b(?!\s+(?:of|jurisdiction|property|remedy|venue|"
            r"forum|courts?|ownership|right,? title|remedies|obligation)).{0,60}"
            r"\b(?:provider|supplier|resellers?|seller|right|basis|licen[cs]|distribut|agent|"
            r"vendor|"
            r"source|dealing)",
        ),
        heading=r"exclusiv",
    ),
    Topic(
        "Non-compete",
        r"non-?compet|compet",
        (
            r"\b(?:shall|will|may|agrees?(?: that \w+ (?:shall|will))?|to|covenants?) not\b.{0,250}"
            r"\bcompet",
        ),
        heading=r"compet|restrict|exclusiv|conflict",
        contract=False,
    ),
    Topic(
        "Licence",
        r"licen[cs]e",
        (r"\bgrant(?:s|ed)?\b.{0,160}\blicen[cs]e",),
        heading=r"licen[cs]e|grant|intellectual|proprietary|ownership",
        contract=False,
    ),
    Topic(
        "Insurance",
        r"insur",
        (
            r"\b(?:shall|will|must|agrees? to|required to)\b.{0,120}"
            r"\b(?:maintain|carry|insure|obtain|"
            r"procure|keep|effect)\b.{0,160}\binsur",
        ),
        heading=r"insurance",
        contract=False,
    ),
    Topic(
        "Audit rights",
        r"audit|inspect",
        (r"\b(?:audit|inspect|examine)\w*\b.{0,160}\b(?:books|records|premises|facilit|account)",),
        heading=r"audit|records|inspection",
        contract=False,
    ),
    Topic(
        "Revenue or profit sharing",
        r"revenue|profit|royalt|commission",
        (
            r"\b(?:percent|%)\s?\)?.{0,120}\b(?:revenues?|profits?|sales|proceeds|fees|"
            r"commissions?)",
        ),
        heading=r"revenue|royalt|commission|compensation|payment|fees",
        contract=False,
    ),
    Topic(
        "Minimum commitment",
        r"minimum",
        (
            r"\b(?:minimum|at least|no less than|not less than)\b.{0,120}\b(?:purchase|order|fees?|"
            r"payments?|commitment|guarantee|hours|revenue|quantit|volume|per (?:month|year|week))",
        ),
        heading=r"minimum|commitment|fees|payment",
        contract=False,
    ),
    Topic(
        "Liquidated damages",
        r"liquidated|penalt|termination fee",
        (r"\bliquidated damages\b",),
        heading=r"damages|terminat|penalt|service level",
        contract=False,
    ),
    Topic(
        "After termination",
        r"post-?termination|after termination|surviv|transition",
        (
            rf"\b(?:continue|survive|remain|{_PERIOD}).{{0,30}}\b(?:after|following|beyond)\b"
            r".{0,40}\b(?:terminat|expir)\w*\b"
            r"(?=.{0,20}\b(?:of (?:this|the) (?:agreement|lease|contract|term)|or (?:exp|term)))",
        ),
        heading=r"terminat|surviv|effect|return|transition",
        contract=False,
    ),
    Topic(
        "Warranty period",
        r"warrant",
        (rf"\bwarrant\w*\b.{{0,250}}{_PERIOD}",),
        heading=r"warrant",
        contract=False,
    ),
    Topic(
        "Rent",
        r"\brent\b(?!-)|rental",
        (
            r"[“\"][^“”\"]{0,30}\brent[”\"] means\b.{0,60}[$€£]\s?[\d,]+",
            r"\brent\b.{0,80}(?:[$€£]\s?[\d,]+|\b(?:payable|due)\b)",
        ),
        heading=r"\brent\b",
    ),
    Topic(
        "Rent review",
        r"rent review|index|escalat|rent increase",
        (
            r"\brent\b.{0,120}\b(?:reviewed|increased|adjusted|indexed|escalat\w+)\b",
            r"\brent(?:al)? (?:review|increase|escalation)s?\b|\bindexation\b",
        ),
        heading=r"rent review|index|escalat|increase",
    ),
    Topic(
        "Deposit",
        r"deposit",
        (r"\bdeposit\b.{0,100}(?:[$€£]\s?[\d,]+|months?['’] rent)|\bpay\b.{0,60}\bdeposit\b",),
        heading=r"deposit",
    ),
    Topic(
        "Payment",
        r"payment|fees?\b|compensation|invoice",
        (
            r"\b(?:shall|will|agrees? to)\s(?:\w+\s){0,3}pay\b.{0,200}(?:[$€£]\s?[\d,]+|fee|"
            rf"invoice|{_PERIOD})",
            rf"\b(?:invoice|payment)s?\b.{{0,160}}\b(?:due|payable|within)\b.{{0,60}}{_PERIOD}",
        ),
        heading=r"payment|fees|compensation|charges|consideration",
        contract=False,
    ),
    Topic(
        "Interest on late payment",
        r"\blate\b|overdue|interest on|default interest",
        (rf"\binterest\b.{{0,200}}{_LATE}|{_LATE}.{{0,200}}\binterest\b",),
        heading=r"late payment|interest",
    ),
    Topic(
        "Confidentiality",
        r"confidential|non-?disclosure|secrecy",
        (
            r"\b(?:shall|will|must|agrees?)\b.{0,160}\b(?:confiden\w*|not (?:to )?disclose"
            r"|(?:keep|hold|treat)\w*\b.{0,60}\bsecret)",
        ),
        heading=r"confiden|disclosure|secrecy",
        contract=False,
    ),
    Topic(
        "Effective date",
        r"effective date|commencement|start date",
        (r"\b(?:effective|entered|made|dated)\b.{0,160}[\"“(]\s*(?:the )?[\"“']?effective date",),
        heading=r"term|date|commence",
        contract=False,
    ),
    Topic(
        "Agreement date",
        r"agreement date|date of (?:the )?(?:agreement|lease|contract)|\bdated\b|signed",
        (
            r"\b(?:agreement|lease|contract|deed)\b.{0,100}\b(?:made|entered|dated|executed|"
            r"effective)"
            r"\b.{0,100}(?:\b(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th) day)",
        ),
        heading=r"date|agreement",
        contract=False,
    ),
)


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def topics_asked(question: str) -> tuple[Topic, ...]:
    """The topics that a question names, in their order; () where it names none.

    What is part of another's longer name names none: a rent review is not the rent.

    >>> [topic.name for topic in topics_asked("Compare the rent review")]
    ['Rent review']
    """
    spans = {topic: [m.span() for m in topic.asked.finditer(question)] for topic in TOPICS}
    every = [span for own in spans.values() for span in own]
    widest = {
        (start, end)
        for start, end in every
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in every)
    }
    return tuple(topic for topic, own in spans.items() if not widest.isdisjoint(own))


def overall_topics() -> tuple[Topic, ...]:
    """What an overall comparison of contracts looks at."""
    return tuple(topic for topic in TOPICS if topic.contract)
