"""How documents put what people ask for in other words: "who are the parties" is answered by
"by and between … and …"; pure."""

import re

_SPAN = r"[^.;]{0,120}"
WANTS_SIGNER = re.compile(
    r"\bwho (?:has |have |is |are )?(?:sign|execut)(?:s|e|es|ed|ing)?\b|\bsignator(?:y|ies)\b"
    r"|\bsigned (?:by|for|on behalf of)\b|\bwhose signatures?\b",
    re.IGNORECASE,
)
SIGNATURE = re.compile(r"/s/|^\W*By\W{0,3}:|\bName:\s*[A-Z]")  # and the lines under one
_IDIOMS = (  # what is asked, how it is answered
    (
        r"\bpart(?:y|ies)\b|\bbetween whom\b|\bwho entered\b",
        r"\bbetween\b.{3,300}\band\b|\((?:the |hereinafter |collectively )*[“\"]|\bas (?:Landlord"
        r"|Tenant|Guarantor|Lender|Borrower|Seller|Buyer)\b",
    ),
    (
        r"\bexpir|\bhow long .*\bterm\b|\b(?:initial|lease) term\b|\bend date\b"
        r"|\bwhen\b.*\b(?:ends?|terminates?)\b",
        rf"\b(?:term|period)\b{_SPAN}\b(?:years?|months?|days|until|anniversary|weeks)\b"
        rf"|\b(?:continue|remain|terminate|expire|end)s?\b{_SPAN}\b(?:until|years?|months?|anniversary"
        r"|(?:19|20)\d\d)\b|\bending\b",
    ),
    (
        r"\beffective\b|\bcommenc|\bstart|\bbegin",
        r"\beffective (?:date|as of|on|upon)\b|\b(?:commence|begin|start)s?\b|\bas of\b"
        r"|\bbeginning\b",
    ),
    (
        r"\bdate of (?:the|this)\b|\bdated?\b",
        rf"\b(?:dated|made|entered into|executed)\b{_SPAN}\b(?:(?:19|20)\d\d|day of)\b",
    ),
    (
        r"\brenew",
        rf"\b(?:renew\w*|exten[ds]\w*|successive){_SPAN}\b(?:years?|months?|terms?|periods?|days)\b",
    ),
    (
        r"\bwithout cause\b|\bconvenience\b|\bat will\b|\bbreak\b",
        r"\bwithout cause\b|\bconvenience\b|\bat any time\b|\bfor any reason\b|\bwithout reason\b"
        rf"|\b(?:may|can|to|entitled) (?:\w+ )?(?:end|terminate|determine|break)\b{_SPAN}"
        r"\bnotice\b",
    ),
    (
        r"\bliab",
        r"\bexceed\b|\blimited to\b|\bno more than\b|\bmaximum\b|\bin no event\b|\bnot be liable\b",
    ),
    (r"\bcompet", r"\bcompet(?:e|es|ing|itive|itors?)\b"),
    (
        r"\bowns?\b|\bownership\b",
        r"\b(?:right|title),? (?:title )?(?:and|or) interest\b|\bfor hire\b|\bexclusive property\b"
        r"|\bproperty of\b|\bown(?:s|ed|ership)?\b|\bassigns? (?:to|all)\b",
    ),
    (r"\bassign", r"\bassign"),
    (r"\bexclusiv", r"\bexclusiv"),
    (r"\bminimum\b", r"\bminimum\b|\bat least\b|\b(?:no|not) less than\b"),
    (r"\bshar(?:e|ed|ing)\b", r"\b\d+(?:\.\d+)?\s?%|\bpercent|\broyalt"),
    (r"\bwarrant", r"\bwarrant"),
    (r"\binsur", r"\binsur"),
    (r"\baudit", r"\baudit\w*\b|\binspect\w*\b|\bbooks and records\b"),
    (
        r"\bacqui",
        r"\bacquired\b|\bacquisition of\b|\bpurchased\b|\bmerger\b",
    ),
    (r"\bcyclical", r"\bcyclical"),
    (
        r"\blegal (?:battle|proceeding|matter)|\blitigation\b|\blawsuit",
        r"\blawsuits?\b|\blitigation\b|\blegal proceedings?\b|\bplaintiffs?\b|\bcourt\b",
    ),
)
_COMPILED = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(answered, re.IGNORECASE | re.DOTALL))
    for asked, answered in _IDIOMS
)


def idioms_of(question: str) -> tuple[re.Pattern[str], ...]:
    """How an answer to ``question`` may be put: patterns to look for, none for most questions."""
    found = tuple(answered for asked, answered in _COMPILED if asked.search(question))
    return (*found, SIGNATURE) if WANTS_SIGNER.search(question) else found
