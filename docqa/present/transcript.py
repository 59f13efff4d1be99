"""A conversation written to a file, each answer with the quotes it rests on and their verdicts."""

from collections.abc import Callable, Sequence

from docqa.present import export, ooxml
from docqa.present.answer_text import prose, verbatim
from docqa.present.export import escaped
from docqa.types.answer import Answer, Citation, Message
from docqa.ui import pills
from docqa.ui.answer_view import PARTIAL

Exchange = tuple[str, Message]


def words_of(answer: Answer) -> list[ooxml.Part]:
    """An answer's words and tables, each citation written out where it stands."""
    labels = {each.label: pills.written(each) for each in answer.citations}
    read = verbatim if answer.answerer == "extractive" else prose
    pieces = read(answer.text, labels=list(labels))
    return [export.part_of(piece, labels, level=3) for piece in pieces]


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
        lines += [f"## {escaped(question)}", *map(export.as_markdown, words_of(answer))]
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
        parts += [ooxml.Heading(question, 2), *words_of(answer)]
        parts += [ooxml.Text(text) for text in (*noted(answer), written_by(answer)) if text]
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
