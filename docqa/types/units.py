"""What figures are measured in, as a `Figure` or a column names it."""

SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CAD": "C$", "AUD": "A$", "HKD": "HK$"}
SCALE_NAMES = {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"}


def is_currency(unit: str) -> bool:
    """Whether a unit is money: a code of ISO 4217.

    >>> [is_currency(unit) for unit in ("USD", "pts", "USD/sq ft", "")]
    [True, False, False, False]
    """
    return len(unit) == 3 and unit.isupper()
