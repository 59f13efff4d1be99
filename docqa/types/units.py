"""What figures are measured in, as a `Figure` or a column names it."""


def is_currency(unit: str) -> bool:
    """Whether a unit is money: a code of ISO 4217.

    >>> [is_currency(unit) for unit in ("USD", "pts", "USD/sq ft", "")]
    [True, False, False, False]
    """
    return len(unit) == 3 and unit.isupper()
