"""A conversation as a presentation: each answer with the quotes it rests on and their verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass

from docqa.present.citations import PARTIAL, VERDICTS, verdicts, warnings_of, words_of
from docqa.present.document import Heading, Note, Part, Table
from docqa.types.answer import Answer, Message


@dataclass(frozen=True, slots=True)
class Transcript:
    """Questions with the messages that answer them; ``title`` is "" for a single exchange."""

    title: str
    exchanges: Sequence[tuple[str, Message]]


def conversation(transcript: Transcript) -> list[Part]:
    """The questions as headings, their answers below them."""
    parts: list[Part] = [Heading(transcript.title, 1)] if transcript.title else []
    for question, message in transcript.exchanges:
        parts += [Heading(question, 2), *answer(message.answer or Answer(message.text, ""))]
    return parts


def answer(value: Answer) -> list[Part]:
    """An answer's words, what is to be known of it, and a table of its citations."""
    parts = [*words_of(value), *map(Note, _notes(value))]
    return [*parts, _citations(value)] if value.citations else parts


def _notes(value: Answer) -> list[str]:
    checked = ", ".join(words for _, words in verdicts(value.citations))
    notes = [PARTIAL if value.partial else "", f"{checked}." if checked else ""]
    return [*filter(None, notes), *warnings_of(value), *_author(value.answerer)]


def _author(answerer: str) -> list[str]:
    if answerer == "extractive":
        return ["Quoted from the documents, without a language model."]
    return [f"Written by {answerer}."] if answerer else []


def _citations(value: Answer) -> Table:
    rows = [
        (each.document, each.where, VERDICTS[each.verified], each.quote) for each in value.citations
    ]
    return Table(("Document", "Place", "Check", "Quote"), tuple(rows))
