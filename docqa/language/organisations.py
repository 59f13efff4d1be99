"""Names of organisations, and the legal forms they end in."""

import re

from docqa.language.periods import says_only_when

# What such a name ends in: legal forms, and words that tell as much.
FORM = (
    r"(?:Incorporated|Inc|Corporation|Corp|Company|Co|L\.L\.C|LLC|Limited|Ltd|L\.L\.P|LLP|L\.P|LP"
    r"|N\.V|NV|B\.V|BV|plc|PLC|ULC|DAC|LLLP|GmbH|AG|KGaA|KG|S\.A|SA|SAS|SARL|SE|S\.p\.A|SpA|Oyj|Oy"
    r"|AB|ASA|ApS|Bank|Trust|Partners|Holdings|University|Authority)"
)
_CAPITALISED = r"[A-Z0-9][\w&.'’\-]*[ \t]+(?:(?:of|and|&|the)[ \t]+)?"
_ORGANISATION = re.compile(
    rf"\b(?!\d+[.\s])((?:{_CAPITALISED}){{0,5}}?[A-Z0-9][\w&.'’\-]*,?[ \t]+{FORM}\b\.?)"
    rf"(?!-|\w|,?\s+(?:of|{FORM})\b)"
)
_STAND_IN = re.compile(
    rf"^(?:The|This|Our|Each|Any|Such|Parent|Holding|Public|Private|Limited)\s+{FORM}\.?$"
)
_BETWEEN = re.compile(r"\bbetween (.+?)(?:, dated\b|\. Sections\b|\.?$)")
_ENDS_IN_FORM = re.compile(rf"\b(?:{FORM}|L\.?L\.?C|L\.?L\.?P)\b\.?$", re.IGNORECASE)


def organisations_in(text: str) -> list[str]:
    """The organisations a text names with their legal form, in order; "the Company" is none.

    >>> organisations_in("between Ash Ltd and Elm & Sons, Inc. The Company pays.")
    ['Ash Ltd', 'Elm & Sons, Inc.']
    """
    names = (found[1].strip(" ,") for found in _ORGANISATION.finditer(text))
    return [name for name in names if not _STAND_IN.match(name)]


def names_organisation(name: str) -> bool:
    """Whether a name ends as those of organisations do, whatever its case.

    >>> names_organisation("IREYA B.V"), names_organisation("Ann Reed")
    (True, False)
    """
    return _ENDS_IN_FORM.search(name) is not None


def parties_in(description: str) -> list[str]:
    """Those between whom a document is, as its description names them; none where it names none.

    >>> parties_in("Lease between Ash, LLC and Elm & Sons Ltd, dated June 1, 2020. Sections: Rent.")
    ['Ash, LLC', 'Elm & Sons Ltd']
    """
    found = _BETWEEN.search(description)
    names = organisations_in(found[1]) if found else []
    if len(names) > 1 or not found:
        return names
    return [name for name in found[1].split(" and ") if not says_only_when(name)]
