"""How sentences print numbers, with their noun or as dollars, name things and shorten quotes."""

import re
from collections.abc import Sequence
from decimal import Decimal

PRICE_UNKNOWN = "the price of this model is not known"
# What an item of a list begins with, a symbol font's own too; "– 5.2" is a figure.
LIST_SIGN = r"(?:[•·▪▫‣⁃∙◦●○■◆◇❖❑❒➢➤►▶✓✔\ue000-\uf8ff]\s+(?=\S)|[–—-]\s+(?=[^\W\d]))"
SUB_ITEM = "  - "  # what docqa puts before an item of an item, which the screen draws as a list
_RULE = r"(?:[-–—_=*]\s?){4,}\s*(?=\S)"  # a line drawn in signs, of a text set by hand
_SIGN = re.compile(rf"{_RULE}|{LIST_SIGN}")
_MARK = r"(?:[A-Z]|[IVXL]+)(?:-?\d+)?\b"  # what tells a part from others: "A", "B-2", "IV"
_PARTS = re.compile(  # in capitals: "EXHIBITS A AND B-2"
    r"\b((?:ADDENDUM|ANNEX|APPENDI(?:X|CES)|ARTICLE|ATTACHMENT|CHAPTER|EXHIBIT|PART|SCHEDULE"
    rf"|SECTION)(?:E?S)? {_MARK}(?:(?: ?[,&–-]| AND| OR| TO)+ ?{_MARK})*)"
)
_SINGLE_MARK = re.compile(_MARK)
_SMALL = re.compile(r"an?|and|at|by|for|from|in|of|on|or|the|to|with")
_INNER = re.compile(r'(?<!\w)"([^"\n]+)"')
_SINGLE = str.maketrans("“”", "‘’")


def count(number: int, one: str, many: str = "") -> str:
    """``number`` with its noun: "1 page", "1,204 pages".

    >>> count(1204, "page")
    '1,204 pages'
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def dollars(amount: Decimal) -> str:
    """An amount in whole cents, or to a hundredth of one.

    >>> dollars(Decimal("1234.02134")), dollars(Decimal("2.5"))
    ('US$1,234.0213', 'US$2.50')
    """
    whole = amount == round(amount, 2)
    return f"US${amount:,.2f}" if whole else f"US${amount:,.4f}"


def series(words: Sequence[str], last: str = "and") -> str:
    """The words as a sentence lists them.

    >>> series(["A"]), series(["A", "B"]), series(["A", "B", "C"], "or")
    ('A', 'A and B', 'A, B or C')
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def sentence_case(title: str) -> str:
    """A title in capitals as a sentence writes it, the marks of its parts kept; others as given.

    >>> sentence_case("LIMITS OF LIABILITY"), sentence_case("FEES UNDER EXHIBITS A AND B-2")
    ('Limits of liability', 'Fees under Exhibits A and B-2')
    """
    if not title.isupper():
        return title
    pieces = _PARTS.split(title)  # every other one is the name of a part
    small = "".join(_part(each) if at % 2 else each.lower() for at, each in enumerate(pieces))
    return small[:1].upper() + small[1:]


def _part(name: str) -> str:
    """ "EXHIBITS A AND B-2" as "Exhibits A and B-2"."""
    words = re.findall(r"[A-Z\d]+|[^A-Z\d]+", name)
    small = "".join(each if _SINGLE_MARK.fullmatch(each) else each.lower() for each in words)
    return small[:1].upper() + small[1:]


def in_sentence(name: str) -> str:
    """The name of something as it stands within a sentence: small, unless it goes on in capitals.

    A name that does is an abbreviation, or a title that its document writes so.

    >>> in_sentence("Governing law"), in_sentence("Exhibit A"), in_sentence("NOI margin")
    ('governing law', 'Exhibit A', 'NOI margin')
    """
    first, *others = name.split() or [""]
    after = next((word for word in others if not _SMALL.fullmatch(word)), "")
    kept = any(letter.isupper() for letter in f"{first[1:]}{after[:1]}")
    return name if kept else name[:1].lower() + name[1:]


def shortened(text: str, limit: int) -> str:
    """The text's beginning, cut between words, with "…" where anything was left out.

    >>> shortened("The rent is due, at once", 17)
    'The rent is due …'
    """
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


def sign_at(text: str) -> int:
    """The length of the sign that a text begins with as an item of a list, or of a line drawn in
    signs; 0 for none.

    >>> sign_at("• Check the network."), sign_at("–5%"), sign_at("– 5%"), sign_at("- ----- Fee")
    (2, 0, 0, 8)
    """
    sign = _SIGN.match(text)
    return sign.end() if sign else 0


def quoted(text: str) -> str:
    """The text in quotation marks; those within it are single, one without its partner goes.

    So does the sign of the list that it was taken from.

    >>> quoted("“Rent” is what is paid"), quoted('• "Rent is due at once')
    ('“‘Rent’ is what is paid”', '“Rent is due at once”')
    """
    text = text[sign_at(text) :]
    opens, closes = text[:1] in ("“", '"'), text[-1:] in ("”", '"')
    if opens and not re.search('[”"]', text[1:]):
        text = text[1:]
    elif closes and not re.search('[“"]', text[:-1]):
        text = text[:-1]
    inside = _INNER.sub(r"‘\1’", text).translate(_SINGLE)
    return f"“{inside}”"
