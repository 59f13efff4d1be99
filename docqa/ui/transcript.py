"""A conversation written to a file, each answer with the quotes it rests on and their verdicts."""

from collections.abc import Callable, Sequence

from docqa.types import Answer, Citation, Message
from docqa.ui import ooxml, pills
from docqa.ui.export import escaped
from docqa.ui.prose import plain, prose, verbatim
from docqa.ui.turn import PARTIAL

Exchange = tuple[str, Message]


def text_of(answer: Answer) -> str:
    """An answer's words, each citation written out where it stands."""
    labels = {each.label: pills.written(each) for each in answer.citations}
    read = verbatim if answer.answerer == "extractive" else prose
    return plain(read(answer.text, labels=list(labels)), cite=labels.__getitem__)


def noted(answer: Answer) -> list[str]:
    """What is said beside an answer: that it broke off, how its quotes fared, its warnings."""
    checked = ", ".join(str(each["text"]) for each in pills.checks(answer.citations))
    said = [PARTIAL if answer.partial else "", f"{checked}." if checked else ""]
    return [*filter(None, said), *answer.warnings]


def basis_of(citation: Citation) -> str:
    """What a citation rests on: file, place, verdict, quote."""
    verdict = pills.COUNTED[citation.verified]
    return f"{citation.document}, {citation.where} ({verdict}): “{citation.quote}”"


def written_by(answer: Answer) -> str:
    """Who answered."""
    if answer.answerer == "extractive":
        return "Quoted from the documents, without a language model."
    return f"Written by {answer.answerer}." if answer.answerer else ""


def as_markdown(exchanges: Sequence[Exchange], *, title: str = "") -> str:
    """The exchanges as Markdown in which the documents' own signs are escaped."""
    lines = [f"# {escaped(title)}"] if title else []
    for question, message in exchanges:
        answer = message.answer or Answer(message.text, "")
        lines += [f"## {escaped(question)}", escaped(text_of(answer))]
        lines += [f"> {escaped(warning)}" for warning in noted(answer)]
        lines += [f"- {escaped(' '.join(basis_of(each).split()))}" for each in answer.citations]
        lines += [f"*{escaped(written_by(answer))}*"] if answer.answerer else []
    return "\n\n".join(lines) + "\n"


def to_markdown(title: str, exchanges: Sequence[Exchange]) -> bytes:
    return as_markdown(exchanges, title=title).encode()


def to_docx(title: str, exchanges: Sequence[Exchange]) -> bytes:
    """The conversation as a document, the quotes of each answer in a table."""
    parts: list[ooxml.Part] = [ooxml.Heading(title, 1)]
    for question, message in exchanges:
        answer = message.answer or Answer(message.text, "")
        texts = [*text_of(answer).split("\n\n"), *noted(answer), written_by(answer)]
        parts.append(ooxml.Heading(question, 2))
        parts += [ooxml.Text(text) for text in texts if text.strip()]
        if answer.citations:
            parts.append(ooxml.Rows([["Document", "Place", "Quote", "Check"], *_rows(answer)]))
    return ooxml.document(parts)


def _rows(answer: Answer) -> list[list[str]]:
    return [
        [each.document, each.where, each.quote, pills.COUNTED[each.verified]]
        for each in answer.citations
    ]


Write = Callable[[str, Sequence[Exchange]], bytes]
KINDS: tuple[tuple[str, str, str, Write], ...] = (
    ("Markdown", "md", "text/markdown", to_markdown),
    ("Word", "docx", ooxml.WORD, to_docx),
)
