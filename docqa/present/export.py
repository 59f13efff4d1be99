"""The files a comparison, a review or a conversation can be saved as."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from docqa.present import review, review_report
from docqa.present.as_csv import to_csv
from docqa.present.as_html import to_html
from docqa.present.as_markdown import to_markdown
from docqa.present.comparison import comparison, tables_of
from docqa.present.conversation import Transcript, conversation
from docqa.present.document import Part, Table, spread
from docqa.present.report import report
from docqa.present.review import ReviewRecord
from docqa.present.sides import each_side
from docqa.present.sources import Record

NAME_CHARS = 80  # of a file's name
_OFFICE = "application/vnd.openxmlformats-officedocument"
_DOCX, _XLSX = f"{_OFFICE}.wordprocessingml.document", f"{_OFFICE}.spreadsheetml.sheet"
Saved = TypeVar("Saved")


@dataclass(frozen=True, slots=True)
class Format(Generic[Saved]):
    """A way to save something: the button's label, the file's ending and media type."""

    label: str
    ending: str
    mime: str
    write: Callable[[Saved], bytes]


def to_docx(parts: Sequence[Part]) -> bytes:
    from docqa.present import as_docx  # with Word's library, once a file is asked for

    return as_docx.to_docx(parts)


def to_xlsx(tables: Sequence[Table]) -> bytes:
    from docqa.present import as_xlsx  # likewise

    return as_xlsx.to_xlsx(tables)


def _texts(
    whole: Callable[[Saved], Sequence[Part]],
    brief: Callable[[Saved], Sequence[Part]] | None = None,
) -> tuple[Format[Saved], ...]:
    """Word and a web page of the brief form, where there is one, Markdown of the whole."""
    brief = brief or whole
    return (
        Format("Word", "docx", _DOCX, lambda saved: to_docx(brief(saved))),
        Format("Web page", "html", "text/html", lambda saved: to_html(brief(saved))),
        Format("Markdown", "md", "text/markdown", lambda saved: to_markdown(whole(saved))),
    )


def file_name(title: str, ending: str) -> str:
    """A file's name made of a title, as every system takes it.

    >>> file_name("Rent & term: A/B?", "md"), file_name("…", "md")
    ('Rent & term A B.md', 'docqa.md')
    """
    words = re.sub(r"[^\w\s&,.()'’–-]+", " ", title).split()
    return f"{' '.join(words)[:NAME_CHARS].strip(' .,') or 'docqa'}.{ending}"


# A program may read these columns of the CSV file, in this order.
_SIDE = (
    *("document", "SHA-256", "page", "printed page", "value", "as printed"),
    *("quote", "check", "link"),
)

COMPARISON: tuple[Format[Record], ...] = (
    *_texts(comparison, report),
    Format("Excel, with numbers", "xlsx", _XLSX, lambda record: to_xlsx(tables_of(record))),
    Format(
        "CSV, a row for each side",
        "csv",
        "text/csv",
        lambda record: to_csv(spread(each_side(record), fields=_SIDE)),
    ),
)

# Of the parts of an evidence pack, which `evidence.evidence` makes.
EVIDENCE: tuple[Format[Sequence[Part]], ...] = (
    Format("Evidence pack, web page", "html", "text/html", to_html),
    Format("Evidence pack, Word", "docx", _DOCX, to_docx),
)

REVIEW: tuple[Format[ReviewRecord], ...] = (
    Format("Excel, with sources", "xlsx", _XLSX, lambda record: to_xlsx(review.tables(record))),
    *_texts(review.parts, review_report.report),
    Format("CSV", "csv", "text/csv", lambda record: to_csv(review.main_table(record, units=True))),
)

CONVERSATION: tuple[Format[Transcript], ...] = _texts(conversation)
