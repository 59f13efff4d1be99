"""Lines that stand over a table: what names it, and what says in what its figures are."""

import re

CAPTION = re.compile(r"^(?i:figure|fig\.?|table|tab\.|chart)\s*\d[\d.-]*[a-z]?\b(?!,?\s+[a-z])")
UNITS = re.compile(
    r"^\W*(?:(?:us|u\.s\.)?\s*(?:\$|dollars?|amounts?|shares|figures|tabular|unaudited|values)?"
    r"[\w\s,;$.&]*\bin\s+(?:us\s*)?\$?\s*(?:millions|thousands|billions|000s|dollars)\b"
    r"|\(?in\s+(?:millions|thousands|billions)\b|\(?unaudited\)?$|\(?\$\s*in\s)",
    re.IGNORECASE,
)


def is_caption(text: str) -> bool:
    """Whether a line over a table names it, or says what its figures are in."""
    return CAPTION.match(text) is not None or is_units(text)


def is_units(text: str) -> bool:
    """Whether a line says what a table's figures are in, and no more.

    >>> is_units("(Dollars in millions, except per share data)"), is_units("Sales in dollars rose.")
    (True, False)
    """
    return len(text) <= 110 and UNITS.match(text) is not None and not text.endswith(".")
