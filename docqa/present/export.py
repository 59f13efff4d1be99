"""The files a comparison or a conversation can be saved as."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from docqa.present.as_csv import to_csv
from docqa.present.as_docx import to_docx
from docqa.present.as_markdown import to_markdown
from docqa.present.as_xlsx import to_xlsx
from docqa.present.comparison import comparison, tables_of
from docqa.present.conversation import Transcript, conversation
from docqa.present.document import Part, spread
from docqa.present.sides import each_side
from docqa.present.sources import Record

_OFFICE = "application/vnd.openxmlformats-officedocument"
Saved = TypeVar("Saved")


@dataclass(frozen=True, slots=True)
class Format(Generic[Saved]):
    """A way to save something: the button's label, the file's ending and media type."""

    label: str
    ending: str
    mime: str
    write: Callable[[Saved], bytes]


def _texts(parts: Callable[[Saved], Sequence[Part]]) -> tuple[Format[Saved], Format[Saved]]:
    return (
        Format("Markdown", "md", "text/markdown", lambda saved: to_markdown(parts(saved))),
        Format(
            "Word",
            "docx",
            f"{_OFFICE}.wordprocessingml.document",
            lambda saved: to_docx(parts(saved)),
        ),
    )


# A program may read these columns of the CSV file, in this order.
_SIDE = (
    *("document", "SHA-256", "page", "printed page", "value", "as printed"),
    *("quote", "check"),
)

COMPARISON: tuple[Format[Record], ...] = (
    *_texts(comparison),
    Format(
        "Excel, with numbers",
        "xlsx",
        f"{_OFFICE}.spreadsheetml.sheet",
        lambda record: to_xlsx(tables_of(record)),
    ),
    Format(
        "CSV, a row for each side",
        "csv",
        "text/csv",
        lambda record: to_csv(spread(each_side(record), fields=_SIDE)),
    ),
)

CONVERSATION: tuple[Format[Transcript], ...] = _texts(conversation)
