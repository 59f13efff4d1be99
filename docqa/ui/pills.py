"""Citations as pills: the short name, the page, and a sign for how far the quote was verified."""

from collections.abc import Sequence

from docqa.present.as_nodes import Json
from docqa.present.citations import VERDICTS, verdicts
from docqa.present.document import SIGNS
from docqa.types.answer import Citation, Verdict
from docqa.types.document import without_ending
from docqa.ui.plain_text import shortened

CLASSES: dict[Verdict, str] = {"verified": "verified", "near": "near", "not found": "missing"}
EXPLAINED: dict[Verdict, str] = {
    "verified": "What the answer says here stands on this page.",
    "near": "The page says nearly this; read it before relying on it.",
    "not found": "This could not be found on the page it names.",
}
NAME_CHARS = 26
PLACE_CHARS = 36


def pill(citation: Citation, *, name: str = "", number: int = 0) -> Json:
    """One pill as the screen's script reads it; ``name`` stands for the document ("DocA").

    ``number`` is what its mark has in the reader, 0 where it has none.
    """
    before = f"{number} " if number else ""
    shown = name or shortened(without_ending(citation.document), limit=NAME_CHARS)
    return {
        "name": shown,
        "where": shortened(citation.where, limit=PLACE_CHARS),
        "number": number,
        "verdict": CLASSES[citation.verified],
        "sign": SIGNS[citation.verified],
        "title": f"{citation.document}, {citation.where}",
        "quote": citation.quote,
        "explained": EXPLAINED[citation.verified],
        "aria": f"{before}{shown} {citation.where}, {VERDICTS[citation.verified]}. Open the page.",
    }


def checks(citations: Sequence[Citation]) -> list[Json]:
    """How many citations have each verdict, those verified first."""
    return [
        {"verdict": CLASSES[verdict], "sign": SIGNS[verdict], "text": words}
        for verdict, words in verdicts(citations)
    ]
