"""Topics that contracts settle, and the wording that settles them. Extend here.

`Topic.says` are patterns for one sentence: any of them settles the topic, the earlier ones more
plainly. ``heading`` is a heading under which such a sentence counts for more, ``near`` are words
by which the page nearest to an absent topic is found, ``asks`` how a question names the topic.
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
_MAY = r"\b(?:may|right to|entitled to|option to|elect to)\s(?:[\w,]+\s){0,8}"
_AGREEMENT = r"(?:agreement|lease|contract|term|licen[cs]e|engagement|consultancy|services)"


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    asks: str
    says: tuple[str, ...]
    heading: str = ""
    near: str = ""
    contract: bool = True  # shown in an overall comparison


TOPICS: tuple[Topic, ...] = (
    Topic(
        "Governing law",
        r"governing law|applicable law|jurisdiction|which law|law governs",
        (
            r"\b(?:governed|governs|construed|interpreted|enforced|governing)\b.{0,120}"
            r"\b(?:by|with|under|to)\b(?:.{0,40}\blaws? of\b|"
            r" (?:the )?(?!applicable|any|such)\w+ laws?\b)",
            r"\b(?:governed|construed|interpreted|subject)\b.{0,80}\b(?:by|with|under|to)\b.{0,60}"
            r"\blaws?\b",
            r"\blaws? of (?:the )?(?:State|Commonwealth|Province|England|Scotland|country)\b"
            r".{0,80}\b(?:govern|control|appl)",
            r"\b(?:governing|applicable) law\b",
        ),
        heading=r"governing law|applicable law|choice of law|law and jurisdiction",
        near=r"\blaws?\b|\bcourts?\b|jurisdiction",
    ),
    Topic(
        "Term",
        r"\bterm\b|duration|how long|expir",
        (
            rf"\b(?:this |the )(?:\w+ )?{_AGREEMENT}\b.{{0,60}}\b(?:shall|will|is|are|shall be)\b"
            rf".{{0,160}}(?:\binitial (?:period|term)|\bfor an? (?:\w+ )?(?:period|term) of|"
            rf"\banniversary|\bexpir\w+ (?:on|upon|at)|\b(?:effect|force)\b.{{0,60}}{_PERIOD})",
            rf"\bterm of (?:this |the )?{_AGREEMENT}\b.{{0,100}}(?:{_PERIOD}|until|expire)",
            rf"\b(?:initial|original)?\s?term\b.{{0,80}}\b(?:of|for|is|be|continu\w*|period of)\b"
            rf".{{0,40}}{_PERIOD}",
            rf"\b(?:shall|will) (?:remain|continue|be) in (?:full )?(?:force|effect)\b.{{0,120}}"
            rf"(?:{_PERIOD}|until)",
            rf"\b(?:commenc|begin|effective)\w*\b.{{0,160}}\b(?:and|until|through|to)\b.{{0,80}}"
            rf"(?:expir|terminat|end|continu|{_PERIOD})",
            r"\b(?:expir\w*|end\w*|terminat\w*) (?:on|upon) (?:the )?\w+ \d",
            r"\bterm\b.{0,40}\b(?:shall|will)\b.{0,80}\b(?:until|expire|commence)",
        ),
        heading=r"\bterm\b|duration",
        near=r"\bterm\b|expir|commenc",
    ),
    Topic(
        "Renewal",
        r"renew|extension|extend",
        (
            r"\b(?:automatic\w*|successive|additional|further)\b.{0,100}\b(?:renew|extend|"
            r"extension)",
            r"\b(?:may|shall|will|can|be|option to|right to|elect to)\s+(?:\w+\s){0,3}"
            r"(?:renew|extend)(?:ed|able)?\b(?!.{0,30}\bcredit|\s+to\s+(?!\d|\w+ \d))",
            r"\b(?:renewal|extension) (?:term|period|option)s?\b",
            r"\brenew(?:s|ed|able|al)?\b.{0,120}"
            rf"\b(?:term|period|{_PERIOD})",
        ),
        heading=r"renew|extension|\bterm\b",
        near=r"renew|extend|extension|\bterm\b",
    ),
    Topic(
        "Notice of non-renewal",
        r"notice period to terminate renewal|non-?renewal|renewal.{0,20}notice|notice.{0,30}renew",
        (
            rf"\b(?:renew|extend|extension)\w*\b.{{0,300}}\b(?:notice|notif\w+)\b.{{0,160}}"
            rf"{_PERIOD}",
            rf"\b(?:renew|extend|extension)\w*\b.{{0,300}}{_PERIOD}.{{0,80}}\b(?:notice|notif|"
            rf"prior)",
            rf"{_PERIOD}.{{0,120}}\bnotice\b.{{0,120}}\b(?:renew|extend|extension)",
            rf"\bnotice\b.{{0,80}}{_PERIOD}.{{0,120}}\b(?:renew|extend|extension|expir)",
        ),
        heading=r"renew|extension|\bterm\b",
        near=r"renew|notice",
        contract=False,
    ),
    Topic(
        "Termination for convenience",
        r"convenience|without cause|terminat|cancel|break clause|break option|\bbreak\b",
        (
            rf"{_MAY}{_TERMINATE}\b.{{0,200}}\b(?:for (?:any|no) (?:or no )?reason|"
            rf"without (?:any )?"
            r"cause|for convenience|with or without cause|no reason|for its convenience)",
            r"\bnotice of termination\b.{0,40}\bfor (?:any|no) (?:or no )?reason",
            rf"{_NO_FAULT}.*{_MAY}{_TERMINATE}\b.{{0,160}}\b(?:at (?:any time|will)|"
            rf"sole discretion|"
            rf"(?:upon|on|by|with) .{{0,60}}{_PERIOD})",
            r"^(?!.*\bsurviv)"
            rf".*\b{_TERMINATE}\b.{{0,160}}\b(?:for (?:any|no) (?:or no )?reason|without (?:any )?"
            r"cause|for convenience|with or without cause|no reason)",
            rf"\b(?:without cause|for convenience|for any reason)\b.{{0,200}}\b{_TERMINATE}",
            rf"{_NO_FAULT}.*\b{_TERMINATE}\b.{{0,160}}\b(?:at (?:any time|will)|sole discretion)",
            rf"{_NO_FAULT}.*\b(?:at any time|sole discretion)\b.{{0,200}}\b{_TERMINATE}",
            rf"{_NO_FAULT}.*\b(?:may|right to|entitled to|option to)\s(?:\w+\s){{0,3}}{_TERMINATE}"
            r".{0,200}\bnotice",
        ),
        heading=r"terminat|break|cancel",
        near=r"terminat|cancel|break",
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
        near=r"breach|default|terminat",
    ),
    Topic(
        "Assignment",
        r"assign|transfer|sublet|underlet|subcontract",
        (
            rf"{_NO_DATA}.*\b(?:not|neither|no|nor|none)\b.{{0,160}}"
            r"\b(?:assign|delegate|transfer)(?:ed|able)?\b"
            r".{0,120}\b(?:agreement|lease|contract|licen[cs]e|rights?|obligations?|duties)\b",
            rf"{_NO_DATA}.*\b(?:may not|shall not|not|neither|no|nor|none)\b.{{0,160}}"
            r"\b(?:assign(?:ed|able)?|assignment(?! (?:of|for) (?:any|the benefit))|"
            r"transfer(?:red|able)?)\b.{0,200}",
            r"\bassign(?:ed|ment|able|s)?\b.{0,200}\b(?:without|prior|written)\b.{0,60}\bconsent",
            r"\b(?:may|shall|entitled to|right to)\s(?:\w+\s){0,3}(?:assign|sublet|underlet)\b",
            r"\bassignable\b|\bpermitted assigns\b",
            r"\b(?:not|neither)\b.{0,80}\b(?:delegate|subcontract)\b",
        ),
        heading=r"assign|transfer|dealings|underletting|succession",
        near=r"assign|transfer|success",
    ),
    Topic(
        "Change of control",
        r"change (?:of|in) control|merger|acquisition",
        (
            r"\bchange (?:of|in) (?:\w+\s)?control\b",
            r"\b(?:merger|merge[sd]?|consolidat\w+|acqui(?:red|sition)|sale of all|all or "
            r"substantially all)\b.{0,250}\b(?:assign|terminat|consent|successor|notice|transfer)",
            r"\b(?:assign|terminat|consent|transfer)\w*\b.{0,250}\b(?:merger|consolidation|"
            r"substantially all|operation of law|reorgani[sz]ation)",
        ),
        heading=r"control|assign",
        near=r"control|merger|successor|assign",
        contract=False,
    ),
    Topic(
        "Liability cap",
        r"liabilit|cap on|limitation",
        (
            r"\b(?<!limited )liabilit\w*\b.{0,250}\b(?:exceed|limited to|capped|in excess of|"
            r"greater "
            r"than|no more than|be limited|maximum)",
            r"\b(?:limits?|maximum|cap)\b.{0,100}\bliabilit",
            r"\b(?:in no event|not be (?:held )?(?:liable|responsible)|no liability|not liable)\b"
            r".{0,300}\b(?:damages|loss|liab)",
            r"\b(?:not|neither|no)\b.{0,80}\bliab(?:le|ility)\b.{0,200}\b(?:indirect|consequential|"
            r"incidental|special|punitive|lost profits)",
        ),
        heading=r"liabilit|limitation|damages",
        near=r"liab|damages",
    ),
    Topic(
        "Uncapped liability",
        r"uncapped|unlimited liability",
        (
            r"\bliab\w*\b.{0,250}\b(?:except|excluding|other than|does not apply|shall not apply)",
            r"\b(?:except|excluding|other than|notwithstanding)\b.{0,250}\b(?:liab\w*|indemnif\w*)"
            r".{0,160}\b(?:exceed|damages|consequential|limit)",
        ),
        heading=r"liabilit|limitation",
        near=r"liab|indemn",
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
            r"\b(?:shall|will|agrees?) not\b.{0,160}\b(?:engage|contract|permit|offer|provide|use)"
            r"\b.{0,120}\b(?:any other|third part|anyone else)\b.{0,120}"
            r"\b(?:similar|same|services)",
            r"\bsole\b.{0,30}\b(?:provider|supplier|distributor|source)\b",
        ),
        heading=r"exclusiv",
        near=r"exclusive|compet",
    ),
    Topic(
        "Non-compete",
        r"non-?compet|compet",
        (
            r"\b(?:shall|will|may|agrees?(?: that \w+ (?:shall|will))?|to|covenants?) not\b.{0,250}"
            r"\bcompet",
            r"^(?!.*\brepresents?\b).*\bnon-?compet\w*",
            r"\b(?:refrain|prohibit|restrict)\w*\b.{0,160}\bcompet",
            r"\bcompet(?:e|es|ing|itive|itors?)\b.{0,200}\b(?:not|without)\b.{0,80}\b(?:engage|"
            r"consent|employ|provide|perform|accept|consult)",
        ),
        heading=r"compet|restrict|exclusiv|conflict",
        near=r"compet|conflict",
        contract=False,
    ),
    Topic(
        "Licence",
        r"licen[cs]e",
        (
            r"(?:\bhereby grant|\bgrants\b|\b(?:shall|does hereby|agrees to) grant|"
            r"\bhereby granted)"
            r".{0,300}\blicen[cs]e",
            r"\bgrant(?:s|ed)?\b.{0,160}\blicen[cs]e",
            r"\blicen[cs]e\b.{0,120}\b(?:to use|to reproduce|to display|royalty|perpetual|"
            r"non-?exclusive|granted)",
            r"\bgrants?\b.{0,80}\bright\b.{0,100}\bto (?:use|reproduce|distribute|display)",
        ),
        heading=r"licen[cs]e|grant|intellectual|proprietary|ownership",
        near=r"licen[cs]|intellectual",
        contract=False,
    ),
    Topic(
        "Insurance",
        r"insur",
        (
            r"\b(?:shall|will|must|agrees? to|required to)\b.{0,120}"
            r"\b(?:maintain|carry|insure|obtain|"
            r"procure|keep|effect)\b.{0,160}\binsur",
            r"\b(?:shall|will|must) insure\b",
            r"\bresponsib\w+ for\b.{0,80}\b(?:obtain|maintain|carry)\w*\b.{0,80}\binsur",
            r"\badditional(?:ly)? insured\b",
            r"\binsurance\b.{0,160}\b(?:coverage|policy|policies)\b.{0,120}\b(?:amount|limits?|not "
            r"less|maintain)",
        ),
        heading=r"insurance",
        near=r"insur|indemn",
        contract=False,
    ),
    Topic(
        "Audit rights",
        r"audit|inspect",
        (
            r"\b(?:audit|inspect|examine)\w*\b.{0,160}\b(?:books|records|premises|facilit|account)",
            r"\b(?:books|records)\b.{0,160}\b(?:audit|inspect|examin|review)",
            r"\bright to audit\b",
        ),
        heading=r"audit|records|inspection",
        near=r"audit|records|books",
        contract=False,
    ),
    Topic(
        "Revenue or profit sharing",
        r"revenue|profit|royalt|commission",
        (
            r"\b(?:percent|%)\s?\)?.{0,120}\b(?:revenues?|profits?|sales|proceeds|fees|"
            r"commissions?)",
            r"\b(?:revenue|profit)[- ]shar",
            r"\b(?:royalt|commission)\w*\b.{0,160}\b(?:percent|%|sales|revenue|equal)",
            r"\bshares?\b.{0,40}\b(?:revenues?|profits?)",
        ),
        heading=r"revenue|royalt|commission|compensation|payment|fees",
        near=r"revenue|royalt|commission|percent",
        contract=False,
    ),
    Topic(
        "Minimum commitment",
        r"minimum",
        (
            r"\b(?:minimum|at least|no less than|not less than)\b.{0,120}\b(?:purchase|order|fees?|"
            r"payments?|commitment|guarantee|hours|revenue|quantit|volume|per (?:month|year|week))",
            r"\bguaranteed?\b.{0,60}\bminimum",
        ),
        heading=r"minimum|commitment|fees|payment",
        near=r"minimum|at least",
        contract=False,
    ),
    Topic(
        "Liquidated damages",
        r"liquidated|penalt|termination fee",
        (
            r"\bliquidated damages\b",
            r"\b(?:termination|cancellation|early termination) (?:fee|charge|payment)",
            r"\b(?:penalt(?:y|ies))\b.{0,120}\b(?:pay|amount|fee)",
            r"\b(?:upon|in the event of|if)\b.{0,80}\bterminat\w*.{0,200}\b(?:shall|will) "
            r"(?:be entitled to|pay)\b",
        ),
        heading=r"damages|terminat|penalt|service level",
        near=r"damages|penalt|credit|terminat",
        contract=False,
    ),
    Topic(
        "After termination",
        r"post-?termination|after termination|surviv|transition",
        (
            rf"\b(?:continue|survive|remain|{_PERIOD}).{{0,30}}\b(?:after|following|beyond)\b"
            r".{0,40}\b(?:terminat|expir)\w*\b"
            r"(?=.{0,20}\b(?:of (?:this|the) (?:agreement|lease|contract|term)|or (?:exp|term)))",
            r"\b(?:upon|after|following|on)\b.{0,60}\b(?:terminat|expir)\w*\b.{0,250}"
            r"\b(?:shall|will|"
            r"must|agrees? to)\b",
            r"\b(?:shall|will|must)\b.{0,200}\b(?:upon|after|following)\b.{0,40}\b(?:terminat|"
            r"expir)",
        ),
        heading=r"terminat|surviv|effect|return|transition",
        near=r"terminat|surviv|return",
        contract=False,
    ),
    Topic(
        "Warranty period",
        r"warrant",
        (
            rf"\bwarrant\w*\b.{{0,250}}{_PERIOD}",
            rf"{_PERIOD}.{{0,160}}\bwarrant",
            r"\bwarranty period\b",
        ),
        heading=r"warrant",
        near=r"warrant",
        contract=False,
    ),
    Topic(
        "Rent",
        r"\brent\b|rental",
        (
            r"\brent\b.{0,80}(?:[$€£]\s?[\d,]+)",
            r"\bpay\b.{0,60}\brent\b",
            r"\brent\b.{0,80}\b(?:payable|due)\b",
        ),
        heading=r"\brent\b",
        near=r"\brent\b",
    ),
    Topic(
        "Rent review",
        r"rent review|index|escalat|rent increase",
        (
            r"\brent\b.{0,120}\b(?:reviewed|increased|adjusted|indexed|escalat\w+)\b",
            r"\brent(?:al)? (?:review|increase|escalation)s?\b|\bindexation\b",
            r"\bescalat\w+\b.{0,80}\brents?\b",
        ),
        heading=r"rent review|index|escalat|increase",
        near=r"\brent\b|increase",
    ),
    Topic(
        "Deposit",
        r"deposit",
        (
            r"\bdeposit\b.{0,100}(?:[$€£]\s?[\d,]+|months?['’] rent)",
            r"\bpay\b.{0,60}\bdeposit\b",
            r"\bsecurity deposit\b",
        ),
        heading=r"deposit",
        near=r"deposit|security",
    ),
    Topic(
        "Payment",
        r"payment|fees?|compensation|invoice",
        (
            r"\b(?:shall|will|agrees? to)\s(?:\w+\s){0,3}pay\b.{0,200}(?:[$€£]\s?[\d,]+|fee|"
            rf"invoice|{_PERIOD})",
            rf"\b(?:invoice|payment)s?\b.{{0,160}}\b(?:due|payable|within)\b.{{0,60}}{_PERIOD}",
        ),
        heading=r"payment|fees|compensation|charges|consideration",
        near=r"payment|fee|invoice|compensation",
        contract=False,
    ),
    Topic(
        "Confidentiality",
        r"confidential|non-?disclosure|secrecy",
        (
            r"\b(?:shall|will|must|agrees?)\b.{0,160}\b(?:confiden\w*|not (?:to )?disclose)",
            r"\bconfidential information\b.{0,160}\b(?:shall|will|not|means)",
        ),
        heading=r"confiden|disclosure|secrecy",
        near=r"confiden|disclos",
        contract=False,
    ),
    Topic(
        "Effective date",
        r"effective date|commencement|start date",
        (
            r"\d{4}.{0,100}[\"“'(]\s*(?:the )?effective date",
            r"\b(?:effective|entered|made|dated)\b.{0,160}[\"“(]\s*(?:the )?[\"“']?effective date",
            r"\beffective\b.{0,60}\b(?:as of|on|beginning|from|date)\b.{0,60}\b(?:19|20)\d\d",
            r"\b(?:effective|commencement) date\b.{0,40}\b(?:means|shall be|is)\b",
            r"\bcommenc\w*\b.{0,40}\b(?:on|upon|from|as of)\b.{0,40}\b(?:19|20)\d\d",
            r"\b(?:effective|made|entered|dated|commenc\w+)\b.{0,80}\b(?:as of|on|from|this)\b"
            r".{0,60}(?:\d{4}|\d{1,2}(?:st|nd|rd|th)? day)",
            r"\bdate of (?:lease|agreement|this agreement)\b.{0,40}\d{4}",
        ),
        heading=r"term|date|commence",
        near=r"effective|date|commenc",
        contract=False,
    ),
    Topic(
        "Agreement date",
        r"agreement date|date of (?:the )?(?:agreement|lease|contract)|\bdated\b|signed",
        (
            r"\b(?:agreement|lease|contract|deed)\b.{0,100}\b(?:made|entered|dated|executed|"
            r"effective)"
            r"\b.{0,100}(?:\b(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th) day)",
            r"\b(?:made|entered|dated|executed)\b.{0,60}(?:\b(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|"
            r"th) day)",
            r"\bdate of (?:lease|agreement|this agreement)\b.{0,40}\d{4}",
            r"^\W*(?:date|dated)\b.{0,30}\d",
        ),
        heading=r"date|agreement",
        near=r"dated?\b",
        contract=False,
    ),
)


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def topics_asked(question: str) -> tuple[Topic, ...]:
    """The topics that a question names, in their order; () where it names none."""
    return tuple(topic for topic in TOPICS if compiled(topic.asks).search(question))


def overall_topics() -> tuple[Topic, ...]:
    """What an overall comparison of contracts looks at."""
    return tuple(topic for topic in TOPICS if topic.contract)
