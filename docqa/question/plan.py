"""What a question asks for, and the queries that will find it."""

import re
from collections.abc import Iterable, Sequence

from docqa.errors import AmbiguousDocument, EmptyQuestion, NoSubject, QuestionError, UnknownDocument
from docqa.language.keywords import keywords, subjects
from docqa.language.vocabulary import BUILT_IN, Glossary, synonyms, tables_for, terms_in
from docqa.question.names import Mention, counted_documents, match_documents, resolve
from docqa.types.document import Document
from docqa.types.question import Filters, Intent, NotAsked, Preference, QueryPlan

MAX_SUB_QUERIES = 4  # beside the question itself (mission)
NO_FILTERS = Filters()
QUERY_CHARS = 2000  # a longer question is a pasted page; its beginning is searched for

_COMPARISON = re.compile(
    r"\b(?:compar(?:e[sd]?|ing|ison)|versus|vs|differences? between|differ(?:s|ed)? from|contrast"
    r"|which of (?:the )?(?:two|three|these|them))\b",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"\b(?:summari[sz]\w*|summary|overview|outline|synthesi[sz]\w*)\b", re.I)
_LIST = re.compile(
    r"^\W*(?:please\s+)?(?:list|enumerate|name all|give (?:me )?all|show (?:me )?all)\b"
    r"|\b(?:each|every)\s+(?:of\b|document|contract|lease|report|filing|agreement|property|file)"
    r"|\ball\s+(?:of\s+)?(?:the\s+|our\s+|my\s+)?"
    r"(?:document|contract|lease|report|filing|agreement|propert|file)(?:s|ies)\b"
    r"|\bacross\b",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"\b(?:how much|how many|table|rows?|columns?|figures?|amounts?|totals?|revenues?|sales|income|"
    r"expenses?|costs?|margins?|ratios?|rates?|percent(?:age)?s?|balance sheet|cash flows?|assets?|"
    r"liabilit(?:y|ies)|ebitda|noi|capex|rent roll|prices?|yields?|dividends?|earnings per share)\b"
    r"|[%$€£]",
    re.IGNORECASE,
)
_NARRATIVE = re.compile(
    r"\b(?:why|how does|how do|explain|describe|discuss|reasons?|drivers?|drove|strategy|risks?|"
    r"outlook|opinion|policy|background|purpose|nature of|what does .{1,40} mean)\b",
    re.IGNORECASE,
)


_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z“\"(])")
_INSTRUCTION = re.compile(
    r"^(?:if|where|when)\b.*\b(?:state|explain|say|note|mention|answer|respond)\b"
    r"|^(?:please\s+)?(?:answer|respond|reply|round|cite|quote|be|use|keep|write|state|assume)\b"
    r"(?!.*\?$)",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"\bplease\s+(?:answer|address)\s+(?:the\s+following\s+)?question:?\s*", re.I
)


def make_plan(
    question: str,
    *,
    documents: Sequence[Document] = (),
    document_ids: Sequence[str] = (),
    filters: Filters = NO_FILTERS,
    glossary: Glossary = BUILT_IN,
    wider: bool = False,
) -> QueryPlan:
    """How a question will be searched; ``queries[0]`` is the question, `focused`.

    Its parts follow (`parts_of`), where it does not name several documents, each of which is
    heard anyway; with ``wider``, what `wider_queries` makes of it; and last the question's terms by
    their other names (`glossary.synonyms`).
    ``document_ids`` are the documents the person has chosen (none means all). Documents that the
    question names among those are preferred (``named_ids``); they are searched alone where they
    are set against each other, or named by their whole file name or title. "Both leases" names
    two where two documents are leases by their names. Raises `EmptyQuestion`
    where there is no letter or digit, and `NoSubject` where there are stop words alone.
    """
    asked = " ".join(question.split())[:QUERY_CHARS]
    if not any(character.isalnum() for character in asked):
        raise EmptyQuestion
    if not keywords(asked):
        raise NoSubject(asked)
    chosen = set(document_ids)
    within = [each for each in documents if not chosen or each.id in chosen]
    named, complete = _named(asked, within)
    intent = intent_of(asked, named=len(named))
    parts = parts_of(focused(asked), intent=intent) if len(named) < 2 else ()
    further = wider_queries(focused(asked), intent=intent) if wider else ()
    return QueryPlan(
        question=question,
        queries=_queries(focused(asked), (*parts, *further), glossary=glossary),
        parts=parts,
        intent=intent,
        prefers=preference_of(asked),
        document_ids=named if complete else tuple(document_ids),
        named_ids=named,
        tables=tables_for(focused(asked), glossary),
        subjects=subjects(focused(asked), apart=terms_in(focused(asked), glossary)),
        filters=filters,
        not_asked=_not_asked(asked, documents, within),
    )


