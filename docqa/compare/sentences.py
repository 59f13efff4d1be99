"""Figures in sentences: "$1.2M in NOI", "the monthly rent is $25,000", "60 days' notice"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from docqa.language.amounts import Amount, date_value, measured_amounts
from docqa.language.labels import MARKET, is_of_the_market, known_wordings, things_in
from docqa.language.numbers import DURATIONS
from docqa.language.periods import periods_in
from docqa.language.scales import Section, sections_over
from docqa.language.sentences import sentences
from docqa.types.comparison import Figure
from docqa.types.document import Block, Document
from docqa.types.period import NO_PERIOD, Period
from docqa.types.units import is_currency

MAX_LABEL_WORDS = 6
ASKING = "asking_rent"  # what is asked for space to let, which no tenant of the subject's own pays
IN_FULL = 10**6  # a scale from which an amount as large as it was printed in full
WHOLE = 10_000  # from which an amount of whole thousands may have been printed in full
CENTS = Decimal("0.1")  # a smaller last digit is one of cents
_OF_ONE = re.compile(
    r"\b(?:each(?! (?:year|quarter|month|period)\b)"
    r"|per (?:\w+ )?(?:share|unit|option|right|award|warrant)|par value"
    r"|(?:exercise|strike|grant|share|stock|market) prices?)\b",
    re.IGNORECASE,
)
_KNOWN = "|".join(known_wordings())
_ADVERBS = r"(?:\s+(?:approximately|about|only|currently|now|then|estimated|set|fixed))*"
# A subject, then what says that the amount is its value, up to where the amount begins.
_IS = re.compile(
    r"(?P<subject>(?:[^,;:]|,(?=\d{3}))*?)\s*"
    r"(?::|\b(?:is|was|are|were|will be|shall be|has been|averaged?|totall?ed|amount(?:s|ed)? to|"
    r"stood at|stands at|equals?|came to|reached|of|(?:shall|may) not exceed|continues? for))"
    rf"{_ADVERBS}(?:\s+(?:equal to|up to|at least|as (?:of|at)|at|an?"
    r"|(?:not|no) (?:less|more) than))?\s*$",
    re.IGNORECASE,
)
# A term and that the amount is what it means: "“Margin” means 2.75 per cent".
_DEFINED = re.compile(
    rf"[“\"](?P<term>[^“”\"]{{3,60}})[”\"]\s+(?:shall\s+)?means?{_ADVERBS}"
    r"(?:\s+(?:the|an?)\s+(?:\w+\s+)?(?:term|period|sum|amount|rate|fee)\s+(?:of|equal to))?"
    r"(?:\s+an?)?\s*$",
    re.IGNORECASE,
)
# The same of a per cent that is how much it changed.
_CHANGED_BY = re.compile(
    r"(?P<subject>[^,;:]*?)\s+(?:has |have )?"
    r"(?:(?:rose|risen|grew|grown|increased|climbed)|(?P<down>fell|fallen|declined|decreased|dropped))"
    rf"\s+by{_ADVERBS}\s*$",
    re.IGNORECASE,
)
# Before an amount that narrows down what is spoken of: "space of more than 50,000 square feet".
_QUALIFIES = re.compile(
    r"\b(?:of|with)\s+(?:more|less|fewer) than\s+$|\b(?:over|under|exceeding)\s+$", re.IGNORECASE
)
# What a building stands on: "on 14.5 acres", "a plot of 2 hectares".
_LAND = ("acres", "hectares")
_ON_LAND = re.compile(
    rf"\b(?:on|occup\w+|upon|(?:site|plot|parcel|lot|tract) of)(?:\s+an?)?{_ADVERBS}\s*$",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\s*(?:over|from|since|compared (?:with|to)|against)\b", re.IGNORECASE)
_AFTER = re.compile(
    rf"\s*(?:\s(?:in|of|as)\s(?:the\s|annual\s)?|\s)(?P<label>(?:annual\s|monthly\s|total\s)?"
    rf"(?:{_KNOWN}))\b",
    re.IGNORECASE,
)
_NOTICE = re.compile(r"['’]?\s*(?:advance\s|prior\s|written\s|,?\s?and\s)*notice\b", re.IGNORECASE)
_NOTICE_KINDS = {
    r"\b(?:renew|extend|extension)": "renewal",
    r"\b(?:breach|default|remed(?:y|ied)|cured?)\b": "breach",
    r"\b(?:terminat|cancel|break|(?:end|determine) this|bring\b.{0,20}\bend)": "termination",
    r"\b(?:increase|price|fees?)\b": "price change",
}
# Contracts other than the document itself, whose notice is no term of it: "their leases".
_OF_OTHERS = re.compile(
    r"\b(?:contracts|leases|agreements|licen[cs]es)\b"
    r"|\b(?:its|their|his|her)\s+(?:\w+\s+)?(?:contract|lease|agreement|licen[cs]e)\b",
    re.IGNORECASE,
)
_OF_THIS = re.compile(
    r"\b(?:this|the)\s+(?:\w+\s+)?(?:contract|lease|agreement|licen[cs]e)\b", re.IGNORECASE
)
_DETERMINER = re.compile(r".*\b(?:the|a|an|its|their|our|his|her|this|such|any|each|no)\s+", re.I)
_BREAK = re.compile(
    r".*\b(?:and|but|or|that|which|where|when|while|if|as|than|whose|with|pays?|paid|has|have|had|"
    r"receive[sd]?|charge[sd]?|expects?|include[sd]?|reflecting)\s+",
    re.IGNORECASE,
)
_MAY_STATE = re.compile(rf"\d|\b(?:{'|'.join(DURATIONS)})\b", re.IGNORECASE)  # a figure
_LISTED = re.compile(r"\s*(?:,|(?:,\s*)?\b(?:and|or)\b)\s*", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\s+\b(?:of|for|in|on|at|under|to|from|by|after|before|during|over|per)\b.*$", re.IGNORECASE
)


def sentence_figures(document: Document, blocks: Sequence[Block]) -> list[Figure]:
    """The figures that the sentences among a document's ``blocks`` name, in order.

    Not one at the end of a block that the next one carries on: "$13", and overleaf "million".
    """
    prose = [
        (block, section)
        for block, section in zip(blocks, sections_over(blocks), strict=True)
        if not block.table and block.kind in ("text", "list", "footnote", "caption")
    ]
    following = (*(block for block, _ in prose[1:]), None)
    market = _in_market_sections(blocks)
    return [
        replace(figure, label=f"{MARKET} › {figure.label.removeprefix(f'{MARKET} › ')}")
        if id(block) in market
        else figure
        for (block, section), after in zip(prose, following, strict=False)
        for figure in _of_block(document, block, section)
        if not (after and after.continues and block.text.rstrip().endswith(figure.text))
    ]


def _in_market_sections(blocks: Sequence[Block]) -> set[int]:
    """The identities of the blocks whose nearest heading is of the market."""
    found, inside = set(), False
    for block in blocks:
        if block.kind == "heading":
            inside = is_of_the_market(block.text)
        elif inside:
            found.add(id(block))
    return found


def _of_block(document: Document, block: Block, section: Section) -> Iterator[Figure]:
    if not _MAY_STATE.search(block.text):
        return
    for start, end in sentences(block.text, clauses=True):
        sentence = block.text[start:end]
        periods = periods_in(sentence)
        amounts = [amount for amount in measured_amounts(sentence) if amount.unit]
        before_start = 0
        found: list[Figure] = []
        for amount in amounts:
            growth = _growth(sentence, amount, before_start)
            if label := growth or _label(sentence, amount, before_start):
                period = _respective(sentence, amount, amounts, periods)
                figure = _figure(document, block, label, period, amount)
                found.append(
                    _signed(figure, amount, sentence)
                    if growth
                    else _in_scale(figure, amount, sentence, section)
                )
            if label or not _QUALIFIES.search(sentence[: amount.start]):
                before_start = amount.end
        yield from _told_of_market(found)
        yield from _dates(document, block, sentence)


def _told_of_market(found: Sequence[Figure]) -> Iterator[Figure]:
    """The figures of a sentence; one that tells what is asked for elsewhere tells of the market."""
    asking = any(ASKING in things_in(figure.label) for figure in found)
    for figure in found:
        yield replace(figure, label=f"{MARKET} › {figure.label}") if asking else figure


def _figure(document: Document, block: Block, label: str, period: Period, amount: Amount) -> Figure:
    return Figure(
        label,
        period.text,
        amount.value,
        amount.unit,
        amount.text,
        document.id,
        document.name,
        block,
    )


def _in_scale(figure: Figure, amount: Amount, sentence: str, section: Section) -> Figure:
    """The figure times what its section's head says of bare amounts of money.

    Not those with cents, nor millions in full. Where the head may be of tables alone, or the
    amount of one share or in full, the figure is in doubt.
    """
    bare = not amount.scaled and is_currency(figure.unit)
    in_full = amount.value >= section.scale >= IN_FULL or amount.step < CENTS
    if section.scale == 1 or not bare or in_full or not amount.value:
        return figure
    whole = amount.value % 1000 == 0 and abs(amount.value) >= WHOLE
    if section.for_all and not whole and not _OF_ONE.search(sentence):
        return replace(figure, value=figure.value * section.scale)
    doubt = (
        f"{figure.document} has “{figure.text}” under “{section.said}”, and may be meant in full"
    )
    return replace(figure, doubt=doubt)


def _label(sentence: str, amount: Amount, floor: int) -> str:
    """What the amount is said to be, "" where the sentence does not say it plainly.

    ``floor`` is where the amount before it ended: a label does not reach across it.
    """
    if defined := _DEFINED.search(sentence, floor, amount.start):
        return _short(defined["term"])
    after = sentence[amount.end :]
    if amount.unit in DURATIONS and _NOTICE.match(after):
        return _notice_of(sentence)
    if amount.unit in _LAND and _ON_LAND.search(sentence[floor : amount.start]):
        return "Site area"
    share = amount.unit == "%" and after.lstrip().startswith("of ")
    if amount.unit not in DURATIONS and not share and (named := _AFTER.match(after)):
        return " ".join(named["label"].split())
    before = _IS.search(_clause(sentence[floor : amount.start]))
    return _noun_phrase(before["subject"], verb=_verb(before)) if before else ""


def _growth(sentence: str, amount: Amount, floor: int) -> str:
    """The label of a per cent that is how much something changed, "" for any other amount."""
    told = _CHANGED_BY.search(_clause(sentence[floor : amount.start]))
    named = _noun_phrase(told["subject"], verb=True) if told and amount.unit == "%" else ""
    return f"Growth rate of {named[:1].lower()}{named[1:]}" if named else ""


def _signed(figure: Figure, amount: Amount, sentence: str) -> Figure:
    """A growth below zero where it is of a fall; "by 6% over 2023" is not of that year."""
    fell = _CHANGED_BY.search(_clause(sentence[: amount.start]))
    value = -figure.value if fell and fell["down"] else figure.value
    over = _SINCE.match(sentence, amount.end)
    return replace(figure, value=value, period="" if over else figure.period)


def _notice_of(sentence: str) -> str:
    """Notices of different kinds are different figures, told apart by their sentence's words.

    "" for that of a contract which is another than the document.
    """
    if _OF_OTHERS.search(sentence) and not _OF_THIS.search(sentence):
        return ""
    kinds = (name for words, name in _NOTICE_KINDS.items() if re.search(words, sentence, re.I))
    return f"{next(kinds, '')} notice period".strip()


def _clause(text: str) -> str:
    """The end of ``text`` from its last comma or semicolon on."""
    return re.split(r"[,;](?!\d)\s*", text.rstrip("(").rstrip())[-1]


def _verb(match: re.Match[str]) -> bool:
    linking = match[0][match.end("subject") :].split()
    return bool(linking) and linking[0].lower() != "of"


def _noun_phrase(subject: str, *, verb: bool) -> str:
    """The words that name something, without what stands before or, of a verb's, after them."""
    plain = re.sub(r"^[\d.()a-z]{1,6}\s+(?=[A-Z])", "", subject.strip().lstrip("•-– "))
    if verb:
        plain = re.sub(r"\s+(?:of|with)\s+(?:more|less|fewer) than\b.*$", "", plain, flags=re.I)
    plain = re.sub(r"\([^)]*\)", "", _BREAK.sub("", f"{plain} ")).strip()
    if verb:
        plain = re.sub(r"^(?:the|a|an|its|their|our|this|such)\s+", "", plain, flags=re.I)
        plain = re.sub(r"\s(?:above|below)$", "", _PREPOSITION.sub("", plain), flags=re.I)
    else:
        plain = _DETERMINER.sub("", f" {plain} ").strip()
        plain = re.sub(r"^.*\b(?:of|for|in|on|at|to|by|from)\s+", "", plain, flags=re.I)
    return _short(plain)


