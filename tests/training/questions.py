"""Questions made out of documents' own structure, each with the passages that answer it.

Rows of tables, headings, sentences, topics of contracts and first pages are asked for in the
wordings of `tests.training.wordings`; the passage a question was made from answers it. Nobody's
questions are read.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from docqa.compare.topics import TOPICS
from docqa.language.words import STOP_WORDS
from docqa.types.document import Chunk, Document
from tests.training import wordings

ROWS, HEADINGS, SENTENCES, PIECES = 150, 120, 160, 80  # questions of each kind for one document
WORDINGS = 3  # of one figure, or one topic

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBERING = re.compile(
    r"^(?:(?:Item|Note|Part|Section|Article|Exhibit)\s+[\dIVXA-Z]+[.:]?|[\d.]+\)?"
    r"|\([a-zA-Z\d]+\)|[A-Z]\.|•)\s*[-–—.:]*\s*",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^(?:It|They|This|These|That|Those|There|He|She|We|You|Such|If|When|In|For|As|On|At|By|To"
    r"|Upon|During|However|With|While|Here|No|Although|Because|After|Before|Under|Except|Notwithstanding)\b"
)
_CLAUSE = re.compile(
    r"^(?P<a>[\w’'“”\"\-,&/ ]{3,70}?) (?P<v>is|are|was|were|will|shall|may|must|can|should"
    r"|provides?|covers?|requires?|includes?|offers?|owns?|operates?|pays?|uses?|manages?) "
    r"(?P<o>.{15,})$"
)
_MEANING = re.compile(r"^[“\"]?([A-Z][\w\-&/ ]{2,50}?)[”\"]? (?:means|is defined as|refers to) ")
_REASON = re.compile(
    r"^(?:.*,\s)?(?P<a>[^,]{4,70}?) (?P<v>increased|decreased|declined|rose|grew|fell)\b.*"
    r"\b(?:due to|driven by|because of|as a result of|reflecting|primarily)\b"
)
_PLAIN = {"rose": "rise", "grew": "grow", "fell": "fall", "declined": "decline"}
_PLAIN |= {"increased": "increase", "decreased": "decrease"}


@dataclass(frozen=True, slots=True)
class Made:
    """A question. ``unsure`` are chunks that may answer it as well, so count as neither."""

    text: str
    document_id: str
    answers: tuple[int, ...]  # indexes of chunks, the best first
    unsure: frozenset[int] = frozenset()
    hidden: str = ""  # left out of the passages, so that it cannot be matched word for word


T = TypeVar("T")
Making = Callable[[Document, Sequence[Chunk], Random], Iterator[Made]]


def questions(document: Document, chunks: Sequence[Chunk], random: Random) -> list[Made]:
    """Everything that one document is asked."""
    if not chunks:
        return []
    kinds: tuple[Making, ...] = (_rows, _metrics, _headings, _sentences, _pieces, _topics, _first)
    return [made for kind in kinds for made in kind(document, chunks, random)]


def _rows(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """The rows of tables, by their labels; where several tables have one, a statement answers."""
    holders: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        for label in _labels(chunk):
            holders[label].append(chunk)
    any_statement = "|".join(wordings.STATEMENTS)
    for label in _some(sorted(holders), ROWS, random):
        having = holders[label]
        best = [chunk for chunk in having if _is_statement(chunk, any_statement)] or having
        filled = {"l": label, "C": _company(document, chunks), **_years(best[0], random)}
        yield _made(random.choice(wordings.ROW).format(**filled), document, best[:2], having)


def _labels(chunk: Chunk) -> Iterator[str]:
    for block in chunk.blocks:
        numbers = any(letter.isdigit() for cell in block.cells[1:] for letter in cell.text)
        if block.kind == "table" and not block.column_header and numbers:
            label = _lowered(_cleaned(block.cells[0].text))
            if 4 < len(label) <= 70 and re.search("[a-z]{3}", label):
                yield label


def _metrics(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """Figures that are worked out of a statement."""
    tables = [chunk for chunk in chunks if chunk.kind == "table"] if _reports(document) else []
    for metric, statement, groups in wordings.METRICS:
        also = [c for c in tables if all(re.search(g, c.text, re.IGNORECASE) for g in groups)]
        best = [c for c in also if _is_statement(c, statement) and len(c.blocks) >= 6]
        for wording in random.sample(wordings.METRIC, WORDINGS if best else 0):
            name = random.choice(wordings.STATEMENTS[statement])
            filled = {"m": metric, "s": name, "C": _company(document, chunks)}
            years = _years(best[0], random)
            yield _made(wording.format(**filled, **years), document, best[:2], also)


def _headings(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """What stands under a heading; in six of ten the heading itself is taken away."""
    under: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        if chunk.headings and _tells(_cleaned(chunk.headings[-1])):
            under[chunk.headings[-1]].append(chunk)
    for heading in _some(sorted(under), HEADINGS, random):
        first = under[heading][0] if random.random() < 0.7 else random.choice(under[heading][:3])
        named = _cleaned(heading) if random.random() < 0.3 else _lowered(_cleaned(heading))
        text = random.choice(wordings.HEADING).format(h=named, C=_company(document, chunks))
        hidden = heading if random.random() < 0.6 else ""
        yield _made(text, document, [first], under[heading], hidden=hidden)


def _sentences(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """One sentence of each passage, turned into a question by rule."""
    for chunk in _some(_prose(chunks), SENTENCES, random):
        asked = (question_of(each, random) for each in _some(sentences(chunk.text), 6, random))
        text = next(filter(None, asked), "")
        if text:
            yield _made(text, document, [chunk])


def _pieces(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """A sentence's own words, some of them left out: the inverse cloze task (Lee et al. 2019)."""
    for chunk in _some(_prose(chunks), PIECES, random):
        sentence = random.choice(sentences(chunk.text) or [""])
        words = [word for word in re.findall(r"[\w’'%-]+", sentence) if len(word) > 1]
        telling = [word for word in words if word.lower() not in STOP_WORDS]
        if len(telling) < 5:
            continue
        kept = random.sample(telling, min(len(telling), random.randint(4, 7)))
        most = [word for word in words if random.random() < 0.75]
        text = " ".join(kept if random.random() < 0.5 else most)
        hidden = sentence if random.random() < 0.6 else ""
        yield _made(text, document, [chunk], hidden=hidden)


