"""Follow-up questions made whole: what a question leans on is filled in from those before it.

"And for Property B?" asks what was asked before of another property, "in 2020?" of another year,
and "their" stands for a name. What a question may mean so is enumerated in `rewrites`, and
`leaning` tells which of it is meant, or that the question stands alone. Where it leans and nothing
better is found, the question before is put first.
"""

import re
from collections.abc import Sequence

from docqa.language.periods import without_times
from docqa.language.words import content_words
from docqa.question.asides import Vectors
from docqa.question.instructions import OddsBeside, set_apart
from docqa.question.leaning import meant
from docqa.question.mentions import called, match_documents
from docqa.question.names import aliases
from docqa.question.phrases import asked
from docqa.question.rewrites import rewrites
from docqa.types.answer import Message
from docqa.types.document import Document

_OTHER = re.compile(r"\bthe other (?P<noun>[a-z]{3,})\b", re.IGNORECASE)


def resolved(
    question: str,
    history: Sequence[Message],
    documents: Sequence[Document] = (),
    *,
    beside: OddsBeside | None = None,
    vectors: Vectors | None = None,
) -> str:
    """What a question means after those before it; it comes back as it is where it stands alone.

    ``documents`` are those whose names are recognised in lower case too;
    ``beside`` tells what is no part of the questions before (see `set_apart`), and ``vectors`` how
    near phrases are to one another. Without these it is told from words alone.

    >>> def after(before, question):
    ...     return resolved(question, [Message("user", before), Message("assistant", "5.")])
    >>> after("What is the rent in Lease A?", "And in Lease B?")
    'What is the rent in Lease B?'
    >>> after("What was Apple's revenue in 2022?", "And their net income the year before?")
    "What was Apple's net income in 2021?"
    >>> after("What is the rent in Lease A?", "Is there a cap on liability?")
    'Is there a cap on liability?'
    """
    whole = ""
    for message in history:
        if message.role == "user":
            plain, _ = set_apart(" ".join(message.text.split()), beside=beside)
            whole = _after(plain, whole, documents, vectors)
    return _after(question, whole, documents, vectors)


def _after(
    question: str, before: str, documents: Sequence[Document], vectors: Vectors | None
) -> str:
    """The question with what it leans on in the one ``before``, which is whole."""
    if not content_words(without_times(before)):
        return question
    leaning = asked(_other_named(question, before, documents), documents)
    earlier = asked(before, documents)
    return meant(leaning, earlier, rewrites(leaning, earlier, documents), vectors).text


def _other_named(question: str, before: str, documents: Sequence[Document]) -> str:
    """The question with its name for "the other lease", where but one other is called so."""
    found = _OTHER.search(question)
    if not found:
        return question
    named = {each.id for one in match_documents(before, documents) for each in one.documents}
    spoken = before.split() if found["noun"] == "one" else [found["noun"]]
    for noun in (word.strip("?.,’'").lower() for word in spoken):
        group = called(noun, documents)
        others = [each for each in group if each.id not in named]
        if len(group) == 2 and len(others) == 1:
            name = " ".join(word for word in aliases(others[0])[0].split() if word != noun)
            return f"{question[: found.start()]}the {name} {noun}{question[found.end() :]}"
    return question
