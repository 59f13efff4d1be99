"""A file's markup as it is to be read, before Docling makes flat text of it.

What only markup tells is written out: digits that are set above the line are raised as letters, so
that a note's mark is no digit of the figure it stands at; tracked changes are as if accepted; what
stands in a form's content controls, which Docling passes over in cells, is as if it did not.
"""

import re
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

from docqa.ingest.geometry.text import RAISED
from docqa.ingest.geometry.words import NOTE_MARK
from docqa.types.document import FileKind

_TAGS = rb"((?:\s|<(?!/?sup\b)[^<>]+>)*)"  # around what is raised, as of a link
_RAISED_IN_HTML = re.compile(
    rb"<sup\b[^<>]*>" + _TAGS + b"(" + NOTE_MARK.pattern.encode() + b")" + _TAGS + b"</sup>",
    re.IGNORECASE,
)
_DELETED_IN_HTML = re.compile(rb"<del\b[^<>]*>(?:[^<]|<(?!/?del\b))*</del>", re.IGNORECASE)
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_UNREADABLE = (EOFError, NotImplementedError, OSError, ValueError, zipfile.BadZipFile)


def as_read(content: bytes, kind: FileKind) -> bytes:
    """The file with its markup so changed; what is no archive or XML is left to who reads it."""
    if kind == "html":
        return _RAISED_IN_HTML.sub(_with_raised, _DELETED_IN_HTML.sub(b"", content))
    if kind == "docx":
        return _rewritten(content, r"word/document\.xml", _read_word)
    if kind == "pptx":
        return _rewritten(content, r"ppt/slides/slide\d+\.xml", _raise_in_slide)
    return content


def _with_raised(found: re.Match[bytes]) -> bytes:
    digits = found[2].decode().translate(RAISED).encode("ascii", "xmlcharrefreplace")
    return found[1] + digits + found[3]


def _rewritten(content: bytes, parts: str, change: Callable[[Any], None]) -> bytes:
    """An office file, the parts whose names match changed."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    made = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(content)) as source, zipfile.ZipFile(made, "w") as archive:
            for name in dict.fromkeys(source.namelist()):
                part = source.read(name)
                if re.fullmatch(parts, name):
                    root = etree.fromstring(part, parser)
                    change(root)
                    part = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
                archive.writestr(name, part)
    except (etree.XMLSyntaxError, *_UNREADABLE):
        return content
    return made.getvalue()


def _read_word(root: Any) -> None:
    for row in root.findall(f".//{_WORD}tr/{_WORD}trPr/{_WORD}del/../.."):
        row.getparent().remove(row)
    for gone in list(root.iter(*(f"{_WORD}{each}" for each in ("del", "moveFrom")))):
        gone.getparent().remove(gone)
    for kept in list(root.iter(*(f"{_WORD}{each}" for each in ("ins", "moveTo")))):
        _unwrap(kept, kept)
    for control in list(root.iter(f"{_WORD}sdt")):
        _unwrap(control, control.find(f"{_WORD}sdtContent"))
    for script in root.findall(
        f".//{_WORD}r/{_WORD}rPr/{_WORD}vertAlign[@{_WORD}val='superscript']"
    ):
        look = script.getparent()
        if _raised(look.getparent().findall(f"{_WORD}t")):
            look.remove(script)  # else Docling sets the mark apart from its figure


def _unwrap(outer: Any, inner: Any) -> None:
    """Put what is within the inner element, if there is one, in the outer one's place."""
    for each in list(inner) if inner is not None else ():
        outer.addprevious(each)
    outer.getparent().remove(outer)


def _raise_in_slide(root: Any) -> None:
    for run in root.iter(f"{_DRAWN}r"):
        look = run.find(f"{_DRAWN}rPr")
        if look is not None and not look.get("baseline", "0").startswith(("0", "-")):
            _raised(run.findall(f"{_DRAWN}t"))


def _raised(texts: list[Any]) -> bool:
    """Whether texts set above the line are a note's mark, which is then written so."""
    marks = [text for text in texts if NOTE_MARK.fullmatch((text.text or "").strip())]
    for text in marks:
        text.text = text.text.translate(RAISED)
    return bool(marks)
