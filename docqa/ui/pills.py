"""Citations as pills: the short name, the page, and a sign where something is not supported."""

from docqa.present.as_nodes import Json
from docqa.present.citations import VERDICTS, summary_of, sums_of
from docqa.present.document import SIGNS
from docqa.types.answer import Answer, Citation, Verdict
from docqa.types.document import spoken_name
from docqa.ui.plain_text import short_name

CLASSES: dict[Verdict, str] = {"verified": "verified", "near": "near", "not found": "missing"}
EXPLAINED: dict[Verdict, str] = {
    "verified": "The figures and quotes said here stand on this page.",
    "near": "Nothing said here is a figure or a quote; read it on the page.",
    "not found": "Something said here is not supported; see below the answer.",
}
NAME_CHARS = 26
PLACE_CHARS = 36


def pill(citation: Citation, *, name: str = "", number: int = 0, small: bool = False) -> Json:
    """One pill as the screen's script reads it; ``name`` stands for the document ("DocA").

    ``number`` is what its mark has in the reader, 0 where it has none. A ``small`` one is drawn as
    the name's last letter, set above the line ("A"), but where something is not supported.
    """
    shown = name or short_name(spoken_name(citation.document), limit=NAME_CHARS)
    return {
        "name": shown,
        "where": short_name(citation.where, limit=PLACE_CHARS),
        "number": number,
        "letter": shown[-1] if small and citation.verified != "not found" else "",
        "verdict": CLASSES[citation.verified],
        "sign": SIGNS[citation.verified] if citation.verified == "not found" else "",
        "title": f"{citation.document}, {citation.where}",
        "quote": citation.shown,
        "explained": EXPLAINED[citation.verified],
        "told": f"{VERDICTS[citation.verified]}. Open the page.",
    }


def checks(answer: Answer) -> Json:
    """All is well, in a line, with the sums done; else what is not supported, in red."""
    return {
        "summary": summary_of(answer),
        "problems": answer.problems,
        "sums": sums_of(answer),
    }