def _topics(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """What contracts settle, where one of the patterns for it is found; the surest ones answer."""
    for topic in () if _reports(document) else TOPICS:
        sure = {chunk.index: _sureness(chunk, topic.says) for chunk in chunks}
        found = {index: place for index, place in sure.items() if place is not None}
        best = [c for c in chunks if found and sure[c.index] == min(found.values())][:3]
        asked = [topic.name, f"What is the {topic.name.lower()}?"]
        asked += wordings.TOPIC.get(topic.name, ()) * 2
        for text in random.sample(asked, WORDINGS if best and len(asked) >= WORDINGS else 0):
            yield _made(text, document, best, [c for c in chunks if c.index in found])


def _sureness(chunk: Chunk, patterns: Sequence[str]) -> int | None:
    """The place of the first pattern that one of the sentences has."""
    for place, pattern in enumerate(patterns):
        if any(re.search(pattern, each, re.IGNORECASE) for each in sentences(chunk.text)):
            return place
    return None


def _first(document: Document, chunks: Sequence[Chunk], random: Random) -> Iterator[Made]:
    """What the first page tells of the whole document."""
    asked = wordings.REPORT if _reports(document) else wordings.CONTRACT
    page = [chunk for chunk in chunks if chunk.page_start == 1]
    for text in random.sample(asked, 4):
        yield _made(text, document, chunks[:1], page)


def question_of(sentence: str, random: Random) -> str:
    """A question that the sentence answers; "" where none of the rules fits.

    >>> question_of("“Premises” means the third floor of the building.", Random(0))
    'How is Premises defined?'
    """
    if found := _MEANING.match(sentence):
        return random.choice(wordings.MEANING).format(a=found[1])
    if _NO_SUBJECT.match(sentence):
        return ""
    if found := _REASON.match(sentence):
        changed = {"a": _subject(found["a"]), "b": _PLAIN[found["v"]]}
        return random.choice(wordings.REASON).format(**changed)
    found = _CLAUSE.match(sentence)
    return _of_clause(found["a"], found["v"], found["o"], random) if found else ""


def _of_clause(subject: str, verb: str, rest: str, random: Random) -> str:
    if len(subject.split()) > 9:
        return ""
    some = " ".join(rest.rstrip(".;").split()[: random.randint(2, 5)]).rstrip(",")
    does = "does" if verb.endswith("s") else "do"
    filled = {"a": _subject(subject), "v": verb, "o": some, "b": verb.removesuffix("s")}
    filled |= {"V": verb.title(), "d": does, "D": does.title()}
    return random.choice(_fitting(verb, rest)).format(**filled)


def _fitting(verb: str, rest: str) -> Sequence[str]:
    if re.search(r"\b(?:\d+|thirty|sixty|ninety)\b.*\b(?:days?|months?|years?)\b", rest):
        return wordings.LASTING
    if re.search(r"[$£€]\s?\d", rest):
        return wordings.COSTING
    if verb in ("is", "are", "was", "were"):
        return wordings.BEING
    modal = verb in ("will", "shall", "may", "must", "can", "should")
    return wordings.OBLIGED if modal else wordings.DOING


def sentences(text: str) -> list[str]:
    """Those of a passage's sentences that are neither very short nor very long."""
    cut = (each.strip() for each in re.split(r"(?<=[.;?!])\s+(?=[A-Z(“\"])|\n+", text))
    return [each for each in cut if 40 <= len(each) <= 320 and "|" not in each]


def _made(
    text: str,
    document: Document,
    answers: Sequence[Chunk],
    unsure: Sequence[Chunk] = (),
    *,
    hidden: str = "",
) -> Made:
    places = tuple(chunk.index for chunk in answers)
    around = frozenset(chunk.index for chunk in unsure)
    return Made(" ".join(text.split()), document.id, places, around, hidden)


def _some(of: Sequence[T], most: int, random: Random) -> list[T]:
    return random.sample(of, min(most, len(of)))


def _prose(chunks: Sequence[Chunk]) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.kind == "text" and len(chunk.text) > 250]