def _short(plain: str) -> str:
    """What may be a label, "" for too many words or none."""
    words = plain.strip(" .,:").split()
    fit = 0 < len(words) <= MAX_LABEL_WORDS and all(re.search(r"[^\W\d]", word) for word in words)
    return " ".join(words) if fit and len("".join(words)) > 2 else ""


def _respective(
    sentence: str, amount: Amount, amounts: Sequence[Amount], periods: Sequence[Period]
) -> Period:
    """The period in the amount's place where both are listed ("$376 and $402"), or the nearest."""
    near = _period_near(amount, periods)
    if near not in periods:
        return near
    own = _listed(sentence, [(each.start, each.end) for each in amounts], amounts.index(amount))
    told = _listed(sentence, [(each.start, each.stop) for each in periods], periods.index(near))
    place = told.start + amounts.index(amount) - own.start
    return periods[place] if len(own) == len(told) else near


def _listed(text: str, spans: Sequence[tuple[int, int]], place: int) -> range:
    """The places of the spans that stand in one list with the one at ``place``."""

    def follows(at: int) -> bool:
        return bool(_LISTED.fullmatch(text[spans[at - 1][1] : spans[at][0]]))

    first, last = place, place + 1
    while first and follows(first):
        first -= 1
    while last < len(spans) and follows(last):
        last += 1
    return range(first, last)


def _period_near(amount: Amount, periods: Sequence[Period]) -> Period:
    """The period nearest to the amount in its sentence; one that follows wins a tie."""
    apart = [
        (min(abs(p.start - amount.end), abs(amount.start - p.stop)), p.start < amount.start, p)
        for p in periods
        if p.months != 0
    ]
    return min(apart, key=lambda entry: entry[:2])[2] if apart else NO_PERIOD


def _dates(document: Document, block: Block, sentence: str) -> Iterator[Figure]:
    """Dates said of a subject: "closing is July 16, 2025", "Effective date: 1 May 2020"."""
    for period in periods_in(sentence):
        printed = sentence[period.start : period.stop]
        value = date_value(printed) if period.day else None
        label = _label_of_date(sentence[: period.start]) if value else ""
        if value and label:
            yield Figure(label, "", value, "date", printed, document.id, document.name, block)


def _label_of_date(before: str) -> str:
    if defined := _DEFINED.search(before):
        return _short(defined["term"])
    named = _IS.search(_clause(before))
    return _noun_phrase(named["subject"], verb=True) if named and _verb(named) else ""
