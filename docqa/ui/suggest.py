"""Questions to begin with, made of a document's own headings and figures; nothing is looked up."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from docqa.types.document import Block
from docqa.types.phrases import in_sentence, sentence_case

LONG_ENOUGH = 60  # characters under a heading
LONGEST = 48  # characters of a heading or a label that is asked about
_NUMBERING = re.compile(
    r"^(?:(?:article|section|part|item|schedule|§)\s+)?(?:\d[\d.]*|[IVXivx]+)[.)]?\s*[.):–—-]*\s+",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"[(\-–−]?\s*[$€£¥]?\s*\d[\d.,]*\s*(?:%|x|bps|[mbk]n?)?\)?", re.IGNORECASE)
_CURRENCY = re.compile(r"[$€£¥%]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TELLING = re.compile(
    r"\b(?:net|total|gross|rents?|price|income|revenues?|sales|profit|ebitda|noi|rate|deposit"
    r"|fees?|premium|deductible|debt|assets|cash|margin|earnings|yield)\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"\b[^\W\d_]{1,3}\b")
_BROKEN = re.compile(  # more than a heading, or less; letters set apart
    r"\d|[][,;?|()“”]|\b[^\W\d_] [^\W\d_]\b|\b[^\W\d_] [^\W\d_]{1,2} [^\W\d_]\b"
)
_EMPTY = re.compile(
    r"(?:table of )?contents|(?:exhibits?|signatures?|index|notes?|appendix|annex|cover|page|and"
    r"|schedules?|overview|disclaimer|introduction|lease|agreement|glossary|summary|general"
    r"|certifications?|execution|miscellaneous|definitions(?: and interpretation)?"
    r"|(?:sub|grand )?totals?|confidential treatment|recitals).{0,3}",
    re.IGNORECASE,
)


def questions(blocks: Sequence[Block], *, name: str = "", title: str = "", limit: int) -> list[str]:
    """At most ``limit`` questions on one document, figures and headings in turn.

    ``name`` is what the document is called in them, "" where there is no other; ``title`` is not
    asked about.
    """
    within = f" in {name}" if name else ""
    figures = [f"{asked}{within}?" for asked in _figures(blocks)]
    said = f"does {name} say" if name else "is said"
    headings = [f"What {said} about “{each}”?" for each in _headings(blocks, title)]
    return varied([figures, headings], limit=limit)


def _headings(blocks: Sequence[Block], title: str) -> list[str]:
    """Headings worth asking about, those of the longer sections first.

    A heading with a short word that the text never uses has a word broken in two.
    """
    lengths: Counter[str] = Counter()
    texts = (block.text for block in blocks if block.kind != "heading")
    used = {word.casefold() for text in texts for word in _SHORT.findall(text)}
    opened = ""
    for block in blocks:
        if block.kind == "heading":
            opened = asked_about(block.text, title=title)
            if not {each.casefold() for each in _SHORT.findall(opened)} <= used:
                opened = ""
        elif opened:
            lengths[opened] += len(block.text)
    return [heading for heading, length in lengths.most_common() if length > LONG_ENOUGH]


def asked_about(heading: str, *, title: str = "") -> str:
    """A heading without its number, "" where it says too little to ask about.

    >>> asked_about("4.2  GOVERNING LAW"), asked_about("Contents"), asked_about("Uses of NOI")
    ('Governing law', '', 'Uses of NOI')
    """
    bare = _NUMBERING.sub("", " ".join(heading.split())).strip(" .:–—-")
    too_long = len(bare) > LONGEST or len(bare.split()) > 7
    repeats = bare.casefold() in title.casefold()
    if too_long or repeats or len(bare) < 4 or _EMPTY.fullmatch(bare) or _BROKEN.search(bare):
        return ""
    return sentence_case(bare)


def _figures(blocks: Sequence[Block]) -> list[str]:
    """ "What was the net income in 2024", for rows with an amount; the telling ones first."""
    scores: dict[str, int] = {}
    header: Block | None = None
    for block in blocks:
        if block.column_header:
            header = block
        elif block.kind == "table" and len(block.cells) >= 2:
            asked, score = _figure(block, header)
            if asked:
                scores.setdefault(asked, score)
    return sorted(scores, key=lambda asked: -scores[asked])


def _figure(row: Block, header: Block | None) -> tuple[str, int]:
    """What is asked about a row, and how telling its label is; "" for a row without an amount."""
    first, *others = row.cells
    amounts = [cell for cell in others if _AMOUNT.fullmatch(cell.text.strip())]
    label = asked_about(first.text)
    if not amounts or not _TELLING.search(label):
        return "", 0
    named = in_sentence(label)
    year = max(_year(cell.column, header, row) for cell in amounts)
    score = bool(_CURRENCY.search(amounts[-1].text)) + named.startswith(("net ", "total "))
    return (f"What was the {named} in {year}" if year else f"What is the {named}"), score


def _year(column: int, header: Block | None, row: Block) -> str:
    """The year at the head of a column, "" where it has none."""
    cells = header.cells if header is not None and header.table == row.table else ()
    above = [cell.text for cell in cells if cell.column <= column < cell.column + cell.span]
    found = _YEAR.search(" ".join(above))
    return found[0] if found else ""


def varied(lists: Iterable[Sequence[str]], *, limit: int) -> list[str]:
    """The first of each list, then the second of each, at most ``limit``."""
    return [each for some in zip_longest(*lists) for each in some if each is not None][:limit]
