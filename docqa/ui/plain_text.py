"""Text shown exactly as written where the screen would otherwise read it as Markdown.

Labels of buttons, errors and captions are Markdown to Streamlit: "$5 … $9" becomes mathematics,
":red[x]" colour, "www.…" a link, "->" an arrow. `literal` takes that away; longer text from
documents goes through `docqa.ui.answer_view` or ``st.text``, which read no Markdown at all.
"""

import re

import streamlit as st

_HARMLESS = re.compile(
    r"(?:[^\W_]|[ ,()&'·…“”‘’–—]|(?<=[\w)])[._-](?=\w)|(?<=[\w)’”])[.?!](?=\s|$))*"
)
_LINK = re.compile(r"www\.|^\d+[.)]", re.IGNORECASE)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_JOINER = "\u2060"  # of no width: parts the signs that are replaced in pairs


def literal(text: str) -> str:
    """``text`` on one line, its ASCII punctuation escaped where Markdown might read it.

    >>> literal("Lease_A (2024).pdf"), literal("*a*").replace(_JOINER, "")
    ('Lease_A (2024).pdf', '\\\\*a\\\\*')
    """
    one_line = " ".join(text.split())
    if _HARMLESS.fullmatch(one_line) and not _LINK.search(one_line):
        return one_line
    return _PUNCTUATION.sub(rf"{_JOINER}\\\1{_JOINER}", one_line)


def show_error(sentence: str) -> None:
    """A sentence that says what went wrong and what to do."""
    st.error(literal(sentence), icon=":material/error:")


def show_note(sentence: str) -> None:
    """A sentence the person should see, though nothing is broken."""
    st.warning(literal(sentence), icon=":material/info:")


def short_name(name: str, *, limit: int) -> str:
    """A file's name within ``limit`` characters, its middle left out where it is longer.

    What tells two files apart often stands at the end; text is cut there
    (`docqa.types.phrases.shortened`).

    >>> short_name("Property_A_Offering_Memo", limit=13)
    'Proper…g_Memo'
    """
    if len(name) <= limit:
        return name
    head = (limit - 1 + 1) // 2
    return f"{name[:head]}…{name[len(name) - (limit - 1 - head) :]}"


def span(seconds: float) -> str:
    """A time as people tell it: "40 s", "3 min"."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def size_of(count_of_bytes: int) -> str:
    """Bytes as people read them: "23 MB"."""
    for unit, power in (("GB", 3), ("MB", 2), ("kB", 1)):
        if count_of_bytes >= 1000**power:
            return f"{count_of_bytes / 1000**power:.3g} {unit}"
    return f"{count_of_bytes} bytes"
