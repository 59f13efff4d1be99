"""The phrases of a question, which the next one may mean or put something else in the place of.

Words stand in runs between words that only join or ask ("the", "of", "does"). A phrase is a run, a
part at one of its ends, or several runs that prepositions join: "list price", "price", and "list
price of the X40 motor".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docqa.language.periods import MONTHS
from docqa.language.words import ASKING_WORDS, STOP_WORDS
from docqa.question.antecedents import Spans, is_kind, merged, names_in, times_in
from docqa.types.document import Document

_WORD = re.compile(r"(?<!\w[’'])\w+(?:[&./,-]\w+|[’'](?!s\b)\w+)*%?")
_OWNS = re.compile(r"[’']s?(?!\w)")
_PREPOSITIONS_TEXT = """
in for of on at under during as per by from with within to between against over across before after
since until till about into through without above below up via among including excluding
"""
PREPOSITIONS = frozenset(_PREPOSITIONS_TEXT.split())
ARTICLES = frozenset(("the", "a", "an"))
_DETERMINERS_TEXT = """
this that these those its their his her our my your any each every all no
"""
DETERMINERS = ARTICLES | frozenset(_DETERMINERS_TEXT.split())
_JOINING = PREPOSITIONS | DETERMINERS | {"and", "or"}
_BETWEEN = STOP_WORDS | PREPOSITIONS | {"much", "many"}
# Times that are no period by themselves: "3 May", "week 14"; "may" and "march" small are verbs.
_NAMES = "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTHS if name not in ("may", "march"))
_MOMENT = re.compile(
    rf"\b(?:\d{{1,2}}\s+)?(?:(?<!^)M(?:ay|arch)|(?i:{_NAMES}))\b"
    r"(?:\s+\d{1,2}\b)?|\b(?:[Ww]eek|[Dd]ay|[Yy]ear)\s+\d{1,3}\b"
)
_DOING = frozenset(
    ("do", "does", "did", "can", "could", "will", "would", "shall", "should", "may", "must")
)
_VERBS = frozenset(("have", "be", "do", "get"))  # that join no more than they say
_SHORT = 6  # words of a phrase of one run
_RUNS = 3  # joined, at most, unless they go on to the end
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word by its place, [start, stop); ``joins`` says that it only joins or asks."""

    text: str
    start: int
    stop: int
    joins: bool

    @property
    def plain(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words from ``start`` to ``stop`` of a question, without what leads to them.

    ``preposition`` and ``article`` are those before them, "" for none, and ``led`` is where these
    begin. ``runs`` are the first and the last run of words that they are of, and ``left`` how many
    words of these they leave out at the beginning and at the end.
    """

    text: str
    start: int
    stop: int
    led: int
    preposition: str
    article: str
    runs: tuple[int, int]
    left: tuple[int, int]
    kind: str  # "name", "time" or "thing"
    owns: bool  # as "Acme" of "Acme's rent"
    behind: str  # the word before all that leads to it, in lower case, "" for none
    ahead: str  # the word after it

    @property
    def is_whole(self) -> bool:
        return not any(self.left)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its words, and what it names; ``runs`` are numbers of words, [first, last)."""

    text: str
    words: Sequence[Word]
    names: Spans
    times: Spans
    runs: Sequence[tuple[int, int]]
    phrases: Sequence[Phrase]

    @property
    def body(self) -> str:
        """The question without the mark at its end."""
        return self.text.rstrip(" ?.!,;:")

    @property
    def mark(self) -> str:
        return self.text[len(self.body) :].strip()


def asked(text: str, documents: Sequence[Document] = ()) -> Asked:
    """
    >>> [each.text for each in asked("What is the rent of Lease A in 2021?").phrases][:3]
    ['rent', 'rent of Lease A', 'rent of Lease A in 2021']
    """
    moments = [found.span() for found in _MOMENT.finditer(text)]
    times = merged([*times_in(text), *moments], text)
    named = names_in(text, documents)
    names = [each for each in named if not any(a < each[1] and each[0] < b for a, b in times)]
    words = _words(text, [*names, *times])
    runs = _runs(text, words)
    read = Asked(text, words, names, times, runs, ())
    spans = dict.fromkeys([*_in_runs(read), *_over_runs(read), *_named(read)])
    phrases = [_phrase(read, first, last) for first, last in sorted(spans)]
    return replace(read, phrases=phrases)


def _words(text: str, named: Spans) -> list[Word]:
    found: list[Word] = []
    for each in _WORD.finditer(text):
        inside = any(start <= each.start() < stop for start, stop in named)
        letter = len(each[0]) == 1 and each[0].isupper() and each.start() > 0
        bids = not found or found[-1].plain in ("please", "you", "me", "and", "now")
        among = _BETWEEN | ASKING_WORDS if bids else _BETWEEN
        joins = each[0].lower() in among and not inside and not letter
        after_how = bool(found) and found[-1].plain == "how" and not inside
        found.append(Word(each[0], *each.span(), joins or after_how))
    return found


def _runs(text: str, words: Sequence[Word]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for at, word in enumerate(words):
        if word.joins:
            continue
        near = at and _SPACE.fullmatch(text, words[at - 1].stop, word.start)
        if runs and runs[-1][1] == at and near:
            runs[-1] = (runs[-1][0], at + 1)
        else:
            runs.append((at, at + 1))
    return runs


def _in_runs(read: Asked) -> Iterator[tuple[int, int]]:
    """The runs and their beginnings and ends."""
    for first, last in read.runs:
        yield first, last
        for cut in range(first + 1, last):
            yield from ((a, b) for a, b in ((first, cut), (cut, last)) if b - a <= _SHORT)


def _over_runs(read: Asked) -> Iterator[tuple[int, int]]:
    """Runs that are joined, with the last one whole or what it begins with: a name, or a word."""
    for number, (first, _) in enumerate(read.runs):
        for after in range(number + 1, len(read.runs)):
            if not _joined(read, read.runs[after - 1][1], read.runs[after][0]):
                break
            begins, ends = read.runs[after]
            goes_on = after + 1 < len(read.runs) and _joined(read, ends, read.runs[after + 1][0])
            if after - number < _RUNS or not goes_on:
                yield first, ends
                yield first, begins + _length_of_name(read, begins)


def _length_of_name(read: Asked, at: int) -> int:
    """How many words the name or the time has that begins with a word; 1 for another word."""
    begun = read.words[at].start
    ends = [b for a, b in (*read.names, *read.times) if a <= begun < b]
    return max([1, *(sum(begun <= word.start < end for word in read.words) for end in ends)])


def _joined(read: Asked, first: int, last: int) -> bool:
    """Whether prepositions, "and" or a possessive alone stand between two runs."""
    between = read.text[read.words[first - 1].stop : read.words[last].start]
    if first == last:
        return _OWNS.match(between) is not None
    plain = all(word.plain in _JOINING for word in read.words[first:last])
    return plain and re.search(r"[?!;:]|\.\s", between) is None


def _named(read: Asked) -> Iterator[tuple[int, int]]:
    """The names and times, and what tells one of its kind from others: "5.2" of "section 5.2"."""
    for start, stop in (*read.names, *read.times):
        inside = [at for at, word in enumerate(read.words) if start <= word.start < stop]
        if inside:
            yield inside[0], inside[-1] + 1
            yield inside[-1], inside[-1] + 1


def _phrase(read: Asked, first: int, last: int) -> Phrase:
    words, runs = read.words, read.runs
    start, stop = words[first].start, words[last - 1].stop
    owners = (number for number, (a, b) in enumerate(runs) if a <= first < b)
    one = next(owners, 0)
    other = next((number for number, (a, b) in enumerate(runs) if a < last <= b), one)
    article = words[first - 1].plain if first else ""
    article = article if article in DETERMINERS else ""
    lead = first - bool(article)
    preposition = words[lead - 1].plain if lead > 0 else ""
    preposition = preposition if preposition in PREPOSITIONS else ""
    lead -= bool(preposition)
    text = read.text[start:stop]
    return Phrase(
        text,
        start,
        stop,
        words[lead].start,
        preposition,
        article,
        (one, other),
        (first - runs[one][0], runs[other][1] - last),
        _kind(read, start, stop),
        _OWNS.match(read.text, stop) is not None,
        words[lead - 1].plain if lead else "",
        words[last].plain if last < len(words) else "",
    )


def is_thing(phrase: Phrase, read: Asked) -> bool:
    """Whether a phrase of a whole question can be a thing: not "fund hold" of "does the fund hold
    bonds", which has the verb too, nor a part of a name, unless the rest is what kind it is of."""
    first, last = read.runs[phrase.runs[0]]
    leads = phrase.behind in _DOING and not phrase.left[0] and not phrase.preposition
    has_all = not phrase.left[1] or phrase.runs[0] < phrase.runs[1]
    after = read.words[last].plain if last < len(read.words) else ""
    acts = leads and has_all and last - first > 1 and after not in _VERBS | PREPOSITIONS
    return not acts and not any(cuts(phrase, name, read.text) for name in read.names)


def cuts(phrase: Phrase, name: tuple[int, int], text: str) -> bool:
    """Whether a phrase has a part of a name alone, or a time's: not where the rest only says what
    kind of thing it is of."""
    start, stop = name
    if start < phrase.start < stop:
        return phrase.stop > stop or not is_kind(text[start : phrase.start])
    rest = text[phrase.stop : stop].strip()
    return start < phrase.stop < stop and not is_kind(rest)


def _kind(read: Asked, start: int, stop: int) -> str:
    if any(a <= start and stop <= b for a, b in read.times):
        return "time"
    covers = any(a < stop and start < b for a, b in read.names)
    return "name" if covers and not any(a < start < b for a, b in read.names) else "thing"
