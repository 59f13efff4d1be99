"""The short typed value of a cell, from the words that a document answers with; pure.

A figure is an amount with its unit and scale, a date a day of the calendar, yes or no what the
first words that bind say. Where the words hold nothing of the kind asked for, the value is their
beginning, and it is said not to fit.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from docqa.language.amounts import Amount, measured_amounts, stated_amounts
from docqa.language.numbers import MEASURES, stated_scale
from docqa.language.periods import MONTH, YEAR_ALONE, dates_in
from docqa.review.days import asked_day
from docqa.types.phrases import shortened
from docqa.types.review import Column, Found
from docqa.types.units import SCALE_NAMES

SHORT = 120  # characters of a cell in words
CLAUSE = 240  # characters of a clause in a cell

_COUNTS = "|".join([*SCALE_NAMES.values(), *MEASURES])
_CLAUSE_NUMBER = re.compile(  # "9.2", "9.", "(9)", "(a)"; no "30 days", "1. November", "2.5 months"
    r"^[“\"'\s]*(?:\(?\d{1,3}(?:\.\d{1,3})*[.)]|\d{1,3}(?:\.\d{1,3})+|\([a-z]{1,4}\))\s+(?=\S)"
    rf"(?!(?i:{MONTH})(?!\w)|(?:{_COUNTS}))"
)
_LABELLED = re.compile(r"^(?P<label>[^“”\":—=]{2,60}): (?P<value>\S.*)$", re.DOTALL)
_NAME_BEGINS = re.compile(
    r"\b(?:between|among)\b\W*|\([^()]*[“\"‘'][^()]*\)\W*(?:of the \w+ part\W*)?(?:and\b\W*)?", re.I
)
_CELLS = re.compile(r"^(?P<label>.+?) — (?P<cells>.+)$", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2}")
_SHARES_AND_SUCH = re.compile(r"per share|%|percent|ratio|\bEPS\b|\b\d[\d.]*x\b", re.IGNORECASE)

# What a question asks an amount of, and the units that are.
_MONEY = r"^(?:[A-Z]{3})(?:/|$)"
_ASKS = (
    (r"\b(?:percent\w*|rate|yield|margin|share of|return on|loan-to-value|ltv|%)", r"^(?:%|pts)"),
    (r"\b(?:ratio|times|multiple|turnover|coverage)\b", r"^(?:x|%|)$"),
    (r"\b(?:how long|term|duration|notice|period)\b", r"(?:days|weeks|months|years)$"),
    (r"\b(?:area|size|square f\w+|how large)\b", r"^(?:sq ft|sq m|acres|hectares)"),
    (
        r"\b(?:how much|price|rent|deposit|fees?|amount|costs?|cap on|value|premium|debt|cash"
        r"|pay\w*|income|revenue|sales|assets|equity|noi|ebitda)\b",
        _MONEY,
    ),
)
_BINDS = re.compile(
    r"\b(?:may|shall|will|must|can|cannot|is|are|has|have|does|do)\b(?P<after>(?:\W+\w+){0,3})",
    re.I,
)
_DOES = re.compile(  # what says yes by saying it, where no such verb stands before it
    r"\b(?:agree|allow|consent|declare|grant|pay|permit|propose|provide|recommend|require"
    r"|undertake)[sd]\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_CONDITION = re.compile(
    r"^\W*(?:and )?(?:except|if|unless|subject to|save|where|provided|notwithstanding"
    r"|in the event)\b[^,]*,\s*",
    re.IGNORECASE,
)
_NO = re.compile(r"\b(?:no|not|never|neither|cannot|prohibited|forbidden)\b", re.IGNORECASE)


def valued(found: Found, column: Column) -> Found:
    """The finding with the value its text comes down to, of the column's kind."""
    if column.kind == "clause":
        return replace(found, value=shortened(found.text.strip().strip("“”"), CLAUSE))
    read = {"figure": _figure, "date": _date, "yes or no": _yes_or_no, "text": _words}
    return read[column.kind](found, column)


def in_unit_of(found: Found, before: Found) -> Found:
    """A figure with the unit of the one it replaces, where it names the currency or nothing.

    "£302,500" in place of "£302,400 per annum" is a year's rent too.
    """
    money = before.unit.partition("/")[0]
    same = found.number is not None and found.unit in ("", money)
    return replace(found, unit=before.unit) if same else found


def best_first(found: Sequence[Found], column: Column) -> tuple[Found, ...]:
    """The findings, the one whose value answers best first; the others keep their order.

    A date after "from" or "ending on", as the question asks, answers better than any date, and
    any value of the kind better than words. For words the order stays, and for a sum.
    """
    if column.kind in ("text", "clause") or not found or (found[0].sum and not found[0].day):
        return tuple(found)
    best = max(found, key=lambda each: _strength(each, column))
    return (best, *(each for each in found if each is not best))


def _strength(found: Found, column: Column) -> int:
    if column.kind != "date" or not found.day:
        return int(found.fits)
    day = asked_day(plain_words(found.text), column)
    return 2 if day and day.cued else 1