def _not_asked(
    question: str, documents: Sequence[Document], within: Sequence[Document]
) -> tuple[NotAsked, ...]:
    """The documents named that were not chosen, but by what names a chosen one as well."""
    if len(within) == len(documents):
        return ()
    own = {one.text for one in match_documents(question, within) if one.complete}
    chosen = {document.id for document in within}
    return tuple(
        NotAsked(one.text, tuple(document.name for document in one.documents))
        for one in match_documents(question, documents)
        if one.complete
        and one.text not in own
        and chosen.isdisjoint(document.id for document in one.documents)
    )


def _queries(question: str, further: Sequence[str], *, glossary: Glossary) -> tuple[str, ...]:
    other_names = ", ".join(synonyms(question, glossary))
    made = (question, *further, other_names)
    return tuple(dict.fromkeys(query for query in made if query))


def _named(question: str, documents: Sequence[Document]) -> tuple[tuple[str, ...], bool]:
    """Ids of the documents named, and whether to search in them alone.

    A naming in part ("Northwind Health", where two plans begin so) gives nothing: preferring its
    documents was measured to lose more answers than it finds.
    """
    try:
        if sides := compared_documents(question, documents):
            return tuple(document.id for document in sides), True
    except QuestionError:
        pass  # a side is unknown or ambiguous: whoever compares asks; a search goes on
    mentions = [one for one in match_documents(question, documents) if one.complete]
    named = tuple(dict.fromkeys(each.id for one in mentions for each in one.documents))
    if not named:
        return tuple(each.id for each in counted_documents(question, documents)), False
    return named, all(mention.exact for mention in mentions)


def focused(question: str) -> str:
    """A question without sentences that say how to answer rather than what is asked.

    >>> focused("Is the quick ratio healthy? If it is not relevant, state that and explain why.")
    'Is the quick ratio healthy?'
    """
    kept = [one for one in _SENTENCE.split(question) if not _INSTRUCTION.search(one)]
    return _PREAMBLE.sub("", " ".join(kept)).strip() or question


def intent_of(question: str, *, named: int = 0) -> Intent:
    """Comparison, synthesis, list or lookup, from the words; naming several documents or periods
    beside "and" asks for a synthesis.

    >>> intent_of("Compare Q1 and Q2"), intent_of("List all packages"), intent_of("What is NOI?")
    ('comparison', 'list', 'lookup')
    """
    if _COMPARISON.search(question):
        return "comparison"
    if _SUMMARY.search(question):
        return "synthesis"
    if _LIST.search(question):
        return "list"
    return "synthesis" if named > 1 and re.search(r"\band\b|,|\bboth\b", question) else "lookup"


def preference_of(question: str) -> Preference:
    """Whether figures ("table") or reasons ("narrative") are asked for, or neither or both."""
    figures, reasons = _TABLE.search(question), _NARRATIVE.search(question)
    if figures and not reasons:
        return "table"
    return "narrative" if reasons and not figures else "none"


def parts_of(question: str, *, intent: Intent) -> tuple[str, ...]:
    """A query for each thing that a synthesis, list or comparison is asked for, if for several.

    Its sides, its years, or what it lists ("Summarize Q1, Q2, and Q3 reports": one for each of
    the three); at most `MAX_SUB_QUERIES`. A lookup has none.

    >>> parts_of("Summarize the rent and the term", intent="synthesis")
    ('rent', 'the term')
    """
    if intent == "lookup":
        return ()
    made = dict.fromkeys(part for part in _parts(question, intent) if keywords(part))
    made.pop(question, None)
    return tuple(made)[:MAX_SUB_QUERIES]


def _parts(question: str, intent: Intent) -> list[str]:
    subject = _subject(question)
    items, shared = _items(subject)
    if intent == "comparison" and (sides := compared(question)):
        return _sides(question, sides)[0]
    if len(years := _YEAR.findall(subject)) > 1:
        return [_of_year(subject, year) for year in years]
    return [_joined(item, shared) for item in _limited(items)] if len(items) > 1 else []


