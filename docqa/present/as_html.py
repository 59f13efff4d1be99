"""A presentation as one HTML file, which needs nothing beside it and asks for nothing.

Styles stand in it and pictures are part of it; it has no script. A link leads into the app, and is
followed only by a person.
"""

import base64
from collections.abc import Sequence
from html import escape

from docqa.present.as_text import line
from docqa.present.document import (
    Cell,
    Heading,
    Inline,
    Listing,
    Mark,
    Note,
    Number,
    Paragraph,
    Part,
    Percent,
    Picture,
    Table,
    Text,
    cell_text,
    printable,
    runs,
)

# What a browser may do with the file, whatever a document's text may hold: show it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem;
       color: #1b1f24; background: #fff; overflow-wrap: anywhere; }
td:first-child, th { overflow-wrap: break-word; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2rem; } h3 { font-size: 1.05rem; }
p, li, td { white-space: pre-line; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: 14px; }
th, td { border: 1px solid #c9d1d9; padding: .35rem .5rem; text-align: left; vertical-align: top; }
th { background: #eef2f6; } td.number { text-align: right; }
aside { border-left: 3px solid #8a94a0; padding-left: .75rem; color: #3d444d; margin: .5rem 0; }
figure { margin: 1rem 0; } figcaption { font-size: 13px; color: #3d444d; }
img { max-width: 100%; border: 1px solid #c9d1d9; }
@media print { body { margin: 0; max-width: none; } thead { display: table-header-group; }
               tr, figure { break-inside: avoid; } }
"""


def to_html(parts: Sequence[Part]) -> bytes:
    """The parts in order, in UTF-8; the first heading is the file's title."""
    title = next((line(part.text) for part in parts if isinstance(part, Heading)), "docqa")
    body = "\n".join(map(_part, parts))
    whole = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_escaped(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )
    return whole.encode()


def _part(part: Part) -> str:
    match part:
        case Heading(text, level):
            return f"<h{level}>{_text(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{_text(text)}</p>"
        case Note(text):
            return f"<aside>{_text(text)}</aside>"
        case Listing(items, first):
            kind, start = ("ol", f' start="{first}"') if first else ("ul", "")
            listed = "".join(f"<li>{_text(item)}</li>" for item in items)
            return f"<{kind}{start}>{listed}</{kind}>"
        case Picture():
            return _picture(part)
        case Table(header, rows):
            heads = "".join(f"<th>{_text(each)}</th>" for each in header)
            lines = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
            return f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{lines}</tbody></table>"


def _picture(part: Picture) -> str:
    inside = base64.b64encode(part.content).decode()
    return (
        f'<figure><img src="data:image/jpeg;base64,{inside}" width="{round(part.width * 4 / 3)}" '
        f'alt="{_escaped(part.text)}"><figcaption>{_escaped(part.text)}</figcaption></figure>'
    )


def _cell(cell: Cell) -> str:
    kind = ' class="number"' if isinstance(cell, Number | Percent) else ""
    return f"<td{kind}>{_text(cell_text(cell))}</td>"


def _text(text: Text) -> str:
    return "".join(map(_run, runs(text)))


def _run(run: Inline) -> str:
    if isinstance(run, Mark):
        return _escaped(f"[{run.label}]")
    shown = _escaped(run.text)
    if run.link:
        return f'<a href="{_escaped(run.link)}" rel="noreferrer">{shown}</a>'
    tag = "del" if run.struck else "strong" if run.strong else ""
    return f"<{tag}>{shown}</{tag}>" if tag else shown


def _escaped(text: str) -> str:
    return escape(printable(text))
