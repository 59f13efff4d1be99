"""Whom or what a question names, and whether what was found speaks of it."""

import re
from collections.abc import Sequence

from docqa.answer.findings.features import has_word
from docqa.language.periods import says_only_when
from docqa.language.words import content_words, name_in_words
from docqa.types.search import Hit, SearchResult, unmentioned

# Chosen on the development questions.
_SHORTEST_NAME = 3  # letters
_SHORTEST_BEGINNING = 5  # letters of a name that file names run on from


def unheard(result: SearchResult) -> list[str]:
    """The question's words that no document searched has, but those that name a document."""
    beside = [name for each in result.plan.question.not_asked for name in each.documents]
    names = {*(hit.document.name for hit in result.hits), *beside}
    return [word for word in result.missing if not any(_is_within(word, name) for name in names)]


def _is_within(word: str, file_name: str) -> bool:
    """Whether a file name has the word, if run together with others ("Vault", "SteelVaultCorp")."""
    letters, whole = (re.sub(r"[\W_]", "", each.casefold()) for each in (word, file_name))
    return _is_named(word, file_name) or (len(letters) >= _SHORTEST_NAME and letters in whole)


def of_whom(result: SearchResult) -> Sequence[str]:
    """The ids of the documents that a question names, else of those that speak of whom it names;
    none where it asks for something of several."""
    question, names = result.plan.question, _names(result)
    if question.documents or question.several:
        return question.documents
    return _speaking_of_most([(hit.document.id, _spoken_of(names, hit)) for hit in result.hits])


def is_of_others(result: SearchResult) -> bool:
    """Whether nothing that was found speaks of whom or what the question names.

    What is said of one company is no answer on another. A document that was chosen alone, and says
    the name somewhere, is not of another.
    """
    question, names = result.plan.question, _names(result)
    alone = len(question.document_ids) == 1
    names = [each for each in names if not alone or each in result.missing]
    spoken = ((hit.document.id, _spoken_of(names, hit)) for hit in result.hits)
    if names and not any(told or document_id in question.documents for document_id, told in spoken):
        return True
    return bool(question.not_asked) and not question.documents and not _is_spoken_of(result)


def unspoken(result: SearchResult) -> str:
    """That none of the passages found has a name of the question, "" where each has one.

    Those that no document has, or that name a document, the answer tells of by itself.
    """
    not_asked = (word for each in result.plan.question.not_asked for word in each.said.split())
    known = {*result.missing, *not_asked}
    names = [name for name in _names(result) if name not in known]
    spoken = set[str]().union(*(_spoken_of(names, hit) for hit in result.hits))
    return unmentioned([name for name in names if name not in spoken], by="passage found")


def _speaking_of_most(spoken: Sequence[tuple[str, set[str]]]) -> list[str]:
    """The ids of the documents that speak of most of the question's names, of none for none."""
    by_document: dict[str, set[str]] = {}
    for document_id, own in spoken:
        by_document.setdefault(document_id, set()).update(own)
    most = max(map(len, by_document.values()), default=0)
    return [key for key, own in by_document.items() if most and len(own) == most]


def _spoken_of(names: Sequence[str], hit: Hit) -> set[str]:
    """Those of the names that the passage, or what is known of its document, has."""
    document = hit.document
    known = f"{document.title} {document.description} {hit.chunk.embedded_text}"
    words = set(content_words(known)) if names else set()
    own = hit.document.name
    return {
        name
        for name in names
        if _is_named(name, own) or all(has_word(words, word) for word in content_words(name))
    }


def _names(result: SearchResult) -> list[str]:
    """The names in a question: words with a capital, no abbreviations and months."""
    opening = result.plan.question.whole.split()[:1]
    words = [word for word in result.plan.question.about if is_name(word) and not word.isupper()]
    return [word for word in words if not says_only_when(word) and [word] != opening]


def _is_spoken_of(result: SearchResult) -> bool:
    """Whether some passage has a name that is of a document not asked."""
    names = [each.said.casefold() for each in result.plan.question.not_asked]
    texts = (hit.chunk.text.casefold() for hit in result.hits)
    return any(name in text for text in texts for name in names)


def _is_named(name: str, file_name: str) -> bool:
    """Whether a document's file name has the name, if only as the beginning of a longer one."""
    letters = re.sub(r"[\W_]", "", name.casefold())
    words = name_in_words(file_name).casefold().split()
    return letters in words or (
        len(letters) >= _SHORTEST_BEGINNING and any(word.startswith(letters) for word in words)
    )


def is_name(word: str) -> bool:
    """A word with a capital; of fewer letters it is rather an abbreviation ("IP")."""
    return word != word.lower() and len(word) >= _SHORTEST_NAME