def wider_queries(question: str, *, intent: Intent) -> tuple[str, ...]:
    """What else a synthesis, list or comparison may be asked by (mission): both sides at once,
    lists and kinds, an overview. A lookup has none."""
    subject = _subject(question)
    if intent == "comparison" and (sides := compared(question)):
        return (_sides(question, sides)[1],)
    if intent == "list":
        kinds = ("list examples", "types categories", "overview")
        return tuple(_joined(subject, kind) for kind in kinds)
    alone = intent != "lookup" and not parts_of(question, intent=intent)
    return (_joined(subject, "overview"),) if alone else ()


def _sides(question: str, sides: Sequence[str]) -> tuple[list[str], str]:
    """Each side with what is compared, and both in one."""
    topic, named = _topic_apart(sides)
    shared = _joined(topic, _shared(question, sides))
    both = _joined(" versus ".join(named), shared, "differences")
    return [_joined(side, shared) for side in named], both


def _topic_apart(sides: Sequence[str]) -> tuple[str, list[str]]:
    """ "cap rates of Property A", "Property B" → "cap rates", [Property A, Property B]."""
    split = re.match(r"(.+?)\s+(?:of|for|in|at)\s+(.+)", sides[0]) if sides else None
    return (split[1], [split[2], *sides[1:]]) if split else ("", list(sides))


def _of_year(subject: str, year: str) -> str:
    """The subject asked of one of its years: "revenue in 2018 and 2022" → "revenue in 2018"."""
    others = rf"(?:\s*(?:,|\band\b|\bto\b|\bvs\.?))*\s*\b(?:FY\s?)?(?!{year})(?:19|20)\d\d\b"
    return re.sub(
        r"\b(in|of|from|between)\s+(?:and|to|vs\.?)\s+", r"\1 ", re.sub(others, "", subject)
    )


def _limited(items: Sequence[str]) -> list[str]:
    """At most `MAX_SUB_QUERIES` items, the last one holding all that remain."""
    head, rest = items[: MAX_SUB_QUERIES - 1], items[MAX_SUB_QUERIES - 1 :]
    return [*head, " ".join(rest)] if rest else list(head)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


_LEAD = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+)*(?:(?:provide|give|write|show|make)\s+(?:me\s+)?)?"
    r"(?:an?\s+|the\s+)?(?:summari[sz]e|summary|overview|outline|compare|comparison|contrast|list|"
    r"enumerate|show(?:\s+me)?|name|describe|what\s+(?:is|are|were|was))\b"
    r"(?:\s+(?:of|between|the\s+differences?\s+between|differences?\s+between|all|me))*\s*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:FY\s?)?((?:19|20)\d\d)\b")
_AND = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s*&\s+", re.IGNORECASE)


def _subject(question: str) -> str:
    """What is left when the asking words go: "Summarize the annual report" → "annual report"."""
    rest = _LEAD.sub("", question.strip().rstrip("?.! "))
    return re.sub(r"^(?:the|a|an|all)\s+", "", rest, flags=re.IGNORECASE)


def _items(subject: str) -> tuple[list[str], str]:
    """The listed items and the words they share: "Q1, Q2 and Q3 reports" → [Q1, Q2, Q3], reports.

    The shared words are those after the first words of the last item, when the items are names
    (capitalised or with a digit) and the words are not.
    """
    parts = [part.strip() for part in _AND.split(subject) if part.strip()]
    if len(parts) < 2:
        return parts, ""
    words = parts[-1].split()
    size = _name_length(words)
    return [*parts[:-1], " ".join(words[:size])], " ".join(words[size:])


def _name_length(words: Sequence[str]) -> int:
    """How many of the first words are a name; a year after it is shared by all names."""
    size = 0
    while size < len(words) and re.search(r"[A-Z\d]", words[size]):
        if size and _YEAR.fullmatch(words[size]):
            break
        size += 1
    return size or len(words)


