"""Words to lines, lines to paragraphs, paragraphs to pieces, without changing what is written.

Only what the printing added is taken back: ligature glyphs become letters, words broken at a line
end are whole again, odd spaces are spaces. No Unicode normalisation: a quote has to match the page.
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence

from docqa.language.sentences import sentence_ends, trimmed

SOFT_HYPHEN = "\u00ad"
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # a note's number is no part of a figure

_GLYPHS = str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        "\ufffe": "-",  # how pdfium reports a hyphen that breaks a word
        "\u037e": ";",  # docling-parse's semicolon is the Greek question mark
        "\u2010": "-",
        "\u2011": "-",
        "\uf0b7": "•",  # the bullet of the Symbol font, in its private area
        "\uf0a7": "▪",
        "\uf0d8": "➢",
        "\uf0fc": "✓",
        "\uf0a0": " ",
        "\u200b": None,
        "\ufeff": None,
    }
)
# Bytes of the Windows code page that were never told from Unicode's second set of controls.
_WINDOWS = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}
_CONTROL = [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)]
_LETTERS = {**dict.fromkeys(_CONTROL), **_GLYPHS, **_WINDOWS}  # none of these makes another
_ODD = re.compile(f"[{re.escape(''.join(map(chr, _LETTERS)))}]")
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_HYPHENS = {"-", SOFT_HYPHEN}
_LAST_PART = re.compile(r"(\w+)[-\u00ad]$")
_FIRST_PART = re.compile(r"^(\w+)")
_CLAUSE_END = re.compile(r"[;:,]\s+|\s[–—]\s")
_LATIN_WORD = re.compile(r"[A-Za-z]{3,}")
FEW_GLYPHS = 60  # on a page: fewer say nothing of its fonts
MOST_ODD = 0.3  # share of glyphs that are no letters
FEW_LETTERS = 100  # Latin ones, to judge them by their vowels
FEW_VOWELS = 0.27  # share of letters; 1,197 business pages had .33 and more, garbled ones .16


def clean(text: str) -> str:
    """Text as letters: ligatures spelt out, control characters gone, any space one space.

    Soft hyphens stay at a word's end, where :func:`join_lines` needs them.

    >>> clean("e\ufb03cient\u00a0 use")
    'efficient use'
    """
    if text.isascii() and text.isalnum():
        return text
    if _ODD.search(text):
        text = text.translate(_LETTERS)
    return " ".join(text.split())


def is_right_to_left(text: str) -> bool:
    """Whether more than three letters in ten are Hebrew or Arabic."""
    if not _RTL.search(text):
        return False
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_RTL.findall(text)) > 0.3 * letters


def is_garbled(text: str, unknown: int = 0) -> bool:
    """Whether a page's text layer is glyph soup: the page shows words, the layer has none.

    ``unknown`` counts glyphs drawn beside the text that stand for no letter at all. Fonts without
    a map to letters yield controls, private or replaced characters; fonts with a wrong one yield
    "7KH UHQW" for "The rent", Latin letters with too few vowels among them.

    >>> is_garbled("7KH PRQWKO\\ UHQW LV GXH RQ WKH ILUVW GD\\ RI HDFK PRQWK " * 4)
    True
    """
    solid = "".join(text.split())
    count = len(solid) + unknown
    if count < FEW_GLYPHS:
        return False
    odd = unknown + sum(map(solid.count, filter(_is_no_letter, set(solid))))
    if odd > MOST_ODD * count:
        return True
    letters = "".join(_LATIN_WORD.findall(text)).lower()
    vowels = sum(map(letters.count, "aeiouy"))
    return len(letters) >= FEW_LETTERS and vowels < FEW_VOWELS * len(letters)


def _is_no_letter(character: str) -> bool:
    return unicodedata.category(character) in {"Co", "Cn", "Cc"} or character == "\ufffd"


def join_lines(lines: Sequence[str], known: Container[str] = ()) -> tuple[str, list[int]]:
    """Lines as one paragraph, and where each line starts in it.

    A hyphen at a line's end goes when it only broke the word: when the whole word is ``known``
    (lower case, from elsewhere in the document), or neither half is. It stays in a compound.

    >>> join_lines(["The amort-", "isation of long-", "term debt"], {"long", "term"})
    ('The amortisation of long-term debt', [0, 9, 25])
    """
    text, starts = "", []
    for line in lines:
        text, separator = _before_next(text, line, known)
        text += separator
        starts.append(len(text))
        text += line
    starts = [start - text.count(SOFT_HYPHEN, 0, start) for start in starts]
    return text.replace(SOFT_HYPHEN, ""), starts


def _before_next(text: str, following: str, known: Container[str]) -> tuple[str, str]:
    """The text so far, its hyphen dropped where it must be, and what separates the next line."""
    if not text:
        return "", ""
    if text[-1] not in _HYPHENS:
        return text, " "
    last, first = _LAST_PART.search(text), _FIRST_PART.match(following)
    if not last or not first:
        return text, " "
    if text.endswith(SOFT_HYPHEN):
        return text[:-1], ""
    halves = last.group(1).lower(), first.group(1).lower()
    return (text[:-1], "") if _is_one_word(*halves, following, known) else (text, "")


def _is_one_word(before: str, after: str, following: str, known: Container[str]) -> bool:
    if not following[0].islower() or not before.isalpha():
        return False
    if before + after in known:
        return True
    return f"{before}-{after}" not in known and not (before in known and after in known)


def vocabulary(texts: Iterable[str]) -> set[str]:
    """The words of a document in lower case, compounds with their hyphens and in parts.

    A part that ends a line with a hyphen is left out: it may be half a word.
    """
    word = re.compile(r"\w+(?:-\w+)*(?!-?\w*[-\u00ad]$)")
    return {each for text in texts for each in word.findall(text.lower())}


def pieces(text: str, limit: int) -> list[tuple[int, int]]:
    """Spans of at most ``limit`` characters, cut at sentence ends, else at clauses, else words.

    Every character but the blanks at the cuts is in exactly one span.

    >>> pieces("One two. Three four. Five.", 21)
    [(0, 20), (21, 26)]
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*sentence_ends(text), len(text)]:
        if spans and end - spans[-1][0] <= limit:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        start = end
    short = [part for span in spans for part in _short_enough(text, span, limit)]
    return [trimmed(text, span) for span in short if text[span[0] : span[1]].strip()]


def _short_enough(text: str, span: tuple[int, int], limit: int) -> list[tuple[int, int]]:
    parts = []
    start, end = span
    while end - start > limit:
        cut = _cut(text, start, start + limit)
        parts.append((start, cut))
        start = cut
    return [*parts, (start, end)]


def _cut(text: str, start: int, stop: int) -> int:
    """The last clause end in the second half of a stretch, else its last blank, else its end."""
    clauses = [match.end() for match in _CLAUSE_END.finditer(text, start, stop)]
    if clauses and clauses[-1] > (start + stop) // 2:
        return clauses[-1]
    blank = text.rfind(" ", start + 1, stop)
    return blank if blank > start else stop
