"""How sentences print numbers, with their noun or as dollars, and how they shorten quotes."""

import re
from collections.abc import Sequence
from decimal import Decimal

PRICE_UNKNOWN = "the price of this model is not known"
# What an item of a list begins with, a symbol font's own too; "– 5.2" is a figure.
LIST_SIGN = r"(?:[•·▪▫‣⁃∙◦●○■◆◇❖❑❒➢➤►▶✓✔\ue000-\uf8ff]\s+(?=\S)|[–—-]\s+(?=[^\W\d]))"
_SIGN = re.compile(LIST_SIGN)
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


def shortened(text: str, limit: int) -> str:
    """The text's beginning, cut between words, with "…" where anything was left out.

    >>> shortened("The rent is due, at once", 17)
    'The rent is due …'
    """
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


def sign_at(text: str) -> int:
    """The length of the sign that a text begins with as an item of a list, 0 for none.

    >>> sign_at("• Check the network."), sign_at("–5%"), sign_at("– 5%")
    (2, 0, 0)
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
