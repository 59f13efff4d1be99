"""A question is read here, once, before anything else happens."""

from collections.abc import Sequence

from docqa.errors import EmptyQuestion, NoSubject
from docqa.language.keywords import keywords, subjects
from docqa.language.vocabulary import BUILT_IN, Glossary, terms_in
from docqa.question.asides import Vectors, odds_beside
from docqa.question.documents import named_documents, not_asked
from docqa.question.each import asked_of_each
from docqa.question.followup import resolved
from docqa.question.instructions import set_apart
from docqa.question.intent import intent_of, preference_of, wants_of
from docqa.question.mentions import match_documents, without_names
from docqa.question.opening import opening_chance
from docqa.question.parts import leading, parts_of
from docqa.question.sides import NO_CHOICE, Opening, choose
from docqa.types.answer import Message
from docqa.types.document import Document
from docqa.types.question import Question

QUERY_CHARS = 2000  # of a longer text the beginning and the end, where a question stands


def read(
    text: str,
    *,
    history: Sequence[Message] = (),
    documents: Sequence[Document] = (),
    document_ids: Sequence[str] = (),
    glossary: Glossary = BUILT_IN,
    opening: Opening | None = None,
    most_compared: int = 3,
    vectors: Vectors | None = None,
) -> Question:
    """What a question asks, after the questions before it and of which of the documents.

    ``documents`` are all there are and ``document_ids`` those the person chose (none means all).
    Documents that the question names among these are preferred; they are searched alone where
    they are set against each other, or named by their whole file name or title. "Both leases"
    names two where two documents are leases by their names. Which documents it compares, at most
    ``most_compared``, is decided where ``opening`` gives the beginning of a document's text. What
    stands beside the question is told from its words and its ``vectors``; without these it stays.
    Raises `EmptyQuestion` where there is no letter or digit, and `NoSubject` where there are stop
    words alone.
    """
    asked = _ends_of(" ".join(text.split()))
    if not any(map(str.isalnum, asked)):
        raise EmptyQuestion
    chosen = set(document_ids)
    within = [each for each in documents if not chosen or each.id in chosen]

    def beside(sentences: Sequence[str], asked: bool) -> list[float]:
        odds = [0.0] * len(sentences)
        if vectors and sentences:
            odds = odds_beside(sentences, vectors, asked=asked)
        named = (match_documents(each, within) for each in sentences)
        return [0.0 if names else own for names, own in zip(named, odds, strict=True)]

    plain, instructions = set_apart(asked, beside=beside)
    whole = resolved(plain, history, within, beside=beside, vectors=vectors)
    if not keywords(whole):
        raise NoSubject(asked)
    meant = " ".join((whole, *instructions))
    mentions = match_documents(meant, within)
    in_whole = match_documents(whole, within) if instructions else mentions
    named = named_documents(meant, within, mentions)
    intent = intent_of(meant, named=len(named.ids))
    nameless = without_names(whole, in_whole)
    by_name = {each.id for one in mentions if one.complete for each in one.documents}
    asked_of = [each for each in within if not by_name or each.id in by_name]
    one, each = asked_of_each(whole, asked_of)
    if not one and len(by_name) > 1 and intent in ("lookup", "synthesis"):
        one, each = whole, tuple(asked_of)  # "Oracle" of whom there are several reports
    return Question(
        text,
        whole,
        instructions,
        document_ids=named.ids if named.alone else tuple(document_ids),
        documents=named.ids,
        not_asked=not_asked(meant, documents, within, mentions),
        parts=parts_of(whole, intent=intent) if len(named.ids) < 2 else (),
        leads=leading(nameless or whole),
        about=subjects(whole, apart=terms_in(whole, glossary)),
        intent=intent,
        prefers=preference_of(meant),
        wants=wants_of(whole, intent=intent),
        compared=choose(whole, within, mentions=in_whole, opening=opening, limit=most_compared)
        if opening
        else NO_CHOICE,
        nameless=nameless,
        opening=opening_chance(nameless or whole, vectors) if vectors else 0.0,
        one=one,
        each=tuple(document.id for document in each),
    )


def _ends_of(text: str) -> str:
    """A text of usual length as it is; of a longer one both ends, cut between words."""
    half = QUERY_CHARS // 2 - 2
    if len(text) <= QUERY_CHARS:
        return text
    beginning, end = text[:half], text[-half:]
    return f"{beginning.rpartition(' ')[0] or beginning} … {end.partition(' ')[2] or end}"
