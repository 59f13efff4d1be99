"""A conversation as a presentation: each answer with the quotes it rests on and their verdicts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docqa.present.citations import (
    PARTIAL,
    VERDICTS,
    summary_of,
    warnings_of,
    words_of,
)
from docqa.present.document import Heading, Note, Part, Table, Text, in_line, linked, with_rows
from docqa.present.links import deep_link
from docqa.types.answer import Answer, Citation, Message
from docqa.types.phrases import shortened

NEAR = 320  # characters of a passage that does not say the thing itself


@dataclass(frozen=True, slots=True)
class Transcript:
    """Questions with the messages that answer them; ``title`` is "" for a single exchange.

    ``address`` is where the app is, for links into it; "" for none.
    """

    title: str
    exchanges: Sequence[tuple[str, Message]]
    address: str = ""


def conversation(transcript: Transcript) -> list[Part]:
    """The questions as headings, their answers below them."""
    parts: list[Part] = [Heading(transcript.title, 1)] if transcript.title else []
    for question, message in transcript.exchanges:
        parts += [Heading(question, 2), *answer(answer_of(message), address=transcript.address)]
    return parts


def answer_of(message: Message) -> Answer:
    """What was answered; of a message that has its text alone, that."""
    return message.answer or Answer(message.text, "")


def answer(value: Answer, *, address: str = "") -> list[Part]:
    """An answer's words, what is to be known of it, and a table of its citations."""
    parts = answer_words(value)
    return [*parts, _citations(value, address)] if value.citations else parts


def answer_words(value: Answer) -> list[Part]:
    """An answer's words and what is to be known of it, without its citations."""
    author = f"Written by {value.answerer}." if value.answerer else ""
    if value.answerer == "extractive":
        author = "Quoted from the documents, without a language model."
    notes = [PARTIAL if value.partial else "", summary_of(value), *value.problems]
    notes += [*warnings_of(value), author]
    return [*words_of(value), *map(Note, filter(None, notes))]


def _citations(value: Answer, address: str) -> Table:
    rows = [
        (each.document, _place(each, address), VERDICTS[each.verified], _quote(each))
        for each in value.citations
    ]
    return Table(("Document", "Place", "Check", "Quote"), tuple(rows))


def _quote(citation: Citation) -> str:
    """What is quoted without empty lines; of a page that is only worth a look, how it begins."""
    if citation.verified == "near":
        return shortened(in_line(citation.shown, citation.blocks), NEAR)
    return re.sub(r"\n{2,}", "\n", with_rows(citation.shown, citation.blocks))


def _place(citation: Citation, address: str) -> Text:
    if not address:
        return citation.where
    there = deep_link(address, citation.document_id, citation.page, citation.blocks)
    return linked(citation.where, there)
