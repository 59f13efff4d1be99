"""Names of organisations, and the legal forms they end in."""

import re

# What such a name ends in: legal forms, and words that tell as much.
FORM = (
    r"(?:Incorporated|Inc|Corporation|Corp|Company|Co|L\.L\.C|LLC|Limited|Ltd|L\.L\.P|LLP|L\.P|LP"
    r"|N\.V|plc|PLC|GmbH|AG|S\.A|SE|Bank|Trust|Partners|Holdings|University|Authority)"
)
_CAPITALISED = r"[A-Z0-9][\w&.'’\-]*[ \t]+(?:(?:of|and|&|the)[ \t]+)?"
_ORGANISATION = re.compile(
    rf"\b(?!\d+[.\s])((?:{_CAPITALISED}){{0,5}}?[A-Z0-9][\w&.'’\-]*,?[ \t]+{FORM}\b\.?)"
    rf"(?!-|\w|,?\s+(?:of|{FORM})\b)"
)
_STAND_IN = re.compile(
    rf"^(?:The|This|Our|Each|Any|Such|Parent|Holding|Public|Private|Limited)\s+{FORM}\.?$"
)
_ENDS_IN_FORM = re.compile(
    rf"\b(?:{FORM}|L\.?L\.?C|L\.?L\.?P|N\.?V|B\.?V|S\.?A)\b\.?$", re.IGNORECASE
)


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
