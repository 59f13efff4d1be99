"""Words as the keyword index wants them."""

import re
from collections.abc import Sequence
from itertools import chain

from docqa.language.periods import MONTH, full_year
from docqa.language.words import ASKING_WORDS, STOP_WORDS, uncontracted

MAX_KEYWORDS = 48  # distinct words; a pasted page asks with its first ones

# Words that a question's subject may do without: a document that answers need not have them.
_BESIDE_THE_SUBJECT_TEXT = """
according allow allowed anyone anything applicable applied applies apply biggest concern
concerning covered covers current currently described different discuss discussed done exist
exists fy get give given happen happened happens how important include included includes involved
key kind largest main major many mentioned much need needed needs particular permitted primarily
primary provide provided regarding require required requires respective respectively smallest
someone something specific specifically stated type usd various way work works
"""
_BESIDE_THE_SUBJECT = frozenset(_BESIDE_THE_SUBJECT_TEXT.split())

_DEGREE = re.compile(r"\b(?i:how)\s+[a-z]+")  # "how far", "how soon": what is asked of the subject
_WORD = re.compile(
    r"[$€£¥]?\d+(?:[.,]\d+)*(?:%|-?[a-z]\b|[a-z]+)?"  # 6.2%, 10-k, $1.2m, 1st
    r"|[^\W\d_][^\W_]*(?:[.'’&/-][^\W_]+)*"  # words, joined ones too
)
_MONTH = re.compile(MONTH)
_YEAR = re.compile(r"^(?:fy|cy)?[’']?(19|20)?(\d\d)$")
_QUARTER_YEAR = re.compile(r"^q([1-4])(?:fy)?[’']?((?:19|20)?\d\d)$")
_QUARTER_NAMES = {"q1": "first", "q2": "second", "q3": "third", "q4": "fourth"}


def keywords(text: str) -> list[str]:
    """Distinct lower-case words in order, without stop words; at most ``MAX_KEYWORDS``.

    "FY2022" also asks for "2022", "Q2" for the second quarter. Hyphenated words are asked for in
    their parts unless they hold a digit ("10-K"). Words that only ask ("summarize") are left out
    unless nothing else is there.

    >>> keywords("What was Boeing's capex in FY2022?")
    ['boeing', 'capex', 'fy2022', '2022']
    >>> keywords("What is it?"), keywords("Why didn't they?")
    ([], [])
    """
    forms = chain.from_iterable(map(_forms, _WORD.findall(text.lower())))
    words = [word for word in dict.fromkeys(forms) if word not in STOP_WORDS]
    named = [word for word in words if word not in ASKING_WORDS]
    return (named or words)[:MAX_KEYWORDS]


def subjects(text: str, *, apart: Sequence[str] = ()) -> tuple[str, ...]:
    """The words of a question that a document which answers it should have, as they are written.

    Periods are left out, which documents write in many ways, the words of the terms ``apart``,
    which have other names, and what stands after "how".

    >>> subjects("How much did the Platinum plan's EBITDA grow in FY2022?", apart=["EBITDA"])
    ('Platinum', 'plan', 'grow')
    >>> subjects("Net debt at 30 Sept?"), subjects("How far over budget is cider?")
    (('Net', 'debt'), ('budget', 'cider'))
    """
    known = set(chain.from_iterable(map(keywords, apart)))
    beside = known | _BESIDE_THE_SUBJECT
    asked = [word for word in keywords(_DEGREE.sub(" ", text)) if word not in beside]
    named = [word for word in asked if not _is_period(word)]
    written = (re.search(rf"(?<![^\W_]){re.escape(word)}", text, re.IGNORECASE) for word in named)
    return tuple(found[0] for found in written if found)


def _is_period(word: str) -> bool:
    named = word in _QUARTER_NAMES or _MONTH.fullmatch(word)
    return bool(named or _YEAR.match(word) or _QUARTER_YEAR.match(word))


def _forms(word: str) -> list[str]:
    word = uncontracted(word).rstrip("’'")
    if any(character.isdigit() for character in word):
        return [word, *_period_forms(word)]
    return [part for part in re.split(r"[-/]", word) if len(part) > 1]


def _period_forms(word: str) -> list[str]:
    if quarter := _QUARTER_YEAR.match(word):
        name = f"q{quarter[1]}"
        return [name, *_period_forms(name), str(full_year(quarter[2]))]
    if word in _QUARTER_NAMES:
        return [_QUARTER_NAMES[word], "quarter"]
    of_year = word.startswith(("fy", "cy")) and _YEAR.match(word)
    return [str(full_year(word.lstrip("fcy’'")))] if of_year else []
