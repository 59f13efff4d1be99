"""What falls due year by year: debt, leases, commitments and charges that notes schedule."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docqa.answer.findings.cited import Source
from docqa.answer.findings.crossings import own_words
from docqa.answer.findings.features import has_word
from docqa.answer.findings.relation import title_of, with_near
from docqa.answer.findings.rows import entry
from docqa.answer.findings.values import periods_asked, scale_text
from docqa.language.periods import periods_in, says_only_when
from docqa.language.words import content_words
from docqa.types.question import Question
from docqa.types.table import STATEMENTS, Row, Table

_ASKED = re.compile(
    r"\b(?:by|per|each|every)\s+(?:fiscal\s+|calendar\s+|financial\s+)?(?:year|period)s?\b"
    r"|\bmatur(?:e|es|ing|ity|ities)\b|\bschedules?\b|\b(?:future|upcoming)\b"
    r"|\b(?:over|in|for)\s+the\s+(?:next|coming|following)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\bthereafter\b|\b(?:later|subsequent)\s+years\b|\bafter\s+\d|^\W*\d{4}\s*[-–—]\s*\d{4}\W*$",
    re.IGNORECASE,
)
# Words of what any schedule is of.
_OF_ANY = frozenset(
    content_words(
        "schedule maturity mature future upcoming minimum payment pay due commitment obligation"
        " contractual liability expected estimated expense by per each every year fiscal calendar"
        " financial period next coming following amount principal aggregate scheduled annual over"
        " total company much one two three four five ten when what"
    )
)
_NUMBERED = re.compile(r"^\W*(?:note\s*)?\d+[A-Z]?\b", re.IGNORECASE)  # a note's own number
_PARTICIPLE = re.compile(r"\w+ed\b", re.IGNORECASE)
_FEWEST = 3  # years


@dataclass(frozen=True, slots=True)
class _Schedule:
    """A table with the rows of its years, one after another, and of what is later.

    ``called`` is its title below the nearest heading; ``said`` is that with all headings, the text
    over it, its columns and what its rows add up to.
    """

    table: Table
    rows: tuple[Row, ...]
    called: str
    said: str


def scheduled(question: Question, source: Source) -> str:
    """The years of the schedule that a question asks for: of those that are of what it names the
    one that is called so, then that which the reranker reads as its answer; "" for none."""
    asked = {word for word in content_words(question.topic) if word.isalpha()} - _OF_ANY
    named = list(asked - own_words(source.document) or asked)
    if not (named and _ASKED.search(question.topic)):
        return ""
    fitting = [
        each for each in _schedules(source) if len(_words_of(each.said, named)) == len(named)
    ]
    if not fitting:
        return ""
    scores = source.gathered.means.networks.reads(question.topic, [each.said for each in fitting])
    called = [len(_words_of(each.called, named)) for each in fitting]
    ranked = zip(called, scores, range(len(fitting)), strict=True)
    best = fitting[max(ranked)[-1]]
    years = {period.year for period in periods_asked(question)}
    rows = [row for row in best.rows if not years or years & set(_years(row))]
    told = [(row, _told(best.table, row)) for row in rows]
    title = _title(best.table, named)
    return source.list_rows(title, best.table, told, of=len(best.rows)) if told else ""


def _title(table: Table, named: Sequence[str]) -> str:
    """What a schedule is called, or the heading over it that says more of what is asked for, or
    anything."""
    titles = (title_of(table), *reversed(table.section))

    def says(title: str) -> tuple[int, bool]:
        return len(_words_of(title, named)), not _OF_ANY.issuperset(content_words(title))

    return max(titles, key=says).rstrip(" :.")


def _schedules(source: Source) -> Iterator[_Schedule]:
    texts = {block.index: block.text for block in source.blocks if block.kind == "text"}
    for table in source.tables:
        years = [row for row in table.rows if says_only_when(row.label) and len(_years(row)) == 1]
        numbers = [year for row in years for year in _years(row)]
        later = [row for row in table.rows if _LATER.search(row.label)]
        in_order = all(after - year == 1 for year, after in pairwise(numbers))
        if table.role in STATEMENTS or len(years) < _FEWEST or not (in_order and later):
            continue
        first = min(table.blocks)
        before = next((texts[at] for at in range(first - 1, first - 4, -1) if at in texts), "")
        sums = (row.label for row in table.rows if row not in years and row not in later)
        heads = (column.heading for column in table.columns)
        titles = ("", *table.section, table.title)
        *above, nearest, title = (_NUMBERED.sub("", each) for each in titles)
        called = f"{nearest}. {title}"
        said = ". ".join(filter(None, (*above, called, before, *heads, *sums)))
        yield _Schedule(table, (*years, *later[:1]), called, said)


def _words_of(text: str, named: Sequence[str]) -> list[str]:
    """The words that a text has, or nouns near in meaning: "borrowings" for "debt", and not "assets
    acquired", or purchased, for "purchases"."""
    said = with_near(content_words(_PARTICIPLE.sub(" ", text)))
    return [word for word in named if has_word(said, word)]


def _years(row: Row) -> list[int]:
    return [period.year for period in periods_in(row.label) if period.year]


def _told(table: Table, row: Row) -> str:
    entries = [entry(table, row, at) for at, cell in enumerate(row.cells) if cell.strip()]
    alone = len(entries) == 1
    cells = "; ".join(each.text if alone else each.headed for each in entries)
    scale = scale_text(max((each.scale for each in entries), default=1))
    return f"{row.label.rstrip(' :')}: {cells}{scale}"