def plain_words(text: str) -> str:
    """A finding's words without the quotation marks and the clause's number around them.

    >>> plain_words("“9.2 The Tenant may assign.”")
    'The Tenant may assign.'
    """
    bare = text.strip().strip('“”"').strip()
    return _CLAUSE_NUMBER.sub("", bare, count=1) or bare


def _words(found: Found, column: Column) -> Found:
    text = plain_words(found.text)
    labelled = _LABELLED.match(text) if not found.text.startswith("“") else None
    said = labelled["value"] if labelled else text[_bears(text, column.title) :]
    return replace(found, value=shortened(said, SHORT))


def _bears(text: str, title: str) -> int:
    """Where the name begins of what a text calls by a column's title: "Elm Ltd (the “Tenant”)".

    That is after the one that it defines before, or after "between"; 0 where it calls nothing so.
    """
    called = re.search(rf"\([^()]*[“\"‘'](?:the )?{re.escape(title)}s?\b", text, re.IGNORECASE)
    before = text[: called.start()] if called else ""
    return max((each.end() for each in _NAME_BEGINS.finditer(before)), default=0)


def _yes_or_no(found: Found, column: Column) -> Found:
    """ "Yes" or "No" by the first verb that settles anything; where none does, the words, which do
    not fit. What stands in brackets, or says under which condition, settles nothing.
    """
    text = plain_words(found.text)
    if bare := re.match(r"^(?:[^:]{2,60}: )?(yes|no|none|n/a)\b", text, re.IGNORECASE):
        return replace(found, value="Yes" if bare[1].lower() == "yes" else "No")
    first = re.split(r"(?<=[a-z])[.;](?:\s|$)", _ASIDE.sub("", text), maxsplit=1)[0]
    while _CONDITION.match(first):
        first = _CONDITION.sub("", first)
    verb = _BINDS.search(first) or _DOES.search(first)
    if verb is None:
        return replace(_words(found, column), fits=False)
    return replace(found, value="No" if _NO.search(first[: verb.end()]) else "Yes")


def _figure(found: Found, column: Column) -> Found:
    text = found.sum or plain_words(found.text)
    cell = text.rpartition(" = ")[2] if found.sum else _asked_cell(text, column)
    amount = _asked_amount(cell, column)
    if amount is None:
        return replace(_words(found, column), fits=False)
    scale = 1 if amount.scaled or _is_unscaled(amount, text) else int(stated_scale(text)[0])
    word = f" {SCALE_NAMES[scale]}" if scale in SCALE_NAMES else ""
    return replace(
        found,
        value=f"{amount.text.strip()}{word}",
        number=amount.value * scale,
        unit=amount.unit,
        fits=not amount.unit or bool(re.search(_units_asked(column), amount.unit)),
    )


def _asked_cell(text: str, column: Column) -> str:
    """The cell of a row that the question asks for: of its year, else of the latest year."""
    row = _CELLS.match(text)
    if row is None:
        labelled = _LABELLED.match(text)
        return labelled["value"] if labelled else text
    cells = [each for each in row["cells"].split("; ") if each != "…"]
    years = [
        max(map(int, YEAR_ALONE.findall(each.partition(": ")[0])), default=0) for each in cells
    ]
    asked = [int(year) for year in YEAR_ALONE.findall(column.question)]
    wanted = next((year for year in asked if year in years), max(years, default=0))
    cell = cells[years.index(wanted)] if cells else text
    return cell.rpartition(": ")[2]


def _is_unscaled(amount: Amount, text: str) -> bool:
    return bool(amount.unit and not re.match(_MONEY, amount.unit)) or bool(
        _SHARES_AND_SUCH.search(text.partition(":")[0])
    )


def _asked_amount(text: str, column: Column) -> Amount | None:
    """The first amount of the unit that the question asks for, else the first of all.

    No date or reference is one. A number without a unit may be of any where it is all that a cell
    says; among words it is of none, and more likely that of a street, a paragraph or a register.
    """
    units = _units_asked(column)
    found = [
        each
        for each in _amounts(text)
        if not units or each.unit or each.scaled or not _WORD.search(text.replace(each.text, ""))
    ]
    of_unit = [each for each in found if units and re.search(units, each.unit)]
    return next(iter(of_unit or found), None)


def _amounts(text: str) -> list[Amount]:
    """The amounts that a text states; of what is a number and no more, that one."""
    stated = [(each.start, each.end) for each in stated_amounts(text)]
    taken = [(each.start, each.end) for each in dates_in(text)]
    return [
        each
        for each in measured_amounts(text)
        if not _overlaps(each, taken) and (_overlaps(each, stated) or each.text == text.strip())
    ]


def _overlaps(amount: Amount, spans: Sequence[tuple[int, int]]) -> bool:
    return any(amount.start < end and start < amount.end for start, end in spans)


def _units_asked(column: Column) -> str:
    asked = f"{column.title} {column.question}".lower()
    return next((units for wants, units in _ASKS if re.search(wants, asked)), "")


def _date(found: Found, column: Column) -> Found:
    day = asked_day(plain_words(found.text), column)
    if day is None:
        return replace(_words(found, column), fits=False)
    value = day.day or day.printed
    return replace(found, value=value, day=day.day, fits=bool(day.day), sum=day.sum)