_SIDED = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bbetween\s+(?P<sides>.+?)[?.!]?$",
        r"\b(?:compare|contrast|comparing|comparison of)\s+(?P<sides>.+?)[?.!]?$",
        r"^(?P<sides>.+?\s(?:vs\.?|versus)\s.+?)[?.!]?$",
        r"^(?:how (?:does|do|did)\s+)"
        r"(?P<sides>.+?\s(?:differ(?:s|ed)? from|compare (?:to|with))\s.+?)[?.!]?$",
    )
]
_BETWEEN_SIDES = re.compile(
    r"\s+(?:vs\.?|versus|with|to|against|and|differs? from|compared? (?:to|with))\s+"
    r"|\s*,\s*(?:and\s+)?",
    re.IGNORECASE,
)
_BETWEEN_WORDS = re.compile(
    r"\b(?:vs|versus|with|and|between|compared?|differences?|differs?|from|to|the|on|in terms of"
    r"|how|does|do|did|is|are|what)\b|(?:[’']s)?[,.;:?!]|[’']s\b",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\s+(?:on|in terms of|regarding|concerning|with respect to|with regard to|by|for|in|across"
    r"|over|as to|about)\s+",
    re.IGNORECASE,
)


def compared(question: str) -> tuple[str, ...]:
    """The names set against each other: "compare X and Y", "X vs Y", "between X and Y".

    Each as written, without what they are compared on; () where no two are found.

    >>> compared("Compare Property A with Property B")
    ('Property A', 'Property B')
    >>> compared("Compare the cap rates and NOI between Lease 1 and Lease 2")
    ('Lease 1', 'Lease 2')
    """
    for pattern in _SIDED:
        if found := pattern.search(question.strip()):
            sides = _split_sides(found["sides"])
            if len(sides) > 1:
                return sides
    return ()


def _split_sides(text: str) -> tuple[str, ...]:
    text = _ON.split(re.sub(r"\b(?:compared?|comparison|differences?)$", "", text), maxsplit=1)[0]
    sides = [_bare(side) for side in _BETWEEN_SIDES.split(text)]
    named = [side for side in sides if side]
    if len(named) > 1:
        words = named[-1].split()
        named[-1] = " ".join(words[: _name_length(words)])
    return tuple(dict.fromkeys(named))


def _bare(side: str) -> str:
    side = re.sub(
        r"^(?:what(?: is| are|'s)?|how|the|documents?|files?|between)\s+", "", side, flags=re.I
    )
    return side.strip(" \"'“”‘’.?!")


def _shared(question: str, sides: Sequence[str]) -> str:
    """The words of a comparison that are in none of its sides and do not ask."""
    rest = _LEAD.sub("", question)
    for side in sorted(sides, key=len, reverse=True):
        rest = rest.replace(side, " ")
    return " ".join(_BETWEEN_WORDS.sub(" ", rest).split())


def compared_documents(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents a comparison question sets against each other, in the order named.

    () where the question compares no documents ("Compare revenue and costs", "Compare Q1 and Q2"
    with no such files). Once one side means a document, a side that looks like a name must too:
    else `UnknownDocument` or `AmbiguousDocument` is raised for the person to settle.
    """
    if intent_of(question) != "comparison":
        return ()
    mentions = match_documents(question, documents)
    if len(mentions) == 1 and len(mentions[0].documents) > 1:
        return mentions[0].documents
    if len(mentions) > 1:
        in_order = sorted(mentions, key=lambda mention: question.find(mention.text))
        return _unique(_only(mention) for mention in in_order)
    _, named = _topic_apart(compared(question))
    return _sides_resolved(named, documents)


def _only(mention: Mention) -> Document:
    if len(mention.documents) > 1:
        candidates = tuple(document.name for document in mention.documents)
        raise AmbiguousDocument(mention.text, candidates=candidates)
    return mention.documents[0]


def _sides_resolved(sides: Sequence[str], documents: Sequence[Document]) -> tuple[Document, ...]:
    found: list[Document] = []
    unknown: list[UnknownDocument] = []
    for side in sides:
        try:
            found.append(resolve(side, documents))
        except UnknownDocument as error:
            unknown.extend([error] if _looks_like_name(side) else [])
    if found and unknown:
        raise unknown[0]
    return _unique(found) if len(found) > 1 else ()


def _looks_like_name(side: str) -> bool:
    """A capital, a digit or a lone letter somewhere: "Property Z", "lease 3", "lease z"."""
    return side != side.lower() or re.search(r"\d|\b[b-hj-z]\b", side) is not None


def _unique(documents: Iterable[Document]) -> tuple[Document, ...]:
    return tuple({document.id: document for document in documents}.values())