def _is_statement(chunk: Chunk, pattern: str) -> bool:
    titles = " ".join(chunk.headings[-2:]) + " " + chunk.text[:300]
    return re.search(pattern, titles, re.IGNORECASE) is not None


def _reports(document: Document) -> bool:
    named = f"{document.name} {document.title}"
    return re.search(r"10-?[KQ]\b|10[KQ]_|earnings|annual report", named, re.IGNORECASE) is not None


def _company(document: Document, chunks: Sequence[Chunk]) -> str:
    legal = r"([A-Z][\w&.’' ]+?),? (?:Form|Inc|INC|PLC|plc|Company|Corp)\b"
    found = re.search(legal, chunks[0].context)
    return found[1].strip() if found else re.split(r"[_ ]", document.name)[0].title()


def _years(chunk: Chunk, random: Random) -> dict[str, str]:
    """The table's latest year or the one before, as the wordings call them."""
    found = sorted({int(year) for year in _YEAR.findall(chunk.text)}, reverse=True)
    year, form = random.choice(found[:2] or [2022]), random.choice(wordings.FISCAL)
    before = str(year - 1)
    return {"y": str(year), "p": before, "fy": form.format(year), "fp": form.format(before)}


def _cleaned(heading: str) -> str:
    plain = re.sub(r"\s*\((?:continued|unaudited)\)", "", heading, flags=re.IGNORECASE)
    return re.sub(r"[\s.:;]+$", "", _NUMBERING.sub("", plain.strip())).strip()


def _tells(heading: str) -> bool:
    words = [w for w in re.findall(r"[A-Za-z]{3,}", heading) if w.lower() not in STOP_WORDS]
    return 1 <= len(words) <= 10 and len(heading) < 80


def _lowered(text: str) -> str:
    """In small letters, but for short words all in capitals."""
    return " ".join(
        word if word.isupper() and 1 < len(word) < 5 else word.lower() for word in text.split()
    )


def _subject(text: str) -> str:
    article = re.compile(r"^(?:The|An?|Each|Any|All|Our)\s")
    return article.sub(lambda found: found[0].lower(), text).strip(' ,“”"')
